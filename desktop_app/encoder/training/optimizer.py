"""Optimizer and learning-rate schedule (AdamW, Loshchilov & Hutter 2019), and weight averaging."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import torch

from desktop_app.encoder.training.trained_model import new_parameters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torch import Tensor, nn

    from desktop_app.core.training_settings import TrainingSettings
    from desktop_app.encoder.training.objectives import Objective
    from desktop_app.encoder.training.trained_model import TrainedModel


def make_optimizer(model: TrainedModel, objective: Objective, settings: TrainingSettings) -> torch.optim.Optimizer:
    """Return an optimizer of a model's and an objective's weights; matrices decay, and new layers learn at their rate.

    Each group has its highest rate under `top`.
    """
    parameters = [*model.network.parameters(), *objective.parameters()]
    fresh = {id(each) for each in [*new_parameters(model, settings), *objective.parameters()]}
    fresh_rate = settings.head_learning_rate or settings.learning_rate
    groups = []
    for is_fresh in (False, True):
        for is_matrix in (False, True):
            own = [p for p in parameters if (id(p) in fresh) == is_fresh and (p.ndim > 1) == is_matrix]
            if own:
                rate = fresh_rate if is_fresh else settings.learning_rate
                # `adam` is AdamW without decay and with a constant rate.
                decay = settings.weight_decay if is_matrix and settings.optimizer != "adam" else 0.0
                groups.append({"params": own, "lr": rate, "weight_decay": decay, "top": rate})
    return torch.optim.AdamW(groups, fused=True)


def learning_rate_factor(step: int, steps: int, settings: TrainingSettings) -> float:
    """Return the share of its highest that the learning rate has in a step (from 0) of so many."""
    warm = round(settings.warmup * steps)
    if step < warm:
        return (step + 1) / warm
    return 1.0 if settings.optimizer == "adam" else (steps - step) / max(1, steps - warm)


def set_learning_rate(optimizer: torch.optim.Optimizer, step: int, steps: int, settings: TrainingSettings) -> float:
    """Set the rate of a step (from 0) of so many; returns that of the body."""
    factor = learning_rate_factor(step, steps, settings)
    for group in optimizer.param_groups:
        group["lr"] = group["top"] * factor
    return settings.learning_rate * factor


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
    def swap_in(self) -> Iterator[None]:
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
