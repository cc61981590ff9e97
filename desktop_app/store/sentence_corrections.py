"""Stores corrections of sentence boundaries, and the document versions that they produce."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, or_, select, update

from desktop_app.core.errors import LibraryBusy
from desktop_app.core.sentence_corrections import CorrectedRange, Correction
from desktop_app.core.stored_rows import occurrence_from_row, pack_spans, restore_originals, unpack_spans
from desktop_app.store.document_versions import copy_header, discard_version
from desktop_app.store.documents import find_building_version, find_versions
from desktop_app.store.schema import (
    CorrectionRow,
    CutRow,
    DocumentRow,
    OccurrenceRow,
    PageRow,
    RecognisedRow,
    SentenceRow,
    VersionRow,
)
from desktop_app.store.scope_conditions import is_not_removed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from desktop_app.core.reader_events import SentenceSpan
    from desktop_app.core.records import Occurrence
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.store.database import Database
    from desktop_app.store.ingest import LocalDocumentIngest
    from desktop_app.store.keyword_index import KeywordIndex
    from desktop_app.store.sentences import LocalSentenceStore

_BATCH = 500
_MAX_PAGES_BACK = 2
"""A sentence that ends on a page may begin up to so many pages earlier."""


class LocalCorrectionStore:
    """Implements `core.library.CorrectionStore`."""

    def __init__(
        self, database: Database, importing: LocalDocumentIngest, sentences: LocalSentenceStore, keywords: KeywordIndex
    ) -> None:
        self._database = database
        self._importing = importing
        self._sentences = sentences
        self._keywords = keywords

    def find(self, document_id: int) -> list[Correction]:
        """Return the corrections of a document in order."""
        query = select(CorrectionRow).where(CorrectionRow.document_id == document_id).order_by(CorrectionRow.id)
        with self._database.read_transaction() as connection:
            rows: Sequence[AnyRow] = connection.execute(query).all()
        return [Correction(row.id, row.action, row.hash, row.next_hash, row.at, row.kind) for row in rows]

    def on_page(self, document_id: int, page: int) -> list[Occurrence]:
        """Return the visible sentences on a page, in reading order."""
        begins = OccurrenceRow.page == page
        goes_on = (OccurrenceRow.page < page) & (OccurrenceRow.page >= page - _MAX_PAGES_BACK)
        query = (
            select(OccurrenceRow.__table__, SentenceRow.text, DocumentRow.path)
            .join(DocumentRow, DocumentRow.live_id == OccurrenceRow.version_id)
            .join(SentenceRow, SentenceRow.id == OccurrenceRow.sentence_id)
            .where(
                DocumentRow.id == document_id, is_not_removed(), or_(begins, goes_on & OccurrenceRow.more.is_not(None))
            )
            .order_by(OccurrenceRow.ordinal)
        )
        with self._database.read_transaction() as connection:
            rows: Sequence[AnyRow] = connection.execute(query).all()
        found = [occurrence_from_row(row, document_id, row.path) for row in rows if row.reason != "library"]
        return [each for each in found if any(place.page == page for place in each.places)]

    def originals(self, document_id: int) -> Iterator[list[SentenceSpan]]:
        """Yield the sentences of a document as they were read, before any correction."""
        query = (
            select(CutRow.ordinal, CutRow.count.label("sentences"), CutRow.originals)
            .join(DocumentRow, DocumentRow.live_id == CutRow.version_id)
            .where(DocumentRow.id == document_id)
            .order_by(CutRow.nth)
        )
        with self._database.read_transaction() as connection:
            cuts = [
                CorrectedRange(row.ordinal, row.sentences, unpack_spans(row.originals))
                for row in connection.execute(query)
            ]
        read = self._sentences.occurrences(document_id=document_id, batch=_BATCH)
        yield from restore_originals(cuts, ([each for each in batch if each.reason != "library"] for batch in read))

    def save_ranges(self, document_id: int, cuts: Sequence[CorrectedRange]) -> None:
        """Store the original sentences of corrected ranges of a document that is being imported."""
        with self._database.write_transaction() as connection:
            building_id = find_building_version(connection, document_id).building_id
            connection.execute(delete(CutRow).where(CutRow.version_id == building_id))
            values = [
                {
                    "version_id": building_id,
                    "nth": nth,
                    "ordinal": cut.first,
                    "count": cut.count,
                    "originals": pack_spans(cut.originals),
                }
                for nth, cut in enumerate(cuts)
            ]
            if values:
                connection.execute(insert(CutRow), values)

    # A version made by a correction

    def begin(self, document_id: int) -> int:
        """Begin a version with the header of the visible one; returns its id.

        One that could not be deleted when its correction failed, on a full disk for example, is deleted now.
        """
        correcting = self._importing.correcting
        with self._database.write_transaction() as connection:
            row = find_versions(connection, document_id)
            if row.state != "ready" or row.building_id in correcting or row.live_id is None:
                raise LibraryBusy("The document is being read", "Correct it when it is ready.")
            if row.building_id is not None:
                discard_version(connection, row.building_id)
            version_id = copy_header(connection, row.live_id)
            connection.execute(update(DocumentRow).where(DocumentRow.id == document_id).values(building_id=version_id))
        correcting.add(version_id)
        return version_id

    def append(
        self,
        document_id: int,
        version_id: int,
        spans: Sequence[SentenceSpan],
        texts: Sequence[str],
        vectors: NDArray[np.float32],
        truncated: Collection[str] = (),
        fingerprint: str = "",
    ) -> None:
        """Store the next sentences of such a version."""
        with self._database.read_transaction() as connection:
            self._find_own(connection, document_id, version_id)
        self._importing.append(document_id, spans, texts, vectors, truncated, fingerprint)

    def finish(self, document_id: int, version_id: int, *, made: Correction | None, undone: int | None) -> None:
        """Make such a version visible, and store or delete the correction behind it; one transaction."""
        with self._database.write_transaction() as connection:
            row = self._find_own(connection, document_id, version_id)
            self._importing.copy_kept_notes(connection, row.live_id, version_id)
            stored = connection.execute(select(VersionRow.sentences).where(VersionRow.id == version_id)).scalar_one()
            for table in (PageRow, RecognisedRow):
                connection.execute(update(table).where(table.version_id == row.live_id).values(version_id=version_id))
            self._keywords.add_passages(connection, version_id, stored, is_whole=True)
            connection.execute(
                update(DocumentRow)
                .where(DocumentRow.id == document_id)
                .values(building_id=None, live_id=version_id, sentences=stored)
            )
            discard_version(connection, row.live_id)
            if made is not None:
                connection.execute(
                    insert(CorrectionRow).values(
                        document_id=document_id,
                        action=made.action,
                        hash=made.text_hash,
                        next_hash=made.next_hash,
                        at=made.at,
                        kind=made.kind,
                    )
                )
            if undone is not None:
                connection.execute(delete(CorrectionRow).where(CorrectionRow.id == undone))
        self._end(version_id)

    def give_up(self, document_id: int, version_id: int) -> None:
        """Delete such a version; the visible one stays. Does nothing if it is already gone."""
        self._end(version_id)
        with self._database.write_transaction() as connection:
            own = connection.execute(
                select(DocumentRow.id).where(DocumentRow.id == document_id, DocumentRow.building_id == version_id)
            ).first()
            if own is not None:
                connection.execute(update(DocumentRow).where(DocumentRow.id == document_id).values(building_id=None))
                discard_version(connection, version_id)

    def _end(self, version_id: int) -> None:
        self._importing.correcting.discard(version_id)
        self._importing.forget_promises()

    def _find_own(self, connection: Connection, document_id: int, version_id: int) -> AnyRow:
        row = find_versions(connection, document_id)
        if row.building_id != version_id:
            raise LibraryBusy("The document is being read again", "Correct it when it is ready.")
        return row
