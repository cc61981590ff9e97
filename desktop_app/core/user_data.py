"""What a person adds to a library: past queries, saved searches, quotes and relevance judgements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.core.scope import combine_parts

if TYPE_CHECKING:
    from desktop_app.core.records import Place, SearchMode
    from desktop_app.core.scope import Scope, ScopePart


MAX_REMEMBERED_QUERIES = 500


@dataclass(frozen=True, slots=True)
class PastQuery:
    """A past query: its text and its search mode."""

    text: str
    mode: SearchMode


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A saved search; `search_id` is 0 until it is stored."""

    name: str
    text: str
    mode: SearchMode
    parts: tuple[ScopePart, ...] = ()
    min_score: float = -1.0
    search_id: int = 0

    @property
    def scope(self) -> Scope:
        """The scope of the search."""
        return combine_parts(self.parts)


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence kept as a quote, with its place; `title`, `path` and `type` are the document's current ones."""

    quote_id: int
    text: str
    document_id: int
    ordinal: int
    title: str
    path: str
    type: str
    place: Place | None
    page_label: str | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A person's judgement of a hit: whether it answers the query."""

    query: str
    sentence_id: int
    text: str
    is_relevant: bool
