"""Asks for pairs page by page and records what is said of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.core.duplicates import PairsRequest
from desktop_app.gui.duplicates.model import PAGE_SIZE, DuplicatesModel

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.duplicates import MorePairs, Pair, PairList
    from desktop_app.core.jobs import ChangeSet, Job, Progress
    from desktop_app.core.records import Hit
    from desktop_app.gui.base.session import LibrarySession

DuplicatesState = Literal["nothing", "opening", "finding", "found", "stopped", "failed"]

FIRST_REQUEST = PairsRequest(top_k=PAGE_SIZE, min_score=0.5)
MAX_EXPORTED_PAIRS = 100_000  # they are held in memory until they are written
_LIBRARY_CHANGE_DELAY_MS = 700  # documents come in one after the other: the list is found anew when they rest
_FILTER_DELAY_MS = 200


class DuplicatesController(QObject):
    """Pairs in a PairModel.

    Attributes:
        changed: standing, progress or request are others now.
        failed: something that was asked for could not be done; carries the exception.
        arrived: the pairs of a list are in the model; carries whether they answer the same request as those before.
        request: which pairs are wanted.
        standing: how it stands with them.
        progress: of what is under way.
        error: why there are none.
        is_stale: the library has changed since they were found.
        exported: how far the writing of a file is; None where none is written.
    """

    changed = Signal()
    failed = Signal(object)
    arrived = Signal(object)

    def __init__(self, session: LibrarySession, model: DuplicatesModel, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._model = model
        self._job: Job[PairList] | Job[MorePairs] | None = None
        self._found: PairList | None = None
        self._shown: PairsRequest | None = None
        self._is_wanted = False
        self.request = FIRST_REQUEST
        self.standing: DuplicatesState = "nothing"
        self.progress: Progress | None = None
        self.error: BaseException | None = None
        self.is_stale = False
        self.exported: Progress | None = None
        self._export: Job[int] | None = None
        self._asking = QTimer(self, singleShot=True)
        self._asking.timeout.connect(self._ask)
        model.more_wanted.connect(self._request_more)
        session.changed.connect(self._on_session_changed)
        session.bridge.changed.connect(self._on_library_changed)

    @property
    def is_working(self) -> bool:
        """Whether pairs are on their way."""
        return self._job is not None

    @property
    def is_exporting(self) -> bool:
        """Whether a file is being written."""
        return self._export is not None

    @property
    def is_filtered(self) -> bool:
        """Whether some pairs are left out that would be shown at first."""
        return self.request != FIRST_REQUEST

    # What is asked

    def want(self) -> None:
        """Somebody looks: find pairs unless they are there."""
        self._is_wanted = True
        if self.standing in ("nothing", "opening") or self.is_stale:
            self._schedule_request(0)

    def rest(self) -> None:
        """Nobody looks: find nothing anew until somebody does."""
        self._is_wanted = False
        self._asking.stop()

    def keep_to(self, **changes: object) -> None:
        """Ask for other pairs."""
        request = replace(self.request, **changes)  # type: ignore[arg-type]
        if request != self.request:
            self.request = request
            self.changed.emit()
            self._schedule_request(_FILTER_DELAY_MS)

    def reset_request(self) -> None:
        """Ask for the pairs that are shown at first."""
        self.request = FIRST_REQUEST
        self.find_again()

    def find_again(self) -> None:
        """Ask anew."""
        self._schedule_request(0)
        self.changed.emit()

    def cancel(self) -> None:
        """Stop what is under way; what is here stays."""
        job = self._job or self._export
        if job is not None:
            job.cancel()
            self._session.workspace.wake()

    def stop(self) -> None:
        """Ask for nothing any more."""
        self.rest()
        for job in (self._job, self._export):
            if job is not None:
                job.cancel()

    def _schedule_request(self, ms: int) -> None:
        if self._is_wanted:
            self._asking.start(ms)

    def _ask(self) -> None:
        session = self._session
        if session.status is None:
            self.standing, self.error = ("failed", session.error) if session.phase == "failed" else ("opening", None)
            self.changed.emit()
            return
        request = self.request
        # As many as were here, so that who has scrolled far down stays there when the library changes.
        count = max(PAGE_SIZE, self._model.rowCount() if request == self._shown else 0)
        job = session.workspace.duplicates.pairs(replace(request, top_k=count))
        self.is_stale = False
        self._begin(job, "finding")
        session.bridge.call(
            job,
            self,
            lambda found: self._on_found(job, request, found),
            on_error=lambda error: self._on_end(job, "failed", error),
            on_cancelled=lambda: self._on_end(job, "stopped"),
            on_progress=lambda progress: self._on_progress(job, progress),
        )

    def _request_more(self) -> None:
        if self._found is None:
            return
        job = self._session.workspace.duplicates.find_more_pairs(self._found, PAGE_SIZE)
        self._begin(job, self.standing)
        self._session.bridge.call(
            job,
            self,
            lambda more: self._on_more(job, more),
            on_error=lambda error: self._on_no_more(job, error),
            on_cancelled=lambda: self._on_no_more(job, None),
            on_progress=lambda progress: self._on_progress(job, progress),
        )

    def _begin(self, job: Job[PairList] | Job[MorePairs], standing: DuplicatesState) -> None:
        self._job, self.progress, self.error = job, None, None
        self.standing = standing
        self.changed.emit()

    # What comes

    def _on_found(self, job: Job[PairList], request: PairsRequest, found: PairList) -> None:
        if job is not self._job:
            return
        again = request == self._shown
        self._found, self._shown = found, request
        self._model.show(found)
        self._on_end(job, "found")
        self.arrived.emit(again)

    def _on_more(self, job: Job[MorePairs], more: MorePairs) -> None:
        if job is self._job:
            self._model.add(more)
            self._on_end(job, "found")

    def _on_no_more(self, job: Job[MorePairs], error: BaseException | None) -> None:
        if job is self._job:
            self._model.stop()
            self._on_end(job, "found")
            if error is not None:
                self.failed.emit(error)

    def _on_end(
        self, job: Job[PairList] | Job[MorePairs], standing: DuplicatesState, error: BaseException | None = None
    ) -> None:
        if job is not self._job:
            return  # a newer one has taken its place
        self._job, self.progress, self.error, self.standing = None, None, error, standing
        if standing in ("stopped", "failed") and self._shown is not None and not self._asking.isActive():
            # The list is the former one: so are the filters and what is exported.
            self.request, self.standing, self.error = self._shown, "found", None
        self.changed.emit()
        if error is not None and self.error is None:
            self.failed.emit(error)

    def _on_progress(self, job: Job[PairList] | Job[MorePairs], progress: Progress) -> None:
        if job is self._job:
            self.progress = progress
            self.changed.emit()

    def _on_session_changed(self) -> None:
        if self.standing == "opening":
            self._schedule_request(0)

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if (changes.sentences or changes.listing) and self.standing not in ("nothing", "opening"):
            self.is_stale = True
            self._schedule_request(_LIBRARY_CHANGE_DELAY_MS)

    def export(self, file: str, tell: Callable[[int | None], None]) -> None:
        """Write the pairs of the list, also those that nobody has scrolled to, to a file.

        `tell` is called with how many were written; None: it was stopped, and nothing was.
        """
        request = replace(self._shown or self.request, top_k=MAX_EXPORTED_PAIRS)
        job = self._export = self._session.workspace.duplicates.export_pairs(request, file)

        def end(then: Callable[[], None]) -> None:
            if self._export is job:
                self._export = self.exported = None
            self.changed.emit()
            then()

        def go_on(progress: Progress) -> None:
            if self._export is job:
                self.exported = progress
                self.changed.emit()

        self.changed.emit()
        self._session.bridge.call(
            job,
            self,
            lambda count: end(lambda: tell(count)),
            on_error=lambda error: end(lambda: self.failed.emit(error)),
            on_cancelled=lambda: end(lambda: tell(None)),
            on_progress=go_on,
        )

    def unfold(self, pair: Pair) -> None:
        """Show the pairs that were folded into one below it."""
        found, place = self._found, self._model.folded_position(pair)
        if found is not None and place is not None:

            def show(pairs: list[Pair]) -> None:
                if found is self._found:
                    self._model.unfold(pair, pairs)
                    self.changed.emit()

            job = self._session.workspace.duplicates.unfold(found, place)
            self._session.bridge.call(job, self, show, on_error=self.failed.emit)

    def load_places(self, pair: Pair, side: int, show: Callable[[list[Hit]], None]) -> None:
        """Ask where a sentence of a pair stands: the first (0) or the second."""
        if self._found is not None:
            sentence_id = (pair.b if side else pair.a).sentence_id
            job = self._session.workspace.duplicates.places(self._found, sentence_id)
            self._session.bridge.call(job, self, show, on_error=self.failed.emit)

    # What is said of them

    def review(self, pair: Pair, reviewed: bool) -> None:
        """Keep that a pair was looked at, or that it was not."""
        job = self._session.workspace.marking.review([(pair.a.text, pair.b.text)], reviewed)
        self._keep(job, pair, reviewed=reviewed)

    def judge(self, pair: Pair, same: bool | None) -> None:
        """Keep whether both mean the same; None: nothing is said any more."""
        job = self._session.workspace.marking.judge(pair.a.text, pair.b.text, same)
        self._keep(job, pair, same=same)

    def _keep(self, job: Job[None], pair: Pair, **marks: bool | None) -> None:
        before = {name: getattr(pair, name) for name in marks}

        def undo(error: BaseException) -> None:
            row = self._model.row_of(pair)
            if row is not None:
                self._model.change(row, **before)
            else:
                self.find_again()  # it was taken out of the list
            self.failed.emit(error)

        row = self._model.row_of(pair)
        if row is not None:
            if self.request.unreviewed and marks.get("reviewed"):
                self._model.take_out(row)
            else:
                self._model.change(row, **marks)
        self._session.bridge.call(job, self, on_error=undo)
        self.changed.emit()
