"""Repeated passages: where they begin and end, what is in between, and how often they occur."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.analysis.repeated_passages import (
    align_passages,
    count_continued,
    find_repeated_passages,
    measure_overlap,
)
from desktop_app.core.jobs import run_to_completion


def found(
    *documents: list[int], near: tuple[tuple[int, int], ...] = (), where: str = "across", least: int = 2, **more: object
) -> list[list[tuple[int, int, int]]]:
    """The passages in documents of these sentence ids: (document, first ordinal, last ordinal) of each place."""
    places = np.array(
        [(each, number, at) for number, ids in enumerate(documents, start=1) for at, each in enumerate(ids)], np.int64
    )
    copies = np.array(near, np.int64).reshape(-1, 2)
    passages = run_to_completion(find_repeated_passages(places, copies, where=where, min_sentences=least, **more))
    return [
        [(int(places[each.first, 1]), int(places[each.first, 2]), int(places[each.last, 2])) for each in passage]
        for passage in passages
    ]


def test_a_passage_begins_and_ends_where_the_copy_does() -> None:
    assert found([1, 2, 3, 4, 5, 6], [11, 12, 3, 4, 5, 13]) == [[(1, 2, 4), (2, 2, 4)]]


def test_sentences_far_from_each_other_are_no_passage() -> None:
    def place(document: int, ordinals: list[int]) -> list[tuple[int, int, int]]:
        return [(sentence, document, ordinal) for sentence, ordinal in enumerate(ordinals)]

    for apart, count in (5, 1), (500, 0):  # the rows of a table are no sentences
        places = np.array(place(1, [0, 1 + apart]) + place(2, [0, 1 + apart]), np.int64)
        none = np.empty((0, 2), np.int64)
        found = run_to_completion(find_repeated_passages(places, none, where="across", min_sentences=2))
        assert len(found) == count


def test_one_sentence_is_no_passage() -> None:
    assert found([1, 2, 3], [11, 2, 13]) == []
    assert found([1, 2, 3, 4], [11, 2, 3, 13], least=3) == []


@pytest.mark.parametrize(
    ("copy", "place"),
    [
        ([1, 2, 4, 5, 6], (2, 0, 4)),  # one is skipped
        ([1, 2, 3, 90, 4, 5, 6], (2, 0, 6)),  # one is inserted
        ([1, 2, 90, 91, 4, 5, 6], (2, 0, 6)),  # one is rewritten as two
        ([1, 2, 33, 4, 5, 6], (2, 0, 5)),  # one is nearly the same
    ],
)
def test_a_changed_sentence_does_not_end_a_passage(copy: list[int], place: tuple[int, int, int]) -> None:
    assert found([1, 2, 3, 4, 5, 6], copy, near=((3, 33),)) == [[(1, 0, 5), place]]


def test_two_passages_far_apart_stay_two() -> None:
    first = [1, 2, 3, *range(20, 30), 4, 5, 6]
    assert found(first, [1, 2, 3, *range(40, 50), 4, 5, 6]) == [[(1, 0, 2), (2, 0, 2)], [(1, 13, 15), (2, 13, 15)]]


def test_nearly_equal_sentences_alone_make_a_passage() -> None:
    assert found([1, 2, 3], [11, 12, 13], near=((1, 11), (2, 12), (3, 13))) == [[(1, 0, 2), (2, 0, 2)]]


def test_repetitions_within_a_document_do_not_hide_places_in_others() -> None:
    often = [each for number in range(100, 110) for each in (1, 2, 3, number, number + 100, number + 200)]
    every = [(2, 6 * at, 6 * at + 2) for at in range(10)]
    assert found([1, 2, 3], often, [1, 2, 3]) == [[(1, 0, 2), *every, (3, 0, 2)]]
    assert found([1, 2, 3], often) == [[(1, 0, 2), *every]]
    assert found([7], often, [1, 2, 3]) == [[*every, (3, 0, 2)]]


def test_a_passage_of_a_document_has_all_its_places() -> None:
    documents = [[1, 2, 3, number] for number in range(100, 120)]
    every = [(number, 0, 2) for number in range(1, 21)]
    assert found(*documents, touching=frozenset({3})) == [every]
    assert found(*documents, touching=frozenset({3}), where="anywhere") == [every]
    assert found([7, 8], *documents, [8, 9], touching=frozenset({1})) == []


def test_several_places_are_one_passage() -> None:
    copies = [[1, 2, 3, 4]] * 12
    assert found(*copies) == [[(number, 0, 3) for number in range(1, 13)]]
    assert found([1, 2, 3, 4, 5], [9, 1, 2, 3, 4], [2, 3, 4, 5, 8]) == [[(1, 0, 4), (2, 1, 4), (3, 0, 3)]]


def test_what_only_some_places_have_is_a_passage_of_its_own() -> None:
    assert found([8, 2, 3, 4, 9], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]) == [
        [(2, 0, 4), (3, 0, 4)],
        [(1, 1, 3), (2, 1, 3), (3, 1, 3)],
    ]


def test_a_common_sentence_does_not_hide_a_copy() -> None:
    noise = [[7, 100 + n] for n in range(30)]
    assert found([1, 7, 3, 50], *noise, [60, 1, 7, 3]) == [[(1, 0, 2), (32, 1, 3)]]


def test_passages_within_one_document() -> None:
    twice = [1, 2, 3, 50, 51, 52, 53, 1, 2, 3]
    assert found(twice) == []
    assert found(twice, where="within") == found(twice, where="anywhere") == [[(1, 0, 2), (1, 7, 9)]]
    assert found(twice, [1, 2, 3], where="anywhere") == [[(1, 0, 2), (1, 7, 9), (2, 0, 2)]]
    assert found([1, 1, 1, 1], where="within", least=3) == [], "a place does not overlap itself"


def test_a_text_that_is_repeated_in_a_row_has_a_place_for_each_repetition() -> None:
    assert found([1, 2, 3] * 4, where="within") == [[(1, 0, 2), (1, 3, 5), (1, 6, 8), (1, 9, 11)]]


def test_passages_do_not_cross_documents() -> None:
    assert found([9, 1], [2, 8], [1, 2]) == []


def test_only_passages_of_some_documents() -> None:
    documents = [1, 2, 3], [1, 2, 3, 60, 61, 62], [60, 61, 62]
    assert len(found(*documents)) == 2
    assert found(*documents, touching=frozenset({3})) == [[(2, 3, 5), (3, 0, 2)]]


def test_the_longest_come_first_and_parts_of_them_are_not_listed() -> None:
    assert found([1, 2, 60, 61, 62], [60, 61, 62, 70, 1, 2]) == [[(1, 2, 4), (2, 0, 2)], [(1, 0, 1), (2, 4, 5)]]


def test_copied_sentences_are_aligned() -> None:
    a = ["The sea rises.", "Ice melts in the north.", "Towns adapt slowly to it.", "Nobody knows."]
    b = ["The sea rises!", "It was hot.", "Ice melts in the far north.", "Nobody knows."]
    assert align_passages(a, b) == [(0, 0), (None, 1), (1, 2), (2, None), (3, 3)]
    assert align_passages(a, a) == [(n, n) for n in range(4)]
    assert align_passages([], b[:1]) == [(None, 0)]


def test_a_long_copy_with_a_change_in_every_sentence_is_aligned() -> None:
    rng = np.random.default_rng(1)
    a = [" ".join(f"w{n}" for n in rng.integers(0, 500, 8)) for _ in range(300)]
    b = [f"{text} more" for text in a]
    assert align_passages(a, [*b[:100], "something else entirely", *b[100:]]) == [
        *((n, n) for n in range(100)),
        (None, 100),
        *((n, n + 1) for n in range(100, 300)),
    ]


def test_overlap_is_the_share_of_common_words() -> None:
    assert measure_overlap(["The sea rises."], ["the SEA rises"]) == 1.0
    assert measure_overlap(["a b c", "d"], ["a b c", "e"]) == pytest.approx(0.75)
    assert measure_overlap(["a"], ["b"]) == 0.0


A, B, OTHER = "The tide came in at noon.", "Nobody saw the old boat.", "All of it was said before."


@pytest.mark.parametrize(
    ("neighbours", "counts"),
    [
        ([[A, B, OTHER], [f"{A[:-1]}; {B}", "Another end."]], [2, 1]),  # two sentences are one in the copy
        ([[A, OTHER], [f"{A[:-1]}; nothing followed."]], [1, 1]),  # one is the beginning of another
        ([[A, B], [f"{A} {B}"], [A, OTHER]], [1, 1, 1]),  # what one of three does not have is left out
        ([[A, B], [OTHER, B]], [0, 0]),
        ([["The end.", A], ["The end of it."]], [0, 0]),  # too few words
        ([["The tide came in at one.", B], [A, B]], [0, 0]),
        ([[], [A]], [0, 0]),
    ],
)
def test_a_passage_goes_on_word_for_word_where_sentences_are_divided_in_another_way(
    neighbours: list[list[str]], counts: list[int]
) -> None:
    assert count_continued(neighbours) == counts


def test_a_passage_begins_where_the_words_before_it_begin_to_be_the_same() -> None:
    assert count_continued([[B, A, OTHER], [f"Then {A[:-1]}, {B}"]], backwards=True) == [2, 1]
    assert count_continued([[B, A], [f"Long ago {B}"]], backwards=True) == [1, 1]
    assert count_continued([[B], [f"{B[:-1]} again."]], backwards=True) == [0, 0]
