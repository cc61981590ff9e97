"""The grounds of cards: drawn smoothly once, copied from then on."""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

_RADIUS_PX = 10
_EDGE_PX = _RADIUS_PX + 3
"""How far from a card's upper and lower end its sides are straight, with the pen."""

_STRIP_PX = 2 * _EDGE_PX + 1
_KEPT = 16


class CardGround:
    """Paints rounded rectangles whose smooth edge takes as long as the letters within.

    Of each width and colour there is a picture of a card that is as low as can be; the line in its middle makes up the
    height. Where a pixel of ours is no whole number of the screen's a copy would be blurred, so there each is drawn.
    """

    def __init__(self) -> None:
        self._strips: OrderedDict[tuple[object, ...], QPixmap] = OrderedDict()

    def paint(self, painter: QPainter, rect: QRectF, line: QColor, width: float, ground: QColor) -> None:
        """Paint one, with a line of a colour and width around it."""
        left, top = math.floor(rect.left()) - 1, math.floor(rect.top()) - 1
        right, bottom = math.ceil(rect.right()) + 1, math.ceil(rect.bottom()) + 1
        ratio = painter.device().devicePixelRatio()
        spared = bottom - top - _STRIP_PX
        if spared < 1 or ratio != round(ratio):
            _draw(painter, rect, line, width, ground)
            return
        low = QRectF(rect.left() - left, rect.top() - top, rect.width(), rect.height() - spared)
        key = (low.x(), low.y(), low.width(), low.height(), line.rgba(), width, ground.rgba(), ratio)
        strip = self._strips.get(key)
        if strip is None:
            strip = self._strips[key] = _strip(low, right - left, line, width, ground, ratio)
            if len(self._strips) > _KEPT:
                self._strips.popitem(last=False)
        across, edge = right - left, _EDGE_PX
        for at, height, source, source_height in (
            (top, edge, 0, edge),
            (top + edge, spared + 1, edge, 1),
            (bottom - edge, edge, edge + 1, edge),
        ):
            part = QRectF(0, source * ratio, across * ratio, source_height * ratio)
            painter.drawPixmap(QRectF(left, at, across, height), strip, part)


def _strip(rect: QRectF, across: int, line: QColor, width: float, ground: QColor, ratio: float) -> QPixmap:
    strip = QPixmap(round(across * ratio), round(_STRIP_PX * ratio))
    strip.setDevicePixelRatio(ratio)
    strip.fill(Qt.GlobalColor.transparent)
    painter = QPainter(strip)
    _draw(painter, rect, line, width, ground)
    painter.end()
    return strip


def _draw(painter: QPainter, rect: QRectF, line: QColor, width: float, ground: QColor) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(line, width))
    painter.setBrush(ground)
    painter.drawRoundedRect(rect, _RADIUS_PX, _RADIUS_PX)
