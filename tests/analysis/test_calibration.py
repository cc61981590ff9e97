"""Percentiles of cosines among random pairs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.analysis.calibration import MIN_SENTENCES, Calibration, calibrate_in_steps
from desktop_app.core.jobs import run_to_completion


def calibrate(vectors: NDArray[np.float32]) -> Calibration | None:
    return run_to_completion(calibrate_in_steps(vectors))


def unit(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_a_percentile_is_the_share_of_random_pairs_below() -> None:
    vectors = unit(np.random.default_rng(1).standard_normal((300, 24)) + 0.3)
    calibration = calibrate(vectors)
    assert calibration is not None
    cosines = (vectors @ vectors.T)[np.triu_indices(300, 1)]
    for score in (-0.2, 0.0, 0.1, 0.3, 0.5):
        assert calibration.percentile(score) == pytest.approx(100 * float((cosines < score).mean()), abs=0.1)
    assert calibration.percentile(-1.0) == 0.0
    assert calibration.percentile(1.0) == 100.0
    assert calibration.percentile(calibration.chance) == pytest.approx(99.0, abs=0.01)


def test_the_best_of_several_random_cosines_is_higher() -> None:
    rng = np.random.default_rng(2)
    calibration = calibrate(unit(rng.standard_normal((400, 16))))
    assert calibration is not None
    drawn = rng.choice(calibration.quantiles, (20_000, 3)).max(axis=1)
    of_three = calibration.best_of(3)
    for score in (0.0, 0.2, 0.4):
        assert of_three.percentile(score) == pytest.approx(100 * float((drawn < score).mean()), abs=1.5)
    assert of_three.chance > calibration.chance
    assert calibration.best_of(1) is calibration


def test_too_few_sentences_have_no_calibration() -> None:
    assert calibrate(unit(np.random.default_rng(1).standard_normal((MIN_SENTENCES - 1, 8)))) is None
    assert calibrate(np.empty((0, 0), np.float32)) is None


def test_identical_sentences_are_calibrated() -> None:
    calibration = calibrate(np.tile(unit(np.ones((1, 8))), (MIN_SENTENCES, 1)))
    assert calibration is not None
    assert calibration.percentile(0.5) == 0.0
    assert calibration.percentile(1.0) >= 0.0
