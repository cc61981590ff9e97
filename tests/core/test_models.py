"""A person's changes to a model."""

from __future__ import annotations

import pytest

from desktop_app.core.models import NO_CHANGES, ModelChanges


@pytest.mark.parametrize(
    "changes", [ModelChanges(query_prompt=""), ModelChanges(passage_prompt="p: "), ModelChanges(max_length=1)]
)
def test_any_change_counts(changes: ModelChanges) -> None:
    assert changes
    assert not NO_CHANGES
    assert not ModelChanges()


def test_changes_are_completed_by_others() -> None:
    one, other = ModelChanges("q: ", None, 5), ModelChanges("other", "p: ", 9)
    assert one.over(other) == ModelChanges("q: ", "p: ", 5)
    assert ModelChanges("", None, 0).over(other) == ModelChanges("", "p: ", 0)
    assert NO_CHANGES.over(other) == other
    assert other.over(NO_CHANGES) == other
