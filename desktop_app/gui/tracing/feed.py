"""Asks what of a draft the library says, and keeps the answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from desktop_app.core.jobs import ChangeSet, Job, Progress
    from desktop_app.core.tracing import Trace
    from desktop_app.gui.session import Session

Standing = Literal["nothing", "working", "found", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class Draft:
    """What is traced: a file, or a text that has none."""

    path: str = ""
    text: str = ""
    password: str | None = None


class TraceFeed(QObject):
    """One draft at a time.

    Attributes:
        changed: standing or progress are others now.
        traced: another result is there.
        found: the result that is shown; it stays while another one is under way, and when that is stopped.
        standing: how it stands with the draft that was asked for last.
        progress: of what is under way.
        error: why there is no result.
        is_stale: the library has changed since.
    """

    changed = Signal()
    traced = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._job: Job[Trace] | None = None
        self._asked = Draft()
        self._shown = Draft()
        self.found: Trace | None = None
        self.standing: Standing = "nothing"
        self.progress: Progress | None = None
        self.error: BaseException | None = None
        self.is_stale = False
        session.changed.connect(self.changed)
        session.bridge.changed.connect(self._on_library_changed)

    @property
    def is_working(self) -> bool:
        """Whether a draft is being traced."""
        return self._job is not None

    @property
    def has_documents(self) -> bool:
        """Whether the library has sentences, as far as is known."""
        status = self._session.status
        return status is None or status.library.searchable > 0

    @property
    def path(self) -> str:
        """The file of the draft; empty for a text without one."""
        return self._draft.path

    @property
    def name(self) -> str:
        """What the draft is called."""
        path = self._draft.path
        return Path(path).name if path else translate("tracing", "Pasted text")

    @property
    def _draft(self) -> Draft:
        return self._shown if self.standing == "found" else self._asked

    def trace_file(self, path: str, password: str | None = None) -> None:
        """Trace a file."""
        self._ask(Draft(path=path, password=password))

    def trace_text(self, text: str) -> None:
        """Trace a text."""
        self._ask(Draft(text=text))

    def again(self) -> None:
        """Trace the same draft once more."""
        self._ask(self._draft)

    def cancel(self) -> None:
        """Stop; what was shown before is shown again."""
        if self._job is not None:
            self._job.cancel()
            self._session.workspace.wake()

    def _ask(self, draft: Draft) -> None:
        self._asked, self.standing, self.progress, self.error = draft, "working", None, None
        tracing = self._session.workspace.tracing
        job = tracing.trace(draft.path, password=draft.password) if draft.path else tracing.trace_text(draft.text)
        self._job = job
        self.changed.emit()
        self._session.bridge.call(
            job,
            self,
            lambda found: self._on_found(job, found),
            on_error=lambda error: self._on_end(job, "failed", error),
            on_cancelled=lambda: self._on_end(job, "stopped" if self.found is None else "found"),
            on_progress=lambda progress: self._on_progress(job, progress),
        )

    def _on_found(self, job: Job[Trace], found: Trace) -> None:
        if job is not self._job:
            return  # a newer draft has taken its place
        self.found, self._shown, self.is_stale = found, self._asked, False
        self._on_end(job, "found")
        self.traced.emit()

    def _on_end(self, job: Job[Trace], standing: Standing, error: BaseException | None = None) -> None:
        if job is not self._job:
            return
        self._job, self.progress, self.error, self.standing = None, None, error, standing
        self.changed.emit()

    def _on_progress(self, job: Job[Trace], progress: Progress) -> None:
        if job is self._job:
            self.progress = progress
            self.changed.emit()

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if (changes.sentences or changes.listing) and self.found is not None and not self.is_stale:
            self.is_stale = True
            self.changed.emit()
