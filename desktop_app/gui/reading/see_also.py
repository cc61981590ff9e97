"""What the library says like the sentence that one reads, beside what one reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QVBoxLayout

from desktop_app.engine.requests import SearchRequest, SearchResult
from desktop_app.gui import words
from desktop_app.gui.asking import Question
from desktop_app.gui.near import NearList
from desktop_app.gui.widgets import ElidedLabel

if TYPE_CHECKING:
    from desktop_app.core.jobs import Job
    from desktop_app.gui.session import Session
    from desktop_app.gui.theme import ThemeManager

_ROWS = 6
_SHORTEST = 3


class SeeAlso(QFrame):
    """The nearest sentences to the one under the cursor; the sentence itself, wherever it stands, is left out.

    Attributes:
        chosen: one of them is to be read; carries the Hit.
    """

    chosen = Signal(object)

    def __init__(self, session: Session, themes: ThemeManager) -> None:
        super().__init__()
        self._session = session
        self._text = ""
        self.setProperty("surface", "notice")
        self.setAccessibleName(self.tr("See also"))
        self.title = ElidedLabel(self.tr("See also"))
        font = self.title.font()
        font.setWeight(QFont.Weight.DemiBold)
        self.title.setFont(font)
        self.title.setText(self.tr("See also"))
        self.near = NearList(self.tr("Nearest sentences of the library"), themes)
        self.near.chosen.connect(self.chosen)
        self.near.opened.connect(self.chosen)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 8, 6)
        column.setSpacing(4)
        column.addWidget(self.title)
        column.addWidget(self.near, 1)
        self.setMaximumHeight(230)
        self.question: Question[SearchResult] = Question(session, self._ask, self)
        self.question.changed.connect(self._show)
        self.show_for("")

    def show_for(self, text: str) -> None:
        """Look for what is like a sentence; for none where it is empty or hardly a word."""
        line = " ".join(text.split())
        if line == self._text and line:
            return
        self._text = line
        if len(line) >= _SHORTEST:
            self.question.ask()
        else:
            self.question.forget()

    def stop(self) -> None:
        """Ask for nothing any more."""
        self.question.stop()

    def _ask(self) -> Job[SearchResult] | None:
        if not self._text:
            return None
        request = SearchRequest(self._text, top_k=_ROWS + 1, page_size=_ROWS + 1, has_notation=False, collapses=True)
        return self._session.workspace.search(request, key="see also", again=True)

    def _show(self) -> None:
        question = self.question
        if question.standing == "failed" and question.reason is not None:
            self.near.say(words.error(question.reason)[0])
        elif question.standing == "answered" and question.answer is not None:
            result = question.answer
            others = [hit for hit in result.hits if " ".join(hit.text.split()) != self._text][:_ROWS]
            if others:
                self.near.show_hits(result, others)
            else:
                self.near.say(self.tr("The library says nothing else like it."))
        elif question.standing == "nothing":
            self.near.say(self.tr("Put the cursor into a sentence to see what the library says like it."))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
