"""Opens the dialogs of the window.

Each is imported when it is first opened: the window's first frame does not wait for them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale, QObject, Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QMenu, QWidget

from desktop_app.core.paths import is_library
from desktop_app.gui.shell import libraries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.ocr import OcrEngine
    from desktop_app.core.paths import Paths
    from desktop_app.core.records import Document
    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.shell.main_window import MainWindow


class DialogController(QObject):
    """Opens these dialogs for one window, and does what is chosen in them.

    Attributes:
        started: the settings that what runs was started with.
        can_restart: whether the program can start itself anew.
        wants_restart: whether it shall when the window is closed.
    """

    def __init__(self, window: MainWindow, themes: ThemeManager, paths: Paths) -> None:
        super().__init__(window)
        self._window = window
        self._themes = themes
        self._paths = paths
        self.started = window.settings
        self.can_restart = False
        self.wants_restart = False
        window.action_table.bind(
            {
                "app.preferences": self.show_preferences,
                "app.palette": self.show_palette,
                "app.shortcuts": self.show_shortcuts,
                "app.welcome": self.show_welcome,
                "app.manual": self.show_manual,
                "app.problem": self.report_problem,
                "app.licences": self.show_licences,
                "library.open": lambda: self.choose_library(new=False),
                "library.about": self.show_library,
                "library.watched": lambda: self.show_preferences("watched"),
                "library.models": lambda: self.show_preferences("models"),
                "library.default": lambda: self.use_library(paths.default_library, new=False),
                "library.backup": self.back_up,
                "library.restore": self.restore,
                "library.new": lambda: self.choose_library(new=True),
            }
        )

    def compare_documents(self, documents: Sequence[Document]) -> None:
        """Show two documents side by side; one alone waits for another."""
        from desktop_app.gui.trace.documents_dialog import CompareDocumentsDialog

        CompareDocumentsDialog(self._window.context, documents).show()

    # Sheets

    def show_shortcuts(self) -> None:
        """Show all shortcuts."""
        from desktop_app.gui.help.shortcuts_dialog import ShortcutsDialog

        ShortcutsDialog(self._window.action_table, self._window).open()

    def show_welcome(self) -> None:
        """Show what the empty window says at first, whenever one likes."""
        from desktop_app.gui.help.welcome_dialog import WelcomeDialog

        status = self._window.session.status
        folder = status.library.folder if status is not None else ""
        WelcomeDialog(folder, self._window.action_table, self._window).open()

    def show_manual(self) -> None:
        """Show the manual, beside the window."""
        from desktop_app.gui.help.manual_dialog import ManualDialog

        for dialog in self._window.findChildren(ManualDialog):
            dialog.raise_()
            dialog.activateWindow()
            return
        ManualDialog(QLocale().name()[:2], self._window).show()

    def report_problem(self) -> None:
        """Show what helps others to understand a problem, to be read and copied."""
        from desktop_app.gui.help.problem_report import ProblemReportDialog, make_problem_report

        session = self._window.session
        dialog = ProblemReportDialog(make_problem_report(session.status, self._paths.log_file), self._window)
        dialog.open()

        def add(engine: OcrEngine | None) -> None:
            dialog.report.appendPlainText(f"\nOCR: {engine.told if engine is not None else 'no Tesseract'}")

        session.bridge.call(session.workspace.pages.find_ocr_engine(), dialog, add, on_error=lambda _error: None)

    def show_palette(self) -> None:
        """Show the palette of all actions, or close it."""
        from desktop_app.gui.shell.palette import toggle_palette

        window = self._window
        toggle_palette(window, window.action_table, self._themes, window.search_history.actions)

    def show_licences(self) -> None:
        """Show what the program is made of."""
        from desktop_app.gui.help.about_dialog import LicencesDialog

        LicencesDialog(self._window).open()

    def show_library(self) -> None:
        """Show the library in figures, and what can be done for it."""
        from desktop_app.gui.library.maintenance_dialog import MaintenanceDialog

        dialog = MaintenanceDialog(self._window.session, self._window)
        dialog.mended.connect(self._window.imports.resume)
        dialog.open()

    # Choices

    def show_preferences(self, page: str = "") -> None:
        """Show what can be chosen; `page` by its name, or the first one."""
        from desktop_app.gui.preferences.dialog import PreferencesDialog

        window = self._window
        status = window.session.status
        dialog = PreferencesDialog(
            window.settings,
            self.started,
            self._paths,
            status,
            window.models,
            window.following,
            window,
            window.action_table,
        )
        dialog.show_page(page)
        dialog.offer_restart(self.can_restart)
        dialog.restart.connect(self.restart)
        dialog.forget.connect(window.search_history.forget)
        dialog.changed.connect(self._change)
        dialog.open_library.connect(lambda: self.choose_library(new=False, parent=dialog))
        dialog.default_wanted.connect(lambda: self.use_library(self._paths.default_library, new=False))
        dialog.new_library.connect(lambda: self.choose_library(new=True, parent=dialog))
        dialog.open()

    def _change(self, changes: dict[str, object]) -> None:
        from desktop_app.gui.preferences.dialog import PreferencesDialog

        window = self._window
        if "theme" in changes:
            window.action_table[f"view.theme.{changes['theme']}"].trigger()
        else:
            window.change_settings(**changes)
        if "shortcuts" in changes:
            window.action_table.assign(window.settings.shortcuts)
        window.removals.set_undo_time(window.settings.undo_s)
        for dialog in window.findChildren(PreferencesDialog):
            dialog.show_settings(window.settings)

    def choose_library(self, *, new: bool, parent: QWidget | None = None) -> None:
        """Let the person choose the folder of a library."""
        title = self.tr("Choose an empty folder for the new library") if new else self.tr("Open a library")
        dialog = QFileDialog(parent or self._window, title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda folder: self.use_library(Path(folder), new=new))
        dialog.open()

    def use_library(self, folder: Path, *, new: bool) -> None:
        """Go over to the library in `folder`, or say why that cannot be."""
        name = libraries.library_name(folder, self._paths.default_library)
        is_default = folder.absolute() == self._paths.default_library.absolute()
        if not new and not is_default and not is_library(folder):
            libraries.forget_library(self._window.state_file, folder)
            self._window.tell(self.tr("{name} holds no library of Kindred.").format(name=name))
        elif new and folder.exists() and any(folder.iterdir()):
            text = self.tr("{name} is not empty. A library needs a folder of its own.")
            self._window.tell(text.format(name=name))
        else:
            for dialog in self._window.findChildren(QDialog):
                dialog.close()
            self._window.library_wanted.emit(folder.absolute())

    def show_recent(self, menu: QMenu) -> None:
        """Fill the menu of libraries that were open last."""
        default = self._paths.default_library
        libraries.fill_recent_menu(
            menu,
            self._window.state_file,
            default,
            self._window.library_folder,
            lambda folder: self.use_library(folder, new=False),
        )

    def offer_previous_library(self, folder: Path) -> None:
        """Say that another library was left for this one, and offer to go back."""
        name = libraries.library_name(folder, self._paths.default_library)
        text = self.tr("{name} is closed. What still ran there goes on when it is opened again.")
        self._window.context.offer(
            text.format(name=name),
            self.tr("Back to {name}").format(name=name),
            lambda: self.use_library(folder, new=False),
        )

    # Backups

    def back_up(self) -> None:
        """Ask where to write the library as one file, and do it."""
        name = libraries.library_name(
            self._window.library_folder or self._paths.default_library, self._paths.default_library
        )
        dialog = QFileDialog(self._window, self.tr("Back up the library"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("zip")
        dialog.setNameFilter(self.tr("Backup (*.zip)"))
        today = QDate.currentDate().toString(Qt.DateFormat.ISODate)
        dialog.selectFile(f"{name} {today}.zip")
        dialog.fileSelected.connect(lambda file: self.back_up_to(Path(file)))
        dialog.open()

    def back_up_to(self, file: Path) -> None:
        """Write the library into a file; the person has said that one which is there may go."""
        from desktop_app.gui.base.overwrite_guard import warn_of_overwrite
        from desktop_app.gui.library.backup_dialog import BackupDialog

        if warn_of_overwrite(self._window, str(file)):
            return
        session = self._window.session
        BackupDialog(session, session.workspace.maintenance.back_up(file, replace=True), self._window).open()

    def restore(self) -> None:
        """Ask for a backup, then for a folder, and make a library of it there."""
        dialog = QFileDialog(self._window, self.tr("Choose a backup"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Backup (*.zip)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(lambda file: self._ask_where_to_restore(Path(file)))
        dialog.open()

    def _ask_where_to_restore(self, file: Path) -> None:
        dialog = QFileDialog(self._window, self.tr("Choose an empty folder for the library"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda folder: self.restore_to(file, Path(folder)))
        dialog.open()

    def restore_to(self, file: Path, folder: Path) -> None:
        """Make a library of a backup; it can be opened afterwards."""
        from desktop_app.gui.library.backup_dialog import BackupDialog

        session = self._window.session
        job = session.workspace.maintenance.restore(file, folder)
        dialog = BackupDialog(session, job, self._window, restoring=True)
        dialog.opened.connect(lambda made: self.use_library(Path(made), new=False))
        dialog.open()

    def restart(self) -> None:
        """Close the window and start the program anew, with what was chosen."""
        self.wants_restart = self.can_restart
        self._window.close()
