"""An encoder that has computed its queries before: what is measured is the library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from desktop_app.core.records import ModelInfo

_NOISE = 0.6

Vectors = NDArray[np.float32]


class KnownVectors:
    """Implements what a search asks of an encoder."""

    def __init__(self, model: ModelInfo, vectors: dict[str, Vectors]) -> None:
        self.model = model
        self._vectors = vectors

    @classmethod
    def near(cls, model: ModelInfo, rows: Vectors, texts: Sequence[str], seed: int) -> Self:
        """Return one that gives each text a vector near a row: float32 [len(texts), dim]."""
        noise = np.random.default_rng(seed).standard_normal(rows.shape, np.float32)
        moved = rows + noise * np.float32(_NOISE / np.sqrt(rows.shape[1]))
        unit = moved / np.linalg.norm(moved, axis=1, keepdims=True)
        return cls(model, dict(zip(texts, unit, strict=True)))

    def encode(self, texts: Sequence[str], **_: object) -> Vectors:
        return np.stack([self._vectors[text] for text in texts])

    def knows_words(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        return np.ones(len(texts), np.bool_)

    def count_tokens(self, texts: Sequence[str]) -> NDArray[np.int64]:
        return np.ones(len(texts), np.int64)
