"""Training with a word judge: what it learns from, what is saved, and that every judgement uses it."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop_app.core.errors import BadData, Cancelled
from desktop_app.core.evaluation import EvaluationRequest
from desktop_app.core.jobs import Progress
from desktop_app.core.labelled_data import DataFile
from desktop_app.core.training import StepReport, TrainingRequest
from desktop_app.core.training_settings import TrainingSettings
from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.datasets.labelled_files import read_labelled_file
from desktop_app.encoder.evaluation.task import evaluate
from desktop_app.encoder.training import loop
from desktop_app.encoder.training.tasks import train
from desktop_app.encoder.word_judge import WORDS_FOLDER, load_word_judge


def finish(steps: Any) -> tuple[list[Any], Any]:
    """Run a generator to its end; returns (yielded values, returned value)."""
    seen = []
    while True:
        try:
            seen.append(next(steps))
        except StopIteration as end:
            return seen, end.value


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pairs that are the same if both have the same number, which a vector hardly shows."""
    source = random.Random(7)
    rows = []
    for number in range(300):
        thing, same = source.choice(["cat", "dog", "ship", "river", "lamp", "bird"]), number % 2
        rows.append(f"the {thing} has {number} old stones\tthe {thing} had {number + 1 - same} stones\t{same}")
    file = tmp_path_factory.mktemp("data") / "pairs.tsv"
    file.write_text("sentence1\tsentence2\tlabel\n" + "\n".join(rows), "utf-8")
    return file


@pytest.fixture(scope="module")
def tiny(make_model: Callable[..., Path]) -> Path:
    return make_model()


@pytest.fixture
def ask(pairs: Path, tiny: Path, tmp_path: Path) -> Callable[..., TrainingRequest]:
    def make(name: str = "trained", resume: bool = False, **changes: Any) -> TrainingRequest:
        given: dict[str, Any] = {
            "epochs": 1,
            "learning_rate": 1e-3,
            "batch_size": 32,
            "validation": 0.2,
            "head": "cosine",
            "words": True,
        }
        settings = TrainingSettings(**{"objective": "binary", **given, **changes})
        return TrainingRequest(
            (DataFile(str(pairs)),),
            str(tmp_path / name),
            settings,
            str(tiny),
            resume=resume,
            device="cpu",
            precision="fp32",
            threads=1,
        )

    return make


def test_words_improve_the_result_and_every_judgement_uses_them(ask, pairs) -> None:
    seen, report = finish(train(ask()))
    assert report.best_epoch == 1
    assert report.after["accuracy"] > 0.95 > report.before["accuracy"]
    parts = [each for each in seen if isinstance(each, Progress) and each.phase == "parts"]
    assert [each.done for each in parts] == sorted({each.done for each in parts})
    assert parts[-1].done == parts[-1].total
    folder, data = Path(report.output), read_labelled_file(DataFile(str(pairs)))
    asked = EvaluationRequest(
        DataFile(str(pairs)), str(folder), device="cpu", precision="fp32", threads=1, worst=300, every_row=True
    )
    _, judged = finish(evaluate(asked))
    assert judged.measures["threshold_from"] == "stored"
    assert judged.measures["accuracy"] > 0.95
    encoder = SiameseEncoder(folder, device="cpu", precision="fp32", threads=1)
    a, b = data.texts
    u, v = encoder.encode(a, normalize=False), encoder.encode(b, normalize=False)
    verdicts = [encoder.classify(*both) for both in zip(u, v, a, b, strict=True)]
    wrong = [
        line
        for line, verdict, label in zip(data.lines, verdicts, data.labels, strict=True)
        if verdict.says_same != bool(label)
    ]
    assert sorted(pair.line for pair in judged.worst) == wrong
    np.testing.assert_allclose(
        [verdict.margin for verdict in verdicts], [row.score - report.threshold for row in judged.rows], atol=1e-6
    )
    assert all(verdict.probability is not None for verdict in verdicts)


def test_without_validation_rows_the_threshold_is_that_of_the_parts(ask) -> None:
    _, report = finish(train(ask(validation=0.0)))
    assert report.threshold is not None
    assert 0 < report.threshold < 1
    assert load_word_judge(Path(report.output)) is not None


def test_a_training_stopped_while_it_trains_on_parts_goes_on_there(ask) -> None:
    learned = {"learning_rate": 1e-3}  # with an epoch that is better than the start, after which parts are trained
    whole = finish(train(ask("whole", **learned)))[1]
    steps = train(ask("mine", **learned))
    next(each for each in steps if isinstance(each, Progress) and each.phase == "parts")
    with pytest.raises(Cancelled):
        steps.throw(Cancelled())
    seen, report = finish(train(ask("mine", resume=True, **learned)))
    assert not [each for each in seen if isinstance(each, StepReport)], "the training itself was over"
    first, second = ((Path(each.output) / WORDS_FOLDER / "model.safetensors").read_bytes() for each in (whole, report))
    assert first == second


def test_too_few_rows_are_refused_before_the_first_step(ask) -> None:
    with pytest.raises(BadData, match="too few to learn from their words"):
        finish(train(ask(validation=0.5)))


def test_objectives_without_a_probability_train_no_judge(ask) -> None:
    _, report = finish(train(ask(objective="contrastive")))
    assert not (Path(report.output) / WORDS_FOLDER).exists()


def test_a_model_that_keeps_its_weights_gets_no_judge_and_says_so(ask, monkeypatch) -> None:
    merits = iter([0.1, 0.9])  # of the epoch, and of the original weights
    monkeypatch.setattr(loop, "figure_of_merit", lambda *_: next(merits))
    _, report = finish(train(ask()))
    assert report.best_epoch == 0
    assert "words_not_learnt" in [warning.code for warning in report.warnings]
    assert not (Path(report.output) / WORDS_FOLDER).exists()
