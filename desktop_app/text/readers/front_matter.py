"""Title and author from the first lines of a plain text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_TITLE = 100
SEARCHED_CHARACTERS = 4000
"""Characters at the start of a text that may name its title and author."""

_GUTENBERG = re.compile(r"project gutenberg", re.IGNORECASE)
_FIELD = re.compile(r"^(Title|Author):[ \t]*(\S[^\r\n]*)", re.MULTILINE)
_BY = re.compile(r"(?:_?by_?|von|par|por|di|door|af)\b\s*", re.IGNORECASE)
_CHAPTER = re.compile(
    r"(?:chapter|part|book|section|act|scene|volume|vol\.|preface|contents|introduction|dedication|prologue|foreword"
    r"|kapitel|teil|vorwort|inhalt|einleitung|chapitre|préface|capítulo|capitolo|глава|[\divxlc]+\b\.?)(?:\W|$)",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:(?:[A-Z]\.\s?)+|[A-Z][^\W\d_]*(?:[-'’][A-Z][^\W\d_]*)*|van|von|de|der|du|la|le)")
# Words that occur in the titles of papers, letters and lists, and in no person's name.
_NO_NAME = re.compile(
    r"\b(?:abstract|agenda|annual|article|diary|draft|essay|final|guide|handbook|index|introduction|journal|lecture|letter"
    r"|list|manual|meeting|memo|minutes|monthly|notes?|novel|overview|paper|plan|poems?|project|proposal|protocol|readme"
    r"|recipes?|report|review|script|story|study|summary|tales?|thesis|thoughts|travel|weekly)\b",
    re.IGNORECASE,
)


def find_title_and_author(lines: Sequence[str], beginning: str) -> tuple[str, str]:
    """Return title and author of a text; each is empty if unknown.

    Args:
        lines: its first lines that stand alone as titles do; a name before the title is the author's.
        beginning: its first characters: a book of Project Gutenberg lists both there.
    """
    if _GUTENBERG.search(beginning):
        fields = {name: value.strip() for name, value in _FIELD.findall(beginning)}
        if title := fields.get("Title", ""):
            return title[:MAX_TITLE], fields.get("Author", "")
    lines = [line for line in lines if line]
    if not lines or not _can_be_title(lines[0]):
        return "", ""
    first, second = (lines[0], lines[1]) if len(lines) > 1 else (lines[0], "")
    if found := _BY.match(second):
        return first, second[found.end() :]
    if not _is_name(first) or not second or not _can_be_title(second) or _CHAPTER.match(second):
        return first, ""
    # Of two names nobody can tell which is the book: the title contains both.
    return (f"{first}: {second}", "") if _is_name(second) else (second, first)


def _can_be_title(line: str) -> bool:
    return any(map(str.isalnum, line)) and len(line) <= MAX_TITLE and not line.endswith((".", ",", ";", ":"))


def _is_name(line: str) -> bool:
    """Return whether a line may be a person's name: two to five capitalised words, none typical of titles."""
    words = line.split()
    if not 2 <= len(words) <= 5 or line.isupper():
        return False
    return all(map(_NAME.fullmatch, words)) and _NO_NAME.search(line) is None
