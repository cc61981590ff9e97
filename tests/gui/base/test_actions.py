"""The table of actions: shortcuts, tips, groups, refusals."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.gui.base.actions import (
    ActionSpec,
    ActionTable,
    ShortcutTip,
    format_shortcuts,
    plain_action_name,
    shortcuts_overlap,
)

_ROWS = (
    ActionSpec("file.open", "&Open…", "file", (QKeySequence.StandardKey.Open,), tip="Choose a file."),
    ActionSpec("file.print", "&Print", "file", ("Ctrl+P", "F9", "Ctrl+P"), starts_disabled=True),
    ActionSpec("hit.copy", "&Copy", "edit", ("Ctrl+K",), pane="hits"),
    ActionSpec("page.copy", "Copy &Page", "edit", ("Ctrl+K",), pane="page"),
    ActionSpec("view.light", "&Light", "view", group="theme"),
    ActionSpec("view.dark", "&Dark", "view", group="theme"),
    ActionSpec("view.bar", "&Bar", "view", icon="search", checkable=True),
)


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def _keys(action: QAction) -> list[str]:
    return [key.toString(QKeySequence.SequenceFormat.PortableText) for key in action.shortcuts()]


def test_each_row_is_an_action_with_its_keys_tip_and_place(window: QWidget) -> None:
    table = ActionTable(window, _ROWS)
    assert [(spec.id, action.objectName()) for spec, action in table.rows()] == [(row.id, row.id) for row in _ROWS]
    assert [spec.id for spec, _ in table.menu_rows("edit")] == ["hit.copy", "page.copy"]
    assert "file.open" in table
    assert "file.close" not in table
    assert _keys(table["file.print"]) == ["Ctrl+P", "F9"]
    assert table["file.open"].toolTip() == "Choose a file. (Ctrl+O)"
    assert table["view.bar"].toolTip() == "Bar"
    assert [action.isEnabled() for _, action in table.rows()] == [row.id != "file.print" for row in _ROWS]
    assert [spec.id for spec, action in table.rows() if action.isCheckable()] == ["view.light", "view.dark", "view.bar"]
    assert not table["view.bar"].isIconVisibleInMenu()
    assert not table["view.bar"].icon().isNull()
    of_a_pane = Qt.ShortcutContext.WidgetWithChildrenShortcut
    assert [spec.id for spec, a in table.rows() if a.shortcutContext() == of_a_pane] == ["hit.copy", "page.copy"]
    assert [action.objectName() for action in window.actions()] == [row.id for row in _ROWS if not row.pane]
    table.add_to_pane("page", pane := QWidget(window))
    assert [action.objectName() for action in pane.actions()] == ["page.copy"]
    table["view.light"].setChecked(True)
    table["view.dark"].setChecked(True)
    assert not table["view.light"].isChecked()


def test_a_chosen_key_is_taken_from_those_that_it_would_conflict_with(window: QWidget) -> None:
    table = ActionTable(window, _ROWS, {"view.bar": "Ctrl+P", "file.open": "", "page.copy": "F9"})
    assert _keys(table["view.bar"]) == ["Ctrl+P"]
    assert _keys(table["file.open"]) == []
    assert _keys(table["file.print"]) == [], "F9 of a pane would conflict with F9 of the window"
    table.assign({"page.copy": "Ctrl+K"})
    assert _keys(table["hit.copy"]) == ["Ctrl+K"], "two panes may have the same key"
    assert _keys(table["file.open"])[0] == "Ctrl+O", "the key of the table is back"
    table.assign({"file.print": "Ctrl+K"})
    assert _keys(table["hit.copy"]) == _keys(table["page.copy"]) == []
    assert table["hit.copy"].toolTip() == "Copy"


def test_the_owner_of_a_key_is_named_but_never_the_one_that_asks(window: QWidget) -> None:
    table = ActionTable(window, _ROWS)
    key = QKeySequence("Ctrl+K")
    assert table.shortcut_owner(key, "file.print") is table["hit.copy"]
    assert table.shortcut_owner(key, "hit.copy") is None
    assert table.shortcut_owner(QKeySequence("F9"), "hit.copy") is table["file.print"]
    assert table.shortcut_owner(QKeySequence("F8"), "hit.copy") is None
    anywhere, hits, page = _ROWS[0], _ROWS[2], _ROWS[3]
    assert shortcuts_overlap(anywhere, hits)
    assert shortcuts_overlap(hits, anywhere)
    assert shortcuts_overlap(hits, hits)
    assert not shortcuts_overlap(hits, page)


def test_a_refused_action_stays_disabled_until_it_is_allowed_again(window: QWidget) -> None:
    table = ActionTable(window, _ROWS)
    table.refuse({"file.open": "You may only read.", "file.print": "You may only read."})
    table.enable(["file.open", "hit.copy"], True)
    assert [table[name].isEnabled() for name in ("file.open", "file.print", "hit.copy")] == [False, False, True]
    assert table["file.open"].toolTip() == "You may only read."
    table.refuse({})
    assert [table[name].isEnabled() for name in ("file.open", "file.print")] == [True, False], "as features want"
    assert table["file.open"].toolTip() == "Choose a file. (Ctrl+O)"
    table.enable(["file.open"], False)
    assert not table["file.open"].isEnabled()


def test_handlers_are_called_without_the_tick(window: QWidget) -> None:
    table = ActionTable(window, _ROWS)
    called: list[str] = []
    table.bind({name: lambda name=name: called.append(name) for name in ("file.open", "view.bar")})
    table["view.bar"].trigger()
    table["file.open"].trigger()
    assert called == ["view.bar", "file.open"]


def test_names_and_keys_are_shown_as_a_person_knows_them(window: QWidget) -> None:
    table = ActionTable(window, _ROWS)
    assert plain_action_name(table["file.open"]) == "Open"
    table["view.bar"].setText("&Bar\tCtrl+B")
    assert plain_action_name(table["view.bar"]) == "Bar"
    assert len(format_shortcuts(_ROWS[0], table["file.open"])) == 1, "few keyboards have a key Open"
    assert [key.toString() for key in format_shortcuts(_ROWS[1], table["file.print"])] == ["Ctrl+P", "F9"]
    table.assign({"file.print": "F8"})
    assert [key.toString() for key in format_shortcuts(_ROWS[1], table["file.print"])] == ["F8"]


def test_a_tip_names_the_shortcut_that_the_person_chose(window: QWidget) -> None:
    table = ActionTable(window, _ROWS)
    button = QPushButton(window)
    own = QPushButton(window)
    ShortcutTip(button, table["file.open"], "Open a letter")
    ShortcutTip(own, table["file.open"])
    assert (button.toolTip(), own.toolTip()) == ("Open a letter (Ctrl+O)", "Choose a file. (Ctrl+O)")
    table.assign({"file.open": "F8"})
    assert (button.toolTip(), own.toolTip()) == ("Open a letter (F8)", "Choose a file. (F8)")
    table.assign({"file.open": ""})
    assert (button.toolTip(), own.toolTip()) == ("Open a letter", "Choose a file.")
