"""Reads the files that a command is given: whole, but no device and no more than fits into memory."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from desktop_app.core.errors import BadData, NotFound
from desktop_app.core.messages import system_text

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


def read_text_file(path: str | Path) -> str:
    """Return the text of a UTF-8 file.

    Raises:
        NotFound: it does not exist or cannot be read.
        BadData: it is not UTF-8 (the message names the line), or a device or too large.
    """
    try:
        raw = read_input_file(path)
    except (OSError, ValueError) as error:
        why = system_text(getattr(error, "strerror", None) or error)
        raise NotFound("{path} cannot be read: {why}", "Check its name.", path=path, why=why) from error
    return decode_utf8(path, raw)


def decode_utf8(path: str | Path, raw: bytes) -> str:
    """Return UTF-8 as text, without a byte-order mark.

    Raises:
        BadData: it is not UTF-8; the message names the line.
    """
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n" if b"\n" in raw else b"\r", 0, error.start) + 1
        raise BadData("{path}, line {line} is not UTF-8", "Save the file as UTF-8.", path=path, line=line) from error
