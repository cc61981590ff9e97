"""The launcher: the system reads what is installed, and exactly that is removed."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from desktop_app.cli import launcher
from desktop_app.cli.launcher import LauncherTarget
from desktop_app.core.errors import AppError
from tests.cli.conftest import Kindred
from tests.patience import PATIENCE_S

ODD = [
    "/opt/kindred",
    "/opt/with blank/kindred",
    '/opt/"quoted" $HOME `id` 100%/kin\\dred',
    "/opt/it's;here&there|<x>(y)*?#~/kindred",
    "/opt/line\nbreak\tand tab/kindred",
    "/opt/a=b/kindred",
    "/opt/海/🌊",
]


@dataclass
class Calls:
    """Stands for the system's programs."""

    status: int = 0
    made: list[tuple[list[str], Mapping[str, str]]] = field(default_factory=list)

    def __call__(self, command: Sequence[str], environment: Mapping[str, str]) -> int:
        self.made.append((list(command), environment))
        return self.status


@pytest.fixture
def calls() -> Calls:
    return Calls()


@pytest.fixture
def linux(tmp_path: Path, calls: Calls) -> LauncherTarget:
    return LauncherTarget("linux", tmp_path / "home", {"PATH": ""}, calls)


def _files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def _command_of(entry: str) -> list[str]:
    """Read `Exec` as the specification says: undo the file's escapes, then the quoting, then the percent signs."""
    value = next(line for line in entry.splitlines() if line.startswith("Exec=")).removeprefix("Exec=")
    plain = value.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace("\0", "\\")
    words = [
        re.sub(r"\\(.)", r"\1", quoted, flags=re.DOTALL) if quoted else unquoted
        for quoted, unquoted in re.findall(r'"((?:[^"\\]|\\.)*)"|([^ "]+)', plain, flags=re.DOTALL)
    ]
    words = [word.replace("%%", "%") for word in words]
    return words[3:] if words[:2] == ["/bin/sh", "-c"] else words


@pytest.mark.parametrize("program", ODD)
def test_the_entry_starts_the_program_whatever_its_path(linux: LauncherTarget, program: str) -> None:
    entry, *_others = launcher.install_launcher([program, "-m", "x y"], linux)
    assert _command_of(entry.read_text("utf-8")) == [program, "-m", "x y", "%U"]


@pytest.mark.parametrize("program", ODD[:2])
def test_the_desktop_accepts_the_entry(linux: LauncherTarget, program: str) -> None:
    if not (tool := shutil.which("desktop-file-validate")):
        pytest.skip("needs desktop-file-validate (package desktop-file-utils)")
    entry, *_others = launcher.install_launcher([program], linux)
    done = subprocess.run([tool, str(entry)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@pytest.mark.parametrize(
    "name", ["plain", "with blank", "q\"uo'te $HOME `id` 100% b\\s;&|<>()*?#~", "line\nbreak", "a=b"]
)
def test_the_desktop_starts_it_with_the_files(linux: LauncherTarget, tmp_path: Path, name: str) -> None:
    """GLib, which GNOME and others launch with, reads the entry and starts a program of that path."""
    if not (gio := shutil.which("gio")):
        pytest.skip("needs gio (package libglib2.0-bin)")
    folder, seen = tmp_path / name, tmp_path / "seen.txt"
    folder.mkdir()
    program = folder / "kindred"
    program.write_text(
        f'#!/bin/sh\nprintf "%s\\0" "$@" > {shlex.quote(str(seen))}.new\nmv {seen}.new {seen}\n', "utf-8"
    )
    program.chmod(0o755)
    papers = [tmp_path / "a b.pdf", tmp_path / "c.txt"]
    for paper in papers:
        paper.touch()
    entry, *_others = launcher.install_launcher([str(program), "--basedir", name], linux)
    subprocess.run([gio, "launch", str(entry), *map(str, papers)], check=True, timeout=PATIENCE_S)
    end = time.monotonic() + 60
    while not seen.exists():
        assert time.monotonic() < end, "nothing was started"
    assert seen.read_text("utf-8").split("\0")[:-1] == ["--basedir", name, *map(str, papers)]


def test_only_installed_files_are_removed(linux: LauncherTarget) -> None:
    data = linux.home / ".local/share"
    (data / "applications").mkdir(parents=True)
    (data / "applications" / "other.desktop").touch()
    written = launcher.install_launcher(["/opt/kindred"], linux)
    assert _files(data) == {
        "applications/kindred.desktop",
        "applications/other.desktop",
        "icons/hicolor/scalable/apps/kindred.svg",
        "krunner/dbusplugins/kindred.desktop",
    }
    assert launcher.install_launcher(["/elsewhere/kindred"], linux) == written
    assert launcher.remove_launcher(linux) == written
    assert _files(data) == {"applications/other.desktop"}
    assert launcher.remove_launcher(linux) == []


def test_foreign_files_are_kept(linux: LauncherTarget) -> None:
    entry = linux.home / ".local/share/applications/kindred.desktop"
    entry.parent.mkdir(parents=True)
    entry.write_text("[Desktop Entry]\nName=Another program\n", "utf-8")
    with pytest.raises(AppError, match="not from Kindred"):
        launcher.install_launcher(["/opt/kindred"], linux)
    assert launcher.remove_launcher(linux) == []
    assert "Another" in entry.read_text("utf-8")


def test_the_data_folder_of_the_environment_is_used(tmp_path: Path, calls: Calls) -> None:
    home = tmp_path / "home"
    launcher.install_launcher(
        ["/opt/kindred"], LauncherTarget("linux", home, {"XDG_DATA_HOME": str(tmp_path / "data")}, calls)
    )
    assert not home.exists()
    launcher.install_launcher(["/opt/kindred"], LauncherTarget("linux", home, {"XDG_DATA_HOME": "relative"}, calls))
    assert (home / ".local/share/applications/kindred.desktop").exists()


def test_the_menus_are_refreshed(linux: LauncherTarget, tmp_path: Path, calls: Calls) -> None:
    tool = tmp_path / "update-desktop-database"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    system = LauncherTarget("linux", linux.home, {"PATH": str(tmp_path)}, calls)
    entry, *_others = launcher.install_launcher(["/opt/kindred"], system)
    launcher.remove_launcher(system)
    assert [command for command, _ in calls.made] == [[str(tool), "-q", str(entry.parent)]] * 2


def test_on_windows_powershell_writes_a_shortcut(tmp_path: Path, calls: Calls) -> None:
    """The script contains no part of a path, so that no path can end a quotation."""
    system = LauncherTarget("win32", tmp_path, {"APPDATA": str(tmp_path / "Roaming")}, calls)
    command = [r"C:\Program Files\It's\pythonw.exe", "-m", "desktop_app", "--basedir", r"D:\my $files"]
    (file,) = launcher.install_launcher(command, system)
    assert file.name == "Kindred.lnk"
    (made, environment), *registered = calls.made
    assert made[0] == "powershell"
    assert "Program Files" not in " ".join(made)
    assert environment["KINDRED_PROGRAM"] == command[0]
    assert environment["KINDRED_ARGUMENTS"] == r'-m desktop_app --basedir "D:\my $files"'
    assert environment["KINDRED_LINK"] == str(file)
    key = r"HKCU\Software\Classes\kindred"
    opening = rf'"{command[0]}" -m desktop_app --basedir "D:\my $files" -- "%1"'
    assert [words for words, _ in registered] == [
        ["reg", "add", key, "/ve", "/d", "URL:Kindred", "/f"],
        ["reg", "add", key, "/v", "URL Protocol", "/d", "", "/f"],
        ["reg", "add", rf"{key}\shell\open\command", "/ve", "/d", opening, "/f"],
    ]
    file.touch()
    assert launcher.remove_launcher(system) == [file]
    assert calls.made[-1][0] == ["reg", "delete", key, "/f"]
    calls.status = 1
    with pytest.raises(AppError, match="PowerShell"):
        launcher.install_launcher(command, system)


@pytest.mark.parametrize("program", ODD)
def test_on_a_mac_a_command_file_starts_it(tmp_path: Path, calls: Calls, program: str) -> None:
    system = LauncherTarget("darwin", tmp_path, {}, calls)
    (file,) = launcher.install_launcher([program, "-m", "desktop_app"], system)
    assert os.access(file, os.X_OK)
    assert shlex.split(file.read_text("utf-8").partition("exec ")[2]) == [program, "-m", "desktop_app", "$@"]
    assert launcher.remove_launcher(system) == [file]
    file.write_text("#!/bin/sh\necho mine\n")
    assert launcher.remove_launcher(system) == []
    with pytest.raises(AppError, match="not from Kindred"):
        launcher.install_launcher([program], system)


def test_the_desktop_opens_links_with_it(linux: LauncherTarget) -> None:
    entry, *_others = launcher.install_launcher(["/opt/kindred"], linux)
    types = next(line for line in entry.read_text("utf-8").splitlines() if line.startswith("MimeType="))
    assert types.endswith(";x-scheme-handler/kindred;")
    assert "application/pdf;" in types


def test_a_folder_that_cannot_be_written_is_reported(linux: LauncherTarget) -> None:
    linux.home.write_text("a file")
    with pytest.raises(AppError, match="cannot be written"):
        launcher.install_launcher(["/opt/kindred"], linux)


def test_the_command_prints_what_is_written_and_removed(kindred: Kindred, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    entry = tmp_path / "share/applications/kindred.desktop"
    answer = kindred("--install-launcher", "--library", tmp_path / "my papers")
    assert (answer.status, answer.err) == (0, "")
    assert f"written  {entry}" in answer.out
    assert _command_of(entry.read_text("utf-8"))[-5:] == [
        "--basedir",
        str(tmp_path / "base"),
        "--library",
        str(tmp_path / "my papers"),
        "%U",
    ]
    assert kindred("--remove-launcher", "--json").json["removed"][0] == str(entry)
    assert kindred("--remove-launcher").out == "There is no launcher.\n"
    assert kindred("--remove-launcher", "--install-launcher").status == 2
    assert not (tmp_path / "base" / "log").exists()
