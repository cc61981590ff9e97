"""How rare words are."""

from __future__ import annotations

import pytest

from desktop_app.encoder.word_rarity import WordRarity

TEXTS = ["How deep is the harbour?", "How old is the bridge?", "How far is the harbour?", "The harbour, the harbour"]


def test_a_word_in_fewer_texts_is_rarer_and_one_text_counts_once() -> None:
    rarity = WordRarity.count(TEXTS[:2], TEXTS[2:])
    assert rarity.texts == 4
    assert rarity.of("the") < rarity.of("harbour") < rarity.of("bridge")
    assert rarity.of("how") == rarity.of("harbour"), "in three texts each"
    assert rarity.weigh(["the", "bridge"]) == pytest.approx(rarity.of("the") + rarity.of("bridge"))


def test_a_word_in_fewer_than_three_texts_leaves_no_trace() -> None:
    rarity = WordRarity.count(TEXTS)
    assert rarity.of("bridge") == rarity.of("unheard-of")


def test_function_words_of_many_texts_are_dropped_and_others_stay() -> None:
    rarity = WordRarity.count(TEXTS)
    assert rarity.drop_common({"how", "the", "harbour", "without"}) == {"harbour", "without"}
