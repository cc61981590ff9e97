"""SVG icons, tinted when they are painted, so that they follow theme, state and scale."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QIconEngine, QPainter, QPalette, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from desktop_app.core.paths import resources_folder

Role = QPalette.ColorRole


def make_icon(name: str, role: QPalette.ColorRole = Role.WindowText) -> QIcon:
    """Return the icon `name`, painted in the palette's current colour for `role`."""
    return QIcon(_TintedIconEngine(name, role))


def application_icon() -> QIcon:
    """Return the program's icon in its own colours, painted at the sizes that the system requests."""
    return make_icon("kindred")


def paint_icon(painter: QPainter, rect: QRect, name: str, color: QColor) -> None:
    """Paint the icon `name` in `color`."""
    ratio = painter.device().devicePixelRatio()
    painter.drawPixmap(rect, tinted_pixmap(name, color, rect.size() * ratio))


def tinted_pixmap(name: str, color: QColor, size_px: QSize) -> QPixmap:
    """Return the icon `name` in `color`; `size_px` is in device pixels. Cached in Qt's pixmap cache."""
    if size_px.isEmpty():
        return QPixmap()  # of a button that its layout has briefly squeezed to nothing
    key = f"kindred/{name}/{color.name()}/{size_px.width()}x{size_px.height()}"
    found = QPixmap()
    if QPixmapCache.find(key, found):
        return found
    pixmap = QPixmap(size_px)
    pixmap.fill(Qt.GlobalColor.transparent)
    source = _read_svg(name).replace(b"currentColor", color.name().encode())
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(source)).render(painter, QRectF(QPoint(0, 0), size_px))
    painter.end()
    QPixmapCache.insert(key, pixmap)
    return pixmap


@cache
def _read_svg(name: str) -> bytes:
    source = Path(resources_folder() / "icons" / f"{name}.svg").read_bytes()
    return source.replace(b'stroke-width="2"', b'stroke-width="1.75"')


class _TintedIconEngine(QIconEngine):
    """Paints an SVG whose strokes are `currentColor`."""

    def __init__(self, name: str, role: QPalette.ColorRole) -> None:
        super().__init__()
        self._name = name
        self._role = role

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Paint into `rect`."""
        paint_icon(painter, rect, self._name, self._color(mode))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Return a pixmap of `size`, in device pixels."""
        return tinted_pixmap(self._name, self._color(mode), size)

    def clone(self) -> QIconEngine:
        """Return a copy."""
        return _TintedIconEngine(self._name, self._role)

    def _color(self, mode: QIcon.Mode) -> QColor:
        if mode == QIcon.Mode.Disabled:
            return QGuiApplication.palette().color(QPalette.ColorGroup.Disabled, Role.WindowText)
        return QGuiApplication.palette().color(QPalette.ColorGroup.Active, self._role)
