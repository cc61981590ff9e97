"""A thread that shares the work of another one."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator

import pytest

from desktop_app.core.helper_thread import HelperThread
from tests.patience import PATIENCE_S

needs_cores = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2, reason="needs Linux and two cores"
)


@pytest.fixture
def helper() -> Iterator[HelperThread]:
    with HelperThread("helper") as thread:
        yield thread


def test_functions_run_one_after_the_other_in_one_other_thread(helper: HelperThread) -> None:
    done: list[int] = []
    for number in range(3):
        helper.submit(done.append, number)
    threads = {helper.submit(threading.get_ident).result() for _ in range(3)}
    assert done == [0, 1, 2]
    assert len(threads) == 1
    assert threading.get_ident() not in threads
    assert helper.submit(pow, 2, exp=5).result() == 32


def test_what_a_function_raises_reaches_the_one_that_waits(helper: HelperThread) -> None:
    helper.submit(int).result()
    with pytest.raises(ValueError, match="invalid literal"):
        helper.submit(int, "x").result()


def test_the_thread_ends_with_the_object() -> None:
    helper = HelperThread("forgotten")
    helper.submit(int).result()
    (thread,) = (each for each in threading.enumerate() if each.name == "forgotten_0")
    del helper
    gc.collect()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


@needs_cores
def test_it_begins_on_another_core_and_may_use_all_of_them(
    helper: HelperThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_cores = os.sched_getaffinity(0)
    native_id = helper.submit(threading.get_native_id).result()
    set_cores: list[tuple[int, set[int]]] = []
    inner = os.sched_setaffinity

    def note(thread: int, cores: set[int]) -> None:
        set_cores.append((thread, cores))
        inner(thread, cores)

    own = min(all_cores)
    inner(0, {own})  # this thread stays where it is
    try:
        monkeypatch.setattr(os, "sched_setaffinity", note)
        assert helper.submit(lambda: os.sched_getaffinity(0)).result() == all_cores
    finally:
        inner(0, all_cores)
    assert set_cores == [(native_id, all_cores - {own}), (0, all_cores)]


@needs_cores
def test_it_keeps_all_cores_after_many_functions_at_once(helper: HelperThread) -> None:
    helper.submit(int).result()
    own, gate = os.sched_getaffinity(0), threading.Event()
    for core in sorted(own) * 2:
        os.sched_setaffinity(0, {core})
        helper.submit(gate.wait)
    os.sched_setaffinity(0, own)
    last = helper.submit(lambda: os.sched_getaffinity(0))
    gate.set()
    assert last.result() == own


@needs_cores
def test_it_works_where_nobody_may_choose_a_core(helper: HelperThread, monkeypatch: pytest.MonkeyPatch) -> None:
    helper.submit(int).result()

    def refuse(_thread: int, _cores: set[int]) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    assert helper.submit(int, "7").result() == 7
