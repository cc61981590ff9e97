"""Documents in a part of the library."""

from __future__ import annotations

import pytest

from desktop_app.core.library import Library
from desktop_app.core.reader_events import FileRef, ReadingDone
from desktop_app.core.scope import EVERYTHING, Scope

from .helpers import head, path, store

_NOON_S = 1_700_000_000
_NS = 1_000_000_000


@pytest.fixture
def dated(library: Library) -> Library:
    """A document from before noon, one from noon, one from a nanosecond later."""
    for name, time_ns in (("before", _NOON_S * _NS - 1), ("noon", _NOON_S * _NS), ("after", _NOON_S * _NS + 1)):
        (document,) = library.documents.add([FileRef(path(f"{name}.txt"), 100, time_ns)])
        library.ingest.begin(document.document_id, head(name))
        store(library, document.document_id, [f"The {name} of a day."])
        library.ingest.finish(document.document_id, ReadingDone())
    return library


@pytest.mark.parametrize(
    ("scope", "names"),
    [
        (EVERYTHING, ["before", "noon", "after"]),
        (Scope(after=_NOON_S), ["noon", "after"]),
        (Scope(before=_NOON_S), ["before"]),
        (Scope(after=_NOON_S, before=_NOON_S), []),
        (Scope(after=_NOON_S, before=_NOON_S + 1), ["noon", "after"]),
    ],
)
def test_a_period_has_its_beginning_and_not_its_end(dated: Library, scope: Scope, names: list[str]) -> None:
    rows = [row for batch in dated.sentences.occurrences(scope=scope) for row in batch]
    assert [row.text for row in rows] == [f"The {name} of a day." for name in names]
