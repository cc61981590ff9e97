"""Lets `kindred mcp` use the engine of the window, so that the model is in memory once.

The window starts the server when the first assistant asks for it. Its socket is in a folder that only this person can
read, and each request carries a key that the window told the command. One connection is one request and one answer,
each one JSON object.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import logging
import os
import secrets
import shutil
import socket
import sys
import tempfile
import threading
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import AppError
from desktop_app.engine.assistant_tools import TOOL_NAMES, AssistantTools

if TYPE_CHECKING:
    from desktop_app.engine.workspace import Workspace

_log = logging.getLogger(__name__)

MAX_REQUEST_BYTES = 4_000_000
_REQUEST_TIMEOUT_S = 10.0
_MAX_WAITING = 64
_SIGN_OF_LIFE_TIMEOUT_S = 5.0
"""A window that does not even refuse a request for so long is stopped."""


class AssistantServer:
    """Answers requests of `kindred mcp` with the tools, on a thread for each.

    Args:
        workspace: of the window.

    Attributes:
        address: the name of the socket.
        key: what every request has to carry.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._tools = AssistantTools(workspace)
        self.key = secrets.token_hex(32)
        self._folder: Path | None = None
        if sys.platform == "win32":
            self.address = rf"\\.\pipe\kindred-assistant-{secrets.token_hex(8)}"
        else:
            base = os.environ.get("XDG_RUNTIME_DIR", "")
            folder = tempfile.mkdtemp(prefix="kindred-assistant-", dir=base if os.access(base, os.W_OK) else None)
            self._folder = Path(folder)
            self.address = str(self._folder / "socket")
        self._is_stopping = False
        self._listener = Listener(self.address, backlog=_MAX_WAITING)
        self._answering: set[threading.Thread] = set()
        self._thread = threading.Thread(target=self._accept, name="assistant")
        self._thread.start()

    def stop(self) -> None:
        """Answer no more requests, and wait for those under way. Calling it again does nothing."""
        if self._is_stopping:
            return
        self._is_stopping = True
        with contextlib.suppress(OSError), Client(self.address):  # wakes the thread that waits for connections
            pass
        self._thread.join()
        self._listener.close()
        for thread in list(self._answering):
            thread.join()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _accept(self) -> None:
        while not self._is_stopping:
            try:
                connection = self._listener.accept()
            except OSError as error:
                if not self._is_stopping:
                    _log.warning("an assistant cannot be answered: %s", error)
                return
            if self._is_stopping:
                connection.close()
                return
            thread = threading.Thread(target=self._serve, args=(connection,), name="assistant-answer")
            self._answering.add(thread)
            thread.start()

    def _serve(self, connection: Connection) -> None:
        try:
            with connection, contextlib.suppress(EOFError, OSError):
                if not connection.poll(_REQUEST_TIMEOUT_S):
                    return
                answer = self._answer(connection.recv_bytes(MAX_REQUEST_BYTES))
                connection.send_bytes(json.dumps(answer).encode())
        finally:
            self._answering.discard(threading.current_thread())

    def _answer(self, request: bytes) -> dict[str, Any]:
        try:
            asked = json.loads(request)
            key, tool, arguments = asked["key"], asked["tool"], asked["arguments"]
            if not hmac.compare_digest(str(key).encode(), self.key.encode()):
                return {"error": "The key is wrong"}
            if tool not in TOOL_NAMES or not isinstance(arguments, dict):
                raise ValueError
        except (ValueError, TypeError, KeyError, RecursionError):
            return {"error": "This is no request of an assistant"}
        try:
            return {"result": getattr(self._tools, tool)(**arguments)}
        except AppError as error:
            return {"error": f"{error}. {error.hint}".strip()}
        except Exception as error:  # noqa: BLE001 - the arguments come from another process
            _log.exception("an assistant's request failed")
            return {"error": f"The request cannot be answered: {error}"}


def ask_assistant_server(address: str, key: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Send a request to the window and return its answer, with `result` or `error`, however long that takes.

    Raises:
        OSError: the window does not answer, or no longer gives a sign of life.
    """
    try:
        _check_sign_of_life(address)  # to send much to a window that is stopped would wait without end
        with _connect(address) as connection:
            connection.send_bytes(json.dumps({"key": key, "tool": tool, "arguments": arguments}).encode())
            while not connection.poll(_SIGN_OF_LIFE_TIMEOUT_S):
                _check_sign_of_life(address)
            answer: dict[str, Any] = json.loads(connection.recv_bytes())
            return answer
    except (EOFError, ValueError) as error:
        raise OSError("the window does not answer") from error


def _check_sign_of_life(address: str) -> None:
    """Check that the window still refuses a request without a key.

    Raises:
        OSError: it does not.
    """
    with _connect(address) as connection:
        connection.send_bytes(b"{}")
        if not connection.poll(_SIGN_OF_LIFE_TIMEOUT_S):
            raise TimeoutError("the window does not answer")


def _connect(address: str) -> Connection:
    """Connect as `Client` does, which waits without end where too many others wait for a window that is stopped."""
    if sys.platform == "win32":
        return Client(address)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_SIGN_OF_LIFE_TIMEOUT_S)
        connection.connect(address)
        connection.setblocking(True)
        return Connection(connection.detach())
