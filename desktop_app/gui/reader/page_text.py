"""The text of a page by position: characters, words and lines under a point, and their boxes."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from desktop_app.core.pages import Box
from desktop_app.core.word_marks import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop_app.core.pages import PageCharacters

_WORD = re.compile(rf"\w(?:[\w{MARKS}'’]|\u00ad\n|[-\u2010](?=\w))*")
_LINE_END = re.compile(rf"(?<=[\w{MARKS}])([-\u2010])\n(?=\w)|\u00ad\n?|[ \n]+")
_TALL_LINE = 2.2
"""A line this many times as tall as some of its words has a sign among them that reaches into other lines."""

_VERTICAL_WEIGHT = 3.0
"""Vertical distance weighs this much more than horizontal distance, so that the column at the same height wins."""


class _TextLine(NamedTuple):
    start: int
    stop: int
    box: Box


class PageTextIndex:
    """The characters of a page by their positions in `text`, 0 to `len(text)`."""

    def __init__(self, characters: PageCharacters) -> None:
        self.text = characters.text
        self._boxes = characters.boxes
        self._lines: list[_TextLine] = []
        for start, stop in pairwise(self._line_starts()):
            if (box := _bounding_box(self._inked_boxes(start, stop))) is not None:
                self._lines.append(_TextLine(start, stop, box))
        self._starts = [line.start for line in self._lines]

    def _line_starts(self) -> Iterator[int]:
        """Yield where each line begins, and the end of the text.

        PDFium leaves out the line end before a paragraph that follows a short line. There, the next character is lower
        and beside the previous one; in a vertical column it is lower, and below it.
        """
        yield 0
        start = 0
        for line in self.text.splitlines(keepends=True):
            previous: Box | None = None
            for index in range(start, start + len(line)):
                box = self._box(index)
                if box is None:
                    continue
                last, previous = previous or box, box
                if box.top >= last.bottom and (box.right < last.left or box.left > last.right):
                    yield index
            start += len(line)
            yield start

    def is_over_text(self, x: float, y: float) -> bool:
        """Return whether a point is on a line of text."""
        line = self._nearest_line(x, y)
        return line is not None and _distance_to_box(line.box, x, y) == 0

    def position_at(self, x: float, y: float) -> int:
        """Return the position between characters that is nearest to a point."""
        line = self._nearest_line(x, y)
        if line is None:
            return 0
        if y < line.box.top - (line.box.bottom - line.box.top):
            return line.start
        best, position = float("inf"), line.start
        for index in range(line.start, line.stop):
            box = self._box(index)
            if box is None:
                continue
            distance = _distance_to_box(box, x, y)
            if distance < best:
                best = distance
                middle = (box.left + box.right) / 2
                position = index + (x > middle)
        return position

    def index_at(self, x: float, y: float) -> int | None:
        """Return the character under a point; None if there is none."""
        line = self._nearest_line(x, y)
        if line is None or _distance_to_box(line.box, x, y) > 0:
            return None
        inked = [index for index in range(line.start, line.stop) if self._box(index) is not None]
        return min(inked, key=lambda index: _distance_to_box(self._box(index) or line.box, x, y))

    def word_at(self, index: int) -> tuple[int, int]:
        """Return the word around a character, across a hyphen at the end of a line."""
        begin = max(0, index - 200)
        for match in _WORD.finditer(self.text, begin, min(len(self.text), index + 200)):
            if match.start() <= index < match.end():
                return match.span()
        return index, index + 1

    def line_at(self, index: int) -> tuple[int, int]:
        """Return the line around a character."""
        nth = max(bisect_right(self._starts, index) - 1, 0)
        if not self._lines:
            return index, index
        line = self._lines[nth]
        return line.start, line.start + len(self.text[line.start : line.stop].rstrip("\n"))

    def boxes(self, start: int, stop: int) -> list[Box]:
        """Return the boxes of a range, one for each line."""
        result = []
        first = max(bisect_right(self._starts, start) - 1, 0)
        for line in self._lines[first:]:
            if line.start >= stop:
                break
            chosen = _bounding_box(self._inked_boxes(max(start, line.start), min(stop, line.stop)))
            if chosen is not None:
                upright = chosen.right - chosen.left >= 0.2 * (line.box.right - line.box.left) or (
                    line.box.bottom - line.box.top < line.box.right - line.box.left
                )
                is_like_line = line.box.bottom - line.box.top < _TALL_LINE * (chosen.bottom - chosen.top)
                if upright and is_like_line:
                    chosen = Box(chosen.left, line.box.top, chosen.right, line.box.bottom)
                result.append(chosen)
        return result

    def plain(self, start: int, stop: int) -> str:
        """Return a range as it is copied: one line, with undivided words."""
        return _LINE_END.sub(
            lambda match: match.group(1) or _replace_break(match.group()), self.text[start:stop]
        ).strip()

    def _box(self, index: int) -> Box | None:
        left, top, right, bottom = self._boxes[4 * index : 4 * index + 4]
        return Box(left, top, right, bottom) if right > left else None

    def _inked_boxes(self, start: int, stop: int) -> list[Box]:
        return [box for index in range(start, stop) if (box := self._box(index)) is not None]

    def _nearest_line(self, x: float, y: float) -> _TextLine | None:
        return min(self._lines, key=lambda line: _distance_to_box(line.box, x, y), default=None)


def _replace_break(found: str) -> str:
    """Return a space for the end of a line, and nothing for a soft hyphen."""
    return "" if "\u00ad" in found else " "


def _distance_to_box(box: Box, x: float, y: float) -> float:
    across = max(box.left - x, 0.0, x - box.right)
    down = max(box.top - y, 0.0, y - box.bottom)
    return across + _VERTICAL_WEIGHT * down


def _bounding_box(boxes: Iterable[Box]) -> Box | None:
    every = list(boxes)
    if not every:
        return None
    return Box(
        min(box.left for box in every),
        min(box.top for box in every),
        max(box.right for box in every),
        max(box.bottom for box in every),
    )
