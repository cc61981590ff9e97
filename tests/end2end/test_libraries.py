"""A real library is backed up to a file and restored from it, in the window."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from desktop_app.engine.requests import SearchRequest
from desktop_app.gui.library.backup_dialog import BackupDialog
from desktop_app.gui.library.maintenance_dialog import MaintenanceDialog
from tests.disks import needs_mount, read_only, small_disk
from tests.end2end.conftest import Program, end
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.as_copies


def test_a_backup_is_written_and_restored(start: Callable[..., Program], tmp_path: Path, qtbot) -> None:
    (tmp_path / "tea.md").write_text("Water for green tea should not boil.", "utf-8")
    program = start(files=[str(tmp_path / "tea.md")])
    window = program.window
    qtbot.waitUntil(lambda: any("sentence" in state for state in program.states.values()))

    def dialog() -> BackupDialog:
        return window.findChildren(BackupDialog)[-1]

    window.maintenance.back_up_to(tmp_path / "kept.zip")
    qtbot.waitUntil(lambda: "1 document" in dialog().text.text())
    assert (tmp_path / "kept.zip").is_file()
    assert not dialog().open_button.isVisible()
    dialog().close()

    wanted: list[Path] = []
    window.library_switch.wanted.connect(wanted.append)
    window.maintenance.restore_to(tmp_path / "kept.zip", tmp_path / "again")
    qtbot.waitUntil(lambda: dialog().open_button.isVisible())
    dialog().open_button.click()
    assert wanted == [tmp_path / "again"]

    window.maintenance.restore_to(tmp_path / "tea.md", tmp_path / "third")
    qtbot.waitUntil(lambda: "not a backup" in dialog().text.text())
    assert not dialog().open_button.isVisible()
    dialog().close()


@needs_mount
def test_a_library_on_a_read_only_disk_is_searched_and_not_changed(
    start: Callable[..., Program], tmp_path: Path, qtbot
) -> None:
    tea = tmp_path / "tea.md"
    tea.write_text("Water for green tea should not boil.", "utf-8")
    with small_disk(tmp_path / "disk") as disk:
        program = start(library=disk / "library", files=[str(tea)])
        qtbot.waitUntil(lambda: any("sentence" in state for state in program.states.values()))
        end(program)
        with read_only(disk):
            program = start(library=disk / "library", files=[str(tea)])
            window = program.window
            qtbot.waitUntil(lambda: window.session.phase == "ready")
            window.search.box.setText("boiling water")
            qtbot.waitUntil(lambda: program.hits == ["Water for green tea should not boil."])
            assert window.status.text().startswith("read only · ")
            assert "only read" in window.notice.text
            assert not window.action_table["library.import"].isEnabled()
            end(program)


def test_a_library_that_lost_vectors_is_repaired_in_the_window(
    start: Callable[..., Program], tmp_path: Path, qtbot
) -> None:
    text = "Water for green tea should not boil."
    (tmp_path / "tea.md").write_text(f"{text} It is left to cool first.", "utf-8")
    program = start(files=[str(tmp_path / "tea.md")])
    qtbot.waitUntil(lambda: any("sentence" in state for state in program.states.values()))
    file = Path(program.workspace.status().wait(PATIENCE_S).library.folder) / "library.db"
    end(program)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(
            "DELETE FROM embedding WHERE sentence_id IN (SELECT id FROM sentence WHERE text = ?)", [text]
        )
    program = start()
    window = program.window
    qtbot.waitUntil(lambda: window.session.phase == "ready")
    window.action_table["library.about"].trigger()
    dialog = window.findChild(MaintenanceDialog)
    qtbot.mouseClick(dialog.check, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.repair_button.isVisible)
    assert "checks failed" in dialog.summary.text()
    reports: list[object] = []
    window.imports.finished.connect(reports.append)
    qtbot.mouseClick(dialog.repair_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "No problems" in dialog.summary.text())
    qtbot.waitUntil(lambda: bool(reports))
    qtbot.waitUntil(lambda: all("2 sentences" in state for state in program.states.values()))
    found = program.workspace.search.find_sentences(SearchRequest(text, mode="meaning", top_k=1), key=None).wait(
        PATIENCE_S
    )
    assert [hit.text for hit in found.hits] == [text]
    assert all(check.ok for check in program.workspace.maintenance.check_library(repair=False).wait(PATIENCE_S))
    dialog.close()
