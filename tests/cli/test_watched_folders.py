"""`import --watch`: what it says of deleted files, and when it removes their documents."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.jobs import Job
from desktop_app.engine.requests import ImportReport
from desktop_app.engine.watched_folders import WatchedFolderService
from tests.cli.conftest import Kindred

PATIENCE_S = 120


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
