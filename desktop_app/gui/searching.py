"""Search as one types: a short wait, a ticket for each query, and the newest answer only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.core.query import MOST_HITS
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.gui.hits import PAGE_SIZE, HitModel
from desktop_app.gui.throttle import Throttle

if TYPE_CHECKING:
    from desktop_app.core.jobs import ChangeSet, Job
    from desktop_app.core.records import Hit, SearchMode
    from desktop_app.engine.requests import SearchRequest, SearchResult
    from desktop_app.gui.session import Session

Asked = tuple[str, Scope, "SearchMode", float, bool, str]

TYPING_PAUSE_MS = 120
_REFRESH_EVERY_MS = 1000
_SLOW_MS = 400
TOP_K = MOST_HITS
FIRST_K = 200
"""Hits that are asked for first; the others are, once one scrolls down to their end."""


class SearchFeed(QObject):
    """Turns what is typed into hits in a HitModel, and keeps them up to date while documents come in.

    Attributes:
        changed: whether a search is wanted or under way has changed.
        answered: new hits are in the model; carries whether they answer the same query as before (a refresh).
        failed: the latest search could not be done; carries the exception.
        not_ordered: its hits could not be ordered anew and stand as they were found; carries the exception.
        reranker: name or folder of the model that orders the first hits anew; empty: none does.
        is_ordering: whether that is under way.
    """

    changed = Signal()
    answered = Signal(object)
    failed = Signal(object)
    not_ordered = Signal(object)

    def __init__(self, session: Session, model: HitModel, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._model = model
        self._ticket = 0
        self._answered_ticket = 0
        self._shown: Asked | None = None
        self._top_k = FIRST_K
        self.query = ""
        self.scope = EVERYTHING
        self.mode: SearchMode = "both"
        self.min_score = -1.0
        self.collapses = True
        self.reranker = ""
        self.is_ordering = False
        self._ordering: Job[SearchResult] | None = None
        self._typing = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._ask)
        self._refreshing = Throttle(_REFRESH_EVERY_MS, self)
        self._refreshing.due.connect(self._refresh)
        self._slow = QTimer(self, singleShot=True, interval=_SLOW_MS)
        self._slow.timeout.connect(self.changed)
        model.more_wanted.connect(self._on_more_wanted)
        model.deeper_wanted.connect(self._on_deeper_wanted)
        session.bridge.changed.connect(self._on_library_changed)

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is still to come."""
        return self._typing.isActive() or self._ticket != self._answered_ticket

    @property
    def is_slow(self) -> bool:
        """Whether the answer takes so long that one should say so."""
        return self.is_waiting and not self._slow.isActive()

    def set_query(self, text: str) -> None:
        """Search for `text` once typing pauses; nothing is found for an empty one, at once."""
        query = text.strip()
        if query == self.query:
            return
        self.query = query
        if query:
            if not self.is_waiting:
                self._slow.start()
            self._typing.start()
        else:
            self._forget()
        self.changed.emit()

    def set_scope(self, scope: Scope) -> None:
        """Search in another part of the library, at once."""
        if scope != self.scope:
            self.scope = scope
            if self.query:
                self._typing.stop()
                self._ask()
            self.changed.emit()

    def set_mode(self, mode: SearchMode) -> None:
        """Search in another way, at once."""
        if mode != self.mode:
            self.mode = mode
            if self.query:
                self._typing.stop()
                self._ask()
            self.changed.emit()

    def set_min_score(self, score: float) -> None:
        """Show only hits from a score on, at once."""
        if score != self.min_score:
            self.min_score = score
            self.ask_again()

    def set_collapses(self, collapses: bool) -> None:
        """Leave near copies of a hit out, or show them all."""
        if collapses != self.collapses:
            self.collapses = collapses
            self.ask_again()

    def set_reranker(self, model: str) -> None:
        """Have the first hits ordered anew by a model, at once; an empty name: by none."""
        if model != self.reranker:
            self.reranker = model
            self.ask_again()

    def ask_again(self) -> None:
        """Ask the same query once more, at once: what it is asked with, or what was said of its hits, has changed."""
        if self.query:
            self._typing.stop()
            self._ask()
        self.changed.emit()

    def request(self, top_k: int = TOP_K, **more: Any) -> SearchRequest:
        """Return the search as it stands."""
        from desktop_app.engine.requests import SearchRequest

        return SearchRequest(
            self.query,
            top_k=top_k,
            scope=self.scope,
            mode=self.mode,
            min_score=self.min_score,
            collapses=self.collapses,
            heeds_judgements=True,
            **more,
        )

    def search_now(self) -> bool:
        """Do not wait for a pause in typing; returns whether a search was waiting."""
        waiting = self._typing.isActive()
        if waiting:
            self._typing.stop()
            self._ask()
        return waiting

    def stop(self) -> None:
        """Ask for nothing any more."""
        self._leave_order()
        self._typing.stop()
        self._refreshing.stop()
        self._slow.stop()

    def _forget(self) -> None:
        self.stop()
        self._ticket += 1
        self._answered_ticket = self._ticket
        self._shown = None
        self._model.clear()

    def _ask(self) -> None:
        self._leave_order()
        self._ticket += 1
        asked: Asked = (self.query, self.scope, self.mode, self.min_score, self.collapses, self.reranker)
        ticket = self._ticket
        # A refresh brings as many rows as are there, so that the place in the list is kept.
        again = asked == self._shown
        rows = self._model.rowCount() if again else 0
        self._top_k = self._top_k if again else FIRST_K
        request = self.request(self._top_k, page_size=max(rows, PAGE_SIZE))
        self._session.bridge.call(
            self._session.workspace.search(request, again=again),
            self,
            lambda result: self._on_result(ticket, asked, result),
            on_error=lambda error: self._on_error(ticket, error),
        )
        self.changed.emit()

    def _on_result(self, ticket: int, asked: Asked, result: SearchResult) -> None:
        if ticket != self._ticket:
            return
        self._answered_ticket = ticket
        again = asked == self._shown
        self._shown = asked
        is_ordered = bool(self.reranker) and len(result.hits) > 1
        # What is there already was ordered: until the new hits are too it stays, or the rows would jump to and fro.
        if not (is_ordered and again):
            self._show(result, again)
        if is_ordered:
            self._order(ticket, result)

    def _show(self, result: SearchResult, again: bool) -> None:
        self._model.show(result, can_deepen=result.is_cut and self._top_k < TOP_K)
        self.answered.emit(again)
        self.changed.emit()

    # The first hits in a new order

    def _order(self, ticket: int, result: SearchResult) -> None:
        self.is_ordering = True
        job = self._ordering = self._session.workspace.reranking.order(result, self.reranker)
        self._session.bridge.call(
            job,
            self,
            lambda ordered: self._on_ordered(ticket, ordered),
            on_error=lambda error: self._on_not_ordered(ticket, result, error),
        )
        self.changed.emit()

    def _on_ordered(self, ticket: int, result: SearchResult) -> None:
        if ticket != self._ticket:
            return
        self.is_ordering, self._ordering = False, None
        self._show(result, again=True)

    def _on_not_ordered(self, ticket: int, result: SearchResult, error: BaseException) -> None:
        if ticket != self._ticket:
            return
        self.is_ordering, self._ordering = False, None
        self._show(result, again=True)
        self.not_ordered.emit(error)

    def _leave_order(self) -> None:
        """Wait for no new order any more."""
        job, self._ordering, self.is_ordering = self._ordering, None, False
        if job is not None:
            job.cancel()
            self._session.workspace.wake()

    def _on_error(self, ticket: int, error: BaseException) -> None:
        if ticket == self._ticket:
            self._answered_ticket = ticket
            self._shown = None
            self._model.clear()
            self.failed.emit(error)
            self.changed.emit()

    # Rows below, and documents that come in

    def _on_deeper_wanted(self) -> None:
        if self._top_k < TOP_K and not self.is_waiting:
            self._top_k = TOP_K
            self._ask()

    def _on_more_wanted(self, first: int, count: int) -> None:
        result = self._model.result
        assert result is not None

        def add(hits: list[Hit]) -> None:
            self._model.add(result, hits)

        self._session.bridge.call(self._session.workspace.more_hits(result, first, count), self, add)

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if changes.sentences and self.query:
            self._refreshing.request()

    def _refresh(self) -> None:
        if not self.query:
            return
        if self.is_waiting:
            # The answer that is under way may be from before the change.
            self._refreshing.request()
        else:
            self._ask()
