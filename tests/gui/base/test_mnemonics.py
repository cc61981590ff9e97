"""Letters that are pressed with Alt: each for one entry or button."""

from __future__ import annotations

import pytest

from desktop_app.gui.base.mnemonics import choose_mnemonics


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
    ],
)
def test_the_first_entry_keeps_its_letter(texts: list[str], expected: list[str]) -> None:
    assert choose_mnemonics(texts) == expected
