"""Queries typed letter by letter during an import: how long each takes, and where that time goes."""

from __future__ import annotations

import statistics
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_app.engine.requests import ImportRequest, SearchRequest
from desktop_app.engine.workspace import Workspace
from tests.benchmarks.encode import novel_sentences
from tests.benchmarks.harness import Bench, percentiles_ms

KEY_S = 0.15  # between two letters
LETTERS = 8  # typed without a pause
PAUSE_S = 3.0  # between two queries: longer than the program assumes that someone is still typing
QUEUE, REST = "waits for its turn", "the rest"
_SLOWEST = 0.1

_PARTS = ("encoder", "index", "words", "rows")  # what a search calls and an import does not


@dataclass(frozen=True, slots=True)
class Query:
    """An answered query: seconds in total and by part."""

    seconds: float
    parts: dict[str, float]


class Stopwatch:
    """Adds up the time of the parts of a search on the engine's thread."""

    def __init__(self, workspace: Workspace) -> None:
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._workspace = workspace
        library, encoder = workspace.context.opened_library, workspace.context.loaded_encoder
        assert library is not None
        assert encoder is not None
        search, keyword_search = library.search, library.keyword_search
        encoder.encode = self._timed("encoder", encoder.encode)
        encoder.knows_words = self._timed("encoder", encoder.knows_words)
        search.nearest = self._timed("index", search.nearest)
        search.scores = self._timed("index", search.scores)
        keyword_search.find_sentences = self._timed("words", keyword_search.find_sentences)
        keyword_search.weight = self._timed("words", keyword_search.weight)
        search.hits = self._timed("rows", search.hits)

    def _timed(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            began = time.perf_counter()
            try:
                return method(*arguments, **named)
            finally:
                self._seconds[name] += time.perf_counter() - began

        return timed

    def ask(self, text: str) -> Query:
        """Search and wait for the rows."""
        self._seconds.clear()
        answered = threading.Event()
        began = time.perf_counter()
        job = self._workspace.search.find_sentences(
            SearchRequest(text, mode="both", has_operators=False)
        )  # a novel has quotation marks
        job.on_done(lambda _job: answered.set())
        answered.wait()
        seconds = time.perf_counter() - began
        assert job.result.found
        parts = {name: self._seconds[name] for name in _PARTS}
        rest = job.result.seconds - sum(parts.values())
        return Query(seconds, {QUEUE: seconds - job.result.seconds, **parts, REST: rest})


def typed_meanwhile(
    bench: Bench, begin: Callable[[], AbstractContextManager[Workspace]], folder: Path
) -> tuple[dict, dict]:
    """Type queries letter by letter during an import and after it.

    Returns:
        their durations, and the milliseconds of their parts, by the time at which they were typed.
    """
    texts = [text for text in novel_sentences(bench, 2000) if len(text) > 40]
    first: list[Query] = []
    others: list[Query] = []
    with begin() as workspace:
        job = workspace.imports.start(ImportRequest((str(folder),)))
        while workspace.status().wait().library.searchable < 1000:
            time.sleep(0.05)
        watch = Stopwatch(workspace)
        for text in texts:
            for letter in range(LETTERS):
                query = watch.ask(text[: 12 + 3 * letter])
                if job.is_finished:
                    break
                (others if letter else first).append(query)
                time.sleep(max(0.0, KEY_S - query.seconds))
            if job.is_finished:
                break
            time.sleep(PAUSE_S)
        job.wait()
        afterwards = [watch.ask(f"{text[:30]} {number}") for number, text in enumerate(texts[:200])]
    asked = {
        "while importing: the first letter after a pause": first,
        "while importing: the letters after it": others,
        "while importing: all": first + others,
        "afterwards": afterwards,
    }
    figures = {name: _summary([query.seconds for query in queries]) for name, queries in asked.items()}
    shares = {}
    for name, queries in asked.items():
        slowest = sorted(queries, key=lambda query: query.seconds)[-max(1, int(len(queries) * _SLOWEST)) :]
        shares[name] = _mean_ms(queries)
        shares[f"{name}, the slowest tenth"] = _mean_ms(slowest)
    return figures, shares


def _summary(seconds: list[float]) -> dict:
    return {**percentiles_ms(seconds), "max_ms": round(1000 * max(seconds), 1), "queries": len(seconds)}


def _mean_ms(queries: list[Query]) -> dict[str, float]:
    return {part: round(1000 * statistics.mean(query.parts[part] for query in queries), 1) for part in queries[0].parts}
