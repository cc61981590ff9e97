"""What another model would find in the library: the results of some queries under both, side by side.

Nothing is stored. The sentences are embedded with the other model one batch after the other, and of each only its
cosines with the queries stay: a look before the library is switched.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.jobs import Job, Progress, Steps
from desktop_app.core.query import clean_query, understand
from desktop_app.core.records import Nearest
from desktop_app.engine import embedding
from desktop_app.engine.beside import beside
from desktop_app.engine.pace import Pace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop_app.core.library_ports import Library
    from desktop_app.core.models import ModelSource
    from desktop_app.core.ports import Encoder
    from desktop_app.core.records import Hit
    from desktop_app.engine.engine import Engine

TOP_K = 10
_SPARE = 20  # sentences asked for beyond, because some may stand in no document any more
_BATCH = 1024


@dataclass(frozen=True, slots=True)
class QueryResults:
    """What both models find for a query, best first; the ranks of what the other one finds beyond are not known."""

    query: str
    before: tuple[Hit, ...]
    after: tuple[Hit, ...]

    def moved(self, hit: Hit) -> int | None:
        """Return by how many places a hit of `after` has risen; below 0: fallen. None: it was not found before."""
        ranks = {each.sentence_id: each.rank for each in self.before}
        return ranks[hit.sentence_id] - hit.rank if hit.sentence_id in ranks else None

    @property
    def gone(self) -> tuple[Hit, ...]:
        """The hits that the other model does not find."""
        kept = {hit.sentence_id for hit in self.after}
        return tuple(hit for hit in self.before if hit.sentence_id not in kept)

    @property
    def shared(self) -> float:
        """The share of the hits of before that the other model finds too, 0 to 1."""
        return 1 - len(self.gone) / len(self.before) if self.before else 1.0


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """Queries under the library's own model and another one."""

    before: str
    after: str
    queries: tuple[QueryResults, ...]
    sentences: int
    seconds: float


class ModelComparison:
    """Compares models on the library.

    Args:
        engine: runs the jobs.
        open_library: returns the library; called on the engine's thread.
        own_encoder: returns the library's encoder, loaded.
        source: the models; None where none but the library's own is to be had.
        load: loads the encoder in a folder.
    """

    def __init__(
        self,
        engine: Engine,
        open_library: Callable[[], Library],
        own_encoder: Callable[[], Encoder],
        source: Callable[[], ModelSource] | None,
        load: Callable[[Path], Encoder] | None,
    ) -> None:
        self._engine = engine
        self._open_library = open_library
        self._own_encoder = own_encoder
        self._source = source
        self._load = load

    def run(self, queries: Sequence[str], model: str, top_k: int = TOP_K) -> Job[BeforeAfter]:
        """Ask queries under the library's own model and under another one, by meaning.

        Args:
            queries: any texts.
            model: name or folder of the other model.
            top_k: how many hits of each.
        """
        return self._engine.submit("compare models", lambda: self._run(queries, model, top_k), key="compare models")

    def _run(self, queries: Sequence[str], model: str, top_k: int) -> Steps[BeforeAfter]:
        started = time.monotonic()
        asked = [text for text in (clean_query(query) for query in queries) if text]
        if not asked:
            raise UsageError("There is no query to compare the models by", "Give one at least.")
        library = self._open_library()
        if not library.info().searchable:
            raise NotFound("The library is empty", "Import something first.")
        own = self._own_encoder()
        assert self._source is not None, "where models are compared there are models"
        assert self._load is not None, "where there are models they can be loaded"
        load, folder = self._load, self._source().find(model)
        yield Progress("opening")
        other = yield from beside(lambda: load(folder))
        before = []
        # Conditions of a query are no part of its meaning; they are left out here, and who asks is told.
        meant = [" ".join(understand(query).like) or query for query in asked]
        for vector in own.encode(meant, kind="query"):
            before.append(_hits(library, library.nearest(vector, top_k), top_k))
            yield None
        wanted = other.encode(meant, kind="query")
        best = yield from self._best(library, other, wanted, top_k + _SPARE)
        after = []
        for found in best:
            after.append(_hits(library, found, top_k))
            yield None
        results = tuple(map(QueryResults, asked, before, after))
        seconds = time.monotonic() - started
        return BeforeAfter(own.model.name, other.model.name, results, library.info().searchable, seconds)

    def _best(
        self, library: Library, encoder: Encoder, wanted: NDArray[np.float32], top_k: int
    ) -> Steps[list[list[Nearest]]]:
        """Return for each query, unit vectors float32 [q, dim], the sentences nearest by `encoder`, best first."""
        total = library.info().searchable
        ids = np.empty((len(wanted), 0), np.int64)
        scores = np.empty((len(wanted), 0), np.float32)
        done = 0
        pace = Pace(0)

        def progress(count: int) -> Progress:
            rate = pace.rate(done + count)
            left = max(total - done - count, 0) / rate if rate else None
            return Progress("comparing", done + count, total, "sentences", sentences_per_s=rate, remaining_s=left)

        for part, _ in library.material.vectors():
            for start in range(0, len(part), _BATCH):
                texts = library.material.texts([int(each) for each in part[start : start + _BATCH]])
                # A repeated text has one id, so the texts are distinct.
                steps = embedding.embed_attentively(
                    encoder, list(texts.values()), lambda: self._engine.someone_waits, progress
                )
                vectors = yield from steps
                found = np.fromiter(texts, np.int64, len(texts))
                ids = np.concatenate([ids, np.broadcast_to(found, (len(wanted), len(found)))], axis=1)
                scores = np.concatenate([scores, wanted @ vectors.T], axis=1)
                kept = np.argsort(-scores, axis=1, kind="stable")[:, :top_k]
                ids, scores = np.take_along_axis(ids, kept, 1), np.take_along_axis(scores, kept, 1)
                done += len(found)
                yield progress(0)
        return [
            [Nearest(int(each), float(score)) for each, score in zip(*row, strict=True)]
            for row in zip(ids, scores, strict=True)
        ]


def _hits(library: Library, found: Sequence[Nearest], top_k: int) -> tuple[Hit, ...]:
    return tuple(library.hits(found)[:top_k])
