"""The search box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QTextCursor, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QToolButton

from desktop_app.gui.base.icons import Role, make_icon
from desktop_app.gui.base.mime_data import mime_files, mime_sentences
from desktop_app.gui.base.theme import scale_font

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

_PAGE_STEP = 5
_MAX_LINES = 5
_MAX_CHARACTERS = 100_000
_ICON_PX = 18
_SIDE_PX = 34  # room for an icon at each side
_TOP_PX = 6
_PLACEHOLDER_SPARE_PX = 12


class SearchBox(QPlainTextEdit):
    """The query: one line that grows to a few for a pasted paragraph.

    The arrow keys move through the hits while the focus stays here. In a query of several lines, Up and Down first move
    the cursor; Down in the last line goes to the hits, and from then on both keys do until the query is touched again.

    Attributes:
        query_changed: the text changed; carries it.
        moved: the person moves by some hits; carries an int.
        opened: Enter was pressed.
        pasted: files were pasted; carries a list of str.
        recent_wanted: Down was pressed in an empty box, to list earlier queries.
        copied: Copy was pressed while no text is selected.
    """

    query_changed = Signal(str)
    moved = Signal(object)
    opened = Signal()
    copied = Signal()
    recent_wanted = Signal()
    pasted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._before = ""
        self._is_stepping = False  # the arrow keys move through the hits
        self.setObjectName("search")
        self._suggestion = ""
        self._show_placeholder()
        self.setAccessibleName(self.tr("Search"))
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.document().clearUndoRedoStacks()  # the margin is no change of the person
        self.setFont(scale_font(self.font(), 1.1))
        self._glass = self._make_button("search", self.tr("Search"))
        self._glass.clicked.connect(self.setFocus)
        # Qt's own clear button is a heavy dark disc in every theme.
        self._clear = self._make_button("x", self.tr("Clear"))
        self._clear.setToolTip(self.tr("Clear (Esc)"))
        self._clear.clicked.connect(self.clear)
        self._clear.hide()
        self.setViewportMargins(_SIDE_PX, _TOP_PX, _SIDE_PX, _TOP_PX)
        self.textChanged.connect(self._on_text_changed)
        self.cursorPositionChanged.connect(self._leave_hits)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())
        self._fit()

    def _make_button(self, picture: str, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("in_field")
        button.setIcon(make_icon(picture, Role.PlaceholderText))
        button.setIconSize(QSize(_ICON_PX, _ICON_PX))
        button.setAccessibleName(name)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setCursor(Qt.CursorShape.ArrowCursor)
        return button

    # Text

    def text(self) -> str:
        """Return the query."""
        return self.toPlainText()

    def setText(self, text: str) -> None:
        """Replace the query; line breaks become blanks."""
        self.setPlainText(_join_lines(text))
        self.moveCursor(QTextCursor.MoveOperation.End)

    @property
    def suggestion(self) -> str:
        """The suggested query; empty for none."""
        return self._suggestion

    def suggest(self, text: str) -> None:
        """Suggest a query while the box is empty, which the Right arrow key accepts; empty for none."""
        if text != self._suggestion:
            self._suggestion = text
            self._show_placeholder()

    def _show_placeholder(self) -> None:
        room = self.width() - 2 * _SIDE_PX - 2 * self.frameWidth() - _PLACEHOLDER_SPARE_PX
        text = self.tr("Ask a question, paste a sentence, or type words")
        text = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max(room, 0))
        help_text = ""
        if self._suggestion:
            pattern = self.tr("Try “{query}” – press → to search for it")
            help_text = pattern.format(query=self._suggestion)
            measure = self.fontMetrics().horizontalAdvance
            if measure(help_text) > room:
                pattern = self.tr("Try “{query}” →")  # the question matters more than the explanation
            room -= measure(pattern.replace("{query}", ""))
            query = self.fontMetrics().elidedText(self._suggestion, Qt.TextElideMode.ElideRight, max(room, 0))
            text = pattern.format(query=query)
        self.setPlaceholderText(text)
        self.viewport().update()  # Qt 6.11 leaves the former hint on the screen
        self.setAccessibleDescription(help_text)

    def selectedText(self) -> str:
        """Return the selected part of the query."""
        return self.textCursor().selectedText()

    def hasSelectedText(self) -> bool:
        """Return whether a part of the query is selected."""
        return self.textCursor().hasSelection()

    def _on_text_changed(self) -> None:
        self._is_stepping = False
        text = self.text()
        self._clear.setVisible(bool(text))
        if text != self._before:
            self._before = text
            self.query_changed.emit(text)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Return whether text can be dropped here; files are left to the window, which imports them."""
        return not source.hasUrls() and super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert text as one paragraph."""
        if source.hasText():
            self.insertPlainText(_join_lines(mime_sentences(source))[: _MAX_CHARACTERS - len(self.text())])
            self.ensureCursorVisible()

    # Size

    def _fit(self) -> None:
        """Take the height of the query, up to a few lines; more of it scrolls."""
        # The layout of a plain text counts its height in lines.
        lines = round(self.document().size().height())
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if lines > _MAX_LINES else policy.ScrollBarAlwaysOff)
        frame = 2 * self.frameWidth()
        height = min(max(lines, 1), _MAX_LINES) * self.fontMetrics().lineSpacing() + 2 * _TOP_PX + frame
        if height != self.height() or self.minimumHeight() != height:
            self.setFixedHeight(height)
            self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the query again, and place the icons in the first line."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()
            self._show_placeholder()
        row = self.fontMetrics().lineSpacing() + 2 * _TOP_PX + 2 * self.frameWidth()
        for button, left in ((self._glass, 5), (self._clear, self.width() - _SIDE_PX + 3)):
            size = button.sizeHint()
            button.setGeometry(left, (row - size.height()) // 2, size.width(), size.height())

    def changeEvent(self, event: QEvent) -> None:
        """Follow another size of the text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "_clear"):
            self._fit()

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pass the keys for the hits on."""
        key = Qt.Key
        steps = {key.Key_Up: -1, key.Key_Down: 1, key.Key_PageUp: -_PAGE_STEP, key.Key_PageDown: _PAGE_STEP}
        step = steps.get(key(event.key()))
        if event.key() == key.Key_Down and not self.text():
            self.recent_wanted.emit()
        elif event.key() == key.Key_Right and self._suggestion and not self.text():
            self.setText(self._suggestion)
        elif step is not None and self._goes_to_hits(event):
            self._is_stepping = True
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

    def _goes_to_hits(self, event: QKeyEvent) -> bool:
        """Whether an arrow key moves through the hits, and not through the lines of the query."""
        plain = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if event.modifiers() not in plain:
            return False
        if self._is_stepping or round(self.document().size().height()) <= 1:
            return True
        if event.key() != Qt.Key.Key_Down:
            return event.key() == Qt.Key.Key_PageDown
        below = self.textCursor()
        return not below.movePosition(QTextCursor.MoveOperation.Down)

    def _leave_hits(self) -> None:
        self._is_stepping = False


def _join_lines(text: str) -> str:
    """Return a text as one paragraph; blanks within its lines stay."""
    return " ".join(text.split("\n")) if "\n" in text else text


def _clipboard_files() -> list[str]:
    """Return the files and folders on the clipboard."""
    data = QGuiApplication.clipboard().mimeData()
    return mime_files(data) if data is not None else []
