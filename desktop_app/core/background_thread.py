"""Work in a thread of its own, while the job that waits for it lets other jobs go on."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.jobs import WAITING

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import Steps

T = TypeVar("T")

_ABANDON_EVERY_S = 0.02


def run_in_thread(
    work: Callable[[], T], abandon: Callable[[], None] = lambda: None, *, may_outlast_job: bool = False
) -> Steps[T]:
    """Return what `work` returns; it runs in a thread, which is joined even if the job is cancelled.

    When the job is cancelled, `abandon` is called again and again until `work` ends; it may make it end sooner. Work
    that only reads files `may_outlast_job`: then neither a cancelled job nor the end of the program waits for it.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            errors.append(error)

    thread = threading.Thread(target=run, name="beside the engine", daemon=may_outlast_job)
    thread.start()
    try:
        while thread.is_alive():
            yield WAITING
    finally:
        while thread.is_alive() and not may_outlast_job:
            abandon()
            thread.join(_ABANDON_EVERY_S)  # another statement may have begun
    if errors:
        raise errors[0]
    return results[0]
