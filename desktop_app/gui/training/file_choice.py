"""Chooses a file of labelled sentences, and how it is read where its header does not say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QToolButton, QVBoxLayout, QWidget

from desktop_app.core.errors import AppError
from desktop_app.core.labelled_data import PAIR_LABELS, DataFile, DataPreview
from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.training import labels
from desktop_app.gui.training.cards import FileChooserRow, FileDropTarget, FormGrid, choose_data_file, make_text_line
from desktop_app.gui.widgets.dialogs import make_push_button
from desktop_app.gui.widgets.labels import make_icon_button

if TYPE_CHECKING:
    from desktop_app.gui.training.controller import TrainingController

_SCORE_RANGE = re.compile(r"\s*(-?[\d.]+)\s*(?:–|-|to|bis|;|,|\s)\s*(-?[\d.]+)\s*")


class LabelledFileField(FileDropTarget, QWidget):
    """Takes a file, says what was understood of it, and lets it go again.

    Args:
        trainings: which look at the file.
        button: what chooses it.
        name: what is chosen, in a sentence.
        removal: what it means to have none.

    Attributes:
        changed: another file is chosen, or was understood, or was not.
        file: what is chosen; None: nothing is.
        preview: what was understood of it; None before, or where it was not.
    """

    changed = Signal()

    def __init__(self, trainings: TrainingController, button: str, name: str, removal: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._trainings = trainings
        self.file: DataFile | None = None
        self.preview: DataPreview | None = None
        self.row = FileChooserRow(button, name)
        self._marks = 0
        self.marks = make_push_button(
            self.tr("My Marks"), self.tr("Take what you said of pairs and of hits"), "list-checks"
        )
        self.marks.clicked.connect(self.use_pair_labels)
        self.row.row.insertWidget(1, self.marks)
        self.remove = make_icon_button("x", removal)
        self.remove.clicked.connect(self.clear)
        self.row.row.addWidget(self.remove)
        self.understood = make_text_line(self.tr("What was understood of this file"), tone="")
        self.problem = make_text_line(self.tr("What is wrong with this file"), tone="bad")
        self.reading = DataFormatFields()
        self.reading.changed.connect(self._read_anew)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        for part in (self.row, self.understood, self.problem, self.reading):
            column.addWidget(part)
        self.row.button.clicked.connect(lambda: choose_data_file(self, name, self.take))
        trainings.preview_ready.connect(self._on_previewed)
        trainings.counted.connect(self._on_counted)
        self.setAcceptDrops(True)
        self._refresh()

    def take(self, path: str) -> None:
        """Choose the file at `path`."""
        self.reading.forget()
        self._preview_file(DataFile(path))

    def use_pair_labels(self) -> None:
        """Choose what the person has said of pairs, and of hits."""
        self.reading.forget()
        self._preview_file(DataFile(PAIR_LABELS))

    def _on_counted(self, marks: int) -> None:
        self._marks = marks
        self._refresh()

    def clear(self) -> None:
        """Have none."""
        self.file, self.preview = None, None
        self.row.show_path("")
        self.problem.setText("")
        self._refresh()
        self.changed.emit()
        self.row.button.setFocus()

    def _read_anew(self) -> None:
        if self.file is not None:
            self._preview_file(DataFile(self.file.path, self.reading.columns, self.reading.score_range))

    def _preview_file(self, file: DataFile) -> None:
        self.file, self.preview = file, None
        self.row.show_path("" if file.path == PAIR_LABELS else file.path)
        if file.path == PAIR_LABELS:
            self.row.shown.setText(self.tr("what you said of pairs and of hits"))
        self.problem.setText("")
        self.understood.setText(self.tr("Looking at it…"))
        self._trainings.preview(file)
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        self.remove.setVisible(self.file is not None)
        self.reading.setVisible(self.file is not None and self.file.path != PAIR_LABELS)
        self.marks.setVisible(self._marks > 0 and self.file is None)
        self.understood.setVisible(self.file is not None and not self.problem.text())
        self.problem.setVisible(bool(self.problem.text()))

    def _on_previewed(self, file: DataFile, found: object) -> None:
        if file != self.file:
            return
        if isinstance(found, DataPreview):
            self.preview = found
            self.understood.setText(labels.describe_rows(found.kind, found.rows))
        elif isinstance(found, AppError):
            self.problem.setText(display_text.describe_error_in_sentences(found))
            self.reading.unfold.setChecked(True)
        self._refresh()
        self.changed.emit()


class DataFormatFields(QWidget):
    """Takes columns and a range of scores; folded away as long as nobody needs them.

    Attributes:
        changed: they are others.
        columns: to use, by name or number, in order; empty: by the header.
        score_range: lowest and highest score; None: by the largest.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("How the file is read"))
        self.columns: tuple[str, ...] = ()
        self.score_range: tuple[float, float] | None = None
        self.unfold = QToolButton()
        self.unfold.setCheckable(True)
        self.unfold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.unfold.setText(" " + self.tr("How the file is read"))
        self.unfold.setAccessibleName(self.tr("Say how the file is read"))
        self.names = QLineEdit()
        self.names.setAccessibleName(self.tr("Columns to use"))
        self.names.setPlaceholderText(self.tr("e.g. left, right, score or 1, 2, 4"))
        self.range = QLineEdit()
        self.range.setAccessibleName(self.tr("Lowest and highest score"))
        self.range.setPlaceholderText(self.tr("e.g. 1 to 5"))
        self._fields = QWidget()
        self._fields.setAccessibleName(self.tr("How the file is read"))
        form = FormGrid()
        form.setContentsMargins(0, 0, 0, 0)
        form.add_field(self.tr("Columns"), self.names)
        form.add_field(self.tr("Scores"), self.range)
        self._fields.setLayout(form)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.unfold, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._fields)
        self.unfold.toggled.connect(self._on_unfolded)
        self.names.editingFinished.connect(self._take)
        self.range.editingFinished.connect(self._take)
        self._on_unfolded(False)

    def forget(self) -> None:
        """Have another file read as its header says."""
        self.columns, self.score_range = (), None
        self._show()
        self.unfold.setChecked(False)

    def _take(self) -> None:
        columns = tuple(name.strip() for name in self.names.text().split(",") if name.strip())
        score_range = self.score_range if self.range.text().strip() else None
        if found := _SCORE_RANGE.fullmatch(self.range.text()):
            try:
                low, high = float(found[1]), float(found[2])
                score_range = (low, high) if low < high else score_range
            except ValueError:
                pass  # two dots in a number: what was there stays
        is_new = (columns, score_range) != (self.columns, self.score_range)
        self.columns, self.score_range = columns, score_range
        self._show()
        if is_new:
            self.changed.emit()

    def _show(self) -> None:
        self.names.setText(", ".join(self.columns))
        self.range.setText("" if self.score_range is None else "{:g} – {:g}".format(*self.score_range))

    def _on_unfolded(self, is_open: bool) -> None:
        self._fields.setVisible(is_open)
        self.unfold.setIcon(make_icon("chevron-down" if is_open else "chevron-right"))
