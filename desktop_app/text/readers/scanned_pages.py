"""Scanned pages to lines: renders a page, runs OCR, and gives the lines their geometry."""

from __future__ import annotations

import math
import statistics
from array import array
from collections import Counter
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from desktop_app.core.pages import RecognisedPage
from desktop_app.text import tesseract
from desktop_app.text.cleaning import clean_character, ends_hyphenated
from desktop_app.text.readers.pdf_lines import MIN_GAP, LineGap, PageLine

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

    from desktop_app.text.readers.reader_steps import Heartbeat
    from desktop_app.text.tesseract import GreyImage, OcrWord

DPI = 300.0
MAX_SCAN_PIXELS = 40_000_000
"""The most pixels of a page image for OCR; larger pages are rendered at a lower resolution."""
MAX_SCAN_SIDE_PX = 32_000
"""The limit of Tesseract is 32,767."""

_UNSURE_PAGE = 60.0
"""Confidence below which a page may be rotated, and is read again."""
_NOISE_LINE, _NOISE_WORD = 40.0, 60.0
"""Confidence below which a line is part of a picture, and a word of punctuation only is a speck."""
_FEW_LETTERS = 8
_ASCENDING = frozenset("bdfhklt")
_DESCENDING = frozenset("gjpqy")
_ASCENT, _X_HEIGHT, _DESCENT = 0.72, 0.5, 0.21
"""Of Latin letters, in font sizes."""
_LIKE_BODY = 0.18
"""Sizes that are measured on an image are equal if they differ by less."""


@dataclass(frozen=True, slots=True)
class ScannedPage:
    """A page read by OCR: its lines for the layout, and its words for the reader."""

    lines: list[PageLine]
    recognised: RecognisedPage


def render_scale(width: float, height: float) -> float:
    """Return the pixels per point at which a page of this size (in points) is rendered."""
    return min(DPI / 72, math.sqrt(MAX_SCAN_PIXELS / (width * height)), MAX_SCAN_SIDE_PX / max(width, height))


def read_scanned_page(
    file: str, picture: GreyImage, languages: str, page: int
) -> Generator[Heartbeat, None, ScannedPage | None]:
    """Read a page; return None if it has no text.

    Args:
        file: the program Tesseract.
        picture: the image of the page.
        languages: joined by a plus.
        page: counted from 1.

    Raises:
        OcrFailed: Tesseract failed or did not finish.
    """
    words = _remove_noise((yield from tesseract.run_tesseract(file, picture, languages)))
    if _mean_confidence(words) < _UNSURE_PAGE or _count_letters(words) < _FEW_LETTERS:
        try:
            turned = _remove_noise(
                (yield from tesseract.run_tesseract(file, picture, languages, tesseract.ROTATED_LAYOUT))
            )
        except tesseract.OcrFailed:  # the data that detects the rotation of a page is not installed everywhere
            turned = []
        if _count_letters(turned) * _mean_confidence(turned) > _count_letters(words) * _mean_confidence(words):
            words = turned
    if not words:
        return None
    return _build_page(words, picture, page)


def equalise_sizes(lines: Iterable[PageLine]) -> None:
    """Give the same size to lines whose sizes differ only by the inaccuracy of measuring."""
    lines = list(lines)
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size * 2) / 2] += len(line.text)
    if not sizes:
        return
    body = sizes.most_common(1)[0][0] or 10.0
    for line in lines:
        if abs(line.size - body) <= _LIKE_BODY * body:
            line.size = body
            line.sizes = (body, body)


def _remove_noise(words: Sequence[OcrWord]) -> list[OcrWord]:
    """Drop lines that are parts of pictures, and specks."""
    found: list[OcrWord] = []
    for _, group in groupby(words, key=lambda word: word.line):
        line = [word for word in group if _is_word(word)]
        if _mean_confidence(line) >= _NOISE_LINE:
            found += line
    return found


def _is_word(word: OcrWord) -> bool:
    return any(map(str.isalnum, word.text)) or word.confidence >= _NOISE_WORD


def _count_letters(words: Iterable[OcrWord]) -> int:
    return sum(map(str.isalnum, (char for word in words for char in word.text)))


def _mean_confidence(words: Sequence[OcrWord]) -> float:
    """Return the mean confidence, 0 to 100, weighted by the length of words."""
    letters = sum(len(word.text) for word in words)
    return sum(len(word.text) * word.confidence for word in words) / letters if letters else 0.0


def _build_page(words: Sequence[OcrWord], picture: GreyImage, page: int) -> ScannedPage:
    points = 72 / picture.dpi
    height = picture.height_px * points
    pieces: list[str] = []
    numbers = array("f")
    lines: list[PageLine] = []
    position = 0
    for _, group in groupby(words, key=lambda word: word.line):
        row = [(clean, word) for word in group if (clean := _clean_text(word.text))]
        if not row:
            continue
        line = _place_line([word for _, word in row], points, height, page)
        texts: list[str] = []
        length = 0
        for text, word in row:
            box = (word.left * points, word.top * points, word.right * points, word.bottom * points)
            numbers.extend((position + length, position + length + len(text), *box, word.confidence))
            texts.append(text)
            length += len(text) + 1
        line.text = " ".join(texts)
        line.indices = array("i", range(position, position + len(line.text)))
        line.hyphenated = ends_hyphenated(line.text)
        _find_gaps(line, [word for _, word in row], texts, points, height)
        pieces.append(line.text)
        position += len(line.text) + 1
        lines.append(line)
    equalise_sizes(lines)
    return ScannedPage(lines, RecognisedPage(page, "\n".join(pieces), numbers))


def _clean_text(text: str) -> str:
    return "".join(letter for char in text for letter in clean_character(char) if letter != " ")


def _place_line(words: Sequence[OcrWord], points: float, height: float, page: int) -> PageLine:
    """Return the position and font size of a line, without its text, rotated upright."""
    angle = _find_angle(words)
    boxes = [_upright_box(word, angle, points, height) for word in words]
    sizes = [
        size
        for word, box in zip(words, boxes, strict=True)
        if (size := _estimate_font_size(word.text, box[3] - box[2]))
    ]
    size = statistics.median(sizes) if sizes else max(box[3] - box[2] for box in boxes)
    feet = [
        box[2] + (_DESCENT * size if _DESCENDING.intersection(word.text) else 0.0)
        for word, box in zip(words, boxes, strict=True)
    ]
    return PageLine(
        text="",
        indices=array("i"),
        page=page,
        unit="text",
        left=min(box[0] for box in boxes),
        right=max(box[1] for box in boxes),
        baseline=statistics.median(feet),
        size=size,
        sizes=(size, size),
        angle=angle,
    )


def _find_angle(words: Sequence[OcrWord]) -> int:
    """Return the rotation of a line in quarter turns, by the direction from its first word to its last."""
    first, last = words[0], words[-1]
    across = (last.left + last.right - first.left - first.right) / 2
    down = (last.top + last.bottom - first.top - first.bottom) / 2
    if first is last:
        is_upright = first.right - first.left >= first.bottom - first.top or len(first.text) < 3
        return 0 if is_upright else 1
    if abs(across) >= abs(down):
        return 0 if across >= 0 else 2
    return 1 if down > 0 else 3


def _upright_box(word: OcrWord, angle: int, points: float, height: float) -> tuple[float, float, float, float]:
    """Return (left, right, bottom, top) of a word, rotated upright, upwards from the lower edge of the page."""
    left, right = word.left * points, word.right * points
    bottom, top = height - word.bottom * points, height - word.top * points
    match angle:
        case 1:
            return -top, -bottom, left, right
        case 2:
            return -right, -left, -top, -bottom
        case 3:
            return bottom, top, -right, -left
        case _:
            return left, right, bottom, top


def _estimate_font_size(text: str, height: float) -> float:
    """Return the font size of a word of this height; 0 if its letters do not show it."""
    letters = [char for char in text if char.isalnum()]
    if len(letters) < 2:
        return 0.0
    if any(char > "\u024f" for char in letters):
        return height / 0.9
    rises = any(char in _ASCENDING or char.isupper() or char.isdigit() for char in letters)
    falls = not _DESCENDING.isdisjoint(letters)
    return height / ((_ASCENT if rises else _X_HEIGHT) + (_DESCENT if falls else 0.0))


def _find_gaps(line: PageLine, words: Sequence[OcrWord], texts: Sequence[str], points: float, height: float) -> None:
    """Record the wide blanks of a line: they may separate cells of a table."""
    boxes = [_upright_box(word, line.angle, points, height) for word in words]
    position = 0
    for text, (before, after) in zip(texts, pairwise(boxes), strict=False):
        position += len(text) + 1
        if after[0] - before[1] > MIN_GAP * line.size:
            line.gaps.append(LineGap(position, before[1], after[0]))
