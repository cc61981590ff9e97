"""Lets a person go to another library: by its folder, or to one of the recent ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QDialog

from desktop_app.core.paths import is_library
from desktop_app.gui.base.file_dialogs import choose_folder
from desktop_app.gui.shell.recent_libraries import fill_recent_menu, forget_library, library_name

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from desktop_app.gui.base.window_context import WindowContext


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
        title = self.tr("Choose an empty folder for the new library") if new else self.tr("Open a library")
        # The preferences, which block the window, open this dialog too.
        parent = QApplication.activeModalWidget() or self._context.widget
        choose_folder(parent, title, lambda folder: self.use_library(Path(folder), new=new))

    def use_library(self, folder: Path, *, new: bool) -> None:
        """Go to the library in a folder, or say why that cannot be."""
        name = library_name(folder, self._default)
        is_default = folder.absolute() == self._default.absolute()
        if not new and not is_default and not is_library(folder):
            forget_library(self._context.state_file, folder)
            self._context.tell(self.tr("{name} holds no library of Kindred.").format(name=name))
        elif new and folder.exists() and any(folder.iterdir()):
            text = self.tr("{name} is not empty. A library needs a folder of its own.")
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
        text = self.tr("{name} is closed. What still ran there goes on when it is opened again.")
        self._context.offer(
            text.format(name=name),
            self.tr("Back to {name}").format(name=name),
            lambda: self.use_library(folder, new=False),
        )
