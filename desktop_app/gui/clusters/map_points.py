"""The points of the map as pixels: their positions and colours, and which one is under the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QColor, QImage, QPolygonF

if TYPE_CHECKING:
    from collections.abc import Iterator

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

CELL_PX = 6  # of the shading
_SHADE = 0.30  # at most
_SHADED = 20_000  # points from which the shading is made
_HIT_RADIUS_PX = 9.0
_MAX_LASSO_CORNERS = 120
_POINTS_PER_CELL = 8  # points per cell of the grid that measures the covered area
_DOT_SPACING = 3.0  # distance between two points, in radii of a dot
_GRID = 64  # cells in each direction
_FITTED_SHARE = 0.8


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
        low, high = self._ends() if len(places) else (np.zeros(2), np.zeros(2))
        self._low, self._span = low.astype(np.float32), np.maximum(high - low, 1e-3).astype(np.float32)
        self._area = self._covered_area()
        self.highlighted = np.zeros(len(places), np.bool_)
        self._group = np.full(len(places), -1, np.int64)
        self._order = np.arange(len(places))
        self._drawn = None

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
        self._drawn = None

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
        low, high = np.percentile(self.places, [0.5, 99.5], axis=0) if len(self) > 500 else self._ends()
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

    def _ends(self) -> tuple[Floats, Floats]:
        return self.places.min(axis=0), self.places.max(axis=0)

    def zoom(self, factor: float, at: QPointF, size: QSize) -> None:
        """Zoom; the place under `at` stays there."""
        before = self.to_map(at, size)
        self.scale = min(max(self.scale * factor, 1e-3), 1e6)
        after = self.to_map(at, size)
        self.centre += before - after

    def pan(self, by: QPointF) -> None:
        """Move the picture by a number of pixels."""
        self.centre += QPointF(-by.x() / self.scale, by.y() / self.scale)

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

        One pixel of it stands for CELL_PX pixels of the screen in each direction, to be scaled smoothly.
        """
        width, height = size.width() // CELL_PX + 1, size.height() // CELL_PX + 1
        # For very many points a sample shows the density as well.
        step = max(1, len(self) // _SHADED)
        seen = self.to_screen(self.places[::step], size) / CELL_PX
        x, y, group = seen[:, 0].astype(np.int32), seen[:, 1].astype(np.int32), self._group[::step]
        inside = (seen[:, 0] >= 0) & (x < width) & (seen[:, 1] >= 0) & (y < height) & (group >= 0)
        cells = y[inside] * width + x[inside]
        colours = self._colours[group[inside]] if len(self._colours) else np.empty(0, np.uint32)
        parts = [((colours >> shift) & 0xFF).astype(np.float32) for shift in (16, 8, 0)]
        sums = [np.bincount(cells, part, width * height) for part in (None, *parts)]
        count, *means = _blur(np.array(sums, np.float32).reshape(4, height, width))
        total = np.maximum(count, np.float32(1e-6))
        strength = np.log1p(count) * np.float32(_SHADE / max(float(np.log1p(count.max(initial=0.0))), 1.0))
        strength[count < 1e-3] = 0.0
        picture = np.full((height, width), 0xFF000000, np.uint32)
        for shift, mean, below in zip((16, 8, 0), means, (ground.red(), ground.green(), ground.blue()), strict=True):
            mixed = np.minimum(mean / total, np.float32(255)) * strength + np.float32(below) * (1 - strength)
            picture |= mixed.astype(np.uint32) << np.uint32(shift)
        return _to_image(picture, QImage.Format.Format_RGB32).copy()

    def points(self, size: QSize, dim: QColor, lit: QColor, ratio: float = 1.0, most_dots: int | None = None) -> QImage:
        """Return a picture of the points, which is valid until the next call.

        Args:
            size: of the picture.
            dim: the colour of other points while some are highlighted.
            lit: the colour of highlighted points.
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
            x, y, colours = (_join_runs(each, runs) for each in self._painted())
            every = 1 if most_dots is None else max(1, -(-len(x) * len(disc) // max(most_dots, 1)))
            self.is_thinned = every > 1
            at, inside = self._pixels(x[::every], y[::every], (width, height), ratio, radius + 2)
            is_lit = bool(self.highlighted.any())
            drawn: NDArray[np.uint32] | np.uint32 = np.uint32(dim.rgb()) if is_lit else colours[::every][inside]
            for step in disc:
                picture[at + step] = drawn
            if is_lit:
                shining = self.places[self.highlighted]
                at, _ = self._pixels(shining[:, 0], shining[:, 1], (width, height), ratio, radius + 2)
                for step in _disc_offsets(radius + 1, width):
                    picture[at + step] = np.uint32(lit.rgb())
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


def _join_runs(values: NDArray[Any], runs: list[tuple[int, int]] | None) -> NDArray[Any]:
    """Return the slices of an array, joined; all of it for None."""
    if runs is None:
        return values
    return np.concatenate([values[:0], *(values[start:stop] for start, stop in runs)])


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
