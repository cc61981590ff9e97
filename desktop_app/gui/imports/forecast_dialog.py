"""Asks before a large import: how long it takes, and whether the disk has room."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, Qt
from PySide6.QtWidgets import QMessageBox

from desktop_app.core.formats import is_supported
from desktop_app.gui.base import display_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.engine.import_forecast import ImportForecast
    from desktop_app.gui.shell.main_window import MainWindow

_MIN_FORECAST_FILES = 200  # files; what has no known ending may be a folder: nobody waits for a disk here to find out


class ImportForecastController(QObject):
    """Looks through what is to be imported while the import begins; a large one waits for the answer."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.imports.asked.connect(self.look)

    def look(self, paths: Sequence[str]) -> None:
        """Find out what an import will take, where that could be much."""
        if len(paths) > _MIN_FORECAST_FILES or not all(is_supported(Path(path)) for path in paths):
            session = self._window.session
            session.bridge.call(session.workspace.import_forecast.forecast(paths), self, self.judge)

    def judge(self, forecast: ImportForecast) -> None:
        """Ask whether a large import is meant; small ones just go on."""
        imports = self._window.imports
        if not forecast.is_large or not imports.is_running:
            return
        imports.pause(True)
        size = QLocale().formattedDataSize
        box = QMessageBox(self._window)
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
        box.finished.connect(lambda _result: self._on_forecast(box.clickedButton() is go_on))
        box.open()

    def _on_forecast(self, meant: bool) -> None:
        if not meant:
            self._window.imports.cancel()
        self._window.imports.pause(False)
