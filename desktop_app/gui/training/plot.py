"""A light line plot in the colours of the theme."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_app.gui.base.display_text import format_decimal
from desktop_app.gui.base.theme import scale_font

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QColor, QMouseEvent, QPaintEvent

    from desktop_app.gui.base.theme import ThemeManager

_MAX_POINTS = 600  # more are not visible
_TICK_COUNT = 4
_TICK_GAP_PX = 6


@dataclass(frozen=True, slots=True)
class PlotSeries:
    """A curve.

    Attributes:
        name: its name in the legend.
        x: ascending values.
        y: one value for each of `x`.
        colour: name of a colour of the theme.
        dots: whether each point is marked, for curves of few points.
        dashed: whether the line is dashed.
        faint: whether it is in the background, such as raw values behind their mean.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    colour: str = "accent"
    dots: bool = False
    dashed: bool = False
    faint: bool = False


class LinePlot(QWidget):
    """Curves over one pair of axes; the pointer reads values.

    Args:
        themes: the colours.
        name: the title, also for screen readers.
        x_name: the name of the horizontal axis.
        unit_square: both axes go from 0 to 1, as for rates.
    """

    def __init__(self, themes: ThemeManager, name: str, x_name: str = "", *, unit_square: bool = False) -> None:
        super().__init__()
        self._themes = themes
        self._title, self._x_name, self._is_square = name, x_name, unit_square
        self._series: tuple[PlotSeries, ...] = ()
        self._hover: float | None = None
        self._whole_x = False
        self._last_x: float | None = None
        self._empty = ""
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)

    @property
    def series(self) -> tuple[PlotSeries, ...]:
        """The curves."""
        return self._series

    def show_series(
        self, *series: PlotSeries, whole_x: bool = False, last_x: float | None = None, empty: str = ""
    ) -> None:
        """Show curves.

        Args:
            series: the curves with points; later ones are drawn on top.
            last_x: the end of a horizontal axis that starts at 0; None to fit the axis to the curves.
            whole_x: the horizontal axis counts whole numbers, such as epochs.
            empty: the text to show while there are no points.
        """
        self._series = tuple(each for each in series if len(each.x))
        self._whole_x, self._last_x, self._empty = whole_x, last_x, empty
        last = "; ".join(f"{each.name}: {format_decimal(each.y[-1], 4)}" for each in self._series if not each.faint)
        self.setAccessibleDescription(last or empty)
        self.update()

    def sizeHint(self) -> QSize:
        """Return the preferred size."""
        return QSize(300, 210)

    def minimumSizeHint(self) -> QSize:
        """Return the smallest readable size."""
        return QSize(200, 210)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the values at the pointer."""
        self._hover = event.position().x()
        self.update()

    def leaveEvent(self, event: object) -> None:
        """Hide the values."""
        self._hover = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint title, axes, curves and legend."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._themes.theme
        painter.setFont(scale_font(self.font(), 0.95, QFont.Weight.Medium))
        painter.setPen(theme.color("text"))
        head = QFontMetricsF(painter.font()).height()
        painter.drawText(QRectF(0, 0, self.width(), head), Qt.AlignmentFlag.AlignLeft, self._title)
        painter.setFont(scale_font(self.font(), 0.82))
        measure = QFontMetricsF(painter.font())
        if not self._series:
            painter.setPen(theme.color("muted"))
            area = QRectF(self.rect()).adjusted(8, head, -8, 0)
            flags = Qt.AlignmentFlag.AlignCenter.value | Qt.TextFlag.TextWordWrap.value
            painter.drawText(area, flags, self._empty)
            return
        ticks_x, ticks_y = self._ticks()
        texts = [_format_tick(value, ticks_y) for value in ticks_y]
        left = max(measure.horizontalAdvance(text) for text in texts) + _TICK_GAP_PX + 2
        legend = measure.height() + 6
        frame = QRectF(left, head + legend + 4, 0, 0)
        frame.setRight(self.width() - 10)
        frame.setBottom(self.height() - measure.height() - 8)
        self._paint_axes(painter, frame, ticks_x, ticks_y, texts, measure)
        self._paint_legend(painter, QPointF(left, head + 3), measure)
        spans = (ticks_x[0], ticks_x[-1], ticks_y[0], ticks_y[-1])
        painter.save()
        painter.setClipRect(frame.adjusted(-4, -4, 4, 4))
        for each in self._series:
            self._paint_curve(painter, each, frame, spans)
        painter.restore()
        if self._hover is not None and frame.left() <= self._hover <= frame.right():
            self._paint_reading(painter, frame, spans, measure)

    def _ticks(self) -> tuple[list[float], list[float]]:
        if self._is_square:
            square = [0.0, 0.25, 0.5, 0.75, 1.0]
            return square, square
        xs = [value for each in self._series for value in (each.x[0], each.x[-1])]
        if self._last_x is not None:
            xs = [0.0, max(self._last_x, *xs)]
        ys = [value for each in self._series for value in _thin_points(each)[1]]
        return choose_ticks(min(xs), max(xs), whole=self._whole_x), choose_ticks(min(ys), max(ys))

    def _paint_axes(
        self,
        painter: QPainter,
        frame: QRectF,
        ticks_x: list[float],
        ticks_y: list[float],
        texts: list[str],
        measure: QFontMetricsF,
    ) -> None:
        theme = self._themes.theme
        for value, text in zip(ticks_y, texts, strict=True):
            y = _scale_value(value, ticks_y[0], ticks_y[-1], frame.bottom(), frame.top())
            painter.setPen(QPen(theme.color("line"), 1))
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
            painter.setPen(theme.color("muted"))
            box = QRectF(0, y - measure.height() / 2, frame.left() - _TICK_GAP_PX, measure.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        bottom = frame.bottom() + 4
        taken = -math.inf
        name_width = measure.horizontalAdvance(self._x_name)
        free = frame.right() - (name_width + 14 if self._x_name else 0)
        for value in ticks_x:
            x = _scale_value(value, ticks_x[0], ticks_x[-1], frame.left(), frame.right())
            text = _format_tick(value, ticks_x)
            width = measure.horizontalAdvance(text)
            start = min(max(x - width / 2, frame.left()), frame.right() - width)
            if start > taken and start + width <= (free if self._x_name else math.inf):
                painter.drawText(QPointF(start, bottom + measure.ascent()), text)
                taken = start + width + 8
        if self._x_name:
            painter.drawText(QPointF(frame.right() - name_width, bottom + measure.ascent()), self._x_name)

    def _paint_legend(self, painter: QPainter, start: QPointF, measure: QFontMetricsF) -> None:
        theme, x = self._themes.theme, start.x()
        named = [each for each in self._series if each.name and not each.faint]
        for each in named:
            middle = start.y() + measure.height() / 2
            painter.setPen(_make_pen(theme.color(each.colour), each, 2))
            painter.drawLine(QPointF(x, middle), QPointF(x + 16, middle))
            painter.setPen(theme.color("muted"))
            text = measure.elidedText(each.name, Qt.TextElideMode.ElideRight, max(30.0, self.width() - x - 26))
            painter.drawText(QPointF(x + 21, start.y() + measure.ascent()), text)
            x += 21 + measure.horizontalAdvance(text) + 14

    def _paint_curve(
        self, painter: QPainter, each: PlotSeries, frame: QRectF, spans: tuple[float, float, float, float]
    ) -> None:
        colour = self._themes.theme.color(each.colour)
        if each.faint:
            colour.setAlphaF(0.28)
        xs, ys = _thin_points(each)
        points = [_place_point(x, y, frame, spans) for x, y in zip(xs, ys, strict=True) if math.isfinite(y)]
        path = QPainterPath()
        path.addPolygon(QPolygonF(points))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(_make_pen(colour, each, 1 if each.faint else 2))
        painter.drawPath(path)
        if each.dots or len(points) == 1:
            painter.setPen(QPen(self._themes.theme.color("raised"), 1.5))
            painter.setBrush(colour)
            for point in points:
                painter.drawEllipse(point, 4, 4)

    def _paint_reading(
        self, painter: QPainter, frame: QRectF, spans: tuple[float, float, float, float], measure: QFontMetricsF
    ) -> None:
        """Paint a line at the pointer, and the values of the curves there."""
        assert self._hover is not None
        theme = self._themes.theme
        x = spans[0] + (self._hover - frame.left()) / frame.width() * (spans[1] - spans[0])
        lines = []
        for each in self._series:
            if each.faint:
                continue
            at = min(bisect_left(each.x, x), len(each.x) - 1)
            if at and x - each.x[at - 1] < each.x[at] - x:
                at -= 1
            lines.append(f"{each.name}  {format_decimal(each.y[at], 3)}")
            painter.setPen(QPen(theme.color("raised"), 1.5))
            painter.setBrush(theme.color(each.colour))
            painter.drawEllipse(_place_point(each.x[at], each.y[at], frame, spans), 4, 4)
        if not lines:
            return
        width = max(measure.horizontalAdvance(line) for line in lines) + 16
        height = measure.height() * len(lines) + 10
        left = self._hover + 10 if self._hover + 10 + width <= self.width() else self._hover - 10 - width
        box = QRectF(max(left, 0), frame.top() + 4, width, height)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(box, 6, 6)
        painter.setPen(theme.color("text"))
        for row, line in enumerate(lines):
            painter.drawText(QPointF(box.left() + 8, box.top() + 5 + row * measure.height() + measure.ascent()), line)


def smooth_curve(values: Sequence[float], weight: float = 0.9) -> list[float]:
    """Return an exponential running mean, without a bias towards 0 at its start."""
    found, total, scale = [], 0.0, 0.0
    for value in values:
        total = weight * total + (1 - weight) * value
        scale = weight * scale + (1 - weight)
        found.append(total / scale)
    return found


def choose_ticks(low: float, high: float, *, whole: bool = False) -> list[float]:
    """Return ascending round numbers; the first is at most `low` and the last at least `high`."""
    if not (math.isfinite(low) and math.isfinite(high)):
        low, high = 0.0, 1.0
    if high - low < 1e-9:
        low, high = low - max(0.02 * abs(low), 1e-3), high + max(0.02 * abs(high), 1e-3)
    raw = (high - low) / _TICK_COUNT
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= raw - 1e-12)
    if whole:
        step = max(1.0, math.ceil(step))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [float(number * step) for number in range(first, max(last, first + 1) + 1)]


def _thin_points(each: PlotSeries) -> tuple[Sequence[float], Sequence[float]]:
    step = max(1, len(each.x) // _MAX_POINTS)
    return each.x[::step], each.y[::step]


def _format_tick(value: float, ticks: list[float]) -> str:
    step = ticks[1] - ticks[0]
    decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step < 1 else 0
    if round(step * 10**decimals) != round(step * 10**decimals, 6):
        decimals += 1
    return format_decimal(value, min(decimals, 6))


def _scale_value(value: float, low: float, high: float, start: float, stop: float) -> float:
    return start + (value - low) / (high - low) * (stop - start)


def _place_point(x: float, y: float, frame: QRectF, spans: tuple[float, float, float, float]) -> QPointF:
    low_x, high_x, low_y, high_y = spans
    return QPointF(
        _scale_value(x, low_x, high_x, frame.left(), frame.right()),
        _scale_value(y, low_y, high_y, frame.bottom(), frame.top()),
    )


def _make_pen(colour: QColor, each: PlotSeries, width: float) -> QPen:
    style = Qt.PenStyle.DashLine if each.dashed else Qt.PenStyle.SolidLine
    return QPen(colour, width, style, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
