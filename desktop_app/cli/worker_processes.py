"""Further processes on this machine that import what waits in a shared library."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import desktop_app

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from desktop_app.cli.command_line import Command

_END_WITHIN_S = 60


class WorkerProcesses:
    """Runs `work` in some processes until the end of the block; each gets its share of the cores.

    Args:
        command: of this process, whose library they work on.
        count: how many.
        threads: cores for each.
    """

    def __init__(self, command: Command, count: int, threads: int) -> None:
        self._arguments = _own_program()
        for name in ("basedir", "library", "model", "device", "precision"):
            if value := getattr(command.options, name):
                self._arguments += [f"--{name}", str(value)]
        self._arguments += ["--quiet", "work", "--threads", str(threads)]
        self._count = count
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        package = str(Path(desktop_app.__file__).resolve().parents[1])
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
        }
        for _ in range(self._count):
            # Their reports would mix with this process's; failures are in the list of documents.
            self._processes.append(
                subprocess.Popen(
                    self._arguments,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            try:
                process.wait(_END_WITHIN_S)
            except subprocess.TimeoutExpired:
                process.kill()  # others take its document over
                process.wait()


def _own_program() -> list[str]:
    """Return the command that starts this program."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    # -P: a file in the current folder with the name of a library must not replace that library.
    return [sys.executable, "-P", "-m", "desktop_app"]
