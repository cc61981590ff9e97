"""Speaks to the window of a library through its socket, without loading Qt."""

from __future__ import annotations

import socket
import sys

_TIMEOUT_S = 5.0
_MAX_REPLY_BYTES = 10_000


def exchange_line(address: str, line: bytes) -> bytes:
    """Send a line to a window's socket and return the line that it replies.

    Raises:
        OSError: nobody answers.
    """
    if sys.platform == "win32":
        with open(address, "r+b", buffering=0) as pipe:
            pipe.write(line)
            return pipe.read(_MAX_REPLY_BYTES)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_TIMEOUT_S)
        connection.connect(address)
        connection.sendall(line)
        reply = b""
        while not reply.endswith(b"\n") and len(reply) < _MAX_REPLY_BYTES and (more := connection.recv(4096)):
            reply += more
        return reply
