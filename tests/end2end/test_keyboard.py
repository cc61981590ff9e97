"""Everything important works without a mouse: import, search, reading, comparing, clusters."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.core.paths import resources_folder
from desktop_app.gui.clusters.pane import ClustersPane
from desktop_app.gui.compare.dialog import CompareDialog
from tests.end2end.conftest import Program

pytestmark = pytest.mark.as_copies

Key, Modifier = Qt.Key, Qt.KeyboardModifier
CTRL, SHIFT, NONE = Modifier.ControlModifier, Modifier.ShiftModifier, Modifier.NoModifier
MOST_TABS = 60


class _Mice(QObject):
    """Counts events of the mouse."""

    def __init__(self) -> None:
        super().__init__()
        self.heard = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease, QEvent.Type.Drop):
            self.heard += 1
        return False


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for file in sorted((resources_folder() / "samples").glob("*.md")):
        shutil.copy(file, folder)
    return folder


def _focus() -> QWidget:
    """Return the widget with the focus."""
    widget = QApplication.focusWidget() or QApplication.activeWindow()
    assert widget is not None, "no widget has the focus"
    return widget


def _press(key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(_focus(), key, modifiers)


def _type(text: str) -> None:
    for letter in text:
        QTest.keyClicks(_focus(), letter)


def _return_to(window: QWidget, qtbot: QtBot) -> None:
    """Give the focus back to the window, like a window manager after a dialog has closed."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def _buttons(pane: QWidget) -> list[QAbstractButton]:
    return [each for each in pane.findChildren(QAbstractButton) if each.isVisible()]


def _is_called(widget: QWidget, name: str) -> bool:
    return isinstance(widget, QAbstractButton) and name in widget.text().replace("&", "")


def _tab_to(name: str) -> None:
    """Press Tab until a button with that name has the focus."""
    for _ in range(MOST_TABS):
        if _is_called(_focus(), name):
            return
        _press(Key.Key_Tab)
    raise AssertionError(f"the Tab key never comes to {name!r}, it is at {_focus()!r}")


def test_import_search_reading_comparing_and_clusters_work_without_a_mouse(
    start: Callable[..., Program], papers: Path, qapp: QApplication, qtbot: QtBot
) -> None:
    program = start()
    window = program.window
    mice = _Mice()
    qapp.installEventFilter(mice)
    qtbot.waitUntil(lambda: window.session.phase == "ready")
    assert _focus() is window.search.box, "the search box has the focus at once"

    # Import: the folder's path is typed into the system's dialog.
    _press(Key.Key_O, CTRL | SHIFT)
    (chooser,) = window.findChildren(QFileDialog)
    qtbot.waitUntil(chooser.isActiveWindow)
    _type(str(papers))
    _press(Key.Key_Return)
    if chooser.isVisible():  # the first Enter may have accepted a completion
        _press(Key.Key_Return)
    qtbot.waitUntil(
        lambda: len(program.states) == 2 and all("sentences" in state for state in program.states.values()),
    )

    # Search: the arrows move through the hits while typing.
    _return_to(window, qtbot)
    _press(Key.Key_F, CTRL)
    _type("the seas rise faster than before")
    qtbot.waitUntil(lambda: bool(program.hits) and not window.search.controller.is_waiting)
    first = window.search_pane.current
    assert first is not None
    assert "climb about twice" in first.text or "sea" in first.text
    _press(Key.Key_Down)
    second = window.search_pane.current
    assert second is not None
    assert second.text != first.text
    _press(Key.Key_Up)

    # Read: Enter shows the hit in its document.
    _press(Key.Key_Return)
    qtbot.waitUntil(lambda: first.text in _shown(window))

    # Compare: two fields and Tab between them.
    _press(Key.Key_D, CTRL | SHIFT)
    (dialog,) = window.findChildren(CompareDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    _type("The new movie is awesome")
    _press(Key.Key_Tab)
    assert _focus() is dialog.second.field
    _type("The new movie is so great")
    qtbot.waitUntil(lambda: dialog.card.figures["cosine"][0].text() == "0.8939")
    _press(Key.Key_Escape)
    assert not dialog.isVisible()
    _return_to(window, qtbot)

    # Clusters: found by a button, browsed by arrows, opened by Enter.
    _press(Key.Key_4, CTRL)
    (pane,) = window.findChildren(ClustersPane)
    qtbot.waitUntil(lambda: any(_is_called(each, "Find Topics") for each in _buttons(pane)))
    _tab_to("Find Topics")
    _press(Key.Key_Space)
    qtbot.waitUntil(lambda: pane.model.rowCount() > 1)
    for _ in range(MOST_TABS):
        if _focus() is pane.view:
            break
        _press(Key.Key_Tab)
    _press(Key.Key_Home)
    theme = pane.view.currentIndex().data()
    _press(Key.Key_Down)
    assert pane.view.currentIndex().data() != theme
    qtbot.waitUntil(lambda: pane.sentences.view.model().rowCount() > 0)
    assert mice.heard == 0
    qapp.removeEventFilter(mice)


def _shown(window: QWidget) -> str:
    """Return the text that the reader shows."""
    from PySide6.QtWidgets import QPlainTextEdit

    return " ".join(
        " ".join(each.toPlainText().split())
        for each in window.findChildren(QPlainTextEdit)
        if each.objectName() == "stored_text"
    )
