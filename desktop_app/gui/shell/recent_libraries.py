"""The libraries that were open last, and the menu that lists them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings

from desktop_app.gui.base.display_text import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu

_RECENT_KEY = "libraries/recent"
_MAX_RECENT = 8


def read_recent_libraries(state_file: Path) -> list[Path]:
    """Return the folders of recent libraries, the latest first."""
    kept = QSettings(str(state_file), QSettings.Format.IniFormat).value(_RECENT_KEY)
    # A single path comes back as a string.
    paths = [kept] if isinstance(kept, str) else kept if isinstance(kept, list) else []
    return [Path(str(path)) for path in paths if path]


def remember_library(state_file: Path, folder: Path) -> None:
    """Move a library to the front of the list."""
    _write_recent_libraries(
        state_file, [folder, *(each for each in read_recent_libraries(state_file) if each != folder)]
    )


def forget_library(state_file: Path, folder: Path) -> None:
    """Remove a library from the list; its folder stays."""
    _write_recent_libraries(state_file, [each for each in read_recent_libraries(state_file) if each != folder])


def _write_recent_libraries(state_file: Path, folders: list[Path]) -> None:
    state = QSettings(str(state_file), QSettings.Format.IniFormat)
    state.setValue(_RECENT_KEY, [str(folder) for folder in folders[:_MAX_RECENT]])
    state.sync()


def library_name(folder: Path, default: Path) -> str:
    """Return the name of a library: that of its folder, unless it is the default one."""
    return translate("recent", "Default library") if folder == default else folder.name or str(folder)


def fill_recent_menu(
    menu: QMenu, state_file: Path, default: Path, current: Path | None, go_to: Callable[[Path], None]
) -> None:
    """List the default library and the recent ones; the current one is checked."""
    menu.clear()
    others = [folder for folder in read_recent_libraries(state_file) if folder != default]
    for folder in (default, *others):
        shown = library_name(folder, default) if folder == default else _describe_library(folder, default)
        action = menu.addAction(shown.replace("&", "&&"))
        action.setToolTip(str(folder))
        action.setCheckable(folder == current)
        action.setChecked(folder == current)
        action.triggered.connect(lambda _checked=False, folder=folder: go_to(folder))
        if folder == default and others:
            menu.addSeparator()


def _describe_library(folder: Path, default: Path) -> str:
    """Return the name of a library and its location, with `~` for the home folder."""
    above = str(folder.parent)
    home = os.path.expanduser("~")
    if above == home or above.startswith(home + os.sep):
        above = "~" + above[len(home) :]
    return f"{library_name(folder, default)}  ({above})"
