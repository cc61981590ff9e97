"""Work beside the engine: waited for without a result, raised, and ended when its job is cancelled."""

from __future__ import annotations

import threading

import pytest

from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.jobs import WAITING, run_to_completion
from tests.patience import PATIENCE_S


def test_the_job_waits_until_the_work_has_ended_and_returns_what_it_returns() -> None:
    go = threading.Event()
    steps = run_in_thread(lambda: go.wait() and "done", go.set)
    assert [next(steps) for _ in range(3)] == [WAITING] * 3
    go.set()
    assert run_to_completion(steps) == "done"


def test_an_error_of_the_work_is_the_jobs() -> None:
    def work() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_to_completion(run_in_thread(work))


def test_work_that_may_outlast_its_job_is_left_to_itself_when_the_job_is_cancelled() -> None:
    go, ended = threading.Event(), threading.Event()

    def work() -> None:
        go.wait()
        ended.set()

    steps = run_in_thread(work, may_outlast_job=True)
    assert next(steps) is WAITING
    steps.close()
    assert not ended.is_set()
    go.set()
    assert ended.wait(PATIENCE_S)


def test_work_of_a_cancelled_job_is_asked_to_end_and_waited_for() -> None:
    go, ended = threading.Event(), threading.Event()

    def work() -> None:
        go.wait()
        ended.set()

    asked: list[int] = []

    def abandon() -> None:
        asked.append(1)
        if len(asked) == 2:  # the first time it did not help
            go.set()

    steps = run_in_thread(work, abandon)
    assert next(steps) is WAITING
    steps.close()
    assert ended.is_set()
    assert len(asked) >= 2
