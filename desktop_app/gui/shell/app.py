"""Start and end of the window."""

from __future__ import annotations

import contextlib
import logging
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QSettings, QTimer, QUrl, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

import desktop_app
from desktop_app.core.errors import LibraryBusy, UsageError
from desktop_app.core.links import is_link, parse_link
from desktop_app.core.messages import NOTHING, Message
from desktop_app.core.private_files import make_private_folder, open_private
from desktop_app.gui.base.display_text import translate_message
from desktop_app.gui.base.fault_reporter import FaultReporter
from desktop_app.gui.base.icons import application_icon
from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.shell import window_language
from desktop_app.gui.shell.end_signals import EndSignalListener
from desktop_app.gui.shell.garbage_collection import GarbageCollector
from desktop_app.gui.shell.libraries import LibrariesController
from desktop_app.gui.shell.library_switch import find_known_library
from desktop_app.gui.shell.single_instance import SingleInstance
from desktop_app.gui.shell.start_notices import ClosingNotice, show_failed_start
from desktop_app.gui.shell.watchdog import Watchdog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.library_place import LibraryPlace
    from desktop_app.core.paths import Paths
    from desktop_app.core.settings import Settings
    from desktop_app.engine.workspace import Workspace
    from desktop_app.gui.shell.main_window import MainWindow

_APPLICATION_NAME = "kindred"  # the name of its windows for window managers: StartupWMClass of the launcher

_log = logging.getLogger(__name__)


def run_window(
    make_workspace: Callable[[], Workspace],
    settings: Settings,
    paths: Paths,
    words: Sequence[str],
    save_settings: Callable[[Settings], None],
    library: LibraryPlace | None = None,
    restart: Callable[[], None] | None = None,
    settings_fault: Message = NOTHING,
    make_other: Callable[[LibraryPlace, Settings, str | None], Workspace] | None = None,
) -> int:
    """Show the window until it closes, or hand `words` to the one that is already open.

    The window is painted before anything heavy starts; then the library opens, its model loads, files are imported and
    links are followed.

    Args:
        make_workspace: returns the workspace of the window without delay; it is closed at the end.
        settings: the current settings.
        paths: the folders of the program.
        words: files to import, and links to follow.
        save_settings: writes changed settings; may raise OSError.
        library: where the library is, which only one window opens; None for the default one.
        settings_fault: what was left out of the settings; empty if nothing was.
        make_other: like `make_workspace`, for the library at another place, with the settings at that time, and the
            password that a person typed; None if the window cannot switch libraries.
        restart: restarts the program; called once everything is closed, if requested. None if impossible.

    Returns:
        the exit status: 0, or 128 and the number of the signal that closed it.

    Raises:
        LibraryBusy: another window holds the library and does not answer.
        Cancelled: the person did not wait until another window has closed the library.
    """
    # Qt's file dialog keeps its history in a file of its own: keep it with the other settings.
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(paths.config))
    _make_private_state(paths)
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else KindredApplication([_APPLICATION_NAME])
    place = library or paths.default_library
    place = place.absolute() if isinstance(place, Path) else place
    instance = SingleInstance(paths.config, place, app)
    words = [word if is_link(word) else str(Path(word).absolute()) for word in words]
    if isinstance(app, KindredApplication):
        app.opened.connect(words.extend)  # while the start waits
    notice = ClosingNotice(app, settings.language)
    try:
        if not instance.claim(words, while_closing=notice.show):
            return 0
    except LibraryBusy as error:
        if sys.stderr is None or not sys.stderr.isatty():  # started from the desktop, where nobody sees it
            show_failed_start(app, settings.language, error)
        raise
    finally:
        notice.close()
    workspace = make_workspace()
    reporter = FaultReporter(app)
    reporter.install()
    garbage = GarbageCollector(app)
    watchdog = Watchdog(app)
    signals = EndSignalListener(app)
    libraries: LibrariesController | None = None
    try:
        themes = prepare_application(app, settings)
        libraries = LibrariesController(
            themes, paths, save_settings, make_other, reporter, app, can_restart=restart is not None
        )
        window = libraries.open_first(place, instance, workspace, settings, list(words))
        if settings_fault:
            window.context.tell(translate_message(settings_fault))
        if isinstance(app, KindredApplication):
            app.opened.connect(libraries.open_words)
        _freeze_garbage_when_ready(window, garbage)
        libraries.library_closed.connect(garbage.refreeze)
        libraries.window_shown.connect(lambda other: _freeze_garbage_when_ready(other, garbage))
        signals.received.connect(lambda _number: (app.closeAllWindows(), app.quit()))
        window.show()
        watchdog.start()
        status = app.exec()
        wants_restart = libraries.window.preferences.wants_restart
    finally:
        watchdog.stop()
        # The window is hidden by now; the last writes of the engine may take a moment.
        if libraries is None:
            instance.close()
            workspace.close()
            instance.release()
        else:
            libraries.stop_listening()
            libraries.close(hurry=signals.status is not None)
        garbage.stop()
        reporter.uninstall()
        signals.stop()
    if signals.status is not None:
        return signals.status
    if restart is not None and wants_restart:
        restart()
    return status


def find_linked_library(paths: Paths, words: Sequence[str]) -> LibraryPlace | None:
    """Return where the library is that the first link leads to; None without a link to a known one."""
    for word in filter(is_link, words):
        with contextlib.suppress(UsageError):
            return find_known_library(paths.window_state_file, parse_link(word).library)
    return None


def _make_private_state(paths: Paths) -> None:
    """Create the file of the window's state, which names libraries: Qt keeps the rights of an existing file."""
    with contextlib.suppress(OSError):
        make_private_folder(paths.config)
        open_private(paths.window_state_file, "ab").close()


def prepare_application(app: QApplication, settings: Settings) -> ThemeManager:
    """Set name, language, icon, font and colours of the application."""
    skip_source_inspection()
    _name_for_taskbar()
    QCoreApplication.setApplicationName("Kindred")
    QCoreApplication.setApplicationVersion(desktop_app.__version__)
    app.setApplicationDisplayName("Kindred")
    app.setDesktopFileName("kindred")
    window_language.install_language(app, settings.language)
    app.setWindowIcon(application_icon())
    return ThemeManager(app, settings.theme)


def _name_for_taskbar() -> None:
    """Let the taskbar of Windows show Kindred with its own icon, and not as a window of Python."""
    if sys.platform == "win32" and not getattr(sys, "frozen", False):
        import ctypes

        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID("Kindred.Kindred")


def _freeze_garbage_when_ready(window: MainWindow, garbage: GarbageCollector) -> None:
    """Exclude the objects of a window from garbage collection once it is ready."""
    window.session.changed.connect(lambda: garbage.settle() if window.session.phase == "ready" else None)


class KindredApplication(QApplication):
    """Receives files and links to open: macOS sends events where other systems use the command line.

    An event filter would receive every event of every widget; `event` receives only those of the application.

    Attributes:
        opened: files and folders to import, and links; carries a list of str, those that arrive together.
    """

    opened = Signal(object)

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(list(arguments))
        self._words: list[str] = []

    def event(self, event: QEvent) -> bool:
        """Handle files and links to open; pass the rest to Qt."""
        if event.type() == QEvent.Type.FileOpen and isinstance(event, QFileOpenEvent):
            link = event.url().toString(QUrl.ComponentFormattingOption.FullyEncoded)
            if word := link if is_link(link) else event.file():
                # Each of several files that are opened together arrives in its own event.
                if not self._words:
                    QTimer.singleShot(0, self, self._emit_opened)
                self._words.append(word)
                return True
        return super().event(event)

    def _emit_opened(self) -> None:
        words, self._words = self._words, []
        self.opened.emit(words)


def skip_source_inspection() -> None:
    """Prevent PySide from reading the source of every module that is imported from now on.

    It searches them for its own name, to know which modules may enable snake_case (`from __feature__ import …`); this
    program does not use that. torch alone has 800 modules: reading them takes a tenth of its import, and `linecache`
    keeps their text in memory (40 MB). PySide has no switch for it, so the function that reads is replaced.
    """
    try:
        feature = import_module("shibokensupport.feature")  # part of PySide, untyped
        if not callable(feature._mod_uses_pyside):
            raise TypeError
    except (ImportError, AttributeError, TypeError):
        _log.info("this PySide reads the sources of what is imported")  # slower, but correct
        return
    feature.__dict__["_mod_uses_pyside"] = lambda _module: False
