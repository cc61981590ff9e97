"""`import --watch`: what it says of deleted files, and when it removes their documents."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.jobs import Job
from desktop_app.engine.requests import ImportReport
from desktop_app.engine.watched_folders import WatchedFolderService
from tests.cli.conftest import Answer, Kindred
from tests.patience import PATIENCE_S


@pytest.fixture
def watch(kindred: Kindred, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    """Run `import --watch` until changes to the files, given as functions, have each been followed."""
    sync = WatchedFolderService.sync_folders

    def run(*arguments: str | Path, changes: Sequence[Callable[[], object]]) -> Answer:
        listening: list[Callable[[], None]] = []
        left = [lambda: None, *changes]

        def change_then_sync(self: WatchedFolderService, **options: Any) -> Job[ImportReport]:
            if not left:
                raise KeyboardInterrupt
            left.pop(0)()
            job = sync(self, **options)
            job.wait(PATIENCE_S)
            if listening:
                listening[-1]()
            return job

        monkeypatch.setattr(WatchedFolderService, "sync_folders", change_then_sync)
        monkeypatch.setattr(
            WatchedFolderService, "start_listening", lambda _self, _folders, changed: listening.append(changed)
        )
        return kindred("import", "--watch", *arguments)

    return run


def test_renamed_and_deleted_files_of_a_watched_folder_are_reported(
    watch: Callable[..., Answer], papers: Path, kindred: Kindred
) -> None:
    (papers / "third.txt").write_text("A third document stands here.", "utf-8")

    def rename() -> None:
        (papers / "sea.txt").rename(papers / "ocean.txt")

    answer = watch(papers, changes=[rename, (papers / "third.txt").unlink])
    assert f"renamed    {papers / 'sea.txt'} to {papers / 'ocean.txt'}" in answer.out
    assert f"removed    {papers / 'third.txt'} (its file was deleted)" in answer.out
    (papers / "ocean.txt").rename(papers / "sea.txt")
    answer = watch("--json", papers, changes=[])
    report = json.loads(re.split(r"\n(?={)", answer.out.strip())[0])
    assert [(each["old_path"], each["path"]) for each in report["moved"]] == [
        (str(papers / "ocean.txt"), str(papers / "sea.txt"))
    ]
    assert len(kindred("documents", "--json").json["documents"]) == 2


def test_copies_that_come_and_go_are_reported(watch: Callable[..., Answer], papers: Path) -> None:
    copy = papers / "copy.txt"
    answer = watch(papers, changes=[lambda: copy.write_bytes((papers / "sea.txt").read_bytes()), copy.unlink])
    assert f"copy       {copy} (of document #" in answer.out
    assert ", 1 exact copy;" in answer.out
    assert f"removed    {copy} (a copy of document #" in answer.out


def test_a_folder_is_watched_with_its_patterns(watch: Callable[..., Answer], papers: Path, kindred: Kindred) -> None:
    def add(name: str) -> Callable[[], object]:
        return lambda: (papers / name).write_text(f"The file {name} was added.", "utf-8")

    def names() -> list[str]:
        return sorted(Path(each["path"]).name for each in kindred("documents", "--json").json["documents"])

    watch("--only", "*.txt", "--except", "b*.txt", papers, changes=[add("a.txt"), add("b.txt"), add("c.md")])
    assert names() == ["a.txt", "sea.txt"]
    watch(papers, changes=[add("d.md"), add("d.txt")])
    assert names() == ["a.txt", "d.txt", "sea.txt"], "the folder keeps its patterns"
    watch("--only", "*.md", papers, changes=[])
    assert "bread.md" in names(), "until others are given"


def test_many_deleted_files_of_a_watched_folder_stay_as_missing_unless_an_option_removes_them(
    kindred: Kindred, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (papers / "third.txt").write_text("A third document.", "utf-8")
    listening: list[Callable[[], None]] = []
    steps: list[Callable[[], object]] = []
    sync = WatchedFolderService.sync_folders

    def sync_then_change(self: WatchedFolderService, **options: Any) -> Job[ImportReport]:
        if not steps:
            raise KeyboardInterrupt
        job = sync(self, **options)
        job.wait(PATIENCE_S)
        steps.pop(0)()
        listening[-1]()
        return job

    monkeypatch.setattr(WatchedFolderService, "sync_folders", sync_then_change)
    monkeypatch.setattr(
        WatchedFolderService, "start_listening", lambda _self, _folders, changed: listening.append(changed)
    )

    def delete_all() -> None:
        for path in papers.iterdir():
            path.unlink()

    steps += [delete_all, lambda: None, lambda: None]
    answer = kindred("import", "--watch", papers)
    assert answer.status == 130
    assert answer.err.count("this many at once may be a mistake") == 1, "what is known is not repeated"
    assert "missing    " + str(papers / "sea.txt") in answer.err
    documents = kindred("documents", "--json").json["documents"]
    assert [(each["state"], each["missing"]) for each in documents] == [("ready", True)] * 3
    assert kindred("documents").out.count("ready (missing)") == 3
    steps += [lambda: None]
    answer = kindred("import", "--watch", "--remove-deleted", "--json", papers)
    *_, report = (json.loads(text) for text in re.split(r"\n(?={)", answer.out.strip()))
    assert sorted(file["path"] for file in report["removed"]) == sorted(each["path"] for each in documents)
    assert kindred("documents", "--json").json["documents"] == []


def test_a_watch_that_is_stopped_during_a_look_ends_although_the_look_finishes(
    kindred: Kindred, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl+C may come when there is nothing left to stop."""
    sync, wait = WatchedFolderService.sync_folders, Job.wait
    looks: list[Job[ImportReport]] = []
    listening: list[Callable[[], None]] = []

    def look_once(self: WatchedFolderService, **options: Any) -> Job[ImportReport]:
        assert not looks, "it looks again after Ctrl+C"
        looks.append(sync(self, **options))
        wait(looks[0], PATIENCE_S)
        return looks[0]

    def interrupt(job: Job[Any], timeout_s: float | None = None) -> Any:
        if job in looks and listening:
            listening.pop()()  # a file changes meanwhile
            raise KeyboardInterrupt
        return wait(job, timeout_s)

    monkeypatch.setattr(WatchedFolderService, "sync_folders", look_once)
    monkeypatch.setattr(
        WatchedFolderService, "start_listening", lambda _self, _folders, changed: listening.append(changed)
    )
    monkeypatch.setattr(Job, "wait", interrupt)
    answer = kindred("import", "--watch", papers)
    assert answer.status == 130
    assert answer.err.endswith("Stopped. The folders are checked again when the window opens.\n")
