"""Rules for every test: it leaves nothing running."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import psutil
import pytest

from desktop_app.core import child_process
from tests import forked_children, library_template

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Tests that a shell starts in the background ignore Ctrl-C, and so do their children; some tests send it.
for _name, _usual in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    if (_number := getattr(signal, _name, None)) is not None and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _usual)
# On a busy machine any example may take long.
hypothesis.settings.register_profile("tests", deadline=None)
hypothesis.settings.load_profile("tests")
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # only sentence-transformers, the reference, would go online


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the slow tests too")
    parser.addoption("--data", metavar="DIR", default=os.environ.get("KINDRED_DATA"), help="the full evaluation data")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[object]:
    """Read all files of tests without garbage collection, which would look through all syntax trees again and again.

    And without PySide's look into the source of every imported module: see `skip_source_inspection` of the window.
    """
    gc.disable()
    if (feature := sys.modules.get("shibokensupport.feature")) is not None:  # pytest-qt has loaded it
        feature.__dict__["_mod_uses_pyside"] = lambda _module: False
    try:
        _import_own_share(session.config)
        return (yield)
    finally:
        gc.enable()


def _import_own_share(config: pytest.Config) -> None:
    """Import every third file of tests first if there are three workers, each worker others.

    Workers read all files in the same order, each at the same time: in a fresh checkout each would compile them all.
    """
    worker = getattr(config, "workerinput", None)  # of pytest-xdist
    if worker is None:
        return
    asked_for = [config.rootpath / argument.partition("::")[0] for argument in config.args]
    files = sorted(file for path in asked_for for file in (path.rglob("test_*.py") if path.is_dir() else [path]))
    for file in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        with contextlib.suppress(Exception, pytest.skip.Exception):  # its collection will report it
            importlib.import_module(".".join(file.relative_to(config.rootpath).with_suffix("").parts))


_LONG_TESTS = (Path("tests/test_house.py"), Path("tests/store/test_crash.py"), Path("tests/end2end"))
"""Files and folders whose tests take up to 15 seconds each."""


def _is_long(item: pytest.Item) -> bool:
    place = item.path.relative_to(item.config.rootpath)
    return any(place.is_relative_to(each) for each in _LONG_TESTS)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with long tests, which a worker would otherwise run alone at the end; leave out those for `--slow`."""
    items.sort(key=lambda item: not _is_long(item))
    if config.getoption("--slow"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow: run with --slow"))


@pytest.fixture
def full_data(request: pytest.FixtureRequest) -> Path:
    """Return the folder of large evaluation data; skip if none is given."""
    folder = request.config.getoption("--data")
    if not folder or not Path(folder).is_dir():
        pytest.skip("needs --data DIR")
    return Path(folder)


@pytest.fixture(scope="session")
def shared_libraries(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Any]:
    """Libraries on the PostgreSQL server of this run, in a database of this worker; see `postgres_server.py`."""
    from tests.postgres_server import share_server  # only tests of shared libraries load the driver

    base = tmp_path_factory.getbasetemp()
    yield from share_server(base if worker_id == "master" else base.parent, f"kindred_{worker_id}")


_SPAWNING = child_process.CONTEXT
_FORKING = forked_children.ForkedContext()


_MODULES = [0]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin child processes and libraries as copies, except for tests marked `from_scratch`.

    And exempt loaded modules from garbage collection, as the program does: a scan of torch takes a tenth of a second.
    Not while it is off: the window of several tests is there, which would be exempted too.
    """
    copies = item.get_closest_marker("from_scratch") is None
    child_process.CONTEXT = _FORKING if copies and forked_children.CAN_FORK else _SPAWNING
    library_template.choose_creation(copies=copies)
    if len(sys.modules) > _MODULES[0] + 100 and gc.isenabled():
        _MODULES[0] = len(sys.modules)
        gc.collect()
        gc.freeze()


_LARGE_BYTES = 3 * 2**28
_STEP_BYTES = 2**28
_memory_bound = [_LARGE_BYTES]


def pytest_runtest_logfinish() -> None:
    """Return memory to the system now and then: models and windows of hundreds of tests would add up to gigabytes."""
    process = psutil.Process()
    if process.memory_info().rss > _memory_bound[0]:
        gc.collect()
        with contextlib.suppress(OSError, AttributeError):  # glibc alone can do it
            ctypes.CDLL("libc.so.6").malloc_trim(0)
        _memory_bound[0] = max(_LARGE_BYTES, process.memory_info().rss + _STEP_BYTES)


def _offspring() -> list[psutil.Process]:
    """All descendants of this process. Linux lists them; psutil would scan all processes of the system twice a test."""
    below, found = [os.getpid()], []
    while below:
        pid = below.pop()
        lists = list(Path(f"/proc/{pid}/task").glob("*/children"))
        if not lists and not found and pid == os.getpid():
            return psutil.Process().children(recursive=True)
        for file in lists:
            with contextlib.suppress(OSError, psutil.NoSuchProcess):
                for child in map(int, file.read_text("ascii").split()):
                    below.append(child)
                    found.append(psutil.Process(child))
    return found


_NOTHING = threading.Event()
_ENDING_S = 20.0
"""How long the end of what a test has stopped may take on a busy machine."""


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> Iterator[None]:
    """Fail a test that leaves a thread or a process: close what it opened."""
    threads, processes = set(threading.enumerate()), set(_offspring())
    yield
    # Threads of tqdm and torch belong to their libraries and live for the whole run.
    left = [
        thread
        for thread in threading.enumerate()
        if thread not in threads and type(thread).__module__.partition(".")[0] not in ("tqdm", "torch")
    ]
    end = time.monotonic() + _ENDING_S
    for thread in left:
        thread.join(max(0.0, end - time.monotonic()))
    left = [thread for thread in left if thread.is_alive()]
    assert not left, f"threads left behind: {left}; stop the engine, join started threads"
    while (started := _started_since(processes)) and time.monotonic() < end:
        _NOTHING.wait(0.05)
    for pid in started:
        with contextlib.suppress(psutil.NoSuchProcess):
            psutil.Process(pid).kill()
    assert not started, f"processes left behind: {started}; close the reader"


def _started_since(before: set[psutil.Process]) -> dict[int, str]:
    """The commands of the processes below this one that were not there before, by process id."""
    started = {process.pid: _command(process) for process in _offspring() if process not in before}
    return {pid: command for pid, command in started.items() if command}


def _command(process: psutil.Process) -> str:
    """Return a process's command line; empty for one that has ended, and for Python's own, which stay for the run.

    No key of a process: a process that is just starting has an empty one for a moment.
    """
    with contextlib.suppress(psutil.NoSuchProcess):
        command = " ".join(process.cmdline())
        stays = "resource_tracker" in command or forked_children.is_server(process.pid)
        if process.status() != psutil.STATUS_ZOMBIE and not stays:
            return command or "?"
    return ""
