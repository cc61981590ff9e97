"""Stores queries, saved searches, quotes and relevance judgements."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from desktop_app.core.records import Place
from desktop_app.core.scope import ScopePart
from desktop_app.core.stored_text import display_title
from desktop_app.core.user_data import MAX_REMEMBERED_QUERIES, Judgement, PastQuery, Quote, SavedSearch
from desktop_app.store.counters import mark_erased_traces
from desktop_app.store.database import PreparedQuery
from desktop_app.store.schema import (
    AskedRow,
    DocumentRow,
    JudgementRow,
    QuoteRow,
    SavedPartRow,
    SavedSearchRow,
    SentenceRow,
    VersionRow,
)
from desktop_app.store.scope_conditions import is_not_removed, values_subquery

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.records import Hit, SearchMode
    from desktop_app.store.database import Database


class LocalUserDataStore:
    """Implements `core.library.UserDataStore`."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    # Queries

    def past_queries(self, limit: int = 50) -> list[PastQuery]:
        """Return the latest queries."""
        query = select(AskedRow.text, AskedRow.mode).order_by(AskedRow.id.desc()).limit(limit)
        with self._database.read_transaction() as connection:
            return [PastQuery(row.text, row.mode) for row in connection.execute(query)]

    def remember(self, text: str, mode: SearchMode, *, instead_of: str = "") -> None:
        """Record a query."""
        with self._database.write_transaction(is_aside=True) as connection:
            connection.execute(delete(AskedRow).where(AskedRow.text.in_([text, instead_of])))
            connection.execute(insert(AskedRow).values(text=text, mode=mode, at=self._clock()))
            newest = select(AskedRow.id).order_by(AskedRow.id.desc()).limit(MAX_REMEMBERED_QUERIES)
            connection.execute(delete(AskedRow).where(AskedRow.id.not_in(newest)))

    def forget_queries(self) -> None:
        """Delete all past queries."""
        with self._database.write_transaction(is_aside=True) as connection:
            connection.execute(delete(AskedRow))
            mark_erased_traces(connection)

    # Saved searches

    def saved_searches(self) -> list[SavedSearch]:
        """Return the saved searches in order of name."""
        rows = select(SavedSearchRow.__table__).order_by(func.folded(SavedSearchRow.name), SavedSearchRow.id)
        parts: dict[int, list[ScopePart]] = {}
        with self._database.read_transaction() as connection:
            for part in connection.execute(select(SavedPartRow.__table__).order_by(SavedPartRow.id)):
                parts.setdefault(part.search_id, []).append(ScopePart(part.kind, part.key, part.name))
            return [
                SavedSearch(row.name, row.text, row.mode, tuple(parts.get(row.id, ())), row.min_score, row.id)
                for row in connection.execute(rows)
            ]

    def save_search(self, search: SavedSearch) -> int:
        """Save a search, replacing one with its id or name."""
        values = {"name": search.name, "text": search.text, "mode": search.mode, "min_score": search.min_score}
        with self._database.write_transaction(is_aside=True) as connection:
            same = select(SavedSearchRow.id).where(SavedSearchRow.name == search.name)
            search_id = search.search_id or connection.execute(same).scalar_one_or_none()
            # The new name may belong to another search: the one named last stays.
            replaced = SavedSearchRow.name == search.name, SavedSearchRow.id != (search_id or 0)
            connection.execute(
                delete(SavedPartRow).where(SavedPartRow.search_id.in_(select(SavedSearchRow.id).where(*replaced)))
            )
            connection.execute(delete(SavedSearchRow).where(*replaced))
            change = update(SavedSearchRow).where(SavedSearchRow.id == search_id).values(**values)
            # It may have been removed since it was read: what is saved last stays.
            if search_id and connection.execute(change).rowcount:
                mark_erased_traces(connection)  # of its previous content
            else:
                made = connection.execute(insert(SavedSearchRow).values(**values).returning(SavedSearchRow.id))
                search_id = int(made.scalar_one())
            connection.execute(delete(SavedPartRow).where(SavedPartRow.search_id == search_id))
            if search.parts:
                connection.execute(
                    insert(SavedPartRow),
                    [
                        {"search_id": search_id, "kind": part.kind, "key": part.key, "name": part.name}
                        for part in search.parts
                    ],
                )
        return int(search_id)

    def delete_search(self, search_id: int) -> None:
        """Delete a saved search."""
        with self._database.write_transaction(is_aside=True) as connection:
            connection.execute(delete(SavedPartRow).where(SavedPartRow.search_id == search_id))
            connection.execute(delete(SavedSearchRow).where(SavedSearchRow.id == search_id))
            mark_erased_traces(connection)

    # Quotes

    def quotes(self) -> list[Quote]:
        """Return the quotes in the order in which they were added."""
        query = (
            select(QuoteRow.__table__, DocumentRow.own_title, DocumentRow.name, DocumentRow.path)
            .add_columns(VersionRow.title, VersionRow.type)
            .join_from(QuoteRow, DocumentRow, DocumentRow.id == QuoteRow.document_id)
            .outerjoin(VersionRow, VersionRow.id == DocumentRow.live_id)
            .where(is_not_removed())
            .order_by(QuoteRow.id)
        )
        with self._database.read_transaction() as connection:
            rows = connection.execute(query).all()
        return [
            Quote(
                row.id,
                row.text,
                row.document_id,
                row.ordinal,
                display_title(row.own_title, row.title or "", row.name),
                row.path,
                row.type or "",
                Place(row.page, row.start, row.stop, row.unit) if row.unit else None,
                row.label,
            )
            for row in rows
        ]

    def add_quotes(self, hits: Sequence[Hit]) -> int:
        """Add quotes, each place once."""
        added = 0
        with self._database.write_transaction(is_aside=True) as connection:
            for hit in hits:
                first = hit.places[0] if hit.places else None
                values = {
                    "document_id": hit.document_id,
                    "ordinal": hit.ordinal,
                    "text": hit.text,
                    "page": first.page if first else None,
                    "start": first.start if first else 0,
                    "stop": first.stop if first else 0,
                    "unit": first.unit if first else "",
                    "label": hit.page_label,
                    "at": self._clock(),
                }
                made = upsert(QuoteRow).values(values).on_conflict_do_nothing().returning(QuoteRow.id)
                added += connection.execute(made).scalar_one_or_none() is not None
        return added

    def delete_quotes(self, quote_ids: Sequence[int]) -> None:
        """Delete quotes."""
        with self._database.write_transaction(is_aside=True) as connection:
            connection.execute(delete(QuoteRow).where(QuoteRow.id.in_(values_subquery(quote_ids))))
            mark_erased_traces(connection)

    # Judgements

    def judgements(self, query: str | None = None) -> list[Judgement]:
        """Return the judgements."""
        with self._database.read_transaction() as connection:
            return [
                Judgement(asked, sentence_id, text, bool(is_relevant))
                for asked, sentence_id, text, is_relevant in _judgements_query(query is not None).rows(
                    connection, **({} if query is None else {"asked": query})
                )
            ]

    def judge(self, query: str, sentence_id: int, is_relevant: bool | None) -> None:
        """Store or clear the judgement whether a sentence answers a query."""
        with self._database.write_transaction(is_aside=True) as connection:
            connection.execute(
                delete(JudgementRow).where(JudgementRow.query == query, JudgementRow.sentence_id == sentence_id)
            )
            if is_relevant is None:
                mark_erased_traces(connection)
                return
            here = select(SentenceRow.id).where(SentenceRow.id == sentence_id)
            if connection.execute(here).scalar_one_or_none() is not None:
                connection.execute(
                    insert(JudgementRow).values(
                        query=query, sentence_id=sentence_id, is_relevant=is_relevant, at=self._clock()
                    )
                )


@cache
def _judgements_query(of_one: bool) -> PreparedQuery:
    """Return the query for the judgements of all queries, or of one (`asked`); every search runs it."""
    rows = select(JudgementRow.query, JudgementRow.sentence_id, SentenceRow.text, JudgementRow.is_relevant).join_from(
        JudgementRow, SentenceRow, SentenceRow.id == JudgementRow.sentence_id
    )
    if of_one:
        rows = rows.where(JudgementRow.query == bindparam("asked", ""))
    return PreparedQuery(rows.order_by(JudgementRow.id))
