"""The way to another library: by its folder, or from the menu of recent ones."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QApplication, QDialog

from desktop_app.core.paths import is_library
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.file_dialogs import choose_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu

    from desktop_app.gui.base.window_context import WindowContext

_RECENT_KEY = "libraries/recent"
_MAX_RECENT = 8
_IDENTITIES_KEY = "libraries/identities"
_MAX_IDENTITIES = 40


class LibrarySwitch(QObject):
    """Asks for another library and says why one cannot be used.

    Attributes:
        wanted: another library is to be opened; carries its folder.
        folder: the folder of the current library; None if unknown.
    """

    wanted = Signal(object)

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._context = context
        self._default = context.paths.default_library
        self.folder: Path | None = None
        context.navigator.open_library.connect(lambda folder: self.use_library(Path(folder), new=False))
        context.actions.bind(
            {
                "library.open": lambda: self.choose_library(new=False),
                "library.default": lambda: self.use_library(self._default, new=False),
                "library.new": lambda: self.choose_library(new=True),
            }
        )

    def choose_library(self, *, new: bool) -> None:
        """Ask for the folder of a library."""
        title = self.tr("Select an empty folder for the new library") if new else self.tr("Open a library")
        # The preferences, which block the window, open this dialog too.
        parent = QApplication.activeModalWidget() or self._context.widget
        choose_folder(parent, title, lambda folder: self.use_library(Path(folder), new=new))

    def use_library(self, folder: Path, *, new: bool) -> None:
        """Go to the library in a folder, or say why that cannot be."""
        name = library_name(folder, self._default)
        is_default = folder.absolute() == self._default.absolute()
        if not new and not is_default and not is_library(folder):
            forget_library(self._context.state_file, folder)
            self._context.tell(self.tr("No Kindred library in {name}.").format(name=name))
        elif new and folder.exists() and any(folder.iterdir()):
            text = self.tr("{name} is not empty. Select an empty folder for the new library.")
            self._context.tell(text.format(name=name))
        else:
            for dialog in self._context.widget.findChildren(QDialog):
                dialog.close()
            self.wanted.emit(folder.absolute())

    def show_recent(self, menu: QMenu) -> None:
        """Fill a menu with the libraries that were open last."""
        fill_recent_menu(
            menu,
            self._context.state_file,
            self._default,
            self.folder,
            lambda folder: self.use_library(folder, new=False),
        )

    def offer_previous_library(self, folder: Path) -> None:
        """Say that another library was closed for this one, and offer to go back."""
        name = library_name(folder, self._default)
        text = self.tr("Switched from {name}. Its tasks resume when you reopen it.")
        self._context.offer(
            text.format(name=name),
            self.tr("Back to {name}").format(name=name),
            lambda: self.use_library(folder, new=False),
        )


def read_recent_libraries(state_file: Path) -> list[Path]:
    """Return the folders of recent libraries, the latest first."""
    stored = QSettings(str(state_file), QSettings.Format.IniFormat).value(_RECENT_KEY)
    # A single path comes back as a string.
    paths = [stored] if isinstance(stored, str) else stored if isinstance(stored, list) else []
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


def remember_identity(state_file: Path, identity: str, folder: Path) -> None:
    """Remember where the library with an identity is, so that links to it are followed there."""
    known = [(each, path) for each, path in _read_identities(state_file) if each != identity]
    state = QSettings(str(state_file), QSettings.Format.IniFormat)
    state.setValue(_IDENTITIES_KEY, json.dumps([(identity, str(folder)), *known][:_MAX_IDENTITIES]))
    state.sync()


def find_known_library(state_file: Path, identity: str) -> Path | None:
    """Return the folder of the library with an identity; None if it is unknown or no longer there."""
    folder = next((Path(path) for each, path in _read_identities(state_file) if each == identity), None)
    return folder if folder is not None and is_library(folder) else None


def _read_identities(state_file: Path) -> list[tuple[str, str]]:
    stored = QSettings(str(state_file), QSettings.Format.IniFormat).value(_IDENTITIES_KEY)
    try:
        return [(str(identity), str(path)) for identity, path in json.loads(str(stored or "[]"))]
    except (TypeError, ValueError):
        return []


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
