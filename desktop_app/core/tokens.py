"""The words of a text as a model sees them, with their vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """Words and signs of a text, in reading order, up to where the model stops reading.

    Attributes:
        tokens: as they stand in the text; the pieces of a word are one.
        vectors: float32 [n, hidden], rows of length 1: the body's last layer, the mean of a word's pieces.
    """

    tokens: tuple[str, ...]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WordComparison:
    """How the words of two texts belong together.

    Attributes:
        a: the words of the first.
        b: of the second.
        similarity: float32 [len(a), len(b)], cosines.
        alignment: (row, column) of the words that belong together: each word once, the sum of cosines the highest.
        is_cut: whether a text has more words than are looked at.
    """

    a: tuple[str, ...]
    b: tuple[str, ...]
    similarity: NDArray[np.float32]
    alignment: tuple[tuple[int, int], ...]
    is_cut: bool = False
