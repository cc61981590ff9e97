"""The application object: takes the files that the system asks it to open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from collections.abc import Sequence


class Application(QApplication):
    """Hears of files that are opened with it: macOS tells by events what other systems put on the command line.

    An event filter would see every event of every widget; what is sent to the application itself comes here alone.

    Attributes:
        opened: files and folders to import; carries a list of str. Those that come in one go are told in one.
    """

    opened = Signal(object)

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(list(arguments))
        self._files: list[str] = []

    def event(self, event: QEvent) -> bool:
        """Take files; everything else is Qt's."""
        if event.type() == QEvent.Type.FileOpen and isinstance(event, QFileOpenEvent) and event.file():
            # Each of the files that a person has chosen together comes in an event of its own.
            if not self._files:
                QTimer.singleShot(0, self, self._tell)
            self._files.append(event.file())
            return True
        return super().event(event)

    def _tell(self) -> None:
        files, self._files = self._files, []
        self.opened.emit(files)
