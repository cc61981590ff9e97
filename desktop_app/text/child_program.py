"""Runs other programs from the reader's process: they end with it, and are killed after their time."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import psutil  # type: ignore[import-untyped]

from desktop_app.core.errors import FileFailure
from desktop_app.core.messages import system_text

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)
_POLL_INTERVAL_S = 0.1

T = TypeVar("T")


def make_die_with_parent() -> Callable[[], object] | None:
    """Return a function for a new process that makes it end when this one ends for any reason; None elsewhere."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)  # prctl(2)
    return lambda: libc.prctl(1, signal.SIGKILL)


def find_program(name: str) -> str | None:
    """Return a program on the path; None if there is none.

    Windows looks into the current folder first, where documents may lie that came with a program of this name.
    """
    found = shutil.which(name)
    return None if sys.platform == "win32" and found is not None and not os.path.isabs(found) else found


def run_program(
    command: Sequence[str],
    beat: T,
    *,
    most_s: float,
    check: Callable[[], None] = lambda: None,
    environment: Mapping[str, str] | None = None,
) -> Generator[T, None, int]:
    """Run a program to its end; yield `beat` while it runs, and return its status. It reads and prints nothing.

    Args:
        command: the program and its arguments.
        beat: says that the program runs.
        most_s: seconds after which it is killed.
        check: called while it runs; it is killed if this raises.
        environment: more variables.

    Raises:
        FileFailure: it does not start, or takes too long.
    """
    name = Path(command[0]).name
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
            creationflags=NO_WINDOW,
            preexec_fn=make_die_with_parent(),
        )
    except OSError as error:
        raise FileFailure(
            "unsupported", "{program} does not start: {why}", program=name, why=system_text(error.strerror or error)
        ) from error
    started = time.monotonic()
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.wait(_POLL_INTERVAL_S)
            check()
            if time.monotonic() - started > most_s:
                raise FileFailure("timeout", "{program} took more than {most_s:g} seconds", program=name, most_s=most_s)
            yield beat
    finally:
        _kill_tree(process)


def _kill_tree(process: subprocess.Popen[bytes]) -> None:
    """Kill a program and the programs that it has started."""
    if process.poll() is not None:
        return
    helpers: list[psutil.Process] = []
    with suppress(psutil.Error):
        helpers = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    for helper in helpers:
        with suppress(psutil.Error):
            helper.kill()
    process.wait()
