"""What optical character recognition made of a page."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_app.core.pages import Box

if TYPE_CHECKING:
    from collections.abc import Iterator

WORD = 7
"""Numbers that a word has: start and stop in the page's text; left, top, right, bottom; confidence from 0 to 100."""

_SAME_LINE = 0.4
_WIDEST_BLANK = 4.0
"""In heights of a word: a wider blank parts columns or cells."""


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """What OCR made of a page.

    Attributes:
        page: counted from 1.
        text: its words with blanks between them, its lines with line feeds.
        words: `WORD` numbers each, in the order of `text`; boxes in points from the page's upper left corner as it is
            seen.
    """

    page: int
    text: str
    words: array[float] = field(repr=False)

    def __len__(self) -> int:
        return len(self.words) // WORD

    @property
    def quality(self) -> float:
        """How sure the words are, from 0 to 1; long ones count more."""
        letters = sure = 0.0
        for at in range(0, len(self.words), WORD):
            length = self.words[at + 1] - self.words[at]
            letters += length
            sure += length * self.words[at + 6]
        return sure / letters / 100 if letters else 0.0

    def boxes(self, start: int, stop: int) -> list[Box]:
        """Return the boxes of a stretch of the text, those of a line merged into one."""
        boxes: list[Box] = []
        for at, first, box in self._touching(start, stop):
            # One that is cut lengthwise: letters are about as wide as each other.
            length = max(self.words[at + 1] - first, 1)
            left, right = max(start - first, 0) / length, min(stop - first, length) / length
            width, height = box.right - box.left, box.bottom - box.top
            if width >= height:
                box = box._replace(left=box.left + left * width, right=box.left + right * width)
            if boxes and _continues(boxes[-1], box):
                last = boxes[-1]
                boxes[-1] = Box(
                    min(last.left, box.left),
                    min(last.top, box.top),
                    max(last.right, box.right),
                    max(last.bottom, box.bottom),
                )
            else:
                boxes.append(box)
        return boxes

    def doubtful(self, below: float) -> list[Box]:
        """Return the boxes of words that are less sure than `below` (0 to 100)."""
        return [
            Box(*self.words[at + 2 : at + 6]) for at in range(0, len(self.words), WORD) if self.words[at + 6] < below
        ]

    def character_boxes(self) -> array[float]:
        """Return left, top, right, bottom of each character of the text: a word's box in equal parts."""
        boxes = array("f", bytes(16 * len(self.text)))
        for at in range(0, len(self.words), WORD):
            first, stop = int(self.words[at]), int(self.words[at + 1])
            left, top, right, bottom = self.words[at + 2 : at + 6]
            step = (right - left) / max(stop - first, 1)
            for nth in range(stop - first):
                place = 4 * (first + nth)
                boxes[place : place + 4] = array("f", (left + nth * step, top, left + (nth + 1) * step, bottom))
        return boxes

    def _touching(self, start: int, stop: int) -> Iterator[tuple[int, float, Box]]:
        count = len(self)
        nth = max(bisect_right(range(count), start, key=lambda at: int(self.words[at * WORD])) - 1, 0)
        for at in range(nth * WORD, len(self.words), WORD):
            first, last = self.words[at], self.words[at + 1]
            if first >= stop:
                return
            if last > start:
                yield at, first, Box(*self.words[at + 2 : at + 6])


def _continues(line: Box, box: Box) -> bool:
    """Say whether a word goes on with a line; lines lie, or stand on a page that was scanned on its side."""
    overlap = min(line.bottom, box.bottom) - max(line.top, box.top)
    height = min(line.bottom - line.top, box.bottom - box.top)
    if overlap > _SAME_LINE * height and box.left - line.right < _WIDEST_BLANK * height and box.right > line.left:
        return True
    across = min(line.right, box.right) - max(line.left, box.left)
    width = min(line.right - line.left, box.right - box.left)
    is_on_its_side = line.bottom - line.top > 1.5 * (line.right - line.left)
    gap = max(box.top - line.bottom, line.top - box.bottom)
    return is_on_its_side and across > _SAME_LINE * width and gap < _WIDEST_BLANK * width
