"""One open library in one window: its phase, its counts, its errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from desktop_app.core.messages import NOTHING
from desktop_app.gui.base.throttle import Throttle

if TYPE_CHECKING:
    from desktop_app.core.jobs import ChangeSet
    from desktop_app.engine.requests import WorkspaceStatus
    from desktop_app.engine.workspace import Workspace
    from desktop_app.gui.base.bridge import Bridge

SessionPhase = Literal["opening", "loading", "ready", "failed"]

_COUNT_INTERVAL_MS = 300


class LibrarySession(QObject):
    """Opens the library, then loads its model, and keeps the counts.

    Attributes:
        changed: phase, status or error changed.
        opened: the library is open; its documents can be listed.
        device_failed: a graphics processor has failed: why, as a message.
        phase: `opening` until the library is open, `loading` until its model is.
        status: the latest counts; None before the library is open.
        error: why the library or its model could not be opened.
    """

    changed = Signal()
    opened = Signal()
    device_failed = Signal(object)

    def __init__(self, workspace: Workspace, bridge: Bridge, parent: QObject) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.bridge = bridge
        self.phase: SessionPhase = "opening"
        self.status: WorkspaceStatus | None = None
        self.error: BaseException | None = None
        self._reported_failure = NOTHING
        self._counting = Throttle(_COUNT_INTERVAL_MS, self)
        self._counting.due.connect(self._count)
        bridge.listen(workspace)
        bridge.changed.connect(self._on_library_changed)

    def start(self) -> None:
        """Open the library, list it, load the model: in this order, so that documents appear at once."""
        self.phase, self.error = "opening", None
        self.changed.emit()
        self.bridge.call(self.workspace.open(), self, self._on_opened, on_error=self._on_failed)

    def stop(self) -> None:
        """Make no more requests."""
        self._counting.stop()

    def _on_opened(self, status: WorkspaceStatus) -> None:
        self.status, self.phase = status, "loading"
        self.opened.emit()
        self.bridge.call(self.workspace.prepare(), self, self._on_ready, on_error=self._on_failed)
        self.changed.emit()

    def _on_ready(self, status: WorkspaceStatus) -> None:
        self.phase = "ready"
        self._on_counted(status)

    def _on_failed(self, error: BaseException) -> None:
        self.error, self.phase = error, "failed"
        self.changed.emit()

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if (changes.listing or changes.sentences or changes.encoder) and self.status is not None:
            self._counting.request()

    def _count(self) -> None:
        self.bridge.call(self.workspace.status(), self, self._on_counted)

    def _on_counted(self, status: WorkspaceStatus) -> None:
        self.status = status
        self.changed.emit()
        failure = status.device.failure if status.device is not None else NOTHING
        if failure != self._reported_failure:
            self._reported_failure = failure
            if failure:
                self.device_failed.emit(failure)
