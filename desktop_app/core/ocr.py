"""Settings of optical character recognition: when it runs, in which languages, by which engine."""

from __future__ import annotations

import locale
from dataclasses import dataclass

from desktop_app.core.errors import AppError
from desktop_app.core.messages import Message

OCR_MODES = ("never", "ask", "always")
"""When to read pages without text by OCR: never; when a person asks for it; at every import."""

OCR_ENGINE_NAME = "tesseract"
"""The engine's name in the notes of pages."""

_ENGLISH = "eng"
_TESSERACT_CODES = {
    "ar": "ara", "bg": "bul", "ca": "cat", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng",
    "es": "spa", "et": "est", "fa": "fas", "fi": "fin", "fr": "fra", "he": "heb", "hi": "hin", "hr": "hrv",
    "hu": "hun", "id": "ind", "it": "ita", "ja": "jpn", "ko": "kor", "lt": "lit", "lv": "lav", "nb": "nor",
    "nl": "nld", "no": "nor", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sk": "slk", "sl": "slv",
    "sr": "srp", "sv": "swe", "th": "tha", "tr": "tur", "uk": "ukr", "vi": "vie", "zh": "chi_sim",
}  # fmt: skip
_NOT_LANGUAGES = frozenset({"osd", "equ", "snum"})


class OcrMissing(AppError):
    """OCR was requested, but Tesseract or its language data is not installed."""

    kind = "ocr_missing"


@dataclass(frozen=True, slots=True)
class OcrEngine:
    """An installed Tesseract.

    Attributes:
        version: as it reports it.
        file: the program.
        languages: that it has data for, by Tesseract's three-letter codes.
    """

    version: str
    file: str
    languages: tuple[str, ...]

    @property
    def description(self) -> str:
        """Name, version and languages, for people."""
        return f"Tesseract {self.version} ({', '.join(self.readable_languages) or 'no language'})"

    @property
    def readable_languages(self) -> tuple[str, ...]:
        """The languages among its data, without those for layout and formulas."""
        return tuple(each for each in self.languages if each not in _NOT_LANGUAGES)

    def choose_languages(self, wanted: str) -> str:
        """Return those of some languages, joined by a plus, that it has data for.

        Raises:
            OcrMissing: it has data for none of them.
        """
        found = [each for each in wanted.split("+") if each in self.readable_languages]
        if not found:
            first = wanted.partition("+")[0]
            raise OcrMissing(
                "Tesseract has no data for the language {first}",
                "Install it (on Debian and Ubuntu: apt-get install tesseract-ocr-{package}), or choose another "
                "language. Installed: {languages}.",
                first=first,
                package=first.replace("_", "-"),
                languages=", ".join(self.readable_languages) or Message("none"),
            )
        return "+".join(found)


@dataclass(frozen=True, slots=True)
class OcrChoice:
    """A person's choice for pages without text: one of OCR_MODES, and languages joined by a plus.

    Without languages, those of the system and English are used, as far as they are installed.
    """

    mode: str = "ask"
    languages: str = ""

    @property
    def requested_languages(self) -> str:
        """The languages to use."""
        return self.languages or "+".join(dict.fromkeys([*system_languages(), _ENGLISH]))


def system_languages() -> list[str]:
    """Return the system's language by Tesseract's code, in a list; empty if unknown."""
    name = locale.getlocale()[0] or ""
    found = _TESSERACT_CODES.get(name.partition("_")[0].lower())
    return [found] if found else []


def to_system_language(language: str) -> str:
    """Return the system's code of a Tesseract language; Tesseract's own if they are the same or unknown."""
    return next((name for name, own in _TESSERACT_CODES.items() if own == language), language)


def make_missing_error() -> OcrMissing:
    """Return the error for a missing Tesseract."""
    return OcrMissing(
        "Tesseract, which reads scanned pages, is not installed",
        "Install it: on Debian and Ubuntu `apt-get install tesseract-ocr`, on macOS `brew install tesseract`, on "
        "Windows from github.com/UB-Mannheim/tesseract; then try again.",
    )
