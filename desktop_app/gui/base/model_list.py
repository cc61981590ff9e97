"""The models that the library knows, and the download or switch in progress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeVar

from PySide6.QtCore import QObject, Signal

from desktop_app.core.models import NO_CHANGES
from desktop_app.gui.base.display_text import explain_read_only

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import ChangeSet, Job, Progress
    from desktop_app.core.models import ModelChanges
    from desktop_app.engine.model_switch import SwitchReport
    from desktop_app.engine.models import ModelList
    from desktop_app.gui.base.session import LibrarySession

T = TypeVar("T")

ModelActivity = Literal["", "adding", "switching"]


class ModelsController(QObject):
    """Adds, removes and switches models, one at a time, and keeps the list.

    Attributes:
        changed: the list or the activity changed.
        progressed: the activity reports; carries a Progress.
        failed: a request failed; carries the exception.
        switched: the library uses another model now; carries the SwitchReport.
        listed: the models; None until they are requested.
        doing: the current activity; empty for none.
        subject: the model of the activity.
    """

    changed = Signal()
    progressed = Signal(object)
    failed = Signal(object)
    switched = Signal(object)

    def __init__(self, session: LibrarySession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.listed: ModelList | None = None
        self.doing: ModelActivity = ""
        self.subject = ""
        self.is_paused = False
        self._job: Job[Any] | None = None
        self._is_resume_due = False
        session.bridge.changed.connect(self._on_library_changed)

    @property
    def has_cross_encoder(self) -> bool:
        """Whether a model of the list can re-rank results."""
        return self.listed is not None and any(state.entry.info.is_cross for state in self.listed.models)

    @property
    def refusal(self) -> str:
        """Why the person may not switch the library to another model; empty if they may."""
        return "" if self._session.is_writable else explain_read_only()

    def refresh(self, *, is_wanted: bool = True) -> None:
        """Request the list again; a failure is reported only if the person wanted it."""
        job = self._session.workspace.models.list()
        on_error = self.failed.emit if is_wanted else lambda _error: None
        self._session.bridge.call(job, self, self._on_listed, on_error=on_error)

    def add(self, name_or_folder: str, changes: ModelChanges = NO_CHANGES) -> None:
        """Link a folder or download a name; with `changes`, derive a model of its own."""
        if name_or_folder and not self.doing:
            job = self._session.workspace.models.add(name_or_folder, changes)
            self._begin("adding", name_or_folder, job, lambda _entry: None)

    def get(self, name: str) -> None:
        """Download a model, and then switch the library to it."""
        if not self.doing:
            job = self._session.workspace.models.add(name)
            self._begin("adding", name, job, lambda entry: self.use(entry.name))

    def fetch(self, name: str, then: Callable[[], None]) -> None:
        """Fetch the model of a shared library from its server."""
        if not self.doing:
            self._begin("adding", name, self._session.workspace.models.fetch(), lambda _entry: then())

    def remove(self, name: str) -> None:
        """Remove a model from the list."""
        job = self._session.workspace.models.remove(name)
        self._session.bridge.call(job, self, lambda _entry: self.refresh(), on_error=self.failed.emit)

    def use(self, name: str) -> None:
        """Switch the library to a model, or resume the switch."""
        if not self.doing:
            job = self._session.workspace.models.switch(name)
            self._begin("switching", name, job, self._on_switched)

    def revert(self) -> None:
        """Switch the library back to its previous model."""
        previous = self.listed.previous if self.listed is not None else None
        if previous is not None and not self.doing:
            self._begin("switching", previous.name, self._session.workspace.models.go_back(), self._on_switched)

    def resume(self) -> None:
        """Resume a switch that the end of the program interrupted, if there is one; after what the person does now."""
        if self.doing:
            self._is_resume_due = True
            return
        self._is_resume_due = False
        job = self._session.workspace.models.resume()
        self._begin("switching", "", job, self._on_switched)

    def cancel_switch(self) -> None:
        """Abandon an unfinished switch."""
        job = self._session.workspace.models.give_up()
        self._session.bridge.call(job, self, lambda _none: self.refresh(), on_error=self.failed.emit)

    def pause(self, paused: bool) -> None:
        """Pause or resume the activity."""
        if self._job is not None:
            self.is_paused = paused
            self._job.pause(paused)
            self.changed.emit()

    def stop(self) -> None:
        """Stop the activity; it resumes from there when it is requested again."""
        if self._job is not None:
            self._job.cancel()

    def _begin(self, doing: ModelActivity, subject: str, job: Job[T], on_result: Callable[[T], None]) -> None:
        self.doing, self.subject, self._job, self.is_paused = doing, subject, job, False
        self._session.bridge.call(
            job,
            self,
            lambda result: self._end(lambda: on_result(result)),
            on_error=lambda error: self._end(lambda: self.failed.emit(error)),
            on_cancelled=lambda: self._end(lambda: None),
            on_progress=self.progressed.emit,
        )
        self.changed.emit()

    def _end(self, then: Callable[[], None]) -> None:
        self.doing, self.subject, self._job, self.is_paused = "", "", None, False
        then()
        self.changed.emit()
        if self.listed is not None:
            self.refresh()
        if self._is_resume_due:
            self.resume()

    def _on_switched(self, report: SwitchReport | None) -> None:
        if report is not None and not report.stopped:
            self.switched.emit(report)

    def _on_listed(self, listed: ModelList) -> None:
        self.listed = listed
        self.changed.emit()

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if changes.encoder and self.listed is not None:
            self.refresh()


def switch_fraction(progress: Progress) -> float:
    """Return how much is done, 0 to 1."""
    return min(progress.done / progress.total, 1.0) if progress.total else 0.0
