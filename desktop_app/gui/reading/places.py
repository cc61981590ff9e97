"""What is remembered of a document that one leaves for another and comes back to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from desktop_app.gui.reading.opening import Shown
    from desktop_app.gui.reading.page_canvas import Fit
    from desktop_app.gui.reading.walk import HitWalk


@dataclass(frozen=True, slots=True)
class ViewPlace:
    """Where one was in pages or in a stored text, and how large they were.

    Attributes:
        fit: what pages were fitted to; empty for a scale that was chosen, and for a text.
        page: the page at the upper edge, from 1; 0 in a text.
        down: how far the upper edge was below that page's, in points; in a text, the characters above it.
        across: how far pages were moved to the left, in pixels.
    """

    mode: Literal["pages", "text"]
    zoom: float
    fit: Fit
    page: int
    down: float
    across: int = 0


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A document with its hits, and where one was; None: not looked at yet."""

    shown: Shown
    walk: HitWalk
    place: ViewPlace | None
