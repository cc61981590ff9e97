"""Kill an import at random moments, repeatedly, and check that nothing is lost, duplicated or left behind."""

from __future__ import annotations

import time

from tests.benchmarks.harness import Bench
from tests.end2end.killed_import import kill_many

KILLS = 200
SEED = 20


def run(bench: Bench) -> None:
    """Print and store the figures; raise AssertionError at the first discrepancy."""
    work = bench.work / "kill"
    work.mkdir()
    started = time.monotonic()
    outcome = kill_many(work, KILLS, SEED)
    figures = {
        "kills": outcome.kills,
        "imports that came to their end": outcome.finished,
        "lost, doubled or different": 0,
        "processes left behind": 0,
        "smallest cosine of two vectors of a text": round(outcome.lowest, 6),
        "an undisturbed import, s": round(outcome.work_s, 2),
        "all, s": round(time.monotonic() - started, 1),
        **{f"killed: {moment}": count for moment, count in sorted(outcome.moments.items())},
    }
    bench.say("kill: imports killed at random moments", [["", ""], *([name, value] for name, value in figures.items())])
    bench.results["kill"] = figures
