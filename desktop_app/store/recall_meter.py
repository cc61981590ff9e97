"""Measures how many of the nearest vectors the graphs find, and sets the search width accordingly.

A graph is searched approximately, and what it misses depends on the vectors. So recall is measured on the library's
own vectors against exact answers, and the search is widened until it misses at most one in a hundred.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.recall import check_recall, mix_rows
from desktop_app.core.records import Recall
from desktop_app.store.counters import read_counters, set_counter, upsert_counter
from desktop_app.store.search import ASK_MORE
from desktop_app.store.vector_index import EF_SEARCH, ExactRows, HnswGraph, select_best, share_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from desktop_app.core.arrays import Ids, Vectors
    from desktop_app.core.jobs import Step, Steps
    from desktop_app.core.records import CheckResult
    from desktop_app.store.database import Database
    from desktop_app.store.index_segments import Segments
    from desktop_app.store.search import LocalVectorSearch
    from desktop_app.store.vector_index import IndexPart, VectorIndex


QUERIES = 200
TOP_K = 10
TARGET_RECALL = 0.99
SEARCH_WIDTHS = (120, EF_SEARCH, 240, 360, 540, 800, 1200)
"""How many candidates a graph search keeps at least (`ef`); each step costs about half as much again.

Narrower searches are none: a graph is asked for 80 rows at least, and keeps half as many candidates again.
"""

_GROWTH = 1.25
_UNIT = 10_000


class RecallMeter:
    """Measures the recall, stores it, and sets the search width."""

    def __init__(self, database: Database, segments: Segments, search: LocalVectorSearch) -> None:
        self._database = database
        self._segments = segments
        self._search = search

    def last(self, counters: Mapping[str, int]) -> Recall | None:
        """Return the last measurement of the vectors in use; None if there is none."""
        if not counters.get("recall_vectors"):
            return None
        return Recall(
            counters["recall"] / _UNIT, counters["ef_search"], _count_queries(counters), counters["recall_vectors"]
        )

    def measure_if_due(self) -> Steps[None]:
        """Measure if there is no measurement yet, or the graphs have changed."""
        with self._database.read_transaction() as connection:
            index = self._segments.index(connection)
            counters = read_counters(connection)
        sealed = _count_sealed(index) if index is not None else 0
        measured = counters.get("recall_vectors", 0) if _count_queries(counters) == QUERIES else 0
        same_model = sealed and counters.get("recall_model") == self._segments.model_and_dim[0]
        if sealed and not (same_model and measured / _GROWTH <= sealed <= measured * _GROWTH):
            yield from self.measure()

    def measure(self) -> Steps[Recall | None]:
        """Compare graphs with exact answers on a sample, and widen searches until they find enough.

        Returns None where there are no graphs (every search is exact), one has to be rebuilt, or another job has
        replaced graphs, erased vectors or changed the library's model meanwhile. A step reads a block of vectors, or
        compares it: each vector is read once for all queries.
        """
        with self._database.read_transaction() as connection:
            index = self._segments.index(connection)
        if index is None or not (sealed := _count_sealed(index)):
            return None
        measuring, begun = self._measure(index, sealed), _list_parts(index)
        while True:
            try:
                step = next(measuring)
            except StopIteration as end:
                measured: Recall | None = end.value
                return measured
            yield step
            # The files of its graphs may be gone, or rows have moved from one part to another.
            if self._segments.loaded_index is not index or _list_parts(index) != begun:
                return None

    def _measure(self, index: VectorIndex, sealed: int) -> Generator[Step, None, Recall | None]:
        rows = self._search.sample_vectors(QUERIES)
        yield None
        queries = mix_rows(rows)
        nothing = np.empty(0, np.int64), np.empty(0, np.float32)
        best, edges = [nothing] * len(queries), np.full(len(queries), -np.inf)
        # An import may go on meanwhile: what it adds is in some blocks and not in others, and is left out.
        newest = max(int(part.ids.max()) for part in index.parts())
        for block_ids, block in index.blocks():
            yield None
            is_known = block_ids <= newest
            ids, vectors = block_ids[is_known], block[is_known]
            scores = queries @ vectors.T
            if not np.isfinite(scores).all():
                return None  # a damaged vector: its graph is rebuilt, and measured then
            for at in np.flatnonzero((scores >= edges[:, None]).any(axis=1)).tolist():
                best[at] = _merge_best(best[at], select_best(ids, scores[at], TOP_K), TOP_K)
                if len(best[at][1]) == TOP_K:
                    edges[at] = best[at][1][-1]
            yield None
        truth = [np.unique(ids) for ids, _ in best]  # a sentence imported again may also be in an old graph
        recall, width = 0.0, SEARCH_WIDTHS[0]
        for width in SEARCH_WIDTHS:
            near = yield from self._found(index, queries, width, newest)
            hit = sum(len(np.intersect1d(ids, exact)) for ids, exact in zip(near, truth, strict=True))
            recall = hit / max(sum(map(len, truth)), 1)
            if recall >= TARGET_RECALL:
                break
        index.ef = width
        measured = Recall(recall, width, len(queries), sealed)
        if self._database.writable:
            with self._database.write_transaction(is_aside=True) as connection:
                set_counter(connection, "ef_search", width)
                set_counter(connection, "recall", round(recall * _UNIT))
                set_counter(connection, "recall_vectors", sealed)
                set_counter(connection, "recall_model", self._segments.model_and_dim[0])
                upsert_counter(connection, "recall_queries", len(queries))
        return measured

    def _found(self, index: VectorIndex, queries: Vectors, width: int, newest: int) -> Steps[list[Ids]]:
        """Return the ids up to `newest` that a search finds for each query; loads at most one graph into memory."""
        nothing = np.empty(0, np.int64), np.empty(0, np.float32)
        best, total, wanted = [nothing] * len(queries), len(index), TOP_K + ASK_MORE
        for part in index.parts():
            was_in_memory = not isinstance(part, HnswGraph) or part.is_in_memory
            if isinstance(part, HnswGraph) and part.can_be_loaded:
                with suppress(OSError, ValueError, RuntimeError):  # searches compare its rows then
                    yield from part.load_steps()
            wanted = max(wanted, index.count_candidates(TOP_K + ASK_MORE))
            for at, query in enumerate(queries):
                found = part.search(query, share_of(part, wanted, total), width)
                best[at] = _merge_best(best[at], found, wanted)
                yield None
            if isinstance(part, HnswGraph) and not was_in_memory and not self._segments.stay_in_memory:
                part.unload()
        nearest = []
        for query, (ids, _) in zip(queries, best, strict=True):
            nearest.append(index.scores(query, ids[ids <= newest])[0][:TOP_K])
            yield None
        return nearest

    def check(self) -> Iterator[CheckResult | Step]:
        """Measure step by step and yield the result; nothing where every search is exact."""
        found = yield from self.measure()
        if found is not None:
            yield check_recall(found, TARGET_RECALL)


def _count_queries(counters: Mapping[str, int]) -> int:
    """Return of how many queries the last measurement was; earlier versions of the program did not say."""
    return counters.get("recall_queries", 50)


def _count_sealed(index: VectorIndex) -> int:
    return sum(len(part) for part in index.segments.values())


def _list_parts(index: VectorIndex) -> list[tuple[IndexPart, int]]:
    """Return the parts of an index, each with how often rows were dropped from it; added rows make no difference."""
    parts = [*index.segments.values(), index.tail]
    return [(part, part.losses if isinstance(part, ExactRows) else 0) for part in parts]


def _merge_best(one: tuple[Ids, Vectors], other: tuple[Ids, Vectors], count: int) -> tuple[Ids, Vectors]:
    """Return the best `count` rows of two results, each ids and scores."""
    return select_best(np.concatenate([one[0], other[0]]), np.concatenate([one[1], other[1]]), count)
