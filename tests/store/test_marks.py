"""What persons said of pairs: kept in either order, and gone with the sentences that they tell of."""

from __future__ import annotations

from pathlib import Path

from desktop_app.core.duplicates import PairLabel
from desktop_app.core.library import Library

from .conftest import Open
from .helpers import MODEL, drain, files_with, take_in

ICE, WATER, TYPED = "Ice melts.", "Water rises.", "Typed by hand."


def said(library: Library, *pairs: tuple[str, str]) -> list[tuple[bool, bool | None] | None]:
    return [(mark.reviewed, mark.same) if mark else None for mark in library.marks.of(pairs)]


def test_a_pair_is_the_same_in_either_order(library: Library) -> None:
    library.marks.review([(ICE, WATER), (ICE, ICE)], True)
    library.marks.judge(WATER, ICE, False)
    assert said(library, (ICE, WATER), (WATER, ICE), (ICE, ICE), (ICE, TYPED)) == [
        (True, False),
        (True, False),
        (True, None),
        None,
    ]


def test_marks_are_taken_back_one_by_one(library: Library) -> None:
    library.marks.review([(ICE, WATER)], True)
    library.marks.judge(ICE, WATER, True)
    library.marks.review([(ICE, WATER)], False)
    assert said(library, (ICE, WATER)) == [(False, True)]
    library.marks.judge(ICE, WATER, None)
    library.marks.judge(ICE, TYPED, None)
    assert said(library, (ICE, WATER), (ICE, TYPED)) == [None, None]
    assert library.marks.judged() == []


def test_judged_pairs_are_listed_as_they_were_judged_and_stay(open_library: Open, clock: list[float]) -> None:
    library = open_library()
    library.bind_model(MODEL)
    library.marks.judge(WATER, ICE, True)
    clock[0] += 1
    library.marks.judge(ICE, "a \ud800 b", False)
    library.marks.review([(TYPED, ICE)], True)
    library.close()
    marks = open_library(writable=False).marks.judged()
    assert [(mark.a, mark.b, mark.same) for mark in marks] == [(WATER, ICE, True), (ICE, "a ? b", False)]
    assert isinstance(marks[0], PairLabel)
    assert marks[0].marked_at < marks[1].marked_at


def test_a_mark_goes_with_the_sentence_it_tells_of(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.bind_model(MODEL)
    document_id = take_in(library, "a.txt", ["private-sentence.", "Stays."])
    take_in(library, "b.txt", ["Stays."])
    library.marks.judge("private-sentence.", "private-typed", True)
    library.marks.review([("Stays.", "private-sentence.")], True)
    library.marks.judge("Stays.", TYPED, True)
    library.remove_documents([document_id])
    assert said(library, ("private-sentence.", "private-typed")) == [(False, True)], "it can still be restored"
    drain(library.purge())
    assert said(library, ("private-sentence.", "private-typed"), ("Stays.", TYPED)) == [None, (False, True)]
    assert files_with(tmp_path, b"private-") == []


def test_a_mark_that_is_taken_back_leaves_no_text(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.bind_model(MODEL)
    take_in(library, "a.txt", ["Stays."])
    library.marks.judge("private-typed", "Stays.", True)
    library.marks.judge("private-typed", "Stays.", None)
    drain(library.purge())
    assert files_with(tmp_path, b"private-") == []
