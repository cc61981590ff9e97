"""The sentence at hand of the extraction view, with what can be done about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QGridLayout, QPlainTextEdit, QVBoxLayout

from desktop_app.gui import words
from desktop_app.gui.dialogs.buttons import push_button
from desktop_app.gui.widgets import ElidedLabel

if TYPE_CHECKING:
    from desktop_app.core.reading import PageNote
    from desktop_app.core.records import Occurrence

_LINES = 3
_SIDE_PX = 12


class SentenceField(QPlainTextEdit):
    """A sentence to be read, with a caret in it.

    Attributes:
        stepped: another sentence is wanted; carries +1 or -1.
    """

    stepped = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setAccessibleName(self.tr("The chosen sentence"))
        self.setFixedHeight(_LINES * self.fontMetrics().lineSpacing() + 18)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next or previous sentence with Ctrl and an arrow."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and Qt.Key(event.key()) in steps:
            self.stepped.emit(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


class ExtractionBar(QFrame):
    """Shows the chosen sentence; a caret in it says where it is split.

    Attributes:
        field: the sentence.
        merge: button; so are `split`, `ignore` and `undo`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "notice")
        self.setAccessibleName(self.tr("Extraction"))
        self.about = ElidedLabel(self.tr("What the page and the sentence are"), "muted")
        self.field = SentenceField()
        self.merge = push_button(self.tr("&Merge"), self.tr("Merge with the next sentence"))
        self.merge.setToolTip(self.tr("Make one sentence of this one and the next (Ctrl+Alt+M)"))
        self.split = push_button(self.tr("&Split"), self.tr("Split at the caret"))
        self.split.setToolTip(self.tr("Let a new sentence begin at the word with the caret (Ctrl+Alt+S)"))
        self.ignore = push_button(self.tr("&Ignore"), self.tr("Leave the sentence out"))
        self.ignore.setToolTip(self.tr("Leave it out of the library, wherever it stands in this document (Ctrl+Alt+I)"))
        self.undo = push_button(self.tr("&Undo"), self.tr("Undo the last correction"))
        self.undo.setToolTip(self.tr("Undo the last correction of this document (Ctrl+Alt+Z)"))
        self._buttons = QGridLayout()
        self._buttons.setSpacing(6)
        self._is_narrow: bool | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(_SIDE_PX, 8, _SIDE_PX, 10)
        column.setSpacing(6)
        column.addWidget(self.about)
        column.addWidget(self.field)
        column.addLayout(self._buttons)
        self._lay_out(narrow=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons into two rows where there is no room for one."""
        super().resizeEvent(event)
        room = self.contentsRect().width() - 2 * _SIDE_PX
        wanted = sum(each.sizeHint().width() + 6 for each in (self.merge, self.split, self.ignore, self.undo))
        self._lay_out(narrow=room < wanted)

    def _lay_out(self, *, narrow: bool) -> None:
        if narrow == self._is_narrow:
            return
        self._is_narrow = narrow
        places = ((0, 0), (0, 1), (1, 0), (1, 1)) if narrow else ((0, 0), (0, 1), (0, 2), (0, 4))
        for button, place in zip((self.merge, self.split, self.ignore, self.undo), places, strict=True):
            self._buttons.addWidget(button, *place)
        self._buttons.setColumnStretch(3, 0 if narrow else 1)

    def show_sentence(self, sentence: Occurrence | None, note: PageNote | None, *, busy: bool, undoable: int) -> None:
        """Show a sentence, what became of its page, and what can be done."""
        text = sentence.text if sentence is not None else ""
        if self.field.toPlainText() != text:
            self.field.setPlainText(text)
        self.field.setPlaceholderText(self.tr("Click a sentence, or go through them with Ctrl+Down and Ctrl+Up"))
        parts = []
        if note is not None:
            page = words.translate("words", "p. {page}").format(page=words.number(note.page))
            parts.append(f"{page}: {words.page_state(note)}")
        if sentence is not None:
            parts.append(words.span_kind(sentence.kind))
        if undoable:
            parts.append(self.tr("%Ln corrections", "", undoable))
        self.about.setText(" · ".join(part for part in parts if part))
        for button in (self.merge, self.split, self.ignore):
            button.setEnabled(sentence is not None and not busy)
        self.undo.setEnabled(bool(undoable) and not busy)

    def put_caret(self, at: int) -> None:
        """Put the caret before a character of the sentence."""
        cursor = QTextCursor(self.field.document())
        text = self.field.toPlainText()
        cursor.setPosition(len(text[:at].encode("utf-16-le")) // 2)
        self.field.setTextCursor(cursor)

    @property
    def caret(self) -> int:
        """The character before which the sentence is split at the caret: the first of a word."""
        text = self.field.toPlainText()
        units = text.encode("utf-16-le")[: 2 * self.field.textCursor().position()]
        return word_at(text, len(units.decode("utf-16-le", "ignore")))


def word_at(text: str, at: int) -> int:
    """Return where the word begins that a caret is in; behind a word, where the next one begins."""
    while 0 < at < len(text) and _in_word(text[at - 1]) and _in_word(text[at]):
        at -= 1
    if 0 < at < len(text) and _in_word(text[at - 1]):
        while at < len(text) and not text[at].isspace():
            at += 1  # a comma is of the word before it
        while at < len(text) and text[at].isspace():
            at += 1
    return at


def _in_word(char: str) -> bool:
    """Say whether a letter is of a script that puts blanks between words."""
    return char.isalnum() and not "\u3000" <= char <= "\u9fff"


def offset_of_letter(text: str, letters: int) -> int:
    """Return where the word begins that so many letters and digits of a text stand before."""
    seen = 0
    for at, char in enumerate(text):
        if seen >= letters and char.isalnum():
            start = at
            while start and not text[start - 1].isspace() and not text[start - 1].isalnum():
                start -= 1  # an opening quote or bracket is of the word
            return start
        seen += char.isalnum()
    return len(text)
