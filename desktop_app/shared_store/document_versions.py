"""The rows of a document version: deleting them, and counting its truncated sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.shared_store.connection import SharedDatabase

_CONTENTS = ("passage", "occurrence", "page", "recognised", "cut")


def clear_version(database: SharedDatabase, version_id: int) -> None:
    """Delete the contents of a version; its sentences become candidates for the purge."""
    mark_loose_sentences(database, version_id, None)
    for table in (*_CONTENTS, *total_tables(database)):
        database.run(f"DELETE FROM {table} WHERE version_id = %(id)s", id=version_id)


def total_tables(database: SharedDatabase) -> list[str]:
    """Return the names of the tables of sums of vectors."""
    return database.column("SELECT 'total_' || id FROM model WHERE to_regclass('total_' || id) IS NOT NULL ORDER BY id")


def mark_loose_sentences(database: SharedDatabase, version_id: int, below: int | None) -> None:
    """Mark the sentences of a version (those with ordinals under `below`) as possibly unused soon."""
    limit = "" if below is None else " AND ordinal < %(below)s"
    database.run(
        f"INSERT INTO loose (sentence_id) SELECT DISTINCT sentence_id FROM occurrence WHERE version_id = %(id)s{limit}"
        " ORDER BY sentence_id ON CONFLICT DO NOTHING",
        id=version_id,
        below=below,
    )


def delete_version(database: SharedDatabase, version_id: int) -> None:
    """Delete a version and its contents."""
    clear_version(database, version_id)
    database.run("DELETE FROM version WHERE id = %(id)s", id=version_id)


def add_truncated(database: SharedDatabase, model_id: int, sentence_ids: Sequence[int]) -> None:
    """Record sentences that are longer than a model's input."""
    if sentence_ids:
        database.run(
            "INSERT INTO truncated (model_id, sentence_id) SELECT %(model)s, id FROM unnest(%(ids)s::bigint[]) AS id"
            " ORDER BY id ON CONFLICT DO NOTHING",
            model=model_id,
            ids=list(sentence_ids),
        )


def recount_truncated(database: SharedDatabase) -> None:
    """Recount the truncated sentences of every document after a change of model."""
    database.run("UPDATE version SET truncated = 0 WHERE truncated > 0")
    # Goes from the few truncated sentences to their occurrences, never through all occurrences.
    database.run(
        "UPDATE version v SET truncated = c.count FROM (SELECT o.version_id, count(*) AS count FROM truncated t"
        " JOIN model m ON m.id = t.model_id AND m.current JOIN occurrence o ON o.sentence_id = t.sentence_id"
        " GROUP BY o.version_id) c WHERE c.version_id = v.id"
    )
