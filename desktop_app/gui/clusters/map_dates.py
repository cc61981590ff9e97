"""The map coloured by when documents were changed last: a scale of colours from the oldest to the newest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QDateTime, QLocale, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QLinearGradient, QPainter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from desktop_app.gui.theme import Theme

STEPS = 16
_SCALES = {False: ("#3949a8", "#1f8f86", "#d97706"), True: ("#7d8ff2", "#52c4b5", "#f7b85a")}
_MARGIN_PX, _PAD_PX, _BAR_PX, _WIDTH_PX = 12, 8, 7, 150


def by_date(dates: NDArray[np.float64], dark: bool) -> tuple[NDArray[np.int64], list[QColor]]:
    """Return the step of the scale for each date, and the scale's colours.

    The scale goes by the order of the dates, not by the years between them: one very old file leaves the others apart.

    Args:
        dates: float64 [n], seconds since 1970; 0: not known.
        dark: whether the ground is.

    Returns:
        int64 [n], -1 where no date is known; the colours from the oldest to the newest.
    """
    groups = np.full(len(dates), -1, np.int64)
    known = dates > 0
    distinct, rank = np.unique(dates[known], return_inverse=True)
    if len(distinct):
        groups[known] = rank * (STEPS - 1) // max(len(distinct) - 1, 1)
    return groups, [colour_at(step / (STEPS - 1), dark) for step in range(STEPS)]


def colour_at(share: float, dark: bool) -> QColor:
    """Return the colour at a share of the scale, 0 for the oldest to 1 for the newest."""
    stops = [QColor(name) for name in _SCALES[dark]]
    at = share * (len(stops) - 1)
    low = min(int(at), len(stops) - 2)
    one, other, part = stops[low], stops[low + 1], at - low
    mixed = (
        round((1 - part) * a + part * b)
        for a, b in zip((one.red(), one.green(), one.blue()), (other.red(), other.green(), other.blue()), strict=True)
    )
    return QColor(*mixed)


def date_names(dates: NDArray[np.float64]) -> tuple[str, str] | None:
    """Return the oldest and the newest date in words; None where none is known."""
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


def scale_box(size: QSize, names: tuple[str, str], font: QFont) -> QRectF:
    """Return where the scale is painted: at the lower left."""
    measure = QFontMetricsF(font)
    width = max(float(_WIDTH_PX), sum(measure.horizontalAdvance(name) for name in names) + 16)
    height = _BAR_PX + 3 + measure.height()
    top = size.height() - _MARGIN_PX - height - 2 * _PAD_PX
    return QRectF(_MARGIN_PX, top, width + 2 * _PAD_PX, height + 2 * _PAD_PX)


def paint_scale(painter: QPainter, size: QSize, names: tuple[str, str], theme: Theme, font: QFont) -> None:
    """Paint what the colours mean."""
    box = scale_box(size, names, font)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(theme.color("line"))
    painter.setBrush(theme.color("panel"))
    painter.drawRoundedRect(box, 8, 8)
    inner = box.adjusted(_PAD_PX, _PAD_PX, -_PAD_PX, -_PAD_PX)
    scale = QLinearGradient(QPointF(inner.left(), 0), QPointF(inner.right(), 0))
    for step in range(STEPS):
        share = step / (STEPS - 1)
        scale.setColorAt(share, colour_at(share, theme.dark))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(scale)
    painter.drawRoundedRect(QRectF(inner.left(), inner.top(), inner.width(), _BAR_PX), 3, 3)
    painter.setFont(font)
    painter.setPen(theme.color("text"))
    words = QRectF(inner.left(), inner.top() + _BAR_PX + 3, inner.width(), inner.height() - _BAR_PX - 3)
    painter.drawText(words, Qt.AlignmentFlag.AlignLeft, names[0])
    painter.drawText(words, Qt.AlignmentFlag.AlignRight, names[1])
