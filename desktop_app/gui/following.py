"""Keeps the library in step with its watched folders while the window is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from desktop_app.core.jobs import Job
    from desktop_app.core.records import WatchedFolder
    from desktop_app.engine.requests import ImportReport
    from desktop_app.gui.imports import Imports
    from desktop_app.gui.session import Session


class FolderWatch(QObject):
    """Looks through the folders at the start and whenever the system tells of a change in one, or one has come back.

    Attributes:
        folders: those that are followed.
        changed: they are others now, or have other patterns.
        failed: something could not be done; carries the exception.
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(self, session: Session, imports: Imports, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._imports = imports
        self._is_looking = self._look_again = False
        self.folders: list[WatchedFolder] = []
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.applicationStateChanged.connect(self._on_state)

    def start(self) -> None:
        """Begin to follow, as soon as the library is open or folders of it may be others."""
        self._call(self._session.workspace.following.folders())

    def watch(self, folder: WatchedFolder) -> None:
        """Follow a folder, or follow it with other patterns."""
        self._call(self._session.workspace.following.watch(folder))

    def leave(self, path: str) -> None:
        """Follow a folder no longer; its documents stay."""
        self._call(self._session.workspace.following.leave(path))

    def _call(self, job: Job[list[WatchedFolder]]) -> None:
        self._session.bridge.call(job, self, self._take, on_error=self.failed.emit)

    def _take(self, folders: list[WatchedFolder]) -> None:
        if folders == self.folders:
            return
        self.folders = folders
        self._begin()
        self.changed.emit()

    def _begin(self) -> None:
        told = self._session.bridge.from_outside(self, self._look)
        self._session.workspace.following.begin(self.folders, told)
        self._look()

    def _on_state(self, state: Qt.ApplicationState) -> None:
        is_back = state == Qt.ApplicationState.ApplicationActive and bool(self.folders)
        if is_back and self._session.workspace.following.has_come_back():
            self._begin()

    def _look(self) -> None:
        """Look through the folders; what is told of meanwhile is looked at once more."""
        if self._is_looking:
            self._look_again = True
        elif self.folders:
            self._is_looking = True
            self._imports.follow(self._session.workspace.following.sync(), self._on_looked)

    def _on_looked(self, _report: ImportReport | None) -> None:
        self._is_looking = False
        if self._look_again:
            self._look_again = False
            self._look()
