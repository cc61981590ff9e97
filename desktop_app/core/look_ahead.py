"""What a search is about to ask of a library: a library on a server answers it all at once.

Nothing depends on it. What was not announced, or changes meanwhile, is asked when it is needed.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop_app.core.arrays import Vector
    from desktop_app.core.query import KeywordQuery
    from desktop_app.core.scope import Scope


@dataclass(frozen=True, slots=True)
class ExpectedSearch:
    """A search for sentences with one query.

    Attributes:
        text: the query as it was typed; a person's judgements of it are read. Empty: they are not needed.
        keyword_query: the words of the query.
        scope: where to look.
        nearest: how many of the nearest sentences are asked for; 0: none.
        matching: how many of the sentences with the words are asked for; 0: none.
        rows: how many hits are shown at first.
        with_copies: whether near copies among the best sentences are looked for.
        by_document: whether documents are ranked instead; then the numbers count for none of it.
    """

    text: str
    keyword_query: KeywordQuery
    scope: Scope
    nearest: int
    matching: int
    rows: int
    with_copies: bool
    by_document: bool = False


class LookAhead(Protocol):
    """Reads what a search is about to ask; as long as it is open, the library answers that from memory."""

    @property
    def is_distant(self) -> bool:
        """Whether each question takes a round trip over a network."""
        ...

    def expect_words(self, searches: Sequence[ExpectedSearch]) -> None:
        """Read what the searches of one request need before the vectors of their queries are known."""
        ...

    def expect_sentences(self, search: ExpectedSearch, vector: Vector | None) -> None:
        """Read the sentences of a search, and what shows them.

        Args:
            search: one of those announced by `expect_words`.
            vector: of the query, float32 [dim]; None for a search by words.
        """
        ...

    def expect_documents(self, search: ExpectedSearch, vector: Vector | None, asked: int) -> None:
        """Read what ranks documents.

        Args:
            search: one of those announced by `expect_words`.
            vector: of the query, float32 [dim]; None for a search by words.
            asked: how many documents are asked for.
        """
        ...

    def expect_matching(self, keyword_query: KeywordQuery, scopes: Sequence[Scope], best: int) -> None:
        """Read the sentences with the words in each of some scopes, which are documents."""
        ...

    def expect_shown(self, found: Mapping[int, Sequence[int]], without: frozenset[str]) -> None:
        """Read what shows documents with some of their sentences.

        Args:
            found: ids of sentences by document.
            without: kinds of passages that are not searched.
        """
        ...


class NoLookAhead:
    """Implements `LookAhead` for a library that answers without delay."""

    is_distant = False

    def expect_words(self, searches: Sequence[ExpectedSearch]) -> None:
        """Do nothing."""

    def expect_sentences(self, search: ExpectedSearch, vector: Vector | None) -> None:
        """Do nothing."""

    def expect_documents(self, search: ExpectedSearch, vector: Vector | None, asked: int) -> None:
        """Do nothing."""

    def expect_matching(self, keyword_query: KeywordQuery, scopes: Sequence[Scope], best: int) -> None:
        """Do nothing."""

    def expect_shown(self, found: Mapping[int, Sequence[int]], without: frozenset[str]) -> None:
        """Do nothing."""


def look_no_further() -> AbstractContextManager[LookAhead]:
    """Return what `Library.look_ahead` returns where nothing is read ahead."""
    return nullcontext(NoLookAhead())
