"""Scores many pairs of sentences from a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QDialog, QHeaderView, QTableView

from desktop_app.core.duplicates import PAIR_KINDS
from desktop_app.gui.base import display_text, file_dialogs
from desktop_app.gui.base.mime_data import accept_as_copy
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.base.window_context import ComparisonRequest
from desktop_app.gui.results.pair_text import badge_name, pair_kind_name
from desktop_app.gui.widgets.buttons import make_close_button, make_push_button
from desktop_app.gui.widgets.item_views import NO_INDEX, AnyIndex
from desktop_app.gui.widgets.labels import ElidedLabel, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size
from desktop_app.gui.widgets.progress_card import ProgressBar

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent

    from desktop_app.core.jobs import Progress
    from desktop_app.engine.requests import ScoredTable
    from desktop_app.gui.base.window_context import WindowContext


_TABLE_PATTERNS = "*.tsv *.csv *.jsonl"

SORT_ROLE = Qt.ItemDataRole.UserRole
FIRST, SECOND, COSINE, KIND, DIFFERS = range(5)


class PairTableDialog(QDialog):
    """Reads a table of pairs, scores it in the background, shows and exports it."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._context = context
        self._session = context.session
        self._request: LatestJob[ScoredTable] = LatestJob(context.session, self)
        self._shown = ""  # the file whose pairs are in the table
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Score sentence pairs from a file"))
        self.setAccessibleName(self.windowTitle())
        self.setAcceptDrops(True)
        self.model = ScoredPairsModel(self)
        self.sorted = QSortFilterProxyModel(self)
        self.sorted.setSourceModel(self.model)
        self.sorted.setSortRole(SORT_ROLE)
        self.choose_button = make_push_button(
            self.tr("Select &File…"), "", "file-plus", self.tr("Select a table with two columns of sentences")
        )
        self.choose_button.clicked.connect(self.choose)
        self.export_button = make_push_button(
            self.tr("E&xport…"), "", "save", self.tr("Save the table with its scores")
        )
        self.export_button.clicked.connect(self.choose_export)
        self.cancel_button = make_push_button(self.tr("&Stop"), "", "square", self.tr("Stop scoring"))
        self.cancel_button.clicked.connect(self.cancel)
        self.file = ElidedLabel(self.tr("File"), "muted", Qt.TextElideMode.ElideMiddle)
        self.progress = ProgressBar()
        self.progress.setFixedWidth(140)
        self.message = make_label(tone="muted", wrap=True, name=self.tr("State"))
        self.view = self._table()
        self._lay_out()
        set_initial_size(self, 900, 600)
        self._show(
            self.tr(
                "Select a TSV, CSV or JSON lines file, or drop it here. Kindred compares the columns sentence1 and "
                "sentence2, or else the first two columns."
            )
        )

    def _table(self) -> QTableView:
        view = QTableView()
        view.setObjectName("scored")
        view.setAccessibleName(self.tr("Scored pairs"))
        view.setModel(self.sorted)
        # In the order of the file, until a column is clicked.
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
        view.installEventFilter(self)
        return view

    def _lay_out(self) -> None:
        head = make_row(self.choose_button, (self.file, 1), self.progress, self.cancel_button, spacing=10)
        foot = make_row(self.export_button, "stretch", make_close_button(self), spacing=8)
        make_column(head, self.message, (self.view, 1), foot, parent=self, margins=(20, 16, 20, 16), spacing=10)

    # Actions

    def choose(self) -> None:
        """Ask for a table."""
        filters = file_dialogs.make_filters(self.tr("Tables"), _TABLE_PATTERNS)
        file_dialogs.choose_file(self, self.tr("Select a file with sentence pairs"), self.score, filters)

    def score(self, file: str) -> None:
        """Score the pairs of a table. The former table stays until the new scores are there."""
        self.cancel()
        self.file.setText(file)
        self._request.start(
            self._session.workspace.comparison.score_table(file, asker=str(id(self))),
            lambda scored: self._on_scored(file, scored),
            on_error=self._on_error,
            on_cancelled=self._on_cancelled,
            on_progress=self._on_progress,
        )
        self._show(self.tr("Scoring…"))

    def cancel(self) -> None:
        """Stop scoring."""
        self._request.cancel()

    def choose_export(self) -> None:
        """Ask where to save the scores."""
        formats = {"tsv": f"{self.tr('Tables')} ({_TABLE_PATTERNS})"}
        name = self.tr("{name} with scores").format(name=Path(self._shown).stem)
        file_dialogs.choose_save_file(self, self.tr("Export scored pairs"), formats, self.export_to, suggestion=name)

    def export_to(self, file: str) -> None:
        """Write the table with its scores, unless that would overwrite a document."""
        if reason := self._context.overwrite_refusal(file):
            self._show(reason)
            return
        if self.model.scored is None:
            return
        job = self._session.workspace.comparison.export_table(self.model.scored, file)

        def tell(count: int) -> None:
            self._show(self.tr("Exported {pairs} to {file}.").format(pairs=display_text.count_pairs(count), file=file))

        self._session.bridge.call(job, self, tell, on_error=self._show_error)

    # Answers

    def _on_scored(self, file: str, scored: ScoredTable) -> None:
        self._shown = file
        self.model.show(scored)
        text = self.tr("{pairs}. Click a column or press 1 to 5 to sort; press Enter to compare a pair in detail.")
        text = text.format(pairs=display_text.count_pairs(len(scored.cosines)))
        unknown = scored.known.count(False)
        if unknown:
            text += " " + self.tr("Not scored: {pairs} with a sentence in which the model recognizes no word.").format(
                pairs=display_text.count_pairs(unknown)
            )
        if scored.unknown_languages:
            note = self.tr("The model isn't trained for {languages}, so scores of such sentences say little.")
            text += " " + note.format(languages=display_text.name_languages(scored.unknown_languages))
        if not scored.table.has_header:
            text += " " + self.tr("No header found: the first row counts as a pair.")
        self._show(text)
        if scored.cosines:
            self.view.selectRow(0)
            self.view.setFocus()

    def _on_error(self, error: BaseException) -> None:
        self.file.setText(self._shown)
        self._show_error(error)

    def _on_cancelled(self) -> None:
        self.file.setText(self._shown)
        self._show(self.tr("Stopped. Showing the previous table.") if self._shown else self.tr("Stopped."))

    def _on_progress(self, progress: Progress) -> None:
        self.progress.show_progress(progress)

    def _show_error(self, error: BaseException) -> None:
        message, hint = display_text.describe_error(error)
        self._show(f"{message}. {hint}".strip())

    def _show(self, text: str) -> None:
        self.message.setText(text)
        self.message.setAccessibleDescription(text)
        self.progress.setVisible(self._request.is_running)
        self.cancel_button.setVisible(self._request.is_running)
        self.export_button.setEnabled(not self._request.is_running and self.model.rowCount() > 0)

    def _on_activated(self, index: QModelIndex) -> None:
        first, second = self.model.pair(self.sorted.mapToSource(index).row())
        self._context.navigator.compare.emit(ComparisonRequest(first, second))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Sort by a column with its number: the keyboard does not reach the header."""
        if watched is self.view and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            number = event.text()
            if len(number) == 1 and number in "12345":
                self._sort(int(number) - 1)
                return True
        return super().eventFilter(watched, event)

    def _sort(self, column: int) -> None:
        header, order = self.view.horizontalHeader(), Qt.SortOrder
        is_again = header.sortIndicatorSection() == column and header.sortIndicatorOrder() == order.AscendingOrder
        self.view.sortByColumn(column, order.DescendingOrder if is_again else order.AscendingOrder)
        self.view.scrollTo(self.view.currentIndex())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a file."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Score the file that was dropped."""
        files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if files:
            accept_as_copy(event)
            self.score(files[0])

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel scoring."""
        self.cancel()
        self._request.drop()
        super().closeEvent(event)

    def done(self, result: int) -> None:
        """Cancel scoring also when Esc closes the dialog."""
        self.cancel()
        self._request.drop()
        super().done(result)


class ScoredPairsModel(QAbstractTableModel):
    """Sentences, cosine, kind and differences of each pair."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.scored: ScoredTable | None = None

    def show(self, scored: ScoredTable | None) -> None:
        """Show a table."""
        self.beginResetModel()
        self.scored = scored
        self.endResetModel()

    def pair(self, row: int) -> tuple[str, str]:
        """Return the sentences of a row."""
        assert self.scored is not None
        table = self.scored.table
        return table.rows[row][table.left], table.rows[row][table.right]

    def rowCount(self, parent: AnyIndex = NO_INDEX) -> int:
        """Return the number of pairs."""
        return 0 if parent.isValid() or self.scored is None else len(self.scored.cosines)

    def columnCount(self, parent: AnyIndex = NO_INDEX) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else 5

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the names of the columns."""
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return (
            self.tr("First sentence"),
            self.tr("Second sentence"),
            self.tr("Cosine"),
            self.tr("Type"),
            self.tr("Differences"),
        )[section]

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text of a cell, its sort key, or a whole sentence."""
        if not index.isValid() or self.scored is None:
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole and column == COSINE:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.ToolTipRole and column in (FIRST, SECOND):
            return display_text.make_tooltip(self.pair(row)[column])
        if role == SORT_ROLE:
            return self._key(row, column)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cell(row, column)
        return None

    def _cell(self, row: int, column: int) -> str:
        assert self.scored is not None
        if column in (FIRST, SECOND):
            return " ".join(self.pair(row)[column].split())
        if column == COSINE:
            return display_text.format_decimal(self.scored.cosines[row], 4) if self.scored.known[row] else "–"
        if column == KIND:
            return pair_kind_name(self.scored.kinds[row])
        return ", ".join(badge_name(badge) for badge in self.scored.badges[row])

    def _key(self, row: int, column: int) -> Any:
        assert self.scored is not None
        if column == COSINE:
            return self.scored.cosines[row] if self.scored.known[row] else -2.0
        if column == KIND:
            return PAIR_KINDS.index(self.scored.kinds[row])
        return self._cell(row, column).casefold()
