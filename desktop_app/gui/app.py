"""The window's start and end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QSettings
from PySide6.QtWidgets import QApplication

import desktop_app
from desktop_app.gui import language
from desktop_app.gui.application import Application
from desktop_app.gui.garbage import GarbageCollector
from desktop_app.gui.icons import application_icon
from desktop_app.gui.instance import Instance
from desktop_app.gui.libraries import Libraries, show_fault
from desktop_app.gui.reporting import Reporter
from desktop_app.gui.signals import EndSignals
from desktop_app.gui.sources import leave_sources_unread
from desktop_app.gui.theme import ThemeManager
from desktop_app.gui.watchdog import Watchdog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.paths import Paths
    from desktop_app.core.settings import Settings
    from desktop_app.engine.workspace import Workspace
    from desktop_app.gui.main_window import MainWindow


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
    make_other: Callable[[Path, Settings], Workspace] | None = None,
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
        make_other: as `make_workspace`, for the library in another folder, with the settings as they are then; None:
            the window goes over to no other library.
        restart: starts the program anew; called when everything is closed, if that was wanted. None: it cannot be.

    Returns:
        the exit status: 0, or 128 and the number of the signal that closed it.

    Raises:
        LibraryBusy: another window holds the library and does not answer.
    """
    # Qt's file dialog keeps its history in a file of its own: with ours, where there is one.
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(paths.config))
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else Application([_NAME])
    folder = (library or paths.default_library).absolute()
    instance = Instance(paths.config, folder, app)
    if not instance.claim(files := [str(Path(file).absolute()) for file in files]):
        return 0
    workspace = make_workspace()
    reporter = Reporter(app)
    reporter.install()
    garbage = GarbageCollector(app)
    watchdog = Watchdog(app)
    signals = EndSignals(app)
    libraries: Libraries | None = None
    try:
        themes = prepare(app, settings)
        libraries = Libraries(themes, paths, save_settings, make_other, reporter, app, can_restart=restart is not None)
        window = libraries.begin(folder, instance, workspace, settings, files)
        if broken_settings is not None:
            window.tell(
                window.tr(
                    "The settings could not be read, and the defaults are used. The file is kept as {file}."
                ).format(file=broken_settings)
            )
        if isinstance(app, Application):
            app.opened.connect(libraries.take_in)
        _settle_when_ready(window, garbage)
        libraries.left.connect(garbage.settle_anew)
        libraries.shown.connect(lambda other: _settle_when_ready(other, garbage))
        signals.received.connect(lambda _number: (app.closeAllWindows(), app.quit()))
        window.show()
        watchdog.start()
        status = app.exec()
        wants_restart = libraries.window.tools.wants_restart
    finally:
        watchdog.stop()
        # The window is hidden by now; what the engine still writes may take a moment.
        if libraries is None:
            instance.close()
            workspace.close()
            instance.release()
        else:
            libraries.stop_listening()
            libraries.close()
        garbage.stop()
        reporter.uninstall()
        signals.stop()
    if signals.status is not None:
        return signals.status
    if restart is not None and wants_restart:
        restart()
    return status


def prepare(app: QApplication, settings: Settings) -> ThemeManager:
    """Give the application its name, language, icon, font and colours."""
    leave_sources_unread()
    QCoreApplication.setApplicationName("Kindred")
    QCoreApplication.setApplicationVersion(desktop_app.__version__)
    app.setApplicationDisplayName("Kindred")
    app.setDesktopFileName("kindred")
    language.install(app, settings.language)
    app.setWindowIcon(application_icon())
    return ThemeManager(app, settings.theme)


def _settle_when_ready(window: MainWindow, garbage: GarbageCollector) -> None:
    """Let the collector leave alone what a window that has become ready stands on."""
    window.session.changed.connect(lambda: garbage.settle() if window.session.phase == "ready" else None)


def show_faults(reporter: Reporter, window: MainWindow) -> None:
    """Show reports in a dialog above `window`."""
    reporter.reported.connect(lambda report: show_fault(report, window))
