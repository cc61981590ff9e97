"""Documents whose files are no longer where they were: looked for in the background, shown in the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication

from desktop_app.gui.throttle import Throttle

if TYPE_CHECKING:
    from desktop_app.gui.documents import DocumentFeed
    from desktop_app.gui.session import Session
    from desktop_app.gui.tree import DocumentModel

_LOOK_EVERY_MS = 3000


class MissingFiles(QObject):
    """Looks when the list of documents has changed, and when a person comes back to the window."""

    def __init__(self, session: Session, feed: DocumentFeed, model: DocumentModel, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._model = model
        self._looking = Throttle(_LOOK_EVERY_MS, self)
        self._looking.due.connect(self.look)
        feed.listed.connect(self._looking.request)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.applicationStateChanged.connect(self._on_state)

    def stop(self) -> None:
        """Look no more."""
        self._looking.stop()

    def look(self) -> None:
        """Find out now."""
        self._session.bridge.call(self._session.workspace.following.missing(), self, self._model.mark_missing)

    def _on_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive and self._session.status is not None:
            self._looking.request()
