"""What a delegate paints, as data: its texts, coloured areas and icons with their places."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from PySide6.QtCore import QBuffer, QIODevice, QLineF, QPoint, QPointF, QRect, QRectF, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_app.gui.base.icons import tinted_pixmap

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QColor

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Painting:
    """A painted item, in the order of painting.

    Attributes:
        texts: each piece of text with the left end of its base line and its colour, as #rrggbb.
        areas: filled areas, as the rectangle around each, and their colours.
        icons: images with their places.
        dashed: lines of dots or dashes, from their first point to their last.
    """

    texts: tuple[tuple[str, QPointF, str], ...]
    areas: tuple[tuple[QRectF, str], ...]
    icons: tuple[tuple[QRect, QImage], ...]
    dashed: tuple[QLineF, ...] = ()

    def words(self) -> list[str]:
        """Return the texts alone."""
        return [text for text, _, _ in self.texts]

    def place(self, text: str) -> QPointF:
        """Return where a text begins."""
        (place,) = {(at.x(), at.y()) for each, at, _ in self.texts if each == text}
        return QPointF(*place)

    def color(self, text: str) -> str:
        """Return the colour of a text; of one that is painted twice, once over the other, the last."""
        return [color for each, _, color in self.texts if each == text][-1]

    def find_icon(self, name: str, color: QColor) -> QRect | None:
        """Return where an icon is painted in a colour; None if it is not."""
        for place, image in self.icons:
            wanted = tinted_pixmap(name, color, image.size()).toImage()
            if image.convertToFormat(wanted.format()) == wanted:
                return place
        return None


def paint(
    delegate: QStyledItemDelegate,
    index: QModelIndex,
    width: int = 600,
    state: QStyle.StateFlag = QStyle.StateFlag.State_Enabled,
) -> Painting:
    """Paint an item at the upper left corner, as high as it wants to be."""
    option = QStyleOptionViewItem()
    option.state = state
    option.font = QListView().font()
    option.rect = QRect(QPoint(0, 0), QSize(width, delegate.sizeHint(option, index).height()))
    return record(option.rect.size(), lambda painter: delegate.paint(painter, option, index))


def record(size: QSize, paint_on: Callable[[QPainter], None]) -> Painting:
    """Return what a function paints."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.ReadWrite)
    target = QSvgGenerator()
    target.setOutputDevice(buffer)
    target.setSize(size)
    target.setViewBox(QRect(QPoint(0, 0), size))
    painter = QPainter(target)
    paint_on(painter)
    painter.end()
    texts, areas, icons, dashed = [], [], [], []
    for group in ElementTree.fromstring(buffer.data().data()).iter(f"{_SVG}g"):
        dx, dy = [float(each) for each in _NUMBER.findall(group.get("transform", "0,0,0,0,0,0"))][-2:]
        for each in group:
            if each.tag == f"{_SVG}text":
                at = QPointF(float(each.get("x", 0)) + dx, float(each.get("y", 0)) + dy)
                texts.append(((each.text or "").removeprefix("\n "), at, each.get("fill", "")))
            elif each.tag == f"{_SVG}circle":
                x, y, radius = (float(each.get(name, 0)) for name in ("cx", "cy", "r"))
                circle = QRectF(x - radius + dx, y - radius + dy, 2 * radius, 2 * radius)
                areas.append((circle, each.get("fill") or group.get("fill", "")))
            elif each.tag == f"{_SVG}path" and group.get("fill", "none") != "none":
                numbers = [float(number) for number in _NUMBER.findall(each.get("d", ""))]
                left, top = min(numbers[::2]), min(numbers[1::2])
                around = QRectF(left + dx, top + dy, max(numbers[::2]) - left, max(numbers[1::2]) - top)
                areas.append((around, group.get("fill", "")))
            elif each.tag == f"{_SVG}polyline" and group.get("stroke-dasharray", "none") != "none":
                numbers = [float(number) for number in _NUMBER.findall(each.get("points", ""))]
                dashed.append(QLineF(numbers[0] + dx, numbers[1] + dy, numbers[-2] + dx, numbers[-1] + dy))
            elif each.tag == f"{_SVG}image":
                place = QRect(*(round(float(each.get(name, 0))) for name in ("x", "y", "width", "height")))
                image = QImage.fromData(b64decode(each.get(_LINK, "").partition("base64,")[2]))
                icons.append((place.translated(round(dx), round(dy)), image))
    return Painting(tuple(texts), tuple(areas), tuple(icons), tuple(dashed))
