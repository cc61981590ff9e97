"""Progress and result of a backup, or of a restore from one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QWidget

from desktop_app.gui.base import display_text
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size
from desktop_app.gui.widgets.progress_card import ProgressBar

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent

    from desktop_app.core.jobs import Job, Progress
    from desktop_app.core.records import BackupInfo
    from desktop_app.gui.base.session import LibrarySession


class BackupDialog(QDialog):
    """Follows one job; closing the dialog cancels it.

    Attributes:
        opened: the person opens the restored library; carries its folder.
    """

    opened = Signal(object)

    def __init__(
        self, session: LibrarySession, job: Job[BackupInfo], parent: QWidget | None = None, *, restoring: bool = False
    ) -> None:
        super().__init__(parent)
        self._job = job
        self._restoring = restoring
        self._info: BackupInfo | None = None
        title = self.tr("Restore a backup") if restoring else self.tr("Back up the library")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        heading = make_label(title, factor=1.2, weight=QFont.Weight.DemiBold, name=self.tr("Heading"))
        doing = self.tr("Restoring…") if restoring else self.tr("Backing up…")
        self.text = make_label(doing, tone="muted", wrap=True, name=self.tr("Outcome"))
        self.bar = ProgressBar()
        self.open_button = make_push_button(self.tr("&Open This Library"), picture="library")
        self.open_button.clicked.connect(self._open)
        self.open_button.hide()
        self.end = make_push_button(self.tr("Cancel"))
        self.end.clicked.connect(self.close)
        row = make_row("stretch", self.open_button, self.end, spacing=10)
        make_column(heading, self.text, self.bar, "stretch", row, parent=self, margins=(22, 18, 22, 16), spacing=12)
        set_initial_size(self, 520, 190)
        session.bridge.call(
            job,
            self,
            self._on_done,
            on_error=self._on_error,
            on_cancelled=self._on_cancelled,
            on_progress=self._on_progress,
        )

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel the job if it runs; nothing unfinished is left."""
        self._leave()
        event.accept()

    def done(self, result: int) -> None:
        """Do the same for Esc, which hides a dialog without closing it."""
        self._leave()
        super().done(result)

    def _leave(self) -> None:
        if not self._job.is_finished:
            self._job.cancel()
        self.deleteLater()

    def _on_cancelled(self) -> None:
        self.close()

    def _on_progress(self, progress: Progress) -> None:
        self.bar.setValue(progress.done)

    def _on_done(self, info: BackupInfo) -> None:
        self._info = info
        if self._restoring:
            text = self.tr(
                "Restored {documents} to {path}. If their files are elsewhere on this computer, open the"
                " library, select their folder in the list, then “Locate File”."
            )
        else:
            text = self.tr("Saved {documents} ({size}) to {path}. Store a copy on another disk.")
        self._show_result(
            text.format(
                path=info.path,
                documents=display_text.count_documents(info.documents),
                size=display_text.format_size(info.size_bytes),
            )
        )
        self.open_button.setVisible(self._restoring)
        (self.open_button if self._restoring else self.end).setFocus()

    def _on_error(self, error: BaseException) -> None:
        message, hint = display_text.describe_error(error)
        self._show_result(f"{message}. {hint}".strip())

    def _show_result(self, text: str) -> None:
        self.bar.hide()
        self.text.setText(text)
        self.text.setAccessibleDescription(text)
        self.end.setText(self.tr("Close"))
        self.end.setAccessibleName(self.end.text())

    def _open(self) -> None:
        assert self._info is not None
        self.close()
        self.opened.emit(self._info.path)
