"""Hits of a search by words on one line each, with the words aligned in a column."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from desktop_app.core.query import parse_query
from desktop_app.gui.results.concordance import ConcordanceDelegate, find_keyword
from desktop_app.gui.results.highlighting import find_highlight_terms
from tests.gui.conftest import Kindred, search


def column(text: str, query: str) -> str:
    start, length = find_keyword(text, find_highlight_terms(parse_query(query)))
    return f"{start} {text[start : start + length]}".strip()


def test_the_column_shows_the_found_form_of_the_word_or_the_phrase() -> None:
    text = "Warm seas are rising (slowly), says the paper on rising seas."
    assert column(text, "rising") == column(text, "rises") == "14 rising"
    assert column(text, "rice") == "0"
    assert column(text, "slow") == "0", "the index does not find it either"
    assert column(text, '"rising seas"') == "49 rising seas"
    assert column("", "sea") == column(text, "") == "0"


def test_the_concordance_is_a_view_of_a_search_by_words(filled: Kindred, qtbot: QtBot) -> None:
    window = filled.window
    pane, actions = window.search_pane, window.action_table
    actions["search.concordance"].setChecked(True)
    search(filled, qtbot, "sea")
    assert not isinstance(pane.view.itemDelegate(), ConcordanceDelegate), "a search by meaning has no column"
    tall = pane.view.visualRect(window.search_pane.model.index(0)).height()
    actions["search.mode.words"].trigger()
    qtbot.waitUntil(
        lambda: window.search_pane.model.result is not None and window.search_pane.model.result.mode == "words"
    )
    assert isinstance(pane.view.itemDelegate(), ConcordanceDelegate)
    assert pane.view.visualRect(window.search_pane.model.index(0)).height() < tall / 2
    pane.view.grab()
    pane.step(1)
    assert pane.current is not None
    actions["search.concordance"].setChecked(False)
    assert not isinstance(pane.view.itemDelegate(), ConcordanceDelegate)


def test_asking_for_the_concordance_searches_for_sentences_by_words(filled: Kindred, qtbot: QtBot) -> None:
    window = filled.window
    actions = window.action_table
    search(filled, qtbot, "sea")
    actions["search.by_document"].trigger()
    actions["search.concordance"].trigger()
    qtbot.waitUntil(lambda: isinstance(window.search_pane.view.itemDelegate(), ConcordanceDelegate))
    assert actions["search.mode.words"].isChecked()
    assert not actions["search.by_document"].isChecked()
    actions["search.concordance"].trigger()
    assert not isinstance(window.search_pane.view.itemDelegate(), ConcordanceDelegate)
    assert actions["search.mode.words"].isChecked(), "the search stays as it is"
