"""RTF to events: striprtf extracts the text, after the parts that break it are removed."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from striprtf.striprtf import rtf_to_text

from desktop_app.core.errors import FileFailure
from desktop_app.core.reader_events import DocumentHead
from desktop_app.text.cleaning import clean_character
from desktop_app.text.passages import clean_stretch
from desktop_app.text.readers.paragraph_kind import LIST_ITEM
from desktop_app.text.readers.passage_collector import PassageCollector
from desktop_app.text.readers.reader_steps import read_without_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_app.text.readers.reader_steps import FileFacts, Step

_BINARY = re.compile(rb"\\bin(\d{1,10}) ?")
_HEXADECIMAL = re.compile(r"(?:[0-9a-fA-F][ \r\n]*){256,}")
"""Embedded pictures and other files."""
_CODE_PAGE = re.compile(r"\\ansicpg(\d{1,5})")
_NOTE = re.compile(r"\{\\(?:footnote|\*\\footnote)(?![a-zA-Z])")
_BRACE = re.compile(r"\\[\\{}]|[{}]")
_TITLE = re.compile(r"\{\\title[ \r\n]([^{}]{0,500})\}")
_AUTHOR = re.compile(r"\{\\author[ \r\n]([^{}]{0,500})\}")
_LINE_END = re.compile(r"[\r\n]+")


def read(path: Path, facts: FileFacts) -> Iterator[Step]:
    """Read an RTF file.

    Raises:
        FileFailure: the file is damaged or has no text.
    """
    source = _HEXADECIMAL.sub("", _remove_binary(path.read_bytes()).decode("latin-1"))
    named = _CODE_PAGE.search(source)
    encoding = _find_codec(f"cp{named.group(1)}" if named else "cp1252")
    # Bytes beyond ASCII, which RTF forbids, are in the code page of the file.
    source = source.encode("latin-1").decode(encoding, "replace")
    # striprtf searches for links from every `\field{` to the end of the line; the blank prevents that.
    source = _move_notes_to_end(source).replace("\\field{", "\\field {")
    collector = PassageCollector()
    for line in _extract_text(source, encoding).splitlines():
        cells = line.split("|")
        if len(cells) > 2 and not cells[-1].strip():
            collector.add_row(cells)
        else:
            collector.add(line, "list" if LIST_ITEM.match(line.strip()) else "body")
    title, author = (_read_property(pattern, source, encoding) for pattern in (_TITLE, _AUTHOR))
    head = DocumentHead("rtf", facts.content_hash, facts.size_bytes, title, author, encoding=encoding)
    return read_without_pages(head, collector.spans())


def _find_codec(name: str) -> str:
    try:
        return codecs.lookup({"cp65001": "utf-8", "cp10000": "mac_roman"}.get(name, name)).name
    except LookupError:
        return "cp1252"


def _extract_text(source: str, encoding: str) -> str:
    try:
        return str(rtf_to_text(source, encoding=encoding, errors="ignore"))  # type: ignore[no-untyped-call]
    except (ValueError, LookupError, IndexError, TypeError, OverflowError) as error:
        raise FileFailure("damaged", "The file is damaged: its RTF cannot be read") from error


def _remove_binary(data: bytes) -> bytes:
    r"""Return the file without the binary data after `\binN`."""
    pieces: list[bytes] = []
    position = 0
    while (match := _BINARY.search(data, position)) is not None:
        pieces.append(data[position : match.start()])
        position = min(match.end() + int(match.group(1)), len(data))
    return b"".join([*pieces, data[position:]])


def _move_notes_to_end(source: str) -> str:
    """Return the file with its footnotes as paragraphs at the end: striprtf skips footnotes."""
    pieces: list[str] = []
    notes: list[str] = []
    position = 0
    while (match := _NOTE.search(source, position)) is not None:
        depth = 1
        end = len(source)
        for brace in _BRACE.finditer(source, match.end()):
            depth += (brace.group() == "{") - (brace.group() == "}")
            if depth == 0:
                end = brace.end()
                break
        pieces.append(source[position : match.start()])
        notes.append(source[match.end() : end - 1])
        position = end
    if not notes:
        return source
    pieces.append(source[position:].rstrip().removesuffix("}"))
    return "".join(pieces) + "".join(f"\\par {{{note}}}" for note in notes) + "}"


def _read_property(pattern: re.Pattern[str], source: str, encoding: str) -> str:
    found = pattern.search(source)
    if found is None:
        return ""
    text = _extract_text(f"{{\\rtf1 {found.group(1)}}}", encoding)
    return clean_stretch(_LINE_END.sub(" ", text), 0, clean_character)[0]
