"""The extraction view on a real library: boundaries on pages and in text, and corrections that apply at once."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from desktop_app.engine.requests import ImportRequest, SearchRequest
from desktop_app.gui.reader.extraction import ExtractionController
from desktop_app.gui.reader.pane import ReaderPane
from tests.end2end.conftest import DATA, Program
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.as_copies

Start = Callable[..., Program]
NOTE = """# Notes on tea

Water for green tea should not boil. Let it cool; then it is poured slowly over the leaves.

Black tea wants water that is as hot as it can be.
"""


@pytest.fixture
def program(start: Start, tmp_path: Path, qtbot) -> Program:
    folder = tmp_path / "papers"
    folder.mkdir()
    shutil.copy(DATA / "pdf" / "pdfa_one_page.pdf", folder)
    (folder / "tea.md").write_text(NOTE, "utf-8")
    program = start()
    qtbot.waitUntil(lambda: program.window.session.phase == "ready")
    program.workspace.imports.start(ImportRequest((str(folder),))).wait(PATIENCE_S)
    qtbot.waitUntil(lambda: len(program.states) == 2)
    return program


def opened(program: Program, qtbot, name: str) -> tuple[ReaderPane, ExtractionController]:
    """A reader with a document and the extraction view."""
    (document,) = program.workspace.read(lambda library: library.documents.find(name)).wait(PATIENCE_S)
    program.window.resize(1300, 860)
    program.window.reader_controller.open_document(document)
    reader = program.window.reader
    qtbot.waitUntil(lambda: reader.mode in ("pages", "text"))
    program.window.action_table["reader.extraction"].trigger()
    bar = reader.extraction.bar
    assert bar.isVisible()
    assert not any(button.isEnabled() for button in (bar.merge, bar.split, bar.ignore, bar.undo))
    return reader, reader.extraction


def texts(program: Program, name: str) -> list[str]:
    (document,) = program.workspace.read(lambda library: library.documents.find(name)).wait(PATIENCE_S)
    part = program.workspace.pages.read_text(document.document_id).wait(PATIENCE_S)
    return [row.text for row in part.sentences]


def finds(program: Program, text: str) -> bool:
    found = program.workspace.search.find_sentences(SearchRequest(text, top_k=1), key=None).wait(PATIENCE_S)
    return bool(found.hits) and found.hits[0].text == text


def press(reader: ReaderPane, qtbot, desk: ExtractionController, text: str, share: float) -> None:
    """Click a sentence on its page, at a share of its width."""
    qtbot.waitUntil(lambda: any(row.text == text for row, _ in desk.model.sentences(1)))
    qtbot.waitUntil(lambda: reader.pages.loader.text(1) is not None)
    box = next(boxes[0] for row, boxes in desk.model.sentences(1) if row.text == text)
    spot = reader.pages._layout.from_page(1, box).translated(-reader.pages._offset())
    at = QPointF(spot.left() + share * spot.width(), spot.center().y()).toPoint()
    qtbot.mouseClick(reader.pages.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_sentences_of_a_page_are_merged_split_and_ignored(program: Program, qtbot) -> None:
    reader, desk = opened(program, qtbot, "pdfa_one_page.pdf")
    press(reader, qtbot, desk, "The misfits.", 0.5)
    assert desk.bar.field.toPlainText() == "The misfits."
    assert "text" in desk.bar.about.toolTip() or desk.model.note(1) is not None
    program.window.action_table["reader.merge"].trigger()
    merged = "The misfits. The rebels."
    qtbot.waitUntil(lambda: desk.bar.field.toPlainText() == merged)
    assert finds(program, merged)

    whole = "They push the human race forward."
    press(reader, qtbot, desk, whole, 0.62)
    assert whole[desk.bar.caret :].startswith(("race", "human"))
    at = desk.bar.caret
    qtbot.mouseClick(desk.bar.split, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: desk.bar.field.toPlainText() == whole[:at].strip())
    assert finds(program, whole[at:])
    qtbot.waitUntil(lambda: len(desk.model.sentences(1)) > 5)
    first, second = [boxes for row, boxes in desk.model.sentences(1) if row.text in (whole[:at].strip(), whole[at:])]
    assert first[-1].right <= second[0].left + 3  # each part has its half of the line

    press(reader, qtbot, desk, "They heal.", 0.5)
    qtbot.mouseClick(desk.bar.ignore, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "They heal." not in texts(program, "pdfa_one_page.pdf"))

    corrected = texts(program, "pdfa_one_page.pdf")
    (document,) = program.workspace.read(lambda library: library.documents.find("pdfa_one_page.pdf")).wait(PATIENCE_S)
    program.workspace.imports.start(ImportRequest((document.path,), force=True)).wait(PATIENCE_S)
    assert texts(program, "pdfa_one_page.pdf") == corrected
    for left in (2, 1, 0):
        qtbot.waitUntil(lambda: desk.bar.undo.isEnabled())
        program.window.action_table["reader.undo_correction"].trigger()
        qtbot.waitUntil(lambda left=left: desk.model.corrections == left)
    assert {"The misfits.", "The rebels.", whole, "They heal."} <= set(texts(program, "pdfa_one_page.pdf"))


def test_sentences_of_a_text_are_corrected_with_the_keyboard_alone(program: Program, qtbot) -> None:
    reader, desk = opened(program, qtbot, "tea.md")
    assert desk.bar.field.hasFocus()
    for _ in range(3):
        before = desk.model.chosen
        qtbot.keyClick(desk.bar.field, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda before=before: desk.model.chosen not in (None, before))
    assert desk.bar.field.toPlainText() == "Let it cool; then it is poured slowly over the leaves."
    assert len(reader.text.extraSelections()) >= 4
    for _ in range(3):
        qtbot.keyClick(desk.bar.field, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    program.window.action_table["reader.split"].trigger()
    qtbot.waitUntil(lambda: desk.bar.field.toPlainText() == "Let it cool;")
    qtbot.waitUntil(lambda: "then it is poured slowly" in reader.text.toPlainText())
    assert finds(program, "then it is poured slowly over the leaves.")
    program.window.action_table["reader.extraction"].trigger()
    assert desk.bar.isHidden()
    assert reader.text.extraSelections() == []


def menu_of(view: QWidget, at: QPoint) -> QMenu:
    """Click there with the right button; return the menu."""
    QTest.mousePress(view, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, at)
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at))
    QApplication.sendEvent(view, asked)
    QTest.mouseRelease(view, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, at)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def offers(menu: QMenu) -> dict[str, bool]:
    """Return the corrections in a menu, and whether each is enabled."""
    corrections = ("Merge with Next", "Split Here", "Exclude", "Undo Last Change")
    texts = {action.text().partition("\t")[0]: action.isEnabled() for action in menu.actions()}
    return {text: can for text, can in texts.items() if text in corrections}


def take(menu: QMenu, text: str) -> None:
    next(action for action in menu.actions() if action.text().startswith(text)).trigger()
    menu.close()


def test_a_right_click_on_a_page_offers_corrections(program: Program, qtbot) -> None:
    reader, desk = opened(program, qtbot, "pdfa_one_page.pdf")
    whole = "They push the human race forward."
    qtbot.waitUntil(lambda: any(row.text == whole for row, _ in desk.model.sentences(1)))
    qtbot.waitUntil(lambda: reader.pages.loader.text(1) is not None)
    box = next(boxes[0] for row, boxes in desk.model.sentences(1) if row.text == whole)
    spot = reader.pages._layout.from_page(1, box).translated(-reader.pages._offset())
    at = QPointF(spot.left() + 0.62 * spot.width(), spot.center().y()).toPoint()
    menu = menu_of(reader.pages.viewport(), at)
    assert desk.model.chosen.text == whole
    assert offers(menu) == {"Merge with Next": True, "Split Here": True, "Exclude": True, "Undo Last Change": False}
    cut = desk.bar.caret
    take(menu, "Split Here")
    qtbot.waitUntil(lambda: finds(program, whole[cut:]))
    qtbot.waitUntil(lambda: desk.model.corrections == 1 and not desk.model.is_busy)
    take(menu_of(reader.pages.viewport(), at), "Undo Last Change")
    qtbot.waitUntil(lambda: whole in texts(program, "pdfa_one_page.pdf"))
    qtbot.waitUntil(lambda: desk.model.corrections == 0)
    program.window.action_table["reader.extraction"].trigger()
    menu = menu_of(reader.pages.viewport(), at)
    assert offers(menu) == {}, "without the extraction view the menu is only about the text"
    menu.close()


def test_a_right_click_in_a_text_offers_corrections(program: Program, qtbot) -> None:
    reader, desk = opened(program, qtbot, "tea.md")
    text = "Let it cool; then it is poured slowly over the leaves."
    at_once = reader.text.toPlainText().index("then it is")
    for share, is_inside in ((0, False), (at_once, True)):
        cursor = QTextCursor(reader.text.document())
        cursor.setPosition(share or reader.text.toPlainText().index(text))
        menu = menu_of(reader.text.viewport(), reader.text.cursorRect(cursor).center())
        assert desk.model.chosen.text == text
        assert offers(menu)["Split Here"] is is_inside
        if not is_inside:
            menu.close()
    take(menu, "Split Here")
    qtbot.waitUntil(lambda: "Let it cool;" in texts(program, "tea.md"))
    qtbot.waitUntil(lambda: not desk.model.is_busy and desk.model.corrections == 1)
