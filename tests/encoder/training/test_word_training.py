"""Training with a word judge: what it learns from, what is saved, and that every judgement uses it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from desktop_app.core.errors import BadData, Cancelled, UsageError
from desktop_app.core.evaluation import EvaluationRequest
from desktop_app.core.jobs import Progress
from desktop_app.core.labelled_data import DataFile
from desktop_app.core.training import StepReport, TrainingNotice, TrainingRequest
from desktop_app.core.training_settings import TrainingSettings
from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.datasets.labelled_files import read_labelled_file
from desktop_app.encoder.evaluation.task import evaluate
from desktop_app.encoder.training import loop, tasks, trained_model, word_training
from desktop_app.encoder.training.tasks import train
from desktop_app.encoder.word_judge import WORDS_FOLDER, load_word_judge
from tests.steps import run_steps


@pytest.fixture(scope="module", autouse=True)
def _few_parts() -> Iterator[None]:
    """Train on three parts: these labels are easy to learn."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(word_training, "PARTS", 3)
        yield


def finish(steps: Any) -> tuple[list[Any], Any]:
    """Return what steps yield, and their result."""
    seen: list[Any] = []
    return seen, run_steps(steps, seen)


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


Ask = Callable[..., TrainingRequest]


def _make_ask(pairs: Path, tiny: Path, folder: Path) -> Ask:
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
            str(folder / name),
            settings,
            str(tiny),
            resume=resume,
            device="cpu",
            precision="fp32",
            threads=1,
        )

    return make


@pytest.fixture
def ask(pairs: Path, tiny: Path, tmp_path: Path) -> Ask:
    return _make_ask(pairs, tiny, tmp_path)


@pytest.fixture(scope="module")
def trained(pairs: Path, tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Any], Any]:
    """What a training as `ask` asks for it has yielded, and its report. Its model is only read."""
    return finish(train(_make_ask(pairs, tiny, tmp_path_factory.mktemp("words"))()))


@pytest.fixture(scope="module")
def alone(pairs: Path, tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The report of the same training without words. Its model is only read."""
    return finish(train(_make_ask(pairs, tiny, tmp_path_factory.mktemp("alone"))(words=False)))[1]


def test_words_improve_the_result_and_every_judgement_uses_them(trained, pairs) -> None:
    seen, report = trained
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
    verdicts = run_steps(encoder.judge_pairs(u, v, a, b))
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
    # A search need not wait for all of them.
    steps: list[int] = []
    assert run_steps(encoder.judge_pairs(u, v, a, b), steps) == verdicts
    assert steps[-2] < steps[-1] == len(a)


@pytest.mark.parametrize("objective", ["cosine", "cosent"])
def test_scores_are_learnt_from_words_too_and_every_judgement_uses_them(
    ask, pairs, tmp_path, monkeypatch, objective
) -> None:
    # Of the epoch, the original weights, with words, with the weights of the parts too, the original weights again.
    merits = iter([0.5, 0.1, 0.9, 0.8, 0.1])
    monkeypatch.setattr(loop, "figure_of_merit", lambda *_: next(merits))
    monkeypatch.setattr(word_training, "PARTS", 5)
    source = random.Random(3)
    lines = pairs.read_text("utf-8").splitlines()[1:]
    rows = [(*line.split("\t")[:2], 1.0 + 3 * int(line[-1]) + source.random()) for line in lines]
    file = tmp_path / "scores.tsv"
    file.write_text("sentence1\tsentence2\tscore\n" + "\n".join(f"{a}\t{b}\t{c:.3f}" for a, b, c in rows), "utf-8")
    data = (DataFile(str(file)),)
    asked = ask(objective=objective, head="linear")
    _, report = finish(train(replace(asked, data=data)))
    assert report.threshold is None
    assert report.after["spearman"]["score"] > 0.7 > report.after["spearman"]["cosine"]
    assert report.difference.after == report.after["spearman"]["score"]
    folder = report.output
    measured = EvaluationRequest(data[0], folder, device="cpu", precision="fp32", threads=1, worst=3, every_row=True)
    _, judged = finish(evaluate(measured))
    assert judged.measures["spearman"]["score"] > 0.7
    encoder = SiameseEncoder(folder, device="cpu", precision="fp32", threads=1)
    row = judged.rows[5]
    u, v = encoder.encode(row.texts, normalize=False)
    [verdict] = run_steps(encoder.judge_pairs(u[None], v[None], *([text] for text in row.texts)))
    assert (verdict.label, verdict.says_same) == ("", None)
    assert verdict.score == pytest.approx(row.score, abs=1e-6)
    low, high = judged.measures["intervals"]["spearman"]
    assert low < judged.measures["spearman"]["score"] < high


def test_without_validation_rows_the_threshold_is_that_of_the_parts(ask) -> None:
    _, report = finish(train(ask(validation=0.0)))
    assert report.threshold is not None
    assert 0 < report.threshold < 1
    assert load_word_judge(Path(report.output)) is not None


def test_a_training_stopped_while_it_trains_on_parts_repeats_only_these(ask, trained) -> None:
    _, whole = trained
    steps = train(ask("mine"))
    next(each for each in steps if isinstance(each, Progress) and each.phase == "parts")
    with pytest.raises(Cancelled):
        steps.throw(Cancelled())
    seen, report = finish(train(ask("mine", resume=True)))
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


def test_words_are_not_learnt_where_the_validation_rows_are_judged_worse_with_them(ask, monkeypatch) -> None:
    # Of the epoch, the original weights, the epoch's with words, with the weights of the parts too.
    merits = iter([0.5, 0.1, 0.4, 0.4])
    monkeypatch.setattr(loop, "figure_of_merit", lambda *_: next(merits))
    _, report = finish(train(ask()))
    assert report.best_epoch == 1
    assert "words_not_learnt" in [warning.code for warning in report.warnings]
    assert not (Path(report.output) / WORDS_FOLDER).exists()


@pytest.mark.parametrize("mixed", [0.8, 0.95])
def test_the_weights_of_the_parts_are_added_where_the_validation_rows_are_judged_better(
    ask, alone, monkeypatch, mixed: float
) -> None:
    merits = iter([0.5, 0.1, 0.9, mixed, 0.1])
    monkeypatch.setattr(loop, "figure_of_merit", lambda *_: next(merits))
    _, report = finish(train(ask()))
    mine, without = (load_file(Path(each.output) / "model.safetensors") for each in (report, alone))
    assert all(np.array_equal(mine[name], without[name]) for name in mine) is (mixed < 0.9)


def test_a_failure_while_words_are_judged_leaves_the_model_without_them(ask, monkeypatch) -> None:
    validate = loop.TrainingLoop._validate
    judged: list[object] = []

    def fail(self: loop.TrainingLoop, *given: Any) -> Any:
        if self._model.judge is None:
            return (yield from validate(self, *given))
        judged.append(self)
        raise MemoryError

    monkeypatch.setattr(loop.TrainingLoop, "_validate", fail)
    _, report = finish(train(ask()))
    assert judged
    assert "words_not_learnt" in [warning.code for warning in report.warnings]
    assert not (Path(report.output) / WORDS_FOLDER).exists()


def test_a_failure_in_a_part_does_not_lose_the_trained_model(ask, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(word_training, "score_pairs", fail)
    _, report = finish(train(ask()))
    assert (Path(report.output) / "README.md").exists()
    assert "words_not_learnt" in [warning.code for warning in report.warnings]


def test_parts_end_after_the_epoch_that_was_kept(ask, monkeypatch) -> None:
    # Of three epochs, the original weights, with words, with the weights of the parts too, the original weights again.
    merits = iter([0.5, 0.2, 0.1, 0.1, 0.9, 0.1, 0.1])
    monkeypatch.setattr(loop, "figure_of_merit", lambda *_: next(merits))
    seen, report = finish(train(ask(epochs=3)))
    assert report.best_epoch == 1
    parts = [each for each in seen if isinstance(each, Progress) and each.phase == "parts"]
    assert len(parts) == parts[-1].total == 3 * math.ceil(160 / 32)


def test_rows_with_common_sentences_are_in_one_part(pairs) -> None:
    data = read_labelled_file(DataFile(str(pairs)))
    twice = data.take([*range(100), *range(100)])
    for part in word_training.make_parts(twice, TrainingSettings("binary")):
        held = {text for row in part.rows for text in (twice.texts[0][row], twice.texts[1][row])}
        assert not held & {text for column in part.others.texts for text in column}
        assert len(part.others) + len(part.rows) == 200


def test_rows_that_all_share_a_sentence_are_refused(pairs) -> None:
    data = read_labelled_file(DataFile(str(pairs)))
    one = replace(data, texts=(("the same question",) * len(data), data.texts[1]))
    with pytest.raises(BadData, match="share a sentence"):
        word_training.make_parts(one, TrainingSettings("binary"))


def test_a_given_threshold_and_words_do_not_go_together(ask) -> None:
    with pytest.raises(UsageError, match="threshold cannot be given"):
        finish(train(ask(threshold=0.5)))


def test_a_model_that_judges_by_words_says_that_a_new_training_forgets_it(ask, trained) -> None:
    _, report = trained
    again = replace(ask("again", words=False), model=report.output)
    seen, _ = finish(train(again))
    assert "words_not_kept" in [each.text.code for each in seen if isinstance(each, TrainingNotice)]


def test_parts_are_trained_in_the_precision_that_was_verified(ask, monkeypatch) -> None:
    plans: list[Any] = []
    build = tasks._build_model_and_objective

    def note(request: Any, name: str, data: Any, plan: Any) -> Any:
        plans.append(plan)
        return build(request, name, data, plan)

    def refuse(model: Any, *_: object) -> Iterator[None]:
        model.precision = "fp32"
        yield

    monkeypatch.setattr(tasks, "_build_model_and_objective", note)
    monkeypatch.setattr(tasks, "verify_training_precision", refuse)
    monkeypatch.setattr(trained_model, "fastest_training_precision", lambda _device: "bf16")
    finish(train(replace(ask(), precision="auto")))
    assert [plan.precision for plan in plans] == ["auto", *["fp32"] * 3]
