"""Several people remove documents: each can undo what is their own, and nobody erases what others may bring back."""

from __future__ import annotations

import time

import numpy as np
import pytest

from desktop_app.shared_store.library import SharedLibrary
from tests.store.helpers import MODEL, add, drain, faults, take_in, texts

from .conftest import Open


def test_a_purge_erases_only_what_its_own_session_has_removed(library: SharedLibrary, open_session: Open) -> None:
    anna, bert = open_session("writer", user="anna2"), open_session("writer", user="bert")
    first, second = take_in(library, "a.txt", texts("a", 3)), take_in(library, "b.txt", texts("b", 3))
    bert.documents.remove([first])
    anna.documents.remove([first, second])
    drain(anna.maintenance.purge())
    assert anna.documents.restore([second]) == 0
    assert bert.documents.restore([first]) == 1
    assert (library.info().documents, library.info().sentences) == (1, 3)
    assert faults(library) == []


def test_a_document_that_others_have_restored_and_removed_again_is_theirs(open_session: Open) -> None:
    now = [1000.0]
    anna = open_session(clock=lambda: now[0])
    bert = open_session("writer", user="bert", clock=lambda: now[0])
    document_id = add(anna, "a.txt")
    anna.documents.remove([document_id])
    bert.documents.restore([document_id])
    now[0] += 1
    bert.documents.remove([document_id])
    drain(anna.maintenance.purge())
    assert bert.documents.restore([document_id]) == 1


def test_a_session_that_ends_erases_its_own_removals_and_what_is_due(open_session: Open) -> None:
    now = [1000.0]
    anna = open_session(clock=lambda: now[0])
    anna.models.bind(MODEL)
    bert = open_session("writer", user="bert", clock=lambda: now[0])
    old, recent, own = (take_in(anna, f"{name}.txt", texts(name, 3)) for name in ("old", "recent", "own"))
    bert.documents.remove([old])
    now[0] += 600
    bert.documents.remove([recent])
    now[0] += 1
    third = open_session("writer", user="third", clock=lambda: now[0])
    third.documents.remove([own])
    drain(third.maintenance.run())
    assert third.documents.restore([own]) == 1
    third.documents.remove([own])
    drain(third.maintenance.tidy_up())
    assert bert.documents.restore([old, recent, own]) == 1
    assert [each.document_id for each in anna.documents.fetch()] == [recent]


def test_a_document_that_nobody_reaches_does_not_keep_others_from_being_erased(open_session: Open) -> None:
    now = [1000.0]
    anna = open_session(clock=lambda: now[0])
    anna.models.bind(MODEL)
    add(anna, "on a disk that is away.txt")
    anna.documents.remove([take_in(anna, "gone.txt", texts("gone", 3))])
    now[0] += 601
    drain(anna.maintenance.run())
    assert (anna.info().sentences, anna.info().vectors) == (0, 0)


def test_findings_are_freed_of_what_a_session_erased_before_it_ended(
    library: SharedLibrary, open_session: Open
) -> None:
    gone, kept = take_in(library, "gone.txt", texts("gone", 1)), take_in(library, "kept.txt", texts("kept", 1))
    (lost,) = library.sentences.ids(texts("gone", 1)).values()
    (stays,) = library.sentences.ids(texts("kept", 1)).values()
    library.analysis_reader.save_neighbours(
        np.array([stays], np.int64), np.array([[lost]], np.int64), np.array([[0.5]], np.float32)
    )
    library.documents.remove([gone])
    steps = library.maintenance.purge()
    while library.info().sentences > 1:
        next(steps)
    steps.close()
    assert len(list(library.analysis_reader.neighbours(1))) == 1
    other = open_session("writer")
    drain(other.maintenance.run())
    assert list(other.analysis_reader.neighbours(1)) == []
    assert [each.document_id for each in library.documents.fetch()] == [kept]


def test_a_computer_whose_clock_is_wrong_erases_nothing_that_others_may_restore(
    open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, now = open_session(), time.time()
    document_id = add(anna, "a.txt")
    anna.documents.remove([document_id])
    monkeypatch.setattr(time, "time", lambda: now + 3600)
    bert = open_session("writer", user="bert")
    drain(bert.maintenance.run())
    assert anna.documents.restore([document_id]) == 1
