"""Follows work in a process of its own, as a job: its reports become the job's, its end the job's end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import Cancelled
from desktop_app.core.jobs import WAITING, Progress, Steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.ports import Work


def follow(work: Work, on_report: Callable[[object], None] | None = None) -> Steps[Any]:
    """Return what the work returns.

    A cancelled job lets the work come to its next step, where it leaves a checkpoint.

    Args:
        work: has begun; it is closed here.
        on_report: called with every report that is no `Progress`, on the engine's thread.

    Raises:
        AppError: the work cannot be done.
    """
    try:
        while (report := work.poll()) is None or not work.is_finished:
            try:
                if isinstance(report, Progress):
                    yield report
                elif report is None:
                    yield WAITING
                else:
                    if on_report is not None:
                        on_report(report)
                    yield None
            except Cancelled:
                # The engine tells a job once; from here on the work tells when it has stopped.
                work.cancel()
        return report
    finally:
        work.close()
