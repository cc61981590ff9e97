"""Menus: short enough for a low screen, every action in its place, standard Edit menu, mnemonics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QToolButton
from pytestqt.qtbot import QtBot

from desktop_app.gui.base.actions import plain_action_name
from desktop_app.gui.base.mnemonics import find_mnemonic
from desktop_app.gui.shell.action_table import ACTION_SPECS
from desktop_app.gui.shell.edit_menu import STANDARD_EDIT_ACTIONS
from desktop_app.gui.shell.menu_layout import (
    MENU_LAYOUT,
    RECENT_LIBRARIES,
    SAVED_SEARCHES,
    SEPARATOR,
)
from desktop_app.gui.shell.panes import PaneSwitch
from tests.gui.conftest import Kindred, choose, search


def _menus(bar: QMenuBar | QMenu) -> Iterator[QMenu | QMenuBar]:
    yield bar
    for action in bar.actions():
        if isinstance(menu := action.menu(), QMenu):
            yield from _menus(menu)


def test_no_two_entries_of_a_menu_share_a_letter(language: str, make: Callable[..., Kindred]) -> None:
    bar = make(show=False).window.menuBar()
    for menu in _menus(bar):
        texts = [action.text() for action in menu.actions() if not action.isSeparator()]
        letters = Counter(find_mnemonic(text) for text in texts)
        del letters[""]
        assert [letter for letter, times in letters.items() if times > 1] == []
        # An entry may have none only when no letters are left.
        spare = [text for text in texts if not find_mnemonic(text)]
        assert all(set(filter(str.isalpha, text.lower())) <= set(letters) for text in spare), spare


# Layout

MAX_ENTRIES = 12
LOW_SCREEN_PX = 700


def test_every_action_of_a_menu_has_one_place_in_it() -> None:
    places = [
        (action, menu)
        for menu, entries in MENU_LAYOUT.items()
        for entry in entries
        for action in ((entry,) if isinstance(entry, str) else entry.entries)
        if action not in (SEPARATOR, RECENT_LIBRARIES, SAVED_SEARCHES)
    ]
    menus = dict(places)
    assert len(places) == len(menus), "in two menus"
    wanted = {spec.id: spec.menu for spec in ACTION_SPECS if spec.menu}
    standard = {spec.id: "edit" for spec in STANDARD_EDIT_ACTIONS}  # what keys do anyhow is not in the palette
    manage = {"search.saved": "search"}  # below the saved searches
    assert menus | manage == wanted | standard


def test_menus_are_short_and_fit_on_a_low_screen(language: str, make: Callable[..., Kindred]) -> None:
    bar = make(show=False).window.menuBar()
    for menu in _menus(bar):
        assert len([action for action in menu.actions() if not action.isSeparator()]) <= MAX_ENTRIES, (
            menu.accessibleName()
        )
        assert menu.accessibleName() or menu is bar
        assert menu.sizeHint().height() < LOW_SCREEN_PX - bar.sizeHint().height(), menu.accessibleName()


def test_the_same_name_is_used_for_the_same_thing(kindred: Kindred) -> None:
    actions = kindred.window.action_table
    outside = plain_action_name(actions["document.open"])
    assert plain_action_name(actions["hit.open"]) == outside == "Open in Default App"


# The Edit menu


def press(kindred: Kindred, action: str) -> None:
    kindred.window.action_table[action].trigger()


def test_the_edit_menu_edits_the_text_that_has_the_focus(kindred: Kindred, qtbot: QtBot) -> None:
    box = kindred.window.search.box
    box.setFocus()
    qtbot.keyClicks(box, "bread")
    press(kindred, "edit.select_all")
    press(kindred, "edit.cut")
    assert (box.text(), QGuiApplication.clipboard().text()) == ("", "bread")
    press(kindred, "edit.paste")
    assert box.text() == "bread"
    press(kindred, "edit.undo")
    assert box.text() != "bread"
    press(kindred, "edit.redo")
    assert box.text() == "bread"


def test_the_edit_menu_does_what_the_keys_do_elsewhere(filled: Kindred, qtbot: QtBot) -> None:
    search(filled, qtbot, "bread")
    filled.window.search_pane.view.setFocus()
    press(filled, "edit.copy")
    assert QGuiApplication.clipboard().text().startswith("“Bread is mostly waiting.” (sea")
    choose(filled, "sea")
    press(filled, "document.remove")
    qtbot.waitUntil(lambda: "sea" not in filled.documents)
    press(filled, "edit.undo")
    qtbot.waitUntil(lambda: "sea" in filled.documents)


def enabled_edits(kindred: Kindred) -> set[str]:
    """Open the Edit menu; return which of its standard entries are enabled."""
    menu = kindred.window.menus.menus["edit"]
    menu.aboutToShow.emit()
    names = ("undo", "redo", "cut", "copy", "paste", "select_all", "find")
    return {name for name in names if kindred.window.action_table[f"edit.{name}"].isEnabled()}


def test_entries_of_the_edit_menu_are_enabled_when_they_can_act_in_a_text(kindred: Kindred, qtbot: QtBot) -> None:
    box = kindred.window.search.box
    box.setFocus()
    QGuiApplication.clipboard().clear()
    assert enabled_edits(kindred) == {"find"}
    qtbot.keyClicks(box, "bread")
    assert enabled_edits(kindred) == {"undo", "select_all", "find"}
    box.selectAll()
    assert enabled_edits(kindred) == {"undo", "cut", "copy", "select_all", "find"}
    press(kindred, "edit.cut")
    assert enabled_edits(kindred) == {"undo", "paste", "find"}
    press(kindred, "edit.undo")
    assert "redo" in enabled_edits(kindred)


def test_entries_of_the_edit_menu_are_enabled_when_they_can_act_in_a_list(filled: Kindred, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().clear()
    search(filled, qtbot, "bread")
    filled.window.search.box.setFocus()
    assert "copy" in enabled_edits(filled), "without selected text, the box copies the selected result"
    filled.window.search_pane.view.setFocus()
    assert enabled_edits(filled) == {"copy", "find"}
    choose(filled, "sea")
    assert "select_all" in enabled_edits(filled)
    assert "undo" not in enabled_edits(filled)
    press(filled, "document.remove")
    qtbot.waitUntil(lambda: "sea" not in filled.documents)
    filled.window.library_pane.view.setFocus()
    assert "undo" in enabled_edits(filled)


def test_the_keys_of_the_menu_bar_do_not_change_what_can_be_edited(kindred: Kindred, qtbot: QtBot) -> None:
    box = kindred.window.search.box
    box.setFocus()
    qtbot.keyClicks(box, "bread")
    kindred.window.menuBar().setFocus()
    assert "select_all" in enabled_edits(kindred)


def test_training_is_a_tool_and_no_button(kindred: Kindred, qtbot: QtBot) -> None:
    window = kindred.window
    names = [button.text().strip() for button in window.findChild(PaneSwitch).findChildren(QToolButton)]
    assert names == ["Search", "Check Draft", "Duplicates", "Topics"]
    for nth, pane in enumerate(("search", "trace", "pairs", "clusters", "train"), start=1):
        qtbot.keySequence(window, QKeySequence(f"Ctrl+{nth}"))
        assert window.panes.current.name == pane
    tools = next(menu for menu in _menus(window.menuBar()) if menu.accessibleName() == "Tools")
    assert "Train a Model…" in [action.text().replace("&", "") for action in tools.actions()]
