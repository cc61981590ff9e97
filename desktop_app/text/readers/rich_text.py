"""RTF -> events: striprtf makes the text, this module spares it what it would choke on."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from striprtf.striprtf import rtf_to_text

from desktop_app.core.errors import FileFailure
from desktop_app.core.reading import DocumentHead
from desktop_app.text.cleaning import kept
from desktop_app.text.passages import clean
from desktop_app.text.readers.events import told
from desktop_app.text.readers.flow import Flow
from desktop_app.text.readers.kinds import LIST_ITEM

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_app.text.readers.events import FileFacts, Step

_BINARY = re.compile(rb"\\bin(\d{1,10}) ?")
_HEXADECIMAL = re.compile(r"(?:[0-9a-fA-F][ \r\n]*){256,}")
"""Pictures and other files inside the file."""
_CODE_PAGE = re.compile(r"\\ansicpg(\d{1,5})")
_NOTE = re.compile(r"\{\\(?:footnote|\*\\footnote)(?![a-zA-Z])")
_BRACE = re.compile(r"\\[\\{}]|[{}]")
_TITLE = re.compile(r"\{\\title[ \r\n]([^{}]{0,500})\}")
_AUTHOR = re.compile(r"\{\\author[ \r\n]([^{}]{0,500})\}")
_LINE_END = re.compile(r"[\r\n]+")


def read(path: Path, facts: FileFacts) -> Iterator[Step]:
    """Read an RTF file.

    Raises:
        FileFailure: it is damaged or has no text.
    """
    source = _HEXADECIMAL.sub("", _without_binary(path.read_bytes()).decode("latin-1"))
    named = _CODE_PAGE.search(source)
    encoding = _codec(f"cp{named.group(1)}" if named else "cp1252")
    # What is no ASCII although it should be is in the file's own code page.
    source = source.encode("latin-1").decode(encoding, "replace")
    # striprtf looks for links from every field on, to the line's end; this way it finds none to look from.
    source = _with_notes_last(source).replace("\\field{", "\\field {")
    flow = Flow()
    for line in _text(source, encoding).splitlines():
        cells = line.split("|")
        if len(cells) > 2 and not cells[-1].strip():
            flow.add_row(cells)
        else:
            flow.add(line, "list" if LIST_ITEM.match(line.strip()) else "body")
    title, author = (_property(pattern, source, encoding) for pattern in (_TITLE, _AUTHOR))
    head = DocumentHead("rtf", facts.content_hash, facts.size_bytes, title, author, encoding=encoding)
    return told(head, flow.spans())


def _codec(name: str) -> str:
    try:
        return codecs.lookup({"cp65001": "utf-8", "cp10000": "mac_roman"}.get(name, name)).name
    except LookupError:
        return "cp1252"


def _text(source: str, encoding: str) -> str:
    try:
        return str(rtf_to_text(source, encoding=encoding, errors="ignore"))  # type: ignore[no-untyped-call]
    except (ValueError, LookupError, IndexError, TypeError, OverflowError) as error:
        raise FileFailure("damaged", "The file is damaged: its RTF cannot be read") from error


def _without_binary(data: bytes) -> bytes:
    r"""Return the file without the bytes that `\binN` announces."""
    pieces: list[bytes] = []
    position = 0
    while (match := _BINARY.search(data, position)) is not None:
        pieces.append(data[position : match.start()])
        position = min(match.end() + int(match.group(1)), len(data))
    return b"".join([*pieces, data[position:]])


def _with_notes_last(source: str) -> str:
    """Return the file with its footnotes at its end, as paragraphs: striprtf leaves them out."""
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


def _property(pattern: re.Pattern[str], source: str, encoding: str) -> str:
    found = pattern.search(source)
    if found is None:
        return ""
    text = _text(f"{{\\rtf1 {found.group(1)}}}", encoding)
    return clean(_LINE_END.sub(" ", text), 0, kept)[0]
