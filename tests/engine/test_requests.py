"""What the results of searches and imports say of themselves."""

from __future__ import annotations

from dataclasses import fields

import pytest

from desktop_app.core.reader_events import FileRef
from desktop_app.core.records import ScoredSentence
from desktop_app.engine.file_walk import UnreadablePath
from desktop_app.engine.requests import (
    DeletedFile,
    FailedFile,
    ImportedFile,
    ImportReport,
    MovedFile,
    SearchResult,
)


def result(*found: tuple[float, str], chance: float | None) -> SearchResult:
    rows = tuple(ScoredSentence(at, score, (way,)) for at, (score, way) in enumerate(found))
    return SearchResult("ice", "both", rows, (), len(rows), 0.0, chance=chance)


@pytest.mark.parametrize(
    ("chance", "answers", "is_chance_level"),
    [(None, [0, 1, 2, 3], False), (0.4, [0, 1, 2, 3], False), (0.5, [0, 1, 2, 3], False), (0.51, [2], False)],
)
def test_all_that_was_found_answers_if_the_best_is_nearer_than_random_sentences(
    chance: float | None, answers: list[int], is_chance_level: bool
) -> None:
    found = result((0.5, "meaning"), (0.4, "meaning"), (0.3, "words"), (0.1, "meaning"), chance=chance)
    assert [each.sentence_id for each in found.answers] == answers
    assert found.is_chance_level == is_chance_level


def test_without_near_sentences_those_with_the_words_are_the_answers() -> None:
    found = result((0.5, "meaning"), (0.4, "words"), chance=0.6)
    assert [each.sentence_id for each in found.answers] == [1]
    assert not found.is_chance_level
    far = result((0.5, "meaning"), (0.4, "meaning"), chance=0.6)
    assert far.answers == ()
    assert far.is_chance_level
    assert not result((0.6, "meaning"), chance=0.6).is_chance_level
    assert not result(chance=0.6).is_chance_level


def report(number: int, *, stopped: bool = False) -> ImportReport:
    name = f"{number}.txt"
    return ImportReport(
        imported=[ImportedFile(name, number, None, 1, ())],
        unchanged=[f"u{name}"],
        failed=[FailedFile(f"f{name}", "damaged", None)],
        ignored=[f"i{name}"],
        sentences=number,
        embedded=10 * number,
        seconds=0.5 * number,
        stopped=stopped,
        left_out=100 * number,
        removed=[DeletedFile(f"r{name}", number)],
        unconfirmed=[DeletedFile(f"c{name}", number)],
        moved=[MovedFile(f"m{name}", f"n{name}", number)],
        unreadable=[UnreadablePath(f"x{name}", None)],
        archives={name: frozenset([name])},
        taken_over={number: FileRef(name, 1, 1)},
    )


@pytest.mark.parametrize(("first", "second"), [(False, False), (True, False), (False, True)])
def test_reports_of_imports_are_added_field_by_field(first: bool, second: bool) -> None:
    one, two, both = report(1), report(2), report(1, stopped=first)
    both.add(report(2, stopped=second))
    assert both.stopped == (first or second)
    for field in fields(ImportReport):
        a, b, total = (getattr(each, field.name) for each in (one, two, both))
        if isinstance(a, dict):
            assert total == a | b
        elif field.name != "stopped":
            assert total == a + b, field.name
