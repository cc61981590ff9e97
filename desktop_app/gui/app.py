"""The window's start and end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QSettings
from PySide6.QtWidgets import QApplication

import desktop_app
from desktop_app.gui import language
from desktop_app.gui.bridge import Bridge
from desktop_app.gui.dialogs.fault import FaultDialog
from desktop_app.gui.garbage import GarbageCollector
from desktop_app.gui.icons import application_icon
from desktop_app.gui.instance import Instance, bring_to_front
from desktop_app.gui.main_window import MainWindow
from desktop_app.gui.reporting import Reporter
from desktop_app.gui.signals import EndSignals
from desktop_app.gui.theme import ThemeManager
from desktop_app.gui.watchdog import Watchdog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.paths import Paths
    from desktop_app.core.settings import Settings
    from desktop_app.engine.workspace import Workspace


_NAME = "kindred"  # what window managers know its windows by, as the launcher's StartupWMClass says


def run(
    make_workspace: Callable[[], Workspace],
    settings: Settings,
    paths: Paths,
    files: Sequence[str],
    save_settings: Callable[[Settings], None],
    library: Path | None = None,
    restart: Callable[[], None] | None = None,
    broken_settings: Path | None = None,
) -> int:
    """Show the window until it is closed, or hand `files` to the one that is open already.

    The window is painted before anything heavy is asked for; then the library is opened, its model loaded, and
    `files` are taken in.

    Args:
        make_workspace: returns, without delay, what the window works on; it is closed at the end.
        settings: as they are now.
        paths: where the window keeps its place.
        files: to import.
        save_settings: keeps changed settings; may raise OSError.
        library: the folder that one window at a time is for; None: the default one.
        broken_settings: where settings were put that could not be read; None: they could.
        restart: starts the program anew; called when everything is closed, if that was wanted. None: it cannot be.

    Returns:
        the exit status: 0, or 128 and the number of the signal that closed it.

    Raises:
        LibraryBusy: another window holds the library and does not answer.
    """
    # Qt's file dialog keeps its history in a file of its own: with ours, where there is one.
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(paths.config))
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication([_NAME])
    instance = Instance(paths.config, library or paths.default_library, app)
    if not instance.claim(files := [str(Path(file).absolute()) for file in files]):
        return 0
    workspace = make_workspace()
    reporter = Reporter(app)
    reporter.install()
    garbage = GarbageCollector(app)
    watchdog = Watchdog(app)
    bridge = Bridge(app)
    signals = EndSignals(app)
    bridge.fault.connect(reporter.take)
    try:
        themes = prepare(app, settings)
        window = MainWindow(workspace, bridge, themes, settings, paths, save_settings)
        window.tools.can_restart = restart is not None
        show_faults(reporter, window)
        window.painted.connect(lambda: window.start(files))
        if broken_settings is not None:
            window.tell(
                window.tr(
                    "The settings could not be read, and the defaults are used. The file is kept as {file}."
                ).format(file=broken_settings)
            )
        window.session.changed.connect(lambda: garbage.settle() if window.session.phase == "ready" else None)
        signals.received.connect(lambda _number: (app.closeAllWindows(), app.quit()))
        instance.received.connect(window.take_in)
        instance.received.connect(lambda _files, token: bring_to_front(window, token))
        window.show()
        watchdog.start()
        status = app.exec()
    finally:
        watchdog.stop()
        instance.close()
        # The window is hidden by now; what the engine still writes may take a moment.
        workspace.close()
        bridge.close()
        garbage.stop()
        reporter.uninstall()
        instance.release()
        signals.stop()
    if signals.status is not None:
        return signals.status
    if restart is not None and window.tools.wants_restart:
        restart()
    return status


def prepare(app: QApplication, settings: Settings) -> ThemeManager:
    """Give the application its name, language, icon, font and colours."""
    QCoreApplication.setApplicationName("Kindred")
    QCoreApplication.setApplicationVersion(desktop_app.__version__)
    app.setApplicationDisplayName("Kindred")
    app.setDesktopFileName("kindred")
    language.install(app, settings.language)
    app.setWindowIcon(application_icon())
    return ThemeManager(app, settings.theme)


def show_faults(reporter: Reporter, window: MainWindow) -> None:
    """Show reports in a dialog above `window`: one at a time, however many come."""

    def show(report: str) -> None:
        dialog = window.findChild(FaultDialog)
        if dialog is None:
            FaultDialog(report, window).open()
        else:
            dialog.add(report)

    reporter.reported.connect(show)
