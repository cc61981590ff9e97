"""Many pairs of sentences from a file, scored in one go and written back with their scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QTableView,
    QVBoxLayout,
)

from desktop_app.core.errors import Cancelled
from desktop_app.gui import words
from desktop_app.gui.comparing.table_model import COSINE, DIFFERS, FIRST, KIND, SECOND, SORT_ROLE, PairTableModel
from desktop_app.gui.dialogs.buttons import close_button, push_button
from desktop_app.gui.overwriting import refusal
from desktop_app.gui.share_bar import ShareBar
from desktop_app.gui.sizing import give_size
from desktop_app.gui.widgets import ElidedLabel, label

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent

    from desktop_app.core.jobs import Job, Progress
    from desktop_app.engine.requests import ScoredTable
    from desktop_app.gui.main_window import MainWindow

_PATTERNS = "*.tsv *.csv *.jsonl"


class PairTableDialog(QDialog):
    """Reads a table of pairs, scores it in the background, shows and exports it.

    Attributes:
        compared: a pair is to be looked at closer; carries both sentences.
    """

    compared = Signal(object)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._job: Job[ScoredTable] | None = None
        self._shown = ""  # the file whose pairs are in the table
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Score a table of pairs"))
        self.setAccessibleName(self.windowTitle())
        self.setAcceptDrops(True)
        self.model = PairTableModel(self)
        self.sorted = QSortFilterProxyModel(self)
        self.sorted.setSourceModel(self.model)
        self.sorted.setSortRole(SORT_ROLE)
        self.choose_button = push_button(
            self.tr("Choose a &File…"), "", "file-plus", self.tr("Choose a table of two columns of sentences")
        )
        self.choose_button.clicked.connect(self.choose)
        self.export_button = push_button(
            self.tr("E&xport…"), "", "save", self.tr("Write the table with its scores to a file")
        )
        self.export_button.clicked.connect(self.choose_export)
        self.cancel_button = push_button(self.tr("&Stop"), "", "square", self.tr("Stop scoring"))
        self.cancel_button.clicked.connect(self.cancel)
        self.file = ElidedLabel(self.tr("File"), "muted", Qt.TextElideMode.ElideMiddle)
        self.progress = ShareBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(140)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.said = label(tone="muted", wrap=True)
        self.said.setAccessibleName(self.tr("State"))
        self.view = self._table()
        self._lay_out()
        give_size(self, 900, 600)
        self._show(
            self.tr(
                "A table with a header: TSV, CSV or JSON lines, sentence1 and sentence2 among its columns, or the "
                "sentences in the first two. It can be dropped here."
            )
        )

    def _table(self) -> QTableView:
        view = QTableView()
        view.setObjectName("scored")
        view.setAccessibleName(self.tr("Scored pairs"))
        view.setModel(self.sorted)
        # As in the file, until one asks otherwise.
        view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        view.setSortingEnabled(True)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.verticalHeader().hide()
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = view.horizontalHeader()
        header.setAccessibleName(self.tr("Columns"))
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column in (FIRST, SECOND):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        for column, width_px in ((COSINE, 84), (KIND, 120), (DIFFERS, 150)):
            header.resizeSection(column, width_px)
        view.activated.connect(self._on_activated)
        return view

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self.choose_button)
        head.addWidget(self.file, 1)
        head.addWidget(self.progress)
        head.addWidget(self.cancel_button)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.export_button)
        foot.addStretch(1)
        foot.addWidget(close_button(self))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        column.addLayout(head)
        column.addWidget(self.said)
        column.addWidget(self.view, 1)
        column.addLayout(foot)

    # What is done

    def choose(self) -> None:
        """Let the person choose a table."""
        dialog = QFileDialog(self, self.tr("Choose a table of pairs"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Tables ({patterns})").format(patterns=_PATTERNS), self.tr("All files (*)")])
        dialog.fileSelected.connect(self.score)
        dialog.open()

    def score(self, file: str) -> None:
        """Score the pairs of a table; what was shown before goes, with its name, when the new scores are there."""
        self.cancel()
        self.file.setText(file)
        job = self._job = self._session.workspace.comparing.score_table(file)
        self._session.bridge.call(
            job,
            self,
            lambda scored: self._on_scored(job, file, scored),
            on_error=lambda error: self._on_end(job, error),
            on_cancelled=lambda: self._on_end(job, Cancelled()),
            on_progress=lambda progress: self._on_progress(job, progress),
        )
        self._show(self.tr("Scoring…"))

    def cancel(self) -> None:
        """Stop scoring."""
        if self._job is not None:
            self._job.cancel()
            self._session.workspace.wake()

    def choose_export(self) -> None:
        """Let the person choose a file for the scores."""
        dialog = QFileDialog(self, self.tr("Export the scored pairs"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([self.tr("Tables ({patterns})").format(patterns=_PATTERNS)])
        dialog.setDefaultSuffix("tsv")
        dialog.fileSelected.connect(self.export_to)
        dialog.open()

    def export_to(self, file: str) -> None:
        """Write the table with its scores, unless that would overwrite a document."""
        if reason := refusal(self._window, file):
            self._show(reason)
            return
        if self.model.scored is None:
            return
        job = self._session.workspace.comparing.export_table(self.model.scored, file)

        def tell(count: int) -> None:
            self._show(self.tr("Wrote {count} pairs to {file}.").format(count=words.number(count), file=file))

        self._session.bridge.call(job, self, tell, on_error=self._show_error)

    # What comes

    def _on_scored(self, job: Job[ScoredTable], file: str, scored: ScoredTable) -> None:
        if job is not self._job:
            return
        self._job = None
        self._shown = file
        self.model.show(scored)
        text = self.tr("{count} pairs; a click on a column sorts them, Enter compares one closer.")
        text = text.format(count=words.number(len(scored.cosines)))
        unknown = scored.known.count(False)
        if unknown:
            text += " " + self.tr("Of {count} of them the model knows no word of a sentence.").format(
                count=words.number(unknown)
            )
        if not scored.table.has_header:
            text += " " + self.tr("The first row names no columns: it is a pair like the others.")
        self._show(text)
        if scored.cosines:
            self.view.selectRow(0)
            self.view.setFocus()

    def _on_end(self, job: Job[ScoredTable], error: BaseException) -> None:
        if job is not self._job:
            return
        self._job = None
        self.file.setText(self._shown)
        if isinstance(error, Cancelled):
            self._show(self.tr("Stopped; the former table stays.") if self._shown else self.tr("Stopped."))
        else:
            self._show_error(error)

    def _on_progress(self, job: Job[ScoredTable], progress: Progress) -> None:
        if job is self._job:
            self.progress.setRange(0, progress.total or 0)
            self.progress.setValue(progress.done)

    def _show_error(self, error: BaseException) -> None:
        message, hint = words.error(error)
        self._show(f"{message}. {hint}".strip())

    def _show(self, text: str) -> None:
        self.said.setText(text)
        self.said.setAccessibleDescription(text)
        self.progress.setVisible(self._job is not None)
        self.cancel_button.setVisible(self._job is not None)
        self.export_button.setEnabled(self._job is None and self.model.rowCount() > 0)

    def _on_activated(self, index: QModelIndex) -> None:
        self.compared.emit(self.model.pair(self.sorted.mapToSource(index).row()))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take a file."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Score the file that was dropped."""
        files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if files:
            event.acceptProposedAction()
            self.score(files[0])

    def closeEvent(self, event: QCloseEvent) -> None:
        """Leave no work behind."""
        self.cancel()
        self._job = None
        super().closeEvent(event)

    def done(self, result: int) -> None:
        """Do the same for Esc."""
        self.cancel()
        self._job = None
        super().done(result)
