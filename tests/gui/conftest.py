"""A window on a real engine and workspace, with library, encoder and reader in memory."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
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
from PySide6.QtWidgets import QApplication, QFileDialog, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.core.jobs import ChangeSet
from desktop_app.core.library import Library
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
from desktop_app.gui.trace.documents_dialog import CompareDocumentsDialog
from desktop_app.gui.trace.pane import TracePane
from tests.gui.fakes import SUFFIXES, FakeEncoder, FakeLibrary, FakeReader, Gate
from tests.patience import PATIENCE_MS, PATIENCE_S

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
    """Fail tests in which Qt warns, and begin each file with the tests that share a window."""
    files: dict[Path, int] = {}
    places = []
    for place, item in enumerate(items):
        if str(item.path).startswith(_FOLDER):
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            # Limits of the offscreen platform are no faults of the program.
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))
            files.setdefault(item.path, len(files))
            places.append(place)
    ordered = sorted(
        (items[place] for place in places),
        key=lambda item: (files[item.path], "shared" not in getattr(item, "fixturenames", ())),
    )
    for place, item in zip(places, ordered, strict=True):
        items[place] = item


@pytest.fixture(autouse=True)
def _garbage_on_this_thread() -> Iterator[None]:
    """Collect cycles only on the window's thread, as the program does.

    Objects from before a test are frozen as in the program: all modules, which need no scan each time. A window of all
    tests of a file is not, or its end would need a scan of everything; it is in the oldest generation, which is not
    scanned before it is closed.
    """
    was_enabled = gc.isenabled()  # not while there is a window of all tests of a file
    gc.disable()
    if _shared_windows:
        gc.collect(1)
    else:
        gc.collect()  # pytest releases the fixtures of the last test only now: frozen, they would stay for good
        gc.freeze()
    yield
    gc.collect(2 if all(kindred.is_closed for kindred in _shared_windows) else 1)
    if was_enabled:
        gc.enable()


@pytest.fixture(autouse=True)
def _no_widget_left(qapp: QApplication, _manager: ThemeManager) -> Iterator[None]:
    """Fail a test that leaves a window or a running timer: close and delete what was opened.

    The application is prepared first: texts of a test without a window depend on it too.
    """
    before = set(QApplication.topLevelWidgets())
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = [each for each in QApplication.topLevelWidgets() if each not in before and not _belongs_to(each, before)]
    assert not left, f"windows left behind: {left}"
    running = [timer for timer in qapp.findChildren(QTimer) if timer.isActive()]
    assert not running, f"timers left behind: {running}"


def _belongs_to(widget: QWidget, windows: set[QWidget]) -> bool:
    """Return whether a hidden widget waits in one of the windows to be shown again, as some dialogs do."""
    owner = widget.parentWidget()
    return not widget.isVisible() and owner is not None and owner.window() in windows


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
    def are_documents_ready(self) -> bool:
        """Whether each document shows only its number of sentences, as it does once it is embedded."""
        return all(state[:1].isdigit() for state in self.documents.values())

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


def make_windows(themes: ThemeManager, qtbot: QtBot, folder: Path) -> Iterator[Callable[..., Kindred]]:
    """Yield what makes windows on a base folder below `folder`; close them afterwards."""
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
        window = MainWindow(workspace, bridge, themes, settings, Paths.under(folder / "base"), saved.append)
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


@pytest.fixture
def make(themes: ThemeManager, qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[..., Kindred]]:
    """Make windows; they are closed after the test. The window of the file's other tests is closed before."""
    for kindred in _shared_windows:
        close(kindred)
    yield from make_windows(themes, qtbot, tmp_path)


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
    return _open_empty(make, qtbot)


def _open_empty(make: Callable[..., Kindred], qtbot: QtBot) -> Kindred:
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
    return write_files(tmp_path)


def write_files(parent: Path) -> Path:
    folder = parent / "papers"
    folder.mkdir()
    (folder / "sea.txt").write_text(SEA, "utf-8")
    (folder / "tags.md").write_text("This sentence holds <b>tags</b> & signs.\nSea walls cost money.", "utf-8")
    return folder


@pytest.fixture
def filled(kindred: Kindred, files: Path, qtbot: QtBot) -> Kindred:
    """A window with two documents that are ready."""
    return import_files(kindred, files, qtbot)


def import_files(kindred: Kindred, files: Path, qtbot: QtBot) -> Kindred:
    kindred.window.imports.start([str(files)])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 2)
    qtbot.waitUntil(lambda: kindred.are_documents_ready)
    return kindred


_shared_windows: list[Kindred] = []


def open_filled(make: Callable[..., Kindred], folder: Path, qtbot: QtBot) -> Kindred:
    kindred = import_files(_open_empty(make, qtbot), write_files(folder), qtbot)
    search(kindred, qtbot, "bread")  # starts the thread of queries, which stays
    qtbot.waitUntil(lambda: kindred.window.reader.shown is not None)
    _empty_search(kindred, qtbot)
    _close_documents(kindred)
    return kindred


@pytest.fixture(scope="module")
def open_shared() -> Callable[[Callable[..., Kindred], Path, QtBot], Kindred]:
    """Return what opens the window that the tests of a file share; a file that needs another one has its own.

    It gets a function that makes windows, an empty folder, and a bot to wait with.
    """

    return open_filled


@pytest.fixture(scope="module")
def _window_of_the_file(
    _manager: ThemeManager,
    open_shared: Callable[..., Kindred],
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Kindred]:
    gc.disable()  # also between the tests: see `_garbage_on_this_thread`
    gc.collect()
    gc.freeze()
    qtbot, folder = PatientBot(request), tmp_path_factory.mktemp("shared")
    makers = make_windows(_manager, qtbot, folder)
    kindred = open_shared(next(makers), folder, qtbot)
    _shared_windows.append(kindred)
    yield kindred
    next(makers, None)
    _shared_windows.clear()
    gc.collect()
    gc.enable()


@pytest.fixture
def shared(
    _window_of_the_file: Kindred,
    open_shared: Callable[..., Kindred],
    themes: ThemeManager,
    qtbot: QtBot,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Kindred]:
    """As `filled`, but one window for all tests of a file: to open one takes ten times as long as most tests.

    A test closes the dialogs that it has opened. The pane, the query with its mode and filters, the selection, the
    reader, the size and the settings are put back, and what the person has kept is removed; all else must be as it was
    before, or the test fails.
    """
    kindred = _window_of_the_file
    if kindred.is_closed:  # by a test with a window of its own; these come last, unless their order is chosen
        yield open_shared(request.getfixturevalue("make"), tmp_path_factory.mktemp("alone"), qtbot)
        return
    window = kindred.window
    window.activateWindow()
    size, settings, before = window.size(), window.context.settings, _visible_state(kindred)
    kindred.saved.clear()
    yield kindred
    try:
        for gate in (kindred.reading, kindred.querying, kindred.loading):
            gate.open()
        window.resize(size)
        window.action_table[f"view.theme.{settings.theme}"].trigger()
        if window.context.settings != settings:
            window.context.change_settings(**{each.name: getattr(settings, each.name) for each in fields(settings)})
        window.action_table["pane.search"].trigger()
        _choose_as_before(kindred, before)
        window.search_pane.scope.clear()
        window.search_pane.threshold.set_min_score(-1.0)
        _empty_search(kindred, qtbot)
        _close_documents(kindred)
        kindred.workspace.change(_forget_what_was_kept, ChangeSet(searches=True)).wait(PATIENCE_S)
        window.library_pane.view.clearSelection()
        window.notice.say("")
        window.notice.hide()
        QToolTip.hideText()

        def is_as_before() -> None:
            assert _visible_state(kindred) == before

        qtbot.waitUntil(is_as_before)
    except BaseException:
        close(kindred)  # the next test does not suffer from it
        raise


def _empty_search(kindred: Kindred, qtbot: QtBot) -> None:
    kindred.window.search.box.clear()
    qtbot.waitUntil(lambda: not kindred.window.search.controller.is_waiting and not kindred.hits)


def _forget_what_was_kept(library: Library) -> None:
    """Remove queries, saved searches, quotes and judgements."""
    kept, labels = library.user_data, library.pair_labels
    kept.forget_queries()
    for search in kept.saved_searches():
        kept.delete_search(search.search_id)
    kept.delete_quotes([quote.quote_id for quote in kept.quotes()])
    for judgement in kept.judgements():
        kept.judge(judgement.query, judgement.sentence_id, None)
    for pair in labels.labelled_pairs():
        labels.judge(pair.a, pair.b, None)


def _choose_as_before(kindred: Kindred, states: dict[str, Any]) -> None:
    """Check the modes and filters that were checked, and no others."""
    for spec, action in kindred.window.action_table.rows():
        was_checked, group = states[spec.id][1], action.actionGroup()
        if action.isCheckable() and action.isChecked() != was_checked and (was_checked or group is None):
            action.trigger()


def _close_documents(kindred: Kindred) -> None:
    reader = kindred.window.reader_controller
    for _ in reader.open_documents[0]:
        reader.close_tab()


def _visible_state(kindred: Kindred) -> dict[str, Any]:
    """What a person sees of a window, and what it keeps for its next start."""
    window = kindred.window
    return {
        "documents": kindred.documents,
        "hits": kindred.hits,
        "state": kindred.kind,
        "searches": window.search.history.searches,
        "settings": window.context.settings,
        "reader": window.reader.shown is not None,
        "notice": window.notice.text if window.notice.isVisible() else "",
        **{spec.id: (action.isEnabled(), action.isChecked()) for spec, action in window.action_table.rows()},
        "others": {type(each) for each in QApplication.topLevelWidgets() if each.isVisible() and each is not window},
    }


def search(kindred: Kindred, qtbot: QtBot, text: str) -> None:
    """Type a query and wait for its answer."""
    kindred.window.search.box.clear()
    qtbot.keyClicks(kindred.window.search.box, text)
    qtbot.waitUntil(lambda: not kindred.window.search.controller.is_waiting)


def drop(
    widget: QWidget,
    paths: Sequence[Path | str],
    *,
    let_go: bool = True,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> bool:
    """Drag files over `widget` and drop them; return whether they were accepted, as copies.

    Args:
        widget: where the pointer is.
        paths: the files.
        let_go: whether to drop them.
        keys: held meanwhile; Shift asks to move the files.
    """
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    data.setText("\n".join(str(path) for path in paths))  # as file managers do
    action, left = Qt.DropAction, Qt.MouseButton.LeftButton
    offered = action.CopyAction | action.MoveAction
    entering = QDragEnterEvent(QPoint(5, 5), offered, data, left, keys)
    entering.ignore()
    QApplication.sendEvent(widget, entering)
    if not entering.isAccepted() or not let_go:
        return entering.isAccepted()
    dropping = QDropEvent(QPoint(5, 5).toPointF(), offered, data, left, keys)
    dropping.ignore()
    QApplication.sendEvent(widget, dropping)
    return dropping.isAccepted() and dropping.dropAction() == action.CopyAction


def save(view: TracePane | CompareDocumentsDialog, file: Path) -> None:
    """Export to a file as the person does: choose it in a dialog."""
    view.choose_export()
    dialog = next(each for each in view.findChildren(QFileDialog) if each.isVisible())
    dialog.fileSelected.emit(str(file))
    dialog.close()


def choose(kindred: Kindred, *names: str) -> None:
    """Select documents and folders of the library, and put the focus there."""
    view = kindred.window.library_pane.view
    view.clearSelection()
    for name in names:
        view.selectionModel().setCurrentIndex(kindred.row(name), view.selectionModel().SelectionFlag.Select)
    view.setFocus()
