"""The map of a library: a point for each sentence, similar ones near each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from desktop_app.gui.base import display_text
from desktop_app.gui.clusters.map_colours import (
    LegendEntry,
    colour_by_date,
    colour_by_document,
    date_scale_rect,
    document_legend_rect,
    format_date_range,
    paint_date_scale,
    paint_document_legend,
    place_legend_lines,
)
from desktop_app.gui.clusters.map_drawing import (
    SHADING_CELL_PX,
    ClusterLabelLayer,
    MapPicture,
    group_points,
    render_map_svg,
)
from desktop_app.gui.clusters.model import UNCLUSTERED, cluster_colour

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from desktop_app.core.clusters import Clusters, SentenceMap
    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.clusters.map_drawing import PlacedLabel

MapColouring = Literal["cluster", "document", "date"]

_PAN_STEP_PX = 60
_ZOOM_FACTOR = 1.25
_HOVER_DELAY_MS = 120
_CLICK_TOLERANCE_PX = 4
_REDRAW_DELAY_MS = 120
_MAX_DOT_PIXELS_WHILE_MOVING = 200_000  # so that a frame of a large map is painted in time


class MapView(QWidget):
    """Paints the map. The wheel zooms around the pointer, dragging moves the map, Shift and dragging select sentences.

    Attributes:
        pointed: the pointer rests on a sentence; carries its id, None when it has left.
        clicked: a sentence was clicked; carries its id.
        opened: a sentence was double-clicked, or Enter pressed on it; carries its id.
        chosen: a line was drawn around sentences, or the selection cancelled; carries the list of their ids.
        cluster_chosen: a name was clicked; carries the cluster's id.
        is_lasso: whether dragging draws a line around sentences.
    """

    pointed = Signal(object)
    clicked = Signal(object)
    opened = Signal(object)
    chosen = Signal(object)
    cluster_chosen = Signal(object)

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self._picture = MapPicture()
        self._names = ClusterLabelLayer()
        self._ids: NDArray[np.int64] = np.empty(0, np.int64)
        self._documents: NDArray[np.int64] = np.empty(0, np.int64)
        self._dates: NDArray[np.float64] = np.empty(0)
        self._scale: tuple[str, str] | None = None  # the oldest and the newest date, if colours mean dates
        self._legend: list[LegendEntry] = []  # the largest documents, if colours mean documents
        self._document_names: dict[int, str] = {}
        self._by_document: dict[bool, tuple[NDArray[np.int64], list[QColor], list[int]]] = {}  # by a dark theme
        self._others = 0  # documents without their own colours, once they are counted
        self._found: Clusters | None = None
        self._groups: NDArray[np.int64] = np.empty(0, np.int64)
        self._shading: QImage | None = None  # of the visible part; None when it has to be rendered
        self._points: QImage | None = None
        self._is_fitted = False
        self._is_whole = True  # no part was chosen by moving or zooming
        self._pointer = QPointF()
        self._pressed: QPointF | None = None
        self._dragged = False
        self._line: QPolygonF | None = None
        self._hovered: int | None = None
        self.colouring: MapColouring = "cluster"
        self.is_lasso = False
        self._hover = QTimer(self, singleShot=True, interval=_HOVER_DELAY_MS)
        self._hover.timeout.connect(self._update_hover)
        self._moving = QTimer(self, singleShot=True, interval=_REDRAW_DELAY_MS)
        self._moving.timeout.connect(self._settle)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(200, 160)
        self.setAccessibleName(self.tr("Map of the library"))
        self.setAccessibleDescription(
            self.tr(
                "Arrow keys move the map, plus and minus zoom, Home shows all, Enter opens the sentence in the middle"
            )
        )
        themes.changed.connect(self._recolour)

    # Display

    def show_map(self, found: SentenceMap) -> None:
        """Show a map; the visible part stays unless the map is a new one."""
        self._ids, self._documents, self._by_document = found.ids, found.documents, {}
        self._dates = found.dates if found.dates is not None else np.zeros(len(found.ids))
        self._picture.show(found.places)
        self._clear_hover()  # the row of a sentence in the former map
        if found.is_new:
            self._is_fitted = False
        self._group()

    def show_clusters(self, found: Clusters | None) -> None:
        """Colour and name the clusters."""
        self._found = found
        self._group()

    def set_colouring(self, colouring: MapColouring) -> None:
        """Give each cluster or each document a colour, or each date one of a scale."""
        self.colouring = colouring
        self._recolour()

    @property
    def largest_documents(self) -> list[int]:
        """The ids of the documents with their own colours, the largest first."""
        return self._document_colours()[2]

    def name_documents(self, names: dict[int, str]) -> None:
        """Set the names of documents, which the legend shows."""
        self._document_names = names
        if self.colouring == "document":
            self._recolour()

    def choose(self, cluster_ids: Iterable[int]) -> None:
        """Emphasize the names of clusters."""
        self._names.strong = frozenset(cluster_ids)
        self.update()

    def highlight(self, sentence_ids: Iterable[int]) -> None:
        """Highlight sentences; with none of them, all look alike."""
        wanted = np.fromiter(sentence_ids, np.int64)
        self._picture.highlight(np.isin(self._ids, wanted))
        self._redraw_points()

    @property
    def highlighted_count(self) -> int:
        """How many sentences of the map are highlighted."""
        return int(self._picture.highlighted.sum())

    def _group(self) -> None:
        """Assign each point to its cluster, and find the centres of the clusters."""
        clusters = self._found.clusters if self._found is not None else ()
        self._groups, middles = group_points(self._ids, self._picture.places, clusters)
        self._names.show(middles)
        self._recolour()

    def _recolour(self, *_: object) -> None:
        dark = self._themes.theme.dark
        self._scale = format_date_range(self._dates) if self.colouring == "date" else None
        self._legend = []
        if self.colouring == "document":
            groups, colours, largest = self._document_colours()
            self._legend = self._make_legend(colours, largest)
        elif self.colouring == "date":
            groups, colours = colour_by_date(self._dates, dark)
        else:
            groups = self._groups
            clusters = self._found.clusters if self._found is not None else ()
            colours = [cluster_colour(cluster.cluster_id, dark) for cluster in clusters]
        self._picture.colour(groups.astype(np.int64), colours, cluster_colour(UNCLUSTERED, dark))
        self._redraw()

    def _document_colours(self) -> tuple[NDArray[np.int64], list[QColor], list[int]]:
        """Return the colouring by documents, which is computed once: a map may have a million points."""
        dark = self._themes.theme.dark
        if dark not in self._by_document:
            self._by_document[dark] = groups, _, _ = colour_by_document(self._documents, dark)
            self._others = len(np.unique(self._documents[groups < 0]))
        return self._by_document[dark]

    def _make_legend(self, colours: list[QColor], largest: list[int]) -> list[LegendEntry]:
        """Return the legend of the largest documents; empty until their names are known."""
        lines = [
            LegendEntry(colour, self._document_names[document])
            for document, colour in zip(largest, colours, strict=True)
            if document in self._document_names
        ]
        if lines and self._others:
            text = self.tr("{count} others").format(count=display_text.format_number(self._others))
            if self._others == 1:
                text = self.tr("1 other")
            lines.append(LegendEntry(cluster_colour(UNCLUSTERED, self._themes.theme.dark), text))
        return lines

    def _redraw(self) -> None:
        self._shading = self._points = None
        self.update()

    def _redraw_points(self) -> None:
        """Render the points again; the shading below them stays."""
        self._points = None
        self.update()

    def _move(self) -> None:
        """Draw another part of the map; a large one is thinned until it stops moving."""
        self._is_whole = False
        self._moving.start()
        self._redraw()

    def _settle(self) -> None:
        """Draw every point, because the map has stopped moving."""
        self._moving.stop()
        if self._picture.is_thinned:
            self._redraw_points()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the shading, the points, the names, and the line that is being drawn."""
        if not self._is_fitted and len(self._picture):
            self._picture.fit(self.size())
            self._is_fitted = self._is_whole = True
        painter = QPainter(self)
        self.paint(painter, self.size())
        theme = self._themes.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._line is not None:
            painter.setPen(QPen(theme.color("accent"), 1.5))
            wash = theme.color("accent")
            wash.setAlphaF(0.12)
            painter.setBrush(wash)
            painter.drawPolygon(self._line)
        if self._hovered is not None:
            (x, y), *_ = self._picture.to_screen(self._picture.places[[self._hovered]], self.size()).tolist()
            painter.setPen(QPen(theme.color("text"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(x, y), 6, 6)
        if self.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
            middle = QPointF(self.width() / 2, self.height() / 2)
            painter.drawLine(middle - QPointF(5, 0), middle + QPointF(5, 0))
            painter.drawLine(middle - QPointF(0, 5), middle + QPointF(0, 5))

    def paint(self, painter: QPainter, size: QSize) -> None:
        """Paint the visible part of the map into a size."""
        theme = self._themes.theme
        if not len(self._picture):
            painter.fillRect(QRectF(0, 0, size.width(), size.height()), theme.color("ground"))
            return
        ratio = painter.device().devicePixelRatio()
        if self._points is None or self._points.devicePixelRatio() != ratio:
            dimmed, highlight = theme.color("line"), theme.color("accent")
            most = _MAX_DOT_PIXELS_WHILE_MOVING if self._moving.isActive() else None
            self._points = self._picture.points(size, dimmed, highlight, ratio, most)
        if self._shading is None:
            self._shading = self._picture.shading(size, theme.color("ground"))
        shading, points = self._shading, self._points
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(QRectF(0, 0, shading.width() * SHADING_CELL_PX, shading.height() * SHADING_CELL_PX), shading)
        painter.drawImage(QPointF(0, 0), points)
        self._lay_out_names(size)
        self._names.paint(painter, theme)
        if self._scale is not None:
            paint_date_scale(painter, size, self._scale, theme, self._names.font)
        if self._legend:
            paint_document_legend(painter, size, self._legend, theme, self._names.font)

    def _lay_out_names(self, size: QSize) -> list[PlacedLabel]:
        font = self._names.set_base_font(self.font())
        box = date_scale_rect(size, self._scale, font) if self._scale else None
        if self._legend:
            box = document_legend_rect(size, self._legend, font)
        return self._names.lay_out(self._picture, size, box)

    def picture(self, factor: float = 2.0) -> QImage:
        """Return a picture of the visible part of the map, larger by a factor."""
        self._moving.stop()
        self._points = None
        image = QImage(self.size() * factor, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(factor)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint(painter, self.size())
        painter.end()
        self._points = None  # the next picture uses the same pixels
        return image

    def svg(self) -> str:
        """Return the visible part of the map as an SVG: a dot for each sentence, names as text."""
        placed = self._lay_out_names(self.size())
        theme, font = self._themes.theme, self._names.font
        legend = place_legend_lines(self.size(), self._legend, font) if self._legend else []
        box = document_legend_rect(self.size(), self._legend, font) if self._legend else None
        return render_map_svg(self._picture, placed, self.size(), theme, self._scale, (box, legend) if box else None)

    # Moving

    def fit(self) -> None:
        """Show the whole map."""
        self._picture.fit(self.size())
        self._is_whole = True
        self._redraw()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom around a place, or around the middle."""
        self._picture.zoom(factor, at or QPointF(self.width() / 2, self.height() / 2), self.size())
        self._move()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer."""
        notches = event.angleDelta().y() / 120
        if notches:
            self.zoom(_ZOOM_FACTOR**notches, event.position())
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Render the map in its new size; all of it if all of it was visible."""
        super().resizeEvent(event)
        self._shading = self._points = None
        self._is_fitted = self._is_fitted and not self._is_whole

    def changeEvent(self, event: QEvent) -> None:
        """Redraw the names in the new font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.update()

    def hideEvent(self, event: QHideEvent) -> None:
        """Forget the pointer."""
        super().hideEvent(event)
        self._hover.stop()
        self._moving.stop()
        self._shading = self._points = None
        self._clear_hover()
        self._pressed = self._line = None  # the button is released elsewhere

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, zoom, open the sentence in the middle, or cancel the line that is being drawn, then the selection."""
        key = Qt.Key
        moves = {
            key.Key_Left: (_PAN_STEP_PX, 0),
            key.Key_Right: (-_PAN_STEP_PX, 0),
            key.Key_Up: (0, _PAN_STEP_PX),
            key.Key_Down: (0, -_PAN_STEP_PX),
        }
        pressed = key(event.key())
        if pressed in moves:
            self._picture.pan(QPointF(*moves[pressed]))
            self._move()
        elif pressed in (key.Key_Plus, key.Key_Equal):
            self.zoom(_ZOOM_FACTOR)
        elif pressed == key.Key_Minus:
            self.zoom(1 / _ZOOM_FACTOR)
        elif pressed in (key.Key_Home, key.Key_0):
            self.fit()
        elif pressed in (key.Key_Return, key.Key_Enter, key.Key_Space):
            self._open(QPointF(self.width() / 2, self.height() / 2), anywhere=True)
        elif pressed == key.Key_Escape and self._line is not None:
            self._line = self._pressed = None  # the rest of the movement draws and moves nothing
            self.update()
        elif pressed == key.Key_Escape:
            self.chosen.emit([])
        else:
            super().keyPressEvent(event)

    # Pointing

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start moving the map, or drawing a line."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragged = event.position(), False
            if self.is_lasso or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._line = QPolygonF([event.position()])
            self._clear_hover()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the map or draw the line; without a button, look for the sentence under the pointer."""
        at = event.position()
        if self._pressed is None:
            self._pointer = at
            self._hover.start()
            self.setCursor(self._cursor(at))
            return
        if (at - self._pressed).manhattanLength() > _CLICK_TOLERANCE_PX:
            self._dragged = True
        if self._line is not None:
            self._line.append(at)
            self.update()
        elif self._dragged:
            self._picture.pan(at - self._pressed)
            self._pressed = at
            self._move()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select the sentences inside the line, or report the clicked sentence or cluster."""
        if event.button() != Qt.MouseButton.LeftButton or self._pressed is None:
            return
        line, self._line, self._pressed = self._line, None, None
        if line is not None and self._dragged:
            rows = self._picture.within(line, self.size())
            self.chosen.emit(self._ids[rows].tolist())
        elif not self._dragged:
            name = self._names.cluster_at(event.position())
            if name is not None:
                self.cluster_chosen.emit(name)
            elif (row := self._picture.nearest(event.position(), self.size())) is not None:
                self.clicked.emit(int(self._ids[row]))
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the sentence."""
        if event.button() == Qt.MouseButton.LeftButton and self._names.cluster_at(event.position()) is None:
            self._open(event.position())

    def leaveEvent(self, event: QEvent) -> None:
        """Forget the pointer."""
        super().leaveEvent(event)
        self._hover.stop()
        self._clear_hover()

    def _cursor(self, at: QPointF) -> Qt.CursorShape:
        if self.is_lasso:
            return Qt.CursorShape.CrossCursor
        return (
            Qt.CursorShape.PointingHandCursor if self._names.cluster_at(at) is not None else Qt.CursorShape.ArrowCursor
        )

    def _open(self, at: QPointF, *, anywhere: bool = False) -> None:
        row = self._picture.nearest(at, self.size(), anywhere=anywhere)
        if row is not None:
            self.opened.emit(int(self._ids[row]))

    def _update_hover(self) -> None:
        row = self._picture.nearest(self._pointer, self.size())
        if row != self._hovered:
            self._hovered = row
            self.update()
            QToolTip.hideText()
            self.pointed.emit(int(self._ids[row]) if row is not None else None)

    def _clear_hover(self) -> None:
        if self._hovered is not None:
            self._hovered = None
            self.update()
            self.pointed.emit(None)

    def show_tooltip(self, sentence_id: int, text: str) -> None:
        """Show a sentence next to its point, if the pointer is still there."""
        if self._hovered is not None and int(self._ids[self._hovered]) == sentence_id:
            at = self._picture.to_screen(self._picture.places[[self._hovered]], self.size())[0]
            QToolTip.showText(
                self.mapToGlobal(QPoint(int(at[0]) + 8, int(at[1]) + 8)), display_text.make_tooltip(text), self
            )
