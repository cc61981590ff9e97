"""A block of the window's thread is logged with its place; a busy or sleeping machine is not."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from desktop_app.gui.shell import watchdog as watchdog_module
from desktop_app.gui.shell.watchdog import Watchdog
from tests.patience import PATIENCE_S


class Logged:
    """The messages logged so far."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self._caplog = caplog

    def __iter__(self) -> Iterator[logging.LogRecord]:
        return iter(list(self._caplog.records))

    @property
    def messages(self) -> list[str]:
        return [record.getMessage() for record in self]

    def count(self, words: str) -> int:
        return sum(words in message for message in self.messages)

    @property
    def blocks(self) -> list[str]:
        """The messages about the tests' own blocks: on a busy machine the window may stand still elsewhere too."""
        return [message for message in self.messages if "has stood still" in message and "in stand_still" in message]

    def is_over(self, times: int) -> bool:
        """Return whether so many of the tests' own blocks were logged, and the end of the last one."""
        messages = self.messages
        if len(self.blocks) < times:
            return False
        return any("goes on after" in message for message in messages[messages.index(self.blocks[-1]) :])


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Logged:
    caplog.set_level(logging.INFO, watchdog_module.__name__)
    return Logged(caplog)


@pytest.fixture
def watchdog(qapp, qtbot: QtBot) -> Iterator[Watchdog]:
    dog = Watchdog()
    dog.start()
    qtbot.waitUntil(lambda: dog._thread is not None)
    yield dog
    dog.stop()
    assert "watchdog" not in {thread.name for thread in threading.enumerate()}
    dog.deleteLater()


def stand_still(logged: Logged, times: int = 1) -> None:
    """Block the window's thread until the watchdog has noticed."""
    end = time.monotonic() + PATIENCE_S
    while len(logged.blocks) < times and time.monotonic() < end:
        pass


def test_a_block_is_logged_with_its_place_and_its_end(watchdog: Watchdog, logged: Logged, qtbot: QtBot) -> None:
    QTimer.singleShot(0, lambda: stand_still(logged))
    qtbot.waitUntil(lambda: logged.is_over(1))
    (block,) = logged.blocks
    assert "tests/gui/shell/test_watchdog.py" in block
    assert "/home" not in block


def test_a_block_is_logged_again_the_next_time(watchdog: Watchdog, logged: Logged, qtbot: QtBot) -> None:
    for times in (1, 2):
        QTimer.singleShot(0, lambda n=times: stand_still(logged, n))
        qtbot.waitUntil(lambda n=times: logged.is_over(n))


def test_the_same_place_is_not_logged_endlessly(watchdog: Watchdog, logged: Logged) -> None:
    for _ in range(20):
        watchdog._log_stack(123)
    # On a busy machine this very test may stand still, which is logged too.
    assert sum(" 123 ms" in message for message in logged.messages) == watchdog_module._MAX_REPEATED_REPORTS


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


class Steps:
    """Stands for the event that the watching thread waits for: moves the clock, and beats where the plan says so."""

    def __init__(self, watchdog: Watchdog, clock: Clock, plan: list[tuple[float, bool]]) -> None:
        self._watchdog, self._clock, self._plan = watchdog, clock, iter(plan)

    def wait(self, _seconds: float) -> bool:
        step = next(self._plan, None)
        if step is None:
            return True
        seconds, beats = step
        self._clock.now += seconds
        if beats:
            self._watchdog._beaten_s = self._clock.now
            self._watchdog._beat_count += 1
        return False


def _watch(monkeypatch: pytest.MonkeyPatch, plan: list[tuple[float, bool]]) -> None:
    dog, clock = Watchdog(), Clock()
    monkeypatch.setattr(watchdog_module, "time", clock)
    dog._beaten_s = clock.now
    dog._stopped = Steps(dog, clock, plan)  # type: ignore[assignment]
    dog._watch()
    dog.deleteLater()


def test_sleep_of_the_machine_is_no_block(qapp, monkeypatch: pytest.MonkeyPatch, logged: Logged) -> None:
    """Both threads slept; the watching one wakes first."""
    _watch(monkeypatch, [(0.05, True), (3600.0, False), (0.05, False), (0.05, True), (0.05, True)])
    assert [record.levelname for record in logged] == ["INFO"]


def test_a_block_after_sleep_is_logged(qapp, monkeypatch: pytest.MonkeyPatch, logged: Logged) -> None:
    _watch(monkeypatch, [(3600.0, False), *[(0.05, False)] * 4, (0.05, True)])
    assert logged.count("has stood still")


def test_short_work_is_not_logged(qapp, monkeypatch: pytest.MonkeyPatch, logged: Logged) -> None:
    _watch(monkeypatch, [(0.05, False), (0.05, False), (0.03, True)] * 10)
    assert logged.messages == []


def test_a_long_block_is_logged_once_with_its_length(qapp, monkeypatch: pytest.MonkeyPatch, logged: Logged) -> None:
    _watch(monkeypatch, [(0.05, True), *[(0.05, False)] * 100, (0.05, True), (0.05, True)])
    assert [message.partition(", here")[0] for message in logged.messages] == [
        "the window's thread has stood still for 150 ms",
        "the window's thread goes on after 5000 ms",
    ]
