"""The nearest vectors in memory: the parts of an index as one. No SQL, no deletions.

A part of the index never changes while it is searched: graphs are sealed, and the rows that still grow are a plain
matrix.
"""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.store.gathered import GATHERED_AT_ONCE, GatheredRows
from desktop_app.store.index_parts import BLOCK, EF_SEARCH, Rows, best_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from desktop_app.store.index_parts import Part

    Ids = NDArray[np.int64]
    Vectors = NDArray[np.float32]

_LEAST_SHARE = 48
_MORE = 3
"""How many rows a graph is asked for at least, and how many times as many when it may have more."""


class VectorIndex:
    """All parts of a library's index: sealed segments by their id, and the tail that still grows.

    Args:
        dim: length of a vector.
        beside: searches some of the parts meanwhile; None: they are searched in turn.

    Attributes:
        ef: how many candidates a search of a graph keeps at least.
        is_searched: whether a search was asked for: then the next ones are to find all graphs in memory.
    """

    def __init__(self, dim: int, beside: Executor | None = None) -> None:
        self.dim = dim
        self._beside = beside
        self.is_searched = False
        self.tail = Rows(dim)
        self.segments: dict[int, Part] = {}
        self.ef = EF_SEARCH
        self._gathered = GatheredRows(dim)

    def __len__(self) -> int:
        return len(self.tail) + sum(len(part) for part in self.segments.values())

    def parts(self) -> list[Part]:
        """Return the parts that have rows."""
        return [part for part in (*self.segments.values(), self.tail) if len(part)]

    def blocks(self) -> Iterator[tuple[Ids, Vectors]]:
        """Yield all rows, some at a time: sentence ids int64 [b] and vectors float32 [b, dim]."""
        for part in self.parts():
            for at in range(0, len(part), BLOCK):
                ids = part.ids[at : at + BLOCK]
                yield ids, part.vectors(ids)

    def search(self, query: Vectors, top_k: int, ef: int | None = None) -> tuple[Ids, Vectors]:
        """Return ids and cosines of the `top_k` nearest rows, best first; fewer only when there are no more.

        Each part is asked for its share first. One whose rows are all among the best may have more of them: it is
        asked again, for more. A part that is asked for all at once takes twice as long, and there may be forty.
        """
        self.is_searched = True
        asked = {part: min(len(part), self._share(part, top_k)) for part in self.parts()}
        if not asked:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        found = self._side_by_side(query, asked, ef or self.ef)
        while True:
            ids = np.concatenate([found[part][0] for part in asked])
            best, scores = best_of(ids, np.concatenate([found[part][1] for part in asked]), top_k)
            edge = scores[-1] if len(scores) == top_k else -np.inf
            worst = {part: found[part][1].min() for part in asked if asked[part] < min(top_k, len(part))}
            # One at a time: what the richest part still has may show that the others have nothing more.
            rich = max(worst, key=lambda part: float(worst[part]), default=None)
            if rich is None or worst[rich] < edge:
                return best, scores
            asked[rich] = min(_MORE * asked[rich], top_k, len(rich))
            found[rich] = rich.search(query, asked[rich], ef or self.ef)

    def _side_by_side(self, query: Vectors, asked: dict[Part, int], ef: int) -> dict[Part, tuple[Ids, Vectors]]:
        """Return what each part finds; hnswlib and the products of matrices do without the interpreter's lock."""
        waiting = deque(reversed(asked.items()))  # the tail first: it may last longest
        found: dict[Part, tuple[Ids, Vectors]] = {}

        def search() -> None:
            while waiting:
                try:
                    part, count = waiting.popleft()
                except IndexError:  # the other one took it
                    return
                found[part] = part.search(query, count, ef)

        helping = self._beside.submit(search) if self._beside is not None and len(asked) > 1 else None
        try:
            search()
        finally:
            if helping is not None:
                helping.result()
        return found

    def _share(self, part: Part, top_k: int) -> int:
        """Return for how many rows a part is asked first; a matrix product finds all of them in the same time."""
        if isinstance(part, Rows):
            return top_k
        return min(top_k, max(_LEAST_SHARE, 2 * math.ceil(top_k * len(part) / len(self))))

    def search_among(self, query: Vectors, ids: Ids, top_k: int) -> tuple[Ids, Vectors]:
        """Return the exact `top_k` nearest of `ids`, best first; ids without a vector are left out."""
        best = np.empty(0, np.int64), np.empty(0, np.float32)
        for at in range(0, len(ids), BLOCK):
            held, vectors = self.vectors(ids[at : at + BLOCK])
            best = best_of(np.concatenate([best[0], held]), np.concatenate([best[1], vectors @ query]), top_k)
        return best

    def held(self, ids: Ids) -> NDArray[np.bool_]:
        """Return for each of `ids` whether it is in any part."""
        held = np.zeros(len(ids), np.bool_)
        for part in self.parts():
            held |= part.held(ids)
        return held

    def forget_gathered(self) -> None:
        """Hold no rows but those of the parts: some were erased."""
        self._gathered.forget()

    def vectors(self, ids: Ids) -> tuple[Ids, Vectors]:
        """Return those of `ids` (distinct) that have a vector, and their rows float32 [n, dim]."""
        if len(ids) > GATHERED_AT_ONCE:
            return self._gather(ids)
        gathered = self._gathered
        gathered.keep_to([(part, part.losses if isinstance(part, Rows) else 0) for part in self.parts()])
        places = gathered.places(ids)
        if (missing := places < 0).any():
            if not gathered.has_room(int(missing.sum())):
                gathered.forget()
                missing[:] = True
            gathered.add(*self._gather(ids[missing]))
            places = gathered.places(ids)
        here = places >= 0
        return ids[here], gathered.rows(places[here])

    def _gather(self, ids: Ids) -> tuple[Ids, Vectors]:
        found_ids, found = [np.empty(0, np.int64)], [np.empty((0, self.dim), np.float32)]
        for part in self.parts():
            held = part.held(ids)
            if held.any():
                found_ids.append(ids[held])
                found.append(part.vectors(ids[held]))
                ids = ids[~held]
        return np.concatenate(found_ids), np.concatenate(found)

    def scores(self, query: Vectors, ids: Ids) -> tuple[Ids, Vectors]:
        """Return those of `ids` that have a vector with their cosines, best first.

        Products are summed row by row in float64, so that equal vectors have equal scores wherever they lie; a
        matrix product or hnswlib's own loops may differ in the last bit.
        """
        held, vectors = self.vectors(ids)
        exact = (vectors.astype(np.float64) * query.astype(np.float64)).sum(axis=1).astype(np.float32)
        return best_of(held, np.clip(exact, -1.0, 1.0), len(held))
