"""A disk that is full at any write: a clear message, nothing lost, and the same again as soon as there is room."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.core.errors import StorageFull
from desktop_app.core.reader_events import ReadingDone
from desktop_app.store import backup as store_backup
from desktop_app.store.backup import restore_backup
from desktop_app.store.index_segment_builder import BuildRequest, build_segment
from desktop_app.store.library import LocalLibrary
from tests.disks import fill, needs_mount, read_only, small_disk

from .helpers import (
    MODEL,
    OTHER,
    add,
    drain,
    faults,
    head,
    run_checks,
    shown,
    store,
    switch,
    take_in,
    texts,
)

TAIL_ROWS = 100
NEW = texts("new", 150)


def open_library(folder: Path) -> LocalLibrary:
    return LocalLibrary.open(folder / "library", tail_rows=TAIL_ROWS)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of two documents, and a backup of it."""
    folder = tmp_path_factory.mktemp("template")
    with open_library(folder) as library:
        library.models.bind(MODEL)
        for name in ("a", "b"):
            take_in(library, f"{name}.txt", texts(name, 60))
        drain(library.maintenance.back_up(folder / "kept.zip"))
    return folder


# What a person does; each can be done again after it failed half way.


def _import(library: LocalLibrary) -> None:
    found = library.documents.find("new.txt")
    document_id = found[0].document_id if found else add(library, "new.txt")
    library.ingest.begin(document_id, head("new"))
    for first in range(0, len(NEW), 30):
        store(library, document_id, NEW[first : first + 30])
    library.ingest.finish(document_id, ReadingDone())


def _remove(library: LocalLibrary) -> None:
    library.documents.remove([each.document_id for each in library.documents.find("a.txt")])
    drain(library.maintenance.purge())


def _tag(library: LocalLibrary) -> None:
    for number in range(40):
        library.collections.tag([1, 2], [f"a tag with the number {number}"])


def _seal(library: LocalLibrary) -> None:
    drain(library.maintenance.run())


def _switch(library: LocalLibrary) -> None:
    if library.models.current != OTHER:
        switch(library)


def _back_up(library: LocalLibrary) -> None:
    drain(library.maintenance.back_up(library.folder.parent / "out.zip", replace=True))


def _repair(library: LocalLibrary) -> None:
    run_checks(library, repair=True)


ACTS: dict[str, Callable[[LocalLibrary], None]] = {
    "import": _import,
    "remove": _remove,
    "tag": _tag,
    "seal": _seal,
    "switch": _switch,
    "back up": _back_up,
    "repair": _repair,
}


def content(library: LocalLibrary) -> object:
    tags = [(each.name, sorted(each.document_ids)) for each in library.collections.collections()]
    info = library.info()
    return sorted(shown(library)), tags, info.model, info.searchable, info.states


def assert_done_after_all(folder: Path, act: Callable[[LocalLibrary], None], expected: object) -> None:
    """Now there is room: nothing is lost or wrong, and the act succeeds."""
    with open_library(folder) as library:
        assert faults(library) == []
        kept = shown(library)
        assert set(texts("b", 60)) <= set(kept)
        act(library)
        assert content(library) == expected
        assert faults(library) == []
    half = [file.name for file in folder.rglob("*") if file.suffix in (".part", ".copying", ".restoring", ".building")]
    assert half == []


@pytest.mark.parametrize("name", ["import", "remove", "tag", "switch", "repair"])
def test_the_database_may_be_full_at_every_write(template: Path, tmp_path: Path, name: str) -> None:
    act = ACTS[name]
    shutil.copytree(template, tmp_path / "room")
    with open_library(tmp_path / "room") as library:
        act(library)
        expected = content(library)
    failures: list[StorageFull] = []
    for room in (0, 2, 6, 20):  # pages
        folder = tmp_path / str(room)
        shutil.copytree(template, folder)
        try:
            with open_library(folder) as library:
                raw = library._database._raw
                pages = raw.execute("PRAGMA page_count").fetchone()[0]
                raw.execute(f"PRAGMA max_page_count = {pages + room}")
                act(library)
        except StorageFull as error:
            failures.append(error)
        assert_done_after_all(folder, act, expected)
    assert_explained(failures)
    assert failures or name in ("remove", "tag", "repair"), "these find room in free pages"


def assert_explained(failures: list[StorageFull]) -> None:
    for error in failures:
        assert "disk is full" in str(error) or "No space left" in str(error)
        assert "space" in str(error.hint)


@needs_mount
@pytest.mark.parametrize("name", ACTS)
def test_a_full_disk_loses_nothing(template: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    act = ACTS[name]
    shutil.copytree(template, tmp_path / "room")
    monkeypatch.setattr(store_backup, "_SPARE_BYTES", -(10**9))  # the space is there before, and taken meanwhile
    with open_library(tmp_path / "room") as library:
        act(library)
        expected = content(library)
    for left in (0, 60_000, 300_000):
        with small_disk(tmp_path / f"disk {left}") as disk:
            shutil.copytree(template, disk, dirs_exist_ok=True)
            try:
                with open_library(disk) as library:
                    fill(disk, left)
                    act(library)
            except StorageFull as error:
                assert_explained([error])
            (disk / "filler").unlink()
            assert_done_after_all(disk, act, expected)


@needs_mount
def test_a_read_only_disk_takes_no_backup_and_says_so(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_backup, "_SPARE_BYTES", -(10**9))
    with small_disk(tmp_path / "disk") as disk, open_library(template) as library:
        with read_only(disk), pytest.raises(StorageFull, match="Read-only file system") as failure:
            drain(library.maintenance.back_up(disk / "out.zip"))
        assert "where you can write" in str(failure.value.hint)
        with read_only(disk), pytest.raises(StorageFull, match="Read-only file system"):
            drain(restore_backup(template / "kept.zip", disk / "restored"))


@needs_mount
def test_restoring_onto_a_full_disk_leaves_nothing(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_backup, "_SPARE_BYTES", -(10**9))
    for left in (0, 20_000, 300_000):
        with small_disk(tmp_path / f"disk {left}") as disk:
            fill(disk, left)
            with pytest.raises(StorageFull, match="No space left"):
                drain(restore_backup(template / "kept.zip", disk / "restored"))
            assert [file.name for file in disk.iterdir()] == ["filler"]
            (disk / "filler").unlink()
            drain(restore_backup(template / "kept.zip", disk / "restored"))
            with LocalLibrary.open(disk / "restored") as library:
                assert faults(library) == []


@pytest.mark.skipif(sys.platform == "win32", reason="limits as POSIX has them")
def test_a_graph_that_is_not_written_whole_is_not_used(tmp_path: Path) -> None:
    """Its file has no other name than a temporary one until it is complete."""
    import resource

    with LocalLibrary.open(tmp_path / "library") as library:
        library.models.bind(MODEL)
        take_in(library, "a.txt", texts("a", 400))
        request = BuildRequest(library._database.file, 1, 32, 1, 400, tmp_path / "graph.hnsw")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (32_768, usual[1]))
    try:
        with pytest.raises(OSError, match=r"space|large"):
            build_segment(request)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert not request.file.exists()
