"""Where a person was in a document, for when they come back to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from desktop_app.gui.reader.document_loader import ShownDocument
    from desktop_app.gui.reader.hit_navigation import HitNavigation
    from desktop_app.gui.reader.page_canvas import PageFit


@dataclass(frozen=True, slots=True)
class ReadingPosition:
    """Where one was in pages or in a stored text, and how large they were.

    Attributes:
        fit: what pages were fitted to; empty for a scale that was chosen, and for a text.
        page: the page at the upper edge, from 1; 0 in a text.
        down: how far the upper edge was below that page's, in points; in a text, the characters above it.
        across: how far pages were moved to the left, in pixels.
    """

    mode: Literal["pages", "text"]
    zoom: float
    fit: PageFit
    page: int
    down: float
    across: int = 0


@dataclass(frozen=True, slots=True)
class ReaderBookmark:
    """A document with its hits, and where one was; None: not looked at yet."""

    shown: ShownDocument
    walk: HitNavigation
    place: ReadingPosition | None
