"""Switching to another library without restarting the program."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.core.errors import StorageFull
from desktop_app.core.library_place import LibraryPlace
from desktop_app.core.links import LibraryLink, format_link
from desktop_app.core.paths import LIBRARY_DATABASE, Paths
from desktop_app.core.settings import Settings
from desktop_app.core.training import TrainingRequest
from desktop_app.core.training_settings import TrainingSettings
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.workspace import Workspace
from desktop_app.gui.base.fault_reporter import FaultReporter
from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.shell.libraries import LibrariesController
from desktop_app.gui.shell.main_window import MainWindow
from desktop_app.gui.shell.single_instance import SingleInstance
from tests.gui.fakes import SUFFIXES, FakeEncoder, FakeLibrary, FakeReader, Gate
from tests.patience import PATIENCE_S


class EndlessTask:
    """A training that trains for ever."""

    is_finished = False

    def poll(self) -> None:
        pass

    def cancel(self) -> None:
        pass

    def close(self) -> None:
        pass


@dataclass
class Desk:
    """Libraries in memory, each with a folder on disk; one of them is shown."""

    base: Path
    libraries: LibrariesController
    stored: dict[Path, FakeLibrary] = field(default_factory=dict)
    saved: list[Settings] = field(default_factory=list)
    broken: set[Path] = field(default_factory=set)
    reading: Gate = field(default_factory=Gate)

    def workspace(self, folder: Path, _settings: Settings | None = None) -> Workspace:
        def open_library() -> FakeLibrary:
            if folder in self.broken:
                raise StorageFull("The disk is full", "Make room.")
            library = self.stored.setdefault(folder, FakeLibrary())
            library.closed = False
            return library

        return Workspace(
            EngineSetup(
                open_library=open_library,
                load_encoder=lambda _: FakeEncoder(),
                start_reader=lambda: FakeReader(self.reading),
                is_supported=lambda path: path.endswith(SUFFIXES),
                choose_device=lambda _: FakeEncoder.device,
                start_task=lambda _task, _request: EndlessTask(),
            )
        )

    def folder(self, name: str) -> Path:
        """Return a folder that is taken for that of a library."""
        folder = self.base / name
        folder.mkdir(exist_ok=True)
        (folder / LIBRARY_DATABASE).touch()
        return folder

    @property
    def window(self) -> MainWindow:
        return self.libraries.window

    def is_shown(self, folder: Path) -> bool:
        """Return whether a library is shown and no other one is open."""
        return (
            self.window.library_switch.place == folder
            and self.window.session.phase == "ready"
            and not self.libraries._closing
            and [each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow)] == [self.window]
        )


@pytest.fixture
def desk(themes: ThemeManager, tmp_path: Path, qapp: QApplication, qtbot: QtBot) -> Iterator[Desk]:
    reporter = FaultReporter(qapp)
    paths = Paths.under(tmp_path / "base")
    made: list[Desk] = []

    def make(place: LibraryPlace, settings: Settings, _password: str | None) -> Workspace:
        assert isinstance(place, Path)
        return made[0].workspace(place, settings)

    libraries = LibrariesController(themes, paths, lambda new: made[0].saved.append(new), make, reporter, qapp)
    desk = Desk(tmp_path, libraries)
    made.append(desk)
    paths.default_library.mkdir(parents=True)
    (paths.default_library / LIBRARY_DATABASE).touch()
    instance = SingleInstance(paths.config, paths.default_library, qapp)
    assert instance.claim([])
    workspace = desk.workspace(paths.default_library)
    libraries.open_first(paths.default_library, instance, workspace, Settings(theme="light"), []).show()
    del workspace  # only the libraries hold references to open objects
    instance.setParent(libraries)
    qtbot.waitUntil(lambda: desk.window.session.phase == "ready")
    yield desk
    desk.reading.open()
    window = desk.window
    window.close()
    libraries.stop_listening()
    libraries.close(hurry=False)
    for each in (window, libraries, reporter):
        each.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def titles(desk: Desk) -> list[str]:
    """Return the titles in the list of documents."""
    return sorted(leaf.document.title for leaf in desk.window.documents.forest.leaves.values())


def test_another_library_replaces_the_open_one(desk: Desk, qtbot: QtBot, files: Path) -> None:
    default, other = desk.window.library_switch.place, desk.folder("other")
    desk.window.imports.start([str(files / "sea.txt")])
    qtbot.waitUntil(lambda: len(titles(desk)) == 1 and not desk.window.imports.is_running)
    desk.window.search.box.setText("the sea")

    desk.window.library_switch.use_library(other, new=False)
    qtbot.waitUntil(lambda: desk.is_shown(other))
    assert titles(desk) == []
    assert desk.window.search.box.text() == ""
    assert desk.stored[default].closed
    assert desk.saved[-1].library == str(other)
    assert desk.window.windowTitle() == "other \N{EM DASH} Kindred"
    assert not SingleInstance(desk.window.context.state_file.parent, other)._lock.tryLock(0), "it is this window's now"
    free = SingleInstance(desk.window.context.state_file.parent, default)
    assert free.claim([]), "and the other one is free"
    free.release()

    desk.window.notice.pressed.emit()  # back
    qtbot.waitUntil(lambda: desk.is_shown(default))
    qtbot.waitUntil(lambda: titles(desk) == ["sea"])
    assert desk.saved[-1].library == ""
    assert desk.window.windowTitle() == "Kindred"


def test_a_link_into_a_library_that_is_just_closing_is_followed(
    desk: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    default, other, may_close = desk.window.library_switch.place, desk.folder("other"), threading.Event()
    link = format_link(LibraryLink(desk.window.context.library_identity, query="salt marshes"))
    close = Workspace.close

    def close_late(workspace: Workspace, *, hurry: bool = False) -> None:
        may_close.wait(PATIENCE_S)
        close(workspace, hurry=hurry)

    with monkeypatch.context() as late:
        late.setattr(Workspace, "close", close_late)
        desk.window.library_switch.use_library(other, new=False)
        qtbot.waitUntil(lambda: desk.window.library_switch.place == other)
        desk.libraries.open_library(default, link)
        may_close.set()
        qtbot.waitUntil(lambda: desk.is_shown(default))
    qtbot.waitUntil(lambda: desk.window.search.box.text() == "salt marshes")


def test_f1_opens_the_manual_while_the_former_library_still_closes(
    desk: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, may_close = desk.folder("other"), threading.Event()
    close = Workspace.close

    def close_late(workspace: Workspace, *, hurry: bool = False) -> None:
        may_close.wait(PATIENCE_S)
        close(workspace, hurry=hurry)

    def offers_manual(window: QWidget) -> list[QAction]:
        return [each for each in window.actions() if QKeySequence("F1") in each.shortcuts()]

    monkeypatch.setattr(Workspace, "close", close_late)
    try:
        desk.window.library_switch.use_library(other, new=False)
        qtbot.waitUntil(lambda: desk.window.library_switch.place == other and desk.window.isActiveWindow())
        assert desk.libraries._closing
        desk.window.search.box.setFocus()
        manual = desk.window.action_table["app.manual"]
        assert offers_manual(desk.window) == [manual], "two would be ambiguous, and neither would run"
        desk.window.action_table["app.about"].trigger()
        dialog = QApplication.activeModalWidget()
        qtbot.waitUntil(lambda: dialog.isActiveWindow() and bool(offers_manual(dialog)))
        assert offers_manual(dialog) == [manual]
        dialog.close()
    finally:
        may_close.set()
    qtbot.waitUntil(lambda: desk.is_shown(other))


def test_a_library_that_cannot_be_opened_does_not_change_the_open_one(desk: Desk, qtbot: QtBot, files: Path) -> None:
    other = desk.folder("other")
    desk.broken.add(other)
    desk.reading.shut()
    desk.window.imports.start([str(files)])
    qtbot.waitUntil(lambda: desk.window.imports.is_running)
    before = desk.window
    before.library_switch.use_library(other, new=False)
    qtbot.waitUntil(lambda: "The disk is full" in before.notice.text and not desk.libraries._closing)
    assert "Default library stays open." in before.notice.text
    assert desk.window is before
    assert before.imports.is_running, "the running job continues"
    assert desk.saved == []
    desk.broken.clear()
    before.library_switch.use_library(other, new=False)
    qtbot.waitUntil(lambda: desk.is_shown(other))


def test_running_jobs_stop_and_resume_when_their_library_is_reopened(desk: Desk, qtbot: QtBot, files: Path) -> None:
    default, other = desk.window.library_switch.place, desk.folder("other")
    desk.reading.shut()
    desk.window.imports.start([str(files)])
    qtbot.waitUntil(lambda: len(titles(desk)) == 2 and desk.window.imports.is_running)
    desk.window.library_switch.use_library(other, new=False)
    qtbot.waitUntil(lambda: desk.window.library_switch.place == other)
    desk.window.library_switch.use_library(default, new=False)  # while it is still being closed
    desk.reading.open()
    qtbot.waitUntil(lambda: desk.is_shown(default))
    qtbot.waitUntil(lambda: {leaf.document.state for leaf in desk.window.documents.forest.leaves.values()} == {"ready"})
    assert titles(desk) == ["sea", "tags"]


def test_a_library_says_that_the_training_of_the_former_one_has_stopped(desk: Desk, qtbot: QtBot) -> None:
    default, other = desk.window.library_switch.place, desk.folder("other")
    desk.libraries.workspace.training.train(TrainingRequest((), str(desk.base / "model"), TrainingSettings()))
    desk.window.library_switch.use_library(other, new=False)
    qtbot.waitUntil(lambda: desk.is_shown(other))
    assert "The training has stopped; you can resume it in Train" in desk.window.notice.text
    desk.window.library_switch.use_library(default, new=False)
    qtbot.waitUntil(lambda: desk.is_shown(default))
    assert desk.window.notice.text == "Switched from other. Its tasks resume when you reopen it."


def test_nothing_of_a_closed_library_stays_in_memory(desk: Desk, qtbot: QtBot) -> None:
    kept = [weakref.ref(desk.libraries.workspace), weakref.ref(desk.window), weakref.ref(desk.window.documents)]
    threads = threading.active_count()
    folders = [desk.folder("first"), desk.folder("second"), desk.window.library_switch.place]
    for folder in folders:
        desk.window.library_switch.use_library(folder, new=False)
        qtbot.waitUntil(lambda folder=folder: desk.is_shown(folder))

    def is_all_gone() -> bool:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
        return [each() for each in kept] == [None, None, None] and threading.active_count() == threads

    qtbot.waitUntil(is_all_gone)


def test_opening_the_current_library_or_one_of_another_window_is_reported(desk: Desk, qtbot: QtBot) -> None:
    before = desk.window
    before.library_switch.use_library(before.library_switch.place, new=False)
    assert "already open" in before.notice.text
    other = desk.folder("other")
    held = SingleInstance(before.context.state_file.parent, other)
    assert held._lock.tryLock(0)
    before.library_switch.use_library(other, new=False)
    assert "does not respond" in before.notice.text
    held.release()
    assert desk.window is before


def test_a_new_library_is_created_in_an_empty_folder(desk: Desk, qtbot: QtBot) -> None:
    new = desk.base / "brand new"
    desk.window.library_switch.use_library(new, new=True)
    qtbot.waitUntil(lambda: desk.is_shown(new))
    assert new in desk.stored


def test_recent_libraries_are_offered_latest_first(desk: Desk, qtbot: QtBot) -> None:
    default, first, second = desk.window.library_switch.place, desk.folder("first"), desk.folder("second & last")
    for folder in (first, second):
        desk.window.library_switch.use_library(folder, new=False)
        qtbot.waitUntil(lambda folder=folder: desk.is_shown(folder))

    def offered() -> list[tuple[str, bool]]:
        menu = desk.window.menus.recent
        assert isinstance(menu, QMenu)
        menu.aboutToShow.emit()
        return [(action.toolTip(), action.isChecked()) for action in menu.actions() if not action.isSeparator()]

    assert offered() == [(str(default), False), (str(second), True), (str(first), False)]
    (first / LIBRARY_DATABASE).unlink()
    action = next(each for each in desk.window.menus.recent.actions() if each.toolTip() == str(first))
    action.trigger()
    assert "No Kindred library" in desk.window.notice.text
    assert str(first) not in dict(offered())


def test_a_library_that_waits_to_be_opened_gives_way_to_a_later_choice(
    desk: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    default, other, may_close = desk.window.library_switch.place, desk.folder("other"), threading.Event()
    close = Workspace.close

    def close_late(workspace: Workspace, *, hurry: bool = False) -> None:
        may_close.wait(PATIENCE_S)
        close(workspace, hurry=hurry)

    with monkeypatch.context() as late:
        late.setattr(Workspace, "close", close_late)
        desk.window.library_switch.use_library(other, new=False)
        qtbot.waitUntil(lambda: desk.window.library_switch.place == other)
        desk.libraries.open_library(default)  # it is still closing
        desk.libraries.open_library(other)
        may_close.set()
        qtbot.waitUntil(lambda: desk.is_shown(other))
    assert desk.libraries._open_when_closed is None
    assert desk.libraries._opening is None
