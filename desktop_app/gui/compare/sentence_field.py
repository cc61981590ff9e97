"""One of the two sentences: a field to type it into, and its nearest sentences in the library."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QFont, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy

from desktop_app.core.query import clean_query
from desktop_app.engine.requests import SearchRequest, SearchResult
from desktop_app.gui.base import display_text
from desktop_app.gui.base.mime_data import mime_sentences
from desktop_app.gui.base.requests import LatestAnswer
from desktop_app.gui.base.throttle import Throttle
from desktop_app.gui.results.nearest_list import NEAREST_ROWS, NearestList
from desktop_app.gui.widgets.labels import make_label

if TYPE_CHECKING:
    from desktop_app.core.jobs import ChangeSet, Job
    from desktop_app.gui.base.window_context import WindowContext

_REFRESH_INTERVAL_MS = 1000


class CompareSentenceField(QPlainTextEdit):
    """A few lines of plain text. Tab moves on, and text that the program inserts can be undone."""

    def __init__(self, name: str, hint: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        self.setTabChangesFocus(True)
        line = self.fontMetrics().lineSpacing()
        self.setFixedHeight(4 * line + 20)
        self._sentence = self.document().revision(), ""

    @property
    def sentence(self) -> str:
        """The text as one clean line, as a search reads it."""
        revision = self.document().revision()
        if self._sentence[0] != revision:  # to clean a megabyte takes 50 ms, and for each answer it is asked ten times
            self._sentence = revision, clean_query(self.toPlainText())
        return self._sentence[1]

    def replace_text(self, text: str) -> None:
        """Replace the text."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        self.setTextCursor(cursor)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Accept text, but no files: they are dropped to be imported."""
        return source.hasText() and not source.hasUrls()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert text, of a dragged hit its sentence without the citation, which would be compared too."""
        if source.hasText():  # else a pasted picture would delete the selected text
            self.textCursor().insertText(mime_sentences(source))
            self.ensureCursorVisible()


class CompareSide(QObject):
    """One of the two sentences: its field, and the nearest sentences of the library."""

    def __init__(self, context: WindowContext, key: str, name: str, parent: QObject) -> None:
        super().__init__(parent)
        self._session = context.session
        self._key = f"near {key}"
        near_name = self.tr("Most similar in your library")
        self.title = make_label(name, weight=QFont.Weight.DemiBold)
        self.field = CompareSentenceField(name, self.tr("Type or paste a sentence"))
        self.title.setBuddy(self.field)
        self.nearest_title = make_label(near_name, tone="muted", factor=0.92, weight=QFont.Weight.DemiBold)
        self.near = NearestList(near_name, context.themes)
        # It takes the room that is left.
        self.near.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self.question: LatestAnswer[SearchResult] = LatestAnswer(self._session, self._ask, self)
        self.question.changed.connect(self._show)
        self._refreshing = Throttle(_REFRESH_INTERVAL_MS, self)
        self._refreshing.due.connect(self._refresh)
        self._session.bridge.changed.connect(self._on_library_changed)
        self.handle_typing()

    def handle_typing(self) -> None:
        """Ask for the sentences nearest to the current text."""
        if self.field.sentence:
            self.question.ask()
        else:
            self.question.clear()

    def stop(self) -> None:
        """Cancel pending requests."""
        self.question.stop()
        self._refreshing.stop()

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if changes.sentences and self.field.isVisible():
            self._refreshing.request()

    def _refresh(self) -> None:
        if self.field.sentence and not self.question.is_waiting:
            self.question.ask(at_once=True)

    def _ask(self) -> Job[SearchResult] | None:
        sentence = self.field.sentence
        if not sentence:
            return None
        # One more than is shown: the sentence itself may be in the library.
        request = SearchRequest(sentence, top_k=NEAREST_ROWS + 1, page_size=NEAREST_ROWS + 1, has_operators=False)
        return self._session.workspace.search.find_sentences(request, key=self._key)

    def _show(self) -> None:
        state, result = self.question.state, self.question.answer
        if state == "answered" and result is not None:
            others = [hit for hit in result.hits if clean_query(hit.text) != result.query][:NEAREST_ROWS]
            if others:
                kept = {hit.sentence_id for hit in others}
                found = tuple(near for near in result.found if near.sentence_id in kept)
                self.near.show_result(replace(result, hits=tuple(others), found=found))
            elif not result.is_query_known:
                self.near.say(display_text.describe_unknown_query(result.foreign_language))
            elif result.hits:
                self.near.say(self.tr("Your library has no other sentences."))
            else:
                self.near.say(self.tr("Your library is empty."))
        elif state == "failed" and self.question.reason is not None:
            message, hint = display_text.describe_error(self.question.reason)
            self.near.say(f"{message}. {hint}".strip())
        elif state == "getting_ready":
            self.near.say(self.tr("Loading model…"))
        elif state == "waiting":
            self.near.say(self.tr("Searching…"))
        else:
            self.near.say(self.tr("The most similar sentences in your library appear here."))
