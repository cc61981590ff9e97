"""What a killed process has written by half is deleted at the next start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from desktop_app.core.atomic_files import open_atomic
from desktop_app.core.errors import StorageFull
from desktop_app.core.unfinished_files import (
    delete_leftovers,
    keep_records,
    make_temporary_folder,
    record_unfinished,
)

KILLED = """
import os, sys
from pathlib import Path
from desktop_app.core.atomic_files import open_atomic
from desktop_app.core.unfinished_files import make_temporary_folder
with open_atomic(sys.argv[1]) as out, make_temporary_folder() as folder:
    out.write(b"text")
    out.flush()
    (folder / "draft.txt").write_text("text")
    print(folder, flush=True)
    os._exit(9)
"""


@pytest.fixture
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KINDRED_UNFINISHED", "")
    keep_records(tmp_path / "unfinished")
    return tmp_path / "unfinished"


def test_the_next_start_deletes_what_a_killed_process_left(records: Path, tmp_path: Path) -> None:
    output = tmp_path / "hits.csv"
    output.write_text("the old one")
    command = [sys.executable, "-c", KILLED, str(output)]
    root = Path(__file__).parents[2]
    killed = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root, env={**os.environ})
    assert killed.returncode == 9, killed.stderr
    folder = Path(killed.stdout.strip())
    assert (folder / "draft.txt").exists()
    assert len(list(tmp_path.glob(".hits.csv.*"))) == 1
    keep_records(records)
    assert not folder.exists()
    assert list(tmp_path.glob(".hits.csv.*")) == []
    assert output.read_text() == "the old one"
    assert list(records.iterdir()) == []


def test_temporary_files_that_cannot_be_written_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(StorageFull, match="Temporary files cannot be written") as caught, make_temporary_folder():
        raise AssertionError
    assert "Free some space" in str(caught.value.hint)


def test_what_a_running_process_writes_stays(records: Path, tmp_path: Path) -> None:
    with open_atomic(str(tmp_path / "a.csv")) as out, make_temporary_folder() as folder:
        out.write(b"text")
        delete_leftovers()
        assert folder.is_dir()
        assert len(list(records.glob("*.json"))) == 2
    assert (tmp_path / "a.csv").read_bytes() == b"text"
    assert not folder.exists()
    assert list(records.iterdir()) == []


def leave(records: Path, *paths: Path) -> None:
    """Write the record of a process that is gone."""
    (records / "left.json").write_text(json.dumps([str(path) for path in paths]))


def test_only_drafts_are_deleted_and_damaged_records_name_nothing(records: Path, tmp_path: Path) -> None:
    records.mkdir()
    letter = tmp_path / "letter.txt"
    letter.write_text("mine")
    (records / "damaged.json").write_text('["/')
    (records / "stray.lock").touch()
    leave(records, letter, tmp_path)
    delete_leftovers()
    assert letter.read_text() == "mine"
    assert list(records.iterdir()) == []
    with pytest.raises(AssertionError), record_unfinished(letter):
        pass


def test_a_relative_path_is_recorded_with_its_folder(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with record_unfinished(Path("model.new")):
        (record,) = records.glob("*.json")
        assert json.loads(record.read_text()) == [str(tmp_path / "model.new")]


def test_a_record_waits_until_its_disk_is_there_again(records: Path, tmp_path: Path) -> None:
    records.mkdir()
    disk = tmp_path / "stick"
    leave(records, disk / "backup.zip.copying")
    delete_leftovers()
    disk.mkdir()
    (disk / "backup.zip.copying").write_bytes(b"text")
    delete_leftovers()
    assert list(disk.iterdir()) == []
    assert list(records.iterdir()) == []
