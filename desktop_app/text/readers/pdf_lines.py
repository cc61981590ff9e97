"""A line of a PDF page, and how PDFium's characters become lines.

The reader pane highlights by PDFium's index of a character, so characters keep their
indices.
"""

from __future__ import annotations

import ctypes
import math
import re
import statistics
from array import array
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pypdfium2.raw as pdfium

from desktop_app.text.cleaning import (
    LINE_END_HYPHENS,
    MIN_RISE,
    clean_character,
    ends_hyphenated,
    is_full_width,
    is_wide,
    raise_numbers,
)
from desktop_app.text.passages import clean_stretch
from desktop_app.text.readers.right_to_left import is_right_to_left, reading_order
from desktop_app.text.readers.vertical_writing import CharacterBox, find_written_lines, is_written_vertically

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop_app.core.records import Unit

_FIXED_PITCH = 1
_BOLD_WEIGHT = 600
MIN_GAP, _WIDE_GAP = 0.9, 1.6
"""In font sizes: gaps in a line that are recorded, and those that separate the cells of a table."""


_BETWEEN_REFERENCES = ",;–-"
_MIN_WIDE = 5
"""Chinese or Japanese characters on a page that may be written vertically."""
_SEEN = 0.25
"""In font sizes: the smallest gap between two Chinese characters."""


@dataclass(frozen=True, slots=True)
class LineGap:
    """A wide blank in a line: the position in the text after it, and its edges on the page."""

    position: int
    left: float
    right: float


@dataclass(slots=True)
class PageLine:
    """One line of a page.

    Lengths are in points; text without geometry has estimated ones of the same magnitude. On a page that is read from
    right to left they are counted from the right, so that lines start at the left for all code.

    Attributes:
        text: clean; ends in "-" when `hyphenated`.
        indices: the index on the page of each character of `text`.
        page: counted from 1.
        unit: the unit of the indices.
        left: where its text starts.
        right: where it ends.
        baseline: height above the page's origin; greater for higher lines.
        size: height of the font of most of it.
        sizes: heights of its first and last character: an address in another font starts no paragraph.
        hyphenated: it ends in a hyphen, which may or may not belong to the word.
        angle: 0, 1, 2 or 3 quarter turns.
        fixed_pitch: in a fixed-pitch font.
        bold: in a bold font.
        gaps: wide blanks in it.
        limit: where the lines of its column end; set by the layout.
        reaches_margin: whether most lines of its column end there; set by the layout.
        is_table_row: whether it is one of several rows of cells; set by the layout.
    """

    text: str
    indices: array[int]
    page: int
    unit: Unit
    left: float
    right: float
    baseline: float
    size: float
    sizes: tuple[float, float]
    hyphenated: bool = False
    angle: int = 0
    fixed_pitch: bool = False
    bold: bool = False
    gaps: list[LineGap] = field(default_factory=list)
    limit: float = 0.0
    reaches_margin: bool = False
    is_table_row: bool = False

    @property
    def cells(self) -> int:
        """Number of parts between gaps that are wide enough for a table."""
        return 1 + sum(gap.right - gap.left > _WIDE_GAP * self.size for gap in self.gaps)


@dataclass(slots=True)
class _LineDraft:
    """A line under construction; characters with ink also have a box (left, right)."""

    chars: list[str] = field(default_factory=list)
    indices: array[int] = field(default_factory=lambda: array("i"))
    lefts: list[float] = field(default_factory=list)
    rights: list[float] = field(default_factory=list)
    sizes: list[float] = field(default_factory=list)
    inked: list[int] = field(default_factory=list)

    def reverse_right_to_left(self) -> None:
        """Reorder characters that PDFium read from left to right by mistake."""
        boxes = zip(self.inked, self.lefts, self.rights, strict=True)
        centres = {index: (left + right) / 2 for index, left, right in boxes}
        order = reading_order(self.chars, [centres.get(index) for index in self.indices])
        self.chars = [self.chars[at] for at in order]
        self.indices = array("i", (self.indices[at] for at in order))
        by_place = sorted(range(len(self.inked)), key=self.lefts.__getitem__)
        self.rights = [self.rights[at] for at in by_place]
        self.sizes = [self.sizes[at] for at in by_place]
        self.inked = [self.inked[at] for at in by_place]
        self.lefts.sort()


class PdfiumCharacters:
    """The characters of one page, read with as few calls of PDFium as possible.

    Args:
        text_page: PDFium's text of the page.
        codes: the code point of each of its characters.
    """

    def __init__(self, text_page: Any, codes: Sequence[int]) -> None:
        self._page = text_page
        self.codes = codes
        self.count = len(codes)
        self._leftwards = is_right_to_left(self.codes)
        self._wide_codes = sum(0x3000 <= code <= 0x9FFF for code in self.codes)
        self._box = pdfium.FS_RECTF()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()

    def extract_raw_text(self) -> str:
        """Return the unchanged text, to rate its quality."""
        return "".join(chr(code) for code in self.codes if code < 0x110000 and code not in (0, 2, 0xFFFE))

    def lines(self, page: int) -> list[PageLine]:
        """Return the lines of the page, in PDFium's order."""
        lines: list[PageLine] = []
        if self._wide_codes >= _MIN_WIDE and is_written_vertically(boxes := list(self._boxes())):
            return self._vertical_lines(boxes, page)
        draft = _LineDraft()
        angle = 0
        raw, box = self._page, self._box
        loose_box = pdfium.FPDFText_GetLooseCharBox
        codes, count = self.codes, self.count
        last_left = 0.0
        index = -1
        while index + 1 < count:
            index += 1
            code = codes[index]
            if code in (10, 13):
                self._finish(draft, page, angle, lines)
                draft = _LineDraft()
                continue
            if code == 0 or code >= 0x110000:
                continue
            start = index
            if 0xD800 <= code < 0xDC00 and index + 1 < count and 0xDC00 <= codes[index + 1] < 0xE000:
                index += 1
                code = 0x10000 + ((code - 0xD800) << 10) + (codes[index] - 0xDC00)
            char = chr(code)
            if not char.isspace() and loose_box(raw, start, box) and box.right != box.left:
                if not draft.inked:
                    angle = self._angle(start)
                left, right, size = _rotate_box(box, angle)
                if self._leftwards:
                    left, right = -right, -left
                if (
                    draft.inked
                    and last_left > left + 2 * size
                    and abs(self._baseline(draft.inked[-1], angle) - self._baseline(start, angle)) > 0.7 * size
                ):
                    # PDFium has not marked the end of this line.
                    self._finish(draft, page, angle, lines)
                    draft = _LineDraft()
                draft.inked.append(start)
                draft.lefts.append(left)
                draft.rights.append(right)
                draft.sizes.append(size)
                last_left = left
            hyphen = char in LINE_END_HYPHENS
            draft.chars.append("-" if hyphen else char)
            draft.indices.append(start)
            if hyphen:
                self._finish(draft, page, angle, lines, hyphenated=True)
                draft = _LineDraft()
        self._finish(draft, page, angle, lines)
        return lines

    def _boxes(self) -> Iterator[CharacterBox]:
        """Yield the visible characters of the page with their boxes."""
        box = self._box
        for index, code in enumerate(self.codes):
            if code == 0 or code >= 0x110000 or 0xD800 <= code < 0xE000 or chr(code).isspace():
                continue
            if pdfium.FPDFText_GetLooseCharBox(self._page, index, box) and box.right != box.left:
                yield CharacterBox(index, chr(code), box.left, box.bottom, box.right, box.top)

    def _vertical_lines(self, boxes: Sequence[CharacterBox], page: int) -> list[PageLine]:
        """Return the lines of a page of vertical writing."""
        lines: list[PageLine] = []
        for written in find_written_lines(boxes):
            angle = written.angle or 0
            draft = _LineDraft()
            for char in written.boxes:
                if draft.chars and angle == 0 and self.codes[char.index - 1] == 0x20:
                    draft.chars.append(" ")
                    draft.indices.append(char.index - 1)
                left, right, size = _rotate_box(char, angle)
                draft.chars.append("-" if char.char in LINE_END_HYPHENS else char.char)
                draft.indices.append(char.index)
                draft.inked.append(char.index)
                draft.lefts.append(left)
                draft.rights.append(right)
                draft.sizes.append(size)
            self._finish(draft, page, angle, lines)
        return lines

    def _finish(
        self, draft: _LineDraft, page: int, angle: int, lines: list[PageLine], *, hyphenated: bool = False
    ) -> None:
        size = statistics.median(draft.sizes or [0.0]) or 10.0
        if self._leftwards and draft.inked:
            draft.reverse_right_to_left()
        if not self._leftwards:
            self._raise_numbers(draft, size, angle)
        text, indices = _clean_draft(draft, _find_invisible_blanks(draft, size))
        if not text or not draft.inked:
            return
        middle = draft.inked[len(draft.inked) // 2]
        # One word in another font makes no heading: both ends and the middle must agree.
        probes = (draft.inked[0], middle, draft.inked[-1])
        gaps = [
            LineGap(_text_position(indices, start), before, after)
            for before, after, start in zip(draft.rights, draft.lefts[1:], draft.inked[1:], strict=False)
            if after - before > MIN_GAP * size
        ]
        lines.append(
            PageLine(
                text=text,
                indices=indices,
                page=page,
                unit="pdfium",
                left=min(draft.lefts),
                right=max(draft.rights),
                baseline=self._baseline(middle, angle),
                size=size,
                sizes=(draft.sizes[0], draft.sizes[-1]),
                hyphenated=hyphenated or ends_hyphenated(text),
                angle=angle,
                fixed_pitch=all(map(self._is_fixed_pitch, probes)),
                bold=all(map(self._is_bold, probes)),
                gaps=gaps,
            )
        )

    def _raise_numbers(self, draft: _LineDraft, size: float, angle: int) -> None:
        """Turn raised digits that follow a word or its end mark into superscripts: references, exponents."""
        chars, indices = draft.chars, draft.indices
        at = 1
        while at < len(chars):
            start = at
            at += 1
            if not _is_digit(chars[start]) or _is_digit(chars[start - 1]) or chars[start - 1].isspace():
                continue
            while at < len(chars) and (_is_digit(chars[at]) or chars[at] in _BETWEEN_REFERENCES):
                at += 1
            while not _is_digit(chars[at - 1]):
                at -= 1
            line = self._baseline(indices[start - 1], angle) + MIN_RISE * size
            if min(self._baseline(indices[start], angle), self._baseline(indices[at - 1], angle)) < line:
                continue
            raised = raise_numbers("".join(chars[max(start - 60, 0) : start]), "".join(chars[start:at]))
            chars[start:at] = raised
            if raised[0] == " ":  # the blank stands where the number does
                indices.insert(start, indices[start])
                at += 1

    def _baseline(self, index: int, angle: int) -> float:
        pdfium.FPDFText_GetCharOrigin(self._page, index, self._x, self._y)
        return _rotate_point_height(self._x.value, self._y.value, angle)

    def _is_fixed_pitch(self, index: int) -> bool:
        flags = ctypes.c_int()
        pdfium.FPDFText_GetFontInfo(self._page, index, None, 0, flags)
        return bool(flags.value & _FIXED_PITCH)

    def _is_bold(self, index: int) -> bool:
        return bool(pdfium.FPDFText_GetFontWeight(self._page, index) >= _BOLD_WEIGHT)

    def _angle(self, index: int) -> int:
        """Return the rotation of a character in quarter turns."""
        radians = pdfium.FPDFText_GetCharAngle(self._page, index)
        return round(radians / (math.pi / 2)) % 4 if radians >= 0 else 0


def _is_digit(char: str) -> bool:
    return "0" <= char <= "9"


def _text_position(indices: array[int], start: int) -> int:
    """Return the position in a line's text where the character with an index is, or would be."""
    at = bisect_left(indices, start)
    if at < len(indices) and indices[at] == start:
        return at
    return indices.index(start) if start in indices else at  # on pages that are read from right to left


def _rotate_box(box: Any, angle: int) -> tuple[float, float, float]:
    """Return (left, right, height) of a box, rotated so that its text is upright."""
    match angle:
        case 1:
            return -box.top, -box.bottom, abs(box.right - box.left)
        case 2:
            return -box.right, -box.left, abs(box.top - box.bottom)
        case 3:
            return box.bottom, box.top, abs(box.right - box.left)
        case _:
            return box.left, box.right, abs(box.top - box.bottom)


def _rotate_point_height(x: float, y: float, angle: int) -> float:
    match angle:
        case 1:
            return x
        case 2:
            return -y
        case 3:
            return -x
        case _:
            return y


def _find_invisible_blanks(draft: _LineDraft, size: float) -> set[int]:
    """Return the indices of invisible blanks: some programs write one after every Chinese character."""
    if not any(map(is_wide, draft.chars)):
        return set()
    unseen: set[int] = set()
    ink = {index: number for number, index in enumerate(draft.inked)}
    before: int | None = None
    blanks: list[int] = []
    last = ""
    for char, index in zip(draft.chars, draft.indices, strict=True):
        if char.isspace():
            blanks.append(index)
            continue
        number = ink.get(index)
        if blanks and before is not None and number is not None and is_full_width(char) and is_full_width(last):
            near = draft.lefts[number] - draft.rights[before] < _SEEN * size
            unseen.update(blanks if near else [])
        blanks, before, last = [], number, char
    return unseen


def _clean_draft(draft: _LineDraft, unseen: set[int]) -> tuple[str, array[int]]:
    out: list[str] = []
    indices = array("i")
    blank = True
    for char, index in zip(draft.chars, draft.indices, strict=True):
        for letter in clean_character(char):
            if letter == " " and (blank or index in unseen):
                continue
            blank = letter == " "
            out.append(letter)
            indices.append(index)
    if out and out[-1] == " ":
        out.pop()
        indices.pop()
    return "".join(out), indices


_CHAR_WIDTH, _MADE_UP_SIZE, _LEADING = 5.0, 10.0, 12.0


def lay_out_plain_text(text: str, page: int) -> list[PageLine]:
    """Turn the plain text of a page into lines with the geometry of a fixed-pitch font."""
    lines: list[PageLine] = []
    offset = 0
    baseline = 0.0
    for raw in re.split(r"(?<=\n)", text):
        baseline -= _LEADING
        clean_text, indices = clean_stretch(raw, offset, clean_character)
        offset += len(raw)
        if not clean_text:
            continue
        indent = len(raw) - len(raw.lstrip(" \t"))
        lines.append(
            PageLine(
                text=clean_text,
                indices=indices,
                page=page,
                unit="text",
                left=indent * _CHAR_WIDTH,
                right=(indent + len(clean_text)) * _CHAR_WIDTH,
                baseline=baseline,
                size=_MADE_UP_SIZE,
                sizes=(_MADE_UP_SIZE, _MADE_UP_SIZE),
                hyphenated=ends_hyphenated(clean_text),
            )
        )
    return lines
