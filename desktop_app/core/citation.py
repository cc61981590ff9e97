"""Formats a sentence and its source as a citation: plain text, Markdown or BibTeX."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath
from typing import Literal

CitationForm = Literal["plain", "markdown", "bibtex"]

_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|~])")
_BIBTEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "$": r"\$",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def format_citation(text: str, name: str, path: str, place: str, form: CitationForm = "plain") -> str:
    """Return a sentence with its source.

    Args:
        text: the sentence.
        name: of its document.
        path: of the document's file.
        place: the place in the document, in words; may be empty.
        form: plain text, Markdown, or a BibTeX entry.
    """
    text = " ".join(text.split())
    if form == "markdown":
        source = ", ".join(part for part in (f"*{_escape_markdown(name)}*", _escape_markdown(place)) if part)
        return f"> {_escape_markdown(text)}\n>\n> \N{EM DASH} {source}"
    if form == "bibtex":
        fields = [("title", name), ("howpublished", PurePath(path).name), ("pages", _page_field(place)), ("note", text)]
        lines = ",\n".join(f"  {field} = {{{_escape_bibtex(value)}}}" for field, value in fields if value)
        return f"@misc{{{_bibtex_key(name)},\n{lines}\n}}"
    source = ", ".join(part for part in (name, place) if part)
    return f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK} ({source})"


def _escape_markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)


def _escape_bibtex(text: str) -> str:
    return "".join(_BIBTEX.get(letter, letter) for letter in text)


def _page_field(place: str) -> str:
    """Return the page number if the place is a page, else the place in words."""
    number = re.fullmatch(r"\S+\.\s?(\S+)", place)
    return number[1] if number else place


def _bibtex_key(name: str) -> str:
    """Return a key of plain letters, made from the first words of a title."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain)[:4]) or "document"
