"""One window per library: a second start hands its files and links to the first and ends."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import stat
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLockFile, QObject, Qt, QTimer, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.core.errors import LibraryBusy
from desktop_app.core.links import is_link
from desktop_app.core.private_files import make_private_folder, write_private
from desktop_app.core.window_address import read_window_address, window_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.library_place import LibraryPlace

log = logging.getLogger(__name__)

CONNECT_TIMEOUT_S = 8.0
"""Time that a second start waits for a first one that is starting or ending."""
MAX_MESSAGE_BYTES = 16_000_000  # more than a command line can hold, even with six bytes for each of its bytes
_ACCEPTED_REPLY = b"taken\n"
ASSISTANT_MESSAGE = b'{"assistant": true}'
"""What `kindred mcp` sends to use the engine of this window."""
_LOSES_UNREAD = sys.platform == "win32"
"""Whether the end of a connection discards what the other side has not read yet: then it ends the connection."""
_READ_TIMEOUT_MS = 5000
_RETRY_S = 0.05
_DOUBT_S = 1.0
_SOCKET = "window"
_CLOSING = ""
"""In the file of the address, between the end of the window and that of its process."""
_FOLDER = "kindred-window-"


class SingleInstance(QObject):
    """Decides by a lock file which process is first; a second one sends to the first through a local socket.

    A file next to the lock, in the person's own folder, holds the name of the socket: others cannot guess it, and it is
    short, as sockets require.

    Attributes:
        serve_assistant: begins to answer assistants, and returns a line that says how to ask; None: assistants are not
            answered.
        quick_search_wanted: `kindred quick` was called; carries the activation token of the desktop or "".
        received: files and links of a second start; carries (list of str, activation token of the desktop or "").
    """

    received = Signal(object, object)
    quick_search_wanted = Signal(str)

    def __init__(self, folder: Path, library: LibraryPlace, parent: QObject | None = None) -> None:
        """Prepare; nothing is locked yet.

        Args:
            folder: the folder of the lock, among the settings of this person.
            library: where the library is; need not exist.
            parent: owner.
        """
        super().__init__(parent)
        self._lock = QLockFile(str(window_file(folder, library, ".lock")))
        # A window may be open for days: a lock is stale only if its owner is gone, whatever its age.
        self._lock.setStaleLockTime(0)
        self._library = library
        self._address_file = window_file(folder, library, ".address")
        self._folder = folder
        self._server: QLocalServer | None = None
        self._socket_folder: Path | None = None
        self.serve_assistant: Callable[[], str] | None = None

    def claim(
        self,
        files: Sequence[str],
        patience_s: float = CONNECT_TIMEOUT_S,
        while_closing: Callable[[], None] | None = None,
    ) -> bool:
        """Become the first, or hand `files` to the first.

        Args:
            files: absolute paths to import, and links to follow.
            patience_s: time that the first one has to answer.
            while_closing: called again and again while the first has no window any more and still closes its library,
                which takes as long as it erases what was removed; raises to give up. None: gives up at once.

        Returns:
            whether this is the first; if not, the first has accepted the files.

        Raises:
            LibraryBusy: another process holds the lock and does not answer, or still closes the library.
        """
        try:
            make_private_folder(self._folder)
        except OSError as error:
            log.warning("no lock can be kept in %s: %s", self._folder, error)
            return True
        begun = time.monotonic()
        deadline = begun + patience_s
        while True:
            if self._lock.tryLock(0):
                self._listen()
                return True
            if self._lock.error() == QLockFile.LockError.PermissionError:
                log.warning("no lock can be kept in %s: a second window would not be noticed", self._folder)
                return True
            if self._send_files(files, deadline):
                return False
            now = time.monotonic()
            if now - begun > _DOUBT_S:
                # Fails while the owner lives. This helps if the process number of a crashed owner was given
                # to another process, which Qt takes for the owner.
                self._lock.removeStaleLockFile()
            if now - begun >= min(patience_s, _DOUBT_S) and self._is_closing():
                if while_closing is None:
                    raise LibraryBusy("Kindred is still closing this library", "Wait a moment, then try again.")
                while_closing()
                deadline = now + patience_s  # for the next one, if another start is faster than this one
            elif now >= deadline:
                raise LibraryBusy(
                    "Kindred is already running but does not respond",
                    "Wait a moment and try again, or end the unresponsive program.",
                )
            time.sleep(_RETRY_S)

    def close(self) -> None:
        """Accept no more files, and answer no more assistants."""
        self.serve_assistant = None  # it holds the library, and this cycle goes through Qt, where none is collected
        if self._server is not None:
            self._server.close()
            self._server = None
            with contextlib.suppress(OSError):
                write_private(self._address_file, _CLOSING)
        if self._socket_folder is not None:
            shutil.rmtree(self._socket_folder, ignore_errors=True)
            self._socket_folder = None

    def release(self) -> None:
        """Release the lock, because the library is closed."""
        self.close()
        if self._lock.isLocked():
            with contextlib.suppress(OSError):
                self._address_file.unlink()
        self._lock.unlock()

    # The first

    def _listen(self) -> None:
        self._remove_leftovers()
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._on_connection)
        try:
            if sys.platform == "win32":
                address = f"{_FOLDER}{os.urandom(8).hex()}"
            else:
                base = os.environ.get("XDG_RUNTIME_DIR", "")
                self._socket_folder = Path(
                    tempfile.mkdtemp(prefix=_FOLDER, dir=base if os.access(base, os.W_OK) else None)
                )
                address = str(self._socket_folder / _SOCKET)
            if not server.listen(address):
                raise OSError(server.errorString())
            write_private(self._address_file, server.fullServerName())
        except OSError as error:
            # The window works; a second start will report that nobody answers.
            log.warning("no files can be taken from a second start: %s", error)
            server.close()
            return
        self._server = server

    def _remove_leftovers(self) -> None:
        """Remove the socket of a window that crashed."""
        folder = Path(self._address() or "/").parent
        try:
            kind = os.lstat(folder / _SOCKET).st_mode
        except OSError:
            return
        if folder.name.startswith(_FOLDER) and stat.S_ISSOCK(kind):
            shutil.rmtree(folder, ignore_errors=True)

    def _is_closing(self) -> bool:
        """Return whether the first one has closed its window, but not yet its library."""
        try:
            return self._address_file.read_text("utf-8") == _CLOSING
        except (OSError, UnicodeDecodeError):
            return False

    def _address(self) -> str:
        return read_window_address(self._folder, self._library)

    def _on_connection(self) -> None:
        while self._server is not None and (socket := self._server.nextPendingConnection()) is not None:
            _InstanceConnection(socket, self)

    # The second

    def _send_files(self, files: Sequence[str], deadline: float) -> bool:
        """Return whether the first one accepted the files."""
        address = self._address()
        if not address:
            return False
        _allow_foreground_window()
        socket = QLocalSocket()
        try:
            socket.connectToServer(address)
            if not socket.waitForConnected(_remaining_ms(deadline)):
                return False
            socket.write(encode_message(files, os.environ.get("XDG_ACTIVATION_TOKEN", "")))
            while socket.bytesToWrite() and socket.waitForBytesWritten(_remaining_ms(deadline)):
                pass
            while not socket.canReadLine() and socket.waitForReadyRead(_remaining_ms(deadline)):
                pass
            return socket.readLine().data() == _ACCEPTED_REPLY
        finally:
            socket.abort()


class _InstanceConnection(QObject):
    """One connection of a second start: reads its message and confirms it."""

    def __init__(self, socket: QLocalSocket, instance: SingleInstance) -> None:
        super().__init__(instance)
        self._socket = socket
        self._instance = instance
        self._bytes = bytearray()
        socket.setParent(self)
        socket.readyRead.connect(self._on_bytes)
        socket.disconnected.connect(self.deleteLater)
        # Drop a silent connection.
        QTimer.singleShot(_READ_TIMEOUT_MS, self, socket.abort)
        self._on_bytes()

    def _on_bytes(self) -> None:
        self._bytes += self._socket.readAll().data()
        line, end, _rest = self._bytes.partition(b"\n")
        if not end and len(self._bytes) <= MAX_MESSAGE_BYTES:
            return
        self._socket.readyRead.disconnect(self._on_bytes)
        if bytes(line) == ASSISTANT_MESSAGE and self._instance.serve_assistant is not None:
            self._reply(self._instance.serve_assistant().encode() + b"\n")
            return
        if (token := decode_quick_search(bytes(line))) is not None:
            self._reply(_ACCEPTED_REPLY)
            self._instance.quick_search_wanted.emit(token)
            return
        try:
            files, token = decode_message(bytes(line) if end else b"")
        except ValueError as error:
            log.warning("a second start sent an unknown message: %s", error)
            self._socket.abort()
            return
        self._reply(_ACCEPTED_REPLY)
        self._instance.received.emit(files, token)

    def _reply(self, line: bytes) -> None:
        self._socket.write(line)
        self._socket.flush()
        if not _LOSES_UNREAD:
            self._socket.disconnectFromServer()


def encode_message(files: Sequence[str], token: str) -> bytes:
    r"""Return a message: one line of JSON. Bytes of a name that are not UTF-8 become `\udcXX`, as in Python."""
    return json.dumps({"open": list(files), "token": token}).encode("ascii") + b"\n"


def decode_message(line: bytes) -> tuple[list[str], str]:
    """Return the files and links, and the token, of a message.

    Raises:
        ValueError: the line is no message.
    """
    try:
        message: Any = json.loads(line)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if not isinstance(message, dict):
        raise ValueError("not an object")
    files, token = message.get("open"), message.get("token", "")
    if not isinstance(files, list) or not isinstance(token, str):
        raise ValueError("no list of files")
    for file in files:
        if not isinstance(file, str) or "\0" in file or not (os.path.isabs(file) or is_link(file)):
            raise ValueError("neither an absolute path nor a link")
    return files, token


def decode_quick_search(line: bytes) -> str | None:
    """Return the token of a request for the quick search; None for any other message."""
    try:
        message: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if isinstance(message, dict) and message.get("quick") is True:
        return str(message.get("token", ""))
    return None


def raise_window(window: QWidget, token: str = "") -> None:
    """Show a window above all others.

    Args:
        window: the window; it leaves the minimised state.
        token: activation token for Wayland, which the second start got from the desktop.
    """
    if window.isMinimized():
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    if token:
        os.environ["XDG_ACTIVATION_TOKEN"] = token  # Qt reads and removes it
    # A dialog that waits for an answer must be visible.
    front = QApplication.activeModalWidget() or window
    front.raise_()
    front.activateWindow()


def _remaining_ms(deadline: float) -> int:
    return max(1, int(1000 * (deadline - time.monotonic())))


def _allow_foreground_window() -> None:
    """Let the first process come to the front: on Windows only a program that was just started may allow that."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.AllowSetForegroundWindow(-1)
