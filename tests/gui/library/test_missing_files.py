"""Documents with missing files are shown, listed alone, and relinked to their new places."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from desktop_app.core.scope import ScopePart
from desktop_app.core.user_data import SavedSearch
from desktop_app.gui.results.scope import folder_part, type_part
from tests.gui.conftest import Kindred


def test_missing_documents_are_shown_and_found_again_with_their_folder(
    filled: Kindred, files: Path, qtbot: QtBot
) -> None:
    window, pane = filled.window, filled.window.library_pane
    assert not pane.missing.isVisible()
    moved = files.with_name("elsewhere")
    files.rename(moved)
    (moved / "tags.md").unlink()
    window.missing_files.check_files()
    qtbot.waitUntil(lambda: "not found" in filled.documents["sea"])
    assert filled.documents == {"sea": "File not found · 5 sentences", "tags": "File not found · 2 sentences"}
    assert pane.missing.isVisible()
    assert pane.missing.text() == "2 not found"

    window.library_controller.relink_folder(str(files), str(moved))
    qtbot.waitUntil(lambda: pane.missing.text() == "1 not found")
    assert (
        window.notice.text == "Found 1 document in elsewhere. 1 document not found in that folder and left unchanged."
    )
    window.action_table["library.missing_only"].trigger()
    assert list(filled.documents) == ["tags"]
    files.mkdir()
    (files / "tags.md").write_text("It is back.")
    window.missing_files.check_files()
    qtbot.waitUntil(lambda: len(filled.documents) == 2)
    assert not window.action_table["library.missing_only"].isChecked(), "the last of them was found"
    assert not pane.missing.isVisible()


def test_the_scope_of_searches_moves_with_a_folder(filled: Kindred, files: Path, qtbot: QtBot) -> None:
    window, moved = filled.window, files.with_name("elsewhere")
    window.search.history.save_search(
        SavedSearch("Waves", f"sea in:{files}", "both", (ScopePart("folder", str(files), files.name),))
    )
    qtbot.waitUntil(lambda: len(window.search.history.searches) == 1)
    window.search_pane.scope.set_parts((folder_part(str(files)), type_part("markdown")))
    files.rename(moved)
    window.library_controller.relink_folder(str(files), str(moved))
    qtbot.waitUntil(lambda: window.search.history.searches[0].text == f"sea in:{moved}")
    assert window.search.history.searches[0].parts == (ScopePart("folder", str(moved), "elsewhere"),)
    qtbot.waitUntil(lambda: window.search_pane.scope.parts == (folder_part(str(moved)), type_part("markdown")))
