"""The way to another library: by its folder or address, or from the menu of recent ones."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QApplication, QDialog

from desktop_app.core.errors import StorageFull
from desktop_app.core.library_place import parse_library_place
from desktop_app.core.paths import is_library, list_content
from desktop_app.core.shared_address import SharedAddress, needs_password
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.file_dialogs import choose_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu

    from desktop_app.core.library_place import LibraryPlace
    from desktop_app.gui.base.window_context import WindowContext

_RECENT_KEY = "libraries/recent"
_MAX_RECENT = 8
_IDENTITIES_KEY = "libraries/identities"
_MAX_IDENTITIES = 40


class LibrarySwitch(QObject):
    """Asks for another library and says why one cannot be used.

    Attributes:
        wanted: another library is to be opened; carries its place.
        signed_in: a shared library is to be opened; carries its address, the password that the person typed (None: the
            stored one), and whether to store it.
        place: of the current library; None if unknown.
    """

    wanted = Signal(object)
    signed_in = Signal(object, object, bool)

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._context = context
        self._default = context.paths.default_library
        self._asked_about: BaseException | None = None
        self.place: LibraryPlace | None = None
        context.navigator.open_library.connect(lambda folder: self.use_library(Path(folder), new=False))
        context.actions.bind(
            {
                "library.open": lambda: self.choose_library(new=False),
                "library.default": lambda: self.use_library(self._default, new=False),
                "library.new": lambda: self.choose_library(new=True),
                "library.open_shared": self.choose_shared_library,
            }
        )
        context.session.changed.connect(self._on_session_changed)

    def choose_library(self, *, new: bool) -> None:
        """Ask for the folder of a library."""
        title = self.tr("Select an empty folder for the new library") if new else self.tr("Open a library")
        # The preferences, which block the window, open this dialog too.
        parent = QApplication.activeModalWidget() or self._context.widget
        choose_folder(parent, title, lambda folder: self.use_library(Path(folder), new=new))

    def choose_shared_library(self) -> None:
        """Ask for the address of a shared library; the latest one is suggested."""
        from desktop_app.gui.shell.shared_library_dialog import SharedLibraryDialog

        recent = [self.place, *read_recent_libraries(self._context.state_file)]
        suggested = next((place for place in recent if isinstance(place, SharedAddress)), None)
        dialog = SharedLibraryDialog(self._context.session, suggested, self._context.widget)
        dialog.signed_in.connect(self.signed_in)
        dialog.open()

    def ask_password(self, address: SharedAddress, error: BaseException) -> None:
        """Ask for the password of a shared library that could not be opened, then open it."""
        from desktop_app.gui.shell.shared_library_dialog import PasswordDialog

        dialog = PasswordDialog(address, error, self._context.widget)
        if address == self.place:
            dialog.signed_in.connect(lambda _address, password, is_kept: self._use_password(password, is_kept))
        else:
            dialog.signed_in.connect(self.signed_in)
        dialog.open()

    def keep_password(self, password: str) -> None:
        """Store the password of the current library in the system's keyring."""
        session = self._context.session
        job = session.workspace.administration.use_password(password, store=True)
        session.bridge.call(job, self, on_error=self._context.tell_error)

    def _use_password(self, password: str, is_kept: bool) -> None:
        """Open the current library with another password."""
        session, reopen = self._context.session, self._context.actions["library.reopen"].trigger

        def report(error: BaseException) -> None:
            if isinstance(error, StorageFull):  # it was right, but there is no keyring
                self._context.tell_error(error)
                reopen()
            elif isinstance(self.place, SharedAddress):
                self.ask_password(self.place, error)

        job = session.workspace.administration.use_password(password, store=is_kept)
        session.bridge.call(job, self, lambda _nothing: reopen(), on_error=report)

    def _on_session_changed(self) -> None:
        error = self._context.session.error
        if error is self._asked_about:
            return
        self._asked_about = error
        if error is not None and isinstance(self.place, SharedAddress) and needs_password(error):
            self.ask_password(self.place, error)

    def use_library(self, folder: LibraryPlace, *, new: bool) -> None:
        """Go to the library at a place, or say why that cannot be."""
        if isinstance(folder, SharedAddress):
            self._go_to(folder)
            return
        name = library_name(folder, self._default)
        is_default = folder.absolute() == self._default.absolute()
        if not new and not is_default and not is_library(folder):
            forget_library(self._context.state_file, folder)
            self._context.tell(self.tr("No Kindred library in {name}.").format(name=name))
        elif new and folder.exists() and list_content(folder):
            text = self.tr("{name} is not empty. Select an empty folder for the new library.")
            self._context.tell(text.format(name=name))
        else:
            self._go_to(folder.absolute())

    def _go_to(self, place: LibraryPlace) -> None:
        for dialog in self._context.widget.findChildren(QDialog):
            dialog.close()
        self.wanted.emit(place)

    def show_recent(self, menu: QMenu) -> None:
        """Fill a menu with the libraries that were open last."""
        fill_recent_menu(
            menu,
            self._context.state_file,
            self._default,
            self.place,
            lambda place: self.use_library(place, new=False),
        )

    def offer_previous_library(self, place: LibraryPlace, *, is_training: bool) -> None:
        """Say that another library was closed for this one, and with it a training; offer to go back."""
        name = library_name(place, self._default)
        text = self.tr("Switched from {name}. Its tasks resume when you reopen it.")
        if is_training:
            text = self.tr(
                "Switched from {name}. The training has stopped; you can resume it in Train. Other tasks resume when"
                " you reopen the library."
            )
        self._context.offer(
            text.format(name=name),
            self.tr("Back to {name}").format(name=name),
            lambda: self.use_library(place, new=False),
        )


def read_recent_libraries(state_file: Path) -> list[LibraryPlace]:
    """Return the places of recent libraries, the latest first."""
    return list_recent_libraries(QSettings(str(state_file), QSettings.Format.IniFormat))


def list_recent_libraries(state: QSettings) -> list[LibraryPlace]:
    """Return the places of recent libraries in an open state file, the latest first.

    To open the file once more would first write to the disk what was set in `state`.
    """
    stored = state.value(_RECENT_KEY)
    # A single path comes back as a string.
    paths = [stored] if isinstance(stored, str) else stored if isinstance(stored, list) else []
    places = [parse_library_place(str(path)) for path in paths if path]
    return [place for place in places if place is not None]


def remember_library(state_file: Path, place: LibraryPlace) -> None:
    """Move a library to the front of the list."""
    _write_recent_libraries(state_file, [place, *(each for each in read_recent_libraries(state_file) if each != place)])


def forget_library(state_file: Path, place: LibraryPlace) -> None:
    """Remove a library from the list; the library itself stays."""
    _write_recent_libraries(state_file, [each for each in read_recent_libraries(state_file) if each != place])


def _write_recent_libraries(state_file: Path, places: list[LibraryPlace]) -> None:
    state = QSettings(str(state_file), QSettings.Format.IniFormat)
    state.setValue(_RECENT_KEY, [str(place) for place in places[:_MAX_RECENT]])
    state.sync()


def remember_identity(state_file: Path, identity: str, place: LibraryPlace) -> None:
    """Remember where the library with an identity is, so that links to it are followed there."""
    known = [(each, path) for each, path in _read_identities(state_file) if each != identity]
    state = QSettings(str(state_file), QSettings.Format.IniFormat)
    state.setValue(_IDENTITIES_KEY, json.dumps([(identity, str(place)), *known][:_MAX_IDENTITIES]))
    state.sync()


def find_known_library(state_file: Path, identity: str) -> LibraryPlace | None:
    """Return the place of the library with an identity; None if it is unknown or no longer there."""
    places = (parse_library_place(text) for each, text in _read_identities(state_file) if each == identity)
    place = next(places, None)
    return place if isinstance(place, SharedAddress) or (place is not None and is_library(place)) else None


def _read_identities(state_file: Path) -> list[tuple[str, str]]:
    stored = QSettings(str(state_file), QSettings.Format.IniFormat).value(_IDENTITIES_KEY)
    try:
        return [(str(identity), str(path)) for identity, path in json.loads(str(stored or "[]"))]
    except (TypeError, ValueError):
        return []


def library_name(place: LibraryPlace, default: Path) -> str:
    """Return the name of a library: its own or that of its folder, unless it is the default one."""
    if isinstance(place, SharedAddress):
        return place.library
    return translate("recent", "Default library") if place == default else place.name or str(place)


def fill_recent_menu(
    menu: QMenu,
    state_file: Path,
    default: Path,
    current: LibraryPlace | None,
    go_to: Callable[[LibraryPlace], None],
) -> None:
    """List the default library and the recent ones; the current one is checked."""
    menu.clear()
    others = [place for place in read_recent_libraries(state_file) if place != default]
    for place in (default, *others):
        shown = library_name(place, default) if place == default else _describe_library(place, default)
        action = menu.addAction(shown.replace("&", "&&"))
        action.setToolTip(str(place))
        action.setCheckable(place == current)
        action.setChecked(place == current)
        action.triggered.connect(lambda _checked=False, place=place: go_to(place))
        if place == default and others:
            menu.addSeparator()


def _describe_library(place: LibraryPlace, default: Path) -> str:
    """Return the name of a library and its location: user and server, or a folder, with `~` for the home folder."""
    if isinstance(place, SharedAddress):
        user = f"{place.user}@" if place.user else ""
        return f"{place.library}  ({user}{place.server})"
    above = str(place.parent)
    home = os.path.expanduser("~")
    if above == home or above.startswith(home + os.sep):
        above = "~" + above[len(home) :]
    return f"{library_name(place, default)}  ({above})"
