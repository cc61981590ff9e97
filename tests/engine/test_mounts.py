"""The table of mounted file systems: which one a folder lies on, and the table of this machine."""

from __future__ import annotations

import ntpath
import os
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from desktop_app.engine import mounts
from desktop_app.engine.mounts import MountTable, read_mounts

SEP = os.sep


def _path(*names: str) -> str:
    return SEP + SEP.join(names)


def test_a_folder_lies_on_the_file_system_that_is_mounted_nearest_above_it() -> None:
    table = MountTable({SEP: "system", _path("media", "stick"): "stick"})
    system, stick = f"system {SEP}", f"stick {_path('media', 'stick')}"
    assert table.find_volume(_path("home", "papers")) == system
    assert table.find_volume(_path("media", "stick")) == table.find_volume(_path("media", "stick", "a", "b")) == stick
    assert table.find_volume(_path("media", "sticky")) == system
    assert MountTable({}).find_volume(_path("home")) == ""


def test_the_same_disk_at_another_place_is_another_volume() -> None:
    one, other = MountTable({_path("a"): "stick"}), MountTable({_path("b"): "stick"})
    assert one.find_volume(_path("a")) != other.find_volume(_path("b"))


def test_disks_at_above_and_below_folders_are_relevant_to_them() -> None:
    names = {SEP: "system", _path("a", "b", "stick"): "stick", _path("c"): "other"}
    found = MountTable(names).find_relevant([_path("a", "b")])
    assert found == {f"system {SEP}", f"stick {_path('a', 'b', 'stick')}"}


def test_the_folders_of_this_machine_lie_on_known_volumes(tmp_path: Path) -> None:
    folder = os.path.realpath(tmp_path)
    assert read_mounts().find_volume(folder) != ""
    assert read_mounts().find_volume(folder) == read_mounts().find_volume(folder)


def test_a_system_that_does_not_say_what_is_mounted_gives_an_empty_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*, all: bool) -> None:
        raise PermissionError("no list of mounts here")

    monkeypatch.setattr(psutil, "disk_partitions", refuse)
    assert read_mounts().find_volume(SEP) == ""


def test_on_windows_a_shared_folder_is_a_volume_for_as_long_as_its_server_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    share, serial = "\\\\nas\\papers\\", [17]

    def read_status(path: str) -> SimpleNamespace:
        assert path == share
        if not serial:
            raise OSError(53, "The network path was not found")
        return SimpleNamespace(st_dev=serial[0])

    monkeypatch.setattr(mounts, "os", SimpleNamespace(path=ntpath, sep="\\", stat=read_status))
    table = MountTable({"C:\\": "system"})
    assert table.find_volume(f"{share}2024\\a") == f"17 {share}"
    assert table.find_volume("C:\\Users") == "system C:\\"
    assert table.find_volume("D:\\Papers") == ""
    serial.clear()
    assert table.find_volume(f"{share}2025") == f"17 {share}", "a table is that of one moment"
    assert MountTable({}).find_volume(f"{share}2024") == ""
