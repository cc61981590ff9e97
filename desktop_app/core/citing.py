"""A sentence with where it stands, in the forms that people paste into their texts. Pure."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath
from typing import Literal

Form = Literal["plain", "markdown", "bibtex"]

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


def cited(text: str, name: str, path: str, place: str, form: Form = "plain") -> str:
    """Return a sentence with where it stands.

    Args:
        text: the sentence.
        name: of its document.
        path: of the document's file.
        place: in the document, in words; may be empty.
        form: for a text, for Markdown, or an entry of BibTeX.
    """
    text = " ".join(text.split())
    if form == "markdown":
        source = ", ".join(part for part in (f"*{_for_markdown(name)}*", _for_markdown(place)) if part)
        return f"> {_for_markdown(text)}\n>\n> \N{EM DASH} {source}"
    if form == "bibtex":
        fields = [("title", name), ("howpublished", PurePath(path).name), ("pages", _pages(place)), ("note", text)]
        lines = ",\n".join(f"  {field} = {{{_for_bibtex(value)}}}" for field, value in fields if value)
        return f"@misc{{{_key(name)},\n{lines}\n}}"
    source = ", ".join(part for part in (name, place) if part)
    return f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK} ({source})"


def _for_markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)


def _for_bibtex(text: str) -> str:
    return "".join(_BIBTEX.get(letter, letter) for letter in text)


def _pages(place: str) -> str:
    """Return the page alone where the place is one; else the place in words."""
    number = re.fullmatch(r"\S+\.\s?(\S+)", place)
    return number[1] if number else place


def _key(name: str) -> str:
    """Return a key of plain letters, from the first words of a title."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain)[:4]) or "document"
