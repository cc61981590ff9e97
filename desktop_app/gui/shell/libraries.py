"""Opens and switches libraries.

Each library has its own window and workspace, so that no pane can show anything of the previous library. The other
library opens while the first one is still there, and replaces it only then: a library that cannot be opened costs
nothing.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_app.core.desktop_search import is_installed
from desktop_app.core.errors import LibraryBusy
from desktop_app.core.library_place import is_same_place
from desktop_app.core.shared_address import SharedAddress, needs_password
from desktop_app.gui.base import display_text
from desktop_app.gui.base.bridge import Bridge
from desktop_app.gui.shell.library_switch import library_name, remember_library
from desktop_app.gui.shell.main_window import MainWindow
from desktop_app.gui.shell.single_instance import SingleInstance, raise_window

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.library_place import LibraryPlace
    from desktop_app.core.paths import Paths
    from desktop_app.core.settings import Settings
    from desktop_app.engine.assistant_server import AssistantServer
    from desktop_app.engine.desktop_search import DesktopSearch
    from desktop_app.engine.workspace import Workspace
    from desktop_app.gui.base.fault_reporter import FaultReporter
    from desktop_app.gui.base.theme import ThemeManager

_CLOSE_TIMEOUT_S = 0.2  # timeout for the window that holds the other library; this window is blocked meanwhile


@dataclass(eq=False)
class _OpenLibrary:
    """An open library and its objects; `window` once it is shown, `close_thread` once it closes.

    Attributes:
        assistants: answers `kindred mcp`, once that has asked.
        desktop_search: answers the search of the desktop, where the launcher has installed it.
    """

    place: LibraryPlace
    instance: SingleInstance
    workspace: Workspace
    bridge: Bridge
    window: MainWindow | None = None
    assistants: AssistantServer | None = None
    desktop_search: DesktopSearch | None = None
    close_thread: threading.Thread | None = None

    def serve_assistant(self) -> str:
        """Begin to answer assistants with this engine; return how to ask."""
        if self.assistants is None:
            from desktop_app.engine.assistant_server import AssistantServer

            self.assistants = AssistantServer(self.workspace)
        return json.dumps({"address": self.assistants.address, "key": self.assistants.key})

    def close_workspace(self, *, hurry: bool = False) -> None:
        """Stop the engine; whoever waits for it is told."""
        self.workspace.close(hurry=hurry)
        if self.assistants is not None:
            self.assistants.stop()
        if self.desktop_search is not None:
            self.desktop_search.stop()


class LibrariesController(QObject):
    """Shows one library at a time.

    Args:
        themes: the colours of all windows.
        paths: the folders of the program.
        save_settings: writes changed settings; may raise OSError.
        make_workspace: returns the workspace of another library without delay; None if there is no other. Its last
            argument is the password that a person typed for a shared library.
        reporter: catches faults, which are shown above the current window.
        can_restart: whether the program can restart itself.

    Attributes:
        window_shown: another window is shown; carries it.
        library_closed: a library and its window are closed.
    """

    window_shown = Signal(object)
    _link_wanted = Signal(str)  # by the search of the desktop, from its thread
    library_closed = Signal()

    def __init__(
        self,
        themes: ThemeManager,
        paths: Paths,
        save_settings: Callable[[Settings], None],
        make_workspace: Callable[[LibraryPlace, Settings, str | None], Workspace] | None,
        reporter: FaultReporter,
        parent: QObject,
        *,
        can_restart: bool = False,
    ) -> None:
        super().__init__(parent)
        self._themes = themes
        self._paths = paths
        self._save_settings = save_settings
        self._make_workspace = make_workspace
        self._reporter = reporter
        self._can_restart = can_restart
        self._current: _OpenLibrary | None = None
        self._opening: _OpenLibrary | None = None
        self._closing: list[_OpenLibrary] = []
        self._open_when_closed: Callable[[], None] | None = None  # opens a library that is closing
        reporter.reported.connect(self._show_fault)
        self._link_wanted.connect(self._open_link)

    @property
    def window(self) -> MainWindow:
        """The current window."""
        assert self._current is not None
        assert self._current.window is not None
        return self._current.window

    @property
    def workspace(self) -> Workspace:
        """The workspace of the current window."""
        assert self._current is not None
        return self._current.workspace

    # The first library

    def open_first(
        self,
        place: LibraryPlace,
        instance: SingleInstance,
        workspace: Workspace,
        settings: Settings,
        words: Sequence[str],
    ) -> MainWindow:
        """Make the window of the first library without showing it; open files and links once it is open."""
        self._current = _OpenLibrary(place, instance, workspace, self._make_bridge())
        window = self._make_window(self._current, settings)
        window.painted.connect(lambda: window.start(words))
        remember_library(window.context.state_file, place)
        return window

    def open_words(self, words: Sequence[str]) -> None:
        """Open files and links that the system passes on, and show the window."""
        self.window.open_words(words)
        raise_window(self.window)

    @Slot(str)
    def _open_link(self, link: str) -> None:
        if self._current is not None and self._current.window is not None:
            self.open_words([link])

    def _make_bridge(self) -> Bridge:
        bridge = Bridge(self)
        bridge.fault.connect(self._reporter.take)
        return bridge

    def _make_window(self, opened: _OpenLibrary, settings: Settings) -> MainWindow:
        window = MainWindow(opened.workspace, opened.bridge, self._themes, settings, self._paths, self._save_settings)
        opened.window = window
        window.preferences.can_restart = self._can_restart
        window.show_library(opened.place, is_default=is_same_place(opened.place, self._paths.default_library))
        window.library_switch.wanted.connect(self.open_library)
        window.library_switch.signed_in.connect(self._open_signed_in)
        window.links.elsewhere.connect(self.open_library)
        opened.instance.serve_assistant = opened.serve_assistant
        if is_installed():
            from desktop_app.engine.desktop_search import DesktopSearch

            opened.desktop_search = DesktopSearch(opened.workspace, self._link_wanted.emit)
        opened.instance.quick_search_wanted.connect(window.show_quick_search)
        opened.instance.received.connect(window.open_words)
        opened.instance.received.connect(lambda _words, token: raise_window(window, token))
        return window

    # Another library

    def _open_signed_in(self, address: SharedAddress, password: str | None, is_kept: bool) -> None:
        self.open_library(address, password=password, is_kept=is_kept)

    def open_library(
        self, place: LibraryPlace, link: str = "", *, password: str | None = None, is_kept: bool = False
    ) -> None:
        """Open the library at a place and follow a link there, then close the current one.

        Args:
            place: of the library.
            link: to follow; empty: none.
            password: that a person typed for a shared library; None: the stored one.
            is_kept: whether to store it in the system's keyring once it was right.
        """
        if self._make_workspace is None or self._current is None:
            return
        self._open_when_closed = None  # the latest request counts
        window, name = self.window, library_name(place, self._paths.default_library)
        if is_same_place(place, self._current.place):
            window.context.tell(self.tr("{name} is already open.").format(name=name))
            return
        if self._opening is not None:
            window.context.tell(self.tr("Another library is being opened."))
            return
        if any(is_same_place(place, closing.place) for closing in self._closing):
            self._open_when_closed = partial(self.open_library, place, link, password=password, is_kept=is_kept)
            return
        instance = SingleInstance(self._paths.config, place, self)
        try:
            is_free = instance.claim([], _CLOSE_TIMEOUT_S)
        except LibraryBusy as error:
            instance.deleteLater()
            window.context.tell_error(error)
            return
        if not is_free:
            instance.deleteLater()
            window.context.tell(self.tr("{name} is open in another Kindred window.").format(name=name))
            return
        window.context.tell(self.tr("Opening {name}…").format(name=name))
        opening = _OpenLibrary(
            place, instance, self._make_workspace(place, window.context.settings, password), self._make_bridge()
        )
        self._opening = opening
        opening.bridge.call(
            opening.workspace.open(),
            self,
            lambda _status: self._switch_library(opening, [link] if link else [], password if is_kept else None),
            on_error=partial(self._report_open_failure, opening),
        )

    def _report_open_failure(self, opening: _OpenLibrary, error: BaseException) -> None:
        """Say why a library could not be opened, or ask for its password; the current one stays."""
        self._opening = None
        self._close(opening)
        if isinstance(opening.place, SharedAddress) and needs_password(error):
            self.window.library_switch.ask_password(opening.place, error)
            return
        message, hint = display_text.describe_error(error)
        text = self.tr("{message}. {hint} {name} stays open.")
        assert self._current is not None
        name = library_name(self._current.place, self._paths.default_library)
        self.window.notice.say(text.format(message=message, hint=hint, name=name))

    def _switch_library(self, opening: _OpenLibrary, words: Sequence[str], kept_password: str | None) -> None:
        """Show the other library in place of the current one."""
        closing, before, self._opening = self._current, self.window, None
        assert closing is not None
        before.save_state()
        is_default = is_same_place(opening.place, self._paths.default_library)
        window = self._make_window(opening, before.context.settings)
        # The new workspace already uses the settings, except these two, which still wait for the next start.
        started = before.preferences.started
        window.preferences.started = replace(
            before.context.settings, language=started.language, data_folder=started.data_folder
        )
        window.context.change_settings(library="" if is_default else str(opening.place))
        self._current = opening
        window.painted.connect(lambda: window.start(words))
        remember_library(window.context.state_file, opening.place)
        if kept_password is not None:
            window.library_switch.keep_password(kept_password)
        window.show()  # before the other one closes, because the program ends with its last window
        raise_window(window)
        self.window_shown.emit(window)
        is_training = closing.workspace.context.engine.has_job("train")
        window.library_switch.offer_previous_library(closing.place, is_training=is_training)
        before.close()
        self._close(closing)

    def _close(self, opened: _OpenLibrary) -> None:
        """Stop the engine and close the files in a background thread, because that may take a moment."""
        opened.instance.close()
        report_closed = opened.bridge.make_thread_safe_callback(self, partial(self._on_closed, opened))

        def close() -> None:
            opened.close_workspace()
            report_closed()

        opened.close_thread = threading.Thread(target=close, name="library-closing")
        self._closing.append(opened)
        opened.close_thread.start()

    def _on_closed(self, opened: _OpenLibrary) -> None:
        self._finish_closing(opened)
        wanted, self._open_when_closed = self._open_when_closed, None
        if wanted is not None:
            wanted()  # which waits once more if it is another one that has closed

    def _finish_closing(self, opened: _OpenLibrary) -> None:
        assert opened.close_thread is not None
        opened.close_thread.join()
        self._closing.remove(opened)
        opened.bridge.close()
        opened.instance.release()
        for each in (opened.window, opened.bridge, opened.instance):
            if each is not None:
                each.deleteLater()
        QTimer.singleShot(0, self, self.library_closed.emit)

    # Closing

    def stop_listening(self) -> None:
        """Accept no more files from other starts."""
        for opened in (self._current, self._opening):
            if opened is not None:
                opened.instance.close()

    def close(self, *, hurry: bool) -> None:
        """Close every library that is open, and wait for it: `hurry` as for `Workspace.close`."""
        self._open_when_closed = None
        for opened in (self._opening, self._current):
            if opened is not None:
                opened.close_workspace(hurry=hurry)
                opened.bridge.close()
                opened.instance.release()
        for opened in list(self._closing):
            self._finish_closing(opened)

    def _show_fault(self, report: str) -> None:
        from desktop_app.gui.shell.fault_dialog import show_fault_dialog

        show_fault_dialog(report, self.window)
