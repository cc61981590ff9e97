"""Cites a sentence with its location, in the language of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from desktop_app.core import citation
from desktop_app.gui.base import display_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.citation import CitationForm
    from desktop_app.core.records import Hit


class Citable(Protocol):
    """Anything that can be cited: a hit or a saved quote."""

    @property
    def text(self) -> str:
        """The sentence."""
        ...

    @property
    def title(self) -> str:
        """The title of the document."""
        ...

    @property
    def path(self) -> str:
        """The path of the document's file."""
        ...


def cite_sentence(each: Citable, place: str, form: CitationForm = "plain") -> str:
    """Return a sentence with its location; `place` comes from `display_text.format_location` and may be empty."""
    return citation.format_citation(
        each.text, display_text.document_name(each.title, each.path), each.path, place, form
    )


def cite_hits(hits: Sequence[Hit], form: CitationForm = "plain") -> str:
    """Return hits with their locations."""
    return citation.join_citations([cite_sentence(hit, display_text.format_location(hit), form) for hit in hits], form)
