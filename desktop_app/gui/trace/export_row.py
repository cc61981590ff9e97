"""Exports a traced draft or two aligned documents."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from shiboken6 import isValid

from desktop_app.core.trace import Trace
from desktop_app.core.trace_files import TraceTexts
from desktop_app.gui.base import display_text
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.overwrite_guard import warn_of_overwrite
from desktop_app.gui.results.citation import cite_sentence
from desktop_app.gui.trace.sentence_kinds import sentence_kind_name
from desktop_app.gui.trace.state_view import ProgressRow, describe_own_documents, describe_skipped_lines
from desktop_app.gui.trace.texts import describe_differences

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop_app.core.jobs import Job, Progress
    from desktop_app.core.trace import Diff
    from desktop_app.gui.shell.main_window import MainWindow


class ExportRow(ProgressRow):
    """How far a file is written, and a button that stops that; out of sight while nothing is, or what is done soon."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(translate("tracing", "Stop writing"))
        self._window = window
        self._job: Job[int] | None = None
        self.cancelled.connect(self.cancel_export)

    def follow(self, job: Job[int], told: Callable[[int], None]) -> None:
        """Show how far a job is, until it ends; what comes of it is told also when this row is gone by then."""
        self.cancel_export()
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

    def cancel_export(self) -> None:
        """Write no more; what was there of the file before stays."""
        if self._job is not None:
            self._job.cancel()
            self._window.session.workspace.wake()


def make_trace_texts() -> TraceTexts:
    """Return what files are written in: the window's language."""
    return TraceTexts(
        kind=sentence_kind_name,
        differs=lambda badges: describe_differences(list(badges)),
        cite=lambda hit, form: cite_sentence(hit, display_text.format_location(hit), form),
        stopped=lambda left: translate(
            "tracing", "Tracing was stopped: {count} more sentences of the draft were not looked for."
        ).format(count=display_text.format_number(left)),
        skipped=describe_skipped_lines,
        own=describe_own_documents,
    )


def choose_trace_export(
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
    dialog.fileSelected.connect(lambda file: export_trace(window, found, file, row, draft))
    dialog.open()


def export_trace(window: MainWindow, found: Trace | Diff, file: str, row: ExportRow, draft: str = "") -> None:
    """Write to a file, unless that would overwrite a document of the library or the draft itself."""
    if draft and os.path.realpath(file) == os.path.realpath(draft):
        window.tell(translate("tracing", "{name} is the draft itself. Choose another name.").format(name=file))
        return
    if warn_of_overwrite(window, file):
        return

    def told(count: int) -> None:
        text = translate("tracing", "{count} rows written to {name}.")
        window.tell(text.format(count=display_text.format_number(count), name=os.path.basename(file)))

    row.follow(window.session.workspace.trace.export(found, file, make_trace_texts()), told)
