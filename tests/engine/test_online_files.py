"""Files of OneDrive, iCloud and their like whose content is not on this computer: to read one would download it."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from desktop_app.core.file_marks import is_marked_hidden, is_online_only
from desktop_app.engine import file_walk, relocation
from desktop_app.engine.requests import ImportReport, ImportRequest
from tests.engine.watched_home import Home
from tests.patience import PATIENCE_S


class Cloud:
    """Takes the content of files away from this computer and brings it back."""

    def __init__(self) -> None:
        self._files: set[int] = set()

    def take(self, *files: Path) -> None:
        self._files |= {file.stat().st_ino for file in files}

    def bring(self, *files: Path) -> None:
        self._files -= {file.stat().st_ino for file in files}

    def has(self, status: os.stat_result) -> bool:
        return status.st_ino in self._files


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Cloud:
    cloud = Cloud()
    monkeypatch.setattr(file_walk, "is_online_only", cloud.has)

    def refuse(path: str) -> Any:
        assert not cloud.has(os.stat(path)), "its content is compared with that of a file that has gone"
        return hash_file(path)

    hash_file = relocation._hash_file
    monkeypatch.setattr(relocation, "_hash_file", refuse)
    return cloud


def _names(report: ImportReport) -> tuple[list[str], list[str]]:
    """Return the names of the files that were imported, and of those that could not be read."""
    missing = [*(each.path for each in report.failed), *(each.path for each in report.unreadable)]
    return [os.path.basename(each.path) for each in report.imported], [os.path.basename(path) for path in missing]


def test_an_import_of_a_folder_downloads_nothing(home: Home, cloud: Cloud) -> None:
    home.put(here="The sea rises.")
    away = home.write("away.txt", "Bread needs time.")
    cloud.take(away)

    def run(*paths: Path) -> ImportReport:
        return home.workspace.imports.start(ImportRequest(tuple(map(str, paths)))).wait(PATIENCE_S)

    report = run(home.folder)
    assert _names(report) == (["here.txt"], ["away.txt"])
    assert "only in the cloud" in str(report.failed[0].message)
    assert list(home.documents()) == ["here.txt"]
    forecast = home.workspace.import_forecast.forecast([str(home.folder)]).wait(PATIENCE_S)
    assert forecast.listing is not None
    assert [os.path.basename(each.path) for each in forecast.listing.unreadable] == ["away.txt"]
    assert _names(run(away)) == (["away.txt"], []), "it was named: that is a wish to have it"
    assert _names(run(home.folder)) == ([], []), "it is known, and need not be read"


def test_a_watched_folder_waits_until_a_file_is_on_this_computer(home: Home, cloud: Cloud) -> None:
    away = home.write("away.txt", "Bread needs time.")
    cloud.take(away)
    home.watch()
    assert _names(home.sync()) == ([], ["away.txt"])
    cloud.bring(away)
    assert _names(home.sync()) == (["away.txt"], [])
    cloud.take(away)
    assert home.sync() == ImportReport(), "to free space changes nothing"
    away.write_text("Bread needs time and salt.")
    assert _names(home.sync()) == ([], ["away.txt"])
    assert home.texts() == {"away.txt": "Bread needs time."}


def test_a_document_stays_while_its_file_may_be_one_that_cannot_be_read(home: Home, cloud: Cloud) -> None:
    file = home.write("a.txt", "The sea rises.")
    home.write("b.txt", "Bread needs time.")
    home.watch()
    home.sync()
    home.tag("a.txt", "water")
    cloud.take(file)
    moved = file.rename(file.with_name("moved.txt"))
    assert _names(home.sync()) == ([], ["moved.txt"])
    assert set(home.documents()) == {"a.txt", "b.txt"}
    cloud.bring(moved)
    home.sync()
    assert set(home.documents()) == {"moved.txt", "b.txt"}
    assert home.tags()["water"] == {home.ids()["moved.txt"]}


def test_what_windows_and_macos_say_of_a_file_is_understood() -> None:
    windows_online = SimpleNamespace(st_file_attributes=0x501620)  # as OneDrive marks a file
    windows_hidden = SimpleNamespace(st_file_attributes=stat.FILE_ATTRIBUTE_HIDDEN | stat.FILE_ATTRIBUTE_DIRECTORY)
    macos_online, macos_hidden = SimpleNamespace(st_flags=0x40000000), SimpleNamespace(st_flags=stat.UF_HIDDEN)
    usual = [SimpleNamespace(st_file_attributes=stat.FILE_ATTRIBUTE_ARCHIVE), SimpleNamespace(st_flags=0)]
    every: list[Any] = [windows_online, macos_online, windows_hidden, macos_hidden, *usual, SimpleNamespace()]
    assert [each for each in every if is_online_only(each)] == [windows_online, macos_online]
    assert [each for each in every if is_marked_hidden(each)] == [windows_hidden, macos_hidden]


def test_hidden_folders_and_files_of_windows_and_macos_are_left_out(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.put(here="The sea rises.")
    home.write("AppData/cache.txt", "Bread needs time.")
    secret = home.write("secret.txt", "Rain falls.")
    home.watch()
    home.sync()
    assert len(home.documents()) == 3
    hidden = {secret.stat().st_ino, secret.with_name("AppData").stat().st_ino}
    monkeypatch.setattr(file_walk, "_WITH_MARKS", (file_walk.sys.platform,))
    monkeypatch.setattr(file_walk, "is_marked_hidden", lambda status: status.st_ino in hidden)
    report = home.sync()
    assert (report.removed, len(home.documents())) == ([], 3), "to hide a file deletes nothing"
    home.write("AppData/new.txt", "Stones roll.")
    assert home.sync() == ImportReport()
    found = [item for item in file_walk.walk_files([str(home.folder)], lambda _path: True)]
    ignored = [os.path.basename(item.path) for item in found if isinstance(item, file_walk.IgnoredFile)]
    assert ignored == ["AppData", "secret.txt"]
    named = list(file_walk.walk_files([str(secret.parent / "AppData")], lambda _path: True))
    assert sum(isinstance(item, file_walk.FoundFile) for item in named) == 2, "it was named"
