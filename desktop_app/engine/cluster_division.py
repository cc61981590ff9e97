"""Divides a neighbour graph into clusters at any granularity; large graphs in a separate process."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.clusters import (
    FINE_GRANULARITIES,
    Communities,
    GranularityChoice,
    assign_loose_in_steps,
    list_granularities,
    measure_clearness_in_steps,
)
from desktop_app.analysis.neighbour_graph import RowIndex
from desktop_app.analysis.tasks import CommunitiesRequest, save_graph
from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.jobs import WAITING, Progress, Steps
from desktop_app.core.unfinished_files import explain_temporary_errors
from desktop_app.engine.child_task import write_temporary_file
from desktop_app.engine.neighbour_graph import read_compact_vectors, read_vectors

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from desktop_app.analysis.compact_vectors import VectorRows
    from desktop_app.analysis.neighbour_graph import NeighbourGraph
    from desktop_app.core.library import Library
    from desktop_app.core.ports import ProcessTask

    Labels = NDArray[np.int64]


_MOST_FLOAT_ROWS = 300_000

MAX_INLINE_NODES = 1500
"""Graphs up to this size are divided on the engine's thread: that takes some 20 ms, starting a process a second."""


@dataclass(eq=False)
class ClusteringGraph:
    """A graph prepared for clustering, with the divisions found so far.

    Attributes:
        graph: of the library, or of a part of it.
        whole: the library's graph that `graph` was taken from.
        held: the vectors float32 [n, dim] of its nodes; those of many nodes take a quarter of the memory. None: they
            were not read, or are not needed at present.
        levels: labels by (granularity, minimum size).
        choices: the chosen granularity by minimum size.
    """

    graph: NeighbourGraph
    whole: NeighbourGraph
    held: VectorRows | None
    levels: dict[tuple[float, int], Labels] = field(default_factory=dict)
    choices: dict[int, float] = field(default_factory=dict)

    @property
    def vectors(self) -> VectorRows:
        """The vectors of its nodes, which were read before."""
        assert self.held is not None, "a job that needs vectors has them read"
        return self.held

    def without_many_vectors(self) -> ClusteringGraph:
        """Return the graph without its vectors if they take much memory: reading them again takes seconds."""
        return replace(self, held=None) if len(self.graph.ids) > _MOST_FLOAT_ROWS else self

    @cached_property
    def communities(self) -> Communities:
        """Divides small graphs."""
        return Communities(self.graph)

    @cached_property
    def finder(self) -> RowIndex:
        """Maps sentence ids to rows of the graph."""
        return RowIndex(self.graph.ids)

    def matches(self, whole: NeighbourGraph, rows: NDArray[np.int64]) -> bool:
        """Return whether this is the part of a library's graph with these rows int64 [m].

        The same sentences have another graph once the library has changed its model.
        """
        return self.whole is whole and np.array_equal(self.graph.ids, whole.ids[rows])


def with_vectors(library: Library, prepared: ClusteringGraph) -> Steps[ClusteringGraph]:
    """Return the graph with the vectors of its nodes."""
    if prepared.held is not None:
        return prepared
    vectors: VectorRows
    if len(prepared.graph.ids) > _MOST_FLOAT_ROWS:
        vectors = yield from read_compact_vectors(library, prepared.graph.ids, bits=8)
    else:
        vectors = yield from read_vectors(library, prepared.graph.ids)
    return replace(prepared, held=vectors)


class ClusterDivider:
    """Divides graphs, and keeps the divisions with the graph.

    Args:
        start_task: starts a task in a process of its own; None: everything is done here.
    """

    def __init__(self, start_task: Callable[[str, object], ProcessTask] | None) -> None:
        self._start_task = start_task

    def choose(self, prepared: ClusteringGraph, min_size: int) -> Steps[float]:
        """Return the granularity that suits the graph."""
        if min_size not in prepared.choices:
            choice = GranularityChoice(prepared.vectors)
            granularities = list_granularities(len(prepared.graph.ids))

            def consider_division(number: int, granularity: float, labels: Labels) -> Steps[Progress | None]:
                wants_more = yield from choice.consider(granularity, labels)
                return Progress("clustering", number + 1, len(granularities) + 1, "steps") if wants_more else None

            yield from self._run_divisions(prepared, min_size, granularities, (), consider_division)
            prepared.choices[min_size] = choice.granularity
        return prepared.choices[min_size]

    def labels(self, prepared: ClusteringGraph, granularity: float, min_size: int) -> Steps[Labels]:
        """Return the cluster of each node int64 [n], 0 for the largest; -1 for unclustered."""
        key = (granularity, min_size)
        if key not in prepared.levels:

            def keep_labels(_number: int, _granularity: float, labels: Labels) -> Steps[None]:
                prepared.levels[key] = labels
                yield None

            tried = len(list_granularities(len(prepared.graph.ids)))
            yield Progress("clustering", tried, tried + 1, "steps")
            yield from self._run_divisions(prepared, min_size, (), (granularity,), keep_labels)
        return prepared.levels[key]

    def split(self, prepared: ClusteringGraph, min_size: int) -> Steps[Labels]:
        """Divide one cluster at increasing granularity, until it first falls into parts.

        Args:
            prepared: the graph of the cluster's n sentences alone.
            min_size: of a part; sentences of smaller ones go to the part with the nearest centre.

        Returns:
            int64 [n], 0 for the largest part; all 0 if the cluster does not fall into parts.
        """
        parts = np.zeros(len(prepared.graph.ids), np.int64)

        def take_parts(number: int, _granularity: float, labels: Labels) -> Steps[Progress | None]:
            nonlocal parts
            if labels.max(initial=-1) < 1:
                return Progress("clustering", number + 1, len(FINE_GRANULARITIES), "steps")
            whole = yield from assign_loose_in_steps(prepared.vectors, labels)
            if (yield from measure_clearness_in_steps(prepared.vectors, whole)) <= 0:  # no better than by chance
                return Progress("clustering", number + 1, len(FINE_GRANULARITIES), "steps")
            parts = whole
            return None

        yield from self._run_divisions(prepared, min_size, (), FINE_GRANULARITIES, take_parts)
        return parts

    def _run_divisions(
        self,
        prepared: ClusteringGraph,
        min_size: int,
        rough: tuple[float, ...],
        exact: tuple[float, ...],
        take: Callable[[int, float, Labels], Steps[Progress | None]],
    ) -> Steps[None]:
        """Pass divisions to `take` until it returns None."""
        if self._start_task is None or len(prepared.graph.ids) <= MAX_INLINE_NODES:
            found = prepared.communities
            yield None
            for number, granularity in enumerate((*rough, *exact)):
                labels = (found.approximate_at if granularity in rough else found.at)(granularity, min_size)
                yield None
                step = yield from take(number, granularity, labels)
                if step is None:
                    return
                yield step
            return
        with write_temporary_file("graph.npz", Path.touch) as file:
            yield from save_graph_beside(file, prepared.graph)
            work = self._start_task("communities", CommunitiesRequest(str(file), rough, exact, min_size))
            number = 0
            try:
                while True:
                    report = work.poll()
                    if work.is_finished:
                        return
                    if report is None:
                        yield WAITING
                        continue
                    granularity, labels = report  # type: ignore[misc]
                    step = yield from take(number, granularity, labels.astype(np.int64))
                    if step is None:
                        return
                    number += 1
                    yield step
            finally:
                work.close()


def save_graph_beside(file: Path, graph: NeighbourGraph, start: NDArray[np.float32] | None = None) -> Steps[None]:
    """Write a graph to a temporary file, in a thread: numbers only, no text and no sentence id.

    Raises:
        StorageFull: the file cannot be written.
    """

    def save() -> None:
        with explain_temporary_errors():
            save_graph(str(file), graph, start)

    yield from run_in_thread(save)
