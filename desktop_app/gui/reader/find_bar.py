"""Find in document: a field below the reader's tools, and the search in pages or in stored text."""

from __future__ import annotations

import re
import unicodedata
from array import array
from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import Role, make_icon
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.results.highlighting import to_utf16_spans
from desktop_app.gui.widgets.fields import LineField
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_row

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent

    from desktop_app.core.pages import PageCharacters, PagedFile
    from desktop_app.gui.base.session import LibrarySession
    from desktop_app.gui.reader.model import ReaderMode, ShownDocument
    from desktop_app.gui.reader.page_view import PageView
    from desktop_app.gui.reader.text_view import StoredTextView

_TYPING_DELAY_MS = 120
_MAX_MATCHES = 10_000
_SOFT_HYPHEN = "\N{SOFT HYPHEN}"


class TextMatch(NamedTuple):
    """A match: its page (0 in a stored text), and the first and last position in the text, the last one excluded."""

    page: int
    start: int
    stop: int


class FoldedText:
    """A text as a find compares it: without case, accents and hyphens that divide a word at the end of a line."""

    def __init__(self, text: str) -> None:
        self._places = array(
            "I",
            (
                place
                for place, character in enumerate(text)
                if character != _SOFT_HYPHEN and not (character == "\n" and text[place - 1 : place] == _SOFT_HYPHEN)
            ),
        )
        self._folded = "".join(_fold(text[place]) for place in self._places)

    def find(self, sought: str) -> list[tuple[int, int]]:
        """Return the start and end of every match in the original text; any blank matches any other."""
        parts = re.split(r"(\s+)", sought.lstrip())
        if not parts[0]:
            return []
        pattern = re.compile("".join(r"\s+" if part.isspace() else re.escape(_fold_word(part)) for part in parts))
        return [
            (self._places[match.start()], self._places[match.end() - 1] + 1) for match in pattern.finditer(self._folded)
        ]


def _fold_word(word: str) -> str:
    return "".join(map(_fold, word))


def _fold(character: str) -> str:
    return unicodedata.normalize("NFD", character)[:1].casefold()[:1]


class FindField(LineField):
    """The field of the find bar: Enter goes on, Shift+Enter back, Esc closes.

    Attributes:
        stepped: go to the next match (1) or the previous one (-1).
        left: Esc was pressed.
    """

    stepped = Signal(object)
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys of the bar."""
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.stepped.emit(-1 if back else 1)
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.stepped.emit(-1 if event.key() == Qt.Key.Key_Up else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class SearchableReader(Protocol):
    """A reader as the find bar needs it; see `ReaderPane`."""

    session: LibrarySession
    pages: PageView
    text: StoredTextView
    mode: ReaderMode
    document: ShownDocument | None
    file: PagedFile | None

    @property
    def shown(self) -> ShownDocument | None:
        """The document; None if its pages or text are not shown."""

    def selected_text(self) -> str:
        """Return the text that is selected in the document."""

    def take_focus(self) -> None:
        """Move the keyboard focus to the document."""


class FindBar(QWidget):
    """Finds words in the document that a reader shows, and marks them.

    Args:
        reader: the reader.
    """

    def __init__(self, reader: SearchableReader) -> None:
        super().__init__()
        self._reader = reader
        self._matches: list[TextMatch] = []
        self._current = -1
        self._found: dict[int, list[TextMatch]] = {}  # by page
        self._pages: dict[int, FoldedText] = {}  # of the document that is shown, as far as they are read
        self._document_id: int | None = None  # in which the matches are
        self._path = ""
        self._file: PagedFile | None = None  # whose pages these are: a file that changed is another one
        self._from_page = 1
        self._reading: LatestJob[PageCharacters] = LatestJob(reader.session, self)
        self.setAccessibleName(self.tr("Find in document"))
        self.field = FindField()
        self.field.setPlaceholderText(self.tr("Find in this document"))
        self.field.setAccessibleName(self.tr("Find in this document"))
        self.field.addAction(make_icon("text-search", Role.PlaceholderText), QLineEdit.ActionPosition.LeadingPosition)
        for button in self.field.findChildren(QToolButton):
            button.setAccessibleName(self.field.accessibleName())
        self.count = make_label(tone="muted", name=self.tr("Matches"))
        self.previous = self._make_button("chevron-up", self.tr("Previous match (Shift+Enter)"), lambda: self.step(-1))
        self.next = self._make_button("chevron-down", self.tr("Next match (Enter)"), lambda: self.step(1))
        self.close_button = self._make_button("x", self.tr("Close (Esc)"), self.leave)
        make_row(
            (self.field, 1),
            self.count,
            self.previous,
            self.next,
            self.close_button,
            parent=self,
            margins=(11, 2, 10, 6),
            spacing=6,
        )
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_DELAY_MS)
        self._typing.timeout.connect(self._find)
        self.field.textChanged.connect(lambda _text: self._typing.start())
        self.field.stepped.connect(self._on_stepped)
        self.field.left.connect(self.leave)
        reader.text.textChanged.connect(self._on_text_added)
        self.hide()

    def _make_button(self, picture: str, tip: str, pressed: Callable[[], object]) -> QToolButton:
        button = QToolButton()
        button.setIcon(make_icon(picture))
        button.setToolTip(tip)
        button.setAccessibleName(tip.partition(" (")[0])
        button.clicked.connect(lambda _checked=False: pressed())
        return button

    # Opening and closing

    def start(self) -> None:
        """Show the bar with the selected words, and focus it."""
        self.show()
        self._from_page = max(self._reader.pages.page, 1)
        chosen = self._reader.selected_text()
        if chosen and len(chosen) < 80:
            self.field.setText(chosen)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        if self.field.text() and not self._matches:
            self._find()

    def leave(self) -> None:
        """Close the bar; the focus goes back to the document, at the current match."""
        self.stop()
        self.hide()
        self._reader.take_focus()

    def stop(self) -> None:
        """Cancel the search, and remove its marks."""
        self._typing.stop()
        self._reading.cancel()
        self._reading.drop()
        self._matches, self._current = [], -1
        self._show()

    def follow_document(self) -> None:
        """Search for the same words in the document that is now shown."""
        if self._reader.mode == "opening" or not self.isVisible():
            return
        shown = self._reader.shown
        if shown is None:
            self.stop()
            return
        if shown.document_id != self._document_id:
            self.stop()  # the search begins where this document is read, not where the match in the other one was
        self._typing.start()

    def _on_text_added(self) -> None:
        if self.isVisible() and self._reader.mode == "text" and self.field.text():
            self._typing.start()

    # Finding

    @property
    def is_active(self) -> bool:
        """Whether the bar shows matches."""
        return self.isVisible() and bool(self._matches)

    def _on_stepped(self, by: int) -> None:
        if self._typing.isActive():  # Enter right after the last letter
            self._typing.stop()
            self._find()
        else:
            self.step(by)

    def step(self, by: int) -> None:
        """Go to another match; the first one follows the last."""
        if self._matches:
            self._current = (self._current + by) % len(self._matches)
            self._show()
            self._reveal()

    def _find(self) -> None:
        reader = self._reader
        self._reading.cancel()
        self._reading.drop()
        before = self._matches[self._current] if 0 <= self._current < len(self._matches) else None
        self._matches, self._current = [], -1
        self._document_id = reader.document.document_id if reader.document is not None else None
        sought = self.field.text()
        if reader.mode == "text":
            text = reader.text.toPlainText()
            spans = [(start, stop - start) for start, stop in FoldedText(text).find(sought)[:_MAX_MATCHES]]
            self._matches = [TextMatch(0, start, start + length) for start, length in to_utf16_spans(text, spans)]
            self._choose(before or TextMatch(0, reader.text.first_visible_position(), 0))
        elif reader.mode == "pages" and sought.strip():
            path = reader.document.path if reader.document is not None else ""
            if path != self._path or reader.file is not self._file:
                self._path, self._file, self._pages = path, reader.file, {}
            self._from_page = max(reader.pages.page, 1)
            self._search_pages(sought)
        self._show()

    def _search_pages(self, sought: str) -> None:
        """Search the pages that are read already, then read and search the others, from the visible one on."""
        self._found = {page: self._find_on_page(page, sought) for page in self._pages}
        self._read_next_page(sought)

    def _find_on_page(self, page: int, sought: str) -> list[TextMatch]:
        return [TextMatch(page, start, stop) for start, stop in self._pages[page].find(sought)]

    def _read_next_page(self, sought: str) -> None:
        before = self._matches[self._current] if 0 <= self._current < len(self._matches) else None
        self._matches = [match for page in sorted(self._found) for match in self._found[page]][:_MAX_MATCHES]
        self._choose(before or TextMatch(self._from_page, 0, 0), reveal=before is None)
        count = len(self._reader.file.sizes) if self._reader.file is not None else 0
        order = (*range(self._from_page, count + 1), *range(1, min(self._from_page, count + 1)))
        page = next((page for page in order if page not in self._pages), None)
        if page is None or len(self._matches) >= _MAX_MATCHES:
            return

        def take(text: str) -> None:
            self._pages[page] = FoldedText(text)
            self._found[page] = self._find_on_page(page, sought)
            self._read_next_page(sought)
            self._show()

        job = self._reader.session.workspace.pages.read_characters(self._path, page)
        self._reading.start(job, lambda characters: take(characters.text), on_error=lambda _error: take(""))

    def _choose(self, near: TextMatch, *, reveal: bool = True) -> None:
        """Make the first match at or after `near` the current one."""
        if not self._matches:
            return
        after = [at for at, match in enumerate(self._matches) if match[:2] >= near[:2]]
        # While pages are still being read, the first match may lie on a page before this one.
        self._current = after[0] if after else 0
        if reveal:
            self._reveal()

    def _show(self) -> None:
        """Mark the matches, and count them."""
        reader, current = self._reader, self._current
        spans: Sequence[TextMatch] = self._matches
        reader.pages.mark_found(spans if reader.mode == "pages" else (), current)
        reader.text.mark_found([(match.start, match.stop) for match in spans] if reader.mode == "text" else (), current)
        number = display_text.format_number
        text = ""
        if self._matches:
            text = self.tr("{nth} of {count}").format(nth=number(current + 1), count=number(len(self._matches)))
        elif self.field.text().strip() and not self._reading.is_running and not self._typing.isActive():
            text = self.tr("No matches")
        if self._reading.is_running:
            text += "…"
        self.count.setText(text)
        for button in (self.previous, self.next):
            button.setEnabled(bool(self._matches))

    def _reveal(self) -> None:
        match = self._matches[self._current]
        if match.page:
            self._reader.pages.reveal_found(match.page, match.start, match.stop)
        else:
            self._reader.text.reveal_found((match.start, match.stop))
