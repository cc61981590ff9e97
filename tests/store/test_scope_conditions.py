"""Documents are found by their own metadata."""

from __future__ import annotations

import pytest

from desktop_app.core.library import Library
from desktop_app.core.reader_events import FileRef, ReadingDone
from desktop_app.core.scope import Scope
from desktop_app.store.database import Database

from .helpers import head, path, store, take_in, vector_of


@pytest.fixture
def dated(library: Library) -> Library:
    """Files of the year 1970 (see `helpers.add`), two of them with a date of their own."""
    take_in(library, "room.txt", ["One."], author="Virginia Wöolf", dated="1929-10-24")
    take_in(library, "waves.txt", ["Two."], author="V. Woolf and others", dated="1931")
    take_in(library, "notes.txt", ["Three."])
    return library


def found(library: Library, **scope: object) -> set[str]:
    near = library.search.nearest(vector_of("One."), 9, scope=Scope(**scope))  # type: ignore[arg-type]
    return {hit.text for hit in library.search.hits(near)}


@pytest.mark.every_library
def test_an_author_is_found_by_a_part_of_the_name_without_accents(dated: Library) -> None:
    assert found(dated, authors=("woolf",)) == {"One.", "Two."}
    assert found(dated, authors=("WOOLF", "others")) == {"Two."}
    assert found(dated, authors=("joyce",)) == set()


@pytest.mark.every_library
@pytest.mark.parametrize(
    ("scope", "texts"),
    [
        ({"dated_after": "1929"}, {"One.", "Two.", "Three."}),
        ({"dated_after": "1929", "dated_before": "1930"}, {"One."}),
        ({"dated_after": "1929-11"}, {"Two.", "Three."}),
        ({"dated_before": "1931"}, {"One."}),
        ({"dated_before": "1932"}, {"One.", "Two."}),
        ({"dated_after": "1932"}, {"Three."}),
        ({"dated_after": "1971"}, set()),
        ({"dated_before": "1971"}, {"One.", "Two.", "Three."}),
        ({"dated_after": "2500"}, set()),
    ],
)
def test_a_document_has_its_own_date_else_that_of_its_file(
    dated: Library, scope: dict[str, str], texts: set[str]
) -> None:
    assert found(dated, **scope) == texts


@pytest.mark.every_library
def test_a_period_has_its_first_moment_and_not_its_last(library: Library) -> None:
    for name, changed_s in (("before.txt", 999), ("first.txt", 1000), ("last.txt", 2000)):
        (document,) = library.documents.add([FileRef(path(name), 1, changed_s * 1_000_000_000)])
        library.ingest.begin(document.document_id, head(name))
        store(library, document.document_id, [f"{name} has one sentence."])
        library.ingest.finish(document.document_id, ReadingDone())
    assert found(library, after=1000.0, before=2000.0) == {"first.txt has one sentence."}
    assert found(library, after=2000.0) == {"last.txt has one sentence."}
    assert found(library, before=1000.0) == {"before.txt has one sentence."}


def test_documents_without_a_date_of_their_own_are_counted(dated: Library, library: Library) -> None:
    assert dated.documents.count_file_dates(Scope()) == (1, 0)
    assert dated.documents.count_file_dates(Scope(dated_before="1932")) == (0, 0)
    database: Database = dated.documents._database  # type: ignore[attr-defined]
    with database.write_transaction() as connection:  # as an older program leaves them
        connection.exec_driver_sql("UPDATE version SET dated = NULL WHERE dated = ''")
    assert dated.documents.count_file_dates(Scope()) == (1, 1)
    assert found(dated, dated_after="1932") == {"Three."}
