"""Stores the OCR results of pages in a shared library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.pages import RecognisedPage
from desktop_app.core.scope import EVERYTHING
from desktop_app.core.stored_rows import pack_numbers, unpack_numbers
from desktop_app.shared_store.documents import find_building_version
from desktop_app.shared_store.scope_conditions import VISIBLE, ScopeCondition
from desktop_app.shared_store.stored_values import clean_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.paths import PathCodec


class SharedOcrPageStore:
    """Implements `core.library.OcrPageStore`."""

    def __init__(self, database: SharedDatabase, paths: PathCodec) -> None:
        self._database = database
        self._paths = paths

    def request(self, document_ids: Sequence[int], languages: str) -> None:
        """Set the OCR languages of documents, for the next time they are read."""
        with self._database.write_transaction():
            self._database.run(
                "UPDATE document SET ocr = %(languages)s WHERE id = ANY(%(ids)s::bigint[])",
                languages=clean_text(languages),
                ids=list(document_ids),
            )

    def save(self, document_id: int, page: RecognisedPage) -> None:
        """Store the OCR result of a page of a document that is being imported."""
        with self._database.write_transaction():
            self._database.run(
                "INSERT INTO recognised (version_id, page, text, words) VALUES (%(version)s, %(page)s, %(text)s,"
                " %(words)s) ON CONFLICT (version_id, page) DO UPDATE SET text = excluded.text, words = excluded.words",
                version=find_building_version(self._database, document_id).building_id,
                page=page.page,
                text=clean_text(page.text),
                words=pack_numbers(page.words),
            )

    def page(self, path: str, page: int) -> RecognisedPage | None:
        """Return the OCR result of a page of the live version."""
        where = ScopeCondition(EVERYTHING, self._paths)
        row = self._database.row(
            "SELECT r.text, r.words FROM recognised r JOIN document d ON d.live_id = r.version_id"
            f" WHERE {where.is_at(path)} AND {VISIBLE} AND r.page = %(page)s",
            page=page,
            **where.values,
        )
        return RecognisedPage(page, row.text, unpack_numbers(row.words)) if row is not None else None

    def has_unread(self, document_id: int) -> bool:
        """Return whether pages of the live version have no text, or poor text."""
        return bool(
            self._database.rows(
                "SELECT FROM page p JOIN document d ON d.live_id = p.version_id"
                " WHERE d.id = %(id)s AND p.state IN ('none', 'poor') LIMIT 1",
                id=document_id,
            )
        )
