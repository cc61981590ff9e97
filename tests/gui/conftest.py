"""A window on a real engine and workspace, with library, encoder and reader in memory."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import (
    QAbstractItemModel,
    QCoreApplication,
    QEvent,
    QMimeData,
    QModelIndex,
    QPoint,
    Qt,
    QTimer,
    QUrl,
    SignalInstance,
)
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.core.paths import Paths
from desktop_app.core.ports import PairScorer, ProcessTask
from desktop_app.core.settings import Settings
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.workspace import Workspace
from desktop_app.gui.base.bridge import Bridge
from desktop_app.gui.base.theme import LIGHT, ThemeManager
from desktop_app.gui.library.model import DOCUMENT_ROLE
from desktop_app.gui.shell import window_language
from desktop_app.gui.shell.app import prepare_application
from desktop_app.gui.shell.main_window import MainWindow
from tests.gui.fakes import SUFFIXES, FakeEncoder, FakeLibrary, FakeReader, Gate
from tests.patience import PATIENCE_MS

_TOP = QModelIndex()


class PatientBot(QtBot):
    """Waits as long as a busy machine may need; pytest-qt gives up after five seconds."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: SignalInstance, *, timeout: int = PATIENCE_MS, **more: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **more)

    def waitExposed(self, widget: QWidget, *, timeout: int = PATIENCE_MS) -> Any:
        return super().waitExposed(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


_FOLDER = str(Path(__file__).parent)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if str(item.path).startswith(_FOLDER):
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            # Limits of the offscreen platform are no faults of the program.
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))


@pytest.fixture(autouse=True)
def _garbage_on_this_thread() -> Iterator[None]:
    """Collect cycles only on the window's thread, as the program does.

    Objects from before a test are frozen as in the program: all modules, which need no scan each time.
    """
    gc.disable()
    gc.collect()  # pytest releases the fixtures of the last test only now: frozen, they would stay for good
    gc.freeze()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def _no_widget_left(qapp: QApplication) -> Iterator[None]:
    """Fail a test that leaves a window or a running timer: close and delete what was opened."""
    before = set(QApplication.topLevelWidgets())
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = [widget for widget in QApplication.topLevelWidgets() if widget not in before]
    assert not left, f"windows left behind: {left}"
    running = [timer for timer in qapp.findChildren(QTimer) if timer.isActive()]
    assert not running, f"timers left behind: {running}"


@functools.cache
def _prepared(app: QApplication) -> ThemeManager:
    """One for the application, as in the program: it knows what it applied; all tests share it."""
    return prepare_application(app, Settings(theme="light"))


@pytest.fixture(scope="session")
def _manager(qapp: QApplication) -> ThemeManager:
    """Created before anything that a test installs itself, such as a translator."""
    return _prepared(qapp)


@pytest.fixture
def themes(_manager: ThemeManager) -> Iterator[ThemeManager]:
    assert _manager.theme is LIGHT
    yield _manager
    _manager.choose("light")  # whatever a test chose, at random (the monkey) or not


@pytest.fixture(params=["en", "de"])
def language(request: pytest.FixtureRequest, qapp: QApplication, themes: ThemeManager) -> Iterator[str]:
    yield window_language.install_language(qapp, request.param)
    window_language.install_language(qapp, "en")


def rows_below(model: QAbstractItemModel, parent: QModelIndex = _TOP) -> Iterator[QModelIndex]:
    """The rows of a tree, from top to bottom."""
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        yield index
        yield from rows_below(model, index)


@dataclass
class Kindred:
    """A window and the objects below it."""

    window: MainWindow
    workspace: Workspace
    bridge: Bridge
    library: FakeLibrary
    reading: Gate
    querying: Gate
    loading: Gate
    saved: list[Settings] = field(default_factory=list)
    is_closed: bool = False

    @property
    def documents(self) -> dict[str, str]:
        """The state of each listed document by its name."""
        rows = [row for row in self.rows if row.data(DOCUMENT_ROLE) is not None]
        return {row.data(): row.data(Qt.ItemDataRole.AccessibleTextRole).split(", ", 1)[1] for row in rows}

    @property
    def rows(self) -> list[QModelIndex]:
        """The rows of the library's tree, from top to bottom."""
        return list(rows_below(self.window.documents))

    def row(self, name: str) -> QModelIndex:
        """The row of a document or folder."""
        return next(row for row in self.rows if row.data() == name)

    @property
    def hits(self) -> list[str]:
        """The sentences shown as hits."""
        model = self.window.search_pane.model
        return [model.index(row).data() for row in range(model.rowCount())]

    @property
    def kind(self) -> str:
        """The state shown in place of hits; empty if hits are shown."""
        pane = self.window.search_pane
        return pane.state._view.kind if pane.state.isVisible() else ""

    @property
    def is_quiet(self) -> bool:
        return not self.window.imports.is_running


@pytest.fixture
def make(themes: ThemeManager, qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[..., Kindred]]:
    """Make windows; they are closed after the test."""
    made: list[Kindred] = []

    def build(
        *,
        library: FakeLibrary | None = None,
        open_library: Callable[[], FakeLibrary] | None = None,
        loaded: bool = True,
        undo_s: float = 30.0,
        shortcuts: dict[str, str] | None = None,
        show: bool = True,
        files: Sequence[str] = (),
        start_work: Callable[[str, object], ProcessTask] | None = None,
        load_scorer: Callable[[str], PairScorer] | None = None,
    ) -> Kindred:
        library = library or FakeLibrary()
        reading, querying, loading = Gate(), Gate(), Gate(is_open=loaded)

        def load_encoder(_model: object) -> FakeEncoder:
            loading.pass_through()
            return FakeEncoder(querying)

        workspace = Workspace(
            EngineSetup(
                open_library=open_library or (lambda: library),
                load_encoder=load_encoder,
                start_reader=lambda: FakeReader(reading),
                is_supported=lambda path: path.endswith(SUFFIXES),
                choose_device=lambda _: FakeEncoder.device,
                start_task=start_work,
                load_scorer=load_scorer,
            )
        )
        bridge = Bridge()
        saved: list[Settings] = []
        settings = Settings(theme="light", undo_s=undo_s, shortcuts=shortcuts or {})
        window = MainWindow(workspace, bridge, themes, settings, Paths.under(tmp_path / "base"), saved.append)
        kindred = Kindred(window, workspace, bridge, library, reading, querying, loading, saved)
        made.append(kindred)
        if show:
            window.painted.connect(lambda: window.start(files))
            window.show()
            qtbot.waitExposed(window)
            window.activateWindow()
        return kindred

    yield build
    for kindred in made:
        close(kindred)


def close(kindred: Kindred) -> None:
    """Close a window like the program; closing it again does nothing."""
    if kindred.is_closed:
        return
    kindred.is_closed = True
    for gate in (kindred.reading, kindred.querying, kindred.loading):
        gate.open()
    kindred.window.close()
    kindred.workspace.close()
    kindred.bridge.close()
    kindred.window.deleteLater()
    kindred.bridge.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def kindred(make: Callable[..., Kindred], qtbot: QtBot) -> Kindred:
    """A window that is ready, on an empty library."""
    made = make()
    qtbot.waitUntil(lambda: made.window.session.phase == "ready" and made.kind == "no_documents")
    return made


SEA = """The sea rises because warm water takes more room.
Coastal towns have to adapt their drains.
Salt marshes break the force of the waves.
Bread is mostly waiting.
A dough rests overnight in a cool kitchen."""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with two documents."""
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "sea.txt").write_text(SEA, "utf-8")
    (folder / "tags.md").write_text("This sentence holds <b>tags</b> & signs.\nSea walls cost money.", "utf-8")
    return folder


@pytest.fixture
def filled(kindred: Kindred, files: Path, qtbot: QtBot) -> Kindred:
    """A window with two documents that are ready."""
    kindred.window.imports.start([str(files)])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 2)
    qtbot.waitUntil(lambda: all("sentences" in state for state in kindred.documents.values()))
    return kindred


def search(kindred: Kindred, qtbot: QtBot, text: str) -> None:
    """Type a query and wait for its answer."""
    kindred.window.search.box.clear()
    qtbot.keyClicks(kindred.window.search.box, text)
    qtbot.waitUntil(lambda: not kindred.window.search.controller.is_waiting)


def drop(widget: QWidget, paths: Sequence[Path | str], *, let_go: bool = True) -> bool:
    """Drag files over `widget` and drop them; return whether they were accepted."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    data.setText("\n".join(str(path) for path in paths))  # as file managers do
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(5, 5), copy, data, left, none)
    entering.ignore()
    QApplication.sendEvent(widget, entering)
    if not entering.isAccepted() or not let_go:
        return entering.isAccepted()
    dropping = QDropEvent(QPoint(5, 5).toPointF(), copy, data, left, none)
    dropping.ignore()
    QApplication.sendEvent(widget, dropping)
    return dropping.isAccepted()


def choose(kindred: Kindred, *names: str) -> None:
    """Select documents and folders of the library, and put the focus there."""
    view = kindred.window.library_pane.view
    view.clearSelection()
    for name in names:
        view.selectionModel().setCurrentIndex(kindred.row(name), view.selectionModel().SelectionFlag.Select)
    view.setFocus()
