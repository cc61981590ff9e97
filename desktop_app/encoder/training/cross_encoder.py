"""Training of a cross-encoder: model and objective for the common training loop."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from torch.nn import functional as F

from desktop_app.encoder.cross_encoder import CrossEncoderHead, embed_pairs, read_pair_checkpoint
from desktop_app.encoder.device import fastest_training_precision
from desktop_app.encoder.evaluation.evaluators import JudgementThreshold, evaluate_pair_probabilities
from desktop_app.encoder.inference.network import load_network
from desktop_app.encoder.metrics import best_threshold
from desktop_app.encoder.models.bundled import resolve_model
from desktop_app.encoder.tokenizing import SLICE_TEXTS, TextTokenizer
from desktop_app.encoder.training.objectives import Objective
from desktop_app.encoder.training.trained_model import TrainedModel

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from desktop_app.core.evaluation import Evaluation
    from desktop_app.core.labelled_data import DataKind
    from desktop_app.core.training_settings import TrainingSettings
    from desktop_app.encoder.datasets.dataset import DataSet
    from desktop_app.encoder.tokenizing import PairIds
    from desktop_app.encoder.training.forward_pass import ForwardPass
    from desktop_app.encoder.word_alignment import PairWords

CROSS_ENCODER_KINDS: tuple[DataKind, ...] = ("similarity", "duplicates", "nli")
"""The kinds of data that a cross-encoder learns from."""


class CrossEncoderTrainedModel(TrainedModel):
    """A body that reads pairs: one column of rows, whose vector is the pooler's output."""

    def columns(self, data: DataSet) -> Generator[None, None, list[list[Any]]]:
        """Return the tokens of each row's pair of texts."""
        pairs = list(zip(data.texts[0], data.texts[1], strict=True))
        rows: list[PairIds] = []
        for start in range(0, len(pairs), SLICE_TEXTS):
            rows += self.tokenizer.encode_pairs(pairs[start : start + SLICE_TEXTS])
            yield
        return [rows]

    def embed_step(self, forward: ForwardPass, rows: Sequence[Any], number: int) -> Tensor:
        """Return the pooler's output for a step of the training."""
        return forward.embed([row.ids for row in rows], number, [row.segments for row in rows])

    def embed(self, rows: Sequence[Any]) -> Generator[None, None, NDArray[np.float32]]:
        """Return float32 [n, hidden] of rows with the present weights."""
        vectors = np.empty((len(rows), self.checkpoint.hidden), np.float32)
        for places, found in embed_pairs(
            self.network, self.tokenizer.pad_id, rows, precision=self.precision, threads=self.threads
        ):
            vectors[places] = found
            yield
        return vectors

    def evaluate(
        self,
        data: DataSet,
        vectors: list[NDArray[np.float32]],
        head: Any,
        threshold: float | None,
        worst: int,
        words: PairWords | None = None,
    ) -> Evaluation:
        """Evaluate the model on rows."""
        probabilities = cast("CrossEncoderHead", head).probabilities(vectors[0])
        return evaluate_pair_probabilities(
            data, probabilities, None if threshold is None else JudgementThreshold(threshold, "given"), worst
        )

    def fit_threshold(
        self,
        data: DataSet,
        vectors: list[NDArray[np.float32]],
        head: Any,
        words: PairWords | None = None,
    ) -> float | None:
        """Return the probability with the best accuracy on duplicates; None for other data."""
        if data.kind != "duplicates" or data.labels is None:
            return None
        return best_threshold(cast("CrossEncoderHead", head).probabilities(vectors[0])[:, -1], data.labels)


class CrossEncoderObjective(Objective):
    """Cross-entropy of a cross-encoder's answer; for scores with the score as the probability of "yes".

    Args:
        head: of the cross-encoder.
        weight: of pairs that are the same.
    """

    def __init__(self, head: CrossEncoderHead, weight: float) -> None:
        super().__init__(cast("Any", head))
        self._weight = weight

    def forward(self, columns: Sequence[Tensor], labels: Tensor | None, keys: Sequence[Tensor]) -> Tensor:
        """See `Objective`; there is one column."""
        assert labels is not None
        head = cast("CrossEncoderHead", self.head)
        logits = head(columns[0])
        if not head.single:
            return F.cross_entropy(logits, labels.long())
        weight = torch.tensor(self._weight, device=logits.device)
        return F.binary_cross_entropy_with_logits(logits[:, 0], labels.float(), pos_weight=weight)


def build_cross_encoder_model(
    model: str, name: str, settings: TrainingSettings, device: str, precision: str, threads: int, shares: int = 0
) -> CrossEncoderTrainedModel:
    """Prepare a body for training on pairs; like `build_siamese_model`; `device` is the processor.

    Raises:
        ModelMissing: the model cannot be loaded, or cannot read pairs.
    """
    checkpoint = read_pair_checkpoint(resolve_model(model), settings.max_length)
    torch.manual_seed(settings.seed)
    network = load_network(checkpoint)
    network.requires_grad_(True)
    checkpoint = replace(checkpoint, name=name)
    precision = fastest_training_precision(device) if precision == "auto" else precision
    return CrossEncoderTrainedModel(
        checkpoint, network, TextTokenizer(checkpoint), device, precision, threads, shares or threads
    )


def make_cross_encoder_objective(data: DataSet, settings: TrainingSettings, hidden: int) -> CrossEncoderObjective:
    """Return the objective for data; its layer is drawn from torch's generator."""
    single = data.kind != "nli"
    head = CrossEncoderHead(hidden, data.classes, single=single, dropout=max(settings.dropout, 0.1))
    if single and data.labels is not None:
        # The first answer is the average of the data: the body need not learn that.
        usual = float(np.clip(np.asarray(data.labels, np.float64).mean(), 0.02, 0.98))
        head.output.bias.data.fill_(math.log(usual / (1 - usual)))
    return CrossEncoderObjective(head, settings.class_weight)
