"""The words of the selected hit that contribute most to its similarity are shaded."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from desktop_app.gui.search.word_relevance import word_shades
from tests.gui.conftest import Kindred, search


class TestShades:
    def test_the_nearest_words_are_shaded_and_stop_words_are_not(self) -> None:
        text = "Warm seas rise, and the seas fall."
        words = ["Warm", "seas", "rise", ",", "and", "the", "seas", "fall", "."]
        near = [0.4, 0.9, 0.6, 0.99, 0.95, 0.9, 0.8, 0.3, 0.99]
        found = word_shades(text, words, near)
        assert [(text[start : start + length], round(strength, 2)) for start, length, strength in found] == [
            ("seas", 1.0),
            ("rise", 0.4),
            ("seas", 0.8),
        ]
        assert [start for start, _, _ in found] == [5, 10, 24]

    def test_a_sentence_of_one_word_or_none_is_accepted(self) -> None:
        assert word_shades("Seas.", ["Seas", "."], [0.5, 0.9]) == [(0, 4, 1.0)]
        assert word_shades("Of the.", ["Of", "the", "."], [0.5, 0.4, 0.9]) == []
        assert word_shades("Other text.", ["gone"], [0.9]) == []


def test_the_selected_hit_is_shaded_after_a_short_pause(filled: Kindred, qtbot: QtBot) -> None:
    window = filled.window
    cards = window.search_pane._cards
    search(filled, qtbot, "rises water")
    hit = window.search_pane.current
    qtbot.waitUntil(lambda: cards._shades[0] == hit.sentence_id)
    shaded = [hit.text[start : start + length] for start, length, _ in cards._shades[1]]
    assert set(shaded) == {"rises", "water"}
    window.search_pane.view.grab()
    window.search_pane.step(1)
    second = window.search_pane.current
    qtbot.waitUntil(lambda: cards._shades[0] == second.sentence_id)
