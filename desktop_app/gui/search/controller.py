"""Search as you type: every keystroke asks, and only the newest answer is shown.

It does not wait for a pause in typing: the engine leaves an older search at its next step (`Finder.steps`), so letters
do not queue up, and an answer waits for nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QObject, QTimer, Signal

from desktop_app.core.query import MAX_HITS
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.base.throttle import Throttle
from desktop_app.gui.results.hit_model import PAGE_SIZE, HitModel

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import ChangeSet
    from desktop_app.core.records import Hit, SearchMode
    from desktop_app.engine.requests import SearchRequest, SearchResult
    from desktop_app.gui.base.session import LibrarySession

SearchKey = tuple[str, Scope, "SearchMode", float, bool, str, bool]

_IDLE_MS = 400
"""After this time without a letter nobody is typing; until then nothing runs that would delay the next answer."""

_REFRESH_INTERVAL_MS = 1000
_SLOW_SEARCH_MS = 400
TOP_K = MAX_HITS
INITIAL_TOP_K = 200
"""Hits that are requested first; scrolling to their end requests the others."""

INITIAL_DOCUMENTS, MAX_DOCUMENTS = 15, 100
"""The same for ranked documents."""

MIN_ROWS = 8
"""The least number of rows in an answer, which otherwise has as many as are visible: each costs reading and layout."""


class SearchController(QObject):
    """Turns a typed query into hits in a HitModel, and updates them while documents come in.

    Attributes:
        changed: a search started or ended.
        answered: new hits are in the model; carries whether they answer the same query as before (a refresh).
        failed: the latest search failed; carries the exception.
        reranking_failed: the hits keep the order of the search; carries the exception.
        by_document: whether documents are ranked, each with its best sentences, instead of sentences.
        reranker: name or folder of the model that reranks the first hits; empty for none.
        is_ordering: whether the hits are being reranked.
        visible_row_count: returns how many hits are visible at once.
    """

    changed = Signal()
    answered = Signal(object)
    failed = Signal(object)
    reranking_failed = Signal(object)

    def __init__(self, session: LibrarySession, model: HitModel, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._model = model
        self._request: LatestJob[SearchResult] = LatestJob(session, self)
        self._shown: SearchKey | None = None
        self._top_k = INITIAL_TOP_K
        self.query = ""
        self.scope = EVERYTHING
        self.mode: SearchMode = "both"
        self.min_score = -1.0
        self.fold_copies = True
        self.by_document = False
        self.reranker = ""
        self.is_ordering = False
        self.visible_row_count: Callable[[], int] = lambda: MIN_ROWS
        self._ordering: LatestJob[SearchResult] = LatestJob(session, self)
        self._to_order: SearchResult | None = None
        self._typing = QTimer(self, singleShot=True, interval=_IDLE_MS)
        self._resting = QTimer(self, singleShot=True)
        self._resting.timeout.connect(self._on_rest)
        self._refreshing = Throttle(_REFRESH_INTERVAL_MS, self)
        self._refreshing.due.connect(self._refresh)
        self._slow = QTimer(self, singleShot=True, interval=_SLOW_SEARCH_MS)
        self._slow.timeout.connect(self.changed)
        model.more_wanted.connect(self._on_more_wanted)
        model.more_results_wanted.connect(self._on_deeper_wanted)
        session.bridge.changed.connect(self._on_library_changed)

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is pending."""
        return self._request.is_running

    @property
    def is_answered(self) -> bool:
        """Whether the hits are those of the current query and settings."""
        return self._shown is not None and self._shown == self._current_key

    @property
    def _current_key(self) -> SearchKey:
        return (self.query, self.scope, self.mode, self.min_score, self.fold_copies, self.reranker, self.by_document)

    @property
    def _first_k(self) -> int:
        return INITIAL_DOCUMENTS if self.by_document else INITIAL_TOP_K

    @property
    def _max_k(self) -> int:
        return MAX_DOCUMENTS if self.by_document else TOP_K

    @property
    def idle_delay_ms(self) -> int:
        """Time until typing counts as paused; 0 if it is."""
        return max(self._typing.remainingTime(), 0)

    @property
    def is_slow(self) -> bool:
        """Whether the answer takes so long that the window should say so."""
        return self.is_waiting and not self._slow.isActive()

    def set_query(self, text: str) -> None:
        """Search for `text` at once; an empty text clears the hits."""
        query = text.strip()
        if query == self.query:
            return
        self.query = query
        if query:
            self._typing.start()
            self._ask()
        else:
            self._forget()
            self.changed.emit()

    def set_scope(self, scope: Scope) -> None:
        """Search another part of the library at once."""
        if scope != self.scope:
            self.scope = scope
            self.repeat_search()

    def set_mode(self, mode: SearchMode) -> None:
        """Search with another mode at once."""
        if mode != self.mode:
            self.mode = mode
            self.repeat_search()

    def set_min_score(self, score: float) -> None:
        """Show only hits from a score on."""
        if score != self.min_score:
            self.min_score = score
            self.repeat_search()

    def set_fold_copies(self, fold_copies: bool) -> None:
        """Fold near copies of a hit, or show them all."""
        if fold_copies != self.fold_copies:
            self.fold_copies = fold_copies
            self.repeat_search()

    def set_by_document(self, by_document: bool) -> None:
        """Rank documents, or sentences."""
        if by_document != self.by_document:
            self.by_document = by_document
            self.repeat_search()

    def set_reranker(self, model: str) -> None:
        """Rerank the first hits with a model; an empty name turns that off."""
        if model != self.reranker:
            self.reranker = model
            self.repeat_search()

    def repeat_search(self) -> None:
        """Repeat the search at once, because its settings or the feedback on its hits changed."""
        if self.query:
            self._ask()
        else:
            self.changed.emit()

    def request(self, top_k: int = TOP_K, **more: Any) -> SearchRequest:
        """Return the request for the current query and settings."""
        from desktop_app.engine.requests import SearchRequest

        return SearchRequest(
            self.query,
            top_k=top_k,
            scope=self.scope,
            mode=self.mode,
            min_score=self.min_score,
            fold_copies=self.fold_copies,
            use_feedback=True,
            **more,
        )

    def stop(self) -> None:
        """Cancel what is pending."""
        self._drop_reranking()
        self._refreshing.stop()
        self._slow.stop()

    def _forget(self) -> None:
        self.stop()
        self._request.drop()
        self._shown = None
        self._model.clear()

    def _ask(self) -> None:
        self._drop_reranking()
        if not self.is_waiting:
            self._slow.start()
        asked = self._current_key
        # A refresh reads as many rows as before, so that the list keeps its position.
        again = asked == self._shown
        rows = self._model.rowCount() if again else 0
        self._top_k = self._top_k if again else self._first_k
        least = PAGE_SIZE if self.reranker else max(MIN_ROWS, self.visible_row_count())  # as many as are reranked
        request = self.request(self._top_k, page_size=max(rows, least))
        search = self._session.workspace.search
        find = search.find_grouped if self.by_document else search.find_sentences
        self._request.start(
            find(request, by_person=not again), lambda result: self._on_result(asked, result), on_error=self._on_error
        )
        self.changed.emit()

    def _on_result(self, asked: SearchKey, result: SearchResult) -> None:
        again = asked == self._shown
        self._shown = asked
        is_ordered = bool(self.reranker) and len(result.hits) > 1 and not result.documents
        # The current hits are reranked: they stay until the new ones are too, so that the rows do not jump.
        if not (is_ordered and again):
            self._show(result, again)
        if is_ordered:
            self.is_ordering, self._to_order = True, result
            self._resting.start(self.idle_delay_ms)
            self.changed.emit()

    def _on_rest(self) -> None:
        if self._to_order is not None:
            waiting, self._to_order = self._to_order, None
            self._order(waiting)
        elif (result := self._model.result) is not None and self._model.rowCount() < min(PAGE_SIZE, len(result.found)):
            self._model.fetchMore(QModelIndex())  # so that scrolling does not wait

    def _show(self, result: SearchResult, again: bool) -> None:
        self._model.show(result, can_deepen=result.has_more and self._top_k < self._max_k)
        self._resting.start(self.idle_delay_ms)
        self.answered.emit(again)
        self.changed.emit()

    # Reranking

    def _order(self, result: SearchResult) -> None:
        job = self._session.workspace.reranking.rerank_result(result, self.reranker)
        self._ordering.start(job, self._on_ordered, on_error=lambda error: self._on_not_ordered(result, error))

    def _on_ordered(self, result: SearchResult) -> None:
        self.is_ordering = False
        self._show(result, again=True)

    def _on_not_ordered(self, result: SearchResult, error: BaseException) -> None:
        self.is_ordering = False
        self._show(result, again=True)
        self.reranking_failed.emit(error)

    def _drop_reranking(self) -> None:
        """Cancel reranking."""
        self._resting.stop()
        self._to_order = None
        self.is_ordering = False
        self._ordering.cancel()
        self._ordering.drop()

    def _on_error(self, error: BaseException) -> None:
        if self._session.note_loss(error):
            self.changed.emit()  # the last answer stays; the query is asked again with the next connection
            return
        self._shown = None
        self._model.clear()
        self.failed.emit(error)
        self.changed.emit()

    # Further rows, and changes of the library

    def _on_deeper_wanted(self) -> None:
        if self._top_k < self._max_k and not self.is_waiting:
            self._top_k = self._max_k
            self._ask()

    def _on_more_wanted(self, first: int, count: int) -> None:
        result = self._model.result
        assert result is not None

        def add(hits: list[Hit]) -> None:
            self._model.add(result, hits)

        def fail(error: BaseException) -> None:
            self._session.note_loss(error)
            self._model.give_up(result, first)  # the hits that are there stay

        job = self._session.workspace.search.read_hits(result, first, count)
        self._session.bridge.call(job, self, add, on_error=fail)

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if changes.sentences and self.query:
            self._refreshing.request()

    def _refresh(self) -> None:
        if not self.query:
            return
        if self.is_waiting or self.is_ordering:
            # The pending answer may be from before the change. Reranking may take longer than it takes an import to
            # change the library again: ended by each change, it would never get done.
            self._refreshing.request()
        else:
            self._ask()
