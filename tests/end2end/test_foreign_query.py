"""A query in a language that the bundled model does not cover, in the window with the real model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.end2end.conftest import Program

pytestmark = pytest.mark.as_copies


def test_the_window_notes_that_the_model_may_not_know_the_language(
    start: Callable[..., Program], qtbot, tmp_path: Path
) -> None:
    lines = [f"The {noun} {verb} near the {place} in the {time}." for noun in ("ferry", "baker", "judge", "river")
             for verb in ("waits", "rests", "turns") for place in ("harbour", "market", "old wall")
             for time in ("morning", "winter")]  # fmt: skip
    (tmp_path / "lines.txt").write_text("\n\n".join(lines), "utf-8")
    program = start(files=[str(tmp_path / "lines.txt")])
    window = program.window
    qtbot.waitUntil(lambda: window.session.phase == "ready" and len(program.states) == 1)
    qtbot.waitUntil(lambda: not window.imports.is_running)
    window.search.box.setText("明日の天気はどうなりますか")
    state = window.search_pane.state
    qtbot.waitUntil(lambda: state.isVisible() and "isn't trained for Japanese" in state.text.text())
    assert program.hits == []  # rather than the same sentences for any such query
    window.search.box.setText("wo ist die Fähre von Jakob am harbour")
    remark = window.search_pane.remark
    qtbot.waitUntil(remark.isVisible)
    assert remark.text() == "This model isn't trained for German. Showing keyword matches."
    assert all("harbour" in hit for hit in program.hits)
    window.search.box.setText("Where does the ferry wait?")
    qtbot.waitUntil(lambda: "".join(program.hits[:1]).startswith("The ferry waits"))
    qtbot.waitUntil(lambda: not remark.isVisible())
