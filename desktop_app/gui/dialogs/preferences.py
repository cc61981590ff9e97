"""What a person can choose. Every choice is kept at once; the dialog says which of them wait for the next start."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLocale, QObject, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.settings import DEVICES, LANGUAGES, PRECISIONS, SYSTEM_LANGUAGE, THEMES
from desktop_app.gui import words
from desktop_app.gui.dialogs.buttons import close_button, push_button
from desktop_app.gui.fields import ChoiceBox, DecimalBox, NumberBox
from desktop_app.gui.widgets import ElidedLabel, label

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.paths import Paths
    from desktop_app.core.settings import Settings
    from desktop_app.engine.requests import Status

_LABEL_PX = 150
_FIELD_PX = 210
_MODEL_FILE = "config.json"  # every model folder of transformers has one
_MB = (200, 64_000)
_SILENCE_S = (1.0, 600.0)
_UNDO_S = (1.0, 600.0)


class PreferencesDialog(QDialog):
    """Shows the settings in sections.

    Attributes:
        changed: a choice was made; carries a dict of settings by name.
        open_library: another library is to be chosen.
        new_library: a new library is to be made.
        default_wanted: the default library is to be opened.
        restart: the program is to start anew.
        models: the models are to be shown.
    """

    changed = Signal(object)
    open_library = Signal()
    new_library = Signal()
    default_wanted = Signal()
    restart = Signal()
    models = Signal()

    def __init__(
        self, settings: Settings, started: Settings, paths: Paths, status: Status | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._started = started
        self._paths = paths
        self._status = status
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Preferences"))
        self.setAccessibleName(self.windowTitle())
        self._page = QVBoxLayout()
        self._page.setContentsMargins(24, 18, 24, 18)
        self._page.setSpacing(8)
        self._add_appearance()
        self._add_library()
        self._add_model()
        self._add_computing()
        self._add_reading()
        self._add_removing()
        self._page.addStretch(1)
        sheet = QWidget()
        sheet.setAccessibleName(self.tr("Preferences"))
        sheet.setLayout(self._page)
        area = QScrollArea()
        area.setAccessibleName(self.tr("Preferences"))
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields scroll it as Tab goes through them
        area.setWidget(sheet)
        self.pending = label(tone="muted", wrap=True)
        self.pending.setAccessibleName(self.tr("What waits for the next start"))
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 12, 20, 14)
        foot.setSpacing(16)
        foot.addWidget(self.pending, 1)
        self._can_restart = False
        self.restart_button = push_button(self.tr("Start again now"))
        self.restart_button.clicked.connect(self.restart)
        foot.addWidget(self.restart_button, 0, Qt.AlignmentFlag.AlignBottom)
        foot.addWidget(close_button(self), 0, Qt.AlignmentFlag.AlignBottom)
        line = QFrame()
        line.setProperty("surface", "notice")
        line.setAccessibleName(self.tr("Buttons"))
        line.setLayout(foot)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(area, 1)
        column.addWidget(line)
        self.resize(640, 720)
        self.show_settings(settings)
        self.theme.setFocus()

    # Sections

    def _add_appearance(self) -> None:
        self._heading(self.tr("Appearance"))
        names = {"system": self.tr("As the system"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        self.theme = self._combo("theme", THEMES, names, self.tr("Theme"))
        self._row(self.tr("&Theme"), self.theme)
        # Each language under its own name: who does not read this one finds it.
        names = {each: QLocale(each).nativeLanguageName() for each in LANGUAGES}
        names |= {SYSTEM_LANGUAGE: self.tr("As the system"), "en": "English"}
        self.language = self._combo("language", LANGUAGES, names, self.tr("Language"))
        self._row(self.tr("&Language"), self.language)

    def _add_library(self) -> None:
        self._heading(self.tr("Library"))
        self.library = ElidedLabel(self.tr("Folder of the library"), mode=Qt.TextElideMode.ElideMiddle)
        self._row(self.tr("Folder"), self.library, wide=True)
        opening = push_button(self.tr("&Open another…"), self.tr("Open another library"))
        opening.clicked.connect(self.open_library)
        making = push_button(self.tr("&New…"), self.tr("New library"))
        making.clicked.connect(self.new_library)
        self.default_library = push_button(self.tr("Use the &default"), self.tr("Use the default library"))
        self.default_library.clicked.connect(self.default_wanted)
        self._row("", _side_by_side(opening, making, self.default_library), wide=True)
        self.data = ElidedLabel(self.tr("Data folder"), mode=Qt.TextElideMode.ElideMiddle)
        self._row(self.tr("Data folder"), self.data, wide=True)
        moving = push_button(self.tr("&Choose…"), self.tr("Choose the data folder"))
        moving.clicked.connect(lambda: self._ask_folder(self.tr("Choose the data folder"), self.take_data))
        self.default_data = push_button(self.tr("Use the def&ault"), self.tr("Use the default data folder"))
        self.default_data.clicked.connect(lambda: self._change(data_folder=""))
        self._row("", _side_by_side(moving, self.default_data), wide=True)
        self._caption(
            self.tr(
                "The default library and the models lie in the data folder. "
                "What lies in the one that is used now stays there."
            )
        )

    def _add_model(self) -> None:
        self._heading(self.tr("Model"))
        self.model = ElidedLabel(self.tr("Model for new libraries"), mode=Qt.TextElideMode.ElideMiddle)
        self._row(self.tr("For new libraries"), self.model, wide=True)
        choosing = push_button(self.tr("Choose a &folder…"), self.tr("Choose the folder of a model"))
        choosing.clicked.connect(lambda: self._ask_folder(self.tr("Choose the folder of a model"), self.take_model))
        self.bundled = push_button(self.tr("Use the &bundled one"), self.tr("Use the bundled model"))
        self.bundled.clicked.connect(lambda: self._change(model=""))
        others = push_button(self.tr("&Models…"), self.tr("Models: bring in, switch, remove"))
        others.clicked.connect(self.models)
        self._row("", _side_by_side(choosing, self.bundled, others), wide=True)
        self.model_problem = label(tone="bad", wrap=True)
        self.model_problem.setAccessibleName(self.tr("Why this folder cannot be used"))
        self.model_problem.setContentsMargins(_LABEL_PX + 12, 0, 0, 0)
        self._page.addWidget(self.model_problem)
        own = self._status.library.model if self._status is not None else None
        text = self.tr("A model turns sentences into vectors. A library keeps its own until it is switched.")
        if own is not None:
            text += " " + self.tr("The library that is open keeps {name}.").format(name=own.name)
        self._caption(text)

    def _add_computing(self) -> None:
        self._heading(self.tr("Computing"))
        # Each system has its own kinds of graphics processors; what was chosen elsewhere stays to be seen.
        foreign = "cuda" if sys.platform == "darwin" else "mps"
        devices = [device for device in DEVICES if device != foreign or self._settings.device == foreign]
        names = {
            "auto": self.tr("Automatic"),
            "cpu": self.tr("Processor (CPU)"),
            "cuda": self.tr("NVIDIA graphics (CUDA)"),
            "mps": self.tr("Apple graphics (MPS)"),
        }
        self.device = self._combo("device", devices, names, self.tr("Device"))
        self._row(self.tr("D&evice"), self.device)
        names = {
            "auto": self.tr("Automatic"),
            "fp32": self.tr("32 bits (fp32)"),
            "bf16": self.tr("16 bits (bf16)"),
            "fp16": self.tr("16 bits (fp16)"),
        }
        self.precision = self._combo("precision", PRECISIONS, names, self.tr("Precision"))
        self._row(self.tr("&Precision"), self.precision)
        self.threads = NumberBox()
        self.threads.setRange(0, max(os.cpu_count() or 1, self._settings.threads))
        self.threads.setSpecialValueText(self.tr("Automatic"))
        self._spin("threads", self.threads, self.tr("Threads"))
        self._row(self.tr("T&hreads"), self.threads)
        text = self.tr("These apply at the next start.")
        now = self._status.device if self._status is not None else None
        if now is not None:
            threads = self.tr("%Ln threads", "", now.threads)
            text += " " + self.tr("At work now, with {threads}: {device}.").format(
                device=words.device(now), threads=threads
            )
        self._caption(text)

    def _add_reading(self) -> None:
        self._heading(self.tr("Reading documents"))
        self.silence = _seconds(_SILENCE_S, self._settings.reader_timeout_s)
        self._spin("reader_timeout_s", self.silence, self.tr("Longest silence of a reader"))
        self._row(self.tr("Longest &silence"), self.silence)
        self.memory = NumberBox()
        low, high = _with(_MB, self._settings.reader_memory_mb)
        self.memory.setRange(round(low), round(high))
        self.memory.setSingleStep(100)
        self.memory.setGroupSeparatorShown(True)
        self.memory.setSuffix(self.tr(" MB"))
        self._spin("reader_memory_mb", self.memory, self.tr("Most memory of a reader"))
        self._row(self.tr("Most &memory"), self.memory)
        self._caption(
            self.tr(
                "A document is given up when reading it brings nothing new for so long, or needs more memory. "
                "Applies at the next start."
            )
        )

    def _add_removing(self) -> None:
        self._heading(self.tr("Removing documents"))
        self.undo = _seconds(_UNDO_S, self._settings.undo_s)
        self._spin("undo_s", self.undo, self.tr("Time for undoing"))
        self._row(self.tr("Time for &undoing"), self.undo)
        self._caption(self.tr("After that, what was removed is erased from the library. The files themselves stay."))

    # Parts

    def _heading(self, text: str) -> None:
        if self._page.count():
            self._page.addSpacing(14)
        self._page.addWidget(label(text, factor=1.1, weight=QFont.Weight.DemiBold))

    def _row(self, name: str, field: QWidget | QHBoxLayout, *, wide: bool = False) -> None:
        row = QHBoxLayout()
        row.setSpacing(12)
        left = label(name)
        left.setFixedWidth(_LABEL_PX)
        if not name:
            left.setAccessibleName(self.tr("Space"))
        row.addWidget(left)
        if isinstance(field, QHBoxLayout):
            row.addLayout(field, 1)
        else:
            if not wide:
                field.setFixedWidth(_FIELD_PX)
            if field.focusPolicy() != Qt.FocusPolicy.NoFocus:
                left.setBuddy(field)
            row.addWidget(field, 1 if wide else 0)
        if not wide:
            row.addStretch(1)
        self._page.addLayout(row)

    def _caption(self, text: str) -> None:
        caption = label(text, tone="muted", factor=0.92, wrap=True)
        caption.setContentsMargins(_LABEL_PX + 12, 0, 0, 0)
        self._page.addWidget(caption)

    def _combo(self, setting: str, values: tuple[str, ...] | list[str], names: dict[str, str], name: str) -> QComboBox:
        combo = ChoiceBox()
        combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        combo.installEventFilter(self)
        combo.setAccessibleName(name)
        combo.view().setAccessibleName(name)
        for value in values:
            combo.addItem(names[value], value)
        combo.setCurrentIndex(combo.findData(getattr(self._settings, setting)))
        combo.currentIndexChanged.connect(lambda _index: self._change(**{setting: combo.currentData()}))
        return combo

    def _spin(self, setting: str, spin: QSpinBox | QDoubleSpinBox, name: str) -> None:
        spin.setAccessibleName(name)
        spin.setKeyboardTracking(False)  # a number counts when it is typed to its end
        spin.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        spin.installEventFilter(self)
        spin.lineEdit().setAccessibleName(name)
        spin.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
        spin.setValue(getattr(self._settings, setting))
        spin.valueChanged.connect(lambda value: self._change(**{setting: value}))

    # What is shown

    def show_settings(self, settings: Settings) -> None:
        """Bring what depends on several settings in order with them."""
        self._settings = settings
        data = settings.data_folder or ("" if self._started.data_folder else str(self._paths.data))
        self.data.setText(data or self.tr("The default"))
        self.data.setToolTip(words.tooltip(data))
        self.default_data.setEnabled(bool(settings.data_folder))
        folder = settings.library or str(self._paths.with_data(data).default_library)
        self.library.setText(folder)
        self.library.setToolTip(words.tooltip(folder))
        self.default_library.setEnabled(bool(settings.library))
        model = Path(settings.model).name if settings.model else ""
        self.model.setText(model or self.tr("all-MiniLM-L6-v2, comes with Kindred"))
        self.model.setToolTip(words.tooltip(settings.model))
        self.bundled.setEnabled(bool(settings.model))
        self.model_problem.hide()
        waiting = self._waiting()
        self.restart_button.setVisible(bool(waiting) and self._can_restart)
        if waiting:
            text = self.tr("Kept. At the next start of Kindred: {names}.").format(names=", ".join(waiting))
        else:
            text = self.tr("Every choice is kept at once.")
        self.pending.setText(text)

    def offer_restart(self, can: bool) -> None:
        """Offer to start anew where something waits for it."""
        self._can_restart = can
        self.show_settings(self._settings)

    def _waiting(self) -> list[str]:
        """Return the names of what was changed and applies at the next start."""
        names = {
            "language": self.tr("language"),
            "data_folder": self.tr("data folder"),
            "model": self.tr("model"),
            "device": self.tr("device"),
            "precision": self.tr("precision"),
            "threads": self.tr("threads"),
            "reader_timeout_s": self.tr("longest silence"),
            "reader_memory_mb": self.tr("most memory"),
        }
        now, then = self._settings, self._started
        return [text for name, text in names.items() if getattr(now, name) != getattr(then, name)]

    # What is done

    def _change(self, **changes: object) -> None:
        self.changed.emit(changes)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the wheel to the page: scrolling must not change what the pointer happens to pass."""
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return False

    def _ask_folder(self, title: str, take: Callable[[str], None]) -> None:
        dialog = QFileDialog(self, title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(take)
        dialog.open()

    def take_data(self, folder: str) -> None:
        """Have data lie in `folder` from the next start on."""
        self._change(data_folder=str(Path(folder).absolute()))

    def take_model(self, folder: str) -> None:
        """Choose the model in `folder`, if there is one."""
        if (Path(folder) / _MODEL_FILE).is_file():
            self._change(model=folder)
            return
        text = self.tr("{name} holds no model: it has no {file}.")
        self.model_problem.setText(text.format(name=Path(folder).name or folder, file=_MODEL_FILE))
        self.model_problem.show()


def _seconds(limits: tuple[float, float], value: float) -> QDoubleSpinBox:
    spin = DecimalBox()
    spin.setDecimals(0 if value == int(value) else 2)
    spin.setRange(*_with(limits, value))
    spin.setSuffix(words.translate("preferences", " seconds"))
    return spin


def _with(limits: tuple[float, float], value: float) -> tuple[float, float]:
    """Return limits that let in what was chosen elsewhere."""
    return min(limits[0], value), max(limits[1], value)


def _side_by_side(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch(1)
    return row
