"""Killed at any moment, a library has every document that was committed, none twice, and all its parts agree."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from .conftest import Open
from .helpers import MODEL, OTHER, drain, faults, found, found_by, shown, switch, texts

_IMPORTS_FOR_EVER = """
import sys
from pathlib import Path
from desktop_app.store.local_library import LocalLibrary
from tests.store.helpers import MODEL, add, head, store, texts
from desktop_app.core.reading import ReadingDone
from desktop_app.core.scope import Scope

def main():
    library = LocalLibrary.open(Path(sys.argv[1]), tail_rows=60)
    library.bind_model(MODEL)
    print("opened", flush=True)
    number = max((d.document_id for d in library.documents(limit=100000)), default=0)
    while True:
        number += 1
        document_id = add(library, f"{number}.txt")
        library.begin_document(document_id, head(str(number)))
        print("begun", flush=True)
        for part in range(3):
            store(library, document_id, texts(f"{number} {part}", 8))
            print("appended", flush=True)
        library.finish_document(document_id, ReadingDone())
        print(f"finished {document_id} {number}", flush=True)
        earlier = number - 3
        if number % 5 == 0 and library.documents(scope=Scope(document_ids=frozenset({earlier}))):
            library.begin_document(earlier, head("again"))
            store(library, earlier, texts(f"{earlier} again", 8))
            print("appended", flush=True)
            library.finish_document(earlier, ReadingDone())
            print(f"changed {earlier}", flush=True)
        if number % 7 == 0:
            library.remove_documents([number - 2])
            print(f"removed {number - 2}", flush=True)
            for _ in library.purge():
                print("purging", flush=True)
            print(f"purged {number - 2}", flush=True)
        if number % 4 == 0:
            for _ in library.maintain():
                print("maintaining", flush=True)

if __name__ == "__main__":
    main()
"""


_SWITCHES_FOR_EVER = """
import sys
from pathlib import Path
from desktop_app.store.local_library import LocalLibrary
from tests.store.helpers import MODEL, OTHER, add, head, spans_of, switch_steps, texts, vectors_by
from desktop_app.core.jobs import Waiting
from desktop_app.core.reading import ReadingDone

def main():
    library = LocalLibrary.open(Path(sys.argv[1]), tail_rows=60)
    if library.model is None:
        library.bind_model(MODEL)
    print("opened", flush=True)
    number = max((d.document_id for d in library.documents(limit=100000)), default=0)
    while True:
        own = library.model
        number += 1
        document_id = add(library, f"{number}.txt")
        library.begin_document(document_id, head(str(number)))
        new = library.without_vector(texts(str(number), 25))
        library.append(document_id, spans_of(texts(str(number), 25)), new, vectors_by(own, new))
        library.finish_document(document_id, ReadingDone())
        print(f"finished {document_id} {number}", flush=True)
        if number % 3 == 0:
            for step in switch_steps(library, OTHER if own == MODEL else MODEL):
                if not isinstance(step, Waiting):
                    print("switching", flush=True)
            print(f"switched {library.model.name}", flush=True)
            for step in library.maintain():
                if not isinstance(step, Waiting):
                    print("maintaining", flush=True)

if __name__ == "__main__":
    main()
"""


def run_and_kill(script: Path, folder: Path, lines: int) -> list[list[str]]:
    """Let a child import until it has said so many lines, and kill it there."""
    root = Path(__file__).parents[2]
    child = subprocess.Popen(
        [sys.executable, str(script), str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
        env={**__import__("os").environ, "PYTHONPATH": str(root)},
    )
    said = []
    with child:
        assert child.stdout is not None
        for line in child.stdout:
            said.append(line.split())
            if len(said) == lines:
                child.kill()
                break
        said += [line.split() for line in child.stdout]  # what it said before the signal reached it
    assert len(said) >= lines, "it ended by itself"
    return said


def survive(open_library: Open, tmp_path: Path, seed: int, kills: int) -> None:
    rng = np.random.default_rng(seed)
    script = tmp_path / "imports.py"
    script.write_text(_IMPORTS_FOR_EVER, "utf-8")
    finished: dict[int, list[str]] = {}
    for _ in range(kills):
        # Ids are numbers: the first import of a number gives its document that id, as nothing else makes documents.
        changing: int | None = None
        removing: int | None = None
        for word, *rest in run_and_kill(script, tmp_path / "library", int(rng.integers(2, 90))):
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
            states = {document.document_id: document for document in library.documents(limit=100_000)}
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
            # One document may have been finished, and not yet said so.
            said_nothing = [i for i in unfinished if states[i].state == "ready"]
            assert len(said_nothing) <= 1
            for i in said_nothing:
                finished[i] = shown(library, i)
                assert len(finished[i]) == 24
            drain(library.maintain())
            assert faults(library) == []


def test_killed_again_and_again(open_library: Open, tmp_path: Path) -> None:
    survive(open_library, tmp_path, seed=11, kills=10)


@pytest.mark.parametrize(("seed", "kills"), [(21, 3), *(pytest.param(s, 40, marks=pytest.mark.slow) for s in (1, 2))])
def test_killed_while_it_switches_models(open_library: Open, tmp_path: Path, seed: int, kills: int) -> None:
    rng = np.random.default_rng(seed)
    script = tmp_path / "switches.py"
    script.write_text(_SWITCHES_FOR_EVER, "utf-8")
    switches = 0
    for _ in range(kills):
        said = run_and_kill(script, tmp_path / "library", int(rng.integers(30, 120)))
        switches += sum(words[0] == "switched" for words in said)
        finished = [words[2] for words in said if words[0] == "finished"]
        with open_library(tail_rows=60) as library:
            assert faults(library) == []
            assert library.model in (MODEL, OTHER)
            # All of it answers, and to this model alone.
            assert library.info().vectors == library.info().searchable == library.info().sentences
            for number in finished:
                own = texts(number, 25)
                assert found_by(library.model, library, own[7]) == [own[7]]
    assert switches > 0
    with open_library(tail_rows=60) as library:
        switch(library, OTHER)
        drain(library.maintain())
        assert faults(library) == []
        assert library.vectors_by_model() == {OTHER.fingerprint: library.info().sentences}
        assert found_by(OTHER, library, texts("1", 25)[3]) == [texts("1", 25)[3]]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_killed_very_often(open_library: Open, tmp_path: Path, seed: int) -> None:
    survive(open_library, tmp_path, seed=100 + seed, kills=40)
