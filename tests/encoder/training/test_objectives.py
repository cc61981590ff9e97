"""Objectives equal their formulas, and the losses of sentence-transformers where it has the same."""

from __future__ import annotations

import itertools
import math
from dataclasses import fields
from typing import Any, get_args

import pytest
import torch
from torch.nn import functional as F

from desktop_app.core.errors import ModelMissing, UsageError
from desktop_app.core.labelled_data import DataKind
from desktop_app.core.objectives import MINING, OBJECTIVES, default_objective
from desktop_app.core.objectives import Objective as ObjectiveName
from desktop_app.core.training_settings import (
    DISTANCES,
    MARGIN_OF_DISTANCE,
    PRESET_TITLES,
    PRESETS,
    TrainingSettings,
)
from desktop_app.encoder.classification_head import (
    ClassificationHead,
    ClassificationHeadSpec,
    load_head,
    parse_parts,
    save_head,
)
from desktop_app.encoder.training.objectives import (
    BinaryObjective,
    ContrastiveObjective,
    CosentObjective,
    CosineObjective,
    Objective,
    RankingObjective,
    SoftmaxObjective,
    TripletObjective,
    make_objective,
    rowwise_distances,
)

KEYS = [torch.arange(6), torch.arange(6, 12), torch.arange(12, 18)]


@pytest.fixture
def columns() -> list[torch.Tensor]:
    source = torch.Generator().manual_seed(3)
    return [torch.randn(6, 8, generator=source) for _ in range(3)]


LABELS = torch.tensor([1, 0, 1, 1, 0, 0])


def test_cosine_is_a_squared_error(columns) -> None:
    y = torch.tensor([0.1, 0.9, 0.5, 0.3, 0.2, 1.0])
    loss = CosineObjective()(columns[:2], y, KEYS)
    assert loss.item() == pytest.approx(((F.cosine_similarity(*columns[:2]) - y) ** 2).mean().item())


def test_the_order_of_cosines_is_their_correlation_with_the_scores(columns) -> None:
    y = torch.tensor([0.1, 0.9, 0.5, 0.3, 0.2, 1.0])
    cosines = F.cosine_similarity(*columns[:2])
    correlation = torch.corrcoef(torch.stack([cosines, y]))[0, 1].item()
    plain, ordered = (CosineObjective(weight)(columns[:2], y, KEYS).item() for weight in (0.0, 0.5))
    assert ordered == pytest.approx(plain + 0.5 * (1 - correlation))


def test_cosent_counts_pairs_of_rows_in_the_wrong_order(columns) -> None:
    y = torch.tensor([0.1, 0.9, 0.5, 0.3, 0.1, 1.0])
    cosines = F.cosine_similarity(*columns[:2]).tolist()
    pairs = [(i, j) for i, j in itertools.permutations(range(6), 2) if y[j] > y[i]]
    expected = math.log(1 + sum(math.exp(20 * (cosines[i] - cosines[j])) for i, j in pairs))
    assert CosentObjective()(columns[:2], y, KEYS).item() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("y", [torch.full((6,), 0.5), torch.tensor([0.5])])
def test_cosent_of_equal_scores_is_zero(columns, y) -> None:
    u = columns[0][: len(y)].clone().requires_grad_()
    loss = CosentObjective()([u, columns[1][: len(y)]], y, KEYS)
    loss.backward()
    assert (loss.item(), u.grad.abs().max().item()) == (0.0, 0.0)


@pytest.mark.parametrize("y", [torch.full((6,), 0.5), torch.tensor([0.5])])
def test_an_order_of_equal_scores_is_a_number_with_a_gradient(columns, y) -> None:
    u = columns[0][: len(y)].clone().requires_grad_()
    CosineObjective(1.0)([u, columns[1][: len(y)]], y, KEYS).backward()
    assert torch.isfinite(u.grad).all()


def test_the_order_of_duplicates_compares_every_same_pair_with_every_other(columns) -> None:
    spec = ClassificationHeadSpec("cosine", ("0", "1"), ("u",), 8, 1.0, single=True)
    head = ClassificationHead(spec)
    cosines = F.cosine_similarity(*columns[:2]).tolist()
    pairs = [(i, j) for i in range(6) for j in range(6) if LABELS[i] < LABELS[j]]
    term = math.log(1 + sum(math.exp(20 * (cosines[i] - cosines[j])) for i, j in pairs))
    plain, ordered = (BinaryObjective(head, 1.0, weight)(columns[:2], LABELS, KEYS).item() for weight in (0.0, 0.2))
    assert ordered == pytest.approx(plain + 0.2 * term)


def test_contrastive_pulls_and_pushes(columns) -> None:
    u, v = columns[:2]
    d = 1 - F.cosine_similarity(u, v)
    each = [d[i] ** 2 if LABELS[i] else max(0, 0.9 - d[i]) ** 2 for i in range(6)]
    found = ContrastiveObjective("cosine", 0.9, hard=False)([u, v], LABELS, KEYS)
    assert found.item() == pytest.approx(float(sum(each)) / 12)
    same, other = d[LABELS == 1], d[LABELS == 0]
    hard = (same[same > other.min()] ** 2).sum() + (F.relu(0.9 - other[other < same.max()]) ** 2).sum()
    assert ContrastiveObjective("cosine", 0.9, hard=True)([u, v], LABELS, KEYS).item() == pytest.approx(hard.item())
    for label in (0, 1):
        alike = torch.full((6,), label)
        assert math.isfinite(ContrastiveObjective("euclidean", 0.9, hard=True)([u, v], alike, KEYS).item())


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("objective", ["contrastive", "contrastive-hard", "triplet", "ranking"])
@pytest.mark.parametrize("longer", [1.0, 2.0])
def test_the_loss_falls_as_partners_come_nearer(columns, objective, distance, longer) -> None:
    u, v, n = (longer * F.normalize(column, dim=1) for column in columns)
    made: Objective = {
        "contrastive": ContrastiveObjective(distance, 0.5, hard=False),
        "contrastive-hard": ContrastiveObjective(distance, 0.5, hard=True),
        "triplet": TripletObjective(distance, 5.0, "none"),
        "ranking": RankingObjective(distance, 0.5),
    }[objective]
    losses = []
    for share in (0.0, 0.3, 0.6, 0.9):
        nearer = v + share * (u - v)
        if objective.startswith("contrastive"):
            nearer = torch.where(LABELS[:, None] == 1, nearer, v)
        given = [u, nearer, n] if objective == "triplet" else [u, nearer]
        losses.append(made(given, LABELS, KEYS[: len(given)]).item())
    # If all same pairs are near and no pair is in the wrong order, there is nothing left to learn.
    assert all(after < before or after == 0 for before, after in itertools.pairwise(losses)), losses
    assert losses[0] > losses[-1] >= 0


@pytest.mark.parametrize("distance", DISTANCES)
def test_contrastive_pushes_different_pairs_apart(distance) -> None:
    u = F.normalize(torch.tensor([[1.0, 0.2, 0.0]]), dim=1)
    for longer in (1.0, 3.0):
        v = (longer * F.normalize(torch.tensor([[0.9, 0.3, 0.1]]), dim=1)).requires_grad_()
        loss = ContrastiveObjective(distance, 5.0, hard=False)([longer * u, v], torch.tensor([0]), KEYS)
        loss.backward()
        moved = v - 0.01 * v.grad
        before, after = (rowwise_distances(longer * u, each, distance).item() for each in (v, moved))
        assert after > before


def test_triplets_keep_their_margin(columns) -> None:
    a, p, n = columns
    given = F.relu((a - p).norm(dim=1) - (a - n).norm(dim=1) + 1).mean()
    assert TripletObjective("euclidean", 1.0, "none")(columns, None, KEYS).item() == pytest.approx(given.item())


def test_mined_negatives_are_the_hardest_outside_the_row(columns) -> None:
    a, p = columns[:2]
    keys = [KEYS[0], KEYS[1].clone()]
    keys[1][1] = keys[1][0]  # the second row's positive is the first one's text
    table = torch.cdist(a, p)
    own = torch.eye(6, dtype=torch.bool)
    own[0, 1] = own[1, 0] = True
    near = table.diagonal()
    hardest = table.masked_fill(own, 9e9).min(dim=1).values
    expected = F.relu(near - hardest + 1).mean()
    assert TripletObjective("euclidean", 1.0, "hard")([a, p], None, keys).item() == pytest.approx(
        expected.item(), rel=1e-5
    )
    semi = TripletObjective("euclidean", 1.0, "semi-hard")([a, p], None, keys).item()
    assert 0 < semi <= expected.item()


def test_without_a_semi_hard_negative_the_farthest_is_taken() -> None:
    anchors = torch.tensor([[0.0], [0.0]])
    positives = torch.tensor([[9.0], [8.0]])
    negatives = torch.tensor([[1.0], [3.0]])
    keys = [torch.tensor([0, 1]), torch.tensor([2, 2]), torch.tensor([4, 5])]  # both rows have the same positive
    loss = TripletObjective("euclidean", 0.5, "semi-hard")([anchors, positives, negatives], None, keys)
    # All negatives (1 and 3 away) are nearer than the positives (9 and 8): the one 3 away counts.
    assert loss.item() == pytest.approx(((9 - 3 + 0.5) + (8 - 3 + 0.5)) / 2)


def test_ranking_is_cross_entropy_both_ways_without_false_negatives(columns) -> None:
    a, p = (F.normalize(column, dim=1) for column in columns[:2])
    scores = a @ p.T / 0.1
    own = torch.arange(6)
    expected = (F.cross_entropy(scores, own) + F.cross_entropy(scores.T, own)) / 2
    objective = RankingObjective("cosine", 0.1)
    assert objective(columns[:2], None, KEYS[:2]).item() == pytest.approx(expected.item(), rel=1e-5)
    keys = [KEYS[0], KEYS[1].clone()]
    keys[1][4] = keys[1][2]
    masked = scores.clone()
    masked[2, 4] = masked[4, 2] = float("-inf")
    forth = F.cross_entropy(masked, own)
    back = F.cross_entropy(masked.T, own)
    assert objective(columns[:2], None, keys).item() == pytest.approx(((forth + back) / 2).item(), rel=1e-5)


def _head(**changes: Any) -> ClassificationHead:
    facts = {"kind": "linear", "classes": ("no", "yes"), "parts": ("u", "v", "abs(u-v)"), "dim": 8}
    return ClassificationHead(ClassificationHeadSpec(**{**facts, **changes}))


def test_softmax_joins_both_vectors_and_their_difference(columns) -> None:
    u, v = columns[:2]
    head = _head(classes=("a", "b", "c"))
    layer = head.layers["output"]
    expected = F.cross_entropy(layer(torch.cat([u, v, (u - v).abs()], 1)), LABELS)
    assert SoftmaxObjective(head)([u, v], LABELS, KEYS).item() == pytest.approx(expected.item())


def test_binary_weights_the_pairs_that_are_the_same(columns) -> None:
    head = _head(single=True)
    logits = head(*columns[:2])[:, 0]
    p = torch.sigmoid(logits)
    each = -(2 * LABELS * p.log() + (1 - LABELS) * (1 - p).log())
    assert BinaryObjective(head, 2.0)(columns[:2], LABELS, KEYS).item() == pytest.approx(each.mean().item(), rel=1e-5)


def test_losses_are_those_of_sentence_transformers(columns) -> None:
    losses = pytest.importorskip("sentence_transformers.sentence_transformer.losses")
    u, v, _ = columns

    class Given(torch.nn.Module):
        def forward(self, features) -> dict[str, torch.Tensor]:
            return {"sentence_embedding": features["vectors"]}

    def theirs(loss, *vectors: torch.Tensor, labels=None) -> float:
        return loss([{"vectors": each} for each in vectors], labels).item()

    y = LABELS.float()
    assert CosineObjective()([u, v], y, KEYS).item() == pytest.approx(
        theirs(losses.CosineSimilarityLoss(Given()), u, v, labels=y), rel=1e-5
    )
    assert CosentObjective()([u, v], y, KEYS).item() == pytest.approx(
        theirs(losses.CoSENTLoss(Given()), u, v, labels=y), rel=1e-5
    )
    online = losses.OnlineContrastiveLoss(Given(), margin=0.5)
    assert ContrastiveObjective("cosine", 0.5, hard=True)([u, v], y, KEYS).item() == pytest.approx(
        theirs(online, u, v, labels=y), rel=1e-5
    )
    plain = losses.ContrastiveLoss(Given(), margin=0.5)
    assert ContrastiveObjective("cosine", 0.5, hard=False)([u, v], y, KEYS).item() == pytest.approx(
        theirs(plain, u, v, labels=y), rel=1e-5
    )
    triplet = losses.TripletLoss(Given(), triplet_margin=1.0)
    assert TripletObjective("euclidean", 1.0, "none")(columns, None, KEYS).item() == pytest.approx(
        theirs(triplet, *columns), rel=1e-4
    )


@pytest.mark.parametrize("kind", ["linear", "mlp", "cosine"])
def test_a_saved_head_gives_the_same_answers(tmp_path, columns, kind) -> None:
    head = _head(kind=kind, single=True, hidden=5)
    u, v = (column.numpy() for column in columns[:2])
    save_head(head, tmp_path)
    loaded = load_head(tmp_path)
    assert loaded is not None
    assert loaded.spec == head.spec
    probabilities = loaded.probabilities(u, v)
    assert probabilities == pytest.approx(head.probabilities(u, v))
    assert probabilities.sum(axis=1) == pytest.approx(1)
    assert load_head(tmp_path / "elsewhere") is None


def test_a_head_of_an_unknown_kind_is_refused_not_guessed(tmp_path) -> None:
    save_head(_head(kind="linear"), tmp_path)
    config = next(tmp_path.rglob("config.json"))
    config.write_text(config.read_text("utf-8").replace('"linear"', '"quadratic"'), "utf-8")
    with pytest.raises(ModelMissing, match="quadratic"):
        load_head(tmp_path)


@pytest.mark.parametrize("name", get_args(ObjectiveName))
def test_every_objective_of_the_type_is_in_the_table_and_can_be_made(name) -> None:
    assert tuple(OBJECTIVES) == get_args(ObjectiveName)
    settings = PRESETS[OBJECTIVES[name].preset]
    assert settings.objective == name
    made = make_objective(settings, ("different", "same"), 8, normalised=True)
    assert type(made).__name__.lower() == f"{name}objective"


def test_the_tables_of_settings_hold_every_value_of_their_types() -> None:
    assert set(MARGIN_OF_DISTANCE) == set(DISTANCES)
    assert set(PRESET_TITLES) == set(PRESETS)
    for spec in OBJECTIVES.values():
        assert set(spec.mining) <= set(MINING)
        assert spec.settings <= {field.name for field in fields(TrainingSettings)}
    for kind in get_args(DataKind):
        assert kind in OBJECTIVES[default_objective(kind)].kinds


def test_parts_are_understood_or_refused() -> None:
    assert parse_parts("u, v, |u-v|, u*v") == ("u", "v", "abs(u-v)", "u*v")
    for wrong in ("u,w", "u,u", ""):
        with pytest.raises(UsageError):
            parse_parts(wrong)
    with pytest.raises(UsageError, match="two classes"):
        make_objective(TrainingSettings("softmax", head="cosine"), ("a", "b", "c"), 8, normalised=True)
