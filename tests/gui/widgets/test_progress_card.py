"""Nothing in the window moves by itself, even if the duration of a job is unknown."""

from __future__ import annotations

import re
from pathlib import Path

from pytestqt.qtbot import QtBot

import desktop_app.gui
from desktop_app.gui.widgets.progress_card import ProgressBar

# Classes that would animate; a caret blinks as set in the system, and scrolling is caused by a person.
_MOVING = re.compile(r"\bQProgressBar\(|\bQ\w*(Animation|Movie|TimeLine)\b|setAnimated\(True")


def test_a_bar_without_a_known_share_is_empty_and_still(qtbot: QtBot) -> None:
    bar = ProgressBar()
    qtbot.addWidget(bar)
    bar.resize(200, 6)
    bar.setRange(0, 10)
    bar.setValue(10)
    bar.show()
    full = bar.grab().toImage()
    bar.setRange(0, 0)
    assert (bar.minimum(), bar.maximum(), bar.value()) == (0, 1, 0), "Qt animates a bar without a range"
    assert bar.grab().toImage() != full
    bar.setRange(0, 1)
    bar.setValue(1)
    assert bar.grab().toImage() == full


def test_the_window_uses_no_other_bar_and_animates_nothing() -> None:
    folder = Path(desktop_app.gui.__file__).parent
    moving = [
        f"{file.relative_to(folder)}, line {number}: {line.strip()}"
        for file in sorted(folder.rglob("*.py"))
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1)
        if _MOVING.search(line)
    ]
    assert moving == []
