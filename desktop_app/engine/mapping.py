"""The map of a library: laid out once, in a process of its own, then added to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.layout import lay_out, placing_among, principal_plane
from desktop_app.analysis.neighbours import rows_of
from desktop_app.analysis.tasks import LayoutTask
from desktop_app.core.jobs import Progress, Steps
from desktop_app.engine.dividing import AT_HAND, written
from desktop_app.engine.working import follow

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from desktop_app.core.library_ports import Library
    from desktop_app.core.ports import Work
    from desktop_app.engine.dividing import Laid

    Places = NDArray[np.float32]

_MOST_NEW = 0.5
_DOCUMENTS = 200  # that are read at once


class Mapper:
    """Says where the nodes of a library's graph lie.

    Args:
        start_work: begins a task of a process of its own; None: everything is done here.
    """

    def __init__(self, start_work: Callable[[str, object], Work] | None) -> None:
        self._start_work = start_work

    def places(self, library: Library, laid: Laid, *, anew: bool = False) -> Steps[tuple[Places, bool]]:
        """Return the places of all nodes float32 [n, 2], and whether they were laid out anew.

        When it is cancelled, the places of before stay.
        """
        ids = laid.graph.ids
        kept_ids, kept = library.themes.positions()
        yield None
        rows = rows_of(ids, kept_ids)
        yield None
        is_known = np.zeros(len(ids), np.bool_)
        is_known[rows[rows >= 0]] = True
        if len(ids) and is_known.all() and not anew:
            return _in_rows(rows, kept, len(ids)), False
        if anew or is_known.sum() <= len(ids) * (1 - _MOST_NEW):
            places, is_new = (yield from self._laid_out(laid)), True
        else:
            known = _in_rows(rows, kept, len(ids))
            places, is_new = (yield from placing_among(laid.graph, known, is_known)), False
        yield None
        if library.writable:
            library.themes.keep_positions(ids, places)
            yield None
        return places, is_new

    def _laid_out(self, laid: Laid) -> Steps[Places]:
        beginning = principal_plane(laid.vectors)
        while True:
            try:
                next(beginning)
            except StopIteration as end:
                start: Places = end.value
                break
            yield Progress("laying out", 0, 100, "steps")
        if self._start_work is None or len(start) <= AT_HAND:
            steps = lay_out(laid.graph, start)
            while True:
                try:
                    done, total = next(steps)
                except StopIteration as end:
                    places: Places = end.value
                    return places
                yield Progress("laying out", done, total, "steps")
        with written(laid.graph, start) as file:
            places = yield from follow(self._start_work("layout", LayoutTask(file)))
            return places


def _in_rows(rows: NDArray[np.int64], kept: Places, count: int) -> Places:
    """Return places by row float32 [n, 2], zeros where none is kept."""
    places = np.zeros((count, 2), np.float32)
    places[rows[rows >= 0]] = kept[rows >= 0]
    return places


def changed_at(library: Library, documents: NDArray[np.int64]) -> Steps[NDArray[np.float64]]:
    """Return when each of `documents` int64 [n] was changed last: float64 [n], seconds since 1970; 0: not known."""
    wanted, rows = np.unique(documents, return_inverse=True)
    yield None
    dates = np.zeros(len(wanted))
    after = 0
    while page := library.documents(after_id=after, limit=_DOCUMENTS):
        after = page[-1].document_id
        ids = np.array([document.document_id for document in page], np.int64)
        at = np.minimum(np.searchsorted(wanted, ids), max(len(wanted) - 1, 0))
        for document, row in zip(page, at.tolist(), strict=True):
            if len(wanted) and wanted[row] == document.document_id:
                dates[row] = document.mtime_ns / 1e9
        yield None
    found: NDArray[np.float64] = dates[rows]
    return found
