"""From a key in the window's search box to the painted hits, by stage; and from the start to the first answer.

The library is generated: sentences of novels, and vectors scattered around those of real sentences. The window is the
program's own, with the engine, encoder and settings of a first start.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.core.query import clean_query
from desktop_app.encoder import SiameseEncoder
from tests.benchmarks import made
from tests.benchmarks.harness import Bench, peak_memory_mb, percentiles_ms
from tests.benchmarks.window import Program, until

REACH_P95_MS = {100_000: 40.0, 1_000_000: 60.0}
REACH_START_S = 4.0
QUERIES = 30
LETTERS = 24
STARTS = 5
KEY_S = 0.15
_PATIENCE_MS = 20_000


def run(bench: Bench) -> None:
    """Print and store the figures."""
    kept = {}
    for size in [bench.rows or 100_000, *([1_000_000] if bench.large else [])]:
        base, facts = made.library(bench, size)
        bench.say("a generated library", [list(facts), list(facts.values())])
        queries = choose_queries(made.sentences(bench, 100_000))
        kept[str(size)] = {
            "made": facts,
            "start": measure_start(bench, base, size),
            **measure_typing(bench, base, queries, size),
        }
    bench.results["search-painted"] = kept


def choose_queries(sentences: list[str]) -> list[str]:
    """Return beginnings of sentences, as someone types who has a sentence in mind."""
    chance = np.random.default_rng(7)
    long = [each for each in sentences if len(each) >= 2 * LETTERS and each.isascii() and each[0].isalpha()]
    return [long[int(at)][:LETTERS] for at in chance.integers(0, len(long), QUERIES)]


# Start to first answer


def measure_start(bench: Bench, base: Path, size: int) -> dict[str, float]:
    """Return how long a process takes to its first painted answer: the median of several, after one uncounted start.

    It loads bytecode, as an installed program does.
    """
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(bench.work / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    runs: list[dict[str, float]] = []
    for number in range(STARTS + 1):
        command = [sys.executable, "-m", "tests.benchmarks.timed_start", str(base)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment, check=True)
        if number:
            runs.append(json.loads(done.stdout.splitlines()[-1]))
    stages = tuple(runs[0])
    figures = {stage: round(statistics.median(run[stage] for run in runs), 3) for stage in stages}
    figures["slowest"] = round(max(run["first answer painted"] for run in runs), 3)
    bench.say(
        f"start with {size:,} sentences, seconds after the interpreter's start (goal {REACH_START_S:.0f})",
        [list(figures), list(figures.values())],
    )
    return figures


# Key to painted hits


class Stages:
    """Records how long functions take during one query, on any thread."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.depth = threading.local()

    def timed(self, stage: str, inner: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose outermost calls are timed and added to a stage."""

        def timed(*arguments: Any, **named: Any) -> Any:
            if getattr(self.depth, "stage", None) is not None:
                return inner(*arguments, **named)
            self.depth.stage = stage
            began = time.perf_counter()
            try:
                return inner(*arguments, **named)
            finally:
                self.seconds[stage] += time.perf_counter() - began
                self.depth.stage = None

        return timed


class Painted(QObject):
    """Detects when the hits of a query are on the screen: after the first frame of the list that shows them."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._window = program.window
        self._viewport = program.window.search_pane.view.viewport()
        self._viewport.installEventFilter(self)
        self.query = ""
        self.answered: float | None = None
        self.painted: float | None = None
        self.is_empty = False
        self.loop = QEventLoop()
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(self.loop.quit)
        self._window.search.controller.answered.connect(self._on_answered)

    def expect(self, query: str) -> None:
        """Expect the answer to `query` from now on."""
        self.query, self.answered, self.painted, self.is_empty = query, None, None, False

    def wait(self) -> None:
        """Run the event loop until the hits are painted, or until there are none."""
        self._patience.start()
        while self.painted is None and not self.is_empty and self._patience.isActive():
            self.loop.exec()
        self._patience.stop()

    def _on_answered(self, _again: object) -> None:
        result = self._window.search_pane.model.result
        if result is not None and result.query == self.query and self.answered is None:
            self.answered = time.perf_counter()
            if not result.hits:  # of a single letter: the list is hidden
                self.is_empty = True
                self.loop.quit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and self.answered is not None and self.painted is None:
            QTimer.singleShot(0, self, self._on_frame)  # after this frame
        return False

    def _on_frame(self) -> None:
        if self.painted is None and self.answered is not None:
            self.painted = time.perf_counter()
            self.loop.quit()


def measure_typing(bench: Bench, base: Path, queries: list[str], size: int) -> dict[str, Any]:
    program = Program(base)
    window = program.window
    window.resize(1400, 900)
    until(lambda: window.session.phase == "ready")
    encoder = program.workspace.context.loaded_encoder
    assert isinstance(encoder, SiameseEncoder)
    until(lambda: not encoder.needs_measuring)  # happens in the background at a first start
    _rest(2.0)  # other work after a start: lists, the garbage collector
    stages, painted = Stages(), Painted(program)
    _watch(stages, program)
    typed = _measure(program, painted, stages, queries, letter_by_letter=True)
    pasted = _measure(program, painted, stages, [f"{query} again" for query in queries], letter_by_letter=False)
    program.close()
    figures: dict[str, Any] = {"letter by letter": _summed(typed), "a whole query": _summed(pasted)}
    columns = ["p50_ms", "p95_ms", "p99_ms"]
    for name, found in figures.items():
        rows: list[list[object]] = [[name, *columns]]
        rows += [[stage, *(values[column] for column in columns)] for stage, values in found.items()]
        bench.say(f"{size:,} sentences, {name}, a key to painted hits (goal p95 {REACH_P95_MS.get(size, '')} ms)", rows)
    return figures | {"peak_memory_mb": peak_memory_mb()}


def _watch(stages: Stages, program: Program) -> None:
    from desktop_app.engine import hit_annotation
    from desktop_app.gui.search.controller import SearchController

    workspace = program.workspace
    library, encoder = workspace.context.opened_library, workspace.context.loaded_encoder
    assert library is not None
    assert encoder is not None
    search, keyword_search = library.search, library.keyword_search
    encoder.encode = stages.timed("encoder", encoder.encode)
    encoder.knows_words = stages.timed("encoder", encoder.knows_words)
    keyword_search.find_sentences = stages.timed("words", keyword_search.find_sentences)
    keyword_search.weight = stages.timed("words", keyword_search.weight)
    search.nearest = stages.timed("nearest", search.nearest)
    search.scores = stages.timed("nearest", search.scores)
    hit_annotation.fold_near_copies = stages.timed("near copies", hit_annotation.fold_near_copies)
    search.hits = stages.timed("rows", search.hits)
    hit_annotation.annotate_hits = stages.timed("rows", hit_annotation.annotate_hits)
    SearchController._on_result = stages.timed("answer shown", SearchController._on_result)


def _measure(
    program: Program, painted: Painted, stages: Stages, queries: list[str], *, letter_by_letter: bool
) -> list[dict[str, float]]:
    box = program.window.search.box
    found = []
    for query in queries:
        box.clear()
        _rest(1.0)
        for text in [query[:end] for end in range(1, len(query) + 1)] if letter_by_letter else [query]:
            before = clean_query(box.text())
            painted.expect(clean_query(text))
            stages.seconds.clear()
            cpu, began = time.process_time(), time.perf_counter()
            if letter_by_letter:
                QTest.keyClicks(box, text[-1])
            else:
                box.setText(text)
            handled = time.perf_counter()
            if clean_query(text) != before:
                painted.wait()
            if clean_query(text) != before and not painted.is_empty:
                assert painted.answered is not None, f"{text!r} was not answered"
                assert painted.painted is not None, f"the answer to {text!r} was not painted"
                result = program.window.search_pane.model.result
                assert result is not None
                found.append(
                    {
                        "all": painted.painted - began,
                        "processor": time.process_time() - cpu,
                        "key handled": handled - began,
                        "engine": result.seconds,
                        **stages.seconds,
                        "answer to frame": painted.painted - painted.answered,
                    }
                )
            _rest(max(0.0, KEY_S - (time.perf_counter() - began)))
    return found


def _rest(seconds: float) -> None:
    """Run the event loop for so many seconds."""
    loop = QEventLoop()
    QTimer.singleShot(round(1000 * seconds), loop.quit)
    loop.exec()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _summed(found: list[dict[str, float]]) -> dict[str, Any]:
    names = list(dict.fromkeys(name for each in found for name in each))
    return {name: percentiles_ms([each.get(name, 0.0) for each in found]) for name in names}
