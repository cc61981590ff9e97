"""The picture of an objective: branches, their shared weights, and the names of vectors beside their arrows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from desktop_app.core.training_settings import TrainingSettings
from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.training.objective_picture import ObjectivePicture, _make_diagram
from tests.gui.painting import Painting, record

Draw = Callable[[TrainingSettings], Painting]


@pytest.fixture
def draw(themes: ThemeManager, qtbot: QtBot) -> Draw:
    picture = ObjectivePicture(themes)
    qtbot.addWidget(picture)
    picture.resize(picture.sizeHint())

    def painted(settings: TrainingSettings) -> Painting:
        picture.show_settings(settings)
        return record(picture.size(), lambda painter: picture.render(painter, QPoint()))

    return painted


@pytest.mark.parametrize("settings", [TrainingSettings(), replace(TrainingSettings(), architecture="cross")])
def test_each_branch_has_its_sentence_encoder_pooling_and_vector(draw: Draw, settings: TrainingSettings) -> None:
    drawing, painted = _make_diagram(settings), draw(settings)
    words = painted.words()
    assert words.count("encoder") == len(drawing.names)
    assert words.count("same weights") == (1 if len(drawing.names) == 2 else 0)
    height = painted.place(drawing.names[0]).y()
    assert 0 < painted.place(drawing.target).y() < painted.place(drawing.joined).y()
    for name, vector in zip(drawing.names, drawing.vectors, strict=True):
        assert painted.place(name).y() == height
        encoder = min(at.y() for text, at, _ in painted.texts if text == "encoder")
        assert painted.place(drawing.joined).y() < painted.place(vector).y() < encoder < height
    assert len(painted.dashed) == len(drawing.names) - 1
    for line, left, right in zip(painted.dashed, drawing.names[:-1], drawing.names[1:], strict=True):
        assert painted.place(left).x() < line.x1() < line.x2() < painted.place(right).x() + 40
