"""How documents are sorted and which of them are shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from desktop_app.gui import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.records import Document

Order = Literal["title", "added", "state", "sentences"]
ORDERS: tuple[Order, ...] = ("title", "added", "state", "sentences")
_STATES = {"reading": 0, "embedding": 0, "failed": 1, "queued": 2, "ready": 3}
_DIGITS = re.compile(r"\d+")


def name_key(name: str) -> str:
    """Return a key that sorts names as people do: 2 before 10, large letters among small ones."""
    return _DIGITS.sub(lambda digits: digits.group().zfill(12), name.casefold())


def sort_key(document: Document, name: str, order: Order) -> tuple[float, str, int]:
    """Return what a document is sorted by; `name` is the `name_key` of what it is called."""
    first: float = 0.0
    if order == "added":
        first = -document.added_at
    elif order == "state":
        first = _STATES[document.state]
    elif order == "sentences":
        first = -document.sentences
    return first, name, document.document_id


@dataclass(frozen=True, slots=True)
class Filter:
    """Which documents are shown.

    Attributes:
        text: every word of it has to be in the title, in the path, or in a tag; `tag:word`: in a tag alone.
        failed_only: leave out those that have not failed.
        missing_only: leave out those whose files are there.
        document_ids: leave out all others; None: none of them.
    """

    text: str = ""
    failed_only: bool = False
    missing_only: bool = False
    document_ids: frozenset[int] | None = None

    @property
    def is_open(self) -> bool:
        """Whether it lets all documents through."""
        flags = self.failed_only or self.missing_only or self.document_ids is not None
        return not self.text.strip() and not flags

    def lets_through(self, document: Document, *, is_missing: bool = False, tags: Sequence[str] = ()) -> bool:
        """Return whether a document is shown."""
        if self.missing_only and not is_missing:
            return False
        if self.document_ids is not None and document.document_id not in self.document_ids:
            return False
        if self.failed_only and document.state != "failed":
            return False
        if not self.text:
            return True
        lines = [words.document_name(document.title, document.path), document.path, *(f"tag:{tag}" for tag in tags)]
        where = "\n".join(lines).casefold()
        return all(word in where for word in self.text.casefold().split())
