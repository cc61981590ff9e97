"""Training in stages: each starts with the result of the one before, and an interrupted run continues."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.errors import AppError, BadData, Cancelled, NotFound, StorageFull, UsageError
from desktop_app.core.jobs import Job
from desktop_app.core.labelled_data import DataFile
from desktop_app.core.name_locks import is_claimed
from desktop_app.core.training import StageStarted, TrainingReport, TrainingRequest
from desktop_app.core.training_checkpoints import (
    CHECKPOINT_FILE,
    REQUEST_FILE,
    checkpoint_folder,
    claim_output,
    finished_stages,
    has_checkpoint,
    request_to_json,
    stages_folder,
    write_stages,
)
from desktop_app.core.training_settings import TrainingSettings
from desktop_app.encoder.checkpoint import read_model_info
from desktop_app.encoder.models.registry import ModelRegistry
from desktop_app.engine.engine import Engine
from desktop_app.engine.models import ModelService
from desktop_app.engine.training import StagesReport, TrainingService
from tests.encoder.conftest import write_tiny_model
from tests.patience import PATIENCE_S

from .fakes import SlowModels, make_context


class Trained:
    """A task that has written a model at once, or fails as if interrupted: with a checkpoint."""

    is_finished = True

    def __init__(self, request: TrainingRequest, *, fails: bool, keeps: bool) -> None:
        self._request, self._fails, self._keeps = request, fails, keeps

    def poll(self) -> TrainingReport:
        output = Path(self._request.output)
        if self._fails:
            if self._keeps:
                checkpoint_folder(output).mkdir(parents=True)
            raise BadData("It was interrupted", "")
        output.mkdir(parents=True)
        before, after = {"from": self._request.model}, {"to": output.name}
        return TrainingReport(str(output), (), before, after, 1, None, 10, 2, 0, 1.0, 1.0)

    def cancel(self) -> None:
        pass

    def close(self) -> None:
        pass


class Written(Trained):
    """A task that has just written its model, and does not say so yet."""

    is_finished = False

    def __init__(self, request: TrainingRequest, written: threading.Event, ends: threading.Event) -> None:
        super().__init__(request, fails=False, keeps=False)
        self._written, self._ends = written, ends

    def poll(self) -> TrainingReport | None:  # type: ignore[override]
        if not self._written.is_set():
            Path(self._request.output).mkdir()
            self._written.set()
        if self._ends.is_set():
            raise Cancelled
        return None


class Trainer:
    def __init__(self, folder: Path) -> None:
        self.engine = Engine()
        self.requests: list[TrainingRequest] = []
        self.fails_at = ""
        self.closes_at = ""
        self.written, self.ends = threading.Event(), threading.Event()
        self.keeps = True
        self.service = TrainingService(make_context(self.engine, start_task=self._start))
        self.output = folder / "model"
        self.stages = [
            TrainingRequest((DataFile(f"{name}.tsv"),), str(self.output), TrainingSettings(), model=model)
            for name, model in (("first", "base"), ("second", ""), ("third", ""))
        ]
        self.engine.start()

    def _start(self, task: str, request: TrainingRequest) -> Trained:
        assert task == "train"
        self.requests.append(request)
        if Path(request.output).name == self.closes_at:
            return Written(request, self.written, self.ends)
        return Trained(request, fails=Path(request.output).name == self.fails_at, keeps=self.keeps)

    def train(self, *, resume: bool = False, alone: bool = False) -> tuple[StagesReport, list[object]]:
        self.requests.clear()
        reports: list[object] = []
        stages = [replace(stage, resume=resume) for stage in self.stages]
        return self.service.train_stages(stages, reports.append, alone=alone).wait(PATIENCE_S), reports

    def trained(self) -> list[tuple[str, str, str, bool]]:
        """The data, model, output and whether to resume, of each stage that was trained."""
        return [
            (Path(each.data[0].path).stem, Path(each.model).name, Path(each.output).name, each.resume)
            for each in self.requests
        ]


@pytest.fixture
def trainer(tmp_path: Path) -> Iterator[Trainer]:
    trainer = Trainer(tmp_path)
    yield trainer
    trainer.engine.stop()


def test_each_stage_starts_with_the_model_of_the_one_before(trainer: Trainer) -> None:
    found, reports = trainer.train()
    assert trainer.trained() == [
        ("first", "base", "stage-1", False),
        ("second", "stage-1", "stage-2", False),
        ("third", "stage-2", "model", False),
    ]
    assert reports == [StageStarted(1, 3), StageStarted(2, 3), StageStarted(3, 3)]
    assert [Path(each.output).name for each in found.stages] == ["stage-1", "stage-2", "model"]
    assert found.alone is None
    assert set(found.compared) == {"first stages alone", "all stages"}
    assert trainer.output.exists()
    assert not stages_folder(trainer.output).exists(), "the models between are deleted"


def test_the_last_stage_alone_starts_with_the_first_model(trainer: Trainer) -> None:
    found, reports = trainer.train(alone=True)
    assert trainer.trained()[0] == ("third", "base", "alone", False)
    assert len(trainer.trained()) == 4
    assert reports[:2] == [StageStarted(3, 3, alone=True), StageStarted(1, 3)]
    compared = found.compared
    assert list(compared) == ["untrained", "last stage alone", "first stages alone", "all stages"]
    assert compared["untrained"] == {"from": "base"}
    assert compared["last stage alone"] == {"to": "alone"}
    first = compared["first stages alone"]
    assert first is not None
    assert str(first["from"]).endswith("stage-2")
    assert compared["all stages"] == {"to": "model"}


def test_an_interrupted_run_continues_with_the_unfinished_stage(trainer: Trainer) -> None:
    trainer.fails_at = "stage-2"
    with pytest.raises(BadData, match="interrupted"):
        trainer.train()
    (kept,) = finished_stages(stages_folder(trainer.output))
    assert kept.name == "stage-1"
    with pytest.raises(AppError, match="earlier run of these stages") as caught:
        trainer.train()
    assert "--resume" in str(caught.value.hint)
    trainer.fails_at = ""
    found, reports = trainer.train(resume=True)
    assert trainer.trained() == [("second", "stage-1", "stage-2", True), ("third", "stage-2", "model", False)]
    assert len(reports) == 3
    assert [Path(each.output).name for each in found.stages] == ["stage-1", "stage-2", "model"], "the first was saved"


def test_a_run_that_fails_before_anything_is_finished_leaves_nothing(trainer: Trainer) -> None:
    trainer.fails_at, trainer.keeps = "stage-1", False
    with pytest.raises(BadData, match="interrupted"):
        trainer.train()
    assert not stages_folder(trainer.output).exists()


def test_an_existing_output_is_reported_before_the_first_stage(trainer: Trainer) -> None:
    trainer.output.mkdir()
    with pytest.raises(AppError, match="already exists"):
        trainer.train()
    assert trainer.requests == []


def test_a_place_that_cannot_be_written_is_reported_before_the_first_stage(trainer: Trainer) -> None:
    stages_folder(trainer.output).write_text("a file", "utf-8")
    with pytest.raises(StorageFull, match="cannot be written"):
        trainer.train()
    assert trainer.requests == []


def test_finding_the_model_of_a_training_holds_up_no_other_job(trainer: Trainer) -> None:
    models = SlowModels()
    trainer.service = TrainingService(make_context(trainer.engine, start_task=trainer._start, open_models=models.open))
    job = trainer.service.train_stages(trainer.stages[:1], lambda _report: None)
    assert len(models.check_others_go_on(trainer.engine, job).stages) == 1


def test_an_unfinished_training_is_found_and_discarded(trainer: Trainer, tmp_path: Path) -> None:
    trainer.fails_at = "stage-2"
    with pytest.raises(BadData):
        trainer.train()
    (unfinished,) = trainer.service.find_unfinished(tmp_path).wait(PATIENCE_S)
    assert Path(unfinished.request.output) == trainer.output
    checkpoint_folder(trainer.output).mkdir()
    trainer.service.discard(trainer.output).wait(PATIENCE_S)
    assert trainer.service.find_unfinished(tmp_path).wait(PATIENCE_S) == []
    assert not checkpoint_folder(trainer.output).exists()
    assert not stages_folder(trainer.output).exists()


def test_a_checkpoint_that_cannot_be_deleted_is_reported(trainer: Trainer, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be offered again without a word."""
    place = checkpoint_folder(trainer.output)
    place.mkdir(parents=True)
    monkeypatch.setattr("desktop_app.engine.training.shutil.rmtree", lambda *_args, **_options: None)
    with pytest.raises(StorageFull, match="cannot be deleted completely"):
        trainer.service.discard(trainer.output).wait(PATIENCE_S)


@pytest.mark.parametrize("stages", [1, 3])
def test_a_model_that_is_written_while_the_program_closes_is_found_by_the_next_session(
    trainer: Trainer, tmp_path: Path, stages: int
) -> None:
    trainer.closes_at = trainer.output.name
    job: Job[Any] = (
        trainer.service.train(trainer.stages[0], is_to_be_listed=True)
        if stages == 1
        else trainer.service.train_stages(trainer.stages, is_to_be_listed=True)
    )
    assert trainer.written.wait(PATIENCE_S)
    trainer.engine.stop()
    assert job.was_cancelled
    later = Trainer(tmp_path)
    try:
        assert later.service.find_unfinished(tmp_path).wait(PATIENCE_S) == [], "nothing is left to resume"
        assert not stages_folder(trainer.output).exists()
        assert later.service.find_unlisted(tmp_path).wait(PATIENCE_S) == [trainer.output]
        later.service.note_listed(trainer.output).wait(PATIENCE_S)
        assert later.service.find_unlisted(tmp_path).wait(PATIENCE_S) == []
    finally:
        later.engine.stop()


def test_a_training_that_leaves_nothing_has_no_model_to_list(trainer: Trainer, tmp_path: Path) -> None:
    trainer.fails_at, trainer.keeps = trainer.output.name, False
    with pytest.raises(BadData, match="interrupted"):
        trainer.service.train(trainer.stages[0], is_to_be_listed=True).wait(PATIENCE_S)
    assert list(tmp_path.iterdir()) == []
    trainer.fails_at = "stage-2"
    trainer.keeps = True
    with pytest.raises(BadData, match="interrupted"):
        trainer.service.train_stages(trainer.stages, is_to_be_listed=True).wait(PATIENCE_S)
    assert trainer.service.find_unlisted(tmp_path).wait(PATIENCE_S) == [], "it is not trained yet"
    trainer.service.discard(trainer.output).wait(PATIENCE_S)
    assert list(tmp_path.iterdir()) == []


def test_two_windows_do_not_train_the_same_model(trainer: Trainer, tmp_path: Path) -> None:
    trainer.closes_at = trainer.output.name
    trainer.service.train(trainer.stages[0])
    assert trainer.written.wait(PATIENCE_S)
    trainer.output.rmdir()
    checkpoint_folder(trainer.output).mkdir()
    (checkpoint_folder(trainer.output) / CHECKPOINT_FILE).touch()
    (checkpoint_folder(trainer.output) / REQUEST_FILE).write_text(request_to_json(trainer.stages[0]), "utf-8")
    other = Trainer(tmp_path)
    try:
        for begin in (lambda: other.service.train(other.stages[0]), lambda: other.service.train_stages(other.stages)):
            with pytest.raises(AppError, match="is being trained already"):
                begin().wait(PATIENCE_S)
        assert other.requests == []
        assert other.service.find_unfinished(tmp_path).wait(PATIENCE_S) == []
        with pytest.raises(AppError, match="is being trained already"):
            other.service.discard(other.output).wait(PATIENCE_S)
        assert has_checkpoint(trainer.output)
        trainer.engine.stop()
        (found,) = other.service.find_unfinished(tmp_path).wait(PATIENCE_S)
        assert found.request == trainer.stages[0]
        other.service.discard(other.output).wait(PATIENCE_S)
        assert list(tmp_path.iterdir()) == []
    finally:
        other.engine.stop()


def test_the_name_of_a_training_that_was_killed_is_free(tmp_path: Path) -> None:
    (tmp_path / "model.lock").touch()
    assert not is_claimed(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []
    with claim_output(tmp_path / "model"):
        assert is_claimed(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("stages", [1, 3])
def test_the_model_that_a_training_starts_from_is_not_deleted(trainer: Trainer, tmp_path: Path, stages: int) -> None:
    def no_library() -> Any:
        raise NotFound("There is no library")

    registry = ModelRegistry(tmp_path / "models")
    folder = tmp_path / "base"
    folder.mkdir()
    entry = registry._list("owner/base", read_model_info(write_tiny_model(folder)), "downloaded")
    context = make_context(
        trainer.engine, no_library, start_task=trainer._start, open_models=lambda: ModelRegistry(tmp_path / "models")
    )
    training, models = TrainingService(context), ModelService(context)
    trainer.closes_at = trainer.output.name
    requests = [replace(each, model=entry.info.folder) for each in trainer.stages]
    job: Job[Any] = training.train(requests[0]) if stages == 1 else training.train_stages(requests)
    assert trainer.written.wait(PATIENCE_S)
    for name in ("owner/base", "base"):
        with pytest.raises(UsageError, match="A training starts from the model owner/base"):
            models.remove(name).wait(PATIENCE_S)
    assert folder.is_dir()
    job.cancel()
    trainer.ends.set()
    with pytest.raises(Cancelled):
        job.wait(PATIENCE_S)
    models.remove("owner/base").wait(PATIENCE_S)
    assert not folder.exists()


@pytest.mark.parametrize("stages", [1, 3])
def test_the_model_of_a_stopped_training_is_not_deleted(tmp_path: Path, trainer: Trainer, stages: int) -> None:
    def no_library() -> Any:
        raise NotFound("There is no library")

    registry = ModelRegistry(tmp_path / "models")
    folder = tmp_path / "base"
    folder.mkdir()
    registry._list("owner/base", read_model_info(write_tiny_model(folder)), "downloaded")
    context = make_context(
        trainer.engine,
        no_library,
        open_models=lambda: ModelRegistry(tmp_path / "models"),
        trained_folder=trainer.output.parent,
    )
    training, models = TrainingService(context), ModelService(context)
    requests = [replace(each, model="owner/base" if at == 0 else each.model) for at, each in enumerate(trainer.stages)]
    if stages == 1:
        checkpoint = checkpoint_folder(trainer.output)
        checkpoint.mkdir()
        (checkpoint / CHECKPOINT_FILE).touch()
        (checkpoint / REQUEST_FILE).write_text(request_to_json(requests[0]), "utf-8")
    else:
        stage = stages_folder(trainer.output)
        (stage / "1").mkdir(parents=True)
        write_stages(stage, requests, alone=False)
    with pytest.raises(UsageError, match="A stopped training starts from the model owner/base"):
        models.remove("base").wait(PATIENCE_S)
    assert folder.is_dir()
    training.discard(trainer.output).wait(PATIENCE_S)
    models.remove("base").wait(PATIENCE_S)
    assert not folder.exists()
