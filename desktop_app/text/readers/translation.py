"""Translation memories and files to events: TMX 1.4, XLIFF 1.2 and XLIFF 2; each unit is a paragraph of its languages.

The sentences of a unit are aligned: each language of it is one passage, and all have the same place, the number of the
unit. The codes of inline markup are left out; so are suggestions of other programs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_app.core.reader_events import DocumentHead, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.text.passages import clean_stretch, split_long_text
from desktop_app.text.readers.reader_steps import PROGRESS_CHARACTERS, Heartbeat, read_without_pages
from desktop_app.text.readers.xml_events import EVENTS_PER_HEARTBEAT, iter_xml_events
from desktop_app.text.splitter import MAX_LENGTH, split_sentences

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from desktop_app.text.readers.reader_steps import SpanStep, Step
    from desktop_app.text.readers.xml_events import XmlEvent

_CHUNK_BYTES = 1 << 16
_UNITS = frozenset({"tu", "trans-unit", "segment"})
_SIDES = frozenset({"seg", "source", "target"})
_CODES = frozenset({"bpt", "ept", "ph", "it", "ut", "x", "bx", "ex", "sc", "ec", "data", "originalData", "context"})
"""Elements around the codes of inline markup."""
_SUGGESTIONS = frozenset({"alt-trans", "matches", "seg-source", "bin-unit", "skeleton", "skl"})
_MAX_SIDES = 100
_PLACEHOLDERS = frozenset({"ph", "x", "it", "ut"})
_PLACEHOLDER = "\x00"
_BETWEEN_WORDS = re.compile(r"(?<=\w)\x00+(?=\w)")
"""A line end, mostly: without it two words would be one."""


@dataclass(slots=True)
class _Unit:
    """A translation unit: its text in each language, with the language where it is known, and notes."""

    sides: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read(path: Path, content_hash: str) -> Iterator[Step]:
    """Read a translation memory or file.

    Places are units, counted from 1.

    Raises:
        FileFailure: the file is damaged or has no text.
    """
    head = DocumentHead("translation", content_hash)
    return read_without_pages(head, _iter_spans(path))


def _iter_spans(path: Path) -> Iterator[SpanStep]:
    number = paragraph = characters = 0
    for unit in _iter_units(iter_xml_events(_iter_chunks(path))):
        if isinstance(unit, Heartbeat):
            yield unit
            continue
        number += 1
        place = Place(None, number, number + 1, "row")
        for group in (unit.sides, *([("", note)] for note in unit.notes)):
            found = False
            for language, text in group:
                for sentence in _split(text, language):
                    found = True
                    yield SentenceSpan(sentence, (place,), paragraph)
                characters += len(text)
                if characters > PROGRESS_CHARACTERS // 2:
                    yield Heartbeat()
                    characters = 0
            paragraph += found


def _iter_chunks(path: Path) -> Generator[bytes, None, None]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            yield chunk


def _split(text: str, language: str) -> Iterator[str]:
    """Yield the text of a unit as a whole; a long one in sentences."""
    if len(text) <= MAX_LENGTH:
        yield text
        return
    for part in split_long_text(text):
        for start, stop in split_sentences(part, language or "en"):
            yield part[start:stop]


def _iter_units(events: Iterator[XmlEvent]) -> Iterator[_Unit | Heartbeat]:
    unit: _Unit | None = None
    languages = {"source": "", "target": ""}
    language = ""
    pieces: list[str] | None = None
    notes: list[str] = []  # of XLIFF 2: before the segments of their unit
    suggestions = 0
    inside: list[bool] = []  # elements around codes, and inside of them those around text
    for count, event in enumerate(events, 1):
        if count % EVENTS_PER_HEARTBEAT == 0:
            yield Heartbeat()
        if event.kind == "text":
            if pieces is not None and not suggestions and not (inside and inside[-1]):
                pieces.append(event.name)
            continue
        starts, name = event.kind == "start", event.name
        if name in _SUGGESTIONS:
            suggestions += 1 if starts else -1
        elif suggestions:
            continue
        elif name in _CODES or name == "sub":
            if starts:
                inside.append(name != "sub")
                if pieces is not None and name in _PLACEHOLDERS:
                    pieces.append(_PLACEHOLDER)
            elif inside:
                inside.pop()
        elif name in ("file", "xliff") and starts:
            languages["source"] = _to_language(event, "source-language", "srcLang") or languages["source"]
            languages["target"] = _to_language(event, "target-language", "trgLang") or languages["target"]
        elif name in _UNITS:
            if starts:
                unit = _Unit(notes=notes)
                notes = []
            elif unit is not None:
                if unit.sides or unit.notes:
                    yield unit
                unit = None
        elif name == "tuv" and starts:
            language = _to_language(event, "lang")
        elif name in _SIDES or name == "note":
            if starts:
                pieces = []
            elif pieces is not None:
                joined = _BETWEEN_WORDS.sub(" ", "".join(pieces)).replace(_PLACEHOLDER, "")
                text = clean_stretch(joined)[0]
                pieces = None
                if text and name == "note":
                    (notes if unit is None else unit.notes).append(text)
                elif unit is not None and text and text not in (side for _, side in unit.sides[:_MAX_SIDES]):
                    unit.sides.append((languages.get(name, language), text))


def _to_language(event: XmlEvent, *names: str) -> str:
    """Return the language that one of these attributes names, without its region."""
    given = next((event.attributes[name] for name in names if name in event.attributes), "")
    return given.replace("_", "-").partition("-")[0].lower()
