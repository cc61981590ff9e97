"""Compares two documents sentence by sentence: kept, reworded, moved, added and dropped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.alignment import align_in_order, match_moved_sentences
from desktop_app.analysis.duplicates import classify_word_overlap, is_unknown_words_pair
from desktop_app.analysis.word_comparison import find_word_differences
from desktop_app.core.duplicates import CLOSE
from desktop_app.core.jobs import Progress
from desktop_app.core.sentence_differences import find_badges
from desktop_app.core.trace import DiffRow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.jobs import Steps
    from desktop_app.core.records import Hit
    from desktop_app.core.trace import ChangeKind

    Order = list[tuple[int | None, int | None, float | None, bool]]

_ROWS_PER_STEP = 256


@dataclass(frozen=True, slots=True)
class DiffSide:
    """A document: vectors float32 [n, dim] and texts of its sentences, and a function that returns rows as hits."""

    vectors: NDArray[np.float32]
    texts: list[str]
    hits: Callable[[Sequence[int]], list[Hit | None]]


def align_documents(a: DiffSide, b: DiffSide) -> Steps[list[DiffRow]]:
    """Return what happened to each sentence, in the order of `b`; dropped ones stand where they stood in `a`."""
    in_order: list[tuple[int, int, float]] = []
    for found in align_in_order(a.vectors, b.vectors, CLOSE):
        if found is not None:
            in_order = found
        yield Progress("comparing")
    left = np.setdiff1d(np.arange(len(a.texts)), [row for row, _, _ in in_order])
    right = np.setdiff1d(np.arange(len(b.texts)), [row for _, row, _ in in_order])
    elsewhere: list[tuple[int, int, float]] = []
    for found in match_moved_sentences(a.vectors, b.vectors, left, right, CLOSE):
        elsewhere += found or []
        yield Progress("comparing")
    partners = {row: (partner, score) for partner, row, score in (*in_order, *elsewhere)}
    anchors = {row for _, row, _ in in_order}
    dropped_rows = sorted(set(range(len(a.texts))) - {partner for partner, _ in partners.values()})
    order: Order = []
    dropped = iter([*dropped_rows, len(a.texts)])
    next_dropped = next(dropped)
    for row in range(len(b.texts)):
        partner, score = partners.get(row, (None, None))
        if row in anchors and partner is not None:
            while next_dropped < partner:
                order.append((next_dropped, None, None, False))
                next_dropped = next(dropped)
        order.append((partner, row, score, row in anchors))
    while next_dropped < len(a.texts):
        order.append((next_dropped, None, None, False))
        next_dropped = next(dropped)
    rows: list[DiffRow] = []
    for start in range(0, len(order), _ROWS_PER_STEP):
        rows += _build_rows(a, b, order[start : start + _ROWS_PER_STEP])
        yield None
    return rows


def _build_rows(a: DiffSide, b: DiffSide, order: Order) -> list[DiffRow]:
    def hits(side: DiffSide, rows: list[int | None]) -> dict[int, Hit]:
        asked = [row for row in rows if row is not None]
        return {row: hit for row, hit in zip(asked, side.hits(asked), strict=True) if hit is not None}

    hits_a, hits_b = hits(a, [each[0] for each in order]), hits(b, [each[1] for each in order])
    rows = []
    for in_a, in_b, score, is_anchor in order:
        one = hits_a.get(in_a) if in_a is not None else None
        other = hits_b.get(in_b) if in_b is not None else None
        if one is not None and other is not None:
            kind = classify_word_overlap(one.text, other.text)
            in_order = is_anchor and score is not None and not is_unknown_words_pair(kind, score)
            change: ChangeKind = "moved" if not in_order else "kept" if kind == "exact" else "reworded"
            spans = find_word_differences(one.text, other.text) if kind == "near" else ((), ())
            cosine = score if score is None else min(score, 1.0)  # rounding may exceed it
            rows.append(DiffRow(change, cosine, one, other, find_badges(one.text, other.text), *spans))
        elif one is not None:
            rows.append(DiffRow("dropped", None, one, None))
        elif other is not None:
            rows.append(DiffRow("new", None, None, other))
    return rows
