"""Remarks on the operators of a query that a person is typing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.messages import Message

PAUSE_MS = 1500
"""After this time without a change a query counts as finished."""


class QueryRemarks(QObject):
    """Holds new remarks back while a query is being typed: a phrase has no closing quotation mark until it ends.

    A remark that was shown before stays.

    Attributes:
        settled: typing paused; the remarks that were held back can be shown.
    """

    settled = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._query = ""
        self._shown: frozenset[Message] = frozenset()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.settled)

    @property
    def is_settled(self) -> bool:
        """Whether no remark is held back."""
        return not self._pause.isActive()

    def choose_shown(self, query: str, remarks: Sequence[Message]) -> list[Message]:
        """Return the remarks on a query that can be shown now."""
        if query != self._query:
            self._query = query
            self._pause.start()
        shown = [each for each in remarks if self.is_settled or each in self._shown]
        self._shown = frozenset(shown)
        return shown

    def stop(self) -> None:
        """Show nothing that is held back."""
        self._pause.stop()
