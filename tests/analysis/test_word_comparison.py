"""The words in which two sentences differ, and those that correspond."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.analysis.word_comparison import align_words, find_word_differences


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
        ("It costs 50 % more.", "It costs 50 € more.", ["%"], ["€"]),
        ("लड़का आया", "लड़की आया", ["लड़का"], ["लड़की"]),
        ("海面上昇", "海面", ["上昇"], []),
        ("海面は今年5cm上昇した。", "海面は去年5cm上昇した。", ["今"], ["去"]),
        ("น้ำทะเลสูงขึ้น", "น้ำทะเลต่ำขึ้น", ["สูง"], ["ต่ำ"]),
        ("Die 海面 steigt", "Das 海水 steigt", ["Die", "面"], ["Das", "水"]),
        ("It isn't so.", "It isn\u2019t so.", [], []),
        ("A nai\u0308ve idea", "A na\u00efve idea", [], []),
    ],
)
def test_words_that_are_not_in_the_other(a: str, b: str, only_a: list[str], only_b: list[str]) -> None:
    in_a, in_b = find_word_differences(a, b)
    assert [a[start:stop] for start, stop in in_a] == only_a
    assert [b[start:stop] for start, stop in in_b] == only_b
    assert find_word_differences(b, a)[0] == in_b or len(in_b) > 1


@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (6, 1), (5, 5), (4, 9), (9, 4), (30, 41)])
@pytest.mark.parametrize("seed", range(3))
def test_the_sum_is_the_highest(shape: tuple[int, int], seed: int) -> None:
    from scipy.optimize import linear_sum_assignment  # slow to import, and nothing else here needs it

    similarity = np.random.default_rng(seed).random(shape, np.float32)
    found = align_words(similarity)
    rows, columns = zip(*found, strict=True)
    assert len(set(rows)) == len(set(columns)) == min(shape)
    assert similarity[rows, columns].sum() == pytest.approx(
        similarity[linear_sum_assignment(similarity, maximize=True)].sum(), rel=1e-5
    )


def test_words_with_nothing_in_common_stay_alone() -> None:
    assert align_words(np.array([[0.9, -0.1], [0.8, -0.5]], np.float32)) == ((0, 0),)
    assert align_words(np.zeros((0, 3), np.float32)) == ()
    assert align_words(np.zeros((3, 0), np.float32)) == ()


def test_equal_words_give_an_alignment_too() -> None:
    assert len(align_words(np.ones((4, 4), np.float32))) == 4
