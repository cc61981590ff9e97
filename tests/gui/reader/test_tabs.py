"""Tabs of the reader: each keeps the hits and the reading position of its document."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.gui.reader.pane import ReaderPane
from desktop_app.gui.reader.tabs import ReaderTabs
from tests.gui.conftest import Kindred, choose, open_filled, search

LONG = "\n".join(f"Line {n} speaks of bread, of dough{n}, of flour{n} and of yeast{n}." for n in range(200))
"""No line resembles another: for each query, copies are folded."""


class Reading:
    """The reader and its tabs."""

    def __init__(self, kindred: Kindred, qtbot: QtBot) -> None:
        self.kindred, self.window, self.qtbot = kindred, kindred.window, qtbot

    @property
    def reader(self) -> ReaderPane:
        return self.window.reader

    @property
    def tabs(self) -> ReaderTabs:
        return self.window.reader_controller.tabs

    @property
    def names(self) -> list[str]:
        bar = self.tabs.bar
        return [bar.tabText(at) for at in range(bar.count())] if bar.isVisible() else []

    @property
    def shown(self) -> str:
        shown = self.reader.shown
        return shown.name if shown is not None else ""

    def card(self, row: int) -> QPoint:
        view = self.window.search_pane.view
        return view.visualRect(self.window.search_pane.model.index(row)).center()

    def row_of(self, document: str) -> int:
        model = self.window.search_pane.model
        return next(r for r in range(model.rowCount()) if Path(model.hit(model.index(r)).path).name == document)

    def middle(self, view: QWidget, at: QPoint) -> None:
        self.qtbot.mouseClick(view, Qt.MouseButton.MiddleButton, pos=at)

    def wait(self, name: str) -> None:
        self.qtbot.waitUntil(lambda: self.shown == name)

    def key(self, keys: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
        held = Qt.KeyboardModifier.NoModifier
        for each in modifiers:
            held |= each
        self.qtbot.keyClick(self.window.focusWidget() or self.window, keys, held)


@pytest.fixture(scope="module")
def open_shared() -> Callable[[Callable[..., Kindred], Path, QtBot], Kindred]:
    def open_three(make: Callable[..., Kindred], folder: Path, qtbot: QtBot) -> Kindred:
        kindred = open_filled(make, folder, qtbot)
        (folder / "papers" / "long.txt").write_text(LONG, "utf-8")
        kindred.window.imports.start([str(folder / "papers" / "long.txt")])
        qtbot.waitUntil(lambda: kindred.is_quiet and kindred.documents.get("long") == "200 sentences")
        return kindred

    return open_three


def read(kindred: Kindred, qtbot: QtBot) -> Reading:
    """Open a hit of one of three documents; one of them is long."""
    reading = Reading(kindred, qtbot)
    search(kindred, qtbot, "sea rises walls")
    qtbot.keyClick(kindred.window.search.box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(reading.shown))
    return reading


@pytest.fixture
def reading(shared: Kindred, qtbot: QtBot) -> Iterator[Reading]:
    """In the window of the file; the zoom is put back."""
    yield read(shared, qtbot)
    shared.window.reader.text.set_zoom(1.0)


@pytest.fixture
def reading_alone(
    make: Callable[..., Kindred], open_shared: Callable[..., Kindred], tmp_path: Path, qtbot: QtBot
) -> Reading:
    """In a window of the test's own, which adds or removes documents."""
    return read(open_shared(make, tmp_path, qtbot), qtbot)


CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def test_a_hit_opens_in_a_tab_without_a_selection_in_the_library(reading: Reading) -> None:
    action = reading.window.action_table["reader.open_tab"]
    reading.window.library_pane.view.clearSelection()
    assert action.isEnabled()
    reading.window.search.box.setText("")
    reading.qtbot.waitUntil(lambda: reading.window.search_pane.current is None)
    assert not action.isEnabled()
    choose(reading.kindred, "sea")
    assert action.isEnabled()


def test_a_middle_click_on_a_hit_opens_a_tab_and_keeps_the_selection(reading: Reading) -> None:
    window, first = reading.window, reading.shown
    other = "tags.md" if first == "sea" else "sea.txt"
    chosen = window.search_pane.view.currentIndex().row()
    reading.middle(window.search_pane.view.viewport(), reading.card(reading.row_of(other)))
    reading.wait(Path(other).stem)
    assert reading.names == [first, Path(other).stem]
    assert window.search_pane.view.currentIndex().row() == chosen
    bar = reading.tabs.bar
    assert bar.currentIndex() == 1
    assert other in bar.tabToolTip(1)
    assert bar.accessibleTabName(1) == Path(other).stem


def test_a_plain_click_uses_the_current_tab(reading: Reading) -> None:
    first = reading.shown
    other = "tags.md" if first == "sea" else "sea.txt"
    row = reading.row_of(other)
    reading.middle(reading.window.search_pane.view.viewport(), reading.card(row))
    reading.wait(Path(other).stem)
    name = f"{first}.txt" if first == "sea" else f"{first}.md"
    hits = reading.window.search_pane.model
    reading.window.reader_controller.open_hit(hits.hit(hits.index(reading.row_of(name))))
    reading.wait(first)
    assert reading.names == [first, first]


def test_there_are_no_tabs_for_one_document(reading_alone: Reading) -> None:
    reading = reading_alone
    assert not reading.window.reader_controller.has_tabs, "they were not requested"
    assert not reading.window.action_table["reader.next_tab"].isEnabled()
    assert reading.window.findChild(QWidget, "documents_read") is None
    reading.window.action_table["reader.close_tab"].trigger()
    assert (reading.shown, reading.reader.mode) == ("", "empty")
    reading.middle(reading.window.search_pane.view.viewport(), reading.card(0))
    reading.qtbot.waitUntil(lambda: bool(reading.shown))
    assert reading.names == [], "an empty reader needs no second tab"


def test_tabs_are_operated_by_keyboard(reading: Reading) -> None:
    window, first = reading.window, reading.shown
    choose(reading.kindred, "long")
    window.library_pane.view.setCurrentIndex(reading.kindred.row("long"))
    reading.key(Qt.Key.Key_Return, CONTROL)
    reading.wait("long")
    assert reading.names == [first, "long"]
    reading.key(Qt.Key.Key_Tab, CONTROL)
    reading.wait(first)
    reading.key(Qt.Key.Key_Backtab, CONTROL, SHIFT)
    reading.wait("long")
    window.search.box.setFocus()
    reading.key(Qt.Key.Key_Return, CONTROL)
    reading.qtbot.waitUntil(lambda: len(reading.names) == 3)
    assert reading.reader.current == window.search_pane.current
    for left in (2, 0):
        reading.key(Qt.Key.Key_W, CONTROL)
        assert len(reading.names) == left
    assert not reading.tabs.bar.isVisible()


def test_each_tab_keeps_its_hits_position_and_zoom(reading: Reading) -> None:
    window, reader, qtbot = reading.window, reading.reader, reading.qtbot
    first, hit = reading.shown, reading.reader.current
    (document,) = [each for each in window.documents.all_documents() if each.path.endswith("long.txt")]
    window.reader_link.open_document(document, in_new_tab=True)
    reading.wait("long")
    qtbot.waitUntil(lambda: reader.text.length == 200)
    reader.text.set_zoom(1.3)
    bar = reader.text.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    seen = reader.text.cursorForPosition(reader.text.viewport().rect().topLeft()).block().text()
    assert "Line" in seen or not seen.strip()
    place = reader.text.position()
    reading.tabs.go(1)
    reading.wait(first)
    assert reader.current == hit
    assert reader.text.zoom == 1.0
    reading.tabs.go(-1)
    reading.wait("long")
    qtbot.waitUntil(lambda: reader.text.length == 200 and abs(reader.text.position().down - place.down) < 150)
    assert reader.current is None
    assert reader.text.zoom == 1.3


def test_tabs_are_closed_by_button_and_middle_click_and_moved(reading: Reading) -> None:
    window, first = reading.window, reading.shown
    others = [each for each in window.documents.all_documents() if each.title != first]
    for document in others:
        window.reader_link.open_document(document, in_new_tab=True)
        reading.wait(Path(document.path).stem)
    bar = reading.tabs.bar
    before = reading.names
    assert len(before) == 3
    bar.moveTab(2, 0)
    assert reading.names == [before[2], before[0], before[1]]
    assert bar.currentIndex() == 0
    assert reading.shown == before[2], "it is moved, not left"
    reading.middle(bar, bar.tabRect(1).center())
    assert reading.names == [before[2], before[1]]
    assert reading.shown == before[2], "another tab than the current one was closed"
    button = bar.tabButton(0, bar.ButtonPosition.RightSide)
    assert isinstance(button, QToolButton)
    assert before[2] in button.accessibleName()
    button.click()
    reading.wait(before[1])
    assert reading.names == []


def test_the_tab_of_a_removed_document_closes(reading_alone: Reading) -> None:
    reading = reading_alone
    window, first = reading.window, reading.shown
    documents = list(window.documents.all_documents())
    for document in documents:
        if Path(document.path).stem != first:
            window.reader_link.open_document(document, in_new_tab=True)
            reading.wait(Path(document.path).stem)
    current, hidden = reading.names[2], reading.names[1]
    by_name = {Path(document.path).stem: document.document_id for document in documents}
    window.removals.remove([by_name[hidden], by_name[current]])
    reading.wait(first)
    reading.qtbot.waitUntil(lambda: reading.names == [])


def test_long_names_are_elided_and_an_ampersand_is_no_mnemonic(reading_alone: Reading, tmp_path: Path) -> None:
    reading, files = reading_alone, tmp_path
    window = reading.window
    name = "Salt & pepper, and how the sea came to be as it is today, with notes.txt"
    (files / name).write_text("One sentence.", "utf-8")
    window.imports.start([str(files / name)])
    reading.qtbot.waitUntil(lambda: reading.kindred.is_quiet and len(reading.kindred.documents) == 4)
    (document,) = [each for each in window.documents.all_documents() if each.path.endswith(name)]
    window.reader_link.open_document(document, in_new_tab=True)
    reading.qtbot.waitUntil(lambda: len(reading.names) == 2)
    bar = reading.tabs.bar
    assert bar.tabRect(1).width() <= 200
    assert "&&" in bar.tabText(1)
    assert bar.accessibleTabName(1).startswith("Salt & pepper")


def test_a_drag_with_the_middle_button_opens_nothing(reading: Reading) -> None:
    view: QAbstractItemView = reading.window.search_pane.view
    start, end = QPointF(reading.card(0)), QPointF(reading.card(1))
    for kind, at, held in (
        (QEvent.Type.MouseButtonPress, start, Qt.MouseButton.MiddleButton),
        (QEvent.Type.MouseButtonRelease, end, Qt.MouseButton.NoButton),
    ):
        event = QMouseEvent(
            kind, at, view.viewport().mapToGlobal(at), Qt.MouseButton.MiddleButton, held, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(view.viewport(), event)
    assert not reading.window.reader_controller.has_tabs
    assert view.currentIndex() != QModelIndex()


def test_tabs_are_not_imported_with_the_window() -> None:
    code = "import sys, desktop_app.gui.shell.main_window; print('desktop_app.gui.reader.tabs' in sys.modules)"
    found = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


# One click shows, a double click keeps


def at(reading: Reading, name: str) -> QPoint:
    return reading.window.library_pane.view.visualRect(reading.kindred.row(name)).center()


def click(reading: Reading, name: str, *, twice: bool = False) -> None:
    view = reading.window.library_pane.view.viewport()
    reading.qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=at(reading, name))
    if twice:
        reading.qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=at(reading, name))


def test_one_click_on_a_document_shows_it_and_leaves_the_focus_in_the_list(reading: Reading) -> None:
    for name in ("long", "tags", "sea"):
        click(reading, name)
        reading.wait(name)
    assert reading.window.library_pane.view.hasFocus()
    assert reading.names == [], "each takes the place of the one before"


def test_a_click_leaves_a_hidden_reader_hidden(reading: Reading) -> None:
    reading.window.action_table["view.reader"].trigger()
    click(reading, "long")
    assert not reading.window.reader.isVisible()
    click(reading, "long", twice=True)
    reading.wait("long")
    assert reading.window.reader.isVisible()


def test_a_double_click_keeps_the_document_in_a_tab(reading: Reading) -> None:
    click(reading, "tags", twice=True)
    reading.wait("tags")
    assert reading.names == ["tags"]
    click(reading, "long")
    reading.wait("long")
    assert reading.names == ["tags", "long"]
    click(reading, "sea")
    reading.wait("sea")
    assert reading.names == ["tags", "sea"], "only kept documents keep their tab"
    click(reading, "tags")
    reading.wait("tags")
    assert reading.names == ["tags", "sea"], "an open document is shown in its own tab"
    for _ in range(2):
        reading.window.action_table["reader.close_tab"].trigger()
    assert (reading.names, reading.shown) == ([], "")


def test_results_leave_a_kept_document_alone(reading: Reading) -> None:
    click(reading, "long", twice=True)
    reading.wait("long")
    row = reading.row_of("sea.txt")
    reading.qtbot.mouseClick(
        reading.window.search_pane.view.viewport(), Qt.MouseButton.LeftButton, pos=reading.card(row)
    )
    reading.qtbot.waitUntil(lambda: reading.names == ["long", "sea"])


def test_a_new_title_is_shown_in_the_reader_and_in_tabs(filled: Kindred, qtbot: QtBot) -> None:
    window, reader = filled.window, filled.window.reader
    sea, tags = (
        next(row for row in filled.library.rows.values() if row.path.endswith(name)) for name in ("sea.txt", "tags.md")
    )
    for document in (sea, tags):
        window.reader_link.keep_document(document)
        qtbot.waitUntil(lambda document=document: reader.shown is not None and reader.shown.path == document.path)
    for document, title in ((sea, "Oceans"), (tags, "Marks & signs")):
        window.library_controller.rename(document.document_id, title)
    tabs = window.reader_controller.tabs
    qtbot.waitUntil(lambda: [tabs.bar.tabText(at) for at in range(2)] == ["Oceans", "Marks && signs"])
    qtbot.waitUntil(lambda: reader.header.title.text() == "Marks & signs")
    tabs.go(1)
    qtbot.waitUntil(lambda: reader.header.title.text() == "Oceans")
