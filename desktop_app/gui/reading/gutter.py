"""What stands beside a text: the rows of a table, the times of subtitles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

from desktop_app.gui import words
from desktop_app.gui.theme import scaled

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QPlainTextEdit

    from desktop_app.core.records import Place
    from desktop_app.gui.theme import ThemeManager

_AWAY_PX = 10
_SIZE = 0.85


class Gutter(QWidget):
    """Labels of a text's paragraphs, painted in its left margin; nothing where there are none."""

    def __init__(self, view: QPlainTextEdit, themes: ThemeManager) -> None:
        super().__init__(view)
        self._view = view
        self._themes = themes
        self._labels: dict[int, str] = {}
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(self.tr("Rows or times"))
        view.updateRequest.connect(self.update)
        themes.changed.connect(self.update)

    def clear(self) -> None:
        """Have no labels."""
        self._labels.clear()
        self.update()

    def label(self, block: int, place: Place) -> None:
        """Say beside the text's block with this number where it stands in its file."""
        if place.unit == "row":
            self._labels[block] = words.number(place.start)
        elif place.unit == "ms":
            self._labels[block] = words.clock(place.start)

    def text_at(self, block: int) -> str:
        """Return what stands beside a block."""
        return self._labels.get(block, "")

    @property
    def room(self) -> int:
        """Pixels that the labels need; 0 where there are none."""
        if not self._labels:
            return 0
        measure = QFontMetricsF(scaled(self._view.font(), _SIZE))
        return round(max(map(measure.horizontalAdvance, self._labels.values()))) + 2 * _AWAY_PX

    def lie_beside(self, viewport: QRect) -> None:
        """Take the place at the left of the text."""
        self.setGeometry(QRect(0, viewport.top(), viewport.left(), viewport.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the labels of what is in sight."""
        if not self._labels:
            return
        view = self._view
        painter = QPainter(self)
        font = scaled(view.font(), _SIZE)
        painter.setFont(font)
        painter.setPen(self._themes.theme.color("muted"))
        measure = QFontMetricsF(font)
        block = view.firstVisibleBlock()
        while block.isValid():
            rect = view.blockBoundingGeometry(block).translated(view.contentOffset())
            if rect.top() > self.height():
                break
            if text := self._labels.get(block.blockNumber()):
                line = block.layout().lineAt(0)
                ascent = line.ascent() if line.isValid() else measure.ascent()
                left = self.width() - _AWAY_PX - measure.horizontalAdvance(text)
                painter.drawText(QPointF(left, rect.top() + ascent), text)
            block = block.next()
        painter.end()
