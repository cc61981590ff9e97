"""The names of clusters on the map: larger clusters first, without overlaps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.clusters.model import cluster_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QColor

    from desktop_app.core.clusters import Cluster
    from desktop_app.gui.base.theme import Theme
    from desktop_app.gui.clusters.map_points import MapPicture

_FONT = 0.92  # of the widget's
_MAX_LABELS, _MAX_TRIED_LABELS = 40, 150
_CELL_PX = 8  # of the grid of taken cells
_MAX_LABEL_WIDTH_PX = 210
_HALO_PX = 4.0
_GAP_PX = 4.0

_MIN_NAMED_SIZE = 3


@dataclass(frozen=True, slots=True)
class MapLabel:
    """A name, and the centre of its cluster in pixels."""

    key: int
    text: str
    at: QPointF
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """A name that fits, and its rectangle."""

    label: MapLabel
    area: QRectF


class ClusterLabelLayer:
    """The names of clusters on top of the points of a map.

    Attributes:
        strong: ids of selected clusters; their names are placed first and stand out.
        font: the font of the names.
    """

    def __init__(self) -> None:
        self._centres: Sequence[ClusterCentre] = ()
        self._places = np.empty((0, 2), np.float32)
        self.strong: frozenset[int] = frozenset()
        self.font = QFont()
        self._own = ""  # key of the widget's font from which it is made
        self._placed: list[PlacedLabel] = []
        self._painter = MapLabelPainter()

    def show(self, centres: Sequence[ClusterCentre]) -> None:
        """Show the names of clusters, the largest first."""
        self._centres = centres
        self._places = np.array([centre.place for centre in centres], np.float32).reshape(-1, 2)

    def use(self, font: QFont) -> QFont:
        """Derive the font of the names from a widget's, and return it."""
        if font.key() != self._own:
            self._own, self.font = font.key(), scale_font(font, _FONT)
        return self.font

    def lay_out(self, picture: MapPicture, size: QSize, free: QRectF | None = None) -> list[PlacedLabel]:
        """Place the names that fit outside the rectangle to keep free, and return them."""
        seen = picture.to_screen(self._places, size)
        inside = ((seen >= 0) & (seen <= (size.width(), size.height()))).all(axis=1)
        rows = sorted(np.flatnonzero(inside).tolist(), key=lambda row: self._centres[row].cluster_id not in self.strong)
        labels = []
        for row in rows[:_MAX_TRIED_LABELS]:
            centre, (x, y) = self._centres[row], seen[row].tolist()
            labels.append(MapLabel(centre.cluster_id, centre.name, QPointF(x, y), centre.cluster_id in self.strong))
        self._placed = self._painter.placed(labels, self.font, size, free)
        return self._placed

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Paint the names that fit."""
        self._painter.paint(painter, self._placed, self.font, theme)

    def at(self, point: QPointF) -> int | None:
        """Return the id of the cluster whose name is painted at a point."""
        return next((placed.label.key for placed in self._placed if placed.area.contains(point)), None)


class MapLabelPainter:
    """Places names and paints them; each is rendered once per font and colours."""

    def __init__(self) -> None:
        self._pixmaps: dict[tuple[object, ...], QPixmap] = {}
        self._measured: dict[tuple[object, ...], tuple[str, float, float]] = {}

    def placed(
        self, labels: Sequence[MapLabel], font: QFont, size: QSize, free: QRectF | None = None
    ) -> list[PlacedLabel]:
        """Return the names that fit outside `free`; earlier names are placed first."""
        placed: list[PlacedLabel] = []
        width_px, height_px, font_key = size.width(), size.height(), font.key()
        taken = [0] * (height_px // _CELL_PX + 2)  # an integer for each row of cells, a bit for each cell
        if free is not None:
            for row in range(max(int(free.top()), 0) // _CELL_PX, min(int(free.bottom()) // _CELL_PX + 1, len(taken))):
                taken[row] |= (1 << (int(free.right()) // _CELL_PX + 1)) - (1 << (int(free.left()) // _CELL_PX))
        for label in labels[:_MAX_TRIED_LABELS]:
            x, y = label.at.x(), label.at.y()
            if not (0 <= x <= width_px and 0 <= y <= height_px):
                continue
            if len(placed) >= _MAX_LABELS:
                break
            text, width, height = self._measure(label, font, font_key)
            left = min(max(x - width / 2, 6.0), width_px - width - 6.0)
            if left < 0:
                continue
            first = max(int(left - _GAP_PX), 0) // _CELL_PX
            cells = ((1 << (int(left + width + _GAP_PX) // _CELL_PX - first + 1)) - 1) << first
            for shift in (0.0, -1.0, 1.0):
                top = y - height / 2 + shift * height
                if top < 0 or top + height > height_px:
                    continue
                rows = range(max(int(top) - 1, 0) // _CELL_PX, (int(top + height) + 1) // _CELL_PX + 1)
                if not any(taken[row] & cells for row in rows):
                    for row in rows:
                        taken[row] |= cells
                    named = MapLabel(label.key, text, label.at, label.is_strong)
                    placed.append(PlacedLabel(named, QRectF(left, top, width, height)))
                    break
        return placed

    def _measure(self, label: MapLabel, font: QFont, font_key: str) -> tuple[str, float, float]:
        """Return the elided name, its width and height."""
        key = (label.text, label.is_strong, font_key)
        if key not in self._measured:
            if len(self._measured) > 4 * _MAX_TRIED_LABELS:
                self._measured.clear()
            measure = QFontMetricsF(_label_font(font, label.is_strong))
            text = measure.elidedText(label.text, Qt.TextElideMode.ElideRight, _MAX_LABEL_WIDTH_PX)
            self._measured[key] = text, measure.horizontalAdvance(text), measure.height()
        return self._measured[key]

    def paint(self, painter: QPainter, placed: Sequence[PlacedLabel], font: QFont, theme: Theme) -> None:
        """Paint names, each with a rim in the background colour that keeps it readable on points."""
        ratio, halo = painter.device().devicePixelRatio(), theme.color("ground")
        colours = {False: theme.color("text"), True: theme.color("accent")}
        of_all = (halo.rgb(), font.key(), ratio)
        for each in placed:
            colour = colours[each.label.is_strong]
            key = (each.label.text, each.label.is_strong, colour.rgb(), *of_all)
            pixmap = self._pixmaps.get(key)
            if pixmap is None:
                if len(self._pixmaps) > 4 * _MAX_LABELS:
                    self._pixmaps.clear()
                pixmap = self._pixmaps[key] = _render_label(each, font, (colour, halo), ratio)
            painter.drawPixmap(each.area.topLeft() - QPointF(_HALO_PX, _HALO_PX), pixmap)


def _label_font(font: QFont, is_strong: bool) -> QFont:
    result = QFont(font)
    result.setWeight(QFont.Weight.Bold if is_strong else QFont.Weight.DemiBold)
    return result


def _render_label(placed: PlacedLabel, font: QFont, colours: tuple[QColor, QColor], ratio: float) -> QPixmap:
    colour, halo = colours
    own = _label_font(font, placed.label.is_strong)
    size = placed.area.size()
    pixmap = QPixmap(round((size.width() + 2 * _HALO_PX) * ratio), round((size.height() + 2 * _HALO_PX) * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    path = QPainterPath()
    path.addText(QPointF(_HALO_PX, _HALO_PX + QFontMetricsF(own).ascent()), own, placed.label.text)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(halo, _HALO_PX, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.drawPath(path)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPath(path)
    painter.end()
    return pixmap


@dataclass(frozen=True, slots=True, eq=False)
class ClusterCentre:
    """The centre of a cluster: its id, its name, and its place float32 [2]."""

    cluster_id: int
    name: str
    place: NDArray[np.float32]


def group_points(
    ids: NDArray[np.int64], places: NDArray[np.float32], clusters: Sequence[Cluster]
) -> tuple[NDArray[np.int64], list[ClusterCentre]]:
    """Return the index of each point's cluster int64 [n], -1 for none, and the centres of clusters with enough points.

    Args:
        ids: of the points' sentences int64 [n].
        places: float32 [n, 2].
        clusters: the clusters.
    """
    groups = np.full(len(ids), -1, np.int64)
    centres: list[ClusterCentre] = []
    order = np.argsort(ids, kind="stable")
    ascending = ids[order]
    for number, cluster in enumerate(clusters if len(ids) else ()):
        members = np.array(cluster.sentence_ids, np.int64)
        at = np.minimum(np.searchsorted(ascending, members), len(ascending) - 1)
        rows = order[at[ascending[at] == members]]
        groups[rows] = number
        if len(rows) >= _MIN_NAMED_SIZE:
            centres.append(ClusterCentre(cluster.cluster_id, cluster_name(cluster), _densest_half_centre(places[rows])))
    return groups, centres


def _densest_half_centre(places: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the centre of the closest half of the points: outliers do not pull a name away."""
    apart = ((places - np.median(places, axis=0)) ** 2).sum(axis=1)
    middle: NDArray[np.float32] = places[apart <= np.median(apart)].mean(axis=0)
    return middle
