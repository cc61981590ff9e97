"""Data a person keeps beside the documents: queries, saved searches, quotes, relevance judgements."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.jobs import Job, Lane

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.library import Library
    from desktop_app.core.records import Hit, SearchMode
    from desktop_app.core.user_data import Judgement, PastQuery, Quote, SavedSearch
    from desktop_app.engine.engine import Engine

T = TypeVar("T")


class UserDataService:
    """Queries that were asked, saved searches, quotes, judgements of hits.

    Args:
        engine: runs the jobs.
        open_library: returns the library; called on the engine's thread.
    """

    def __init__(self, engine: Engine, open_library: Callable[[], Library]) -> None:
        self._engine = engine
        self._open = open_library

    def asked(self, limit: int = 50) -> Job[list[PastQuery]]:
        """Return the latest queries, the latest first."""
        return self._submit("asked", lambda: self._open().user_data.asked(limit))

    def remember(self, text: str, mode: SearchMode, *, instead_of: str = "") -> Job[None]:
        """Note that a query was asked."""
        return self._submit("remember", lambda: self._open().user_data.remember(text, mode, instead_of=instead_of))

    def forget_queries(self, text: str | None = None) -> Job[None]:
        """Forget one query, or all."""
        return self._submit("forget queries", lambda: self._open().user_data.forget_queries(text))

    def searches(self) -> Job[list[SavedSearch]]:
        """Return the saved searches, by their names."""
        return self._submit("saved searches", lambda: self._open().user_data.searches())

    def save_search(self, search: SavedSearch) -> Job[int]:
        """Keep a search; returns its id."""
        return self._submit("save search", lambda: self._open().user_data.save_search(search))

    def delete_search(self, search_id: int) -> Job[None]:
        """Keep a search no longer."""
        return self._submit("drop search", lambda: self._open().user_data.delete_search(search_id))

    def quotes(self) -> Job[list[Quote]]:
        """Return the quotes, in the order in which they were put aside."""
        return self._submit("quotes", lambda: self._open().user_data.quotes())

    def add_quotes(self, hits: Sequence[Hit]) -> Job[int]:
        """Put sentences aside; returns how many were new."""
        return self._submit("add quotes", lambda: self._open().user_data.add_quotes(hits))

    def delete_quotes(self, quote_ids: Sequence[int]) -> Job[None]:
        """Keep quotes no longer."""
        return self._submit("drop quotes", lambda: self._open().user_data.delete_quotes(quote_ids))

    def judge(self, query: str, sentence_id: int, is_relevant: bool | None) -> Job[None]:
        """Note whether a sentence answers a query; None takes back what was said."""
        return self._submit("judge", lambda: self._open().user_data.judge(query, sentence_id, is_relevant))

    def judgements(self) -> Job[list[Judgement]]:
        """Return all that was said of hits: material to train on."""
        return self._submit("judgements", lambda: self._open().user_data.judgements())

    def _submit(self, name: str, work: Callable[[], T]) -> Job[T]:
        return self._engine.submit(name, work, lane=Lane.FRONT, by_person=False)
