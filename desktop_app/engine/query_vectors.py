"""Caches query vectors and computes them in parallel with the rest of a search."""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.helper_thread import HelperThread

if TYPE_CHECKING:
    from concurrent.futures import Future

    from desktop_app.core.arrays import Vector
    from desktop_app.core.ports import Encoder
    from desktop_app.core.query import Query


_UNLIKE_WEIGHT = 0.5


class QueryVectors:
    """Vectors of the latest queries: paging, sorting and retyping need the same ones again.

    Used from one thread; a second thread computes vectors ahead. No other code may use the encoder until they are
    ready: the caller must ask for the vector within the same step of a job.
    """

    def __init__(self, size: int = 64) -> None:
        self._size = size
        self._vectors: OrderedDict[tuple[str, str], Vector] = OrderedDict()
        self._pending: Future[None] | None = None

    @cached_property
    def _executor(self) -> HelperThread:
        return HelperThread("query")

    def embed_ahead(self, encoder: Encoder, query: Query) -> None:
        """Compute the vectors of a query in the second thread, while this one waits for SQLite, for example."""
        texts = [
            text for text in (*query.like, *query.unlike) if (encoder.model.fingerprint, text) not in self._vectors
        ]
        if texts and self._pending is None:
            self._pending = self._executor.submit(self._encode_all, encoder, texts)

    def close(self) -> None:
        """End the second thread."""
        if "_executor" in self.__dict__:
            self._executor.shutdown()

    def embed(self, encoder: Encoder, query: str) -> Vector:
        """Return the unit vector float32 [dim] of a text."""
        if (pending := self._pending) is not None:
            self._pending = None
            pending.result()
        key = (encoder.model.fingerprint, query)
        if key not in self._vectors:
            self._encode(encoder, query)
        self._vectors.move_to_end(key)
        return self._vectors[key]

    def _encode_all(self, encoder: Encoder, queries: list[str]) -> None:
        for query in queries:
            self._encode(encoder, query)

    def _encode(self, encoder: Encoder, query: str) -> None:
        self._vectors[encoder.model.fingerprint, query] = encoder.encode([query], kind="query")[0]
        if len(self._vectors) > self._size:
            self._vectors.popitem(last=False)

    def embed_query(self, encoder: Encoder, query: Query) -> Vector:
        """Return the unit vector of what to look for, minus half of what to avoid.

        Half, as in relevance feedback (Rocchio 1971): subtracting the whole would move away from the query itself.
        """
        like = np.sum([self.embed(encoder, text) for text in query.like], axis=0)
        total = like - _UNLIKE_WEIGHT * np.sum(
            [self.embed(encoder, text) for text in query.unlike] or [0 * like], axis=0
        )
        length = float(np.linalg.norm(total))
        # Vectors that cancel each other out mean nothing in particular.
        return np.asarray(total / length if length > 1e-3 else like / np.linalg.norm(like), np.float32)
