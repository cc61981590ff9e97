"""A sentence with where it stands, in the forms that people paste into their texts and in the window's language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from desktop_app.core import citing
from desktop_app.core.citing import Form
from desktop_app.gui import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.records import Hit

__all__ = ["Form", "cited", "cited_hits"]


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
    return citing.cited(each.text, words.document_name(each.title, each.path), each.path, place, form)


def cited_hits(hits: Sequence[Hit], form: Form = "plain") -> str:
    """Return hits with where they stand."""
    return ("\n" if form == "plain" else "\n\n").join(cited(hit, words.place(hit), form) for hit in hits)
