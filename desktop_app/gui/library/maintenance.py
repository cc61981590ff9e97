"""Maintenance of the library as a whole: its figures, backups, restores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QObject, Qt, Signal

from desktop_app.gui.base.file_dialogs import choose_file, choose_folder, choose_save_file, make_filters

if TYPE_CHECKING:
    from desktop_app.core.jobs import Job
    from desktop_app.core.records import CheckResult
    from desktop_app.gui.base.window_context import WindowContext


class MaintenanceController(QObject):
    """Opens the dialogs that maintain the library of one window.

    Attributes:
        repaired: documents may wait to be read again.
        library_name: what the library is called; part of the name of a backup.
    """

    repaired = Signal()

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._context = context
        self.library_name = ""
        context.actions.bind(
            {"library.about": self.show_library, "library.backup": self.back_up, "library.restore": self.restore}
        )

    def show_library(self) -> None:
        """Show the library in figures, and offer to check and repair it."""
        from desktop_app.gui.library.maintenance_dialog import MaintenanceDialog

        dialog = MaintenanceDialog(self._context.session, self._context.widget)
        dialog.repairing.connect(self._follow_repair)
        dialog.open()

    def _follow_repair(self, job: Job[list[CheckResult]]) -> None:
        """Emit `repaired` when the job has ended, also if its dialog is closed by then."""
        self._context.session.bridge.call(job, self, lambda _checks: self.repaired.emit())

    def back_up(self) -> None:
        """Ask where to write the library as one file, and do it."""
        today = QDate.currentDate().toString(Qt.DateFormat.ISODate)
        choose_save_file(
            self._context.widget,
            self.tr("Back up the library"),
            {"zip": self.tr("Backup (*.zip)")},
            lambda file: self.back_up_to(Path(file)),
            suggestion=f"{self.library_name} {today}",
        )

    def back_up_to(self, file: Path) -> None:
        """Write the library into a file, which the person allowed to be replaced if it exists."""
        from desktop_app.gui.library.backup_dialog import BackupDialog

        if self._context.refuse_overwrite(str(file)):
            return
        session = self._context.session
        BackupDialog(session, session.workspace.maintenance.back_up(file, replace=True), self._context.widget).open()

    def restore(self) -> None:
        """Ask for a backup, then for a folder, and restore the library there."""
        filters = [self.tr("Backup (*.zip)"), make_filters("", "")[-1]]
        choose_file(
            self._context.widget,
            self.tr("Select a backup"),
            lambda file: self.choose_restore_folder(Path(file)),
            filters,
        )

    def offer_restore(self, file: str) -> None:
        """Say that a file is a backup, and offer to restore it: it was to be imported, and has no documents."""
        text = self.tr("{name} is a backup of a library. It can be restored to a new library.")
        name = Path(file).name
        self._context.offer(text.format(name=name), self.tr("Restore…"), lambda: self.choose_restore_folder(Path(file)))

    def choose_restore_folder(self, file: Path) -> None:
        """Ask for an empty folder, and restore a backup there."""
        choose_folder(
            self._context.widget,
            self.tr("Select an empty folder for the library"),
            lambda folder: self.restore_to(file, Path(folder)),
        )

    def restore_to(self, file: Path, folder: Path) -> None:
        """Restore a backup into a folder; the library can be opened afterwards."""
        from desktop_app.gui.library.backup_dialog import BackupDialog

        session = self._context.session
        job = session.workspace.maintenance.restore(file, folder)
        dialog = BackupDialog(session, job, self._context.widget, restoring=True)
        dialog.opened.connect(self._context.navigator.open_library)
        dialog.open()
