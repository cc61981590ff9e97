"""The most telling sentences of a document, a search result or a theme, in reading order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QFont, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QDialog, QHBoxLayout, QListView, QSlider, QVBoxLayout

from desktop_app.core.scope import EVERYTHING
from desktop_app.engine.requests import SearchResult
from desktop_app.gui import words
from desktop_app.gui.cards import CardDelegate
from desktop_app.gui.dialogs.buttons import close_button, push_button
from desktop_app.gui.hit_list import HitList
from desktop_app.gui.hits import HitModel
from desktop_app.gui.sizing import give_size
from desktop_app.gui.widgets import keep_scroll_bar, label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.insight import KeySentences
    from desktop_app.core.scope import Scope
    from desktop_app.gui.main_window import MainWindow

_LEAST, _MOST, _FIRST = 3, 40, 10
_SETTLED_MS = 150


class KeySentencesDialog(QDialog):
    """A few sentences that carry a text; a slider says how many. Stays beside the window.

    Args:
        window: whose library it is.
        title: what they are of.
        scope: of a document, or another part of the library.
        among: of these sentences; None: all in the scope.

    Attributes:
        opened: a sentence is to be read in its place; carries the Hit.
    """

    opened = Signal(object)

    def __init__(
        self, window: MainWindow, title: str, *, scope: Scope = EVERYTHING, among: Sequence[int] | None = None
    ) -> None:
        super().__init__(window)
        self._session = window.session
        self._scope = scope
        self._among = among
        self._ticket = 0
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Key sentences"))
        self.setAccessibleName(self.windowTitle())
        heading = label(title, factor=1.15, weight=QFont.Weight.DemiBold, wrap=True)
        heading.setAccessibleName(self.tr("What they are of"))
        self.said = label(tone="muted", wrap=True)
        self.said.setAccessibleName(self.tr("State"))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(_LEAST, _MOST)
        self.slider.setValue(_FIRST)
        self.slider.setAccessibleName(self.tr("How many sentences"))
        self.slider.setMaximumWidth(320)
        self._settling = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._settling.timeout.connect(self._ask)
        self.slider.valueChanged.connect(lambda _value: self._settling.start())
        self.model = HitModel(self)
        self.view = HitList()
        self.view.setObjectName("hits")
        self.view.setAccessibleName(self.tr("Key sentences"))
        self.view.setModel(self.model)
        cards = CardDelegate(self.view, window.themes)
        self.view.setItemDelegate(cards)
        self.model.modelReset.connect(cards.forget_sizes)
        self.view.setMouseTracking(True)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        keep_scroll_bar(self.view)
        self.view.setResizeMode(QListView.ResizeMode.Adjust)
        self.view.setDragEnabled(True)
        self.view.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.view.activated.connect(lambda index: self.opened.emit(self.model.hit(index)))
        self.copy_button = push_button(self.tr("&Copy"), "", "copy", self.tr("Copy them with their places"))
        self.copy_button.clicked.connect(self.copy)
        fewer, more = (label(text, tone="muted", factor=0.9) for text in (self.tr("Short"), self.tr("Long")))
        for each in (fewer, more):
            each.setAccessibleName(each.text())
        length = QHBoxLayout()
        length.setSpacing(8)
        length.addWidget(fewer)
        length.addWidget(self.slider, 1)
        length.addWidget(more)
        length.addSpacing(8)
        length.addWidget(self.said, 2)
        foot = QHBoxLayout()
        foot.addWidget(self.copy_button)
        foot.addStretch(1)
        foot.addWidget(close_button(self))
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 14)
        column.setSpacing(10)
        column.addWidget(heading)
        column.addLayout(length)
        column.addWidget(self.view, 1)
        column.addLayout(foot)
        give_size(self, 680, 560)
        self.view.setFocus()
        self._ask()

    def copy(self) -> None:
        """Copy the sentences, each with where it stands."""
        hits = [self.model.hit(self.model.index(row)) for row in range(self.model.rowCount())]
        QGuiApplication.clipboard().setText("\n".join(words.citation(hit) for hit in hits))

    def _ask(self) -> None:
        self._ticket += 1
        ticket, count = self._ticket, self.slider.value()
        self.said.setText(self.tr("Finding them…"))
        themes = self._session.workspace.analysing.themes
        job = themes.key_sentences(count, scope=self._scope, among=self._among)
        self._session.bridge.call(
            job, self, lambda found: self._show(ticket, found), on_error=lambda error: self._fail(ticket, error)
        )

    def _show(self, ticket: int, found: KeySentences) -> None:
        if ticket != self._ticket:
            return
        hits = found.sentences
        self.model.show(SearchResult("", "meaning", (), hits, len(hits), 0.0))
        said = words.sentences(len(hits)) if hits else self.tr("There are no sentences here.")
        if 0 < len(hits) < self.slider.value():
            said = self.tr("{sentences}; the others say much the same").format(sentences=words.sentences(len(hits)))
        self.said.setText(said)
        self.copy_button.setEnabled(bool(hits))

    def _fail(self, ticket: int, error: BaseException) -> None:
        if ticket == self._ticket:
            self.said.setText(". ".join(part for part in words.error(error) if part))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask for nothing any more."""
        self._settling.stop()
        self._ticket += 1
        super().closeEvent(event)
