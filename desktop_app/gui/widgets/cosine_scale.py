"""Shows a cosine next to those of pairs that people have judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_app.gui.base.display_text import format_decimal, translate
from desktop_app.gui.base.theme import ThemeManager, scale_font

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIDE_PX = 14
_LOW_SCORE = -0.2  # lower cosines are so rare that the scale includes them only if needed
_BAR_PX = 7
_LANE_PX = 19
_TICK_PX = 4


@dataclass(frozen=True, slots=True)
class SimilarityBand:
    """The cosines of the middle four fifths of a group of pairs."""

    name: str
    low: float
    high: float


def judged_pair_bands(model: str) -> tuple[SimilarityBand, ...]:
    """Return the cosines of judged pairs for a model; empty if not measured.

    The 10 % and 90 % quantiles of the cosine over the development part of STS-B (Cer et al. 2017; 1,500 pairs, judged
    from 0 to 5): judged at most 1, from 2 to 3, and at least 4.5.
    """
    if model != "all-MiniLM-L6-v2":
        return ()
    return (
        SimilarityBand(translate("scale", "rated unrelated"), 0.01, 0.45),
        SimilarityBand(translate("scale", "rated related"), 0.46, 0.81),
        SimilarityBand(translate("scale", "rated the same"), 0.82, 0.98),
    )


class CosineScaleView(QWidget):
    """A line from 0 (or below) to 1 with a mark at the cosine, and bands below it."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self._value: float | None = None
        self._is_dim = False
        self._bands: Sequence[SimilarityBand] = ()
        self.setAccessibleName(self.tr("Scale of the cosine"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.source = self.tr(
            "Bands show the middle 80% of human-rated pairs (STS-B), measured with this model. Guidance only."
        )

    @property
    def value(self) -> float | None:
        """The marked cosine."""
        return self._value

    def show_value(self, value: float | None, *, dim: bool = False) -> None:
        """Mark a cosine; None marks nothing. `dim`: it is out of date."""
        self._value, self._is_dim = value, dim
        self.setAccessibleDescription("" if value is None else format_decimal(value, 4))
        self.update()

    def show_bands(self, bands: Sequence[SimilarityBand]) -> None:
        """Show the bands of judged pairs."""
        if bands != self._bands:
            self._bands = bands
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """Return a height with room for mark, line, numbers and bands."""
        return QSize(320, round(self._line_y() + self._number_height() + 8 + len(self._bands) * _LANE_PX + 2))

    def minimumSizeHint(self) -> QSize:
        """Return the same height."""
        return QSize(200, self.sizeHint().height())

    def _line_y(self) -> float:
        return QFontMetricsF(scale_font(self.font(), 1.25)).height() + 10

    def _number_height(self) -> float:
        return _TICK_PX + QFontMetricsF(scale_font(self.font(), 0.82)).height()

    def _low(self) -> float:
        return -1.0 if self._value is not None and self._value < _LOW_SCORE else _LOW_SCORE

    def _x(self, value: float) -> float:
        low = self._low()
        share = (min(max(value, low), 1.0) - low) / (1.0 - low)
        return _SIDE_PX + share * (self.width() - 2 * _SIDE_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the scale."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_line(painter)
        top = self._line_y() + self._number_height() + 8
        if self._bands and self._value is not None:
            # Across the bands, to show which of them contain the mark.
            painter.setPen(QPen(self._themes.theme.color("muted"), 1, Qt.PenStyle.DotLine))
            x = self._x(self._value)
            painter.drawLine(QPointF(x, top - 3), QPointF(x, self.height() - 3))
        for lane, band in enumerate(self._bands):
            self._paint_band(painter, band, top + lane * _LANE_PX)
        if self._value is not None:
            self._paint_mark(painter, self._value)

    def _paint_line(self, painter: QPainter) -> None:
        theme, y = self._themes.theme, self._line_y()
        painter.setPen(QPen(theme.color("track"), 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(self._x(-1), y), QPointF(self._x(1), y))
        font = scale_font(self.font(), 0.82)
        measure = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(theme.color("muted"))
        marks = (-1.0, -0.5, 0.0, 0.5, 1.0) if self._low() < _LOW_SCORE else (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
        for mark in marks:
            text = format_decimal(mark, 0 if mark == int(mark) else 1)
            at = QPointF(self._x(mark) - measure.horizontalAdvance(text) / 2, y + _TICK_PX + 2 + measure.ascent())
            painter.drawText(at, text)

    def _paint_band(self, painter: QPainter, band: SimilarityBand, top: float) -> None:
        theme = self._themes.theme
        left, right = self._x(band.low), self._x(band.high)
        middle = top + _LANE_PX / 2
        colour = theme.color("accent")
        colour.setAlphaF(0.3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(QRectF(left, middle - _BAR_PX / 2, right - left, _BAR_PX), _BAR_PX / 2, _BAR_PX / 2)
        font = scale_font(self.font(), 0.86)
        measure = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(theme.color("muted"))
        width = measure.horizontalAdvance(band.name)
        # Next to the band: to its right if there is room, else to its left.
        start = right + 8 if right + 8 + width <= self.width() - 2 else left - 8 - width
        ground = QRectF(start - 3, top + 1, width + 6, _LANE_PX - 2)
        painter.fillRect(ground, theme.color("raised"))  # the line of the mark ends at the text
        painter.drawText(QPointF(start, middle + (measure.ascent() - measure.descent()) / 2), band.name)

    def _paint_mark(self, painter: QPainter, value: float) -> None:
        theme, x, y = self._themes.theme, self._x(value), self._line_y()
        color = theme.color("muted" if self._is_dim else "accent")
        zero = self._x(0)
        painter.setPen(QPen(color, 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(zero, y), QPointF(x, y))
        painter.setPen(QPen(theme.color("raised"), 2))
        painter.setBrush(color)
        painter.drawEllipse(QPointF(x, y), 7, 7)
        font = scale_font(self.font(), 1.25)
        font.setWeight(font.Weight.DemiBold)
        measure = QFontMetricsF(font)
        text = format_decimal(value, 2)
        width = measure.horizontalAdvance(text)
        left = min(max(x - width / 2, 2), self.width() - width - 2)
        painter.setFont(font)
        painter.setPen(color)
        painter.drawText(QPointF(left, y - 12), text)
