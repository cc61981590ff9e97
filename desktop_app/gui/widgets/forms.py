"""Forms and cards: fields with their names, choices, and framed parts of a page with a heading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QLabel,
    QLayout,
    QSizePolicy,
    QWidget,
)

from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from PySide6.QtWidgets import QComboBox

FIELD_PX = 240
LABEL_PX = 128


class TitledCard(QFrame):
    """A framed part of a page with a heading."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "card")
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        heading = make_label(title, factor=1.1, weight=QFont.Weight.DemiBold, name=title)
        self.heading = heading
        self.head = make_row(heading, "stretch", spacing=8)
        self.column = make_column(self.head, parent=self, margins=(18, 14, 18, 16), spacing=10)

    def text(self, name: str, text: str = "", tone: str = "muted") -> QLabel:
        """Return a new line of text that wraps; the caller adds it to a layout."""
        return make_text_line(name, text, tone)


def make_text_line(name: str, text: str = "", tone: str = "muted") -> QLabel:
    """Return a new line of text that wraps."""
    return make_label(text, tone=tone, wrap=True, name=name)


class ResponsiveRow(QBoxLayout):
    """Parts side by side, or one below the other in a narrow pane."""

    def __init__(self, *parts: QWidget | QLayout) -> None:
        super().__init__(QBoxLayout.Direction.LeftToRight)
        self.setSpacing(24)
        for part in parts:
            if isinstance(part, QWidget):
                self.addWidget(part, 1)
            else:
                self.addLayout(part)

    def set_narrow(self, is_narrow: bool) -> None:
        """Lay out the parts for a narrow or a wide pane."""
        ways = QBoxLayout.Direction
        self.setDirection(ways.TopToBottom if is_narrow else ways.LeftToRight)


class WheelFilter(QObject):
    """Leaves the wheel to the page: scrolling must not change a field that the pointer happens to pass."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Block wheel events."""
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return False


class FormGrid(QGridLayout):
    """A grid of names and fields; fields keep their width."""

    def __init__(self, columns: int = 1) -> None:
        super().__init__()
        self._columns = columns
        self._rows: list[tuple[QLabel, QWidget]] = []
        self.setHorizontalSpacing(12)
        self.setVerticalSpacing(8)
        self.setColumnStretch(3 * columns, 1)

    def add_field(self, text: str, field: QWidget) -> QLabel:
        """Add a field; return the label of its name."""
        caption = make_label(text, name=text.replace("&", ""))
        caption.setBuddy(field)
        field.setFixedWidth(FIELD_PX if self._columns == 1 else FIELD_PX - 24)
        self._rows.append((caption, field))
        self._place(len(self._rows) - 1, caption, field)
        return caption

    def set_columns(self, columns: int) -> None:
        """Set the number of fields side by side."""
        if columns != self._columns:
            for column in range(2, 3 * max(columns, self._columns)):
                self.setColumnMinimumWidth(column, 0)
            self._columns = columns
            self.setColumnStretch(3, int(columns == 1))
            self.arrange({field for _, field in self._rows if not field.isHidden()})

    def arrange(self, used: Container[QWidget]) -> None:
        """Show only some fields, without gaps between them."""
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


def fill_choices(box: QComboBox, choices: Sequence[tuple[str, object]], current: str = "") -> None:
    """Fill a box with (text, value) choices without signals; select `current`, or the previous choice."""
    before = current or box.currentData()
    box.blockSignals(True)
    box.clear()
    for text, value in choices:
        box.addItem(text, value)
    at = box.findData(before)
    box.setCurrentIndex(max(at, 0))
    box.blockSignals(False)


def clear_layout(layout: QLayout) -> None:
    """Remove and delete everything in a layout."""
    while item := layout.takeAt(0):
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()
        elif inner := item.layout():
            clear_layout(inner)
