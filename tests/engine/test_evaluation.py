"""Scores of evaluations are kept by the contents of their data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from desktop_app.core.errors import StorageFull
from desktop_app.core.evaluation import Evaluation, EvaluationRequest
from desktop_app.core.labelled_data import DataFile
from desktop_app.engine.engine import Engine
from desktop_app.engine.evaluation import EvaluationService
from tests.patience import PATIENCE_S

from .fakes import SlowModels, make_context


class Measured:
    """A task that has measured a model at once."""

    is_finished = True

    def __init__(self, request: EvaluationRequest) -> None:
        self._request = request

    def poll(self) -> Evaluation:
        name = self._request.model
        return Evaluation("duplicates", {"accuracy": len(name)}, model=name, folder=f"/models/{name}")

    def close(self) -> None:
        pass


Services = Callable[[Path | None], EvaluationService]


@pytest.fixture
def serve() -> Iterator[Services]:
    engine = Engine()
    engine.start()

    def start(_task: str, request: EvaluationRequest) -> Measured:
        return Measured(request)

    yield lambda scores: EvaluationService(make_context(engine, start_task=start, scores_file=scores))
    engine.stop()


def write(folder: Path, name: str, text: str) -> DataFile:
    (folder / name).write_text(text, "utf-8")
    return DataFile(str(folder / name))


def test_scores_are_kept_for_the_same_data_under_any_name(serve: Services, tmp_path: Path) -> None:
    service = serve(tmp_path / "scores.jsonl")
    data, copy = write(tmp_path, "pairs.tsv", "a\tb\t1"), write(tmp_path, "copy.tsv", "a\tb\t1")
    other = write(tmp_path, "other.tsv", "a\tb\t0")
    for model in ("one", "three"):
        request = EvaluationRequest(data, model=model, pooling="mean", threshold="0.5")
        assert service.evaluate(request).wait(PATIENCE_S).measures == {"accuracy": len(model)}
    service.evaluate(EvaluationRequest(other, model="other")).wait(PATIENCE_S)
    kept = service.list_past_evaluations(copy).wait(PATIENCE_S)
    assert [(each.model, each.folder, each.measures) for each in kept] == [
        ("three", "/models/three", {"accuracy": 5}),
        ("one", "/models/one", {"accuracy": 3}),
    ], "the latest first"
    assert {(each.data, each.task, each.pooling, each.threshold) for each in kept} == {
        ("pairs.tsv", "duplicates", "mean", "0.5")
    }
    service.forget_scores(copy).wait(PATIENCE_S)
    assert service.list_past_evaluations(data).wait(PATIENCE_S) == []
    assert [each.model for each in service.list_past_evaluations(other).wait(PATIENCE_S)] == ["other"]


def test_finding_the_models_of_an_evaluation_holds_up_no_other_job(tmp_path: Path) -> None:
    engine, models = Engine(), SlowModels()
    engine.start()
    try:
        context = make_context(engine, start_task=lambda _task, request: Measured(request), open_models=models.open)
        request = EvaluationRequest(write(tmp_path, "pairs.tsv", "a\tb\t1"), model="one", reranker="two")
        job = EvaluationService(context).evaluate(request)
        assert models.check_others_go_on(engine, job).model == "one"
    finally:
        engine.stop()


def test_data_that_cannot_be_read_has_no_scores(serve: Services, tmp_path: Path) -> None:
    service, gone = serve(tmp_path / "scores.jsonl"), DataFile(str(tmp_path / "gone.tsv"))
    service.evaluate(EvaluationRequest(gone, model="one")).wait(PATIENCE_S)
    assert service.list_past_evaluations(gone).wait(PATIENCE_S) == []
    service.forget_scores(gone).wait(PATIENCE_S)


def test_without_a_file_for_scores_none_are_kept(serve: Services, tmp_path: Path) -> None:
    service, data = serve(None), write(tmp_path, "pairs.tsv", "a\tb\t1")
    assert service.evaluate(EvaluationRequest(data, model="one")).wait(PATIENCE_S).model == "one"
    assert service.list_past_evaluations(data).wait(PATIENCE_S) == []
    service.forget_scores(data).wait(PATIENCE_S)


def test_scores_that_cannot_be_written_are_returned(
    serve: Services, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "scores.jsonl").mkdir()
    service, data = serve(tmp_path / "scores.jsonl"), write(tmp_path, "pairs.tsv", "a\tb\t1")
    assert service.evaluate(EvaluationRequest(data, model="one")).wait(PATIENCE_S).model == "one"
    assert "not kept" in caplog.text


def test_scores_that_cannot_be_deleted_are_reported(
    serve: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, data = serve(tmp_path / "scores.jsonl"), write(tmp_path, "pairs.tsv", "a\tb\t1")
    service.evaluate(EvaluationRequest(data, model="one")).wait(PATIENCE_S)
    with monkeypatch.context() as full:
        full.setattr("desktop_app.core.evaluation_history.write_private", Mock(side_effect=OSError(28, "it is full")))
        with pytest.raises(StorageFull, match="it is full"):
            service.forget_scores(data).wait(PATIENCE_S)
    assert len(service.list_past_evaluations(data).wait(PATIENCE_S)) == 1
