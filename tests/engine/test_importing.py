"""Importing, on a real library: nothing twice, nothing lost, and one bad file does not stop the others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from desktop_app.core.errors import Cancelled, FileFailure
from desktop_app.core.jobs import ChangeSet, Progress, Waiting
from desktop_app.core.reader_events import DocumentHead, FileRef, FileUnchanged, PageRead, ReadingDone, SentencesRead
from desktop_app.engine import import_queue, import_run
from desktop_app.engine.import_run import Importer
from desktop_app.engine.requests import ImportReport, ImportRequest
from desktop_app.engine.throughput import ThroughputMeter
from desktop_app.store.library import LocalLibrary
from tests.engine.fakes import HashingEncoder, Script, ScriptedReader, TunableEncoder, script
from tests.steps import go_through, run_steps
from tests.store.helpers import run_checks


class World:
    """A library, files on disk, an encoder, and the reader's events for the files."""

    def __init__(self, folder: Path) -> None:
        self.files = folder / "files"
        self.files.mkdir()
        self.library = LocalLibrary.open(folder / "library", writable=True, create=True)
        self.encoder = HashingEncoder()
        self.reader = ScriptedReader({})
        self.is_user_active: Callable[[], bool] = lambda: False
        self.is_person_waiting: Callable[[], bool] = lambda: False
        self.first: deque[int] = deque()

    def write(self, **scripts: Script | list[Script]) -> None:
        for name in scripts:
            (self.files / f"{name}.txt").write_text(f"stands for {name}", "utf-8")
        self.reader = ScriptedReader({f"{name}.txt": script for name, script in scripts.items()})

    def importer(self) -> Importer:
        return Importer(
            self.library,
            lambda: self.encoder,
            self.reader,
            lambda path: path.endswith(".txt"),
            lambda: self.is_user_active(),
            prioritized=self.first,
            is_person_waiting=lambda: self.is_person_waiting(),
        )

    def take_in(self, **options: tuple[str, ...]) -> ImportReport:
        return run_steps(self.importer().run(ImportRequest((str(self.files),), **options)))

    def states(self) -> dict[str, tuple[str, str | None, int]]:
        return {
            Path(document.path).stem: (document.state, document.reason, document.sentences)
            for document in self.library.documents.fetch()
        }

    def texts(self) -> list[str]:
        return [row.text for batch in self.library.sentences.occurrences() for row in batch]


def stop(steps) -> ImportReport:
    """Stop an import as the engine would."""
    try:
        steps.throw(Cancelled())
        while True:
            next(steps)
    except StopIteration as end:
        return end.value


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.library.close()


def test_files_become_documents_with_their_sentences_in_order(world: World) -> None:
    world.write(a=script(["One stands here.", "Two stands here."], ["Three stands here."]), b=script(["Four."]))
    report = world.take_in()
    assert [(Path(f.path).stem, f.sentences) for f in report.imported] == [("a", 3), ("b", 1)]
    assert world.texts() == ["One stands here.", "Two stands here.", "Three stands here.", "Four."]
    assert world.states() == {"a": ("ready", None, 3), "b": ("ready", None, 1)}
    assert (report.sentences, report.embedded, report.stopped) == (4, 4, False)


def test_no_text_is_embedded_twice(world: World) -> None:
    world.write(a=script(["Same here.", "Own one.", "Same here."]), b=script(["Same here.", "Other one."]))
    report = world.take_in()
    assert sorted(world.encoder.embedded) == ["Other one.", "Own one.", "Same here."]
    assert (report.sentences, report.embedded) == (5, 3)
    world.write(c=script(["Other one.", "A third."]))
    world.take_in()
    assert world.encoder.embedded[-1] == "A third."
    assert len(world.encoder.embedded) == 4


def test_a_document_gets_the_tags_of_its_file(world: World) -> None:
    events = script(["One stands here."])
    events[0] = replace(events[0], tags=("sea", "tides"))
    world.write(a=events, b=script(["Two stands here."]))
    world.take_in()
    ids = {Path(document.path).stem: document.document_id for document in world.library.documents.fetch()}
    assert [(each.kind, each.name, each.document_ids) for each in world.library.collections.collections()] == [
        ("tag", "sea", frozenset({ids["a"]})),
        ("tag", "tides", frozenset({ids["a"]})),
    ]


def test_a_bad_file_fails_with_its_reason_and_the_others_are_imported(world: World) -> None:
    half = [DocumentHead("text", "1" * 64), script(["Half a document."])[4], FileFailure("damaged", "It ends early")]
    world.write(
        a=[FileFailure("encrypted", "It is locked")], b=script(["Good one."]), c=half, d=script(["Another good one."])
    )
    report = world.take_in()
    assert [(Path(f.path).stem, f.reason, str(f.message)) for f in report.failed] == [
        ("a", "encrypted", "It is locked"),
        ("c", "damaged", "It ends early"),
    ]
    assert world.texts() == ["Good one.", "Another good one."]
    assert world.states()["c"] == ("failed", "damaged", 0)


def test_passwords_are_tried_in_order_after_no_password(world: World) -> None:
    locked = [FileFailure("encrypted", "It is locked")]
    world.write(a=[locked, locked, script(["Open now."])])
    report = world.take_in(passwords=("first", "second", "third"))
    assert [password for _, password, _ in world.reader.started] == [None, "first", "second"]
    assert not report.failed
    assert world.texts() == ["Open now."]


def test_a_touched_file_is_read_with_its_known_hash_and_kept(world: World) -> None:
    world.write(a=script(["Stays."], content_hash="a" * 64))
    world.take_in()
    world.write(a=[FileUnchanged("a" * 64)])
    (world.files / "a.txt").write_text("touched, another length", "utf-8")
    report = world.take_in()
    assert world.reader.started == [("a.txt", None, "a" * 64)]
    assert len(report.unchanged) == 1
    assert world.texts() == ["Stays."]
    world.reader.started.clear()
    assert len(world.take_in().unchanged) == 1
    assert world.reader.started == []


def test_an_unchanged_file_can_be_read_again(world: World) -> None:
    world.write(a=script(["As the old splitter cut it."]))
    world.take_in()
    world.write(a=script(["As the new", "splitter cuts it."]))
    assert len(run_steps(world.importer().run(ImportRequest((str(world.files),), force=True))).imported) == 1
    assert world.reader.started == [("a.txt", None, None)]
    assert world.texts() == ["As the new", "splitter cuts it."]


def test_an_edited_file_keeps_its_old_text_until_the_new_one_is_complete(world: World) -> None:
    world.write(a=script(["Old text.", "Kept text."]))
    world.take_in()
    world.write(a=script(["New text.", "Kept text."], content_hash="b" * 64))
    (world.files / "a.txt").write_text("edited, another length", "utf-8")
    steps = world.importer().run(ImportRequest((str(world.files),)))
    seen = set()
    for _ in steps:
        seen.add(tuple(world.texts()))
    assert seen == {("Old text.", "Kept text."), ("New text.", "Kept text.")}
    assert world.texts() == ["New text.", "Kept text."]
    assert world.encoder.embedded.count("Kept text.") == 1


def test_an_edited_file_that_cannot_be_read_keeps_its_old_text(world: World) -> None:
    world.write(a=script(["Old text."]))
    world.take_in()
    world.write(a=[FileFailure("damaged", "Broken now")])
    (world.files / "a.txt").write_text("edited, another length", "utf-8")
    world.take_in()
    assert world.states()["a"][:2] == ("failed", "damaged")
    assert world.texts() == ["Old text."]


def test_a_failed_file_is_tried_again(world: World) -> None:
    world.write(a=[FileFailure("timeout", "Too slow")])
    world.take_in()
    world.write(a=script(["Now it can be read."]))
    assert len(world.take_in().imported) == 1
    assert world.states()["a"] == ("ready", None, 1)


def _started(world: World, until: str) -> Iterator[object]:
    steps = world.importer().run(ImportRequest((str(world.files),)))
    for _ in range(10_000):
        next(steps)
        if world.states().get(until, ("", None, 0))[2]:
            return steps
    raise AssertionError(f"{until} never got in")


def test_a_stopped_import_keeps_ready_documents_and_forgets_the_rest(world: World) -> None:
    unfinished: Script = [*script(["Half of it."])[:-2]]
    world.write(a=script(["Ready one."]), b=unfinished, c=script(["Never read."]))
    world.is_user_active = lambda: True
    steps = _started(world, "b")
    report = stop(steps)
    assert report.stopped
    assert [Path(f.path).stem for f in report.imported] == ["a"]
    assert list(world.states()) == ["a"]
    assert world.texts() == ["Ready one."]
    assert world.reader.cancelled == ["b.txt"]


def test_stopping_while_an_edited_file_is_imported_keeps_the_old_text_and_reads_it_next_time(world: World) -> None:
    world.write(a=script(["Old text."]))
    world.take_in()
    world.write(a=script(["New text."], content_hash="b" * 64))
    (world.files / "a.txt").write_text("edited, another length", "utf-8")
    steps = world.importer().run(ImportRequest((str(world.files),)))
    next(steps)
    next(steps)
    assert stop(steps).stopped
    assert world.states()["a"] == ("ready", None, 1)
    assert world.texts() == ["Old text."]
    assert len(world.take_in().imported) == 1
    assert world.texts() == ["New text."]


def test_stopping_a_resumed_import_keeps_documents_with_an_earlier_version(world: World) -> None:
    world.write(a=script(["Old text."]))
    world.take_in()
    (document,) = world.library.documents.fetch()
    world.write(a=script(["New text."], content_hash="b" * 64))
    world.library.ingest.queue(document.document_id, FileRef(document.path, 7, 7))  # as an interrupted import leaves it
    steps = world.importer().resume(world.library.documents.fetch(state="queued"))
    next(steps)
    assert stop(steps).stopped
    assert world.states() == {"a": ("ready", None, 1)}
    assert world.texts() == ["Old text."]
    assert len(world.take_in().imported) == 1
    assert world.texts() == ["New text."]


def test_stopping_while_an_empty_document_is_read_again_keeps_it(world: World) -> None:
    world.write(a=script([]))
    world.take_in()
    unfinished: Script = [*script(["Half of it."], content_hash="b" * 64)[:-2]]
    world.write(a=unfinished)
    (world.files / "a.txt").write_text("edited, another length", "utf-8")
    world.is_user_active = lambda: True
    steps = _started(world, "a")
    assert stop(steps).stopped
    assert list(world.states()) == ["a"]
    world.write(a=script(["All of it."], content_hash="c" * 64))
    assert len(world.take_in().imported) == 1


@pytest.mark.parametrize(
    "moment", [pytest.param(step, marks=[pytest.mark.slow] if step % 3 else []) for step in range(25)]
)
def test_a_document_removed_while_it_is_imported_is_left_alone(world: World, moment: int) -> None:
    shared = "Both documents hold this."
    world.write(
        a=script([shared, "Own of a.", *(f"More {n} of a." for n in range(600))]), b=script([shared, "Own of b."])
    )
    steps = world.importer().run(ImportRequest((str(world.files),)))
    next(step for step in steps if isinstance(step, ChangeSet))  # both are listed
    for _ in range(moment):
        next(steps)
    removed = [d.document_id for d in world.library.documents.fetch() if d.path.endswith("a.txt")]
    world.library.documents.remove(removed)
    report = run_steps(steps)
    assert report.failed == []
    assert list(world.states()) == ["b"]
    assert world.texts() == [shared, "Own of b."]
    assert [check for check in run_checks(world.library) if not check.ok] == []
    world.library.documents.restore(removed)
    assert world.states()["a"][0] in ("queued", "ready")
    run_steps(world.importer().resume(world.library.documents.fetch(state="queued")))
    assert world.states() == {"a": ("ready", None, 602), "b": ("ready", None, 2)}
    assert [check for check in run_checks(world.library) if not check.ok] == []


def test_an_opened_document_is_read_first(world: World) -> None:
    world.write(**{name: script([f"Text of {name}."]) for name in "abcd"})
    steps = world.importer().run(ImportRequest((str(world.files),)))
    next(step for step in steps if isinstance(step, ChangeSet))
    ids = {Path(document.path).stem: document.document_id for document in world.library.documents.fetch()}
    world.first.extend([ids["d"], 99, ids["c"]])
    run_steps(steps)
    assert [Path(name).stem for name, *_ in world.reader.started] == ["c", "d", "a", "b"]


def test_an_interrupted_listing_continues(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_queue, "_FILES_PER_TRANSACTION", 1)
    world.write(a=script(["One."]), b=script(["Two."]), c=script(["Three."]))
    steps = world.importer().run(ImportRequest((str(world.files),)))
    next(step for step in steps if isinstance(step, ChangeSet))  # one document is entered
    steps.close()  # as the end of the program does
    assert list(world.states()) == ["a"]
    report = run_steps(
        world.importer().resume(
            world.library.documents.fetch(state="queued"), world.library.watched_folders.interrupted_listings()
        )
    )
    assert [Path(f.path).stem for f in report.imported] == ["a", "b", "c"]
    assert world.library.watched_folders.interrupted_listings() == {}


def test_a_listing_that_a_person_stopped_does_not_continue(world: World) -> None:
    world.write(a=script(["One."]))
    steps = world.importer().run(ImportRequest((str(world.files),)))
    next(steps)
    assert stop(steps).stopped
    assert world.library.watched_folders.interrupted_listings() == {}


def test_a_folder_that_disappeared_before_its_listing_continued_is_reported(world: World) -> None:
    world.write(a=script(["One."]))
    gone = str(world.files / "gone")
    report = run_steps(world.importer().resume((), {gone: False}))
    assert [(f.path, f.reason) for f in report.failed] == [(gone, "unreadable")]
    assert world.library.watched_folders.interrupted_listings() == {}


def test_queued_documents_are_resumed(world: World) -> None:
    world.write(a=script(["First."]), b=script(["Second."]))
    steps = world.importer().run(ImportRequest((str(world.files),)))
    next(step for step in steps if isinstance(step, ChangeSet))
    steps.close()
    assert {state for state, _, _ in world.states().values()} == {"queued"}
    report = run_steps(world.importer().resume(world.library.documents.fetch(state="queued")))
    assert len(report.imported) == 2
    assert world.texts() == ["First.", "Second."]


def test_reading_ahead_is_bounded(world: World) -> None:
    many = [f"Sentence number {n} of many." for n in range(3000)]
    world.write(**{name: script(many, content_hash=name * 64, pause=False) for name in "abcdef"})
    importer = world.importer()
    most = 0
    for _ in go_through(importer.run(ImportRequest((str(world.files),)))):
        most = max(most, importer._buffered)
    assert most < 3 * 3000
    assert len(world.texts()) == 6 * 3000


def test_no_step_waits_for_vectors_and_a_core_is_left_free(world: World) -> None:
    world.encoder.device = replace(world.encoder.device, threads=4)
    world.write(a=script([f"Sentence number {n}." for n in range(300)]))
    world.is_user_active = lambda: True
    world.take_in()
    assert all(patience is not None and patience <= 0.02 for patience in world.encoder.timeout_s)
    assert set(world.encoder.threads[:-1]) == {3}
    assert world.encoder.threads[-1] == 0


def go_until_read(world: World, steps: Iterator[object], name: str, *, is_opened: bool) -> None:
    """Run an import until a file waits to be read, or is opened."""

    def is_reached() -> bool:
        is_begun = any(name == f"{stem}.txt" and state == "queued" for stem, (state, *_) in world.states().items())
        return name in [started for started, *_ in world.reader.started] if is_opened else is_begun

    while not is_reached():
        next(steps)


def test_a_file_that_is_moved_while_it_waits_is_read_in_its_new_place(world: World, tmp_path: Path) -> None:
    world.write(a=script(["One stands here."]), b=[FileFailure("unreadable", "It is gone")])
    world.reader = ScriptedReader({"a.txt": script(["One stands here."]), "moved.txt": script(["Two stands here."])})
    steps = world.importer().run(ImportRequest((str(world.files),)))
    go_until_read(world, steps, "b.txt", is_opened=False)
    old, new = world.files / "b.txt", tmp_path / "moved.txt"
    old.rename(new)
    world.library.watched_folders.move(str(old), FileRef(str(new), new.stat().st_size, 0))
    report = run_steps(steps)
    assert report.failed == []
    assert world.states() == {"a": ("ready", None, 1), "moved": ("ready", None, 1)}
    assert world.texts() == ["One stands here.", "Two stands here."]


@pytest.mark.parametrize("is_opened", [False, True])
def test_a_changed_file_that_is_removed_before_it_is_read_leaves_its_text_to_its_copy(
    world: World, is_opened: bool
) -> None:
    old = script(["As it was."], content_hash="a" * 64)
    world.write(a=old, b=[FileUnchanged("a" * 64)])
    world.take_in()
    assert world.states() == {"a": ("ready", None, 1)}
    (world.files / "a.txt").write_text("another length")
    changed = [None, *script(["As it is now."], content_hash="b" * 64)]
    world.reader = ScriptedReader({"a.txt": changed, "b.txt": [FileUnchanged("a" * 64)]})
    steps = world.importer().run(ImportRequest((str(world.files / "a.txt"),)))
    go_until_read(world, steps, "a.txt", is_opened=is_opened)
    world.library.copies.remove([str(world.files / "a.txt")])
    run_steps(steps)
    assert world.states() == {"b": ("ready", None, 1)}
    assert world.texts() == ["As it was."]


def test_a_reading_step_ends_after_one_event_while_a_person_waits(world: World) -> None:
    parts = [script([f"Sentence {n} of part {part}." for n in range(50)], pause=False)[2] for part in range(20)]
    head, page, _, done = script(["Whatever."], pause=False)
    world.write(a=[head, page, *parts, done])
    world.is_person_waiting = lambda: True
    importer = world.importer()
    taken = [0]
    for _ in go_through(importer.run(ImportRequest((str(world.files),)))):
        taken.append(world.reader.polled)
    assert max(after - before for before, after in pairwise(taken)) == 1
    assert len(world.texts()) == 20 * 50


def test_a_person_who_starts_typing_gets_a_core_at_once_and_nothing_is_embedded_twice(world: World) -> None:
    world.encoder.device = replace(world.encoder.device, threads=2)
    texts = [f"Sentence number {n}." for n in range(600)]
    world.write(a=script(texts))
    world.is_user_active = lambda: 100 < len(world.encoder.embedded) < 300
    world.take_in()
    assert [n for n, _ in groupby(world.encoder.threads)] == [0, 1, 0]
    assert sorted(world.encoder.embedded) == sorted(texts)


def test_idle_cores_do_not_wait_for_a_full_batch(world: World) -> None:
    parts = [script([f"Sentence {n} of part {part}." for n in range(50)])[4:6] for part in range(20)]
    head, page, done = (script(["Whatever."], pause=False)[at] for at in (0, 1, 3))
    world.write(a=[head, page, *(event for part in parts for event in part), done])
    steps = world.importer().run(ImportRequest((str(world.files),)))
    while not world.encoder.timeout_s:
        next(steps)
    assert world.reader.polled < 2 * 20, "it is still being read"
    run_steps(steps)
    assert len(world.texts()) == 20 * 50


@pytest.mark.parametrize(("waits", "most"), [(True, 32), (False, 128)])
def test_less_is_stored_in_one_step_while_a_person_types(
    world: World, monkeypatch: pytest.MonkeyPatch, waits: bool, most: int
) -> None:
    stored: list[int] = []
    append = world.library.ingest.append

    def noted(document_id: int, spans: list[object], *rest: object) -> None:
        stored.append(len(spans))
        append(document_id, spans, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(world.library.ingest, "append", noted)
    world.is_user_active = lambda: waits
    world.write(a=script([f"Sentence number {n}." for n in range(300)], pause=False))
    world.take_in()
    assert (max(stored), sum(stored)) == (most, 300)


def test_the_next_batch_is_embedded_while_one_is_stored(world: World) -> None:
    world.write(a=script([f"Sentence number {n}." for n in range(3000)], pause=False))
    embedded: list[int] = []
    append = world.library.ingest.append
    world.library.ingest.append = lambda *all: (embedded.append(len(world.encoder.embedded)), append(*all))[1]  # type: ignore
    world.take_in()
    assert embedded[0] > 1024
    assert len(embedded) > 3000 / 512, "pieces are small, for a step that stores cannot be interrupted"
    assert world.texts() == [f"Sentence number {n}." for n in range(3000)]


@pytest.mark.parametrize("moment", range(8, 160, 19))
def test_a_text_of_two_batches_is_embedded_once_even_if_its_first_document_is_removed(
    world: World, moment: int
) -> None:
    shared = [f"Sentence number {n}." for n in range(1024)]
    world.write(
        a=script(shared, content_hash="a" * 64, pause=False), b=script(shared, content_hash="b" * 64, pause=False)
    )
    for at, _ in enumerate(world.importer().run(ImportRequest((str(world.files),)))):
        if at == moment:
            world.library.documents.remove([1])
    assert sorted(world.encoder.embedded) == sorted(shared)
    assert world.texts() == shared


@pytest.mark.parametrize("stopped", [False, True])
def test_a_long_import_maintains_the_index_meanwhile(
    world: World, monkeypatch: pytest.MonkeyPatch, stopped: bool
) -> None:
    monkeypatch.setattr(import_run, "_MAINTAIN_EVERY", 500)
    world.write(a=script([f"Sentence number {n}." for n in range(2000)], pause=False))
    seen: list[object] = []

    def maintain() -> Iterator[None]:
        seen.append(world.library.info().vectors)
        try:
            for _ in range(10):
                yield
            seen.append("done")
        except GeneratorExit:
            seen.append("closed")
            raise

    monkeypatch.setattr(world.library.maintenance, "run", maintain)
    steps = world.importer().run(ImportRequest((str(world.files),)))
    for _ in steps:
        if stopped and len(seen) == 3:
            assert stop(steps).stopped
    counts = [count for count in seen if isinstance(count, int)]
    assert all(now - before >= 500 for before, now in pairwise([0, *counts]))
    if stopped:
        assert seen == [counts[0], "done", counts[1], "closed"]
    else:
        assert len(counts) == 3
        assert seen.count("done") + seen.count("closed") == 3


def test_a_text_without_a_vector_fails_only_the_documents_that_contain_it(world: World) -> None:
    good = [f"Sentence number {n}." for n in range(1500)]
    world.encoder.refused = {"Not a number."}
    world.write(
        a=script(good, content_hash="a" * 64, pause=False),
        b=script(["One.", "Not a number.", *good[:1200]], content_hash="b" * 64, pause=False),
        c=script(["Not a number.", "Two."], content_hash="c" * 64),
        d=script(["One.", "Two.", "Three."], content_hash="d" * 64),
    )
    report = world.take_in()
    assert world.states() == {
        "a": ("ready", None, 1500),
        "b": ("failed", "no_vector", 0),
        "c": ("failed", "no_vector", 0),
        "d": ("ready", None, 3),
    }
    assert [failure.reason for failure in report.failed] == ["no_vector", "no_vector"]
    assert "hashing" in str(report.failed[0].message)
    assert "(characters 5 to 18): it gives no usable vector for “Not a number.”" in str(report.failed[0].message)
    assert world.library.ingest.without_vector(["Not a number.", "Two."]) == ["Not a number."]
    world.encoder.gives_zeros = True
    assert "it gives a vector of zeros" in str(world.take_in().failed[0].message)
    world.encoder.refused = set()
    assert len(world.take_in().imported) == 2


def test_a_large_import_tunes_the_encoder_first(world: World) -> None:
    world.encoder = TunableEncoder()
    world.write(a=script([f"Sentence number {n}." for n in range(1024)]))
    changes = list(go_through(world.importer().run(ImportRequest((str(world.files),)))))
    assert ChangeSet(encoder=True) in changes
    assert world.encoder.device.precision == "bf16"
    assert (world.encoder.before, len(world.encoder.embedded)) == ([], 1024)


@pytest.mark.parametrize(("sentences", "is_user_active"), [(1023, False), (1024, True)])
def test_a_small_import_or_a_typing_person_does_not_wait_for_tuning(
    world: World, sentences: int, is_user_active: bool
) -> None:
    world.encoder = TunableEncoder()
    world.is_user_active = lambda: is_user_active
    world.write(a=script([f"Sentence number {n}." for n in range(sentences)]))
    world.take_in()
    assert (world.encoder.steps, len(world.encoder.embedded)) == (0, sentences)


def test_truncated_sentences_are_counted(world: World) -> None:
    world.write(a=script(["word " * 300, "Short."]), b=script(["word " * 300]))
    world.take_in()
    assert [document.truncated for document in world.library.documents.fetch()] == [1, 1]


def test_every_document_is_reported_and_waiting_is_signalled(world: World) -> None:
    world.write(a=script(["One."]), b=[FileFailure("damaged", "Bad")])
    steps = list(world.importer().run(ImportRequest((str(world.files),))))
    ids = {document.document_id for document in world.library.documents.fetch()}
    changes = [step for step in steps if isinstance(step, ChangeSet)]
    assert frozenset().union(*(change.documents for change in changes)) == ids
    assert changes[0].listing
    assert any(isinstance(step, Waiting) for step in steps)
    last = [step for step in steps if isinstance(step, Progress)][-1]
    assert (last.total, last.unit) == (2, "documents")


def test_a_reported_page_belongs_to_the_reported_document(world: World) -> None:
    slow = [*script(["Slow one."], pause=False)[:1], *([None] * 5), *script(["Slow one."], pause=False)[1:]]
    world.write(a=script([f"Sentence {n}." for n in range(600)], pause=False), b=slow)
    steps = list(world.importer().run(ImportRequest((str(world.files),))))
    ids = {Path(d.path).stem: d.document_id for d in world.library.documents.fetch()}
    pages = [step.document_id for step in steps if isinstance(step, Progress) and step.page]
    assert pages == [ids["a"], ids["b"]]


def test_the_remaining_time_counts_what_is_stored_of_a_long_document(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares: list[float] = []

    def note(self: ThroughputMeter, under_way: float = 0.0) -> None:
        shares.append((self.done + under_way) / self._total)

    monkeypatch.setattr(ThroughputMeter, "remaining_s", note)
    world.write(a=script(*([f"Sentence {n} of batch {at}." for n in range(100)] for at in range(40))))
    (world.files / "a.txt").write_text("x" * 444_000, "utf-8")  # 4,000 sentences are expected
    assert world.take_in().sentences == 4000
    assert shares == sorted(shares)
    assert len({round(share, 1) for share in shares}) > 5
    assert max(shares) <= 1


def test_a_missing_path_fails_alone(world: World) -> None:
    world.write(a=script(["Here."]))
    report = run_steps(world.importer().run(ImportRequest((str(world.files / "gone.txt"), str(world.files)))))
    assert [(Path(f.path).name, f.reason) for f in report.failed] == [("gone.txt", "unreadable")]
    assert world.texts() == ["Here."]


def test_the_fakes_satisfy_the_reader_port() -> None:
    kinds = [type(event) for event in script(["x"], pause=False)]
    assert kinds == [DocumentHead, PageRead, SentencesRead, ReadingDone]


def test_the_choice_of_ocr_is_kept_with_the_document(tmp_path: Path) -> None:
    world = World(tmp_path)
    try:
        world.write(scan=[script(["Read without it."]), script(["Read by it."])])
        world.reader.ocr.clear()
        world.take_in()
        assert world.reader.ocr == [""]
        world.take_in(ocr="deu", force=True)
        (document,) = world.library.documents.fetch()
        assert document.ocr == "deu"
        world.take_in(force=True)
        assert world.reader.ocr == ["", "deu", "deu"]
        world.take_in(ocr="", force=True)
        assert world.reader.ocr[-1] == ""
    finally:
        world.library.close()


def test_a_document_whose_ocr_was_stopped_has_none_so_that_it_can_be_requested_again(world: World) -> None:
    world.write(scan=[script(["Read without it."]), script(["Read by it."])])
    world.take_in()
    steps = world.importer().run(ImportRequest((str(world.files),), force=True, ocr="deu"))
    next(step for step in steps if isinstance(step, ChangeSet))
    (document,) = world.library.documents.fetch()
    assert (document.state, document.ocr) == ("queued", "deu")
    assert stop(steps).stopped
    (document,) = world.library.documents.fetch()
    assert (document.state, document.ocr) == ("ready", "")


@pytest.mark.parametrize("begun", [False, True])
def test_a_document_that_failed_stays_as_it_was_when_another_import_of_it_is_stopped(world: World, begun: bool) -> None:
    """OCR is asked for because a scan has no text; stopping that took it out of the library, with its tags."""
    nothing = FileFailure("no_text", "No text")
    read = script(["Read by it."], ["More of it."])
    world.write(scan=[[nothing], read, read], other=script(["Text."]))
    world.take_in()
    library = world.library
    (before,) = library.documents.fetch(state="failed")
    library.collections.tag([before.document_id], ["unread"])
    steps = world.importer().run(ImportRequest((before.path,), force=True, ocr="deu"))
    while library.documents.get(before.document_id).state != ("reading" if begun else "queued"):
        next(steps)
    assert stop(steps).stopped
    (after,) = library.documents.fetch(state="failed")
    kept = {"document_id", "reason", "message", "ocr", "sentences"}
    assert {name: getattr(after, name) for name in kept} == {name: getattr(before, name) for name in kept}
    (tag,) = library.collections.collections()
    assert (tag.name, tag.document_ids) == ("unread", {before.document_id})
    world.take_in(ocr="deu")
    assert "Read by it." in world.texts()


_GERMAN = "Die Flut kommt zweimal am Tag, und das Wasser ist dann so hoch, dass man auf der Insel bleiben muss."


@pytest.mark.parametrize(("languages", "warned"), [(("en",), True), (("en", "de"), False), ((), False)])
def test_a_document_in_an_unknown_language_gets_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, languages: tuple[str, ...], warned: bool
) -> None:
    world = World(tmp_path)
    try:
        monkeypatch.setattr(world.encoder, "model", replace(HashingEncoder.model, languages=languages), raising=False)
        world.write(
            flut=script([f"{_GERMAN} {n}" for n in range(4)]), tide=script(["The tide comes twice a day. " * 9])
        )
        report = world.take_in()
        warnings = {Path(file.path).stem: tuple(map(str, file.warnings)) for file in report.imported}
        assert ("German" in "".join(warnings["flut"])) is warned
        assert warnings["tide"] == ()
        marked = [document.title for document in world.library.documents.fetch() if document.warnings]
        assert bool(marked) is warned
    finally:
        world.library.close()
