"""Training objectives: one small class each, with its formula, its source and the labels it expects.

u and v are the vectors of a row's two sentences, of a batch of n rows; d is a distance and s a similarity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import torch
from torch import nn
from torch.nn import functional as F

from desktop_app.core.errors import UsageError
from desktop_app.core.objectives import FROM_LIBRARY, OBJECTIVES
from desktop_app.encoder.classification_head import (
    ClassificationHead,
    ClassificationHeadSpec,
    choose_vector_scale,
    parse_parts,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

    from desktop_app.core.objectives import Mining
    from desktop_app.core.objectives import Objective as ObjectiveName
    from desktop_app.core.training_settings import Distance, TrainingSettings


_ORDER_SCALE = 20.0


class Objective(nn.Module):
    """A loss of a batch. `head` is trained together with the encoder; None if there is none."""

    def __init__(self, head: ClassificationHead | None = None) -> None:
        super().__init__()
        self.head = head

    def forward(self, columns: Sequence[Tensor], labels: Tensor | None, keys: Sequence[Tensor]) -> Tensor:
        """Return the loss, a number.

        Args:
            columns: float32 [n, dim] for each column of texts.
            labels: [n], as described by the class; None if rows have none.
            keys: int64 [n] for each column: texts with the same number belong together, and are not negatives.
        """
        raise NotImplementedError


class SoftmaxObjective(Objective):
    """Cross-entropy of softmax(W (u, v, |u - v|)): Reimers & Gurevych 2019, section 3; classes 0, 1, ... ."""

    def __init__(self, head: ClassificationHead) -> None:
        super().__init__(head)

    def forward(self, columns: Sequence[Tensor], labels: Tensor | None, keys: Sequence[Tensor]) -> Tensor:
        """See `Objective`."""
        assert self.head is not None
        assert labels is not None
        return F.cross_entropy(self.head(columns[0], columns[1]), labels.long())


class BinaryObjective(Objective):
    """Cross-entropy of sigmoid(head(u, v)) with weight w for the pairs that are the same; labels 0 and 1.

    -(w y log p + (1 - y) log(1 - p)), the mean over the rows. With an order weight W, W times the loss of
    `CosentObjective` is added.
    """

    def __init__(self, head: ClassificationHead, weight: float, order: float = 0.0) -> None:
        super().__init__(head)
        self._weight, self._order = weight, order

    def forward(self, columns: Sequence[Tensor], labels: Tensor | None, keys: Sequence[Tensor]) -> Tensor:
        """See `Objective`."""
        assert self.head is not None
        assert labels is not None
        logits = self.head(columns[0], columns[1])[:, 0]
        weight = torch.tensor(self._weight, device=logits.device)
        loss = F.binary_cross_entropy_with_logits(logits, labels.float(), pos_weight=weight)
        if not self._order:
            return loss
        return loss + self._order * misorder_loss(F.cosine_similarity(columns[0], columns[1]), labels.float())


class CosineObjective(Objective):
    """Mean of (cos(u, v) - y)^2: Reimers & Gurevych 2019, section 3, "Regression"; labels 0 to 1.

    With an order weight W, W (1 - r) is added, where r is Pearson's correlation of cosines and labels in the batch.
    """

    def __init__(self, order: float = 0.0) -> None:
        super().__init__()
        self._order = order

    def forward(self, columns: Sequence[Tensor], labels: Tensor | None, keys: Sequence[Tensor]) -> Tensor:
        """See `Objective`."""
        assert labels is not None
        cosines, scores = F.cosine_similarity(columns[0], columns[1]), labels.float()
        loss = F.mse_loss(cosines, scores)
        if not self._order:
            return loss
        # Of equal scores the correlation is 0, not undefined.
        correlation = F.cosine_similarity(cosines - cosines.mean(), scores - scores.mean(), dim=0)
        return loss + self._order * (1 - correlation)


class CosentObjective(Objective):
    """log(1 + sum exp(20 (c_i - c_j))) over all pairs i, j of rows of which j has the higher label, with cosines c.

    CoSENT (Su 2022): only the order of the cosines counts, not their values.
    """

    def forward(self, columns: Sequence[Tensor], labels: Tensor | None, keys: Sequence[Tensor]) -> Tensor:
        """See `Objective`."""
        assert labels is not None
        return misorder_loss(F.cosine_similarity(columns[0], columns[1]), labels.float())


class ContrastiveObjective(Objective):
    """Mean of (y d^2 + (1 - y) max(0, m - d)^2) / 2: Hadsell, Chopra & LeCun 2006, equation 4; labels 0 and 1.

    With `hard`, only pairs of a batch in the wrong order count: same pairs farther apart than the nearest different
    pair, and different pairs nearer than the farthest same pair (the "online" variant of sentence-transformers); their
    sum, without the half.

    For the dot product d = 1 - u.v, which is the cosine distance of unit vectors. For other vectors it may be negative:
    then same pairs cost nothing (a product of 1 is near enough), and different pairs cost more the larger the product.
    """

    def __init__(self, distance: Distance, margin: float, *, hard: bool) -> None:
        super().__init__()
        self._distance, self._margin, self._hard = distance, margin, hard

    def forward(self, columns: Sequence[Tensor], labels: Tensor | None, keys: Sequence[Tensor]) -> Tensor:
        """See `Objective`."""
        assert labels is not None
        away = rowwise_distances(columns[0], columns[1], self._distance)
        same, other = away[labels == 1], away[labels == 0]
        if self._hard and len(same) and len(other):
            same, other = same[same > other.min()], other[other < same.max()]
        if self._distance == "dot":
            same = F.relu(same)  # squared, a product beyond 1 would count as far apart
        if not self._hard:
            return (same.square().sum() + F.relu(self._margin - other).square().sum()) / (2 * len(away))
        return same.square().sum() + F.relu(self._margin - other).square().sum()


class TripletObjective(Objective):
    """Mean of max(0, d(a, p) - d(a, n) + m): Schroff, Kalenichenko & Philbin 2015; Sentence-BERT, section 3.

    Without a column of negatives, or with `mining`, each anchor's negative comes from the batch: from the positives and
    negatives of all other rows. `hard` takes the nearest; `semi-hard` (Schroff et al., section 3.2) takes the nearest
    of those farther than the positive, and the farthest if there is none.

    Texts that belong to the anchor, according to their keys, are not negatives.
    """

    def __init__(self, distance: Distance, margin: float, mining: Mining) -> None:
        super().__init__()
        self._distance, self._margin, self._mining = distance, margin, mining

    def forward(self, columns: Sequence[Tensor], labels: Tensor | None, keys: Sequence[Tensor]) -> Tensor:
        """See `Objective`."""
        anchors, positives = columns[0], columns[1]
        near = rowwise_distances(anchors, positives, self._distance)
        if len(columns) > 2 and self._mining in ("none", FROM_LIBRARY):
            return F.relu(near - rowwise_distances(anchors, columns[2], self._distance) + self._margin).mean()
        if len(anchors) < 2 and len(columns) < 3:
            return near.sum() * 0.0  # a last batch of one row has no negatives
        others = torch.cat(list(columns[1:]))
        table = distance_table(anchors, others, self._distance)
        with torch.no_grad():
            blocked = _find_false_negatives(keys)
            is_far = (table > near[:, None]) & ~blocked
            hardest = table.masked_fill(blocked, float("inf"))
            if self._mining == "hard":
                chosen = hardest.argmin(dim=1)
            else:
                semi = table.masked_fill(~is_far, float("inf"))
                farthest = table.masked_fill(blocked, float("-inf")).argmax(dim=1)
                chosen = torch.where(is_far.any(dim=1), semi.argmin(dim=1), farthest)
            usable = ~blocked.all(dim=1)
        far = table.gather(1, chosen[:, None])[:, 0]
        losses = F.relu(near - far + self._margin)[usable]
        return losses.mean() if len(losses) else near.sum() * 0.0


class RankingObjective(Objective):
    """Cross-entropy of each anchor's positive among the batch's: Henderson et al. 2017; symmetric as CLIP's.

    -log(exp(s(a_i, p_i) / T) / sum_j exp(s(a_i, p_j) / T)), and the same with the sides exchanged; their mean. A column
    of negatives adds candidates to the first. Equal texts elsewhere in the batch are not negatives.
    """

    def __init__(self, distance: Distance, temperature: float) -> None:
        super().__init__()
        self._distance, self._temperature = distance, temperature

    def forward(self, columns: Sequence[Tensor], labels: Tensor | None, keys: Sequence[Tensor]) -> Tensor:
        """See `Objective`."""
        anchors, positives = columns[0], columns[1]
        own = torch.arange(len(anchors), device=anchors.device)
        forth = self._scores(anchors, torch.cat(list(columns[1:])), _find_false_negatives(keys))
        back = self._scores(positives, anchors, _find_false_negatives(keys[:2]))
        return (F.cross_entropy(forth, own) + F.cross_entropy(back, own)) / 2

    def _scores(self, queries: Tensor, candidates: Tensor, equal: Tensor) -> Tensor:
        if self._distance == "euclidean":
            scores = -distance_table(queries, candidates, "euclidean")
        elif self._distance == "dot":
            scores = queries @ candidates.T
        elif self._distance == "cosine":
            scores = F.normalize(queries, dim=1) @ F.normalize(candidates, dim=1).T
        else:
            assert_never(self._distance)
        own = torch.arange(len(queries), device=queries.device)
        blocked = equal.clone()
        blocked[own, own] = False
        return (scores / self._temperature).masked_fill(blocked, float("-inf"))


def misorder_loss(cosines: Tensor, labels: Tensor) -> Tensor:
    """Return the loss of `CosentObjective`."""
    apart = _ORDER_SCALE * (cosines[:, None] - cosines[None])
    apart = apart.masked_fill(labels[:, None] >= labels[None], float("-inf"))
    return torch.logsumexp(torch.cat([apart.new_zeros(1), apart.reshape(-1)]), dim=0)


def rowwise_distances(u: Tensor, v: Tensor, kind: Distance) -> Tensor:
    """Return the distance of each row of `u` to the same row of `v`: float32 [n].

    `cosine`: 1 - cos; `euclidean`; `dot`: 1 - u.v (for unit vectors equal to the first; for others it may be negative).
    """
    if kind == "cosine":
        return 1 - F.cosine_similarity(u, v)
    if kind == "dot":
        return 1 - (u * v).sum(dim=1)
    if kind == "euclidean":
        # Not norm(): its gradient at 0 is not finite.
        return (u - v).square().sum(dim=1).clamp(min=1e-12).sqrt()
    assert_never(kind)


def distance_table(u: Tensor, v: Tensor, kind: Distance) -> Tensor:
    """Return the distance of every row of `u` to every row of `v`: float32 [n, m]."""
    if kind == "cosine":
        return 1 - F.normalize(u, dim=1) @ F.normalize(v, dim=1).T
    if kind == "dot":
        return 1 - u @ v.T
    if kind == "euclidean":
        return (u[:, None] - v[None]).square().sum(dim=2).clamp(min=1e-12).sqrt()
    assert_never(kind)


def _find_false_negatives(keys: Sequence[Tensor]) -> Tensor:
    """Return which candidates are not negatives of a row: bool [n, candidates], the rows' positives first.

    The candidate's text is the row's anchor or positive, or it is the positive of an anchor with such a text.
    """
    candidates = torch.cat(list(keys[1:]))
    own = (keys[0][:, None] == candidates[None]) | (keys[1][:, None] == candidates[None])
    count = len(keys[0])
    own[:, :count] |= (keys[0][:, None] == keys[0][None]) | (keys[1][:, None] == keys[0][None])
    return own


def make_objective(settings: TrainingSettings, classes: tuple[str, ...], dim: int, *, normalised: bool) -> Objective:
    """Return the objective that settings name, with fresh weights drawn from torch's generator.

    Args:
        settings: of the training.
        classes: of its data.
        dim: length of a sentence vector.
        normalised: whether sentence vectors have length 1.

    Raises:
        UsageError: the parts to join are unknown, or the head does not fit the objective.
    """

    def head() -> ClassificationHead:
        single = OBJECTIVES[settings.objective].head == "probability"
        if settings.head == "cosine" and not single:
            raise UsageError("The cosine head separates two classes and works with binary only", "Use --head linear.")
        return ClassificationHead(
            ClassificationHeadSpec(
                kind=settings.head,
                classes=classes,
                parts=parse_parts(settings.concat),
                dim=dim,
                scale=choose_vector_scale(dim, normalised=normalised),
                single=single,
                hidden=settings.hidden,
                dropout=settings.dropout,
            )
        )

    distance, margin, mining = settings.distance, settings.margin, settings.mining
    makers: dict[ObjectiveName, Callable[[], Objective]] = {
        "softmax": lambda: SoftmaxObjective(head()),
        "binary": lambda: BinaryObjective(head(), settings.class_weight, settings.order),
        "cosine": lambda: CosineObjective(settings.order),
        "cosent": CosentObjective,
        "contrastive": lambda: ContrastiveObjective(distance, margin, hard=mining != "none"),
        "triplet": lambda: TripletObjective(distance, margin, mining),
        "ranking": lambda: RankingObjective(distance, settings.temperature),
    }
    return makers[settings.objective]()
