"""The two-dimensional map of a library: laid out once in a separate process, then extended."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.cluster_map import lay_out_graph, place_new_nodes_in_steps, project_to_plane
from desktop_app.analysis.neighbour_graph import find_rows
from desktop_app.analysis.tasks import MapLayoutRequest
from desktop_app.core.jobs import Progress, Steps, map_steps
from desktop_app.engine.child_task import follow_task, write_temporary_file
from desktop_app.engine.cluster_division import MAX_INLINE_NODES, save_graph_beside, with_vectors
from desktop_app.engine.document_pages import iter_document_pages

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from desktop_app.core.library import Library
    from desktop_app.core.ports import ProcessTask
    from desktop_app.engine.cluster_division import ClusteringGraph

    Places = NDArray[np.float32]

_MAX_NEW_SHARE = 0.5
_DOCUMENTS_PER_STEP = 200  # documents that are read at once


class SentenceMapper:
    """Computes where the nodes of a library's graph lie on the map.

    Args:
        start_task: starts a task in a process of its own; None: everything is done here.
    """

    def __init__(self, start_task: Callable[[str, object], ProcessTask] | None) -> None:
        self._start_task = start_task

    def compute_positions(
        self, library: Library, prepared: ClusteringGraph, *, force: bool = False
    ) -> Steps[tuple[Places, bool]]:
        """Return the positions of all nodes float32 [n, 2], and whether they were laid out again.

        If cancelled, the previous positions stay.
        """
        ids = prepared.graph.ids
        stored_ids, stored = library.clusters.positions()
        yield None
        rows = find_rows(ids, stored_ids)
        yield None
        is_known = np.zeros(len(ids), np.bool_)
        is_known[rows[rows >= 0]] = True
        if len(ids) and is_known.all() and not force:
            return _arrange_by_row(rows, stored, len(ids)), False
        if force or is_known.sum() <= len(ids) * (1 - _MAX_NEW_SHARE):
            places, is_new = (yield from self._lay_out((yield from with_vectors(library, prepared)))), True
        else:
            known = _arrange_by_row(rows, stored, len(ids))
            places, is_new = (yield from place_new_nodes_in_steps(prepared.graph, known, is_known)), False
        yield None
        if library.writable:
            yield from library.clusters.save_positions(ids, places)
        return places, is_new

    def _lay_out(self, prepared: ClusteringGraph) -> Steps[Places]:
        start = yield from _project(prepared)
        prepared = prepared.without_many_vectors()  # the layout needs them no more
        if self._start_task is None or len(start) <= MAX_INLINE_NODES:
            steps = lay_out_graph(prepared.graph, start)
            return (yield from map_steps(steps, lambda step: Progress("laying out", *step, "steps")))
        with write_temporary_file("graph.npz", Path.touch) as file:
            yield from save_graph_beside(file, prepared.graph, start)
            places: Places = yield from follow_task(self._start_task("layout", MapLayoutRequest(str(file))))
            return places


def _project(prepared: ClusteringGraph) -> Steps[Places]:
    """Return the positions of the nodes on the plane of their principal components: float32 [n, 2]."""
    return map_steps(project_to_plane(prepared.vectors), lambda _: Progress("laying out", 0, 100, "steps"))


def _arrange_by_row(rows: NDArray[np.int64], stored: Places, count: int) -> Places:
    """Return positions by row float32 [n, 2], zeros where none is saved."""
    places = np.zeros((count, 2), np.float32)
    places[rows[rows >= 0]] = stored[rows >= 0]
    return places


def read_change_times(library: Library, documents: NDArray[np.int64]) -> Steps[NDArray[np.float64]]:
    """Return when each of `documents` int64 [n] last changed: float64 [n], seconds since 1970; 0 if unknown."""
    dates = np.zeros(1 + int(documents.max(initial=0)))
    for page in iter_document_pages(library, _DOCUMENTS_PER_STEP):
        for document in page:
            if document.document_id < len(dates):
                dates[document.document_id] = document.mtime_ns / 1e9
        yield None
    found: NDArray[np.float64] = dates[documents]
    return found
