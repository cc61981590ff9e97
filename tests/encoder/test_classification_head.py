"""What a head, a threshold, or both say of pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from desktop_app.core.errors import UsageError
from desktop_app.core.labelled_data import DUPLICATE_LABELS
from desktop_app.encoder.classification_head import (
    ClassificationHead,
    ClassificationHeadSpec,
    judge_pairs,
    load_head,
    parse_parts,
    save_head,
    score_pairs,
)

U = np.array([[1, 0], [1, 0], [3, 4]], np.float32)
V = np.array([[2, 0], [0, 1], [4, 3]], np.float32)
COSINES = [1.0, 0.0, 0.96]


def head(kind: str, classes: tuple[str, ...] = DUPLICATE_LABELS, **more: object) -> ClassificationHead:
    return ClassificationHead(ClassificationHeadSpec(kind, classes, ("u", "v"), 2, **more))  # type: ignore[arg-type]


def fixed_head(*biases: float, classes: tuple[str, ...]) -> ClassificationHead:
    """A head that says the same of every pair."""
    made = head("linear", classes)
    with torch.no_grad():
        made.layers["output"].weight.zero_()
        made.layers["output"].bias.copy_(torch.tensor(biases))
    return made


def test_a_threshold_alone_divides_pairs_by_their_cosine() -> None:
    verdicts = judge_pairs(U, V, None, 0.96)
    assert [verdict.label for verdict in verdicts] == ["same", "different", "same"]
    assert [verdict.margin for verdict in verdicts] == pytest.approx([0.04, -0.96, 0.0], abs=1e-6)
    assert {verdict.probability for verdict in verdicts} == {None}


def test_a_head_says_the_most_probable_class() -> None:
    verdicts = judge_pairs(U, V, head("cosine", single=True), None)
    assert [verdict.label for verdict in verdicts] == ["same", "different", "same"]
    expected = [1 / (1 + np.exp(-20 * abs(cosine - 0.75))) for cosine in COSINES]
    assert [verdict.probability for verdict in verdicts] == pytest.approx(expected, abs=1e-6)
    assert {verdict.margin for verdict in verdicts} == {None}
    (verdict, *_) = judge_pairs(U, V, fixed_head(0.0, 2.0, 1.0, classes=("a", "b", "c")), None)
    assert (verdict.label, verdict.probability) == ("b", pytest.approx(np.e**2 / (1 + np.e + np.e**2)))


def test_a_threshold_decides_between_same_and_different_and_no_other_classes() -> None:
    likely_same = fixed_head(0.0, 1.0, classes=DUPLICATE_LABELS)
    score = 1 / (1 + np.exp(-1))
    for threshold, label in ((0.5, "same"), (0.9, "different")):
        (verdict, *_) = judge_pairs(U, V, likely_same, threshold)
        assert (verdict.label, verdict.margin) == (label, pytest.approx(score - threshold, abs=1e-6))
        assert verdict.probability == pytest.approx(score if label == "same" else 1 - score, abs=1e-6)
    (verdict, *_) = judge_pairs(U, V, fixed_head(0.0, 1.0, 0.0, classes=("a", "b", "c")), 0.9)
    assert (verdict.label, verdict.margin) == ("b", None)


def test_scores_are_cosines_unless_a_head_says_how_likely_the_same_is() -> None:
    for made in (None, head("cosine", single=True), head("linear", ("a", "b", "c"))):
        assert score_pairs(U, V, made).tolist() == pytest.approx(COSINES, abs=1e-6)
    scores = score_pairs(U, V, fixed_head(0.0, 1.0, classes=DUPLICATE_LABELS))
    assert scores.tolist() == pytest.approx([1 / (1 + np.exp(-1))] * 3, abs=1e-6)


def test_parts_are_named_once() -> None:
    assert parse_parts("u, v,abs(u-v)") == ("u", "v", "abs(u-v)")
    for wrong in ("u,w", "u,u", ""):
        with pytest.raises(UsageError):
            parse_parts(wrong)


def test_a_head_is_kept_in_the_folder_of_its_model(tmp_path: Path) -> None:
    assert load_head(tmp_path) is None
    made = head("mlp", hidden=3, single=True)
    save_head(made, tmp_path)
    found = load_head(tmp_path)
    assert found is not None
    assert found.spec == made.spec
    np.testing.assert_array_equal(found.probabilities(U, V), made.probabilities(U, V))
