"""A dialog that asks for one line of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QLabel, QLineEdit

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

_FIELD_PX = 400
"""Room for a name, and for the title of the window: Qt's own field has 180 pixels."""


def ask_text(
    parent: QWidget, title: str, label: str, then: Callable[[str], object], value: str = "", *, secret: bool = False
) -> QInputDialog:
    """Ask for a line of text; `then` receives it unless the person cancels.

    Args:
        parent: the window that waits meanwhile.
        title: of the dialog.
        label: above the field.
        then: receives the text.
        value: the text to begin with.
        secret: whether to hide what is typed.
    """
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.setTextValue(value)
    if secret:
        dialog.setTextEchoMode(QLineEdit.EchoMode.Password)
    for each in dialog.findChildren(QLabel):
        each.setTextFormat(Qt.TextFormat.PlainText)  # a file may be called <b>
    for field in dialog.findChildren(QLineEdit):
        field.setAccessibleName(label)
        field.setMinimumWidth(_FIELD_PX)
    dialog.textValueSelected.connect(then)
    dialog.open()
    return dialog
