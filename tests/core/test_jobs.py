"""What a job tells the one who submitted it, and what that one may ask of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from desktop_app.core.errors import Cancelled
from desktop_app.core.jobs import ChangeSet, Job, Lane, Progress, Steps, run_to_completion


@pytest.fixture
def woken() -> list[str]:
    """What the engine heard."""
    return []


@pytest.fixture
def job(woken: list[str]) -> Job[Any]:
    def begin() -> Steps[Any]:
        yield None

    return Job("test", Lane.FRONT, None, begin, wake_engine=lambda: woken.append("woken"))


def test_a_job_is_paused_and_resumed(job: Job[Any], woken: list[str]) -> None:
    assert not job.is_paused
    job.pause()
    assert job.is_paused
    job.pause(False)
    assert not job.is_paused
    assert woken == ["woken"] * 2


def test_a_cancelled_job_is_paused_no_more(job: Job[Any], woken: list[str]) -> None:
    job.pause()
    job.cancel()
    assert job.is_cancelled
    assert not job.is_paused, "it must reach the step at which it stops"
    assert woken == ["woken"] * 2


@pytest.mark.parametrize(
    ("ending", "was_cancelled"),
    [({"result": 7}, False), ({"error": ValueError("no")}, False), ({"error": Cancelled()}, True)],
)
def test_everyone_who_asked_is_told_once_of_the_end(job: Job[Any], ending: dict[str, Any], was_cancelled: bool) -> None:
    told: list[tuple[str, Job[Any]]] = []

    def tell(name: str) -> Callable[[Job[Any]], None]:
        return lambda ended: told.append((name, ended))

    job.on_done(tell("first"))
    job.on_done(tell("second"))
    assert not job.is_finished
    with pytest.raises(TimeoutError):
        job.wait(0)
    job.finish(**ending)
    job.on_done(tell("late"))
    assert told == [("first", job), ("second", job), ("late", job)]
    assert job.is_finished
    assert job.was_cancelled is was_cancelled
    if "error" in ending:
        with pytest.raises(type(ending["error"])):
            job.wait(0)
    else:
        assert job.wait(0) == 7


def test_each_report_is_passed_on_and_the_last_one_kept(job: Job[Any]) -> None:
    seen: list[Progress] = []
    job.on_progress(seen.append)
    reports = [Progress("reading"), Progress("embedding")]
    for report in reports:
        job.report(report)
    assert seen == reports
    assert job.progress == reports[-1]


def test_steps_run_to_their_end() -> None:
    def steps() -> Steps[str]:
        yield Progress("reading")
        yield ChangeSet()
        return "read"

    assert run_to_completion(steps()) == "read"
