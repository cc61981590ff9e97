"""Kinds of stored passages in a shared library: decided anew after an update, and by repetition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.passage_kinds import RULES_VERSION, decide_kind
from desktop_app.core.stored_rows import MIN_DOCUMENTS, MIN_PAGES, SentenceRepetitions, stored_decision

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_app.shared_store.connection import SharedDatabase

_STEP_OCCURRENCES = 2000
_STEP_SENTENCES = 20_000
_STATE = "boilerplate"
"""The state of the documents for which repeated sentences were last looked for."""
_MAX_STATE = 2**63 - 1

_SET = (
    "UPDATE occurrence SET passage = %(passage)s, reason = %(reason)s"
    " WHERE version_id = %(version)s AND ordinal = %(ordinal)s"
)
_REPEATED = (
    "SELECT o.sentence_id, o.version_id, count(*) AS times, count(DISTINCT o.page) AS pages, v.page_count, v.sentences"
    " FROM occurrence o"
    " JOIN document d ON d.live_id = o.version_id AND d.removed_at IS NULL JOIN version v ON v.id = o.version_id"
    " WHERE o.sentence_id IN (SELECT sentence_id FROM occurrence WHERE sentence_id > %(first)s"
    " AND sentence_id <= %(last)s GROUP BY sentence_id HAVING count(*) >= %(most)s)"
    " GROUP BY o.sentence_id, o.version_id, v.id ORDER BY o.sentence_id"
)
_MARK = (
    "UPDATE occurrence o SET passage = 'boilerplate', reason = 'repeated'"
    " FROM unnest(%(sentences)s::bigint[], %(versions)s::bigint[]) AS n (sentence_id, version_id)"
    " WHERE o.sentence_id = n.sentence_id AND o.version_id = n.version_id"
    " AND coalesce(o.passage, o.kind) IN ('body', 'list') AND o.reason IS DISTINCT FROM 'person'"
)


def decide_passages(database: SharedDatabase) -> Iterator[None]:
    """Decide what the passages are that an earlier version of the program stored, some at a time."""
    version_id = 0
    while True:
        version_id = database.value(
            "SELECT v.id FROM version v JOIN document d ON d.live_id = v.id WHERE v.decided < %(rules)s"
            " AND v.id > %(after)s ORDER BY v.id LIMIT 1",
            rules=RULES_VERSION,
            after=version_id,
        )
        if version_id is None:
            return
        ordinal = 0
        while True:
            with database.write_transaction():
                rows = database.rows(
                    "SELECT o.ordinal, o.kind, o.passage, o.reason, s.text FROM occurrence o JOIN sentence s"
                    " ON s.id = o.sentence_id WHERE o.version_id = %(version)s AND o.ordinal >= %(ordinal)s"
                    f" ORDER BY o.ordinal LIMIT {_STEP_OCCURRENCES}",
                    version=version_id,
                    ordinal=ordinal,
                )
                changes = []
                for row in rows:
                    passage, reason = stored_decision(row.kind, *decide_kind(row.kind, row.text))
                    if row.reason not in ("person", "repeated") and (passage, reason) != (row.passage, row.reason):
                        changes.append(
                            {"passage": passage, "reason": reason, "version": version_id, "ordinal": row.ordinal}
                        )
                if changes:
                    database.run_many(_SET, changes)
                if len(rows) < _STEP_OCCURRENCES:
                    database.run(
                        "UPDATE version SET decided = %(rules)s WHERE id = %(id)s", rules=RULES_VERSION, id=version_id
                    )
            yield None
            if len(rows) < _STEP_OCCURRENCES:
                break
            ordinal = rows[-1].ordinal + 1


def find_boilerplate(database: SharedDatabase) -> Iterator[None]:
    """Find sentences that are repeated over many documents or pages, and those that no longer are; step by step."""
    found = database.row(
        "SELECT count(*) AS documents, coalesce(max(live_id), 0) AS newest,"
        " (SELECT coalesce(max(id), 0) FROM sentence) AS last, (SELECT value FROM state WHERE name = %(name)s) AS done"
        " FROM document WHERE removed_at IS NULL AND live_id IS NOT NULL",
        name=_STATE,
    )
    assert found is not None, "an aggregate has a row"
    state = (found.documents << 40 | found.newest) & _MAX_STATE
    if found.done == state:
        return
    repeated = SentenceRepetitions()
    for start in range(0, found.last, _STEP_SENTENCES):
        repeated.add(
            database.rows(_REPEATED, first=start, last=start + _STEP_SENTENCES, most=min(MIN_DOCUMENTS, MIN_PAGES))
        )
        yield None
    wanted = repeated.boilerplate()
    marked = database.rows(
        "SELECT o.sentence_id, o.version_id, o.ordinal, o.kind, s.text FROM occurrence o JOIN sentence s"
        " ON s.id = o.sentence_id WHERE o.passage = 'boilerplate' AND o.reason = 'repeated'"
    )
    known = {(row.sentence_id, row.version_id) for row in marked}
    gone = [row for row in marked if (row.sentence_id, row.version_id) not in wanted]
    new = sorted(wanted - known)
    for top in range(0, max(len(gone), len(new)), _STEP_OCCURRENCES):
        with database.write_transaction():
            changes = []
            for row in gone[top : top + _STEP_OCCURRENCES]:
                passage, reason = stored_decision(row.kind, *decide_kind(row.kind, row.text))
                changes.append(
                    {"passage": passage, "reason": reason, "version": row.version_id, "ordinal": row.ordinal}
                )
            if changes:
                database.run_many(_SET, changes)
            piece = new[top : top + _STEP_OCCURRENCES]
            if piece:
                database.run(_MARK, sentences=[each[0] for each in piece], versions=[each[1] for each in piece])
        yield None
    with database.write_transaction():
        database.run(
            "INSERT INTO state (name, value) VALUES (%(name)s, %(state)s)"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            name=_STATE,
            state=state,
        )
