"""The card that starts a training, or resumes one that was stopped."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit

from desktop_app.core.errors import AppError
from desktop_app.core.training import TrainingRequest, UnfinishedTraining
from desktop_app.gui.base import display_text
from desktop_app.gui.training import labels
from desktop_app.gui.training.cards import FormGrid, TitledCard, WheelFilter, clear_layout, fill_choices
from desktop_app.gui.widgets.dialogs import make_push_button
from desktop_app.gui.widgets.fields import ChoiceBox
from desktop_app.gui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from desktop_app.core.labelled_data import DataFile
    from desktop_app.core.training_settings import TrainingSettings
    from desktop_app.engine.models import ModelState
    from desktop_app.gui.base.model_list import ModelsController
    from desktop_app.gui.training.controller import TrainingController

_FORBIDDEN_CHARACTERS = re.compile(r"[^\w.-]+")


class TrainingStartCard(TitledCard):
    """Takes a name and begins.

    Attributes:
        model_chosen: another model is begun with.
    """

    model_chosen = Signal()

    def __init__(self, trainings: TrainingController, models: ModelsController, title: str) -> None:
        super().__init__(title)
        self._trainings = trainings
        self._models = models
        self._guard = WheelFilter(self)
        self.model = ChoiceBox()
        self.model.setAccessibleName(self.tr("Model to begin with"))
        self.model.installEventFilter(self._guard)
        self.name = QLineEdit()
        self.name.setAccessibleName(self.tr("Name of the new model"))
        self.name.setText(trainings.choose_output_folder(self.tr("my-model")).name)
        self.start = make_push_button(self.tr("&Start Training"))
        self.start.setProperty("tone", "primary")
        self.missing = self.text(self.tr("What is missing"))
        form = FormGrid()
        form.add_field(self.tr("Begin &with"), self.model)
        form.add_field(self.tr("&Name"), self.name)
        foot = QHBoxLayout()
        foot.setSpacing(14)
        foot.addWidget(self.start)
        foot.addWidget(self.missing, 1)
        self.column.addLayout(form)
        self.column.addLayout(foot)
        self.model.currentIndexChanged.connect(self.model_chosen)
        models.changed.connect(self._refresh)
        self._refresh()

    @property
    def state(self) -> ModelState | None:
        """The model that is begun with."""
        listed = self._models.listed
        name = self.model.currentData()
        return next((each for each in listed.models if each.entry.name == name), None) if listed else None

    def request(self, file: DataFile, settings: TrainingSettings, validation: DataFile | None) -> TrainingRequest:
        """Return what is to be done; `validation` are rows to choose the best epoch by."""
        name = _FORBIDDEN_CHARACTERS.sub("-", self.name.text().strip()).strip("-.") or self.tr("my-model")
        output = self._trainings.choose_output_folder(name)
        state = self.state
        folder = state.entry.info.folder if state is not None else ""
        return TrainingRequest((file,), str(output), settings, folder, validation, gentle=True)

    def show_readiness(self, missing: str) -> None:
        """Say what is missing, or let it begin."""
        self.start.setEnabled(not missing and not self._trainings.is_busy)
        self.missing.setText(missing)

    def show_next_name(self) -> None:
        """Offer a name that is free."""
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
    """Lists trainings that were stopped or broken off, to be taken up or thrown away."""

    def __init__(self, trainings: TrainingController) -> None:
        super().__init__("")
        self.setAccessibleName(self.tr("Unfinished trainings"))
        self.heading.setText(self.tr("Unfinished"))
        self._trainings = trainings
        self._found: list[UnfinishedTraining] = []
        trainings.found.connect(self._show)
        trainings.changed.connect(self._refresh)
        self.hide()

    def _refresh(self) -> None:
        if self._trainings.state in ("idle", "done", "stopped", "failed"):
            self._trainings.find_unfinished()
        else:
            self._show(self._found)

    def _show(self, found: list[UnfinishedTraining]) -> None:
        self._found = found
        at_hand = self._trainings.request.output if self._trainings.request is not None else ""
        others = [each for each in found if each.request.output != at_hand]
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
        text = ElidedLabel(self.tr("Unfinished training"))
        stages = training.stages or (request,)
        data = ", ".join(Path(file.path).name for each in stages for file in each.data)
        text.setText(f"{name} · {labels.objective_name(request.settings.objective)} · {data}")
        going_on = make_push_button(
            self.tr("Go On"), self.tr("Go on with the training of {name}").format(name=name), "play"
        )
        discard = make_push_button(
            self.tr("Discard"), self.tr("Discard the training of {name}").format(name=name), "trash-2"
        )
        going_on.clicked.connect(lambda: self._trainings.take_up(training))
        discard.clicked.connect(lambda: self._trainings.discard(training))
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(text, 1)
        row.addWidget(going_on)
        row.addWidget(discard)
        self.column.addLayout(row)


def format_error_line(error: BaseException) -> str:
    """Return an error in one line."""
    if isinstance(error, AppError):
        return display_text.describe_error_in_sentences(error)
    return str(error)
