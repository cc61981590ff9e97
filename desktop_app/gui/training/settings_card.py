"""The settings of a training: preset, objective and hyperparameters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QToolButton, QWidget

from desktop_app.core.objectives import FROM_LIBRARY, MINING, OBJECTIVES
from desktop_app.core.training_settings import (
    DISTANCES,
    HEADS,
    OPTIMIZERS,
    POOLINGS,
    PRESETS,
    TrainingSettings,
    default_preset,
    is_used,
    with_distance,
)
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.training import labels
from desktop_app.gui.training.objective_picture import ObjectivePicture
from desktop_app.gui.widgets.fields import ChoiceBox, DecimalBox, NumberBox
from desktop_app.gui.widgets.forms import FormGrid, ResponsiveRow, TitledCard, WheelFilter, fill_choices
from desktop_app.gui.widgets.layouts import make_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.labelled_data import DataFile, DataPreview
    from desktop_app.core.objectives import Objective
    from desktop_app.core.training_settings import Distance
    from desktop_app.gui.base.theme import ThemeManager

_CUSTOM_PRESET = ""  # settings that match no preset
_CONCAT_CHOICES = ("u,v,abs(u-v)", "u,v", "abs(u-v)", "u*v", "abs(u-v),u*v", "u,v,u*v", "u,v,abs(u-v),u*v")


class LearningRateField(QLineEdit):
    """A small number such as 2e-5.

    Attributes:
        changed: another number was entered; carries it.
    """

    changed = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._value = 0.0
        self.editingFinished.connect(self._read_number)

    @property
    def value(self) -> float:
        """The number."""
        return self._value

    def show_value(self, value: float) -> None:
        """Show another number."""
        self._value = value
        self.setText(f"{value:g}".replace("e-0", "e-"))

    def _read_number(self) -> None:
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


class TrainingSettingsCard(TitledCard):
    """Shows the settings of a training and lets the person change them.

    Attributes:
        settings: the current settings.
    """

    def __init__(self, themes: ThemeManager, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.settings = PRESETS["similarity"]
        self._preview: DataPreview | None = None
        self._model_pooling = ""
        self._is_shown = False
        self._is_own = False  # the person chose: other data does not change the choice while it fits
        self._guard = WheelFilter(self)
        self._fields: dict[str, QWidget] = {}
        self.preset = self._choice("", self.tr("Preset"))
        self.objective = self._choice("", self.tr("Objective"))
        self.preset.currentIndexChanged.connect(self._on_preset)
        self.objective.currentIndexChanged.connect(self._on_objective)
        self.explanation = self.text(self.tr("About the objective"))
        self.advice = self.text(self.tr("Advice on these settings"), tone="")
        self.picture = ObjectivePicture(themes)
        form = FormGrid()
        self._form, self._rest_form = form, FormGrid(columns=2)
        form.add_field(self.tr("&Preset"), self.preset)
        self._architectures(form)
        form.add_field(self.tr("&Objective"), self.objective)
        self._add(form, self.tr("P&ooling"), "pooling", [(labels.pooling_name(name), name) for name in ("", *POOLINGS)])
        self._number(form, self.tr("Epochs"), "epochs", 1, 1000)
        self._number(form, self.tr("&Batch"), "batch_size", 1, 4096)
        self._rate(form, self.tr("Learning rate"), "learning_rate")
        self._number(form, self.tr("Max length (tokens)"), "max_length", 0, 8192, zero=self.tr("Model default"))
        left = make_column(form, "stretch", spacing=10)
        right = make_column((self.picture, 0, Qt.AlignmentFlag.AlignHCenter), self.explanation, "stretch", spacing=10)
        self._sides = ResponsiveRow(left, right)
        self._sides.setStretch(1, 1)
        self.column.addLayout(self._sides)
        self.column.addWidget(self.advice)
        self.more = QToolButton()
        self.more.setCheckable(True)
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.more.setText(" " + self.tr("&More"))
        self.more.setAccessibleName(self.tr("More settings"))
        self.more.toggled.connect(self._toggle_details)
        self.column.addWidget(self.more)
        self.rest = QWidget(self)
        self.rest.setAccessibleName(self.tr("More settings"))
        self._lay_out_rest()
        self.column.addWidget(self.rest)
        self._toggle_details(False)
        self._show()

    def _architectures(self, form: FormGrid) -> None:
        names = [
            (self.tr("Two branches (siamese)"), "siamese"),
            (self.tr("Both at once (cross-encoder)"), "cross"),
        ]
        self._add(form, self.tr("&Architecture"), "architecture", names)

    def _lay_out_rest(self) -> None:
        form = self._rest_form
        form.setContentsMargins(0, 0, 0, 0)
        self.rest.setLayout(form)
        heads = {
            "linear": self.tr("Linear"),
            "mlp": self.tr("Hidden layer (MLP)"),
            "cosine": self.tr("On the cosine"),
        }
        distances = {"cosine": self.tr("Cosine"), "euclidean": self.tr("Euclidean"), "dot": self.tr("Dot product")}
        self._mining = {
            "none": self.tr("As given"),
            "semi-hard": self.tr("Semi-hard, from the batch"),
            "hard": self.tr("Hard, from the batch"),
            FROM_LIBRARY: self.tr("Hard, from the library"),
        }
        self._add(form, self.tr("Head"), "head", [(heads[name], name) for name in HEADS])
        parts = [(labels.describe_vector_features(name), name) for name in _CONCAT_CHOICES]
        self._add(form, self.tr("Head input"), "concat", parts)
        self._number(form, self.tr("Hidden units"), "hidden", 1, 8192)
        self._decimal(form, self.tr("Head dropout"), "dropout", 0, 0.95, 0.05)
        self._rate(form, self.tr("Rate of new layers"), "head_learning_rate")
        self._decimal(form, self.tr("Weight of “same”"), "class_weight", 0.01, 100, 0.5)
        self._add(form, self.tr("Distance"), "distance", [(distances[name], name) for name in DISTANCES])
        self._decimal(form, self.tr("Margin"), "margin", 0.01, 100, 0.1)
        self._decimal(form, self.tr("Temperature"), "temperature", 0.001, 10, 0.01, decimals=3)
        self._decimal(form, self.tr("Ranking weight"), "order", 0, 100, 0.05, zero=self.tr("None"))
        self._add(form, self.tr("Negatives"), "mining", [(self._mining[name], name) for name in MINING])
        self._number(form, self.tr("Projection"), "projection", 0, 8192, zero=self.tr("None"))
        lengths = [(labels.pooling_name(""), True), (self.tr("Free (not normalized)"), False)]
        self._add(form, self.tr("Vector length"), "normalize", lengths)
        self._decimal(form, self.tr("Validation split"), "validation", 0, 0.9, 0.05)
        self._number(form, self.tr("Patience (epochs)"), "patience", 0, 100, zero=self.tr("Off"))
        self._decimal(form, self.tr("Warm-up (share)"), "warmup", 0, 0.9, 0.05)
        optimizers = {"adamw": "AdamW", "adam": self.tr("Adam, constant rate")}
        self._add(form, self.tr("Optimizer"), "optimizer", [(optimizers[name], name) for name in OPTIMIZERS])
        self._decimal(form, self.tr("Weight decay"), "weight_decay", 0, 0.9, 0.01)
        self._number(form, self.tr("Batches per step"), "accumulation", 1, 1000)
        self._decimal(form, self.tr("Weight averaging (share)"), "averaging", 0, 0.95, 0.05, zero=self.tr("None"))
        self._number(form, self.tr("Runs (averaged)"), "runs", 1, 50)
        words = [(self.tr("No"), False), (self.tr("Yes (five more trainings)"), True)]
        self._add(form, self.tr("Judge by words as well"), "words", words)
        self._number(form, self.tr("Seed"), "seed", 0, 2**31 - 1)

    # Fields

    def _choice(self, setting: str, name: str) -> ChoiceBox:
        box = ChoiceBox()
        box.setAccessibleName(name)
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.installEventFilter(self._guard)
        return box

    def _add(self, form: FormGrid, text: str, setting: str, choices: Sequence[tuple[str, object]]) -> None:
        box = self._choice(setting, text.replace("&", ""))
        fill_choices(box, choices)
        box.currentIndexChanged.connect(lambda _index: self._change(setting, box.currentData()))
        form.add_field(text, box)
        self._fields[setting] = box

    def _number(self, form: FormGrid, text: str, setting: str, low: int, high: int, *, zero: str = "") -> None:
        box = NumberBox()
        box.setRange(low, high)
        box.setSpecialValueText(zero)
        self._spin(form, text, setting, box)

    def _decimal(
        self,
        form: FormGrid,
        text: str,
        setting: str,
        low: float,
        high: float,
        step: float,
        *,
        decimals: int = 2,
        zero: str = "",
    ) -> None:
        box = DecimalBox()
        box.setDecimals(decimals)
        box.setRange(low, high)
        box.setSingleStep(step)
        box.setSpecialValueText(zero)
        self._spin(form, text, setting, box)

    def _spin(self, form: FormGrid, text: str, setting: str, box: NumberBox | DecimalBox) -> None:
        name = text.replace("&", "")
        box.setAccessibleName(name)
        box.lineEdit().setAccessibleName(name)
        box.setKeyboardTracking(False)
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.installEventFilter(self._guard)
        box.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
        box.valueChanged.connect(lambda value: self._change(setting, value))
        form.add_field(text, box)
        self._fields[setting] = box

    def _rate(self, form: FormGrid, text: str, setting: str) -> None:
        field = LearningRateField()
        field.setAccessibleName(text.replace("&", ""))
        field.changed.connect(lambda value: self._change(setting, value))
        form.add_field(text, field)
        self._fields[setting] = field

    def field(self, setting: str) -> QWidget:
        """Return the field of a setting."""
        return self._fields[setting]

    # Choices

    def show_preview(self, preview: DataPreview | None, file: DataFile | None = None) -> None:
        """Adapt the settings to data: presets and objectives that cannot learn from it are not offered."""
        self._preview = preview
        fits = preview is None or preview.kind in OBJECTIVES[self.settings.objective].kinds
        if preview is not None and (not fits or not self._is_own):
            self.settings = PRESETS[default_preset(preview.kind, [file] if file is not None else [])]
        self._show()

    def show_validation_file(self, is_there: bool) -> None:
        """Disable the share of held back rows if there is a file to validate on."""
        self._fields["validation"].setEnabled(not is_there)

    def show_model_pooling(self, pooling: str) -> None:
        """Set the pooling of the initial model."""
        self._model_pooling = pooling
        self._show()

    def show_settings(self, settings: TrainingSettings) -> None:
        """Show other settings."""
        self.settings = settings
        self._show()

    def set_narrow(self, is_narrow: bool) -> None:
        """Lay out the fields for a narrow or a wide pane."""
        self._sides.set_narrow(is_narrow)
        self._rest_form.set_columns(1 if is_narrow else 2)

    def _fits(self, objective: Objective) -> bool:
        preview = self._preview
        return preview is None or preview.kind in OBJECTIVES[objective].kinds

    def _on_preset(self) -> None:
        if name := self.preset.currentData():
            self._is_own = True
            self.show_settings(PRESETS[name])

    def _on_objective(self) -> None:
        name = self.objective.currentData()
        if name != self.settings.objective:
            self._is_own = True
            self.show_settings(replace(PRESETS[OBJECTIVES[name].preset], architecture=self.settings.architecture))

    def _change(self, setting: str, value: object) -> None:
        if self._is_shown:
            self._is_own = True
            settings = with_distance(self.settings, cast("Distance", value)) if setting == "distance" else self.settings
            settings = replace(settings, **{setting: value})  # type: ignore[arg-type]
            # A cross-encoder has no negatives, so the field for their source is hidden.
            self.show_settings(replace(settings, mining="none") if settings.architecture == "cross" else settings)

    def _show(self) -> None:
        """Update every field from the settings."""
        self._is_shown = False
        settings = self.settings
        names = [name for name, each in PRESETS.items() if self._fits(each.objective)]
        own = next((name for name in names if PRESETS[name] == settings), _CUSTOM_PRESET)
        choices = [(labels.preset_name(name), name) for name in names]
        fill_choices(
            self.preset,
            choices if own else [(self.tr("Custom"), _CUSTOM_PRESET), *choices],
            own or _CUSTOM_PRESET,
        )
        if not own:
            self.preset.blockSignals(True)
            self.preset.setCurrentIndex(0)
            self.preset.blockSignals(False)
        objectives = [(labels.objective_name(name), str(name)) for name in OBJECTIVES if self._fits(name)]
        fill_choices(self.objective, objectives, settings.objective)
        is_cross = settings.architecture == "cross"
        self.objective.setEnabled(not is_cross)
        if is_used("mining", settings):
            offered = [(self._mining[name], name) for name in OBJECTIVES[settings.objective].mining]
            fill_choices(cast("ChoiceBox", self._fields["mining"]), offered, settings.mining)
        shown: set[QWidget] = {self.preset, self.objective}
        for setting, field in self._fields.items():
            _set_field_value(field, getattr(settings, setting))
            if is_used(setting, settings) and not (is_cross and setting == "dropout"):  # it has a usual one
                shown.add(field)
        for form in (self._form, self._rest_form):
            form.arrange(shown)
        self.explanation.setText(labels.explain_objective(settings))
        advice = labels.advise_on_settings(settings, self._preview, self._model_pooling)
        self.advice.setText("\n".join(advice))
        self.advice.setVisible(bool(advice))
        self.picture.show_settings(replace(settings, pooling=settings.pooling or self._model_pooling))
        self._is_shown = True

    def _toggle_details(self, is_open: bool) -> None:
        self.rest.setVisible(is_open)
        self.more.setIcon(make_icon("chevron-down" if is_open else "chevron-right"))


def _set_field_value(field: QWidget, value: object) -> None:
    field.blockSignals(True)
    if isinstance(field, ChoiceBox):
        field.setCurrentIndex(max(field.findData(value), 0))
    elif isinstance(field, NumberBox | DecimalBox):
        field.setValue(value)  # type: ignore[arg-type]
    elif isinstance(field, LearningRateField):
        field.show_value(float(str(value)))
    field.blockSignals(False)
