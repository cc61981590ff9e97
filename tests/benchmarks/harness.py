"""Shared by all benchmarks: paired timing, a description of the machine, tables, a JSON file."""

from __future__ import annotations

import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

ROUNDS = 5


@dataclass(eq=False)
class Bench:
    """One run of the benchmarks; equal only to itself.

    Attributes:
        data: folder of the full evaluation data; None: only the data of the tests.
        work: a temporary folder.
        peer: a Python with the peers that cannot be installed in this environment.
        kept: a folder that keeps generated libraries for another run; None: they are temporary.
        rows: limit of training rows, a slice that shows that a command works; 0: all.
        only: rows of a training's table to run, by the beginnings of their names; empty: all.
        keep: a file that stores such rows, including those of earlier runs; None: they are not stored.
        model: folder of the model that trainings start from; None: the bundled model.
        results: the figures by benchmark; written as JSON at the end.
    """

    data: Path | None
    work: Path
    large: bool = False
    rows: int = 0
    peer: Path | None = None
    kept: Path | None = None
    only: tuple[str, ...] = ()
    keep: Path | None = None
    model: Path | None = None
    results: dict[str, Any] = field(default_factory=dict)

    @property
    def libraries(self) -> Path:
        """Folder of the generated libraries."""
        return self.kept or self.work

    def sliced(self, data: Any) -> Any:
        """Return a data set, or its first rows if a limit is set."""
        return data.take(range(min(self.rows, len(data)))) if self.rows else data

    def novel(self) -> Path:
        """Return a novel as plain text."""
        if self.data is not None:
            return self.data / "books" / "Stevenson_Treasure_1883.txt"
        return max((Path(__file__).parents[2] / "resources" / "samples").glob("*.txt"), key=lambda p: p.stat().st_size)

    def say(self, title: str, rows: Sequence[Sequence[object]]) -> None:
        """Print a table; the first row is the header."""
        texts = [[_shown(cell) for cell in row] for row in rows]
        widths = [max(len(row[column]) for row in texts) for column in range(len(texts[0]))]
        print(f"\n{title}")
        for number, row in enumerate(texts):
            cells = [
                cell.ljust(width) if not i else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            print("  " + "  ".join(cells).rstrip())
            if number == 0:
                print("  " + "  ".join("-" * width for width in widths))


def machine() -> dict[str, Any]:
    """Return a description of the machine, without its host name."""
    import torch

    return {
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "memory_gb": round(psutil.virtual_memory().total / 1e9, 1),
        "system": platform.system(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "cuda": torch.cuda.get_device_name(0) if torch.cuda.is_available() else None,
        "threads": torch.get_num_threads(),
        **{name: version(name) for name in ("transformers", "hnswlib", "numpy", "PySide6-Essentials")},
    }


def alternate(works: dict[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Time functions in turn, A B A B ..., after one uncounted round; return the seconds of each round.

    In turn, because the speed of a machine drifts: ratios of neighbouring runs stay valid when both drift alike.
    """
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for number in range(rounds + 1):
        for name, work in works.items():
            started = time.perf_counter()
            work()
            if number:
                seconds[name].append(time.perf_counter() - started)
    return seconds


def ratio(seconds: dict[str, list[float]], name: str, base: str) -> float:
    """Return how many times faster `name` is than `base`: the median of the rounds' ratios."""
    return statistics.median(b / a for a, b in zip(seconds[name], seconds[base], strict=True))


def percentiles_ms(seconds: Sequence[float]) -> dict[str, float]:
    """Return p50, p95 and p99 in milliseconds."""
    ordered = sorted(seconds)
    return {
        f"p{share}_ms": round(1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share / 100))], 2)
        for share in (50, 95, 99)
    }


def peak_memory_mb() -> float:
    """Return the peak resident memory of this process so far."""
    import resource

    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def write(bench: Bench, file: Path) -> None:
    """Write all figures as JSON."""
    file.write_text(json.dumps({"machine": machine(), **bench.results}, indent=1), "utf-8")


def _shown(cell: object) -> str:
    if isinstance(cell, float):
        return f"{cell:,.4f}" if abs(cell) < 10 else f"{cell:,.1f}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)
