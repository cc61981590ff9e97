"""A short list of the sentences nearest to a text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QHelpEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStackedLayout,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from desktop_app.gui.base import display_text
from desktop_app.gui.base.theme import ThemeManager, scale_font
from desktop_app.gui.results.hit_model import HIT_ROLE, NAME_ROLE, HitModel
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.menus import make_popup_menu
from desktop_app.gui.widgets.row_delegate import paint_row_background
from desktop_app.gui.widgets.text_layout import flatten_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.records import Hit
    from desktop_app.engine.requests import SearchResult
    from desktop_app.gui.widgets.item_views import AnyIndex


NEAREST_ROWS = 4
_PAD_X_PX = 8
_PAD_Y_PX = 5


class _NearestRowDelegate(QStyledItemDelegate):
    """Paints a hit on two lines: score and sentence, and its location."""

    def __init__(self, view: QAbstractItemView, themes: ThemeManager) -> None:
        super().__init__(view)
        self._view = view
        self._themes = themes

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the size of a row: the same for all."""
        font = self._view.font()
        lines = QFontMetricsF(font).height() + QFontMetricsF(scale_font(font, 0.88)).height()
        return QSize(120, round(lines) + 2 * _PAD_Y_PX + 2)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a row."""
        hit: Hit = index.data(HIT_ROLE)
        theme, state = self._themes.theme, QStyle.StateFlag
        selected = bool(option.state & state.State_Selected) and self._view.hasFocus()
        rect: QRect = option.rect.adjusted(0, 1, -1, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        hovered = bool(option.state & state.State_MouseOver)
        paint_row_background(painter, QRectF(rect), theme, selected=selected, hovered=hovered, framed=selected)
        font, bold, small = self._view.font(), scale_font(self._view.font(), 1.0), scale_font(self._view.font(), 0.88)
        bold.setWeight(bold.Weight.DemiBold)
        bold.setFeature(QFont.Tag("tnum"), 1)
        measure, tight = QFontMetricsF(font), QFontMetricsF(small)
        score_width = QFontMetricsF(bold).horizontalAdvance("\N{MINUS SIGN}0.00") + 6
        left = rect.left() + _PAD_X_PX
        baseline = rect.top() + _PAD_Y_PX + measure.ascent()
        painter.setFont(bold)
        painter.setPen(theme.color("accent"))
        painter.drawText(QPointF(left, baseline), display_text.format_score(hit.score))
        inner = rect.right() - _PAD_X_PX - left - score_width
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        text = measure.elidedText(flatten_lines(hit.text), Qt.TextElideMode.ElideRight, inner)
        painter.drawText(QPointF(left + score_width, baseline), text)
        painter.setFont(small)
        painter.setPen(theme.color("muted"))
        source = " · ".join(part for part in (index.data(NAME_ROLE), display_text.format_location(hit)) if part)
        source = tight.elidedText(source, Qt.TextElideMode.ElideMiddle, inner)
        painter.drawText(QPointF(left + score_width, baseline + measure.descent() + tight.ascent() + 1), source)
        painter.restore()

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Show the whole sentence in a tip."""
        if event.type() != QEvent.Type.ToolTip or not index.isValid():
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(
            event.globalPos(), display_text.make_tooltip(display_text.cite_hit(index.data(HIT_ROLE))), view
        )
        return True


class NearestList(QWidget):
    """Shows the rows, or a message in their place.

    Attributes:
        chosen: a row was clicked, or Enter pressed on it; carries the Hit.
        opened: the person opens the document; carries the Hit.
    """

    chosen = Signal(object)
    opened = Signal(object)

    def __init__(self, name: str, themes: ThemeManager) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.model = HitModel(self)
        self.view = QListView()
        self.view.setObjectName("near")
        self.view.setAccessibleName(name)
        self.view.setModel(self.model)
        self.view.setItemDelegate(_NearestRowDelegate(self.view, themes))
        self.view.setUniformItemSizes(True)
        self.view.setMouseTracking(True)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.view.clicked.connect(lambda index: self.chosen.emit(self.model.hit(index)))
        self.view.installEventFilter(self)
        self.message = make_label(tone="muted", wrap=True, name=name)
        self.message.setContentsMargins(_PAD_X_PX, _PAD_Y_PX, _PAD_X_PX, 0)
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.message)
        self._stack.addWidget(self.view)
        row = self.view.itemDelegate().sizeHint(QStyleOptionViewItem(), QModelIndex()).height()
        self.setMinimumHeight(2 * row)
        self.view.setMinimumWidth(180)

    def show_result(self, result: SearchResult) -> None:
        """Show the hits of a search."""
        self.model.show(result)
        if not self.view.currentIndex().isValid():
            self.view.setCurrentIndex(self.model.index(0))
        self._stack.setCurrentWidget(self.view)

    def show_hits(self, result: SearchResult, hits: Sequence[Hit]) -> None:
        """Show some of the hits of a search."""
        self.show_result(replace(result, hits=tuple(hits), found=result.found[: len(hits)]))

    def say(self, text: str) -> None:
        """Show a message in place of rows."""
        self.model.clear()
        self.message.setText(text)
        self._stack.setCurrentWidget(self.message)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Treat Enter as a click; on some systems lists do not."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            index = self.view.currentIndex()
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
                hit = self.model.hit(index)
                by_control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
                (self.opened if by_control else self.chosen).emit(hit)
                return True
        return False

    def _show_menu(self, at: QPoint) -> None:
        index = self.view.indexAt(at)
        if not index.isValid():
            return
        hit = self.model.hit(index)
        menu = make_popup_menu(self, self.tr("Sentence"))
        menu.addAction(self.tr("&Compare with This"), lambda: self.chosen.emit(hit))
        menu.addAction(self.tr("&Open Document"), lambda: self.opened.emit(hit))
        menu.popup(self.view.viewport().mapToGlobal(at))
