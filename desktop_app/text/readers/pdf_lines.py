"""A line of a PDF page, and how PDFium's characters become lines.

The reader pane highlights by PDFium's index of a character, so characters keep their
indices.
"""

from __future__ import annotations

import ctypes
import math
import re
import statistics
import sys
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from itertools import compress, pairwise
from operator import neg, sub
from typing import TYPE_CHECKING, Any, NamedTuple

import pypdfium2.raw as pdfium

from desktop_app.text.cleaning import (
    LINE_END_HYPHENS,
    MIN_RISE,
    clean_character,
    compose_letter,
    ends_hyphenated,
    has_wide_characters,
    is_clean,
    is_combining,
    is_full_width,
    raise_numbers,
)
from desktop_app.text.passages import clean_stretch
from desktop_app.text.readers.pdfium_calls import BoxEdges, read_loose_boxes
from desktop_app.text.readers.right_to_left import is_right_to_left, reading_order
from desktop_app.text.readers.vertical_writing import CharacterBox, find_written_lines, is_written_vertically

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from desktop_app.core.pages import Box
    from desktop_app.core.records import Unit

_FIXED_PITCH = 1
_BOLD_WEIGHT = 600
MIN_GAP, _WIDE_GAP = 0.9, 1.6
"""In font sizes: gaps in a line that are recorded, and those that separate the cells of a table."""


_BETWEEN_REFERENCES = ",;–-"
_DIGIT = re.compile("[0-9]")
_HYPHENS = "".join(sorted(LINE_END_HYPHENS))
_LINE_END_HYPHEN = re.compile(f"[{_HYPHENS}]")
_STRETCH = re.compile(f"[^\n\r{_HYPHENS}]+[{_HYPHENS}]?|[{_HYPHENS}]")
"""Characters up to the end of a line, with its hyphen."""
_NOT_RAW_TEXT = re.compile(f"[\0{_HYPHENS}]")
_NULL_OR_SURROGATE = re.compile("[\0\ud800-\udfff]")
_IDEOGRAPH = re.compile("[\u3000-\u9fff]")
_MIN_WIDE = 5
"""Chinese or Japanese characters on a page that may be written vertically."""
_SEEN = 0.25
"""In font sizes: the smallest gap between two Chinese characters."""


_ACCENTS = {
    "`": "\u0300", "´": "\u0301", "^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303", "¯": "\u0304",
    "˘": "\u0306", "˙": "\u0307", "¨": "\u0308", "˚": "\u030a", "˝": "\u030b", "ˇ": "\u030c", "¸": "\u0327",
    "˛": "\u0328",
}  # fmt: skip
"""Accents that stand alone, and the marks that are part of a letter."""
ACCENT = re.compile(f"[{re.escape(''.join(_ACCENTS))}]")
_NEAR_BOXES = 4
"""Boxes that may contain the middle of an accent: its own, and those that begin last before it."""
_DOTLESS = {"ı": "i", "ȷ": "j"}
_BETWEEN_LETTERS = 0.12
"""In font sizes: the largest gap within a word; the blanks of TeX are 0.2 wide at least."""


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
    """A line under construction: its characters with their indices on the page, and the boxes of those with ink."""

    text: str
    indices: array[int]
    inked: list[int]
    lefts: list[float]
    rights: list[float]
    sizes: list[float]

    def reverse_right_to_left(self) -> None:
        """Reorder characters that PDFium read from left to right by mistake."""
        boxes = zip(self.inked, self.lefts, self.rights, strict=True)
        centres = {index: (left + right) / 2 for index, left, right in boxes}
        order = reading_order(self.text, [centres.get(index) for index in self.indices])
        self.text = "".join(self.text[at] for at in order)
        self.indices = array("i", (self.indices[at] for at in order))
        by_place = sorted(range(len(self.inked)), key=self.lefts.__getitem__)
        self.rights = [self.rights[at] for at in by_place]
        self.sizes = [self.sizes[at] for at in by_place]
        self.inked = [self.inked[at] for at in by_place]
        self.lefts.sort()

    def join_accents(self, size: float) -> bool:
        """Make accents that are drawn over a letter part of it; return whether there are any.

        TeX's old fonts have no "ü": a "¨" and a "u" are drawn in one place, and PDFium reads two characters, sometimes
        with the accent at the end of the line, and blanks around it.
        """
        if not ACCENT.search(self.text):
            return False
        chars, place_of = list(self.text), {index: place for place, index in enumerate(self.indices)}
        places = [place_of[index] for index in self.inked]
        by_left = sorted(range(len(places)), key=self.lefts.__getitem__)
        lefts = [self.lefts[nth] for nth in by_left]
        joined: set[int] = set()
        for nth, place in enumerate(places):
            if chars[place] not in _ACCENTS:
                continue
            middle = (self.lefts[nth] + self.rights[nth]) / 2
            end = bisect_right(lefts, middle)
            for under in by_left[max(end - _NEAR_BOXES, 0) : end]:
                letter = chars[places[under]]
                composed = unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + _ACCENTS[chars[place]])
                if middle <= self.rights[under] and letter.isalpha() and len(composed) == 1:
                    chars[places[under]] = composed
                    joined.add(nth)
                    break
        if joined:
            self._remove(chars, places, joined, size)
        return bool(joined)

    def _remove(self, chars: list[str], places: list[int], removed: set[int], size: float) -> None:
        """Remove characters with ink, and blanks beside them that are narrower than those between words."""
        left_out = {places[nth] for nth in removed}
        kept = [nth for nth in range(len(places)) if nth not in removed]
        for before, after in pairwise(kept):
            between = range(places[before] + 1, places[after])
            is_beside = not left_out.isdisjoint(between)
            if is_beside and self.lefts[after] - self.rights[before] < _BETWEEN_LETTERS * size:
                left_out.update(between)
        stays = [place not in left_out for place in range(len(chars))]
        self.text = "".join(compress(chars, stays))
        self.indices = array("i", compress(self.indices, stays))
        self.inked = [self.inked[nth] for nth in kept]
        self.lefts, self.rights, self.sizes = (
            [each[nth] for nth in kept] for each in (self.lefts, self.rights, self.sizes)
        )


def join_drawn_accents(text: str, boxes: Sequence[Box | None]) -> tuple[str, Sequence[int]] | None:
    """Return a line with the accents that are drawn over a letter as part of it, and which characters it keeps.

    Args:
        text: of a line.
        boxes: of its characters; None for one without ink.

    Returns:
        None if there are no such accents, or the line is not horizontal.
    """
    inked = [(place, box) for place, box in enumerate(boxes) if box is not None]
    if not inked or not ACCENT.search(text):
        return None
    lefts, tops, rights, bottoms = (list(each) for each in zip(*(box for _, box in inked), strict=True))
    if max(rights) - min(lefts) < max(bottoms) - min(tops):
        return None
    sizes = [bottom - top for top, bottom in zip(tops, bottoms, strict=True)]
    draft = _LineDraft(text, array("i", range(len(text))), [place for place, _ in inked], lefts, rights, sizes)
    return (draft.text, draft.indices) if draft.join_accents(max(sizes)) else None


class _InkBoxes(NamedTuple):
    """Where the characters with ink are, on a page that is rotated so that their line is upright.

    `jumps` are the characters far left of the one before: a line may begin there that PDFium has not marked.
    """

    lefts: list[float]
    rights: list[float]
    sizes: list[float]
    jumps: list[int]


class PdfiumCharacters:
    """The characters of one page, read with as few calls of PDFium as possible.

    Attributes:
        has_accents: whether the lines that were returned have letters whose accents are characters of their own.

    Args:
        text_page: PDFium's text of the page.
        codes: the code point of each of its characters.
    """

    def __init__(self, text_page: Any, codes: Sequence[int]) -> None:
        self.has_accents = False
        self._page = text_page
        self._codes = codes
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._leftwards = is_right_to_left(codes)
        self._raw_text = "".join([chr(code) for code in codes if code <= sys.maxunicode])
        self._text, self._indices = self._raw_text, array("i", range(len(codes)))
        if len(self._text) < len(codes) or _NULL_OR_SURROGATE.search(self._text):
            self._text, self._indices = _join_surrogates(codes)
        edges: Iterable[Sequence[float]] = read_loose_boxes(text_page, len(codes))
        if len(self._text) < len(codes):
            edges = [[edge[index] for index in self._indices] for edge in edges]
        lefts, _, rights, _ = edges
        is_inked = [
            left != right and not char.isspace() for char, left, right in zip(self._text, lefts, rights, strict=True)
        ]
        # Places in the text of the characters with ink, and their indices and boxes on the page.
        self._inked = list(compress(range(len(self._text)), is_inked))
        self._inked_indices = list(compress(self._indices, is_inked))
        self._edges = BoxEdges(*(list(compress(edge, is_inked)) for edge in edges))
        self._ink_boxes: dict[int, _InkBoxes] = {}  # by angle

    def extract_raw_text(self) -> str:
        """Return the unchanged text, to rate its quality."""
        return _NOT_RAW_TEXT.sub("", self._raw_text)

    def lines(self, page: int) -> list[PageLine]:
        """Return the lines of the page, in PDFium's order."""
        if len(_IDEOGRAPH.findall(self._text)) >= _MIN_WIDE:
            boxes = list(self._character_boxes())
            if is_written_vertically(boxes):
                return self._vertical_lines(boxes, page)
        lines: list[PageLine] = []
        for stretch in _STRETCH.finditer(self._text):
            start = stretch.start()
            first = bisect_left(self._inked, start)
            last = bisect_left(self._inked, stretch.end(), first)
            if first == last:
                continue
            angle = self._angle(self._inked_indices[first])
            for jump in self._find_unmarked_starts(first, last, angle):
                self._finish(self._draft(start, self._inked[jump], first, jump, angle), page, angle, lines)
                start, first = self._inked[jump], jump
            hyphenated = stretch.group()[-1] in LINE_END_HYPHENS
            draft = self._draft(start, stretch.end(), first, last, angle)
            self._finish(draft, page, angle, lines, hyphenated=hyphenated)
        return lines

    def _draft(self, start: int, stop: int, first: int, last: int, angle: int) -> _LineDraft:
        """Return a line: the text from `start` to `stop`, and its characters with ink, from `first` to `last`."""
        boxes = self._rotate_ink(angle)
        return _LineDraft(
            _LINE_END_HYPHEN.sub("-", self._text[start:stop]),
            self._indices[start:stop],
            self._inked_indices[first:last],
            boxes.lefts[first:last],
            boxes.rights[first:last],
            boxes.sizes[first:last],
        )

    def _find_unmarked_starts(self, first: int, last: int, angle: int) -> list[int]:
        """Return where lines start among characters with ink, although PDFium has not marked the end of another."""
        sizes, jumps = self._rotate_ink(angle)[2:]
        return [
            jump
            for jump in jumps[bisect_right(jumps, first) : bisect_left(jumps, last)]
            if abs(self._ink_baseline(jump - 1, angle) - self._ink_baseline(jump, angle)) > 0.7 * sizes[jump]
        ]

    def _rotate_ink(self, angle: int) -> _InkBoxes:
        if angle not in self._ink_boxes:
            lefts, rights, sizes = _rotate_boxes(self._edges, angle)
            if self._leftwards:
                lefts, rights = list(map(neg, rights)), list(map(neg, lefts))
            steps = enumerate(zip(lefts, lefts[1:], sizes[1:], strict=False), 1)
            jumps = [nth for nth, (before, left, size) in steps if before > left + 2 * size]
            self._ink_boxes[angle] = _InkBoxes(lefts, rights, sizes, jumps)
        return self._ink_boxes[angle]

    def _character_boxes(self) -> Iterator[CharacterBox]:
        """Yield the visible characters of the page with their boxes."""
        for place, index, *edges in zip(self._inked, self._inked_indices, *self._edges, strict=True):
            char = self._text[place]
            if char < "\ud800" or "\ue000" <= char <= "\uffff":
                yield CharacterBox(index, char, *edges)

    def _vertical_lines(self, boxes: Sequence[CharacterBox], page: int) -> list[PageLine]:
        """Return the lines of a page of vertical writing."""
        lines: list[PageLine] = []
        for written in find_written_lines(boxes):
            angle = written.angle or 0
            chars: list[str] = []
            indices = array("i")
            for char in written.boxes:
                if chars and angle == 0 and self._codes[char.index - 1] == 0x20:
                    chars.append(" ")
                    indices.append(char.index - 1)
                chars.append("-" if char.char in LINE_END_HYPHENS else char.char)
                indices.append(char.index)
            edges = zip(*((box.left, box.bottom, box.right, box.top) for box in written.boxes), strict=True)
            inked = [box.index for box in written.boxes]
            draft = _LineDraft("".join(chars), indices, inked, *_rotate_boxes(BoxEdges(*edges), angle))
            self._finish(draft, page, angle, lines)
        return lines

    def _finish(
        self, draft: _LineDraft, page: int, angle: int, lines: list[PageLine], *, hyphenated: bool = False
    ) -> None:
        size = statistics.median(draft.sizes or [0.0]) or 10.0
        self.has_accents |= draft.join_accents(size)
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
        if not _DIGIT.search(draft.text):
            return
        chars, indices = list(draft.text), draft.indices
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
        draft.text = "".join(chars)

    def _ink_baseline(self, nth: int, angle: int) -> float:
        return self._baseline(self._inked_indices[nth], angle)

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


def _join_surrogates(codes: Sequence[int]) -> tuple[str, array[int]]:
    """Return the characters of a page, and the index of each: of the first half, where PDFium has two."""
    chars: list[str] = []
    indices = array("i")
    index = 0
    while index < len(codes):
        start, code = index, codes[index]
        index += 1
        if 0xD800 <= code < 0xDC00 and index < len(codes) and 0xDC00 <= codes[index] < 0xE000:
            code = 0x10000 + ((code - 0xD800) << 10) + (codes[index] - 0xDC00)
            index += 1
        if 0 < code <= sys.maxunicode:
            chars.append(chr(code))
            indices.append(start)
    return "".join(chars), indices


def _rotate_boxes(edges: BoxEdges, angle: int) -> tuple[list[float], list[float], list[float]]:
    """Return left edges, right edges and heights of boxes, rotated so that their text is upright."""
    lefts, bottoms, rights, tops = edges
    heights = list(map(abs, map(sub, tops, bottoms)))
    widths = list(map(abs, map(sub, rights, lefts)))
    match angle:
        case 1:
            return list(map(neg, tops)), list(map(neg, bottoms)), widths
        case 2:
            return list(map(neg, rights)), list(map(neg, lefts)), heights
        case 3:
            return list(bottoms), list(tops), widths
        case _:
            return list(lefts), list(rights), heights


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
    if not has_wide_characters(draft.text):
        return set()
    unseen: set[int] = set()
    ink = {index: number for number, index in enumerate(draft.inked)}
    before: int | None = None
    blanks: list[int] = []
    last = ""
    for char, index in zip(draft.text, draft.indices, strict=True):
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
    if not unseen and is_clean(draft.text):
        text = draft.text.strip(" ")
        start = len(draft.text) - len(draft.text.lstrip(" "))
        return text, draft.indices[start : start + len(text)]
    out: list[str] = []
    indices = array("i")
    blank = True
    for char, index in zip(draft.text, draft.indices, strict=True):
        for letter in clean_character(char):
            if letter == " " and (blank or index in unseen):
                continue
            if out and is_combining(letter) and (composed := compose_letter(out[-1], letter)):
                out[-1] = composed
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
        clean_text, indices = clean_stretch(raw, offset)
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
