"""Two sessions change the same at the same moment: the second one sees what the first one has done."""

from __future__ import annotations

import pytest

from desktop_app.core.annotations import Annotation
from desktop_app.core.errors import UsageError
from desktop_app.core.user_data import SavedSearch
from desktop_app.shared_store.library import SharedLibrary
from tests.store.helpers import take_in, texts

from .conftest import Open
from .same_moment import Later


def test_of_two_new_collections_with_one_name_the_second_is_refused(library: SharedLibrary, open_session: Open) -> None:
    other = open_session("writer", user="bert")
    later = Later(lambda: other.collections.create("SEA"))
    with later.after(library):
        library.collections.create("Sea")
    with pytest.raises(UsageError, match="already a collection"):
        later.result()


def test_a_collection_cannot_get_a_name_that_another_one_is_given(library: SharedLibrary, open_session: Open) -> None:
    other = open_session("writer", user="bert")
    waves = other.collections.create("Waves")
    later = Later(lambda: other.collections.rename(waves, "Sea"))
    with later.after(library):
        library.collections.create("Sea")
    with pytest.raises(UsageError, match="already a collection"):
        later.result()


def test_of_two_searches_with_one_name_the_one_saved_last_stays(open_session: Open) -> None:
    here, there = open_session("writer", user="carla"), open_session("writer", user="carla")
    later = Later(lambda: there.user_data.save_search(SavedSearch("saved", "second", "both")))
    with later.after(here):
        here.user_data.save_search(SavedSearch("saved", "first", "both"))
    later.result()
    assert [each.text for each in here.user_data.saved_searches()] == ["second"]


def test_two_windows_judge_the_same_hit(library: SharedLibrary, open_session: Open) -> None:
    take_in(library, "a.txt", texts("a", 1))
    (sentence_id,) = library.sentences.ids(texts("a", 1)).values()
    here, there = open_session("writer", user="carla"), open_session("writer", user="carla")
    later = Later(lambda: there.user_data.judge("a query", sentence_id, False))
    with later.after(here):
        here.user_data.judge("a query", sentence_id, True)
    later.result()
    assert [each.is_relevant for each in here.user_data.judgements()] == [False]


def test_two_windows_take_the_same_annotations_from_elsewhere(library: SharedLibrary, open_session: Open) -> None:
    book = take_in(library, "book.txt", texts("a", 1))
    here, there = open_session("writer", user="carla"), open_session("writer", user="carla")
    theirs = [Annotation(0, book, "sea", "rough", "#ffff00", "zotero", "highlight", key="A")]
    later = Later(lambda: there.annotations.replace(book, "zotero", theirs))
    with later.after(here):
        assert here.annotations.replace(book, "zotero", theirs)
    assert later.result() is False
    assert [each.key for each in here.annotations.fetch(book)] == ["A"]


def test_annotations_that_cannot_be_replaced_stay(library: SharedLibrary) -> None:
    book = take_in(library, "book.txt", texts("a", 1))
    library.annotations.add([Annotation(0, book, "sea", origin="zotero", key="A")])
    new = [Annotation(0, book, "sea", origin="zotero", key="B"), Annotation(0, book + 1, "sea", origin="zotero")]
    with pytest.raises(Exception, match="no document"):
        library.annotations.replace(book, "zotero", new)
    assert [each.key for each in library.annotations.fetch(book)] == ["A"]
