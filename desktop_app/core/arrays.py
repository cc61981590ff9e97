"""Names for types of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Scores = NDArray[np.float32]
    Vector = NDArray[np.float32]
    Vectors = NDArray[np.float32]
