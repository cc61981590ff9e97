"""A change of one session that begins before another session has committed its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from desktop_app.shared_store.library import SharedLibrary
from tests.steps import wait_a_moment


class Later:
    """A change of a second session, which begins while the first one has not committed, and what it gave."""

    def __init__(self, change: Callable[[], Any]) -> None:
        self._change = change
        self._thread = threading.Thread(target=self._run)
        self._result: Any = None
        self._error: Exception | None = None

    def _run(self) -> None:
        try:
            self._result = self._change()
        except Exception as error:  # noqa: BLE001 - raised again
            self._error = error

    @contextmanager
    def after(self, first: SharedLibrary) -> Iterator[None]:
        """Begin when the first session is done with the body, and let that commit when the second one waits for it."""
        with first._database.write_transaction():
            yield
            self._thread.start()
            while self._thread.is_alive() and not first._database.value(
                "SELECT count(*) FROM pg_locks WHERE NOT granted"
            ):
                wait_a_moment()
        self._thread.join()

    def result(self) -> Any:
        if self._error is not None:
            raise self._error
        return self._result
