"""Asks before a large import: how long it takes, and whether the disk has room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, Qt
from PySide6.QtWidgets import QMessageBox

from desktop_app.gui.base import display_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.engine.import_forecast import ImportForecast
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.imports.controller import ImportController


class ImportForecastController(QObject):
    """Asks for confirmation before a large import."""

    def __init__(self, context: WindowContext, imports: ImportController) -> None:
        super().__init__(context.widget)
        self._context = context
        imports.large_import_found.connect(self.ask)

    def ask(self, forecast: ImportForecast, answer: Callable[[bool], None]) -> None:
        """Show the cost of an import, and call `answer` with whether to start it."""
        size = QLocale().formattedDataSize
        box = QMessageBox(self._context.widget)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(self.tr("A large import"))
        box.setAccessibleName(box.windowTitle())
        box.setText(
            self.tr("Importing {documents} will take about {time} and {size} on the disk.").format(
                documents=display_text.count_documents(forecast.files),
                time=display_text.format_duration(forecast.seconds),
                size=size(forecast.disk_bytes),
            )
        )
        room = self.tr("{size} are free.").format(size=size(forecast.free_bytes))
        more = self.tr("Everything that has come in can be searched at once. It can be stopped, and goes on at the "
                       "next start.")  # fmt: skip
        if forecast.is_short_of_space:
            more = self.tr("The disk may get full. What has come in until then is kept.")
        box.setInformativeText(f"{room} {more}")
        go_on = box.addButton(self.tr("&Import"), QMessageBox.ButtonRole.AcceptRole)
        stop = box.addButton(self.tr("&Do Not Import"), QMessageBox.ButtonRole.RejectRole)
        for button in (go_on, stop):
            button.setAccessibleName(button.text().replace("&", ""))
        box.setDefaultButton(go_on)
        box.setEscapeButton(stop)
        box.finished.connect(lambda _result: answer(box.clickedButton() is go_on))
        box.open()
