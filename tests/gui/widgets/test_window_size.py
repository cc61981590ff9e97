"""Windows have their preferred size or that of their screen; the program works without its own fonts."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QFontInfo
from PySide6.QtWidgets import QApplication

from desktop_app.gui.base import theme
from desktop_app.gui.widgets.layouts import fit_to_screen


@pytest.mark.parametrize(
    ("wanted", "screen", "given"),
    [
        ((880, 640), (1920, 1080), (880, 640)),
        ((880, 640), (960, 540), (880, 492)),  # a usual screen at 200 percent
        ((1280, 800), (960, 540), (944, 492)),
    ],
)
def test_a_window_is_no_larger_than_its_screen(
    wanted: tuple[int, int], screen: tuple[int, int], given: tuple[int, int]
) -> None:
    assert fit_to_screen(QSize(*wanted), QSize(*screen)) == QSize(*given)


def test_without_its_fonts_the_program_uses_the_systems(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(theme, "resources_folder", lambda: tmp_path)
    theme.load_fonts()
    missing = QFont("A family that nobody has")
    missing.setPointSizeF(theme.FONT_SIZE_PT)
    assert QFontInfo(missing).pointSizeF() > 0
