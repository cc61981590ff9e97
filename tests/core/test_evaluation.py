"""Whether a change of a score is more than chance."""

from __future__ import annotations

import pytest

from desktop_app.core.evaluation import ScoreChange, judge_change


@pytest.mark.parametrize(
    ("before", "after", "rows", "is_correlation", "change"),
    [
        (0.70, 0.75, 20, False, "unclear"),
        (0.70, 0.75, 2000, False, "better"),
        (0.70, 0.65, 2000, False, "worse"),
        (0.40, 0.95, 20, False, "better"),
        (0.80, 0.84, 20, True, "unclear"),
        (0.80, 0.84, 1000, True, "better"),
        (0.84, 0.80, 1000, True, "worse"),
        (0.80, 0.80, 100_000, True, "unclear"),
        (1.0, 1.0, 0, False, "unclear"),
        (-0.2, 0.9, 2, True, "unclear"),
    ],
)
def test_a_change_counts_from_as_many_rows_as_it_needs(
    before: float, after: float, rows: int, is_correlation: bool, change: ScoreChange
) -> None:
    assert judge_change(before, after, rows, is_correlation=is_correlation) == change
