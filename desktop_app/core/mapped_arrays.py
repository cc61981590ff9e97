"""Arrays in a temporary file that is mapped: they take memory only while they are read."""

from __future__ import annotations

import mmap
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_PIECE_BYTES = 4_000_000


class MappedArrays:
    """Arrays that cannot be changed, read from a file that nobody else sees; it goes with them.

    Attributes:
        arrays: what was written, in its order.
    """

    def __init__(self, mapping: mmap.mmap, arrays: Sequence[NDArray[Any]]) -> None:
        self._mapping = mapping
        self.arrays: list[NDArray[Any]] = []
        at = 0
        for array in arrays:
            values = np.frombuffer(mapping, array.dtype, array.size, at)
            self.arrays.append(values.reshape(array.shape))
            at += array.nbytes

    def release(self) -> None:
        """Return the memory of what was read: the next time, it is read from the file, or the system's copy of that."""
        if hasattr(self._mapping, "madvise"):  # elsewhere the system takes it when it needs memory
            self._mapping.madvise(mmap.MADV_DONTNEED)


def map_arrays(arrays: Sequence[NDArray[Any]], folder: Path) -> Generator[None, None, MappedArrays]:
    """Return a copy of arrays in a new temporary file in `folder`, in short steps.

    Raises (a step):
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder) as file:
        for array in arrays:
            content = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
            for at in range(0, len(content), _PIECE_BYTES):
                file.write(content[at : at + _PIECE_BYTES])
                yield
        file.flush()
        mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return MappedArrays(mapping, arrays)
