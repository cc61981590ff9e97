"""Listing files: every file once, looping links, hidden entries, names in no encoding."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from desktop_app.engine import file_walk
from desktop_app.engine.file_walk import FoundFile, IgnoredFile, UnreadablePath, walk_files


def _texts_only(path: str) -> bool:
    return path.endswith(".txt")


def _walk(*paths: Path | str) -> tuple[list[str], list[str], list[str]]:
    found: list[str] = []
    ignored: list[str] = []
    unreadable: list[str] = []
    for item in walk_files([str(path) for path in paths], _texts_only):
        if isinstance(item, FoundFile):
            found.append(item.file.path)
        elif isinstance(item, IgnoredFile):
            ignored.append(item.path)
        elif isinstance(item, UnreadablePath):
            unreadable.append(item.path)
    return found, ignored, unreadable


def _file(path: Path, text: str = "x") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return os.path.realpath(path)


def test_a_folder_yields_its_files_sorted_by_name(tmp_path: Path) -> None:
    expected = [_file(tmp_path / name) for name in ("a.txt", "z.txt", "m/b.txt", "m/n/c.txt")]
    assert _walk(tmp_path)[0] == expected


def test_unknown_and_hidden_files_inside_folders_are_ignored_and_reported(tmp_path: Path) -> None:
    unknown, hidden = _file(tmp_path / "a.exe"), _file(tmp_path / ".b.txt")
    _file(tmp_path / ".git" / "c.txt")
    found, ignored, _ = _walk(tmp_path)
    assert found == []
    assert sorted(ignored) == sorted([unknown, hidden, str(tmp_path / ".git")])


def test_a_named_file_is_found_whatever_its_type(tmp_path: Path) -> None:
    assert _walk(tmp_path / _file(tmp_path / "a.exe"))[0] == [os.path.realpath(tmp_path / "a.exe")]


def test_a_file_reached_twice_appears_once(tmp_path: Path) -> None:
    file = _file(tmp_path / "a.txt")
    (tmp_path / "link.txt").symlink_to(file)
    assert _walk(tmp_path, file, tmp_path)[0] == [file]


def test_an_ignored_link_does_not_hide_the_file_that_it_leads_to(tmp_path: Path) -> None:
    file = _file(tmp_path / "b.txt")
    (tmp_path / "a.exe").symlink_to(file)
    (tmp_path / ".a.txt").symlink_to(file)
    found, ignored, _ = _walk(tmp_path)
    assert (found, ignored) == ([file], [str(tmp_path / ".a.txt"), str(tmp_path / "a.exe")])


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    file = _file(tmp_path / "sub" / "a.txt")
    (tmp_path / "sub" / "up").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "self.txt").symlink_to(tmp_path / "self.txt")
    found, _, unreadable = _walk(tmp_path)
    assert found == [file]
    assert unreadable == [str(tmp_path / "self.txt")]


def test_a_drive_without_numbers_of_files_is_listed_completely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [_file(tmp_path / name) for name in ("a.txt", "m/b.txt", "m/n/c.txt", "o/d.txt")]
    (tmp_path / "m" / "up").symlink_to(tmp_path, target_is_directory=True)

    class System:
        def __getattr__(self, name: str) -> object:
            return getattr(os, name)

        def stat(self, path: str) -> os.stat_result:
            values = list(os.stat(path))
            values[stat.ST_INO] = 0
            return os.stat_result(values)

    monkeypatch.setattr(file_walk, "os", System())
    assert _walk(tmp_path)[0] == expected


def test_a_missing_path_is_reported_and_the_others_continue(tmp_path: Path) -> None:
    file = _file(tmp_path / "a.txt")
    found, _, unreadable = _walk(tmp_path / "gone.txt", "nul\0name", file)
    assert found == [file]
    assert unreadable == [str(tmp_path / "gone.txt"), "nul\0name"]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the file system insists on Unicode")
def test_names_with_newlines_quotes_and_undecodable_bytes(tmp_path: Path) -> None:
    names = ["two\nlines.txt", "quo'te\".txt", "größe 目.txt", os.fsdecode(b"\xff\xfe.txt")]
    expected = sorted(_file(tmp_path / name) for name in names)
    assert sorted(_walk(tmp_path)[0]) == expected


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_folder_is_reported(tmp_path: Path) -> None:
    _file(tmp_path / "closed" / "a.txt")
    (tmp_path / "closed").chmod(0)
    try:
        assert _walk(tmp_path)[2] == [str(tmp_path / "closed")]
    finally:
        (tmp_path / "closed").chmod(0o700)
