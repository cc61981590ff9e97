"""A sentence with where it stands, in the forms that people paste into their texts."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, Protocol

from desktop_app.gui import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.records import Hit

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


class Cited(Protocol):
    """What can be cited: a hit, or a quote that was put aside."""

    @property
    def text(self) -> str:
        """The sentence."""
        ...

    @property
    def title(self) -> str:
        """Of its document."""
        ...

    @property
    def path(self) -> str:
        """Of its document's file."""
        ...


def cited(each: Cited, place: str, form: Form = "plain") -> str:
    """Return a sentence with where it stands; `place` as `words.place` has it, may be empty."""
    name = words.document_name(each.title, each.path)
    text = " ".join(each.text.split())
    if form == "markdown":
        source = ", ".join(part for part in (f"*{_for_markdown(name)}*", _for_markdown(place)) if part)
        return f"> {_for_markdown(text)}\n>\n> \N{EM DASH} {source}"
    if form == "bibtex":
        fields = [("title", name), ("howpublished", PurePath(each.path).name), ("pages", _pages(place))]
        fields.append(("note", text))
        lines = ",\n".join(f"  {field} = {{{_for_bibtex(value)}}}" for field, value in fields if value)
        return f"@misc{{{_key(name)},\n{lines}\n}}"
    source = ", ".join(part for part in (name, place) if part)
    return f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK} ({source})"


def cited_hits(hits: Sequence[Hit], form: Form = "plain") -> str:
    """Return hits with where they stand."""
    return ("\n" if form == "plain" else "\n\n").join(cited(hit, words.place(hit), form) for hit in hits)


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
