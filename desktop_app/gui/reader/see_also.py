"""The nearest sentences to the one under the cursor, below the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame

from desktop_app.gui.base import display_text
from desktop_app.gui.base.requests import LatestAnswer
from desktop_app.gui.results.nearest_list import NearestList
from desktop_app.gui.widgets.labels import ElidedLabel
from desktop_app.gui.widgets.layouts import make_column

if TYPE_CHECKING:
    from desktop_app.core.jobs import Job
    from desktop_app.engine.requests import SearchResult
    from desktop_app.gui.base.session import LibrarySession
    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.reader.controller import ReaderController
    from desktop_app.gui.reader.pane import ReaderPane

_MAX_SENTENCES = 6
_MIN_CHARACTERS = 3


class SeeAlsoPanel(QFrame):
    """The nearest sentences to the one under the cursor; every occurrence of the sentence itself is left out.

    Attributes:
        chosen: one of them was selected; carries the Hit.
    """

    chosen = Signal(object)

    def __init__(self, session: LibrarySession, themes: ThemeManager) -> None:
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
        self.near = NearestList(self.tr("Similar sentences in your library"), themes)
        self.near.chosen.connect(self.chosen)
        self.near.opened.connect(self.chosen)
        make_column(self.title, (self.near, 1), parent=self, margins=(14, 8, 8, 6), spacing=4)
        self.setMaximumHeight(230)
        self.question: LatestAnswer[SearchResult] = LatestAnswer(session, self._ask, self)
        self.question.changed.connect(self._show)
        self.show_for("")

    def show_for(self, text: str) -> None:
        """Search for sentences like a text; for none if it is empty or hardly a word."""
        line = " ".join(text.split())
        if line == self._text and line:
            return
        self._text = line
        if len(line) >= _MIN_CHARACTERS:
            self.question.ask()
        else:
            self.question.clear()

    def stop(self) -> None:
        """Cancel pending requests."""
        if self.question.is_waiting:
            self._text = ""  # the same sentence is asked for again
        self.question.stop()

    def _ask(self) -> Job[SearchResult] | None:
        from desktop_app.engine.requests import SearchRequest

        if not self._text:
            return None
        request = SearchRequest(
            self._text, top_k=_MAX_SENTENCES + 1, page_size=_MAX_SENTENCES + 1, has_operators=False, fold_copies=True
        )
        return self._session.workspace.search.find_sentences(request, key="see also", by_person=False)

    def _show(self) -> None:
        question = self.question
        if question.state == "failed" and question.reason is not None:
            self.near.say(display_text.describe_error(question.reason)[0])
        elif question.state == "answered" and question.answer is not None:
            result = question.answer
            others = [hit for hit in result.hits if " ".join(hit.text.split()) != self._text][:_MAX_SENTENCES]
            if others:
                self.near.show_hits(result, others)
            elif not result.is_query_known:
                self.near.say(display_text.describe_unknown_query(result.foreign_language))
            else:
                self.near.say(self.tr("No similar sentences found."))
        elif question.state == "nothing":
            self.near.say(self.tr("Click a sentence to see similar ones in your library."))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


class SeeAlsoController(QObject):
    """Shows and hides the "see also" panel of one window; the panel is built when it is first shown."""

    def __init__(self, context: WindowContext, reader: ReaderPane, controller: ReaderController) -> None:
        super().__init__(context.widget)
        self._context = context
        self._reader = reader
        self._controller = controller
        self.panel: SeeAlsoPanel | None = None
        self._action = context.actions["reader.see_also"]
        self._action.toggled.connect(self._set_visible)
        reader.pointed.connect(self._on_pointed)

    def save(self, state: QSettings) -> None:
        """Save whether the panel is shown."""
        state.setValue("see_also", self._action.isChecked())

    def restore(self, state: QSettings) -> None:
        """Restore whether the panel is shown, once the window is painted."""
        if state.value("see_also", False, bool):
            self._context.painted.connect(lambda: self._action.setChecked(True))

    def stop(self) -> None:
        """Cancel pending requests."""
        if self.panel is not None:
            self.panel.stop()

    def _set_visible(self, visible: bool) -> None:
        if visible and self.panel is None:
            self.panel = SeeAlsoPanel(self._context.session, self._context.themes)
            self.panel.chosen.connect(self._context.navigator.open_hit)
            self._reader.add_below(self.panel)
        if self.panel is not None:
            self.panel.setVisible(visible)
            if visible:
                self._controller.set_visible(True)
                self.panel.show_for(self._reader.text_under_cursor)
            else:
                self.panel.stop()

    def _on_pointed(self, text: str) -> None:
        if self.panel is not None and self._action.isChecked():
            self.panel.show_for(text)
