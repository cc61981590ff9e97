"""`import`: which files of a folder it takes, and an import that was interrupted."""

from __future__ import annotations

import zipfile
from email.message import EmailMessage
from pathlib import Path
from types import SimpleNamespace

import pytest

from desktop_app.cli.commands import import_files
from desktop_app.cli.output import EXIT_STOPPED
from desktop_app.core.errors import Cancelled
from desktop_app.core.reader_events import FileRef
from desktop_app.core.records import WatchedFolder
from desktop_app.store.library import LocalLibrary
from tests.cli.conftest import Kindred
from tests.text.scans import noise, scan


def names(kindred: Kindred) -> list[str]:
    return sorted(Path(each["path"]).name for each in kindred("documents", "--json").json["documents"])


def test_only_some_files_of_a_folder_are_imported(kindred: Kindred, papers: Path) -> None:
    (papers / "drafts").mkdir()
    (papers / "drafts" / "early.txt").write_text("An early draft stands here.", "utf-8")
    answer = kindred("import", papers, "--only", "*.txt", "--only", "drafts/*", "--except", "drafts")
    assert answer.status == 0
    assert f"ignored    {papers / 'bread.md'}" in answer.out
    assert names(kindred) == ["sea.txt"]
    kindred("import", papers, "--only", "drafts/*.txt")
    assert names(kindred) == ["early.txt", "sea.txt"]
    kindred("import", papers, "--except", "*.TXT")
    assert names(kindred) == ["bread.md", "early.txt", "sea.txt"]


def test_on_windows_the_program_finds_what_matches_a_pattern(
    kindred: Kindred, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_files, "sys", SimpleNamespace(platform="win32"))
    (papers / "[1] begin.txt").write_text("An early draft stands here.", "utf-8")
    assert kindred("import", papers / "[1]*.txt").status == 0
    assert names(kindred) == ["[1] begin.txt"]
    assert kindred("import", papers / "*.txt", papers / "bread.md").status == 0
    assert names(kindred) == ["[1] begin.txt", "bread.md", "sea.txt"]
    answer = kindred("import", papers / "*.pdf")
    assert answer.status == 3
    assert str(papers / "*.pdf") in answer.out + answer.err


def test_what_is_excluded_is_left_out_of_archives_and_mail(kindred: Kindred, tmp_path: Path) -> None:
    folder = tmp_path / "post"
    folder.mkdir()
    with zipfile.ZipFile(folder / "old.zip", "w") as archive:
        archive.writestr("letters/one.md", "The first letter came too late.")
        archive.writestr("letters/two.txt", "The second letter came early.")
    message = EmailMessage()
    message["Subject"] = "Plans"
    message.set_content("The plans are attached to this message.")
    for name in ("plan.txt", "prices.md"):
        message.add_attachment(f"What {name} says is short.", filename=name)
    (folder / "offer.eml").write_bytes(bytes(message))
    answer = kindred("import", folder, "--except", "*.md")
    assert names(kindred) == ["offer.eml", "plan.txt", "two.txt"]
    assert f"ignored    {folder / 'old.zip' / 'letters' / 'one.md'}" in answer.out
    assert f"ignored    {folder / 'offer.eml' / 'prices.md'}" in answer.out


@pytest.mark.parametrize("options", [["--only", "*.md"], ["--except", "*.txt"]])
def test_patterns_need_a_folder(kindred: Kindred, papers: Path, options: list[str]) -> None:
    answer = kindred("import", papers / "sea.txt", *options)
    assert answer.status == 2
    assert "need a folder" in answer.err


def test_something_to_import_is_needed(kindred: Kindred) -> None:
    answer = kindred("import")
    assert answer.status == 2
    assert "needs a file or folder" in answer.err


@pytest.fixture
def interrupted(imported: Path, tmp_path: Path) -> Path:
    """A folder with a document that an import left queued when it was killed."""
    file = imported / "late.txt"
    file.write_text("This document came too late.", "utf-8")
    (folder,) = (database.parent for database in (tmp_path / "base").rglob("library.db"))
    with LocalLibrary.open(folder) as library:
        library.documents.add([FileRef.on_disk(str(file), file.stat())])
    return imported


def states(kindred: Kindred) -> dict[str, str]:
    return {Path(each["path"]).name: each["state"] for each in kindred("documents", "--json").json["documents"]}


def test_an_interrupted_import_can_be_resumed(kindred: Kindred, interrupted: Path) -> None:
    assert states(kindred)["late.txt"] == "queued"
    answer = kindred("import", "--resume", "--json")
    assert answer.status == 0
    assert [Path(file["path"]).name for file in answer.json["imported"]] == ["late.txt"]
    assert states(kindred)["late.txt"] == "ready"
    assert kindred("import", "--resume").out.startswith("0 imported")


def test_an_import_finishes_an_interrupted_one(kindred: Kindred, interrupted: Path) -> None:
    answer = kindred("import", interrupted / "sea.txt")
    assert "late.txt" in answer.out
    assert states(kindred)["late.txt"] == "ready"


def test_a_command_that_writes_finishes_an_interrupted_import(kindred: Kindred, interrupted: Path) -> None:
    assert kindred("tags").status == 0
    assert states(kindred)["late.txt"] == "queued", "a command that only reads leaves it"
    answer = kindred("remove", "bread.md", "--json")
    assert answer.status == 0
    assert "Finishing an import that was interrupted (1 document waiting)." in answer.err
    assert answer.json, "standard output is one JSON document"
    assert states(kindred) == {"late.txt": "ready", "sea.txt": "ready"}


def test_nothing_is_resumed_without_a_library(kindred: Kindred, tmp_path: Path) -> None:
    answer = kindred("import", "--resume", "--library", tmp_path / "none")
    assert answer.status == 3
    assert not (tmp_path / "none").exists()


def test_a_watch_that_is_stopped_before_it_looks_says_that_it_stopped(capsys) -> None:
    """Ctrl+C cancels a job that has not begun: that is no failure, also not with --json."""

    def wait(job: object) -> object:
        if job == "look":
            raise Cancelled
        return job

    watched = SimpleNamespace(
        watch_folder=lambda _folder: "watched",
        start_listening=lambda _folders, _happened: None,
        sync_folders=lambda **_options: "look",
    )
    session = SimpleNamespace(
        workspace=SimpleNamespace(watched_folders=watched),
        wait=wait,
        options=SimpleNamespace(remove_deleted=False),
        was_interrupted=False,
    )
    assert import_files._watch_folders(session, [WatchedFolder("/papers")]) == EXIT_STOPPED
    assert "Stopped. The folders are checked again" in capsys.readouterr().err


def test_each_file_has_a_line_that_says_what_became_of_it(kindred: Kindred, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "mixed.pdf").write_bytes(scan(["The first page has a sentence of its own.", noise(60, 80)]))
    (folder / "a.txt").write_text("Tides are very long waves. The moon pulls at the sea.")
    (folder / "b.txt").write_bytes((folder / "a.txt").read_bytes())
    (folder / "empty.txt").touch()
    (folder / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    first = kindred("import", folder)
    assert first.status == 1
    *lines, counts = (line.replace(str(folder), "papers") for line in first.out.splitlines())
    assert lines == [
        "imported   papers/a.txt (2 sentences)",
        "imported   papers/mixed.pdf (1 sentence, 2 pages)",
        "           Page 2 has no text (scanned?)",
        "copy       papers/b.txt (of document #1)",
        "ignored    papers/photo.jpg",
    ]
    assert counts.startswith("2 imported, 0 unchanged, 1 failed, 1 ignored, 1 exact copy; 3 sentences in ")
    failed, hint = first.err.splitlines()
    assert failed == f"failed     {folder / 'empty.txt'} [no_text]: The file is empty"
    assert hint == "no_text: Add text to it, then try again."
    second = kindred("import", folder)
    *lines, counts = (line.replace(str(folder), "papers") for line in second.out.splitlines())
    assert lines == [
        "unchanged  papers/a.txt",
        "unchanged  papers/b.txt",
        "unchanged  papers/mixed.pdf",
        "ignored    papers/photo.jpg",
    ]
    assert counts.startswith("0 imported, 3 unchanged, 1 failed, 1 ignored; 0 sentences in ")
