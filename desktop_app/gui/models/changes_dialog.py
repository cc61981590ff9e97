"""Asks for the prompts and maximum length of a model variant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from desktop_app.core.models import ModelChanges
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.fields import NumberBox
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row
from desktop_app.gui.widgets.window_size import set_initial_size

if TYPE_CHECKING:
    from desktop_app.core.records import ModelInfo

_MIN_TOKENS, _MAX_TOKENS = 7, 1 << 20  # below the minimum of a model, the field shows "as the model says"


class ModelChangesDialog(QDialog):
    """Three fields; unchanged ones keep the value of the model.

    Args:
        name: the name of a listed model, a folder, or a name to download.
        info: the description of the model; None if it is not listed yet.
        parent: the window below the dialog.

    Attributes:
        chosen: carries the name of the model and a ModelChanges, which may be empty.
    """

    chosen = Signal(str, object)

    def __init__(self, name: str, info: ModelInfo | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._info = info
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Prompts and length"))
        self.setAccessibleName(self.windowTitle())
        title = make_label(self.tr("Prompts and length"), factor=1.2, weight=QFont.Weight.DemiBold)
        title.setAccessibleName(self.tr("Heading"))
        about = make_label(
            self.tr(
                "Some models, such as E5, want words of their own before each text: “query: ” and “passage: ”, with the"
                " space at the end. The model's folder stays as it is: a model of its own appears beside it."
            ),
            tone="muted",
            wrap=True,
        )
        about.setAccessibleName(self.tr("What this does"))
        self.query = self._prompt(info.query_prompt if info else "")
        self.passage = self._prompt(info.passage_prompt if info else "")
        self.length = NumberBox()
        self.length.setRange(_MIN_TOKENS, _MAX_TOKENS)
        self.length.setSpecialValueText(self.tr("as the model says"))
        self.length.setValue(info.max_length if info else _MIN_TOKENS)
        self.add = make_push_button(self.tr("&Add"))
        self.add.setProperty("tone", "primary")
        self.add.setDefault(True)
        self.leave = make_push_button(self.tr("Cancel"))
        row = make_row("stretch", self.leave, self.add, spacing=10)
        column = make_column(title, about, parent=self, margins=(22, 18, 22, 16), spacing=10)
        for text, field in (
            (self.tr("Before a &query"), self.query),
            (self.tr("Before a &sentence of the library"), self.passage),
            (self.tr("&Tokens of a text that are read"), self.length),
        ):
            caption = make_label(text)
            caption.setBuddy(field)
            field.setAccessibleName(text.replace("&", ""))
            column.addSpacing(2)
            column.addWidget(caption)
            column.addWidget(field)
        column.addStretch(1)
        column.addLayout(row)
        set_initial_size(self, 520, 400)
        self.add.clicked.connect(self._on_add)
        self.leave.clicked.connect(self.reject)
        self.query.textChanged.connect(lambda _text: self._enable())
        self.passage.textChanged.connect(lambda _text: self._enable())
        self.length.valueChanged.connect(lambda _value: self._enable())
        self._enable()
        self.query.setFocus()

    def _prompt(self, text: str) -> QLineEdit:
        field = QLineEdit(text)
        field.setPlaceholderText(self.tr("none") if self._info is not None else self.tr("as the model says"))
        field.setMaxLength(1000)
        return field

    @property
    def changes(self) -> ModelChanges:
        """The values that differ from those of the model."""
        info = self._info
        query, passage, length = self.query.text(), self.passage.text(), self.length.value()
        return ModelChanges(
            query if query != (info.query_prompt if info else "") else None,
            passage if passage != (info.passage_prompt if info else "") else None,
            length if length not in (_MIN_TOKENS, info.max_length if info else _MIN_TOKENS) else None,
        )

    def _enable(self) -> None:
        self.add.setEnabled(self._info is None or bool(self.changes))

    def _on_add(self) -> None:
        self.chosen.emit(self._name, self.changes)
        self.accept()
