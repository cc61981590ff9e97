"""Hits as cards, those of a document below its name where documents were ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QHelpEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QToolTip

from desktop_app.gui import words
from desktop_app.gui.cards import AnyIndex, CardDelegate
from desktop_app.gui.hits import DOCUMENT_ROLE
from desktop_app.gui.theme import scaled

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel, QEvent

    from desktop_app.core.records import DocumentHit

_ABOVE_PX, _BELOW_PX = 14, 4  # the name of a document
_SIDE_PX = 16
_SPACE_PX = 8


class DocumentCardDelegate(CardDelegate):
    """Paints a document's rank, name and folder above the first of its hits."""

    def _size(self, index: AnyIndex) -> QSize:
        size = super()._size(index)
        if index.data(DOCUMENT_ROLE) is not None:
            size = self._sizes[index.row()] = QSize(size.width(), size.height() + self._head_height())
        return size

    def _head_height(self) -> int:
        return round(QFontMetricsF(self._name_font()).height()) + _ABOVE_PX + _BELOW_PX

    def _name_font(self) -> QFont:
        font = scaled(self._view.font(), 1.07)
        font.setWeight(font.Weight.DemiBold)
        return font

    def _parted(self, option: QStyleOptionViewItem, index: AnyIndex) -> tuple[QRect, QStyleOptionViewItem]:
        """Return where a document's name stands (empty: there is none), and the option for the card below it."""
        if index.data(DOCUMENT_ROLE) is None:
            return QRect(), option
        below = QStyleOptionViewItem(option)
        head = QRect(option.rect)
        head.setHeight(self._head_height())
        below.rect = option.rect.adjusted(0, head.height(), 0, 0)
        return head, below

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a card, below its document's name where it is the first of it."""
        head, below = self._parted(option, index)
        if not head.isEmpty():
            self._paint_head(painter, head, index.data(DOCUMENT_ROLE))
        super().paint(painter, below, index)

    def _paint_head(self, painter: QPainter, head: QRect, document: DocumentHit) -> None:
        theme = self._themes.theme
        card = self._card_rect(head)
        font, small = self._name_font(), scaled(self._view.font(), 0.93)
        name_measure, measure = QFontMetricsF(font), QFontMetricsF(small)
        left, right = card.left() + _SIDE_PX, card.right() - _SIDE_PX
        base = head.top() + _ABOVE_PX + name_measure.ascent()
        painter.save()
        painter.setFont(small)
        painter.setPen(theme.color("muted"))
        rank = words.number(document.rank)
        painter.drawText(round(left), round(base), rank)
        left += measure.horizontalAdvance(rank) + _SPACE_PX
        name = words.document_name(document.title, document.path)
        name = name_measure.elidedText(name, Qt.TextElideMode.ElideMiddle, right - left)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        painter.drawText(round(left), round(base), name)
        painter.restore()

    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Take clicks as if the name were not there."""
        return super().editorEvent(event, model, self._parted(option, index)[1], index)

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Tell where a document lies to a pointer that rests on its name."""
        head, below = self._parted(option, index)
        if event.type() == event.Type.ToolTip and head.contains(event.pos()):
            QToolTip.showText(event.globalPos(), words.tooltip(index.data(DOCUMENT_ROLE).path), view)
            return True
        return super().helpEvent(event, view, below, index)
