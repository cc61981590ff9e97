"""Training: gradients equal the plain network's, runs can be stopped and resumed, other libraries load the models."""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from desktop_app.core.errors import AppError, BadData, Cancelled, StorageFull, UsageError
from desktop_app.core.evaluation import EvaluationRequest
from desktop_app.core.jobs import Progress
from desktop_app.core.labelled_data import DataFile
from desktop_app.core.models import ModelChanges
from desktop_app.core.records import DeviceInfo
from desktop_app.core.training import EpochReport, StepReport, TrainingNotice, TrainingRequest, write_negatives
from desktop_app.core.training_checkpoints import find_unfinished_trainings, stages_folder, write_stages
from desktop_app.core.training_settings import PRESETS, TrainingSettings
from desktop_app.core.unfinished_files import keep_records
from desktop_app.encoder import SiameseEncoder, device
from desktop_app.encoder.checkpoint import read_checkpoint
from desktop_app.encoder.classification_head import load_head, score_pairs
from desktop_app.encoder.datasets.dataset import DataSet, text_keys
from desktop_app.encoder.datasets.labelled_files import read_labelled_file
from desktop_app.encoder.evaluation.evaluators import evaluate_pairs
from desktop_app.encoder.evaluation.task import evaluate
from desktop_app.encoder.inference.network import load_network
from desktop_app.encoder.inference.prepared_model import pad_rows
from desktop_app.encoder.models.variants import write_variant
from desktop_app.encoder.tokenizing import TextTokenizer
from desktop_app.encoder.training import checkpoints, compute_plan, gradients, loop, tasks
from desktop_app.encoder.training.forward_pass import AutocastForwardPass, ThreadedForwardPass
from desktop_app.encoder.training.loop import WeightAverage, learning_rate_factor, set_learning_rate
from desktop_app.encoder.training.objectives import make_objective
from desktop_app.encoder.training.tasks import train
from desktop_app.encoder.training.trained_model import build_siamese_model
from desktop_app.encoder.training.training_rows import read_training_rows
from desktop_app.encoder.training.validation import evaluate_validation
from desktop_app.encoder.training_notes import read_training_notes, write_training_notes
from desktop_app.encoder.word_alignment import EmbeddedTexts, WordEmbedder
from tests.disks import fill, needs_mount, small_disk
from tests.steps import run_steps

THINGS = ["cat", "dog", "horse", "bird", "fish", "cow", "sheep", "goat", "duck", "goose", "ship", "river", "lamp"]
DEEDS = ["sleeps", "runs", "eats", "drinks", "jumps", "swims", "hides", "waits"]


def finish(steps) -> tuple[list[Any], Any]:
    """Run a generator to its end; returns (yielded values, returned value)."""
    seen = []
    while True:
        try:
            seen.append(next(steps))
        except StopIteration as end:
            return seen, end.value


@pytest.fixture(scope="module")
def pairs(tmp_path_factory) -> Path:
    """Pairs that say the same about a thing, and pairs that do not."""
    source = random.Random(5)
    rows = []
    for number in range(48):
        thing, deed = source.choice(THINGS), source.choice(DEEDS)
        other = source.choice([each for each in THINGS if each != thing])
        same = number % 2
        left = f"the {thing} {deed} {number}"
        rows.append(f"{left}\ta {thing if same else other} {deed} again {number}\t{same}")
    file = tmp_path_factory.mktemp("data") / "pairs.tsv"
    file.write_text("sentence1\tsentence2\tlabel\n" + "\n".join(rows), "utf-8")
    return file


@pytest.fixture(scope="module")
def tiny(make_model) -> Path:
    """A tiny model that no training changes."""
    return make_model()


@pytest.fixture
def ask(pairs, tmp_path, tiny) -> Callable[..., TrainingRequest]:
    """Ask for a short training of a tiny model."""
    model = tiny

    def make(name="trained", data=pairs, model=model, resume=False, **changes: Any) -> TrainingRequest:
        settings = TrainingSettings("binary", learning_rate=1e-3, epochs=3, batch_size=8, validation=0.25)
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


@pytest.mark.parametrize("pooling", [None, "mean-padded"])
def test_threads_compute_the_plain_networks_vectors_and_gradients(make_model, sentences, pooling) -> None:
    checkpoint = read_checkpoint(make_model(), pooling)
    network = load_network(checkpoint).requires_grad_(True)
    for module in network.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    for layer in network.body.encoder["layer"]:
        layer.attention_dropout = 0.0
    rows = TextTokenizer(checkpoint).encode(sentences[:30])
    threaded = ThreadedForwardPass(network, 0, precision="fp32", threads=2, seed=1)
    found = threaded.embed(rows, 0)
    plain = network.embed(network.body, None, [], *pad_rows(rows, 0), 0)
    assert torch.allclose(found, plain, atol=1e-5)
    weights = torch.randn(plain.shape, generator=torch.Generator().manual_seed(2))
    plain.backward(weights)
    expected = {name: parameter.grad.clone() for name, parameter in network.named_parameters()}
    network.zero_grad()
    threaded.backward(weights)
    threaded.close()
    largest = max(float(gradient.abs().max()) for gradient in expected.values())
    for name, parameter in network.named_parameters():
        assert torch.allclose(parameter.grad, expected[name], atol=1e-5 * largest), name


def test_a_mean_over_padding_does_not_depend_on_the_batch_and_is_saved(ask, make_model) -> None:
    short, long = "a cat", "a long letter of the captain to the engine of the old red ship near the theatre"
    masked = SiameseEncoder(make_model(), device="cpu", precision="fp32")
    padding = SiameseEncoder(make_model(), device="cpu", precision="fp32", pooling="mean-padded")
    alone, padded = padding.encode([short])[0], padding.encode([short, long])[0]
    assert np.allclose(alone, padded, atol=1e-5)
    assert not np.allclose(alone, masked.encode([short])[0], atol=1e-2)
    assert padding.model.fingerprint != masked.model.fingerprint
    # As in another library: texts padded to the longest, and the mean of the whole output.
    ids = TextTokenizer(padding.checkpoint).encode([short])[0]
    row = torch.tensor([[*ids, *[0] * (padding.checkpoint.max_length - len(ids))]])
    mask = torch.arange(row.shape[1])[None] < len(ids)
    with torch.inference_mode():
        hidden, _ = load_network(padding.checkpoint).body(row, mask)
    mean = torch.nn.functional.normalize(hidden.mean(dim=1), dim=1)[0].numpy()
    assert np.allclose(alone, mean, atol=1e-5)

    _, report = finish(train(ask(pooling="mean-padded", max_length=24, epochs=1)))
    saved = read_checkpoint(Path(report.output))
    assert (saved.pooling_modes, saved.max_length) == (("mean-padded",), 24)
    assert np.isfinite(SiameseEncoder(report.output, precision="fp32").encode([short])).all()


def test_batches_of_a_validation_count_the_padding_of_a_mean_over_padding(make_model) -> None:
    settings = TrainingSettings("cosine", pooling="mean-padded", max_length=40)
    model = build_siamese_model(str(make_model()), "new", settings, "cpu", "fp32", 1)
    shapes: list[tuple[int, int]] = []
    model.network.body.register_forward_hook(lambda _body, given, _found: shapes.append(tuple(given[0].shape)))
    rows = run_steps(model.tokenize([f"a {THINGS[number % 13]} {number}" for number in range(200)]))
    assert len(run_steps(model.embed(rows))) == 200
    words = WordEmbedder(model.network, model.tokenizer, "", "cpu", lambda: 1)
    run_steps(words.embed_texts([f"a {THINGS[number % 13]} {number}" for number in range(200)], EmbeddedTexts()))
    assert sum(texts for texts, _ in shapes) == 400
    assert {length for _, length in shapes} == {40}
    assert max(texts * length for texts, length in shapes) <= 2048


def test_a_training_learns_and_reports_it(ask) -> None:
    seen, report = finish(train(ask(epochs=4)))
    losses = [each.loss for each in seen if isinstance(each, EpochReport)]
    assert len(losses) == 4
    assert losses[-1] < losses[0]
    steps = [each for each in seen if isinstance(each, StepReport)]
    assert [each.step for each in steps] == list(range(1, steps[0].steps + 1))
    best = max(report.epochs, key=lambda each: each.validation["average_precision"])
    assert {key: value for key, value in report.after.items() if key != "intervals"} == best.validation
    assert report.best_epoch in (0, best.epoch)
    assert report.rows + report.validation_rows + report.left_out == 48
    notes = read_training_notes(Path(report.output))
    assert notes.threshold == report.threshold
    kept = report.after if report.best_epoch else report.before
    assert notes.scores["after"]["accuracy"] == kept["accuracy"]
    card = (Path(report.output) / "README.md").read_text("utf-8")
    assert "pairs.tsv" in card
    assert not checkpoints.checkpoint_folder(Path(report.output)).exists()


@pytest.mark.parametrize("more", [{}, {"runs": 2}, {"averaging": 0.5}, {"architecture": "cross"}])
def test_a_given_threshold_is_stored_without_validation_rows(ask, pairs, more) -> None:
    _, report = finish(train(ask(validation=0.0, threshold=0.8, epochs=1, **more)))
    assert report.threshold == read_training_notes(Path(report.output)).threshold == 0.8
    assert "threshold_unused" not in {each.code for each in report.warnings}
    asked = EvaluationRequest(DataFile(str(pairs)), report.output, device="cpu", precision="fp32")
    _, judged = finish(evaluate(asked))
    assert (judged.measures["threshold_from"], judged.measures["threshold"]) == ("stored", 0.8)


@pytest.mark.parametrize("validation", [0.0, 0.25])
def test_a_threshold_without_effect_is_reported(ask, tmp_path, validation) -> None:
    file = _file(
        tmp_path, "sentence1,sentence2,score", [f"the {each},a {each},{n % 6}" for n, each in enumerate(THINGS)]
    )
    seen, report = finish(train(ask(data=file, objective="cosine", threshold=0.8, validation=validation, epochs=1)))
    assert report.threshold is None
    codes = [each.text.code for each in seen if isinstance(each, TrainingNotice)]
    assert codes.count("threshold_unused") == 1
    first = next(place for place, each in enumerate(seen) if isinstance(each, StepReport))
    assert "threshold_unused" in {each.text.code for each in seen[:first] if isinstance(each, TrainingNotice)}


@pytest.mark.parametrize("settings", [{"head": "linear"}, {"head": "cosine"}, {"objective": "contrastive"}])
def test_a_pair_is_labelled_by_the_stored_threshold_as_an_evaluation_does(ask, pairs, settings) -> None:
    _, report = finish(train(ask(epochs=1, **settings)))
    folder, data = Path(report.output), read_labelled_file(DataFile(str(pairs)))
    encoder = SiameseEncoder(folder, device="cpu", precision="fp32")
    u, v = (encoder.encode(column, normalize=False) for column in data.texts)
    # A threshold that gives both classes, far from the point where both are equally probable.
    threshold = float(np.quantile(score_pairs(u, v, load_head(folder)), 0.7))
    write_training_notes(replace(read_training_notes(folder), threshold=threshold), folder)
    encoder = SiameseEncoder(folder, device="cpu", precision="fp32")
    assert encoder.judges_pairs
    verdicts = run_steps(encoder.judge_pairs(u, v, *data.texts))
    answers = [verdict.label for verdict in verdicts]
    scores = score_pairs(u, v, load_head(folder))
    np.testing.assert_allclose([verdict.margin for verdict in verdicts], scores - threshold, atol=1e-6)
    assert {verdict.probability is None for verdict in verdicts} == {"head" not in settings}
    assert {label: answers.count(label) for label in set(answers)} == pytest.approx(
        {"same": 14.4, "different": 33.6}, abs=1
    )
    asked = EvaluationRequest(DataFile(str(pairs)), str(folder), worst=99, device="cpu", precision="fp32")
    _, judged = finish(evaluate(asked))
    assert judged.measures["threshold_from"] == "stored"
    wrong = {
        line for line, label, truth in zip(data.lines, answers, data.labels, strict=True) if (label == "same") != truth
    }
    assert {pair.line for pair in judged.worst} == wrong
    adapted = folder.with_name("adapted")
    write_variant(adapted, str(folder), ModelChanges())
    _, again = finish(evaluate(replace(asked, model=str(adapted))))
    assert again.measures["threshold_from"] == "stored"
    assert again.worst == judged.worst, "head and threshold are those of the model that it is made of"


def test_the_same_seed_gives_the_same_model(ask) -> None:
    weights = []
    for name in ("one", "two"):
        finish(train(ask(name, head="mlp", hidden=8, dropout=0.3, epochs=1)))
        weights.append(SiameseEncoder(ask(name).output, device="cpu", precision="fp32").encode(["a cat sleeps"]))
    assert np.array_equal(*weights)


@pytest.mark.parametrize(
    ("averaging", "runs"), [*(pytest.param(share, 1, marks=pytest.mark.slow) for share in (0.0, 0.5)), (0.5, 2)]
)
def test_a_resumed_run_ends_like_an_uninterrupted_one(ask, averaging, runs) -> None:
    settings = {"head": "mlp", "hidden": 8, "dropout": 0.3, "accumulation": 2, "batch_size": 4, "averaging": averaging}
    settings |= {"runs": runs, "epochs": 3 if runs == 1 else 2}
    _, whole = finish(train(ask("whole", **settings)))
    # In the first step, at the end of an epoch, in the middle of one; and several times one after the other.
    for stops in ((1,), (4, 7, 11)):
        name = f"stopped-{stops[0]}"
        for number, stop_at in enumerate(stops):
            steps = train(ask(name, resume=number > 0, **settings))
            for each in steps:
                if isinstance(each, StepReport) and each.step == stop_at:
                    break
            with pytest.raises(Cancelled):
                steps.throw(Cancelled())
        seen, resumed = finish(train(ask(name, resume=True, **settings)))
        assert resumed.resumed_at == stops[-1]
        assert next(each.step for each in seen if isinstance(each, StepReport)) == stops[-1] + 1
        assert resumed.epochs == whole.epochs
        vectors = [SiameseEncoder(report.output, precision="fp32").encode(THINGS) for report in (whole, resumed)]
        assert np.array_equal(*vectors)


def _stopped(asked: TrainingRequest, step: int) -> None:
    """Stop a training after a step."""
    steps = train(asked)
    while not (isinstance(each := next(steps), StepReport) and each.step == step):
        pass
    with pytest.raises(Cancelled):
        steps.throw(Cancelled())


def test_a_resumed_run_ends_the_same_with_other_threads_and_another_fastest_precision(ask, monkeypatch) -> None:
    asked = {
        name: replace(ask(name, head="linear", epochs=2), precision="auto", threads=3) for name in ("whole", "stopped")
    }
    monkeypatch.setattr(device, "fastest_cpu_precision", lambda: "fp32")
    _, whole = finish(train(asked["whole"]))
    _stopped(asked["stopped"], 3)
    monkeypatch.setattr(device, "fastest_cpu_precision", lambda: "bf16")
    _stopped(replace(asked["stopped"], resume=True, threads=1), 4)
    resume = replace(asked["stopped"], resume=True, threads=2, precision="bf16")
    seen, resumed = finish(train(resume))
    notice = "the training continues in fp32, as it started"
    assert notice in [str(each.text) for each in seen if isinstance(each, TrainingNotice)]
    assert notice in map(str, resumed.warnings)
    assert resumed.epochs == whole.epochs
    vectors = [SiameseEncoder(report.output, precision="fp32").encode(THINGS) for report in (whole, resumed)]
    assert np.array_equal(*vectors)


@pytest.mark.parametrize("faithful", [True, False])
def test_a_fast_precision_is_used_only_if_its_gradients_agree_with_fp32(ask, monkeypatch, faithful) -> None:
    monkeypatch.setattr(device, "fastest_cpu_precision", lambda: "bf16")
    backward = ThreadedForwardPass.backward

    def passed(self: ThreadedForwardPass, gradient: torch.Tensor) -> None:
        is_reduced = self._dtype == torch.bfloat16
        wrong = gradient.roll(1, dims=0) if is_reduced and not faithful else gradient
        self._dtype = torch.float32
        backward(self, wrong)

    def embedded(self: ThreadedForwardPass, *arguments: Any) -> torch.Tensor:
        kept, self._dtype = self._dtype, torch.float32  # exact except for the error above
        try:
            return embed(self, *arguments)
        finally:
            self._dtype = kept

    embed = ThreadedForwardPass.embed
    monkeypatch.setattr(ThreadedForwardPass, "backward", passed)
    monkeypatch.setattr(ThreadedForwardPass, "embed", embedded)
    _, report = finish(train(replace(ask(head="linear", epochs=1), precision="auto")))
    used = "bf16" if faithful else "fp32"
    assert read_training_notes(Path(report.output)).settings["precision"] == used
    assert any("bf16 is faster here, but not accurate" in str(each) for each in report.warnings) is not faithful
    # The trial has not changed the training.
    _, named = finish(train(replace(ask("named", head="linear", epochs=1), precision=used)))
    assert report.epochs == named.epochs


def test_bf16_is_faithful_to_the_bundled_model(pairs) -> None:
    settings = replace(PRESETS["nli"], max_length=16)
    data = read_labelled_file(DataFile(str(pairs))).take(np.arange(16))
    model = build_siamese_model("", "mine", settings, "cpu", "bf16", 1)
    objective = make_objective(settings, data.classes, model.checkpoint.dim, normalised=True)
    messages: list[str] = []
    finish(gradients.verify_training_precision(model, objective, data, 42, messages))
    assert (model.precision, messages) == ("bf16", [])


class _OnAppleGpu(torch.Tensor):
    """A tensor on an Apple GPU, which has no float64."""

    @property
    def device(self) -> torch.device:
        return torch.device("mps")

    def double(self) -> torch.Tensor:
        raise TypeError("Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64.")

    def cpu(self) -> torch.Tensor:
        return self.as_subclass(torch.Tensor)


def test_gradients_on_apple_gpus_are_compared_too() -> None:
    a, b = torch.tensor([3.0, 0.0, 4.0]), torch.tensor([0.0, 2.0, 0.0])
    on_gpu = [each.as_subclass(_OnAppleGpu) for each in (a, b)]
    assert gradients._gradient_cosine(on_gpu, on_gpu) == pytest.approx(1.0)
    assert gradients._gradient_cosine(on_gpu[:1], on_gpu[1:]) == 0.0


def test_nothing_is_trained_in_fp16_and_the_model_card_names_the_precision(ask) -> None:
    _, report = finish(train(replace(ask(epochs=1), precision="fp16")))
    assert any("training does not use fp16" in str(each) for each in report.warnings)
    assert read_training_notes(Path(report.output)).settings["precision"] in ("fp32", "bf16")
    assert "| precision | fp16 |" not in (Path(report.output) / "README.md").read_text("utf-8")


def test_auto_trains_a_cross_encoder_on_the_processor(ask, make_model, monkeypatch) -> None:
    chosen = compute_plan.choose_device

    def with_card(device: str, *rest: Any) -> DeviceInfo:
        found = chosen("cpu", *rest)
        return found if device == "cpu" else replace(found, device="cuda")

    monkeypatch.setattr(compute_plan, "choose_device", with_card)
    asked = ask(model=make_model(with_pooler=True), epochs=1, architecture="cross")
    _, report = finish(train(replace(asked, device="auto")))
    assert "a cross-encoder is trained on the CPU, not on the GPU" in map(str, report.warnings)
    assert Path(report.output).is_dir()


def test_other_bodies_have_dropout_only_during_training(make_model, sentences) -> None:
    checkpoint = read_checkpoint(make_model())
    network = load_network(checkpoint).requires_grad_(True)
    rows = TextTokenizer(checkpoint).encode(sentences[:8])
    learns = AutocastForwardPass(network, 0, precision="fp32", device="cpu", seed=1)
    first, other, again = (learns.embed(rows, step).detach() for step in (1, 2, 1))
    assert torch.equal(first, again)
    assert not torch.allclose(first, other, atol=1e-3)
    assert not any(module.training for module in network.modules())
    plain = AutocastForwardPass(network, 0, precision="fp32", device="cpu", seed=1, drops=False).embed(rows, 1).detach()
    with torch.inference_mode():
        judged = network(*pad_rows(rows, 0))
    assert torch.allclose(torch.nn.functional.normalize(plain, dim=1), judged, atol=1e-6)
    assert not torch.allclose(plain, first, atol=1e-3)


@pytest.mark.parametrize("averaging", [0.0, 0.5])
def test_a_stop_during_an_evaluation_repeats_the_evaluation(ask, averaging) -> None:
    settings = {"averaging": averaging, "patience": 1, "epochs": 2}
    _, whole = finish(train(ask("whole", **settings)))
    steps, began = train(ask("halved", **settings)), False
    for each in steps:
        began = began or isinstance(each, StepReport)
        if began and isinstance(each, Progress) and each.phase == "judging":
            break
    with pytest.raises(Cancelled):
        steps.throw(Cancelled())
    seen, resumed = finish(train(ask("halved", resume=True, **settings)))
    assert isinstance(next(each for each in seen if isinstance(each, StepReport | EpochReport)), EpochReport)
    assert (resumed.epochs, resumed.best_epoch, resumed.stopped) == (whole.epochs, whole.best_epoch, whole.stopped)
    vectors = [SiameseEncoder(report.output, precision="fp32").encode(THINGS) for report in (whole, resumed)]
    assert np.array_equal(*vectors)


def test_a_training_that_ended_early_is_not_continued(ask, monkeypatch) -> None:
    still = {"epochs": 9, "learning_rate": 1e-9, "head_learning_rate": 1e-9, "patience": 2}

    with monkeypatch.context() as patched:
        patched.setattr(tasks, "save", _no_room)
        with pytest.raises(StorageFull):
            finish(train(ask(**still)))
    _, report = finish(train(ask(resume=True, **still)))
    assert len(report.epochs) == 3
    assert "no improvement" in str(report.stopped)


def test_the_learning_rate_rises_to_its_maximum_and_falls_to_zero() -> None:
    usual = TrainingSettings(warmup=0.2)
    rates = [learning_rate_factor(step, 10, usual) for step in range(10)]
    assert rates == pytest.approx([0.5, 1.0, 1.0, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125])
    assert learning_rate_factor(0, 10, replace(usual, warmup=0.0)) == 1.0
    constant = replace(usual, optimizer="adam", warmup=0.0)
    assert {learning_rate_factor(step, 10, constant) for step in range(10)} == {1.0}
    weight = torch.nn.Parameter(torch.zeros(1))
    groups = [{"params": [weight], "top": 1e-3}]
    optimizer = loop.EagerAdamW(groups, lr=1e-3)
    set_learning_rate(optimizer, 4, 10, usual)
    assert optimizer.param_groups[0]["lr"] == pytest.approx(0.75e-3)


def test_the_optimizer_takes_the_steps_of_adamw() -> None:
    """As Loshchilov & Hutter (2019) write them, algorithm 2."""
    weight = torch.nn.Parameter(torch.tensor([1.0, -2.0]))
    optimizer = loop.EagerAdamW([{"params": [weight], "lr": 0.1, "weight_decay": 0.5}], fused=True)
    expected, mean, square = np.array([1.0, -2.0]), np.zeros(2), np.zeros(2)
    for step, gradient in enumerate(np.array([[3.0, -1.0], [-2.0, 0.5], [0.1, 4.0]]), start=1):
        (weight * torch.tensor(gradient, dtype=torch.float32)).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
        mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
        root = np.sqrt(square / (1 - 0.999**step)) + 1e-8
        expected = expected * (1 - 0.1 * 0.5) - 0.1 * mean / (1 - 0.9**step) / root
        np.testing.assert_allclose(weight.detach().numpy(), expected, rtol=1e-5)
    assert weight.grad is None


def test_only_matrices_decay_and_new_layers_have_their_own_rate(tiny) -> None:
    usual = TrainingSettings("binary", weight_decay=0.5, learning_rate=1e-5, head_learning_rate=1e-2)
    for settings, expected in ((usual, 0.5), (replace(usual, optimizer="adam"), 0.0)):
        model = build_siamese_model(str(tiny), "mine", settings, "cpu", "fp32", 1)
        objective = make_objective(settings, ("different", "same"), model.checkpoint.dim, normalised=True)
        new = {id(weight) for weight in objective.parameters()}
        seen = set()
        optimizer = loop.make_optimizer(model, objective, settings)
        assert isinstance(optimizer, loop.EagerAdamW), "torch's own loads its compiler"
        for group in optimizer.param_groups:
            for weight in group["params"]:
                seen.add(id(weight))
                assert group["weight_decay"] == (expected if weight.ndim > 1 else 0.0)
                assert group["lr"] == (1e-2 if id(weight) in new else 1e-5)
                assert (group["betas"], group["eps"]) == ((0.9, 0.999), 1e-8)
        assert seen == {id(weight) for weight in model.network.parameters()} | new


def test_gradients_are_clipped(ask, monkeypatch) -> None:
    lengths: dict[float, list[float]] = {}
    make = loop.make_optimizer

    def watched(*arguments: Any) -> torch.optim.Optimizer:
        optimizer = make(*arguments)

        def measured(*_: Any) -> None:
            gradients = [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
            lengths[clip].append(float(torch.stack([each.norm() for each in gradients]).norm()))

        optimizer.register_step_pre_hook(measured)
        return optimizer

    monkeypatch.setattr(loop, "make_optimizer", watched)
    for clip in (1e9, 0.01):
        lengths[clip] = []
        finish(train(ask(f"clipped-{clip}", clip=clip, epochs=1, validation=0.0)))
    assert max(lengths[1e9]) > 0.02
    assert lengths[0.01] == pytest.approx([0.01] * 6, rel=1e-3)


def test_accumulated_batches_equal_one_larger_batch(ask, make_model) -> None:
    still = make_model()
    config = json.loads((still / "config.json").read_text("utf-8"))
    config |= {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    (still / "config.json").write_text(json.dumps(config), "utf-8")
    settings = {"objective": "cosine", "epochs": 1, "validation": 0.0, "model": still}
    reports = [
        finish(train(ask(f"batch-{size}", batch_size=size, accumulation=count, **settings)))[1]
        for size, count in ((12, 1), (4, 3))
    ]
    assert [report.epochs[0].loss for report in reports] == pytest.approx([reports[0].epochs[0].loss] * 2, rel=1e-5)
    vectors = [SiameseEncoder(report.output, device="cpu", precision="fp32").encode(THINGS) for report in reports]
    assert np.allclose(*vectors, atol=1e-4)


def test_the_average_starts_as_a_plain_mean_and_then_favours_the_latest_steps() -> None:
    weight = torch.nn.Parameter(torch.zeros(2))
    average = WeightAverage([weight], span=3)
    for value in (3.0, 6.0, 9.0):
        weight.data.fill_(value)
        average.update()
    assert average.weights[0].tolist() == pytest.approx([6.0, 6.0])
    weight.data.fill_(12.0)
    average.update()
    assert average.weights[0].tolist() == pytest.approx([8.0, 8.0])
    with average.swap_in():
        assert weight.tolist() == pytest.approx([8.0, 8.0])
    assert weight.tolist() == [12.0, 12.0]


def test_without_validation_rows_the_average_is_saved(ask, monkeypatch) -> None:
    seen: list[torch.Tensor] = []
    update = WeightAverage.update

    def watched(self: WeightAverage) -> None:
        seen.append(self._parameters[1].detach().clone())  # of positions: all of them are trained
        update(self)

    monkeypatch.setattr(WeightAverage, "update", watched)
    _, report = finish(train(ask(averaging=0.99, validation=0.0, epochs=1)))
    assert report.averaged
    saved = SiameseEncoder(report.output, device="cpu", precision="fp32").network
    assert torch.allclose(list(saved.parameters())[1], torch.stack(seen).mean(dim=0), atol=1e-6)
    assert "average" in (Path(report.output) / "README.md").read_text("utf-8")


def test_the_better_of_average_and_last_weights_is_kept(ask, monkeypatch) -> None:
    kept = []
    for better in (False, True):
        wanted = iter([0.1, 0.2, 0.0] if better else [0.2, 0.1, 0.0])  # the last is that of the start
        monkeypatch.setattr(loop, "figure_of_merit", lambda *_, wanted=wanted: next(wanted))
        _, report = finish(train(ask(f"better-{better}", averaging=0.9, epochs=1)))
        assert report.averaged is better
        assert report.judged.measures == report.after == report.epochs[0].validation
        kept.append(SiameseEncoder(report.output, device="cpu", precision="fp32").encode(THINGS))
    assert not np.allclose(*kept, atol=1e-4)


def _weights(folder: str) -> list[torch.Tensor]:
    return list(SiameseEncoder(folder, device="cpu", precision="fp32").network.parameters())


def test_without_validation_rows_the_weights_of_all_runs_are_averaged(ask) -> None:
    """Each run begins with the same weights, and sees other orders."""
    halves = {}
    for runs in (1, 2):
        _, report = finish(train(ask(f"runs-{runs}", runs=runs, validation=0.0, epochs=1)))
        assert (report.combined, len(report.epochs)) == (runs, runs)
        halves[runs] = _weights(report.output)
    first = _weights(ask().model)
    ways = []
    for start, one, both in zip(first, halves[1], halves[2], strict=True):
        other = 2 * both - one  # the second run's
        assert not torch.equal(start, one) or torch.equal(start, other)
        if not torch.equal(start, one):
            assert not torch.allclose(one, other, atol=1e-7)
            ways.append(((one - start).norm().item(), (other - start).norm().item()))
    of_one, of_other = np.linalg.norm(ways, axis=0)
    assert of_other == pytest.approx(of_one, rel=0.1), "a mean of unequal parts would show the second far away"


@pytest.mark.parametrize(("merits", "combined"), [([0.2, 0.1, 0.3, 0.25, 0.4], 3), ([0.2, 0.1, 0.3, 0.25, 0.2], 1)])
def test_a_run_joins_the_average_if_the_validation_rows_get_better(ask, monkeypatch, merits, combined) -> None:
    """Of three runs, one with each of the first merits, then of the means, the best run first; then of the start."""
    means = {3: [0.31, 0.32], 1: [0.29, 0.28]}[combined]
    wanted = iter([*merits[:3], *means, 0.0])
    monkeypatch.setattr(loop, "figure_of_merit", lambda *_: next(wanted))
    _, report = finish(train(ask(runs=3, epochs=1)))
    assert (report.combined, report.best_epoch) == (combined, 3)
    assert report.judged.measures == report.after


def test_weights_on_two_devices_are_mixed() -> None:
    """Those of finished runs come from a checkpoint, on the processor; those of a resumed run may be on a GPU."""
    on_another_device = {"network": {"weight": torch.zeros(2, device="meta")}}
    mixed = loop.mix_weights(on_another_device, {"network": {"weight": torch.ones(2)}}, 0.5)
    assert mixed["network"]["weight"].device.type == "meta"


def test_patience_ends_a_run_and_not_the_runs_after_it(ask, monkeypatch) -> None:
    merits = iter([0.5, 0.4, 0.3, 0.6, 0.2, 0.0, 0.0])  # epochs 1, 2; 4, 5, 6; the mean; the start
    monkeypatch.setattr(loop, "figure_of_merit", lambda *_: next(merits))
    _, report = finish(train(ask(runs=2, epochs=3, patience=1)))
    assert [each.epoch for each in report.epochs] == [1, 2, 4, 5, 6]
    assert str(report.stopped) == "no improvement (patience 1)"


@pytest.mark.parametrize("stops", [(), (9,)])
def test_the_start_is_kept_if_no_epoch_is_as_good(ask, monkeypatch, stops) -> None:
    """Also by a resumed run, which begins with other weights than those of the start."""
    asked = ask(epochs=2, averaging=0.5, batch_size=4)
    _, before = finish(train(ask("whole", epochs=1)))
    monkeypatch.setattr(loop, "figure_of_merit", lambda _, found: -found["rows"] + ("intervals" in found))
    started = loop.TrainingLoop._compare_with_start

    def better_start(self, *arguments: Any) -> Any:
        self._merit -= 1.0
        yield from started(self, *arguments)

    monkeypatch.setattr(loop.TrainingLoop, "_compare_with_start", better_start)
    for stop_at in stops:
        _stopped(asked, stop_at)
    _, report = finish(train(replace(asked, resume=bool(stops))))
    assert (report.best_epoch, report.averaged) == (0, False)
    assert report.before == before.before
    assert report.after != report.before, "the report says what the training came to"
    assert report.difference.before == pytest.approx(report.before["average_precision"])
    assert report.difference.after == pytest.approx(report.after["average_precision"])
    both = (SiameseEncoder(folder, device="cpu", precision="fp32") for folder in (asked.model, report.output))
    vectors = [encoder.encode(THINGS) for encoder in both]
    assert np.array_equal(*vectors)
    notes = read_training_notes(Path(report.output))
    assert notes.settings["weights"] == "initial"
    assert notes.scores["after"] == notes.scores["before"]
    assert notes.threshold == report.threshold == pytest.approx(report.before["threshold"])


def test_an_equally_good_epoch_is_kept(ask, monkeypatch) -> None:
    """Of few rows a model may get all right before and after: the training is not thrown away then."""
    monkeypatch.setattr(loop, "figure_of_merit", lambda *_: 1.0)
    _, report = finish(train(ask(epochs=1)))
    assert report.best_epoch == 1


@pytest.mark.parametrize("architecture", ["siamese", "cross"])
def test_words_that_do_not_occur_stay_as_they_were(ask, pairs, make_model, architecture) -> None:
    model = make_model(with_pooler=True) if architecture == "cross" else make_model()
    asked = ask(model=model, epochs=1, weight_decay=0.5, architecture=architecture, validation=0.0)
    _, report = finish(train(asked))
    before, after = (
        load_network(read_checkpoint(Path(folder))).body.embeddings.word_embeddings.weight
        for folder in (asked.model, report.output)
    )
    assert before.shape == after.shape
    texts = [text for row in pairs.read_text("utf-8").splitlines()[1:] for text in row.split("\t")[:2]]
    occurring = {int(each) for ids in TextTokenizer(read_checkpoint(Path(asked.model))).encode(texts) for each in ids}
    stays = (before == after).all(dim=1).tolist()
    occurring.add(0)  # padding
    others = [number for number in range(len(stays)) if number not in occurring]
    assert others
    assert all(stays[number] for number in others)
    assert not any(stays[number] for number in occurring)


def test_a_checkpoint_of_another_training_is_refused(ask, pairs, tmp_path) -> None:
    steps = train(ask(validation=0.0))
    for each in steps:
        if isinstance(each, StepReport):
            break
    steps.close()
    with pytest.raises(BadData, match="training: the settings differ"):
        finish(train(ask(resume=True, seed=7, validation=0.0)))
    other = tmp_path / "pairs.tsv"
    other.write_text(pairs.read_text("utf-8") + "\na cat\ta ship\t0", "utf-8")
    with pytest.raises(BadData, match="training: the training data differ"):
        finish(train(ask(resume=True, data=other, validation=0.0)))


def test_a_stop_before_the_second_step_leaves_only_a_checkpoint_of_the_first(ask) -> None:
    points = 1
    steps = train(ask("counted"))
    while not isinstance(next(steps), StepReport):
        points += 1
    steps.close()
    for point in range(1, points + 1):
        steps = train(ask(f"stopped-{point}"))
        for _ in range(point):
            next(steps)
        with pytest.raises(Cancelled):
            steps.throw(Cancelled())
        output = Path(ask(f"stopped-{point}").output)
        assert not output.exists()
        assert checkpoints.checkpoint_folder(output).exists() == (point == points)


def test_a_loss_that_is_not_finite_keeps_the_best_epoch(ask, monkeypatch) -> None:
    gradient, calls = loop.TrainingLoop._add_gradient, []

    def broken(self, *arguments: Any) -> float:
        calls.append(1)
        return math.nan if len(calls) > 7 else gradient(self, *arguments)

    monkeypatch.setattr(loop.TrainingLoop, "_add_gradient", broken)
    _, report = finish(train(ask(validation=0.0)))
    assert "became invalid (NaN) in step 8" in str(report.stopped)
    assert (report.best_epoch, len(report.epochs)) == (1, 1)
    assert np.isfinite(SiameseEncoder(report.output).encode(["a cat"])).all()
    calls.extend([1] * 9)
    with pytest.raises(AppError, match="before the first epoch"):
        finish(train(ask("other")))
    assert not Path(ask("other").output).exists()


@pytest.mark.parametrize("validation", [0.0, 0.25])
def test_an_exploding_learning_rate_is_an_error_and_nothing_is_kept(ask, validation) -> None:
    with pytest.raises(AppError, match=r"invalid") as caught:
        finish(train(ask(learning_rate=1e30, warmup=0.0, validation=validation)))
    assert str(caught.value.hint) == "Try a smaller --learning-rate."
    output = Path(ask().output)
    assert not output.exists()
    assert not checkpoints.checkpoint_folder(output).exists()


@pytest.mark.parametrize("averaging", [0.0, 0.5])
def test_weights_that_become_infinite_in_an_epochs_last_step_are_never_kept(ask, monkeypatch, averaging) -> None:
    usual = loop.set_learning_rate

    def exploding(optimizer: Any, step: int, *rest: Any) -> float:
        rate = usual(optimizer, step, *rest)
        for group in optimizer.param_groups:
            group["lr"] = 1e30 if step == 11 else group["lr"]
        return rate

    monkeypatch.setattr(loop, "set_learning_rate", exploding)
    _, report = finish(train(ask(validation=0.0, averaging=averaging)))
    assert (report.best_epoch, len(report.epochs)) == (1, 2)
    assert "became invalid (NaN) in epoch 2" in str(report.stopped)
    assert np.isfinite(SiameseEncoder(report.output).encode(THINGS)).all()


def _no_room(*_: Any) -> None:
    raise OSError(28, "No space left on device")


def test_a_full_disk_costs_only_the_checkpoint_and_is_reported_at_once(ask, monkeypatch) -> None:
    monkeypatch.setattr(loop, "save_checkpoint", _no_room)
    seen, report = finish(train(ask(epochs=2)))
    (notice,) = [each for each in seen if isinstance(each, TrainingNotice) and each.text.code == "checkpoint_failed"]
    assert "(No space left on device). The training continues; free some disk space before it ends" in str(notice.text)
    assert isinstance(seen[seen.index(notice) - 1], EpochReport)  # it is not the last epoch's
    assert notice.text in report.warnings
    best = max(report.epochs, key=lambda each: each.validation["average_precision"])
    assert (report.best_epoch in (0, best.epoch), report.after) == (True, best.validation)
    assert np.isfinite(SiameseEncoder(report.output).encode(["a cat"])).all()


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), RuntimeError("file write failed")])
def test_a_partly_written_checkpoint_leaves_the_previous_one(ask, monkeypatch, error) -> None:
    write, steps = torch.save, []

    def full(state: dict[str, Any], out: Any) -> None:
        steps.append(state["step"])
        if len(steps) == 2:
            out.write(b"half of it")
            raise error
        write(state, out)

    monkeypatch.setattr(torch, "save", full)
    running, folder = train(ask()), checkpoints.checkpoint_folder(Path(ask().output))
    while not (isinstance(each := next(running), TrainingNotice) and each.text.code == "checkpoint_failed"):
        pass
    assert steps == [5, 10]
    assert sorted(path.name for path in folder.iterdir()) == ["checkpoint.pt", "request.json"]
    assert torch.load(folder / checkpoints.CHECKPOINT_FILE, weights_only=True)["step"] == 5
    running.close()


def test_without_space_for_model_and_checkpoint_the_loss_is_reported(ask, monkeypatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(tasks, "save", _no_room)
        patched.setattr(torch, "save", _no_room)
        with pytest.raises(StorageFull, match="No space left") as caught:
            finish(train(ask(epochs=1)))
    assert "train again" in str(caught.value.hint)
    output = Path(ask().output)
    assert not output.exists()
    assert not checkpoints.checkpoint_folder(output).exists()  # and the name is free again


def test_after_a_full_disk_at_the_end_the_training_can_be_resumed(ask, monkeypatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(tasks, "save", _no_room)
        with pytest.raises(StorageFull, match="No space left") as caught:
            finish(train(ask(epochs=1)))
    assert str(caught.value.hint) == "Free some disk space and resume the training (--resume)."
    output = Path(ask().output)
    assert not output.exists()
    (left,) = find_unfinished_trainings(output.parent)
    assert left.request == ask(epochs=1)
    _, report = finish(train(replace(left.request, resume=True)))
    assert report.resumed_at == 5
    assert output.is_dir()
    assert find_unfinished_trainings(output.parent) == []


@needs_mount
def test_a_disk_that_is_full_at_the_end_is_reported_and_costs_nothing_else(ask, tmp_path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        request = replace(ask(epochs=1), output=str(disk / "trained"))
        steps = train(request)
        while not isinstance(next(steps), EpochReport):
            pass
        next(steps)  # the checkpoint of the epoch is written
        fill(disk, 90_000)
        with pytest.raises(StorageFull, match="No space left") as caught:
            finish(steps)
        assert str(caught.value.hint) == "Free some disk space and resume the training (--resume)."
        (disk / "filler").unlink()
        _, report = finish(train(replace(request, resume=True)))
        assert report.resumed_at == 5
        assert np.isfinite(SiameseEncoder(report.output).encode(["a cat"])).all()


@needs_mount
def test_a_checkpoint_that_a_full_disk_refuses_says_so_and_leaves_the_previous_one(ask, tmp_path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        steps = train(replace(ask(), output=str(disk / "trained")))
        while not isinstance(next(steps), EpochReport):
            pass
        next(steps)
        before = find_unfinished_trainings(disk)
        fill(disk, 20_000)
        while not (isinstance(each := next(steps), TrainingNotice) and each.text.code == "checkpoint_failed"):
            pass
        (disk / "filler").unlink()
        steps.close()
        assert "No space left on device" in str(each.text)
        assert [each.request for each in find_unfinished_trainings(disk)] == [each.request for each in before]


@needs_mount
def test_a_request_that_a_full_disk_refuses_leaves_the_previous_one(tmp_path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        output, folder = disk / "trained", checkpoints.checkpoint_folder(disk / "trained")
        checkpoints.save_checkpoint(output, {}, {}, "a request")
        fill(disk, 2 * 4096)  # the checkpoint fits
        with pytest.raises(OSError, match="No space left"):
            checkpoints.save_checkpoint(output, {}, {}, "another request " * 900)
        assert (folder / "request.json").read_text("utf-8") == "a request"
        assert checkpoints.has_checkpoint(output)


@needs_mount
def test_requests_of_stages_that_a_full_disk_refuses_leave_the_previous_ones(ask, tmp_path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        output = disk / "trained"
        stages = [replace(ask(), output=str(output))] * 2
        write_stages(stages_folder(output), stages, alone=False)
        (stages_folder(output) / "stage-1").mkdir()
        fill(disk, 0)
        with pytest.raises(OSError, match="No space left"):
            write_stages(stages_folder(output), stages * 5, alone=False)
        (found,) = find_unfinished_trainings(disk)
        assert len(found.stages) == 2


_KILLED = """
import os, sys
from pathlib import Path
import torch
from desktop_app.encoder.training.checkpoints import save_checkpoint
def write_half(state, out):
    out.write(b"half")
    out.flush()
    os._exit(9)
torch.save = write_half
save_checkpoint(Path(sys.argv[1]), {}, {})
"""


def test_the_next_start_deletes_a_checkpoint_that_a_killed_training_has_written_by_half(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("KINDRED_UNFINISHED", "")
    keep_records(tmp_path / "unfinished")
    output, folder = tmp_path / "trained", checkpoints.checkpoint_folder(tmp_path / "trained")
    checkpoints.save_checkpoint(output, {}, {}, "a request")
    before = sorted(folder.iterdir())
    killed = subprocess.run(
        [sys.executable, "-c", _KILLED, str(output)], check=False, cwd=Path(__file__).parents[2], env={**os.environ}
    )
    assert killed.returncode == 9
    assert len(list(folder.iterdir())) == len(before) + 1
    keep_records(tmp_path / "unfinished")
    assert sorted(folder.iterdir()) == before


@needs_mount
def test_a_tokenizer_that_a_full_disk_refuses_raises_as_other_files_do(tiny, tmp_path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        fill(disk, 0)
        with pytest.raises(OSError, match="No space left"):
            TextTokenizer(read_checkpoint(tiny)).save(disk / "tokenizer.json")


def test_the_worst_pairs_and_the_curves_are_those_of_the_kept_epoch(ask) -> None:
    _, report = finish(train(ask(epochs=2)))
    assert report.judged.measures == report.after
    assert report.judged_before.measures == report.before
    assert {"roc", "precision-recall"} == set(report.judged.curves)
    wrong = round((1 - report.after["accuracy"]) * report.validation_rows)
    assert len(report.judged.worst) == wrong
    assert all(pair.expected != pair.found for pair in report.judged.worst)


def test_epochs_without_improvement_end_it_early(ask) -> None:
    _, report = finish(train(ask(epochs=30, learning_rate=1e-9, head_learning_rate=1e-9, patience=2)))
    assert len(report.epochs) == 3
    assert "no improvement" in str(report.stopped)


@pytest.mark.parametrize(
    ("changes", "model"),
    [
        ({"projection": 12}, {}),
        ({"projection": 12}, {"normalize": False}),
        ({"projection": 12, "normalize": False}, {}),
        ({"normalize": False}, {"dense": [{"in_features": 32, "out_features": 16}]}),
        ({"pooling": "max"}, {}),
        ({"pooling": "pooler"}, {}),
        ({"pooling": "cls", "max_length": 16}, {"normalize": False}),
        ({}, {"dense": [{"in_features": 32, "out_features": 16}]}),
    ],
)
def test_sentence_transformers_loads_it_with_the_same_vectors(ask, make_model, sentences, changes, model) -> None:
    from sentence_transformers import SentenceTransformer

    _, report = finish(train(ask(model=make_model(**model), epochs=1, validation=0.0, **changes)))
    encoder = SiameseEncoder(report.output, device="cpu", precision="fp32")
    reference = SentenceTransformer(report.output, device="cpu")
    ours, theirs = encoder.encode(sentences), reference.encode(sentences, normalize_embeddings=True)
    assert (ours * theirs).sum(axis=1).min() >= 0.9999
    assert ours.shape[1] == changes.get("projection", 16 if "dense" in model else 32)
    np.testing.assert_allclose(encoder.encode(sentences, normalize=False), reference.encode(sentences), atol=1e-4)


def test_without_normalisation_a_triplet_margin_acts_on_free_vectors(ask, tmp_path) -> None:
    """On vectors of length 1 no distance exceeds 2; free ones may be as far apart as the margin asks for."""
    rows = [
        f"the {thing} {deed}\ta {thing} {deed} again\tno {THINGS[n % 5]} {DEEDS[n % 3]}"
        for n, (thing, deed) in enumerate((thing, deed) for thing in THINGS[5:] for deed in DEEDS[3:])
    ]
    file = _file(tmp_path, "anchor\tpositive\tnegative", rows)
    file = file.rename(file.with_suffix(".tsv"))
    lengths, losses = {}, {}
    for free in (False, True):
        settings = {"distance": "euclidean", "margin": 4.0, "projection": 8, "normalize": not free, "validation": 0.0}
        asked = ask(
            f"free-{free}",
            data=file,
            objective="triplet",
            epochs=4,
            learning_rate=1e-2,
            head_learning_rate=3e-2,
            **settings,
        )
        _, report = finish(train(asked))
        saved = read_checkpoint(Path(report.output))
        assert saved.normalised is not free
        modules = json.loads((Path(report.output) / "modules.json").read_text("utf-8"))
        assert [each["type"].rpartition(".")[2] for each in modules] == [
            *("Transformer", "Pooling", "Dense"),
            *([] if free else ["Normalize"]),
        ]
        encoder = SiameseEncoder(report.output, device="cpu", precision="fp32")
        lengths[free] = np.linalg.norm(encoder.encode(THINGS, normalize=False), axis=1)
        losses[free] = report.epochs[-1].loss
        # The library stores vectors of length 1 in either case.
        np.testing.assert_allclose(np.linalg.norm(encoder.encode(THINGS), axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(lengths[False], 1.0, atol=1e-5)
    assert lengths[True].max() > 1.5
    assert losses[True] < losses[False], "a margin of 4 cannot be reached on the unit sphere"


def test_a_checkpoint_of_a_version_without_a_setting_is_resumed(ask, monkeypatch) -> None:
    asked = ask(epochs=1)
    _stopped(asked, 2)
    file = checkpoints.checkpoint_folder(Path(asked.output)) / checkpoints.CHECKPOINT_FILE
    state = torch.load(file, weights_only=True)
    del state["facts"]["settings"]["normalize"]
    torch.save(state, file)
    _, report = finish(train(replace(asked, resume=True)))
    assert report.resumed_at == 2


def test_attention_pooling_learns_its_weights(ask) -> None:
    _, report = finish(train(ask(pooling="attention", epochs=1, validation=0.0)))
    encoder = SiameseEncoder(report.output)
    assert encoder.model.pooling == "attention"
    assert float(encoder.network.attention.weight.abs().max()) > 0


def _file(folder: Path, header: str, rows: list[str]) -> Path:
    file = folder / f"{header.replace(',', '_')}.csv"
    file.write_text("\n".join([header, *rows]), "utf-8")
    return file


@pytest.mark.parametrize(
    ("objective", "header", "measure"),
    [
        ("softmax", "premise,hypothesis,label", "accuracy"),
        ("cosine", "sentence1,sentence2,score", "spearman"),
        ("contrastive", "sentence1,sentence2,label", "average_precision"),
        ("triplet", "anchor,positive,negative", "accuracy"),
        ("triplet", "anchor,positive", "mrr@10"),
        ("ranking", "anchor,positive", "mrr@10"),
        ("ranking", "anchor,positive,negative", "accuracy"),
    ],
)
def test_every_objective_learns_from_its_data(ask, tmp_path, objective, header, measure) -> None:
    third = {
        "label": lambda n: ("entailment", "neutral", "contradiction")[n % 3] if "premise" in header else str(n % 2),
        "score": lambda n: str(n % 6),
        "negative": lambda n: f"a lamp {n}",
    }
    last = header.rpartition(",")[2]
    rows = [f"the {THINGS[n % 13]} {n},one {THINGS[n % 13]} {n}" for n in range(30)]
    rows = [f"{row},{third[last](n)}" if last in third else row for n, row in enumerate(rows)]
    _, report = finish(train(ask(data=_file(tmp_path, header, rows), objective=objective, epochs=2)))
    assert measure in report.after
    assert all(math.isfinite(each.loss) for each in report.epochs)
    head = load_head(Path(report.output))
    assert (head is not None) == (objective == "softmax")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["a,b,1", "c,d,1", "e,f,1"], "'same'"),
        (["a,b,1", "c,d,0", "e,f,1"], "too few"),
        (["a,,1", "c,d,0"], "line 2 has no text"),
    ],
)
def test_useless_data_is_refused(ask, tmp_path, rows, message) -> None:
    with pytest.raises(BadData, match=message):
        finish(train(ask(data=_file(tmp_path, "sentence1,sentence2,label", rows))))
    assert not Path(ask().output).exists()


def test_data_that_does_not_fit_the_objective_is_refused(ask, tmp_path) -> None:
    scores = _file(tmp_path, "sentence1,sentence2,score", ["a,b,1", "c,d,3"])
    with pytest.raises(BadData, match="needs duplicates"):
        finish(train(ask(data=scores)))


def test_a_batch_larger_than_the_data_is_reported(ask) -> None:
    _, report = finish(train(ask(batch_size=500, epochs=1)))
    assert any("larger than" in str(warning) for warning in report.warnings)


def test_an_existing_folder_is_not_touched(ask) -> None:
    Path(ask().output).mkdir()
    with pytest.raises(AppError, match="already exists"):
        finish(train(ask()))


def test_a_trained_model_can_be_trained_further(ask) -> None:
    _, first = finish(train(ask("first", projection=12, epochs=1)))
    _, second = finish(train(ask("second", model=first.output, epochs=1)))
    assert SiameseEncoder(second.output).dim == 12
    assert json.loads((Path(second.output) / "modules.json").read_text("utf-8"))[2]["type"].endswith("Dense")


@pytest.fixture
def partners(tmp_path) -> Path:
    """Pairs that belong together."""
    rows = [f"the {thing} {deed}\ta {thing} {deed} again" for thing in THINGS[:4] for deed in DEEDS[:3]]
    file = tmp_path / "partners.tsv"
    file.write_text("anchor\tpositive\n" + "\n".join(rows), "utf-8")
    return file


def _labelled(folder: Path, name: str, labels: str) -> Path:
    """Write pairs of distinct sentences, a row for each label: `s`ame or `d`ifferent."""
    rows = [
        f"the {THINGS[n % 13]} {n}\tone {THINGS[n % 13]} {n} of {name}\t{int(label == 's')}"
        for n, label in enumerate(labels)
    ]
    file = folder / f"{name}.tsv"
    file.write_text("sentence1\tsentence2\tlabel\n" + "\n".join(rows), "utf-8")
    return file


@pytest.mark.parametrize("objective", ["triplet", "ranking"])
def test_objectives_that_learn_from_partners_need_no_other_rows(ask, tmp_path, objective) -> None:
    same = _labelled(tmp_path, "same", "s" * 16)
    _, report = finish(train(ask(data=same, objective=objective, epochs=1)))
    assert (report.rows, report.validation_rows, report.threshold) == (12, 4, None)
    assert report.after["rows"] == 4
    assert "mrr@10" in report.after
    assert any("finds its partner" in str(warning) for warning in report.warnings)
    with pytest.raises(BadData, match="'same'") as caught:
        finish(train(ask("other", data=same)))
    assert "--objective ranking such pairs alone" in str(caught.value.hint)


def test_validation_rows_of_partners_may_have_equal_labels(ask, tmp_path) -> None:
    mixed, same, other = (
        _labelled(tmp_path, *each) for each in (("mixed", "sd" * 8), ("held", "ssss"), ("off", "dddd"))
    )
    asked = ask(data=mixed, objective="ranking", epochs=1)
    data, held, *_ = read_training_rows(replace(asked, validation_file=DataFile(str(same))))
    assert (data.kind, len(data), held.kind, len(held)) == ("pairs", 6, "pairs", 4)  # two share a sentence
    with pytest.raises(BadData, match=r"None of the 4 rows of .*off.tsv is 'same', but ranking needs such pairs"):
        read_training_rows(replace(asked, validation_file=DataFile(str(other))))
    # Both labels say more: how well the two are distinguished.
    assert read_training_rows(asked)[1].kind == "duplicates"
    with pytest.raises(BadData, match="None of the 4 rows"):
        read_training_rows(ask(data=other, objective="triplet"))
    few = _labelled(tmp_path, "few", "sssddddd")
    with pytest.raises(BadData, match="3 training rows that are 'same' are too few"):
        read_training_rows(ask(data=few, objective="ranking", validation=0.0))


def test_entailments_count_as_partners(ask, tmp_path) -> None:
    rows = [f"the {thing} sleeps\ta {thing} is asleep\tentailment" for thing in THINGS]
    file = tmp_path / "nli.tsv"
    file.write_text("premise\thypothesis\tlabel\n" + "\n".join(rows), "utf-8")
    data, held, *_ = read_training_rows(ask(data=file, objective="ranking"))
    assert (data.kind, held.kind, len(data) + len(held)) == ("pairs", "pairs", len(rows))
    with pytest.raises(BadData, match="'entailment'"):
        read_training_rows(ask(data=file, objective="softmax"))


@pytest.mark.parametrize("objective", ["triplet", "ranking"])
def test_rows_get_the_negatives_found_for_them(ask, partners, tmp_path, objective) -> None:
    asked = ask(data=partners, objective=objective, mining="library", epochs=1)
    wanted = finish(tasks.list_anchors(asked))[1]
    assert len(wanted.pairs) == 9
    assert not wanted.held & {text for pair in wanted.pairs for text in pair}
    with pytest.raises(AppError, match="No negatives were collected"):
        finish(train(asked))
    file = tmp_path / "negatives.jsonl"
    write_negatives(file, {pair: f"no {pair[0]}" for pair in wanted.pairs[1:]})
    data, validation, _, warnings = read_training_rows(replace(asked, negatives=str(file)))
    assert data.kind == "triplets"
    assert data.texts[2] == tuple(f"no {anchor}" for anchor in data.texts[0])
    assert len(data) == 8
    assert any(str(warning).startswith("1 rows have no negative") for warning in warnings)
    assert validation.kind == "pairs"
    _, report = finish(train(replace(asked, negatives=str(file))))
    assert "mrr@10" in report.after


def test_found_negatives_are_added_to_given_ones(ask, tmp_path) -> None:
    file = tmp_path / "triplets.tsv"
    rows = [f"the {thing} sleeps\ta {thing} is asleep\tthe {thing} is loud" for thing in THINGS]
    file.write_text("anchor\tpositive\tnegative\n" + "\n".join(rows), "utf-8")
    asked = ask(data=file, objective="triplet", mining="library", validation=0.0)
    mined = tmp_path / "negatives.jsonl"
    pair = finish(tasks.list_anchors(asked))[1].pairs[0]
    write_negatives(mined, {pair: "a ship"})
    data, *_ = read_training_rows(replace(asked, negatives=str(mined)))
    assert len(data) == len(rows) + 1
    assert [column[-1] for column in data.texts] == [*pair, "a ship"]


def test_negatives_of_the_library_are_only_for_objectives_with_negatives(ask) -> None:
    for changes in ({"objective": "contrastive"}, {"objective": "triplet", "architecture": "cross"}):
        with pytest.raises(UsageError, match="work with triplet and ranking"):
            finish(tasks.list_anchors(ask(mining="library", **changes)))


def test_indirect_partners_are_not_negatives() -> None:
    def keys(kind: str, *columns: str) -> list[list[int]]:
        texts = tuple(tuple(column.split()) for column in columns)
        labels = None if kind in ("pairs", "triplets") else np.ones(len(texts[0]), np.int64)
        made = DataSet(kind, ("a", "b", "c")[: len(texts)], texts, labels, np.arange(len(texts[0])))
        return [column.tolist() for column in text_keys(made)]

    first, second = keys("pairs", "a c e g i", "b d c h j")
    assert first[1] == second[1] == first[2] == second[2]  # c, d and e
    assert len({first[0], first[1], first[3], first[4]}) == 4
    third = keys("triplets", "a c e g i", "b d c h j", "d x x x x")[2]
    assert third[0] == first[1]  # given as a negative elsewhere, it is still one of them
    # Labelled rows join nothing, and neither do links that would join nearly everything.
    assert len({number for column in keys("duplicates", "a b c", "b c d") for number in column}) == 4
    assert len({number for column in keys("pairs", "a b c", "b c d") for number in column}) == 4


def test_another_partner_of_the_anchor_is_not_wrong_in_the_validation() -> None:
    anchors, positives = tuple("aaegi"), tuple("bcfhj")
    data = DataSet("pairs", ("anchor", "positive"), (anchors, positives), None, np.arange(5))
    u = np.eye(5, dtype=np.float32)
    u[1] = u[0]
    v = np.eye(5, dtype=np.float32)
    v[0] = [0.6, 0, 0, 0, 0.8]  # the anchor of the first row is nearer to the second row's positive
    v[1] = u[0]
    assert evaluate_validation(data, [u, v], None, None).measures == {"accuracy@1": 1.0, "mrr@10": 1.0, "rows": 5}
    v[2], v[3] = u[3], u[2]  # two others are swapped
    assert evaluate_validation(data, [u, v], None, None).measures["accuracy@1"] == pytest.approx(0.6)


def test_vectors_that_are_all_the_same_find_no_partner() -> None:
    """An epoch after which all texts have one vector is the worst, not the best; as with triplets."""
    columns = tuple("abcdefghij"), tuple("klmnopqrst")
    data = DataSet("pairs", ("anchor", "positive"), columns, None, np.arange(10))
    same = np.ones((10, 4), np.float32)
    found = evaluate_pairs(data, [same, same], worst=20, every_row=True)
    assert found.measures == {"accuracy@1": 0.0, "mrr@10": pytest.approx(0.1), "rows": 10}
    assert {row.found for row in found.rows} == {"rank 10"}
    assert len(found.worst) == 10
    assert all(each.other != each.b for each in found.worst)


def test_a_model_is_on_the_disk_before_its_checkpoint_is_deleted(ask, monkeypatch) -> None:
    sync, synced, deleted = os.fsync, set(), []

    def note_sync(number: int) -> None:
        sync(number)
        synced.add(os.fstat(number).st_ino)

    def delete(output: Path) -> None:
        deleted.append({file.relative_to(output) for file in output.rglob("*") if file.stat().st_ino not in synced})
        checkpoints.delete_checkpoint(output)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(tasks, "delete_checkpoint", delete)
    finish(train(asked := ask()))
    output = Path(asked.output)
    folders = {folder.relative_to(output) for folder in output.rglob("*") if folder.is_dir()}
    assert deleted == [folders]
