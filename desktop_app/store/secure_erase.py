"""Overwrites the traces of erased rows in a database file.

SQLite's `secure_delete` overwrites rows that are deleted. But when SQLite moves rows between pages to balance its
trees, the bytes left behind stay in the unused middle of the old page, and are still there when the rows themselves are
erased later. `VACUUM` would remove them by rewriting the whole file in one go, with twice the space; this module
overwrites the unused middles with zeros, some pages at a time.

File format: sqlite.org/fileformat2.html, section 1.6 "B-tree Pages".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

_FILE_HEADER = 100
_STEP_BYTES = 2_000_000
_LOCK_BYTE = 0x40000000
"""SQLite locks bytes of the page at this offset and stores nothing there; Windows does not allow reading them."""

_INTERIOR = (2, 5)  # kinds of tree pages: the header of interior pages is four bytes longer
_LEAF = (10, 13)
_MOST_PAGES = 1 << 25
"""In a larger file an overflow page (which begins with a page number) could be mistaken for a tree page."""


def erase_unused_bytes(file: Path) -> Iterator[None]:
    """Overwrite the unused bytes in the pages of a database; yields between steps, always with a sound file.

    Only bytes that belong to no row are written, so readers may read at the same time. Between two steps the caller's
    process, the only writer, may change the file; such changes need another pass. The log must be empty at the
    beginning,
    and the caller's connection must drop its cached pages at the end: both hold older copies.
    """
    with file.open("rb+", buffering=0) as stream:
        head = stream.read(_FILE_HEADER)
        page_bytes = int.from_bytes(head[16:18], "big")
        page_bytes = 65_536 if page_bytes == 1 else page_bytes
        usable = page_bytes - head[20]
        at, end = 0, os.fstat(stream.fileno()).st_size // page_bytes
        if not head.startswith(b"SQLite format 3\0") or end >= _MOST_PAGES:
            return
        step = max(1, _STEP_BYTES // page_bytes)
        while at < end:
            lock_page = _LOCK_BYTE // page_bytes
            count = min(step, end - at, lock_page - at if at < lock_page else end)
            if at == lock_page:
                at += 1
                continue
            stream.seek(at * page_bytes)
            pages = np.frombuffer(stream.read(count * page_bytes), np.uint8)
            pages = pages[: len(pages) // page_bytes * page_bytes].reshape(-1, page_bytes)
            for number, page in enumerate(pages, start=at):
                gap = find_unused_bytes(page, usable, _FILE_HEADER if number == 0 else 0)
                if gap is not None and page[gap[0] : gap[1]].any():
                    stream.seek(number * page_bytes + gap[0])
                    stream.write(bytes(gap[1] - gap[0]))
            at += count
            yield
        os.fsync(stream.fileno())


def find_unused_bytes(page: NDArray[np.uint8], usable: int, header: int) -> tuple[int, int] | None:
    """Return start and end of the unused middle of a tree page; None for other pages and doubtful ones.

    Args:
        page: uint8 [bytes of a page].
        usable: bytes of a page that SQLite uses.
        header: offset of the page's own header: 100 on the file's first page.
    """
    kind = int(page[header])
    if kind not in _INTERIOR and kind not in _LEAF:
        return None
    cells = int(page[header + 3]) << 8 | int(page[header + 4])
    content = (int(page[header + 5]) << 8 | int(page[header + 6])) or 65_536
    begin = header + (12 if kind in _INTERIOR else 8)
    end = begin + 2 * cells
    if not end <= content <= usable:
        return None
    pointers = page[begin:end].reshape(-1, 2).astype(np.int64) @ np.array([256, 1])
    if cells and (pointers.min() < content or pointers.max() >= usable):
        return None
    return end, content
