"""Asks what the library says about a draft, and keeps the answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.core.trace import TraceProgress
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.throttle import Throttle

if TYPE_CHECKING:
    from desktop_app.core.jobs import ChangeSet, Job, Progress
    from desktop_app.core.trace import GrowingTrace, Trace
    from desktop_app.gui.base.session import LibrarySession

TraceState = Literal["nothing", "working", "found", "stopped", "failed"]


_SHOW_INTERVAL_MS = 400  # while a draft is traced, what there is by now is shown so often


@dataclass(frozen=True, slots=True)
class Draft:
    """What is traced: a file, or a text that has none."""

    path: str = ""
    text: str = ""
    password: str | None = None

    @property
    def name(self) -> str:
        """What it is called."""
        return Path(self.path).name if self.path else translate("tracing", "Pasted text")


@dataclass(frozen=True, slots=True)
class ShownTrace:
    """A draft, and what was found of it.

    Attributes:
        scope: where sources were looked for.
        is_stale: the library has changed since.
    """

    draft: Draft
    trace: Trace
    scope: Scope
    is_stale: bool = False


class TraceController(QObject):
    """One draft at a time.

    Attributes:
        changed: standing or progress are others now.
        traced: another result is there.
        grown: of the result that was there more is there.
        stopped: what is shown is the beginning of a draft, and stays so.
        standing: how it stands with the draft that was asked for last.
        progress: of what is under way.
        error: why there is no result.
        scope: where sources are looked for; where they were while a result is shown and none is under way.
        former: the whole result that was shown before one that was stopped, or is under way; None: there is none.
    """

    changed = Signal()
    traced = Signal()
    grown = Signal()
    stopped = Signal()

    def __init__(self, session: LibrarySession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._job: Job[Trace] | None = None
        self.scope: Scope = EVERYTHING
        self._asked = Draft()
        self._shown: ShownTrace | None = None
        self._growing: GrowingTrace | None = None  # of what is under way
        self._seen: GrowingTrace | None = None  # of that, what is shown
        self.former: ShownTrace | None = None
        self.standing: TraceState = "nothing"
        self.progress: Progress | None = None
        self.error: BaseException | None = None
        self._growth = Throttle(_SHOW_INTERVAL_MS, self)
        self._growth.due.connect(self._show_partial_trace)
        session.changed.connect(self.changed)
        session.bridge.changed.connect(self._on_library_changed)

    @property
    def found(self) -> Trace | None:
        """The result that is shown; one that was whole stays until something of the next one is there."""
        return self._shown.trace if self._shown is not None else None

    @property
    def is_stale(self) -> bool:
        """Whether the library has changed since that was found."""
        return self._shown is not None and self._shown.is_stale

    @property
    def is_working(self) -> bool:
        """Whether a draft is being traced."""
        return self._job is not None

    @property
    def is_growing(self) -> bool:
        """Whether what is shown is the beginning of what is being traced."""
        return self.is_working and self._seen is not None and self._seen is self._growing

    @property
    def is_stopped_early(self) -> bool:
        """Whether what is shown is the beginning of a draft, and nothing comes after it."""
        return not self.is_working and self.found is not None and self.found.left > 0

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
    def text(self) -> str:
        """The text of a draft that has no file."""
        return self._draft.text

    @property
    def name(self) -> str:
        """What the draft is called."""
        return self._draft.name

    @property
    def _draft(self) -> Draft:
        return self._shown.draft if self._shown is not None and self.standing == "found" else self._asked

    def trace_file(self, path: str, password: str | None = None) -> None:
        """Trace a file."""
        self._ask(Draft(path=path, password=password))

    def trace_text(self, text: str) -> None:
        """Trace a text."""
        self._ask(Draft(text=text))

    def again(self) -> None:
        """Trace the same draft once more."""
        self._ask(self._draft)

    def keep_to(self, scope: Scope) -> None:
        """Look for sources in a part of the library alone, of the draft that is there and of others."""
        self.scope = scope
        if self._draft.path or self._draft.text:
            self.again()

    def cancel(self) -> None:
        """Stop; what is there of the draft stays, and if nothing is, what was shown before."""
        if self._job is not None:
            self._job.cancel()
            self._session.workspace.wake()

    def go_back(self) -> None:
        """Show the former draft again."""
        if self.former is not None and not self.is_working:
            self._shown, self.former, self.standing, self.error = self.former, None, "found", None
            self.scope = self._shown.scope
            self.changed.emit()
            self.traced.emit()

    def _ask(self, draft: Draft) -> None:
        self._asked, self.standing, self.progress, self.error = draft, "working", None, None
        self._growing = self._seen = None
        self._growth.stop()
        tracing = self._session.workspace.trace
        if draft.path:
            job = tracing.trace_file(draft.path, password=draft.password, scope=self.scope)
        else:
            job = tracing.trace_text(draft.text, scope=self.scope)
        self._job = job
        self.changed.emit()
        self._session.bridge.call(
            job,
            self,
            lambda found: self._on_found(job, found),
            on_error=lambda error: self._on_end(job, "failed", error),
            on_cancelled=lambda: self._on_cancelled(job),
            on_progress=lambda progress: self._on_progress(job, progress),
        )

    def _on_progress(self, job: Job[Trace], progress: Progress) -> None:
        if job is not self._job:
            return  # a newer draft has taken its place
        self.progress = progress
        if isinstance(progress, TraceProgress):
            self._growing = progress.growing
            self._growth.request()
        self.changed.emit()

    def _show_partial_trace(self) -> None:
        """Show what is there of the draft that is being traced."""
        if self._job is None or self._growing is None or not len(self._growing):
            return
        is_other = self._seen is not self._growing
        self._show(self._growing.so_far())
        self._seen = self._growing
        (self.traced if is_other else self.grown).emit()

    def _show(self, found: Trace) -> None:
        if self._seen is None and self._shown is not None and not self._shown.trace.left:
            self.former = self._shown
        if not found.left:
            self.former = None
        self._shown = ShownTrace(self._asked, found, self.scope, self.is_stale and self.is_growing)

    def _on_found(self, job: Job[Trace], found: Trace) -> None:
        if job is not self._job:
            return
        is_more = self.is_growing
        self._show(found)
        self._on_end(job, "found")
        (self.grown if is_more else self.traced).emit()

    def _on_cancelled(self, job: Job[Trace]) -> None:
        if job is self._job:
            self._show_partial_trace()
            self._on_end(job, "found" if self._shown is not None else "stopped")
            if self.is_stopped_early:
                self.stopped.emit()

    def _on_end(self, job: Job[Trace], standing: TraceState, error: BaseException | None = None) -> None:
        if job is not self._job:
            return
        self._growth.stop()
        self._job, self.progress, self.error, self.standing = None, None, error, standing
        self._growing = self._seen = None
        if standing == "found" and self._shown is not None:
            self.scope = self._shown.scope  # where nothing came, what was there before is shown
        self.changed.emit()

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if not (changes.sentences or changes.listing):
            return
        if self.former is not None:
            self.former = replace(self.former, is_stale=True)
        if self._shown is not None and not self._shown.is_stale:
            self._shown = replace(self._shown, is_stale=True)
            self.changed.emit()
