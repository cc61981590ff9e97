"""Similar pairs of a library, and their kinds."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.analysis import duplicates, neighbour_graph
from desktop_app.analysis.duplicates import (
    DuplicateCandidate,
    SentencePlaces,
    classify_pair,
    classify_word_overlap,
    iter_duplicates,
    mask_numbers,
)
from desktop_app.analysis.neighbour_graph import NEIGHBOURS, NeighbourGraph, NeighbourLists
from desktop_app.core.duplicates import CLOSE, RELATED, PairVerdict
from desktop_app.core.jobs import run_to_completion


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("It rains.", "It rains!", "exact"),
        ("it  RAINS", "It rains.", "exact"),
        ("The ice melts faster every year.", "The ice melts much faster every year.", "near"),
        ("The ice melts faster every year.", "Year after year glaciers vanish more quickly.", "other"),
        ("The ice melts - by 3-5 percent.", "> The ice melts by 3–5 percent", "exact"),
        ("The discount is 50 % on everything.", "The discount is 50 € on everything.", "near"),
        ("The ice melts at -5 degrees.", "The ice melts at 5 degrees.", "near"),
        ("A value of x < 5 is safe here.", "A value of x > 5 is safe here.", "near"),
        # A boy and a girl, who differ in vowels only, and so do their verbs.
        ("लड़का घर जाता है और खाना खाता है", "लड़की घर जाती है और खाना खाती है", "other"),
        ("…", "!!", "other"),
        ("", "", "exact"),
        ("A nai\u0308ve idea is here.", "A na\u00efve idea is here.", "exact"),
    ],
)
def test_kinds(a: str, b: str, kind: str) -> None:
    assert classify_word_overlap(a, b) == classify_word_overlap(b, a) == kind


def test_very_long_texts_are_near_copies_by_their_beginnings_if_they_are_as_long() -> None:
    text = "The old ice melts faster every year. " * 2000
    assert classify_word_overlap(text, text.upper()) == "exact"
    assert classify_word_overlap(text, f"{text}It rains.") == "near"
    assert classify_word_overlap(f"{text}{'Sun. ' * 9000}", f"{text}{'Rain. ' * 9000}") == "near"
    assert classify_word_overlap(text, text * 2) == "other"
    assert classify_word_overlap(text, "Year after year glaciers vanish. " * 2000) == "other"


@pytest.mark.parametrize(
    ("cosine", "kind"),
    [(0.9, "paraphrase"), (CLOSE, "paraphrase"), (0.6, "related"), (RELATED, "related"), (0.18, "unrelated")],
)
def test_other_words_are_told_apart_by_their_cosine(cosine: float, kind: str) -> None:
    assert classify_pair("The ice melts faster every year.", "Year after year glaciers vanish.", cosine) == kind
    assert classify_pair("It rains.", "It rains!", cosine) == "exact"


@pytest.mark.parametrize(
    ("label", "cosine", "kind"),
    [
        ("same", 0.6, "paraphrase"),
        ("different", 0.9, "related"),
        ("different", 0.2, "unrelated"),
        ("contradiction", 0.9, "related"),
        ("entailment", 0.9, "paraphrase"),  # leaves open whether both say the same: the cosine decides
        ("neutral", 0.6, "related"),
    ],
)
def test_a_model_that_judges_pairs_decides_what_a_paraphrase_is(label: str, cosine: float, kind: str) -> None:
    a, b = "The ice melts faster every year.", "Year after year glaciers vanish."
    assert classify_pair(a, b, cosine, PairVerdict(label)) == kind
    assert classify_pair("It rains.", "It rains!", cosine, PairVerdict(label)) == "exact"


def test_numbers_do_not_change_the_skeleton() -> None:
    assert mask_numbers("Page 3 of 17") == mask_numbers("page 12 of 17.") != mask_numbers("Page three of 17")


def graph_of(*edges: tuple[int, int, float]) -> NeighbourGraph:
    """Sentences 1, 2, 3 ... as rows 0, 1, 2 ..."""
    count = max((max(a, b) for a, b, _ in edges), default=0)
    lists = NeighbourLists.empty(count)
    for a, b, score in edges:
        for row, other in ((a - 1, b - 1), (b - 1, a - 1)):
            at = int((lists.neighbours[row] >= 0).sum())
            assert at < NEIGHBOURS
            lists.neighbours[row, at], lists.scores[row, at] = other, score
    return NeighbourGraph(np.arange(1, count + 1), lists)


def places_of(*places: tuple[int, int, int]) -> SentencePlaces:
    return SentencePlaces(np.array(sorted(places, key=lambda place: place[1:]), np.int64).reshape(-1, 3))


def pairs(graph: NeighbourGraph, there: SentencePlaces, **more: object) -> list[tuple[int, int]]:
    options: dict = {"where": "across", **more}
    return [(pair.a, pair.b) for pair in listed(graph, there, **options)]


def listed(graph: NeighbourGraph, there: SentencePlaces, **options: object) -> list[DuplicateCandidate]:
    return [pair for pair in iter_duplicates(graph, there, **options) if pair is not None]


def test_best_first_and_only_between_documents() -> None:
    graph = graph_of((1, 2, 0.9), (2, 3, 0.95), (1, 3, 0.5))
    where = places_of((1, 100, 0), (2, 200, 0), (3, 200, 1))
    assert pairs(graph, where) == [(1, 2), (1, 3)]
    assert pairs(graph, where, where="anywhere") == [(2, 3), (1, 2), (1, 3)]
    assert pairs(graph, where, where="within") == [(2, 3)]
    assert pairs(graph, where, min_score=0.6) == [(1, 2)]


def test_many_pairs_come_in_the_same_order_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    lists = NeighbourLists.empty(60)
    for row in range(60):
        others = rng.permutation(np.delete(np.arange(60), row))[:NEIGHBOURS]
        lists.neighbours[row] = others
        lists.scores[row] = np.round(
            1 - 0.1 * (np.minimum(row, others) * 7 % 5) - 0.01 * (np.maximum(row, others) % 3), 2
        )
    graph = NeighbourGraph(np.arange(1, 61), lists)
    where = places_of(*((number, number, 0) for number in range(1, 61)))
    at_once = listed(graph, where, where="across")
    assert len(at_once) > 400
    assert at_once == sorted(at_once, key=lambda pair: (-pair.score, pair.a, pair.b))
    assert len({pair.score for pair in at_once}) < 20, "many are as near as others"
    monkeypatch.setattr(duplicates, "_FIRST_SORTED", 3)
    monkeypatch.setattr(neighbour_graph, "_EDGE_ROWS", 7)
    assert listed(graph, where, where="across") == at_once
    assert sum(pair is None for pair in iter_duplicates(graph, where, where="across")) > 10
    monkeypatch.setattr(duplicates, "_KEPT_EDGES", 10)
    assert listed(graph, where, where="across") == at_once, "when the first are seen, the next best are looked for"


@pytest.mark.parametrize("kept", [3, 7, 20])
def test_no_pair_is_lost_when_the_first_are_seen_and_no_two_are_as_near(
    kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = graph_of(*((2 * number, 2 * number - 1, 0.3 + number / 100) for number in range(1, 21)))
    where = places_of(*((number, number, 0) for number in range(1, 41)))
    monkeypatch.setattr(duplicates, "_KEPT_EDGES", kept)
    assert [pair.a for pair in listed(graph, where, where="across")] == list(range(39, 0, -2))


def test_a_repeated_text_comes_first() -> None:
    graph = graph_of((1, 2, 0.9))
    twice = places_of((1, 100, 0), (1, 200, 3), (2, 100, 1))
    assert pairs(graph, twice) == [(1, 1), (1, 2)]
    first = listed(graph, twice, where="across")[0]
    assert (first.place_a, first.place_b, first.score) == ((100, 0), (200, 3), 1.0)
    within = places_of((1, 100, 0), (1, 100, 7), (2, 100, 1))
    assert pairs(graph, within) == []
    assert pairs(graph, within, where="anywhere") == [(1, 1), (1, 2)]


def test_places_are_in_two_documents_on_request() -> None:
    graph = graph_of((1, 2, 0.9))
    where = places_of((1, 100, 0), (1, 200, 0), (2, 100, 5))
    found = [pair for pair in listed(graph, where, where="across") if pair.a != pair.b]
    assert [(pair.place_a, pair.place_b) for pair in found] == [((200, 0), (100, 5))]


def test_sentences_without_places_are_in_no_pair() -> None:
    graph = graph_of((1, 2, 0.9), (1, 3, 0.8))
    assert pairs(graph, places_of((1, 100, 0), (3, 200, 0))) == [(1, 3)]
    assert pairs(graph, places_of()) == []
    assert pairs(graph_of(), places_of()) == []


def test_unknown_sentences_have_no_places() -> None:
    where = places_of((2, 100, 0), (4, 200, 0), (2, 200, 1))
    assert [where.places(sentence_id) for sentence_id in range(1, 6)] == [[], [(100, 0), (200, 1)], [], [(200, 0)], []]
    assert where.documents_of(3) == 0
    assert places_of().places(1) == []


def test_the_documents_of_sentences_are_those_of_their_places() -> None:
    where = places_of((1, 100, 0), (1, 200, 0), (2, 100, 5), (4, 100, 6), (4, 100, 7))
    assert where.ids.tolist() == [1, 2, 4]
    assert where.find_rows(np.array([4, 3, 1, 9])).tolist() == [2, -1, 0, -1]
    assert run_to_completion(where.rows_in_steps(np.array([4, 3]))).tolist() == [2, -1]
    assert where.only_document().tolist() == [0, 100, 100]
    assert run_to_completion(where.first_documents_in_steps(np.array([1, 2, 3]))).tolist() == [100, 100, 0]
    assert where.repeated_rows(across_documents=True).tolist() == [0]
    assert where.repeated_rows(across_documents=False).tolist() == [0, 2]
    assert where.in_documents(frozenset([200])).tolist() == [True, False, False]
    assert where.documents(np.array([1, 2, 3])) == 2
    assert where.documents(np.array([2, 4])) == 1
    assert (where.documents_of(1), where.documents_of(4)) == (2, 1)
