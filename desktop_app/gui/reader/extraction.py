"""The extraction view: shows how a document was cut into sentences, and corrects it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QGridLayout, QMenu, QPlainTextEdit, QPushButton

from desktop_app.gui.base import display_text
from desktop_app.gui.base.actions import ShortcutTip, shortcut_text
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.reader.model import ExtractionModel
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.labels import ElidedLabel
from desktop_app.gui.widgets.layouts import make_column

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.reader_events import Omissions, PageNote
    from desktop_app.core.records import Occurrence, PassageKind
    from desktop_app.gui.base.actions import ActionTable
    from desktop_app.gui.base.session import LibrarySession
    from desktop_app.gui.reader.model import ReaderMode, ShownDocument
    from desktop_app.gui.reader.page_view import PageView
    from desktop_app.gui.reader.text_view import StoredTextView

_LINES = 3
_SIDE_PX = 12
_MAX_TIP_TEXTS = 40
_UNDO = "reader.undo_correction"


class ExtractionController(QObject):
    """The extraction view of one reader; made when it is first shown.

    Args:
        session: the open library.
        pages: show the boundaries of sentences on pages.
        text: shows them in the stored text.
        shown: returns the document in the reader; None if its pages or text are not shown.
        mode: returns what the reader shows.
        parent: the reader.
        reader: the name of the reader.
        actions: the actions that correct sentences in this reader; None if they belong to another reader.

    Attributes:
        toggled: the view was switched on or off.
        message_emitted: a line to show at the bottom of the window.
        corrected: the document was cut again.
        model: the extracted sentences, and the selected one.
        bar: the selected sentence and its buttons.
    """

    toggled = Signal(bool)
    message_emitted = Signal(str)
    corrected = Signal()

    def __init__(
        self,
        session: LibrarySession,
        pages: PageView,
        text: StoredTextView,
        shown: Callable[[], ShownDocument | None],
        mode: Callable[[], ReaderMode],
        parent: QObject,
        reader: str = "",
        actions: ActionTable | None = None,
    ) -> None:
        super().__init__(parent)
        self._actions = actions
        self._pages, self._text = pages, text
        self._shown, self._mode = shown, mode
        self.model = extraction = ExtractionModel(session, self, reader)
        self.bar = ExtractionBar()
        if actions is not None:
            self.bar.name_shortcuts(actions)
        pages.extraction = extraction
        extraction.changed.connect(pages.viewport().update)
        extraction.selection_changed.connect(self._show)
        extraction.corrected.connect(lambda _ordinal: self.corrected.emit())
        extraction.failed.connect(lambda error: self.message_emitted.emit(" ".join(display_text.describe_error(error))))
        pages.page_changed.connect(lambda _page: self._show())
        pages.word_chosen.connect(self._on_word)
        text.sentence_pressed.connect(extraction.choose)
        text.word_chosen.connect(self._on_word)
        self.bar.field.stepped.connect(extraction.step)
        self.bar.merge.clicked.connect(extraction.merge)
        self.bar.split.clicked.connect(self.split)
        self.bar.ignore.clicked.connect(extraction.ignore)
        self.bar.undo.clicked.connect(extraction.undo)
        self.bar.kind_chosen.connect(extraction.set_kind)
        self.bar.hide()

    @property
    def is_on(self) -> bool:
        """Whether the view is on."""
        return self.model.is_on

    def toggle(self) -> None:
        """Switch the view on or off; when it is on, its bar has the keyboard focus."""
        on = not self.is_on
        self.model.show(self._shown())
        self.model.set_on(on)
        self.bar.setVisible(on)
        self.toggled.emit(on)
        if on:
            self.bar.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_document(self) -> None:
        """Show the document that is now in the reader."""
        if self.is_on:
            self.model.show(self._shown())

    def split(self) -> None:
        """Split the selected sentence at the caret."""
        self.model.split(self.bar.caret)

    def add_to_menu(self, menu: QMenu) -> None:
        """Add the corrections of the selected sentence to a menu; the click that opened the menu selected it."""
        if not self.is_on:
            return
        extraction = self.model
        chosen, is_free = extraction.chosen, not extraction.is_busy
        is_inside = chosen is not None and 0 < self.bar.caret < len(chosen.text)
        for picture, text, action_id, handler, can in (
            ("merge", self.tr("Merge with Next"), "reader.merge", extraction.merge, chosen is not None),
            ("split", self.tr("Split Here"), "reader.split", self.split, is_inside),
            ("eraser", self.tr("Exclude"), "reader.ignore", extraction.ignore, chosen is not None),
            ("undo-2", self.tr("Undo Last Change"), _UNDO, extraction.undo, extraction.corrections > 0),
        ):
            if self._actions is not None and (keys := shortcut_text(self._actions[action_id])):
                text = f"{text}\t{keys}"
            menu.addAction(make_icon(picture), text, handler).setEnabled(can and is_free)
        if chosen is not None and is_free:
            kinds = menu.addMenu(make_icon("tag"), self.tr("Counts As"))
            fill_kind_menu(kinds, chosen, extraction.set_kind)
        menu.addSeparator()

    def _on_word(self, letters: int) -> None:
        if self.model.chosen is not None:
            self.bar.set_caret(word_start_after_letters(self.model.chosen.text, letters))

    def _show(self) -> None:
        """Show the selected sentence in the bar, and on the page or in the text."""
        extraction, pages_view, mode = self.model, self._pages, self._mode()
        chosen = extraction.chosen
        pages = [place.page for place in chosen.places if place.page is not None] if chosen is not None else []
        if mode == "pages" and pages and extraction.is_on and pages_view.page not in pages:
            pages_view.go_to(pages[0])
        page = pages[0] if pages else pages_view.page
        self.bar.show_sentence(chosen, extraction.note(page), busy=extraction.is_busy, undoable=extraction.corrections)
        self.bar.show_omissions(extraction.omissions, pages_view.page if mode == "pages" else None)
        self._text.set_extraction_shown(extraction.is_on, chosen.ordinal if chosen is not None else None)
        if chosen is not None and mode == "text":
            self._text.reveal_sentence(chosen.ordinal)


class ExtractedSentenceField(QPlainTextEdit):
    """A read-only sentence with a caret.

    Attributes:
        stepped: go to another sentence; carries +1 or -1.
    """

    stepped = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setAccessibleName(self.tr("Selected sentence"))
        self.setFixedHeight(_LINES * self.fontMetrics().lineSpacing() + 18)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next or previous sentence with Ctrl and an arrow."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and Qt.Key(event.key()) in steps:
            self.stepped.emit(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


class ExtractionBar(QFrame):
    """Shows the selected sentence; the caret in it says where to split it.

    Attributes:
        kind_chosen: the sentence is of another kind; carries it.
        field: the sentence.
        omitted: what was left out of the document on purpose.
        merge: button; so are `split`, `ignore`, `kind` and `undo`.
    """

    kind_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "notice")
        self.setAccessibleName(self.tr("Sentence boundaries"))
        self.about = ElidedLabel(self.tr("Page and sentence"), "muted")
        self.omitted = ElidedLabel(self.tr("Skipped on purpose"), "muted")
        self.field = ExtractedSentenceField()
        self._text = ""
        self.merge = make_push_button(self.tr("&Merge"), self.tr("Merge with the next sentence"))
        self.merge.setToolTip(self.tr("Join this sentence and the next"))
        self.split = make_push_button(self.tr("&Split"), self.tr("Split at the cursor"))
        self.split.setToolTip(self.tr("Split at the cursor"))
        self.ignore = make_push_button(self.tr("&Exclude"), self.tr("Exclude the sentence"))
        self.ignore.setToolTip(self.tr("Exclude this sentence from search, everywhere in this document"))
        self.undo = make_push_button(self.tr("&Undo"), self.tr("Undo the last correction"))
        self.undo.setToolTip(self.tr("Undo the last correction of this document"))
        self.kind = make_push_button(self.tr("Counts &as"), self.tr("What the sentence counts as"))
        self.kind.setToolTip(
            self.tr(
                "Check Draft, Duplicates and key sentences use only what counts as a sentence. Search finds everything"
            )
        )
        self.kind.setMenu(QMenu(self.kind))
        self._buttons = QGridLayout()
        self._buttons.setSpacing(6)
        self._columns = 0
        rows = (self.about, self.omitted, self.field, self._buttons)
        make_column(*rows, parent=self, margins=(_SIDE_PX, 8, _SIDE_PX, 10), spacing=6)
        self._lay_out(len(self._all_buttons))

    def name_shortcuts(self, actions: ActionTable) -> None:
        """Name the shortcuts of the window's actions in the tips."""
        for button, action_id in (
            (self.merge, "reader.merge"),
            (self.split, "reader.split"),
            (self.ignore, "reader.ignore"),
            (self.undo, _UNDO),
        ):
            ShortcutTip(button, actions[action_id], button.toolTip())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons into as few rows as there is room for."""
        super().resizeEvent(event)
        room = self.contentsRect().width() - 2 * _SIDE_PX
        widths = [each.sizeHint().width() + 6 for each in self._all_buttons]
        in_one_row = len(widths) if room >= sum(widths) else 2
        self._lay_out(3 if in_one_row == 2 and room >= 3 * max(widths) else in_one_row)

    def _lay_out(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        is_one_row = columns == len(self._all_buttons)
        for nth, button in enumerate(self._all_buttons):
            self._buttons.addWidget(button, nth // columns, nth % columns)
        if is_one_row:
            self._buttons.addWidget(self.undo, 0, columns)  # at the right edge
        self._buttons.setColumnStretch(len(self._all_buttons) - 1, int(is_one_row))

    @property
    def _all_buttons(self) -> tuple[QPushButton, ...]:
        return self.merge, self.split, self.ignore, self.kind, self.undo

    def show_sentence(self, sentence: Occurrence | None, note: PageNote | None, *, busy: bool, undoable: int) -> None:
        """Show a sentence, the state of its page, and the possible corrections."""
        text = sentence.text if sentence is not None else ""
        if self._text != text:  # not what Qt returns, which has other spaces: the caret would be lost
            self._text = text
            self.field.setPlainText(text)
        self.field.setPlaceholderText(self.tr("Click a sentence, or move with Ctrl+Down and Ctrl+Up"))
        parts = []
        if note is not None:
            page = display_text.translate("words", "p. {page}").format(page=display_text.format_number(note.page))
            parts.append(f"{page}: {display_text.describe_page_state(note)}")
        if sentence is not None:
            parts.append(display_text.describe_passage_kind(sentence.passage_kind, sentence.reason))
            fill_kind_menu(self.kind.menu(), sentence, self.kind_chosen.emit)
        if undoable:
            parts.append(self.tr("%Ln corrections", "", undoable))
        self.about.setText(" · ".join(part for part in parts if part))
        for button in (self.merge, self.split, self.ignore, self.kind):
            button.setEnabled(sentence is not None and not busy)
        self.undo.setEnabled(bool(undoable) and not busy)

    def show_omissions(self, omissions: Omissions | None, page: int | None) -> None:
        """Show how much was left out on purpose, and what on a page; the tip has what was left out elsewhere, too."""
        self.omitted.setVisible(omissions is not None and omissions.words > 0)
        if omissions is None:
            return
        here = [each.text for each in omissions.texts if page in (None, each.page)]
        words = self.tr("%Ln words skipped", "", omissions.words)
        self.omitted.setText(f"{words}: {' · '.join(here)}" if here else words)
        listed = display_text.list_omissions(omissions.texts[:_MAX_TIP_TEXTS])
        self.omitted.setToolTip(display_text.make_tooltip(listed) if omissions.texts else "")

    def set_caret(self, at: int) -> None:
        """Put the caret before a character of the sentence."""
        cursor = QTextCursor(self.field.document())
        text = self.field.toPlainText()
        cursor.setPosition(len(text[:at].encode("utf-16-le")) // 2)
        self.field.setTextCursor(cursor)

    @property
    def caret(self) -> int:
        """The character before which the caret splits the sentence: the first of a word."""
        text = self.field.toPlainText()
        units = text.encode("utf-16-le")[: 2 * self.field.textCursor().position()]
        return word_start_at(text, len(units.decode("utf-16-le", "ignore")))


def fill_kind_menu(menu: QMenu, sentence: Occurrence, choose: Callable[[PassageKind], None]) -> None:
    """Fill a menu with what a passage can be; what it is now is checked."""
    menu.clear()
    for kind in display_text.PASSAGE_KINDS:
        name = display_text.passage_kind_name(kind)
        action = menu.addAction(name[:1].upper() + name[1:], partial(choose, kind))
        action.setCheckable(True)
        action.setChecked(kind == ("body" if sentence.passage_kind == "list" else sentence.passage_kind))


def word_start_at(text: str, at: int) -> int:
    """Return the start of the word at a caret; after a word, the start of the next one."""
    while 0 < at < len(text) and _uses_word_spaces(text[at - 1]) and _uses_word_spaces(text[at]):
        at -= 1
    if 0 < at < len(text) and _uses_word_spaces(text[at - 1]):
        while at < len(text) and not text[at].isspace():
            at += 1  # a comma belongs to the word before it
        while at < len(text) and text[at].isspace():
            at += 1
    return at


def _uses_word_spaces(char: str) -> bool:
    """Return whether a letter belongs to a script with blanks between words."""
    return char.isalnum() and not "\u3000" <= char <= "\u9fff"


def word_start_after_letters(text: str, letters: int) -> int:
    """Return the start of the word that follows the given number of letters and digits."""
    seen = 0
    for at, char in enumerate(text):
        if seen >= letters and char.isalnum():
            start = at
            while start and not text[start - 1].isspace() and not text[start - 1].isalnum():
                start -= 1  # an opening quote or bracket belongs to the word
            return start
        seen += char.isalnum()
    return len(text)
