"""The best sources in the library of the selected sentence of a draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QFont, QKeySequence
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop_app.engine.requests import SearchResult
from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.results.hit_delegate import HitCardDelegate
from desktop_app.gui.results.hit_list import HitListView
from desktop_app.gui.results.hit_model import HitModel
from desktop_app.gui.results.strength import rate_source
from desktop_app.gui.trace.model import explain_support
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column
from desktop_app.gui.widgets.menus import make_popup_menu

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QKeyEvent

    from desktop_app.core.records import Hit
    from desktop_app.core.trace import TracedSentence
    from desktop_app.gui.base.theme import ThemeManager


class _SourceListView(HitListView):
    """The list of sources; the selected one can be copied.

    Attributes:
        copied: the person copies the selected source.
    """

    copied = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, or move between cards."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit()
        else:
            super().keyPressEvent(event)


class SourcesPanel(QWidget):
    """The sources of one sentence, best first.

    Attributes:
        opened: a source is to be opened; carries the Hit.
        compared: a source is to be compared with the sentence; carries both texts.
        citation_wanted: a source is to be copied with its place; carries the text.
    """

    opened = Signal(object)
    compared = Signal(object)
    citation_wanted = Signal(str)

    def __init__(self, themes: ThemeManager, exact_scores: QAction) -> None:
        super().__init__()
        self._sentence: TracedSentence | None = None
        self.setProperty("surface", "ground")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Sources of the selected sentence"))
        self.heading = make_label(weight=QFont.Weight.DemiBold, name=self.tr("Sources"))
        self.explanation = make_label(
            tone="muted", factor=0.92, wrap=True, name=self.tr("How your library supports the selected sentence")
        )
        self.model = HitModel(self)
        self.view = _SourceListView(self.tr("Sources of the selected sentence"))
        self.view.setModel(self.model)
        cards = HitCardDelegate(self.view, themes)
        cards.follow_scores(exact_scores)
        # A source must not be called strong beside a sentence that is called related.
        self.model.rate_score = cards.rate_score = rate_source
        self.view.setItemDelegate(cards)
        self.model.modelReset.connect(cards.clear_sizes)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.view.activated.connect(lambda index: self.opened.emit(self.model.hit(index)))
        self.view.copied.connect(self.copy)
        nothing = QWidget()
        nothing.setAccessibleName(self.tr("No sources"))
        self._stack = QStackedWidget()
        self._stack.setAccessibleName(self.tr("Sources"))
        self._stack.addWidget(nothing)
        self._stack.addWidget(self.view)
        column = make_column(parent=self, margins=(0, 10, 0, 0), spacing=4)
        for each in (self.heading, self.explanation):
            each.setContentsMargins(16, 0, 16, 0)
            column.addWidget(each)
        column.addSpacing(2)
        column.addWidget(self._stack, 1)
        self.setMinimumSize(200, 110)
        self.show_sentence(None)

    @property
    def current(self) -> Hit | None:
        """The selected source."""
        index = self.view.currentIndex()
        return self.model.hit(index) if index.isValid() else None

    def show_sentence(self, sentence: TracedSentence | None) -> None:
        """Show the sources of a sentence; None if no sentence is selected."""
        self._sentence = sentence
        hits = sentence.sources if sentence is not None else ()
        self.model.show(SearchResult("", "meaning", (), hits, len(hits), 0.0))
        self.heading.setText(self.tr("Sources"))
        if sentence is None:
            self.explanation.setText(self.tr("Select a sentence to see its sources."))
        else:
            text = explain_support(sentence)
            if not hits and sentence.score is not None:
                nearest = self.tr("The most similar sentence scores {score}.").format(
                    score=display_text.format_score(sentence.score)
                )
                text = f"{text} {nearest}"
            self.explanation.setText(text)
        self._stack.setCurrentIndex(1 if hits else 0)
        if hits:
            self.view.setCurrentIndex(self.model.index(0))

    def copy(self) -> None:
        """Copy the selected source with its place."""
        if (hit := self.current) is not None:
            self.citation_wanted.emit(display_text.cite_hit(hit))

    def _show_menu(self, at: QPoint) -> None:
        hit, sentence = self.current, self._sentence
        if hit is None or sentence is None or not self.view.indexAt(at).isValid():
            return
        menu = make_popup_menu(self, self.tr("Source"))
        menu.addAction(make_icon("book-open"), self.tr("&Open in Reader"), lambda: self.opened.emit(hit))
        menu.addAction(make_icon("quote"), self.tr("&Copy with Citation"), self.copy)
        menu.addAction(
            make_icon("scale"),
            self.tr("Compare with &Draft Sentence…"),
            lambda: self.compared.emit((sentence.text, hit.text)),
        )
        menu.popup(self.view.viewport().mapToGlobal(at))
