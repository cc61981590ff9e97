"""A task in a child process, followed by a job: cancelled, and ended with the program."""

from __future__ import annotations

import pytest

from desktop_app.core.errors import Cancelled
from desktop_app.core.jobs import WAITING, Progress
from desktop_app.engine.child_task import follow_task


class Scripted:
    """Reports its arguments, then nothing until it is cancelled."""

    def __init__(self, *reports: object) -> None:
        self.reports = list(reports)
        self.is_finished = False
        self.requests: list[str] = []

    def poll(self) -> object | None:
        if "stop" in self.requests:
            self.requests.append("checkpoint")
            raise Cancelled
        return self.reports.pop(0) if self.reports else None

    def cancel(self) -> None:
        self.requests.append("stop")

    def close(self) -> None:
        self.requests.append("closed")


def test_reports_reach_the_caller_and_progress_the_job() -> None:
    reports: list[object] = []
    steps = follow_task(Scripted(Progress("reading"), "a step"), reports.append)
    assert next(steps) == Progress("reading")
    assert next(steps) is None
    assert reports == ["a step"]
    assert next(steps) is WAITING
    steps.close()


def test_closing_the_program_lets_a_training_save_its_checkpoint() -> None:
    work = Scripted("a step")
    steps = follow_task(work)
    next(steps)
    steps.close()
    assert work.requests == ["stop", "checkpoint", "closed"]


def test_closing_the_program_does_not_wait_for_a_task_that_has_not_started() -> None:
    work = Scripted(Progress("opening"))
    steps = follow_task(work)
    next(steps)
    steps.close()
    assert work.requests == ["closed"]


def test_a_cancelled_job_ends_with_its_task() -> None:
    work = Scripted("a step")
    steps = follow_task(work)
    next(steps)
    with pytest.raises(Cancelled):
        steps.throw(Cancelled())
    assert work.requests == ["stop", "checkpoint", "closed"]
