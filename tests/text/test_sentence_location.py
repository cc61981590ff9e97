"""A sentence is found on a page by its letters."""

from __future__ import annotations

import pytest

from desktop_app.text.sentence_location import PageLetters, extract_letters

PAGE = "Summary. The sea rises. Ice melts, and\nthe ﬁsh move north. (“The sea rises.”) References."


def found(sentence: str, expected: float = 0.0, page: str = PAGE) -> str | None:
    place = PageLetters([ord(character) for character in page]).find(sentence, expected)
    return None if place is None else page[slice(*place)]


def test_letters_are_compared_whatever_the_blanks_and_ligatures() -> None:
    assert extract_letters("The ﬁsh, 2!") == "thefish2"
    assert found("Ice melts, and the fish move north.") == "Ice melts, and\nthe ﬁsh move north."


@pytest.mark.parametrize(("expected", "which"), [(0.0, 0), (0.3, 0), (0.7, 1), (1.0, 1)])
def test_of_several_occurrences_the_nearest_to_the_expected_place_counts(expected: float, which: int) -> None:
    place = PageLetters([ord(character) for character in PAGE]).find("The sea rises.", expected)
    assert place is not None
    starts = [at for at in range(len(PAGE)) if PAGE.startswith("The sea rises.", at)]
    assert place[0] == starts[which]


def test_quotes_and_brackets_of_the_sentence_belong_to_it() -> None:
    assert found("(“The sea rises.”)", 1.0) == "(“The sea rises.”)"
    assert found("The sea rises.", 1.0) == "The sea rises."


def test_a_sentence_that_was_read_slightly_differently_is_found() -> None:
    assert found("Ice melts, end the fish move morth.") == "Ice melts, and\nthe ﬁsh move north."


@pytest.mark.parametrize("sentence", ["", "…", "A sentence about another subject entirely.", "x" * 500])
def test_what_is_not_there_is_not_found(sentence: str) -> None:
    assert found(sentence) is None
    assert found("The sea rises.", page="") is None
