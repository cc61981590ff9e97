"""Takes memory from the system in short steps, for what would take it all at once.

A system that has little free memory, or gets it from the host of a virtual machine, needs 120 ms for the 40 MB of a
graph; one that has it, 20.
"""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from desktop_app.core.jobs import Steps

_STEP_BYTES = 4_000_000
_PAGE_BYTES = 4096  # the smallest: the system gives one when something is written to it


def touch_memory(fresh: NDArray[Any]) -> Steps[None]:
    """Take the memory of a new array from the system; overwrites some of it."""
    memory = fresh.reshape(-1).view(np.uint8)
    for at in range(0, len(memory), _STEP_BYTES):
        memory[at : at + _STEP_BYTES : _PAGE_BYTES] = 0
        yield None


def make_room(size: int) -> Steps[None]:
    """Take so many bytes from the system and give them back at the end, so that it has them for the next who asks.

    In a mapping, because NumPy asks for large pages, which Linux keeps for others who do.
    """
    with mmap.mmap(-1, max(size, 1)) as room:
        for at in range(0, len(room), _STEP_BYTES):
            pages = slice(at, min(at + _STEP_BYTES, len(room)), _PAGE_BYTES)
            room[pages] = bytes(len(range(*pages.indices(len(room)))))
            yield None
