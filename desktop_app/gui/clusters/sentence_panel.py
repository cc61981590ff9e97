"""The sentences of a cluster or of a part of the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.scope import EVERYTHING
from desktop_app.engine.requests import SearchResult
from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import Role, make_icon
from desktop_app.gui.base.requests import TYPING_PAUSE_MS
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.results.hit_delegate import HitCardDelegate
from desktop_app.gui.results.hit_list import HitListView
from desktop_app.gui.results.hit_model import PAGE_SIZE, HitModel
from desktop_app.gui.widgets.labels import ElidedLabel, reserve_scroll_bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction

    from desktop_app.core.records import Hit, ScoredSentence
    from desktop_app.core.scope import Scope
    from desktop_app.gui.base.session import LibrarySession
    from desktop_app.gui.base.theme import ThemeManager

_FOLLOW_DELAY_MS = 150


class ClusterSentencesPanel(QWidget):
    """Some sentences as cards, read as they come into sight, with a field to search in them.

    Attributes:
        opened: a sentence is to be read in its place; carries the Hit.
        chosen: another sentence is the current one, for a moment already; carries the Hit.
        compared: a sentence is to be compared with another; carries its text.
        similar_wanted: what is like a sentence is to be found; carries its text.
        failed: carries an exception.
        scope: the part of the library that the sentences are told of.
    """

    opened = Signal(object)
    chosen = Signal(object)
    compared = Signal(object)
    similar_wanted = Signal(object)
    failed = Signal(object)

    def __init__(self, session: LibrarySession, themes: ThemeManager, buttons: Sequence[QWidget]) -> None:
        super().__init__()
        self._session = session
        self._found: tuple[ScoredSentence, ...] = ()
        self.scope: Scope = EVERYTHING
        self._ticket = 0
        self._of: object = None
        self.setProperty("surface", "ground")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Sentences"))
        self.title = ElidedLabel(self.tr("Theme"))
        self.title.setFont(scale_font(self.title.font(), 1.12, QFont.Weight.DemiBold))
        self.about = ElidedLabel(self.tr("About this theme"), "muted")
        self.about.setFont(scale_font(self.about.font(), 0.9))
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Search in these sentences"))
        self.field.setAccessibleName(self.tr("Search in these sentences"))
        self.field.setClearButtonEnabled(False)
        self.field.addAction(make_icon("search", Role.PlaceholderText), QLineEdit.ActionPosition.LeadingPosition)
        for button in self.field.findChildren(QToolButton):
            button.setAccessibleName(self.field.accessibleName())
        self.field.installEventFilter(self)
        self.model = HitModel(self)
        self.model.more_wanted.connect(self._on_more_wanted)
        self.view = HitListView()
        self.view.setObjectName("hits")
        self.view.setAccessibleName(self.tr("Sentences of the theme"))
        self.view.setModel(self.model)
        self._cards = HitCardDelegate(self.view, themes)
        self.view.setItemDelegate(self._cards)
        for signal in (self.model.modelReset, self.model.dataChanged):
            signal.connect(self._cards.clear_sizes)
        self.view.setMouseTracking(True)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.verticalScrollBar().setSingleStep(24)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        reserve_scroll_bar(self.view)
        self.view.setResizeMode(QListView.ResizeMode.Adjust)
        self.view.setDragEnabled(True)
        self.view.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.view.activated.connect(lambda index: self.opened.emit(self.model.hit(index)))
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)
        self.view.installEventFilter(self)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._ask)
        self.field.textChanged.connect(lambda _text: self._typing.start())
        self._follow = QTimer(self, singleShot=True, interval=_FOLLOW_DELAY_MS)
        self._follow.timeout.connect(self._emit_chosen)
        self._lay_out(buttons)

    def _lay_out(self, buttons: Sequence[QWidget]) -> None:
        head = QHBoxLayout()
        head.setSpacing(2)
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(self.title)
        names.addWidget(self.about)
        head.addLayout(names, 1)
        for button in buttons:
            head.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(6)
        inset = QVBoxLayout()
        inset.setContentsMargins(16, 0, 12, 0)
        inset.setSpacing(6)
        inset.addLayout(head)
        inset.addWidget(self.field)
        column.addLayout(inset)
        column.addWidget(self.view, 1)

    # What is shown

    def show_sentences(
        self,
        of: object,
        title: str,
        about: str,
        found: Sequence[ScoredSentence],
        *,
        scored: bool,
        scope: Scope = EVERYTHING,
    ) -> None:
        """Show sentences, best first.

        Args:
            of: what they are of; what is typed stays while it is the same.
            title: what they are called together.
            about: how many they are.
            found: their ids and scores.
            scored: whether their scores say something.
            scope: the part of the library in whose documents they are shown.
        """
        self.title.setText(title)
        self.about.setText(about)
        same = of == self._of
        self._of = of
        if same and tuple(found) == self._found and scope == self.scope:
            return
        self._found, self.scope = tuple(found), scope
        self._cards.has_scores = scored
        self._scored = scored
        if not same:
            self.field.blockSignals(True)
            self.field.clear()
            self.field.blockSignals(False)
            self._typing.stop()
        self._ask()

    def clear(self) -> None:
        """Show nothing."""
        self._of, self._found, self.scope = None, (), EVERYTHING
        self._ticket += 1
        self.model.clear()

    def stop(self) -> None:
        """Ask for nothing any more."""
        self._typing.stop()
        self._follow.stop()

    @property
    def current(self) -> Hit | None:
        """The chosen sentence."""
        index = self.view.currentIndex()
        return self.model.hit(index) if index.isValid() else None

    @property
    def sentence_ids(self) -> tuple[int, ...]:
        """What could be shown, whatever is typed."""
        return tuple(each.sentence_id for each in self._found)

    def _ask(self) -> None:
        """Show what the field asks for."""
        self._ticket += 1
        ticket = self._ticket
        query = self.field.text().strip()
        self._cards.has_scores = bool(query) or self._scored
        if not query:
            self._show(ticket, "", self._found)
            return
        job = self._session.workspace.duplicates.themes.search_within(query, self.sentence_ids)
        self._session.bridge.call(
            job, self, lambda found: self._show(ticket, query, tuple(found)), on_error=self.failed.emit
        )

    def _show(self, ticket: int, query: str, found: tuple[ScoredSentence, ...]) -> None:
        if ticket != self._ticket:
            return

        def show(hits: list[Hit]) -> None:
            if ticket == self._ticket:
                self.model.show(SearchResult(query, "meaning", found, tuple(hits), len(found), 0.0))
                self.view.scrollToTop()

        job = self._session.workspace.duplicates.themes.hits(found[:PAGE_SIZE], 1, self.scope)
        self._session.bridge.call(job, self, show, on_error=self.failed.emit)

    def _on_more_wanted(self, found: tuple[ScoredSentence, ...], first_rank: int) -> None:
        result = self.model.result
        assert result is not None
        job = self._session.workspace.duplicates.themes.hits(found, first_rank, self.scope)
        self._session.bridge.call(job, self, lambda hits: self.model.add(result, hits))

    # What is done

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self._follow.start()
        else:
            self._follow.stop()

    def _emit_chosen(self) -> None:
        if (hit := self.current) is not None:
            self.chosen.emit(hit)

    def copy(self, *, with_citation: bool) -> None:
        """Copy the chosen sentence."""
        if (hit := self.current) is not None:
            QGuiApplication.clipboard().setText(display_text.cite_hit(hit) if with_citation else hit.text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Copy from the list; go from the field into the list."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if watched is self.view and event.matches(QKeySequence.StandardKey.Copy):
            self.copy(with_citation=True)
            return True
        if watched is self.field and event.key() == Qt.Key.Key_Down and self.model.rowCount():
            self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.view.setCurrentIndex(self.model.index(0))
            return True
        if watched is self.field and event.key() == Qt.Key.Key_Escape and self.field.text():
            self.field.clear()
            return True
        return super().eventFilter(watched, event)

    def _show_menu(self, at: QPoint) -> None:
        index = self.view.indexAt(at)
        if not index.isValid():
            return
        hit = self.model.hit(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(self.tr("Sentence"))
        rows: list[QAction] = [
            menu.addAction(make_icon("book-open"), self.tr("&Read in Its Place")),
            menu.addAction(make_icon("quote"), self.tr("&Copy with Citation")),
            menu.addAction(make_icon("copy"), self.tr("Copy &Sentence")),
        ]
        menu.addSeparator()
        rows += [
            menu.addAction(make_icon("text-search"), self.tr("&Find Similar Sentences")),
            menu.addAction(make_icon("scale"), self.tr("Compare Sentence &With…")),
        ]
        rows[0].triggered.connect(lambda: self.opened.emit(hit))
        rows[1].triggered.connect(lambda: self.copy(with_citation=True))
        rows[2].triggered.connect(lambda: self.copy(with_citation=False))
        rows[3].triggered.connect(lambda: self.similar_wanted.emit(hit.text))
        rows[4].triggered.connect(lambda: self.compared.emit(hit.text))
        menu.popup(self.view.viewport().mapToGlobal(at))
