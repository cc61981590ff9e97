"""Pages as a reader shows them: sizes, images, characters, boxes and recognised words.

Lengths are in points (1/72 inch) from the upper left corner of the visible page: rotated and cropped.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_app.core.records import Document, Occurrence, Place

NUMBERS_PER_WORD = 7
"""Numbers per word: start and stop in the page's text; left, top, right, bottom; confidence from 0 to 100."""

_SAME_LINE = 0.4
_WIDEST_BLANK = 4.0
"""In heights of a word: a wider blank separates columns or cells."""


class Box(NamedTuple):
    """A rectangle on a page."""

    left: float
    top: float
    right: float
    bottom: float

    def united(self, other: Box) -> Box:
        """Return the smallest rectangle around both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


class PageSize(NamedTuple):
    """Width and height of a page."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class PagedFile:
    """A file that can be shown page by page.

    Attributes:
        sizes: one for each page.
        labels: the pages' own labels ("iv", "A-3") if the file has them, else empty.
        outline: the table of contents.
    """

    sizes: tuple[PageSize, ...]
    labels: tuple[str, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class DarkPageColors:
    """Colours for dark pages as 0xRRGGBB. Pictures on the page are unchanged."""

    paper: int
    ink: int


@dataclass(frozen=True, slots=True)
class PageImage:
    """A page as four-byte pixels: blue, green, red, unused."""

    page: int
    width_px: int
    height_px: int
    stride_bytes: int
    pixels: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class PageCharacters:
    """The characters of a page in reading order.

    Attributes:
        text: a line ends in a line feed; a line that ends within a word ends in a soft hyphen and a line feed.
        boxes: left, top, right, bottom of each character: float32 [4 * len(text)]; zeros for one without a box.
    """

    page: int
    text: str
    boxes: array[float] = field(repr=False)


@dataclass(frozen=True, slots=True)
class PageRect:
    """A rectangle on a page in the page's own units: points, upwards, before any rotation."""

    page: int
    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True, slots=True)
class SentenceToLocate:
    """A sentence to find on a page, with all its places.

    Attributes:
        is_marked: it is text of the page that a person marked, and not a note on it.
        rects: where it stands if it is not found by its words.
    """

    text: str
    places: tuple[Place, ...]
    is_marked: bool = False
    rects: tuple[PageRect, ...] = ()


@dataclass(frozen=True, slots=True)
class AnnotationToWrite:
    """An annotation for a copy of a PDF.

    Attributes:
        page: counted from 1.
        boxes: of the marked words on that page, as `SentenceToLocate` is found; of a note where it stands.
        kind: `highlight`, `underline` or `note`.
        colour: red, green and blue, 0 to 255.
        text: what is written on it.
        author: who wrote it.
        name: identifies it in the file.
        changed_at: seconds since 1970.
    """

    page: int
    boxes: tuple[Box, ...]
    kind: str
    colour: tuple[int, int, int]
    text: str
    author: str
    name: str
    changed_at: float


@dataclass(frozen=True, slots=True)
class TextSlice:
    """A part of the stored text of a document, in reading order.

    Attributes:
        first: ordinal of the first sentence.
        is_last: nothing follows.
    """

    document: Document
    first: int
    sentences: tuple[Occurrence, ...]
    is_last: bool


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """The OCR result of a page.

    Attributes:
        page: counted from 1.
        text: its words separated by blanks, its lines by line feeds.
        words: `NUMBERS_PER_WORD` numbers each, in the order of `text`; boxes in points from the upper left corner of
            the visible page.
    """

    page: int
    text: str
    words: array[float] = field(repr=False)

    def __len__(self) -> int:
        return len(self.words) // NUMBERS_PER_WORD

    @property
    def quality(self) -> float:
        """The mean confidence of the words, from 0 to 1, weighted by length."""
        letters = sure = 0.0
        for at in range(0, len(self.words), NUMBERS_PER_WORD):
            length = self.words[at + 1] - self.words[at]
            letters += length
            sure += length * self.words[at + 6]
        return sure / letters / 100 if letters else 0.0

    def boxes(self, start: int, stop: int) -> list[Box]:
        """Return the boxes of a stretch of the text, one box per line."""
        boxes: list[Box] = []
        for at, first, box in self._touching(start, stop):
            # A word cut by the stretch: its letters are assumed to be equally wide.
            length = max(self.words[at + 1] - first, 1)
            left, right = max(start - first, 0) / length, min(stop - first, length) / length
            width, height = box.right - box.left, box.bottom - box.top
            if width >= height:
                box = box._replace(left=box.left + left * width, right=box.left + right * width)
            if boxes and _continues_line(boxes[-1], box):
                boxes[-1] = boxes[-1].united(box)
            else:
                boxes.append(box)
        return boxes

    def character_boxes(self) -> array[float]:
        """Return left, top, right, bottom of each character of the text: a word's box in equal parts."""
        boxes = array("f", bytes(16 * len(self.text)))
        for at in range(0, len(self.words), NUMBERS_PER_WORD):
            first, stop = int(self.words[at]), int(self.words[at + 1])
            left, top, right, bottom = self.words[at + 2 : at + 6]
            step = (right - left) / max(stop - first, 1)
            for nth in range(stop - first):
                place = 4 * (first + nth)
                boxes[place : place + 4] = array("f", (left + nth * step, top, left + (nth + 1) * step, bottom))
        return boxes

    def _touching(self, start: int, stop: int) -> Iterator[tuple[int, float, Box]]:
        count = len(self)
        nth = max(bisect_right(range(count), start, key=lambda at: int(self.words[at * NUMBERS_PER_WORD])) - 1, 0)
        for at in range(nth * NUMBERS_PER_WORD, len(self.words), NUMBERS_PER_WORD):
            first, last = self.words[at], self.words[at + 1]
            if first >= stop:
                return
            if last > start:
                yield at, first, Box(*self.words[at + 2 : at + 6])


def _continues_line(line: Box, box: Box) -> bool:
    """Return whether a word continues a line; lines are horizontal, or vertical on a page scanned on its side."""
    overlap = min(line.bottom, box.bottom) - max(line.top, box.top)
    height = min(line.bottom - line.top, box.bottom - box.top)
    if overlap > _SAME_LINE * height and box.left - line.right < _WIDEST_BLANK * height and box.right > line.left:
        return True
    across = min(line.right, box.right) - max(line.left, box.left)
    width = min(line.right - line.left, box.right - box.left)
    is_on_its_side = line.bottom - line.top > 1.5 * (line.right - line.left)
    gap = max(box.top - line.bottom, line.top - box.bottom)
    return is_on_its_side and across > _SAME_LINE * width and gap < _WIDEST_BLANK * width


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One line of a document's table of contents; `level` from 0, `page` from 1 or None."""

    title: str
    page: int | None
    level: int
