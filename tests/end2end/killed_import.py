"""Imports killed at random moments, and the state of their libraries, for the test and the benchmark.

A process with all imports done forks one process for each run, so that a run costs only its own work. Each run does
the same as the program at its start: it imports a folder the first time, and later resumes by itself.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import psutil

from desktop_app.core.paths import resources_folder
from desktop_app.store.library import LocalLibrary
from tests.patience import PATIENCE_S
from tests.store.helpers import run_checks

TAIL_ROWS = 100  # small, so that builds of index segments are killed as well
MOST_KILLS = 6  # of one import, before it may finish
DATA = Path(__file__).parents[1] / "data"
_PDFS = ("google_docs_zen.pdf", "four_pages_english.pdf")


def write_papers(folder: Path, *, few: bool) -> int:
    """Fill a folder with documents of several kinds and similar notes; return their number."""
    (folder / "notes").mkdir(parents=True)
    for name in _PDFS[:1] if few else _PDFS:
        shutil.copy(DATA / "pdf" / name, folder)
    shutil.copy(min((resources_folder() / "samples").glob("*.txt"), key=lambda file: file.stat().st_size), folder)
    for number in range(8 if few else 24):
        text = (
            f"This is note {number} of many.\nAll notes end with the same words.\nIts own word is w{number * 7919}.\n"
        )
        (folder / "notes" / f"note {number:02}.txt").write_text(text, "utf-8")
    return sum(1 for path in folder.rglob("*") if path.is_file())


def _write_model(folder: Path) -> Path:
    from tests.encoder.conftest import write_tiny_model

    folder.mkdir()
    return write_tiny_model(folder)


@dataclass(frozen=True)
class Content:
    """The contents of a library by paths and texts, because ids differ from run to run.

    Attributes:
        documents: the number of sentences of each ready document, by path.
        failed: paths of the others.
        sentences: every place, in reading order.
        vectors: by text.
    """

    documents: dict[str, int]
    failed: dict[str, str]
    sentences: list[tuple[Any, ...]]
    vectors: dict[str, np.ndarray]


def content_of(folder: Path) -> Content:
    """Open a library like the program, check its consistency, and return its contents.

    Raises:
        AssertionError: rows, vectors and index do not agree, or something exists twice.
    """
    with LocalLibrary.open(folder, writable=True, create=False, tail_rows=TAIL_ROWS) as library:
        wrong = [f"{check.name}: {check.detail}" for check in run_checks(library) if not check.ok]
        assert wrong == []
        info = library.info()
        assert info.searchable == info.vectors
        documents = []
        while page := library.documents.fetch(after_id=documents[-1].document_id if documents else 0):
            documents += page
        assert len({document.path for document in documents}) == len(documents)
        sentences = [
            (row.path, row.ordinal, row.text, row.kind, row.places)
            for batch in library.sentences.occurrences()
            for row in batch
        ]
    with closing(sqlite3.connect(folder / "library.db")) as connection:
        rows = connection.execute("SELECT text, vector FROM sentence JOIN embedding ON sentence_id = sentence.id")
        vectors = {text: np.frombuffer(vector, "<f2").astype(np.float32) for text, vector in rows}
    return Content(
        {document.path: document.sentences for document in documents if document.state == "ready"},
        {document.path: document.state for document in documents if document.state != "ready"},
        sorted(sentences, key=lambda row: row[:2]),
        vectors,
    )


def _cosine(one: np.ndarray, other: np.ndarray) -> float:
    """Return the cosine of two vectors; as stored, their lengths are nearly 1."""
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def assert_alike(content: Content, undisturbed: Content) -> float:
    """Compare an import with an undisturbed one; return the smallest cosine of two vectors of a text."""
    assert content.documents == undisturbed.documents
    assert content.failed == undisturbed.failed == {}
    assert content.sentences == undisturbed.sentences
    assert content.vectors.keys() == undisturbed.vectors.keys()
    lowest = min(_cosine(content.vectors[text], vector) for text, vector in undisturbed.vectors.items())
    assert lowest >= 0.9999
    return lowest


@dataclass
class Outcome:
    """The results of some kills.

    Attributes:
        kills: runs that were killed.
        finished: imports that finished afterwards, each equal to the undisturbed one.
        moments: the number of kills by state of the library.
        lowest: the smallest cosine between the vectors of a text.
        work_s: duration of the undisturbed import.
    """

    kills: int = 0
    finished: int = 0
    moments: Counter[str] = field(default_factory=Counter)
    lowest: float = 1.0
    work_s: float = 0.0


def kill_many(work: Path, kills: int, seed: int, *, few: bool = False) -> Outcome:
    """Import the same documents over and over, killing each run at a moment drawn from a seed, until `kills` are done.

    Args:
        few: a few documents, with a tiny model in place of the bundled one.

    Raises:
        AssertionError: something was lost, doubled or left behind.
    """
    rng = random.Random(seed)
    papers = work / "papers"
    count = write_papers(papers, few=few)
    model = _write_model(work / "model") if few else ""
    with Runs(KILLED_IMPORT_MODEL=str(model)) as runs:
        started = time.monotonic()
        assert runs.run(work / "undisturbed", papers)
        outcome = Outcome(work_s=time.monotonic() - started)
        undisturbed = content_of(work / "undisturbed")
        if not few:
            started = time.monotonic()  # of the second import: the first reads everything from the disk
            assert runs.run(work / "timed", papers)
            outcome.work_s = time.monotonic() - started
            assert_alike(content_of(work / "timed"), undisturbed)
        assert len(undisturbed.documents) == count
        while outcome.kills < kills:
            folder = work / f"library-{outcome.finished}"
            _kill_one_import(runs, folder, papers, rng, outcome, kills)
            outcome.lowest = min(outcome.lowest, assert_alike(content_of(folder), undisturbed))
            outcome.finished += 1
            shutil.rmtree(folder)
    return outcome


def _kill_one_import(runs: Runs, folder: Path, papers: Path, rng: random.Random, outcome: Outcome, kills: int) -> None:
    ready: dict[str, int] = {}
    for attempt in range(MOST_KILLS + 1):
        is_last = attempt == MOST_KILLS or outcome.kills >= kills
        if runs.run(folder, papers, kill_after_s=None if is_last else rng.uniform(0.0, outcome.work_s)):
            return
        outcome.kills += 1
        if not (folder / "library.db").is_file():
            outcome.moments["no library yet"] += 1
            continue
        now = content_of(folder)
        assert ready.items() <= now.documents.items(), "a committed document was lost or changed"
        assert now.documents or now.failed or not ready
        moment = "all ready" if now.documents and not now.failed else "in the middle" if now.documents else "none ready"
        outcome.moments[moment if now.failed or now.documents else "nothing listed"] += 1
        ready = now.documents


class Runs:
    """Runs of a task, each in a process of its own that may be killed.

    Args:
        module: when it is run, it calls `serve` with the task.
        environment: of the runs, in addition to this process's own.
    """

    def __init__(self, module: str = "tests.end2end.killed_import", **environment: str) -> None:
        self._module = module
        self._environment = environment

    def __enter__(self) -> Self:
        root = Path(__file__).parents[2]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", self._module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(root)} | self._environment,
            cwd=root,
        )
        assert self._answer() == "ready"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE_S)
        self._process.stdout.close()

    def run(self, *arguments: object, kill_after_s: float | None = None) -> bool:
        """Run the task; returns whether it came to its end before it was killed.

        Raises:
            AssertionError: it failed by itself, or left a process behind.
        """
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([kill_after_s, *map(str, arguments)]) + "\n")
        self._process.stdin.flush()
        answer = self._answer()
        assert answer in ("finished", "killed"), (answer, arguments)
        return answer == "finished"

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the process that starts the runs has ended"
        return json.loads(line)


# In the process that starts the runs


def serve(task: Callable[..., None]) -> None:
    """Answer the requests of `Runs`; what the task needs is imported before, once for all runs."""
    print(json.dumps("ready"), flush=True)  # noqa: T201
    for line in sys.stdin:
        kill_after_s, *arguments = json.loads(line)
        print(json.dumps(_run_once(task, arguments, kill_after_s)), flush=True)  # noqa: T201


def _run_once(task: Callable[..., None], arguments: list[str], kill_after_s: float | None) -> str:
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(told)
        os.setsid()
        status = 1
        try:
            os.write(tell, b"begun")
            os.close(tell)
            os.dup2(2, 1)  # what it prints is no answer
            task(*arguments)
            status = 0
        except BaseException:  # noqa: BLE001 - reported, and the process ends
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(tell)
    os.read(told, 5)
    os.close(told)
    ended = _wait(child, kill_after_s if kill_after_s is not None else PATIENCE_S)
    if ended is None:
        os.kill(child, signal.SIGKILL)
        ended = os.waitpid(child, 0)[1]
    left = _left(child)
    if left:
        return f"processes left behind: {left}"
    if os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGKILL:
        return "killed" if kill_after_s is not None else "too slow"
    return "finished" if ended == 0 else f"it ended with {ended}"


def _wait(child: int, seconds: float) -> int | None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return status
        time.sleep(0.002)
    return None


def _left(session: int) -> list[str]:
    """Return what is left of a session after the time that a reader takes to notice that its parent has gone."""
    end = time.monotonic() + 60
    while left := list(_members(session)):
        if time.monotonic() > end:
            return left
        time.sleep(0.05)
    return []


def _members(session: int) -> Iterator[str]:
    for pid in psutil.pids():
        try:
            if os.getsid(pid) == session and (process := psutil.Process(pid)).status() != "zombie":
                yield " ".join(process.cmdline())
        except (OSError, psutil.Error):
            continue


def seal_early(tail_rows: int = TAIL_ROWS) -> None:
    """Let libraries build a segment of the index for every few sentences, so that builds are killed as well."""
    plain = LocalLibrary.open.__func__
    LocalLibrary.open = classmethod(  # type: ignore[method-assign, assignment]
        lambda cls, where, **options: plain(cls, where, **{**options, "tail_rows": tail_rows})
    )


def _import(library: str, papers: str) -> None:
    """Act like the program: import the folder on request, and resume at every later start."""
    from desktop_app.compose import open_workspace
    from desktop_app.core.settings import LaunchOptions, Settings
    from desktop_app.engine.requests import ImportRequest

    folder = Path(library)
    seal_early()
    asked = folder.with_suffix(".asked")
    model = os.environ["KILLED_IMPORT_MODEL"]
    settings = Settings(precision="fp32", threads=1)
    workspace = open_workspace(LaunchOptions(settings, folder, model, writable=True, create=True))
    try:
        workspace.open().wait()
        if asked.exists():
            report = workspace.imports.resume().wait()
        else:
            job = workspace.imports.start(ImportRequest((papers,)))
            job.on_progress(lambda _progress: asked.touch())  # it has begun: from here on it is not requested again
            report = job.wait()
        asked.touch()
        assert not report.failed, report.failed
        assert not report.stopped
    finally:
        workspace.close()


if __name__ == "__main__":
    import desktop_app.compose
    import desktop_app.encoder.siamese
    import desktop_app.engine.import_run
    import desktop_app.text.reader_process  # noqa: F401 - imported once for all runs

    serve(_import)
