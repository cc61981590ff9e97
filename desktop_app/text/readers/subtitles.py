"""Subtitles (SubRip, WebVTT) to events: cues become sentences, places are milliseconds."""

from __future__ import annotations

import html
import re
from array import array
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from desktop_app.core.errors import FileFailure
from desktop_app.core.language_detection import guess_language
from desktop_app.core.reader_events import DocumentHead, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.text.cleaning import SENTENCE_END
from desktop_app.text.decoding import decode
from desktop_app.text.passages import MAX_PASSAGE, Passage, clean_stretch, split_into_sentences, split_long_text
from desktop_app.text.readers.reader_steps import PROGRESS_CHARACTERS, Heartbeat, read_without_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from desktop_app.core.records import Unit
    from desktop_app.text.readers.reader_steps import SpanStep, Step

_STAMP = r"(?:(\d{1,4}) ?: ?)?(\d{1,2}) ?: ?(\d{1,2})(?: ?[.,:] ?(\d{1,3}))?"
_SHORT_STAMP = r"(\d{1,4}):(\d{1,2}):(\d{1,2})[.,](\d{1,3})"
_TIMES = re.compile(
    rf"[ \t]*{_STAMP}[ \t]*-{{1,3}}>[ \t]*{_STAMP}(?:[ \t].*)?|[ \t]*{_SHORT_STAMP},{_SHORT_STAMP}[ \t]*", re.DOTALL
)
"""The line of times in SubRip and WebVTT; in SBV and SubViewer, with a comma."""
_LINE = re.compile(r"([^\r\n]*+)(?:\r\n|\r|\n|\Z)")
_HIDDEN_BLOCK = re.compile(r"(?:NOTE|STYLE|REGION)(?:[ \t]|$)")
_BREAK = re.compile(r"\[br\]|<br ?/?>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>|<\d[\d:.]{0,20}>|\{\\[^{}\n]{0,200}\}|\{[a-zA-Z]:[^{}\n]{0,60}\}")
_SPEAKER = re.compile(r"\s*(?:[-–—‐]\s*\S|>>)")
_PAUSE_MS = 2000
"""A longer silence ends a paragraph."""
_LONGEST_PARAGRAPH = 2000
_GUESSED_CHARACTERS = 40_000


@dataclass(frozen=True, slots=True)
class SubtitleCue:
    """A text and the time when it is shown, in milliseconds."""

    start: int
    stop: int
    lines: tuple[str, ...]


def read(path: Path, content_hash: str) -> Iterator[Step]:
    """Read subtitles.

    Raises:
        FileFailure: the file is binary, has no cues or no text.
    """
    decoded = decode(path.read_bytes())
    text = decoded.text
    cues = iter_cues(text)
    first: SubtitleCue | None = None
    for cue in cues:
        if isinstance(cue, SubtitleCue):
            first = cue
            break
        yield cue
    if first is None:
        raise FileFailure("damaged", "The file has no timed subtitles")
    times = _CueTimes()
    head = DocumentHead("subtitles", content_hash, encoding=decoded.encoding)
    third = len(text) // 3
    language = guess_language(_TAG.sub("", text[third : third + _GUESSED_CHARACTERS]))
    passages = _join_cues(chain((first,), cues), times)
    spans = map(times.to_milliseconds, split_into_sentences(passages, language, _cue_unit))
    yield from read_without_pages(head, spans, decoded.warning)


def iter_cues(text: str) -> Iterator[SubtitleCue | Heartbeat]:
    """Yield the cues in the order of the file, without notes, styles and numbers.

    Text after a blank line belongs to the cue above, if no times follow it.
    """
    is_web = text.startswith("WEBVTT")
    times: tuple[int, int] | None = None
    lines: list[str] = []
    block: list[str] = []  # the lines after the last blank one
    last_block: list[str] = []
    is_hidden = False
    unreported = 0
    for found in _LINE.finditer(text):
        line = found.group(1)
        unreported += len(line) + 1
        if unreported > PROGRESS_CHARACTERS // 2:
            yield Heartbeat()
            unreported = 0
        match = _TIMES.fullmatch(line) if "->" in line or "," in line else None
        if match is not None:
            # The line above is the number of this cue, or its name.
            if block and (block[-1].strip().isdigit() or (is_web and len(block) == 1 and not _is_open(lines, times))):
                block.pop()
            if times is not None:
                yield SubtitleCue(*times, (*lines, *block))
            lines, block = [], []
            numbers = match.groups()[:8] if match[2] is not None else match.groups()[8:]
            start, stop = _to_ms(*numbers[:4]), _to_ms(*numbers[4:])
            times = start, max(stop, start + 1)
            is_hidden, last_block = False, []
        elif not line.strip():
            lines += block
            last_block, block = block or last_block, []
            is_hidden = False
        elif is_web and not block and _HIDDEN_BLOCK.match(line):
            is_hidden = True
        elif not is_hidden:
            block.append(line)
    lines += block
    if len(last_block) == 1 and last_block[0].strip().isdigit() and len(lines) > 1:
        lines.pop()  # the number of a cue that is missing
    if times is not None:
        yield SubtitleCue(*times, tuple(lines))


def _is_open(lines: Sequence[str], times: tuple[int, int] | None) -> bool:
    """Return whether a cue still waits for its first line."""
    return times is not None and not lines


def _to_ms(hours: str | None, minutes: str, seconds: str, fraction: str | None) -> int:
    return ((int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int((fraction or "0").ljust(3, "0"))


class _CueTimes:
    """The times of all cues so far, by their numbers from 0."""

    def __init__(self) -> None:
        self._starts = array("q")
        self._stops = array("q")

    def add(self, cue: SubtitleCue) -> int:
        """Add a cue; return its number."""
        self._starts.append(cue.start)
        self._stops.append(cue.stop)
        return len(self._starts) - 1

    def to_milliseconds(self, span: SpanStep) -> SpanStep:
        """Convert the places of a sentence from cues to milliseconds."""
        if not isinstance(span, SentenceSpan):
            return span
        places = tuple(
            Place(None, self._starts[place.start], max(self._stops[place.start : place.stop]), "ms")
            for place in span.places
        )
        return replace(span, places=places)


def _join_cues(cues: Iterable[SubtitleCue | Heartbeat], times: _CueTimes) -> Iterator[Passage | Heartbeat]:
    """Join cues into paragraphs: up to a pause, another speaker, or the end of a sentence in a long paragraph."""
    passage, last = Passage(), ""
    before: SubtitleCue | None = None
    for cue in cues:
        if isinstance(cue, Heartbeat):
            yield cue
            continue
        number = times.add(cue)
        for line in cue.lines:
            for part in split_long_text(_BREAK.sub(" ", line)):
                text, _ = clean_stretch(_unescape(_TAG.sub("", part)))
                if not text or (text == last and len(line) <= MAX_PASSAGE):
                    continue  # rolling captions show each line twice
                last = text
                paused = before is not None and cue.start - before.stop > _PAUSE_MS
                ended = len(passage) > _LONGEST_PARAGRAPH and SENTENCE_END.search(passage.last_characters()) is not None
                is_cut = len(passage) + len(text) > MAX_PASSAGE
                if passage and (paused or ended or is_cut or _SPEAKER.match(text)):
                    passage.is_cut = is_cut and not (paused or ended)
                    yield passage
                    passage = Passage()
                if passage:
                    passage.add_blank()
                passage.add(text, array("i", [number]) * len(text), None)
                before = cue
    if passage:
        yield passage


def _unescape(text: str) -> str:
    try:
        return html.unescape(text)
    except ValueError:  # a reference with thousands of digits
        return text


def _cue_unit(_page: int | None) -> Unit:
    return "ms"
