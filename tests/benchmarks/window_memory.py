"""Resident memory of the window after each thing that is opened: `python -m tests.benchmarks.window_memory BASEDIR`.

With `analysed` after the basedir, of a library with stored clusters, also with pairs, topics and the map.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import psutil

from desktop_app.core.duplicates import PairsRequest
from desktop_app.core.jobs import Job
from desktop_app.store.library import LocalLibrary
from desktop_app.store.vector_index import HnswGraph, IndexPart
from tests.benchmarks.painted import _rest
from tests.benchmarks.window import Program, until


def main() -> None:
    """Open everything once, and print the MB of each process after each."""
    program = Program(Path(sys.argv[1]))
    window, workspace = program.window, program.workspace
    figures: dict[str, list[int]] = {}

    def note(name: str) -> None:
        _rest(3.0)
        this = psutil.Process()
        figures[name] = [round(each.memory_info().rss / 2**20) for each in (this, *this.children(recursive=True))]
        print(name, figures[name], file=sys.stderr, flush=True)

    window.resize(1440, 900)
    library = workspace.context.opened_library
    assert isinstance(library, LocalLibrary)
    segments = library._segments
    until(lambda: segments.loaded_index is not None and _is_in_memory(segments.loaded_index.segments.values()))
    note("index loaded")
    window.search.box.setText("a ship that was lost at sea")
    until(lambda: window.search_pane.model.rowCount() > 0)
    note("a search")
    for pane in ("trace", "pairs", "clusters", "train", "search"):
        window.panes.show_pane(pane)
        _rest(1.0)
    note("every pane")
    if sys.argv[2:] == ["analysed"]:
        jobs: dict[str, Callable[[], Job[Any]]] = {
            "pairs": lambda: workspace.duplicates.find_pairs(PairsRequest(1000)),
            "topics": workspace.clusters.load_last,
            "map": workspace.clusters.build_map,
        }
        for name, begin in jobs.items():
            begin().wait(1200)
            note(name)
    print(json.dumps(figures), flush=True)
    program.close()


def _is_in_memory(parts: Iterable[IndexPart]) -> bool:
    return all(part.is_in_memory for part in parts if isinstance(part, HnswGraph))


if __name__ == "__main__":
    main()
