"""How well a model finds what belongs together: triplets, and pairs without labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.evaluations import Evaluation, JudgedPair, JudgedRow
from desktop_app.encoder.similarity import cosines
from desktop_app.encoder.training.dataset import text_keys

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from desktop_app.encoder.training.dataset import DataSet

    Vectors = NDArray[np.float32]

_BLOCK = 4_000_000  # scores computed at once


def judge_triplets(data: DataSet, vectors: list[Vectors], worst: int = 0, *, every_row: bool = False) -> Evaluation:
    """Tell in how many triplets the anchor lies nearer to its positive than to its negative, by the cosine.

    Args:
        data: triplets.
        vectors: float32 [n, dim] of each column.
        worst: how many of the most wrongly judged to return; their score is by how much the positive is nearer.
        every_row: return all rows.
    """
    anchors, positives, negatives = data.texts
    nearer = cosines(vectors[0], vectors[1]) - cosines(vectors[0], vectors[2])
    right = nearer > 0
    said = ("negative nearer", "positive nearer")
    order = [int(row) for row in np.argsort(nearer, kind="stable")[:worst] if not right[row]]
    return Evaluation(
        "triplets",
        {"accuracy": float(right.mean()), "rows": len(data)},
        tuple(
            JudgedPair(
                int(data.lines[row]), anchors[row], positives[row], said[1], said[0], float(nearer[row]), negatives[row]
            )
            for row in order
        ),
        rows=tuple(
            JudgedRow(int(line), texts, said[1], said[int(is_right)], float(score))
            for line, texts, is_right, score in zip(
                data.lines, zip(*data.texts, strict=True), right, nearer, strict=True
            )
        )
        if every_row
        else (),
    )


def judge_partners(
    data: DataSet, vectors: list[Vectors], worst: int = 0, *, most: int = 0, every_row: bool = False
) -> Evaluation:
    """Tell at which place each anchor finds its own positive among those of all rows, by the cosine.

    Those of the anchor's other partners, as of its intent, are not wrong; a text of several rows counts once.

    Args:
        data: pairs.
        vectors: float32 [n, dim] of each column.
        worst: how many of the most wrongly judged to return.
        most: look at so many of the first rows alone; 0: at all.
        every_row: return all rows.
    """
    count = min(len(data), most or len(data))
    anchors, positives = (each[:count] for each in text_keys(data)[:2])
    a, b = (_unit(each[:count]) for each in vectors[:2])
    texts = data.texts[1][:count]
    columns = {text: column for column, text in enumerate(dict.fromkeys(texts))}
    own_column = np.array([columns[text] for text in texts])
    once = np.unique(own_column, return_index=True)[1]
    own, rank, nearest = np.empty(count), np.empty(count, np.int64), np.empty(count, np.int64)
    step = max(1, _BLOCK // count)
    for start in range(0, count, step):
        rows = slice(start, start + step)
        scores = a[rows] @ b[once].T
        own[rows] = scores[np.arange(len(scores)), own_column[rows]]  # computed as the others are: equal is equal
        # A partner of its own, be it by way of others, is nowhere in its way.
        scores[(positives[rows, None] == positives[once]) | (anchors[rows, None] == positives[once])] = -np.inf
        rank[rows] = (scores > own[rows, None].astype(np.float32)).sum(axis=1) + 1
        nearest[rows] = once[scores.argmax(axis=1)]
    order = [int(row) for row in np.lexsort((own, -rank))[:worst] if rank[row] > 1]
    return Evaluation(
        "pairs",
        {
            "accuracy@1": float((rank == 1).mean()),
            "mrr@10": float(np.where(rank <= 10, 1 / rank, 0.0).mean()),
            "rows": count,
        },
        tuple(
            JudgedPair(
                int(data.lines[row]),
                data.texts[0][row],
                data.texts[1][row],
                "rank 1",
                f"rank {rank[row]}",
                float(own[row]),
                data.texts[1][nearest[row]],
            )
            for row in order
        ),
        rows=tuple(
            JudgedRow(
                int(data.lines[row]),
                (data.texts[0][row], data.texts[1][row]),
                "rank 1",
                f"rank {rank[row]}",
                float(own[row]),
            )
            for row in range(count)
        )
        if every_row
        else (),
    )


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = (vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return unit
