"""What is seen, as conditions of a query: live versions of documents that are not removed, in a part of the library."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, and_, func, or_, select, true

from desktop_app.store.schema import DocumentRow, VersionRow

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Select, TableValuedAlias

    from desktop_app.core.records import Scope


def given(values: Iterable[int]) -> TableValuedAlias:
    """Return `values` as a table with the column `value`: one parameter however many there are."""
    return func.json_each(json.dumps([int(value) for value in values])).table_valued("value")


def one_of(values: Iterable[int]) -> Select[tuple[int]]:
    """Return `values` as a subquery for `IN`."""
    return select(given(values).c.value)


def at_or_below(path: str) -> ColumnElement[bool]:
    """Return the condition that a document is the file `path` or lies in the folder `path`.

    A range of the index on paths, so that neither a neighbour (`/a/bc` for `/a/b`) nor a wildcard is taken along.
    """
    path = os.path.normpath(path)
    below = path if path.endswith(os.sep) else path + os.sep
    end = below[:-1] + chr(ord(os.sep) + 1)
    return or_(DocumentRow.path == path, and_(DocumentRow.path >= below, DocumentRow.path < end))


def present() -> ColumnElement[bool]:
    """Return the condition that a document is not removed."""
    return DocumentRow.removed_at.is_(None)


def in_scope(scope: Scope) -> ColumnElement[bool]:
    """Return the condition that a document belongs to a part of the library."""
    condition: ColumnElement[bool] = true()
    if scope.document_ids is not None:
        condition = and_(condition, DocumentRow.id.in_(one_of(scope.document_ids)))
    if scope.paths:
        condition = and_(condition, or_(*(at_or_below(path) for path in scope.paths)))
    if scope.types:
        versions = select(VersionRow.id).where(
            VersionRow.id == DocumentRow.live_id, VersionRow.type.in_(sorted(scope.types))
        )
        condition = and_(condition, versions.exists())
    return condition
