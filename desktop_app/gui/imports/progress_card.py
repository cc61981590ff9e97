"""The card of the current import, with its result afterwards."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal

from desktop_app.core.formats import find_format
from desktop_app.gui.base import desktop, display_text
from desktop_app.gui.widgets.buttons import PushButton, make_icon_button
from desktop_app.gui.widgets.progress_card import ProgressCard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from desktop_app.core.jobs import Progress
    from desktop_app.engine.requests import ImportReport
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.imports.controller import ImportController
    from desktop_app.gui.imports.report_dialog import ImportReportDialog

_LEAVE_AFTER_MS = 12_000
_NEW_SHARE = 0.25
"""Of each new estimate of the time left: single documents are quicker or slower than the rest."""


class ImportProgressCard(ProgressCard):
    """Shows the current import: progress, rate, time left, pause, cancel; then a summary until it is dismissed.

    Attributes:
        password: locked files need a password; carries a list of their paths.
        recognise: files without text need OCR; carries a list of their paths.
        ignored: failed files are dismissed; carries a list of FailedFile.
        dismiss: hides the summary.
        details: opens the report.
        leaving: runs out some time after a success; then the card hides itself.
    """

    password = Signal(object)
    recognise = Signal(object)
    ignored = Signal(object)

    def __init__(self, context: WindowContext, imports: ImportController) -> None:
        super().__init__(
            self.tr("Import"),
            title_name=self.tr("Current task"),
            detail_name=self.tr("Rate and time left"),
            stop_tip=self.tr("Cancel (documents already imported are kept)"),
        )
        self._context = context
        self._imports = imports
        self._dialog: ImportReportDialog | None = None
        self._report: ImportReport | None = None
        self._remaining_s: float | None = None
        self.detail.setMinimumHeight(2 * self.detail.fontMetrics().lineSpacing() + 2)
        self.dismiss = make_icon_button("x", self.tr("Dismiss"))
        self.buttons.addWidget(self.dismiss)
        self.details = PushButton(self.tr("Details…"))
        self.details.setAccessibleName(self.tr("Details of the import"))
        self.column.addWidget(self.details, 0, Qt.AlignmentFlag.AlignLeft)
        self.pause_toggled.connect(self._on_pause)
        self.stop_requested.connect(imports.cancel)
        self.dismiss.clicked.connect(self.hide)
        self.details.clicked.connect(self.show_details)
        imports.changed.connect(self._refresh)
        imports.progressed.connect(self._on_progress)
        imports.finished.connect(self._on_finished)
        imports.failed.connect(self._on_failed)
        self.leaving = QTimer(self, singleShot=True, interval=_LEAVE_AFTER_MS)
        self.leaving.timeout.connect(self._leave)
        self.hide()

    def _leave(self) -> None:
        """Hide the summary of a success, unless the person is at it."""
        focus = self.window().focusWidget()
        if self.underMouse() or (focus is not None and self.isAncestorOf(focus)) or self._dialog is not None:
            self.leaving.start()
        else:
            self.hide()

    def show_details(self) -> None:
        """Open the report."""
        if self._dialog is not None:
            self._dialog.raise_()
            self._dialog.activateWindow()
        elif self._report is not None:
            from desktop_app.gui.imports.report_dialog import ImportReportDialog

            self._dialog = dialog = ImportReportDialog(self._report, self._context.themes, self.window())
            dialog.retry.connect(self._on_retry)
            dialog.recognise.connect(self.recognise)
            dialog.offer_ocr(self._imports.offers_ocr)
            dialog.password.connect(self.password)
            dialog.ignored.connect(self.ignored)
            dialog.shown_in_folder.connect(self._show_in_folder)
            dialog.finished.connect(self._on_dialog_closed)
            dialog.show()

    def show_refusal(self, text: str) -> None:
        """Say that a password was wrong: in the report if it is open, which would hide a message of the window."""
        if self._dialog is not None:
            self._dialog.show_refusal(text)
        else:
            self._context.tell(text)

    def _on_retry(self, paths: Sequence[str]) -> None:
        dialog = self._dialog

        def end() -> None:
            if dialog is not None and self._dialog is dialog:
                dialog.restore_untried(paths)

        self._imports.start(paths, then=end)

    def _show_in_folder(self, path: str) -> None:
        if not desktop.show_in_folder(path):
            self._context.tell(display_text.describe_unopened_file(path))

    def _on_dialog_closed(self) -> None:
        self._dialog = None

    def _on_pause(self) -> None:
        self._imports.pause(not self._imports.is_paused)

    def _refresh(self) -> None:
        running = self._imports.is_running
        if running:
            self._report = None
            self.leaving.stop()
            current = self._imports.current
            progress = current.progress if current is not None else None
            if progress is None:
                self.title.setText(self.tr("Paused") if self._imports.is_paused else self.tr("Importing…"))
                self.bar.setRange(0, 0)
                self.detail.setText(self.tr("Queued"))
            else:
                self._on_progress(progress)
            self.show_paused(self._imports.is_paused)
            self.show()
        while_running: tuple[QWidget, ...] = (self.pause, self.stop, self.bar)
        for widget in while_running:
            widget.setVisible(running)
        if not running:
            self._remaining_s = None
            self.show_subject("")
        afterwards: tuple[QWidget, ...] = (self.dismiss, self.details)
        for widget in afterwards:
            widget.setVisible(not running)

    def _on_progress(self, progress: Progress) -> None:
        if self._imports.is_paused:
            self.title.setText(self.tr("Paused"))
        elif progress.phase == "looking":
            self.title.setText(self.tr("Scanning…"))
        elif progress.phase == "indexing":
            self.title.setText(self.tr("Finishing…"))
        elif not progress.total:  # a short one has not been counted yet
            self.title.setText(self.tr("Importing…"))
        else:
            self.title.setText(
                self.tr("Importing {done} of {total}").format(
                    done=display_text.format_number(min(progress.done + 1, progress.total)),
                    total=display_text.format_number(progress.total),
                )
            )
        self.show_subject(self._document_name_of(progress))
        known = bool(progress.total) and progress.phase in ("reading", "embedding")
        self.bar.show_fraction(_progress_fraction(progress) if known else None)
        progress = replace(progress, remaining_s=self._smooth_remaining(progress.remaining_s))
        line = display_text.describe_import_progress(progress, is_paused=self._imports.is_paused)
        if progress.phase == "looking":
            line = self.tr("{documents} found").format(documents=display_text.count_documents(progress.done))
        if self._imports.waiting:
            line += self.tr(" · %Ln more queued", "", self._imports.waiting)
        self.detail.setText(line)

    def _smooth_remaining(self, seconds: float | None) -> float | None:
        """Return the time left without the jumps of single documents."""
        if seconds is not None and self._remaining_s is not None:
            seconds = self._remaining_s + _NEW_SHARE * (seconds - self._remaining_s)
        self._remaining_s = seconds
        return seconds

    def _document_name_of(self, progress: Progress) -> str:
        """Return the name of the current document, and its page."""
        document = self._context.documents.document(progress.document_id or 0)
        if document is None:
            return ""
        name = display_text.document_name(document.title, document.path)
        if not progress.page or not progress.page_count or not find_format(document.type).shows_pages:
            return name
        page = self.tr("page {page} of {count}").format(
            page=display_text.format_number(progress.page), count=display_text.format_number(progress.page_count)
        )
        return f"{name} · {page}"

    def _on_failed(self, error: BaseException) -> None:
        """Say that the import shown here has ended without a report."""
        if self.isHidden() or self._imports.is_running or self._report is not None:
            return
        is_resumed_later = self._imports.was_interrupted
        self.title.setText(self.tr("Import stopped") if is_resumed_later else self.tr("Import failed"))
        self.detail.setText(display_text.describe_error(error)[0])
        self.details.hide()

    def _on_finished(self, report: ImportReport) -> None:
        self._report = report
        if self._dialog is not None:
            self._dialog.add(report)
        has_succeeded = bool(report.imported or report.unchanged or report.copies)
        if report.stopped:
            self.title.setText(self.tr("Import stopped"))
        elif report.failed and not has_succeeded:
            self.title.setText(self.tr("Import failed"))
        else:
            self.title.setText(self.tr("Import finished"))
        line = display_text.describe_import_result(report)
        if report.left_out:
            line += self.tr(" · {documents} skipped").format(documents=display_text.count_documents(report.left_out))
        if report.embedded:  # each text once, as in the status bar
            line += (
                f"\n{display_text.count_sentences(report.embedded)} · {display_text.format_duration(report.seconds)}"
            )
        self.detail.setText(line)
        has_more = report.failed or report.ignored or report.unchanged or report.copies
        self.details.setVisible(bool(has_more or any(file.warnings for file in report.imported)))
        self.show()
        if has_succeeded and not report.failed and not report.stopped:
            self.leaving.start()


def _progress_fraction(progress: Progress) -> float:
    """Return how much is done, 0 to 1; a half-read document counts for half."""
    total = progress.total or 1
    part = progress.page / progress.page_count if progress.page and progress.page_count else 0.0
    return min((progress.done + min(part, 0.95)) / total, 1.0)
