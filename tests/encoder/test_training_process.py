"""A task in a child process: its reports, its result, its errors and its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from desktop_app.core.errors import AppError, BadData, Cancelled
from desktop_app.core.jobs import Progress
from desktop_app.encoder import training_process
from desktop_app.encoder.training_process import WorkProcess

from .scripted_task import WAIT


@pytest.fixture
def start(monkeypatch) -> Iterator[Any]:
    monkeypatch.setitem(training_process.TASKS, "scripted", "tests.encoder.scripted_task:steps")
    begun: list[WorkProcess] = []

    def make(request: str) -> WorkProcess:
        begun.append(WorkProcess("scripted", request))
        return begun[-1]

    yield make
    for work in begun:
        work.close()


def heard(work: WorkProcess) -> object:
    """Return the task's next report."""
    while True:
        work._child.wait(0.2)
        if (report := work.poll()) is not None:
            return report


def test_reports_and_the_result_come_in_their_order(start) -> None:
    work = start("all")
    assert heard(work) == Progress("reading")
    assert heard(work) == "begun"
    assert not work.is_finished
    assert heard(work) == "done: all"
    assert work.is_finished


@pytest.mark.parametrize(
    ("request_", "error", "message"),
    [
        ("refuse", BadData, "line 3 is bad"),
        ("break", RuntimeError, "ZeroDivisionError"),
        ("die", AppError, "ended unexpectedly"),
    ],
)
def test_errors_of_the_task_are_raised_in_the_parent(start, request_, error, message) -> None:
    work = start(request_)
    assert [heard(work), heard(work)] == [Progress("reading"), "begun"]
    with pytest.raises(error, match=message) as raised:
        heard(work)
    if error is BadData:
        assert str(raised.value.hint) == "Mend it."


def test_a_task_is_stopped_at_its_next_step_and_can_save_a_checkpoint(start) -> None:
    work = start("go on")
    while heard(work) != "begun":
        pass
    work.cancel()
    with pytest.raises(Cancelled, match="with a checkpoint"):
        heard(work)
    work.close()
    work.close()


def test_a_long_step_blocks_nobody_however_often_news_is_asked_for(start, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(training_process, "_ASK_INTERVAL_S", -1.0)
    work = start(f"{WAIT}{tmp_path / 'gate'}")
    assert [heard(work), heard(work)] == [Progress("reading"), "begun"]
    for _ in range(5000):  # a pipe holds some hundred requests
        assert work.poll() is None
    (tmp_path / "gate").touch()
    assert str(heard(work)).startswith("a long result")
    assert work.is_finished
