"""Dozens of hostile PDFs are dropped on the window: it stays responsive, and the other files are imported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.engine.requests import SearchRequest
from tests.end2end.conftest import Program
from tests.gui.conftest import drop
from tests.patience import PATIENCE_MS, PATIENCE_S
from tests.text.hostile_pdfs import QUICK, damaged

pytestmark = pytest.mark.as_copies

GOOD = {
    "a first.txt": "The first file says that tea wants hot water.",
    "m among them.md": "This one stands in the middle and speaks of bread.",
    "zz last.txt": "The last file tells of tides and harbours.",
}


def test_the_window_responds_while_hostile_files_are_imported_and_the_others_are_complete(
    start: Callable[..., Program], tmp_path: Path, qtbot, pytestconfig: pytest.Config
) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    for name, text in GOOD.items():
        (folder / name).write_text(text + "\n", "utf-8")
    # The spoilt copies of one file differ least: a third of them will do by default.
    spoilt = list(damaged())[:: 1 if pytestconfig.getoption("--slow") else 3]
    hostile = {f"{name}.pdf": make() for name, make in QUICK.items()} | dict(spoilt)
    for name, data in hostile.items():
        (folder / name).write_bytes(data)
    assert len(hostile) >= 25
    program = start(settings={"reader_timeout_s": 2.0, "reader_memory_mb": 600})
    window, reports = program.window, []
    window.imports.finished.connect(reports.append)
    qtbot.waitUntil(lambda: window.session.phase == "ready")
    assert drop(window, [folder])
    qtbot.waitUntil(lambda: any("sentence" in state for state in program.states.values()))
    qtbot.keyClicks(window.search.box, "how hot should water for tea be")
    qtbot.waitUntil(lambda: bool(program.hits))
    assert window.imports.is_running, "it responded during the import"
    qtbot.waitUntil(lambda: bool(reports), timeout=3 * PATIENCE_MS)
    (report,) = reports
    assert len(report.imported) + len(report.failed) == len(hostile) + len(GOOD)
    assert all(file.message for file in report.failed)
    taken_in = {Path(file.path).name for file in report.imported}
    assert taken_in >= GOOD.keys()
    for name, text in GOOD.items():
        hit = program.workspace.search.find_sentences(SearchRequest(text, top_k=1), key=None).wait(PATIENCE_S).hits[0]
        assert (hit.text, Path(hit.path).name) == (text, name)
