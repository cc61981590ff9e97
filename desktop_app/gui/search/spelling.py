"""The suggested spelling of a query that a person has typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.gui.base.requests import LatestJob

if TYPE_CHECKING:
    from desktop_app.gui.base.session import LibrarySession


class SpellingController(QObject):
    """Asks for another spelling of a finished query.

    Attributes:
        found: there is one for the latest query that was looked up.
    """

    found = Signal()

    def __init__(self, session: LibrarySession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._query = self._spelling = ""
        self._request: LatestJob[str] = LatestJob(session, self)

    def look_up(self, query: str) -> None:
        """Ask for another spelling of a query."""
        if query == self._query:
            return
        self._query, self._spelling = query, ""
        self._request.start(self._session.workspace.search.suggest_spelling(query), self._on_found)

    def choose_shown(self, query: str) -> str:
        """Return the other spelling of a query; empty if there is none, or none yet."""
        return self._spelling if query == self._query else ""

    def stop(self) -> None:
        """Cancel what is pending."""
        self._request.cancel()

    def _on_found(self, spelling: str) -> None:
        self._spelling = spelling
        if spelling:
            self.found.emit()
