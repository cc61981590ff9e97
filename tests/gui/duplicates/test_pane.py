"""The pane of duplicates: list, filter, mark, compare and export pairs, and read both places."""

from __future__ import annotations

import contextlib
import csv
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QTextEdit
from pytestqt.qtbot import QtBot

from desktop_app.core.duplicates import MorePairs
from desktop_app.core.errors import Cancelled, StorageFull
from desktop_app.core.jobs import ChangeSet, Lane
from desktop_app.gui.base.window_context import DuplicatesRequest
from desktop_app.gui.compare.dialog import CompareDialog
from desktop_app.gui.duplicates.delegate import explain_pair
from desktop_app.gui.duplicates.filters import DuplicatesFilterBar
from desktop_app.gui.duplicates.model import PAIR_ROLE, name_documents
from desktop_app.gui.duplicates.pane import DuplicatesPane
from desktop_app.gui.library.model import DOCUMENT_ROLE
from desktop_app.gui.reader.pane import ReaderPane
from desktop_app.gui.results.key_sentences_dialog import KeySentencesDialog
from desktop_app.gui.results.pair_text import pair_kind_name
from desktop_app.gui.shell import window_language
from desktop_app.store.library import LocalLibrary
from tests.gui.conftest import Kindred
from tests.patience import PATIENCE_S

REPORT = """Heavy storms shut our harbour 14 days last winter.
Nobody knows how fast the ice will melt.
This wall by that sea is safe now.
Bread is mostly waiting."""
LATER = """Heavy storms shut our harbour 21 days last winter.
Nobody knows how fast the ice will melt.
This wall by that sea is not safe now.
Salt marshes break the force of the waves."""


@dataclass
class Twice:
    """The pane of a window on a real library."""

    kindred: Kindred
    pane: DuplicatesPane
    qtbot: QtBot

    @property
    def rows(self) -> list[tuple[str, str]]:
        pairs = [self.pane.model.index(row).data(PAIR_ROLE) for row in range(self.pane.model.rowCount())]
        return [(pair.a.text, pair.b.text) for pair in pairs]

    @property
    def kind(self) -> str:
        """The state that is shown in place of pairs; empty if pairs are shown."""
        return self.pane.state._view.kind if self.pane.state.isVisible() else ""

    def settle(self) -> None:
        controller = self.pane.controller
        self.qtbot.waitUntil(lambda: not controller.is_working and not controller._request_timer.isActive())

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(self.pane.view, key, modifier)

    def do(self, action: str) -> None:
        self.kindred.window.action_table[action].trigger()


@pytest.fixture
def empty(make: Callable[..., Kindred], qtbot: QtBot, tmp_path: Path) -> Kindred:
    return open_empty(make, tmp_path, qtbot)


def open_empty(make: Callable[..., Kindred], folder: Path, qtbot: QtBot) -> Kindred:
    kindred = make(open_library=lambda: LocalLibrary.open(folder / "library"))
    qtbot.waitUntil(lambda: kindred.window.session.phase == "ready" and kindred.kind == "no_documents")
    return kindred


def shown(kindred: Kindred, qtbot: QtBot) -> Twice:
    kindred.window.action_table["pane.pairs"].trigger()
    pane = kindred.window.panes.currentWidget()
    assert isinstance(pane, DuplicatesPane)
    twice = Twice(kindred, pane, qtbot)
    twice.settle()
    return twice


def import_texts(kindred: Kindred, qtbot: QtBot, folder: Path, **texts: str) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
    before = len(kindred.window.documents.forest.leaves)
    kindred.window.imports.start([str(folder / f"{name}.txt") for name in texts])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.window.documents.forest.leaves) == before + len(texts))
    qtbot.waitUntil(lambda: kindred.are_documents_ready)


@pytest.fixture
def twice_alone(empty: Kindred, qtbot: QtBot, tmp_path: Path) -> Twice:
    """A window of the test's own, on a library with two documents."""
    return open_twice(empty, tmp_path, qtbot)


def open_twice(empty: Kindred, folder: Path, qtbot: QtBot) -> Twice:
    import_texts(empty, qtbot, folder / "papers", report=REPORT, later=LATER)
    return shown(empty, qtbot)


@pytest.fixture(scope="module")
def open_shared() -> Callable[[Callable[..., Kindred], Path, QtBot], Kindred]:
    def open_pairs(make: Callable[..., Kindred], folder: Path, qtbot: QtBot) -> Kindred:
        kindred = open_empty(make, folder, qtbot)
        open_twice(kindred, folder, qtbot)
        kindred.window.action_table["pane.search"].trigger()
        return kindred

    return open_pairs


@pytest.fixture
def twice(shared: Kindred, qtbot: QtBot) -> Iterator[Twice]:
    """As `twice_alone`, in the window of the file: documents, filters, marks and readers are put back afterwards."""
    twice = shown(shared, qtbot)
    pane, workspace, documents = twice.pane, shared.workspace, set(shared.window.documents.forest.leaves)
    pane.view.setCurrentIndex(pane.model.index(0))
    before = visible_state(twice)
    yield twice
    if added := set(shared.window.documents.forest.leaves) - documents:
        changes = ChangeSet(listing=True, sentences=True)
        workspace.change(lambda library: library.documents.remove(tuple(added)), changes).wait(PATIENCE_S)
        workspace.maintenance.purge().wait(PATIENCE_S)
    shared.window.action_table["pane.pairs"].trigger()
    pane.close_places()
    pane.controller.reset_request()
    twice.settle()
    for row in range(pane.model.rowCount()):
        pane.view.setCurrentIndex(pane.model.index(row))
        pair = pane.model.pair(pane.model.index(row))
        if pair.reviewed:
            twice.do("pair.reviewed")
        if pair.same is not None:
            twice.do("pair.same" if pair.same else "pair.different")
    pane.view.setCurrentIndex(pane.model.index(0))
    qtbot.waitUntil(lambda: visible_state(twice) == before)


def visible_state(twice: Twice) -> object:
    """What a person sees of the pane."""
    pane = twice.pane
    texts = [pane.model.index(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(len(twice.rows))]
    controls = [each.isChecked() for each in pane.filters.findChildren(QAbstractButton)]
    return texts, controls, pane.filters.chip, pane.info.text(), twice.kind, pane.places.isVisible()


HARBOUR, NOBODY, WALL = tuple(zip(REPORT.splitlines(), LATER.splitlines(), strict=True))[:3]


def test_pairs_are_listed_by_similarity(twice: Twice) -> None:
    assert twice.rows[0] == NOBODY
    assert set(twice.rows) == {NOBODY, HARBOUR, WALL}
    text = twice.pane.model.index(twice.rows.index(WALL)).data(Qt.ItemDataRole.AccessibleTextRole)
    for part in ("similarity 0.", "near-duplicate", "negation differs", *WALL, "report", "later"):
        assert part in text
    assert "numbers differ" in twice.pane.model.index(twice.rows.index(HARBOUR)).data(
        Qt.ItemDataRole.AccessibleTextRole
    )
    assert twice.pane.info.text() == "3 pairs, most similar first"
    assert twice.pane.current is not None, "the first is selected, so that keys have something to act on"
    assert twice.pane.view.hasFocus()


def test_pairs_are_filtered_by_kind_and_score(twice: Twice) -> None:
    twice.pane.filters.kinds["exact"].click()
    twice.settle()
    assert twice.rows == [NOBODY]
    twice.pane.filters.kinds["paraphrase"].click()
    twice.settle()
    assert twice.kind == "pairs_filtered"
    reset = twice.pane.state._buttons.itemAt(1).widget()  # not by its type: those of earlier states may still be there
    assert isinstance(reset, QAbstractButton)
    twice.qtbot.waitUntil(reset.isEnabled)  # actions are enabled a moment after the state is shown
    reset.click()
    twice.qtbot.waitUntil(lambda: len(twice.rows) == 3)
    assert twice.pane.filters.kinds[None].isChecked()
    twice.pane.filters.highest.setValue(99)
    twice.settle()
    assert set(twice.rows) == {HARBOUR, WALL}
    twice.pane.filters.lowest.setValue(100)
    twice.settle()
    assert (twice.pane.filters.highest.value(), twice.rows) == (100, [NOBODY])


def test_pairs_are_limited_to_a_document_and_may_be_within_one(twice: Twice, qtbot: QtBot, tmp_path: Path) -> None:
    text = "Bread is mostly waiting.\nA cat sleeps on warm stones.\nA cat sleeps on cold stones."
    import_texts(twice.kindred, qtbot, tmp_path / "papers", third=text)
    qtbot.waitUntil(lambda: len(twice.rows) == 4)
    bread = ("Bread is mostly waiting.",) * 2
    third = twice.kindred.row("third").data(DOCUMENT_ROLE).document_id
    twice.pane.show_part(DuplicatesRequest("third", touching=frozenset({third})))
    twice.settle()
    assert twice.rows == [bread]
    twice.pane.filters.where.setCurrentIndex(2)
    twice.settle()
    assert len(twice.rows) == 2
    twice.pane.filters.where.setCurrentIndex(1)
    twice.settle()
    assert len(twice.rows) == 1
    twice.pane.filters.where.setCurrentIndex(2)
    twice.settle()
    assert twice.pane.filters.chip is not None
    twice.pane.filters.chip.click()
    qtbot.waitUntil(lambda: len(twice.rows) == 5)
    assert twice.pane.filters.chip is None


def test_short_pairs_can_be_left_out_and_fragments_shown(twice: Twice, qtbot: QtBot, tmp_path: Path) -> None:
    filters = twice.pane.filters
    import_texts(
        twice.kindred, qtbot, tmp_path / "papers", third="See below.\nBoats come home.", fourth="See below.\nRain fell."
    )
    twice.settle()
    assert len(twice.rows) == 3
    filters.all_passages.click()
    twice.settle()
    assert ("See below.", "See below.") in twice.rows
    filters.length.setValue(20)
    twice.settle()
    assert ("See below.", "See below.") not in twice.rows
    assert len(twice.rows) > 0
    filters.all_passages.click()
    assert twice.pane.controller.request.scope.is_everything


def test_reviewed_pairs_stay_marked_and_can_be_hidden(twice: Twice, qtbot: QtBot) -> None:
    first, second = twice.rows[:2]
    twice.press(Qt.Key.Key_R)
    assert twice.pane.current is not None
    assert (twice.pane.current.a.text, twice.pane.current.b.text) == second, "moves to the next one"
    assert "reviewed" in twice.pane.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    twice.pane.filters.unreviewed.click()
    twice.settle()
    assert first not in twice.rows
    assert len(twice.rows) == 2
    twice.press(Qt.Key.Key_R)
    assert len(twice.rows) == 1, "a reviewed pair disappears at once"
    twice.kindred.window.notice.pressed.emit()
    qtbot.waitUntil(lambda: len(twice.rows) == 2)
    twice.settle()
    assert twice.pane.current is not None
    assert (twice.pane.current.a.text, twice.pane.current.b.text) == second, "the last review is undone"
    twice.press(Qt.Key.Key_R)
    assert len(twice.rows) == 1
    twice.do("pane.search")
    twice.kindred.window.notice.pressed.emit()
    qtbot.waitUntil(lambda: twice.pane.controller.is_stale)
    twice.do("pane.pairs")
    qtbot.waitUntil(lambda: len(twice.rows) == 2)  # also if another pane was shown meanwhile
    twice.settle()
    assert twice.pane.current is not None
    assert (twice.pane.current.a.text, twice.pane.current.b.text) == second
    twice.pane.view.setFocus()
    twice.press(Qt.Key.Key_R)
    assert len(twice.rows) == 1
    twice.press(Qt.Key.Key_R)
    qtbot.waitUntil(lambda: twice.kind == "pairs_filtered")
    twice.pane.filters.unreviewed.click()
    twice.settle()
    assert len(twice.rows) == 3
    twice.pane.view.setCurrentIndex(twice.pane.model.index(0))
    twice.press(Qt.Key.Key_R)
    twice.pane.filters.unreviewed.click()
    twice.settle()
    assert twice.rows == [first], "a review can be undone"


def test_a_judgement_of_a_pair_is_labelled_data(twice: Twice) -> None:
    twice.press(Qt.Key.Key_S)
    twice.press(Qt.Key.Key_Down)
    twice.press(Qt.Key.Key_D)
    twice.press(Qt.Key.Key_Down)
    twice.press(Qt.Key.Key_S)
    twice.press(Qt.Key.Key_S)
    judged = twice.kindred.workspace.read(lambda library: library.pair_labels.labelled_pairs()).wait(PATIENCE_S)
    assert [((mark.a, mark.b), mark.same) for mark in judged] == [(twice.rows[0], True), (twice.rows[1], False)]
    texts = [twice.pane.model.index(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(3)]
    assert ["means the same" in each for each in texts] == [True, False, False]
    assert ["not the same" in each for each in texts] == [False, True, False]


def test_a_mark_that_cannot_be_stored_is_undone_and_reported(twice: Twice, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise StorageFull("The disk is full", "Make room.")

    twice.kindred.workspace.read(lambda library: library.pair_labels.find([("", "")])[0]).wait(PATIENCE_S)
    monkeypatch.setattr("desktop_app.store.pair_labels.LocalPairLabelStore.judge", fail)
    twice.press(Qt.Key.Key_S)
    twice.qtbot.waitUntil(lambda: "disk is full" in twice.kindred.window.notice.text)
    assert twice.pane.current is not None
    assert twice.pane.current.same is None


def test_a_card_shows_its_number_only_on_request(twice: Twice) -> None:
    exact, view = twice.kindred.window.action_table["search.exact_scores"], twice.pane.view
    assert not exact.isChecked()
    words = view.grab().toImage()
    exact.setChecked(True)
    assert view.grab().toImage() != words
    exact.setChecked(False)
    assert view.grab().toImage() == words
    pair = twice.pane.model.index(0).data(PAIR_ROLE)
    assert "Cosine similarity" in explain_pair(pair)


def test_both_places_are_shown_side_by_side(twice: Twice) -> None:
    twice.press(Qt.Key.Key_Return)
    readers = twice.pane.places.readers
    twice.qtbot.waitUntil(lambda: all(reader.mode == "text" for reader in readers))
    assert [reader.current.text for reader in readers] == list(twice.rows[0])
    assert len({reader.current.document_id for reader in readers}) == 2
    twice.press(Qt.Key.Key_Down)
    twice.qtbot.waitUntil(lambda: [reader.current.text for reader in readers] == list(twice.rows[1]))
    twice.press(Qt.Key.Key_Escape)
    assert not twice.pane.places.isVisible()
    assert twice.pane.view.hasFocus()
    twice.press(Qt.Key.Key_Return)
    buttons = {each.accessibleName(): each for each in twice.pane.places.findChildren(QAbstractButton)}
    buttons["Close side-by-side view"].click()
    assert not twice.pane.places.isVisible()


def test_an_export_never_overwrites_a_document(twice: Twice) -> None:
    file = Path(twice.kindred.row("report").data(DOCUMENT_ROLE).path)
    twice.pane.export_to(str(file))
    assert "is a document of this library" in twice.kindred.window.notice.text
    assert not twice.pane.controller.is_exporting
    assert file.read_text("utf-8") == REPORT


def test_a_pair_is_compared_copied_and_exported(twice: Twice, tmp_path: Path) -> None:
    twice.press(Qt.Key.Key_Down)
    twice.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    dialog = twice.kindred.window.findChild(CompareDialog)
    assert (dialog.first.field.sentence, dialog.second.field.sentence) == twice.rows[1]
    # The data of the pair in the list is shown before the engine has answered.
    assert dialog.explanation.answer is None
    pair = twice.pane.current
    assert dialog.verdict.kind.text().casefold() == pair_kind_name(pair.kind)
    assert [name for name, badge in dialog.verdict.badges.items() if badge.isVisible()] == list(pair.badges)
    assert [view._spans for view in dialog.parts.words.texts] == [pair.differs_a, pair.differs_b]
    dialog.verdict.different.click()
    twice.qtbot.waitUntil(lambda: twice.pane.current.same is False)
    twice.qtbot.waitUntil(lambda: dialog.explanation.answer is not None)
    assert dialog.verdict.different.isChecked()
    dialog.verdict.different.click()
    twice.qtbot.waitUntil(lambda: twice.pane.current.same is None)
    dialog.close()
    twice.do("pair.copy")
    copied = QGuiApplication.clipboard().text()
    assert f"“{twice.rows[1][0]}” (report)" in copied
    assert f"“{twice.rows[1][1]}” (later)" in copied
    file = tmp_path / "pairs.csv"
    twice.pane.filters.kinds["near"].click()
    twice.settle()
    twice.pane.export_to(str(file))
    twice.qtbot.waitUntil(lambda: "Exported 2 pairs" in twice.kindred.window.notice.text)
    with file.open(encoding="utf-8-sig", newline="") as table:
        assert {(row["text_a"], row["text_b"]) for row in csv.DictReader(table)} == {HARBOUR, WALL}


def test_exported_pairs_and_passages_are_in_the_language_of_the_window(
    twice_alone: Twice, qapp: QApplication, tmp_path: Path
) -> None:
    twice = twice_alone

    def export(name: str) -> str:
        file = tmp_path / name
        twice.pane.export_to(str(file))
        twice.qtbot.waitUntil(lambda: file.exists() and not twice.pane._is_busy)
        return file.read_text("utf-8")

    window_language.install_language(qapp, "de")
    try:
        pairs = export("pairs.md")
        assert ", Zahlen anders\n" in pairs
        assert "1. 1,000, wörtlich" in pairs
        twice.pane.filters.passages.click()
        twice.pane.controller.change_request(where="anywhere", min_length=1)
        twice.qtbot.waitUntil(lambda: not twice.pane.passages.is_working)
        assert "<h1>Wiederholte Passagen</h1>" in export("passages.html")
    finally:
        window_language.install_language(qapp, "en")


def test_a_removed_document_takes_its_pairs_along(twice: Twice) -> None:
    twice.press(Qt.Key.Key_Return)
    document = twice.pane.current.b.document_id
    twice.kindred.window.removals.remove([document])
    twice.qtbot.waitUntil(lambda: twice.kind == "pairs_none")
    assert not twice.pane.places.isVisible()
    assert not twice.kindred.window.action_table["pair.open"].isEnabled()
    twice.kindred.window.removals.undo()
    twice.qtbot.waitUntil(lambda: len(twice.rows) == 3)


def offers(twice: Twice, count: int) -> list[QAbstractButton]:
    """Return the buttons of the state, once there are so many."""

    def visible() -> list[QAbstractButton]:
        return [each for each in twice.pane.state.findChildren(QAbstractButton) if each.isVisible()]

    twice.qtbot.waitUntil(lambda: len(visible()) == count)
    return visible()


def test_sentences_of_the_first_import_are_counted_at_once(
    empty: Kindred, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = empty.window.session
    monkeypatch.setattr(session._counting, "request", lambda: None)  # as if the next count had to wait
    import_texts(empty, qtbot, tmp_path / "first", report=REPORT)
    assert shown(empty, qtbot).kind == "pairs_none"
    assert "1 document · 4 sentences" in empty.window.status.text()


def test_sentences_of_removed_documents_are_no_longer_counted(empty: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    window = empty.window
    window.removals.set_undo_time(3600)  # so that nothing is erased meanwhile
    import_texts(empty, qtbot, tmp_path / "both", report=REPORT, later=LATER)
    ids = [row.data(DOCUMENT_ROLE).document_id for row in empty.rows if row.data(DOCUMENT_ROLE) is not None]
    qtbot.waitUntil(lambda: "2 documents · 7 sentences" in window.status.text())
    window.removals.remove(ids[:1])
    qtbot.waitUntil(lambda: "1 document · 4 sentences" in window.status.text())
    window.removals.remove(ids[1:])
    qtbot.waitUntil(lambda: "0 documents · 0 sentences" in window.status.text())
    assert shown(empty, qtbot).kind == "pairs_empty"


def test_one_document_offers_the_pairs_within_it(empty: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    lines = ["Heavy storms shut our harbour 14 days last winter.", "Bread is mostly waiting."]
    import_texts(empty, qtbot, tmp_path / "one", report="\n".join([*lines, lines[0].replace("14", "21"), *lines]))
    twice = shown(empty, qtbot)
    assert twice.kind == "pairs_none"
    assert not twice.pane.save.isEnabled()
    offers(twice, 1)[0].click()
    qtbot.waitUntil(lambda: len(twice.rows) > 0)
    assert twice.pane.controller.request.where == "anywhere"
    assert twice.pane.save.isEnabled()
    twice.pane.controller.reset_request()
    twice.settle()
    only = frozenset({twice.kindred.row("report").data(DOCUMENT_ROLE).document_id})
    twice.pane.show_part(DuplicatesRequest("report", touching=only))
    qtbot.waitUntil(lambda: twice.kind == "pairs_filtered")
    offers(twice, 2)[1].click()
    qtbot.waitUntil(lambda: len(twice.rows) > 0)
    assert twice.pane.controller.request.touching == only, "of this document alone"
    twice.pane.controller.reset_request()
    twice.settle()
    twice.pane.filters.passages.click()
    qtbot.waitUntil(lambda: twice.kind == "passages_none")
    offers(twice, 1)[0].click()
    qtbot.waitUntil(lambda: twice.pane.controller.request.where == "anywhere" and not twice.pane.passages.is_working)


def test_the_selection_stays_when_documents_are_added(twice: Twice, qtbot: QtBot, tmp_path: Path) -> None:
    twice.press(Qt.Key.Key_Down)
    chosen = twice.rows[1]
    import_texts(twice.kindred, qtbot, tmp_path / "papers", third="Bread is mostly waiting.\nDough rests.")
    qtbot.waitUntil(lambda: len(twice.rows) == 4)
    assert (twice.pane.current.a.text, twice.pane.current.b.text) == chosen


def test_an_empty_library_is_explained(empty: Kindred, qtbot: QtBot) -> None:
    twice = shown(empty, qtbot)
    assert twice.kind == "pairs_empty"
    assert not twice.pane.findChildren(ReaderPane), "two readers take as long as the rest of the pane"
    assert not empty.window.action_table["pair.export"].isEnabled()


def test_an_empty_library_has_nothing_to_filter(empty: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    twice = shown(empty, qtbot)
    parts = (twice.pane.filters, twice.pane.again, twice.pane.save)
    assert not any(part.isVisible() for part in parts)
    import_texts(empty, qtbot, tmp_path / "papers", report=REPORT, later=LATER)
    qtbot.waitUntil(lambda: len(twice.rows) == 3)
    twice.settle()
    assert all(part.isVisible() for part in parts)


def test_the_list_takes_the_focus_of_the_button_that_it_replaces(empty: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    twice = shown(empty, qtbot)
    empty.window.panes.focus_current()
    assert twice.pane.state.isAncestorOf(empty.window.focusWidget())
    import_texts(empty, qtbot, tmp_path / "papers", report=REPORT, later=LATER)
    qtbot.waitUntil(lambda: len(twice.rows) == 3)
    assert twice.pane.view.hasFocus()


def test_an_import_elsewhere_is_known_as_soon_as_the_pane_is_shown(
    empty: Kindred, qtbot: QtBot, tmp_path: Path
) -> None:
    twice = shown(empty, qtbot)
    empty.window.action_table["pane.search"].trigger()
    import_texts(empty, qtbot, tmp_path / "papers", report=REPORT, later=LATER)
    session = empty.window.session
    qtbot.waitUntil(lambda: session.status is not None and session.status.library.searchable > 1)
    empty.window.action_table["pane.pairs"].trigger()
    assert twice.kind == "pairs_finding"
    qtbot.waitUntil(lambda: len(twice.rows) == 3)


def test_scrolling_loads_more_pairs(empty: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    lines = [f"{x}{y} stands here alone {x}{y}{x} {y}{x}{y}." for x in letters[:12] for y in letters[:12]]
    import_texts(empty, qtbot, tmp_path / "papers", a="\n".join(lines), b="\n".join(lines))
    twice = shown(empty, qtbot)
    assert len(twice.rows) == 50
    assert twice.pane.info.text() == "Top 50 pairs; scroll for more"
    file = tmp_path / "pairs.csv"
    twice.pane.export_to(str(file))
    qtbot.waitUntil(lambda: not twice.pane.controller.is_exporting)
    with file.open(encoding="utf-8-sig", newline="") as table:
        total = sum(1 for _ in csv.DictReader(table))
    assert twice.pane.info.text() == f"Top 50 of {total} pairs; scroll for more"  # the export has counted them

    def goes_on() -> bool:
        twice.press(Qt.Key.Key_End)
        return len(twice.rows) > 144

    qtbot.waitUntil(goes_on)
    assert len(set(twice.rows)) == len(twice.rows)
    import_texts(empty, qtbot, tmp_path / "papers", c="Salt marshes break the force of the waves.")
    qtbot.waitUntil(lambda: "of" not in twice.pane.info.text().split())


def test_finding_pairs_can_be_cancelled_and_resumed(twice: Twice) -> None:
    controller = twice.pane.controller
    twice.pane.model.clear()
    controller._shown = controller._found = None  # as when the pane is first shown
    with held(twice):
        controller.refresh()
        twice.qtbot.waitUntil(lambda: controller.is_working)
        controller.cancel()
    twice.settle()
    assert (twice.kind, twice.rows) == ("pairs_stopped", [])
    controller.refresh()
    twice.settle()
    assert len(twice.rows) == 3


@contextlib.contextmanager
def held(twice: Twice) -> Iterator[None]:
    """Block the engine's thread, so that jobs wait."""
    go = threading.Event()
    twice.kindred.workspace.engine.submit("held", lambda: go.wait(PATIENCE_S), lane=Lane.FRONT)
    try:
        yield
    finally:
        go.set()


def test_a_cancelled_request_keeps_the_list_its_filters_and_its_export(twice: Twice, tmp_path: Path) -> None:
    before = twice.rows
    with held(twice):
        twice.pane.filters.kinds["exact"].click()
        twice.qtbot.waitUntil(lambda: twice.pane.controller.is_working)
        twice.press(Qt.Key.Key_Escape)
    twice.settle()
    assert (twice.rows, twice.kind) == (before, "")
    assert twice.pane.filters.kinds[None].isChecked(), "the filters describe the list"
    file = tmp_path / "pairs.csv"
    twice.pane.export_to(str(file))
    twice.qtbot.waitUntil(lambda: "Exported 3 pairs" in twice.kindred.window.notice.text)


def test_a_filter_counts_although_the_pane_was_left_at_once(twice: Twice) -> None:
    twice.pane.filters.kinds["exact"].click()
    twice.do("pane.search")
    twice.do("pane.pairs")
    twice.settle()
    assert len(twice.rows) == 1
    assert twice.pane.filters.kinds["exact"].isChecked()


def test_a_failed_request_keeps_the_list(twice: Twice, monkeypatch: pytest.MonkeyPatch) -> None:
    before = twice.rows

    def fail(*_: object, **__: object) -> None:
        raise StorageFull("The disk is full", "Make room.")

    monkeypatch.setattr("desktop_app.engine.duplicates.PairSearch", fail)
    twice.pane.filters.kinds["exact"].click()
    twice.settle()
    assert (twice.rows, twice.kind) == (before, "")
    assert "The disk is full" in twice.kindred.window.notice.text
    assert twice.pane.filters.kinds[None].isChecked()


def test_a_cancelled_export_leaves_no_file(twice: Twice, tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    with held(twice):
        twice.pane.export_to(str(file))
        assert twice.pane.cancel.isVisible()
        assert "export" in twice.pane.cancel.accessibleName()
        assert not twice.kindred.window.action_table["pair.export"].isEnabled()
        twice.press(Qt.Key.Key_Escape)
    twice.qtbot.waitUntil(lambda: "No file was written" in twice.kindred.window.notice.text)
    assert list(tmp_path.glob("pairs*")) == []
    assert twice.kindred.window.action_table["pair.export"].isEnabled()


def test_the_library_asks_for_pairs_of_documents_and_of_a_collection(
    twice_alone: Twice, qtbot: QtBot, tmp_path: Path
) -> None:
    twice = twice_alone
    window = twice.kindred.window
    import_texts(
        twice.kindred, qtbot, tmp_path / "papers", third="Bread is mostly waiting.\nA cat sleeps on warm stones."
    )
    qtbot.waitUntil(lambda: len(twice.rows) == 4)
    window.action_table["pane.search"].trigger()
    window.library_pane.view.setCurrentIndex(twice.kindred.row("third"))
    window.action_table["document.pairs"].trigger()
    twice.settle()
    assert twice.pane.isVisible()
    assert twice.rows == [("Bread is mostly waiting.",) * 2]
    assert twice.pane.filters.chip is not None
    assert "third" in twice.pane.filters.chip.text()
    ids = [row.data(DOCUMENT_ROLE).document_id for row in twice.kindred.rows if row.data() in ("report", "third")]
    window.collections._create("Storms", ids)
    qtbot.waitUntil(lambda: window.library_pane.collections.count() == 2)
    window.library_pane.collections.setCurrentRow(1)
    window.action_table["collection.pairs"].trigger()
    twice.settle()
    assert twice.rows == [("Bread is mostly waiting.",) * 2]
    assert "Storms" in twice.pane.filters.chip.text()
    window.resize(760, 560)
    QApplication.processEvents()
    filters = twice.pane.filters
    for button in (filters.chip, *filters.kinds.values(), filters.passages):
        assert button.width() >= button.sizeHint().width(), f"{button.text()} is cut in a narrow pane"
    filters.chip.click()
    qtbot.waitUntil(lambda: filters.chip is None)
    twice.settle()
    assert len(twice.rows) == 4
    window.action_table["collection.keys"].trigger()
    dialog = window.findChild(KeySentencesDialog)
    qtbot.waitUntil(lambda: dialog.model.rowCount() > 0)
    titles = {dialog.model.hit(dialog.model.index(row)).title for row in range(dialog.model.rowCount())}
    assert titles == {"report", "third"}
    out = tmp_path / "keys.md"
    dialog.export_to(str(out))
    qtbot.waitUntil(lambda: "to keys.md" in dialog.message.text())
    assert "Bread is mostly waiting." in out.read_text("utf-8")
    with held(twice):
        dialog.slider.setValue(20)
        qtbot.waitUntil(lambda: dialog.stop_button.isVisible())
        job = dialog._request._job
        dialog.close()
    qtbot.waitUntil(lambda: job.is_finished)
    with pytest.raises(Cancelled):
        job.wait(1)


def test_the_pane_fits_any_window(twice_alone: Twice) -> None:
    twice, window = twice_alone, twice_alone.kindred.window
    for width, height in ((760, 500), (1600, 1000)):
        window.resize(width, height)
        twice.press(Qt.Key.Key_Return)
        assert window.width() == width
        picture = QPixmap(window.size())
        window.render(picture)
        assert twice.pane.view.visualRect(twice.pane.view.currentIndex()).height() > 40, (width, height)


def test_of_very_many_folded_pairs_the_best_are_shown_once(
    empty: Kindred, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_app.engine.duplicates._MAX_UNFOLDED", 5)
    pages = [f"Annual report of the harbour board, page {page} of 40." for page in range(1, 7)]
    import_texts(empty, qtbot, tmp_path / "papers", a="\n".join([*pages[:3], ICE]), b="\n".join([*pages[3:], ICE]))
    twice = shown(empty, qtbot)
    model, count = twice.pane.model, len(twice.rows)
    (row,) = [at for at, pair in enumerate(twice.rows) if "page" in pair[0]]
    twice.pane.view.setCurrentIndex(model.index(row))
    first = twice.pane.current
    answers: list[int] = []
    twice.pane.controller.changed.connect(lambda: answers.append(1))
    with held(twice):
        twice.pane.controller.unfold(first)
        twice.pane.controller.unfold(first)
    qtbot.waitUntil(lambda: len(answers) >= 2)
    assert len(twice.rows) == len(set(twice.rows)) == count + 5
    assert model.pair(model.index(row)).folded == 3
    # Its menu offers no more of them: they would be the same. Later pages still update the count.
    model.add(MorePairs((), tuple(12 if place == row else 0 for place in range(count)), True))
    assert [pair.folded for pair in map(model.pair, map(model.index, range(model.rowCount()))) if pair.folded] == [7]
    assert model.folded_position(model.pair(model.index(row))) is None


def test_folded_pairs_can_be_unfolded_and_every_place_of_a_sentence_opened(
    empty: Kindred, qtbot: QtBot, tmp_path: Path
) -> None:
    pages = [f"Annual report of the harbour board, page {page} of 40." for page in range(1, 7)]
    import_texts(empty, qtbot, tmp_path / "papers", a="\n".join([*pages[:3], ICE]), b="\n".join([*pages[3:], ICE]))
    import_texts(empty, qtbot, tmp_path / "papers", c=f"{ICE}\nSalt marshes break the force of the waves.")
    twice = shown(empty, qtbot)
    (row,) = [at for at, pair in enumerate(twice.rows) if "page" in pair[0]]
    count = len(twice.rows)
    twice.pane.view.setCurrentIndex(twice.pane.model.index(row))
    folded = twice.pane.current.folded
    assert folded == 8, "three pages of one with three of the other, one of them listed"
    choose(twice, "8 More")
    qtbot.waitUntil(lambda: len(twice.rows) == count + folded)
    shown_now = twice.rows[row : row + 1 + folded]
    assert {frozenset(pair) for pair in shown_now} == {frozenset((a, b)) for a in pages[:3] for b in pages[3:]}
    assert twice.pane.model.index(row).data(PAIR_ROLE).folded == 0
    (row,) = [at for at, pair in enumerate(twice.rows) if pair == (ICE, ICE)]
    twice.pane.view.setCurrentIndex(twice.pane.model.index(row))
    assert "also in 1 other document" in twice.pane.model.index(row).data(Qt.ItemDataRole.AccessibleTextRole)
    choose(twice, "Other Occurrences of the Second")
    places = [action.text().split(" · ")[0] for action in menu_of(twice, "Occurrences of the sentence").actions()]
    assert places == ["b", "c"], "not at the first place"
    menu_of(twice, "Occurrences of the sentence").actions()[1].trigger()
    assert twice.pane.current.b.title == "c"
    assert twice.pane.places.isVisible()
    assert twice.pane.places.pair is twice.pane.current


ICE = "Nobody knows how fast the ice will melt."


def menu_of(twice: Twice, name: str) -> QMenu:
    def menus() -> list[QMenu]:
        return [menu for menu in twice.pane.findChildren(QMenu) if menu.accessibleName() == name and menu.isVisible()]

    twice.qtbot.waitUntil(lambda: bool(menus()))
    return menus()[0]


def choose(twice: Twice, text: str) -> None:
    """Trigger an entry of the menu of the selected pair."""
    view = twice.pane.view
    view.customContextMenuRequested.emit(QPoint(view.visualRect(view.currentIndex()).center()))
    menu = menu_of(twice, "Pair")
    next(action for action in menu.actions() if text in action.text()).trigger()
    menu.close()


def test_the_menu_offers_the_actions_on_a_pair(twice: Twice) -> None:
    at = twice.pane.view.visualRect(twice.pane.view.currentIndex()).center()
    twice.pane.view.customContextMenuRequested.emit(QPoint(at))
    menu = next(menu for menu in twice.pane.findChildren(QMenu) if menu.accessibleName() == "Pair")
    texts = [action.text().replace("&", "") for action in menu.actions()]
    assert {"Only Pairs with report", "Only Pairs with later", "Mark as Reviewed"} <= set(texts)
    next(action for action in menu.actions() if "later" in action.text()).trigger()
    menu.close()
    twice.settle()
    assert twice.pane.filters.chip is not None
    assert len(twice.rows) == 3


PASSAGE = """A first sentence that only this text has at all.
The old harbour wall was built of granite in one long summer.
Nobody remembers who paid for the stones or where they came from.
The keeper of the light wrote every storm into his book.
And here it ends in another way."""
COPIED = """Quite another text begins with another thought.
The old harbour wall was built of granite in one very long summer.
Nobody remembers who paid for the stones or where they came from.
The keeper of the light wrote every storm into his book.
Its end is a different one."""


def test_repeated_passages_are_listed_compared_opened_and_exported(
    empty: Kindred, qtbot: QtBot, tmp_path: Path
) -> None:
    import_texts(empty, qtbot, tmp_path / "papers", first=PASSAGE, second=COPIED)
    twice = shown(empty, qtbot)
    pane, view = twice.pane, twice.pane.passages
    assert pane.filters._scores.isVisible()
    pane.filters.passages.click()
    qtbot.waitUntil(lambda: view.list.count() == 1 and not view.is_working)
    assert pane.stack.currentWidget() is view
    assert not pane.filters._scores.isVisible(), "passages have no similarity to filter by"
    spoken = view.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("3 sentences in 2 places, 9")
    assert "first | second | The old harbour wall" in spoken
    assert pane.info.text() == "1 passage, longest first"
    text = view.text.toPlainText()
    assert text.count("Nobody remembers") == 2
    assert "A first sentence" not in text
    assert _marked(view.text) == ["very"]
    twice.kindred.window.action_table["pair.same"].setEnabled(False)
    qtbot.keyClick(view.list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pane.places.isVisible())
    twice.pane.close_places()
    file = tmp_path / "report.html"
    pane.export_to(str(file))
    qtbot.waitUntil(lambda: file.exists() and not view.is_working)
    assert "<mark>very</mark>" in file.read_text("utf-8")
    pane.filters.where.setCurrentIndex(pane.filters.where.findData("within"))
    qtbot.waitUntil(lambda: twice.kind == "passages_none")
    pane.filters.kinds[None].click()
    pane.filters.where.setCurrentIndex(pane.filters.where.findData("across"))
    twice.settle()
    assert pane.filters._scores.isVisible()
    assert len(twice.rows) == 3


def test_a_search_for_passages_is_stopped_with_esc_and_leaves_no_others_in_the_list(
    empty: Kindred, qtbot: QtBot, tmp_path: Path
) -> None:
    import_texts(empty, qtbot, tmp_path / "papers", first=PASSAGE, second=COPIED)
    twice = shown(empty, qtbot)
    pane, view = twice.pane, twice.pane.passages
    pane.filters.passages.click()
    qtbot.waitUntil(lambda: view.list.count() == 1 and not view.is_working)
    with held(twice):
        pane.filters.where.setCurrentIndex(pane.filters.where.findData("anywhere"))
        assert pane.cancel.toolTip() == "Stop finding duplicates (Esc)"
        qtbot.keyClick(view.list, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not view.is_working)
    assert view.list.count() == 0, "the list was that of another filter"
    qtbot.waitUntil(lambda: twice.kind == "passages_stopped")  # once the sentences are counted
    assert not twice.kindred.window.action_table["pair.export"].isEnabled()
    pane.again.click()
    qtbot.waitUntil(lambda: view.list.count() == 1 and not view.is_working)


def test_neither_pairs_nor_passages_stay_stopped_by_a_search_for_the_others(
    empty: Kindred, qtbot: QtBot, tmp_path: Path
) -> None:
    import_texts(empty, qtbot, tmp_path / "papers", first=PASSAGE, second=COPIED)
    twice = shown(empty, qtbot)
    pane, view = twice.pane, twice.pane.passages
    pane.filters.passages.click()
    qtbot.waitUntil(lambda: view.list.count() == 1 and not view.is_working)
    with held(twice):
        pane.filters.where.setCurrentIndex(pane.filters.where.findData("anywhere"))
        assert not pane.controller.is_due, "none for the list that is not shown"
        pane.filters.kinds["exact"].click()
        qtbot.waitUntil(lambda: pane.controller.is_working)
        pane.filters.passages.click()
        assert view.is_working
    qtbot.waitUntil(lambda: not view.is_working)
    assert view.list.count() == 1, "the search for passages began again"
    pane.filters.kinds["exact"].click()
    twice.settle()
    request = pane.controller.request
    assert (request.where, request.kind, twice.kind) == ("anywhere", "exact", ""), "and the one for pairs"


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_used_window_becomes_as_narrow_as_a_new_one(
    make: Callable[..., Kindred], qtbot: QtBot, qapp: QApplication, tmp_path: Path, language: str
) -> None:
    """Hidden pages, the two readers and long names of documents do not count."""
    window_language.install_language(qapp, language)
    try:
        kindred = open_empty(make, tmp_path, qtbot)
        long = "a name that is longer than most " * 3
        import_texts(kindred, qtbot, tmp_path / "papers", **{f"{long} 1": PASSAGE, f"{long} 2": COPIED})
        twice, actions = shown(kindred, qtbot), kindred.window.action_table
        twice.settle()
        narrow(twice)
        twice.pane.view.setCurrentIndex(twice.pane.model.index(0))
        actions["pair.open"].trigger()
        narrow(twice)
        twice.pane.filters.passages.click()
        qtbot.waitUntil(lambda: twice.pane.passages.list.count() == 1)
        narrow(twice)
        for pane in ("clusters", "train", "trace", "search"):
            actions[f"pane.{pane}"].trigger()
        actions["pane.pairs"].trigger()
        narrow(twice)
        twice.pane.filters.kinds[None].click()
        twice.settle()
        narrow(twice)
        actions["pane.search"].trigger()
        assert kindred.window.reader.isVisible()
        narrow(twice)
    finally:
        window_language.install_language(qapp, "en")


def narrow(twice: Twice) -> None:
    """Make the window 760 pixels wide or narrower, which takes until its columns have reported what they need."""
    window = twice.kindred.window

    def is_narrow() -> bool:
        window.resize(100, 700)
        QApplication.processEvents()  # a window that has become too small for its columns grows
        return window.width() <= 760

    window.resize(1300, 900)
    QApplication.processEvents()
    twice.qtbot.waitUntil(is_narrow)


def test_passages_follow_the_library(empty: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    import_texts(empty, qtbot, tmp_path / "papers", first=PASSAGE, other=REPORT)
    twice = shown(empty, qtbot)
    twice.pane.filters.passages.click()
    qtbot.waitUntil(lambda: twice.kind == "passages_none")
    import_texts(empty, qtbot, tmp_path / "papers", second=COPIED)
    qtbot.waitUntil(lambda: twice.pane.passages.list.count() == 1)


def _marked(text: QTextEdit) -> list[str]:
    """The marked words of a text."""
    found = []
    block = text.document().begin()
    while block.isValid():
        for piece in block:
            fragment = piece.fragment()
            if fragment.charFormat().background().style() != Qt.BrushStyle.NoBrush:
                found.append(fragment.text())
        block = block.next()
    return found


def test_the_filters_end_before_the_edge_in_every_width_and_language(qtbot: QtBot, qapp: QApplication) -> None:
    for language in ("en", "de"):
        window_language.install_language(qapp, language)
        try:
            filters = DuplicatesFilterBar()
            qtbot.addWidget(filters)
            filters.show()
            for width in range(560, 1200, 7):
                filters.resize(width, filters.height())
                for part in filters._parts:
                    assert part.geometry().right() <= width - 12, (language, width)
        finally:
            window_language.install_language(qapp, "en")


def test_documents_of_the_same_name_are_told_apart(empty: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    for year in ("2022", "2023"):
        import_texts(empty, qtbot, tmp_path / year, report=f"{REPORT}\nThis was in {year}.")
    twice = shown(empty, qtbot)
    index = twice.pane.model.index(0)
    assert name_documents(index.data(PAIR_ROLE)) == ("report (2022)", "report (2023)")
    assert "report (2023)" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    twice.do("pair.copy")
    first, second = QGuiApplication.clipboard().text().splitlines()
    assert ("report (2022)" in first, "report (2023)" in second) == (True, True)
    twice.do("pair.open")
    readers = twice.pane.places.readers
    assert [reader.header.title.text() for reader in readers] == ["report (2022)", "report (2023)"]
