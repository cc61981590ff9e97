"""Pages that are read by optical character recognition: what reads them, and what it made of one."""

from __future__ import annotations

import locale
from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_app.core.errors import AppError
from desktop_app.core.pages import Box

if TYPE_CHECKING:
    from collections.abc import Iterator

MODES = ("never", "ask", "always")
"""When pages without text are read by OCR: not at all; when a person says so; at every import."""

ENGINE = "tesseract"
"""How a page's note names what read it."""

WORD = 7
"""Numbers that a word has: start and stop in the page's text; left, top, right, bottom; confidence from 0 to 100."""

_ENGLISH = "eng"
_OF_SYSTEM = {
    "ar": "ara", "bg": "bul", "ca": "cat", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng",
    "es": "spa", "et": "est", "fa": "fas", "fi": "fin", "fr": "fra", "he": "heb", "hi": "hin", "hr": "hrv",
    "hu": "hun", "id": "ind", "it": "ita", "ja": "jpn", "ko": "kor", "lt": "lit", "lv": "lav", "nb": "nor",
    "nl": "nld", "no": "nor", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sk": "slk", "sl": "slv",
    "sr": "srp", "sv": "swe", "th": "tha", "tr": "tur", "uk": "ukr", "vi": "vie", "zh": "chi_sim",
}  # fmt: skip
_NOT_LANGUAGES = frozenset({"osd", "equ", "snum"})
_SAME_LINE = 0.4
_WIDEST_BLANK = 4.0
"""In heights of a word: a wider blank parts columns or cells."""


class OcrMissing(AppError):
    """Pages were to be read by OCR, and there is nothing to read them with."""

    kind = "ocr_missing"


@dataclass(frozen=True, slots=True)
class OcrEngine:
    """A Tesseract that is installed.

    Attributes:
        version: as it says itself.
        file: the program.
        languages: that it has data for, by its own three letters.
    """

    version: str
    file: str
    languages: tuple[str, ...]

    @property
    def told(self) -> str:
        """What is said of it: name, version and languages."""
        return f"Tesseract {self.version} ({', '.join(self.readable) or 'no language'})"

    @property
    def readable(self) -> tuple[str, ...]:
        """The languages among its data: without those for layout and formulas."""
        return tuple(each for each in self.languages if each not in _NOT_LANGUAGES)

    def chosen(self, wanted: str) -> str:
        """Return those of some languages, joined by a plus, that there is data for.

        Raises:
            OcrMissing: there is none for any of them.
        """
        found = [each for each in wanted.split("+") if each in self.readable]
        if not found:
            first = wanted.partition("+")[0]
            raise OcrMissing(
                f"Tesseract has no data for the language {first}",
                f"Install it (on Debian and Ubuntu: apt-get install tesseract-ocr-{first.replace('_', '-')}), or "
                f"choose another one; there is data for: {', '.join(self.readable) or 'none'}.",
            )
        return "+".join(found)


@dataclass(frozen=True, slots=True)
class OcrChoice:
    """What a person chose for pages without text: one of MODES, and languages joined by a plus.

    Without languages those of the system and English are taken, as far as they are installed.
    """

    mode: str = "ask"
    languages: str = ""

    @property
    def wished(self) -> str:
        """The languages that are asked for."""
        return self.languages or "+".join(dict.fromkeys([*system_languages(), _ENGLISH]))


def system_languages() -> list[str]:
    """Return the language of the system, by Tesseract's letters; none where it is not known."""
    name = locale.getlocale()[0] or ""
    found = _OF_SYSTEM.get(name.partition("_")[0].lower())
    return [found] if found else []


def system_letters(language: str) -> str:
    """Return the letters that systems have for a language of Tesseract's; its own where they have others."""
    return next((name for name, own in _OF_SYSTEM.items() if own == language), language)


def missing() -> OcrMissing:
    """Return what is said where Tesseract is not installed."""
    return OcrMissing(
        "Tesseract, which reads scanned pages, is not installed",
        "Install it: on Debian and Ubuntu `apt-get install tesseract-ocr`, on macOS `brew install tesseract`, on "
        "Windows from github.com/UB-Mannheim/tesseract; then try again.",
    )


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
