"""The window: first paint, lateness of the event loop during an import, scrolling through 10,000 hits.

Runs offscreen, or on a display with `QT_QPA_PLATFORM=xcb`.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QModelIndex, Qt, QTimer
from PySide6.QtWidgets import QApplication

from desktop_app.compose import open_workspace
from desktop_app.core.paths import Paths
from desktop_app.core.records import Hit, Place, ScoredSentence
from desktop_app.core.settings import LaunchOptions, Settings
from desktop_app.engine.requests import SearchResult
from desktop_app.gui.base.bridge import Bridge
from desktop_app.gui.shell import app
from desktop_app.gui.shell.garbage_collection import GarbageCollector
from desktop_app.gui.shell.main_window import MainWindow
from tests.benchmarks.encode import novel_sentences
from tests.benchmarks.harness import Bench, percentiles_ms

STARTS = 9
SWITCHINGS = 5
BEAT_MS = 5
HITS = 10_000
_PATIENCE_S = 900

_BARE_PAINT = """
import sys, time
began = time.monotonic()
from PySide6.QtWidgets import QApplication, QMainWindow
class Bare(QMainWindow):
    def paintEvent(self, event):
        print(time.monotonic() - began, flush=True)
        self.close()
application = QApplication([])
window = Bare()
window.show()
sys.exit(application.exec())
"""
"""The peer: the minimum that a PySide6 program does before its first frame."""


def run(bench: Bench) -> None:
    """Print and store the figures."""
    figures = {"first paint": _first_paint(bench), "lateness": _lateness(bench), "scrolling": _scrolling(bench)}
    bench.results["window"] = figures


def run_switching(bench: Bench) -> None:
    """Print and store how long panes take to open, and a theme to change; a goal of 0.3 s each."""
    bench.results["window-switching"] = {f"at {scale:.0%}": _switching(bench, scale) for scale in (1.0, 1.5)}
    for scale, figures in bench.results["window-switching"].items():
        rows: list[list[object]] = [["", "s", "of the processor, s"]]
        rows += [[name, *seconds] for name, seconds in figures.items()]
        bench.say(f"opening and changing the theme {scale}, medians of {SWITCHINGS}, goal 0.3 s each", rows)


def _switching(bench: Bench, scale: float) -> dict:
    """Return the median of the seconds of each action, wall clock and processor."""
    runs = [
        json.loads(_output_of(bench, "-m", "tests.benchmarks.window", QT_SCALE_FACTOR=str(scale)))
        for _ in range(SWITCHINGS + 1)
    ]
    del runs[0]  # it writes the bytecode that every installation has
    return {name: [statistics.median(run[name][part] for run in runs) for part in (0, 1)] for name in runs[0]}


def _switch() -> None:
    """Open each pane, the preferences and both themes, and print the seconds of each, wall clock and processor."""
    figures: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as base:
        program = Program(Path(base))
        window = program.window
        window.resize(1440, 900)

        def measure(name: str, act: Callable[[], object]) -> None:
            began, computed = time.perf_counter(), time.thread_time()
            act()
            for _ in range(3):  # layout, then painting
                QApplication.processEvents()
            figures[name] = [round(time.perf_counter() - began, 3), round(time.thread_time() - computed, 3)]

        for pane in ("trace", "pairs", "clusters", "train"):
            measure(f"the pane {pane}, first time", lambda: window.panes.show_pane(pane))  # noqa: B023 - called at once
        window.panes.show_pane("search")
        measure("the preferences, first time", window.action_table["app.preferences"].trigger)
        for theme in ("dark", "light"):
            measure(f"the {theme} theme, with the preferences open", lambda: window.apply_theme(theme))  # noqa: B023
        print(json.dumps(figures), flush=True)
        program.close()


def _first_paint(bench: Bench) -> dict:
    inside, outside, bare = [], [], []
    for number in range(STARTS + 1):
        began = time.monotonic()
        painted = _first_painted(bench)
        ended = time.monotonic()
        peer = float(_output_of(bench, "-c", _BARE_PAINT).split()[0])
        if number:  # the first start fills the disk cache and writes the bytecode that every installation has
            inside.append(painted)
            outside.append(ended - began)
            bare.append(peer)
    figures = {
        "after_interpreter_start_s": round(statistics.median(inside), 3),
        "slowest_s": round(max(inside), 3),
        "fastest_s": round(min(inside), 3),
        "whole_process_s": round(statistics.median(outside), 3),
        "bare_window_s": round(statistics.median(bare), 3),
        "ratio_to_bare": round(statistics.median(ours / peer for ours, peer in zip(inside, bare, strict=True)), 2),
    }
    bench.say(f"first paint, median of {STARTS}", [list(figures), list(figures.values())])
    return figures


def _first_painted(bench: Bench) -> float:
    """Start the program and return its seconds to first paint."""
    return float(json.loads(_output_of(bench, "-m", "tests.benchmarks.timed_start"))["window painted"])


def _output_of(bench: Bench, *arguments: str, **environment: str) -> str:
    """Run Python and return what it prints. It loads bytecode, as an installed program does."""
    variables = os.environ | {"PYTHONPYCACHEPREFIX": str(bench.work / "bytecode"), **environment}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, env=variables, check=False).stdout


class Heartbeat:
    """A timer of 5 ms that records how late each of its events is."""

    def __init__(self) -> None:
        self.late_s: list[float] = []
        self._last = 0.0
        self._timer = QTimer(interval=BEAT_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        self.late_s.clear()
        self._last = time.perf_counter()
        self._timer.start()

    def stop(self) -> dict:
        self._timer.stop()
        return {**percentiles_ms(self.late_s), "max_ms": round(1000 * max(self.late_s), 2), "beats": len(self.late_s)}

    def _beat(self) -> None:
        now = time.perf_counter()
        self.late_s.append(max(0.0, now - self._last - BEAT_MS / 1000))
        self._last = now


def until(holds: Callable[[], bool]) -> None:
    """Run the event loop until `holds` returns true."""
    loop, end = QEventLoop(), time.monotonic() + _PATIENCE_S
    timer = QTimer(interval=50)
    timer.timeout.connect(lambda: loop.quit() if holds() or time.monotonic() > end else None)
    timer.start()
    loop.exec()
    timer.stop()
    assert holds(), "timed out"


class Program:
    """The window as the program opens it, on a new library.

    Args:
        base: the folder of the library and of everything else that the program stores.
        watch: called with the window before it opens the library.
    """

    def __init__(self, base: Path, watch: Callable[[MainWindow], None] = lambda _window: None) -> None:
        existing = QApplication.instance()
        self.application = existing if isinstance(existing, QApplication) else QApplication(["kindred"])
        paths, settings = Paths.under(base), Settings(theme="light")
        launch = LaunchOptions(settings, paths.default_library, writable=True, create=True, cache=paths.cache)
        self.workspace = open_workspace(launch)
        self.garbage = GarbageCollector(self.application)
        self.bridge = Bridge(self.application)
        themes = app.prepare_application(self.application, settings)
        self.window = MainWindow(self.workspace, self.bridge, themes, settings, paths, lambda _settings: None)
        watch(self.window)
        self.window.painted.connect(self.window.start)
        self.window.show()
        until(lambda: self.window.session.phase == "ready")
        self.garbage.settle()

    def close(self) -> None:
        self.window.close()
        self.workspace.close()
        self.bridge.close()
        self.garbage.stop()
        self.window.deleteLater()


def _lateness(bench: Bench) -> dict:
    count = 500 if bench.large else 100
    columns = ["p50_ms", "p95_ms", "p99_ms", "max_ms", "beats"]
    rows: list[list[object]] = [["event loop lateness", *columns, "sentences/s"]]
    kept = {}
    for number, (name, query) in enumerate({"while importing": "", "and a query is shown": "a ship at sea"}.items()):
        folder = documents(bench, count, seed=number)
        program = Program(bench.work / f"window{number}")
        window, beat = program.window, Heartbeat()
        if not kept:
            beat.start()
            end = time.monotonic() + 3
            until(lambda: time.monotonic() > end)  # noqa: B023 - called immediately
            kept["idle"] = beat.stop()
            rows.append(["idle", *(kept["idle"][column] for column in columns), ""])
        reports: list = []
        window.imports.finished.connect(reports.append)
        window.search.box.setText(query)
        beat.start()
        window.imports.start([str(folder)])
        until(lambda: bool(reports))  # noqa: B023
        figures = beat.stop() | {"documents": count, "sentences_per_s": reports[0].sentences / reports[0].seconds}
        rows.append([name, *(figures[column] for column in columns), figures["sentences_per_s"]])
        kept[name] = figures
        program.close()
    bench.say(f"event loop while {count} documents import, a timer of {BEAT_MS} ms", rows)
    return kept


def documents(bench: Bench, count: int, seed: int, *, length: int = 60) -> Path:
    """Write text files of `length` sentences, each made unique by a number."""
    folder = bench.work / f"documents{seed}"
    folder.mkdir(exist_ok=True)
    sentences, chance = novel_sentences(bench, 3000), random.Random(seed)
    for number in range(count):
        chosen = [f"{chance.choice(sentences).rstrip('.!?')}, as said in {number}." for _ in range(length)]
        paragraphs = [" ".join(chosen[at : at + 5]) for at in range(0, length, 5)]
        (folder / f"document {number:04}.txt").write_text("\n\n".join(paragraphs), "utf-8")
    return folder


def _scrolling(bench: Bench) -> dict:
    program = Program(bench.work / "scrolling")
    window, view = program.window, program.window.search_pane.view
    window.resize(1400, 900)
    sentences = novel_sentences(bench, 3000)
    result = _made_result(sentences, HITS)
    began = time.perf_counter()
    _show(window, result)
    shown_s = time.perf_counter() - began
    bar, viewport = view.verticalScrollBar(), view.viewport()

    def frames(moves: Callable[[int], None], count: int) -> list[float]:
        seconds = []
        for number in range(count):
            began = time.perf_counter()
            moves(number)
            viewport.repaint()
            QApplication.processEvents()
            seconds.append(time.perf_counter() - began)
        return seconds

    chance = random.Random(1)
    kept = {
        "a wheel's notch": frames(lambda n: bar.setValue(72 * n), 600),
        "a page": frames(lambda n: bar.setValue(bar.pageStep() * n), 200),
        "somewhere else": frames(lambda _n: bar.setValue(chance.randrange(bar.maximum())), 200),
        "the next hit by key": frames(lambda _n: window.search_pane.step(1), 200),
        "a new width": frames(lambda n: window.resize(1400 - 10 * n, 900), 20),
    }
    # As many as the program itself requests.
    _show(window, _made_result(sentences[:1000], 1000))
    kept["the next of 1,000 hits"] = frames(lambda _n: window.search_pane.step(1), 200)
    rows: list[list[object]] = [["frame", "p50_ms", "p95_ms", "p99_ms", "max_ms", "frames"]]
    figures: dict = {"shown_s": round(shown_s, 3), "hits": window.search_pane.model.rowCount(QModelIndex())}
    for name, seconds in kept.items():
        figures[name] = percentiles_ms(seconds) | {"max_ms": round(1000 * max(seconds), 2), "frames": len(seconds)}
        rows.append([name, *figures[name].values()])
    bench.say(f"scrolling {HITS:,} hits; shown after {shown_s:.3f} s", rows)
    program.close()
    return figures


def _show(window: MainWindow, result: SearchResult) -> None:
    window.search_pane.model.show(result)
    window.search_pane.show_view(None)
    window.search_pane.show_answer(again=False)
    QApplication.processEvents()


def _made_result(sentences: list[str], count: int) -> SearchResult:
    hits = tuple(
        Hit(
            rank=rank,
            score=1 - rank / count,
            sentence_id=rank,
            text=sentences[rank % len(sentences)],
            before=sentences[(rank - 1) % len(sentences)],
            after=sentences[(rank + 1) % len(sentences)],
            document_id=rank % 100,
            title=f"Document {rank % 100}",
            path=f"/made/document {rank % 100}.txt",
            type="text",
            ordinal=rank,
            kind="body",
            places=(Place(None, 0, 10, "char"),),
        )
        for rank in range(1, count + 1)
    )
    found = tuple(ScoredSentence(hit.sentence_id, hit.score) for hit in hits)
    return SearchResult("a ship at sea", "meaning", found, hits, count, 0.01)


if __name__ == "__main__":
    _switch()
