"""The gradient of a batch, and whether a reduced precision gives a faithful one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from desktop_app.encoder.data.dataset import text_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop_app.encoder.data.dataset import DataSet
    from desktop_app.encoder.training.forward_pass import ForwardPass
    from desktop_app.encoder.training.objectives import Objective
    from desktop_app.encoder.training.trained_model import TrainedModel


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
