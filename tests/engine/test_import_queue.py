"""The queue of an import: every file once, in the order in which it came, or first if a person opens it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.core.reader_events import FileRef
from desktop_app.engine.import_queue import ImportQueue
from desktop_app.engine.requests import ImportReport
from tests.engine.test_importing import World, script


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.library.close()


def file(name: str, mtime_ns: int = 1) -> FileRef:
    return FileRef(f"/papers/{name}.txt", 7, mtime_ns)


def queue_of(world: World, *names: str, report: ImportReport | None = None) -> ImportQueue:
    queue = ImportQueue(world.library, lambda _: True, report or ImportReport(), world.first)
    enter(queue, *names)
    return queue


def enter(queue: ImportQueue, *names: str) -> None:
    deque(queue.enter([file(name) for name in names]), maxlen=0)


def waiting(queue: ImportQueue) -> list[str]:
    return [Path(document.path).stem for document in queue]


def test_a_file_that_waits_already_is_entered_once_and_those_behind_it_too(world: World) -> None:
    queue = queue_of(world, "a", "b")
    enter(queue, "c", "a", "d", "b", "e")
    assert waiting(queue) == ["a", "b", "c", "d", "e"]
    assert len(queue) == 5


def test_what_a_person_opens_comes_first_the_last_opened_before_all(world: World) -> None:
    queue = queue_of(world, "a", "b", "c", "d")
    ids = {Path(document.path).stem: document.document_id for document in queue}
    world.first.extend([ids["b"], 999, ids["d"]])
    taken = [Path(queue.take().path).stem for _ in range(4)]
    assert taken == ["d", "b", "a", "c"]


def test_unchanged_documents_are_reported_and_those_behind_them_entered(world: World) -> None:
    world.write(a=script(("One.",)), b=script(("Two.",), content_hash="2" * 64))
    world.take_in()
    report = ImportReport()
    queue = ImportQueue(world.library, lambda _: True, report, world.first)
    known = {Path(document.path).stem: FileRef.of_document(document) for document in world.library.documents.fetch()}
    changed = FileRef(known["b"].path, known["b"].size_bytes + 1, known["b"].mtime_ns)
    deque(queue.enter([known["a"], changed, file("new")]), maxlen=0)
    assert [Path(path).stem for path in report.unchanged] == ["a"]
    assert waiting(queue) == ["b", "new"]
    assert list(queue.before.values()) == [known["b"]]
    queue.force = True
    deque(queue.enter([known["a"]]), maxlen=0)
    assert waiting(queue) == ["b", "new", "a"]


def test_a_changed_copy_that_no_document_has_any_more_is_entered_like_any_file(world: World) -> None:
    queue = queue_of(world, "a")
    queue.note_changed_copy(file("copy"))
    assert queue.has_changed_copies
    deque(queue.enter_changed_copies(), maxlen=0)
    assert waiting(queue) == ["a", "copy"]
    assert not queue.has_changed_copies
