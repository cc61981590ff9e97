"""Writes the contents of the library, or the results of a search, to files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.jobs import Job, Lane, Progress, Steps
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.engine.search import complete_result, read_result_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.library import Library
    from desktop_app.core.records import Hit, Occurrence
    from desktop_app.engine.context import EngineContext
    from desktop_app.engine.requests import SearchResult

_ROWS_PER_STEP = 100


class ExportService:
    """Exports that belong to no other feature.

    Args:
        context: the library that it reads.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def write_text(self, file: str, text: str) -> Job[None]:
        """Write a text to a file, whole or not at all.

        Raises (the job):
            StorageFull: the file cannot be written.
        """

        def work() -> None:
            from desktop_app.core.atomic_files import open_atomic

            with open_atomic(file) as out:
                out.write(text.encode("utf-8", "backslashreplace"))

        return self._context.engine.submit("write text", work, lane=Lane.FRONT, by_person=False)

    def export_hits(self, title: str, hits: Sequence[Hit], file: str) -> Job[int]:
        """Write sentences under a title to a file, in the format of its ending; returns how many.

        Raises (the job): as `export_result` does.
        """

        def steps() -> Steps[int]:
            from desktop_app.core.result_files import write_hits

            yield from run_in_thread(lambda: write_hits(file, title, hits))
            return len(hits)

        return self._context.engine.submit("export sentences", steps)

    def export_result(self, result: SearchResult, file: str) -> Job[int]:
        """Write all hits of a search to a file, in the format of its ending; returns how many.

        Raises (the job):
            UsageError: no format has this ending.
            StorageFull: the file cannot be written.
        """

        def steps() -> Steps[int]:
            from desktop_app.core.result_files import write_hits

            hits = list(result.hits) if result.documents else []  # complete already, in the order of documents
            whole = replace(result, found=()) if result.documents else complete_result(self._context, result)
            for first in range(0, len(whole.found), _ROWS_PER_STEP):
                hits += read_result_rows(self._context, whole, first, _ROWS_PER_STEP)
                yield Progress("exporting", len(hits), len(whole.found), "sentences")
            yield from run_in_thread(lambda: write_hits(file, result.query, hits, result.understood))
            return len(hits)

        return self._context.engine.submit("export hits", steps)

    def export_occurrences(self, write: Callable[[Sequence[Occurrence]], None], scope: Scope = EVERYTHING) -> Job[int]:
        """Pass every sentence of a part of the library to `write`, in reading order, in batches; returns how many."""

        def steps() -> Steps[int]:
            library = self._context.open_library()
            done = 0
            total = library.info().occurrences if scope.has_every_document else None
            for batch in library.sentences.occurrences(batch=_ROWS_PER_STEP, scope=scope):
                write(batch)
                done += len(batch)
                yield Progress("exporting", done, total, "sentences")
            return done

        return self._context.engine.submit("export", steps)

    def read_vectors(self, scope: Scope = EVERYTHING) -> Job[NDArray[np.float32]]:
        """Return the vectors of a part's sentences, float32 [n, dim]: a row for each occurrence.

        The rows are in the order of `export_occurrences`; a row of zeros where there is no vector.
        """

        def gather(library: Library) -> Steps[NDArray[np.float32]]:
            import numpy as np

            from desktop_app.engine.neighbour_graph import join_pieces, read_vectors

            places = yield from join_pieces(
                library.analysis_reader.occurrences_in_order(scope), np.empty((0, 3), np.int64)
            )
            ids, rows = np.unique(places[:, 0], return_inverse=True)
            vectors = yield from read_vectors(library, ids)
            return vectors[rows]

        def steps() -> Steps[NDArray[np.float32]]:
            from desktop_app.engine.neighbour_graph import restart_on_model_change

            library = self._context.open_library_for_vectors()
            return (yield from restart_on_model_change(library, lambda: gather(library)))

        return self._context.engine.submit("vectors", steps)

    def export_pair_labels(self, file: str) -> Job[int]:
        """Write all labelled pairs that a model can be trained on, in the format of the file's ending.

        Returns how many; with none, no file is written.

        Raises (the job):
            UsageError: no format has this ending.
            StorageFull: the file cannot be written.
        """

        def work() -> int:
            from desktop_app.core.labelled_data import write_pair_labels
            from desktop_app.engine.labelled_pairs import collect_labelled_pairs

            labels = collect_labelled_pairs(self._context.open_library())
            if labels:
                write_pair_labels(file, labels)
            return len(labels)

        return self._context.engine.submit("export pair labels", work, lane=Lane.FRONT)
