"""Widgets that the cards of the Train pane share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QFileDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLayout,
    QLineEdit,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.gui.base.display_text import make_tooltip, translate
from desktop_app.gui.base.overwrite_guard import warn_of_overwrite
from desktop_app.gui.widgets.dialogs import make_push_button
from desktop_app.gui.widgets.labels import ElidedLabel, make_label

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from PySide6.QtGui import QDragEnterEvent, QDropEvent
    from PySide6.QtWidgets import QComboBox

FIELD_PX = 240
LABEL_PX = 128
MAX_TEXT_PX = 860
"""Cards grow no wider: lines stay readable."""

_DATA_PATTERNS = "*.tsv *.csv *.jsonl *.ndjson"


class TitledCard(QFrame):
    """A framed part of the pane with a heading."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setProperty("surface", "card")
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(18, 14, 18, 16)
        self.column.setSpacing(10)
        self.head = QHBoxLayout()
        self.head.setSpacing(8)
        heading = make_label(title, factor=1.1, weight=QFont.Weight.DemiBold)
        heading.setAccessibleName(title)
        self.heading = heading
        self.head.addWidget(heading)
        self.head.addStretch(1)
        self.column.addLayout(self.head)

    def text(self, name: str, text: str = "", tone: str = "muted") -> QLabel:
        """Return a new line of text that wraps; it is not laid out yet."""
        return make_text_line(name, text, tone)


def make_text_line(name: str, text: str = "", tone: str = "muted") -> QLabel:
    """Return a new line of text that wraps."""
    made = make_label(text, tone=tone, wrap=True)
    made.setAccessibleName(name)
    return made


class FileDropTarget:
    """A widget that takes a single file that is dropped on it: it is not imported then."""

    def take(self, path: str) -> None:
        """Choose the file at `path`."""
        raise NotImplementedError

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take a single file."""
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Choose the file."""
        event.acceptProposedAction()
        self.take(event.mimeData().urls()[0].toLocalFile())


def choose_data_file(owner: QWidget, title: str, take: Callable[[str], None]) -> None:
    """Let the person choose a file of labelled sentences."""
    dialog = QFileDialog(owner, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    labelled = translate("training", "Labelled sentences")
    dialog.setNameFilters([f"{labelled} ({_DATA_PATTERNS})", translate("training", "All files (*)")])
    dialog.fileSelected.connect(take)
    dialog.open()


class ResponsiveRow(QBoxLayout):
    """Parts side by side, or one below the other where the pane is narrow."""

    def __init__(self, *parts: QWidget | QLayout) -> None:
        super().__init__(QBoxLayout.Direction.LeftToRight)
        self.setSpacing(24)
        for part in parts:
            if isinstance(part, QWidget):
                self.addWidget(part, 1)
            else:
                self.addLayout(part)

    def set_narrow(self, is_narrow: bool) -> None:
        """Lay the parts out for a narrow pane, or a wide one."""
        ways = QBoxLayout.Direction
        self.setDirection(ways.TopToBottom if is_narrow else ways.LeftToRight)


class FileChooserRow(QWidget):
    """A button that chooses a file or folder, and its name beside it.

    Attributes:
        chosen: a file was chosen; carries its path.
    """

    chosen = Signal(str)

    def __init__(self, text: str, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.path = ""
        self.button = make_push_button(text, name, "folder-open")
        self.shown = ElidedLabel(name, "muted", Qt.TextElideMode.ElideMiddle)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(12)
        self.row.addWidget(self.button)
        self.row.addWidget(self.shown, 1)
        self.setAcceptDrops(True)

    def show_path(self, path: str) -> None:
        """Show what is chosen."""
        self.path = path
        self.shown.setText(os.path.basename(path.rstrip("/\\")) or path)
        self.shown.setToolTip(make_tooltip(path))


class LearningRateField(QLineEdit):
    """A small number such as 2e-5.

    Attributes:
        changed: another number was typed to its end; carries it.
    """

    changed = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._value = 0.0
        self.editingFinished.connect(self._take)

    @property
    def value(self) -> float:
        """The number."""
        return self._value

    def show_value(self, value: float) -> None:
        """Show another number."""
        self._value = value
        self.setText(f"{value:g}".replace("e-0", "e-"))

    def _take(self) -> None:
        try:
            value = float(self.text().replace(",", ".").strip())
        except ValueError:
            value = self._value
        if not 0 <= value <= 1:
            value = self._value
        is_new = value != self._value
        self.show_value(value)
        if is_new:
            self.changed.emit(value)


class WheelFilter(QObject):
    """Leaves the wheel to the page: scrolling must not change what the pointer happens to pass."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let no wheel through."""
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return False


class FormGrid(QGridLayout):
    """Names and fields in two columns side by side; fields keep their width."""

    def __init__(self, columns: int = 1) -> None:
        super().__init__()
        self._columns = columns
        self._rows: list[tuple[QLabel, QWidget]] = []
        self.setHorizontalSpacing(12)
        self.setVerticalSpacing(8)
        self.setColumnStretch(3 * columns, 1)

    def add_field(self, text: str, field: QWidget) -> QLabel:
        """Add a row; returns its name's label."""
        caption = make_label(text)
        caption.setAccessibleName(text.replace("&", ""))
        caption.setBuddy(field)
        field.setFixedWidth(FIELD_PX if self._columns == 1 else FIELD_PX - 24)
        self._rows.append((caption, field))
        self._place(len(self._rows) - 1, caption, field)
        return caption

    def set_columns(self, columns: int) -> None:
        """Have so many fields side by side."""
        if columns != self._columns:
            for column in range(2, 3 * max(columns, self._columns)):
                self.setColumnMinimumWidth(column, 0)
            self._columns = columns
            self.setColumnStretch(3, int(columns == 1))
            self.arrange({field for _, field in self._rows if not field.isHidden()})

    def arrange(self, used: Container[QWidget]) -> None:
        """Show the rows of some fields alone, without holes between them."""
        place = 0
        for caption, field in self._rows:
            self.removeWidget(caption)
            self.removeWidget(field)
            for each in (caption, field):
                each.setVisible(field in used)
            if field in used:
                self._place(place, caption, field)
                place += 1

    def _place(self, place: int, caption: QLabel, field: QWidget) -> None:
        row, column = divmod(place, self._columns)
        self.addWidget(caption, row, 3 * column)
        self.addWidget(field, row, 3 * column + 1)
        self.setColumnMinimumWidth(3 * column, LABEL_PX)
        if column + 1 < self._columns:
            self.setColumnMinimumWidth(3 * column + 2, 16)


def fill_choices(box: QComboBox, choices: Sequence[tuple[str, str]], current: str = "") -> None:
    """Put (text, value) choices into a box, quietly; the one of before, or `current`, stays chosen."""
    before = current or box.currentData()
    box.blockSignals(True)
    box.clear()
    for text, value in choices:
        box.addItem(text, value)
    at = box.findData(before)
    box.setCurrentIndex(max(at, 0))
    box.blockSignals(False)


def clear_layout(layout: QLayout) -> None:
    """Take everything out of a layout and delete it."""
    while item := layout.takeAt(0):
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()
        elif inner := item.layout():
            clear_layout(inner)


class ResultTable(QTableWidget):
    """A table to be read: rows of texts; as high as its rows, up to a number of them."""

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
            header: names of the columns.
            rows: of texts.
            wide: columns that take the room that is left.
            right: from this column on texts stand at the right: of numbers; 0: none.
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
        """Let long texts wrap into the new width."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._fit()

    def _fit(self) -> None:
        self.resizeRowsToContents()
        shown = min(self.rowCount(), self._most_rows)
        height = self.horizontalHeader().sizeHint().height() + sum(self.rowHeight(row) for row in range(shown)) + 4
        if height != self.height():
            self.setFixedHeight(height)


def describe_saved_file(text: str) -> str:
    """Return what is said when something was written into a file."""
    return translate("training", "Saved as {name}.").format(name=os.path.basename(text))


def choose_score_file(parent: QWidget, title: str, take: Callable[[str], object]) -> None:
    """Let a person choose the file that scores are written to; a document of the library is refused."""
    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(["JSON (*.json)", "CSV (*.csv)"])
    dialog.setDefaultSuffix("json")

    def on_chosen(file: str) -> None:
        if not warn_of_overwrite(parent, file):
            take(file)

    dialog.fileSelected.connect(on_chosen)
    dialog.open()
