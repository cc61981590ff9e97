"""The rows of a document version, and how they are deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from desktop_app.store.counters import mark_erased_traces
from desktop_app.store.schema import (
    CutRow,
    LooseRow,
    NextTotalRow,
    OccurrenceRow,
    PageRow,
    PassageRow,
    RecognisedRow,
    TotalRow,
    VersionRow,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection


def clear_version(connection: Connection, version_id: int) -> None:
    """Delete what a version holds; its sentences become candidates of the purge."""
    mark_erased_traces(connection)
    mark_loose_sentences(connection, version_id, None)
    # Passages first: their words leave the index while their texts can still be read.
    for table in (PassageRow, OccurrenceRow, PageRow, RecognisedRow, CutRow, TotalRow, NextTotalRow):
        connection.execute(delete(table).where(table.version_id == version_id))


def mark_loose_sentences(connection: Connection, version_id: int, below: int | None) -> None:
    """Note the sentences of a version (of its ordinals under `below`) as ones that may soon stand nowhere."""
    standing = select(OccurrenceRow.sentence_id).where(OccurrenceRow.version_id == version_id).distinct()
    if below is not None:
        standing = standing.where(OccurrenceRow.ordinal < below)
    connection.execute(
        insert(LooseRow).prefix_with("OR IGNORE", dialect="sqlite").from_select(["sentence_id"], standing)
    )


def delete_version(connection: Connection, version_id: int) -> None:
    """Delete a version and what it holds."""
    clear_version(connection, version_id)
    connection.execute(delete(VersionRow).where(VersionRow.id == version_id))
