"""One window a library: a second start hands its files to the first and ends."""

from __future__ import annotations

import hashlib
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

if TYPE_CHECKING:
    from collections.abc import Sequence

log = logging.getLogger(__name__)

CONNECT_TIMEOUT_S = 8.0
"""How long a second start waits for a first one that is only starting, or just ending."""
MAX_MESSAGE_BYTES = 16_000_000  # more than a command line can hold, also when each of its bytes is written as six
_ACCEPTED_REPLY = b"taken\n"
_READ_TIMEOUT_MS = 5000
_RETRY_S = 0.05
_DOUBT_S = 1.0
_SOCKET = "window"
_FOLDER = "kindred-window-"


class SingleInstance(QObject):
    """Decides who is first, by a lock file; who is second talks to the first through a local socket.

    Where the socket lies stands in a file beside the lock, in the person's own folder: its name cannot be guessed by
    others, and it is short, which sockets have to be.

    Attributes:
        received: a second start hands its files over; carries (list of str, activation token of the desktop or "").
    """

    received = Signal(object, object)

    def __init__(self, folder: Path, library: Path, parent: QObject | None = None) -> None:
        """Prepare; nothing is locked yet.

        Args:
            folder: where the lock is kept, a folder of this person's settings.
            library: the folder of the library that the window is for; need not exist.
            parent: owner.
        """
        super().__init__(parent)
        name = hashlib.sha256(os.fsencode(os.path.normcase(os.path.realpath(library)))).hexdigest()[:16]
        self._lock = QLockFile(str(folder / f"window-{name}.lock"))
        # A window may be open for days: only a lock whose owner is gone is stale, whatever its age.
        self._lock.setStaleLockTime(0)
        self._address_file = folder / f"window-{name}.address"
        self._folder = folder
        self._server: QLocalServer | None = None
        self._socket_folder: Path | None = None

    def claim(self, files: Sequence[str], patience_s: float = CONNECT_TIMEOUT_S) -> bool:
        """Become the first, or hand `files` to the one that is.

        Args:
            files: to be imported, absolute.
            patience_s: how long a first one may take to answer.

        Returns:
            whether this is the first; if not, the first one has taken the files.

        Raises:
            LibraryBusy: another one holds the lock and does not answer.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
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
                # Refused while its owner lives: this helps where the number of a process that crashed has been given
                # to another one, which Qt takes for the owner.
                self._lock.removeStaleLockFile()
            if now >= deadline:
                raise LibraryBusy(
                    "Kindred is already running, but does not answer",
                    "Wait a moment and try again, or end the program that does not respond.",
                )
            time.sleep(_RETRY_S)

    def close(self) -> None:
        """Take no more files."""
        if self._server is not None:
            self._server.close()
            self._server = None
        if self._socket_folder is not None:
            self._address_file.unlink(missing_ok=True)
            shutil.rmtree(self._socket_folder, ignore_errors=True)
            self._socket_folder = None

    def release(self) -> None:
        """Let another one be the first: the library is closed."""
        self.close()
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
            draft = self._address_file.with_suffix(".new")
            draft.write_text(server.fullServerName(), "utf-8")
            os.replace(draft, self._address_file)
        except OSError as error:
            # The window works; a second start will say that nobody answers.
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

    def _address(self) -> str:
        try:
            return self._address_file.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    def _on_connection(self) -> None:
        while self._server is not None and (socket := self._server.nextPendingConnection()) is not None:
            _InstanceConnection(socket, self)

    # The second

    def _send_files(self, files: Sequence[str], deadline: float) -> bool:
        """Return whether the first one has taken the files."""
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
    """One connection of a second start: reads its message, says that it is taken."""

    def __init__(self, socket: QLocalSocket, instance: SingleInstance) -> None:
        super().__init__(instance)
        self._socket = socket
        self._instance = instance
        self._bytes = bytearray()
        socket.setParent(self)
        socket.readyRead.connect(self._on_bytes)
        socket.disconnected.connect(self.deleteLater)
        # One that says nothing is sent away.
        QTimer.singleShot(_READ_TIMEOUT_MS, self, socket.abort)
        self._on_bytes()

    def _on_bytes(self) -> None:
        self._bytes += self._socket.readAll().data()
        line, end, _rest = self._bytes.partition(b"\n")
        if not end and len(self._bytes) <= MAX_MESSAGE_BYTES:
            return
        self._socket.readyRead.disconnect(self._on_bytes)
        try:
            files, token = decode_message(bytes(line) if end else b"")
        except ValueError as error:
            log.warning("what came from a second start was no message of ours: %s", error)
            self._socket.abort()
            return
        self._socket.write(_ACCEPTED_REPLY)
        self._socket.flush()
        self._socket.disconnectFromServer()
        self._instance.received.emit(files, token)


def encode_message(files: Sequence[str], token: str) -> bytes:
    r"""Return a message: one line of JSON. Bytes of a name that are no UTF-8 go as `\udcXX`, as Python holds them."""
    return json.dumps({"open": list(files), "token": token}).encode("ascii") + b"\n"


def decode_message(line: bytes) -> tuple[list[str], str]:
    """Return the files and the token of a message.

    Raises:
        ValueError: it is none.
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
        if not isinstance(file, str) or "\0" in file or not os.path.isabs(file):
            raise ValueError("a file that is no absolute path")
    return files, token


def raise_window(window: QWidget, token: str = "") -> None:
    """Show a window above all others.

    Args:
        window: what to show; leaves the minimised state.
        token: with which Wayland lets it come forward; the second start got it from the desktop.
    """
    if window.isMinimized():
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    if token:
        os.environ["XDG_ACTIVATION_TOKEN"] = token  # Qt takes it from there, and away
    # A dialog that waits for an answer is what has to be seen.
    front = QApplication.activeModalWidget() or window
    front.raise_()
    front.activateWindow()


def _remaining_ms(deadline: float) -> int:
    return max(1, int(1000 * (deadline - time.monotonic())))


def _allow_foreground_window() -> None:
    """On Windows only the program that a person has just started may give the front to another one."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.AllowSetForegroundWindow(-1)
