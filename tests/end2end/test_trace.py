"""A draft traced to the library, and two documents side by side, with everything real."""

from __future__ import annotations

import contextlib
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from desktop_app.compose import open_workspace
from desktop_app.core.jobs import ChangeSet, Lane
from desktop_app.core.paths import Paths
from desktop_app.core.settings import LaunchOptions, Settings
from desktop_app.engine.requests import ImportRequest
from desktop_app.gui.base.mime_data import DOCUMENTS_MIME
from desktop_app.gui.imports.drop_and_paste import PastedTextDialog
from desktop_app.gui.library.model import DOCUMENT_ROLE
from desktop_app.gui.results.scope import document_part, folder_part
from desktop_app.gui.trace.documents_dialog import CompareDocumentsDialog
from desktop_app.gui.trace.pane import TracePane
from tests.end2end.conftest import DATA, Program
from tests.gui.conftest import rows_below, save
from tests.patience import PATIENCE_MS, PATIENCE_S
from tests.two_versions import OLD, write_versions

pytestmark = pytest.mark.as_copies

Start = Callable[..., Program]

DRAFT = """the sea rises, because warm water takes more room!

Coastal towns must adapt their drains before the storms in winter.

The parliament of Iceland was founded in the year 930."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of `texts`, and of `base`, where they are imported once: each test opens a copy."""
    return tmp_path_factory.mktemp("trace")


@pytest.fixture
def program(start: Start, place: Path, tmp_path: Path, qtbot) -> Program:
    if not (place / "base").exists():
        texts = write_versions(place / "texts")
        settings = LaunchOptions(Settings(), Paths.under(place / "base").default_library, writable=True, create=True)
        with contextlib.closing(open_workspace(settings)) as workspace:
            workspace.imports.start(ImportRequest((str(texts),))).wait(PATIENCE_MS / 1000)
    shutil.copytree(place / "base", tmp_path / "base")
    program = start()
    qtbot.waitUntil(lambda: program.window.session.phase == "ready")
    qtbot.waitUntil(
        lambda: len(program.states) == 2 and all("sentences" in state for state in program.states.values()),
    )
    return program


def settled(qtbot, pane: TracePane) -> None:
    qtbot.waitUntil(lambda: not pane.controller.is_working)


@pytest.fixture
def pane(program: Program, qtbot) -> TracePane:
    program.window.action_table["pane.trace"].trigger()
    pane = program.window.panes.currentWidget()
    assert isinstance(pane, TracePane)
    return pane


@contextlib.contextmanager
def held(program: Program) -> Iterator[None]:
    """Block the engine's thread, so that no job starts."""
    go = threading.Event()
    program.workspace.engine.submit("held", lambda: go.wait(PATIENCE_S), lane=Lane.FRONT)
    try:
        yield
    finally:
        go.set()


def kind(pane: TracePane) -> str:
    """The state that is shown in place of a draft; empty if a draft is shown."""
    return pane.state._view.kind if pane.state.isVisible() else ""


def drop(widget: QWidget, data: QMimeData, x: float = 5) -> bool:
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPointF(x, 5).toPoint(), copy, data, left, none)
    entering.ignore()
    QApplication.sendEvent(widget, entering)
    if not entering.isAccepted():
        return False
    dropping = QDropEvent(QPointF(x, 5), copy, data, left, none)
    QApplication.sendEvent(widget, dropping)
    return dropping.isAccepted()


def nameless(widget: QWidget) -> list[str]:
    found = []
    for child in [widget, *widget.findChildren(QWidget)]:
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus and not child.accessibleName() and child.isVisible():
            found.append(type(child).__name__)
    return found


def test_a_pasted_draft_is_traced_to_its_sources_and_stays_outside(
    program: Program, pane: TracePane, qtbot, tmp_path: Path
) -> None:
    before = program.workspace.status().wait(PATIENCE_S).library
    assert kind(pane) == "trace_nothing"
    assert "isn't saved or added to the library" in pane.private_notice.text()
    QGuiApplication.clipboard().setText(DRAFT)
    qtbot.keyClick(program.window.focusWidget(), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, pane)
    assert kind(pane) == ""
    assert pane.texts is not None
    assert list(pane.texts.kinds) == ["verbatim", "paraphrased", "unsupported"]
    assert pane.kinds.accessibleDescription() == "1 verbatim, 1 paraphrased, 0 related, 1 unsupported"
    assert program.workspace.status().wait(PATIENCE_S).library == before
    # The sources of the selected sentence are next to it.
    pane.view.choose(0)
    assert pane.sources.current is not None
    assert pane.sources.current.text == OLD.split("\n")[0]
    pane.view.choose(2)
    assert pane.sources.current is None
    assert "most similar sentence scores" in pane.sources.explanation.text()
    pane.view.choose(0)
    program.window.action_table["trace.next"].trigger()
    assert pane.view.current == 2, "the next one without support"
    pane.kinds.buttons["paraphrased"].click()
    assert pane.view.current == 1
    pane.copy()
    assert "old" in QGuiApplication.clipboard().text() or "new" in QGuiApplication.clipboard().text()
    # A source is opened in the reader.
    pane.view.opened.emit(1, 0)
    assert not program.window.reader.isHidden()
    qtbot.waitUntil(lambda: program.window.reader.mode == "text")
    # A text becomes a document after two confirmations.
    program.window.action_table["trace.import"].trigger()
    (asking,) = program.window.findChildren(PastedTextDialog)
    assert asking.preview.toPlainText() == DRAFT
    asking.reject()
    assert program.workspace.status().wait(PATIENCE_S).library == before
    for name in ("traced.md", "traced.csv", "traced.jsonl"):
        save(pane, tmp_path / name)
        qtbot.waitUntil((tmp_path / name).exists)
    assert "[^1]: " in (tmp_path / "traced.md").read_text("utf-8")
    lines = (tmp_path / "traced.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["support"] for line in lines] == ["verbatim", "paraphrased", "unsupported"]
    assert nameless(pane) == []


def test_sources_are_searched_in_a_part_of_the_library(program: Program, pane: TracePane, qtbot) -> None:
    pane.controller.trace_text(DRAFT + "\n\n# A heading\n\n- Bread is mostly waiting.")
    settled(qtbot, pane)
    assert {hit.title for sentence in pane.texts.sentences for hit in sentence.sources} == {"old.txt", "new.txt"}
    leaf = next(leaf for leaf in program.window.documents.forest.leaves.values() if leaf.document.title == "new.txt")
    pane.scope_controller.scope.toggle(document_part(leaf.document))
    settled(qtbot, pane)
    assert pane.scope_controller.bar.isVisible()
    assert {hit.title for sentence in pane.texts.sentences for hit in sentence.sources} == {"new.txt"}
    pane.scope_controller.bar.everywhere.click()
    settled(qtbot, pane)
    assert not pane.scope_controller.bar.isVisible()
    assert program.window.panes.currentWidget() is pane


def test_a_cancelled_part_leaves_no_chip(program: Program, pane: TracePane, qtbot) -> None:
    pane.controller.trace_text(DRAFT)
    settled(qtbot, pane)
    before = pane.controller.found
    with held(program):
        pane.scope_controller.scope.toggle(folder_part("/elsewhere"))
        pane.state.stop.click()
    settled(qtbot, pane)
    assert pane.controller.found is before
    assert pane.controller.scope.is_everything
    assert not pane.scope_controller.bar.isVisible()
    pane.controller.trace_text("Bread is mostly waiting.")
    settled(qtbot, pane)
    assert list(pane.texts.kinds) == ["verbatim"], "it is traced to the whole library"


def test_a_draft_is_dropped_and_traced_again(program: Program, pane: TracePane, qtbot, tmp_path: Path) -> None:
    file = tmp_path / "draft.md"
    file.write_text("# Notes\n\n" + DRAFT, "utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    assert drop(pane, data)
    settled(qtbot, pane)
    assert pane.name.text() == "draft.md"
    assert pane.texts is not None
    assert len(pane.texts.kinds) == 3
    assert len(program.states) == 2, "it was not imported"
    file.write_text("Bread is mostly waiting.", "utf-8")
    program.window.action_table["trace.again"].trigger()
    settled(qtbot, pane)
    assert list(pane.texts.kinds) == ["verbatim"]
    # The draft itself is never overwritten.
    save(pane, file)
    assert "is the draft itself" in program.window.notice.text
    assert file.read_text("utf-8") == "Bread is mostly waiting."
    # Changes of the library are reported.
    assert not pane.stale_notice.isVisible()
    program.workspace.change(lambda library: library.documents.remove([1]), ChangeSet(listing=True)).wait(PATIENCE_S)
    qtbot.waitUntil(pane.stale_notice.isVisible)
    # The draft enters the library on request.
    program.window.action_table["trace.import"].trigger()
    qtbot.waitUntil(lambda: "draft.md" in program.states)
    qtbot.waitUntil(lambda: "sentence" in program.states["draft.md"])


@pytest.mark.parametrize("text", ["", "   \n\n  ", "# Only\n\n## Headings"])
def test_an_empty_draft_says_so(pane: TracePane, qtbot, tmp_path: Path, text: str) -> None:
    file = tmp_path / "empty.md"
    file.write_text(text, "utf-8")
    pane.controller.trace_file(str(file))
    settled(qtbot, pane)
    assert pane.state.title.text() in ("No sentences in this draft", "No text found")


def test_an_empty_text_says_so(pane: TracePane, qtbot) -> None:
    pane.controller.trace_text("  \n ")
    settled(qtbot, pane)
    assert kind(pane) == "trace_empty"


def test_a_draft_that_cannot_be_read_is_explained(pane: TracePane, qtbot, tmp_path: Path) -> None:
    pane.controller.trace_file(str(tmp_path / "nowhere.txt"))
    settled(qtbot, pane)
    assert kind(pane) == "trace_failed"
    pane.controller.trace_file(str(DATA / "pdf" / "encrypted_openpassword.pdf"))
    settled(qtbot, pane)
    assert pane.state.title.text() == "Password-protected"
    assert "Enter Password…" in [button.text() for button in pane.state.findChildren(QPushButton)]
    pane.controller.trace_file(pane.controller.path, "openpassword")
    settled(qtbot, pane)
    assert pane.controller.error is None


def long_draft(count: int) -> str:
    return "\n\n".join(f"Sentence number {number} of a very long draft says little." for number in range(count))


def test_cancelling_before_the_first_sentence_keeps_the_former_result(program: Program, pane: TracePane, qtbot) -> None:
    pane.controller.trace_text(DRAFT)
    settled(qtbot, pane)
    pane.controller.trace_text(long_draft(3000))
    assert kind(pane) == "trace_working"
    assert pane.state.stop.isVisible()
    pane.state.stop.click()
    settled(qtbot, pane)
    assert kind(pane) == ""
    assert pane.texts is not None
    assert len(pane.texts.kinds) == 3
    assert not pane.notice.isVisible()
    assert program.window.action_table["trace.export"].isEnabled()
    program.window.panes.show_pane("search")
    assert not program.window.action_table["trace.export"].isEnabled()


def test_the_first_sentences_appear_while_the_rest_is_traced_and_stay_when_it_is_cancelled(
    program: Program, pane: TracePane, qtbot, tmp_path: Path
) -> None:
    pane.controller.trace_text(DRAFT)
    settled(qtbot, pane)
    pane.controller.trace_text(OLD.replace("\n", "\n\n") + "\n\n" + long_draft(3000))
    qtbot.waitUntil(lambda: pane.controller.is_growing)
    assert kind(pane) == ""
    assert pane.work.isVisible()
    assert pane.texts is not None
    assert list(pane.texts.kinds[:6]) == ["verbatim"] * 6
    first = len(pane.texts.kinds)
    assert f"{first} of 3,006 sentences" in pane.about.text()
    pane.view.choose(1)
    assert pane.sources.current is not None
    qtbot.waitUntil(lambda: len(pane.texts.kinds) > first)
    assert pane.view.current == 1, "sentences that were read stay"
    qtbot.keyClick(pane.view, Qt.Key.Key_Escape)
    settled(qtbot, pane)
    done = len(pane.texts.kinds)
    assert first < done < 3006
    assert not pane.work.isVisible()
    assert pane.notice.isVisible()
    assert f"Stopped after {done} of 3,006 sentences." in pane.notice.text
    save(pane, tmp_path / "part.md")
    qtbot.waitUntil((tmp_path / "part.md").exists)
    assert f"Stopped early: {3006 - done:,} sentences of the draft not checked" in (tmp_path / "part.md").read_text(
        "utf-8"
    )
    assert nameless(pane) == []
    # The former result is not lost.
    pane.notice.pressed.emit()
    assert len(pane.texts.kinds) == 3
    assert not pane.notice.isVisible()


@pytest.mark.parametrize("count", [3_000, pytest.param(50_000, marks=pytest.mark.slow)])
def test_a_draft_of_many_thousand_sentences(program: Program, pane: TracePane, qtbot, count: int) -> None:
    sentences = [f"Sentence number {number} of a very long draft says little." for number in range(300)]
    sentences[7] = OLD.split("\n")[0]
    phases: list[str] = []
    pane.controller.changed.connect(
        lambda: phases.append(pane.controller.progress.phase if pane.controller.progress else "")
    )
    pane.controller.trace_text("\n\n".join(sentences[number % 300] for number in range(count)))
    qtbot.waitUntil(lambda: "comparing" in phases)
    # A search is answered while the draft is traced.
    program.window.search.box.setText("bread")
    qtbot.waitUntil(lambda: program.window.search_pane.model.rowCount() > 0)
    program.window.panes.show_pane("trace")
    settled(qtbot, pane)
    assert pane.texts is not None
    assert len(pane.texts.kinds) == count
    assert pane.texts.kinds.count("verbatim") == len(range(7, count, 300))
    assert f"{count:,}" in pane.about.text()
    pane.view.choose(count - 1)
    pane.grab()
    assert pane.view.rect_of(count - 1, 0).bottom() <= pane.view.viewport().height() + 2


# Two documents


def chosen(program: Program, *names: str) -> None:
    view = program.window.library_pane.view
    view.clearSelection()
    for row in rows_below(view.model()):
        if row.data() in names:
            view.selectionModel().setCurrentIndex(row, view.selectionModel().SelectionFlag.Select)


def opened(program: Program, qtbot, *names: str) -> CompareDocumentsDialog:
    chosen(program, *names)
    program.window.action_table["document.compare"].trigger()
    dialog = program.window.findChildren(CompareDocumentsDialog)[-1]
    qtbot.waitExposed(dialog)
    qtbot.waitUntil(lambda: not dialog._request.is_running)
    return dialog


def changes(dialog: CompareDocumentsDialog) -> dict[str, int]:
    assert dialog.found is not None
    return dict(dialog.found.counts)


def test_two_documents_are_compared_by_meaning(program: Program, qtbot, tmp_path: Path) -> None:
    dialog = opened(program, qtbot, "old.txt", "new.txt")
    if dialog.heads.names[0].text() == "new.txt":  # the list has its own order
        dialog.heads.swap.click()
        qtbot.waitUntil(lambda: dialog.found is not None)
    assert changes(dialog) == {"kept": 1, "reworded": 2, "moved": 1, "new": 1, "dropped": 2}
    assert dialog.kinds.buttons["dropped"].accessibleName() == "2 dropped"
    dialog.view.grab()
    assert dialog.texts is not None
    dialog.view.choose(0)
    assert dialog.texts.kinds[0] == "moved"
    dialog.next.click()
    assert dialog.view.current == 2, "an unchanged sentence is no difference"
    dialog.kinds.buttons["new"].click()
    row = dialog.view.current
    assert row is not None
    assert dialog.texts.kinds[row] == "new"
    # A sentence is opened in the main window.
    dialog.view.opened.emit(row, 1)
    qtbot.waitUntil(lambda: program.window.reader.mode == "text")
    save(dialog, tmp_path / "diff.csv")
    qtbot.waitUntil((tmp_path / "diff.csv").exists)
    dialog.heads.swap.click()
    qtbot.waitUntil(lambda: dialog.found is not None)
    assert changes(dialog) == {"kept": 1, "reworded": 2, "moved": 1, "new": 2, "dropped": 1}
    assert nameless(dialog) == []
    dialog.close()


def test_an_export_is_reported_after_the_comparison_is_closed(program: Program, qtbot, tmp_path: Path) -> None:
    dialog = opened(program, qtbot, "old.txt", "new.txt")
    with held(program):
        save(dialog, tmp_path / "diff.csv")
        dialog.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qtbot.waitUntil(lambda: " to diff.csv" in program.window.notice.text)
    dialog = opened(program, qtbot, "old.txt", "new.txt")
    (tmp_path / "folder.csv").mkdir()
    with held(program):
        save(dialog, tmp_path / "folder.csv")
        dialog.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qtbot.waitUntil(lambda: "folder.csv" in program.window.notice.text)


def test_a_file_outside_the_library_is_compared_and_stays_outside(program: Program, qtbot, tmp_path: Path) -> None:
    dialog = opened(program, qtbot, "old.txt")
    assert dialog.state._view is not None
    assert dialog.state._view.kind == "missing"
    assert (dialog.heads.names[0].text(), dialog.heads.names[1].text()) == ("old.txt", "No second document")
    file = tmp_path / "later.txt"
    file.write_text(OLD.replace("\n", "\n\n").replace("first Monday", "last Friday") + "\n\nOne more.", "utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    assert drop(dialog, data, dialog.width() - 20)
    qtbot.waitUntil(lambda: dialog.found is not None)
    assert changes(dialog) == {"kept": 5, "reworded": 1, "moved": 0, "new": 1, "dropped": 0}
    assert dialog.texts is not None
    reworded = dialog.found.rows[list(dialog.texts.kinds).index("reworded")]
    text = reworded.b.text
    assert [text[start:stop] for start, stop in reworded.differs_b] == ["last Friday"]
    assert len(program.states) == 2
    # A document of the library is dragged there from the list.
    rows = [row for row in rows_below(program.window.library_pane.view.model()) if row.data() == "new.txt"]
    other = QMimeData()
    other.setData(DOCUMENTS_MIME, json.dumps([rows[0].data(DOCUMENT_ROLE).document_id]).encode())
    assert drop(dialog, other, dialog.width() - 20)
    qtbot.waitUntil(lambda: dialog.found is not None)
    assert dialog.heads.names[1].text() == "new.txt"
    dialog.put(0, rows[0].data(DOCUMENT_ROLE).document_id)
    assert dialog.state._view.kind == "same"
    # A cancelled comparison, or one that fails, keeps the former one.
    dialog.put(0, str(file))
    qtbot.waitUntil(lambda: dialog.found is not None)
    former = dialog.found
    long = tmp_path / "long.txt"
    long.write_text(long_draft(3000), "utf-8")
    dialog.put(1, str(long))
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not dialog._request.is_running)
    assert dialog.found is former
    assert dialog.compared.isVisible()
    assert "Stopped" in dialog.message.text()
    assert [head.text() for head in dialog.heads.names] == ["later.txt", "new.txt"]
    dialog.put(0, str(tmp_path / "nowhere.txt"))
    qtbot.waitUntil(lambda: not dialog._request.is_running)
    assert dialog.found is former
    assert dialog.message.text().endswith("Showing the previous comparison.")
    file.unlink()
    qtbot.keyClick(dialog, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: not dialog._request.is_running)
    assert dialog.found is former
    assert dialog.save.isEnabled()
    dialog.close()
    other_dialog = opened(program, qtbot, "old.txt")
    other_dialog.put(1, str(file))
    qtbot.waitUntil(lambda: other_dialog._error is not None)
    assert other_dialog.state._view.kind == "failed", "there is none before"
    other_dialog.close()


def test_the_comparison_closes_with_the_window(program: Program, qtbot) -> None:
    dialog = opened(program, qtbot, "old.txt", "new.txt")
    gone: list[bool] = []
    dialog.destroyed.connect(lambda: gone.append(True))
    program.window.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert gone


def test_the_menus_offer_the_actions_on_a_sentence(program: Program, pane: TracePane, qtbot) -> None:
    pane.controller.trace_text(DRAFT)
    settled(qtbot, pane)
    pane.view.choose(1)
    pane._show_menu(pane.mapToGlobal(pane.rect().center()))
    (menu,) = (each for each in pane.findChildren(QMenu) if each.accessibleName() == "Sentence of the draft")
    assert [action.isEnabled() for action in menu.actions()] == [True, True, True]
    menu.close()
    dialog = opened(program, qtbot, "old.txt", "new.txt")
    dialog.view.choose(0)
    dialog._show_menu(dialog.mapToGlobal(dialog.rect().center()))
    (menu,) = (each for each in dialog.findChildren(QMenu) if each.accessibleName() == "Sentence")
    assert len(menu.actions()) >= 3
    menu.close()
    dialog.close()
