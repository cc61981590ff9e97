"""A file of labelled sentences beside the training data: of a second stage, or to validate on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.core.errors import AppError
from desktop_app.core.labelled_data import MARKS, DataFile, DataPreview
from desktop_app.gui import words
from desktop_app.gui.dialogs.buttons import push_button
from desktop_app.gui.training import explaining
from desktop_app.gui.training.parts import FileRow, TakesFile, choose_data, line_of_text
from desktop_app.gui.training.reading_fields import ReadingFields
from desktop_app.gui.widgets import icon_button

if TYPE_CHECKING:
    from desktop_app.gui.training.runs import Trainings


class FileChoice(TakesFile, QWidget):
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

    def __init__(self, trainings: Trainings, button: str, name: str, removal: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._trainings = trainings
        self.file: DataFile | None = None
        self.preview: DataPreview | None = None
        self.row = FileRow(button, name)
        self._marks = 0
        self.marks = push_button(self.tr("My Marks"), self.tr("Take what you said of pairs and of hits"), "list-checks")
        self.marks.clicked.connect(self.take_marks)
        self.row.row.insertWidget(1, self.marks)
        self.remove = icon_button("x", removal)
        self.remove.clicked.connect(self.clear)
        self.row.row.addWidget(self.remove)
        self.understood = line_of_text(self.tr("What was understood of this file"), tone="")
        self.problem = line_of_text(self.tr("What is wrong with this file"), tone="bad")
        self.reading = ReadingFields()
        self.reading.changed.connect(self._read_anew)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        for part in (self.row, self.understood, self.problem, self.reading):
            column.addWidget(part)
        self.row.button.clicked.connect(lambda: choose_data(self, name, self.take))
        trainings.previewed.connect(self._on_previewed)
        trainings.counted.connect(self._on_counted)
        self.setAcceptDrops(True)
        self._refresh()

    def take(self, path: str) -> None:
        """Choose the file at `path`."""
        self.reading.forget()
        self._look_at(DataFile(path))

    def take_marks(self) -> None:
        """Choose what the person has said of pairs, and of hits."""
        self.reading.forget()
        self._look_at(DataFile(MARKS))

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
            self._look_at(DataFile(self.file.path, self.reading.columns, self.reading.score_range))

    def _look_at(self, file: DataFile) -> None:
        self.file, self.preview = file, None
        self.row.show_path("" if file.path == MARKS else file.path)
        if file.path == MARKS:
            self.row.shown.setText(self.tr("what you said of pairs and of hits"))
        self.problem.setText("")
        self.understood.setText(self.tr("Looking at it…"))
        self._trainings.preview(file)
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        self.remove.setVisible(self.file is not None)
        self.reading.setVisible(self.file is not None and self.file.path != MARKS)
        self.marks.setVisible(self._marks > 0 and self.file is None)
        self.understood.setVisible(self.file is not None and not self.problem.text())
        self.problem.setVisible(bool(self.problem.text()))

    def _on_previewed(self, file: DataFile, found: object) -> None:
        if file != self.file:
            return
        if isinstance(found, DataPreview):
            self.preview = found
            self.understood.setText(explaining.kind(found.kind, found.rows))
        elif isinstance(found, AppError):
            self.problem.setText(words.error_in_full(found))
            self.reading.unfold.setChecked(True)
        self._refresh()
        self.changed.emit()
