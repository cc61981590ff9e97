"""Targets for the tests of child processes."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path


def echo(pipe: Connection, greeting: str) -> None:
    """Send a greeting, then every message back."""
    pipe.send(greeting)
    while True:
        pipe.send(pipe.recv())


def report_setup(pipe: Connection) -> None:
    """Write to the terminal, then send the state that the host sets up."""
    os.write(1, b"noise\n")
    os.write(2, b"noise\n")
    file = Path(tempfile.gettempdir(), "kept.txt")
    file.write_text("kept", "utf-8")
    ignores_interrupts = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    pipe.send((str(file), ignores_interrupts, getattr(sys.modules["__main__"], "__file__", "")))
    time.sleep(60)


def die(pipe: Connection) -> None:
    """Exit without a message."""
    os._exit(7)


def take_memory(pipe: Connection, megabytes: int) -> None:
    """Allocate memory and hold it."""
    held = bytearray(os.urandom(1_000_000) * megabytes)
    pipe.send(len(held))
    time.sleep(60)
