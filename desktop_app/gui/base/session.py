"""One open library in one window: its phase, its counts, its errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.core.messages import NOTHING
from desktop_app.core.shared_address import is_connection_lost
from desktop_app.gui.base.throttle import Throttle

if TYPE_CHECKING:
    from desktop_app.core.jobs import ChangeSet
    from desktop_app.engine.requests import WorkspaceStatus
    from desktop_app.engine.workspace import Workspace
    from desktop_app.gui.base.bridge import Bridge

SessionPhase = Literal["opening", "loading", "ready", "failed"]

_COUNT_INTERVAL_MS = 300
_FEW_SENTENCES = 2  # with fewer, panes say that there are no documents: they must not say so once there are
_POLL_MS = 1000  # how often a shared library is asked for messages of others; this takes no round trip
_LOOK_AT_OTHERS_MS = 5000  # a computer that was switched off tells nobody
_LOOK_AT_SERVER_MS = 500
_SLOW_S = 3.0
_RETRY_MS = 1000  # a server that is known to be away delays nothing


class LibrarySession(QObject):
    """Opens the library, then loads its model, and keeps the counts.

    Attributes:
        changed: phase, status or error changed.
        opened: the library is open; its documents can be listed.
        device_failed: a graphics processor has failed: why, as a message.
        reconnected: the connection to the server of a shared library was lost, and is there again.
        phase: `opening` until the library is open, `loading` until its model is.
        status: the latest counts; None before the library is open.
        error: why the library or its model could not be opened.
        is_connected: whether the server of a shared library answers.
        is_slow: whether it has been asked something and has not answered for some seconds.
    """

    changed = Signal()
    opened = Signal()
    device_failed = Signal(object)
    reconnected = Signal()

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
        self.is_connected = True
        self.is_slow = False
        self._waiting = QTimer(self, interval=_LOOK_AT_SERVER_MS)
        self._waiting.timeout.connect(self._look_at_server)
        self._looking = QTimer(self, singleShot=True, interval=_LOOK_AT_OTHERS_MS)
        self._looking.timeout.connect(self._counting.request)
        self._reopening = QTimer(self, singleShot=True)
        self._reopening.timeout.connect(self._open_again)
        self._polling = QTimer(self, singleShot=True)
        self._polling.timeout.connect(self._poll)
        bridge.listen(workspace)
        bridge.changed.connect(self._on_library_changed)

    def start(self) -> None:
        """Open the library, list it, load the model: in this order, so that documents appear at once."""
        self.phase, self.error = "opening", None
        self.changed.emit()
        self.bridge.call(self.workspace.open(), self, self._on_opened, on_error=self._on_failed)

    def _open_again(self) -> None:
        """Try to open a library whose server did not answer; the error stays until it does."""
        if self.phase == "failed":
            self.bridge.call(self.workspace.open(), self, self._on_opened, on_error=self._on_failed)

    def stop(self) -> None:
        """Make no more requests."""
        self._counting.stop()
        self._polling.stop()
        self._waiting.stop()
        self._looking.stop()
        self._reopening.stop()

    @property
    def is_writable(self) -> bool:
        """Whether this session may change the library."""
        return self.status is None or self.status.library.is_writable

    def note_loss(self, error: BaseException) -> bool:
        """Return whether an error says that the connection to the server is lost; then it is opened again."""
        if self.status is None or not is_connection_lost(error):
            return False
        if self.is_connected:
            self.is_connected = False
            self.changed.emit()
            self._polling.start(_RETRY_MS)
        return True

    def try_again(self) -> None:
        """Try to reach the server now."""
        if not self.is_connected:
            self._polling.start(0)

    def _look_at_server(self) -> None:
        is_slow = self.is_connected and self.workspace.silence_s >= _SLOW_S
        if is_slow != self.is_slow:
            self.is_slow = is_slow
            self.changed.emit()

    def _poll(self) -> None:
        self.bridge.call(self.workspace.poll(), self, self._on_polled, on_error=self._on_not_polled)

    def _on_polled(self, _nothing: None) -> None:
        self._polling.start(_POLL_MS)
        if not self.is_connected:
            self.is_connected = True
            self.changed.emit()
            self.reconnected.emit()

    def _on_not_polled(self, error: BaseException) -> None:
        self.note_loss(error)
        self._polling.start(_RETRY_MS)

    def _on_opened(self, status: WorkspaceStatus) -> None:
        self.status, self.phase = status, "loading"
        if status.library.is_shared:
            self._waiting.start()
            self._poll()  # before the library is listed, so that nothing is missed
        self.opened.emit()
        self.bridge.call(self.workspace.prepare(), self, self._on_ready, on_error=self._on_failed)
        self.changed.emit()

    def _on_ready(self, status: WorkspaceStatus) -> None:
        self.phase = "ready"
        self._on_counted(status)

    def _on_failed(self, error: BaseException) -> None:
        if self.status is None and is_connection_lost(error):
            self._reopening.start(_RETRY_MS)
        self.error, self.phase = error, "failed"
        self.changed.emit()

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if (changes.listing or changes.sentences or changes.encoder) and self.status is not None:
            if self.status.library.visible_searchable < _FEW_SENTENCES:
                self._counting.stop()
                self._count()
            else:
                self._counting.request()

    def _count(self) -> None:
        self.bridge.call(self.workspace.status(), self, self._on_counted, on_error=self._on_not_counted)

    def _on_not_counted(self, error: BaseException) -> None:
        self.note_loss(error)

    def _on_counted(self, status: WorkspaceStatus) -> None:
        self.status = status
        if status.importers:
            self._looking.start()
        self.changed.emit()
        failure = status.device.failure if status.device is not None else NOTHING
        if failure != self._reported_failure:
            self._reported_failure = failure
            if failure:
                self.device_failed.emit(failure)
