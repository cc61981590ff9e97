"""Clusters do not depend on the order, have the right granularity, and keep their identity."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.analysis import clusters
from desktop_app.analysis.cluster_names import ClusterWords
from desktop_app.analysis.clusters import (
    UNCLUSTERED,
    Communities,
    GranularityChoice,
    apply_pinned_clusters,
    assign_loose_in_steps,
    choose_key_rows,
    cluster_centres,
    group_clusters,
    list_granularities,
    match_known_clusters,
    measure_clearness_in_steps,
    number_by_size,
    order_by_label,
    sample_clusters,
)
from desktop_app.analysis.neighbour_graph import NeighbourGraph, NeighbourLists, find_nearest_neighbours
from desktop_app.core.jobs import run_to_completion


def themes(count: int, each: int, spread: float = 0.5, seed: int = 0) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Unit vectors around `count` centres, and which centre each belongs to, mixed."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((count, 48))
    of = rng.permutation(np.repeat(np.arange(count), each))
    rows = centres[of] + spread * rng.standard_normal((len(of), 48))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32), of


def graph(vectors: NDArray[np.float32]) -> NeighbourGraph:
    lists = NeighbourLists.empty(len(vectors))
    for _ in find_nearest_neighbours(vectors, lists, np.ones(len(vectors), np.bool_)):
        pass
    return NeighbourGraph(np.arange(1, len(vectors) + 1), lists)


def chosen(vectors: NDArray[np.float32], min_size: int = 3) -> float:
    communities, choice = Communities(graph(vectors)), GranularityChoice(vectors)
    for granularity in list_granularities(len(vectors)):
        if not run_to_completion(choice.consider(granularity, communities.approximate_at(granularity, min_size))):
            break
    return choice.granularity


def test_clusters_are_found_largest_first() -> None:
    vectors, of = themes(8, 40)
    vectors, of = vectors[(of != 3) | (np.arange(len(of)) % 2 == 0)], of[(of != 3) | (np.arange(len(of)) % 2 == 0)]
    labels = Communities(graph(vectors)).at(1.0, 3)
    assert len(set(zip(labels.tolist(), of.tolist(), strict=True))) == 8, "each cluster is one topic"
    assert (np.diff(np.bincount(labels)) <= 0).all()


def test_the_chosen_granularity_does_not_cut_clusters() -> None:
    vectors, of = themes(12, 30)
    labels = Communities(graph(vectors)).at(chosen(vectors), 3)
    assert len(set(zip(labels.tolist(), of.tolist(), strict=True))) == 12


@pytest.mark.parametrize(("count", "each"), [(6, 200), (40, 30), (120, 15)])
def test_the_chosen_number_holds_from_few_large_to_many_small_clusters(count: int, each: int) -> None:
    vectors, of = themes(count, each, spread=0.7)
    labels = Communities(graph(vectors)).at(chosen(vectors, 5), 5)
    assert 0.9 * count <= labels.max() + 1 <= 1.1 * count
    shares = [np.bincount(of[labels == label]).max() / (labels == label).sum() for label in range(labels.max() + 1)]
    assert np.mean(shares) > 0.95


def test_small_clusters_within_large_ones_are_found() -> None:
    rng = np.random.default_rng(5)
    domains, intents = rng.standard_normal((6, 48)), rng.standard_normal((48, 48))
    of = rng.permutation(np.repeat(np.arange(48), 25))
    rows = domains[of % 6] + 0.8 * intents[of] + 0.7 * rng.standard_normal((len(of), 48))
    vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    labels = Communities(graph(vectors)).at(chosen(vectors, 5), 5)
    assert 44 <= labels.max() + 1 <= 52


@pytest.mark.parametrize(("apart", "choice"), [(0.4, 4.0), (0.3, 1.0)])
def test_the_finest_peak_is_chosen_if_it_is_nearly_as_clear_as_the_clearest(apart: float, choice: float) -> None:
    rng = np.random.default_rng(4)
    domains, intents = rng.standard_normal((8, 48)), rng.standard_normal((40, 48))
    of = np.repeat(np.arange(40), 12)
    rows = domains[of % 8] + apart * intents[of] + apart * rng.standard_normal((480, 48))
    found = GranularityChoice((rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32))
    halves = of % 8 + 8 * rng.integers(0, 2, 480)  # as unclear as can be
    for granularity, labels in ((1.0, of % 8), (2.0, halves), (4.0, of)):
        run_to_completion(found.consider(granularity, labels))
    assert found.granularity == choice


def test_two_clear_subjects_with_unclear_topics_are_not_all_that_is_found() -> None:
    rng = np.random.default_rng(5)
    subjects, topics = rng.standard_normal((2, 48)), rng.standard_normal((16, 48))
    of = rng.permutation(np.repeat(np.arange(16), 40))
    rows = 2 * subjects[of % 2] + 0.7 * topics[of] + 1.4 * rng.standard_normal((len(of), 48))
    vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    assert 10 <= Communities(graph(vectors)).at(chosen(vectors, 5), 5).max() + 1 <= 40


def test_a_library_without_clear_topics_has_about_the_square_root_of_its_sentences() -> None:
    vectors, _ = themes(40, 22, spread=2.2, seed=6)
    assert 15 <= Communities(graph(vectors)).at(chosen(vectors, 5), 5).max() + 1 <= 60


def test_a_finer_granularity_gives_more_clusters() -> None:
    vectors, _ = themes(6, 60, spread=1.2)
    communities = Communities(graph(vectors))
    counts = [communities.at(granularity).max() + 1 for granularity in (0.5, 4.0, 32.0)]
    assert counts[0] < counts[1] < counts[2]


def test_a_division_does_not_depend_on_those_before_it() -> None:
    vectors, _ = themes(6, 60, spread=1.6)  # they flow into each other: there is much to choose between
    communities = Communities(graph(vectors))
    first = communities.at(6.0)
    for _ in range(4):
        communities.at(3.0)
        np.testing.assert_array_equal(communities.at(6.0), first)
    np.testing.assert_array_equal(Communities(graph(vectors)).at(6.0), first)


def test_a_large_graph_is_divided_roughly_by_groups_of_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, _ = themes(8, 60)
    whole = graph(vectors)
    whole.lists.neighbours[7], whole.lists.scores[7] = -1, 0.0  # a node without neighbours of its own
    by_nodes = Communities(whole).approximate_at(1.0, 3)
    monkeypatch.setattr(clusters, "_MOST_UNGROUPED", 100)
    communities = Communities(whole)
    by_groups = communities.approximate_at(1.0, 3)
    np.testing.assert_array_equal(by_groups, by_nodes)
    communities.approximate_at(4.0, 3)
    np.testing.assert_array_equal(communities.approximate_at(1.0, 3), by_groups)
    empty = Communities(NeighbourGraph(np.arange(200), NeighbourLists.empty(200)))
    assert (empty.approximate_at(1.0, 3) == UNCLUSTERED).all()


def test_small_clusters_are_unclustered() -> None:
    vectors, _ = themes(4, 30)
    odd, _ = themes(2, 2, seed=9)
    labels = Communities(graph(np.concatenate([vectors, odd]))).at(1.0, 5)
    assert set(np.bincount(labels[labels >= 0]).tolist()) <= set(range(5, 200))


@pytest.mark.parametrize("count", [0, 1, 2, 20, 3000])
def test_few_or_identical_sentences(count: int) -> None:
    vectors = np.repeat(themes(1, 1)[0], count, axis=0)
    communities = Communities(graph(vectors))
    labels = communities.at(1.0, 3)
    assert labels.tolist() == ([0] * count if count >= 3 else [-1] * count)
    assert chosen(vectors) > 0


def test_many_clusters_are_grouped_and_few_are_not() -> None:
    rng = np.random.default_rng(3)
    fields = rng.standard_normal((10, 48))
    of = np.arange(60) % 10
    rows = fields[of] + 0.4 * rng.standard_normal((60, 48))
    centres = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    groups = group_clusters(centres)
    assert groups.max() + 1 == 11  # the square root of 120
    assert all(len(set(of[groups == group])) == 1 for group in range(11))
    assert set(group_clusters(centres[:30]).tolist()) == {-1}
    assert group_clusters(np.repeat(centres, 20, axis=0)).max() + 1 <= 30


def test_centres_key_sentences_and_separation() -> None:
    vectors, of = themes(3, 20)
    centres = cluster_centres(vectors, of)
    np.testing.assert_allclose(np.linalg.norm(centres, axis=1), 1, atol=1e-6)
    rows = np.flatnonzero(of == 1)
    keys = choose_key_rows(vectors, rows, vectors[rows] @ centres[1], 3)
    assert keys[0] == rows[np.argmax(vectors[rows] @ centres[1])]
    assert len(keys) == 3
    assert run_to_completion(measure_clearness_in_steps(vectors, of)) > 0.9
    assert run_to_completion(measure_clearness_in_steps(vectors, np.random.default_rng(0).permutation(of))) < 0.1
    assert run_to_completion(measure_clearness_in_steps(vectors, np.zeros(60, np.int64))) == 0.0
    assert run_to_completion(measure_clearness_in_steps(vectors, np.where(of == 1, -1, of))) < 0.7, (
        "unclustered sentences are not clear"
    )
    twice = np.concatenate([vectors[rows], vectors[rows]])
    distinct = choose_key_rows(twice, np.arange(len(twice)), twice @ centres[1], 40, distinct=0.999)
    assert len(distinct) == len(rows), "the same sentence is not named twice"


def test_clusters_continue_when_they_grow_and_end_when_they_divide() -> None:
    known = np.array([5, 5, 5, 5, 7, 7, 7, 7, -1, -1, 9, 9, 9, 9])
    now = np.array([1, 1, 1, -1, 0, 0, 0, 0, 0, 1, 2, 2, 3, 3])
    assert match_known_clusters(now, known) == {0: 7, 1: 5, 2: 9}, "the first of two halves continues the cluster"
    assert match_known_clusters(now, np.full(14, -1)) == {}
    assert match_known_clusters(np.full(14, -1), known) == {}
    assert len(set(match_known_clusters(now, known).values())) == len(match_known_clusters(now, known))


def test_names_are_the_words_that_tell_clusters_apart() -> None:
    words = ClusterWords(2)
    words.add([(0, "The card was declined at the shop.", "en"), (1, "The transfer to my account is pending.", "en")])
    words.add([(0, "My card payment was declined.", ""), (1, "When will the transfers arrive? Transfer pending.", "")])
    keywords = words.keywords()
    assert keywords[0][:2] == ["card", "declined"]
    assert {"transfer", "pending"} == set(keywords[1][:2])
    assert "the" not in keywords[0] + keywords[1]
    assert ClusterWords(0).keywords() == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("hy ky ppx and xqz are πit rrr", set()),
        ("the EU and a PDF in my harbour", {"EU", "PDF", "harbour"}),
        ("Größe, Çeşme, état", {"Größe", "Çeşme", "état"}),
        ("лес и море 東京", {"лес", "море", "東京"}),
    ],
)
def test_debris_is_no_word(text: str, left: set[str]) -> None:
    words = ClusterWords(1)
    words.add([(0, text, "de")])
    assert set(words.keywords()[0]) - {"and", "the", "are", "in", "my"} == left


@pytest.mark.parametrize(
    ("texts", "language", "left"),
    [
        (("And Mary met Dickon.", "Then Dickon met Mary."), "en", {"Mary", "Dickon", "met"}),
        (("Harbours flood.", "Harbours in a flood.", "A HARBOURS FLOOD!"), "en", {"harbours", "flood"}),
        (("We train with PyTorch.", "No pytorch, but PyTorch."), "en", {"train", "PyTorch"}),
        (("Deiche", "Deiche halten."), "de", {"Deiche", "halten"}),
    ],
)
def test_a_word_is_shown_as_it_is_written_most_often(texts: tuple[str, ...], language: str, left: set[str]) -> None:
    words = ClusterWords(1)
    words.add([(0, text, language) for text in (*texts, *texts)])
    assert set(words.keywords()[0]) == left


def test_a_word_of_one_sentence_names_no_cluster_that_has_better_ones() -> None:
    words = ClusterWords(1)
    words.add([(0, "The harbour flood rose.", "en"), (0, "A harbour needs flood walls.", "en")])
    assert set(words.keywords()[0]) == {"harbour", "flood"}


@pytest.mark.parametrize(
    ("text", "language", "left"),
    [
        ("A man must die in the war at sea, with his hat on.", "en", {"man", "die", "war", "sea", "hat"}),
        ("Das ist nicht für die Katze.", "de", {"Katze"}),
        ("Das ist nicht für die Katze.", "en", {"Katze"}),  # a quotation
        ("Don’t you think this is for the cat?", "de", {"cat"}),
        ("Mais ce chien est dans la mer avec nous.", "", {"chien", "mer"}),
        ("War die See still?", "de", {"See", "still"}),
        ("Bitte wählen Sie daher immer eine Datei, danke.", "de", {"wählen", "Datei"}),
        ("Tha'lt go with thee, and tha's thy garden.", "en", {"garden"}),
        ("“The horse is lame, sir,” answered the groom.", "en", {"horse", "lame", "groom"}),
        ("„Das Pferd lahmt“, erwiderte er.", "de", {"Pferd", "lahmt"}),
        ("To jest kot, który nie był w domu.", "pl", {"kot", "domu"}),
        ("Sea air.", "el", {"sea", "air"}),  # no list of its own: nothing is left out
    ],
)
def test_stop_words_are_those_of_the_language(text: str, language: str, left: set[str]) -> None:
    words = ClusterWords(1)
    words.add([(0, text, language)])
    assert set(words.keywords()[0]) == left


def test_of_a_large_library_some_sentences_of_each_cluster_are_named() -> None:
    labels = np.random.default_rng(0).permutation(np.repeat([0, 1, 2, 3], [600, 300, 90, 10]))
    taken, weights = sample_clusters(labels, 1000, 5)
    assert taken.tolist() == list(range(1000))
    assert weights == [1.0] * 4
    taken, weights = sample_clusters(labels, 500, 5)
    assert np.bincount(labels[taken]).tolist() == [200, 200, 90, 10]
    assert weights == [3.0, 1.5, 1.0, 1.0]
    assert (np.diff(taken) > 0).all()
    halves = np.bincount((taken[labels[taken] == 0] >= 500).astype(int))
    assert abs(halves[0] - halves[1]) < 30, "they are evenly spread"
    assert np.bincount(labels[sample_clusters(labels, 20, 8)[0]]).tolist() == [8, 8, 8, 8]


def test_a_counted_sentence_stands_for_others_of_its_cluster() -> None:
    texts = [(0, "copper kettle", "en"), (0, "copper spoon", "en"), (1, "copper wire", "en"), (1, "green wire", "en")]
    whole = ClusterWords(2)
    whole.add([each for each in texts for _ in range(6 if each[0] else 2)])
    sampled = ClusterWords(2, [1.0, 3.0])
    sampled.add(texts * 2)
    assert sampled.keywords() == whole.keywords()


def test_very_many_clusters_are_grouped_by_the_largest() -> None:
    rng = np.random.default_rng(3)
    fields = rng.standard_normal((12, 48))
    of = rng.permutation(np.repeat(np.arange(12), 110))
    centres = fields[of] + 0.2 * rng.standard_normal((len(of), 48))
    groups = group_clusters((centres / np.linalg.norm(centres, axis=1, keepdims=True)).astype(np.float32))
    assert len(groups) == 1320
    assert all(len(set(of[groups == group].tolist())) == 1 for group in set(groups.tolist()))


def test_clusters_are_numbered_by_size_then_by_their_first_sentence() -> None:
    found = np.array([7, 3, 3, 9, 9, 9, -1, 7, 5])
    assert number_by_size(found, 1).tolist() == [1, 2, 2, 0, 0, 0, -1, 1, 3]
    assert number_by_size(found, 2).tolist() == [1, 2, 2, 0, 0, 0, -1, 1, -1]
    assert number_by_size(found, 3).tolist() == [-1, -1, -1, 0, 0, 0, -1, -1, -1]
    assert number_by_size(found, 3, always=7).tolist() == [1, -1, -1, 0, 0, 0, -1, 1, -1]
    assert number_by_size(np.array([], np.int64), 1).tolist() == []


def test_a_pinned_cluster_keeps_its_sentences_and_takes_new_ones_among_them() -> None:
    labels = np.array([0, 0, 0, 0, 1, 1, 1, -1, -1])
    near = np.array([[1, 2], [0, 2], [0, 1], [0, 1], [5, 6], [4, 6], [4, 5], [0, 1], [0, 4]], np.int32)
    fresh = np.array([False] * 7 + [True, True])
    pinned = [np.array([0, 1]), np.array([], np.int64)]
    found, meant = apply_pinned_clusters(labels, pinned, near, fresh, 3)
    # Two of the four stay behind: too few; 7 has both neighbours in the pinned cluster, 8 only one of two.
    assert found.tolist() == [0, 0, -1, -1, 1, 1, 1, 0, -1]
    assert meant == {0: 0}
    old, _ = apply_pinned_clusters(labels, pinned, near, np.zeros(9, np.bool_), 3)
    assert old.tolist() == [1, 1, -1, -1, 0, 0, 0, -1, -1], "what is not new stays where it is"
    alone, meant = apply_pinned_clusters(labels, [np.array([8])], near, fresh, 3)
    assert (alone.tolist(), meant) == ([0, 0, 0, 0, 1, 1, 1, -1, 2], {2: 0}), "however small"
    same, meant = apply_pinned_clusters(labels, [np.array([], np.int64)], near, fresh, 3)
    assert (same is labels, meant) == (True, {})


def test_loose_sentences_go_to_the_nearest_part() -> None:
    vectors = np.array([[1, 0], [0, 1], [0, 1], [0.9, 0.1], [0.2, 0.8]], np.float32)
    found = run_to_completion(assign_loose_in_steps(vectors, np.array([0, 1, 1, UNCLUSTERED, UNCLUSTERED])))
    assert found.tolist() == [1, 0, 0, 1, 0], "the larger part first"


@pytest.mark.parametrize("largest", [3, 70_000])
def test_rows_are_ordered_by_label(largest: int) -> None:
    labels = np.array([largest, -1, 0, largest, 2, -1, 0])
    assert order_by_label(labels).tolist() == [1, 5, 2, 6, 4, 0, 3]
    assert order_by_label(np.empty(0, np.int64)).tolist() == []
