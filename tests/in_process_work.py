"""Runs tasks of `WorkProcess` in the tests' own process: starting a process that imports torch takes seconds.

`tests/encoder/test_training_process.py` tests the real process.
"""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from desktop_app.core.errors import Cancelled
from desktop_app.encoder import training_process


class InProcessWork:
    """Implements `core.ports.Work` like `WorkProcess`; the caller's thread computes in `poll`."""

    def __init__(self, task: str, request: object) -> None:
        module, _, name = training_process.TASKS[task].partition(":")
        self._steps = getattr(importlib.import_module(module), name)(request)
        self._is_cancelled = False
        self.is_finished = False

    def poll(self) -> Any:
        """Continue to the next report, or to the result."""
        try:
            if self._is_cancelled:
                self._is_cancelled = False
                self._steps.throw(Cancelled())
            while (report := next(self._steps)) is None:
                pass
        except StopIteration as end:
            self.is_finished = True
            return end.value
        return report

    def cancel(self) -> None:
        """Stop at the next step."""
        self._is_cancelled = True

    def close(self) -> None:
        """End the work."""
        self._steps.close()


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute trainings and evaluations in this process."""
    monkeypatch.setattr(training_process, "WorkProcess", InProcessWork)
