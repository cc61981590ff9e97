"""What a person adds to a library: past queries, saved searches, quotes and relevance judgements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from desktop_app.core.scope import combine_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.records import Hit, Place, SearchMode
    from desktop_app.core.scope import Scope, ScopePart


@dataclass(frozen=True, slots=True)
class PastQuery:
    """A query that was asked: its text, how it was looked for, and when (seconds since 1970)."""

    text: str
    mode: SearchMode
    at: float


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A search under a name; `search_id` is 0 while it is not kept."""

    name: str
    text: str
    mode: SearchMode
    parts: tuple[ScopePart, ...] = ()
    min_score: float = -1.0
    search_id: int = 0

    @property
    def scope(self) -> Scope:
        """Where it looks."""
        return combine_parts(self.parts)


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence that was put aside, with where it stands; `title`, `path` and `type` are its document's now."""

    quote_id: int
    text: str
    document_id: int
    ordinal: int
    title: str
    path: str
    type: str
    place: Place | None
    page_label: str | None
    at: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a person said of a hit: whether it answers the query."""

    query: str
    sentence_id: int
    text: str
    is_relevant: bool


class UserDataStore(Protocol):
    """Where it is kept. What tells of a document goes when that document is erased. Used from one thread."""

    def asked(self, limit: int = 50) -> list[PastQuery]:
        """Return the latest queries, the latest first, each once."""
        ...

    def remember(self, text: str, mode: SearchMode, *, instead_of: str = "") -> None:
        """Note that a query was asked; `instead_of`: it is that one, typed to its end."""
        ...

    def forget_queries(self, text: str | None = None) -> None:
        """Forget one query, or all."""
        ...

    def searches(self) -> list[SavedSearch]:
        """Return the saved searches, by their names."""
        ...

    def save_search(self, search: SavedSearch) -> int:
        """Keep a search, in the place of one with its id or name; returns its id."""
        ...

    def delete_search(self, search_id: int) -> None:
        """Keep a search no longer."""
        ...

    def quotes(self) -> list[Quote]:
        """Return the quotes, in the order in which they were put aside."""
        ...

    def add_quotes(self, hits: Sequence[Hit]) -> int:
        """Put sentences aside, each place once; returns how many were new."""
        ...

    def delete_quotes(self, quote_ids: Sequence[int]) -> None:
        """Keep quotes no longer."""
        ...

    def judgements(self, query: str | None = None) -> list[Judgement]:
        """Return what was said of hits, of one query or of all, in the order in which it was said."""
        ...

    def judge(self, query: str, sentence_id: int, is_relevant: bool | None) -> None:
        """Note whether a sentence answers a query; None takes back what was said."""
        ...
