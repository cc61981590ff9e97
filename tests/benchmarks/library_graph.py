"""Cost of analysing a library of 100,000 real sentences: recall of the stored graph, memory, the longest steps.

The library is filled here with computed or given vectors. Everything else runs in a separate process without an
encoder, so that its memory is that of the analyses. Jobs run step by step as in the engine. Each step is timed by the
processor time of the thread, which is how long someone who types would wait on an idle machine; the clock's time of
the longest step, and of the longest but one in a thousand, includes what other programs take.
"""

from __future__ import annotations

import contextlib
import gc
import inspect
import json
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

from desktop_app.analysis.neighbour_graph import NEIGHBOURS
from desktop_app.core.clusters import ClustersRequest
from desktop_app.core.duplicates import PairsRequest
from desktop_app.core.foreground_gate import ForegroundGate
from desktop_app.core.jobs import Waiting
from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone, SentenceSpan
from desktop_app.core.records import ModelInfo, Place
from desktop_app.engine.clusters import ClusterService
from desktop_app.engine.duplicates import DuplicateService
from desktop_app.store.library import LocalLibrary
from tests.benchmarks.harness import Bench
from tests.engine.fakes import make_context

ASKED = 1000
LATE = 1000  # sentences added later
SHORT_S = 0.02
SLOWEST = 6  # steps of a job to list
_PER_DOCUMENT = 2500


def run(bench: Bench) -> None:
    """Print and store the figures."""
    from tests.benchmarks.novel_sentences import embedded_novels

    encoder, texts, vectors = embedded_novels(bench, (100_000 if bench.large else 10_000) + LATE)
    measure(bench, encoder.model, texts, vectors)


def measure(bench: Bench, model: ModelInfo, texts: list[str], vectors: NDArray[np.float32]) -> None:
    """Measure sentences with vectors float32 [n, dim]; the last `LATE` are added later."""
    folder = bench.work / "graph"
    fill(folder, model, texts[:-LATE], vectors[:-LATE])
    late = bench.work / "late.npz"
    np.savez(late, texts=np.array(texts[-LATE:]), vectors=vectors[-LATE:])
    command = [sys.executable, "-m", "tests.benchmarks.library_graph", str(folder), str(late)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    rows: list[list[object]] = [["job", *next(iter(found["jobs"].values()))]]
    rows += [[name, *figures.values()] for name, figures in found["jobs"].items()]
    bench.say(f"a library of {len(texts) - LATE:,} sentences", rows)
    slow = [[name, took, where] for name, steps in found["longest steps"].items() for took, where in steps]
    if slow:
        bench.say(f"longest steps over {1000 * SHORT_S:.0f} ms, from line to line", [["job", "ms", "steps"], *slow])
    tables = ("jobs", "longest steps")
    bench.say("", [["", ""], *([key, value] for key, value in found.items() if key not in tables)])
    bench.results["graph"] = found


def fill(
    folder: Path,
    model: ModelInfo,
    texts: list[str],
    vectors: NDArray[np.float32],
    name: str = "made",
    *,
    wait: bool = True,
) -> None:
    """Put sentences into a library, 2,500 per document."""
    with LocalLibrary.open(folder, writable=True, create=True) as library:
        library.models.bind(model)
        for top in range(0, len(vectors), _PER_DOCUMENT):
            part = texts[top : top + _PER_DOCUMENT]
            document = library.documents.add([FileRef(f"/{name}/{top}.txt", 1, 1)])[0]
            library.ingest.begin(document.document_id, DocumentHead("text", f"{name}{top:060x}"))
            spans = [
                SentenceSpan(text, (Place(None, 50 * row, 50 * row + 40, "char"),), row // 5)
                for row, text in enumerate(part)
            ]
            library.ingest.append(document.document_id, spans, part, vectors[top : top + _PER_DOCUMENT])
            library.ingest.finish(document.document_id, ReadingDone())
        for step in library.maintenance.run() if wait else ():
            if isinstance(step, Waiting):
                time.sleep(0.01)


class TimedEngine:
    """Runs each submitted job to its end and records the time of its steps."""

    def __init__(self) -> None:
        self.jobs: dict[str, dict[str, float]] = {}
        self.longest: dict[str, list[tuple[float, str]]] = {}
        self.longest_by_clock: dict[str, list[tuple[float, str]]] = {}
        self.next_name = ""
        self.foreground_gate = ForegroundGate()

    def is_user_active(self) -> bool:
        """Say that somebody may be typing."""
        return True

    def at_rest(self, release: Callable[[], None]) -> None:
        """Never rest."""

    def submit(self, name: str, begin: Callable[[], Any], **_options: object) -> Any:
        """Run a job and return its result."""
        began, spent = time.perf_counter(), _processor_s()
        steps, longest, over, waits = 0, 0.0, 0, [0.0]
        running = begin()
        slow: list[tuple[float, str]] = []
        slow_by_clock: list[tuple[float, str]] = []
        while True:
            before = _suspended_at(running)
            step_began, clock = time.thread_time(), time.perf_counter()
            try:
                step = next(running)
            except StopIteration as end:
                step, result = None, end.value
                running = None
            took = time.thread_time() - step_began
            waits.append(time.perf_counter() - clock)
            steps, longest, over = steps + 1, max(longest, took), over + (took > SHORT_S)
            if max(took, waits[-1]) > SHORT_S:
                where = f"{before} to {_suspended_at(running)}"
                slow_by_clock.append((round(1000 * waits[-1], 1), where))
                if took > SHORT_S:
                    slow.append((round(1000 * took, 1), where))
            if running is None:
                break
            if isinstance(step, Waiting):
                time.sleep(0.01)
        self.longest[self.next_name or name] = sorted(slow, reverse=True)[:SLOWEST]
        self.longest_by_clock[self.next_name or name] = sorted(slow_by_clock, reverse=True)[:SLOWEST]
        self.jobs[self.next_name or name] = {
            "s": round(time.perf_counter() - began, 1),
            "processor s": round(_processor_s() - spent, 1),
            "steps": steps,
            "longest ms": round(1000 * longest),
            "over 20 ms": over,
            "longest by the clock, ms": round(1000 * max(waits)),
            "of 1,000 steps, ms": round(1000 * sorted(waits)[int(0.999 * len(waits))]),
        }
        return result


class MemoryPeak(threading.Thread):
    """Watches the total memory of this process's children, or of this process and its children.

    `getrusage` would count what this process held when it forked.
    """

    def __init__(self, *, with_parent: bool = False) -> None:
        super().__init__(name="memory", daemon=True)
        self._with_parent = with_parent
        self._is_over = threading.Event()
        self._peak = 0

    def run(self) -> None:
        """Sample the memory a few times a second."""
        this = psutil.Process()
        while not self._is_over.wait(0.2):
            held = this.memory_info().rss if self._with_parent else 0
            for child in this.children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    held += child.memory_info().rss
            self._peak = max(self._peak, held)

    def take(self) -> int:
        """Return the peak in MB since the last call."""
        peak, self._peak = self._peak, 0
        return round(peak / 2**20)

    def stop(self) -> float:
        """Stop and return the peak in MB."""
        self._is_over.set()
        self.join()
        return self._peak / 2**20


def _suspended_at(steps: Any) -> str:
    """Return file, line and function at which the innermost generator of a job resumes."""
    while steps is not None and steps.gi_frame is not None:
        # Among what a generator refers to is the iterator of its innermost loop, which `gi_yieldfrom` does not give.
        inner = [each for each in gc.get_referents(steps) if inspect.isgenerator(each) and each.gi_frame is not None]
        if not inner:
            frame = steps.gi_frame
            return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno} {steps.gi_code.co_name}"
        steps = inner[-1]
    return "end"


def _processor_s() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _measured(folder: Path, late: Path) -> dict[str, Any]:
    from desktop_app.encoder.inference.fast_dot_products import make_fast_dot_products
    from desktop_app.encoder.training_process import WorkProcess

    gc.disable()  # as in the window, which collects on a thread of its own
    engine = TimedEngine()
    children = MemoryPeak()
    children.start()
    library = _opened(folder)

    def timed(name: str, job: Callable[[], Any]) -> Any:
        engine.next_name = name
        return job()

    def services() -> tuple[DuplicateService, ClusterService]:
        context = make_context(
            engine,
            lambda: library,
            start_task=WorkProcess,
            make_fast_products=make_fast_dot_products,
        )
        return DuplicateService(context), ClusterService(context)

    duplicates, cluster_service = services()
    pairs = timed("pairs, new graph", lambda: duplicates.find_pairs(PairsRequest(1000)))
    timed("1,000 more pairs", lambda: duplicates.find_more_pairs(pairs, 1000))
    recall = _recall(library)
    duplicates, cluster_service = services()
    timed("pairs, stored graph", lambda: duplicates.find_pairs(PairsRequest(50)))
    clusters = timed("clusters", lambda: cluster_service.find(ClustersRequest()))
    timed("clusters, finer", lambda: cluster_service.find(ClustersRequest(2 * clusters.granularity)))
    timed("clusters, as before", lambda: cluster_service.find(ClustersRequest(clusters.granularity)))
    timed("clusters of the last look", lambda: cluster_service.load_last())
    timed("map", lambda: cluster_service.build_map())
    model = library.models.current
    assert model is not None
    with np.load(late) as arrays:
        texts, vectors = [str(text) for text in arrays["texts"]], arrays["vectors"]
    library.close()
    fill(folder, model, texts, vectors, "late", wait=False)
    library = _opened(folder)
    duplicates, cluster_service = services()
    timed(f"{LATE:,} more sentences: pairs", lambda: duplicates.find_pairs(PairsRequest(50)))
    timed(f"{LATE:,} more sentences: clusters", lambda: cluster_service.find(ClustersRequest()))
    timed(f"{LATE:,} more sentences: map", lambda: cluster_service.build_map())
    recall_late = _recall(library)
    library.close()
    # Own memory from /proc: getrusage reports the parent's if that was larger at the start.
    own = int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024
    child = children.stop()
    return {
        "jobs": engine.jobs,
        "longest steps": engine.longest,
        "recall of the stored graph": recall,
        "recall after more sentences": recall_late,
        "clusters": len(clusters.clusters),
        "unclustered": round(len(clusters.unclustered) / max(_size(clusters), 1), 3),
        "peak MB, analyses": round(own),
        "peak MB, their processes": round(child),
        "peak MB, both": round(own + child),
    }


def _opened(folder: Path) -> LocalLibrary:
    """Open a library and load its index, as the program does at its start."""
    library = LocalLibrary.open(folder, writable=True, create=False)
    library.maintenance.keep_index_loaded()
    for step in library.maintenance.run():
        if isinstance(step, Waiting):
            time.sleep(0.01)
    return library


def _size(clusters: Any) -> int:
    """Return the number of sentences that were clustered."""
    return sum(cluster.size for cluster in clusters.clusters) + len(clusters.unclustered)


def _recall(library: LocalLibrary) -> float:
    """Return the share of the true neighbours of sampled sentences that the stored lists contain."""
    ids = np.concatenate(list(library.analysis_reader.nodes()))
    vectors = np.zeros((len(ids), library.models.current.dim), np.float32)  # type: ignore[union-attr]
    order = np.argsort(ids)
    for some, part in library.analysis_reader.vectors():
        vectors[order[np.searchsorted(ids[order], some)]] = part
    rows = np.random.default_rng(0).permutation(len(ids))[:ASKED]
    stored = {}
    for some, near, _ in library.analysis_reader.neighbours(NEIGHBOURS):
        stored |= dict(zip(some.tolist(), near.tolist(), strict=True))
    found = 0
    for row in rows.tolist():
        scores = vectors @ vectors[row]
        scores[row] = -2.0
        # A score as high as that of the last true neighbour counts: equal cosines have no order.
        floor = np.partition(scores, -NEIGHBOURS)[-NEIGHBOURS] - 1e-6
        near = [at for at in stored[int(ids[row])] if at]
        found += int((scores[order[np.searchsorted(ids[order], near)]] >= floor).sum())
    return round(found / (NEIGHBOURS * len(rows)), 4)


if __name__ == "__main__":
    json.dump(_measured(Path(sys.argv[1]), Path(sys.argv[2])), sys.stdout)
