"""A watched folder with a real library and reader, and disks that are mounted on folders."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop_app.core.formats import is_supported
from desktop_app.core.records import Document, WatchedFolder
from desktop_app.core.scope import ScopePart
from desktop_app.core.user_data import SavedSearch
from desktop_app.engine import file_walk
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.mounts import MountTable
from desktop_app.engine.requests import ImportReport
from desktop_app.engine.workspace import Workspace
from desktop_app.store.library import LocalLibrary
from desktop_app.text.reader_process import ProcessReader
from tests.engine.fakes import HashingEncoder
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from desktop_app.core.library import Library


class Home:
    """A workspace with a library, by default a new local one, and a folder that it can watch."""

    def __init__(self, tmp_path: Path, open_library: Callable[[], Library] | None = None) -> None:
        self.folder = tmp_path / "watched"
        self.folder.mkdir(parents=True)
        self.encoder = HashingEncoder()
        self.workspace = Workspace(
            EngineSetup(
                open_library=open_library
                or (lambda: LocalLibrary.open(tmp_path / "library", writable=True, create=True)),
                load_encoder=lambda _model: self.encoder,
                start_reader=ProcessReader,
                is_supported=lambda path: is_supported(Path(path)),
                choose_device=lambda _model: self.encoder.device,
            )
        )

    def save_search(self, search: SavedSearch) -> None:
        self.workspace.change(lambda library: library.user_data.save_search(search)).wait(PATIENCE_S)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def put(self, **files: str) -> None:
        """Write `a="text"` to `a.txt`."""
        for name, text in files.items():
            self.write(f"{name}.txt", text)

    def texts(self) -> dict[str, str]:
        """The text that the library has of each document."""

        def read(library: Library) -> dict[str, str]:
            found: dict[str, list[str]] = {row.path: [] for row in library.documents.fetch()}
            for batch in library.sentences.occurrences():
                for row in batch:
                    found[row.path].append(row.text)
            return {os.path.relpath(path, self.folder): " ".join(texts) for path, texts in found.items()}

        return self.workspace.read(read).wait(PATIENCE_S)

    def ids(self) -> dict[str, int]:
        return {name: document.document_id for name, document in self.documents().items()}

    def tag(self, name: str, *tags: str) -> None:
        number = self.ids()[name]
        self.workspace.change(lambda library: library.collections.tag([number], tags)).wait(PATIENCE_S)

    def tags(self) -> dict[str, frozenset[int]]:
        rows = self.workspace.read(lambda library: library.collections.collections()).wait(PATIENCE_S)
        return {row.name: row.document_ids for row in rows}

    def watch(self, **patterns: tuple[str, ...]) -> list[WatchedFolder]:
        return self.workspace.watched_folders.watch_folder(WatchedFolder(str(self.folder), **patterns)).wait(PATIENCE_S)

    def sync(self, *, confirmed: Iterable[int] = (), remove_many: bool = False) -> ImportReport:
        job = self.workspace.watched_folders.sync_folders(confirmed=frozenset(confirmed), remove_many=remove_many)
        return job.wait(PATIENCE_S)

    def save(self, text: str, *parts: ScopePart) -> None:
        self.workspace.change(
            lambda library: library.user_data.save_search(SavedSearch("Waves", text, "both", parts))
        ).wait(PATIENCE_S)

    def saved(self) -> SavedSearch:
        (search,) = self.workspace.read(lambda library: library.user_data.saved_searches()).wait(PATIENCE_S)
        return search

    def documents(self) -> dict[str, Document]:
        rows = self.workspace.read(lambda library: library.documents.fetch()).wait(PATIENCE_S)
        return {os.path.relpath(row.path, self.folder): row for row in rows}


@dataclass
class Disks:
    """Disks that can be mounted on folders and unmounted again, as far as this test's library sees.

    An unmounted disk leaves an empty folder in its place.
    """

    folder: Path
    names: dict[str, str]

    def mount(self, disk: str, at: Path) -> None:
        at.mkdir(exist_ok=True)
        content = self.folder / disk
        if content.exists():
            at.rmdir()
            content.rename(at)
        self.names[str(at)] = disk

    def unmount(self, at: Path) -> None:
        at.rename(self.folder / self.names.pop(str(at)))
        at.mkdir()

    def read(self) -> MountTable:
        return MountTable(dict(self.names))


def close_folders(monkeypatch: pytest.MonkeyPatch, folders: set[str]) -> None:
    """Make the system refuse to list folders to the program's walk; root may read everything."""

    class System:
        def __getattr__(self, name: str) -> object:
            return getattr(os, name)

        def scandir(self, path: str) -> object:
            if path in folders:
                raise PermissionError(13, "Permission denied", path)
            return os.scandir(path)

    monkeypatch.setattr(file_walk, "os", System())
