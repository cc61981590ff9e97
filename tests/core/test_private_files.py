"""What the program writes about a person can be read by that person alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.core.paths import Paths
from desktop_app.core.private_files import make_private_folder, open_private, restrict, write_private

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has access lists instead of modes")


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_folders_and_files_are_created_for_their_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b" / "notes.json"
    write_private(file, "ü")
    assert file.read_text("utf-8") == "ü"
    assert [mode(path) for path in (file, file.parent, file.parent.parent)] == [0o600, 0o700, 0o700]
    with open_private(tmp_path / "other", "ab") as out:
        out.write(b"x")
    assert mode(tmp_path / "other") == 0o600


def test_an_existing_folder_keeps_its_rights(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir(0o755)
    make_private_folder(tmp_path / "shared")
    make_private_folder(tmp_path / "shared" / "own")
    assert [mode(tmp_path / "shared"), mode(tmp_path / "shared" / "own")] == [0o755, 0o700]
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="Not a directory"):
        make_private_folder(tmp_path / "file" / "folder")


def test_a_replaced_file_becomes_private_and_a_failure_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("old")
    file.chmod(0o644)
    (tmp_path / f"settings.toml.{os.getpid()}.new").touch(0o644)
    write_private(file, b"new")
    assert (file.read_text(), mode(file)) == ("new", 0o600)

    def fail(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        write_private(file, "newer")
    assert [path.name for path in tmp_path.iterdir()] == ["settings.toml"]


def test_processes_that_write_a_file_at_the_same_time_never_leave_half_of_it(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("x" * 50_000)
    program = (
        "import sys; from pathlib import Path; from desktop_app.core.private_files import write_private\n"
        "print(flush=True); input()\n"
        "for _ in range(200): write_private(Path(sys.argv[1]), sys.argv[2] * 50_000)"
    )
    children = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(file), letter],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for letter in "ab"
    ]
    for child in children:
        assert child.stdout is not None
        child.stdout.readline()
    for child in children:
        assert child.stdin is not None
        child.stdin.write(b"\n")
        child.stdin.flush()
    seen = set()
    while any(child.poll() is None for child in children):
        content = file.read_text()
        seen.add((len(content), len(set(content))))
    assert [child.communicate()[1] for child in children] == [b"", b""]
    assert seen == {(50_000, 1)}
    assert list(tmp_path.iterdir()) == [file]


def test_a_draft_of_a_killed_process_is_deleted_by_a_later_write(tmp_path: Path) -> None:
    old, recent, other = (tmp_path / f"notes.json{end}" for end in (".12.new", ".13.new", ".12.mine"))
    for each in (old, recent, other):
        each.touch()
    os.utime(old, (1, 1))
    write_private(tmp_path / "notes.json", "x")
    assert {path.name for path in tmp_path.iterdir()} == {"notes.json", recent.name, other.name}


def test_links_and_shared_folders_are_not_restricted(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.touch(0o644)
    target.chmod(0o644)
    (tmp_path / "link").symlink_to(target)
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    for path in (tmp_path / "link", shared, tmp_path / "missing"):
        restrict(path)
    assert (mode(target), shared.stat().st_mode & 0o1777) == (0o644, 0o1777)
    restrict(target)
    assert mode(target) == 0o600


def test_only_folders_with_files_of_the_program_are_restricted(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path)
    for folder in (paths.data, paths.config, paths.cache, paths.log):
        folder.mkdir()
        folder.chmod(0o755)
    for file in (paths.settings_file, paths.log_file):
        file.touch()
        file.chmod(0o644)
    paths.restrict()
    folders = (paths.data, paths.config, paths.cache, paths.log)
    assert [mode(folder) for folder in folders] == [0o755, 0o700, 0o755, 0o700]
    assert [mode(file) for file in (paths.settings_file, paths.log_file)] == [0o600, 0o600]
