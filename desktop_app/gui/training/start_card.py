"""The cards of a second stage, of the start, and of unfinished trainings."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_app.core.objectives import OBJECTIVES
from desktop_app.core.training import TrainingRequest, UnfinishedTraining
from desktop_app.core.training_settings import PRESETS, default_preset
from desktop_app.gui.training import labels
from desktop_app.gui.training.data_card import FileDropTarget, LabelledFileField
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.fields import CheckBox, ChoiceBox
from desktop_app.gui.widgets.forms import FormGrid, TitledCard, WheelFilter, clear_layout, fill_choices
from desktop_app.gui.widgets.labels import ElidedLabel
from desktop_app.gui.widgets.layouts import make_row

if TYPE_CHECKING:
    from desktop_app.core.labelled_data import DataFile, DataPreview
    from desktop_app.core.training_settings import TrainingSettings
    from desktop_app.engine.models import ModelState
    from desktop_app.gui.base.model_list import ModelsController
    from desktop_app.gui.training.controller import TrainingController

_FORBIDDEN_CHARACTERS = re.compile(r"[^\w.-]+")


class TrainingStageCard(FileDropTarget, TitledCard):
    """Takes the file and the preset of a second stage; without a file there is no second stage.

    Attributes:
        changed: another file is chosen, or its preview has arrived or failed.
        choice: the field of the file.
    """

    changed = Signal()

    def __init__(self, trainings: TrainingController, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self._guard = WheelFilter(self)
        self._shown: DataPreview | None = None
        self.choice = LabelledFileField(
            trainings,
            self.tr("Add Second Sta&ge…"),
            self.tr("Select data for a second training stage"),
            self.tr("Remove the second stage"),
        )
        self.hint = self.text(
            self.tr("About the second stage"),
            self.tr(
                "Train the model further on other data. In the Sentence-BERT paper, inference data followed by"
                " similarity scores gave the best vectors."
            ),
        )
        self.preset = ChoiceBox()
        self.preset.setAccessibleName(self.tr("Preset of the second stage"))
        self.preset.installEventFilter(self._guard)
        self.alone = CheckBox(
            self.tr("Also train this stage &alone, for comparison"),
            self.tr("Also train the second stage alone, for comparison"),
        )
        self._form = FormGrid()
        self._form.add_field(self.tr("P&reset"), self.preset)
        self.rest = QWidget()
        self.rest.setAccessibleName(self.tr("Settings of the second stage"))
        self._form.setContentsMargins(0, 0, 0, 0)
        self.rest.setLayout(self._form)
        for part in (self.choice, self.hint, self.rest, self.alone):
            self.column.addWidget(part)
        self.choice.changed.connect(self._refresh)
        self.setAcceptDrops(True)
        self._refresh()

    @property
    def file(self) -> DataFile | None:
        """The chosen file; None if there is no second stage."""
        return self.choice.file

    @property
    def missing(self) -> str:
        """The missing input of a training, as text; empty if it can start."""
        if self.file is None or self.choice.preview is not None:
            return ""
        return self.tr("The data for the second stage can't be read.")

    def settings_from(self, first: TrainingRequest) -> TrainingSettings:
        """Return the settings of the second stage: its preset, with those shared with the first stage."""
        chosen = PRESETS[self.preset.currentData()]
        # If the first stage validates on a file, its share of held back rows is not a choice of the person.
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


class TrainingStartCard(TitledCard):
    """Takes the initial model and a name, and starts the training.

    Attributes:
        model_chosen: another initial model was chosen.
    """

    model_chosen = Signal()

    def __init__(self, trainings: TrainingController, models: ModelsController, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self._trainings = trainings
        self._models = models
        self._guard = WheelFilter(self)
        self.model = ChoiceBox()
        self.model.setAccessibleName(self.tr("Base model"))
        self.model.installEventFilter(self._guard)
        self.name = QLineEdit()
        self.name.setAccessibleName(self.tr("Name of the new model"))
        self.name.setText(trainings.choose_output_folder(self.tr("my-model")).name)
        self.start = make_push_button(self.tr("&Start Training"), tone="primary")
        self.missing = self.text(self.tr("Missing input"))
        form = FormGrid()
        form.add_field(self.tr("Base mo&del"), self.model)
        form.add_field(self.tr("&Name"), self.name)
        foot = make_row(self.start, (self.missing, 1), spacing=14)
        self.column.addLayout(form)
        self.column.addLayout(foot)
        self.model.currentIndexChanged.connect(self.model_chosen)
        models.changed.connect(self._refresh)
        self._refresh()

    @property
    def state(self) -> ModelState | None:
        """The initial model."""
        listed = self._models.listed
        name = self.model.currentData()
        return next((each for each in listed.models if each.entry.name == name), None) if listed else None

    def request(self, file: DataFile, settings: TrainingSettings, validation: DataFile | None) -> TrainingRequest:
        """Return the request; `validation` are rows that choose the best epoch."""
        name = _FORBIDDEN_CHARACTERS.sub("-", self.name.text().strip()).strip("-.") or self.tr("my-model")
        output = self._trainings.choose_output_folder(name)
        state = self.state
        folder = state.entry.info.folder if state is not None else ""
        return TrainingRequest((file,), str(output), settings, folder, validation, gentle=True)

    def show_readiness(self, missing: str) -> None:
        """Enable the start, or show the missing input."""
        self.start.setEnabled(not missing and not self._trainings.is_busy)
        self.missing.setText(missing)

    def show_next_name(self) -> None:
        """Suggest an unused name."""
        self.name.setText(self._trainings.choose_output_folder(self.tr("my-model")).name)

    def _refresh(self) -> None:
        listed = self._models.listed
        if listed is None:
            return
        usable = [state for state in listed.models if not state.entry.problem and not state.entry.info.is_cross]
        active = next((state.entry.name for state in usable if state.active), "")
        before = self.model.currentData()
        names = [state.entry.name for state in usable]
        fill_choices(self.model, [(name.rpartition("/")[2], name) for name in names], before or active)
        self.model_chosen.emit()


class UnfinishedTrainingsCard(TitledCard):
    """Lists trainings that were stopped or interrupted, to resume or discard."""

    def __init__(self, trainings: TrainingController, parent: QWidget) -> None:
        super().__init__("", parent)
        self.setAccessibleName(self.tr("Unfinished training runs"))
        self.heading.setText(self.tr("Unfinished"))
        self._trainings = trainings
        self._found: list[UnfinishedTraining] = []
        trainings.unfinished_found.connect(self._show)
        trainings.changed.connect(self._refresh)
        self.hide()

    def _refresh(self) -> None:
        if self._trainings.state in ("idle", "done", "stopped", "failed"):
            self._trainings.find_unfinished()
        else:
            self._show(self._found)

    def _show(self, found: list[UnfinishedTraining]) -> None:
        self._found = found
        current_output = self._trainings.request.output if self._trainings.request is not None else ""
        others = [each for each in found if each.request.output != current_output]
        while self.column.count() > 1:
            item = self.column.takeAt(1)
            if item is not None and (inner := item.layout()) is not None:
                clear_layout(inner)
                inner.deleteLater()
        self.setVisible(bool(others) and not self._trainings.is_busy)
        for training in others:
            self._add(training)

    def _add(self, training: UnfinishedTraining) -> None:
        request = training.request
        name = Path(request.output).name
        text = ElidedLabel(self.tr("Unfinished training run"))
        stages = training.stages or (request,)
        data = ", ".join(Path(file.path).name for each in stages for file in each.data)
        text.setText(f"{name} · {labels.objective_name(request.settings.objective)} · {data}")
        going_on = make_push_button(
            self.tr("Resume"), self.tr("Resume the training of {name}").format(name=name), "play"
        )
        discard = make_push_button(
            self.tr("Discard"), self.tr("Discard the training of {name}").format(name=name), "trash-2"
        )
        going_on.clicked.connect(lambda: self._trainings.resume(training))
        discard.clicked.connect(lambda: self._trainings.discard(training))
        row = make_row((text, 1), going_on, discard, spacing=10)
        self.column.addLayout(row)
