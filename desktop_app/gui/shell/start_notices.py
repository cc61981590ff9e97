"""What a start says before it has a window: that the library is still being closed, or that the start has failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMessageBox

from desktop_app.core.errors import Cancelled
from desktop_app.gui.base.display_text import translate, translate_message
from desktop_app.gui.shell import window_language

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from desktop_app.core.errors import AppError


class ClosingNotice:
    """A message box that stays until the library is closed, or the person cancels the start."""

    def __init__(self, app: QApplication, language: str) -> None:
        self._app = app
        self._language = language
        self._box: QMessageBox | None = None

    def show(self) -> None:
        """Show the message, and handle what the person has done.

        Raises:
            Cancelled: the person cancels the start.
        """
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
        if not self._box.isVisible():
            raise Cancelled

    def close(self) -> None:
        """Close the message, if it is shown."""
        if self._box is not None:
            self._box.close()
            self._box.deleteLater()
            self._box = None


def show_failed_start(app: QApplication, language: str, error: AppError) -> None:
    """Show why there will be no window, until the person closes the message."""
    window_language.install_language(app, language)
    title = translate_message(error.message)
    box = QMessageBox(QMessageBox.Icon.Warning, "Kindred", title, QMessageBox.StandardButton.Close)
    box.setInformativeText(translate_message(error.hint))
    box.exec()
