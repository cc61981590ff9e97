"""The card of a second stage: what the model is trained on after the first, such as similarity after inference."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_app.core.errors import AppError
from desktop_app.core.labelled_data import DataFile, DataPreview
from desktop_app.core.presets import PRESET_OF_OBJECTIVE, PRESETS
from desktop_app.core.training_settings import KINDS_OF_OBJECTIVE, OBJECTIVE_OF_KIND, TrainingSettings
from desktop_app.gui import words
from desktop_app.gui.fields import ChoiceBox, TickBox
from desktop_app.gui.training import explaining
from desktop_app.gui.training.data_card import PATTERNS
from desktop_app.gui.training.parts import Card, FileRow, Form, WheelGuard, fill
from desktop_app.gui.widgets import icon_button

if TYPE_CHECKING:
    from PySide6.QtGui import QDragEnterEvent, QDropEvent

    from desktop_app.gui.training.runs import Trainings


class StageCard(Card):
    """Takes the file and the preset of a second stage; without a file there is none.

    Attributes:
        changed: another file is chosen, or was understood, or was not.
        file: what is chosen; None: there is no second stage.
        preview: what was understood of it; None before, or where it was not.
    """

    changed = Signal()

    def __init__(self, trainings: Trainings, title: str) -> None:
        super().__init__(title)
        self._trainings = trainings
        self._guard = WheelGuard(self)
        self.file: DataFile | None = None
        self.preview: DataPreview | None = None
        self.row = FileRow(self.tr("&Then Train On…"), self.tr("Choose what the model is trained on afterwards"))
        self.remove = icon_button("x", self.tr("Train in one stage"))
        self.remove.clicked.connect(self.clear)
        self.row.row.addWidget(self.remove)
        self.hint = self.text(
            self.tr("What a second stage is"),
            self.tr(
                "If you like: train the model further on other data. Inference first, then similarity scores, gave the"
                " best vectors in the Sentence-BERT paper."
            ),
        )
        self.understood = self.text(self.tr("What was understood of the second stage"), tone="")
        self.problem = self.text(self.tr("What is wrong with the file of the second stage"), tone="bad")
        self.preset = ChoiceBox()
        self.preset.setAccessibleName(self.tr("Preset of the second stage"))
        self.preset.installEventFilter(self._guard)
        self.alone = TickBox(self.tr("Train it &alone as well, and compare"))
        self.alone.setAccessibleName(self.tr("Train the second stage alone as well, and compare"))
        self._form = Form()
        self._form.add_field(self.tr("P&reset"), self.preset)
        self.rest = QWidget()
        self.rest.setAccessibleName(self.tr("How the second stage learns"))
        self._form.setContentsMargins(0, 0, 0, 0)
        self.rest.setLayout(self._form)
        for part in (self.row, self.hint, self.understood, self.problem, self.rest, self.alone):
            self.column.addWidget(part)
        self.row.button.clicked.connect(self._choose)
        trainings.previewed.connect(self._on_previewed)
        self.setAcceptDrops(True)
        self._refresh()

    @property
    def missing(self) -> str:
        """What a training waits for; empty when it may begin."""
        if self.file is None or self.preview is not None:
            return ""
        return self.tr("The second stage has no data that can be read.")

    def settings_after(self, first: TrainingSettings) -> TrainingSettings:
        """Return how the second stage learns: its preset, with what a first stage shares with it."""
        chosen = PRESETS[self.preset.currentData()]
        return replace(chosen, architecture=first.architecture, validation=first.validation, seed=first.seed)

    def take(self, path: str) -> None:
        """Choose the file at `path`."""
        self.file, self.preview = DataFile(path), None
        self.row.show_path(path)
        self.problem.hide()
        self._trainings.preview(self.file)
        self._refresh()
        self.changed.emit()

    def clear(self) -> None:
        """Have no second stage."""
        self.file, self.preview = None, None
        self.row.show_path("")
        self.problem.setText("")
        self._refresh()
        self.changed.emit()
        self.row.button.setFocus()

    def _refresh(self) -> None:
        self.remove.setVisible(self.file is not None)
        self.hint.setVisible(self.file is None)
        self.understood.setVisible(self.file is not None and not self.problem.text())
        if self.preview is None:
            self.understood.setText(self.tr("Looking at it…"))
        self.problem.setVisible(bool(self.problem.text()))
        self.rest.setVisible(self.preview is not None)
        self.alone.setVisible(self.preview is not None)

    def _on_previewed(self, file: DataFile, found: object) -> None:
        if file != self.file:
            return
        self.problem.setText("")
        if isinstance(found, DataPreview):
            self.preview = found
            self.understood.setText(explaining.kind(found.kind, found.rows))
            fitting = [name for name, each in PRESETS.items() if found.kind in KINDS_OF_OBJECTIVE[each.objective]]
            usual = PRESET_OF_OBJECTIVE[OBJECTIVE_OF_KIND[found.kind]]
            fill(self.preset, [(explaining.preset(name), name) for name in fitting], usual)
        elif isinstance(found, AppError):
            message, hint = words.error(found)
            self.problem.setText(f"{message[:1].upper()}{message[1:]}. {hint}".strip())
        self._refresh()
        self.changed.emit()

    def _choose(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose what the model is trained on afterwards"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Labelled sentences") + f" ({PATTERNS})", self.tr("All files (*)")])
        dialog.fileSelected.connect(self.take)
        dialog.open()

    # A file that is dropped here is not imported.

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take a single file."""
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Choose the file."""
        event.acceptProposedAction()
        self.take(event.mimeData().urls()[0].toLocalFile())
