"""Analyses that another process runs, given by a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from desktop_app.analysis.clusters import Communities
from desktop_app.analysis.neighbour_graph import NeighbourGraph
from desktop_app.analysis.tasks import (
    CommunitiesRequest,
    MapLayoutRequest,
    find_communities,
    lay_out_map,
    load_graph,
    save_graph,
)
from tests.analysis.test_clusters import graph as graph_of
from tests.analysis.test_clusters import themes


@pytest.fixture
def graph() -> NeighbourGraph:
    return graph_of(themes(3, 30)[0])


def test_a_graph_is_saved_with_numbers_as_ids(graph: NeighbourGraph, tmp_path: Path) -> None:
    save_graph(str(tmp_path / "graph.npz"), graph)
    found = load_graph(str(tmp_path / "graph.npz"))
    assert found.ids.tolist() == list(range(90))
    assert np.array_equal(found.lists.neighbours, graph.lists.neighbours)
    assert np.array_equal(found.lists.scores, graph.lists.scores)


def test_rough_divisions_come_before_exact_ones(graph: NeighbourGraph, tmp_path: Path) -> None:
    file = str(tmp_path / "graph.npz")
    save_graph(file, graph)
    found = list(find_communities(CommunitiesRequest(file, (0.5, 1.0), (1.0,), 5)))
    assert [granularity for granularity, _ in found] == [0.5, 1.0, 1.0]
    here = Communities(load_graph(file))
    assert np.array_equal(found[0][1], here.approximate_at(0.5, 5))
    assert np.array_equal(found[2][1], here.at(1.0, 5))
    assert {labels.dtype for _, labels in found} == {np.dtype(np.int32)}


def test_a_map_begins_at_the_given_places_and_reports_its_steps(graph: NeighbourGraph, tmp_path: Path) -> None:
    file, start = str(tmp_path / "graph.npz"), np.random.default_rng(0).standard_normal((90, 2)).astype(np.float32)
    save_graph(file, graph, start)
    steps, reports = lay_out_map(MapLayoutRequest(file)), []
    while True:
        try:
            reports.append(next(steps))
        except StopIteration as end:
            places = end.value
            break
    assert places.shape == (90, 2)
    assert np.isfinite(places).all()
    done = [report.done for report in reports]
    assert done == sorted(done)
    assert {report.total for report in reports} == {max(done)}
    assert {report.phase for report in reports} == {"laying out"}


def test_analyses_give_way_to_work_that_a_person_waits_for() -> None:
    assert CommunitiesRequest("graph.npz", (), (), 5).gentle
    assert MapLayoutRequest("graph.npz").gentle
