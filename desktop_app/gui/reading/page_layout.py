"""Where the pages of a document lie: below each other, in the middle, at one scale."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.pages import Box, PageSize

GAP_PX = 14


class PageLayout:
    """Rectangles of pages, counted from 1, in logical pixels.

    Args:
        sizes: of the pages, in points.
        scale: logical pixels for a point.
        room_px: width of what one sees: narrower pages stand in its middle.
        ratio: physical pixels for a logical one; widths are whole numbers of these, so that nothing blurs.
    """

    def __init__(self, sizes: Sequence[PageSize], scale: float, room_px: float, ratio: float) -> None:
        self.scale = scale
        widths = [max(1, round(size.width * scale * ratio)) / ratio for size in sizes]
        heights = [max(1, round(size.height * scale * ratio)) / ratio for size in sizes]
        self.width = max(widths, default=0.0) + 2 * GAP_PX
        middle = max(self.width, room_px) / 2
        self.rects: list[QRectF] = []
        top = float(GAP_PX)
        for width, height in zip(widths, heights, strict=True):
            self.rects.append(QRectF(round(middle - width / 2), top, width, height))
            top += round(height) + GAP_PX
        self.height = top
        self._tops = [rect.top() for rect in self.rects]
        self._bottoms = [rect.bottom() for rect in self.rects]

    def rect(self, page: int) -> QRectF:
        """Return where a page lies."""
        return self.rects[page - 1]

    def between(self, top: float, bottom: float) -> range:
        """Return the pages of which something lies between two heights."""
        return range(bisect_right(self._bottoms, top) + 1, bisect_left(self._tops, bottom) + 1)

    def nearest(self, y: float) -> int:
        """Return the page at a height, or the next one; 0 where there are no pages."""
        if not self.rects:
            return 0
        return min(bisect_left(self._bottoms, y) + 1, len(self.rects))

    def to_page(self, page: int, point: QPointF) -> QPointF:
        """Return a point of the layout in points of a page."""
        return (point - self.rect(page).topLeft()) / self.scale

    def from_page(self, page: int, box: Box) -> QRectF:
        """Return a box of a page in the layout."""
        origin = self.rect(page).topLeft()
        return QRectF(
            origin.x() + box.left * self.scale,
            origin.y() + box.top * self.scale,
            (box.right - box.left) * self.scale,
            (box.bottom - box.top) * self.scale,
        )


def fitting(sizes: Sequence[PageSize], page: int, fit: str, width_px: float, height_px: float) -> float:
    """Return the scale at which the widest page fits in width, or all of `page` is seen (`fit` is `page`)."""
    if not sizes:
        return 1.0
    across = max(width_px - 2 * GAP_PX, 40) / max(size.width for size in sizes)
    if fit != "page":
        return across
    return min(across, max(height_px - 2 * GAP_PX, 40) / sizes[page - 1].height)
