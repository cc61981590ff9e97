"""What the engine needs of a library's full-text index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.query import Wording
    from desktop_app.core.records import Nearest
    from desktop_app.core.scope import Scope


class WordIndex(Protocol):
    """Finds sentences and documents by their words: stemmed, without case and accents, ranked by BM25."""

    def matching(self, wording: Wording, top_k: int, *, scope: Scope = ...) -> list[Nearest]:
        """Return the `top_k` visible sentences with the words, best first; `score` is their BM25, above 0.

        Of many words the commonest may be passed over where rarer ones find enough.
        """
        ...

    def is_common(self, wording: Wording) -> bool:
        """Say whether even the rarest of the words stands in so many sentences that `matching` takes long."""
        ...

    def matching_among(self, wording: Wording, sentence_ids: Sequence[int]) -> dict[int, float]:
        """Return the BM25 of those of some sentences that have the words; quick also where these are common."""
        ...

    def weight(self, wording: Wording) -> float:
        """Return the BM25 of a sentence of usual length that has all of the words; 0 without words.

        A word that stands nowhere weighs as much as the rarest.
        """
        ...

    def matching_documents(self, wording: Wording, top_k: int, *, scope: Scope = ...) -> list[tuple[int, float]]:
        """Return (document id, BM25) of the `top_k` visible documents with the words, best first.

        A long document counts by its best passage. One that is still being taken in is found by what is complete.
        """
        ...

    def documents_with(self, wording: Wording) -> frozenset[int] | None:
        """Return the documents that have all words they must and none they must not; None: any document will do."""
        ...
