"""Formats a sentence and its source as a citation: plain text, Markdown or BibTeX."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from desktop_app.core.escaping import escape_bibtex, escape_markdown, flatten_text

if TYPE_CHECKING:
    from collections.abc import Sequence

CitationForm = Literal["plain", "markdown", "bibtex"]


def format_citation(text: str, name: str, path: str, place: str, form: CitationForm = "plain") -> str:
    """Return a sentence with its source.

    Args:
        text: the sentence.
        name: of its document.
        path: of the document's file.
        place: the place in the document, in words; may be empty.
        form: plain text, Markdown, or a BibTeX entry.
    """
    if form == "markdown":
        source = ", ".join(part for part in (f"*{escape_markdown(name)}*", escape_markdown(place)) if part)
        return f"> {escape_markdown(text)}\n>\n> \N{EM DASH} {source}"
    if form == "bibtex":
        fields = [("title", name), ("howpublished", PurePath(path).name), ("pages", _page_field(place)), ("note", text)]
        lines = ",\n".join(f"  {field} = {{{escape_bibtex(value)}}}" for field, value in fields if value)
        return f"@misc{{{_bibtex_key(name)},\n{lines}\n}}"
    source = ", ".join(flatten_text(part) for part in (name, place) if part)
    return f"\N{LEFT DOUBLE QUOTATION MARK}{flatten_text(text)}\N{RIGHT DOUBLE QUOTATION MARK} ({source})"


def join_citations(citations: Sequence[str], form: CitationForm) -> str:
    """Return citations of one form as one text; several BibTeX entries get numbers, as no key may occur twice."""
    if form == "bibtex" and len(citations) > 1:
        citations = [number_bibtex_key(entry, number) for number, entry in enumerate(citations, start=1)]
    return ("\n" if form == "plain" else "\n\n").join(citations)


def number_bibtex_key(entry: str, number: int) -> str:
    """Return a BibTeX entry with a number at the end of its key."""
    key, _, rest = entry.partition(",")
    return f"{key}-{number},{rest}"


def _page_field(place: str) -> str:
    """Return the page number if the place is a page, else the place in words."""
    number = re.fullmatch(r"\S+\.\s?(\S+)", place)
    return number[1] if number else place


def _bibtex_key(name: str) -> str:
    """Return a key of plain letters, made from the first words of a title."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain)[:4]) or "document"
