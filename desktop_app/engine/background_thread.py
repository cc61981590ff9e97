"""Runs blocking work in a background thread while other jobs go on."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.jobs import WAITING

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import Steps

T = TypeVar("T")


def run_in_thread(work: Callable[[], T]) -> Steps[T]:
    """Return what `work` returns; it runs in a thread, which is waited for also when the job is stopped."""
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            errors.append(error)

    thread = threading.Thread(target=run, name="load model")
    thread.start()
    try:
        while thread.is_alive():
            yield WAITING
    finally:
        thread.join()
    if errors:
        raise errors[0]
    return results[0]
