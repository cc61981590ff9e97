"""The optimizer of a training: AdamW (Loshchilov & Hutter 2019), and how its learning rate rises and falls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from desktop_app.encoder.training.model import fresh_parameters

if TYPE_CHECKING:
    from desktop_app.core.training_settings import TrainingSettings
    from desktop_app.encoder.training.model import TrainedModel
    from desktop_app.encoder.training.objectives import Objective


def make_optimizer(model: TrainedModel, objective: Objective, settings: TrainingSettings) -> torch.optim.Optimizer:
    """Return an optimizer of a model's and an objective's weights; matrices decay, and new layers learn at their rate.

    Each group has its highest rate under `top`.
    """
    parameters = [*model.network.parameters(), *objective.parameters()]
    fresh = {id(each) for each in [*fresh_parameters(model, settings), *objective.parameters()]}
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


def rate_factor(step: int, steps: int, settings: TrainingSettings) -> float:
    """Return the share of its highest that the learning rate has in a step (from 0) of so many."""
    warm = round(settings.warmup * steps)
    if step < warm:
        return (step + 1) / warm
    return 1.0 if settings.optimizer == "adam" else (steps - step) / max(1, steps - warm)


def set_learning_rate(optimizer: torch.optim.Optimizer, step: int, steps: int, settings: TrainingSettings) -> float:
    """Set the rate of a step (from 0) of so many; returns that of the body."""
    factor = rate_factor(step, steps, settings)
    for group in optimizer.param_groups:
        group["lr"] = group["top"] * factor
    return settings.learning_rate * factor
