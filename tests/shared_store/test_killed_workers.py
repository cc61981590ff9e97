"""Workers that are killed at any moment: nothing is lost, doubled or half visible."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.core.reader_events import FileRef
from desktop_app.shared_store.library import SharedLibrary
from tests.postgres_server import SharedLibraries
from tests.store.helpers import faults, path, shown

from .worker_process import sentences_of

ROOT = Path(__file__).parents[2]


class Worker:
    """A process that is killed after some of its lines."""

    def __init__(self, libraries: SharedLibraries, lives: int) -> None:
        address = libraries.address("sessions")
        self.left = lives
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.shared_store.worker_process", str(address), libraries.server.password],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )

    def live_on(self) -> bool:
        """Wait for the next line; kill the process if it was the last one. Returns whether it still works."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        self.left -= 1
        if line and self.left:
            return True
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        return False


@pytest.mark.parametrize(
    ("documents", "kills"), [(36, 3), pytest.param(400, 100, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_killed_workers_lose_and_double_nothing(
    library: SharedLibrary, shared_libraries: SharedLibraries, documents: int, kills: int
) -> None:
    rng = random.Random(5)
    files = [FileRef(path(f"{number}.txt"), 1, 1) for number in range(documents)]
    library.documents.add(files)
    workers = [Worker(shared_libraries, rng.randrange(2, 9)) for _ in range(2 if kills < 10 else 4)]
    while workers:
        for worker in list(workers):
            if worker.live_on():
                continue
            workers.remove(worker)
            if worker.left == 0 and kills:
                kills -= 1
                # The last ones live until nothing waits.
                workers.append(Worker(shared_libraries, rng.randrange(2, 9) if kills else -1))
    assert kills == 0
    while library.info().states != {"ready": documents}:
        # The server notices a death a moment later; then its document waits again.
        worker = Worker(shared_libraries, -1)
        while worker.live_on():
            pass
    info = library.info()
    assert info.states == {"ready": documents}
    assert info.occurrences == 30 * documents
    assert info.sentences == info.vectors == 15 * documents + 15
    for document in library.documents.fetch(limit=documents)[:: max(1, documents // 8)]:
        assert shown(library, document.document_id) == sentences_of(document.path)
    assert faults(library) == []
