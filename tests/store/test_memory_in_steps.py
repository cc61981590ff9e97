"""Memory is taken from the system in short steps."""

from __future__ import annotations

import mmap
from types import SimpleNamespace

import numpy as np
import pytest

from desktop_app.store import memory_in_steps

PAGE = 4096


class Room:
    """A mapping that notes the pages that were written to."""

    def __init__(self, _file: int, size: int) -> None:
        self.mapping = mmap.mmap(-1, size)
        self.pages: list[int] = []

    def __enter__(self) -> Room:
        return self

    def __exit__(self, *_error: object) -> None:
        self.mapping.close()

    def __len__(self) -> int:
        return len(self.mapping)

    def __setitem__(self, key: slice, value: bytes) -> None:
        self.mapping[key] = value
        self.pages += [at // PAGE for at in range(*key.indices(len(self)))]


@pytest.mark.parametrize("steps", [0, 1, 2, 100])
def test_each_step_takes_some_pages_and_all_are_given_back(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    rooms: list[Room] = []

    def make(file: int, size: int) -> Room:
        rooms.append(Room(file, size))
        return rooms[-1]

    monkeypatch.setattr(memory_in_steps, "_STEP_BYTES", 3 * PAGE)
    monkeypatch.setattr(memory_in_steps, "mmap", SimpleNamespace(mmap=make))
    room = memory_in_steps.make_room(10 * PAGE + 1)
    for _ in range(steps):
        next(room, None)
    room.close()
    for each in rooms:
        assert each.pages == list(range(min(3 * steps, 11)))
        assert each.mapping.closed
    assert len(rooms) == (steps > 0)


def test_a_new_array_is_touched_some_pages_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_in_steps, "_STEP_BYTES", 3 * PAGE)
    array = np.full((10 * PAGE + 1) // 4 + 1, -1, np.int32)
    touched = [int((array.view(np.uint8)[::PAGE] == 0).sum()) for _ in memory_in_steps.touch_memory(array)]
    assert touched == [3, 6, 9, 11]
