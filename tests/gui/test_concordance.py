"""Hits of a search by words on one line each, the words below each other."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from desktop_app.gui.concordance import ConcordanceDelegate, keyword
from tests.gui.conftest import Kindred, search


def test_the_column_has_the_word_or_another_form_of_it() -> None:
    text = "Warm seas are rising (slowly), says the paper."
    assert keyword(text, frozenset({"rising"})) == (14, 6)
    assert keyword(text, frozenset({"rises"})) == (14, 6)
    assert keyword(text, frozenset({"rice"})) == (0, 0)
    assert keyword(text, frozenset({"slower"})) == (22, 6)
    assert keyword("", frozenset({"sea"})) == (0, 0)
    assert keyword(text, frozenset()) == (0, 0)


def test_it_is_a_view_of_a_search_by_words(filled: Kindred, qtbot: QtBot) -> None:
    window = filled.window
    pane, actions = window.search_pane, window.actions_table
    actions["search.concordance"].setChecked(True)
    search(filled, qtbot, "sea")
    assert not isinstance(pane.view.itemDelegate(), ConcordanceDelegate), "meaning has no column"
    tall = pane.view.visualRect(window.hits.index(0)).height()
    actions["search.mode.words"].trigger()
    qtbot.waitUntil(lambda: window.hits.result is not None and window.hits.result.mode == "words")
    assert isinstance(pane.view.itemDelegate(), ConcordanceDelegate)
    assert pane.view.visualRect(window.hits.index(0)).height() < tall / 2
    pane.view.grab()
    pane.step(1)
    assert pane.current is not None
    actions["search.concordance"].setChecked(False)
    assert not isinstance(pane.view.itemDelegate(), ConcordanceDelegate)
