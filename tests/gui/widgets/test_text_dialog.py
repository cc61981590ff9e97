"""A dialog that asks for one line of text."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.widgets.text_dialog import ask_text


@pytest.mark.parametrize("secret", [False, True])
def test_the_field_has_room_for_a_name(qtbot: QtBot, themes: ThemeManager, secret: bool) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    given: list[str] = []
    name = "What the sea does to towns on the coast"
    dialog = ask_text(parent, "Save search", "Name of the <b>search</b>", given.append, name, secret=secret)
    qtbot.waitExposed(dialog)
    (field,) = dialog.findChildren(QLineEdit)
    assert field.width() >= field.fontMetrics().horizontalAdvance(name) + 20
    assert (field.echoMode() == QLineEdit.EchoMode.Password) == secret
    assert "<b>" in dialog.findChild(QLabel).text()
    assert field.accessibleName() == "Name of the <b>search</b>"
    dialog.accept()
    assert given == [name]
