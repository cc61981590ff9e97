"""The list of documents in the program's window, with 10,000 of them: what holds the window's thread up, and how long.

Processor seconds of that thread say it on a busy machine too; the wall clock only on a quiet one.
"""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from desktop_app.gui.shell.main_window import MainWindow
from tests.benchmarks import made_documents
from tests.benchmarks.harness import Bench, percentiles_ms
from tests.benchmarks.window import Program, until

DOCUMENTS = 10_000
_CHANGED = 1_000
_QUIET_S = 0.5
_WORDS = ("the", "schmidt 19", "nothing like it")


def run(bench: Bench) -> None:
    """Print and store the figures."""
    count = bench.rows or DOCUMENTS
    base = bench.work / "listed"
    shutil.copytree(made_documents.library(bench, count) / "data", base / "data")
    opening = _Opening()
    program = Program(base, opening.watch)
    until(lambda: bool(opening.figures))
    assert program.window.documents.count == count
    program.window.resize(1400, 900)
    _wait()
    try:
        found = _use(program, _Beat())
    finally:
        program.close()
    bench.say(
        f"{count:,} documents listed after the library opens; goal 0.3 s",
        [list(opening.figures), list(opening.figures.values())],
    )
    columns = ["longest_ms", "longest_processor_ms", "processor_ms"]
    rows = [["", *columns], *([name, *(figures[column] for column in columns)] for name, figures in found.items())]
    bench.say(f"{count:,} documents: the window's thread; goal 30 ms a key, 50 ms otherwise", rows)
    frames = {name: percentiles_ms(seconds) for name, seconds in _FRAMES.items()}
    bench.say(
        "frames, processor; goal 16 ms",
        [["", "p50_ms", "p95_ms", "p99_ms"], *([name, *each.values()] for name, each in frames.items())],
    )
    bench.results["window-documents"] = {"opening": opening.figures, "actions": found, "frames": frames}


class _Beat:
    """A timer of 2 ms; what passes between two of its events is how long the window did not answer."""

    def __init__(self) -> None:
        self._gaps: list[tuple[float, float]] = []
        self._last = self._began = 0.0, 0.0
        self._timer = QTimer(interval=2)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._note)

    def start(self) -> None:
        self._gaps.clear()
        self._last = self._began = time.perf_counter(), time.thread_time()
        self._timer.start()

    def stop(self) -> dict[str, float]:
        self._note()
        self._timer.stop()
        return {
            "longest_ms": round(1000 * max(wall for wall, _ in self._gaps), 1),
            "longest_processor_ms": round(1000 * max(used for _, used in self._gaps), 1),
            "processor_ms": round(1000 * (self._last[1] - self._began[1])),
        }

    def _note(self) -> None:
        now = time.perf_counter(), time.thread_time()
        self._gaps.append((now[0] - self._last[0], now[1] - self._last[1]))
        self._last = now


class _Opening:
    """Measures the time from the request for the list, as the library opens, until the list is complete."""

    def __init__(self) -> None:
        self._beat = _Beat()
        self._began = 0.0
        self.figures: dict[str, float] = {}

    def watch(self, window: MainWindow) -> None:
        window.session.opened.connect(self._begin)
        window._document_list.listed.connect(self._end)

    def _begin(self) -> None:
        self._began = time.perf_counter()
        self._beat.start()

    def _end(self) -> None:
        if not self.figures:
            self.figures = {"all_listed_s": round(time.perf_counter() - self._began, 3), **self._beat.stop()}


_FRAMES: dict[str, list[float]] = {}


def _use(program: Program, beat: _Beat) -> dict[str, dict[str, float]]:
    """Do what a person does with a list, and return what each thing took."""
    window, found = program.window, {}
    pane, view, model, actions = window.library_pane, window.library_pane.view, window.documents, window.action_table

    def measure(name: str, act: Callable[[], object], is_done: Callable[[], bool] = lambda: True) -> None:
        beat.start()
        act()
        until(is_done)
        _wait()
        figures = beat.stop()
        found[name] = max(found.get(name, figures), figures, key=lambda each: each["longest_processor_ms"])

    for word in _WORDS:
        for length in range(1, len(word) + 1):
            typed = word[:length]
            measure(
                "a letter in the filter, the slowest",
                lambda: pane.filter.setText(typed),  # noqa: B023 - called at once
                lambda: model.forest.filter.text == typed.strip(),  # noqa: B023
            )
        measure("the filter cleared", pane.filter.clear, lambda: not model.forest.filter.text)
    _scroll(program)
    for order in ("added", "state", "sentences", "title"):
        measure(f"sorted by {order}", actions[f"library.sort.{order}"].trigger)
    measure("only failed ones", actions["library.failed_only"].trigger)
    measure("all of them again", actions["library.failed_only"].trigger)
    measure("everything selected", view.selectAll)
    measure("the menu of all", lambda: pane._show_menu(view.visualRect(model.index(0, 0)).center()))
    for menu in pane.findChildren(QMenu):
        menu.close()
    for name in ("document.copy_path", "document.copy_link", "document.cite", "document.tag"):
        measure(f"{name} of all", actions[name].trigger)
        for dialog in QApplication.topLevelWidgets():
            if dialog is not window and dialog.isVisible():
                dialog.close()
    view.clearSelection()
    ids = [document.document_id for document in model.all_documents()][:_CHANGED]
    tags, every = len(window.collections.items), model.count
    measure(
        f"{len(ids):,} tagged",
        lambda: window.collections.tag(ids, ["benchmark"]),
        lambda: len(window.collections.items) > tags,
    )
    began = time.monotonic()
    measure(f"{len(ids):,} removed", lambda: window.removals.remove(ids), lambda: model.count == every - len(ids))
    found[f"{len(ids):,} removed"]["until_gone_s"] = round(time.monotonic() - began - _QUIET_S, 2)
    measure("and restored", window.removals.undo, lambda: model.count == every)
    return found


def _scroll(program: Program) -> None:
    """Measure frames while the list scrolls."""
    view = program.window.library_pane.view
    bar, chance = view.verticalScrollBar(), random.Random(1)
    moves: dict[str, Callable[[int], object]] = {
        "a wheel's notch": lambda n: bar.setValue(72 * n),
        "a page": lambda n: bar.setValue(bar.pageStep() * n),
        "somewhere else": lambda _n: bar.setValue(chance.randrange(bar.maximum())),
        "the next row by key": lambda _n: QTest.keyClick(view, Qt.Key.Key_Down),
    }
    for name, move in moves.items():
        seconds = []
        for number in range(200):
            began = time.thread_time()
            move(number)
            view.viewport().repaint()
            QApplication.processEvents()
            seconds.append(time.thread_time() - began)
        _FRAMES[name] = seconds


def _wait() -> None:
    """Let the window work for a moment."""
    end = time.monotonic() + _QUIET_S
    until(lambda: time.monotonic() > end)
