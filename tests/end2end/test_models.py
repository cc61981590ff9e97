"""A library switches to another model; the window is closed during the switch and opened again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.encoder import SiameseEncoder, save
from desktop_app.gui.models.pane import ModelsPage
from tests.end2end.conftest import Program, end

pytestmark = pytest.mark.as_copies

Start = Callable[..., Program]


def _dialog(program: Program, qtbot) -> ModelsPage:
    qtbot.waitUntil(lambda: program.window.session.phase == "ready")
    program.window.action_table["library.models"].trigger()
    dialog = program.window.findChild(ModelsPage)
    qtbot.waitUntil(lambda: dialog.list.count() > 0)
    return dialog


def test_a_library_switches_to_another_model(start: Start, tmp_path: Path, qtbot) -> None:
    save(SiameseEncoder(device="cpu", precision="fp32", pooling="cls"), tmp_path / "first-token")
    sentences = [f"The ship number {n} left the harbour of town {n % 7} in winter." for n in range(120)]
    (tmp_path / "ships.txt").write_text("\n".join([*sentences, "Bread needs time and a hot oven."]), "utf-8")
    program = start(files=[str(tmp_path / "ships.txt")])
    dialog = _dialog(program, qtbot)
    models = program.window.models
    qtbot.waitUntil(lambda: not program.window.imports.is_running and len(program.states) == 1)
    dialog.add(str(tmp_path / "first-token"))
    qtbot.waitUntil(lambda: dialog.list.count() == 2 and not models.doing)
    dialog.list.setCurrentRow(1)
    dialog.use.click()
    qtbot.waitUntil(lambda: models.listed.target is not None)
    end(program)  # during the switch

    program = start()
    dialog = _dialog(program, qtbot)
    models = program.window.models
    qtbot.waitUntil(
        lambda: not models.doing and next(s for s in models.listed.models if s.active).entry.name == "first-token",
    )
    qtbot.waitUntil(lambda: "first-token" in program.window.status.toolTip())
    dialog.window().close()
    qtbot.keyClicks(program.window.search.box, "baking a loaf")
    qtbot.waitUntil(lambda: bool(program.hits) and not program.window.search.controller.is_waiting)
    assert program.hits[0] == "Bread needs time and a hot oven."
