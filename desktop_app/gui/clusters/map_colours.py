"""Colours of the map: by date of change or by document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QDateTime, QLocale, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QLinearGradient, QPainter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop_app.gui.base.theme import Theme

COLOUR_STEPS = 16
_COLOUR_SCALES = {False: ("#3949a8", "#1f8f86", "#d97706"), True: ("#7d8ff2", "#52c4b5", "#f7b85a")}
_SCALE_MARGIN_PX, _SCALE_PAD_PX, _SCALE_BAR_PX, _SCALE_WIDTH_PX = 12, 8, 7, 150

# Ten colours that most people can tell apart, with red-green colour blindness too: they also differ in lightness.
_LIGHT_COLOURS = "#2f5fd0 #d97706 #0f8a6d #b3261e #7c3aed #0891b2 #8a6d1a #d6409f #4d7c0f #334155"
_DARK_COLOURS = "#7aa2ff #f7b85a #4fd1a5 #ff8a80 #c4a1ff #5fd4ee #d9c36a #ff9bd2 #a6d65c #e2e8f0"
_DOCUMENT_COLOURS = {False: tuple(_LIGHT_COLOURS.split()), True: tuple(_DARK_COLOURS.split())}
MAX_COLOURED_DOCUMENTS = len(_DOCUMENT_COLOURS[False])
"""How many documents get their own colours."""

_LEGEND_MARGIN_PX, _LEGEND_PAD_PX, _LEGEND_DOT_PX, _LEGEND_GAP_PX, _MAX_LEGEND_WIDTH_PX = 12, 8, 9, 7, 220
_LINE = 1.25
_HIGHEST, _WIDEST = 0.45, 0.38  # share of the map


def colour_by_date(dates: NDArray[np.float64], dark: bool) -> tuple[NDArray[np.int64], list[QColor]]:
    """Return the step of the scale for each date, and the scale's colours.

    The scale follows the order of the dates, not their distance: one very old file does not squeeze the others.

    Args:
        dates: float64 [n], seconds since 1970; 0 if unknown.
        dark: whether the background is dark.

    Returns:
        int64 [n], -1 for unknown dates; the colours from the oldest to the newest.
    """
    groups = np.full(len(dates), -1, np.int64)
    known = dates > 0
    distinct, rank = np.unique(dates[known], return_inverse=True)
    if len(distinct):
        groups[known] = rank * (COLOUR_STEPS - 1) // max(len(distinct) - 1, 1)
    return groups, [scale_colour_at(step / (COLOUR_STEPS - 1), dark) for step in range(COLOUR_STEPS)]


def scale_colour_at(share: float, dark: bool) -> QColor:
    """Return the colour at a share of the scale, 0 for the oldest to 1 for the newest."""
    stops = [QColor(name) for name in _COLOUR_SCALES[dark]]
    at = share * (len(stops) - 1)
    low = min(int(at), len(stops) - 2)
    one, other, part = stops[low], stops[low + 1], at - low
    mixed = (
        round((1 - part) * a + part * b)
        for a, b in zip((one.red(), one.green(), one.blue()), (other.red(), other.green(), other.blue()), strict=True)
    )
    return QColor(*mixed)


def format_date_range(dates: NDArray[np.float64]) -> tuple[str, str] | None:
    """Return the oldest and the newest date as text; None if no date is known."""
    known = dates[dates > 0]
    if not len(known):
        return None
    locale = QLocale()
    form = locale.dateFormat(QLocale.FormatType.ShortFormat)
    form = form if "yyyy" in form else form.replace("yy", "yyyy")  # the oldest may be of another century
    oldest, newest = (
        locale.toString(QDateTime.fromSecsSinceEpoch(int(each)).date(), form) for each in (known.min(), known.max())
    )
    return oldest, newest


def date_scale_rect(size: QSize, names: tuple[str, str], font: QFont) -> QRectF:
    """Return the rectangle of the scale, at the lower left."""
    measure = QFontMetricsF(font)
    width = max(float(_SCALE_WIDTH_PX), sum(measure.horizontalAdvance(name) for name in names) + 16)
    height = _SCALE_BAR_PX + 3 + measure.height()
    top = size.height() - _SCALE_MARGIN_PX - height - 2 * _SCALE_PAD_PX
    return QRectF(_SCALE_MARGIN_PX, top, width + 2 * _SCALE_PAD_PX, height + 2 * _SCALE_PAD_PX)


def paint_date_scale(painter: QPainter, size: QSize, names: tuple[str, str], theme: Theme, font: QFont) -> None:
    """Paint the legend of the colours."""
    box = date_scale_rect(size, names, font)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(theme.color("line"))
    painter.setBrush(theme.color("panel"))
    painter.drawRoundedRect(box, 8, 8)
    inner = box.adjusted(_SCALE_PAD_PX, _SCALE_PAD_PX, -_SCALE_PAD_PX, -_SCALE_PAD_PX)
    scale = QLinearGradient(QPointF(inner.left(), 0), QPointF(inner.right(), 0))
    for step in range(COLOUR_STEPS):
        share = step / (COLOUR_STEPS - 1)
        scale.setColorAt(share, scale_colour_at(share, theme.dark))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(scale)
    painter.drawRoundedRect(QRectF(inner.left(), inner.top(), inner.width(), _SCALE_BAR_PX), 3, 3)
    painter.setFont(font)
    painter.setPen(theme.color("text"))
    words = QRectF(inner.left(), inner.top() + _SCALE_BAR_PX + 3, inner.width(), inner.height() - _SCALE_BAR_PX - 3)
    painter.drawText(words, Qt.AlignmentFlag.AlignLeft, names[0])
    painter.drawText(words, Qt.AlignmentFlag.AlignRight, names[1])


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A colour and its meaning."""

    colour: QColor
    text: str


def colour_by_document(documents: NDArray[np.int64], dark: bool) -> tuple[NDArray[np.int64], list[QColor], list[int]]:
    """Return which of the largest documents each point belongs to, and their colours and ids, the largest first.

    Args:
        documents: int64 [n], the document of each point.
        dark: whether the background is dark.

    Returns:
        int64 [n], -1 for points of other documents; as many colours as ids.
    """
    ids, inverse, counts = np.unique(documents, return_inverse=True, return_counts=True)
    largest = np.lexsort((ids, -counts))[:MAX_COLOURED_DOCUMENTS]
    group_of = np.full(len(ids), -1, np.int64)
    group_of[largest] = np.arange(len(largest))
    groups: NDArray[np.int64] = group_of[inverse] if len(ids) else np.empty(0, np.int64)
    return groups, [QColor(name) for name in _DOCUMENT_COLOURS[dark][: len(largest)]], ids[largest].tolist()


def document_legend_rect(size: QSize, lines: Sequence[LegendEntry], font: QFont) -> QRectF:
    """Return the rectangle of the legend, at the lower left, as wide as its longest line."""
    measure = QFontMetricsF(font)
    count = _count_fitting_lines(size, lines, measure)
    shown = _select_legend_lines(lines, count)
    width = max((min(measure.horizontalAdvance(line.text), _max_legend_text_px(size)) for line in shown), default=0.0)
    height = count * measure.height() * _LINE + 2 * _LEGEND_PAD_PX
    return QRectF(
        _LEGEND_MARGIN_PX,
        size.height() - _LEGEND_MARGIN_PX - height,
        width + _LEGEND_DOT_PX + _LEGEND_GAP_PX + 2 * _LEGEND_PAD_PX + 1,
        height,
    )


def _count_fitting_lines(size: QSize, lines: Sequence[LegendEntry], measure: QFontMetricsF) -> int:
    """Return how many lines fit."""
    room = _HIGHEST * size.height() - 2 * _LEGEND_PAD_PX
    return max(1, min(len(lines), int(room / (measure.height() * _LINE))))


def place_legend_lines(size: QSize, lines: Sequence[LegendEntry], font: QFont) -> list[tuple[QRectF, QColor, str]]:
    """Return the lines that fit, the largest documents first: the area of the text, the colour, and the elided text."""
    measure = QFontMetricsF(font)
    inner = document_legend_rect(size, lines, font).adjusted(
        _LEGEND_PAD_PX, _LEGEND_PAD_PX, -_LEGEND_PAD_PX, -_LEGEND_PAD_PX
    )
    line_px = measure.height() * _LINE
    widest = _max_legend_text_px(size)
    placed = []
    for at, line in enumerate(_select_legend_lines(lines, _count_fitting_lines(size, lines, measure))):
        area = QRectF(inner.left() + _LEGEND_DOT_PX + _LEGEND_GAP_PX, inner.top() + at * line_px, widest + 1, line_px)
        placed.append((area, line.colour, measure.elidedText(line.text, Qt.TextElideMode.ElideMiddle, widest)))
    return placed


def _max_legend_text_px(size: QSize) -> float:
    """Return the greatest width of a text; a narrow map has narrow lines."""
    return min(float(_MAX_LEGEND_WIDTH_PX), max(60.0, _WIDEST * size.width()))


def _select_legend_lines(lines: Sequence[LegendEntry], count: int) -> Sequence[LegendEntry]:
    """Return `count` lines: the first ones, and the last, which counts the other documents."""
    return lines if count >= len(lines) else [*lines[: count - 1], lines[-1]]


def legend_dot_centre(area: QRectF) -> QPointF:
    """Return the centre of the dot in front of a line."""
    return QPointF(area.left() - _LEGEND_GAP_PX - _LEGEND_DOT_PX / 2, area.center().y())


def paint_document_legend(
    painter: QPainter, size: QSize, lines: Sequence[LegendEntry], theme: Theme, font: QFont
) -> None:
    """Paint the legend of the colours."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(theme.color("line"))
    painter.setBrush(theme.color("panel"))
    painter.drawRoundedRect(document_legend_rect(size, lines, font), 8, 8)
    painter.setFont(font)
    for area, colour, text in place_legend_lines(size, lines, font):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(legend_dot_centre(area), _LEGEND_DOT_PX / 2, _LEGEND_DOT_PX / 2)
        painter.setPen(theme.color("text"))
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
