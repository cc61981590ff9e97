"""The card of a second training stage."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop_app.core.objectives import OBJECTIVES
from desktop_app.core.training_presets import PRESETS, default_preset
from desktop_app.gui.training import labels
from desktop_app.gui.training.cards import FileDropTarget, FormGrid, TitledCard, WheelFilter, fill_choices
from desktop_app.gui.training.file_choice import LabelledFileField
from desktop_app.gui.widgets.fields import CheckBox, ChoiceBox

if TYPE_CHECKING:
    from desktop_app.core.labelled_data import DataFile, DataPreview
    from desktop_app.core.training import TrainingRequest
    from desktop_app.core.training_settings import TrainingSettings
    from desktop_app.gui.training.controller import TrainingController


class TrainingStageCard(FileDropTarget, TitledCard):
    """Takes the file and the preset of a second stage; without a file there is none.

    Attributes:
        changed: another file is chosen, or was understood, or was not.
        choice: takes the file.
    """

    changed = Signal()

    def __init__(self, trainings: TrainingController, title: str) -> None:
        super().__init__(title)
        self._guard = WheelFilter(self)
        self._shown: DataPreview | None = None
        self.choice = LabelledFileField(
            trainings,
            self.tr("&Then Train On…"),
            self.tr("Choose what the model is trained on afterwards"),
            self.tr("Train in one stage"),
        )
        self.hint = self.text(
            self.tr("What a second stage is"),
            self.tr(
                "If you like: train the model further on other data. Inference first, then similarity scores, gave the"
                " best vectors in the Sentence-BERT paper."
            ),
        )
        self.preset = ChoiceBox()
        self.preset.setAccessibleName(self.tr("Preset of the second stage"))
        self.preset.installEventFilter(self._guard)
        self.alone = CheckBox(self.tr("Train it &alone as well, and compare"))
        self.alone.setAccessibleName(self.tr("Train the second stage alone as well, and compare"))
        self._form = FormGrid()
        self._form.add_field(self.tr("P&reset"), self.preset)
        self.rest = QWidget()
        self.rest.setAccessibleName(self.tr("How the second stage learns"))
        self._form.setContentsMargins(0, 0, 0, 0)
        self.rest.setLayout(self._form)
        for part in (self.choice, self.hint, self.rest, self.alone):
            self.column.addWidget(part)
        self.choice.changed.connect(self._refresh)
        self.setAcceptDrops(True)
        self._refresh()

    @property
    def file(self) -> DataFile | None:
        """What is chosen; None: there is no second stage."""
        return self.choice.file

    @property
    def missing(self) -> str:
        """What a training waits for; empty when it may begin."""
        if self.file is None or self.choice.preview is not None:
            return ""
        return self.tr("The second stage has no data that can be read.")

    def settings_from(self, first: TrainingRequest) -> TrainingSettings:
        """Return how the second stage learns: its preset, with what a first stage shares with it."""
        chosen = PRESETS[self.preset.currentData()]
        # Where the first stage has rows of their own to validate on, nobody chose the share.
        share = first.settings.validation if first.validation_file is None else chosen.validation
        return replace(chosen, architecture=first.settings.architecture, validation=share, seed=first.settings.seed)

    def take(self, path: str) -> None:
        """Choose the file at `path`."""
        self.choice.take(path)

    def _refresh(self) -> None:
        found = self.choice.preview
        if found is not None and found != self._shown:
            fitting = [name for name, each in PRESETS.items() if found.kind in OBJECTIVES[each.objective].kinds]
            usual = default_preset(found.kind, [self.file] if self.file is not None else [])
            fill_choices(self.preset, [(labels.preset_name(name), name) for name in fitting], usual)
        self._shown = found
        self.hint.setVisible(self.file is None)
        self.rest.setVisible(found is not None)
        self.alone.setVisible(found is not None)
        self.changed.emit()
