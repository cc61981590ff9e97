"""Pages below each other on a canvas: layout, zoom and scrolling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from desktop_app.gui.reading import painting
from desktop_app.gui.reading.page_feed import Look, PageFeed
from desktop_app.gui.reading.page_layout import GAP_PX, PageLayout, fitting
from desktop_app.gui.widgets import keep_scroll_bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent, QWheelEvent

    from desktop_app.core.pages import PageSize
    from desktop_app.engine.viewing import Viewing
    from desktop_app.gui.bridge import Bridge
    from desktop_app.gui.reading.places import ViewPlace
    from desktop_app.gui.theme import ThemeManager

Fit = Literal["width", "page", ""]

STEPS = (0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0)
LINE_PX = 48
ABOVE = 0.28
"""Share of the height at which a sentence is brought into sight: with what stands before it."""
_SETTLE_MS = 25


class PageCanvas(QAbstractScrollArea):
    """Lays out the pages of a file and has them drawn.

    Attributes:
        page_changed: another page is the one that one reads; carries its number.
        zoom_changed: the zoom is another one.
        feed: brings pictures, boxes and characters.
        fit: what pages are fitted to; empty for a scale that was chosen.
    """

    page_changed = Signal(object)
    zoom_changed = Signal()

    def __init__(self, viewing: Viewing, bridge: Bridge, themes: ThemeManager, reader: str = "") -> None:
        super().__init__()
        self._themes = themes
        self.feed = PageFeed(viewing, bridge, self, reader)
        self._sizes: Sequence[PageSize] = ()
        self._layout = PageLayout((), 1.0, 0, 1.0)
        self.fit: Fit = "width"
        self._zoom = 1.0
        self._is_dark = themes.theme.dark
        self._page = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Always there: a bar that comes and goes would change the width that pages are fitted to.
        keep_scroll_bar(self)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._ask)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.feed.drawn.connect(lambda _page: self.viewport().update())
        themes.changed.connect(self._ask)

    def show_sizes(self, sizes: Sequence[PageSize]) -> None:
        """Lay out other pages, from the first one."""
        self._sizes, self._page = sizes, 0
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
        """The page that one reads; 0 where there is none."""
        return self._page

    def go_to(self, page: int) -> None:
        """Bring the top of a page into sight."""
        if 1 <= page <= len(self._sizes):
            self.verticalScrollBar().setValue(round(self._layout.rect(page).top() - GAP_PX))

    def place(self) -> ViewPlace:
        """Return where one is."""
        from desktop_app.gui.reading.places import ViewPlace

        top = self.verticalScrollBar().value()
        page = self._layout.nearest(top)
        down = (top - self._layout.rect(page).top()) / self._layout.scale if page else 0.0
        return ViewPlace("pages", self.zoom, self.fit, page, down, self.horizontalScrollBar().value())

    def return_to(self, place: ViewPlace) -> None:
        """Go to where one was."""
        self.fit, self._zoom = place.fit, place.zoom
        self._lay_out()
        if 1 <= place.page <= len(self._sizes):
            top = self._layout.rect(place.page).top() + place.down * self._layout.scale
            self.verticalScrollBar().setValue(round(top))
            self.horizontalScrollBar().setValue(place.across)

    # Zoom

    @property
    def zoom(self) -> float:
        """The scale: at 1 a page is as large as on paper, by what the screen says of itself."""
        return self._layout.scale / self._unit()

    def set_zoom(self, zoom: float, at: QPointF | None = None) -> None:
        """Choose a scale; `at` is the point of the viewport that stays where it is."""
        self.fit, self._zoom = "", min(max(zoom, STEPS[0]), STEPS[-1])
        self._lay_out(at)

    def set_fit(self, fit: Fit) -> None:
        """Let pages fill the width, or be seen as a whole."""
        self.fit = fit
        self._lay_out()
        if fit == "page":
            self.go_to(self._page)

    def step_zoom(self, direction: int, at: QPointF | None = None) -> None:
        """Go to the next larger or smaller scale."""
        now = self.zoom
        if direction > 0:
            self.set_zoom(next((step for step in STEPS if step > now * 1.02), STEPS[-1]), at)
        else:
            self.set_zoom(next((step for step in reversed(STEPS) if step < now * 0.98), STEPS[0]), at)

    def _unit(self) -> float:
        return self.logicalDpiX() / 72

    def _offset(self) -> QPointF:
        return QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def _held(self, size: QSize) -> QPointF:
        """Return the point of a viewport of this size that stays in sight whatever becomes of it."""
        return QPointF(size.width() / 2, size.height() * ABOVE)

    def _lay_out(self, at: QPointF | None = None, before: QSize | None = None) -> None:
        """Lay pages out anew; what one looks at stays in its place.

        Args:
            at: the point of the viewport that stays; None: where one looks.
            before: the viewport's size until now, when it is another one.
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
            scale = fitting(self._sizes, max(self._page, 1), self.fit, size.width(), size.height())
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

    # What is asked for

    def _on_scrolled(self) -> None:
        height = self.viewport().height()
        page = self._layout.nearest(self.verticalScrollBar().value() + height * 0.4)
        if page != self._page:
            self._page = page
            self.page_changed.emit(page)
        if not self._settle.isActive():
            self._settle.start()
        self.viewport().update()

    def _in_sight(self) -> range:
        top = self.verticalScrollBar().value()
        return self._layout.between(top, top + self.viewport().height())

    def _ask(self) -> None:
        """Ask for what is in sight and the pages beside it."""
        in_sight = self._in_sight()
        if not in_sight or not self.isVisible():
            return
        near = [page for page in (in_sight.stop, in_sight.start - 1) if 1 <= page <= len(self._sizes)]
        ratio = self.devicePixelRatioF()
        theme, dark = self._themes.theme, None
        if self._is_dark:
            from desktop_app.core.pages import Dark

            colours = (painting.paper(theme, dark=True), painting.ink(theme, dark=True))
            dark = Dark(*(colour.rgb() & 0xFFFFFF for colour in colours))
        look = Look(lambda page: round(self._layout.rect(page).width() * ratio), dark)
        self.feed.want(list(in_sight), near, look)
        for page in in_sight:
            self.feed.boxes(page)
            self.feed.ask_text(page)

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit pages anew."""
        super().resizeEvent(event)
        self._lay_out(before=None if event.oldSize().isEmpty() else event.oldSize())

    def event(self, event: QEvent) -> bool:
        """Draw anew for another screen, and when the view comes into sight."""
        if event.type() in (QEvent.Type.DevicePixelRatioChange, QEvent.Type.Show):
            self._lay_out()
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer with Ctrl, else scroll."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            turned = event.angleDelta().y()
            if turned:
                self.set_zoom(self.zoom * 1.1 ** (turned / 120), event.position())
            event.accept()
        else:
            super().wheelEvent(event)
