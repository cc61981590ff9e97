"""Traces a draft to the library, and keeps the result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.core.trace import TraceProgress
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.base.throttle import Throttle

if TYPE_CHECKING:
    from desktop_app.core.jobs import ChangeSet, Progress
    from desktop_app.core.trace import GrowingTrace, Trace
    from desktop_app.gui.base.session import LibrarySession

TraceState = Literal["nothing", "working", "found", "stopped", "failed"]


_SHOW_INTERVAL_MS = 400  # between two views of a draft that is being traced


@dataclass(frozen=True, slots=True)
class Draft:
    """The text to trace: a file, or a text without one."""

    path: str = ""
    text: str = ""
    password: str | None = None

    @property
    def name(self) -> str:
        """The name of the draft."""
        return Path(self.path).name if self.path else translate("tracing", "Pasted text")


@dataclass(frozen=True, slots=True)
class ShownTrace:
    """A draft and its result.

    Attributes:
        scope: the part of the library in which sources were looked for.
        all_passages: whether headings, fragments and so on were looked for and are sources.
        is_stale: the library has changed since.
    """

    draft: Draft
    trace: Trace
    scope: Scope
    all_passages: bool
    is_stale: bool = False


class TraceController(QObject):
    """Traces one draft at a time.

    Attributes:
        changed: state or progress have changed.
        traced: another result is shown.
        grown: the result that is shown has more sentences.
        stopped: tracing was stopped, and the result stays the beginning of a draft.
        state: the state of the latest draft.
        error: why there is no result.
        all_passages: whether headings, fragments and so on are looked for and are sources.
        scope: where to look for sources; while a result is shown and no draft is traced, where its sources are from.
        former: the last complete result, while a draft is traced or after it was stopped, or None.
    """

    changed = Signal()
    traced = Signal()
    grown = Signal()
    stopped = Signal()

    def __init__(self, session: LibrarySession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._request: LatestJob[Trace] = LatestJob(session, self)
        self.scope: Scope = EVERYTHING
        self.all_passages = False
        self._asked = Draft()
        self._shown: ShownTrace | None = None
        self._growing: GrowingTrace | None = None  # of the draft that is being traced
        self._seen: GrowingTrace | None = None  # the same, once some of it is shown
        self.former: ShownTrace | None = None
        self.state: TraceState = "nothing"
        self.error: BaseException | None = None
        self._growth = Throttle(_SHOW_INTERVAL_MS, self)
        self._growth.due.connect(self._show_partial_trace)
        session.changed.connect(self.changed)
        session.bridge.changed.connect(self._on_library_changed)

    @property
    def progress(self) -> Progress | None:
        """Of the draft that is being traced; None before its first report, and while none is traced."""
        return self._request.progress

    @property
    def found(self) -> Trace | None:
        """The result that is shown; it stays until the next one has some sentences."""
        return self._shown.trace if self._shown is not None else None

    @property
    def is_stale(self) -> bool:
        """Whether the library has changed since the result was found."""
        return self._shown is not None and self._shown.is_stale

    @property
    def is_working(self) -> bool:
        """Whether a draft is being traced."""
        return self._request.is_running

    @property
    def is_growing(self) -> bool:
        """Whether the result that is shown is the beginning of the draft that is being traced."""
        return self.is_working and self._is_partly_shown

    @property
    def _is_partly_shown(self) -> bool:
        return self._seen is not None and self._seen is self._growing

    @property
    def is_stopped_early(self) -> bool:
        """Whether the result that is shown is the beginning of a draft whose tracing was stopped."""
        return not self.is_working and self.found is not None and self.found.left > 0

    @property
    def has_documents(self) -> bool:
        """Whether the library has sentences; True while that is unknown."""
        status = self._session.status
        return status is None or status.library.visible_searchable > 0

    @property
    def has_scores(self) -> bool:
        """Whether a sentence of the result that is shown was compared with one of the library."""
        return self.found is not None and any(each.score is not None for each in self.found.sentences)

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
        """The name of the draft."""
        return self._draft.name

    @property
    def _draft(self) -> Draft:
        return self._shown.draft if self._shown is not None and self.state == "found" else self._asked

    def trace_file(self, path: str, password: str | None = None) -> None:
        """Trace a file."""
        self._ask(Draft(path=path, password=password))

    def trace_text(self, text: str) -> None:
        """Trace a text."""
        self._ask(Draft(text=text))

    def trace_again(self) -> None:
        """Trace the same draft again."""
        self._ask(self._draft)

    def set_scope(self, scope: Scope) -> None:
        """Look for sources only in a part of the library, for the current draft and later ones."""
        self.scope = scope
        if self._draft.path or self._draft.text:
            self.trace_again()

    def set_all_passages(self, on: bool) -> None:
        """Look for headings, fragments and so on too, and among them; or only for and among sentences."""
        self.all_passages = on
        if self._draft.path or self._draft.text:
            self.trace_again()

    def cancel(self) -> None:
        """Stop tracing. The sentences traced so far stay; if there are none, the former result does."""
        self._request.cancel()

    def restore_former(self) -> None:
        """Show the former result again."""
        if self.former is not None and not self.is_working:
            self._shown, self.former, self.state, self.error = self.former, None, "found", None
            self._return_to_shown()
            self.changed.emit()
            self.traced.emit()

    def _return_to_shown(self) -> None:
        """Look for sources next as for the result that is shown."""
        if self._shown is not None:
            self.scope, self.all_passages = self._shown.scope, self._shown.all_passages

    def _ask(self, draft: Draft) -> None:
        self._asked, self.state, self.error = draft, "working", None
        self._growing = self._seen = None
        self._growth.stop()
        tracing, scope = self._session.workspace.trace, replace(self.scope, all_passages=self.all_passages)
        if draft.path:
            job = tracing.trace_file(draft.path, password=draft.password, scope=scope)
        else:
            job = tracing.trace_text(draft.text, scope=scope)
        self._request.start(
            job,
            self._on_found,
            on_error=lambda error: self._on_end("failed", error),
            on_cancelled=self._on_cancelled,
            on_progress=self._on_progress,
        )
        self.changed.emit()

    def _on_progress(self, progress: Progress) -> None:
        if isinstance(progress, TraceProgress):
            self._growing = progress.growing
            self._growth.request()
        self.changed.emit()

    def _show_partial_trace(self) -> None:
        """Show the sentences that are traced so far."""
        if self._growing is None or not len(self._growing):
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
        is_stale = self.is_stale and self._is_partly_shown
        self._shown = ShownTrace(self._asked, found, self.scope, self.all_passages, is_stale)

    def _on_found(self, found: Trace) -> None:
        is_more = self._is_partly_shown
        self._show(found)
        self._on_end("found")
        (self.grown if is_more else self.traced).emit()

    def _on_cancelled(self) -> None:
        self._show_partial_trace()
        self._on_end("found" if self._shown is not None else "stopped")
        if self.is_stopped_early:
            self.stopped.emit()

    def _on_end(self, state: TraceState, error: BaseException | None = None) -> None:
        self._growth.stop()
        self.error, self.state = error, state
        self._growing = self._seen = None
        if state == "found":
            self._return_to_shown()  # the former result, if the stopped one has no sentence
        self.changed.emit()

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if not (changes.sentences or changes.listing):
            return
        if self.former is not None:
            self.former = replace(self.former, is_stale=True)
        if self._shown is not None and not self._shown.is_stale:
            self._shown = replace(self._shown, is_stale=True)
            self.changed.emit()
