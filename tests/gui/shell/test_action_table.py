"""Which actions of the table can be used when."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.gui.base.actions import ActionTable
from desktop_app.gui.shell.action_table import ACTION_SPECS
from tests.gui.conftest import Kindred, choose, search

WITH_TOPICS = "export keys merge pin rename split undo update"
WITH_COLLECTIONS = "forget keys pairs rename search_here"
WITH_DOCUMENTS = (
    "cite collect copy_link copy_path details keys open pairs password recognise reference relink remove rename retry"
    " search_here show_in_folder tag uncollect undo_remove"
)
WITH_RESULTS = (
    "cite compare copy copy_bibtex copy_citation copy_link copy_markdown keys less more next not_relevant open"
    " pin previous relevant show_in_folder"
)
WITH_PAIRS = "compare copy different export open reviewed same"
WITH_DRAFT = "again export import next previous"
OTHERS = {
    *(
        "hits.export",
        "search.copy_link",
        "search.save",
        "search.everywhere",
        "search.match.all",
        "search.match.any",
        "search.rerank",
    ),
    *("annotation.save_copy", "annotation.undo"),
    *("library.failed_only", "library.missing_only", "reader.next_tab", "reader.open_tab", "reader.previous_tab"),
}


def named(group: str, names: str) -> set[str]:
    return {f"{group}.{name}" for name in names.split()}


def disabled(kindred: Kindred) -> set[str]:
    return {spec.id for spec in ACTION_SPECS if not kindred.window.action_table[spec.id].isEnabled()}


def test_no_two_actions_that_can_apply_at_the_same_time_have_the_same_shortcut(qapp: QApplication) -> None:
    table = ActionTable(window := QWidget(), ACTION_SPECS)
    owners = [
        f"{spec.id} and {other.objectName()}: {key.toString()}"
        for spec, action in table.rows()
        for key in action.shortcuts()
        if (other := table.shortcut_owner(key, spec.id)) is not None
    ]
    window.deleteLater()
    assert not owners


def test_without_anything_to_act_on_only_general_actions_are_enabled(kindred: Kindred) -> None:
    assert disabled(kindred) == OTHERS.union(
        named("clusters", WITH_TOPICS),
        named("collection", WITH_COLLECTIONS),
        named("document", WITH_DOCUMENTS),
        named("hit", WITH_RESULTS),
        named("pair", WITH_PAIRS),
        named("trace", WITH_DRAFT),
    )


def test_results_and_a_selected_document_enable_their_actions(filled: Kindred, qtbot: QtBot) -> None:
    before = disabled(filled)
    search(filled, qtbot, "sea")
    assert before - disabled(filled) == {
        *named("hit", WITH_RESULTS),
        *("hits.export", "reader.open_tab", "search.copy_link", "search.save"),
    }
    before = disabled(filled)
    choose(filled, "sea")
    unneeded = "password recognise uncollect undo_remove"
    assert before - disabled(filled) == named("document", WITH_DOCUMENTS) - named("document", unneeded)


def test_macos_finds_its_own_entries_by_their_roles_and_never_by_the_words_of_a_language(qapp: QApplication) -> None:
    table = ActionTable(window := QWidget(), ACTION_SPECS)
    roles = {spec.id: action.menuRole() for spec, action in table.rows()}
    window.deleteLater()
    assert {action_id: role for action_id, role in roles.items() if role != QAction.MenuRole.NoRole} == {
        "app.about": QAction.MenuRole.AboutRole,
        "app.preferences": QAction.MenuRole.PreferencesRole,
        "app.quit": QAction.MenuRole.QuitRole,
    }


def test_no_shortcut_on_macos_is_one_that_the_system_takes(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    table = ActionTable(window := QWidget(), ACTION_SPECS)
    keys = {key.toString(): spec.id for spec, action in table.rows() for key in action.shortcuts()}
    clashes = [
        spec.id for spec, action in table.rows() for key in action.shortcuts() if table.shortcut_owner(key, spec.id)
    ]
    shown = table["reader.next_tab"].toolTip()
    window.deleteLater()
    # The next program, hide the others, log out, force quit, lock the screen; Qt calls Command "Ctrl", Control "Meta".
    taken = {"Ctrl+Tab", "Ctrl+Shift+Tab", "Ctrl+Alt+H", "Ctrl+H", "Ctrl+Shift+Q", "Ctrl+Alt+Esc", "Ctrl+Meta+Q"}
    assert not taken & keys.keys()
    assert keys["Meta+Tab"] == "reader.next_tab"
    assert keys["Ctrl+Backspace"] == "document.remove"
    assert "Meta" in shown
    assert clashes == []
