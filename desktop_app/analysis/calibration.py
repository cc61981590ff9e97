"""The meaning of a cosine in one library: its percentile among the cosines of random pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Generator

    from numpy.typing import NDArray

SAMPLE_SENTENCES = 1000
"""Sentences that are paired with each other: about half a million cosines in a few milliseconds."""

MIN_SENTENCES = 50
"""With fewer sentences the distribution means nothing."""

_QUANTILE_COUNT = 2001
_PERCENTILES = np.linspace(0.0, 100.0, _QUANTILE_COUNT)
_CHANCE_PERCENTILE = 99.0
_ROUNDING = 1e-6
_ROWS = 256  # compared at once


@dataclass(frozen=True, slots=True)
class Calibration:
    """The distribution of cosines of random pairs.

    Attributes:
        quantiles: float32 [_QUANTILE_COUNT], ascending: the cosines below which 0 % to 100 % of the pairs lie, evenly.
    """

    quantiles: NDArray[np.float32]

    def percentile(self, score: float) -> float:
        """Return the share of random pairs below a cosine, 0 to 100."""
        return float(np.interp(score, self.quantiles, _PERCENTILES))

    def best_of(self, count: int) -> Calibration:
        """Return the distribution of the highest of several cosines of random pairs.

        Of independent ones: the highest of related ones is lower, so nothing is taken for more than it is.
        """
        if count == 1:
            return self
        single = 100 * (_PERCENTILES / 100) ** (1 / count)
        return Calibration(np.interp(single, _PERCENTILES, self.quantiles).astype(np.float32))

    @property
    def chance(self) -> float:
        """The cosine that one random pair in a hundred reaches: below it, similarity may be chance."""
        return float(np.interp(_CHANCE_PERCENTILE, _PERCENTILES, self.quantiles))


def calibrate_in_steps(vectors: NDArray[np.float32]) -> Generator[None, None, Calibration | None]:
    """Return the distribution of cosines among some sentences; None if there are too few.

    Args:
        vectors: float32 [n, dim], rows of length 1, of different sentences chosen at random.
    """
    if len(vectors) < MIN_SENTENCES:
        return None
    parts: list[NDArray[np.float32]] = []
    for top in range(0, len(vectors), _ROWS):
        products = vectors[top : top + _ROWS] @ vectors[top:].T
        right = ~np.tri(*products.shape, dtype=np.bool_)  # above the diagonal: each pair once
        parts.append(np.sort(np.clip(products[right], -1.0, 1.0)))
        yield
    cosines = np.sort(np.concatenate(parts), kind="stable")  # fast for data that is sorted in parts
    yield
    # The result of np.quantile, which takes ten times as long because it does not know that they are sorted.
    at = np.linspace(0.0, len(cosines) - 1.0, _QUANTILE_COUNT)
    below = at.astype(np.int64)
    above = np.minimum(below + 1, len(cosines) - 1)
    quantiles = cosines[below] + (at - below) * (cosines[above] - cosines[below])
    # Strictly rising, so that a cosine has one place even if many pairs have the same cosine.
    return Calibration(
        np.maximum.accumulate(quantiles + np.arange(_QUANTILE_COUNT) * _ROUNDING / _QUANTILE_COUNT).astype(np.float32)
    )
