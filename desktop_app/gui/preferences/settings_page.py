"""A page of settings: headings, rows with a field, and captions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_app.gui.base import display_text
from desktop_app.gui.widgets.fields import ChoiceBox, DecimalBox
from desktop_app.gui.widgets.forms import WheelFilter
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row

if TYPE_CHECKING:
    from desktop_app.core.settings import Settings

PAGE_MARGINS = (14, 4, 24, 12)
LABEL_PX = 150
_FIELD_PX = 210


class SettingsPage(QScrollArea):
    """One page, filled from top to bottom.

    Args:
        title: for screen readers.
        settings: the initial values of its fields.

    Attributes:
        changed: a field changed; carries a dict of settings by name.
    """

    changed = Signal(object)

    def __init__(self, title: str, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._guard = WheelFilter(self)
        sheet = QWidget()
        sheet.setAccessibleName(title)
        self._column = QVBoxLayout()
        self._column.setSpacing(8)
        make_column(self._column, "stretch", parent=sheet, margins=PAGE_MARGINS)
        self.setAccessibleName(title)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab scrolls to its fields
        self.setWidget(sheet)

    def add(self, widget: QWidget) -> None:
        """Add a widget in the full width of the page."""
        self._column.addWidget(widget)

    def heading(self, text: str) -> None:
        """Add a heading."""
        if self._column.count():
            self._column.addSpacing(14)
        self._column.addWidget(make_label(text, factor=1.1, weight=QFont.Weight.DemiBold))

    def row(self, name: str, field: QWidget | QHBoxLayout, *, wide: bool = False) -> None:
        """Add a row: a name on the left, then its field; a wide field takes the remaining room."""
        left = make_label(name)
        left.setFixedWidth(LABEL_PX)
        if not name:
            left.setAccessibleName(self.tr("Space"))
        row = make_row(left, spacing=12)
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
        self._column.addLayout(row)

    def caption(self, text: str) -> None:
        """Add small text below a field."""
        caption = make_label(text, tone="muted", factor=0.92, wrap=True)
        caption.setContentsMargins(LABEL_PX + 12, 0, 0, 0)
        self._column.addWidget(caption)

    def combo(self, setting: str, values: tuple[str, ...] | list[str], names: dict[str, str], name: str) -> QComboBox:
        """Return a field that chooses one of the values of a setting."""
        combo = ChoiceBox()
        combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        combo.installEventFilter(self._guard)
        combo.setAccessibleName(name)
        combo.view().setAccessibleName(name)
        for value in values:
            combo.addItem(names[value], value)
        combo.setCurrentIndex(combo.findData(getattr(self._settings, setting)))
        combo.currentIndexChanged.connect(lambda _index: self.changed.emit({setting: combo.currentData()}))
        return combo

    def spin(self, setting: str, spin: QSpinBox | QDoubleSpinBox, name: str) -> None:
        """Connect a number field with a setting."""
        spin.setAccessibleName(name)
        spin.setKeyboardTracking(False)  # a number applies once it is complete
        spin.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        spin.installEventFilter(self._guard)
        spin.lineEdit().setAccessibleName(name)
        spin.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
        spin.setValue(getattr(self._settings, setting))
        spin.valueChanged.connect(lambda value: self.changed.emit({setting: value}))


def make_seconds_field(limits: tuple[float, float], value: float) -> QDoubleSpinBox:
    """Return a field for a number of seconds."""
    spin = DecimalBox()
    spin.setDecimals(0 if value == int(value) else 2)
    spin.setRange(*extend_limits(limits, value))
    spin.setSuffix(display_text.translate("preferences", " seconds"))
    return spin


def extend_limits(limits: tuple[float, float], value: float) -> tuple[float, float]:
    """Return limits that include a value chosen elsewhere."""
    return min(limits[0], value), max(limits[1], value)
