"""A cache of index rows that recent searches have read.

A search wants those of its hits three times: for their cosines, for those of what only words found, and for near
copies; and who types on finds some of them again. Out of the files of segments they take some microseconds each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Vectors = NDArray[np.float32]

MAX_ROWS_AT_ONCE = 1024
"""What asks for more rows than these is no search."""

_MAX_ROWS = 4 * MAX_ROWS_AT_ONCE


class VectorCache:
    """A few thousand rows by their sentences' ids; all are forgotten once there is no room for others."""

    def __init__(self, dim: int) -> None:
        self._rows: Vectors = np.empty((_MAX_ROWS, dim), np.float32)  # memory is taken as rows come
        self._places: dict[int, int] = {}
        self._source: Sequence[tuple[object, int]] = ()

    def keep_to(self, source: Sequence[tuple[object, int]]) -> None:
        """Forget all rows, unless they come from just these parts of the index, each in the state of that number."""
        if source != self._source:
            self.forget()
            self._source = source

    def forget(self) -> None:
        """Forget all rows."""
        if self._places:
            self._places.clear()
            self._rows = np.empty_like(self._rows)

    def has_room(self, count: int) -> bool:
        """Return whether so many more can be added."""
        return len(self._places) + count <= _MAX_ROWS

    def add(self, ids: Ids, rows: Vectors) -> None:
        """Take in rows that are not here."""
        first = len(self._places)
        self._rows[first : first + len(ids)] = rows
        self._places.update(zip(ids.tolist(), range(first, first + len(ids)), strict=True))

    def places(self, ids: Ids) -> Ids:
        """Return for each of `ids` where its row is, -1 for those that are not here."""
        find = self._places.get
        return np.fromiter((find(each, -1) for each in ids.tolist()), np.int64, len(ids))

    def rows(self, places: Ids) -> Vectors:
        """Return a copy of the rows at some places."""
        return self._rows[places]
