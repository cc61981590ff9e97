"""What a model makes of every row of a file: label, score, and the probabilities of its head."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.evaluations import JudgedRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.encoder.training.dataset import DataSet


def judged_rows(
    data: DataSet,
    scores: NDArray[np.float64],
    threshold: float | None = None,
    classes: Sequence[str] = (),
    probabilities: NDArray[np.float64] | None = None,
) -> tuple[JudgedRow, ...]:
    """Return every row of labelled data.

    Args:
        data: with labels.
        scores: float64 [n], by which they are judged; of classes the probability of the one that is found.
        threshold: from which pairs are the same; None of other data.
        classes: that a head tells apart.
        probabilities: float64 [n, classes] of them; None: there is no head.
    """
    assert data.labels is not None, f"{data.kind} have no labels"
    rows = []
    for row, texts in enumerate(zip(*data.texts, strict=True)):
        told = {} if probabilities is None else dict(zip(classes, map(float, probabilities[row]), strict=True))
        if data.kind == "similarity":
            expected, found = f"{float(data.labels[row]):.4g}", ""
        else:
            expected = data.classes[int(data.labels[row])]
            found = max(told, key=lambda name: told[name]) if told else ""
            if threshold is not None:
                found = data.classes[int(scores[row] >= threshold)]
        rows.append(JudgedRow(int(data.lines[row]), texts, expected, found, float(scores[row]), told))
    return tuple(rows)
