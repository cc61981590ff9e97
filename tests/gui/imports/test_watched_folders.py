"""Watched folders in the window: chosen, watched, unwatched, and the verdict of their patterns on a path."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.core.records import WatchedFolder
from desktop_app.gui.imports.watched_folders import WatchedFoldersPage
from tests.gui.conftest import Kindred


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
    assert not dialog.remove.isEnabled()
    dialog.follow(str(files))
    qtbot.waitUntil(lambda: are_read(kindred, 2))
    assert dialog.list.count() == 1
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
        ("a.txt", "It is taken."),
        ("drafts/a.txt", "It is left out: drafts matches."),
        ("../a.txt", "It does not lie in this folder."),
        ("a.exe", "It is left out: hidden, or no kind of file that is read."),
        ("", ""),
    ):
        dialog.probe.setText(path)
        assert dialog.verdict.text() == verdict


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
