"""Paints documents as two lines: title and state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLineEdit, QStyleOptionViewItem, QWidget

from desktop_app.core.formats import find_format
from desktop_app.gui.base import display_text
from desktop_app.gui.library.model import DOCUMENT_ROLE, FOLDER_ROLE, MISSING_ROLE, PROGRESS_ROLE, TAGS_ROLE
from desktop_app.gui.widgets.row_delegate import ICON_PX, MARGIN_PX, PAD_PX, RowDelegate

if TYPE_CHECKING:
    from desktop_app.core.jobs import Progress
    from desktop_app.core.records import Document
    from desktop_app.gui.library.folder_tree import FolderNode

AnyIndex = QModelIndex | QPersistentModelIndex

_BAR_PX = 3


def document_icon_and_tone(document: Document) -> tuple[str, str]:
    """Return the icon of a document's state, and the theme colour of icon and text."""
    if document.state == "failed":
        return "circle-alert", "bad"
    if document.state == "queued":
        return "clock", "muted"
    if document.state in ("reading", "embedding"):
        return "loader-circle", "accent"
    return find_format(document.type).icon, "muted"


class DocumentDelegate(RowDelegate):
    """Paints the name of a document or folder and its state, with a thin bar while it is read."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a row."""
        folder: FolderNode | None = index.data(FOLDER_ROLE)
        rect: QRect = option.rect.adjusted(0, 1, -MARGIN_PX, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if folder is not None:
            state = display_text.describe_folder_state(folder.documents, folder.failed)
            self.paint_lines(painter, rect, "folder", "muted", folder.name, state)
        else:
            document: Document = index.data(DOCUMENT_ROLE)
            progress: Progress | None = index.data(PROGRESS_ROLE)
            name, tone = document_icon_and_tone(document)
            state = display_text.describe_document_state(document, progress)
            if index.data(MISSING_ROLE):
                name, tone, state = "triangle-alert", "bad", display_text.describe_missing_file(document)
            title = index.data(Qt.ItemDataRole.DisplayRole)
            inner = self.paint_lines(painter, rect, name, tone, title, state, index.data(TAGS_ROLE) or ())
            if document.state == "reading" and progress is not None and progress.page and progress.page_count:
                self._paint_bar(painter, inner, progress.page / progress.page_count)
        painter.restore()

    def _paint_bar(self, painter: QPainter, inner: QRect, share: float) -> None:
        theme = self._themes.theme
        bar = QRectF(inner.left(), inner.bottom() - _BAR_PX, inner.width(), _BAR_PX)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("track"))
        painter.drawRoundedRect(bar, _BAR_PX / 2, _BAR_PX / 2)
        bar.setWidth(inner.width() * min(share, 1.0))
        painter.setBrush(theme.color("accent"))
        painter.drawRoundedRect(bar, _BAR_PX / 2, _BAR_PX / 2)

    # Renaming

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> QWidget:
        """Return a field that holds the title."""
        field = QLineEdit(index.data(Qt.ItemDataRole.EditRole), parent)
        field.setObjectName("title")
        field.setAccessibleName(display_text.translate("rows", "Title"))
        field.setPlaceholderText(display_text.translate("rows", "The title in the file"))
        field.setMaxLength(500)
        return field

    def setEditorData(self, editor: QWidget, index: AnyIndex) -> None:
        """Keep the text: Qt calls this at every change of the row, and would overwrite what is being typed."""

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Place the field over name and state."""
        row = option.rect
        left = row.left() + PAD_PX + ICON_PX
        editor.setGeometry(left, row.top() + 3, row.right() - left - MARGIN_PX, row.height() - 6)
