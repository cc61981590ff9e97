"""Work on a library that runs until it is killed, and prints each completed action.

A process with all imports done forks one process for each run, so that a run costs only its own work; without
fork, each run is a new process.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.patience import PATIENCE_S

_CAN_FORK = hasattr(os, "fork")
_GONE = "gone"


class Runs:
    """Runs of a task, each in its own process that may be killed."""

    def __init__(self) -> None:
        self._server: subprocess.Popen[str] | None = None
        self._pid = 0

    def __enter__(self) -> Self:
        self._begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def lines(self, task: str, folder: Path) -> Iterator[str]:
        """Yield the lines of a run, until it is killed and its process has ended."""
        if self._server is None:
            self._begin()
        assert self._server is not None
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps([task, str(folder)]) + "\n")
        self._server.stdin.flush()
        self._pid = int(self._server.stdout.readline())
        for line in self._server.stdout:
            if line.strip() == _GONE:
                break
            yield line
        if not _CAN_FORK:
            self._end()

    def _begin(self) -> None:
        root = Path(__file__).parents[2]
        self._server = subprocess.Popen(
            [sys.executable, "-P", "-m", "tests.store.killed_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=root,
            env=os.environ | {"PYTHONPATH": str(root)},
        )

    def kill(self) -> None:
        """Kill the run; lines printed before the signal still arrive."""
        os.kill(self._pid, signal.SIGKILL if _CAN_FORK else signal.SIGTERM)

    def _end(self) -> None:
        if self._server is not None:
            assert self._server.stdin is not None
            assert self._server.stdout is not None
            with contextlib.suppress(OSError):
                self._server.stdin.close()
            self._server.wait(PATIENCE_S)
            self._server.stdout.close()
            self._server = None


# In the working processes. Their imports are here: the process that builds a segment for them needs none of them.


def _say(*words: object) -> None:
    # One write: `print` makes two where PYTHONUNBUFFERED is set, and a kill between them leaves a line without its end.
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def imports(folder: str) -> None:
    """Import documents, change and remove some, and maintain the index."""
    from desktop_app.core.reader_events import ReadingDone
    from desktop_app.core.scope import Scope
    from desktop_app.store.library import LocalLibrary
    from tests.store.helpers import MODEL, add, head, store, texts

    library = LocalLibrary.open(Path(folder), tail_rows=60)
    library.models.bind(MODEL)
    _say("opened")
    number = max((d.document_id for d in library.documents.fetch(limit=100_000)), default=0)
    while True:
        number += 1
        document_id = add(library, f"{number}.txt")
        library.ingest.begin(document_id, head(str(number)))
        _say("begun")
        for part in range(3):
            store(library, document_id, texts(f"{number} {part}", 8))
            _say("appended")
        library.ingest.finish(document_id, ReadingDone())
        _say("finished", document_id, number)
        earlier = number - 3
        if number % 5 == 0 and library.documents.fetch(scope=Scope(document_ids=frozenset({earlier}))):
            library.ingest.begin(earlier, head("again"))
            store(library, earlier, texts(f"{earlier} again", 8))
            _say("appended")
            library.ingest.finish(earlier, ReadingDone())
            _say("changed", earlier)
        if number % 7 == 0:
            library.documents.remove([number - 2])
            _say("removed", number - 2)
            for _ in library.maintenance.purge():
                _say("purging")
            _say("purged", number - 2)
        if number % 4 == 0:
            for _ in library.maintenance.run():
                _say("maintaining")


def switches(folder: str) -> None:
    """Import documents, and switch to the other model after every third."""
    from desktop_app.core.jobs import Waiting
    from desktop_app.core.reader_events import ReadingDone
    from desktop_app.store.library import LocalLibrary
    from tests.store.helpers import MODEL, OTHER, add, head, spans_of, switch_steps, texts, vectors_by

    library = LocalLibrary.open(Path(folder), tail_rows=60)
    if library.models.current is None:
        library.models.bind(MODEL)
    _say("opened")
    number = max((d.document_id for d in library.documents.fetch(limit=100_000)), default=0)
    while True:
        own = library.models.current
        assert own is not None
        number += 1
        document_id = add(library, f"{number}.txt")
        library.ingest.begin(document_id, head(str(number)))
        new = library.ingest.without_vector(texts(str(number), 25))
        library.ingest.append(document_id, spans_of(texts(str(number), 25)), new, vectors_by(own, new))
        library.ingest.finish(document_id, ReadingDone())
        _say("finished", document_id, number)
        if number % 3 == 0:
            for step in switch_steps(library, OTHER if own == MODEL else MODEL):
                if not isinstance(step, Waiting):
                    _say("switching")
            assert library.models.current is not None
            _say("switched", library.models.current.name)
            for step in library.maintenance.run():
                if not isinstance(step, Waiting):
                    _say("maintaining")


_TASKS = {"imports": imports, "switches": switches}


def _serve() -> None:
    import desktop_app.store.library  # noqa: F401 - imported once for all runs
    import tests.store.helpers  # noqa: F401

    for line in sys.stdin:
        task, folder = json.loads(line)
        if not _CAN_FORK:
            _say(os.getpid())
            _TASKS[task](folder)
        elif (child := os.fork()) == 0:
            try:
                os.setsid()
                _say(os.getpid())
                _TASKS[task](folder)
            finally:
                os._exit(1)
        else:
            os.waitpid(child, 0)
            _await_all(child)
            _say(_GONE)


def _await_all(group: int) -> None:
    """Wait for the child processes of a killed run: a builder takes a moment to notice."""
    end = time.monotonic() + 60
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < end:
            os.killpg(group, 0)
            time.sleep(0.002)


if __name__ == "__main__":
    _serve()
