"""The fonts of the program."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextLayout
from PySide6.QtWidgets import QApplication

from desktop_app.gui.base.theme import ThemeManager


def glyphs(text: str) -> list[int]:
    layout = QTextLayout(text, QApplication.font())
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return [glyph for run in layout.glyphRuns() for glyph in run.glyphIndexes()]


@pytest.mark.parametrize("text", ["v669 x86_64", "3x4", "->"])
def test_text_is_shown_letter_by_letter(themes: ThemeManager, text: str) -> None:
    assert glyphs(text) == [glyph for letter in text for glyph in glyphs(letter)]
