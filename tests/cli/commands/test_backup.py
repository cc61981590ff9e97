"""Backups on the command line, and a library on another machine."""

from __future__ import annotations

from pathlib import Path

from desktop_app.core.paths import BACKUP_DESCRIPTION, LIBRARY_DATABASE
from tests.cli.conftest import Kindred


def test_a_library_goes_to_another_machine(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.zip"
    answer = kindred("backup", kept, "--json")
    assert (answer.status, answer.json["documents"], answer.json["sentences"]) == (0, 2, 8)
    assert kindred("backup", kept).status == 2, "nothing is replaced"

    moved = tmp_path / "moved"
    imported.rename(moved)
    other = tmp_path / "machine"
    library = tmp_path / "libraries" / "papers"
    answer = kindred("restore", kept, library, base=other)
    assert answer.status == 0
    assert "2 documents, 8 sentences" in answer.out
    assert kindred("restore", kept, library, base=other).status == 2, "nothing is replaced"
    assert not (other / "data" / "library").exists(), "the other machine's own library is left alone"

    answer = kindred("relink", imported, moved, "--library", library, "--json", base=other)
    assert (answer.status, answer.json) == (0, {"moved": 2, "left": 0})
    hits = kindred("search", "baking bread", "--library", library, "--json", base=other).json["hits"]
    assert hits[0]["path"] == str(moved / "bread.md")
    report = kindred("import", moved, "--library", library, "--json", base=other).json
    assert (len(report["unchanged"]), report["imported"]) == (2, [])
    assert kindred("doctor", "--library", library, base=other).status == 0


def test_an_import_ignores_what_is_in_a_backup(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    kindred("backup", tmp_path / "kept.zip")
    report = kindred("import", tmp_path / "kept.zip", "--json").json
    # By these paths the window recognizes a backup that a person dropped on it.
    members = [tmp_path / "kept.zip" / name for name in (BACKUP_DESCRIPTION, LIBRARY_DATABASE)]
    assert sorted(map(Path, report["ignored"])) == members
    assert "kept.zip is a backup of a library: `restore` makes" in kindred("import", tmp_path / "kept.zip").err


def test_errors_are_reported(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    assert "not a backup" in kindred("restore", imported / "sea.txt", tmp_path / "new").err
    assert not (tmp_path / "new").exists()
    assert "does not exist" in kindred("relink", imported, tmp_path / "nowhere").err
    assert "no document" in kindred("relink", tmp_path / "elsewhere", imported).err


def test_a_file_that_moved_into_a_folder_is_found_there(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shelf"
    folder.mkdir()
    left = kindred("relink", imported / "sea.txt", folder, "--json")
    assert (left.status, left.json) == (1, {"moved": 0, "left": 1})
    (imported / "sea.txt").rename(folder / "sea.txt")
    assert kindred("relink", imported / "sea.txt", folder, "--json").json == {"moved": 1, "left": 0}
    paths = {each["path"] for each in kindred("documents", "--json").json["documents"]}
    assert paths == {str(folder / "sea.txt"), str(imported / "bread.md")}
