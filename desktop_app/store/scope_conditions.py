"""SQL conditions for visible documents and sentences: live, not removed, within a scope."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, String, and_, case, func, or_, select, true
from sqlalchemy.orm import aliased

from desktop_app.core.document_dates import date_to_seconds, to_nanoseconds
from desktop_app.core.stored_text import fold_text
from desktop_app.store.schema import (
    CollectedRow,
    CollectionRow,
    DocumentRow,
    FileCopyRow,
    OccurrenceRow,
    ReferenceRow,
    VersionRow,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Select, TableValuedAlias
    from sqlalchemy.orm import InstrumentedAttribute

    from desktop_app.core.records import CollectionKind
    from desktop_app.core.scope import Scope

# Aliases, so that they are not confused with the same table already in the query.
_LIVE = aliased(VersionRow)
_GIVEN = aliased(ReferenceRow)


def values_table(values: Iterable[int]) -> TableValuedAlias:
    """Return `values` as a table with the column `value`: one parameter, however many there are."""
    return func.json_each(json.dumps([int(value) for value in values])).table_valued("value")


def values_subquery(values: Iterable[int]) -> Select[tuple[int]]:
    """Return `values` as a subquery for `IN`."""
    return select(values_table(values).c.value)


def is_at_or_below(path: str) -> ColumnElement[bool]:
    """Return the condition that a file of a document is the file `path` or is inside the folder `path`."""
    path = os.path.normpath(path)
    own = or_(DocumentRow.path == path, is_below(path, DocumentRow.path))
    return or_(own, _has_copy(or_(FileCopyRow.path == path, is_below(path, FileCopyRow.path))))


def is_at(path: str) -> ColumnElement[bool]:
    """Return the condition that a document has the file `path`."""
    return or_(DocumentRow.path == path, _has_copy(FileCopyRow.path == path))


def is_below(folder: str, column: InstrumentedAttribute[str]) -> ColumnElement[bool]:
    """Return the condition that a path is inside a folder.

    It is a range of the index on paths, so that neither a neighbour (`/a/bc` for `/a/b`) nor a wildcard matches.
    """
    below = folder if folder.endswith(os.sep) else folder + os.sep
    return and_(column >= below, column < below[:-1] + chr(ord(os.sep) + 1))


def _has_copy(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that a document has a copy that satisfies another condition."""
    return DocumentRow.id.in_(select(FileCopyRow.document_id).where(condition))


def is_not_removed() -> ColumnElement[bool]:
    """Return the condition that a document is not removed."""
    return DocumentRow.removed_at.is_(None)


def is_document_in_scope(scope: Scope) -> ColumnElement[bool]:
    """Return the condition that a document is in a scope."""
    condition: ColumnElement[bool] = true()
    if scope.document_ids is not None:
        condition = and_(condition, DocumentRow.id.in_(values_subquery(scope.document_ids)))
    if scope.not_document_ids:
        condition = and_(condition, DocumentRow.id.not_in(values_subquery(scope.not_document_ids)))
    if scope.paths:
        condition = and_(condition, or_(*(is_at_or_below(path) for path in scope.paths)))
    if scope.types:
        condition = and_(condition, _live_version_has(_LIVE.type.in_(sorted(scope.types))))
    return and_(condition, *_scope_conditions(scope))


def is_occurrence_in_scope(scope: Scope) -> ColumnElement[bool]:
    """Return the condition that an occurrence is in a scope."""
    return and_(is_document_in_scope(scope), is_passage_in_scope(scope))


def is_passage_in_scope(scope: Scope) -> ColumnElement[bool]:
    """Return the condition that an occurrence, in whatever document, is a passage of a kind that a scope has."""
    if not scope.without:
        return true()
    return func.coalesce(OccurrenceRow.passage, OccurrenceRow.kind).not_in(sorted(scope.without))


def document_language_column() -> ColumnElement[str]:
    """Return the guessed language of a document as a column; see `database.DocumentLanguages`."""
    return func.language_of(DocumentRow.live_id, DocumentRow.sentences, type_=String)


def _live_version_has(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that a document's live version satisfies another condition."""
    return select(_LIVE.id).where(_LIVE.id == DocumentRow.live_id, condition).exists()


def _in_collection(name: str, kind: CollectionKind) -> ColumnElement[bool]:
    """Return the condition that a document is in a collection, or has a tag, of this name."""
    named = func.folded(CollectionRow.name, type_=String) == fold_text(" ".join(name.split()))
    held = select(CollectedRow.document_id).join(CollectionRow, CollectionRow.id == CollectedRow.collection_id)
    return DocumentRow.id.in_(held.where(CollectionRow.kind == kind, named))


def _scope_conditions(scope: Scope) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions on title, author, folder, kind, collections, tags, language and date."""
    for title in scope.titles:
        own = case((DocumentRow.own_title != "", DocumentRow.own_title), else_=_LIVE.title)
        shown = case((own != "", own), else_=DocumentRow.name)
        yield _live_version_has(func.instr(func.folded(shown, type_=String), fold_text(title)) > 0)
    for author in scope.authors:
        names = func.coalesce(_given(_GIVEN.author), _LIVE.author)
        yield _live_version_has(func.instr(func.folded(names, type_=String), fold_text(author)) > 0)
    if scope.dated_after:
        yield _is_dated(scope.dated_after, is_earlier=False)
    if scope.dated_before:
        yield _is_dated(scope.dated_before, is_earlier=True)
    for folder in scope.folders:
        path = os.path.expanduser(folder)
        part = f"/{fold_text(folder).replace(os.sep, '/').strip('/')}/"
        named, copied = (
            func.instr(func.folded(column, type_=String) + "/", part) > 0
            for column in (DocumentRow.path, FileCopyRow.path)
        )
        yield or_(is_at_or_below(os.path.abspath(path)), named, _has_copy(copied))
    if scope.kinds:
        endings = [
            func.folded(DocumentRow.name, type_=String).endswith(f".{kind}", autoescape=True)
            for kind in sorted(scope.kinds)
        ]
        yield or_(_live_version_has(_LIVE.type.in_(sorted(scope.kinds))), *endings)
    for name in scope.collections:
        yield _in_collection(name, "collection")
    for tag in scope.tags:
        yield _in_collection(tag, "tag")
    if scope.languages is not None:
        yield document_language_column().in_(sorted(scope.languages))
    if scope.after is not None:
        yield DocumentRow.mtime_ns >= to_nanoseconds(scope.after)
    if scope.before is not None:
        yield DocumentRow.mtime_ns < to_nanoseconds(scope.before)


def has_own_date() -> ColumnElement[bool]:
    """Return the condition that a document has a date of its own, besides that of its file."""
    return _live_version_has(_own_date() != "")


def _own_date() -> ColumnElement[str]:
    """Return the date in a document's reference, else in its file, as a column; empty if there is none."""
    return func.coalesce(_given(_GIVEN.dated), _LIVE.dated, "", type_=String)


def _given(column: InstrumentedAttribute[str]) -> ColumnElement[str]:
    """Return a column of the reference that a person gave; NULL if they gave none."""
    return select(column).where(_GIVEN.document_id == DocumentRow.id).correlate(DocumentRow).scalar_subquery()


def _is_dated(date: str, *, is_earlier: bool) -> ColumnElement[bool]:
    """Return the condition that a document is earlier than a date, or not; without a date of its own its file is."""
    dated, changed, limit = _own_date(), DocumentRow.mtime_ns, to_nanoseconds(date_to_seconds(date) or 0.0)
    of_file = changed < limit if is_earlier else changed >= limit
    own = dated < date if is_earlier else dated >= date
    return _live_version_has(case((dated != "", own), else_=of_file))
