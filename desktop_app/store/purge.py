"""The purge: erases removed documents, their sentences and vectors from every file and graph, without a trace.

SQLite's `secure_delete` overwrites rows that are deleted. But when SQLite moves rows between pages to balance its
trees, the bytes left behind stay in the unused middle of the old page, and are still there when the rows themselves are
erased later. `VACUUM` would remove them by rewriting the whole file in one go, with twice the space; this module
overwrites the unused middles with zeros, some pages at a time.

File format: sqlite.org/fileformat2.html, section 1.6 "B-tree Pages".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import delete, func, select

from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.jobs import WAITING
from desktop_app.store import migrations
from desktop_app.store.counters import increment_counters, read_counter, set_counter
from desktop_app.store.document_versions import (
    GIVEN_UP,
    LEFT_BEHIND,
    MOST_AT_ONCE,
    delete_truncated,
    delete_version,
    mark_loose_sentences,
)
from desktop_app.store.documents import give_up_documents
from desktop_app.store.library_models import current_model_id, erase_other_models
from desktop_app.store.schema import (
    DocumentRow,
    EmbeddingRow,
    LooseRow,
    OccurrenceRow,
    PassageRow,
    SentenceRow,
    VersionRow,
)
from desktop_app.store.scope_conditions import values_subquery

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from desktop_app.core.jobs import Step, Steps
    from desktop_app.store.analysis_reader import LocalAnalysisReader
    from desktop_app.store.clusters import LocalClusterStore
    from desktop_app.store.database import Database
    from desktop_app.store.index_segment_sealing import SegmentSealer
    from desktop_app.store.index_segments import Segments
    from desktop_app.store.keyword_index import KeywordIndex
    from desktop_app.store.sentences import LocalSentenceStore

_STEP_DOCUMENTS = 200
_STEP_OCCURRENCES = 1000
_STEP_SENTENCES = 200
_PASSES = 3
"""How often the file is scanned while others write; the next purge does the rest."""

_ATTEMPTS = 200
"""How often to try while another job changes the file or a reader blocks the log."""

_FILE_HEADER = 100
_STEP_BYTES = 2_000_000
_LOCK_BYTE = 0x40000000
"""SQLite locks bytes of the page at this offset and stores nothing there; Windows does not allow reading them."""

_INTERIOR = (2, 5)  # kinds of tree pages: the header of interior pages is four bytes longer
_LEAF = (10, 13)
_MOST_PAGES = 1 << 25
"""In a larger file an overflow page (which begins with a page number) could be mistaken for a tree page."""


class Eraser:
    """Erases step by step; every step is a transaction, and the next purge continues one that was stopped."""

    def __init__(
        self,
        database: Database,
        sentences: LocalSentenceStore,
        segments: Segments,
        sealer: SegmentSealer,
        keywords: KeywordIndex,
        findings: Sequence[LocalAnalysisReader | LocalClusterStore],
    ) -> None:
        self._database = database
        self._keywords = keywords
        self._findings = findings
        self._sentences = sentences
        self._segments = segments
        self._sealer = sealer

    def purge(
        self, removed_before: float, *, loose: bool = True, left_behind: bool = True, urgent: bool = True
    ) -> Steps[None]:
        """Erase documents removed before a time, then (`loose`) all sentences that no longer occur anywhere.

        `left_behind` includes what imports left behind; `urgent` work cancels a segment build that is in its way.
        """
        for document_id in (yield from self._give_up_removed(removed_before, left_behind=left_behind)):
            while self._shorten(document_id):
                yield None
                if loose:  # at once, so that little is left to do wherever it is stopped
                    yield from self.erase_unused_sentences()
        if loose:
            yield from self.erase_unused_sentences()
        if self._has_traces():
            for findings in self._findings:
                yield from findings.forget_erased()
        yield from erase_other_models(self._database, self._segments)
        if self._sealer.is_rebuild_due():  # otherwise a program that ends soon after its start would read every graph
            yield from self._segments.preload()
            yield from self._sealer.rebuild(urgent=urgent)
        yield from self._leave_no_traces()

    def is_little_left_behind(self) -> bool:
        """Return whether what imports left behind is erased in a moment."""
        query = (
            select(func.coalesce(func.sum(VersionRow.sentences), 0))
            .join(DocumentRow, DocumentRow.id == VersionRow.document_id)
            .where(DocumentRow.removed_at == LEFT_BEHIND)
        )
        with self._database.read_transaction() as connection:
            return int(connection.execute(query).scalar_one()) <= MOST_AT_ONCE

    def _give_up_removed(self, before: float, *, left_behind: bool) -> Steps[Sequence[int]]:
        """Give up removed documents, so that they cannot be restored, and return those to erase.

        A document that is restored meanwhile stays, and one that is removed meanwhile waits for the next purge.
        """
        due = [DocumentRow.removed_at.is_not(None), DocumentRow.removed_at <= before]
        if not left_behind:
            due.append(DocumentRow.removed_at != LEFT_BEHIND)
        with self._database.read_transaction() as connection:
            removed = connection.execute(select(DocumentRow.id).where(*due).order_by(DocumentRow.id)).scalars().all()
        ids: list[int] = []
        for top in range(0, len(removed), _STEP_DOCUMENTS):
            some = [*due, DocumentRow.id.in_(values_subquery(removed[top : top + _STEP_DOCUMENTS]))]
            with self._database.write_transaction() as connection:
                restorable = select(DocumentRow.id).where(*some, DocumentRow.removed_at > GIVEN_UP)
                give_up_documents(connection, connection.execute(restorable).scalars().all())
                ids += connection.execute(select(DocumentRow.id).where(*some).order_by(DocumentRow.id)).scalars()
            yield None
        return ids

    def _shorten(self, document_id: int) -> bool:
        """Erase a part of a document, finally its row; returns False when it is gone."""
        with self._database.write_transaction() as connection:
            versions = select(VersionRow.id).where(VersionRow.document_id == document_id).limit(1)
            version_id = connection.execute(versions).scalar_one_or_none()
            if version_id is None:
                connection.execute(delete(DocumentRow).where(DocumentRow.id == document_id))
                return False
            lowest = connection.execute(
                select(func.min(OccurrenceRow.ordinal)).where(OccurrenceRow.version_id == version_id)
            ).scalar_one()
            if lowest is None:
                delete_version(connection, version_id)
            else:
                below = lowest + _STEP_OCCURRENCES
                mark_loose_sentences(connection, version_id, below)
                connection.execute(
                    delete(PassageRow).where(PassageRow.version_id == version_id, PassageRow.first < below)
                )
                connection.execute(
                    delete(OccurrenceRow).where(OccurrenceRow.version_id == version_id, OccurrenceRow.ordinal < below)
                )
        return True

    def erase_unused_sentences(self) -> Steps[None]:
        """Erase sentences that lost an occurrence and no longer have any, with their vectors."""
        after = 0
        while (looked_at := self._erase_some(after)) is not None:
            after = looked_at
            yield None

    def _erase_some(self, after: int) -> int | None:
        """Process the next candidates; returns the last one's id, None when there are no more."""
        with self._database.write_transaction() as connection:
            ids = (
                connection.execute(
                    select(LooseRow.sentence_id)
                    .where(LooseRow.sentence_id > after)
                    .order_by(LooseRow.sentence_id)
                    .limit(_STEP_SENTENCES)
                )
                .scalars()
                .all()
            )
            if not ids:
                return None
            standing = set(
                connection.execute(
                    select(OccurrenceRow.sentence_id)
                    .where(OccurrenceRow.sentence_id.in_(values_subquery(ids)))
                    .distinct()
                ).scalars()
            )
            settled = [sentence_id for sentence_id in ids if sentence_id not in self._sentences.promised]
            gone = [sentence_id for sentence_id in settled if sentence_id not in standing]
            self._erase(connection, gone)
            connection.execute(delete(LooseRow).where(LooseRow.sentence_id.in_(values_subquery(settled))))
        if gone:
            self._segments.forget_rows(gone)
        return ids[-1]

    def erase_within(self, connection: Connection, sentence_ids: Sequence[int]) -> None:
        """Erase unused sentences within a transaction after which no index contains them."""
        self._erase(connection, sentence_ids)
        connection.execute(delete(LooseRow).where(LooseRow.sentence_id.in_(values_subquery(sentence_ids))))

    def _erase(self, connection: Connection, sentence_ids: Sequence[int]) -> None:
        if not sentence_ids:
            return
        self._database.erasures += 1
        embeddings = connection.execute(
            select(EmbeddingRow.id, EmbeddingRow.model_id).where(
                EmbeddingRow.sentence_id.in_(values_subquery(sentence_ids))
            )
        ).all()
        self._segments.note_erased(connection, [row.id for row in embeddings], [row.model_id for row in embeddings])
        delete_truncated(connection, sentence_ids)
        connection.execute(delete(EmbeddingRow).where(EmbeddingRow.sentence_id.in_(values_subquery(sentence_ids))))
        connection.execute(delete(SentenceRow).where(SentenceRow.id.in_(values_subquery(sentence_ids))))
        own = current_model_id(connection)
        increment_counters(
            connection, sentences=-len(sentence_ids), vectors=-sum(row.model_id == own for row in embeddings)
        )

    def _leave_no_traces(self) -> Steps[None]:
        """Remove erased data from the log and from unused bytes of the database.

        The counter `traces` is 1 from the transaction that erases something until this is done, even across sessions.
        """
        due = self._has_traces()
        if due:
            migrations.delete_migration_copies(self._database.file.parent)
            yield from self._keywords.merge()
        for _ in range(_PASSES if due else 0):
            if not (yield from _try_often(self._database.take_file)):
                return
            try:
                if not (yield from _try_often(self._database.checkpoint)):
                    return
                self._database.reopen()
                before = self._database.writes
                try:
                    yield from erase_unused_bytes(self._database.file)
                finally:
                    self._database.reopen()
            finally:
                self._database.release_file()
            if self._database.writes == before:
                with self._database.write_transaction() as connection:
                    set_counter(connection, "traces", 0)
                return

    def _has_traces(self) -> bool:
        with self._database.read_transaction() as connection:
            return bool(read_counter(connection, "traces"))


def _try_often(succeeds: Callable[[], bool]) -> Generator[Step, None, bool]:
    """Wait until something succeeds; returns False if others stay in its way: the next purge does the rest."""
    for _ in range(_ATTEMPTS):
        if succeeds():
            return True
        yield WAITING
    return False


def erase_unused_bytes(file: Path) -> Steps[None]:
    """Overwrite the unused bytes in the pages of a database; yields between steps, always with a sound file.

    Only bytes that belong to no row are written, so readers may read at the same time. Between two steps the caller's
    process, the only writer, may change the file; such changes need another pass. The log must be empty at the
    beginning, and the caller's connection must drop its cached pages at the end: both hold older copies.
    """
    with file.open("rb+", buffering=0) as stream:
        head = stream.read(_FILE_HEADER)
        page_bytes = int.from_bytes(head[16:18], "big")
        page_bytes = 65_536 if page_bytes == 1 else page_bytes
        usable = page_bytes - head[20]
        at, end = 0, os.fstat(stream.fileno()).st_size // page_bytes
        if not head.startswith(b"SQLite format 3\0") or end >= _MOST_PAGES:
            return
        step = max(1, _STEP_BYTES // page_bytes)
        while at < end:
            lock_page = _LOCK_BYTE // page_bytes
            count = min(step, end - at, lock_page - at if at < lock_page else end)
            if at == lock_page:
                at += 1
                continue
            stream.seek(at * page_bytes)
            pages = np.frombuffer(stream.read(count * page_bytes), np.uint8)
            pages = pages[: len(pages) // page_bytes * page_bytes].reshape(-1, page_bytes)
            for number, page in enumerate(pages, start=at):
                gap = find_unused_bytes(page, usable, _FILE_HEADER if number == 0 else 0)
                if gap is not None and page[gap[0] : gap[1]].any():
                    stream.seek(number * page_bytes + gap[0])
                    stream.write(bytes(gap[1] - gap[0]))
            at += count
            yield None
        # The system writes what others have changed too: that takes longer than a search may wait.
        yield from run_in_thread(lambda: os.fsync(stream.fileno()))


def find_unused_bytes(page: NDArray[np.uint8], usable: int, header: int) -> tuple[int, int] | None:
    """Return start and end of the unused middle of a tree page; None for other pages and doubtful ones.

    Args:
        page: uint8 [bytes of a page].
        usable: bytes of a page that SQLite uses.
        header: offset of the page's own header: 100 on the file's first page.
    """
    kind = int(page[header])
    if kind not in _INTERIOR and kind not in _LEAF:
        return None
    cells = int(page[header + 3]) << 8 | int(page[header + 4])
    content = (int(page[header + 5]) << 8 | int(page[header + 6])) or 65_536
    begin = header + (12 if kind in _INTERIOR else 8)
    end = begin + 2 * cells
    if not end <= content <= usable:
        return None
    pointers = page[begin:end].reshape(-1, 2).astype(np.int64) @ np.array([256, 1])
    if cells and (pointers.min() < content or pointers.max() >= usable):
        return None
    return end, content
