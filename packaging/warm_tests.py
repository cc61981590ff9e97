"""Runs pytest again and again, each time in a process that begins as a copy of this one (on Linux).

A run of one test spends most of its time on imports. Here the packages that tests use are loaded once; the program and
its tests are not, since each run may have them changed. `mutate.py` starts this program and speaks with it in lines of
JSON: the arguments of pytest, the folder and the processor seconds after which no further test begins; back come its
status (null if it hangs), what it printed, and its processor seconds.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
from typing import IO, Any

import pytest

_PACKAGES = (
    "numpy",
    "torch",
    "hnswlib",
    "psycopg",
    "sqlalchemy.dialects.sqlite",
    "PySide6.QtWidgets",
    "PySide6.QtTest",
)
_TEST_S = 40
"""Processor seconds after which a test counts as hanging; the longest of the default run takes a third."""

_WAIT_S = 200.0
"""Seconds after which a run that does not end counts as hanging."""


class Budget:
    """Ends a run after its processor seconds, and a test that does not end."""

    def __init__(self, limit_s: float) -> None:
        """Take the processor seconds after which no further test begins."""
        self._limit_s = limit_s
        self.cut_short = False
        """Whether the run ended for this reason, without a failure."""

    def pytest_runtest_logstart(self) -> None:
        """Give the next test its seconds."""
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + _TEST_S, most))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """Ask for the end of the run once the seconds are used up."""
        result = yield
        times = os.times()
        if sum(times[:4]) > self._limit_s and not item.session.testsfailed and not item.session.shouldstop:
            item.session.shouldstop = "the processor seconds of this run are used up"
            self.cut_short = True
        return result


def run_once(arguments: list[str], folder: str, limit_s: float) -> tuple[int | None, str, float]:
    """Run pytest in a copy of this process and in a folder.

    Returns:
        Its status (None if it hangs), what it printed, and its processor seconds.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        pid = os.fork()
        if pid == 0:
            sys.exit(_become_pytest(arguments, folder, limit_s, output))
        ended = os.pidfd_open(pid)
        try:
            in_time = bool(select.select([ended], [], [], _WAIT_S)[0])
        finally:
            os.close(ended)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)  # with the children that a changed program may leave
        _, status, usage = os.wait4(pid, 0)
        output.seek(0)
        hangs = not in_time or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU)
        seconds = usage.ru_utime + usage.ru_stime
        return (None if hangs else os.waitstatus_to_exitcode(status)), output.read(), seconds


def _become_pytest(arguments: list[str], folder: str, limit_s: float, output: IO[str]) -> int:
    os.setpgid(0, 0)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(output.fileno(), 1)
    os.dup2(output.fileno(), 2)
    os.chdir(folder)
    sys.path[0] = folder
    sys.argv = ["pytest", *arguments]
    os.environ["PYTHONPATH"] = folder
    budget = Budget(limit_s)
    status = int(pytest.main(arguments, plugins=[budget]))
    return 0 if budget.cut_short and status == pytest.ExitCode.INTERRUPTED else status


def main() -> None:
    """Answer one request after another until the input ends."""
    for name in _PACKAGES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()  # a scan of all that takes seconds, in each copy
    for line in sys.stdin:
        request: dict[str, Any] = json.loads(line)
        print(json.dumps(run_once(request["arguments"], request["folder"], request["limit_s"])), flush=True)


if __name__ == "__main__":
    main()
