"""Documents painted as two lines: what it is called, and how it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_app.gui import words
from desktop_app.gui.documents import DOCUMENT_ROLE, PROGRESS_ROLE
from desktop_app.gui.icons import paint_icon
from desktop_app.gui.theme import ThemeManager, scaled

if TYPE_CHECKING:
    from desktop_app.core.jobs import Progress
    from desktop_app.core.records import Document

AnyIndex = QModelIndex | QPersistentModelIndex

_MARGIN_PX = 6
_PAD_PX = 8
_ICON_PX = 18
_BAR_PX = 3


def icon_and_tone(document: Document) -> tuple[str, str]:
    """Return the icon of a document's state, and the theme colour of icon and words."""
    if document.state == "failed":
        return "circle-alert", "bad"
    if document.state == "queued":
        return "clock", "muted"
    if document.state in ("reading", "embedding"):
        return "loader-circle", "accent"
    return ("file-code" if document.type == "markdown" else "file-text"), "muted"


class DocumentDelegate(QStyledItemDelegate):
    """Paints a document's name and, below it, its state in words; a thin bar while it is read."""

    def __init__(self, view: QAbstractItemView, themes: ThemeManager) -> None:
        super().__init__(view)
        self._view = view
        self._themes = themes

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the size of a row: the same for all."""
        font = self._view.font()
        lines = QFontMetricsF(font).height() + QFontMetricsF(scaled(font, 0.88)).height()
        return QSize(160, round(lines) + 2 * _PAD_PX + 1)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a row."""
        document: Document = index.data(DOCUMENT_ROLE)
        progress: Progress | None = index.data(PROGRESS_ROLE)
        theme = self._themes.theme
        rect: QRect = option.rect.adjusted(_MARGIN_PX, 1, -_MARGIN_PX, -1)
        state = QStyle.StateFlag
        selected = bool(option.state & state.State_Selected)
        hovered = bool(option.state & state.State_MouseOver)
        focused = bool(option.state & state.State_HasFocus)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if selected or hovered or focused:
            painter.setPen(theme.color("accent") if focused else Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("soft" if selected else "hover" if hovered else "panel"))
            painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7)

        name, tone = icon_and_tone(document)
        at = QRect(rect.left() + _PAD_PX, rect.center().y() - _ICON_PX // 2, _ICON_PX, _ICON_PX)
        paint_icon(painter, at, name, theme.color(tone))

        font = self._view.font()
        small_font = scaled(font, 0.88)
        measure, small = QFontMetricsF(font), QFontMetricsF(small_font)
        left = at.right() + 1 + _PAD_PX
        inner = rect.right() - _PAD_PX - left
        baseline = rect.center().y() + 0.5 - (measure.height() + small.height()) / 2 + measure.ascent()
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        title = index.data(Qt.ItemDataRole.DisplayRole)
        painter.drawText(QPointF(left, baseline), measure.elidedText(title, Qt.TextElideMode.ElideMiddle, inner))
        painter.setFont(small_font)
        painter.setPen(theme.color("bad" if tone == "bad" else "accent" if tone == "accent" else "muted"))
        line = small.elidedText(words.document_state(document, progress), Qt.TextElideMode.ElideRight, inner)
        painter.drawText(QPointF(left, baseline + measure.descent() + small.ascent() + 1), line)

        if document.state == "reading" and progress is not None and progress.page and progress.page_count:
            bar = QRectF(left, rect.bottom() - _BAR_PX - 1, inner, _BAR_PX)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("track"))
            painter.drawRoundedRect(bar, _BAR_PX / 2, _BAR_PX / 2)
            bar.setWidth(inner * min(progress.page / progress.page_count, 1.0))
            painter.setBrush(theme.color("accent"))
            painter.drawRoundedRect(bar, _BAR_PX / 2, _BAR_PX / 2)
        painter.restore()
