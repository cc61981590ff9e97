"""How a file of labelled sentences is to be read where its header does not say: its columns, its range of scores."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QToolButton, QVBoxLayout, QWidget

from desktop_app.gui.icons import icon
from desktop_app.gui.training.parts import Form

_RANGE = re.compile(r"\s*(-?[\d.]+)\s*(?:–|-|to|bis|;|,|\s)\s*(-?[\d.]+)\s*")


class ReadingFields(QWidget):
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
        form = Form()
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
        if found := _RANGE.fullmatch(self.range.text()):
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
        self.unfold.setIcon(icon("chevron-down" if is_open else "chevron-right"))
