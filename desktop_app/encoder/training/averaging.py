"""A moving average of the weights of a training: less noise than the last step's, at no pass through the network."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torch import Tensor, nn


class WeightAverage:
    """The mean of weights after each step, in which the latest count most (Polyak & Juditsky 1992).

    After step t it moves to the weights by 1 / min(t, span): the plain mean of the first `span` steps, then an
    exponential one.

    Args:
        parameters: whose weights.
        span: over how many steps.

    Attributes:
        weights: the average, fp32, a tensor for each parameter.
        steps: that are in it.
    """

    def __init__(self, parameters: Sequence[nn.Parameter], span: int) -> None:
        self._parameters = list(parameters)
        self._span = max(1, span)
        self.weights: list[Tensor] = [each.detach().clone() for each in parameters]
        self.steps = 0

    def update(self) -> None:
        """Take in the weights as they are now."""
        self.steps += 1
        share = 1 / min(self.steps, self._span)
        with torch.no_grad():
            for kept, parameter in zip(self.weights, self._parameters, strict=True):
                kept.lerp_(parameter, share)

    @contextlib.contextmanager
    def in_place(self) -> Iterator[None]:
        """Give the parameters the average for a while, then their own weights again."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    def restore(self, weights: Sequence[Tensor], steps: int) -> None:
        """Go on from an average that was saved."""
        for kept, saved in zip(self.weights, weights, strict=True):
            kept.copy_(saved)
        self.steps = steps

    def _swap(self) -> None:
        for place, parameter in enumerate(self._parameters):
            own = parameter.data
            parameter.data, self.weights[place] = self.weights[place], own
