"""Covers a window while files are held above it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QWidget

from desktop_app.gui.base.icons import Role, make_icon
from desktop_app.gui.base.theme import scale_font


class DropOverlay(QWidget):
    """Covers the window while files are held above it."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(self.tr("Drop to import"))
        over.installEventFilter(self)
        self._text = ""
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the window."""
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return False

    def show_overlay(self, text: str = "") -> None:
        """Show the overlay on top; `text` says what a drop does."""
        self._text = text or self.tr("Drop to import")
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a veil, a dashed frame and the text."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = self.palette().color(QPalette.ColorRole.Window)
        veil.setAlphaF(0.94)
        painter.fillRect(self.rect(), veil)
        accent = self.palette().color(QPalette.ColorRole.Accent)
        pen = QPen(accent, 2, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(16, 16, -16, -16), 14, 14)
        middle = self.rect().center()
        make_icon("inbox", Role.Accent).paint(painter, middle.x() - 24, middle.y() - 56, 48, 48)
        painter.setFont(scale_font(self.font(), 1.45, QFont.Weight.DemiBold))
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        below = self.rect().adjusted(0, 44, 0, 44)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, self._text)
