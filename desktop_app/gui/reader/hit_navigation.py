"""The hits of one document in reading order, and which is current."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop_app.gui.reader.heat_strip import HeatStripMark
from desktop_app.gui.results.highlighting import NO_HIGHLIGHTS, HighlightTerms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.pages import SentenceToLocate
    from desktop_app.core.records import Hit

_MAX_HITS = 2000


@dataclass(frozen=True, slots=True)
class HitNavigation:
    """What one goes through with "next hit".

    Attributes:
        hits: in the order of the document.
        at: the one that is marked; None where there are none.
        sought: words that are marked in them.
    """

    hits: tuple[Hit, ...] = ()
    at: int | None = None
    sought: HighlightTerms = NO_HIGHLIGHTS

    @classmethod
    def beginning(cls, hit: Hit, of_document: Sequence[Hit], sought: HighlightTerms = NO_HIGHLIGHTS) -> HitNavigation:
        """Return the walk through the hits of a document that begins at one of them."""
        by_ordinal = {each.ordinal: each for each in of_document[:_MAX_HITS]}
        by_ordinal[hit.ordinal] = hit
        ordinals = sorted(by_ordinal)
        return cls(tuple(by_ordinal[ordinal] for ordinal in ordinals), ordinals.index(hit.ordinal), sought)

    @property
    def current(self) -> Hit | None:
        """The hit that is marked."""
        return self.hits[self.at] if self.at is not None else None

    def stepped(self, by: int) -> HitNavigation | None:
        """Return the walk so many hits further on; None where it ends before."""
        if self.at is None or not 0 <= self.at + by < len(self.hits):
            return None
        return replace(self, at=self.at + by)

    @property
    def ordinals(self) -> list[int]:
        """Which sentences of the document they are."""
        return [hit.ordinal for hit in self.hits]

    @property
    def pages(self) -> list[int]:
        """The page on which each begins."""
        return [hit.places[0].page or 1 if hit.places else 1 for hit in self.hits]

    def count_hits_by_page(self) -> list[SentenceToLocate]:
        """Return what is to be marked on pages."""
        from desktop_app.core.pages import SentenceToLocate

        return [SentenceToLocate(hit.text, hit.places) for hit in self.hits]

    def heat(self, shares: Sequence[float]) -> list[HeatStripMark]:
        """Return the marks along the scroll bar.

        Args:
            shares: how far down each stands, 0 to 1; empty while that is not known.
        """
        best = max((hit.score for hit in self.hits), default=1.0)
        least = min((hit.score for hit in self.hits), default=0.0)
        spread = max(best - least, 1e-6)
        return [
            HeatStripMark(share, (hit.score - least) / spread, hit.text, index == self.at)
            for index, (share, hit) in enumerate(zip(shares, self.hits, strict=False))
        ]
