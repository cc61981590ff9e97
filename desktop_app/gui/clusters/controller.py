"""Finds, updates and changes the clusters of the open library."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.core.clusters import ClustersRequest
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.base.throttle import Throttle
from desktop_app.gui.clusters.model import broad_id_of_row, make_cluster_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.clusters import Clusters
    from desktop_app.core.jobs import ChangeSet, Job, Progress
    from desktop_app.engine.clusters import ClusterService
    from desktop_app.gui.base.session import LibrarySession

_COUNT_INTERVAL_MS = 1000
_READ_INTERVAL_MS = 15_000  # between two readings of the stored clusters, which are large in a large library


class ClustersController(QObject):
    """Asks for clusters, one request at a time. The clusters stay until others are found.

    Attributes:
        changed: the clusters or the running request have changed.
        progressed: a request reports; carries a Progress.
        failed: a request failed; carries the exception.
        exported: a file was written; carries the number of sentences.
        scope: the part of the library whose clusters are wanted; `found_in` while none are being found.
        found: the clusters; None before there are any.
        found_in: the part of the library that they divide.
        is_known: whether the stored clusters are loaded, or known to be missing.
        is_finding: whether clusters are being found.
        is_undoable: whether the last change can be undone.
        all_passages: whether headings, fragments and so on can be key sentences.
        arrived: how many sentences have been added since the clusters were found.
    """

    changed = Signal()
    progressed = Signal(object)
    failed = Signal(object)
    exported = Signal(object)

    def __init__(self, session: LibrarySession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.scope: Scope = EVERYTHING
        self.found: Clusters | None = None
        self.found_in: Scope = EVERYTHING
        self.is_known = False
        self.is_finding = False
        self.is_undoable = False
        self.all_passages = False
        self.arrived = 0
        self._request: LatestJob[Clusters] = LatestJob(session, self)
        self._export: LatestJob[int] = LatestJob(session, self)
        self._edited_by: str | None = None  # the fingerprint of the model whose clusters were changed last
        self._has_unseen_change = False  # another change was asked for before the answer to the last one
        self._was_loaded = False
        self._is_watching = False
        self._has_new = False
        self._has_removed = False
        self._count_throttle = Throttle(_COUNT_INTERVAL_MS, self)
        self._count_throttle.due.connect(self._count_new)
        self._read_throttle = Throttle(_READ_INTERVAL_MS, self)
        self._read_throttle.due.connect(self._read_again)
        session.changed.connect(self._on_session_changed)
        session.bridge.changed.connect(self._on_library_changed)
        self._on_session_changed()

    @property
    def _service(self) -> ClusterService:
        return self._session.workspace.clusters

    @property
    def is_part(self) -> bool:
        """Whether the clusters divide a part of the library only: such clusters are not stored and cannot be edited."""
        return not self.found_in.is_everything

    @property
    def is_idle(self) -> bool:
        """Whether no request runs; an export may."""
        return not self._request.is_running

    @property
    def has_progress(self) -> bool:
        """Whether a request or an export has reported how far it is: a quick one does not."""
        return self._request.progress is not None or self._export.progress is not None

    # Asking

    def find(self, granularity: float | None = None) -> None:
        """Divide the library into clusters; None lets the program choose the granularity. The latest request wins."""
        scope = self.scope
        job = self._service.find(ClustersRequest(granularity, scope=replace(scope, all_passages=self.all_passages)))
        self._start(job, lambda found: self._on_found(found, scope), is_finding=True)

    def set_scope(self, scope: Scope) -> None:
        """Find the clusters of a part of the library; for all of it, show the stored ones."""
        self.scope = scope
        if not scope.is_everything:
            self.find()
        elif self.is_part or self.is_finding:
            self._request.cancel()
            self._request.drop()
            self.is_finding = False
            self._load_stored()
            self.changed.emit()

    def set_all_passages(self, on: bool) -> None:
        """Allow all passages as key sentences, or sentences only, and find clusters again."""
        self.all_passages = on
        if self.found is not None:
            self.find_again()

    def find_again(self) -> None:
        """Find clusters with the same granularity, so that new sentences get their place."""
        found = self.found
        self.find(None if found is None or found.is_chosen else found.granularity)

    def cancel(self) -> None:
        """Cancel requests and exports. The clusters stay as they are, and so does a file that would be replaced."""
        self._request.cancel()
        self._export.cancel()

    def watch(self, watching: bool) -> None:
        """Count new sentences while the clusters are visible, and once when they become visible again."""
        self._is_watching = watching
        if not watching:
            self._count_throttle.stop()
            self._read_throttle.stop()
        else:
            self._assign_new_sentences()

    # Changing

    def rename(self, cluster_id: int, name: str) -> None:
        """Rename the cluster of a row, broad or not; an empty name restores the one that the program chose."""
        broad_id = broad_id_of_row(cluster_id)
        service = self._service
        job = service.rename(cluster_id, name) if broad_id is None else service.rename_broad(broad_id, name)
        self._start(job, self._on_edited)

    def pin(self, cluster_id: int, pinned: bool) -> None:
        """Pin a cluster, so that it stays as it is, or unpin it."""
        self._start(self._service.pin(cluster_id, pinned), self._on_edited)

    def merge(self, cluster_ids: Sequence[int]) -> None:
        """Merge clusters into one."""
        self._start(self._service.merge(cluster_ids), self._on_edited)

    def split(self, cluster_id: int) -> None:
        """Split a cluster into several."""
        self._start(self._service.split(cluster_id), self._on_edited)

    def undo(self) -> None:
        """Undo the last change."""
        if self.is_undoable and not self.is_part:
            self._start(self._service.undo(), self._on_found)

    def export(self, file: str) -> None:
        """Write all clusters to a file. The latest request wins."""
        if self.found is None:
            return

        def end(follow: Callable[[], None]) -> None:
            self.changed.emit()
            follow()

        self._export.cancel()
        self._export.start(
            self._service.export(self.found, file, scope=self.found_in, words=make_cluster_texts()),
            lambda count: end(lambda: self.exported.emit(count)),
            on_error=lambda error: end(lambda: self.failed.emit(error)),
            on_cancelled=self.changed.emit,
            on_progress=self.progressed.emit,
        )

    # Answers

    def _start(self, job: Job[Clusters], then: Callable[[Clusters], None], *, is_finding: bool = False) -> None:
        self._has_unseen_change |= self._request.is_running and not self.is_finding
        self.is_finding = is_finding

        def end(follow: Callable[[], None], *, has_clusters: bool = False) -> None:
            self.is_finding = False
            follow()
            is_behind, self._has_unseen_change = self._has_unseen_change and not has_clusters, False
            if is_behind:
                self._load_stored()
            self.changed.emit()

        self._request.start(
            job,
            lambda found: end(lambda: then(found), has_clusters=True),
            on_error=lambda error: end(lambda: self._on_failed(error)),
            on_cancelled=lambda: end(self._restore_scope),
            on_progress=self.progressed.emit,
        )
        self.changed.emit()

    def _on_found(self, found: Clusters, scope: Scope = EVERYTHING) -> None:
        self._show(found, scope)
        self.is_undoable = self.is_undoable and self.is_part  # clusters of a part change no stored ones

    def _on_edited(self, found: Clusters) -> None:
        self._show(found)
        self.is_undoable, self._edited_by = True, self._fingerprint()

    def _on_failed(self, error: BaseException) -> None:
        self._restore_scope()
        self.failed.emit(error)

    def _restore_scope(self) -> None:
        """Go back to the part of the library that the shown clusters divide, because no others were found."""
        self.scope = self.found_in

    def _show(self, found: Clusters | None, scope: Scope = EVERYTHING) -> None:
        self.found, self.is_known = found, True
        self.scope = self.found_in = scope
        self.arrived = found.arrived if found is not None else 0

    def _on_session_changed(self) -> None:
        if self._session.status is not None and not self._was_loaded:
            self._was_loaded = True
            self._load_stored()
        known = self._fingerprint()
        if self.is_undoable and known is not None:
            if self._edited_by is None:  # the status came later than the change
                self._edited_by = known
            elif known != self._edited_by:
                self.is_undoable = False  # the former clusters were found by the former model
                self.changed.emit()

    def _fingerprint(self) -> str | None:
        """Return the fingerprint of the library's model; None while it is unknown."""
        status = self._session.status
        return status.library.model.fingerprint if status is not None and status.library.model is not None else None

    def _load_stored(self) -> None:
        def show(found: Clusters | None) -> None:
            if self.is_idle and self.scope.is_everything:
                self._show(found)
                self.changed.emit()

        def fail(error: BaseException) -> None:
            if self.is_idle:
                self._restore_scope()
                self.changed.emit()
            self.failed.emit(error)

        self._session.bridge.call(self._service.load_last(), self, show, on_error=fail)

    def _on_library_changed(self, changes: ChangeSet) -> None:
        self._has_new = self._has_new or changes.sentences
        self._has_removed = self._has_removed or changes.listing or changes.encoder
        if self._is_watching:
            self._assign_new_sentences()

    def _assign_new_sentences(self) -> None:
        if self._has_new and self._was_loaded:
            self._count_throttle.request()
        if self._has_removed and self._was_loaded:
            self._read_throttle.request()

    def _count_new(self) -> None:
        """Ask how many sentences have been added since the clusters were found."""
        if not self.is_idle:
            self._count_throttle.request()
            return
        self._has_new = False
        if self.found is None or self.is_part:
            return

        def show(count: int) -> None:
            if self.is_idle and count != self.arrived:
                self.arrived = count
                self.changed.emit()

        self._session.bridge.call(self._service.count_new(), self, show)

    def _read_again(self) -> None:
        """Read the stored clusters again, without removed sentences."""
        if not self.is_idle:
            self._read_throttle.request()
        else:
            self._has_removed = False
            if not self.is_part:
                self._load_stored()


def progress_fraction(progress: Progress) -> float:
    """Return how much of a request is done, 0 to 1. Comparing, where it is needed, is most of the work."""
    parts = {"comparing": (0.0, 0.7), "storing": (0.7, 0.75), "clustering": (0.75, 0.93), "naming": (0.93, 1.0)}
    start, stop = parts.get(progress.phase, (0.0, 1.0))
    done = min(progress.done / progress.total, 1.0) if progress.total else 0.0
    return start + (stop - start) * done
