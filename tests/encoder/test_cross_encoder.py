"""The cross-encoder: trained by the same loop, loaded by others with the same answers, measured with its cost."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from desktop_app.core.errors import AppError, BadData, Cancelled, ModelMissing, UsageError
from desktop_app.core.evaluation import EvaluationRequest
from desktop_app.core.labelled_data import NLI_LABELS, DataFile
from desktop_app.core.models import ModelChanges
from desktop_app.core.training import StepReport, TrainingRequest
from desktop_app.core.training_settings import TrainingSettings
from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.cross_encoder import (
    CrossEncoder,
    CrossEncoderHead,
    CrossEncoderParts,
    read_pair_checkpoint,
    write_cross_encoder,
)
from desktop_app.encoder.evaluation.task import evaluate
from desktop_app.encoder.inference.network import load_network
from desktop_app.encoder.models.download import try_model
from desktop_app.encoder.models.variants import write_variant
from desktop_app.encoder.tokenizing import TextTokenizer
from desktop_app.encoder.training.tasks import train
from desktop_app.encoder.training_notes import read_training_notes
from tests.encoder.test_training import DEEDS, THINGS, finish


@pytest.fixture(scope="module")
def pairs(tmp_path_factory) -> Path:
    """Pairs that say the same about a thing, and pairs that do not."""
    source = random.Random(5)
    rows = []
    for number in range(60):
        thing, deed = source.choice(THINGS), source.choice(DEEDS)
        same = number % 2
        other = thing if same else source.choice([each for each in THINGS if each != thing])
        rows.append(f"the {thing} {deed} {number}\ta {other} {deed} {number}\t{same}")
    file = tmp_path_factory.mktemp("data") / "pairs.tsv"
    file.write_text("sentence1\tsentence2\tlabel\n" + "\n".join(rows), "utf-8")
    return file


@pytest.fixture
def ask(pairs, tmp_path, make_model) -> Callable[..., TrainingRequest]:
    model = make_model()

    def make(name="judge", data=pairs, resume=False, model=model, **changes: Any) -> TrainingRequest:
        settings = TrainingSettings(
            "binary", architecture="cross", learning_rate=1e-3, epochs=2, batch_size=8, validation=0.25, max_length=40
        )
        return TrainingRequest(
            (DataFile(str(data)),),
            str(tmp_path / name),
            replace(settings, **changes),
            str(model),
            resume=resume,
            device="cpu",
            precision="fp32",
            threads=2,
        )

    return make


def test_it_learns_and_sentence_transformers_gives_the_same_answers(ask, tmp_path) -> None:
    from sentence_transformers import CrossEncoder as Theirs

    # A single word decides: a trained body learns that within seconds.
    file = tmp_path / "told.tsv"
    rows = [f"the {THINGS[n % 5]} {n}\t{'ship' if n % 2 else 'lamp'} {n}\t{n % 2}" for n in range(32)]
    file.write_text("sentence1\tsentence2\tlabel\n" + "\n".join(rows), "utf-8")
    _, report = finish(train(ask(data=file, model="", epochs=3, learning_rate=1e-4, max_length=24)))
    assert report.epochs[-1].loss < 0.8 * report.epochs[0].loss
    assert report.judged is not None
    notes = read_training_notes(Path(report.output))
    assert (notes.architecture, notes.threshold) == ("cross", report.threshold)
    pairs = [("the cat sleeps", "a cat sleeps"), ("the cat sleeps", "one ship swims"), ("a", "b " * 200)]
    ours = CrossEncoder(report.output, precision="fp32")
    assert ours.classes == ("different", "same")
    theirs = Theirs(report.output, device="cpu").predict(pairs, activation_fn=torch.nn.Sigmoid())
    assert np.allclose(ours.scores(pairs), theirs, atol=1e-4)
    # Both orders are accepted, and they are different questions.
    swapped = ours.scores([(b, a) for a, b in pairs])
    assert not np.allclose(ours.scores(pairs), swapped, atol=1e-6)


def test_a_resumed_run_ends_like_an_uninterrupted_one(ask) -> None:
    _, whole = finish(train(ask("whole")))
    steps = train(ask("halved"))
    for each in steps:
        if isinstance(each, StepReport) and each.step == 7:
            break
    with pytest.raises(Cancelled):
        steps.throw(Cancelled())
    _, resumed = finish(train(ask("halved", resume=True)))
    assert resumed.resumed_at == 7
    assert resumed.epochs == whole.epochs


@pytest.mark.parametrize(
    ("header", "label", "measure"),
    [
        ("sentence1,sentence2,score", lambda n: str(n % 6), "spearman"),
        ("premise,hypothesis,label", lambda n: ("entailment", "neutral", "contradiction")[n % 3], "accuracy"),
    ],
)
def test_scores_and_inference_are_trained_and_measured_with_their_cost(ask, tmp_path, header, label, measure) -> None:
    rows = [f"the {THINGS[n % 13]} {n},one {THINGS[n % 13]} {n},{label(n)}" for n in range(36)]
    file = tmp_path / "data.csv"
    file.write_text("\n".join([header, *rows]), "utf-8")
    _, report = finish(train(ask(data=file, epochs=1)))
    assert measure in report.after
    _, found = finish(evaluate(EvaluationRequest(DataFile(str(file)), model=report.output, precision="fp32")))
    assert measure in found.measures
    assert found.measures["rows"] == 36
    assert found.measures["pairs_per_s"] > 0
    rate = found.measures["pairs_per_s"]
    assert found.measures["all_pairs_10000_s"] == pytest.approx(49_995_000 / rate)
    encoder = CrossEncoder(report.output)
    assert encoder.single == (measure == "spearman")


def _write_judge(folder: Path, model: Path, classes: tuple[str, ...]) -> str:
    """Write a cross-encoder whose answers are of several classes, with a layer as it was drawn."""
    checkpoint = read_pair_checkpoint(model)
    torch.manual_seed(1)
    head = CrossEncoderHead(checkpoint.hidden, classes, single=False)
    torch.nn.init.normal_(head.output.weight)
    folder.mkdir()
    parts = CrossEncoderParts(checkpoint, load_network(checkpoint), TextTokenizer(checkpoint))
    write_cross_encoder(parts, head, folder)
    return str(folder)


@pytest.mark.parametrize("header", ["label", "score"])
def test_a_judge_of_inference_rates_other_pairs_by_entailment_as_when_it_reranks(
    pairs, make_model, tmp_path, header
) -> None:
    judge = _write_judge(tmp_path / "judge", make_model(), NLI_LABELS)
    file = tmp_path / "data.tsv"
    file.write_text(pairs.read_text("utf-8").replace("label", header, 1), "utf-8")
    asked = EvaluationRequest(DataFile(str(file)), model=judge, precision="fp32", every_row=True)
    _, found = finish(evaluate(asked))
    entailment = CrossEncoder(judge, precision="fp32").scores([row.texts for row in found.rows])
    assert np.ptp(entailment) > 0.01
    np.testing.assert_allclose([row.score for row in found.rows], entailment, atol=1e-5)
    if header == "label":
        for row, score in zip(found.rows, entailment, strict=True):
            assert row.probabilities == pytest.approx({"different": 1 - score, "same": score}, abs=1e-5)
            assert row.found == ("same" if row.score >= found.measures["threshold"] else "different")


def test_a_judge_of_other_classes_cannot_say_whether_a_pair_matches(pairs, make_model, tmp_path) -> None:
    def measure(*classes: str) -> Any:
        judge = _write_judge(tmp_path / "-".join(classes), make_model(), classes)
        return finish(evaluate(EvaluationRequest(DataFile(str(pairs)), model=judge, precision="fp32")))[1]

    with pytest.raises(AppError, match="cannot distinguish different, same"):
        measure("bad", "fair", "good")
    assert measure("label_0", "label_1").measures["rows"] == 60


def test_vectors_are_not_trained_from_a_cross_encoder(ask, make_model, tmp_path) -> None:
    judge, classifier = Path(_write_judge(tmp_path / "base", make_model(), NLI_LABELS)), make_model(plain=True)
    config = json.loads((classifier / "config.json").read_text("utf-8"))
    config["architectures"] = ["BertForSequenceClassification"]
    (classifier / "config.json").write_text(json.dumps(config), "utf-8")
    for base in (judge, classifier):
        with pytest.raises(UsageError, match=f"{base.name} is a cross-encoder or classifier") as caught:
            finish(train(ask(model=base, architecture="siamese")))
        assert "--architecture cross" in str(caught.value.hint)
    _, report = finish(train(ask(model=judge, epochs=1)))
    assert CrossEncoder(report.output).classes == ("different", "same")


def test_its_stored_threshold_is_a_probability_that_evaluate_uses(ask, pairs, tmp_path) -> None:
    _, report = finish(train(ask(epochs=1)))
    _, found = finish(evaluate(EvaluationRequest(DataFile(str(pairs)), model=report.output, precision="fp32")))
    assert (found.measures["threshold_from"], found.measures["threshold"]) == ("stored", report.threshold)
    assert 0 <= report.threshold <= 1
    write_variant(tmp_path / "adapted", report.output, ModelChanges(max_length=32))
    assert CrossEncoder(tmp_path / "adapted").threshold == report.threshold
    with pytest.raises(UsageError, match="is a cross encoder"):
        finish(evaluate(EvaluationRequest(DataFile(str(pairs)), model=report.output, architecture="siamese")))


def test_an_encoder_is_not_a_cross_encoder(make_model, ask, tmp_path) -> None:
    _, report = finish(train(ask(epochs=1)))
    assert try_model(Path(report.output)).is_cross
    assert not try_model(make_model()).is_cross
    with pytest.raises(ModelMissing, match="gives no vectors"):
        SiameseEncoder(report.output)
    with pytest.raises(ModelMissing, match="not a cross-encoder"):
        CrossEncoder(make_model())
    file = tmp_path / "triplets.csv"
    file.write_text("anchor,positive\na,b\nc,d\n", "utf-8")
    with pytest.raises(BadData, match="a cross-encoder needs"):
        finish(train(ask("other", data=file)))
