"""The presets of trainings."""

from __future__ import annotations

from typing import get_args

import pytest

from desktop_app.core.objectives import OBJECTIVES, Mining
from desktop_app.core.training_settings import DISTANCES, HEADS, OPTIMIZERS, POOLINGS, PRESETS, TrainingSettings

SHARES = ("dropout", "warmup", "weight_decay", "averaging", "validation")


@pytest.mark.parametrize("settings", PRESETS.values(), ids=PRESETS)
def test_a_preset_is_within_what_a_training_can_do(settings: TrainingSettings) -> None:
    assert settings.objective in OBJECTIVES
    assert settings.pooling in ("", *POOLINGS)
    assert settings.head in ("", *HEADS)
    assert settings.distance in DISTANCES
    assert settings.optimizer in OPTIMIZERS
    assert settings.mining in get_args(Mining)
    for name in SHARES:
        assert 0 <= getattr(settings, name) < 1, name
    # Higher rates destroy a pretrained encoder; a head learns from scratch.
    assert 1e-6 <= settings.learning_rate <= 1e-3
    assert settings.head_learning_rate == 0 or settings.learning_rate <= settings.head_learning_rate <= 0.1
    assert settings.class_weight > 0
    assert settings.temperature > 0
    assert settings.order >= 0
    assert settings.margin > 0
    assert min(settings.epochs, settings.batch_size, settings.accumulation, settings.runs) >= 1
