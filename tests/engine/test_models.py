"""Switching a library to another model during searches and imports; stopped and resumed; nothing is mixed."""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.core.errors import ModelMissing, NotFound, StorageFull, UsageError, VectorNotFinite
from desktop_app.core.jobs import WAITING, Job, Progress, Steps
from desktop_app.core.labelled_data import DataFile
from desktop_app.core.models import NO_CHANGES, ModelChanges, ModelEntry
from desktop_app.core.records import DeviceInfo, ModelInfo
from desktop_app.core.training import StepReport, TrainingRequest
from desktop_app.core.training_settings import TrainingSettings
from desktop_app.encoder.models.registry import ModelRegistry
from desktop_app.engine import model_switch
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.engine import Engine
from desktop_app.engine.models import ModelService
from desktop_app.engine.requests import ImportRequest, SearchRequest
from desktop_app.engine.training import TrainingService
from desktop_app.engine.workspace import Workspace
from desktop_app.store import model_switch as store_model_switch
from desktop_app.store.library import LocalLibrary
from desktop_app.store.model_switch import LocalModelSwitching
from tests.encoder.conftest import write_tiny_model
from tests.engine.fakes import DIM, HashingEncoder, ScriptedReader, script
from tests.patience import PATIENCE_S

from .fakes import make_context

TEXTS = [f"Sentence number {n} of the first document." for n in range(60)]
LATE = [f"Another sentence, the {n}th, came late." for n in range(10)]


class HookedEncoder(HashingEncoder):
    """Calls `hook` on the engine's thread when it has embedded its first batch in the background."""

    hook: Callable[[], None] | None = None

    def encode_batches(self, *texts, **options):  # noqa: ANN002, ANN003, ANN201
        for batch in super().encode_batches(*texts, **options):
            if self.hook is not None:
                hook, self.hook = self.hook, None
                hook()
            yield batch


class TurnedEncoder(HookedEncoder):
    """As long as the first one's, and otherwise nothing like it."""

    model = ModelInfo("turned", "e" * 64, DIM, 256, "mean", normalised=True, folder="/models/turned")

    def encode(self, texts, **options):  # noqa: ANN201, ANN003
        return np.ascontiguousarray(-np.roll(super().encode(texts, **options), 5, axis=1))


class Models:
    """Two models that are always there."""

    def __init__(self) -> None:
        self.removed: list[str] = []
        self.changes: list[ModelChanges] = []
        infos = (HashingEncoder.model, TurnedEncoder.model)
        self._entries = [ModelEntry(info.name, info, "linked") for info in infos]

    def entries(self) -> list[ModelEntry]:
        return list(self._entries)

    def find(self, name_or_folder: str) -> Path:
        name = Path(name_or_folder).name
        if name not in ("hashing", "turned"):
            raise ModelMissing(f"there is no model {name_or_folder!r}")
        return Path("/models") / name

    def add(self, name_or_folder: str, changes: ModelChanges = NO_CHANGES) -> Steps[ModelEntry]:
        self.changes.append(changes)
        yield Progress("downloading", 1, 2, "bytes")
        return self._entries[1]

    def remove(self, name: str) -> ModelEntry:
        self.removed.append(name)
        return self._entries[1]


class World:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.first, self.turned = HookedEncoder(4), TurnedEncoder(4)
        self.models = Models()
        self.reader = ScriptedReader({"a.txt": script(TEXTS), "late.txt": script(LATE)})
        for name in ("a", "late"):
            (folder / f"{name}.txt").write_text(f"stands for {name}", "utf-8")
        self.open()

    def open(self) -> None:
        def load(bound: ModelInfo | None) -> HookedEncoder:
            return self.turned if bound is not None and bound.name == "turned" else self.first

        self.workspace = Workspace(
            EngineSetup(
                open_library=lambda: LocalLibrary.open(self.folder / "library", writable=True, create=True),
                load_encoder=load,
                start_reader=lambda: self.reader,
                is_supported=lambda path: path.endswith(".txt"),
                choose_device=lambda bound: DeviceInfo("cpu", "fp32", 1),
                open_models=lambda: self.models,
                load_model=lambda folder: load(TurnedEncoder.model if folder.name == "turned" else None),
            )
        )

    def take_in(self, name: str) -> Job:
        return self.workspace.imports.start(ImportRequest((str(self.folder / f"{name}.txt"),)))

    def found(self, text: str) -> tuple[str, float]:
        result = self.workspace.search.find_sentences(SearchRequest(text, 1)).wait(PATIENCE_S)
        return result.hits[0].text, round(result.hits[0].score, 4)

    def states(self) -> dict[str, tuple[bool, int, str]]:
        listed = self.workspace.models.list().wait(PATIENCE_S)
        return {state.entry.name: (state.active, state.vectors, state.switching) for state in listed.models}

    def stored_vectors(self) -> int:
        """How many vectors are in the file of the library, of any model."""
        with closing(sqlite3.connect(self.folder / "library" / "library.db")) as connection:
            (count,) = connection.execute("SELECT count(*) FROM embedding").fetchone()
        return int(count)

    def vectors(self) -> dict[str, NDArray[np.float32]]:
        """Every stored vector of the library's own model, by its text."""
        self.workspace.close()
        with (
            LocalLibrary.open(self.folder / "library", writable=False, create=False) as library,
            library._database.read_transaction() as connection,
        ):
            rows = connection.exec_driver_sql(
                "SELECT text, vector FROM embedding JOIN sentence ON sentence.id = sentence_id"
                " JOIN model ON model.id = model_id WHERE current"
            ).all()
        self.open()
        return {text: np.frombuffer(vector, "<f2").astype(np.float32) for text, vector in rows}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    world.take_in("a").wait(PATIENCE_S)
    yield world
    world.workspace.close()


def held(world: World, encoder: HookedEncoder, start: Callable[[], Job]) -> tuple[Job, Callable[[], None]]:
    """Start a job and hold it when `encoder` has made a batch for it that is not stored yet."""
    jobs: list[Job] = []
    reached = threading.Event()

    def hook() -> None:
        jobs[0].pause()
        reached.set()

    encoder.hook = hook
    gate = threading.Event()  # or else it might get there before it is known
    world.workspace.read(lambda _: gate.wait(PATIENCE_S))
    jobs.append(start())
    gate.set()
    assert reached.wait(PATIENCE_S)

    def go_on() -> None:
        jobs[0].pause(False)

    return jobs[0], go_on


def test_the_library_answers_with_its_old_model_until_the_switch(world: World) -> None:
    job, go_on = held(world, world.turned, lambda: world.workspace.models.switch("turned"))
    assert world.found(TEXTS[7]) == (TEXTS[7], 1.0)
    states = world.states()
    assert states["hashing"] == (True, 60, "")
    assert (states["turned"][0], states["turned"][2]) == (False, "under way")
    go_on()
    report = job.wait(PATIENCE_S)
    assert (report.name, report.embedded, report.stopped) == ("turned", 60, False)
    assert world.states() == {"hashing": (False, 0, ""), "turned": (True, 60, "")}
    assert world.found(TEXTS[7]) == (TEXTS[7], 1.0)
    assert world.turned.embedded == TEXTS


def test_a_document_imported_meanwhile_has_vectors_of_both(world: World) -> None:
    job, go_on = held(world, world.turned, lambda: world.workspace.models.switch("turned"))
    world.take_in("late").wait(PATIENCE_S)
    assert world.found(LATE[3]) == (LATE[3], 1.0)
    go_on()
    assert job.wait(PATIENCE_S).embedded == 70
    assert world.found(LATE[3]) == (LATE[3], 1.0)


def test_an_import_paused_in_mid_batch_stores_vectors_of_the_new_model(world: World) -> None:
    job, go_on = held(world, world.first, lambda: world.take_in("late"))
    assert world.workspace.models.switch("turned").wait(PATIENCE_S).embedded == 60
    go_on()
    assert job.wait(PATIENCE_S).sentences == 10
    vectors = world.vectors()
    assert set(vectors) == {*TEXTS, *LATE}
    for text, vector in vectors.items():
        np.testing.assert_allclose(vector, TurnedEncoder().encode([text])[0].astype(np.float16), atol=1e-6)


def test_an_import_need_not_wait_for_the_end_of_a_switch(world: World) -> None:
    ended: SimpleQueue[str] = SimpleQueue()  # whoever waits for a job may be told before its callbacks are called
    switch, go_on = held(world, world.turned, lambda: world.workspace.models.switch("turned"))
    switch.on_done(lambda _: ended.put("switch"))
    take_in, take_in_goes_on = held(world, world.first, lambda: world.take_in("late"))
    take_in.on_done(lambda _: ended.put("import"))
    take_in.pause(False)
    go_on()
    take_in_goes_on()
    assert [ended.get(timeout=PATIENCE_S) for _ in range(2)] == ["import", "switch"]
    take_in.wait(PATIENCE_S)
    switch.wait(PATIENCE_S)
    assert world.states() == {"hashing": (False, 0, ""), "turned": (True, 70, "")}


def test_a_switch_does_not_wait_for_jobs_that_add_no_sentences(world: World) -> None:
    ended = threading.Event()

    def long_work() -> Steps[None]:
        while not ended.is_set():
            yield WAITING

    training = world.workspace.engine.submit("training", long_work)
    assert world.workspace.models.switch("turned").wait(PATIENCE_S).embedded == 60
    assert not training.is_finished
    ended.set()
    training.wait(PATIENCE_S)


def test_a_stopped_switch_keeps_its_vectors_and_continues(world: World) -> None:
    job, _ = held(world, world.turned, lambda: world.workspace.models.switch("turned"))
    job.cancel()
    stopped = job.wait(PATIENCE_S)
    assert (stopped.stopped, stopped.embedded) == (True, 0)
    assert world.states() == {"hashing": (True, 60, ""), "turned": (False, 0, "stopped")}
    assert world.found(TEXTS[7]) == (TEXTS[7], 1.0)
    world.workspace.close()
    world.open()
    assert world.workspace.models.resume().wait(PATIENCE_S) is None  # a person stopped it
    report = world.workspace.models.switch("turned").wait(PATIENCE_S)
    assert (report.embedded, report.stopped) == (60, False)
    assert world.states()["turned"] == (True, 60, "")


def test_a_switch_interrupted_by_closing_the_program_continues_by_itself(world: World) -> None:
    held(world, world.turned, lambda: world.workspace.models.switch("turned"))
    world.workspace.close()
    world.open()
    assert world.states()["turned"][2] == "under way"
    report = world.workspace.models.resume().wait(PATIENCE_S)
    assert report is not None
    assert not report.stopped
    assert world.states() == {"hashing": (False, 0, ""), "turned": (True, 60, "")}
    assert world.workspace.models.resume().wait(PATIENCE_S) is None


def test_a_switch_can_be_abandoned(world: World) -> None:
    job, _ = held(world, world.turned, lambda: world.workspace.models.switch("turned"))
    world.workspace.models.give_up().wait(PATIENCE_S)
    assert job.was_cancelled or job.result.stopped
    assert world.states() == {"hashing": (True, 60, ""), "turned": (False, 0, "")}


def test_abandoning_a_switch_erases_what_was_stored_for_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_switch, "BATCH_SIZE", 20)
    jobs: list[Job] = []
    gate = threading.Event()
    world.workspace.read(lambda _: gate.wait(PATIENCE_S))

    def stop_later() -> None:
        if world.turned.embedded[40:]:
            jobs[0].cancel()
        else:
            world.turned.hook = stop_later

    world.turned.hook = stop_later
    jobs.append(world.workspace.models.switch("turned"))
    gate.set()
    assert jobs[0].wait(PATIENCE_S).embedded >= 20
    world.workspace.models.give_up().wait(PATIENCE_S)
    assert world.states() == {"hashing": (True, 60, ""), "turned": (False, 0, "")}
    assert world.stored_vectors() == 60


def test_a_model_that_does_not_load_leaves_everything_as_it_is(world: World) -> None:
    with pytest.raises(ModelMissing):
        world.workspace.models.switch("nothing").wait(PATIENCE_S)
    assert world.states() == {"hashing": (True, 60, ""), "turned": (False, 0, "")}


def test_the_model_in_use_is_not_removed(world: World) -> None:
    with pytest.raises(UsageError, match="uses the model hashing"):
        world.workspace.models.remove("hashing").wait(PATIENCE_S)
    world.workspace.models.remove("turned").wait(PATIENCE_S)
    assert world.models.removed == ["turned"]


def test_adding_a_model_reports_progress(world: World) -> None:
    job = world.workspace.models.add("turned")
    assert job.wait(PATIENCE_S).name == "turned"
    assert job.progress == Progress("downloading", 1, 2, "bytes")


def test_vectors_stored_before_a_stop_are_counted_and_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_switch, "BATCH_SIZE", 20)
    jobs: list[Job] = []

    gate = threading.Event()
    world.workspace.read(lambda _: gate.wait(PATIENCE_S))

    def count() -> None:
        if world.turned.embedded[40:]:
            jobs[0].cancel()
        else:
            world.turned.hook = count

    world.turned.hook = count
    jobs.append(world.workspace.models.switch("turned"))
    gate.set()
    report = jobs[0].wait(PATIENCE_S)
    assert report.stopped
    kept = report.embedded
    assert 20 <= kept < 60
    assert world.states()["turned"] == (False, kept, "stopped")
    assert world.workspace.models.switch("turned").wait(PATIENCE_S).embedded == 60 - kept


def test_the_next_batch_starts_before_the_last_is_done(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_switch, "BATCH_SIZE", 20)
    at_work: list[int] = []
    running = [0]

    def counted(self: TurnedEncoder, texts: list[str], **options: object) -> Iterator[Any]:
        running[0] += 1
        at_work.append(running[0])
        try:
            yield from HookedEncoder.encode_batches(self, texts, **options)
        finally:
            running[0] -= 1

    monkeypatch.setattr(TurnedEncoder, "encode_batches", counted)
    assert world.workspace.models.switch("turned").wait(PATIENCE_S).embedded == 60
    assert at_work == [1, 2, 2]
    assert sorted(world.turned.embedded) == sorted(TEXTS)  # each once


def test_while_a_person_types_little_is_stored_at_a_time(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    stored: list[int] = []
    append = LocalModelSwitching.append
    monkeypatch.setattr(
        LocalModelSwitching, "append", lambda self, ids, *rest: stored.append(len(ids)) or append(self, ids, *rest)
    )
    monkeypatch.setattr(type(world.workspace.engine), "is_user_active", lambda _: True)
    world.turned.device = DeviceInfo("cpu", "fp32", 4)
    world.workspace.models.switch("turned").wait(PATIENCE_S)
    assert sum(stored) == 60
    assert max(stored) <= 32
    assert set(world.turned.threads) == {3, 0}
    assert world.turned.threads[-1] == 0


# Sentences that the new model has no vector for


def documents(world: World) -> dict[str, tuple[str, str]]:
    return {
        Path(each.path).name: (each.state, str(each.message))
        for each in world.workspace.read(lambda library: library.documents.fetch()).wait(PATIENCE_S)
    }


def test_a_document_with_a_sentence_that_the_new_model_refuses_fails_and_the_others_do_not(world: World) -> None:
    world.take_in("late").wait(PATIENCE_S)
    world.turned.refused = {LATE[3]}
    report = world.workspace.models.switch("turned").wait(PATIENCE_S)
    (left_out,) = report.left_out
    assert Path(left_out.path).name == "late.txt"
    assert str(left_out.message).startswith("The model turned cannot embed a sentence (characters ")
    assert LATE[3] in str(left_out.message)
    assert world.states() == {"hashing": (False, 0, ""), "turned": (True, 60, "")}
    assert documents(world) == {"a.txt": ("ready", ""), "late.txt": ("failed", str(left_out.message))}
    assert world.found(TEXTS[7]) == (TEXTS[7], 1.0)
    assert set(world.vectors()) == set(TEXTS)
    assert [
        check for check in world.workspace.maintenance.check_library(repair=False).wait(PATIENCE_S) if not check.ok
    ] == []
    # As after an import with that model: once the model accepts the sentence, the file can be imported.
    world.turned.refused = set()
    assert world.take_in("late").wait(PATIENCE_S).sentences == 10


def test_nothing_fails_until_the_library_is_ready_to_switch(world: World) -> None:
    world.take_in("late").wait(PATIENCE_S)
    world.turned.refused = {LATE[3]}
    job, _ = held(world, world.turned, lambda: world.workspace.models.switch("turned"))
    job.cancel()
    assert job.wait(PATIENCE_S).left_out == ()
    assert documents(world)["late.txt"][0] == "ready"
    assert world.found(LATE[3]) == (LATE[3], 1.0)


@pytest.mark.parametrize("end", ["stopped", "refused", "disk full"])
def test_documents_are_complete_until_the_switch(world: World, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    """Everything is prepared; then it is stopped, or something has changed, or the transaction fails half way."""
    world.take_in("late").wait(PATIENCE_S)
    world.turned.refused = {LATE[3]}
    jobs: list[Job] = []
    gate = threading.Event()
    world.workspace.read(lambda _: gate.wait(PATIENCE_S))
    prepare, complete = LocalModelSwitching.prepare, LocalModelSwitching.complete

    def prepared(self: LocalModelSwitching, *refused: Any) -> Steps[None]:
        yield from prepare(self, *refused)
        jobs[0].cancel()
        yield WAITING

    def changed(self: LocalModelSwitching, *arguments: Any) -> bool:
        jobs[0].cancel()
        self._prepared = -1
        return complete(self, *arguments)

    def full(*_: object) -> None:
        raise StorageFull("The disk is full")

    if end == "stopped":
        monkeypatch.setattr(LocalModelSwitching, "prepare", prepared)
    elif end == "refused":
        monkeypatch.setattr(LocalModelSwitching, "complete", changed)
    else:
        monkeypatch.setattr(store_model_switch, "recount_truncated", full)  # after the documents have failed
    jobs.append(world.workspace.models.switch("turned"))
    gate.set()
    if end == "disk full":
        with pytest.raises(StorageFull):
            jobs[0].wait(PATIENCE_S)
    else:
        report = jobs[0].wait(PATIENCE_S)
        assert (report.stopped, report.left_out) == (True, ())
        assert report.embedded == 69
    assert documents(world) == {"a.txt": ("ready", ""), "late.txt": ("ready", "")}
    assert world.states() == {"hashing": (True, 70, ""), "turned": (False, 69, "stopped")}
    assert world.found(LATE[3]) == (LATE[3], 1.0)
    assert set(world.vectors()) == {*TEXTS, *LATE}
    assert [
        check for check in world.workspace.maintenance.check_library(repair=False).wait(PATIENCE_S) if not check.ok
    ] == []
    # The missing vectors are added from there, once nothing prevents it.
    monkeypatch.undo()
    report = world.workspace.models.switch("turned").wait(PATIENCE_S)
    assert (report.stopped, report.embedded, len(report.left_out)) == (False, 0, 1)
    assert world.states() == {"hashing": (False, 0, ""), "turned": (True, 60, "")}


@pytest.mark.parametrize("files", [3, 20])
def test_a_line_in_too_many_documents_fails_none_of_them(world: World, files: int) -> None:
    """In all of three, or in twenty of many: one sentence is little, what would fail for it is not."""
    line = "All rights reserved, whatever they are."
    if files == 3:
        world.workspace.change(
            lambda library: library.documents.remove([each.document_id for each in library.documents.fetch()])
        ).wait(PATIENCE_S)
    for n in range(files):
        world.reader._scripts[f"n{n}.txt"] = deque([script([f"What file {n} says.", line])])
        (world.folder / f"n{n}.txt").write_text(f"stands for {n}", "utf-8")
    world.workspace.imports.start(ImportRequest(tuple(str(world.folder / f"n{n}.txt") for n in range(files)))).wait(
        PATIENCE_S
    )
    world.turned.refused = {line}
    with pytest.raises(VectorNotFinite, match=rf"{line}.*n0\.txt; {files} documents would fail") as caught:
        world.workspace.models.switch("turned").wait(PATIENCE_S)
    assert "keeps its current model" in str(caught.value.hint)
    assert {state for state, _ in documents(world).values()} == {"ready"}
    assert world.states()["hashing"][0]
    assert world.found(line) == (line, 1.0)


def test_a_document_of_a_paused_import_keeps_the_others_from_failing(world: World) -> None:
    world.take_in("late").wait(PATIENCE_S)
    both = [TEXTS[5], *(f"Word {n} of the third file." for n in range(40))]
    world.reader._scripts["third.txt"] = deque([script([*both, LATE[3]])])
    (world.folder / "third.txt").write_text("stands for the third", "utf-8")
    importing, go_on = held(world, world.first, lambda: world.take_in("third"))
    world.turned.refused = {LATE[3]}
    with pytest.raises(VectorNotFinite, match="being imported") as caught:
        world.workspace.models.switch("turned").wait(PATIENCE_S)
    assert "Wait until the import ends" in str(caught.value.hint)
    assert documents(world)["late.txt"] == ("ready", "")
    go_on()
    importing.wait(PATIENCE_S)
    report = world.workspace.models.switch("turned").wait(PATIENCE_S)
    assert sorted(Path(each.path).name for each in report.left_out) == ["late.txt", "third.txt"]
    assert world.found(TEXTS[5]) == (TEXTS[5], 1.0)


def test_a_removed_document_that_can_be_restored_blocks_nothing(world: World) -> None:
    world.take_in("late").wait(PATIENCE_S)
    world.turned.refused = {LATE[3]}
    (late,) = (
        each
        for each in world.workspace.read(lambda library: library.documents.fetch()).wait(PATIENCE_S)
        if each.path.endswith("late.txt")
    )
    world.workspace.change(lambda library: library.documents.remove([late.document_id])).wait(PATIENCE_S)
    assert world.workspace.models.switch("turned").wait(PATIENCE_S).left_out == ()
    assert world.states()["turned"] == (True, 60, "")
    world.workspace.change(lambda library: library.documents.restore([late.document_id])).wait(PATIENCE_S)
    assert documents(world)["late.txt"][0] == "failed"


@pytest.mark.parametrize("refused", [TEXTS, TEXTS[:20]])
def test_a_model_that_refuses_many_sentences_is_damaged_and_no_document_fails(world: World, refused: list[str]) -> None:
    world.turned.refused = set(refused)
    with pytest.raises(VectorNotFinite, match=r"cannot embed a sentence \(characters .*a\.txt") as caught:
        world.workspace.models.switch("turned").wait(PATIENCE_S)
    assert "damaged" in str(caught.value.hint)
    assert documents(world) == {"a.txt": ("ready", "")}
    assert world.states()["hashing"] == (True, 60, "")
    assert world.states()["turned"][2] == "stopped"


def test_the_engine_keeps_running_while_weights_are_hashed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []
    find = world.models.find

    def found(name: str) -> Path:
        threads.append(threading.current_thread().name)
        return find(name)

    monkeypatch.setattr(world.models, "find", found)
    world.workspace.models.switch("turned").wait(PATIENCE_S)
    assert threads == ["beside the engine"]


def test_the_previous_model_can_be_restored_even_later(world: World) -> None:
    with pytest.raises(NotFound, match="no previous model"):
        world.workspace.models.go_back().wait(PATIENCE_S)
    world.workspace.models.switch("turned").wait(PATIENCE_S)
    world.workspace.close()
    world.open()
    previous = world.workspace.models.list().wait(PATIENCE_S).previous
    assert previous is not None
    assert previous.name == "hashing"
    report = world.workspace.models.go_back().wait(PATIENCE_S)
    assert (report.name, report.embedded) == ("hashing", 60)
    assert world.found(TEXTS[7]) == (TEXTS[7], 1.0)
    assert world.workspace.models.list().wait(PATIENCE_S).previous.name == "turned"


def test_a_query_is_answered_between_the_steps_of_a_training(world: World) -> None:
    """Measures no time: the training runs until the answer arrives, so that a blocked thread would never end."""
    answered = threading.Event()

    class Endless:
        """Work that reports a step at each poll, until the query is answered."""

        is_finished = False

        def __init__(self, *_: object) -> None:
            self.steps = 0

        def poll(self) -> object:
            if answered.is_set():
                self.is_finished = True
                return self.steps
            self.steps += 1
            return StepReport(self.steps, 10**9, 1, 0.5, 1.0, None)

        def cancel(self) -> None:
            answered.set()

        def close(self) -> None:
            pass

    seen: list[object] = []
    tuning = TrainingService(make_context(world.workspace.engine, lambda: None, start_task=Endless))
    begun = threading.Event()

    def on_report(report: object) -> None:
        seen.append(report)
        begun.set()

    job = tuning.train(TrainingRequest((DataFile("rows.tsv"),), "out", TrainingSettings()), on_report)
    assert begun.wait(PATIENCE_S)
    assert world.found(TEXTS[7]) == (TEXTS[7], 1.0)
    assert not job.is_finished
    begun.clear()
    assert begun.wait(PATIENCE_S), "and the training continues"
    assert world.found(TEXTS[9]) == (TEXTS[9], 1.0)
    answered.set()
    assert job.wait(PATIENCE_S) >= len(seen)


def test_a_trained_model_is_listed_although_a_download_is_paused(tmp_path: Path) -> None:
    engine = Engine()
    service = ModelService(make_context(engine, open_models=lambda: ModelRegistry(tmp_path / "models")))

    def download() -> Steps[None]:
        while True:
            yield WAITING

    (tmp_path / "trained").mkdir()
    engine.start()
    try:
        paused = engine.submit("add model", download, chain="add model")
        paused.pause()
        entry = service.add(str(write_tiny_model(tmp_path / "trained"))).wait(PATIENCE_S)
        assert entry.name == "trained"
        assert not paused.is_finished
    finally:
        engine.stop()
