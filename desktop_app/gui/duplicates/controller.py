"""Asks for pairs page by page, exports them, and records judgements of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.core.duplicates import MIN_SCORE, PairsRequest
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.duplicates.model import PAGE_SIZE, DuplicatesModel, make_pair_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.duplicates import MorePairs, Pair, PairList
    from desktop_app.core.jobs import ChangeSet, Job, Progress
    from desktop_app.core.records import Hit
    from desktop_app.gui.base.session import LibrarySession

DuplicatesState = Literal["nothing", "opening", "finding", "found", "stopped", "failed"]

FIRST_REQUEST = PairsRequest(top_k=PAGE_SIZE, min_score=MIN_SCORE)
MAX_EXPORTED_PAIRS = 100_000  # they are held in memory until they are written
_LIBRARY_CHANGE_DELAY_MS = 700  # documents arrive one after the other: the list is refreshed when they pause
_FILTER_DELAY_MS = 200


class DuplicatesController(QObject):
    """Finds pairs and puts them into a DuplicatesModel.

    Attributes:
        changed: state, progress or request have changed.
        failed: a request failed; carries the exception.
        arrived: the pairs of a list are in the model; carries whether they answer the same request as those before.
        request: which pairs are wanted.
        state: the state of the list.
        error: why there is no list.
        is_stale: the library has changed since the pairs were found.
        total: how many pairs the list has with those that are not loaded; None while nobody has counted them.
    """

    changed = Signal()
    failed = Signal(object)
    arrived = Signal(object)

    def __init__(self, session: LibrarySession, model: DuplicatesModel, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._model = model
        self._search: LatestJob[Any] = LatestJob(session, self)  # of a PairList, or of MorePairs
        self._export: LatestJob[int] = LatestJob(session, self)
        self._found: PairList | None = None
        self._shown: PairsRequest | None = None
        self._is_wanted = False
        self.request = FIRST_REQUEST
        self.state: DuplicatesState = "nothing"
        self.error: BaseException | None = None
        self.is_stale = False
        self.total: int | None = None
        self._request_timer = QTimer(self, singleShot=True)
        self._request_timer.timeout.connect(self._ask)
        model.more_wanted.connect(self._request_more)
        session.changed.connect(self._on_session_changed)
        session.bridge.changed.connect(self._on_library_changed)

    @property
    def is_working(self) -> bool:
        """Whether pairs are being found."""
        return self._search.is_running

    @property
    def is_due(self) -> bool:
        """Whether pairs are about to be found."""
        return self._request_timer.isActive()

    @property
    def is_exporting(self) -> bool:
        """Whether a file is being written."""
        return self._export.is_running

    @property
    def progress(self) -> Progress | None:
        """Of finding pairs, else of writing a file; None while neither has reported."""
        return self._search.progress if self._search.is_running else self._export.progress

    @property
    def is_filtered(self) -> bool:
        """Whether the request leaves out pairs that the first one includes."""
        return self.request != FIRST_REQUEST

    # Requests

    def activate(self) -> None:
        """Find pairs unless they are loaded, because the list has become visible."""
        self._is_wanted = True
        has_changed = self._shown is not None and self.request != self._shown and not self._search.is_running
        if self.state in ("nothing", "opening") or self.is_stale or has_changed:
            self._schedule_request(0)

    def deactivate(self) -> None:
        """Find nothing until the list is visible again."""
        self._is_wanted = False
        self._request_timer.stop()

    def pause(self) -> None:
        """Stop a search, which `activate` begins again, and find nothing until then."""
        self.deactivate()
        if self._search.is_running:
            self._search.cancel()
            self._search.drop()
            self.is_stale = True

    def change_request(self, **changes: object) -> None:
        """Change fields of the request, and ask for its pairs after a moment."""
        request = replace(self.request, **changes)  # type: ignore[arg-type]
        if request != self.request:
            self.request = request
            self.changed.emit()
            self._schedule_request(_FILTER_DELAY_MS)

    def reset_request(self) -> None:
        """Go back to the first request."""
        self.request = FIRST_REQUEST
        self.refresh()

    def refresh(self) -> None:
        """Ask again."""
        self._schedule_request(0)
        self.changed.emit()

    def cancel(self) -> None:
        """Cancel the search for pairs, or else the export. The pairs in the model stay."""
        (self._search if self._search.is_running else self._export).cancel()

    def _schedule_request(self, ms: int) -> None:
        if self._is_wanted:
            self._request_timer.start(ms)

    def _ask(self) -> None:
        session = self._session
        if session.status is None:
            self.state, self.error = ("failed", session.error) if session.phase == "failed" else ("opening", None)
            self.changed.emit()
            return
        request = self.request
        # As many as are shown, so that the list keeps its position when the library changes.
        count = max(PAGE_SIZE, self._model.rowCount() if request == self._shown else 0)
        self.is_stale = False
        self.state, self.error = "finding", None
        self._search.start(
            session.workspace.duplicates.find_pairs(replace(request, top_k=count)),
            lambda found: self._on_found(request, found),
            on_error=lambda error: self._on_end("failed", error),
            on_cancelled=lambda: self._on_end("stopped"),
            on_progress=lambda _progress: self.changed.emit(),
        )
        self.changed.emit()

    def _request_more(self) -> None:
        if self._found is None:
            return
        self.error = None
        self._search.start(
            self._session.workspace.duplicates.find_more_pairs(self._found, PAGE_SIZE),
            self._on_more,
            on_error=self._on_no_more,
            on_cancelled=self._on_no_more,
            on_progress=lambda _progress: self.changed.emit(),
        )
        self.changed.emit()

    # Answers

    def _on_found(self, request: PairsRequest, found: PairList) -> None:
        again = request == self._shown
        self._found, self._shown, self.total = found, request, None
        self._model.show(found)
        self._on_end("found")
        self.arrived.emit(again)

    def _on_more(self, more: MorePairs) -> None:
        self._model.add(more)
        self._on_end("found")

    def _on_no_more(self, error: BaseException | None = None) -> None:
        self._model.stop()
        self._on_end("found")
        if error is not None:
            self.failed.emit(error)

    def _on_end(self, state: DuplicatesState, error: BaseException | None = None) -> None:
        self.error, self.state = error, state
        if state in ("stopped", "failed") and self._shown is not None and not self._request_timer.isActive():
            # The former list stays, and with it the filters and the pairs to export.
            self.request, self.state, self.error = self._shown, "found", None
        self.changed.emit()
        if error is not None and self.error is None:
            self.failed.emit(error)

    def _on_session_changed(self) -> None:
        if self.state == "opening":
            self._schedule_request(0)

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if (changes.sentences or changes.listing) and self.state not in ("nothing", "opening"):
            self.is_stale = True
            self._schedule_request(_LIBRARY_CHANGE_DELAY_MS)

    def export(self, file: str, on_written: Callable[[int | None], None]) -> None:
        """Write the pairs of the list to a file, also those that the model has not loaded.

        Args:
            file: its path.
            on_written: receives the number of pairs written; None if the export was cancelled and wrote nothing.
        """
        request = replace(self._shown or self.request, top_k=MAX_EXPORTED_PAIRS)
        listed = self._found

        def finish(count: int) -> None:
            # To count all pairs without writing them would take as long.
            if listed is self._found and not self.is_stale and count < MAX_EXPORTED_PAIRS:
                self.total = count
            end(lambda: on_written(count))

        def end(then: Callable[[], None]) -> None:
            self.changed.emit()
            then()

        self._export.start(
            self._session.workspace.duplicates.export_pairs(request, file, make_pair_texts()),
            finish,
            on_error=lambda error: end(lambda: self.failed.emit(error)),
            on_cancelled=lambda: end(lambda: on_written(None)),
            on_progress=lambda _progress: self.changed.emit(),
        )
        self.changed.emit()

    def unfold(self, pair: Pair) -> None:
        """Show the pairs that are folded into this one below it."""
        found, place = self._found, self._model.folded_position(pair)
        if found is not None and place is not None:

            def show(pairs: list[Pair]) -> None:
                if found is self._found:
                    self._model.unfold(pair, pairs)
                    self.changed.emit()

            job = self._session.workspace.duplicates.unfold(found, place)
            self._session.bridge.call(job, self, show, on_error=self.failed.emit)

    def load_places(self, pair: Pair, side: int, show: Callable[[list[Hit]], None]) -> None:
        """Ask for the places of a sentence of a pair: the first (0) or the second."""
        if self._found is not None:
            sentence_id = (pair.b if side else pair.a).sentence_id
            job = self._session.workspace.duplicates.find_places(self._found, sentence_id)
            self._session.bridge.call(job, self, show, on_error=self.failed.emit)

    # Judgements

    def review(self, pair: Pair, reviewed: bool) -> None:
        """Mark a pair as reviewed, or remove the mark."""
        job = self._session.workspace.change(
            lambda library: library.pair_labels.review([(pair.a.text, pair.b.text)], reviewed)
        )
        self._store_mark(job, pair, reviewed=reviewed)

    def restore(self, pair: Pair) -> None:
        """Remove the mark of a pair that was removed from the list with it, and list it again."""

        def list_again(_none: None) -> None:
            self.is_stale = True  # for when the list is visible again
            self.refresh()

        job = self._session.workspace.change(
            lambda library: library.pair_labels.review([(pair.a.text, pair.b.text)], False)
        )
        self._session.bridge.call(job, self, list_again, on_error=self.failed.emit)

    def judge(self, pair: Pair, same: bool | None) -> None:
        """Record whether both sentences mean the same; None removes the judgement."""
        job = self._session.workspace.change(lambda library: library.pair_labels.judge(pair.a.text, pair.b.text, same))
        self._store_mark(job, pair, same=same)

    def _store_mark(self, job: Job[None], pair: Pair, **marks: bool | None) -> None:
        before = {name: getattr(pair, name) for name in marks}

        def undo(error: BaseException) -> None:
            row = self._model.row_of(pair)
            if row is not None:
                self._model.change(row, **before)
            else:
                self.refresh()  # the pair was removed from the list
            self.failed.emit(error)

        row = self._model.row_of(pair)
        if row is not None:
            if self.request.unreviewed and marks.get("reviewed"):
                self._model.remove(row)
                self.total = None
            else:
                self._model.change(row, **marks)
        self._session.bridge.call(job, self, on_error=undo)
        self.changed.emit()
