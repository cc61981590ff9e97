"""Card backgrounds look the same whether drawn or copied."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from desktop_app.gui.results import hit_delegate
from desktop_app.gui.results.hit_delegate import CardBackground

LINE, GROUND = QColor("#5060c0"), QColor("#f0f0ff")


def picture(rect: QRectF, ratio: float, width: float, ground: CardBackground | None) -> QImage:
    image = QImage(round(300 * ratio), round(220 * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    if ground is None:
        hit_delegate._draw_background(painter, rect, LINE, width, GROUND)
    else:
        ground.paint(painter, rect, LINE, width, GROUND)
    painter.end()
    return image


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("width", [1.0, 1.5])
def test_a_copied_background_equals_a_drawn_one(qapp: QApplication, ratio: float, width: float) -> None:
    ground = CardBackground()
    for left, height in ((12.5, 100), (12.5, 101), (12.5, 24), (13.0, 180), (12.5, 100), (12.5, 30)):
        rect = QRectF(left, 8.5, 260, height)
        drawn, copied = picture(rect, ratio, width, None), picture(rect, ratio, width, ground)
        if drawn == copied:
            continue
        for y in range(drawn.height()):
            for x in range(drawn.width()):
                if drawn.pixel(x, y) != copied.pixel(x, y):
                    a, b = drawn.pixelColor(x, y), copied.pixelColor(x, y)
                    far = max(abs(a.red() - b.red()), abs(a.green() - b.green()), abs(a.blue() - b.blue()))
                    assert far <= 2, f"({x}, {y}) of a card {height} high: {b.name()} for {a.name()}"


def test_few_pictures_are_cached(qapp: QApplication) -> None:
    ground = CardBackground()
    for width in range(100, 200):
        picture(QRectF(2.5, 2.5, width, 90), 1.0, 1.0, ground)
    assert len(ground._strips) <= 16
