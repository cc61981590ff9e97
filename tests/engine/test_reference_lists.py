"""References of a reference manager are given to documents while other jobs go on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.core.bibliography import Reference
from desktop_app.core.reference_files import ListedReference
from desktop_app.engine import references
from desktop_app.store.documents import LocalDocumentStore
from tests.engine.watched_home import Home
from tests.patience import PATIENCE_S


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    yield made
    made.workspace.close()


def test_a_file_of_references_is_read_beside_the_engine(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, threads = references.read_reference_file, []

    def note_thread(path: Path) -> object:
        threads.append(threading.current_thread().name)
        return read(path)

    monkeypatch.setattr(references, "read_reference_file", note_thread)
    file = tmp_path / "all.bib"
    file.write_text("@book{tides, title = {On tides}, year = 1908}")
    (entry,) = home.workspace.references.read(str(file)).wait(PATIENCE_S).entries
    assert entry.reference.title == "On tides"
    assert threads == ["beside the engine"]


def test_a_document_that_is_removed_meanwhile_leaves_the_other_references_alone(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.put(first="The first one is about tides.", second="The second one is about bread.")
    home.watch()
    home.sync()
    ids = home.ids()
    set_reference = LocalDocumentStore.set_reference

    def remove_first(self: LocalDocumentStore, document_id: int, reference: Reference | None) -> None:
        self.remove([ids["first.txt"]])
        set_reference(self, document_id, reference)

    monkeypatch.setattr(LocalDocumentStore, "set_reference", remove_first)
    names = ("first.txt", "second.txt")
    entries = [ListedReference(Reference(title=f"Of {name}"), (home.folder / name,)) for name in names]
    matches = home.workspace.references.apply(entries).wait(PATIENCE_S)
    assert matches.documents == (ids["second.txt"],)
