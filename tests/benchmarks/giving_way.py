"""Processor time that an import leaves to the window's event loop and, at low priority, to another program."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.benchmarks.harness import Bench
from tests.benchmarks.window import BEAT_MS, Heartbeat, Program, documents, until

SHORT = 8  # sentences per document: the number of documents determines the work for the window
LIMITS = {"p99_ms": 16.0, "max_ms": 100.0}
ROUNDS = 3
_SEED_WINDOW, _SEED_PRIORITY = 101, 102  # used in folder names; different from those of the window's own benchmark

# Adds numbers until its input ends, then prints its rounds per second.
_BUSY = """
import sys, threading, time
ended = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
rounds, began = 0, time.monotonic()
while not ended.is_set():
    sum(range(20_000))
    rounds += 1
print(rounds / (time.monotonic() - began))
"""


def lateness(bench: Bench) -> dict:
    """Import many short documents in a window, and record how late each timer event fires."""
    count = bench.rows or (1000 if bench.large else 200)
    folder = documents(bench, count, _SEED_WINDOW, length=SHORT)
    program = Program(bench.work / "import window")
    beat, reports = Heartbeat(), []
    program.window.imports.finished.connect(reports.append)
    beat.start()
    program.window.imports.start([str(folder)])
    until(lambda: bool(reports))
    figures = beat.stop()
    rate = reports[0].sentences / reports[0].seconds
    assert len(reports[0].imported) == count, reports[0].failed
    program.close()
    kept = {name: figures[name] <= most for name, most in LIMITS.items()}
    figures |= {"documents": count, "sentences_per_s": rate, "within": kept}
    columns = ["p50_ms", "p95_ms", "p99_ms", "max_ms", "beats"]
    bench.say(
        f"event loop while {count:,} documents import, a timer of {BEAT_MS} ms",
        [
            ["", *columns, "sentences/s"],
            ["late", *(figures[column] for column in columns), rate],
            ["at most", "", "", *LIMITS.values(), "", ""],
            ["kept", "", "", *("yes" if held else "NO" for held in kept.values()), "", ""],
        ],
    )
    return figures


def low_priority(bench: Bench) -> dict:
    """Import while another program is busy on every core, at normal and at low priority, in turn."""
    count = bench.rows or (300 if bench.large else 100)
    folder = documents(bench, count, _SEED_PRIORITY)
    imports: dict[str, list[float]] = {"normal": [], "low": []}
    others: dict[str, list[float]] = {"alone": [], "normal": [], "low": []}
    for number in range(ROUNDS):
        busy = _Busy()
        time.sleep(3)
        others["alone"].append(busy.stop())
        for name, option in (("normal", ()), ("low", ("--low-priority",))):
            busy = _Busy()
            try:
                imports[name].append(_imported(bench.work / f"{name} {number}", folder, option))
            finally:
                others[name].append(busy.stop())
    alone = statistics.median(others["alone"])
    kept: dict = {"documents": count, "rounds": ROUNDS, "busy_processes": os.cpu_count()}
    rows: list[list[object]] = [["priority", "import, sentences/s", "the other program, share of its rate alone"]]
    for name in imports:
        rate, share = statistics.median(imports[name]), statistics.median(others[name]) / alone
        kept[name] = {"sentences_per_s": rate, "other_program": share}
        rows.append([name, rate, share])
    bench.say(f"an import of {count} documents while a program is busy on every core", rows)
    return kept


def _imported(base: Path, folder: Path, options: tuple[str, ...]) -> float:
    """Import in a separate process; return the sentences per second."""
    command = [sys.executable, "-m", "desktop_app", "--basedir", str(base), "import", str(folder), "--quiet", "--json"]
    done = subprocess.run([*command, *options], stdout=subprocess.PIPE, text=True, check=True)
    return float(json.loads(done.stdout)["sentences_per_s"])


class _Busy:
    """Another program that computes on every core."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        command = [sys.executable, "-c", _BUSY]
        self._processes = [
            subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _ in range(os.cpu_count() or 1)
        ]

    def stop(self) -> float:
        """End it; return its rounds per second on all cores."""
        for process in self._processes:
            with suppress(BrokenPipeError):
                assert process.stdin
                process.stdin.close()
        rates = []
        for process in self._processes:
            assert process.stdout
            rates.append(float(process.stdout.read()))
            process.wait()
        return sum(rates)
