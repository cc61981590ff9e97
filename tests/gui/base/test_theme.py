"""The fonts of the program."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtGui import QTextLayout
from PySide6.QtWidgets import QApplication

from desktop_app.gui.base.theme import ThemeManager, make_application_font


def glyphs(text: str) -> list[int]:
    layout = QTextLayout(text, QApplication.font())
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return [glyph for run in layout.glyphRuns() for glyph in run.glyphIndexes()]


@pytest.mark.parametrize("text", ["v669 x86_64", "3x4", "->"])
def test_text_is_shown_letter_by_letter(themes: ThemeManager, text: str) -> None:
    assert glyphs(text) == [glyph for letter in text for glyph in glyphs(letter)]


@pytest.mark.parametrize(("system", "pixels_per_inch"), [("linux", 96), ("win32", 96), ("darwin", 72)])
def test_text_is_equally_large_on_all_systems(
    monkeypatch: pytest.MonkeyPatch, system: str, pixels_per_inch: int
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert make_application_font().pointSizeF() * pixels_per_inch / 72 == pytest.approx(14)
