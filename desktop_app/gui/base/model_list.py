"""The models that the library in the window knows, and what is in progress with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeVar

from PySide6.QtCore import QObject, Signal

from desktop_app.core.models import NO_CHANGES

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import ChangeSet, Job, Progress
    from desktop_app.core.models import ModelChanges
    from desktop_app.engine.models import ModelList, SwitchReport
    from desktop_app.gui.base.session import LibrarySession

T = TypeVar("T")

ModelActivity = Literal["", "adding", "switching"]


class ModelsController(QObject):
    """Adds, removes and switches models, one at a time, and keeps the list.

    Attributes:
        changed: the list or what is under way is another.
        progressed: what is under way reports; carries a Progress.
        failed: something could not be done; carries the exception.
        switched: the library answers to another model now; carries its name.
        listed: the models; None before they were asked for.
        doing: what is under way; empty when nothing is.
        subject: the model that it is about.
    """

    changed = Signal()
    progressed = Signal(object)
    failed = Signal(object)
    switched = Signal(str)

    def __init__(self, session: LibrarySession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.listed: ModelList | None = None
        self.doing: ModelActivity = ""
        self.subject = ""
        self.is_paused = False
        self._job: Job[Any] | None = None
        session.bridge.changed.connect(self._on_library_changed)

    def refresh(self) -> None:
        """Ask for the list anew."""
        job = self._session.workspace.models.list()
        self._session.bridge.call(job, self, self._on_listed, on_error=self.failed.emit)

    def add(self, name_or_folder: str, changes: ModelChanges = NO_CHANGES) -> None:
        """Link a folder, or download a name; with `changes` as a model of its own beside the one it is made of."""
        if name_or_folder and not self.doing:
            job = self._session.workspace.models.add(name_or_folder, changes)
            self._begin("adding", name_or_folder, job, lambda _entry: None)

    def remove(self, name: str) -> None:
        """Take a model off the list."""
        job = self._session.workspace.models.remove(name)
        self._session.bridge.call(job, self, lambda _entry: self.refresh(), on_error=self.failed.emit)

    def use(self, name: str) -> None:
        """Switch the library to a model, or go on with that."""
        if not self.doing:
            job = self._session.workspace.models.switch(name)
            self._begin("switching", name, job, self._on_switched)

    def revert(self) -> None:
        """Switch the library to the model that it answered to before its own."""
        previous = self.listed.previous if self.listed is not None else None
        if previous is not None and not self.doing:
            self._begin("switching", previous.name, self._session.workspace.models.go_back(), self._on_switched)

    def resume(self) -> None:
        """Go on with a switch that the end of the program broke off; quiet when there is none."""
        job = self._session.workspace.models.resume()
        self._begin("switching", "", job, self._on_switched)

    def cancel_switch(self) -> None:
        """Forget a switch that is not done."""
        job = self._session.workspace.models.give_up()
        self._session.bridge.call(job, self, lambda _none: self.refresh(), on_error=self.failed.emit)

    def pause(self, paused: bool) -> None:
        """Hold what is under way, or let it go on."""
        if self._job is not None:
            self.is_paused = paused
            self._job.pause(paused)
            self._session.workspace.wake()
            self.changed.emit()

    def stop(self) -> None:
        """Stop what is under way; it goes on from there when it is asked for again."""
        if self._job is not None:
            self._job.cancel()
            self._session.workspace.wake()

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

    def _on_switched(self, report: SwitchReport | None) -> None:
        if report is not None and not report.stopped:
            self.switched.emit(report.name)

    def _on_listed(self, listed: ModelList) -> None:
        self.listed = listed
        self.changed.emit()

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if changes.encoder and self.listed is not None:
            self.refresh()


def switch_fraction(progress: Progress) -> float:
    """Return how much is done, 0 to 1."""
    return min(progress.done / progress.total, 1.0) if progress.total else 0.0
