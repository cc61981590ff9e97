"""Freed memory is returned to the system, where the C library has to be asked for it."""

from __future__ import annotations

import ctypes
import mmap
import sys
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest

from desktop_app.core import freed_memory
from desktop_app.core.freed_memory import release_mapped_files, return_freed_memory


def test_a_library_without_the_function_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    return_freed_memory()
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: SimpleNamespace())
    return_freed_memory()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take freed memory by themselves")
def test_the_library_is_asked_for_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    kept_bytes: list[int] = []
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: SimpleNamespace(malloc_trim=kept_bytes.append))
    return_freed_memory()
    assert kept_bytes == [0]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take what is not read by themselves")
def test_a_mapped_file_takes_no_memory_but_what_was_changed_in_it_stays(tmp_path: Path) -> None:
    kept = []
    for name, is_changed in (("read.bin", False), ("changed bin", True)):
        file = tmp_path / name
        file.write_bytes(b"\x01" * 4_000_000)
        with file.open("rb") as stream:
            mapping = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_COPY)
        if is_changed:
            mapping[5000] = 7
        assert sum(mapping[::4096]) == 977
        kept.append((file, mapping))
        assert _resident_kb(file) > 3000
        release_mapped_files([file])
        assert (_resident_kb(file) > 3000) == is_changed
        assert mapping[5000] == (7 if is_changed else 1)
        assert mapping[1_000_000] == 1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take what is not read by themselves")
def test_what_was_changed_stays_when_it_is_swapped_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "model.safetensors"
    table = "".join(
        f"{start:x}-{start + 4096:x} rw-p 00000000 08:01 1 {file}\nRss: 0 kB\nAnonymous: 0 kB\nSwap: {swap} kB\n"
        for start, swap in ((0x1000, 4), (0x8000, 0))
    )
    released: list[int] = []
    library = SimpleNamespace(madvise=lambda start, _size, _advice: released.append(start.value))
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: library)
    monkeypatch.setattr(freed_memory, "open", lambda *_args, **_options: StringIO(table), raising=False)
    release_mapped_files([file])
    assert released == [0x8000]


def _resident_kb(file: Path) -> int:
    found, is_here = 0, False
    for line in Path("/proc/self/smaps").read_text("utf-8").splitlines():
        if not line.split()[0].endswith(":"):
            is_here = line.endswith(str(file))
        elif is_here and line.startswith("Rss:"):
            found += int(line.split()[1])
    return found
