"""Panes: one at a time, built when first shown, chosen by button, key or menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.window_context import WindowContext
from desktop_app.gui.shell import main_window
from desktop_app.gui.shell import panes as shell_panes
from desktop_app.gui.shell.action_table import ACTION_SPECS
from desktop_app.gui.shell.main_window import MainWindow
from desktop_app.gui.shell.panes import PANE_SPECS, PaneSpec, PaneSwitch
from desktop_app.gui.widgets.pane import Pane
from tests.gui.conftest import Kindred, close

BUILT: list[str] = []


class MadeUpPane(Pane):
    """A pane with an action of its own."""

    def __init__(self, _context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        BUILT.append("made-up")
        self.setAccessibleName("made-up")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def handlers(self) -> Mapping[str, Callable[[], object]]:
        return {"made_up.note": lambda: BUILT.append("noted")}


@pytest.fixture
def one_more_pane(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the table of panes by the search and one made-up pane, which leaves the reader no room."""
    BUILT.clear()
    action = ActionSpec("pane.made_up", "&Made Up", "view", ("Ctrl+Alt+9",), "list", "Show it", group="pane")
    note = ActionSpec("made_up.note", "&Note", starts_disabled=True)
    panes = (PANE_SPECS[0], PaneSpec(action, "Made up", MadeUpPane, has_reader=False, actions=(note,)))
    for module in (shell_panes, main_window):
        monkeypatch.setattr(module, "PANE_SPECS", panes)
    others = [row for row in ACTION_SPECS if row.group != "pane"]
    monkeypatch.setattr(main_window, "ACTION_SPECS", (*others, *(pane.action for pane in panes), note))


def _buttons(kindred: Kindred) -> dict[str, QToolButton]:
    switcher = kindred.window.findChild(PaneSwitch)
    assert switcher is not None
    return {button.accessibleName(): button for button in switcher.findChildren(QToolButton)}


def test_a_pane_is_built_when_first_shown_and_kept(one_more_pane: None, filled: Kindred) -> None:
    window = filled.window
    assert (BUILT, window.panes.current.name) == ([], "search")
    _buttons(filled)["Made up"].click()
    assert (BUILT, window.panes.current.name) == (["made-up"], "made_up")
    assert window.focusWidget() is window.panes.currentWidget()
    _buttons(filled)["Search"].click()
    assert window.panes.currentWidget() is window.search_pane
    window.action_table["pane.made_up"].trigger()
    assert BUILT == ["made-up"]


def test_an_action_of_a_pane_shows_the_pane_first(one_more_pane: None, filled: Kindred) -> None:
    note = filled.window.action_table["made_up.note"]
    assert not note.isEnabled()
    note.setEnabled(True)
    note.trigger()
    assert (BUILT, filled.window.panes.current.name) == (["made-up", "noted"], "made_up")


def test_a_pane_handles_each_of_its_actions(filled: Kindred) -> None:
    for spec in PANE_SPECS:
        assert set(filled.window.panes.pane(spec.name).handlers()) == {row.id for row in spec.actions}, spec.name


def test_button_menu_and_pane_agree(one_more_pane: None, filled: Kindred) -> None:
    window = filled.window
    window.action_table["pane.made_up"].trigger()
    buttons = _buttons(filled)
    assert (buttons["Search"].isChecked(), buttons["Made up"].isChecked()) == (False, True)
    assert not window.action_table["pane.search"].isChecked()
    buttons["Made up"].click()
    assert buttons["Made up"].isChecked(), "choosing the current pane changes nothing"


class ShownWindows(QObject):
    """Keeps the types of all widgets that are shown as windows."""

    def __init__(self) -> None:
        super().__init__()
        self.types: list[type] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.types.append(type(watched))
        return False


def test_no_part_of_the_window_is_a_window_of_its_own_for_a_moment(
    make: Callable[..., Kindred], qapp: QApplication
) -> None:
    shown = ShownWindows()
    qapp.installEventFilter(shown)
    try:
        window = make().window
        for spec in PANE_SPECS:
            window.panes.show_pane(spec.name)
    finally:
        qapp.removeEventFilter(shown)
    assert shown.types == [MainWindow]


def test_no_button_is_checked_while_a_pane_without_one_is_shown(shared: Kindred) -> None:
    shared.window.action_table["pane.train"].trigger()
    assert not any(button.isChecked() for button in _buttons(shared).values())
    shared.window.action_table["pane.search"].trigger()
    assert [name for name, button in _buttons(shared).items() if button.isChecked()] == ["Search"]


def test_the_reader_is_hidden_without_room_and_comes_back(one_more_pane: None, filled: Kindred) -> None:
    window = filled.window
    window.panes.show_pane("made_up")
    assert window.reader.isHidden()
    window.panes.show_pane("search")
    assert not window.reader.isHidden()
    window.action_table["view.reader"].trigger()
    window.panes.show_pane("made_up")
    window.panes.show_pane("search")
    assert window.reader.isHidden(), "a reader that was closed stays closed"


def test_typing_a_query_shows_the_search_pane(one_more_pane: None, filled: Kindred, qtbot: QtBot) -> None:
    window = filled.window
    window.panes.show_pane("made_up")
    window.search.box.setFocus()
    qtbot.keyClicks(window.search.box, "bread")
    assert window.panes.current.name == "search"
    assert window.focusWidget() is window.search.box


def test_the_pane_comes_back_at_the_next_start(one_more_pane: None, make: Callable[..., Kindred], qtbot: QtBot) -> None:
    first = make()
    first.window.panes.show_pane("made_up")
    close(first)
    second = make()
    second.window.show()
    qtbot.waitUntil(lambda: second.window.panes.current.name == "made_up")


def test_one_pane_needs_no_buttons(shared: Kindred) -> None:
    assert shared.window.findChild(PaneSwitch).isHidden() == (len(PANE_SPECS) == 1)


def test_pane_buttons_lose_their_text_if_the_search_box_needs_the_room(shared: Kindred, qtbot: QtBot) -> None:
    window = shared.window
    switcher = window.findChild(PaneSwitch)
    assert switcher is not None
    for width, shows_words in ((1280, True), (800, False), (1280, True)):
        window.resize(width, 700)
        wanted = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if shows_words else Qt.ToolButtonStyle.ToolButtonIconOnly
        qtbot.waitUntil(lambda w=wanted: {each.toolButtonStyle() for each in _buttons(shared).values()} == {w})
        qtbot.waitUntil(lambda: window.search.box.width() > 280)  # the row is laid out one event later
    assert all(button.toolTip() for button in _buttons(shared).values())


def test_pairs_are_searched_in_a_library_without_any(
    shared: Kindred, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    shared.window.action_table["pane.pairs"].trigger()
    controller = shared.window.panes.currentWidget().controller
    qtbot.waitUntil(lambda: controller._found is not None and not controller.is_working)
    assert not [record for record in caplog.records if "failed" in record.getMessage()]


@pytest.mark.parametrize("pane", ["clusters", "trace"])
def test_the_focus_goes_to_the_button_of_an_empty_pane(kindred: Kindred, qtbot: QtBot, pane: str) -> None:
    window = kindred.window
    window.action_table[f"pane.{pane}"].trigger()
    qtbot.waitUntil(lambda: isinstance(window.focusWidget(), QPushButton) and window.focusWidget().isVisible())
    assert window.focusWidget().property("tone") == "primary"
    window.action_table["search.focus"].trigger()
    assert window.focusWidget() is window.search.box
