"""A task for `WorkProcess` that needs no model: the request is its script."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Generator

from desktop_app.core.errors import BadData, Cancelled
from desktop_app.core.jobs import Progress

WAIT = "wait for "
"""Begins the request of a step that ends when the file exists that follows."""


def steps(request: str) -> Generator[object, None, str]:
    """Follow the request, after a report."""
    yield Progress("reading")
    try:
        yield "begun"
        while request == "go on":
            yield None
    except Cancelled:
        raise Cancelled("with a checkpoint") from None
    if request.startswith(WAIT):
        while not os.path.exists(request.removeprefix(WAIT)):
            time.sleep(0.01)
        return "a long result " * 100_000
    if request == "refuse":
        raise BadData("line 3 is bad", "Mend it.")
    if request == "break":
        raise ZeroDivisionError
    if request == "die":
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
    return f"done: {request}"
