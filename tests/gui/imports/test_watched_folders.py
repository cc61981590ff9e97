"""Watched folders in the window: chosen, watched, unwatched, and the verdict of their patterns on a path."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from desktop_app.core.records import WatchedFolder
from desktop_app.gui.imports.watched_folders import WatchedFoldersPage
from desktop_app.gui.library import document_list
from tests.gui.conftest import Kindred


@pytest.fixture(autouse=True)
def _files_are_checked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_list, "_CHECK_INTERVAL_MS", 20)


@pytest.fixture
def dialog(kindred: Kindred) -> WatchedFoldersPage:
    kindred.window.action_table["library.watched"].trigger()
    dialog = kindred.window.findChild(WatchedFoldersPage)
    assert dialog is not None
    return dialog


def are_read(kindred: Kindred, count: int) -> bool:
    """Whether this many documents are listed and each is read: a listed file may still be queued."""
    states = kindred.documents.values()
    return len(states) == count and all("sentence" in state for state in states)


def followed(kindred: Kindred) -> list[WatchedFolder]:
    return kindred.library.watched_folders.folders()


def test_a_folder_is_watched_and_unwatched(
    kindred: Kindred, dialog: WatchedFoldersPage, files: Path, qtbot: QtBot
) -> None:
    assert dialog.empty.text().startswith("No watched folders yet")
    assert dialog.patterns.isHidden()
    assert dialog.remove.isHidden()
    dialog.follow(str(files))
    qtbot.waitUntil(lambda: are_read(kindred, 2))
    assert dialog.list.count() == 1
    assert dialog.empty.isHidden()
    assert not dialog.patterns.isHidden()
    (files / "new.txt").write_text("A new sentence stands here.", "utf-8")
    qtbot.waitUntil(lambda: are_read(kindred, 3))
    qtbot.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.list.count() == 0)
    assert followed(kindred) == []
    assert len(kindred.documents) == 3


def test_patterns_are_saved_and_tested(kindred: Kindred, dialog: WatchedFoldersPage, files: Path, qtbot: QtBot) -> None:
    dialog.follow(str(files))
    qtbot.waitUntil(lambda: dialog.list.count() == 1)
    dialog.exclude.setText("drafts; *.md")
    dialog.exclude.editingFinished.emit()
    qtbot.waitUntil(lambda: followed(kindred)[0].exclude == ("drafts", "*.md"))
    for path, verdict in (
        ("a.txt", "Included."),
        ("drafts/a.txt", "Excluded: drafts matches."),
        ("../a.txt", "Not in this folder."),
        ("a.exe", "Excluded: hidden, or not a supported file type."),
        ("", ""),
    ):
        dialog.probe.setText(path)
        assert dialog.verdict.text() == verdict


def test_a_pattern_that_is_being_typed_is_not_lost(
    kindred: Kindred, dialog: WatchedFoldersPage, files: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for folder in (files, other):
        dialog.follow(str(folder))
        qtbot.waitUntil(lambda folder=folder: str(folder) in [each.path for each in followed(kindred)])
    qtbot.waitUntil(lambda: dialog.list.count() == 2)
    qtbot.keyClicks(dialog.exclude, "draf")
    kindred.window.watched_folders.changed.emit()  # such as a disk that cannot be read any more
    assert dialog.exclude.text() == "draf"
    dialog.list.setCurrentRow(1 - dialog.list.currentRow())
    assert dialog.exclude.text() == "", "that of another folder"


def test_watched_folders_are_scanned_at_the_start(make: Callable[..., Kindred], files: Path, qtbot: QtBot) -> None:
    kindred = make(show=False)
    kindred.library.watched_folders.watch(WatchedFolder(str(files)))
    kindred.window.painted.connect(kindred.window.start)
    kindred.window.show()
    qtbot.waitUntil(lambda: are_read(kindred, 2))


def test_a_moved_folder_is_watched_at_its_new_place(
    kindred: Kindred, dialog: WatchedFoldersPage, files: Path, qtbot: QtBot
) -> None:
    dialog.follow(str(files))
    qtbot.waitUntil(lambda: are_read(kindred, 2))
    moved = files.with_name("elsewhere")
    files.rename(moved)
    kindred.window.library_controller.relink_folder(str(files), str(moved))
    qtbot.waitUntil(lambda: kindred.window.watched_folders.folders == [WatchedFolder(str(moved))])
    assert dialog.list.item(0).text() == str(moved)
    (moved / "new.txt").write_text("A new sentence stands here.", "utf-8")
    qtbot.waitUntil(lambda: are_read(kindred, 3))


def test_a_folder_that_reappears_is_watched_again(
    kindred: Kindred, dialog: WatchedFoldersPage, files: Path, qapp: QApplication, qtbot: QtBot
) -> None:
    away = files.with_name("away")
    files.rename(away)
    kindred.library.watched_folders.watch(WatchedFolder(str(files)))
    kindred.window.watched_folders.start()
    qtbot.waitUntil(lambda: dialog.list.count() == 1)
    assert kindred.documents == {}
    away.rename(files)
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    qtbot.waitUntil(lambda: are_read(kindred, 2))
    (files / "new.txt").write_text("A new sentence stands here.", "utf-8")
    qtbot.waitUntil(lambda: are_read(kindred, 3))


def _question(kindred: Kindred) -> QMessageBox | None:
    return next((box for box in kindred.window.findChildren(QMessageBox) if box.isVisible()), None)


def _press(kindred: Kindred, name: str) -> None:
    box = _question(kindred)
    assert box is not None
    next(button for button in box.buttons() if button.accessibleName() == name).click()


@pytest.fixture
def deleted(kindred: Kindred, dialog: WatchedFoldersPage, files: Path, qtbot: QtBot) -> Kindred:
    """A watched folder whose three files were deleted while the window asks what to do."""
    (files / "third.txt").write_text("A third one.", "utf-8")
    dialog.follow(str(files))
    qtbot.waitUntil(lambda: are_read(kindred, 3))
    qtbot.waitUntil(lambda: all(row.volume for row in kindred.library.rows.values()))
    for path in files.iterdir():
        path.unlink()
    qtbot.waitUntil(lambda: _question(kindred) is not None)
    return kindred


def test_documents_of_many_deleted_files_are_kept_as_missing_if_the_person_says_so(
    deleted: Kindred, files: Path, qtbot: QtBot
) -> None:
    box = _question(deleted)
    assert box is not None
    assert box.text() == "The files of 3 documents were deleted from watched folders."
    assert "third.txt" in box.informativeText()
    _press(deleted, "Keep Documents")
    qtbot.waitUntil(lambda: deleted.window.library_pane.missing.text() == "3 not found")
    assert all("File not found" in state for state in deleted.documents.values())
    (files / "new.txt").write_text("A new sentence stands here.", "utf-8")
    qtbot.waitUntil(lambda: len(deleted.documents) == 4)
    assert _question(deleted) is None, "it is not asked again"
    (files / "third.txt").write_text("A third one.", "utf-8")
    qtbot.waitUntil(lambda: deleted.window.library_pane.missing.text() == "2 not found")


def test_documents_of_many_deleted_files_are_removed_if_the_person_says_so(deleted: Kindred, qtbot: QtBot) -> None:
    _press(deleted, "Remove Documents")
    qtbot.waitUntil(lambda: deleted.documents == {})
    assert deleted.window.undo_bar.text == "Removed 3 documents: deleted from watched folders."
    deleted.window.action_table["document.undo_remove"].trigger()
    qtbot.waitUntil(lambda: len(deleted.documents) == 3)


def test_a_folder_that_cannot_be_seen_says_so(
    kindred: Kindred, dialog: WatchedFoldersPage, files: Path, qtbot: QtBot
) -> None:
    dialog.follow(str(files))
    qtbot.waitUntil(lambda: are_read(kindred, 2))
    assert not dialog.unseen.isVisibleTo(dialog)
    files.rename(files.with_name("away"))
    qtbot.waitUntil(lambda: dialog.unseen.isVisibleTo(dialog))
    assert dialog.unseen.text() == f"Can't read {files}: It does not exist. Its documents are kept."
    assert len(kindred.documents) == 2
