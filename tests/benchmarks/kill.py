"""Kill imports, and all kinds of work on a library, at random moments: nothing may be lost, doubled or left behind."""

from __future__ import annotations

import time
from collections import Counter

from tests.benchmarks.harness import Bench
from tests.end2end.killed_import import kill_many
from tests.end2end.killed_work import kill_work

KILLS = 200
SEED = 20
WORK_KILLS = 1_000
KILLS_OF_A_LIBRARY = 50  # before another history begins, with another seed
FIRST_SEED = 100


def run(bench: Bench) -> None:
    """Print and store the figures of imports; raise AssertionError at the first discrepancy."""
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


def run_work(bench: Bench) -> None:
    """Print and store the figures of all kinds of work; raise AssertionError at the first discrepancy."""
    kills: Counter[str] = Counter()
    finished: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    started = time.monotonic()
    for number in range(WORK_KILLS // KILLS_OF_A_LIBRARY):
        folder = bench.work / f"kill-work-{number}"
        outcome = kill_work(folder, KILLS_OF_A_LIBRARY, FIRST_SEED + number)
        kills += outcome.kills
        finished += outcome.finished
        changed += outcome.changed
    rows = [[name, kills[name], changed[name], finished[name]] for name in sorted(finished)]
    rows.append(["all", kills.total(), changed.total(), finished.total()])
    bench.say(
        "kill-work: work killed at random moments; nothing lost, doubled, half visible or left behind",
        [["task", "kills", "of them with a part done", "finished"], *rows],
    )
    bench.results["kill-work"] = {"kills": dict(kills), "finished": dict(finished), "changed": dict(changed)} | {
        "all, s": round(time.monotonic() - started, 1)
    }


PARTS = {"kill-work": run_work}
