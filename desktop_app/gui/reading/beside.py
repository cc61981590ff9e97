"""What stands below the reader: the nearest sentences to the one under the cursor, where one wants to see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings

if TYPE_CHECKING:
    from desktop_app.gui.main_window import MainWindow
    from desktop_app.gui.reading.see_also import SeeAlso
    from desktop_app.gui.theme import ThemeManager


class SeeAlsoDesk(QObject):
    """Shows and hides "see also" of one window; it is built when it is first shown."""

    def __init__(self, window: MainWindow, themes: ThemeManager) -> None:
        super().__init__(window)
        self._window = window
        self._themes = themes
        self.panel: SeeAlso | None = None
        self._action = window.actions_table["reader.see_also"]
        self._action.toggled.connect(self._set_visible)
        window.reader.pointed.connect(self._on_pointed)

    def save(self, state: QSettings) -> None:
        """Remember whether it is shown."""
        state.setValue("see_also", self._action.isChecked())

    def restore(self, state: QSettings) -> None:
        """Show it as the last time, once the first frame is through."""
        if state.value("see_also", False, bool):
            self._window.painted.connect(lambda: self._action.setChecked(True))

    def stop(self) -> None:
        """Ask for nothing any more."""
        if self.panel is not None:
            self.panel.stop()

    def _set_visible(self, visible: bool) -> None:
        if visible and self.panel is None:
            from desktop_app.gui.reading.see_also import SeeAlso

            self.panel = SeeAlso(self._window.session, self._themes)
            self.panel.chosen.connect(self._window.desk.open_hit)
            self._window.reader.add_below(self.panel)
        if self.panel is not None:
            self.panel.setVisible(visible)
            if visible:
                self._window.desk.set_visible(True)
                self.panel.show_for(self._window.reader.pointed_text)
            else:
                self.panel.stop()

    def _on_pointed(self, text: str) -> None:
        if self.panel is not None and self._action.isChecked():
            self.panel.show_for(text)
