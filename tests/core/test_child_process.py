"""The host of child processes: messages, crashes, limits, and an exit that leaves nothing behind."""

from __future__ import annotations

import ctypes
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from desktop_app.core import child_process
from desktop_app.core.child_process import ChildDied, ChildProcess
from tests.core import child_targets
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.from_scratch


@pytest.fixture
def start() -> Iterator[Callable[..., ChildProcess]]:
    started: list[ChildProcess] = []

    def make(target: Callable[..., None], *arguments: object, **options: Any) -> ChildProcess:
        started.append(ChildProcess(target, arguments, name="kindred-test", **options))
        return started[-1]

    yield make
    for child in started:
        child.close()


def receive(child: ChildProcess) -> Any:
    """Return the child's next message."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if (message := child.receive(0.1)) is not None:
            return message
    raise AssertionError("the child sends nothing")


def receive_all(child: ChildProcess) -> None:
    """Receive messages until the child is gone."""
    while True:
        receive(child)


def test_messages_go_both_ways(start) -> None:
    child = start(child_targets.echo, "hello")
    assert receive(child) == "hello"
    assert child.receive() is None
    child.send({"rows": [1, 2]})
    child.wait(PATIENCE_S)
    assert receive(child) == {"rows": [1, 2]}
    assert child.is_alive
    child.close()
    child.close()
    assert not child.is_alive
    assert not psutil.pid_exists(child.pid)
    with pytest.raises(OSError, match="closed"):
        child.send("more")
    with pytest.raises(ChildDied):
        child.receive()


def test_a_child_is_silent_ignores_interrupts_and_has_its_own_temporary_folder(start, capfd) -> None:
    child = start(child_targets.report_setup, with_scratch_folder=True)
    file, ignores_interrupts, main = receive(child)
    assert Path(file).read_text("utf-8") == "kept"
    assert ignores_interrupts
    assert "pytest" not in main
    child.close()
    assert not Path(file).parent.exists()
    assert capfd.readouterr() == ("", "")


def test_a_crash_is_raised_with_its_status(start) -> None:
    child = start(child_targets.die)
    with pytest.raises(ChildDied) as raised:
        receive(child)
    assert (raised.value.exit_status, raised.value.was_killed, raised.value.exceeded_memory) == (7, False, False)
    assert not child.is_alive


def test_a_child_above_its_memory_limit_is_killed(start) -> None:
    child = start(child_targets.take_memory, 400, memory_bytes=200_000_000)
    with pytest.raises(ChildDied) as raised:
        receive_all(child)
    assert raised.value.was_killed
    assert raised.value.exceeded_memory
    assert not psutil.pid_exists(child.pid)


def test_a_target_that_cannot_be_sent_leaves_no_process_and_no_folder(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises((AttributeError, pickle.PicklingError), match=r"pickle|local object"):
        ChildProcess(lambda pipe: None, (), name="kindred-test", with_scratch_folder=True)
    assert list(tmp_path.iterdir()) == []


def test_the_main_module_is_back_when_the_last_of_several_processes_has_started() -> None:
    main = sys.modules["__main__"]
    first, second = child_process._MAIN_MODULE.hide(), child_process._MAIN_MODULE.hide()
    first.__enter__()
    second.__enter__()
    assert sys.modules["__main__"] is not main
    first.__exit__(None, None, None)
    assert sys.modules["__main__"] is not main
    second.__exit__(None, None, None)
    assert sys.modules["__main__"] is main


def test_on_windows_a_thread_of_the_window_gives_way_without_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[tuple[int, int]] = []

    class Kernel:
        """Plays the library of Windows."""

        @staticmethod
        def GetCurrentThread() -> int:
            return 7

        @staticmethod
        def SetThreadPriority(thread: ctypes.c_void_p, priority: int) -> None:
            changed.append((thread.value or 0, priority))

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "WinDLL", lambda _name: Kernel, raising=False)
    monkeypatch.setattr(psutil.Process, "nice", lambda *_priority: changed.append((0, 0)))
    thread = threading.Thread(target=child_process.lower_priority)
    thread.start()
    thread.join()
    assert changed == [(7, -1)]
