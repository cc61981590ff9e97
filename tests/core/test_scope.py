"""A scope from what a person ticked."""

from __future__ import annotations

import time
from datetime import datetime

import pytest

from desktop_app.core.scope import DAY_S, EVERYTHING, Scope, ScopePart, ScopePartKind, combine_parts


def part(kind: ScopePartKind, key: str) -> ScopePart:
    return ScopePart(kind, key, f"the {kind}")


def test_parts_of_each_kind_become_conditions() -> None:
    parts = [
        *(part("folder", "/a"), part("document", "/b/c.txt"), part("type", "pdf"), part("type", "text")),
        *(part("collection", "Read"), part("tag", "sea"), part("tag", "ice"), part("language", "de")),
    ]
    assert combine_parts(parts) == Scope(
        paths=("/a", "/b/c.txt"),
        types=frozenset({"pdf", "text"}),
        collections=("Read",),
        tags=("sea", "ice"),
        languages=frozenset({"de"}),
    )


def test_no_part_is_everything_and_one_is_not() -> None:
    assert combine_parts([]) is EVERYTHING
    scope = combine_parts([part("type", "pdf")])
    assert scope == Scope(types=frozenset({"pdf"}))
    assert not scope.is_everything
    assert not scope.has_every_document
    assert EVERYTHING.is_everything
    assert EVERYTHING.has_every_document


def test_a_scope_that_leaves_out_kinds_of_paragraphs_has_every_document() -> None:
    scope = Scope(without=frozenset({"reference"}))
    assert scope.has_every_document
    assert not scope.is_everything


def test_a_year_ends_where_the_next_begins() -> None:
    scope = combine_parts([part("date", "year:2024")])
    assert scope.after == datetime(2024, 1, 1).astimezone().timestamp()
    assert scope.before == datetime(2025, 1, 1).astimezone().timestamp()


def test_the_last_days_have_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 10 * DAY_S)
    assert combine_parts([part("date", "days:7")]) == Scope(after=3 * DAY_S)
