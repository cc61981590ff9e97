"""A strip along the scroll bar that shows the positions of the hits in a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from desktop_app.gui.base import display_text
from desktop_app.gui.base.theme import mix_colours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QPaintEvent

    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.reader.model import HeatStripMark

_WIDTH_PX = 10
_MARK_PX = 4
_CLICK_TOLERANCE_PX = 8
_MIN_STRENGTH = 0.25


class HeatStrip(QWidget):
    """Paints a mark for each hit; a click goes to the nearest one.

    Attributes:
        chosen: a mark was clicked; carries its index.
    """

    chosen = Signal(object)

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self.marks: tuple[HeatStripMark, ...] = ()
        self.setFixedWidth(_WIDTH_PX)
        self.setAccessibleName(self.tr("Results in this document"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        themes.changed.connect(self.update)
        self.hide()

    def show_marks(self, marks: Sequence[HeatStripMark]) -> None:
        """Show the positions of hits; a single hit needs no strip."""
        marks = tuple(marks)
        if marks != self.marks:
            self.marks = marks
            self.setAccessibleDescription(display_text.count_sentences(len(marks)))
            self.update()
        self.setVisible(len(marks) > 1)

    def y_of(self, mark: HeatStripMark) -> float:
        """Return the position of a mark, in pixels from the top."""
        return _MARK_PX + mark.share * max(self.height() - 2 * _MARK_PX, 1)

    def at(self, y: float) -> int | None:
        """Return the index of the mark near a height; None if there is none."""
        near = [(abs(self.y_of(mark) - y), index) for index, mark in enumerate(self.marks)]
        away, index = min(near, default=(_CLICK_TOLERANCE_PX + 1.0, 0))
        return index if away <= _CLICK_TOLERANCE_PX else None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the marks, faint ones first, the current one last."""
        theme = self._themes.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.color("panel"))
        painter.setPen(Qt.PenStyle.NoPen)
        for mark in sorted(self.marks, key=lambda each: (each.is_current, each.strength)):
            share = 1.0 if mark.is_current else _MIN_STRENGTH + (0.8 - _MIN_STRENGTH) * mark.strength
            painter.setBrush(mix_colours(theme.color("panel"), theme.color("accent"), share))
            side = 0.0 if mark.is_current else 2.0
            height = _MARK_PX if mark.is_current else _MARK_PX - 1
            painter.drawRoundedRect(
                QRectF(side, self.y_of(mark) - height / 2, self.width() - 2 * side, height), 1.5, 1.5
            )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to a mark."""
        index = self.at(event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and index is not None:
            self.chosen.emit(index)

    def event(self, event: QEvent) -> bool:
        """Show the sentence of the mark under the pointer as a tooltip."""
        if isinstance(event, QHelpEvent) and event.type() == QHelpEvent.Type.ToolTip:
            index = self.at(event.pos().y())
            QToolTip.showText(
                event.globalPos(), display_text.make_tooltip(self.marks[index].text) if index is not None else "", self
            )
            return True
        return super().event(event)
