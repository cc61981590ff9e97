"""The engine: order of jobs, latest wins, cancel, pause, faults, reports."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from desktop_app.core import foreground_gate
from desktop_app.core.errors import AppError, Cancelled
from desktop_app.core.jobs import WAITING, ChangeSet, Job, Lane, Progress, Steps
from desktop_app.engine import engine as engine_module
from desktop_app.engine.engine import Engine
from tests.patience import PATIENCE_S


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = Engine()
    engine.start()
    yield engine
    engine.stop()


class Gate:
    """A job that the test advances step by step."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.opened = threading.Event()
        self.closed = False

    def steps(self) -> Steps[str]:
        try:
            self.entered.set()
            while not self.opened.is_set():
                yield WAITING
            return "through"
        finally:
            self.closed = True


def hold(engine: Engine) -> threading.Event:
    """Keep the engine's thread until the event that is returned is set: meanwhile nothing else begins."""
    go = threading.Event()
    engine.submit("hold", lambda: go.wait(PATIENCE_S), lane=Lane.FRONT)
    return go


@pytest.mark.parametrize("lane", Lane)
def test_only_what_a_person_asks_for_is_given_up_in_the_middle_of_a_step(engine: Engine, lane: Lane) -> None:
    entered, go = threading.Event(), threading.Event()

    def steps() -> list[bool]:
        entered.set()
        go.wait(PATIENCE_S)
        return [engine.take_cancellation(), engine.take_cancellation()]

    job = engine.submit("statement", steps, lane=lane)
    entered.wait(PATIENCE_S)
    job.cancel()
    go.set()
    assert job.wait(PATIENCE_S) == [lane is Lane.FRONT, False]
    assert not engine.take_cancellation()


def test_background_work_waits_while_a_window_paints_an_answer(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "_PAINTING_S", 2 * PATIENCE_S)
    engine.submit("an answer", lambda: None, lane=Lane.FRONT).wait(PATIENCE_S)
    began = threading.Event()
    engine.submit("background", began.set)
    for number in range(3):  # other answers do not wait
        assert engine.submit("another", lambda number=number: number, lane=Lane.FRONT).wait(PATIENCE_S) == number
    assert not began.is_set()
    monkeypatch.setattr(engine_module, "_PAINTING_S", 0.0)
    engine.submit("the last", lambda: None, lane=Lane.FRONT).wait(PATIENCE_S)
    assert began.wait(PATIENCE_S)


def test_a_job_returns_what_its_generator_returns(engine: Engine) -> None:
    def steps() -> Steps[int]:
        yield None
        return 7

    assert engine.submit("seven", steps).wait(PATIENCE_S) == 7


def test_a_plain_function_is_a_job_of_one_step(engine: Engine) -> None:
    assert engine.submit("plain", lambda: threading.current_thread().name).wait(PATIENCE_S) == "engine"


def test_the_front_lane_runs_between_two_background_steps(engine: Engine) -> None:
    order: list[str] = []
    asked: list[Job[None]] = []

    def background() -> Steps[None]:
        order.append("first step")
        asked.append(engine.submit("query", lambda: order.append("query"), lane=Lane.FRONT))
        yield None
        order.append("second step")

    engine.submit("background", background).wait(PATIENCE_S)
    assert order == ["first step", "query", "second step"]


def test_the_latest_query_wins(engine: Engine) -> None:
    gate = Gate()
    engine.submit("busy", gate.steps, lane=Lane.FRONT)
    assert gate.entered.wait(PATIENCE_S)
    queries = [engine.submit(f"q{n}", lambda n=n: n, lane=Lane.FRONT, key="search") for n in range(5)]
    gate.opened.set()
    assert queries[-1].wait(PATIENCE_S) == 4
    assert [query.was_cancelled for query in queries] == [True] * 4 + [False]


def test_keys_do_not_apply_across_lanes(engine: Engine) -> None:
    gate = Gate()
    engine.submit("busy", gate.steps, lane=Lane.FRONT)
    behind = engine.submit("care", lambda: "kept", key="search")
    front = engine.submit("query", lambda: "kept", lane=Lane.FRONT, key="search")
    gate.opened.set()
    assert (front.wait(PATIENCE_S), behind.wait(PATIENCE_S)) == ("kept", "kept")


def test_a_waiting_front_job_does_not_block_the_background(engine: Engine) -> None:
    gate = Gate()
    waiting = engine.submit("page", gate.steps, lane=Lane.FRONT)
    assert engine.submit("import", lambda: "done").wait(PATIENCE_S) == "done"
    assert not waiting.is_finished
    gate.opened.set()
    assert waiting.wait(PATIENCE_S) == "through"


def test_jobs_of_one_chain_run_in_order_even_if_the_first_waits_or_is_paused(engine: Engine) -> None:
    gate = Gate()
    first = engine.submit("first", gate.steps, chain="import")
    second = engine.submit("second", lambda: "done", chain="import")
    assert gate.entered.wait(PATIENCE_S)
    first.pause()
    assert engine.submit("other", lambda: "free").wait(PATIENCE_S) == "free"
    assert not second.is_finished
    first.pause(False)
    gate.opened.set()
    assert (first.wait(PATIENCE_S), second.wait(PATIENCE_S)) == ("through", "done")


def test_a_waiting_background_job_lets_the_next_one_run(engine: Engine) -> None:
    gate = Gate()
    waiting = engine.submit("waits", gate.steps)
    assert engine.submit("works", lambda: "done").wait(PATIENCE_S) == "done"
    assert not waiting.is_finished
    gate.opened.set()
    assert waiting.wait(PATIENCE_S) == "through"


def test_cancel_runs_the_generators_cleanup_and_ends_the_job(engine: Engine) -> None:
    gate = Gate()
    job = engine.submit("gate", gate.steps)
    assert gate.entered.wait(PATIENCE_S)
    job.cancel()
    with pytest.raises(Cancelled):
        job.wait(PATIENCE_S)
    assert gate.closed
    assert job.was_cancelled


def test_a_cancelled_job_may_return_a_result(engine: Engine) -> None:
    seen = threading.Event()

    def steps() -> Steps[list[int]]:
        done: list[int] = []
        try:
            while True:
                done.append(len(done))
                seen.set()
                yield WAITING
        except Cancelled:
            yield Progress("tidying")  # a job may take some steps to end well
            yield None
            return done[:1]

    job = engine.submit("partial", steps)
    assert seen.wait(PATIENCE_S)
    job.cancel()
    assert job.wait(PATIENCE_S) == [0]


def test_a_job_cancelled_before_its_start_never_starts(engine: Engine) -> None:
    go = hold(engine)
    began: list[bool] = []
    job = engine.submit("late", lambda: began.append(True), lane=Lane.FRONT)
    job.cancel()
    go.set()
    with pytest.raises(Cancelled):
        job.wait(PATIENCE_S)
    assert began == []


def test_a_paused_job_rests_while_others_run(engine: Engine) -> None:
    steps_done: list[int] = []

    def steps() -> Steps[int]:
        for number in range(3):
            steps_done.append(number)
            if number == 0:
                job.pause()
            yield None
        return len(steps_done)

    go = hold(engine)  # until `job` has its name
    job = engine.submit("pausing", steps)
    go.set()
    assert engine.submit("other", lambda: "ran").wait(PATIENCE_S) == "ran"
    assert engine.submit("another", lambda: list(steps_done)).wait(PATIENCE_S) == [0]
    job.pause(False)
    assert job.wait(PATIENCE_S) == 3


def test_an_error_reaches_the_caller_and_the_engine_continues(engine: Engine) -> None:
    def fail() -> None:
        raise AppError("It broke", "Mend it.")

    with pytest.raises(AppError, match="It broke"):
        engine.submit("fails", fail).wait(PATIENCE_S)
    assert engine.submit("after", lambda: "alive").wait(PATIENCE_S) == "alive"


def test_a_bug_is_logged_and_reaches_the_caller(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ZeroDivisionError):
        engine.submit("bug", lambda: 1 // 0).wait(PATIENCE_S)
    assert "job bug failed" in caplog.text


def test_progress_is_throttled_and_the_last_report_always_arrives(engine: Engine) -> None:
    reports: list[int] = []

    def steps() -> Steps[None]:
        for number in range(10_000):
            yield Progress("counting", number)

    go = hold(engine)
    job = engine.submit("counts", steps)
    job.on_progress(lambda progress: reports.append(progress.done))
    go.set()
    job.wait(PATIENCE_S)
    assert reports[-1] == 9_999
    assert reports == sorted(reports)
    assert len(reports) < 5_000


def test_changes_are_merged_and_arrive_before_the_job_ends(engine: Engine) -> None:
    changes: list[ChangeSet] = []
    engine.listen(changes.append)

    def steps() -> Steps[None]:
        for number in range(100):
            yield ChangeSet(documents=frozenset({number}))

    engine.submit("changes", steps).wait(PATIENCE_S)
    assert frozenset().union(*(change.documents for change in changes)) == frozenset(range(100))
    assert len(changes) < 100


def test_stop_closes_jobs_then_resources_in_reverse_and_refuses_more() -> None:
    engine = Engine()
    closed: list[str] = []
    engine.at_exit(lambda: closed.append("first opened"))
    engine.at_exit(lambda: closed.append("last opened"))
    engine.start()
    gate = Gate()
    job = engine.submit("gate", gate.steps)
    assert gate.entered.wait(PATIENCE_S)
    engine.stop()
    assert gate.closed
    assert job.was_cancelled
    assert closed == ["last opened", "first opened"]
    assert engine.submit("late", lambda: 1).was_cancelled
    assert not engine.is_alive


def test_held_back_reports_arrive_when_the_engine_rests(engine: Engine) -> None:
    reports: list[int] = []
    gate = Gate()

    def steps() -> Steps[str]:
        yield Progress("counting", 1)
        yield Progress("counting", 2)
        return (yield from gate.steps())

    go = hold(engine)
    job = engine.submit("counts", steps)
    reported = threading.Event()
    job.on_progress(lambda progress: (reports.append(progress.done), reported.set() if progress.done == 2 else None))
    go.set()
    assert reported.wait(PATIENCE_S)
    assert not job.is_finished
    gate.opened.set()
    job.wait(PATIENCE_S)


def test_only_requests_of_a_person_make_steps_short(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "_USER_ACTIVE_S", 1000.0)
    engine.submit("refresh", lambda: None, lane=Lane.FRONT, by_person=False).wait(PATIENCE_S)
    engine.submit("import", lambda: None).wait(PATIENCE_S)
    assert not engine.is_user_active()
    engine.submit("query", lambda: None, lane=Lane.FRONT).wait(PATIENCE_S)
    assert engine.is_user_active()


def test_memory_is_returned_once_when_nothing_is_left_to_do(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    returned: list[int] = []
    was_returned, done = threading.Event(), []
    monkeypatch.setattr(engine_module, "_IDLE_S", 0.01)
    monkeypatch.setattr(engine_module, "return_freed_memory", lambda: (returned.append(len(done)), was_returned.set()))
    released: list[int] = []
    engine.at_rest(lambda: released.append(len(returned)))
    held = hold(engine)
    for number in range(3):
        engine.submit("analysis", lambda number=number: done.append(number))
    held.set()
    assert was_returned.wait(PATIENCE_S)
    assert returned == [3], "after the last job"
    assert released == [0], "what is released is returned with the rest"
    engine.submit("query", lambda: 1, lane=Lane.FRONT).wait(PATIENCE_S)
    assert returned == [3], "a query leaves little behind"


def test_memory_that_cannot_be_released_stops_nothing(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    was_returned = threading.Event()
    monkeypatch.setattr(engine_module, "_IDLE_S", 0.01)

    def fail() -> None:
        raise ValueError("a bug")

    def fail_too() -> None:
        was_returned.set()
        fail()

    engine.at_rest(fail)
    monkeypatch.setattr(engine_module, "return_freed_memory", fail_too)
    engine.submit("analysis", lambda: None).wait(PATIENCE_S)
    assert was_returned.wait(PATIENCE_S), "the others are released"
    assert engine.submit("query", lambda: 1, lane=Lane.FRONT).wait(PATIENCE_S) == 1
    assert [record.message for record in caplog.records if record.exc_info] == 2 * ["releasing memory failed"]


def test_on_done_is_called_once_even_if_registered_after_the_end(engine: Engine) -> None:
    calls: list[object] = []
    job = engine.submit("one", lambda: 1)
    job.wait(PATIENCE_S)
    job.on_done(lambda ended: calls.append(ended.result))
    assert calls == [1]


def test_the_foreground_gate_is_taken_until_the_answer(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreground_gate, "MAX_WAIT_S", 1000.0)
    way, gate = engine.foreground_gate, Gate()
    engine.submit("listing", lambda: None, lane=Lane.FRONT, by_person=False).wait(PATIENCE_S)
    engine.submit("import", lambda: None).wait(PATIENCE_S)
    assert not way.is_closed
    job = engine.submit("query", gate.steps, lane=Lane.FRONT)
    assert way.is_closed, "also while it only waits for its turn"
    assert gate.entered.wait(PATIENCE_S)
    engine.submit("another", lambda: None, lane=Lane.FRONT).wait(PATIENCE_S)
    assert way.is_closed, "the first one has no answer yet"
    gate.opened.set()
    job.wait(PATIENCE_S)
    assert not way.is_closed


def test_a_cancelled_query_gives_the_foreground_gate_back(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreground_gate, "MAX_WAIT_S", 1000.0)
    job = engine.submit("query", Gate().steps, lane=Lane.FRONT, key="search")
    job.cancel()
    with pytest.raises(Cancelled):
        job.wait(PATIENCE_S)
    assert not engine.foreground_gate.is_closed
