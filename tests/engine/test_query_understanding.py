"""Queries that the model cannot embed are recognised by their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.engine.query_understanding import QueryUnderstanding, understand_query
from tests.engine.fakes import HashingEncoder

ENGLISH = frozenset({"how", "high", "will", "the", "tide", "be", "warm", "garden", "rain", "wall", "depart", "ferry"})


class PiecesEncoder(HashingEncoder):
    """Has a piece for each English word; others fall into pieces of `letters` letters."""

    def __init__(self, languages: tuple[str, ...] = ("en",), letters: int = 2) -> None:
        super().__init__()
        self.model = replace(self.model, languages=languages)
        self._letters = letters

    def count_tokens(self, texts: Sequence[str]) -> NDArray[np.int64]:
        return np.array([2 + sum(map(self._count, text.split())) for text in texts], np.int64)

    def _count(self, word: str) -> int:
        return 1 if word in ENGLISH else -(-len(word) // self._letters)


class Words:
    """The words of a library."""

    def __init__(self, *words: str) -> None:
        self._words = words

    def has_word(self, word: str, *, is_beginning: bool = False) -> bool:
        return any(own.startswith(word) if is_beginning else own == word for own in self._words)


def understood(query: str, *library: str, encoder: HashingEncoder | None = None) -> QueryUnderstanding:
    return understand_query([query], encoder or PiecesEncoder(), Words(*library))  # type: ignore[arg-type]


@pytest.mark.parametrize("query", ["how high will the tide be", "warm rain", "2024", "XK-4711", "the warm garden wall"])
def test_words_of_the_model_are_known(query: str) -> None:
    assert understood(query) == QueryUnderstanding(True)


@pytest.mark.parametrize(
    "query",
    ["ferry departs", "ferries depart", "ferries departing", "warmest garden", "warmly", "ferry's wall", "departers"],
)
def test_forms_of_english_words_are_known(query: str) -> None:
    assert understood(query) == QueryUnderstanding(True)


@pytest.mark.parametrize(
    "query",
    ["asdkjhs qweoiued", "zxcvbing", "qwerlies", "lkjhgfer", "jardins", "asdkjh's", "mielies", "pouvoirs chantant"],
)
def test_an_english_ending_makes_no_word_known(query: str) -> None:
    assert not understood(query).is_known


def test_an_ending_that_other_languages_have_too_is_english_where_the_letters_do_not_look_like_those() -> None:
    assert understood("warmer garden").is_known
    assert not understood("rainer").is_known, "its letters look German"


def test_other_languages_have_other_endings() -> None:
    assert understood("ferry departs").is_known
    assert not understood("ferry departs", encoder=PiecesEncoder(("de",))).is_known


def test_a_word_of_the_library_that_is_a_function_word_elsewhere_is_known() -> None:
    como_lake = PiecesEncoder(letters=9)
    assert understood("como lake", encoder=como_lake) == QueryUnderstanding(False, "es"), "its words alone say so"
    assert understood("como lake", "como", "lake", encoder=como_lake) == QueryUnderstanding(True)
    assert understood("como nivel", "como", encoder=como_lake).language == "es"
    assert understood("por la sea", "por", "la", "sea", encoder=como_lake).language == "es", "several are evidence"


@pytest.mark.parametrize(
    "query", ["sea", "war", "son", "hat", "man", "sea level", "the open sea", "plus", "man of war"]
)
def test_an_english_word_that_other_languages_have_too_is_english(query: str) -> None:
    encoder = PiecesEncoder(letters=20)  # the model knows each of these words
    assert understood(query, encoder=encoder) == QueryUnderstanding(True)
    assert understood("war das die See", encoder=encoder).language == "de"


@pytest.mark.parametrize("query", ["y", "x y"])
def test_letters_alone_are_of_no_language(query: str) -> None:
    assert understood(query, encoder=PiecesEncoder(letters=20)) == QueryUnderstanding(True)


@pytest.mark.parametrize("query", ["asdkjh qweoiu", "zxcvbnm", "qwerqwer lkjhgf hjkl", "🔥"])
def test_nonsense_is_recognised(query: str) -> None:
    assert not understood(query).is_known


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("wie hoch ist die Flut im Hafen", "de"),
        ("pourquoi la mer monte-t-elle dans le port", "fr"),
        ("dlaczego śnimy", "pl"),
        ("Der Vertrag endet am 31. März 2024.", "de"),
        ("Die Frist beträgt drei Monate", "de"),
        ("明日の天気", "ja"),
        ("карта сокровищ", "ru"),
    ],
)
def test_a_foreign_language_is_named(query: str, language: str) -> None:
    assert understood(query) == QueryUnderstanding(False, language)


def test_words_of_the_library_are_known_also_while_they_are_typed() -> None:
    assert not understood("Baskervilles").is_known
    assert understood("Baskervilles", "baskervilles").is_known
    assert understood("Baskerv", "baskervilles").is_known
    assert not understood("Baskerv wall qwertz", "baskervilles").is_known  # an unfinished word is the last one


def test_a_model_of_many_languages_only_refuses_nonsense() -> None:
    for languages in ((), ("en", "de", "fr")):
        many = PiecesEncoder(languages, letters=4)
        assert understood("wie hoch ist die Flut im Hafen", encoder=many).is_known
        assert not understood("asdkjh qweoiu", encoder=PiecesEncoder(languages)).is_known
    assert understood("карта сокровищ", encoder=PiecesEncoder((), letters=4)).is_known
