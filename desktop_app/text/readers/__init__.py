"""One module for each format; which one reads a file is seen by its content, then by its name."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import time
from typing import TYPE_CHECKING

from desktop_app.core.errors import FileFailure
from desktop_app.core.records import Unchanged
from desktop_app.text.readers.events import FileFacts, StillAlive

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from desktop_app.core.records import DocumentType
    from desktop_app.text.readers.events import Step

PDF_SUFFIXES = frozenset({".pdf"})
TEXT_SUFFIXES = frozenset({".txt", ".text", ".rst"})
MARKDOWN_SUFFIXES = frozenset({".md", ".markdown"})
SUFFIXES = PDF_SUFFIXES | TEXT_SUFFIXES | MARKDOWN_SUFFIXES
"""Names that are taken when a folder is imported. A file named by itself is read whatever its name."""

_HEAD_BYTES = 4096
_PDF_WITHIN = 1024
"""Bytes within which `%PDF-` must stand (ISO 32000-1, annex H.3)."""
_CHUNK_BYTES = 1 << 20
_ALIVE_EVERY_S = 1.0
_MAGIC = (
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"RIFF", "a picture, sound or film"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old office document"),
    (b"{\\rtf", "a rich text document"),
    (b"\x1f\x8b", "a compressed file"),
    (b"7z\xbc\xaf\x27\x1c", "a compressed file"),
    (b"\xfd7zXZ\0", "a compressed file"),
    (b"Rar!\x1a\x07", "a compressed file"),
    (b"BZh", "a compressed file"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\0", "a program"),
    (b"SQLite format 3\0", "a database"),
    (b"%!PS", "a PostScript document"),
)
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)


def is_supported(path: Path) -> bool:
    """Say whether a file inside an imported folder is taken, by its name alone."""
    return path.suffix.lower() in SUFFIXES and not path.name.startswith((".", "~$"))


def read_document(
    path: Path,
    *,
    password: str | None = None,
    known_hash: str | None = None,
    file_bytes: int = 2_000_000_000,
    engine: str = "both",
) -> Iterator[Step]:
    """Read a file, whatever it is.

    Args:
        path: the file.
        password: for an encrypted PDF.
        known_hash: SHA-256 under which the library knows the file.
        file_bytes: largest file that is opened.
        engine: for PDFs, see `readers.pdf.read`.

    Yields:
        Unchanged; or the events of a reading, with steps for the process that runs it.

    Raises:
        FileFailure: it cannot be read.
    """
    try:
        size = _checked_size(path, file_bytes)
        facts = yield from _facts(path, size)
        if facts.content_hash == known_hash:
            yield Unchanged(facts.content_hash)
            return
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
        yield from _reading(path, facts, sniff(path, head), password, engine)
    except OSError as error:
        raise FileFailure("unreadable", f"The file cannot be read ({error.strerror or error})") from error
    except MemoryError as error:
        raise FileFailure("too_large", "The file needs more memory than it may have") from error


def sniff(path: Path, head: bytes) -> DocumentType:
    """Return the format of a file by its first bytes, then by its name.

    Raises:
        FileFailure: `unsupported`: it is of a kind that is not read.
    """
    if b"%PDF-" in head[:_PDF_WITHIN]:
        return "pdf"
    for magic, name in _MAGIC:
        if head.startswith(magic):
            raise FileFailure("unsupported", f"The file is {name}")
    suffix = path.suffix.lower()
    if suffix in PDF_SUFFIXES:
        if _HTML.match(head):
            raise FileFailure("unsupported", "The file is named PDF and is a web page")
        return "pdf"
    return "markdown" if suffix in MARKDOWN_SUFFIXES else "text"


def _reading(path: Path, facts: FileFacts, kind: DocumentType, password: str | None, engine: str) -> Iterator[Step]:
    # Each format's libraries are loaded when the first file of it comes.
    if kind == "pdf":
        from desktop_app.text.readers import pdf

        return pdf.read(path, facts, password=password, engine=engine)
    if kind == "markdown":
        from desktop_app.text.readers import markdown

        return markdown.read(path, facts)
    from desktop_app.text.readers import plain

    return plain.read(path, facts)


def _checked_size(path: Path, file_bytes: int) -> int:
    """Return the length of a regular file; a pipe or device is never opened, it might wait for ever."""
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        what = "a folder" if stat.S_ISDIR(status.st_mode) else "no ordinary file"
        raise FileFailure("unreadable", f"This is {what}")
    if status.st_size == 0:
        raise FileFailure("no_text", "The file is empty")
    if status.st_size > file_bytes:
        raise FileFailure("too_large", f"The file has {status.st_size:,} bytes; the limit is {file_bytes:,}")
    return status.st_size


def _facts(path: Path, size: int) -> Generator[Step, None, FileFacts]:
    digest = hashlib.sha256()
    told = time.monotonic()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
            if time.monotonic() - told > _ALIVE_EVERY_S:
                yield StillAlive()
                told = time.monotonic()
    return FileFacts(digest.hexdigest(), size)
