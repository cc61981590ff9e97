"""The pane of clusters on a real library: find, select, search, rename, merge, split, pin and update clusters."""

from __future__ import annotations

import contextlib
import json
import threading
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLineEdit, QMenu
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktop_app.core.clusters import BroadCluster, Cluster, Clusters
from desktop_app.core.errors import StorageFull
from desktop_app.core.jobs import ChangeSet, Job, Lane, Progress
from desktop_app.core.library import Library
from desktop_app.core.records import FileCopy, Hit, ScoredSentence
from desktop_app.core.scope import EVERYTHING, Scope, ScopePart
from desktop_app.engine.requests import ImportedFile, ImportReport
from desktop_app.gui.clusters.model import CLUSTER_ROLE, UNCLUSTERED, ClusterModel, cluster_colour
from desktop_app.gui.clusters.pane import ClustersPane, clusters_state
from desktop_app.gui.compare.dialog import CompareDialog
from desktop_app.gui.library.model import DOCUMENT_ROLE
from desktop_app.gui.results.filter_popup import FilterPopup
from desktop_app.gui.results.key_sentences_dialog import KeySentencesDialog
from desktop_app.gui.shell import window_language
from desktop_app.store.library import LocalLibrary
from tests.gui.conftest import Kindred, choose, close, rows_below, search
from tests.patience import PATIENCE_S

TALK = {
    "ice": ["glacier", "ice", "snow", "melting", "frozen", "arctic"],
    "bread": ["dough", "flour", "oven", "yeast", "baking", "crust"],
    "money": ["bank", "account", "transfer", "card", "payment", "balance"],
}


def talk(seed: int, each: int = 12, themes: tuple[str, ...] = tuple(TALK)) -> str:
    rng = np.random.default_rng(seed)
    rows = [
        " ".join(rng.permutation(TALK[name])[:5]) + f" {seed}/{name}/{at}." for at in range(each) for name in themes
    ]
    return "\n".join(rows)


@pytest.fixture
def talking(make: Callable[..., Kindred], qtbot: QtBot, tmp_path: Path) -> Kindred:
    """A window on a real library with three clusters, and one sentence in none of them."""
    return open_talking(make, tmp_path, qtbot)


def open_talking(make: Callable[..., Kindred], folder: Path, qtbot: QtBot) -> Kindred:
    kindred = make(open_library=lambda: LocalLibrary.open(folder / "library"))
    qtbot.waitUntil(lambda: kindred.window.session.phase == "ready")
    (folder / "papers").mkdir()
    file = folder / "papers" / "one.txt"
    file.write_text(talk(1) + "\nAlone.", "utf-8")
    import_file(kindred, qtbot, file)
    return kindred


@pytest.fixture(scope="module")
def open_shared() -> Callable[[Callable[..., Kindred], Path, QtBot], Kindred]:
    def open_found(make: Callable[..., Kindred], folder: Path, qtbot: QtBot) -> Kindred:
        kindred = open_talking(make, folder, qtbot)
        file = folder / "papers" / "two.txt"
        file.write_text(talk(1, each=5), "utf-8")  # sentences of the other one
        import_file(kindred, qtbot, file)
        found(kindred, qtbot)
        search(kindred, qtbot, "glacier")  # starts the thread of queries, which stays
        kindred.window.search.box.clear()
        kindred.window.action_table["pane.search"].trigger()
        return kindred

    return open_found


@pytest.fixture
def pane(shared: Kindred, qtbot: QtBot) -> Iterator[ClustersPane]:
    """The pane of a window that the tests of this file share, with three clusters of two documents.

    Filters, order, level of detail and part of the library are put back after the test.
    """
    pane, window = shown(shared), shared.window
    pane.choose([pane.model.cluster(pane.model.index(0)).cluster_id])
    qtbot.waitUntil(lambda: pane.sentences.model.rowCount() > 0)
    before = visible_state(pane)
    yield pane
    window.action_table["pane.clusters"].trigger()
    for field in (pane.bar.field, pane.sentences.field):
        field.clear()
    pane.model.set_order("size")
    pane.scope_controller.scope.clear()
    if pane.bar.all_passages.isChecked():
        pane.bar.all_passages.click()
    if not pane.bar.auto.isChecked():
        pane.bar.auto.click()
    qtbot.waitUntil(lambda: pane.controller.is_idle and not pane.controller.is_part)
    pane.choose([pane.model.cluster(pane.model.index(0)).cluster_id])
    qtbot.waitUntil(lambda: visible_state(pane) == before)


def visible_state(pane: ClustersPane) -> object:
    """What a person sees of the pane."""
    sentences = [pane.sentences.model.index(row).data() for row in range(pane.sentences.model.rowCount())]
    return names(pane), sizes(pane), sentences, pane.notice.isVisible(), pane.scope_controller.scope.parts


def import_file(kindred: Kindred, qtbot: QtBot, file: Path) -> None:
    reports: list[object] = []
    kindred.window.imports.finished.connect(reports.append)
    before = len(kindred.window.documents.forest.leaves)
    kindred.window.imports.start([str(file)])
    qtbot.waitUntil(lambda: bool(reports) and len(kindred.window.documents.forest.leaves) == before + 1)


@contextlib.contextmanager
def held(kindred: Kindred) -> Iterator[None]:
    """Block the engine's thread, so that no job starts."""
    go = threading.Event()
    kindred.workspace.engine.submit("held", lambda: go.wait(PATIENCE_S), lane=Lane.FRONT)
    try:
        yield
    finally:
        go.set()


def shown(kindred: Kindred) -> ClustersPane:
    kindred.window.action_table["pane.clusters"].trigger()
    pane = kindred.window.panes.currentWidget()
    assert isinstance(pane, ClustersPane)
    return pane


def found(kindred: Kindred, qtbot: QtBot) -> ClustersPane:
    """The pane with its clusters, the first one selected and its sentences shown."""
    pane = shown(kindred)
    qtbot.waitUntil(lambda: pane.controller.is_known)
    kindred.window.action_table["clusters.find"].trigger()
    settled(pane, qtbot)
    return pane


def settled(pane: ClustersPane, qtbot: QtBot) -> None:
    # The first time, scipy is imported: slow on a busy machine.
    qtbot.waitUntil(lambda: pane.controller.is_idle and pane.controller.found is not None)
    qtbot.waitUntil(lambda: pane.sentences.model.rowCount() > 0)


def path_of(kindred: Kindred, name: str) -> str:
    return kindred.row(name).data(DOCUMENT_ROLE).path


def names(pane: ClustersPane) -> list[str]:
    return [pane.model.index(row).data() for row in range(pane.model.rowCount())]


def sizes(pane: ClustersPane) -> list[int]:
    return [pane.model.index(row).data(CLUSTER_ROLE).size for row in range(pane.model.rowCount())]


def press(kindred: Kindred, name: str) -> None:
    action = kindred.window.action_table[f"clusters.{name}"]
    assert action.isEnabled()
    action.trigger()


def state_buttons(pane: ClustersPane) -> list[QAbstractButton]:
    return [each for each in pane.state.findChildren(QAbstractButton) if each.isVisible()]


def test_an_empty_library_is_explained(kindred: Kindred, make: Callable[..., Kindred], qtbot: QtBot) -> None:
    pane = shown(kindred)
    qtbot.waitUntil(lambda: pane.state._view is not None and pane.state._view.kind != "getting_ready")
    assert (pane.state.isVisible(), pane.state._view.kind) == (True, "no_documents")


def test_a_button_finds_clusters_and_shows_their_sentences(talking: Kindred, qtbot: QtBot) -> None:
    pane = shown(talking)
    qtbot.waitUntil(lambda: pane.state._view is not None and pane.state._view.kind == "start")
    qtbot.waitUntil(lambda: bool(state_buttons(pane)))
    button = state_buttons(pane)[0]
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    settled(pane, qtbot)
    assert talking.window.focusWidget() is pane.view, "the button is gone, the focus is on the clusters"
    assert sizes(pane) == [12, 12, 12, 1]
    assert names(pane)[-1] == "Unassigned"
    first = pane.model.cluster(pane.model.index(0))
    shown_ids = [pane.sentences.model.hit(pane.sentences.model.index(row)).sentence_id for row in range(12)]
    assert shown_ids == list(first.sentence_ids), "the key sentences first, then the others"
    assert pane.sentences.title.text() == first.name
    assert "12 sentences · 1 document" in pane.sentences.about.text()
    assert "3 topics · 1 unassigned" in pane.bar.counts.text()
    pane.choose([UNCLUSTERED])
    qtbot.waitUntil(lambda: pane.sentences.model.rowCount() == 1)
    assert pane.sentences.model.index(0).data() == "Alone."
    assert not talking.window.action_table["clusters.rename"].isEnabled()


def test_a_removed_document_leaves_named_clusters_with_sentences(
    talking: Kindred, qtbot: QtBot, tmp_path: Path
) -> None:
    two = tmp_path / "papers" / "two.txt"
    two.write_text(talk(2, each=20).replace("glacier", "iceberg"), "utf-8")
    import_file(talking, qtbot, two)
    pane = found(talking, qtbot)
    before = {cluster.cluster_id: cluster.size for cluster in pane.controller.found.clusters}
    talking.window.removals.remove([max(talking.window.documents.forest.leaves)])
    qtbot.waitUntil(lambda: 0 < sum(sizes(pane)) <= 37)
    left = pane.controller.found.clusters
    assert left
    for cluster in left:
        assert cluster.size < before[cluster.cluster_id]
        assert cluster.name
        assert "iceberg" not in cluster.name
        assert cluster.key_sentences
    assert "Untitled" not in names(pane)


def test_many_clusters_are_a_tree_of_broad_ones(pane: ClustersPane, shared: Kindred, qtbot: QtBot) -> None:
    result = pane.controller.found
    assert result is not None
    first, second, third = result.clusters
    broad = (
        BroadCluster(7, "cold, warm", (first.cluster_id, second.cluster_id), first.size + second.size, 1),
        BroadCluster(9, "dear", (third.cluster_id,), third.size, 1),
    )
    of_broad = {cluster_id: each.broad_id for each in broad for cluster_id in each.cluster_ids}
    clusters = tuple(replace(cluster, broad=of_broad[cluster.cluster_id]) for cluster in result.clusters)
    pane.controller.found = replace(result, clusters=clusters, broad=broad)
    pane.controller.changed.emit()
    assert names(pane) == ["cold, warm", "dear", "Unassigned"]
    assert "3 topics in 2 broad ones" in pane.bar.counts.toolTip()
    assert pane.bar.counts.text().startswith("3 topics")
    top = pane.model.index(0)
    assert [pane.view.isExpanded(pane.model.index(row)) for row in range(2)] == [True, False], (
        "the selection is visible"
    )
    pane.view.collapse(top)
    pane.view.setFocus()
    pane.choose([pane.model.cluster(top).cluster_id])
    assert pane.sentences.title.text() == "cold, warm"
    assert "2 topics · 24 sentences" in pane.sentences.about.text()
    scores = {
        key: score for part in (first, second) for key, score in zip(part.sentence_ids, part.closeness, strict=True)
    }
    assert list(pane.sentences.sentence_ids) == sorted(scores, key=lambda key: (-scores[key], key))
    for name in ("pin", "split", "merge"):
        assert not shared.window.action_table[f"clusters.{name}"].isEnabled(), name
    assert shared.window.action_table["clusters.rename"].isEnabled()
    qtbot.keyClick(pane.view, Qt.Key.Key_Right)
    assert pane.view.isExpanded(top)
    parts = [pane.model.cluster(pane.model.index(row, 0, top)).cluster_id for row in range(pane.model.rowCount(top))]
    assert parts == [first.cluster_id, second.cluster_id]
    qtbot.keyClick(pane.view, Qt.Key.Key_Down)
    assert pane.sentences.title.text() == first.name
    assert shared.window.action_table["clusters.rename"].isEnabled()
    pane.choose([third.cluster_id])
    assert pane.view.isExpanded(pane.model.index(1)), "a selected topic is visible"
    pane.bar.field.setText(second.keywords[0])
    assert names(pane) == ["cold, warm"]
    assert pane.model.rowCount(pane.model.index(0)) == 1
    assert pane.view.isExpanded(pane.model.index(0)), "a filter opens what it finds"
    pane.bar.field.clear()
    assert pane.view.isExpanded(pane.model.index(0)), "open rows stay open"
    pane.controller.found = result
    pane.controller.changed.emit()


def test_all_passages_can_be_key_sentences(
    pane: ClustersPane, shared: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    clusters = shared.workspace.clusters
    find = clusters.find
    monkeypatch.setattr(
        clusters, "find", lambda request: (asked.append(request.scope.all_passages), find(request))[1], raising=False
    )
    pane.controller.find()
    settled(pane, qtbot)
    assert asked == [False], "only sentences, until a person wants all"
    asked.clear()
    pane.bar.all_passages.click()
    settled(pane, qtbot)
    assert asked == [True]
    assert not pane.controller.is_part, "it is still the whole library"
    pane.bar.all_passages.click()
    settled(pane, qtbot)
    assert asked == [True, False]


def test_clusters_are_there_at_the_next_start(
    talking: Kindred, make: Callable[..., Kindred], qtbot: QtBot, tmp_path: Path
) -> None:
    before = names(found(talking, qtbot))
    close(talking)
    again = make(open_library=lambda: LocalLibrary.open(tmp_path / "library"))
    pane = shown(again)
    settled(pane, qtbot)
    assert names(pane) == before


def test_the_divider_stays_where_it_was_put_in_the_map_and_at_the_next_start(
    talking: Kindred, make: Callable[..., Kindred], qtbot: QtBot, tmp_path: Path
) -> None:
    pane = found(talking, qtbot)

    def share(pane: ClustersPane) -> float:
        first, second = pane.splitter.sizes()
        return first / (first + second)

    handle = pane.splitter.handle(1)
    middle = handle.rect().center()
    wide = pane.splitter.orientation() == Qt.Orientation.Horizontal
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseMove(handle, middle + (QPoint(60, 0) if wide else QPoint(0, 60)))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=middle)
    chosen = share(pane)
    assert chosen > 0.53
    pane.set_map_mode("map")
    assert share(pane) == pytest.approx(0.66, abs=0.02), "the map has a share of its own"
    qtbot.waitUntil(lambda: pane.map.found is not None)
    pane.set_map_mode("list")
    assert share(pane) == pytest.approx(chosen, abs=0.02)
    close(talking)
    again = make(open_library=lambda: LocalLibrary.open(tmp_path / "library"))
    pane = shown(again)
    settled(pane, qtbot)
    assert share(pane) == pytest.approx(chosen, abs=0.02)


def test_a_sentence_is_opened_in_the_reader(pane: ClustersPane, shared: Kindred, qtbot: QtBot) -> None:
    opened: list[object] = []
    shared.window.context.navigator.open_hit.connect(opened.append)
    pane.sentences.field.setFocus()
    qtbot.keyClick(pane.sentences.field, Qt.Key.Key_Down)
    assert shared.window.focusWidget() is pane.sentences.view
    chosen = pane.sentences.current
    assert chosen is not None
    qtbot.keyClick(pane.sentences.view, Qt.Key.Key_Return)
    assert opened == [chosen]
    qtbot.keyClick(pane.sentences.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().startswith(f"“{chosen.text}” (")


def test_a_sentence_of_a_cluster_is_compared_and_similar_ones_are_found(
    pane: ClustersPane, shared: Kindred, qtbot: QtBot
) -> None:
    panel = pane.sentences

    def pick(row: int, name: str) -> str:
        panel._show_menu(panel.view.visualRect(panel.model.index(row)).center())
        menu = panel.findChildren(QMenu)[-1]
        next(action for action in menu.actions() if name in action.text().replace("&", "")).trigger()
        menu.close()
        return panel.model.hit(panel.model.index(row)).text

    first, second = pick(0, "Compare Sentence With"), pick(1, "Compare Sentence With")
    dialog = shared.window.findChild(CompareDialog)
    assert (dialog.first.field.toPlainText(), dialog.second.field.toPlainText()) == (first, second)
    qtbot.waitUntil(lambda: dialog.question.answer is not None)
    dialog.close()
    text = pick(1, "Find Similar")
    assert shared.window.panes.currentWidget() is not pane
    qtbot.waitUntil(
        lambda: shared.window.search_pane.model.rowCount() > 0 and not shared.window.search.controller.is_waiting
    )
    assert text in shared.window.search.box.text()


def test_a_search_within_a_cluster_ranks_only_its_sentences(pane: ClustersPane, qtbot: QtBot) -> None:
    cluster = pane.model.cluster(pane.model.index(0))
    wanted = pane.sentences.model.hit(pane.sentences.model.index(7))
    qtbot.keyClicks(pane.sentences.field, wanted.text)
    qtbot.waitUntil(lambda: pane.sentences.model.rowCount() > 0 and pane.sentences.model.index(0).data() == wanted.text)
    result = pane.sentences.model.result
    assert result is not None
    assert {each.sentence_id for each in result.found} == set(cluster.sentence_ids)
    qtbot.keyClick(pane.sentences.field, Qt.Key.Key_Escape)
    qtbot.waitUntil(
        lambda: pane.sentences.model.hit(pane.sentences.model.index(0)).sentence_id == cluster.sentence_ids[0]
    )


def test_what_was_typed_just_before_another_pane_came_is_found_afterwards(
    pane: ClustersPane, shared: Kindred, qtbot: QtBot
) -> None:
    wanted = pane.sentences.model.hit(pane.sentences.model.index(7))
    pane.sentences.field.setText(wanted.text)
    assert pane.sentences._typing.isActive()
    shared.window.action_table["pane.search"].trigger()
    shared.window.action_table["pane.clusters"].trigger()
    qtbot.waitUntil(lambda: pane.sentences.model.rowCount() > 0 and pane.sentences.model.index(0).data() == wanted.text)
    pane.sentences.field.clear()
    qtbot.waitUntil(lambda: pane.sentences.model.result is not None and not pane.sentences.model.result.query)


def test_the_sentences_of_a_large_cluster_are_read_page_by_page(
    pane: ClustersPane, shared: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("results.hit_model", "clusters.sentence_panel"):
        monkeypatch.setattr(f"desktop_app.gui.{module}.PAGE_SIZE", 5)
    panel, cluster = pane.sentences, pane.model.cluster(pane.model.index(1))
    read, pages = panel._read_hits, []

    def read_or_fail(found: Sequence[ScoredSentence], first_rank: int) -> Job[list[Hit]]:
        pages.append((len(found), first_rank))
        if len(pages) == 2:
            return shared.workspace.engine.submit("failing", fail)
        return read(found, first_rank)

    def fail() -> list[Hit]:
        raise StorageFull("The disk is full", "Make room.")

    monkeypatch.setattr(panel, "_read_hits", read_or_fail)
    pane.choose([cluster.cluster_id])
    qtbot.waitUntil(lambda: panel.model.rowCount() == 5)
    panel.model.fetchMore(QModelIndex())  # as the view does when the person scrolls to its end
    qtbot.waitUntil(lambda: "The disk is full" in shared.window.notice.text)
    assert panel.model.rowCount() == 5, "what was read stays"
    while panel.model.rowCount() < cluster.size:
        before = panel.model.rowCount()
        panel.model.fetchMore(QModelIndex())
        qtbot.waitUntil(lambda before=before: panel.model.rowCount() > before)
    assert pages == [(5, 1), (5, 6), (5, 6), (cluster.size - 10, 11)]
    hits = [panel.model.hit(panel.model.index(row)) for row in range(cluster.size)]
    assert [hit.rank for hit in hits] == list(range(1, cluster.size + 1))
    assert [hit.sentence_id for hit in hits] == list(cluster.sentence_ids)


def test_half_a_dozen_clusters_are_visible_in_a_low_window(pane: ClustersPane, shared: Kindred, qtbot: QtBot) -> None:
    shared.window.resize(1000, 700)
    qtbot.waitUntil(lambda: pane.view.viewport().height() >= 5 * pane.view.sizeHintForRow(0))


def test_progress_moves_nothing(pane: ClustersPane) -> None:
    before = pane.pages.geometry()
    pane.bar.progress.show()
    QApplication.processEvents()
    assert pane.pages.geometry() == before
    assert pane.rect().contains(pane.bar.progress.geometry())


def test_filter_and_order(pane: ClustersPane, qtbot: QtBot) -> None:
    qtbot.keyClicks(pane.bar.field, "DOUGH")
    assert len(names(pane)) == 1
    assert "dough" in pane.model.cluster(pane.model.index(0)).keywords
    pane.bar.field.clear()
    pane.model.set_order("name")
    assert names(pane)[:3] == sorted(names(pane)[:3])
    assert names(pane)[3] == "Unassigned", "it stays at the end"


def test_letters_with_accents_are_filtered_and_sorted_among_the_others() -> None:
    model = ClusterModel()
    clusters = (
        Cluster(number, name, (), (), (number,), 1)
        for number, name in enumerate(("Zucker", "Öfen", "offen", "Übersee"), 1)
    )
    model.show(Clusters(tuple(clusters), (), 1.0, 0.0))
    model.set_order("name")
    assert [index.data() for index in rows_below(model)] == ["Öfen", "offen", "Übersee", "Zucker"]
    model.set_filter("ubersee")
    assert [index.data() for index in rows_below(model)] == ["Übersee"]
    model.set_filter(unicodedata.normalize("NFD", "Übersee"))
    assert [index.data() for index in rows_below(model)] == ["Übersee"]


def test_the_filter_leads_to_the_list_and_escape_clears_it(pane: ClustersPane, shared: Kindred, qtbot: QtBot) -> None:
    field, before = pane.bar.field, names(pane)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):
        field.setFocus()
        qtbot.keyClicks(field, "flour")
        assert len(names(pane)) == 1
        qtbot.keyClick(field, key)
        assert shared.window.focusWidget() is pane.view
        assert pane.view.currentIndex().data() == names(pane)[0]
        field.setFocus()
        qtbot.keyClick(field, Qt.Key.Key_Escape)
        assert (field.text(), names(pane)) == ("", before)
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert shared.window.focusWidget() is pane.view


def test_a_broad_cluster_is_renamed_in_its_row_and_the_change_undone(talking: Kindred, qtbot: QtBot) -> None:
    pane = found(talking, qtbot)

    def give_broad_clusters(library: Library) -> int:
        stored, division = library.clusters.clusters(), library.clusters.last_division()
        assert division is not None
        broad = [replace(cluster, broad=7 + at // 2) for at, cluster in enumerate(stored)]
        return library.clusters.save(broad, division)[0]

    pane.controller.pin(talking.workspace.read(give_broad_clusters, by_person=False).wait(PATIENCE_S), True)
    qtbot.waitUntil(lambda: pane.model.has_broad and pane.controller.is_idle)
    before = names(pane)
    top = pane.model.index(0)
    pane.choose([pane.model.cluster(top).cluster_id])
    press(talking, "rename")
    field = pane.view.findChild(QLineEdit)
    field.setText("My field")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: names(pane) == ["My field", *before[1:]])
    assert pane.sentences.title.text() == "My field"
    press(talking, "undo")
    qtbot.waitUntil(lambda: names(pane) == before)


def test_a_cluster_is_renamed_in_its_row_and_the_change_undone(
    pane: ClustersPane, shared: Kindred, qtbot: QtBot
) -> None:
    before = names(pane)
    press(shared, "rename")
    field = pane.view.findChild(QLineEdit)
    assert field.text() == before[0]
    field.setText("  My own name ")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: names(pane)[0] == "My own name")
    assert pane.sentences.title.text() == "My own name"
    press(shared, "undo")
    qtbot.waitUntil(lambda: names(pane) == before)
    assert not shared.window.action_table["clusters.undo"].isEnabled()


def test_the_selected_cluster_is_renamed_and_not_the_one_that_was_deselected_last(
    pane: ClustersPane, qtbot: QtBot
) -> None:
    view, ctrl = pane.view, Qt.KeyboardModifier.ControlModifier
    places = [view.visualRect(pane.model.index(row)).center() for row in range(2)]
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=places[0])
    for _ in range(2):
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, ctrl, places[1])
    qtbot.keyClick(view, Qt.Key.Key_F2)
    field = pane.view.findChild(QLineEdit)
    assert field.text() == pane.sentences.title.text() == names(pane)[0]
    qtbot.keyClick(field, Qt.Key.Key_Escape)


def test_a_change_is_shown_although_the_next_one_fails(talking: Kindred, qtbot: QtBot) -> None:
    pane = found(talking, qtbot)
    cluster = pane.model.cluster(pane.model.index(0))
    with held(talking):
        pane.controller.rename(cluster.cluster_id, "Mine")
        pane.controller.split(999)
    qtbot.waitUntil(lambda: bool(talking.window.notice.text) and "Mine" in names(pane))


def test_a_name_that_is_typed_survives_a_new_layout_of_the_list(
    pane: ClustersPane, shared: Kindred, qtbot: QtBot
) -> None:
    press(shared, "rename")
    field = pane.view.findChild(QLineEdit)
    field.setText("My own")
    field.setCursorPosition(2)
    pane.model.set_order("name")
    field = pane.view.indexWidget(pane.view.currentIndex())
    assert (field.text(), field.cursorPosition()) == ("My own", 2)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "My own" in names(pane))
    press(shared, "undo")
    qtbot.waitUntil(lambda: "My own" not in names(pane))


def test_clusters_are_merged_pinned_and_split(talking: Kindred, qtbot: QtBot) -> None:
    pane = found(talking, qtbot)
    ids = [pane.model.cluster(pane.model.index(row)).cluster_id for row in range(3)]
    pane.choose(ids[:2])
    qtbot.waitUntil(lambda: pane.sentences.model.rowCount() == 24)
    assert pane.sentences.title.text() == "2 topics"
    press(talking, "merge")
    qtbot.waitUntil(lambda: sizes(pane) == [24, 12, 1])
    pane.choose([pane.model.cluster(pane.model.index(0)).cluster_id])
    assert talking.window.action_table["clusters.pin"].isChecked()
    press(talking, "split")
    qtbot.waitUntil(lambda: sizes(pane) == [12, 12, 12, 1])
    qtbot.waitUntil(lambda: pane.controller.is_idle)
    pane.choose([pane.model.cluster(pane.model.index(0)).cluster_id])
    pinned = talking.window.action_table["clusters.pin"].isChecked()
    press(talking, "pin")
    qtbot.waitUntil(lambda: pane.controller.is_idle)
    assert pane.model.cluster(pane.model.index(0)).pinned != pinned


def test_the_slider_sets_the_granularity(pane: ClustersPane, qtbot: QtBot) -> None:
    assert pane.bar.auto.isChecked()
    pane.bar.slider.setFocus()
    qtbot.keyClick(pane.bar.slider, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: pane.controller.found.granularity == 0.25)
    assert not pane.bar.auto.isChecked()
    pane.bar.auto.click()
    qtbot.waitUntil(lambda: pane.controller.found.is_chosen)
    assert pane.bar.slider.value() > 0
    assert sizes(pane) == [12, 12, 12, 1]


def test_new_sentences_are_counted_and_get_their_cluster(talking: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    pane = found(talking, qtbot)
    file = tmp_path / "papers" / "two.txt"
    file.write_text(talk(2, each=4), "utf-8")
    import_file(talking, qtbot, file)
    qtbot.waitUntil(lambda: pane.notice.isVisible())
    assert pane.notice.text == "12 sentences added since the last update."
    assert sizes(pane) == [12, 12, 12, 1]
    pane.notice.pressed.emit()
    qtbot.waitUntil(lambda: sizes(pane) == [16, 16, 16, 1])
    assert not pane.notice.isVisible()
    qtbot.waitUntil(lambda: "4 new" in pane.sentences.about.text())


def test_cancelling_keeps_the_clusters(pane: ClustersPane, shared: Kindred, qtbot: QtBot) -> None:
    before = pane.controller.found
    # Cancelled before it starts: a running job may have ended by the time of a click.
    with held(shared):
        pane.controller.find(16.0)
        assert pane.bar.progress.isVisible()
        pane.bar.progress.button.click()
    qtbot.waitUntil(lambda: not pane.controller.is_finding)
    assert not pane.bar.progress.isVisible()
    assert pane.controller.found is before
    assert names(pane)


def test_splitting_shows_progress_and_can_be_cancelled(pane: ClustersPane, shared: Kindred, qtbot: QtBot) -> None:
    before = pane.controller.found
    with held(shared):
        press(shared, "split")
        assert not pane.bar.progress.isVisible(), "a change that is done at once shows no progress"
        pane.controller._request.progress = progress = Progress("clustering", 1, 14, "steps")
        pane.controller.progressed.emit(progress)
        assert pane.bar.progress.isVisible()
        pane.bar.progress.button.click()
    qtbot.waitUntil(lambda: pane.controller.is_idle)
    assert not pane.bar.progress.isVisible()
    assert pane.controller.found is before


def test_the_documents_of_a_cluster_are_listed_and_opened(pane: ClustersPane, shared: Kindred, qtbot: QtBot) -> None:
    pane.sentences.documents.click()
    qtbot.waitUntil(lambda: any(menu.isVisible() for menu in pane.sentences.documents.findChildren(QMenu)))
    (menu,) = pane.sentences.documents.findChildren(QMenu)
    entries = [action.text() for action in menu.actions()]
    assert entries == ["one · 12 sentences", "two · 5 sentences"]
    menu.actions()[1].trigger()
    menu.close()
    qtbot.waitUntil(lambda: not shared.window.reader.isHidden())


def test_clusters_of_one_document_are_shown_and_not_stored(pane: ClustersPane, shared: Kindred, qtbot: QtBot) -> None:
    whole = sizes(pane)
    pane.scope_controller.button.click()
    popup = next(each for each in pane.findChildren(FilterPopup) if each.isVisible())
    matches = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
    qtbot.waitUntil(lambda: bool(popup.tree.findItems("two", matches, 0)))
    (item,) = popup.tree.findItems("two", matches, 0)
    item.setCheckState(0, Qt.CheckState.Checked)
    popup.close()
    qtbot.waitUntil(lambda: sum(sizes(pane)) == 15)
    assert pane.scope_controller.bar.isVisible()
    pane.choose([pane.model.cluster(pane.model.index(0)).cluster_id])
    for name in ("rename", "pin", "split", "merge", "undo"):
        assert not shared.window.action_table[f"clusters.{name}"].isEnabled(), name
    pane.scope_controller.bar.everywhere.click()
    qtbot.waitUntil(lambda: sizes(pane) == whole)
    assert not pane.controller.is_part
    assert shared.window.panes.currentWidget() is pane, "it is no search"


def test_a_cancelled_part_leaves_no_chip(
    pane: ClustersPane, shared: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = ScopePart("document", path_of(shared, "two"), "two")
    before, asked = pane.controller.found, []
    with held(shared):
        pane.scope_controller.scope.toggle(part)
        assert pane.scope_controller.bar.isVisible()
        pane.bar.progress.button.click()
    qtbot.waitUntil(lambda: pane.controller.is_idle)
    assert (pane.controller.found, pane.controller.scope, pane.scope_controller.scope.parts) == (before, EVERYTHING, ())
    assert not pane.scope_controller.bar.isVisible()
    # The other way round: the clusters of the part stay, and so does its chip.
    pane.scope_controller.scope.toggle(part)
    qtbot.waitUntil(lambda: pane.controller.is_part)

    def fail(*_: object) -> None:
        raise StorageFull("The disk is full", "Make room.")

    pane.scope_controller.wanted.connect(asked.append)
    monkeypatch.setattr("desktop_app.engine.clusters.load_last_clusters", fail)
    pane.scope_controller.bar.everywhere.click()
    qtbot.waitUntil(lambda: "The disk is full" in shared.window.notice.text)
    assert pane.controller.is_part
    assert (pane.scope_controller.scope.parts, asked) == ((part,), [EVERYTHING])
    assert not shared.window.action_table["clusters.rename"].isEnabled()


def test_clusters_of_a_part_describe_only_that_part(
    pane: ClustersPane, shared: Kindred, qtbot: QtBot, tmp_path: Path
) -> None:
    pane.scope_controller.scope.toggle(ScopePart("document", path_of(shared, "two"), "two"))
    model = pane.sentences.model

    def titles() -> set[str]:
        return {Path(model.hit(model.index(row)).path).name for row in range(model.rowCount())}

    qtbot.waitUntil(lambda: pane.controller.is_part and titles() == {"two.txt"})
    pane.sentences.documents.click()
    qtbot.waitUntil(lambda: any(menu.isVisible() for menu in pane.sentences.documents.findChildren(QMenu)))
    (menu,) = pane.sentences.documents.findChildren(QMenu)
    assert [action.text() for action in menu.actions()] == [f"two · {model.rowCount()} sentences"]
    assert menu.toolTipsVisible()
    menu.close()
    file = tmp_path / "topics.jsonl"
    pane.controller.export(str(file))
    qtbot.waitUntil(lambda: "15 sentences" in shared.window.notice.text)
    assert {Path(json.loads(row)["path"]).name for row in file.read_text("utf-8").splitlines()} == {"two.txt"}


def test_going_back_to_the_whole_library_does_not_cancel_an_export(
    pane: ClustersPane, shared: Kindred, qtbot: QtBot, tmp_path: Path
) -> None:
    with held(shared):
        pane.controller.export(str(tmp_path / "topics.csv"))
        pane.scope_controller.scope.toggle(ScopePart("document", path_of(shared, "two"), "two"))
        pane.scope_controller.scope.clear()
    qtbot.waitUntil(lambda: "sentences" in shared.window.notice.text)
    assert (tmp_path / "topics.csv").exists()


def test_a_part_without_clusters_is_not_called_a_small_library() -> None:
    nothing = Clusters((), (1, 2), 1.0, 0.1)
    view = clusters_state(nothing, 1000, True, False, "ready", is_part=True)
    assert (view.kind, view.actions) == ("no_themes_here", ())
    assert clusters_state(nothing, 1000, True, False, "ready").kind == "no_themes"


def test_who_may_only_read_is_not_offered_to_find_topics() -> None:
    view = clusters_state(None, 1000, True, False, "ready", is_writable=False)
    assert (view.title, view.actions) == ("No topics yet", ())


def test_a_change_of_another_models_clusters_cannot_be_undone(talking: Kindred, qtbot: QtBot) -> None:
    pane = found(talking, qtbot)
    pane.controller.rename(pane.controller.found.clusters[0].cluster_id, "Mine")
    qtbot.waitUntil(lambda: pane.controller.is_undoable)
    assert talking.window.action_table["clusters.undo"].isEnabled()
    talking.bridge.changed.emit(ChangeSet(encoder=True))  # such as a failing GPU
    assert pane.controller.is_undoable
    qtbot.waitUntil(lambda: talking.window.session.status.library.model is not None)
    assert pane.controller.is_undoable, "a later status report is no switch"
    status = talking.window.session.status
    other = replace(status.library.model, fingerprint="another")
    talking.window.session.status = replace(status, library=replace(status.library, model=other))
    talking.window.session.changed.emit()
    assert not pane.controller.is_undoable
    assert not talking.window.action_table["clusters.undo"].isEnabled()


def test_neither_clusters_nor_the_map_overwrite_a_document(pane: ClustersPane, shared: Kindred) -> None:
    file = Path(path_of(shared, "one"))
    before = file.read_bytes()
    pane.export_to(str(file))
    assert "is a document of this library" in shared.window.notice.text
    assert not pane.controller.has_progress
    shared.window.notice.hide()
    pane.map.save(str(file))
    assert "is a document of this library" in shared.window.notice.text
    assert file.read_bytes() == before


def test_a_copy_of_a_document_is_not_overwritten_either(shared: Kindred, monkeypatch: pytest.MonkeyPatch) -> None:
    context = shared.window.context
    documents = [replace(each, copies=(FileCopy("/a/copy.md"),)) for each in context.documents.all_documents()]
    monkeypatch.setattr(type(context.documents), "all_documents", lambda _model: documents)
    assert context.overwrite_refusal("/a/copy.md")
    assert not context.overwrite_refusal("/a/other.md")


def test_clusters_are_exported(pane: ClustersPane, shared: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    press(shared, "export")
    dialog = next(each for each in shared.window.findChildren(QFileDialog) if each.isVisible())
    dialog.fileSelected.emit(str(tmp_path / "topics.jsonl"))
    dialog.close()
    qtbot.waitUntil(lambda: "37 sentences" in shared.window.notice.text)
    rows = [json.loads(line) for line in (tmp_path / "topics.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) == 37
    assert {row["cluster"] for row in rows} == {*names(pane)[:3], None}


def test_exported_clusters_are_in_the_language_of_the_window(
    pane: ClustersPane, qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    window_language.install_language(qapp, "de")
    try:
        pane.controller.export(str(tmp_path / "topics.md"))
        qtbot.waitUntil(lambda: (tmp_path / "topics.md").exists())
    finally:
        window_language.install_language(qapp, "en")
    text = (tmp_path / "topics.md").read_text("utf-8")
    assert "## Ohne Thema\n" in text
    assert " Sätze · " in text


def test_key_sentences_of_a_cluster_are_in_reading_order(pane: ClustersPane, shared: Kindred, qtbot: QtBot) -> None:
    press(shared, "keys")
    dialog = shared.window.findChild(KeySentencesDialog)
    qtbot.waitUntil(lambda: dialog.model.rowCount() > 0)
    hits = [dialog.model.hit(dialog.model.index(row)) for row in range(dialog.model.rowCount())]
    assert [hit.ordinal for hit in hits] == sorted(hit.ordinal for hit in hits)
    assert {hit.sentence_id for hit in hits} <= set(pane.model.cluster(pane.model.index(0)).sentence_ids)
    dialog.slider.setValue(3)
    qtbot.waitUntil(lambda: dialog.model.rowCount() <= 3)
    document = next(iter(shared.window.documents.forest.leaves.values())).document.path
    before = Path(document).read_bytes()
    dialog.export_to(document)
    assert "is a document of this library" in dialog.message.text()
    assert Path(document).read_bytes() == before
    dialog.copy_button.click()
    assert QGuiApplication.clipboard().text().count("“") == dialog.model.rowCount()
    dialog.close()


def test_key_sentences_are_found_for_several_windows_and_an_import_at_once(
    pane: ClustersPane, shared: Kindred, qtbot: QtBot
) -> None:
    documents = list(shared.window.documents.all_documents())
    with held(shared):
        dialogs = [
            KeySentencesDialog(shared.window.context, "", scope=Scope(document_ids=frozenset({each.document_id})))
            for each in documents
        ]
        imported = [ImportedFile(each.path, each.document_id, None, each.sentences, ()) for each in documents]
        shared.window.search.suggestion.follow_import(ImportReport(imported=imported))
    qtbot.waitUntil(lambda: not any(each.stop_button.isVisibleTo(each) for each in dialogs))
    assert all(each.model.rowCount() > 0 for each in dialogs), [each.message.text() for each in dialogs]
    for each in dialogs:
        each.close()


def test_a_text_without_whole_sentences_says_how_to_see_the_rest(shared: Kindred, qtbot: QtBot) -> None:
    dialog = KeySentencesDialog(shared.window.context, "", scope=Scope(document_ids=frozenset({9999})))
    qtbot.waitUntil(lambda: dialog.message.text().startswith("No whole sentences. Turn on All passages"))
    dialog.all_passages.click()
    qtbot.waitUntil(lambda: dialog.message.text() == "Nothing found.")
    dialog.close()


def test_exact_scores_can_be_chosen_after_key_sentences_were_closed(shared: Kindred, qtbot: QtBot) -> None:
    dialog = KeySentencesDialog(shared.window.context, "")
    dialog.close()
    qtbot.waitUntil(lambda: not isValid(dialog))
    exact = shared.window.action_table["search.exact_scores"]
    for _ in range(2):
        exact.trigger()


def test_key_sentences_of_documents_and_of_hits(pane: ClustersPane, shared: Kindred, qtbot: QtBot) -> None:
    window = shared.window
    qtbot.waitUntil(lambda: "one.txt" in [row.data() for row in shared.rows] or len(shared.rows) > 1)
    choose(shared, next(name for name in shared.documents))
    window.action_table["document.keys"].trigger()
    dialog = window.findChild(KeySentencesDialog)
    qtbot.waitUntil(lambda: dialog.model.rowCount() > 0)
    dialog.close()
    search(shared, qtbot, "glacier")
    window.action_table["hit.keys"].trigger()
    (dialog,) = [each for each in window.findChildren(KeySentencesDialog) if each.isVisible()]
    qtbot.waitUntil(lambda: dialog.model.rowCount() > 0)
    best = {each.sentence_id for each in window.search_pane.model.result.found[:200]}
    rows = range(dialog.model.rowCount())
    assert {dialog.model.hit(dialog.model.index(row)).sentence_id for row in rows} <= best
    dialog.close()


def test_a_cluster_keeps_its_colour_and_everything_has_an_accessible_name(pane: ClustersPane) -> None:
    assert cluster_colour(3, dark=False) == cluster_colour(3, dark=False) != cluster_colour(4, dark=False)
    for button in pane.findChildren(QAbstractButton):
        assert button.accessibleName(), button
    text = pane.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert text.startswith(names(pane)[0])
    assert "12 sentences" in text


def test_the_map_is_offered_once_there_are_topics(talking: Kindred, qtbot: QtBot) -> None:
    window = talking.window
    window.panes.show_pane("clusters")
    assert not window.action_table["clusters.map"].isEnabled(), "the pane offers to find topics"
    window.action_table["clusters.find"].trigger()
    qtbot.waitUntil(window.action_table["clusters.map"].isEnabled)
