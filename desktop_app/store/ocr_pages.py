"""Stores the OCR results of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from desktop_app.core.pages import RecognisedPage
from desktop_app.core.stored_rows import pack_numbers, unpack_numbers
from desktop_app.core.stored_text import to_storable_text
from desktop_app.store.documents import find_building_version
from desktop_app.store.schema import DocumentRow, PageRow, RecognisedRow
from desktop_app.store.scope_conditions import is_at, is_not_removed, values_subquery

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.store.database import Database


class LocalOcrPageStore:
    """Implements `core.library.OcrPageStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def request(self, document_ids: Sequence[int], languages: str) -> None:
        """Set the OCR languages of documents, for the next time they are read."""
        with self._database.write_transaction() as connection:
            connection.execute(
                update(DocumentRow)
                .where(DocumentRow.id.in_(values_subquery(document_ids)))
                .values(ocr=to_storable_text(languages))
            )

    def save(self, document_id: int, page: RecognisedPage) -> None:
        """Store the OCR result of a page of a document that is being imported."""
        with self._database.write_transaction() as connection:
            version_id = find_building_version(connection, document_id).building_id
            values = {"text": to_storable_text(page.text), "words": pack_numbers(page.words)}
            statement = upsert(RecognisedRow).values(version_id=version_id, page=page.page, **values)
            connection.execute(statement.on_conflict_do_update(index_elements=["version_id", "page"], set_=values))

    def page(self, path: str, page: int) -> RecognisedPage | None:
        """Return the OCR result of a page of the live version."""
        query = (
            select(RecognisedRow.text, RecognisedRow.words)
            .join(DocumentRow, DocumentRow.live_id == RecognisedRow.version_id)
            .where(is_at(path), is_not_removed(), RecognisedRow.page == page)
        )
        with self._database.read_transaction() as connection:
            row = connection.execute(query).one_or_none()
        return RecognisedPage(page, row.text, unpack_numbers(row.words)) if row is not None else None

    def has_unread(self, document_id: int) -> bool:
        """Return whether pages of the live version have no text, or poor text."""
        query = (
            select(PageRow.page)
            .join(DocumentRow, DocumentRow.live_id == PageRow.version_id)
            .where(DocumentRow.id == document_id, PageRow.state.in_(("none", "poor")))
            .limit(1)
        )
        with self._database.read_transaction() as connection:
            return connection.execute(query).first() is not None
