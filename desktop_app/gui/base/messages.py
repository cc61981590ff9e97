"""Messages from below the window, translated into the language of the window.

The rooms below say it in English, as a pattern that is filled with values, and some of it is kept in libraries. All
patterns are known (`packaging/patterns.py` collects them): here the one that a text was made of is recognised, and its
translation filled with the same values. What is not recognised stays as it is.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QLocale

from desktop_app.core.paths import resources_folder

CONTEXT = "told"
"""Under which the patterns stand in the translations."""
_PLACE = re.compile(r"\{(\w+)\}")
# Places that hold words of our own, or of SQLite and the system, which are translated as well. All others hold what is
# not ours to change: names, paths, sentences of documents.
_OURS = {"why", "found", "kind", "spoken", "numbers", "what", "error", "strerror"}
_BETWEEN = "; "  # stands between remarks that were joined
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
_DECIMALS = re.compile(r"-?\d+\.(\d+)")


class MessagePattern(NamedTuple):
    """A text with places for values.

    Attributes:
        text: as it stands in the translations, its places in braces.
        start: what every text of this pattern begins with.
        end: what it ends with.
    """

    text: str
    start: str
    end: str


@cache
def list_patterns() -> tuple[MessagePattern, ...]:
    """Return all patterns, those with the most letters of their own first: they say most surely what a text is."""
    texts: list[str] = json.loads((resources_folder() / "translations" / "patterns.json").read_text("utf-8"))
    return tuple(MessagePattern(text, text.partition("{")[0], text.rpartition("}")[2]) for text in texts)


@cache
def _compile_pattern(pattern: str) -> re.Pattern[str]:
    inner = []
    for at, part in enumerate(_PLACE.split(pattern)):
        value = ".*?"
        if _is_number_field(part):
            value = r"[-+\w.,]*?"
        elif at == 1 and pattern.startswith("{"):
            # What a text begins with ends before the next remark: else it would swallow all that were joined before it.
            value = f"(?:(?!{_BETWEEN}).)*?"
        inner.append(f"(?P<{part}>{value})" if at % 2 else re.escape(part))
    return re.compile("".join(inner), re.DOTALL)


def recognise_message(text: str) -> tuple[str, dict[str, str]] | None:
    """Return the pattern that `text` was made of, and what it was filled with; None where it is not one of ours."""
    for pattern, start, end in list_patterns():
        if text.startswith(start) and text.endswith(end) and (match := _compile_pattern(pattern).fullmatch(text)):
            return pattern, match.groupdict()
    return None


def translate_message(text: str) -> str:
    """Return a text from below the window in the person's language; as it is where it is in none that we know."""
    if not text:
        return ""
    parts = text.split(_BETWEEN)
    found = recognise_message(text)
    if len(parts) > 1 and (found is None or all(map(recognise_message, parts))):
        return _BETWEEN.join(map(translate_message, parts))
    if found is None:
        return text
    pattern, values = found
    translated = QCoreApplication.translate(CONTEXT, pattern)
    return _PLACE.sub(
        lambda place: _translate_value(place[1], values[place[1]]) if place[1] in values else place[0], translated
    )


def _is_number_field(name: str) -> bool:
    return name.rstrip("0123456789").endswith("_number")


def _translate_value(name: str, value: str) -> str:
    """Return what fills a place: our own words translated, numbers as the language writes them."""
    if name in _OURS:
        return translate_message(value)
    if not _is_number_field(name):
        return value
    if _THOUSANDS.fullmatch(value):
        return QLocale().toString(int(value.replace(",", "")))
    if decimals := _DECIMALS.fullmatch(value):
        return QLocale().toString(float(value), "f", len(decimals[1]))
    return value
