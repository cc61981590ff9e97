"""Classifies a passage by its lines and words: heading, list item, table, reference and so on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop_app.text.cleaning import SENTENCE_END

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.records import SpanKind
    from desktop_app.text.readers.pdf_lines import PageLine

LIST_ITEM = re.compile(r"(?:[•▪‣◦●■□○➢✓–*∙·⁃-]|\(?\d{1,3}[.)]|\(?[a-zA-Z]\)|\(?[ivx]{1,5}[.)])\s+\S")
_NUMBERED_HEADING = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*\.?|[A-Z]\.|[IVX]{1,5}\.)\s+[A-ZÄÖÜÉÀ]")
_REFERENCE_HEADING = re.compile(
    r"(?:\d{1,2}(?:\.\d+)*\.?\s+|[ivx]+\.\s+)?(?:references|bibliography|literature(?: cited)?|works cited|sources"
    r"|literatur(?:verzeichnis)?|quellen(?:verzeichnis)?|références|bibliographie|referencias|bibliografía"
    r"|riferimenti|bibliografia|литература|список литературы|参考文献)\s*:?",
    re.IGNORECASE,
)
_DOT_LEADER = re.compile(r"(?:\s?[.·…]){4,}\s*(?:\d{1,4}|[ivxlc]{1,6})?$")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d[a-z]?\b")
_REFERENCE_ENTRY = re.compile(
    r"\s*(?:\[[\w+\-]{1,12}\]|\d{1,3}\.)\s|.{0,80}?\b[A-Z][\w'’-]+,\s(?:[A-Z]\.|[A-Z][a-z]+)"
    r"|(?:[A-Z][\w.'’-]+\s+){1,3}(?:and|et|&|,)|.{0,200}\b(?:doi|arXiv|https?:|pp\.|vol\.|In Proceedings)",
    re.DOTALL,
)
_MAX_HEADING = 160


def classify_passage(text: str, lines: Sequence[PageLine], body_size: float) -> SpanKind:
    """Return the kind of a passage.

    Args:
        text: its clean text.
        lines: the lines that it consists of.
        body_size: the font size of most of the document's text.
    """
    if all(line.fixed_pitch for line in lines) and len(lines) > 1 and not _is_prose(text):
        return "code"
    if _is_table(text, lines):
        return "table"
    if LIST_ITEM.match(text) and not _NUMBERED_HEADING.match(text):
        return "list"
    if is_heading(text, lines, body_size):
        return "heading"
    if LIST_ITEM.match(text):
        return "list"
    return "body"


def is_heading(text: str, lines: Sequence[PageLine], body_size: float) -> bool:
    """Return whether a short passage looks like a heading: large, bold, numbered, or a known word."""
    if len(text) > _MAX_HEADING or len(lines) > 3 or not any(char.isalpha() for char in text):
        return False
    if is_reference_heading(text):
        return True
    size = min(line.size for line in lines)
    if size > 1.09 * body_size and (not text.endswith((".", ",", ";")) or size > 1.3 * body_size):
        return True
    if SENTENCE_END.search(text):
        return False
    # Fixed-pitch text is neither large nor bold: only the number counts.
    heavy = all(line.bold for line in lines)
    return heavy or (len(lines) == 1 and len(text) < 80 and _NUMBERED_HEADING.match(text) is not None)


def is_reference_heading(text: str) -> bool:
    """Return whether a heading starts a list of references."""
    return _REFERENCE_HEADING.fullmatch(text.strip()) is not None


def looks_like_reference(text: str) -> bool:
    """Return whether a paragraph under such a heading is an entry: a year, and names, a mark or an address."""
    return (_YEAR.search(text) is not None and _REFERENCE_ENTRY.match(text) is not None) or text.lstrip().startswith(
        "["
    )


def _is_prose(text: str) -> bool:
    """Return whether text in a fixed-pitch font consists of sentences (a screenplay, an old report)."""
    words = text.split()
    plain = sum(word.strip(".,;:!?\"'()").isalpha() for word in words)
    return plain > 0.8 * len(words) and SENTENCE_END.search(text) is not None


def _is_table(text: str, lines: Sequence[PageLine]) -> bool:
    if all(line.is_table_row for line in lines) or _DOT_LEADER.search(text):
        return True
    if len(lines) >= 2 and sum(line.cells > 1 for line in lines) >= 0.6 * len(lines) and not SENTENCE_END.search(text):
        return True
    if len(lines) == 1 and lines[0].cells >= 3:
        return True
    tokens = text.split()
    numbers = sum(not token[0].isalpha() and any(map(str.isdigit, token)) for token in tokens)
    return len(tokens) >= 4 and numbers > 0.5 * len(tokens)
