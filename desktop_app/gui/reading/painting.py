"""Paints a page with what is marked and chosen on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QImage

    from desktop_app.gui.theme import Theme

STRENGTHS = {
    # (light page, dark page): how much of the accent lies on paper
    "current": (0.30, 0.44),
    "other": (0.11, 0.17),
    "chosen": (0.48, 0.62),
}


def mixed(first: QColor, second: QColor, share: float) -> QColor:
    """Return `first` with a share of `second`."""
    return QColor.fromRgbF(
        first.redF() + (second.redF() - first.redF()) * share,
        first.greenF() + (second.greenF() - first.greenF()) * share,
        first.blueF() + (second.blueF() - first.blueF()) * share,
    )


def paper(theme: Theme, *, dark: bool) -> QColor:
    """Return the colour of a page's paper."""
    if not dark:
        return QColor("#ffffff")
    return theme.color("panel") if theme.dark else QColor("#24262d")


def ink(theme: Theme, *, dark: bool) -> QColor:
    """Return the colour of a page's text."""
    if not dark:
        return QColor("#20222b")
    return theme.color("text") if theme.dark else QColor("#e4e6ee")


def tint(theme: Theme, strength: str, *, dark: bool) -> QColor:
    """Return the colour that lies on a page: multiplied with a light one, lightening a dark one."""
    share = STRENGTHS[strength][dark]
    if dark:
        return mixed(QColor("#000000"), QColor("#7482f0") if not theme.dark else QColor("#7f8cf0"), share)
    return mixed(QColor("#ffffff"), theme.color("accent") if not theme.dark else QColor("#4453c4"), share)


def paint_page(painter: QPainter, rect: QRectF, picture: QImage | None, theme: Theme, *, dark: bool) -> None:
    """Paint paper and picture of a page."""
    painter.fillRect(rect, paper(theme, dark=dark))
    if picture is not None:
        ratio = painter.device().devicePixelRatio()
        exact = abs(rect.width() * ratio - picture.width()) < 1 and abs(rect.height() * ratio - picture.height()) < 1
        if exact:
            # Pixel for pixel: the rectangle must not stretch it by rounding.
            rect = QRectF(rect.left(), rect.top(), picture.width() / ratio, picture.height() / ratio)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not exact)
        painter.drawImage(rect, picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    edge = mixed(paper(theme, dark=dark), theme.color("line"), 1.0 if dark == theme.dark else 0.5)
    painter.setPen(QPen(edge, 0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rect.adjusted(0, 0, -1, -1))


def paint_boxes(painter: QPainter, boxes: Iterable[QRectF], colour: QColor, *, dark: bool, round_px: float) -> None:
    """Lay a tint on boxes; where they overlap it lies once."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for box in boxes:
        path.addRoundedRect(box, round_px, round_px)
    if path.isEmpty():
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    mode = QPainter.CompositionMode
    painter.setCompositionMode(mode.CompositionMode_Screen if dark else mode.CompositionMode_Multiply)
    painter.fillPath(path, colour)
    painter.restore()


def paint_failure(painter: QPainter, rect: QRectF, text: str, theme: Theme, *, dark: bool) -> None:
    """Say in place of a page why it cannot be shown."""
    painter.setPen(ink(theme, dark=dark))
    inner = rect.adjusted(24, 24, -24, -24)
    painter.drawText(inner, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), text)
