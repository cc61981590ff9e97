"""Letters that are pressed with Alt: each for one entry or button."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.gui.base.mnemonics import assign_button_mnemonics, choose_mnemonics


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["&Copy", "&Paste"], ["&Copy", "&Paste"]),
        (["&Paste", "&Preferences…"], ["&Paste", "P&references…"]),
        (["Open", "&Often"], ["O&pen", "&Often"]),  # a text that has a letter keeps it
        (["Show in &Folder", "&Filters"], ["Show in &Folder", "F&ilters"]),
        (["Re&d", "&Dark Theme"], ["Re&d", "Dark &Theme"]),  # the beginning of a word before any other letter
        (["&a", "a"], ["&a", "a"]),
        (["&Öffnen", "&öfter"], ["&Öffnen", "ö&fter"]),
        (["Open", "Often"], ["&Open", "O&ften"]),  # a letter that was given is taken for the next
        (["&A", "&B", "ab 12"], ["&A", "&B", "ab 12"]),  # no letter is free, and digits are none
        (["2nd Copy", "_Copy"], ["2nd &Copy", "_C&opy"]),
    ],
)
def test_the_first_entry_keeps_its_letter(texts: list[str], expected: list[str]) -> None:
    assert choose_mnemonics(texts) == expected


def test_buttons_of_a_dialog_share_no_letter_with_each_other_or_a_shortcut(qtbot: QtBot) -> None:
    dialog = QWidget()
    qtbot.addWidget(dialog)
    texts = ["&Save", "&Show", "Skip", "", ""]
    save, _, skip, icon, same = buttons = [QPushButton(text, dialog) for text in texts]
    icon.setShortcut(QKeySequence("Alt+S"))  # a button without text keeps its letter, though it comes later
    same.setShortcut(QKeySequence("Alt+S"))  # and gets no text, even if it cannot keep it alone
    assign_button_mnemonics(dialog)
    assert [button.text() for button in buttons] == ["S&ave", "S&how", "S&kip", "", ""]
    assert icon.shortcut() == QKeySequence("Alt+S")
    assert save.shortcut() == QKeySequence("Alt+A")
    assert skip.shortcut() == QKeySequence("Alt+K")
