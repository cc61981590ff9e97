"""Speaks to the window of a library through its socket, without loading Qt."""

from __future__ import annotations

import queue
import socket
import sys
import threading

_TIMEOUT_S = 5.0
_MAX_REPLY_BYTES = 10_000


def exchange_line(address: str, line: bytes) -> bytes:
    """Send a line to a window's socket and return the line that it replies.

    Raises:
        OSError: nobody answers.
    """
    if sys.platform == "win32":
        return _exchange_by_pipe(address, line)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_TIMEOUT_S)
        connection.connect(address)
        connection.sendall(line)
        reply = b""
        while not reply.endswith(b"\n") and len(reply) < _MAX_REPLY_BYTES and (more := connection.recv(4096)):
            reply += more
        return reply


def _exchange_by_pipe(address: str, line: bytes) -> bytes:
    """Do the same on Windows, where a pipe has no time limit: a thread waits, and ends with the program."""
    replies: queue.SimpleQueue[bytes | OSError] = queue.SimpleQueue()

    def exchange() -> None:
        try:
            with open(address, "r+b", buffering=0) as pipe:
                pipe.write(line)
                replies.put(pipe.read(_MAX_REPLY_BYTES))
        except OSError as error:
            replies.put(error)

    threading.Thread(target=exchange, name="window-pipe", daemon=True).start()
    try:
        reply = replies.get(timeout=_TIMEOUT_S)
    except queue.Empty as error:
        raise TimeoutError("the window does not answer") from error
    if isinstance(reply, OSError):
        raise reply
    return reply
