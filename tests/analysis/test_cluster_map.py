"""The map: similar sentences are together, positions are reproducible, new sentences move no others."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.analysis import cluster_map
from desktop_app.analysis.cluster_map import lay_out_graph, place_new_nodes_in_steps, project_to_plane
from desktop_app.analysis.neighbour_graph import NeighbourGraph, NeighbourLists
from desktop_app.core.jobs import run_to_completion

from .test_clusters import graph, themes


def mapped(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    return run_to_completion(lay_out_graph(graph(vectors), run_to_completion(project_to_plane(vectors)), 200))


def share_of_own(places: NDArray[np.float32], of: NDArray[np.int64], near: int = 5) -> float:
    """The share of the nearest points on the map that are of the same topic."""
    apart = ((places[:, None] - places[None]) ** 2).sum(axis=2)
    np.fill_diagonal(apart, np.inf)
    return float((of[np.argsort(apart, axis=1)[:, :near]] == of[:, None]).mean())


def test_clusters_are_together_and_points_apart() -> None:
    vectors, of = themes(8, 40)
    places = mapped(vectors)
    assert places.shape == (320, 2)
    assert np.isfinite(places).all()
    assert share_of_own(places, of) > 0.95
    apart = ((places[:, None] - places[None]) ** 2).sum(axis=2)
    np.fill_diagonal(apart, np.inf)
    spacing = np.sqrt(np.ptp(places, axis=0).prod() / len(places))
    assert np.median(np.sqrt(apart.min(axis=1))) > 0.1 * spacing, "neighbours do not overlap"
    wide, high = np.mean([places[of == theme].std(axis=0) for theme in range(8)], axis=0)
    assert wide == pytest.approx(high, rel=0.06), "crowds are spread to all sides alike"


def test_the_same_library_has_the_same_map() -> None:
    vectors, _ = themes(5, 30)
    np.testing.assert_array_equal(mapped(vectors), mapped(vectors))


def test_the_start_is_the_plane_of_the_two_principal_components() -> None:
    rng = np.random.default_rng(3)
    spread = np.concatenate([[9.0, 7.0], np.linspace(6.0, 0.1, 94)])
    turned = np.linalg.qr(rng.standard_normal((96, 96)))[0]
    vectors = ((rng.standard_normal((3000, 96)) * spread) @ turned + 0.5).astype(np.float32)
    plane = run_to_completion(project_to_plane(vectors))
    centred = vectors - vectors.mean(axis=0)
    places = centred @ np.linalg.svd(centred, full_matrices=False)[2][:2].T
    for found, true in zip(plane.T, places.T, strict=True):
        assert abs(np.corrcoef(found, true)[0, 1]) > 0.9999


@pytest.mark.parametrize("count", [3, 5, 2049])
def test_every_row_of_few_and_of_several_blocks_decides_about_the_plane(count: int) -> None:
    vectors = np.random.default_rng(1).standard_normal((count, 12)).astype(np.float32)
    vectors[[0, -1]] *= 30.0
    centred = vectors - vectors.mean(axis=0)
    places = centred @ np.linalg.svd(centred, full_matrices=False)[2][:2].T
    for found, true in zip(run_to_completion(project_to_plane(vectors)).T, places.T, strict=True):
        assert abs(np.corrcoef(found, true)[0, 1]) > 0.9999


def test_the_start_does_not_depend_on_the_sign_of_an_axis() -> None:
    vectors, _ = themes(3, 20)
    plane = run_to_completion(project_to_plane(vectors))
    assert plane.std(axis=0) == pytest.approx([10, 10], rel=0.01)
    assert run_to_completion(project_to_plane(np.empty((0, 48), np.float32))).shape == (0, 2)
    assert run_to_completion(project_to_plane(np.ones((3, 1), np.float32))).shape == (3, 2)


@pytest.mark.parametrize("count", [0, 1, 2, 20])
def test_few_or_identical_sentences_have_positions(count: int) -> None:
    vectors = np.repeat(themes(1, 1)[0], count, axis=0)
    places = mapped(vectors)
    assert places.shape == (count, 2)
    assert np.isfinite(places).all()


def test_new_sentences_go_to_their_cluster_and_move_no_others() -> None:
    vectors, of = themes(6, 40)
    whole = graph(vectors)
    places = mapped(vectors)
    is_known = np.random.default_rng(1).random(len(of)) > 0.2
    known = np.where(is_known[:, None], places, np.nan).astype(np.float32)
    added = run_to_completion(place_new_nodes_in_steps(whole, known, is_known))
    np.testing.assert_array_equal(added[is_known], places[is_known])
    assert np.isfinite(added).all()
    middles = np.array([places[is_known & (of == theme)].mean(axis=0) for theme in range(6)])
    nearest = ((added[~is_known][:, None] - middles[None]) ** 2).sum(axis=2).argmin(axis=1)
    assert (nearest == of[~is_known]).mean() > 0.95


def test_nodes_without_a_known_neighbour_are_below() -> None:
    lists = NeighbourLists.empty(4)
    lists.neighbours[2, 0], lists.scores[2, 0] = 3, 0.9
    lists.neighbours[3, 0], lists.scores[3, 0] = 2, 0.9
    known = np.array([[0, 0], [4, 2], [0, 0], [0, 0]], np.float32)
    places = run_to_completion(
        place_new_nodes_in_steps(NeighbourGraph(np.arange(4), lists), known, np.array([True, True, False, False]))
    )
    assert (places[2:, 1] < 0).all()
    none = run_to_completion(
        place_new_nodes_in_steps(NeighbourGraph(np.arange(4), lists), known, np.zeros(4, np.bool_))
    )
    assert np.isfinite(none).all()


def test_a_large_graph_is_laid_out_by_landmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, of = themes(8, 40)
    whole, start = graph(vectors), run_to_completion(project_to_plane(vectors))
    monkeypatch.setattr(cluster_map, "_MOST_AT_ONCE", 100)
    done = list(lay_out_graph(whole, start))
    assert done == sorted(done), "progress never goes back"
    assert done[-1][0] == done[-1][1]
    places = run_to_completion(lay_out_graph(whole, start))
    assert share_of_own(places, of) > 0.9
    np.testing.assert_array_equal(places, run_to_completion(lay_out_graph(whole, start)))


@pytest.mark.parametrize("joined", [0, 2])
def test_nodes_without_neighbours_are_their_own_landmarks(joined: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_map, "_MOST_AT_ONCE", 100)
    monkeypatch.setattr(cluster_map, "_LANDMARK_EPOCHS_AT_ONCE", 5)
    lists = NeighbourLists.empty(120)
    lists.neighbours[:joined, 0], lists.scores[:joined, 0] = 119, 0.5
    start = np.random.default_rng(0).standard_normal((120, 2)).astype(np.float32)
    places = run_to_completion(lay_out_graph(NeighbourGraph(np.arange(120), lists), start))
    assert places.shape == (120, 2)
    assert np.isfinite(places).all()
