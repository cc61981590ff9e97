"""The rows of a document version: deleting them, and counting its truncated sentences."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from desktop_app.store.counters import mark_erased_traces
from desktop_app.store.schema import (
    CutRow,
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
    # Goes from the few truncated sentences to their occurrences, never through all occurrences.
    counted = (
        select(OccurrenceRow.version_id, func.count().label("count"))
        .join(TruncatedRow, TruncatedRow.sentence_id == OccurrenceRow.sentence_id)
        .join(ModelRow, ModelRow.id == TruncatedRow.model_id)
        .where(ModelRow.current)
        .group_by(OccurrenceRow.version_id)
    )
    for row in connection.execute(counted).all():
        connection.execute(update(VersionRow).where(VersionRow.id == row.version_id).values(truncated=row.count))


def delete_truncated(connection: Connection, sentence_ids: Sequence[int]) -> None:
    """Delete the records of erased sentences."""
    connection.execute(delete(TruncatedRow).where(TruncatedRow.sentence_id.in_(values_subquery(sentence_ids))))
