"""The whole program: the real window on the real library, encoder and reader."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt

from desktop_app.compose import open_workspace
from desktop_app.core.paths import Paths
from desktop_app.core.settings import LaunchOptions, Settings
from desktop_app.engine.workspace import Workspace
from desktop_app.gui.base.bridge import Bridge
from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.library.model import DOCUMENT_ROLE
from desktop_app.gui.shell.main_window import MainWindow
from tests.gui.conftest import _garbage_on_this_thread, _manager, _no_widget_left, qtbot, rows_below, themes
from tests.kept_model import keep_loaded_model
from tests.patience import PATIENCE_MS

__all__ = ["PATIENCE_MS", "_garbage_on_this_thread", "_manager", "_no_widget_left", "qtbot", "themes"]


_FOLDER = str(Path(__file__).parent)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start child processes and make libraries as the program does, except where the window alone is tested."""
    for item in items:
        if str(item.path).startswith(_FOLDER) and item.get_closest_marker("as_copies") is None:
            item.add_marker(pytest.mark.from_scratch)


@pytest.fixture(autouse=True)
def _loaded_model(request: pytest.FixtureRequest) -> Iterator[None]:
    copies = request.node.get_closest_marker("from_scratch") is None
    with keep_loaded_model() if copies else contextlib.nullcontext():
        yield


DATA = Path(__file__).parents[1] / "data"


@dataclass
class Program:
    """A window and the objects below it."""

    window: MainWindow
    workspace: Workspace
    bridge: Bridge
    faults: list[str]

    @property
    def states(self) -> dict[str, str]:
        """The state of each document in the library pane."""
        rows = rows_below(self.window.library_pane.view.model())
        role = Qt.ItemDataRole.AccessibleTextRole
        return {row.data(): row.data(role) for row in rows if row.data(DOCUMENT_ROLE) is not None}

    @property
    def hits(self) -> list[str]:
        """The sentences that are shown, best first."""
        model = self.window.search_pane.model
        return [model.index(row).data() for row in range(model.rowCount())]


@pytest.fixture
def start(themes: ThemeManager, qtbot, tmp_path: Path) -> Iterator[Callable[..., Program]]:
    """Start the program on a base folder (`settings`: in place of the usual ones; `library`, `shared`, `password`).

    It is closed after the test."""
    running: list[Program] = []

    def begin(base: Path = tmp_path / "base", **options: object) -> Program:
        paths, settings = Paths.under(base), replace(Settings(theme="light"), **options.get("settings", {}))
        place = {name: options[name] for name in ("shared", "password", "models") if name in options}
        library = options.get("library", paths.default_library)
        launch = LaunchOptions(settings, library, writable=True, create=True, may_only_read=True, **place)
        workspace = open_workspace(launch)
        bridge = Bridge()
        window = MainWindow(workspace, bridge, themes, settings, paths, lambda _settings: None)
        program = Program(window, workspace, bridge, [])
        bridge.fault.connect(lambda fault: program.faults.append(str(fault)))
        running.append(program)
        window.painted.connect(lambda: window.start(options.get("files", ())))
        window.show()
        qtbot.waitExposed(window)
        return program

    yield begin
    for program in running:
        end(program)
        assert program.faults == []


def end(program: Program) -> None:
    """Close the program as a person does."""
    if program.workspace.engine.is_alive:
        program.window.close()
        program.workspace.close()
        program.bridge.close()
        program.window.deleteLater()
        program.bridge.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
