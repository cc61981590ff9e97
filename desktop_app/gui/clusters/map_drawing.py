"""Draws the map of clusters: its points as pixels, the names of clusters, and both as an SVG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from desktop_app.core.escaping import escape_html
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.clusters.map_colours import legend_dot_centre, scale_colour_at
from desktop_app.gui.clusters.model import cluster_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop_app.core.clusters import Cluster
    from desktop_app.gui.base.theme import Theme

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

SHADING_CELL_PX = 6  # of the shading
_MAX_SHADING = 0.30  # at most
_MAX_SHADED_POINTS = 20_000  # points from which the shading is made
_HIT_RADIUS_PX = 9.0
_MAX_LASSO_CORNERS = 120
_POINTS_PER_CELL = 8  # points per cell of the grid that measures the covered area
_DOT_SPACING = 3.0  # distance between two points, in radii of a dot
_GRID = 64  # cells in each direction
_MIN_ZOOM, _MAX_ZOOM = 0.4, 1000.0  # times the scale at which all points just fit
_FITTED_SHARE = 0.8

_LABEL_FONT_FACTOR = 0.92  # of the widget's
_MAX_LABELS, _MAX_TRIED_LABELS = 40, 150
_LABEL_CELL_PX = 8  # of the grid of taken cells
_MAX_LABEL_WIDTH_PX = 210
_HALO_PX = 4.0
_LABEL_GAP_PX = 4.0

_MIN_NAMED_CLUSTER_SIZE = 3

_SVG_FONT = 'font-family="Inter, sans-serif" font-size="13"'
_SVG_SCALE_PX, _SVG_SCALE_HEIGHT_PX, _SVG_MARGIN_PX = 210, 46, 12
_SVG_GRADIENT_STOPS = 5


class MapPicture:
    """Points in the plane, and the visible part of it.

    Attributes:
        places: float32 [n, 2].
        centre: the place in the middle of the picture.
        scale: pixels for a unit.
        highlighted: bool [n]; if none is, all look alike.
        is_thinned: whether the last picture left out some visible points.
    """

    def __init__(self) -> None:
        self.places: Floats = np.empty((0, 2), np.float32)
        self.centre = QPointF(0.0, 0.0)
        self.scale = 1.0
        self.is_thinned = False
        self._group: Ints = np.empty(0, np.int64)
        self._colours: NDArray[np.uint32] = np.empty(0, np.uint32)
        self._order: Ints = np.empty(0, np.int64)
        self._drawn: tuple[Floats, Floats, NDArray[np.uint32]] | None = None  # x, y and colour in painting order
        self._shaded: tuple[Floats, Ints] | None = None  # places and groups of the points that make the shading
        self._starts: Ints = np.zeros(2 * _GRID * _GRID + 1, np.int64)  # the start of each cell in painting order
        self._low, self._span = np.zeros(2, np.float32), np.ones(2, np.float32)  # of the grid
        self.highlighted: NDArray[np.bool_] = np.empty(0, np.bool_)
        self._area = 1.0
        self._buffer: NDArray[np.uint32] = np.empty(0, np.uint32)  # allocated once: fresh memory is slow to write to

    def __len__(self) -> int:
        return len(self.places)

    def show(self, places: Floats) -> None:
        """Show other points."""
        self.places = places
        low, high = self._extent() if len(places) else (np.zeros(2), np.zeros(2))
        self._low, self._span = low.astype(np.float32), np.maximum(high - low, 1e-3).astype(np.float32)
        self._area = self._covered_area()
        self.highlighted = np.zeros(len(places), np.bool_)
        self._group = np.full(len(places), -1, np.int64)
        self._order = np.arange(len(places))
        self._drawn = self._shaded = None

    def colour(self, group: Ints, colours: list[QColor], other: QColor) -> None:
        """Colour points by their groups int64 [n]; those of group -1 get the last colour and lie below."""
        table = [colour.rgb() & 0xFFFFFF | 0xFF000000 for colour in (*colours, other)]
        self._colours = np.array(table, np.uint32)
        self._group = group
        # Points without a group lie below. Each layer is sorted by cells of a grid: visible points are found at once.
        cells = ((self.places - self._low) / self._span * _GRID).astype(np.int64).clip(0, _GRID - 1)
        keys = (((group >= 0) * _GRID + cells[:, 1]) * _GRID + cells[:, 0]).astype(np.uint16)
        self._order = np.argsort(keys, kind="stable")
        self._starts = np.searchsorted(keys[self._order], np.arange(2 * _GRID * _GRID + 1))
        self._drawn = self._shaded = None

    def highlight(self, highlighted: NDArray[np.bool_]) -> None:
        """Highlight points bool [n]; with none of them, all look alike."""
        self.highlighted = highlighted

    def points_by_colour(self, wanted: NDArray[np.bool_]) -> Iterator[tuple[QColor, Ints]]:
        """Yield each colour with the rows of its `wanted` points bool [n]; points without a group first."""
        for group in np.unique(self._group[wanted]).tolist():
            yield QColor.fromRgba(int(self._colours[group])), np.flatnonzero(wanted & (self._group == group))

    # The visible part

    def fit(self, size: QSize) -> None:
        """Show the whole map."""
        if not len(self) or size.isEmpty():
            return
        # A few stray points must not make everything small.
        low, high = np.percentile(self.places, [0.5, 99.5], axis=0) if len(self) > 500 else self._extent()
        middle, span = (low + high) / 2, np.maximum(high - low, 1e-3)
        self.centre = QPointF(float(middle[0]), float(middle[1]))
        self.scale = float(min(size.width() / span[0], size.height() / span[1]) * 0.86)

    def _covered_area(self) -> float:
        """Return the area that the points cover, without stray points and the room between clusters."""
        side = int(np.clip(np.sqrt(len(self) / _POINTS_PER_CELL), 1, _GRID))
        cells = ((self.places - self._low) / self._span * side).astype(np.int64).clip(0, side - 1)
        counts = np.bincount(cells[:, 1] * side + cells[:, 0], minlength=side * side)
        usual = len(self) / max(int(np.count_nonzero(counts)), 1)
        return max(float(np.prod(self._span)) * float((counts > usual / 4).mean()), 1e-6)

    def _extent(self) -> tuple[Floats, Floats]:
        return self.places.min(axis=0), self.places.max(axis=0)

    def zoom(self, factor: float, at: QPointF, size: QSize) -> None:
        """Zoom; the place under `at` stays there, unless the map would be lost from view."""
        if not len(self) or size.isEmpty():
            return
        before = self.to_map(at, size)
        whole = float(min(size.width() / self._span[0], size.height() / self._span[1]))
        self.scale = min(max(self.scale * factor, whole * _MIN_ZOOM), whole * _MAX_ZOOM)
        after = self.to_map(at, size)
        self._move_centre(before - after)

    def pan(self, by: QPointF) -> None:
        """Move the picture by a number of pixels, until the middle of the view is at the edge of the map."""
        self._move_centre(QPointF(-by.x() / self.scale, by.y() / self.scale))

    def _move_centre(self, by: QPointF) -> None:
        x, y = np.clip([self.centre.x() + by.x(), self.centre.y() + by.y()], self._low, self._low + self._span)
        self.centre = QPointF(float(x), float(y))

    def to_map(self, at: QPointF, size: QSize) -> QPointF:
        """Return the place under a pixel."""
        x = (at.x() - size.width() / 2) / self.scale + self.centre.x()
        return QPointF(x, (size.height() / 2 - at.y()) / self.scale + self.centre.y())

    def to_screen(self, places: Floats, size: QSize) -> Floats:
        """Return the pixels of places float32 [m, 2]: float32 [m, 2]."""
        x = (places[:, 0] - np.float32(self.centre.x())) * np.float32(self.scale) + np.float32(size.width() / 2)
        y = np.float32(size.height() / 2) - (places[:, 1] - np.float32(self.centre.y())) * np.float32(self.scale)
        return np.stack([x, y], axis=1)

    # Drawing

    def shading(self, size: QSize, ground: QColor) -> QImage:
        """Return the density of the points, in the colours of their groups on `ground`.

        One pixel of it stands for SHADING_CELL_PX pixels of the screen in each direction, to be scaled smoothly.
        """
        width, height = size.width() // SHADING_CELL_PX + 1, size.height() // SHADING_CELL_PX + 1
        if self._shaded is None:
            # Of very many points a sample shows the same density.
            step = max(1, len(self) // _MAX_SHADED_POINTS)
            self._shaded = np.ascontiguousarray(self.places[::step]), np.ascontiguousarray(self._group[::step])
        places, group = self._shaded
        seen = self.to_screen(places, size) / SHADING_CELL_PX
        x, y = seen[:, 0].astype(np.int32), seen[:, 1].astype(np.int32)
        inside = (seen[:, 0] >= 0) & (x < width) & (seen[:, 1] >= 0) & (y < height) & (group >= 0)
        cells = y[inside] * width + x[inside]
        colours = self._colours[group[inside]] if len(self._colours) else np.empty(0, np.uint32)
        parts = [((colours >> shift) & 0xFF).astype(np.float32) for shift in (16, 8, 0)]
        sums = [np.bincount(cells, part, width * height) for part in (None, *parts)]
        count, *means = _blur(np.array(sums, np.float32).reshape(4, height, width))
        total = np.maximum(count, np.float32(1e-6))
        strength = np.log1p(count) * np.float32(_MAX_SHADING / max(float(np.log1p(count.max(initial=0.0))), 1.0))
        strength[count < 1e-3] = 0.0
        picture = np.full((height, width), 0xFF000000, np.uint32)
        for shift, mean, below in zip((16, 8, 0), means, (ground.red(), ground.green(), ground.blue()), strict=True):
            mixed = np.minimum(mean / total, np.float32(255)) * strength + np.float32(below) * (1 - strength)
            picture |= mixed.astype(np.uint32) << np.uint32(shift)
        return _to_image(picture, QImage.Format.Format_RGB32).copy()

    def points(
        self, size: QSize, dimmed: QColor, highlight: QColor, ratio: float = 1.0, most_dots: int | None = None
    ) -> QImage:
        """Return a picture of the points, which is valid until the next call.

        Args:
            size: of the picture.
            dimmed: the colour of other points while some are highlighted.
            highlight: the colour of highlighted points.
            ratio: device pixels for one logical pixel.
            most_dots: about how many pixels to paint at most: beyond them an even sample of the points is drawn, and
                all highlighted ones. None for all points.
        """
        width, height = round(size.width() * ratio), round(size.height() * ratio)
        if len(self._buffer) != width * height:
            self._buffer = np.zeros(width * height, np.uint32)
        picture = self._buffer
        picture.fill(0)
        self.is_thinned = False
        if len(self) and len(self._colours):
            radius = round(self.radius() * ratio)
            disc = _disc_offsets(radius, width)
            runs = self._runs(size)
            dots = (len(self) if runs is None else sum(stop - start for start, stop in runs)) * len(disc)
            every = 1 if most_dots is None else max(1, -(-dots // max(most_dots, 1)))
            self.is_thinned = every > 1
            x, y, colours = (_join_runs(each, runs, every) for each in self._painted())
            at, inside = self._pixels(x, y, (width, height), ratio, radius + 2)
            has_highlights = bool(self.highlighted.any())
            drawn: NDArray[np.uint32] | np.uint32 = np.uint32(dimmed.rgb()) if has_highlights else colours[inside]
            for step in disc:
                picture[at + step] = drawn
            if has_highlights:
                bright = self.places[self.highlighted]
                at, _ = self._pixels(bright[:, 0], bright[:, 1], (width, height), ratio, radius + 2)
                for step in _disc_offsets(radius + 1, width):
                    picture[at + step] = np.uint32(highlight.rgb())
        image = _to_image(picture.reshape(height, width), QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        return image

    def _painted(self) -> tuple[Floats, Floats, NDArray[np.uint32]]:
        """Return x, y and colour of every point, in painting order."""
        if self._drawn is None:
            ordered = self.places[self._order]
            colours = self._colours[self._group[self._order]]
            self._drawn = np.ascontiguousarray(ordered[:, 0]), np.ascontiguousarray(ordered[:, 1]), colours
        return self._drawn

    def _pixels(
        self, x: Floats, y: Floats, within: tuple[int, int], ratio: float, margin: int
    ) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return the pixels of the points in a picture, except those near its edge, and a mask of these points."""
        width, height = within
        scale = np.float32(self.scale * ratio)
        left = np.float32(width / 2 - self.centre.x() * self.scale * ratio)
        top = np.float32(height / 2 + self.centre.y() * self.scale * ratio)
        # Clipped, because coordinates far outside would overflow an integer.
        across = np.clip(x * scale + left, -1, width).astype(np.int32)
        down = np.clip(top - y * scale, -1, height).astype(np.int32)
        inside = (across >= margin) & (across < width - margin) & (down >= margin) & (down < height - margin)
        return (down * width + across)[inside], inside

    def _runs(self, size: QSize) -> list[tuple[int, int]] | None:
        """Return the runs of points, in painting order, that lie in visible cells; None for nearly all points."""
        half = np.array([size.width(), size.height()]) / (2 * self.scale)
        middle = np.array([self.centre.x(), self.centre.y()])
        ends = (np.stack([middle - half, middle + half]) - self._low) / self._span * _GRID
        (left, low), (right, high) = np.floor(ends.clip(-1, _GRID)).astype(int).clip(0, _GRID - 1).tolist()
        if (right - left + 1) * (high - low + 1) > _FITTED_SHARE * _GRID * _GRID:
            return None
        rows = [layer * _GRID + row for layer in (0, 1) for row in range(low, high + 1)]
        runs = [(self._starts[row * _GRID + left], self._starts[row * _GRID + right + 1]) for row in rows]
        return [(int(start), int(stop)) for start, stop in runs if stop > start]

    def radius(self) -> int:
        """Return the radius of a point: the more room each has, the larger."""
        if not len(self):
            return 1
        room = np.sqrt(self._area / len(self)) * self.scale  # pixels between two points
        return int(np.clip(room / _DOT_SPACING, 0, 4))

    # Finding

    def nearest(self, at: QPointF, size: QSize, *, anywhere: bool = False) -> int | None:
        """Return the point under a pixel or close to it; with `anywhere` the nearest one, however far away."""
        if not len(self):
            return None
        seen = self.to_screen(self.places, size)
        squares = (seen[:, 0] - np.float32(at.x())) ** 2 + (seen[:, 1] - np.float32(at.y())) ** 2
        row = int(np.argmin(squares))
        return row if anywhere or squares[row] <= _HIT_RADIUS_PX**2 else None

    def within(self, outline: QPolygonF, size: QSize) -> Ints:
        """Return the rows int64 [m] of the points inside an outline."""
        corners = np.array([(outline.at(at).x(), outline.at(at).y()) for at in range(outline.size())], np.float32)
        corners = corners[:: max(1, len(corners) // _MAX_LASSO_CORNERS)]
        if len(corners) < 3:
            return np.empty(0, np.int64)
        seen = self.to_screen(self.places, size)
        low, high = corners.min(axis=0), corners.max(axis=0)
        rows = np.flatnonzero(((seen >= low) & (seen <= high)).all(axis=1))
        x, y = seen[rows, 0], seen[rows, 1]
        inside = np.zeros(len(rows), np.bool_)
        for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            crosses = (y0 > y) != (y1 > y)
            if y0 != y1:
                inside ^= crosses & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
        return rows[inside]


def _join_runs(values: NDArray[Any], runs: list[tuple[int, int]] | None, every: int) -> NDArray[Any]:
    """Return one of `every` so many values of each slice of an array, joined; of all of it for None."""
    if runs is None:
        return values[::every]
    return np.concatenate([values[:0], *(values[start:stop:every] for start, stop in runs)])


def _blur(layers: Floats) -> Floats:
    """Return layers float32 [k, h, w], smoothed with the weights 1 4 6 4 1 in both directions."""
    for axis in (1, 2):
        rows = np.moveaxis(np.pad(layers, [(2, 2) if axis == each else (0, 0) for each in range(3)]), axis, 0)
        smooth = (rows[:-4] + rows[4:] + 4 * (rows[1:-3] + rows[3:-1]) + 6 * rows[2:-2]) * np.float32(1 / 16)
        layers = np.moveaxis(smooth, 0, axis)
    return layers


def _disc_offsets(radius: int, width: int) -> list[int]:
    """Return the pixels of a dot as offsets from its centre, in a picture with rows of `width` pixels."""
    if radius == 0:
        return [0, 1, width, width + 1]
    span = range(-radius, radius + 1)
    return [dy * width + dx for dy in span for dx in span if dx * dx + dy * dy <= radius * radius + radius * 0.5]


def _to_image(picture: NDArray[np.uint32], form: QImage.Format) -> QImage:
    height, width = picture.shape
    data = np.ascontiguousarray(picture, np.uint32)
    return QImage(data.data, width, height, width * 4, form)


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
        self._base_font_key = ""  # key of the widget's font from which it is made
        self._placed: list[PlacedLabel] = []
        self._painter = MapLabelPainter()

    def show(self, centres: Sequence[ClusterCentre]) -> None:
        """Show the names of clusters, the largest first."""
        self._centres = centres
        self._places = np.array([centre.place for centre in centres], np.float32).reshape(-1, 2)

    def set_base_font(self, font: QFont) -> QFont:
        """Derive the font of the names from a widget's, and return it."""
        if font.key() != self._base_font_key:
            self._base_font_key, self.font = font.key(), scale_font(font, _LABEL_FONT_FACTOR)
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
        self._placed = self._painter.place_labels(labels, self.font, size, free)
        return self._placed

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Paint the names that fit."""
        self._painter.paint(painter, self._placed, self.font, theme)

    def cluster_at(self, point: QPointF) -> int | None:
        """Return the id of the cluster whose name is painted at a point."""
        return next((placed.label.key for placed in self._placed if placed.area.contains(point)), None)


class MapLabelPainter:
    """Places names and paints them; each is rendered once per font and colours."""

    def __init__(self) -> None:
        self._pixmaps: dict[tuple[object, ...], QPixmap] = {}
        self._measured: dict[tuple[object, ...], tuple[str, float, float]] = {}

    def place_labels(
        self, labels: Sequence[MapLabel], font: QFont, size: QSize, free: QRectF | None = None
    ) -> list[PlacedLabel]:
        """Return the names that fit outside `free`; earlier names are placed first."""
        placed: list[PlacedLabel] = []
        width_px, height_px, font_key = size.width(), size.height(), font.key()
        taken = [0] * (height_px // _LABEL_CELL_PX + 2)  # an integer for each row of cells, a bit for each cell
        if free is not None:
            for row in range(
                max(int(free.top()), 0) // _LABEL_CELL_PX, min(int(free.bottom()) // _LABEL_CELL_PX + 1, len(taken))
            ):
                taken[row] |= (1 << (int(free.right()) // _LABEL_CELL_PX + 1)) - (
                    1 << (int(free.left()) // _LABEL_CELL_PX)
                )
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
            first = max(int(left - _LABEL_GAP_PX), 0) // _LABEL_CELL_PX
            cells = ((1 << (int(left + width + _LABEL_GAP_PX) // _LABEL_CELL_PX - first + 1)) - 1) << first
            for shift in (0.0, -1.0, 1.0):
                top = y - height / 2 + shift * height
                if top < 0 or top + height > height_px:
                    continue
                rows = range(max(int(top) - 1, 0) // _LABEL_CELL_PX, (int(top + height) + 1) // _LABEL_CELL_PX + 1)
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
        shared_key = (halo.rgb(), font.key(), ratio)
        for each in placed:
            colour = colours[each.label.is_strong]
            key = (each.label.text, each.label.is_strong, colour.rgb(), *shared_key)
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
        if len(rows) >= _MIN_NAMED_CLUSTER_SIZE:
            centres.append(ClusterCentre(cluster.cluster_id, cluster_name(cluster), _densest_half_centre(places[rows])))
    return groups, centres


def _densest_half_centre(places: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the centre of the closest half of the points: outliers do not pull a name away."""
    apart = ((places - np.median(places, axis=0)) ** 2).sum(axis=1)
    middle: NDArray[np.float32] = places[apart <= np.median(apart)].mean(axis=0)
    return middle


def render_map_svg(
    picture: MapPicture,
    placed: Sequence[PlacedLabel],
    size: QSize,
    theme: Theme,
    scale: tuple[str, str] | None = None,
    legend: tuple[QRectF, list[tuple[QRectF, QColor, str]]] | None = None,
) -> str:
    """Return the visible part of the map as an SVG: a dot for each sentence, names as text.

    Args:
        picture: the points; highlighted ones lie above the others.
        placed: the names that fit.
        size: of the drawing.
        theme: the colours.
        scale: the oldest and the newest date, if colours mean dates.
        legend: its frame, and its lines from `place_legend_lines`, if colours mean documents.
    """
    seen = picture.to_screen(picture.places, size)
    x, y = seen[:, 0], seen[:, 1]
    inside = (x >= 0) & (x <= size.width()) & (y >= 0) & (y <= size.height())
    radius = 2 * picture.radius() + 2
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size.width()}" height="{size.height()}" '
        f'viewBox="0 0 {size.width()} {size.height()}">',
        f'<rect width="100%" height="100%" fill="{theme.ground}"/>',
        '<g fill="none" stroke-linecap="round" stroke-opacity="0.8">',
    ]
    if picture.highlighted.any():
        lines.append(_svg_dots(seen[inside & ~picture.highlighted], theme.line, radius))
        lines.append(_svg_dots(seen[inside & picture.highlighted], theme.accent, radius + 2))
    else:
        for colour, rows in picture.points_by_colour(inside):
            lines.append(_svg_dots(seen[rows], colour.name(), radius))
    lines.append("</g>")
    for each in placed:
        middle = each.area.center()
        lines.append(
            f'<text x="{middle.x():.1f}" y="{middle.y():.1f}" text-anchor="middle" dominant-baseline="central" '
            f'{_SVG_FONT} font-weight="600" fill="{theme.text}" '
            f'stroke="{theme.ground}" stroke-width="3" paint-order="stroke">{escape_html(each.label.text)}</text>'
        )
    if scale is not None:
        lines += _svg_date_scale(scale, size, theme)
    if legend is not None:
        lines += _svg_legend(*legend, theme)
    return "\n".join([*lines, "</svg>\n"])


def _svg_dots(seen: NDArray[np.float32], colour: str, radius: int) -> str:
    dots = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in seen.tolist())
    return f'<path stroke="{colour}" stroke-width="{radius}" d="{dots}"/>'


def _svg_date_scale(names: tuple[str, str], size: QSize, theme: Theme) -> list[str]:
    """Return the scale of dates, at the lower left."""
    left, top = _SVG_MARGIN_PX, size.height() - _SVG_MARGIN_PX - _SVG_SCALE_HEIGHT_PX
    stops = [
        f'<stop offset="{share:g}" stop-color="{scale_colour_at(share, theme.dark).name()}"/>'
        for share in (step / (_SVG_GRADIENT_STOPS - 1) for step in range(_SVG_GRADIENT_STOPS))
    ]
    words = [
        f'<text x="{x}" y="{top + 36}" text-anchor="{anchor}" {_SVG_FONT} fill="{theme.text}">'
        f"{escape_html(name)}</text>"
        for x, anchor, name in ((left + 10, "start", names[0]), (left + _SVG_SCALE_PX - 10, "end", names[1]))
    ]
    return [
        f'<defs><linearGradient id="dates">{"".join(stops)}</linearGradient></defs>',
        f'<rect x="{left}" y="{top}" width="{_SVG_SCALE_PX}" height="{_SVG_SCALE_HEIGHT_PX}" rx="8" '
        f'fill="{theme.panel}" stroke="{theme.line}"/>',
        f'<rect x="{left + 10}" y="{top + 10}" width="{_SVG_SCALE_PX - 20}" height="7" rx="3" fill="url(#dates)"/>',
        *words,
    ]


def _svg_legend(box: QRectF, lines: list[tuple[QRectF, QColor, str]], theme: Theme) -> list[str]:
    """Return the legend of documents, at the lower left."""
    drawn = [
        f'<rect x="{box.left():.1f}" y="{box.top():.1f}" width="{box.width():.1f}" height="{box.height():.1f}" rx="8" '
        f'fill="{theme.panel}" stroke="{theme.line}"/>'
    ]
    for area, colour, text in lines:
        dot = legend_dot_centre(area)
        drawn += [
            f'<circle cx="{dot.x():.1f}" cy="{dot.y():.1f}" r="4.5" fill="{colour.name()}"/>',
            f'<text x="{area.left():.1f}" y="{area.center().y():.1f}" dominant-baseline="central" {_SVG_FONT} '
            f'fill="{theme.text}">{escape_html(text)}</text>',
        ]
    return drawn
