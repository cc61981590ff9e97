"""Measures how many of the nearest vectors the graphs find, and sets the search width accordingly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.jobs import run_to_completion
from desktop_app.core.recall import check_recall, mix_rows
from desktop_app.core.records import CheckResult, Recall
from desktop_app.core.scope import EVERYTHING
from desktop_app.shared_store.vectors import parent_table, part_table, read_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_app.core.arrays import Vectors
    from desktop_app.core.jobs import Steps
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.models import SharedLibraryModels
    from desktop_app.shared_store.search import SharedVectorSearch


QUERIES = 50
TOP_K = 10
TARGET_RECALL = 0.98
SEARCH_WIDTHS = (80, 120, 160, 200, 240, 320, 480, 720, 1000)
"""How many candidates a graph search keeps at least; pgvector allows no more than the last."""

_GROWTH = 1.25


class SharedRecallMeter:
    """Measures the recall, stores it, and sets the search width for every session."""

    def __init__(self, database: SharedDatabase, models: SharedLibraryModels, search: SharedVectorSearch) -> None:
        self._database = database
        self._models = models
        self._search = search

    def last(self) -> Recall | None:
        """Return the last measurement of the vectors in use; None if there is none."""
        row = self._models.current_row()
        if row is None or not row.recall_vectors:
            return None
        return Recall(row.recall, row.ef_search, row.recall_queries, row.recall_vectors)

    def measure_if_due(self) -> Steps[None]:
        """Measure if there is no measurement yet, or the graphs have changed."""
        row = self._database.row("SELECT id, recall_vectors FROM model WHERE current")
        if row is None:
            return
        sealed = self._count_sealed(row.id)
        if sealed and not row.recall_vectors / _GROWTH <= sealed <= row.recall_vectors * _GROWTH:
            yield from self.measure()

    def _count_sealed(self, model_id: int) -> int:
        return sum(
            int(self._database.value(f"SELECT count(*) FROM {part_table(model_id, part.number)}"))
            for part in read_parts(self._database, model_id)
        )

    def measure(self) -> Steps[Recall | None]:
        """Compare graphs with exact answers on a sample, and widen searches until they find enough.

        Returns None where there are no graphs: every search is exact.
        """
        model = self._models.current_row()
        if model is None or not (sealed := self._count_sealed(model.id)):
            return None
        queries = mix_rows(self._search.sample_vectors(QUERIES))
        truth = []
        for query in queries:
            truth.append(
                set(
                    self._database.column(
                        f"SELECT sentence_id FROM {parent_table(model.id)} ORDER BY vector <#> %(query)s, sentence_id"
                        f" LIMIT {TOP_K}",
                        query=query,
                    )
                )
            )
            yield None
        recall, width = 0.0, SEARCH_WIDTHS[0]
        for width in SEARCH_WIDTHS:
            hit = 0
            for query, exact in zip(queries, truth, strict=True):
                hit += len(exact & set(self._found(model, query, width)))
                yield None
            recall = hit / max(sum(map(len, truth)), 1)
            if recall >= TARGET_RECALL:
                break
        measured = Recall(recall, width, len(queries), sealed)
        if self._database.writable:
            with self._database.write_transaction():
                self._database.run(
                    "UPDATE model SET ef_search = %(width)s, recall = %(recall)s, recall_queries = %(queries)s,"
                    " recall_vectors = %(sealed)s WHERE id = %(id)s",
                    width=width,
                    recall=recall,
                    queries=len(queries),
                    sealed=sealed,
                    id=model.id,
                )
        return measured

    def _found(self, model: AnyRow, query: Vectors, width: int) -> list[int]:
        parts = read_parts(self._database, model.id)
        rows = self._search.find_near(model, parts, query, TOP_K, EVERYTHING, width)
        return [row.sentence_id for row in rows]

    def check(self) -> Iterator[CheckResult]:
        """Measure in one go and yield the result; nothing where every search is exact."""
        found = run_to_completion(self.measure())
        if found is not None:
            yield check_recall(found, TARGET_RECALL)
