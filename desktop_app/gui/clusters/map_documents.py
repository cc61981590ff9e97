"""The map coloured by document: the largest have a colour and a line in the legend, the others are grey."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop_app.gui.theme import Theme

# Ten that can be told apart side by side, also by most who see red and green alike: they differ in lightness too.
_LIGHT = "#2f5fd0 #d97706 #0f8a6d #b3261e #7c3aed #0891b2 #8a6d1a #d6409f #4d7c0f #334155"
_DARK = "#7aa2ff #f7b85a #4fd1a5 #ff8a80 #c4a1ff #5fd4ee #d9c36a #ff9bd2 #a6d65c #e2e8f0"
_COLOURS = {False: tuple(_LIGHT.split()), True: tuple(_DARK.split())}
MOST = len(_COLOURS[False])
"""Documents that have a colour of their own."""

_MARGIN_PX, _PAD_PX, _DOT_PX, _GAP_PX, _WIDEST_PX = 12, 8, 9, 7, 220
_LINE = 1.25
_HIGHEST, _WIDEST = 0.45, 0.38  # share of the map


@dataclass(frozen=True, slots=True)
class LegendLine:
    """What a colour means."""

    colour: QColor
    text: str


def by_document(documents: NDArray[np.int64], dark: bool) -> tuple[NDArray[np.int64], list[QColor], list[int]]:
    """Return which of the largest documents each point is of, their colours, and their ids, the largest first.

    Args:
        documents: of each point int64 [n].
        dark: whether the ground is.

    Returns:
        int64 [n], -1 for points of other documents; as many colours as ids.
    """
    ids, inverse, counts = np.unique(documents, return_inverse=True, return_counts=True)
    largest = np.lexsort((ids, -counts))[:MOST]
    group_of = np.full(len(ids), -1, np.int64)
    group_of[largest] = np.arange(len(largest))
    groups: NDArray[np.int64] = group_of[inverse] if len(ids) else np.empty(0, np.int64)
    return groups, [QColor(name) for name in _COLOURS[dark][: len(largest)]], ids[largest].tolist()


def legend_box(size: QSize, lines: Sequence[LegendLine], font: QFont) -> QRectF:
    """Return where the legend is painted: at the lower left, no wider than its longest line."""
    measure = QFontMetricsF(font)
    count = _fitting(size, lines, measure)
    shown = _shown(lines, count)
    width = max((min(measure.horizontalAdvance(line.text), _text_px(size)) for line in shown), default=0.0)
    height = count * measure.height() * _LINE + 2 * _PAD_PX
    return QRectF(_MARGIN_PX, size.height() - _MARGIN_PX - height, width + _DOT_PX + _GAP_PX + 2 * _PAD_PX + 1, height)


def _fitting(size: QSize, lines: Sequence[LegendLine], measure: QFontMetricsF) -> int:
    """Return how many lines there is room for: the largest documents come first."""
    room = _HIGHEST * size.height() - 2 * _PAD_PX
    return max(1, min(len(lines), int(room / (measure.height() * _LINE))))


def placed_lines(size: QSize, lines: Sequence[LegendLine], font: QFont) -> list[tuple[QRectF, QColor, str]]:
    """Return the lines that there is room for: the area of each one's text, its colour, and its text elided."""
    measure = QFontMetricsF(font)
    inner = legend_box(size, lines, font).adjusted(_PAD_PX, _PAD_PX, -_PAD_PX, -_PAD_PX)
    line_px = measure.height() * _LINE
    widest = _text_px(size)
    placed = []
    for at, line in enumerate(_shown(lines, _fitting(size, lines, measure))):
        area = QRectF(inner.left() + _DOT_PX + _GAP_PX, inner.top() + at * line_px, widest + 1, line_px)
        placed.append((area, line.colour, measure.elidedText(line.text, Qt.TextElideMode.ElideMiddle, widest)))
    return placed


def _text_px(size: QSize) -> float:
    """Return how wide a text may be: a narrow map has narrow lines."""
    return min(float(_WIDEST_PX), max(60.0, _WIDEST * size.width()))


def _shown(lines: Sequence[LegendLine], count: int) -> Sequence[LegendLine]:
    """Return so many lines: the first ones, and the last, which says what the others are."""
    return lines if count >= len(lines) else [*lines[: count - 1], lines[-1]]


def dot_of(area: QRectF) -> QPointF:
    """Return the middle of the dot before a line."""
    return QPointF(area.left() - _GAP_PX - _DOT_PX / 2, area.center().y())


def paint_legend(painter: QPainter, size: QSize, lines: Sequence[LegendLine], theme: Theme, font: QFont) -> None:
    """Paint what the colours mean."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(theme.color("line"))
    painter.setBrush(theme.color("panel"))
    painter.drawRoundedRect(legend_box(size, lines, font), 8, 8)
    painter.setFont(font)
    for area, colour, text in placed_lines(size, lines, font):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(dot_of(area), _DOT_PX / 2, _DOT_PX / 2)
        painter.setPen(theme.color("text"))
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
