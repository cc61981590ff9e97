"""The words in which two sentences differ."""

from __future__ import annotations

import pytest

from desktop_app.analysis.word_differences import find_word_differences


@pytest.mark.parametrize(
    ("a", "b", "only_a", "only_b"),
    [
        ("The sea rises.", "The sea rises.", [], []),
        ("The sea rises!", "the SEA rises", [], []),
        ("The sea rises.", "The sea never rises.", [], ["never"]),
        ("It is 20 degrees.", "It is 30 degrees today.", ["20"], ["30", "today"]),
        ("A big red dog barks.", "A dog barks.", ["big red"], []),
        ("No, no dog.", "Dog.", ["No", "no"], []),
        ("It isn't safe.", "It is safe.", ["isn't"], ["is"]),
        ("", "One two", [], ["One two"]),
        ("Größe 🌊 zählt", "Größe zählt", [], []),
        ("海面上昇", "海面", ["海面上昇"], ["海面"]),
    ],
)
def test_words_that_are_not_in_the_other(a: str, b: str, only_a: list[str], only_b: list[str]) -> None:
    in_a, in_b = find_word_differences(a, b)
    assert [a[start:stop] for start, stop in in_a] == only_a
    assert [b[start:stop] for start, stop in in_b] == only_b
    assert find_word_differences(b, a)[0] == in_b or len(in_b) > 1
