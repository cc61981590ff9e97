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
    """Return an optimizer of a model's and an objective's weights. Matrices decay, and new layers have their own rate.

    Each group has its highest rate in `top`.
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
    """Return the learning rate of a step (from 0) as a share of its maximum, by the number of steps."""
    warm = round(settings.warmup * steps)
    if step < warm:
        return (step + 1) / warm
    return 1.0 if settings.optimizer == "adam" else (steps - step) / max(1, steps - warm)


def set_learning_rate(optimizer: torch.optim.Optimizer, step: int, steps: int, settings: TrainingSettings) -> float:
    """Set the rates of a step (from 0), by the number of steps; returns the rate of the body."""
    factor = learning_rate_factor(step, steps, settings)
    for group in optimizer.param_groups:
        group["lr"] = group["top"] * factor
    return settings.learning_rate * factor


class WeightAverage:
    """A moving average of weights, in which the latest count most (Polyak & Juditsky 1992).

    After step t it moves towards the weights by 1 / min(t, span): the plain mean of the first `span` steps, then an
    exponential mean.

    Args:
        parameters: to average.
        span: number of steps.

    Attributes:
        weights: the average, fp32, a tensor for each parameter.
        steps: number of averaged steps.
    """

    def __init__(self, parameters: Sequence[nn.Parameter], span: int) -> None:
        self._parameters = list(parameters)
        self._span = max(1, span)
        self.weights: list[Tensor] = [each.detach().clone() for each in parameters]
        self.steps = 0

    def update(self) -> None:
        """Add the present weights."""
        self.steps += 1
        share = 1 / min(self.steps, self._span)
        with torch.no_grad():
            for kept, parameter in zip(self.weights, self._parameters, strict=True):
                kept.lerp_(parameter, share)

    @contextlib.contextmanager
    def swap_in(self) -> Iterator[None]:
        """Set the parameters to the average, and restore their own weights afterwards."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    def restore(self, weights: Sequence[Tensor], steps: int) -> None:
        """Continue from a saved average."""
        for kept, saved in zip(self.weights, weights, strict=True):
            kept.copy_(saved)
        self.steps = steps

    def _swap(self) -> None:
        for place, parameter in enumerate(self._parameters):
            own = parameter.data
            parameter.data, self.weights[place] = self.weights[place], own
