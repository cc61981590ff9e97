"""Paints a cluster in the list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_app.gui.base.icons import paint_icon
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.clusters.model import CLUSTER_ROLE, cluster_colour, cluster_name, describe_cluster_size, is_broad
from desktop_app.gui.widgets.row_delegate import paint_row_background
from desktop_app.gui.widgets.text_layout import flatten_lines

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtWidgets import QAbstractItemView, QWidget

    from desktop_app.core.clusters import Cluster
    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.widgets.item_views import AnyIndex


_PAD_X_PX = 12
_PAD_Y_PX = 6
_SWATCH_PX = 10
_ICON_PX = 13
_MAX_SIZE_SHARE = 0.5  # of the first line, beside a long name


class ClusterDelegate(QStyledItemDelegate):
    """Paints a cluster on two lines: colour, name and size; and its first key sentence. F2 edits the name.

    Of a broad cluster the second line has the names of its clusters.
    """

    def __init__(self, view: QAbstractItemView, themes: ThemeManager) -> None:
        super().__init__(view)
        self._view = view
        self._themes = themes

    @property
    def _fonts(self) -> tuple[QFont, QFont]:
        font = self._view.font()
        return scale_font(font, 1.0, QFont.Weight.DemiBold), scale_font(font, 0.9)

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the size of a row, which is the same for all."""
        name, small = (QFontMetricsF(font).height() for font in self._fonts)
        return QSize(160, round(name + small) + 2 * _PAD_Y_PX + 4)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a row."""
        cluster: Cluster = index.data(CLUSTER_ROLE)
        theme, state = self._themes.theme, QStyle.StateFlag
        rect: QRect = option.rect.adjusted(6, 1, -6, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & state.State_Selected)
        hovered, framed = bool(option.state & state.State_MouseOver), selected and self._view.hasFocus()
        paint_row_background(painter, QRectF(rect), theme, selected=selected, hovered=hovered, framed=framed)
        name_font, small_font = self._fonts
        name, small = QFontMetricsF(name_font), QFontMetricsF(small_font)
        left = rect.left() + _PAD_X_PX
        top = float(rect.top() + _PAD_Y_PX)
        if not is_broad(cluster):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(cluster_colour(cluster.cluster_id, theme.dark))
            painter.drawEllipse(QRectF(left, top + (name.height() - _SWATCH_PX) / 2, _SWATCH_PX, _SWATCH_PX))
            left += _SWATCH_PX + 9
        right = rect.right() - _PAD_X_PX
        if cluster.pinned:
            right -= _ICON_PX + 4
            at = QRect(right + 4, round(top + (name.height() - _ICON_PX) / 2), _ICON_PX, _ICON_PX)
            paint_icon(painter, at, "pin", theme.color("muted"))
        size = describe_cluster_size(cluster)
        beside_name = right - left - _PAD_X_PX - name.horizontalAdvance(flatten_lines(cluster_name(cluster)))
        room = max(_MAX_SIZE_SHARE * (right - left), beside_name)
        while " · " in size and small.horizontalAdvance(size) > room:
            size = size.rpartition(" · ")[0]
        right -= round(small.horizontalAdvance(size))
        painter.setFont(small_font)
        painter.setPen(theme.color("muted"))
        painter.drawText(QPointF(right, top + name.ascent()), size)
        right -= _PAD_X_PX
        painter.setFont(name_font)
        painter.setPen(theme.color("text"))
        text = name.elidedText(flatten_lines(cluster_name(cluster)), Qt.TextElideMode.ElideRight, right - left)
        painter.drawText(QPointF(left, top + name.ascent()), text)
        top += name.height() + 2
        right = rect.right() - _PAD_X_PX
        text = cluster.key_sentences[0].text if cluster.key_sentences else ""
        if is_broad(cluster):
            text = " · ".join(cluster.keywords)
        if text:
            painter.setFont(small_font)
            painter.setPen(theme.color("muted"))
            text = flatten_lines(text)
            text = small.elidedText(text, Qt.TextElideMode.ElideRight, right - left)
            painter.drawText(QPointF(left, top + small.ascent()), text)
        painter.restore()

    # Naming

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> QWidget:
        """Return a field for the name."""
        field = QLineEdit(parent)
        field.setObjectName("title")
        field.setAccessibleName(self.tr("Name of the topic"))
        field.setPlaceholderText(self.tr("Leave empty for an automatic name"))
        field.setMaxLength(200)
        field.setText(index.data(CLUSTER_ROLE).name)
        field.selectAll()
        return field

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Put the field on top of the name."""
        rect: QRect = option.rect
        height = editor.sizeHint().height()
        editor.setGeometry(rect.left() + 6 + _PAD_X_PX + _SWATCH_PX, rect.top() + 4, rect.width() - 48, height)

    def setEditorData(self, editor: QWidget, index: AnyIndex) -> None:
        """Keep the text: Qt calls this at every change of the row, and would overwrite what is being typed."""

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: AnyIndex) -> None:
        """Hand the name to the model; the list changes when the library has stored it."""
        assert isinstance(editor, QLineEdit)
        model.setData(index, editor.text())
