"""Estimates how much text files have: pictures make files large, but an import passes over them quickly."""

from __future__ import annotations

import heapq
import re
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Literal

from desktop_app.core.formats import ARCHIVES, FORMATS, is_supported, type_by_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.jobs import Steps
    from desktop_app.core.reader_events import FileRef

TextKind = Literal["pdf", "packed", "other"]

MIN_BYTES_TO_OPEN = 1_000_000
"""A smaller file is not opened: pictures do not make it long."""
_MOST_OPENED = 200
"""How many files are opened: the largest ones."""
_SAMPLES = 16
_SAMPLE_BYTES = 16_384
_MAX_DIRECTORY_BYTES = 20_000_000
_FILES_PER_STEP = 500  # files whose names are looked at: some 15 ms
_END_OF_ZIP = b"PK\x05\x06"
_PACKED_SUFFIXES = frozenset(
    suffix for each in (*FORMATS.values(), ARCHIVES) if each.zip_members or each.zip_type for suffix in each.suffixes
) | frozenset(ARCHIVES.suffixes)
_MARKUP_SUFFIXES = (".xml", ".xhtml", ".html", ".htm")
_ENCODED = re.compile(rb"[A-Za-z0-9+/=\r\n]{200,}")
"""Pictures and attachments in mail, web pages and RTF: no text has so many letters in a row."""
_PDF_OBJECT_END = re.compile(rb"endstream|endobj")


@dataclass(frozen=True, slots=True)
class TextAmount:
    """Bytes that can be text.

    Attributes:
        pdf: of PDFs, which pack their text.
        packed: of the packed parts of ZIP files, office documents and books.
        other: of files that are text.
    """

    pdf: float = 0.0
    packed: float = 0.0
    other: float = 0.0

    def __add__(self, more: TextAmount) -> TextAmount:
        return TextAmount(self.pdf + more.pdf, self.packed + more.packed, self.other + more.other)


def text_kind(path: PurePath) -> TextKind:
    """Return how a file stores its text, judged by its name."""
    if type_by_name(path) == "pdf":
        return "pdf"
    return "packed" if path.suffix.lower() in _PACKED_SUFFIXES else "other"


def estimate_text_amounts(files: Sequence[FileRef]) -> Steps[list[TextAmount]]:
    """Return how much text each of `files` may have; opens the largest of them, and reads a little of each."""
    amounts: list[TextAmount] = []
    for file in files:
        amounts.append(TextAmount(**{text_kind(PurePath(file.path)): float(file.size_bytes)}))
        if len(amounts) % _FILES_PER_STEP == 0:
            yield None
    large = ((file.size_bytes, at) for at, file in enumerate(files) if file.size_bytes >= MIN_BYTES_TO_OPEN)
    for _, at in heapq.nlargest(_MOST_OPENED, large):
        amounts[at] = estimate_text_amount(Path(files[at].path)) or amounts[at]
        yield None
    return amounts


def estimate_text_amount(path: Path) -> TextAmount | None:
    """Return how much text a file may have; None if it cannot be opened or is a member of an archive."""
    kind = text_kind(path)
    try:
        if kind == "packed":
            return _measure_members(path)
        blocks = _read_samples(path)
        size = path.stat().st_size
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError, zlib.error):
        return None
    if kind == "pdf":
        # Objects with text end every few kilobytes; a block without an end is inside a picture or a font.
        share = sum(_PDF_OBJECT_END.search(block) is not None for block in blocks) / max(len(blocks), 1)
        return TextAmount(pdf=size * share)
    encoded = sum(len(found.group()) for block in blocks for found in _ENCODED.finditer(block))
    return TextAmount(other=size * (1 - encoded / max(sum(map(len, blocks)), 1)))


def _read_samples(path: Path) -> list[bytes]:
    """Return blocks at equal distances."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        blocks = []
        for at in range(_SAMPLES):
            file.seek(at * max(size - _SAMPLE_BYTES, 0) // (_SAMPLES - 1))
            blocks.append(file.read(_SAMPLE_BYTES))
    return blocks


def _measure_members(path: Path) -> TextAmount | None:
    """Return the packed bytes of the members with text, as the directory of a ZIP file states them."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(size - 66_000, 0))  # a comment of 65,535 bytes may follow
        tail = file.read()
        end = tail.rfind(_END_OF_ZIP)
        if end < 0 or int.from_bytes(tail[end + 12 : end + 16], "little") > _MAX_DIRECTORY_BYTES:
            return None
        pdf = packed = 0
        with zipfile.ZipFile(file) as package:
            for info in package.infolist():
                name = PurePath(info.filename)
                if text_kind(name) == "pdf":
                    pdf += info.compress_size
                elif name.suffix.lower() in _MARKUP_SUFFIXES or is_supported(name):
                    packed += info.compress_size
    return TextAmount(pdf=pdf, packed=packed)
