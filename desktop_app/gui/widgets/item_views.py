"""Helpers for lists and tables, and a table of texts that is as high as its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QLineEdit, QTableWidget, QTableWidgetItem

from desktop_app.gui.base.display_text import make_tooltip

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from PySide6.QtWidgets import QAbstractScrollArea

AnyIndex = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()


def reserve_scroll_bar(view: QAbstractScrollArea) -> None:
    """Reserve room for a vertical scroll bar, so that lines keep their width; it is invisible if everything fits."""
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    bar = view.verticalScrollBar()
    bar.rangeChanged.connect(lambda least, most: bar.setEnabled(most > least))
    bar.setEnabled(bar.maximum() > bar.minimum())


def edit_row_in_place(view: QAbstractItemView, index: QModelIndex) -> None:
    """Edit a row of a view, unless one is being edited or the row is read-only."""
    if view.state() != view.State.EditingState and index.flags() & Qt.ItemFlag.ItemIsEditable:
        view.edit(index)


class RowDraft:
    """Carries a text that is being typed into a row over a reset of the model, at which Qt closes the field.

    Args:
        view: its rows are edited in a QLineEdit.
    """

    def __init__(self, view: QAbstractItemView) -> None:
        self._view = view
        self._row: Hashable = None
        self._text = ""
        self._cursor = 0

    def save(self, row: Hashable) -> None:
        """Remember what is typed in the current row, which `row` identifies; call it before the reset."""
        self._row = None
        field = self._view.indexWidget(self._view.currentIndex())
        if isinstance(field, QLineEdit) and row is not None:
            self._row, self._text, self._cursor = row, field.text(), field.cursorPosition()

    def reopen(self, find_index: Callable[[Any], QModelIndex]) -> None:
        """Open the field again with its text and cursor, unless the row is gone.

        Args:
            find_index: returns the new index of a row, invalid for one that is gone.
        """
        row, self._row = self._row, None
        if row is None or not (index := find_index(row)).isValid():
            return
        edit_row_in_place(self._view, index)
        field = self._view.indexWidget(index)
        if isinstance(field, QLineEdit):
            field.setText(self._text)
            field.setCursorPosition(self._cursor)


class ResultTable(QTableWidget):
    """A read-only table of texts, as high as its rows up to a number of them."""

    def __init__(self, name: str, most_rows: int = 8) -> None:
        super().__init__()
        self._most_rows = most_rows
        self.setObjectName("plain")
        self.setAccessibleName(name)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setAlternatingRowColors(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setAccessibleName(name)
        self.horizontalHeader().setAccessibleName(name)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFrameShape(QFrame.Shape.NoFrame)

    def show_rows(
        self, header: Sequence[str], rows: Sequence[Sequence[str]], *, wide: Sequence[int] = (0,), right: int = 0
    ) -> None:
        """Show rows of texts.

        Args:
            header: the names of the columns.
            rows: the texts of each row.
            wide: the columns that take the remaining width.
            right: the first of the right-aligned columns, for numbers; 0 for none.
        """
        self.clear()
        self.setColumnCount(len(header))
        self.setRowCount(len(rows))
        self.setHorizontalHeaderLabels(list(header))
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setToolTip(make_tooltip(text) if len(text) > 60 else "")
                is_right = bool(right) and column >= right
                side = Qt.AlignmentFlag.AlignRight if is_right else Qt.AlignmentFlag.AlignLeft
                item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
                self.setItem(row, column, item)
        for column in range(len(header)):
            stretch = QHeaderView.ResizeMode.Stretch if column in wide else QHeaderView.ResizeMode.ResizeToContents
            self.horizontalHeader().setSectionResizeMode(column, stretch)
            title = self.horizontalHeaderItem(column)
            if right and column >= right and title is not None:
                title.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._fit()

    def resizeEvent(self, event: object) -> None:
        """Wrap long texts at the new width."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._fit()

    def _fit(self) -> None:
        self.resizeRowsToContents()
        shown = min(self.rowCount(), self._most_rows)
        height = self.horizontalHeader().sizeHint().height() + sum(self.rowHeight(row) for row in range(shown)) + 4
        if height != self.height():
            self.setFixedHeight(height)
