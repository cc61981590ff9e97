"""The search box."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QToolButton

from desktop_app.gui.base.icons import Role, make_icon
from desktop_app.gui.base.theme import scale_font

_PAGE_STEP = 5


class SearchBox(QLineEdit):
    """A line for the query; the arrow keys move through the hits while the focus stays here.

    Attributes:
        moved: the person moves by some hits; carries an int.
        opened: Enter was pressed.
        pasted: files were pasted; carries a list of str.
        recent_wanted: Down was pressed in an empty box, to list earlier queries.
        copied: Copy was pressed while no text is selected.
    """

    moved = Signal(object)
    opened = Signal()
    copied = Signal()
    recent_wanted = Signal()
    pasted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("search")
        self.setPlaceholderText(self.tr("Ask a question, paste a sentence, or type words"))
        self.setAccessibleName(self.tr("Search"))
        self.setMaxLength(100_000)
        self.addAction(make_icon("search", Role.PlaceholderText), QLineEdit.ActionPosition.LeadingPosition)
        # Qt's own clear button is a heavy dark disc in every theme.
        clear = self.addAction(make_icon("x", Role.PlaceholderText), QLineEdit.ActionPosition.TrailingPosition)
        clear.setToolTip(self.tr("Clear (Esc)"))
        clear.setText(self.tr("Clear"))
        clear.setVisible(False)
        clear.triggered.connect(self.clear)
        self.textChanged.connect(lambda text: clear.setVisible(bool(text)))
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear") if button.defaultAction() is clear else self.tr("Search"))
        self.setFont(scale_font(self.font(), 1.1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pass the keys for the hits on."""
        key = Qt.Key
        steps = {key.Key_Up: -1, key.Key_Down: 1, key.Key_PageUp: -_PAGE_STEP, key.Key_PageDown: _PAGE_STEP}
        step = steps.get(key(event.key()))
        if event.key() == key.Key_Down and not self.text():
            self.recent_wanted.emit()
        elif step is not None and event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        ):
            self.moved.emit(step)
        elif event.key() in (key.Key_Return, key.Key_Enter):
            self.opened.emit()
        elif event.key() == key.Key_Escape and self.text():
            self.clear()
        elif event.matches(QKeySequence.StandardKey.Copy) and not self.hasSelectedText():
            self.copied.emit()
        elif event.matches(QKeySequence.StandardKey.Paste) and (paths := _clipboard_files()):
            self.pasted.emit(paths)
        else:
            super().keyPressEvent(event)

    # Dropped files carry their names as text; the window imports the files, and the box must not take the names.

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Leave files to the window."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Leave files to the window."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dragMoveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Leave files to the window."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dropEvent(event)


def _clipboard_files() -> list[str]:
    """Return the files and folders on the clipboard."""
    data = QGuiApplication.clipboard().mimeData()
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()] if data is not None else []
