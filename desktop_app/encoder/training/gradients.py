"""The gradient of a batch, and whether a reduced precision gives a faithful one.

A reduced precision is taken by itself only where it is quicker and faithful: the gradient of the first batches of the
run, without dropout, has a cosine of at least `MIN_GRADIENT_COSINE` with that of fp32, over all weights, and their loss
differs by no more than `MAX_LOSS_DIFFERENCE` of it. Otherwise a training is in fp32.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from desktop_app.core.messages import Message
from desktop_app.encoder.data.dataset import text_keys

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from desktop_app.encoder.data.dataset import DataSet
    from desktop_app.encoder.training.forward_pass import ForwardPass
    from desktop_app.encoder.training.objectives import Objective
    from desktop_app.encoder.training.trained_model import TrainedModel

MIN_GRADIENT_COSINE = 0.99
"""Smallest cosine of a reduced precision's gradient with that of fp32."""

MAX_LOSS_DIFFERENCE = 0.05
"""Largest difference of its loss from that of fp32, as a share of it."""

_CHECKED_BATCHES, _CHECKED_ROWS = 4, 8


class GradientAccumulator:
    """Adds gradients of batches to those of the weights.

    Args:
        model: whose weights.
        objective: likewise.
        data: the rows.
        columns: of their tokens, as the model takes them.
        seed: of the run.
    """

    def __init__(
        self, model: TrainedModel, objective: Objective, data: DataSet, columns: Sequence[Sequence[Any]], seed: int
    ) -> None:
        self._model, self._objective, self._data = model, objective, data
        self._columns, self._seed = columns, seed
        self._keys = text_keys(data)

    def add(self, forward: ForwardPass, chosen: NDArray[np.int64], number: int, count: int = 1) -> float:
        """Add the gradient of some rows and return their loss.

        Args:
            forward: computes.
            chosen: the rows.
            number: of the batch in the run: its dropout is drawn by it.
            count: batches of a step.

        Returns:
            the loss; where it is no number, no gradient was added.
        """
        device = self._model.device
        rows = [column[row] for column in self._columns for row in chosen]
        # The head draws its dropout from torch's own generator.
        torch.manual_seed(int(np.random.SeedSequence([self._seed, number]).generate_state(1)[0]))
        pooled = self._model.embed_step(forward, rows, number)
        vectors = self._model.finish(pooled).chunk(len(self._columns))
        labels = None if self._data.labels is None else torch.from_numpy(self._data.labels[chosen]).to(device)
        texts = [torch.from_numpy(key[chosen]).to(device) for key in self._keys]
        loss = self._objective(vectors, labels, texts)
        if not torch.isfinite(loss):
            return math.nan
        (loss / count).backward()
        assert pooled.grad is not None, "every objective looks at the vectors"
        forward.backward(pooled.grad)
        return float(loss.detach())


def verify_training_precision(
    model: TrainedModel, objective: Objective, data: DataSet, seed: int, told: list[Message]
) -> Generator[None, None, None]:
    """Have a model compute in fp32 where its own precision is not faithful; see the module. Changes nothing else.

    Args:
        model: as it is before its training.
        objective: that it is trained with.
        data: rows to learn from.
        seed: of the run.
        told: gets what a person should know.
    """
    precision = model.precision
    if precision == "fp32":
        return
    order = np.random.default_rng([seed, 0]).permutation(len(data))[: _CHECKED_BATCHES * _CHECKED_ROWS]
    few = data.take(order)
    columns = yield from model.columns(few)
    was_training = objective.training
    objective.to(model.device).eval()  # a hidden layer's dropout too
    parameters = [*model.network.parameters(), *objective.parameters()]
    found: list[tuple[float, list[Tensor]]] = []
    for each in ("fp32", precision):
        model.precision = each
        gradients = GradientAccumulator(model, objective, few, columns, seed)
        forward = model.forward(seed, drops=False)
        try:
            loss = 0.0
            for number, start in enumerate(range(0, len(few), _CHECKED_ROWS)):
                chosen = np.arange(start, min(start + _CHECKED_ROWS, len(few)), dtype=np.int64)
                loss += gradients.add(forward, chosen, number)
                yield
            found.append((loss, [torch.zeros(1) if p.grad is None else p.grad for p in parameters]))
        finally:
            forward.close()
            for parameter in parameters:
                parameter.grad = None
    objective.train(was_training)
    (expected_loss, expected), (loss, gradient) = found
    cosine = _gradient_cosine(gradient, expected)
    apart = abs(loss - expected_loss) / max(abs(expected_loss), 1e-3)
    if not (cosine >= MIN_GRADIENT_COSINE and apart <= MAX_LOSS_DIFFERENCE):
        model.precision = "fp32"
        told.append(
            Message(
                "{precision} is quicker here, but not faithful to this model (cosine of gradients {cosine:.3f}): fp32",
                code="precision_unfaithful",
                precision=precision,
                cosine=cosine,
            )
        )


def _gradient_cosine(a: list[Tensor], b: list[Tensor]) -> float:
    """Return the cosine of two gradients over all weights; 1 where both are nothing."""
    product = sum(float((x.double() * y.double()).sum()) for x, y in zip(a, b, strict=True))
    lengths = math.prod(math.sqrt(sum(float(x.double().square().sum()) for x in each)) for each in (a, b))
    if lengths == 0.0:
        return float(all(not bool(x.any()) for x in (*a, *b)))
    return product / lengths
