"""A long day in one process: import, search, edit and remove, thousands of times, while nothing may grow.

The library, its index and the process that reads files are real; the vectors are hashed words, because the encoder is
not what may grow here. Documents come and go around a constant number, and about as many sentences.
"""

from __future__ import annotations

import gc
import random
import time
from collections import Counter
from pathlib import Path
from typing import TypeVar

import psutil

from desktop_app.core.jobs import Job
from desktop_app.core.scope import Scope
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.requests import ImportRequest, SearchRequest
from desktop_app.engine.workspace import Workspace
from desktop_app.store.library import LocalLibrary
from desktop_app.text.reader_process import ProcessReader
from tests.benchmarks import made
from tests.benchmarks.harness import Bench
from tests.gui.fakes import FakeEncoder

T = TypeVar("T")

OPERATIONS = 20_000
DOCUMENTS = 250
_SENTENCES = (4, 16)
_TAIL_ROWS = 500  # so that segments are built, and built anew, hundreds of times
_SAMPLES = 100
_REACH = 0.05
_MODES = ("meaning", "words", "both")
_KINDS = {"search": 50, "import": 16, "edit": 12, "retitle": 4, "tag": 4, "remove": 14}
_QUIET_EACH = 25
"""After so many operations nobody does anything for a moment: removed documents are erased, and the index is kept."""


def run(bench: Bench) -> None:
    """Print and store the figures; `--rows` limits the operations."""
    count = bench.rows or OPERATIONS
    day = _Day(bench)
    began, used = time.monotonic(), time.process_time()
    samples: list[dict[str, float]] = []
    for number in range(1, count + 1):
        day.do_something()
        if number % max(1, count // _SAMPLES) == 0:
            samples.append({"operations": number, **day.measure()})
            print(samples[-1], flush=True)
    checks = day.close()
    bench.say("soak: what is in use", [list(samples[0]), *([*sample.values()] for sample in samples)])
    settled = samples[len(samples) // 10 :]
    growth = {name: _growth([sample[name] for sample in settled]) for name in settled[0] if name != "operations"}
    rows: list[list[object]] = [["", "growth", "reach"]]
    rows += [[name, f"{share:+.1%}", f"{_REACH:+.0%}"] for name, share in growth.items()]
    bench.say(f"soak: last fifth after the second tenth, {count:,} operations", rows)
    print(f"{dict(day.done)}; {time.monotonic() - began:.0f} s, {time.process_time() - used:.0f} of the processor here")
    print(f"the library afterwards: {checks or 'sound'}")
    bench.results["soak"] = {"samples": samples, "growth": growth, "done": dict(day.done), "unsound": checks}


def _growth(values: list[float]) -> float:
    """Return by how much the mean of the last fifth is above that of the first ninth (the second tenth of all)."""
    first, last = values[: max(1, len(values) // 9)], values[-max(1, len(values) // 5) :]
    before, after = sum(first) / len(first), sum(last) / len(last)
    return (after - before) / before if before else after - before


class _Day:
    """A workspace, a folder of files, and what a person does with them, at random but the same in each run."""

    def __init__(self, bench: Bench) -> None:
        self.files, self.folder = bench.work / "files", bench.work / "library"
        self.files.mkdir()
        self.chance, self.texts = random.Random(7), made.sentences(bench, 20_000)
        self.done: Counter[str] = Counter()
        self.paths: list[Path] = []
        self._number = 0
        self.workspace = Workspace(
            EngineSetup(
                open_library=lambda: LocalLibrary.open(self.folder, tail_rows=_TAIL_ROWS, undo_s=0.0),
                load_encoder=lambda _bound: FakeEncoder(),
                start_reader=ProcessReader,
                is_supported=lambda path: path.endswith(".txt"),
                choose_device=lambda _bound: FakeEncoder.device,
            )
        )
        _wait(self.workspace.open())
        _wait(self.workspace.prepare())
        for _ in range(DOCUMENTS):
            self._write(self._next_path())
        self._import_files(self.files)

    def do_something(self) -> None:
        """Do one thing, and now and then what the program does when nobody does anything."""
        kind = self.chance.choices(list(_KINDS), list(_KINDS.values()))[0]
        if kind == "remove" and len(self.paths) < DOCUMENTS:
            kind = "import"
        elif kind == "import" and len(self.paths) > DOCUMENTS:
            kind = "remove"
        if not self.paths:
            kind = "import"
        getattr(self, f"_{kind}")()
        self.done[kind] += 1
        if self.done.total() % _QUIET_EACH == 0:
            _wait(self.workspace.maintenance.purge())

    def measure(self) -> dict[str, float]:
        """Return what is in use after the library's own upkeep."""
        _wait(self.workspace.maintenance.purge())
        _wait(self.workspace.maintenance.maintain())
        gc.collect()
        here = psutil.Process()
        info = _wait(self.workspace.read(lambda library: library.info()))
        children = here.children(recursive=True)
        sizes = Counter[str]()
        for file in self.folder.rglob("*"):
            if file.is_file():
                kind = "segments" if file.parent != self.folder else "log" if "-" in file.suffix else "database"
                sizes[kind] += file.stat().st_size
        return {
            "documents": info.documents,
            "sentences": info.sentences,
            "memory_mb": round(here.memory_info().rss / 1e6, 1),
            "children_mb": round(sum(child.memory_info().rss for child in children) / 1e6, 1),
            "children": len(children),
            "handles": here.num_fds() if hasattr(here, "num_fds") else here.num_handles(),
            "threads": here.num_threads(),
            "database_mb": round(sizes["database"] / 1e6, 2),
            "log_mb": round(sizes["log"] / 1e6, 2),
            "segments_mb": round(sizes["segments"] / 1e6, 2),
            "objects": len(gc.get_objects()),
        }

    def close(self) -> list[str]:
        """Check the library, end everything, and return what is wrong."""
        checks = _wait(self.workspace.maintenance.check_library(repair=False))
        self.workspace.close()
        return [f"{check.name}: {check.detail}" for check in checks if not check.ok and check.name != "ocr"]

    def _search(self) -> None:
        words = self.chance.choice(self.texts).split()
        query = " ".join(words[: self.chance.randrange(1, 9)])
        scope = Scope()
        if self.chance.random() < 0.2:
            scope = Scope(tags=(f"tag{self.chance.randrange(8)}",))
        request = SearchRequest(query, top_k=50, mode=self.chance.choice(_MODES), scope=scope)
        _wait(self.workspace.search.find_sentences(request))

    def _import(self) -> None:
        path = self._next_path()
        self._write(path)
        self._import_files(path)

    def _next_path(self) -> Path:
        self._number += 1
        self.paths.append(self.files / f"document {self._number}.txt")
        return self.paths[-1]

    def _edit(self) -> None:
        path = self.chance.choice(self.paths)
        self._write(path, kept=path.read_text("utf-8").splitlines())
        self._import_files(path)

    def _write(self, path: Path, kept: list[str] | None = None) -> None:
        lines = [self.chance.choice(self.texts) for _ in range(self.chance.randrange(*_SENTENCES))]
        if kept:  # about the same length for good
            middle = len(kept) // 2
            lines = [*kept[:middle], *lines[: max(1, len(lines) // 2)]]
        path.write_text("\n\n".join(line for line in lines if line) + "\n", "utf-8")

    def _import_files(self, path: Path) -> None:
        report = _wait(self.workspace.imports.start(ImportRequest((str(path),), force=True)))
        assert not report.failed, report.failed

    def _retitle(self) -> None:
        document_id, title = self._document_id(), " ".join(self.chance.choice(self.texts).split()[:5])
        _wait(self.workspace.change(lambda library: library.documents.set_title(document_id, title)))

    def _tag(self) -> None:
        document_id, numbers = self._document_id(), self.chance.sample(range(8), 2)
        add, take = ([f"tag{number}"] for number in numbers)
        _wait(self.workspace.change(lambda library: library.collections.tag([document_id], add, take)))

    def _remove(self) -> None:
        path = self.paths.pop(self.chance.randrange(len(self.paths)))
        _wait(self.workspace.change(lambda library: library.copies.remove([str(path)])))
        path.unlink()

    def _document_id(self) -> int:
        path = str(self.chance.choice(self.paths))
        return _wait(self.workspace.read(lambda library: library.documents.find(path)))[0].document_id


def _wait(job: Job[T]) -> T:
    """Return the result of a job."""
    return job.wait()
