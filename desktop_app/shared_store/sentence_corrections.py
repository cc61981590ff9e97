"""Stores corrections of sentence boundaries in a shared library, and the document versions that they produce."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.errors import LibraryBusy
from desktop_app.core.sentence_corrections import CorrectedRange, Correction
from desktop_app.core.stored_rows import occurrence_from_row, pack_spans, restore_originals, unpack_spans
from desktop_app.shared_store.document_versions import delete_version
from desktop_app.shared_store.documents import find_building_version, find_versions
from desktop_app.shared_store.scope_conditions import VISIBLE
from desktop_app.shared_store.sentences import OCCURRENCE_COLUMNS
from desktop_app.shared_store.stored_values import clean_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.reader_events import SentenceSpan
    from desktop_app.core.records import Occurrence
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.ingest import SharedDocumentIngest
    from desktop_app.shared_store.paths import PathCodec
    from desktop_app.shared_store.sentences import SharedSentenceStore

_BATCH = 500
_MAX_PAGES_BACK = 2
"""A sentence that ends on a page may begin up to so many pages earlier."""
_COPIED = (
    "document_id, content_hash, type, title, title_folded, author, author_folded, page_count, encoding, outline,"
    " warnings, omitted, decided, dated, about, language"
)


class SharedCorrectionStore:
    """Implements `core.library.CorrectionStore`."""

    def __init__(
        self,
        database: SharedDatabase,
        paths: PathCodec,
        importing: SharedDocumentIngest,
        sentences: SharedSentenceStore,
    ) -> None:
        self._database = database
        self._paths = paths
        self._importing = importing
        self._sentences = sentences

    def find(self, document_id: int) -> list[Correction]:
        """Return the corrections of a document in order."""
        rows = self._database.rows("SELECT * FROM correction WHERE document_id = %(id)s ORDER BY id", id=document_id)
        return [
            Correction(
                row.id, row.action, bytes(row.hash), bytes(row.next_hash) if row.next_hash else None, row.at, row.kind
            )
            for row in rows
        ]

    def on_page(self, document_id: int, page: int) -> list[Occurrence]:
        """Return the visible sentences on a page, in reading order."""
        rows = self._database.rows(
            f"SELECT {OCCURRENCE_COLUMNS}, d.path FROM document d JOIN occurrence o ON o.version_id = d.live_id"
            f" JOIN sentence s ON s.id = o.sentence_id WHERE d.id = %(id)s AND {VISIBLE} AND (o.page = %(page)s"
            " OR o.page < %(page)s AND o.page >= %(page)s - %(back)s AND o.more IS NOT NULL) ORDER BY o.ordinal",
            id=document_id,
            page=page,
            back=_MAX_PAGES_BACK,
        )
        found = [occurrence_from_row(row, document_id, self._paths.decode(row.path)) for row in rows]
        return [each for each in found if any(place.page == page for place in each.places)]

    def originals(self, document_id: int) -> Iterator[list[SentenceSpan]]:
        """Yield the sentences of a document as they were read, before any correction."""
        rows = self._database.rows(
            "SELECT c.ordinal, c.count AS sentences, c.originals FROM cut c JOIN document d ON d.live_id = c.version_id"
            " WHERE d.id = %(id)s ORDER BY c.nth",
            id=document_id,
        )
        cuts = [CorrectedRange(row.ordinal, row.sentences, unpack_spans(row.originals)) for row in rows]
        yield from restore_originals(cuts, self._sentences.occurrences(document_id=document_id, batch=_BATCH))

    def save_ranges(self, document_id: int, cuts: Sequence[CorrectedRange]) -> None:
        """Store the original sentences of corrected ranges of a document that is being imported."""
        with self._database.write_transaction():
            version_id = find_building_version(self._database, document_id).building_id
            self._database.run("DELETE FROM cut WHERE version_id = %(id)s", id=version_id)
            for nth, cut in enumerate(cuts):
                self._database.run(
                    "INSERT INTO cut (version_id, nth, ordinal, count, originals)"
                    " VALUES (%(version)s, %(nth)s, %(ordinal)s, %(count)s, %(originals)s)",
                    version=version_id,
                    nth=nth,
                    ordinal=cut.first,
                    count=cut.count,
                    originals=clean_text(pack_spans(cut.originals)),
                )

    # A version made by a correction

    def begin(self, document_id: int) -> int:
        """Begin a version with the header of the visible one; returns its id."""
        self._importing.hold(document_id)
        try:
            with self._database.write_transaction():
                row = find_versions(self._database, document_id)
                if row.state != "ready" or row.building_id is not None or row.live_id is None:
                    raise LibraryBusy("The document is being read", "Correct it when it is ready.")
                version_id = int(
                    self._database.value(
                        f"INSERT INTO version ({_COPIED}) SELECT {_COPIED} FROM version WHERE id = %(live)s"
                        " RETURNING id",
                        live=row.live_id,
                    )
                )
                self._database.run(
                    "UPDATE document SET building_id = %(version)s, worker = %(worker)s WHERE id = %(id)s",
                    version=version_id,
                    worker=self._database.worker,
                    id=document_id,
                )
        except BaseException:
            self._importing.release(document_id)
            raise
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
        self._find_own(document_id, version_id)
        self._importing.append(document_id, spans, texts, vectors, truncated, fingerprint)

    def finish(self, document_id: int, version_id: int, *, made: Correction | None, undone: int | None) -> None:
        """Make such a version visible, and store or delete the correction behind it; one transaction."""
        with self._database.write_transaction():
            row = self._find_own(document_id, version_id)
            for table in ("page", "recognised"):
                self._database.run(
                    f"UPDATE {table} SET version_id = %(new)s WHERE version_id = %(old)s",
                    new=version_id,
                    old=row.live_id,
                )
            stored = int(self._database.value("SELECT sentences FROM version WHERE id = %(id)s", id=version_id))
            self._importing.add_passages(version_id, stored)
            self._database.run(
                "UPDATE document SET building_id = NULL, worker = 0, live_id = %(version)s, sentences = %(stored)s"
                " WHERE id = %(id)s",
                version=version_id,
                stored=stored,
                id=document_id,
            )
            delete_version(self._database, row.live_id)
            if made is not None:
                self._database.run(
                    "INSERT INTO correction (document_id, action, hash, next_hash, at, kind)"
                    " VALUES (%(document)s, %(action)s, %(hash)s, %(next)s, %(at)s, %(kind)s)",
                    document=document_id,
                    action=made.action,
                    hash=made.text_hash,
                    next=made.next_hash,
                    at=made.at,
                    kind=made.kind,
                )
            if undone is not None:
                self._database.run("DELETE FROM correction WHERE id = %(id)s", id=undone)
        self._importing.release(document_id)

    def give_up(self, document_id: int, version_id: int) -> None:
        """Delete such a version; the visible one stays. Does nothing if it is already gone."""
        with self._database.write_transaction():
            own = self._database.run(
                "UPDATE document SET building_id = NULL, worker = 0 WHERE id = %(id)s AND building_id = %(version)s",
                id=document_id,
                version=version_id,
            )
            if own:
                delete_version(self._database, version_id)
        self._importing.release(document_id)

    def _find_own(self, document_id: int, version_id: int) -> AnyRow:
        row = find_versions(self._database, document_id)
        if row.building_id != version_id:
            raise LibraryBusy("The document is being read again", "Correct it when it is ready.")
        return row
