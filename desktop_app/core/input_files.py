"""Reads the files that a command is given: whole, but no device and no more than fits into memory."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from desktop_app.core.errors import BadData

if TYPE_CHECKING:
    from pathlib import Path

MAX_INPUT_BYTES = 1_000_000_000
_CHUNK_BYTES = 1 << 20


def read_input_file(path: str | Path, most: int = MAX_INPUT_BYTES) -> bytes:
    """Return the bytes of a file or pipe.

    Raises:
        OSError, ValueError: it cannot be read.
        BadData: it is a device, or has more than `most` bytes.
    """
    with open(path, "rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            raise BadData("{path} is a device, not a file", "Use a regular file.", path=path)
        pieces: list[bytes] = []
        length = 0
        while piece := file.read(_CHUNK_BYTES):
            length += len(piece)
            if length > most:
                raise BadData(
                    "{path} has more than {most:,} bytes", "Divide it into several files.", path=path, most=most
                )
            pieces.append(piece)
    return b"".join(pieces)
