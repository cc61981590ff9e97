"""The card that shows what runs, and its result afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.widgets.labels import ElidedLabel, make_icon_button, make_label
from desktop_app.gui.widgets.progress_card import ProgressBar

if TYPE_CHECKING:
    from desktop_app.core.jobs import Progress
    from desktop_app.engine.requests import ImportReport
    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.imports.controller import ImportController
    from desktop_app.gui.imports.report_dialog import ImportReportDialog
    from desktop_app.gui.library.model import DocumentTreeModel


class ImportProgressCard(QFrame):
    """Shows the import at hand: progress, rate, time left, pause, cancel; then a summary until it is dismissed.

    Attributes:
        retry: paths to import again; carries a list of str.
        password: a password is to be tried on locked files; carries a list of their paths.
        recognise: files without text are to be read by OCR; carries a list of their paths.
        ignored: files that failed are to be forgotten; carries a list of FailedFile.
        shown_in_folder: the folder of a file is to be opened; carries its path.
    """

    retry = Signal(object)
    password = Signal(object)
    recognise = Signal(object)
    ignored = Signal(object)
    shown_in_folder = Signal(object)

    def __init__(self, imports: ImportController, documents: DocumentTreeModel, themes: ThemeManager) -> None:
        super().__init__()
        self._imports = imports
        self._documents = documents
        self._themes = themes
        self._dialog: ImportReportDialog | None = None
        self._report: ImportReport | None = None
        self.setProperty("surface", "card")
        self.setAccessibleName(self.tr("Import"))
        self.title = ElidedLabel(self.tr("What runs"))
        self.title.setFont(scale_font(self.title.font(), 1.0, QFont.Weight.Medium))
        self.at_hand = ElidedLabel(self.tr("Document at hand"), "muted", Qt.TextElideMode.ElideMiddle)
        self.at_hand.setFont(scale_font(self.at_hand.font(), 0.9))
        self.bar = ProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.detail = make_label(tone="muted", factor=0.9, wrap=True)
        self.detail.setMinimumHeight(2 * self.detail.fontMetrics().lineSpacing() + 2)
        self.detail.setAccessibleName(self.tr("Rate and time left"))
        self.pause = make_icon_button("pause", self.tr("Pause"))
        self.cancel = make_icon_button("x", self.tr("Cancel: what is ready stays"))
        self.dismiss = make_icon_button("x", self.tr("Dismiss"))
        self.details = QPushButton(self.tr("Details…"))
        self.details.setAccessibleName(self.tr("Details of the import"))

        head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(self.title, 1)
        for button in (self.pause, self.cancel, self.dismiss):
            head.addWidget(button)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(12, 8, 8, 12)
        self._rows.setSpacing(6)
        self._rows.addLayout(head)
        inner = QWidget()
        inner.setAccessibleName(self.tr("Import"))
        below = QVBoxLayout(inner)
        below.setContentsMargins(0, 0, 4, 0)
        below.setSpacing(6)
        below.addWidget(self.at_hand)
        below.addWidget(self.bar)
        below.addWidget(self.detail)
        below.addWidget(self.details, 0, Qt.AlignmentFlag.AlignLeft)
        self._rows.addWidget(inner)

        self.pause.clicked.connect(self._on_pause)
        self.cancel.clicked.connect(imports.cancel)
        self.dismiss.clicked.connect(self.hide)
        self.details.clicked.connect(self.show_details)
        imports.changed.connect(self._refresh)
        imports.progressed.connect(self._on_progress)
        imports.finished.connect(self._on_finished)
        self.hide()

    def show_details(self) -> None:
        """Show what became of each file."""
        if self._dialog is not None:
            self._dialog.raise_()
            self._dialog.activateWindow()
        elif self._report is not None:
            from desktop_app.gui.imports.report_dialog import ImportReportDialog

            self._dialog = dialog = ImportReportDialog(self._report, self._themes, self.window())
            dialog.retry.connect(self.retry)
            dialog.recognise.connect(self.recognise)
            dialog.offer_ocr(self._imports.offers_ocr)
            dialog.password.connect(self.password)
            dialog.ignored.connect(self.ignored)
            dialog.shown_in_folder.connect(self.shown_in_folder)
            dialog.finished.connect(self._on_dialog_closed)
            dialog.show()

    def _on_dialog_closed(self) -> None:
        self._dialog = None

    def _on_pause(self) -> None:
        self._imports.pause(not self._imports.is_paused)

    def _refresh(self) -> None:
        running = self._imports.is_running
        if running:
            self._report = None
            current = self._imports.current
            progress = current.progress if current is not None else None
            if progress is None:
                self.title.setText(self.tr("Importing…"))
                self.bar.setRange(0, 0)
                self.detail.setText(self.tr("Waiting for its turn"))
            else:
                self._on_progress(progress)
            paused = self._imports.is_paused
            self.pause.setIcon(make_icon("play" if paused else "pause"))
            name = self.tr("Resume") if paused else self.tr("Pause")
            self.pause.setToolTip(name)
            self.pause.setAccessibleName(name)
            self.show()
        while_running: tuple[QWidget, ...] = (self.pause, self.cancel, self.bar)
        for widget in while_running:
            widget.setVisible(running)
        if not running:
            self.at_hand.hide()
        afterwards: tuple[QWidget, ...] = (self.dismiss, self.details)
        for widget in afterwards:
            widget.setVisible(not running)

    def _on_progress(self, progress: Progress) -> None:
        if self._imports.is_paused:
            self.title.setText(self.tr("Paused"))
        elif progress.phase == "looking":
            self.title.setText(self.tr("Looking…"))
        elif progress.phase == "indexing":
            self.title.setText(self.tr("Tidying up…"))
        else:
            self.title.setText(
                self.tr("Importing {done} of {total}").format(
                    done=display_text.format_number(min(progress.done + 1, progress.total or progress.done + 1)),
                    total=display_text.format_number(progress.total or 0),
                )
            )
        name = self._document_name_of(progress)
        self.at_hand.setText(name)
        self.at_hand.setVisible(bool(name))
        known = bool(progress.total) and progress.phase in ("reading", "embedding")
        self.bar.setRange(0, 1000 if known else 0)
        if known:
            self.bar.setValue(round(1000 * _progress_fraction(progress)))
        line = display_text.describe_import_progress(progress, is_paused=self._imports.is_paused)
        if progress.phase == "looking":
            line = self.tr("{documents} so far").format(documents=display_text.count_documents(progress.done))
        if self._imports.waiting:
            line += self.tr(" · {count} more waiting").format(count=self._imports.waiting)
        self.detail.setText(line)

    def _document_name_of(self, progress: Progress) -> str:
        """Return the document at hand, and its page."""
        leaf = self._documents.forest.leaves.get(progress.document_id or 0)
        if leaf is None:
            return ""
        name = display_text.document_name(leaf.document.title, leaf.document.path)
        if not progress.page or not progress.page_count or leaf.document.type != "pdf":
            return name
        page = self.tr("page {page} of {count}").format(
            page=display_text.format_number(progress.page), count=display_text.format_number(progress.page_count)
        )
        return f"{name} · {page}"

    def _on_finished(self, report: ImportReport) -> None:
        self._report = report
        if self._dialog is not None:
            self._dialog.add(report)
        self.title.setText(self.tr("Import stopped") if report.stopped else self.tr("Import finished"))
        line = display_text.describe_import_result(report)
        if report.left_out:
            line += self.tr(" · {documents} left out").format(documents=display_text.count_documents(report.left_out))
        if report.sentences:
            line += (
                f"\n{display_text.count_sentences(report.sentences)} · {display_text.format_duration(report.seconds)}"
            )
        self.detail.setText(line)
        has_more = report.failed or report.ignored or report.unchanged or any(f.warnings for f in report.imported)
        self.details.setVisible(bool(has_more))
        self.show()


def _progress_fraction(progress: Progress) -> float:
    """Return how much is done, 0 to 1; a document that is half read counts for half."""
    total = progress.total or 1
    part = progress.page / progress.page_count if progress.page and progress.page_count else 0.0
    return min((progress.done + min(part, 0.95)) / total, 1.0)
