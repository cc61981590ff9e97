"""A real library kept in a file and made anew from it, in the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from desktop_app.gui.dialogs.backup import BackupDialog
from tests.end2end.conftest import PATIENCE_MS, Program


def test_a_backup_is_written_and_a_library_made_of_it(start: Callable[..., Program], tmp_path: Path, qtbot) -> None:
    (tmp_path / "tea.md").write_text("Water for green tea should not boil.", "utf-8")
    program = start(files=[str(tmp_path / "tea.md")])
    window = program.window
    qtbot.waitUntil(lambda: any("sentence" in state for state in program.states.values()), timeout=PATIENCE_MS)

    def dialog() -> BackupDialog:
        return window.findChildren(BackupDialog)[-1]

    window.tools.back_up_to(tmp_path / "kept.zip")
    qtbot.waitUntil(lambda: "1 document" in dialog().text.text(), timeout=PATIENCE_MS)
    assert (tmp_path / "kept.zip").is_file()
    assert not dialog().open_it.isVisible()
    dialog().close()

    wanted: list[Path] = []
    window.library_wanted.connect(wanted.append)
    window.tools.restore_to(tmp_path / "kept.zip", tmp_path / "again")
    qtbot.waitUntil(lambda: dialog().open_it.isVisible(), timeout=PATIENCE_MS)
    dialog().open_it.click()
    assert wanted == [tmp_path / "again"]

    window.tools.restore_to(tmp_path / "tea.md", tmp_path / "third")
    qtbot.waitUntil(lambda: "no backup" in dialog().text.text(), timeout=PATIENCE_MS)
    assert not dialog().open_it.isVisible()
    dialog().close()
