"""Files and texts that are dropped or pasted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QFont, QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from desktop_app.gui.base import display_text
from desktop_app.gui.base.mime_data import accept_as_copy, mime_files, mime_text
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.drop_overlay import DropOverlay
from desktop_app.gui.widgets.fields import CheckBox
from desktop_app.gui.widgets.labels import ElidedLabel, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size

if TYPE_CHECKING:
    from desktop_app.gui.base.window_context import WindowContext

PASTED_TEXTS_FOLDER = "Pasted texts"

_MAX_SHOWN_CHARACTERS = 20_000  # characters; nobody reads more here
_MAX_QUERY_CHARACTERS = 2000
_MARKDOWN_PATTERN = re.compile(r"^(#{1,6} \S|```|\s*[-*] \S|\d+\. \S|> )|\[[^\]\n]+\]\([^)\n]+\)", re.MULTILINE)


class DropAndPasteController(QObject):
    """Handles drops anywhere on the window, and pastes outside of text fields.

    Files are imported. A text is saved to a file of its own if the person confirms.
    """

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._context = context
        self._folder = context.paths.data / PASTED_TEXTS_FOLDER
        self.hint = DropOverlay(context.widget)
        context.widget.setAcceptDrops(True)
        context.widget.installEventFilter(self)
        context.actions.bind({"library.paste": self.paste})

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accept files, folders and texts anywhere on the window."""
        kind = event.type()
        if kind == QEvent.Type.DragLeave:
            self.hint.hide()
        elif kind == QEvent.Type.Drop and isinstance(event, QDropEvent):
            self.hint.hide()
            return self._drop(event)
        elif kind in (QEvent.Type.DragEnter, QEvent.Type.DragMove) and isinstance(event, QDragMoveEvent):
            if not _accepts_drop(event):
                return False
            event.acceptProposedAction()
            if isinstance(event, QDragEnterEvent):
                is_text = not mime_files(event.mimeData())
                self.hint.show_overlay(self.tr("Drop to save this text") if is_text else self.tr("Drop to import"))
            return True
        return False

    def _drop(self, event: QDropEvent) -> bool:
        if not _accepts_drop(event):
            return False
        accept_as_copy(event)
        self._take(event.mimeData())
        return True

    def paste(self) -> None:
        """Import the contents of the clipboard."""
        data = QGuiApplication.clipboard().mimeData()
        if data is None or not self._take(data):
            self._context.tell(self.tr("The clipboard has no files or text."))

    def _take(self, data: QMimeData) -> bool:
        if paths := mime_files(data):
            self._context.navigator.import_files.emit(paths)
        elif text := mime_text(data):
            self.offer(text)
        else:
            return False
        return True

    def offer(self, text: str) -> None:
        """Ask whether to keep a text as a document."""
        dialog = PastedTextDialog(text, str(self._folder), self._context.widget)
        dialog.accepted_text.connect(lambda markdown: self._keep(text, bool(markdown)))
        dialog.searched.connect(self._context.navigator.search_for)
        dialog.open()

    def _keep(self, text: str, markdown: bool) -> None:
        context = self._context
        job = context.session.workspace.imports.save_text(self._folder, text, markdown=markdown)
        context.session.bridge.call(
            job, self, lambda path: context.navigator.import_files.emit([path]), on_error=context.tell_error
        )


def _accepts_drop(event: QDropEvent) -> bool:
    data = event.mimeData()
    # A hit that is dragged out of this window is meant for another program.
    return bool(mime_files(data)) or (event.source() is None and bool(mime_text(data)))


class PastedTextDialog(QDialog):
    """Shows a text and offers to keep it as a document, or to search for it.

    Attributes:
        accepted_text: the text is to be kept; carries whether it is Markdown.
        searched: the text is to be searched for; carries it.
    """

    accepted_text = Signal(object)
    searched = Signal(str)

    def __init__(self, text: str, folder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Save text"))
        self.setAccessibleName(self.tr("Save text"))
        title = make_label(
            self.tr("Save clipboard text as a document?"),
            factor=1.2,
            weight=QFont.Weight.DemiBold,
            name=self.tr("Question"),
        )
        count = self.tr("%Ln words", "", len(text.split()))
        about = make_label(count, tone="muted", factor=0.93, name=self.tr("Length"))
        self.preview = QPlainTextEdit()
        self.preview.setAccessibleName(self.tr("The text"))
        self.preview.setReadOnly(True)
        self.preview.setTabChangesFocus(True)
        self.preview.setPlainText(text[:_MAX_SHOWN_CHARACTERS] + (" …" if len(text) > _MAX_SHOWN_CHARACTERS else ""))
        self.markdown = CheckBox(self.tr("Treat as &Markdown"))
        self.markdown.setChecked(len(_MARKDOWN_PATTERN.findall(text[:_MAX_SHOWN_CHARACTERS])) >= 2)
        place = ElidedLabel(self.tr("Location"), "muted", Qt.TextElideMode.ElideMiddle)
        place.setText(self.tr("It is saved as a file in {folder}").format(folder=folder))
        place.setToolTip(display_text.make_tooltip(folder))

        self.keep = make_push_button(self.tr("&Save"), tone="primary")
        self.keep.setDefault(True)
        self.search = make_push_button(self.tr("&Search for It"), picture="search")
        self.search.setVisible(len(text) <= _MAX_QUERY_CHARACTERS)
        self.leave = make_push_button(self.tr("Cancel"))
        row = make_row(self.search, "stretch", self.leave, self.keep, spacing=10)
        make_column(
            title,
            about,
            (self.preview, 1),
            self.markdown,
            place,
            4,
            row,
            parent=self,
            margins=(20, 18, 20, 16),
            spacing=10,
        )
        set_initial_size(self, 560, 400)
        self.keep.clicked.connect(self._on_keep)
        self.search.clicked.connect(self._on_search)
        self.leave.clicked.connect(self.reject)
        self.keep.setFocus()

    def _on_keep(self) -> None:
        self.accepted_text.emit(self.markdown.isChecked())
        self.accept()

    def _on_search(self) -> None:
        self.searched.emit(self._text)
        self.accept()
