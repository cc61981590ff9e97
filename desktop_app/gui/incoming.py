"""What comes in from outside: files and texts that are dropped or pasted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication

from desktop_app.gui.widgets import DropHint

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from desktop_app.gui.session import Session

PASTED_TEXTS = "Pasted texts"


class Incoming(QObject):
    """Takes what is dropped anywhere on a window, and what is pasted outside of text fields.

    Files are imported. A text has no file: it is kept in one of the library's own, when a person says so.

    Attributes:
        files: paths to import; carries a list of str.
        searched: a text is to be searched for instead; carries it.
        told: something to say in one line; carries it.
        failed: a text could not be kept; carries the exception.
    """

    files = Signal(object)
    searched = Signal(object)
    told = Signal(object)
    failed = Signal(object)

    def __init__(self, window: QWidget, session: Session, data: Path) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._folder = data / PASTED_TEXTS
        self.hint = DropHint(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take files, folders and texts, anywhere on the window."""
        kind = event.type()
        if kind == QEvent.Type.DragLeave:
            self.hint.hide()
        elif kind == QEvent.Type.Drop and isinstance(event, QDropEvent):
            self.hint.hide()
            return self._drop(event)
        elif kind in (QEvent.Type.DragEnter, QEvent.Type.DragMove) and isinstance(event, QDragMoveEvent):
            if not _is_wanted(event):
                return False
            event.acceptProposedAction()
            if isinstance(event, QDragEnterEvent):
                is_text = not files_in(event.mimeData())
                self.hint.appear(self.tr("Drop to keep this text") if is_text else self.tr("Drop to import"))
            return True
        return False

    def _drop(self, event: QDropEvent) -> bool:
        if not _is_wanted(event):
            return False
        # A move would have the file manager delete what it believes to have been moved.
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self._take(event.mimeData())
        return True

    def paste(self) -> None:
        """Take what is on the clipboard."""
        data = QGuiApplication.clipboard().mimeData()
        if data is None or not self._take(data):
            self.told.emit(self.tr("There is neither a file nor a text on the clipboard."))

    def _take(self, data: QMimeData) -> bool:
        if paths := files_in(data):
            self.files.emit(paths)
        elif text := text_in(data):
            self.offer(text)
        else:
            return False
        return True

    def offer(self, text: str) -> None:
        """Ask whether a text is to be kept: nothing becomes a document that nobody meant to be one."""
        from desktop_app.gui.dialogs.keep_text import KeepTextDialog

        dialog = KeepTextDialog(text, str(self._folder), self._window)
        dialog.kept.connect(lambda markdown: self._keep(text, bool(markdown)))
        dialog.searched.connect(self.searched)
        dialog.open()

    def _keep(self, text: str, markdown: bool) -> None:
        job = self._session.workspace.keep_text(self._folder, text, markdown=markdown)
        self._session.bridge.call(job, self, lambda path: self.files.emit([path]), on_error=self.failed.emit)


def files_in(data: QMimeData) -> list[str]:
    """Return the files and folders of a drag or of the clipboard."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


def text_in(data: QMimeData) -> str:
    """Return the text of a drag or of the clipboard; none where it only names files or addresses."""
    return data.text() if data.hasText() and not data.hasUrls() and data.text().strip() else ""


def _is_wanted(event: QDropEvent) -> bool:
    data = event.mimeData()
    # What is dragged out of this window, a hit with its citation, is on its way to another program.
    return bool(files_in(data)) or (event.source() is None and bool(text_in(data)))
