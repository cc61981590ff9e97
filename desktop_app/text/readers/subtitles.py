"""Subtitles (SubRip, WebVTT) to events: cues become sentences, places are milliseconds."""

from __future__ import annotations

import html
import re
from array import array
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop_app.core.errors import FileFailure
from desktop_app.core.reader_events import DocumentHead
from desktop_app.core.records import Place
from desktop_app.text.cleaning import SENTENCE_END, clean_character
from desktop_app.text.decoding import decode
from desktop_app.text.passages import Passage, clean_stretch, split_into_sentences
from desktop_app.text.readers.passage_collector import guess_passage_language
from desktop_app.text.readers.reader_steps import read_without_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from desktop_app.core.reader_events import SentenceSpan
    from desktop_app.core.records import Unit
    from desktop_app.text.readers.reader_steps import FileFacts, Step

_STAMP = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})"
_TIMES = re.compile(rf"[ \t]*{_STAMP}[ \t]*-->[ \t]*{_STAMP}(?:[ \t].*)?")
_LINE_END = re.compile(r"\r\n|\r|\n")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>|<\d[\d:.]{0,20}>|\{\\[^{}\n]{0,200}\}|\{[a-zA-Z]:[^{}\n]{0,60}\}")
_SPEAKER = re.compile(r"\s*(?:[-–—‐]\s*\S|>>)")
_PAUSE_MS = 2000
"""A longer silence ends a paragraph."""
_LONGEST_PARAGRAPH = 2000


@dataclass(frozen=True, slots=True)
class SubtitleCue:
    """A text and the time when it is shown, in milliseconds."""

    start: int
    stop: int
    lines: tuple[str, ...]


def read(path: Path, facts: FileFacts) -> Iterator[Step]:
    """Read subtitles.

    Raises:
        FileFailure: the file is binary, has no cues or no text.
    """
    decoded = decode(path.read_bytes())
    cues = parse_cues(decoded.text)
    if not cues:
        raise FileFailure("damaged", "The file has no timed subtitles")
    passages = _join_cues(cues)
    head = DocumentHead("subtitles", facts.content_hash, facts.size_bytes, encoding=decoded.encoding)
    spans = (
        _to_milliseconds(span, cues)
        for span in split_into_sentences(passages, guess_passage_language(passages), _cue_unit)
    )
    return read_without_pages(head, spans, decoded.warning)


def parse_cues(text: str) -> list[SubtitleCue]:
    """Return the cues in the order of the file, without notes, styles and numbers."""
    cues: list[SubtitleCue] = []
    times: tuple[int, int] | None = None
    lines: list[str] = []

    def close() -> None:
        if times is not None:
            cues.append(SubtitleCue(*times, tuple(lines)))
        lines.clear()

    for line in _LINE_END.split(text):
        match = _TIMES.fullmatch(line) if "-->" in line else None
        if match is not None:
            if lines and times is not None and lines[-1].strip().isdigit():
                lines.pop()  # the number of the next cue, if no blank line separates them
            close()
            start, stop = _to_ms(*match.groups()[:4]), _to_ms(*match.groups()[4:])
            times = start, max(stop, start + 1)
        elif not line.strip():
            close()
            times = None
        elif times is not None:
            lines.append(line)
    close()
    return cues


def _to_ms(hours: str | None, minutes: str, seconds: str, fraction: str) -> int:
    return ((int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(fraction.ljust(3, "0"))


def _join_cues(cues: Sequence[SubtitleCue]) -> list[Passage]:
    """Join cues into paragraphs: up to a pause, another speaker, or the end of a sentence in a long paragraph."""
    passages: list[Passage] = []
    passage, last = Passage(), ""
    before: SubtitleCue | None = None
    for number, cue in enumerate(cues):
        for line in cue.lines:
            text, _ = clean_stretch(html.unescape(_TAG.sub("", line)), 0, clean_character)
            if not text or text == last:
                continue  # rolling captions show each line twice
            last = text
            paused = before is not None and cue.start - before.stop > _PAUSE_MS
            ended = len(passage) > _LONGEST_PARAGRAPH and SENTENCE_END.search(passage.last_characters()) is not None
            if passage and (paused or ended or _SPEAKER.match(text)):
                passages.append(passage)
                passage = Passage()
            if passage:
                passage.add_blank()
            passage.add(text, array("i", [number]) * len(text), None)
            before = cue
    return [*passages, passage] if passage else passages


def _cue_unit(_page: int | None) -> Unit:
    return "ms"


def _to_milliseconds(span: SentenceSpan, cues: Sequence[SubtitleCue]) -> SentenceSpan:
    """Convert a place from cues to milliseconds."""
    places = tuple(
        Place(None, cues[place.start].start, max(cue.stop for cue in cues[place.start : place.stop]), "ms")
        for place in span.places
    )
    return replace(span, places=places)
