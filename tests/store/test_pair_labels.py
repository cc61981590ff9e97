"""A person's labels of pairs: found in either order, and purged with their sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.core.duplicates import PairLabel
from desktop_app.core.library import Library

from .conftest import Open
from .helpers import MODEL, drain, files_with, take_in

pytestmark = pytest.mark.every_library

ICE, WATER, TYPED = "Ice melts.", "Water rises.", "Typed by hand."


def labels_of(library: Library, *pairs: tuple[str, str]) -> list[tuple[bool, bool | None] | None]:
    return [(mark.reviewed, mark.same) if mark else None for mark in library.pair_labels.find(pairs)]


def test_a_pair_is_the_same_in_either_order(library: Library) -> None:
    library.pair_labels.review([(ICE, WATER), (ICE, ICE)], True)
    library.pair_labels.judge(WATER, ICE, False)
    assert labels_of(library, (ICE, WATER), (WATER, ICE), (ICE, ICE), (ICE, TYPED)) == [
        (True, False),
        (True, False),
        (True, None),
        None,
    ]


def test_labels_are_removed_one_by_one(library: Library) -> None:
    library.pair_labels.review([(ICE, WATER)], True)
    library.pair_labels.judge(ICE, WATER, True)
    library.pair_labels.review([(ICE, WATER)], False)
    assert labels_of(library, (ICE, WATER)) == [(False, True)]
    library.pair_labels.judge(ICE, WATER, None)
    library.pair_labels.judge(ICE, TYPED, None)
    assert labels_of(library, (ICE, WATER), (ICE, TYPED)) == [None, None]
    assert library.pair_labels.labelled_pairs() == []


def test_labelled_pairs_are_listed_in_order_and_kept(open_library: Open, clock: list[float]) -> None:
    library = open_library()
    library.models.bind(MODEL)
    library.pair_labels.judge(WATER, ICE, True)
    clock[0] += 1
    library.pair_labels.judge(ICE, "a \ud800 b", False)
    library.pair_labels.review([(TYPED, ICE)], True)
    library.close()
    marks = open_library(writable=False).pair_labels.labelled_pairs()
    assert [(mark.a, mark.b, mark.same) for mark in marks] == [(WATER, ICE, True), (ICE, "a ? b", False)]
    assert isinstance(marks[0], PairLabel)
    assert marks[0].marked_at < marks[1].marked_at


def test_a_label_goes_with_its_sentence(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.models.bind(MODEL)
    document_id = take_in(library, "a.txt", ["private-sentence.", "Stays."])
    take_in(library, "b.txt", ["Stays."])
    library.pair_labels.judge("private-sentence.", "private-typed", True)
    library.pair_labels.review([("Stays.", "private-sentence.")], True)
    library.pair_labels.judge("Stays.", TYPED, True)
    library.documents.remove([document_id])
    assert labels_of(library, ("private-sentence.", "private-typed")) == [(False, True)], "it can still be restored"
    drain(library.maintenance.purge())
    assert labels_of(library, ("private-sentence.", "private-typed"), ("Stays.", TYPED)) == [None, (False, True)]
    assert files_with(tmp_path, b"private-") == []


def test_a_removed_label_leaves_no_text(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["Stays."])
    library.pair_labels.judge("private-typed", "Stays.", True)
    library.pair_labels.judge("private-typed", "Stays.", None)
    drain(library.maintenance.purge())
    assert files_with(tmp_path, b"private-") == []
