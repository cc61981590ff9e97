"""Kinds of stored passages: decided for libraries of earlier versions, and by repetition in the whole library.

A passage's kind is decided from its words when its file is read. Whether it is boilerplate shows only when the library
is seen as a whole, so it is looked for when the program is idle, after documents have changed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from desktop_app.core.passage_kinds import RULES_VERSION, decide_kind
from desktop_app.core.stored_rows import MIN_DOCUMENTS, MIN_PAGES, SentenceRepetitions, stored_decision
from desktop_app.store.counters import read_counter, upsert_counter
from desktop_app.store.database import fetch_plain_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from desktop_app.core.records import SpanKind
    from desktop_app.store.database import Database


_STEP_OCCURRENCES = 500
_STEP_SENTENCES = 5000
_STEP_CANDIDATES = 200
_COUNTER = "boilerplate"
"""The state of the documents for which repeated sentences were last looked for."""

_UNDECIDED = "SELECT id FROM version WHERE decided < ? AND id IN (SELECT live_id FROM document) ORDER BY id LIMIT 1"
_NEXT = (
    "SELECT occurrence.ordinal, occurrence.kind, occurrence.passage, occurrence.reason, sentence.text FROM occurrence"
    " JOIN sentence ON sentence.id = occurrence.sentence_id"
    " WHERE occurrence.version_id = ? AND occurrence.ordinal >= ? ORDER BY occurrence.ordinal LIMIT ?"
)
_SET = "UPDATE occurrence SET passage = ?, reason = ? WHERE version_id = ? AND ordinal = ?"
_STATE = "SELECT count(*), coalesce(max(live_id), 0) FROM document WHERE removed_at IS NULL AND live_id IS NOT NULL"
_FREQUENT = (
    "SELECT sentence_id FROM occurrence WHERE sentence_id > ? AND sentence_id <= ? GROUP BY sentence_id"
    " HAVING count(*) >= ?"
)
_REPEATED = (
    "SELECT occurrence.sentence_id, occurrence.version_id, count(*), count(DISTINCT occurrence.page),"
    " version.page_count, version.sentences FROM json_each(?) AS asked"
    " JOIN occurrence ON occurrence.sentence_id = asked.value"
    " JOIN document ON document.live_id = occurrence.version_id AND document.removed_at IS NULL"
    " JOIN version ON version.id = occurrence.version_id GROUP BY occurrence.sentence_id, occurrence.version_id"
)
_MARKED = (
    "SELECT occurrence.sentence_id, occurrence.version_id, occurrence.ordinal, occurrence.kind, sentence.text"
    " FROM occurrence JOIN sentence ON sentence.id = occurrence.sentence_id"
    " WHERE occurrence.passage = 'boilerplate' AND occurrence.reason = 'repeated'"
)
_MARK = (
    "UPDATE occurrence SET passage = 'boilerplate', reason = 'repeated' WHERE sentence_id = ? AND version_id = ?"
    " AND coalesce(passage, kind) IN ('body', 'list') AND reason IS NOT 'person'"
)


def decide_passages(database: Database) -> Iterator[None]:
    """Decide what the passages are that an earlier version of the program stored, some at a time."""
    while True:
        with database.read_transaction() as connection:
            found = fetch_plain_rows(connection, _UNDECIDED, (RULES_VERSION,))
        if not found:
            return
        (version_id,), ordinal = found[0], 0
        while True:
            with database.read_transaction() as connection:
                rows = fetch_plain_rows(connection, _NEXT, (version_id, ordinal, _STEP_OCCURRENCES))
            changes = []
            for at, kind, passage, reason, text in rows:
                decided = stored_decision(kind, *decide_kind(kind, text))
                if reason not in ("person", "repeated", "library") and decided != (passage, reason):
                    changes.append((*decided, version_id, at))
            with database.write_transaction() as connection:
                if changes:
                    connection.exec_driver_sql(_SET, changes)
                if len(rows) < _STEP_OCCURRENCES:
                    done = (RULES_VERSION, version_id)
                    connection.exec_driver_sql("UPDATE version SET decided = ? WHERE id = ?", done)
            yield None
            if len(rows) < _STEP_OCCURRENCES:
                break
            ordinal = rows[-1][0] + 1


def find_boilerplate(database: Database) -> Iterator[None]:
    """Find sentences that are repeated over many documents or pages, and those that no longer are; step by step."""
    with database.read_transaction() as connection:
        ((documents, newest),) = fetch_plain_rows(connection, _STATE)
        state = documents << 40 | newest
        if read_counter(connection, _COUNTER) == state:
            return
        ((last,),) = fetch_plain_rows(connection, "SELECT coalesce(max(id), 0) FROM sentence")
    repeated = SentenceRepetitions()
    for start in range(0, last, _STEP_SENTENCES):
        with database.read_transaction() as connection:
            values = (start, start + _STEP_SENTENCES, min(MIN_DOCUMENTS, MIN_PAGES))
            frequent = [key for (key,) in fetch_plain_rows(connection, _FREQUENT, values)]
        yield None
        for top in range(0, len(frequent), _STEP_CANDIDATES):
            with database.read_transaction() as connection:
                asked = json.dumps(frequent[top : top + _STEP_CANDIDATES])
                repeated.add(fetch_plain_rows(connection, _REPEATED, (asked,)))
            yield None
    wanted = repeated.boilerplate()
    with database.read_transaction() as connection:
        marked = fetch_plain_rows(connection, _MARKED)
    known = {(sentence_id, version_id) for sentence_id, version_id, *_ in marked}
    gone = [row for row in marked if row[:2] not in wanted]
    new = sorted(wanted - known)
    for top in range(0, max(len(gone), len(new)), _STEP_OCCURRENCES):
        with database.write_transaction() as connection:
            _change(connection, gone[top : top + _STEP_OCCURRENCES], new[top : top + _STEP_OCCURRENCES])
        yield None
    with database.write_transaction(is_aside=True) as connection:
        upsert_counter(connection, _COUNTER, state)


def _change(
    connection: Connection, gone: list[tuple[int, int, int, SpanKind, str]], new: list[tuple[int, int]]
) -> None:
    if gone:
        values = [(*stored_decision(kind, *decide_kind(kind, text)), *place) for _, *place, kind, text in gone]
        connection.exec_driver_sql(_SET, values)
    if new:
        connection.exec_driver_sql(_MARK, new)
