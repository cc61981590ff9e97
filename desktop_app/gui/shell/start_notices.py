"""Says that the library is still being closed by a window that is gone, when the program is started again meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMessageBox

from desktop_app.gui.base.display_text import translate
from desktop_app.gui.shell import window_language

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication


class ClosingNotice:
    """A message box that stays until the library is closed, or the person cancels the start."""

    def __init__(self, app: QApplication, language: str) -> None:
        self._app = app
        self._language = language
        self._box: QMessageBox | None = None

    def show_and_wait(self) -> bool:
        """Show the message, handle what the person has done, and return whether to wait on."""
        if self._box is None:
            window_language.install_language(self._app, self._language)
            title = translate("closing", "The library is still being closed")
            text = translate(
                "closing",
                "Kindred is finishing work there, such as erasing removed documents. The window opens after that.",
            )
            self._box = QMessageBox(QMessageBox.Icon.Information, "Kindred", title, QMessageBox.StandardButton.Cancel)
            self._box.setInformativeText(text)
            self._box.show()
        self._app.processEvents()
        return self._box.isVisible()

    def close(self) -> None:
        """Close the message, if it is shown."""
        if self._box is not None:
            self._box.close()
            self._box.deleteLater()
            self._box = None
