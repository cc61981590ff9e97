"""What the recall meters of both kinds of library have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.messages import Message
from desktop_app.core.records import CheckResult

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from desktop_app.core.records import Recall

    Vectors = NDArray[np.float32]

_NOISE = 0.6


def perturb_rows(rows: Vectors) -> Vectors:
    """Return unit vectors near stored ones, as queries are: a stored one would always find itself.

    Args:
        rows: float32 [n, dim], of length 1.
    """
    noise = np.random.default_rng(5).standard_normal(rows.shape, np.float32)
    moved = rows + noise * np.float32(_NOISE / np.sqrt(rows.shape[1]))
    unit: Vectors = moved / np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), 1e-9)
    return unit.astype(np.float32)


def check_recall(found: Recall, target: float) -> CheckResult:
    """Return what the doctor says about a measured recall."""
    summary = Message(
        "recall@10 {recall:.4f} on {queries} queries, ef {ef}",
        code="recall",
        recall=found.recall,
        queries=found.queries,
        ef=found.ef,
    )
    return CheckResult("recall", found.recall >= target, summary)
