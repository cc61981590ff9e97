"""Lays pages out in a column: layout, zoom and scrolling."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from desktop_app.gui.reader import page_painting
from desktop_app.gui.reader.model import PageFit, ReadingPosition
from desktop_app.gui.reader.page_loader import PageAppearance, PageLoader
from desktop_app.gui.widgets.item_views import reserve_scroll_bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent, QWheelEvent

    from desktop_app.core.pages import Box, PageSize
    from desktop_app.engine.pages import PageService
    from desktop_app.gui.base.bridge import Bridge
    from desktop_app.gui.base.theme import ThemeManager

ZOOM_STEPS = (0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0)
LINE_PX = 48
TARGET_TOP_SHARE = 0.28
"""Share of the height to which a sentence is scrolled, so that the text before it is visible."""
_RESIZE_DELAY_MS = 25

GAP_PX = 14


class PageCanvas(QAbstractScrollArea):
    """Lays out the pages of a file and requests their pictures.

    Attributes:
        page_changed: another page is the current one; carries its number.
        zoom_changed: the zoom has changed.
        loader: loads pictures, boxes and characters.
        fit: what pages are fitted to; empty for a chosen zoom.
    """

    page_changed = Signal(object)
    zoom_changed = Signal()

    def __init__(self, viewing: PageService, bridge: Bridge, themes: ThemeManager, reader: str = "") -> None:
        super().__init__()
        self._themes = themes
        self.loader = PageLoader(viewing, bridge, self, reader)
        self._sizes: Sequence[PageSize] = ()
        self._layout = PageLayout((), 1.0, 0, 1.0)
        self.fit: PageFit = "width"
        self._zoom = 1.0
        self._is_dark = themes.theme.dark
        self._page = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Always visible: a bar that comes and goes would change the width that pages are fitted to.
        reserve_scroll_bar(self)
        self._settle = QTimer(self, singleShot=True, interval=_RESIZE_DELAY_MS)
        self._settle.timeout.connect(self._ask)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.loader.drawn.connect(lambda _page: self.viewport().update())
        themes.changed.connect(self._ask)

    def show_sizes(self, sizes: Sequence[PageSize]) -> None:
        """Lay out other pages, starting at the first one."""
        self._sizes, self._page = sizes, 0
        self._layout = PageLayout((), self._layout.scale, 0, 1.0)  # nothing of the former pages stays in place
        self.verticalScrollBar().setValue(0)
        self._lay_out()
        self._on_scrolled()

    @property
    def is_dark(self) -> bool:
        """Whether pages are dark."""
        return self._is_dark

    def set_dark(self, dark: bool) -> None:
        """Draw pages dark, or as they are."""
        self._is_dark = dark
        self._ask()
        self.viewport().update()

    @property
    def page(self) -> int:
        """The current page; 0 if there is none."""
        return self._page

    def go_to(self, page: int) -> None:
        """Scroll to the top of a page."""
        if 1 <= page <= len(self._sizes):
            self.verticalScrollBar().setValue(round(self._layout.rect(page).top() - GAP_PX))

    def position(self) -> ReadingPosition:
        """Return the reading position."""
        top = self.verticalScrollBar().value()
        page = self._layout.nearest(top)
        down = (top - self._layout.rect(page).top()) / self._layout.scale if page else 0.0
        return ReadingPosition("pages", self.zoom, self.fit, page, down, self.horizontalScrollBar().value())

    def return_to(self, place: ReadingPosition) -> None:
        """Go to a reading position."""
        self.fit, self._zoom = place.fit, place.zoom
        self._lay_out()
        if 1 <= place.page <= len(self._sizes):
            top = self._layout.rect(place.page).top() + place.down * self._layout.scale
            self.verticalScrollBar().setValue(round(top))
            self.horizontalScrollBar().setValue(place.across)

    # Zoom

    @property
    def zoom(self) -> float:
        """The zoom: at 1 a page is as large as on paper, by the resolution that the screen reports."""
        return self._layout.scale / self._unit()

    def set_zoom(self, zoom: float, at: QPointF | None = None) -> None:
        """Set the zoom; `at` is the point of the viewport that stays in place."""
        self.fit, self._zoom = "", min(max(zoom, ZOOM_STEPS[0]), ZOOM_STEPS[-1])
        self._lay_out(at)

    def set_fit(self, fit: PageFit) -> None:
        """Fit pages to the width, or show whole pages."""
        self.fit = fit
        self._lay_out()
        if fit == "page":
            self.go_to(self._page)

    def step_zoom(self, direction: int) -> None:
        """Go to the next larger or smaller zoom."""
        now = self.zoom
        if direction > 0:
            self.set_zoom(next((step for step in ZOOM_STEPS if step > now * 1.02), ZOOM_STEPS[-1]))
        else:
            self.set_zoom(next((step for step in reversed(ZOOM_STEPS) if step < now * 0.98), ZOOM_STEPS[0]))

    def _unit(self) -> float:
        return self.logicalDpiX() / 72

    def _offset(self) -> QPointF:
        return QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def _held(self, size: QSize) -> QPointF:
        """Return the point of a viewport of this size that stays visible when the size changes."""
        return QPointF(size.width() / 2, size.height() * TARGET_TOP_SHARE)

    def _lay_out(self, at: QPointF | None = None, before: QSize | None = None) -> None:
        """Lay out the pages again; the point `at` stays in place.

        Args:
            at: the point of the viewport that stays; None for the one of `_held`.
            before: the previous size of the viewport, if it has changed.
        """
        size = self.viewport().size()
        before = before if before is not None else size
        at = at if at is not None else self._held(before)
        old, point = self._layout, at + self._offset()
        at = QPointF(at.x() * size.width() / max(before.width(), 1), at.y() * size.height() / max(before.height(), 1))
        page = old.nearest(point.y())
        held = old.to_page(page, point) if page and len(old.rects) == len(self._sizes) else None
        scale = self._zoom * self._unit()
        if self.fit:
            scale = fit_scale(self._sizes, max(self._page, 1), self.fit, size.width(), size.height())
        self._layout = PageLayout(self._sizes, scale, size.width(), self.devicePixelRatioF())
        down, across = self.verticalScrollBar(), self.horizontalScrollBar()
        down.setRange(0, max(0, round(self._layout.height) - size.height()))
        down.setPageStep(size.height())
        down.setSingleStep(LINE_PX)
        across.setRange(0, max(0, round(self._layout.width) - size.width()))
        across.setPageStep(size.width())
        across.setSingleStep(LINE_PX)
        if held is not None:
            now = self._layout.rect(page).topLeft() + held * scale - at
            down.setValue(round(now.y()))
            across.setValue(round(now.x()))
        self.zoom_changed.emit()
        self._settle.start()
        self.viewport().update()

    # Requests

    def _on_scrolled(self) -> None:
        height = self.viewport().height()
        page = self._layout.nearest(self.verticalScrollBar().value() + height * 0.4)
        if page != self._page:
            self._page = page
            self.page_changed.emit(page)
        if not self._settle.isActive():
            self._settle.start()
        self.viewport().update()

    def _visible_pages(self) -> range:
        top = self.verticalScrollBar().value()
        return self._layout.between(top, top + self.viewport().height())

    def _ask(self) -> None:
        """Request the visible pages and their neighbours."""
        visible = self._visible_pages()
        if not visible or not self.isVisible():
            return
        neighbours = [page for page in (visible.stop, visible.start - 1) if 1 <= page <= len(self._sizes)]
        ratio = self.devicePixelRatioF()
        theme, dark = self._themes.theme, None
        if self._is_dark:
            from desktop_app.core.pages import DarkPageColors

            colours = (page_painting.paper_colour(theme, dark=True), page_painting.ink_colour(theme, dark=True))
            dark = DarkPageColors(*(colour.rgb() & 0xFFFFFF for colour in colours))
        look = PageAppearance(lambda page: round(self._layout.rect(page).width() * ratio), dark)
        self.loader.load_pictures(list(visible), neighbours, look)
        for page in visible:
            self.loader.boxes(page)
            self.loader.request_text(page)

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pages again."""
        super().resizeEvent(event)
        self._lay_out(before=None if event.oldSize().isEmpty() else event.oldSize())

    def event(self, event: QEvent) -> bool:
        """Lay out the pages again for another screen, and when the view is shown."""
        if event.type() in (QEvent.Type.DevicePixelRatioChange, QEvent.Type.Show):
            self._lay_out()
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer with Ctrl, otherwise scroll."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            turned = event.angleDelta().y()
            if turned:
                self.set_zoom(self.zoom * 1.1 ** (turned / 120), event.position())
            event.accept()
        else:
            super().wheelEvent(event)


class PageLayout:
    """Rectangles of pages, counted from 1, in logical pixels.

    Args:
        sizes: of the pages, in points.
        scale: logical pixels per point.
        room_px: width of the viewport; narrower pages are centred.
        ratio: physical pixels per logical pixel; widths are whole physical pixels, so that nothing blurs.
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
        """Return the rectangle of a page."""
        return self.rects[page - 1]

    def between(self, top: float, bottom: float) -> range:
        """Return the pages that overlap the range between two heights."""
        return range(bisect_right(self._bottoms, top) + 1, bisect_left(self._tops, bottom) + 1)

    def nearest(self, y: float) -> int:
        """Return the page at a height, or the next one; 0 if there are no pages."""
        if not self.rects:
            return 0
        return min(bisect_left(self._bottoms, y) + 1, len(self.rects))

    def to_page(self, page: int, point: QPointF) -> QPointF:
        """Convert a point of the layout to points of a page."""
        return (point - self.rect(page).topLeft()) / self.scale

    def from_page(self, page: int, box: Box) -> QRectF:
        """Convert a box of a page to the layout."""
        origin = self.rect(page).topLeft()
        return QRectF(
            origin.x() + box.left * self.scale,
            origin.y() + box.top * self.scale,
            (box.right - box.left) * self.scale,
            (box.bottom - box.top) * self.scale,
        )


def fit_scale(sizes: Sequence[PageSize], page: int, fit: str, width_px: float, height_px: float) -> float:
    """Return the scale at which the widest page fits the width, or all of `page` is visible if `fit` is `page`."""
    if not sizes:
        return 1.0
    across = max(width_px - 2 * GAP_PX, 40) / max(size.width for size in sizes)
    if fit != "page":
        return across
    return min(across, max(height_px - 2 * GAP_PX, 40) / sizes[page - 1].height)
