"""The sentences of a cluster or of a part of the map."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QLineEdit,
    QToolButton,
    QWidget,
)

from desktop_app.core.scope import EVERYTHING
from desktop_app.engine.requests import SearchResult
from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import Role, make_icon
from desktop_app.gui.base.requests import TYPING_PAUSE_MS, LatestJob
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.results.hit_delegate import HitCardDelegate
from desktop_app.gui.results.hit_list import HitListView
from desktop_app.gui.results.hit_model import PAGE_SIZE, HitModel
from desktop_app.gui.widgets.fields import LineField
from desktop_app.gui.widgets.labels import ElidedLabel
from desktop_app.gui.widgets.layouts import make_column, make_row
from desktop_app.gui.widgets.menus import make_popup_menu

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QAction, QShowEvent

    from desktop_app.core.jobs import Job
    from desktop_app.core.records import Document, DocumentCount, Hit, ScoredSentence
    from desktop_app.core.scope import Scope
    from desktop_app.gui.base.window_context import WindowContext

_FOLLOW_DELAY_MS = 150
_MAX_LISTED_DOCUMENTS = 30


class ClusterSentencesPanel(QWidget):
    """Some sentences as cards, with a field to search in them. The rows are read as they become visible.

    Args:
        context: the window's services.
        buttons: next to the title; a button for the documents of the sentences follows them.

    Attributes:
        scope: the part of the library in whose documents the sentences are shown.
    """

    def __init__(self, context: WindowContext, buttons: Sequence[QWidget]) -> None:
        super().__init__()
        self._context = context
        self._session = context.session
        self._request: LatestJob[Any] = LatestJob(context.session, self)  # of the search, then of its rows
        self._found: tuple[ScoredSentence, ...] = ()
        self.scope: Scope = EVERYTHING
        self._subject: object = None
        self._is_query_due = False
        self.setProperty("surface", "ground")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Sentences"))
        self.title = ElidedLabel(self.tr("Topic"))
        self.title.setFont(scale_font(self.title.font(), 1.12, QFont.Weight.DemiBold))
        self.about = ElidedLabel(self.tr("About this topic"), "muted")
        self.about.setFont(scale_font(self.about.font(), 0.9))
        self.field = LineField()
        self.field.setPlaceholderText(self.tr("Search in these sentences"))
        self.field.setAccessibleName(self.tr("Search in these sentences"))
        self.field.setClearButtonEnabled(False)
        self.field.addAction(make_icon("search", Role.PlaceholderText), QLineEdit.ActionPosition.LeadingPosition)
        for button in self.field.findChildren(QToolButton):
            button.setAccessibleName(self.field.accessibleName())
        self.field.installEventFilter(self)
        self.model = HitModel(self)
        self.model.more_wanted.connect(self._on_more_wanted)
        self.view = HitListView(self.tr("Sentences of the topic"))
        self.view.setModel(self.model)
        self._cards = HitCardDelegate(self.view, context.themes)
        self._cards.follow_scores(context.actions["search.exact_scores"])
        self.view.setItemDelegate(self._cards)
        for signal in (self.model.modelReset, self.model.dataChanged):
            signal.connect(self._cards.clear_sizes)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.view.activated.connect(lambda index: context.navigator.open_hit.emit(self.model.hit(index)))
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)
        self.view.installEventFilter(self)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._ask)
        self.field.textChanged.connect(lambda _text: self._typing.start())
        self._follow = QTimer(self, singleShot=True, interval=_FOLLOW_DELAY_MS)
        self._follow.timeout.connect(self._follow_current)
        self.documents = DocumentsButton(context, lambda: (self.sentence_ids, self.scope))
        self._lay_out([*buttons, self.documents])

    def _lay_out(self, buttons: Sequence[QWidget]) -> None:
        names = make_column(self.title, self.about, spacing=0)
        head = make_row((names, 1), *buttons, spacing=2)
        inset = make_column(head, self.field, margins=(16, 0, 12, 0), spacing=6)
        make_column(inset, (self.view, 1), parent=self, margins=(0, 8, 0, 0), spacing=6)

    # Display

    def show_sentences(
        self,
        subject: object,
        title: str,
        about: str,
        found: Sequence[ScoredSentence],
        *,
        scored: bool,
        scope: Scope = EVERYTHING,
    ) -> None:
        """Show sentences, best first.

        Args:
            subject: the owner of the sentences; the typed text stays while it is the same.
            title: a name for all of them.
            about: how many they are.
            found: their ids and scores.
            scored: whether to show the scores.
            scope: the part of the library in whose documents they are shown.
        """
        self.title.setText(title)
        self.about.setText(about)
        same = subject == self._subject
        self._subject = subject
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
        self._subject, self._found, self.scope, self._is_query_due = None, (), EVERYTHING, False
        self._request.drop()
        self.model.clear()

    def stop(self) -> None:
        """Cancel pending requests; what was typed last is asked for at once when the panel is shown again."""
        self._is_query_due = self._is_query_due or self._typing.isActive()
        self._typing.stop()
        self._follow.stop()

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for what was typed just before the panel was hidden."""
        super().showEvent(event)
        if self._is_query_due:
            self._ask()

    @property
    def current(self) -> Hit | None:
        """The selected sentence."""
        index = self.view.currentIndex()
        return self.model.hit(index) if index.isValid() else None

    @property
    def sentence_ids(self) -> tuple[int, ...]:
        """All sentences, including those that the field filters out."""
        return tuple(each.sentence_id for each in self._found)

    def _ask(self) -> None:
        """Show all sentences, or those that answer the typed query."""
        self._is_query_due = False
        query = self.field.text().strip()
        self._cards.has_scores = bool(query) or self._scored
        if not query:
            self._load_rows("", self._found)
            return
        self._request.start(
            self._session.workspace.clusters.search_within(query, self.sentence_ids),
            lambda found: self._load_rows(query, tuple(found)),
            on_error=self._context.tell_error,
        )

    def _load_rows(self, query: str, found: tuple[ScoredSentence, ...]) -> None:
        def show(hits: list[Hit]) -> None:
            self.model.show(SearchResult(query, "meaning", found, tuple(hits), len(found), 0.0))
            self.view.scrollToTop()

        job = self._read_hits(found[:PAGE_SIZE], 1)
        self._request.start(job, show, on_error=self._context.tell_error)

    def _read_hits(self, found: Sequence[ScoredSentence], first_rank: int) -> Job[list[Hit]]:
        scope = self.scope
        return self._session.workspace.read(
            lambda library: library.search.hits(found, first_rank=first_rank, scope=scope)
        )

    def _on_more_wanted(self, first: int, count: int) -> None:
        result = self.model.result
        assert result is not None

        def fail(error: BaseException) -> None:
            self.model.give_up(result, first)
            self._context.tell_error(error)

        job = self._read_hits(result.found[first : first + count], first + 1)
        self._session.bridge.call(job, self, lambda hits: self.model.add(result, hits), on_error=fail)

    # Actions

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self._follow.start()
        else:
            self._follow.stop()

    def _follow_current(self) -> None:
        if (hit := self.current) is not None:
            self._context.navigator.follow_hit.emit(hit)

    def copy(self, *, with_citation: bool) -> None:
        """Copy the selected sentence."""
        if (hit := self.current) is not None:
            self._context.copy(display_text.cite_hit(hit) if with_citation else hit.text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Copy from the list; move from the field into the list."""
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
        hit, navigator = self.model.hit(index), self._context.navigator
        menu = make_popup_menu(self, self.tr("Sentence"))
        rows: list[QAction] = [
            menu.addAction(make_icon("book-open"), self.tr("&Open in Reader")),
            menu.addAction(make_icon("quote"), self.tr("&Copy with Citation")),
            menu.addAction(make_icon("copy"), self.tr("Copy &Sentence")),
        ]
        menu.addSeparator()
        rows += [
            menu.addAction(make_icon("text-search"), self.tr("&Find Similar Sentences")),
            menu.addAction(make_icon("scale"), self.tr("Compare Sentence &With…")),
        ]
        rows[0].triggered.connect(lambda: navigator.open_hit.emit(hit))
        rows[1].triggered.connect(lambda: self.copy(with_citation=True))
        rows[2].triggered.connect(lambda: self.copy(with_citation=False))
        rows[3].triggered.connect(lambda: navigator.find_similar.emit(hit.text))
        rows[4].triggered.connect(lambda: navigator.compare_with.emit(hit.text))
        menu.popup(self.view.viewport().mapToGlobal(at))


class DocumentsButton(QToolButton):
    """Lists the documents of some sentences with the number of sentences in each, and opens the chosen one.

    Args:
        context: the window's services.
        sentences: returns the ids of the sentences, and the part of the library in which they are looked for.
    """

    def __init__(self, context: WindowContext, sentences: Callable[[], tuple[Sequence[int], Scope]]) -> None:
        super().__init__()
        self._context = context
        self._sentences = sentences
        self.setIcon(make_icon("file-text"))
        self.setToolTip(self.tr("Show the documents with these sentences"))
        self.setAccessibleName(self.tr("Documents with these sentences"))
        self.clicked.connect(self.load_documents)

    def load_documents(self) -> None:
        """Ask for the documents, and list them."""
        ids, scope = self._sentences()
        if ids:
            session = self._context.session
            job = session.workspace.read(
                lambda library: library.analysis_reader.documents_of(ids, scope), key="cluster documents"
            )
            session.bridge.call(job, self, self._show, on_error=self._context.tell_error)

    def _show(self, found: list[DocumentCount]) -> None:
        menu = make_popup_menu(self, self.accessibleName())
        menu.setToolTipsVisible(True)
        for each in found[:_MAX_LISTED_DOCUMENTS]:
            name = display_text.document_name(each.title, each.path).replace("&", "&&")
            action = menu.addAction(make_icon("file-text"), f"{name} \u00b7 {display_text.count_sentences(each.count)}")
            action.setToolTip(display_text.make_tooltip(each.path))
            document = self._context.documents.document(each.document_id)
            action.setEnabled(document is not None)
            if document is not None:
                action.triggered.connect(partial(self._open, document))
        if len(found) > _MAX_LISTED_DOCUMENTS:
            count = display_text.format_number(len(found) - _MAX_LISTED_DOCUMENTS)
            rest = self.tr("and {count} more").format(count=count)
            menu.addAction(rest).setEnabled(False)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _open(self, document: Document, _on: bool = False) -> None:
        self._context.navigator.open_document.emit(document, False)
