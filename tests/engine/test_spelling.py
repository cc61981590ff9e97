"""Misspelt words of a query are replaced by words of the library, and nothing else is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from desktop_app.core.jobs import run_to_completion
from desktop_app.engine.spelling import suggest_spelling
from tests.engine.test_query_understanding import PiecesEncoder

LIBRARY = {"treasure": 9, "island": 5, "islands": 2, "garden": 4, "wall": 3, "livesey": 6, "smolett": 1, "broth": 2}


class CountedWords:
    """A library in which words are in so many sentences."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def has_word(self, word: str, *, is_beginning: bool = False) -> bool:
        return word.lower() in LIBRARY or (is_beginning and any(own.startswith(word.lower()) for own in LIBRARY))

    def count_words(self, words: Sequence[str]) -> dict[str, int]:
        self.asked += words
        return {word: LIBRARY[word] for word in words if word in LIBRARY}


def suggest(query: str, encoder: PiecesEncoder | None = None, words: CountedWords | None = None) -> str:
    return run_to_completion(
        suggest_spelling(query, encoder or PiecesEncoder(letters=4), words or CountedWords())  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("query", "suggested"),
    [
        ("the tresure will be high", "the treasure will be high"),
        ("the tresaure will be high", "the treasure will be high"),
        ("the treasuree, the iland", "the treasure, the island"),
        ("Tresure!", "Treasure!"),
        ("THE TRESURE", "the treasure"),
        ("the iland of Livesay", "the island of Livesey"),
        ("the garten wall", "the garden wall"),
        ("Tresure Iland", "Treasure Island"),
    ],
)
def test_a_letter_too_few_too_many_or_wrong_is_corrected(query: str, suggested: str) -> None:
    assert suggest(query) == suggested


@pytest.mark.parametrize(
    "query",
    [
        "the treasure island",  # right
        "the warm brother",  # a word, though the library has only "broth"
        "the wal will be warm",  # too short
        "the GARDN will be warm",  # an abbreviation
        "the Gardn will be warm",  # a name; the library has only the word
        "the Smolet will be warm",  # the library has that name once: misspelt itself, perhaps
        "the threasores will be warm",  # two letters
        '"tresure"',
        "tresure -gold",
        "title:tresure tide",
        "tresure | tide",
        "",
    ],
)
def test_everything_else_is_left_alone(query: str) -> None:
    assert not suggest(query)


def test_most_queries_cost_no_look_at_the_library() -> None:
    words = CountedWords()
    suggest("how high will the tide be", words=words)
    assert not words.asked


def test_a_model_of_several_languages_corrects_in_that_of_the_query() -> None:
    several = PiecesEncoder(("en", "de"), letters=4)
    assert suggest("where is the tresure buried on this island of the sea", several).startswith("where is the treasure")
    assert not suggest("wo ist der Goldschatz auf dieser Insel vergraben worden", several)


def test_a_language_without_a_dictionary_is_left_alone() -> None:
    assert not suggest("the tresure", PiecesEncoder(("fi",), letters=4))
