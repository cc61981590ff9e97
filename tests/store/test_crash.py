"""After a kill at any moment a library has every committed document, none twice, and is consistent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from .conftest import Open
from .helpers import MODEL, OTHER, drain, faults, found, found_by, shown, switch, texts
from .killed_process import Runs


@pytest.fixture(scope="module")
def runs() -> Iterator[Runs]:
    with Runs() as runs:
        yield runs


def run_and_kill(runs: Runs, task: str, folder: Path, lines: int) -> list[list[str]]:
    """Let a process work until it has printed a number of lines, then kill it."""
    read = []
    for line in runs.lines(task, folder):
        read.append(line.split())
        if len(read) == lines:
            runs.kill()
    assert len(read) >= lines, "it ended by itself"
    return read


def survive(runs: Runs, open_library: Open, tmp_path: Path, seed: int, kills: int) -> None:
    rng = np.random.default_rng(seed)
    finished: dict[int, list[str]] = {}
    for _ in range(kills):
        # The first import of a number gives its document that number as id, because nothing else creates documents.
        changing: int | None = None
        removing: int | None = None
        for word, *rest in run_and_kill(runs, "imports", tmp_path / "library", int(rng.integers(2, 90))):
            if word == "finished":
                finished[int(rest[0])] = [t for part in range(3) for t in texts(f"{rest[1]} {part}", 8)]
                last = int(rest[0])
                changing = last - 3 if last % 5 == 0 else None
                removing = last - 2 if last % 7 == 0 else None
            elif word == "changed":
                finished[int(rest[0])] = texts(f"{rest[0]} again", 8)
                changing = None
            elif word == "removed":
                finished.pop(int(rest[0]), None)
                removing = None
        with open_library(tail_rows=60) as library:
            assert faults(library) == []
            states = {document.document_id: document for document in library.documents.fetch(limit=100_000)}
            assert len({document.path for document in states.values()}) == len(states)
            for document_id, own in finished.items():
                if document_id == removing and document_id not in states:
                    continue
                if document_id == changing and shown(library, document_id) == texts(f"{document_id} again", 8):
                    finished[document_id] = texts(f"{document_id} again", 8)
                    continue
                assert shown(library, document_id) == own
                assert found(library, own[3]) == [own[3]]
            if removing is not None and removing not in states:
                finished.pop(removing, None)
            unfinished = set(states) - set(finished)
            assert all(not shown(library, i) for i in unfinished if states[i].state == "queued")
            assert all(states[i].state in ("queued", "ready") for i in states)
            # One document may be finished but not yet reported.
            said_nothing = [i for i in unfinished if states[i].state == "ready"]
            assert len(said_nothing) <= 1
            for i in said_nothing:
                finished[i] = shown(library, i)
                assert len(finished[i]) == 24
            drain(library.maintenance.run())
            assert faults(library) == []


def test_a_library_survives_repeated_kills(runs: Runs, open_library: Open, tmp_path: Path) -> None:
    survive(runs, open_library, tmp_path, seed=11, kills=6)


@pytest.mark.parametrize(("seed", "kills"), [(21, 3), *(pytest.param(s, 40, marks=pytest.mark.slow) for s in (1, 2))])
def test_a_library_survives_a_kill_during_a_model_switch(
    runs: Runs, open_library: Open, tmp_path: Path, seed: int, kills: int
) -> None:
    rng = np.random.default_rng(seed)
    switches = 0
    for _ in range(kills):
        lines = run_and_kill(runs, "switches", tmp_path / "library", int(rng.integers(30, 120)))
        switches += sum(words[0] == "switched" for words in lines)
        finished = [words[2] for words in lines if words[0] == "finished"]
        with open_library(tail_rows=60) as library:
            assert faults(library) == []
            assert library.models.current in (MODEL, OTHER)
            # Every sentence has a vector, and only of this model.
            assert library.info().vectors == library.info().searchable == library.info().sentences
            for number in finished:
                own = texts(number, 25)
                assert found_by(library.models.current, library, own[7]) == [own[7]]
    assert switches > 0
    with open_library(tail_rows=60) as library:
        switch(library, OTHER)
        drain(library.maintenance.run())
        assert faults(library) == []
        assert library.models.count_vectors() == {OTHER.fingerprint: library.info().sentences}
        assert found_by(OTHER, library, texts("1", 25)[3]) == [texts("1", 25)[3]]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_a_library_survives_very_many_kills(runs: Runs, open_library: Open, tmp_path: Path, seed: int) -> None:
    survive(runs, open_library, tmp_path, seed=100 + seed, kills=40)
