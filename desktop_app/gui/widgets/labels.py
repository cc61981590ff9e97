"""Labels of plain text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolTip, QWidget

from desktop_app.gui.base import display_text
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.widgets.text_layout import name_elide_mode


def make_label(
    text: str = "",
    *,
    name: str = "",
    tone: str = "",
    factor: float = 1.0,
    weight: QFont.Weight = QFont.Weight.Normal,
    wrap: bool = False,
) -> QLabel:
    """Return a label that shows its text without markup; `name` is for screen readers."""
    result = QLabel(text)
    result.setAccessibleName(name)
    result.setTextFormat(Qt.TextFormat.PlainText)
    result.setWordWrap(wrap)
    if tone:
        result.setProperty("tone", tone)
    if factor != 1.0 or weight != QFont.Weight.Normal:
        result.setFont(scale_font(result.font(), factor, weight))
    return result


def make_heading(text: str, factor: float = 1.2) -> QLabel:
    """Return a label that is larger than others."""
    return make_label(text, name=text, factor=factor, weight=QFont.Weight.DemiBold)


def set_tone(widget: QWidget, tone: str) -> None:
    """Change the colours of a widget to those of another tone; empty for the usual ones."""
    if widget.property("tone") != tone:
        widget.setProperty("tone", tone)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class ElidedLabel(QLabel):
    """One line of plain text, elided with … if it does not fit.

    Args:
        name: for screen readers.
        tone: name of its colour.
        mode: where to elide; None to elide like the name of a document.
    """

    def __init__(self, name: str, tone: str = "", mode: Qt.TextElideMode | None = Qt.TextElideMode.ElideRight) -> None:
        super().__init__()
        self._full = ""
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        if tone:
            self.setProperty("tone", tone)

    def setText(self, text: str) -> None:
        """Show `text`."""
        if text == self._full:
            return
        self._full = text
        super().setText(text)
        self.setAccessibleDescription(text)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Show the whole text in a tip if it is elided and has no other tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and not self.toolTip():
            is_cut = self.fontMetrics().horizontalAdvance(self._full) > self.contentsRect().width()
            QToolTip.showText(event.globalPos(), display_text.make_tooltip(self._full) if is_cut else "", self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what fits."""
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.setFont(self.font())
        inner = self.contentsRect()
        mode = self._mode if self._mode is not None else name_elide_mode(self._full)
        text = self.fontMetrics().elidedText(self._full, mode, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
