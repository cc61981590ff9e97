"""Custom shortcuts: chosen in the preferences, applied at once, saved, and never used twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktop_app.gui.base.actions import ActionTable
from desktop_app.gui.help.shortcuts_dialog import ShortcutsDialog
from desktop_app.gui.preferences.dialog import PreferencesDialog
from desktop_app.gui.preferences.shortcuts_page import ShortcutsPage
from tests.gui.conftest import Kindred

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def page(kindred: Kindred) -> Iterator[ShortcutsPage]:
    kindred.window.preferences.show("keyboard")
    (dialog,) = [each for each in kindred.window.findChildren(PreferencesDialog) if each.isVisible()]
    page = dialog.findChild(ShortcutsPage)
    assert page is not None
    yield page
    dialog.close()


def _choose(page: ShortcutsPage, name: str) -> int:
    """Select an action by typing its name."""
    page.filter.clear()
    QTest.keyClicks(page.filter, name)
    row = page.table.currentRow()
    assert page.table.item(row, 0).text() == name
    return row


def _keys(actions: ActionTable, action_id: str) -> list[str]:
    return [key.toString(QKeySequence.SequenceFormat.PortableText) for key in actions[action_id].shortcuts()]


def test_a_changed_shortcut_applies_at_once_and_is_saved(page: ShortcutsPage, kindred: Kindred) -> None:
    actions = kindred.window.action_table
    row = _choose(page, "Manual")
    QTest.keyClick(page.field, Qt.Key.Key_M, CONTROL | Qt.KeyboardModifier.AltModifier)
    page.use.click()
    assert _keys(actions, "app.manual") == ["Ctrl+Alt+M"]
    assert kindred.saved[-1].shortcuts == {"app.manual": "Ctrl+Alt+M"}
    assert page.table.item(row, 2).text() == "Ctrl+Alt+M"
    assert "(Ctrl+Alt+M)" in actions["app.manual"].toolTip()


def test_the_shortcut_sheet_shows_custom_shortcuts(page: ShortcutsPage, kindred: Kindred) -> None:
    _choose(page, "Manual")
    QTest.keyClick(page.field, Qt.Key.Key_M, CONTROL | Qt.KeyboardModifier.AltModifier)
    page.use.click()
    sheet = ShortcutsDialog(kindred.window.action_table, kindred.window)
    assert "Ctrl+Alt+M" in [each.text() for each in sheet.findChildren(QLabel)]
    sheet.close()


def test_the_action_that_has_a_shortcut_is_named_and_loses_it(page: ShortcutsPage, kindred: Kindred) -> None:
    actions = kindred.window.action_table
    (taken, *_) = _keys(actions, "app.palette")
    assert taken == "Ctrl+Shift+P"
    _choose(page, "Manual")
    QTest.keyClick(page.field, Qt.Key.Key_P, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert "Command Palette" in page.message.text()
    page.use.click()
    assert _keys(actions, "app.manual") == ["Ctrl+Shift+P"]
    assert _keys(actions, "app.palette") == []
    page.default.click()
    assert _keys(actions, "app.palette") == ["Ctrl+Shift+P"], "it is restored when it is free again"
    assert _keys(actions, "app.manual") == ["F1", "Help"]


def test_the_later_of_two_choices_wins(page: ShortcutsPage, kindred: Kindred) -> None:
    for name in ("Manual", "Licences"):
        _choose(page, name)
        QTest.keyClick(page.field, Qt.Key.Key_M, CONTROL | Qt.KeyboardModifier.AltModifier)
        page.use.click()
    assert kindred.saved[-1].shortcuts == {"app.licences": "Ctrl+Alt+M"}


def test_an_action_can_have_no_shortcut(page: ShortcutsPage, kindred: Kindred) -> None:
    _choose(page, "Keyboard Shortcuts")
    page.none.click()
    assert _keys(kindred.window.action_table, "app.shortcuts") == []
    assert not page.none.isEnabled()
    page.all_default.click()
    assert "Ctrl+/" in _keys(kindred.window.action_table, "app.shortcuts")
    assert kindred.saved[-1].shortcuts == {}


def test_a_key_for_typing_is_refused(page: ShortcutsPage, kindred: Kindred) -> None:
    _choose(page, "Manual")
    QTest.keyClick(page.field, Qt.Key.Key_M)
    assert "Use Ctrl, Alt" in page.message.text()
    assert not page.use.isEnabled()
    QTest.keyClick(page.field, Qt.Key.Key_F6)
    assert page.use.isEnabled()


def test_nothing_is_assigned_while_no_action_matches(page: ShortcutsPage) -> None:
    QTest.keyClicks(page.filter, "qqqq")
    assert not any(each.isEnabled() for each in (page.field, page.use, page.none, page.default))
    page.filter.clear()
    assert page.field.isEnabled()


def test_custom_shortcuts_work_from_the_start(make: Callable[..., Kindred], qtbot: QtBot) -> None:
    kindred = make(shortcuts={"app.preferences": "F7", "gone.action": "F8"})
    qtbot.waitUntil(lambda: kindred.window.session.phase == "ready" and kindred.window.isActiveWindow())
    qtbot.keySequence(kindred.window, QKeySequence("F7"))
    dialog = kindred.window.findChild(PreferencesDialog)
    assert dialog is not None
    dialog.close()
