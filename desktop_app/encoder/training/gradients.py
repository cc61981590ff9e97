"""The gradient of a batch, and whether a reduced precision gives a faithful one.

The program chooses a reduced precision only if it is faster and faithful: over all weights, the gradient of the run's
first batches, without dropout, has a cosine of at least `MIN_GRADIENT_COSINE` to that of fp32, and the loss differs by
at most the share `MAX_LOSS_DIFFERENCE`. Otherwise a training computes in fp32.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from desktop_app.core.messages import Message
from desktop_app.encoder.datasets.dataset import text_keys
from desktop_app.encoder.training.forward_pass import seed_torch

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from desktop_app.encoder.datasets.dataset import DataSet
    from desktop_app.encoder.training.forward_pass import ForwardPass
    from desktop_app.encoder.training.objectives import Objective
    from desktop_app.encoder.training.trained_model import TrainedModel

MIN_GRADIENT_COSINE = 0.99
"""Smallest acceptable cosine of a reduced precision's gradient to that of fp32."""

MAX_LOSS_DIFFERENCE = 0.05
"""Largest acceptable difference of its loss to that of fp32, as a share of the latter."""

_CHECKED_BATCHES, _CHECKED_ROWS = 4, 8


class GradientAccumulator:
    """Adds gradients of batches to those of the weights.

    Args:
        model: gradients are added to its weights.
        objective: likewise.
        data: the rows.
        columns: their tokens, in the form that the model expects.
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
            number: of the batch in the run; seeds its dropout.
            count: batches of a step.

        Returns:
            the loss; if it is not finite, no gradient was added.
        """
        device = self._model.device
        rows = [column[row] for column in self._columns for row in chosen]
        # The head's dropout uses torch's global generator.
        seed_torch(device, self._seed, number)
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
    model: TrainedModel, objective: Objective, data: DataSet, seed: int, messages: list[Message]
) -> Generator[None, None, None]:
    """Set a model's precision to fp32 if its own is not faithful; see the module. Changes nothing else.

    Args:
        model: before its training.
        objective: of the training.
        data: rows to learn from.
        seed: of the run.
        messages: receives messages for the person.
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
        messages.append(
            Message(
                (
                    "{precision} is faster here, but not accurate enough for this model (cosine of gradients "
                    "{cosine:.3f}): fp32 is used"
                ),
                code="precision_unfaithful",
                precision=precision,
                cosine=cosine,
            )
        )


def _gradient_cosine(a: list[Tensor], b: list[Tensor]) -> float:
    """Return the cosine of two gradients over all weights; 1 if both are zero."""
    product = sum(float((_to_double(x) * _to_double(y)).sum()) for x, y in zip(a, b, strict=True))
    lengths = math.prod(math.sqrt(sum(float(_to_double(x).square().sum()) for x in each)) for each in (a, b))
    if lengths == 0.0:
        return float(all(not bool(x.any()) for x in (*a, *b)))
    return product / lengths


def _to_double(values: Tensor) -> Tensor:
    """Return values as float64, which Apple's GPUs do not have."""
    return (values.cpu() if values.device.type == "mps" else values).double()
