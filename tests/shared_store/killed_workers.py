"""Kills workers of a shared library, and the connections of others, at random moments."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO

from desktop_app.core.reader_events import FileRef
from desktop_app.shared_store.connection import LIVE_WORKERS
from desktop_app.shared_store.library import SharedLibrary
from tests.patience import PATIENCE_S
from tests.postgres_server import SharedLibraries
from tests.steps import wait_a_moment
from tests.store.helpers import faults, path, shown

from .worker_process import SENTENCES, sentences_of

ROOT = Path(__file__).parents[2]
_TERMINATE = (
    "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
    " AND application_name LIKE 'Kindred%%' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1) chosen"
)


@dataclass
class Outcome:
    """What was done: processes killed, connections cut, and workers that came to their end.

    `slowest_s` is the longest time until others could take the work of a killed one.
    """

    killed: int = 0
    cut: int = 0
    finished: int = 0
    slowest_s: float = 0.0


class Worker:
    """A process that is killed after some of its lines, and moments after one.

    It waits after each line until the line was taken in. Its lines, and an empty one at its end, come to `lines`.
    """

    def __init__(
        self,
        library: SharedLibrary,
        libraries: SharedLibraries,
        lines: SimpleQueue[tuple[Worker, str]],
        lives: int,
        moments: int,
    ) -> None:
        address = libraries.address("sessions")
        self.was_killed = False
        self.released_s = 0.0
        self._library = library
        self._left = lives
        self._moments = moments
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.shared_store.worker_process", str(address), libraries.server.password],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        Thread(target=self._listen, args=(self._process.stdout, lines), daemon=True).start()

    def _listen(self, output: IO[str], lines: SimpleQueue[tuple[Worker, str]]) -> None:
        for line in output:
            lines.put((self, line))
        lines.put((self, ""))
        output.close()

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()
        self._close()

    def _let_go_on(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def _close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    def _kill_at_work(self, document_id: int) -> None:
        """Kill the process some moments later, and wait until the server has noticed."""
        self.was_killed = True
        database = self._library._database
        number = database.value("SELECT worker FROM document WHERE id = %(id)s", id=document_id)
        self._let_go_on()
        for _ in range(self._moments):
            wait_a_moment()
        self._process.kill()
        began = time.monotonic()
        while number and number in database.column(LIVE_WORKERS):
            wait_a_moment()
        self.released_s = time.monotonic() - began

    def live_on(self, line: str) -> bool:
        """Take in the next line; kill the process if it was the last one. Returns whether it still works."""
        self._left -= 1
        if line and self._left:
            self._let_go_on()
            return True
        if line:
            self._kill_at_work(int(line.split()[1]))
        status = self._process.wait()
        self._close()
        assert line or status == 0, f"a worker failed: {status}"
        return False


def kill_workers(
    library: SharedLibrary, libraries: SharedLibraries, *, documents: int, kills: int, at_a_time: int, seed: int
) -> Outcome:
    """Import made documents while workers are killed, and every other time a connection is cut; then check everything.

    Raises:
        AssertionError: something was lost, doubled or half visible.
    """
    rng = random.Random(seed)
    outcome = Outcome()
    lines: SimpleQueue[tuple[Worker, str]] = SimpleQueue()

    def start() -> Worker:
        lives = rng.randrange(2, 6) if outcome.killed + outcome.cut < kills else -1
        return Worker(library, libraries, lines, lives, rng.randrange(20))

    library.documents.add([FileRef(path(f"{number}.txt"), 1, 1) for number in range(documents)])
    workers = [start() for _ in range(at_a_time)]
    try:
        _watch(workers, lines, start, outcome, library, rng, kills)
    finally:
        for worker in workers:
            worker.kill()
    while library.info().states != {"ready": documents}:
        # The server notices a death a moment later; then its document waits again.
        own: SimpleQueue[tuple[Worker, str]] = SimpleQueue()
        worker = Worker(library, libraries, own, -1, 0)
        while worker.live_on(own.get(timeout=PATIENCE_S)[1]):
            pass
    info = library.info()
    assert info.occurrences == SENTENCES * documents
    # Half of the sentences are in every document.
    assert info.sentences == info.vectors == SENTENCES // 2 * (documents + 1)
    for document in library.documents.fetch(limit=documents)[:: max(1, documents // 40)]:
        assert shown(library, document.document_id) == sentences_of(document.path)
    assert faults(library) == []
    return outcome


def _watch(
    workers: list[Worker],
    lines: SimpleQueue[tuple[Worker, str]],
    start: Callable[[], Worker],
    outcome: Outcome,
    library: SharedLibrary,
    rng: random.Random,
    kills: int,
) -> None:
    """Follow workers until all have come to their end; those that are killed have successors."""
    while workers:
        worker, line = lines.get(timeout=PATIENCE_S)
        if worker not in workers:
            continue  # it was killed
        if worker.live_on(line):
            if rng.random() < 0.2 and outcome.killed + outcome.cut < kills and outcome.cut <= outcome.killed:
                outcome.cut += int(library._database.value(_TERMINATE))
                _assert_whole(library)
            continue
        workers.remove(worker)
        if worker.was_killed:
            outcome.killed += 1
            outcome.slowest_s = max(outcome.slowest_s, worker.released_s)
            workers.append(start())
        else:
            outcome.finished += 1


def _assert_whole(library: SharedLibrary) -> None:
    """Check that a document that is ready is whole, at any moment."""
    row = library._database.row(
        "SELECT count(*) AS broken FROM document d WHERE d.state = 'ready' AND (SELECT count(*) FROM occurrence o"
        " WHERE o.version_id = d.live_id) <> %(sentences)s",
        sentences=SENTENCES,
    )
    assert row is not None
    assert not row.broken, "a document is half visible"
