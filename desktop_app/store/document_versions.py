"""The rows of a document version: deleting them, at once or step by step, and counting its truncated sentences."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, func, insert, literal, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from desktop_app.store.counters import mark_erased_traces
from desktop_app.store.schema import (
    CutRow,
    DocumentRow,
    LooseRow,
    ModelRow,
    NextTotalRow,
    OccurrenceRow,
    PageRow,
    PassageRow,
    RecognisedRow,
    TotalRow,
    TruncatedRow,
    VersionRow,
)
from desktop_app.store.scope_conditions import values_subquery

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

GIVEN_UP = 0.0
"""`removed_at` of a document that is being erased and cannot be restored."""

LEFT_BEHIND = -1.0
"""`removed_at` of what imports left behind: the purge erases it step by step when no import waits, but does not hold up
the end of the program for it. Until then, its vectors save the next import from embedding the same sentences again."""

MOST_AT_ONCE = 2000
"""Sentences of a version that is deleted in one transaction: some 30 ms."""

_AMONG = "SELECT sentence_id FROM truncated WHERE model_id = ? AND sentence_id IN (SELECT value FROM json_each(?))"


def clear_version(connection: Connection, version_id: int) -> None:
    """Delete the contents of a version; its sentences become candidates for the purge."""
    mark_erased_traces(connection)
    mark_loose_sentences(connection, version_id, None)
    # Passages first: their words leave the index while the texts can still be read.
    for table in (PassageRow, OccurrenceRow, PageRow, RecognisedRow, CutRow, TotalRow, NextTotalRow):
        connection.execute(delete(table).where(table.version_id == version_id))


def mark_loose_sentences(connection: Connection, version_id: int, below: int | None) -> None:
    """Mark the sentences of a version (those with ordinals under `below`) as possibly unused soon."""
    standing = select(OccurrenceRow.sentence_id).where(OccurrenceRow.version_id == version_id).distinct()
    if below is not None:
        standing = standing.where(OccurrenceRow.ordinal < below)
    connection.execute(
        insert(LooseRow).prefix_with("OR IGNORE", dialect="sqlite").from_select(["sentence_id"], standing)
    )


def delete_version(connection: Connection, version_id: int) -> None:
    """Delete a version and its contents."""
    clear_version(connection, version_id)
    connection.execute(delete(VersionRow).where(VersionRow.id == version_id))


def discard_version(connection: Connection, version_id: int) -> None:
    """Delete a version that no document refers to any more; a large one is left behind, for the purge to erase.

    For that it becomes a nameless document of its own.
    """
    stored = connection.execute(select(VersionRow.sentences).where(VersionRow.id == version_id)).scalar_one_or_none()
    if stored is None or stored <= MOST_AT_ONCE:
        delete_version(connection, version_id)
        return
    mark_erased_traces(connection)
    values = {
        "path": f"\0v{version_id}",  # a path that no file can have
        "name": "",
        "own_title": "",
        "state": "failed",
        "message": "",
        "size_bytes": 0,
        "mtime_ns": 0,
        "added_at": 0.0,
        "removed_at": LEFT_BEHIND,
        "sentences": 0,
    }
    owner = connection.execute(insert(DocumentRow).values(values).returning(DocumentRow.id)).scalar_one()
    connection.execute(update(VersionRow).where(VersionRow.id == version_id).values(document_id=owner))


def copy_header(connection: Connection, version_id: int) -> int:
    """Return the id of a new, empty version with the header of another one."""
    names = [each.name for each in VersionRow.__table__.columns if each.name not in ("id", "sentences", "truncated")]
    columns = [VersionRow.__table__.c[name] for name in names]
    made = connection.execute(
        insert(VersionRow)
        .from_select(
            [*names, "sentences", "truncated"],
            select(*columns, literal(0), literal(0)).where(VersionRow.id == version_id),
        )
        .returning(VersionRow.id)
    )
    return int(made.scalar_one())


def add_truncated(connection: Connection, model_id: int, sentence_ids: Sequence[int]) -> None:
    """Record sentences that are longer than a model's input."""
    if sentence_ids:
        connection.execute(
            upsert(TruncatedRow).on_conflict_do_nothing(),
            [{"model_id": model_id, "sentence_id": sentence_id} for sentence_id in sentence_ids],
        )


def find_truncated(connection: Connection, model_id: int, sentence_ids: Sequence[int]) -> set[int]:
    """Return those of `sentence_ids` that are longer than a model's input."""
    return set(connection.exec_driver_sql(_AMONG, (model_id, json.dumps(sentence_ids))).scalars())


def recount_truncated(connection: Connection) -> None:
    """Recount the truncated sentences of every document after a change of model."""
    connection.execute(update(VersionRow).where(VersionRow.truncated > 0).values(truncated=0))
    # Goes from the few truncated sentences to their occurrences; joined with `model`, SQLite reads all occurrences.
    own = select(ModelRow.id).where(ModelRow.current).scalar_subquery()
    counted = (
        select(OccurrenceRow.version_id, func.count().label("count"))
        .join(TruncatedRow, TruncatedRow.sentence_id == OccurrenceRow.sentence_id)
        .where(TruncatedRow.model_id == own)
        .group_by(OccurrenceRow.version_id)
    )
    rows = [{"row": version_id, "truncated": count} for version_id, count in connection.execute(counted)]
    if rows:
        connection.execute(update(VersionRow).where(VersionRow.id == bindparam("row")), rows)


def delete_truncated(connection: Connection, sentence_ids: Sequence[int]) -> None:
    """Delete the records of erased sentences."""
    connection.execute(delete(TruncatedRow).where(TruncatedRow.sentence_id.in_(values_subquery(sentence_ids))))
