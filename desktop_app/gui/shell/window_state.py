"""Position and layout of a window, kept for the next start."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings

from desktop_app.gui.search.actions import SEARCH_MODES
from desktop_app.gui.shell.panes import PANE_SPECS
from desktop_app.gui.widgets.dialogs import set_initial_size

if TYPE_CHECKING:
    from desktop_app.gui.shell.main_window import MainWindow

_VERSION = 2
_SIZE_PX = 1280, 800
_PARTS_PX = [260, 460, 560]  # library, pane, reader


class WindowState:
    """Keeps the place of one window in its file of state."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def save(self) -> None:
        """Remember the window's place."""
        window, state = self._window, self._state()
        state.setValue("version", _VERSION)
        state.setValue("geometry", window.saveGeometry())
        state.setValue("splitter", window.splitter.saveState())
        state.setValue("mode", window.search.mode)
        state.setValue("pane", window.panes.current.name)
        state.setValue("reader", window.reader_controller.is_wanted)
        window.library_pane.save(state)
        window.search_filters.save(state)
        window.see_also.save(state)
        state.sync()

    def restore(self) -> None:
        """Go where a window was the last time."""
        window, state = self._window, self._state()
        set_initial_size(window, *_SIZE_PX)
        window.splitter.setSizes(_PARTS_PX)
        if str(state.value("version")) != str(_VERSION):
            return
        window.library_pane.restore(state)
        window.search_filters.restore(state)
        window.see_also.restore(state)
        if (mode := str(state.value("mode"))) in SEARCH_MODES:
            window.action_table[f"search.mode.{mode}"].trigger()
        geometry, splitter = state.value("geometry"), state.value("splitter")
        if isinstance(geometry, QByteArray):
            window.restoreGeometry(geometry)
        if isinstance(splitter, QByteArray):
            window.splitter.restoreState(splitter)
        window.reader_controller.set_visible(state.value("reader", True, bool) is not False)
        if (pane := str(state.value("pane"))) in [known.name for known in PANE_SPECS[1:]]:
            window.painted.connect(partial(window.panes.show_pane, pane))  # built when the first frame is through

    def _state(self) -> QSettings:
        return QSettings(str(self._window.state_file), QSettings.Format.IniFormat)
