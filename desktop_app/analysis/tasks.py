"""Analyses that run in a child process because they hold the interpreter lock: communities and the map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.cluster_map import lay_out_graph
from desktop_app.analysis.clusters import Communities
from desktop_app.analysis.neighbour_graph import NeighbourGraph, NeighbourLists
from desktop_app.core.jobs import Progress, map_steps

if TYPE_CHECKING:
    from collections.abc import Generator

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class CommunitiesRequest:
    """A request for the communities of a graph.

    Attributes:
        file: of the graph, as `save_graph` writes it.
        rough: granularities of rough divisions.
        exact: granularities of exact ones.
        min_size: nodes in smaller ones are unclustered.
        gentle: give way to work that a person waits for.
    """

    file: str
    rough: tuple[float, ...]
    exact: tuple[float, ...]
    min_size: int
    gentle: bool = True


def find_communities(task: CommunitiesRequest) -> Generator[tuple[float, NDArray[np.int32]], None, None]:
    """Yield (granularity, label of each node int32 [n]): the rough ones, then the exact ones."""
    found = Communities(load_graph(task.file))
    for granularity in task.rough:
        yield granularity, found.approximate_at(granularity, task.min_size).astype(np.int32)
    for granularity in task.exact:
        yield granularity, found.at(granularity, task.min_size).astype(np.int32)


@dataclass(frozen=True, slots=True)
class MapLayoutRequest:
    """A request for a map.

    Attributes:
        file: of the graph and the first positions of its nodes, as `save_graph` writes them.
        gentle: give way to work that a person waits for.
    """

    file: str
    gentle: bool = True


def lay_out_map(task: MapLayoutRequest) -> Generator[Progress, None, NDArray[np.float32]]:
    """Return the positions of a graph's nodes float32 [n, 2]."""
    with np.load(task.file) as arrays:
        start = arrays["start"]
    steps = lay_out_graph(load_graph(task.file), start)
    return (yield from map_steps(steps, lambda step: Progress("laying out", *step, "steps")))


def save_graph(file: str, graph: NeighbourGraph, start: NDArray[np.float32] | None = None) -> None:
    """Write the lists of a graph, without sentence ids, and the first positions of its nodes float32 [n, 2]."""
    with open(file, "wb") as out:
        begin = np.empty((0, 2), np.float32) if start is None else start
        np.savez(out, near=graph.lists.neighbours, scores=graph.lists.scores, start=begin)


def load_graph(file: str) -> NeighbourGraph:
    """Return a saved graph with numbers as ids."""
    with np.load(file) as arrays:
        near, scores = arrays["near"], arrays["scores"]
    return NeighbourGraph(np.arange(len(near), dtype=np.int64), NeighbourLists(near, scores))
