"""Stores a person's queries, saved searches, quotes and judgements in a shared library; nobody else sees them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from desktop_app.core.records import Place
from desktop_app.core.scope import ScopePart
from desktop_app.core.stored_text import display_title, fold_text
from desktop_app.core.user_data import MAX_REMEMBERED_QUERIES, Judgement, PastQuery, Quote, SavedSearch
from desktop_app.shared_store.connection import TELL_LABELS, TELL_QUOTES, TELL_SEARCHES, Question
from desktop_app.shared_store.scope_conditions import VISIBLE
from desktop_app.shared_store.stored_values import clean_text, key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.records import Hit, SearchMode
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.paths import PathCodec

_HOLD_SEARCHES = (
    "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' saved searches of ' || current_user, 0))"
)


class SharedUserDataStore:
    """Implements `core.library.UserDataStore`."""

    def __init__(self, database: SharedDatabase, paths: PathCodec, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._paths = paths
        self._clock = clock

    # Queries

    def past_queries(self, limit: int = 50) -> list[PastQuery]:
        """Return the latest queries."""
        rows = self._database.rows("SELECT text, mode FROM asked ORDER BY id DESC LIMIT %(limit)s", limit=limit)
        return [PastQuery(row.text, row.mode) for row in rows]

    def remember(self, text: str, mode: SearchMode, *, instead_of: str = "") -> None:
        """Record a query."""
        with self._database.write_transaction():
            self._database.run(
                "DELETE FROM asked WHERE hash = ANY(%(hashes)s::bytea[])", hashes=[key_of(text), key_of(instead_of)]
            )
            self._database.run(
                "INSERT INTO asked (hash, text, mode, at) VALUES (%(hash)s, %(text)s, %(mode)s, %(at)s)"
                " ON CONFLICT (owner, hash) DO UPDATE SET mode = excluded.mode, at = excluded.at",
                hash=key_of(text),
                text=clean_text(text),
                mode=mode,
                at=self._clock(),
            )
            self._database.run(
                "DELETE FROM asked WHERE id < (SELECT min(id) FROM (SELECT id FROM asked ORDER BY id DESC"
                f" LIMIT {MAX_REMEMBERED_QUERIES}) AS newest)"
            )

    def forget_queries(self) -> None:
        """Delete all past queries."""
        with self._database.write_transaction():
            self._database.run("DELETE FROM asked")

    # Saved searches

    def saved_searches(self) -> list[SavedSearch]:
        """Return the saved searches in order of name."""
        parts: dict[int, list[ScopePart]] = {}
        for part in self._database.rows("SELECT search_id, kind, key, name FROM saved_part ORDER BY id"):
            parts.setdefault(part.search_id, []).append(ScopePart(part.kind, self._paths.decode(part.key), part.name))
        return [
            SavedSearch(row.name, row.text, row.mode, tuple(parts.get(row.id, ())), row.min_score, row.id)
            for row in self._database.rows('SELECT * FROM saved_search ORDER BY folded COLLATE "C", id')
        ]

    def save_search(self, search: SavedSearch) -> int:
        """Save a search, replacing one with its id or name."""
        values = {
            "name": clean_text(search.name),
            "name_hash": key_of(search.name),
            "folded": fold_text(clean_text(search.name)),
            "hash": key_of(search.text),
            "text": clean_text(search.text),
            "mode": search.mode,
            "min_score": search.min_score,
        }
        with self._database.write_transaction():
            self._database.rows(_HOLD_SEARCHES)  # another window of the person may save one of this name
            search_id = search.search_id or self._database.value(
                "SELECT id FROM saved_search WHERE name_hash = %(hash)s", hash=values["name_hash"]
            )
            # The new name may belong to another search: the one named last stays.
            self._database.run(
                "DELETE FROM saved_search WHERE name_hash = %(hash)s AND id <> %(id)s",
                hash=values["name_hash"],
                id=search_id or 0,
            )
            changes = ", ".join(f"{name} = %({name})s" for name in values)
            # Another window may have removed it: what is saved last stays.
            if not search_id or not self._database.run(
                f"UPDATE saved_search SET {changes} WHERE id = %(id)s", id=search_id, **values
            ):
                names = ", ".join(values)
                given = ", ".join(f"%({name})s" for name in values)
                search_id = self._database.value(
                    f"INSERT INTO saved_search ({names}) VALUES ({given}) RETURNING id", **values
                )
            self._database.run("DELETE FROM saved_part WHERE search_id = %(id)s", id=search_id)
            for part in search.parts:
                self._database.run(
                    "INSERT INTO saved_part (search_id, kind, key, name) VALUES (%(id)s, %(kind)s, %(key)s, %(name)s)",
                    id=search_id,
                    kind=part.kind,
                    key=self._paths.encode(part.key),
                    name=clean_text(part.name),
                )
            self._database.value(TELL_SEARCHES)
        return int(search_id)

    def delete_search(self, search_id: int) -> None:
        """Delete a saved search."""
        with self._database.write_transaction():
            self._database.run("DELETE FROM saved_search WHERE id = %(id)s", id=search_id)
            self._database.value(TELL_SEARCHES)

    def move_below_roots(self) -> None:
        """Store the limits of the person's searches below the roots of this computer, where they were saved before.

        Nobody sees the searches of others: each person's own session does this.
        """
        rows = self._database.rows("SELECT id, key FROM saved_part ORDER BY id")
        moved = {
            row.id: key for row in rows if (key := self._paths.encode(self._paths.decode(row.key))) != bytes(row.key)
        }
        if not moved:
            return
        with self._database.write_transaction():
            self._database.run(
                "UPDATE saved_part p SET key = n.key FROM unnest(%(ids)s::bigint[], %(keys)s::bytea[]) AS n (id, key)"
                " WHERE p.id = n.id",
                ids=list(moved),
                keys=list(moved.values()),
            )
            self._database.value(TELL_SEARCHES)

    # Quotes

    def quotes(self) -> list[Quote]:
        """Return the quotes in the order in which they were added."""
        rows = self._database.rows(
            "SELECT q.*, d.own_title, d.name, d.path, v.title, v.type FROM quote q"
            f" JOIN document d ON d.id = q.document_id LEFT JOIN version v ON v.id = d.live_id WHERE {VISIBLE}"
            " ORDER BY q.id"
        )
        return [
            Quote(
                row.id,
                row.text,
                row.document_id,
                row.ordinal,
                display_title(row.own_title, row.title or "", self._paths.decode(row.name)),
                self._paths.decode(row.path),
                row.type or "",
                Place(row.page, row.start, row.stop, row.unit) if row.unit else None,
                row.label,
            )
            for row in rows
        ]

    def add_quotes(self, hits: Sequence[Hit]) -> int:
        """Add quotes, each place once."""
        added = 0
        with self._database.write_transaction():
            for hit in hits:
                first = hit.places[0] if hit.places else None
                added += self._database.run(
                    "INSERT INTO quote (document_id, ordinal, hash, text, page, start, stop, unit, label, at) VALUES"
                    " (%(document)s, %(ordinal)s, %(hash)s, %(text)s, %(page)s, %(start)s, %(stop)s, %(unit)s,"
                    " %(label)s, %(at)s) ON CONFLICT DO NOTHING",
                    document=hit.document_id,
                    ordinal=hit.ordinal,
                    hash=key_of(hit.text),
                    text=clean_text(hit.text),
                    page=first.page if first else None,
                    start=first.start if first else 0,
                    stop=first.stop if first else 0,
                    unit=first.unit if first else "",
                    label=hit.page_label,
                    at=self._clock(),
                )
            if added:
                self._database.value(TELL_QUOTES)
        return added

    def delete_quotes(self, quote_ids: Sequence[int]) -> None:
        """Delete quotes."""
        with self._database.write_transaction():
            self._database.run("DELETE FROM quote WHERE id = ANY(%(ids)s::bigint[])", ids=list(quote_ids))
            self._database.value(TELL_QUOTES)

    # Judgements

    def judgements(self, query: str | None = None) -> list[Judgement]:
        """Return the judgements."""
        return self._database.answer(judgements_question(query))

    def judge(self, query: str, sentence_id: int, is_relevant: bool | None) -> None:
        """Store or clear the judgement whether a sentence answers a query."""
        with self._database.write_transaction():
            self._database.run(
                "DELETE FROM judgement WHERE hash = %(hash)s AND sentence_id = %(id)s",
                hash=key_of(query),
                id=sentence_id,
            )
            if is_relevant is not None:
                # Another window of the person may judge the same at this moment.
                self._database.run(
                    "INSERT INTO judgement (hash, query, sentence_id, is_relevant, at) SELECT %(hash)s, %(query)s, id,"
                    " %(is_relevant)s, %(at)s FROM sentence WHERE id = %(id)s ON CONFLICT (owner, hash, sentence_id)"
                    " DO UPDATE SET is_relevant = excluded.is_relevant, at = excluded.at",
                    hash=key_of(query),
                    query=clean_text(query),
                    id=sentence_id,
                    is_relevant=is_relevant,
                    at=self._clock(),
                )
            self._database.value(TELL_LABELS)


def judgements_question(query: str | None) -> Question[list[Judgement]]:
    """Return the question for a person's judgements of the hits of a query; None: of all."""
    key = None if query is None else key_of(query)
    of_one = "" if key is None else " WHERE j.hash = %(hash)s"
    return Question(
        ("judgements", key),
        "SELECT j.query, j.sentence_id, s.text, j.is_relevant FROM judgement j JOIN sentence s"
        f" ON s.id = j.sentence_id{of_one} ORDER BY j.id",
        {"hash": key},
        lambda rows: [Judgement(row.query, row.sentence_id, row.text, row.is_relevant) for row in rows],
    )
