"""Finds, updates and changes the clusters of the open library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.core.clusters import ClustersRequest
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.gui.base.throttle import Throttle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.clusters import Cluster, Clusters
    from desktop_app.core.jobs import ChangeSet, Job, Progress
    from desktop_app.engine.clusters import ClusterService
    from desktop_app.gui.base.session import LibrarySession

_COUNT_INTERVAL_MS = 1000
_READ_INTERVAL_MS = 15_000  # what is kept is read again that often: it is much in a large library


class ClustersController(QObject):
    """Asks for themes, one question at a time; what was found stays until something else is found.

    Attributes:
        changed: other themes, or something else is under way.
        progressed: what is under way reports; carries a Progress.
        failed: something could not be done; carries the exception.
        told: something was done that should be said; carries a text.
        scope: the part of the library whose themes are wanted; of those that are shown while none are being found.
        found: the themes; None before there are any.
        found_in: the part of the library whose themes they are.
        is_known: whether it is known whether there are themes.
        is_finding: whether they are being found anew.
        is_reporting: whether what is under way, whatever it is, has said how far it is.
        is_writing: whether a file is being written, and that takes a while.
        is_undoable: whether the last change can be taken back.
        arrived: how many sentences have come since.
    """

    changed = Signal()
    progressed = Signal(object)
    failed = Signal(object)
    told = Signal(object)

    def __init__(self, session: LibrarySession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.scope: Scope = EVERYTHING
        self.found: Clusters | None = None
        self.found_in: Scope = EVERYTHING
        self.is_known = False
        self.is_finding = False
        self.is_reporting = False
        self.is_undoable = False
        self.arrived = 0
        self.is_writing = False
        self._job: Job[Clusters] | None = None
        self._writing: Job[int] | None = None
        self._edited_by: str | None = None  # the fingerprint of the model whose themes were changed last
        self._last_request = False
        self._is_watching = False
        self._has_new = False
        self._has_gone = False
        self._counting = Throttle(_COUNT_INTERVAL_MS, self)
        self._counting.due.connect(self._count)
        self._reading = Throttle(_READ_INTERVAL_MS, self)
        self._reading.due.connect(self._read_again)
        session.changed.connect(self._on_session_changed)
        session.bridge.changed.connect(self._on_library_changed)
        self._on_session_changed()

    @property
    def themes(self) -> ClusterService:
        """The engine's part of it."""
        return self._session.workspace.duplicates.themes

    @property
    def is_part(self) -> bool:
        """Whether they are those of a part of the library: nobody keeps them, and nobody changes them."""
        return not self.found_in.is_everything

    # Asking

    def find(self, granularity: float | None = None) -> None:
        """Divide the library anew; None: the program chooses how finely. A newer wish takes the place of an older."""
        scope = self.scope
        job = self.themes.clusters(ClustersRequest(granularity, scope=scope))
        self._begin(job, lambda found: self._on_found(found, scope), is_finding=True)

    def keep_to(self, scope: Scope) -> None:
        """Find the themes of a part of the library; of all of it, show what was found last."""
        self.scope = scope
        if not scope.is_everything:
            self.find()
        elif self.is_part or self.is_finding:
            if self._job is not None:
                self._job.cancel()
                self._session.workspace.wake()
            self._job, self.is_finding, self.is_reporting = None, False, False
            self._resume_last_search()
            self.changed.emit()

    def find_again(self) -> None:
        """Look again as finely as before, so that what came since has its place."""
        found = self.found
        self.find(None if found is None or found.is_chosen else found.granularity)

    def cancel(self) -> None:
        """Stop; what was found before stays, and what was there of a file."""
        for job in (self._job, self._writing):
            if job is not None:
                job.cancel()
                self._session.workspace.wake()

    def watch(self, watching: bool) -> None:
        """Count what comes in while somebody looks; and once when somebody looks again."""
        self._is_watching = watching
        if not watching:
            self._counting.stop()
            self._reading.stop()
        else:
            self._assign_new_sentences()

    # Changing

    def rename(self, cluster_id: int, name: str) -> None:
        """Give a theme another name; an empty one: the program's own."""
        self._begin(self.themes.rename(cluster_id, name), self._on_edited)

    def pin(self, cluster_id: int, pinned: bool) -> None:
        """Keep a theme as it is, or let it go."""
        self._begin(self.themes.pin(cluster_id, pinned), self._on_edited)

    def merge(self, cluster_ids: Sequence[int]) -> None:
        """Make one theme of several."""
        self._begin(self.themes.merge(cluster_ids), self._on_edited)

    def split(self, cluster_id: int) -> None:
        """Make several themes of one."""
        self._begin(self.themes.split(cluster_id), self._on_edited)

    def undo(self) -> None:
        """Take the last change back."""
        if self.is_undoable and not self.is_part:
            self._begin(self.themes.undo(), self._on_found)

    def export(self, file: str) -> None:
        """Write all themes to a file; a newer wish takes the place of an older."""
        if self.found is None:
            return
        if self._writing is not None:
            self._writing.cancel()
        job = self._writing = self.themes.export(self.found, file, scope=self.found_in)

        def end(follow: Callable[[], None]) -> None:
            if self._writing is job:
                self._writing, self.is_writing = None, False
                self.changed.emit()
            follow()

        def show(progress: Progress) -> None:
            if self._writing is job:
                self.is_writing = True
                self.progressed.emit(progress)

        self._session.bridge.call(
            job,
            self,
            lambda count: end(lambda: self._on_exported(count)),
            on_error=lambda error: end(lambda: self.failed.emit(error)),
            on_cancelled=lambda: end(lambda: None),
            on_progress=show,
        )

    def cluster(self, cluster_id: int) -> Cluster | None:
        """Return the theme with an id."""
        clusters = self.found.clusters if self.found is not None else ()
        return next((cluster for cluster in clusters if cluster.cluster_id == cluster_id), None)

    # Answers

    def _begin(self, job: Job[Clusters], then: Callable[[Clusters], None], *, is_finding: bool = False) -> None:
        self._job, self.is_finding, self.is_reporting = job, is_finding, False

        def end(follow: Callable[[], None]) -> None:
            if self._job is job:
                self._job, self.is_finding, self.is_reporting = None, False, False
                follow()
                self.changed.emit()

        self._session.bridge.call(
            job,
            self,
            lambda found: end(lambda: then(found)),
            on_error=lambda error: end(lambda: self._on_failed(error)),
            on_cancelled=lambda: end(self._stay),
            on_progress=lambda progress: self._on_progress(job, progress),
        )
        self.changed.emit()

    def _on_progress(self, job: Job[Clusters], progress: Progress) -> None:
        if job is self._job:
            self.is_reporting = True
            self.progressed.emit(progress)

    def _on_found(self, found: Clusters, scope: Scope = EVERYTHING) -> None:
        self._show(found, scope)
        self.is_undoable = self.is_undoable and self.is_part  # a look at a part changes nothing

    def _on_edited(self, found: Clusters) -> None:
        self._show(found)
        self.is_undoable, self._edited_by = True, self._fingerprint()

    def _on_failed(self, error: BaseException) -> None:
        self._stay()
        self.failed.emit(error)

    def _stay(self) -> None:
        """Nothing else was found: what is shown is still of the part that it was found in."""
        self.scope = self.found_in

    def _show(self, found: Clusters | None, scope: Scope = EVERYTHING) -> None:
        self.found, self.is_known = found, True
        self.scope = self.found_in = scope
        self.arrived = found.arrived if found is not None else 0

    def _on_exported(self, count: int) -> None:
        from desktop_app.gui.base import display_text

        self.told.emit(self.tr("Written: {sentences}").format(sentences=display_text.count_sentences(count)))

    def _on_session_changed(self) -> None:
        if self._session.status is not None and not self._last_request:
            self._last_request = True
            self._resume_last_search()
        known = self._fingerprint()
        if self.is_undoable and known is not None:
            if self._edited_by is None:  # the status came later than the change
                self._edited_by = known
            elif known != self._edited_by:
                self.is_undoable = False  # what was there before was found by the model before
                self.changed.emit()

    def _fingerprint(self) -> str | None:
        """Return that of the library's model, as far as is known."""
        status = self._session.status
        return status.library.model.fingerprint if status is not None and status.library.model is not None else None

    def _resume_last_search(self) -> None:
        def show(found: Clusters | None) -> None:
            if self._job is None and self.scope.is_everything:
                self._show(found)
                self.changed.emit()

        def fail(error: BaseException) -> None:
            if self._job is None:
                self._stay()
                self.changed.emit()
            self.failed.emit(error)

        self._session.bridge.call(self.themes.last(), self, show, on_error=fail)

    def _on_library_changed(self, changes: ChangeSet) -> None:
        self._has_new = self._has_new or changes.sentences
        self._has_gone = self._has_gone or changes.listing or changes.encoder
        if self._is_watching:
            self._assign_new_sentences()

    def _assign_new_sentences(self) -> None:
        if self._has_new and self._last_request:
            self._counting.request()
        if self._has_gone and self._last_request:
            self._reading.request()

    def _count(self) -> None:
        """Ask how many sentences have come since."""
        if self._job is not None:
            self._counting.request()
            return
        self._has_new = False
        if self.found is None or self.is_part:
            return

        def show(count: int) -> None:
            if self._job is None and count != self.arrived:
                self.arrived = count
                self.changed.emit()

        self._session.bridge.call(self.themes.arrived(), self, show)

    def _read_again(self) -> None:
        """Ask what of the themes is still in sight."""
        if self._job is not None:
            self._reading.request()
        else:
            self._has_gone = False
            if not self.is_part:
                self._resume_last_search()


def progress_fraction(progress: Progress) -> float:
    """Return how much of it is done, 0 to 1: comparing is most of the work where it has to be done."""
    parts = {"comparing": (0.0, 0.7), "storing": (0.7, 0.75), "clustering": (0.75, 0.93), "naming": (0.93, 1.0)}
    start, stop = parts.get(progress.phase, (0.0, 1.0))
    done = min(progress.done / progress.total, 1.0) if progress.total else 0.0
    return start + (stop - start) * done
