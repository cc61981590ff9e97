"""Writes a traced draft or two aligned documents to a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from shiboken6 import isValid

from desktop_app.core.tracing import Trace
from desktop_app.core.tracing_files import TracingWords
from desktop_app.gui import words
from desktop_app.gui.citing import cited
from desktop_app.gui.overwriting import is_refused
from desktop_app.gui.tracing.states import own_line, skipped_line
from desktop_app.gui.tracing.texts import differing
from desktop_app.gui.tracing.tones import kind_name
from desktop_app.gui.tracing.work_view import WorkRow
from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop_app.core.jobs import Job, Progress
    from desktop_app.core.tracing import Diff
    from desktop_app.gui.main_window import MainWindow


class ExportRow(WorkRow):
    """How far a file is written, and a button that stops that; out of sight while nothing is, or what is done soon."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(translate("tracing", "Stop writing"))
        self._window = window
        self._job: Job[int] | None = None
        self.cancelled.connect(self.halt)

    def follow(self, job: Job[int], told: Callable[[int], None]) -> None:
        """Show how far a job is, until it ends; what comes of it is told also when this row is gone by then."""
        self.halt()
        self._job = job

        def end(follow: Callable[[], None] = lambda: None) -> None:
            if self._job is job:
                self._job = None
                if isValid(self):
                    self.hide()
            follow()

        def show(progress: Progress) -> None:
            if self._job is job and isValid(self):
                self.show_progress(progress)
                self.show()

        self._window.session.bridge.call(
            job,
            self._window,
            lambda count: end(lambda: told(count)),
            on_error=lambda error: end(lambda: self._window.tell_error(error)),
            on_cancelled=end,
            on_progress=show,
        )

    def halt(self) -> None:
        """Write no more; what was there of the file before stays."""
        if self._job is not None:
            self._job.cancel()
            self._window.session.workspace.wake()


def spoken() -> TracingWords:
    """Return what files are written in: the window's language."""
    return TracingWords(
        kind=kind_name,
        differs=lambda badges: differing(list(badges)),
        cite=lambda hit, form: cited(hit, words.place(hit), form),
        stopped=lambda left: translate(
            "tracing", "Tracing was stopped: {count} more sentences of the draft were not looked for."
        ).format(count=words.number(left)),
        skipped=skipped_line,
        own=own_line,
    )


def choose_export(
    window: MainWindow, parent: QWidget, found: Trace | Diff, title: str, row: ExportRow, draft: str = ""
) -> None:
    """Let the person choose a file, and write to it.

    Args:
        window: whose library it is; it tells when the file is written.
        parent: above which the question stands.
        found: what is written.
        title: of the question.
        row: shows how far it is.
        draft: path of a file that must not be overwritten.
    """
    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    names = {
        "md": translate("tracing", "Markdown, with citations"),
        "csv": translate("tracing", "Table"),
        "jsonl": translate("tracing", "JSON lines"),
    }
    if isinstance(found, Trace):
        names["bib"] = translate("tracing", "BibTeX, the sources alone")
    dialog.setNameFilters([f"{name} (*.{suffix})" for suffix, name in names.items()])
    dialog.setDefaultSuffix("md")
    # The suffix follows the form that is chosen.
    dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(chosen.rpartition("*.")[2].rstrip(")")))
    dialog.fileSelected.connect(lambda file: export(window, found, file, row, draft))
    dialog.open()


def export(window: MainWindow, found: Trace | Diff, file: str, row: ExportRow, draft: str = "") -> None:
    """Write to a file, unless that would overwrite a document of the library or the draft itself."""
    if draft and os.path.realpath(file) == os.path.realpath(draft):
        window.tell(translate("tracing", "{name} is the draft itself. Choose another name.").format(name=file))
        return
    if is_refused(window, file):
        return

    def told(count: int) -> None:
        text = translate("tracing", "{count} rows written to {name}.")
        window.tell(text.format(count=words.number(count), name=os.path.basename(file)))

    row.follow(window.session.workspace.tracing.export(found, file, spoken()), told)
