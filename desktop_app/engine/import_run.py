"""Imports files as searchable sentences: one reader ahead, one encoder behind, a bounded buffer between."""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from desktop_app.core.errors import AppError, Cancelled, FileFailure, NotFound, TakenOver, UsageError
from desktop_app.core.formats import type_by_name
from desktop_app.core.jobs import WAITING, ChangeSet, Progress, Step, Steps
from desktop_app.core.messages import Message
from desktop_app.core.pages import RecognisedPage
from desktop_app.core.reader_events import (
    ArchiveRead,
    DocumentHead,
    FileRef,
    FileUnchanged,
    PageRead,
    ReadingDone,
    SentenceSpan,
    SentencesRead,
)
from desktop_app.core.watch_patterns import decide_file
from desktop_app.engine import embedding
from desktop_app.engine.annotations import refresh_notes
from desktop_app.engine.embedding import BATCH_SIZE, CHUNK_SIZE, GPU_BATCH_SIZE, SMALL_CHUNK_SIZE
from desktop_app.engine.import_forecast import ImportRates
from desktop_app.engine.import_queue import ImportQueue
from desktop_app.engine.relocation import describe_member, find_file
from desktop_app.engine.requests import CopiedFile, FailedFile, ImportedFile, ImportReport, ImportRequest
from desktop_app.engine.sentence_batches import CorrectedSentences, IncomingDocument, SentenceBatches, StorageChunk
from desktop_app.engine.text_amount import estimate_text_amounts
from desktop_app.engine.throughput import ThroughputMeter

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping, Sequence

    from desktop_app.core.library import Library
    from desktop_app.core.ports import Encoder, Reader, ReadingTask
    from desktop_app.core.reader_events import ReaderEvent
    from desktop_app.core.records import Document, ModelInfo, WatchedFolder


_BUFFERED_BATCHES = 4  # batches read ahead of the encoder; then the reader waits
_FIRST_BATCH = 128  # sentences of a batch while the cores are idle
_LARGE_BYTES = 1_000_000  # of files: for that many it pays to find the fastest way to compute first
_MAINTAIN_EVERY = 25_000  # vectors; this many are compared one by one in some milliseconds
_SAMPLE_CHARS = 8000  # characters from which a document's language is guessed
_MIN_LETTERS = 200
_NO_FILE = FileRef("", 0, -1)
_POLLS_PER_STEP = 32  # reader events handled in one step, so that a step stays short


class Importer:
    """One import, from paths to a report. `run` is the body of its job.

    Args:
        library: receives the documents.
        encoder: called when the first sentence must be embedded; loading a model takes a while.
        reader: reads one file at a time in a process of its own.
        is_supported: whether a file inside a folder is imported.
        is_user_active: whether steps must be short at the moment.
        ocr: languages in which OCR reads pages without text, unless the document has its own choice.
        image_ocr: the same for images, which have no other text; empty if the person wants no OCR at all.
        prioritized: ids of documents to read before the others; other threads may add to it at any time.
        is_person_waiting: whether a person waits for an answer at this moment; a step then ends as soon as it can.
        rates: of imports on this machine, for the remaining time; None: typical ones.
        split: cuts what is written on a document into sentences.
    """

    def __init__(
        self,
        library: Library,
        encoder: Callable[[], Encoder],
        reader: Reader,
        is_supported: Callable[[str], bool],
        is_user_active: Callable[[], bool],
        ocr: str = "",
        prioritized: deque[int] | None = None,
        is_person_waiting: Callable[[], bool] = lambda: False,
        rates: ImportRates | None = None,
        split: Callable[[str], Iterable[str]] = str.splitlines,
        image_ocr: str = "",
    ) -> None:
        self._library = library
        self._split = split
        self._encoder = encoder
        self._reader = DocumentReader(reader)
        self._is_user_active = is_user_active
        self._is_person_waiting = is_person_waiting
        self.report = ImportReport()
        self._queue = ImportQueue(
            library, is_supported, self.report, prioritized if prioritized is not None else deque()
        )
        self._arrivals: deque[IncomingDocument] = deque()
        self._default_ocr = ocr
        self._image_ocr = image_ocr
        self._folders: tuple[WatchedFolder, ...] = ()
        self._buffered = 0
        self._batch = BATCH_SIZE
        self._batches: SentenceBatches | None = None
        self._page: PageRead | None = None
        self._rates = rates or ImportRates()
        self._expected: dict[int, float] = {}  # sentences, by document
        self._throughput = ThroughputMeter(0)
        self._is_large = False
        self._total = 0
        self._annotated: deque[int] = deque()  # documents that were read, whose annotations are to be found in them
        self._displaced: dict[tuple[str, int, int], Document] = {}
        self._maintenance: Steps[None] | None = None
        self._maintained_at = 0  # number of vectors stored when maintenance last started

    # The whole import

    def run(self, request: ImportRequest) -> Steps[ImportReport]:
        """Import files and folders. Stopped by `Cancelled`, it returns what was imported until then."""
        self._reader.passwords, self._queue.force, self._queue.ocr = request.passwords, request.force, request.ocr
        self._displaced = {describe_member(FileRef.of_document(each)): each for each in request.displaced}
        self._folders = request.folders
        self._note_folders(request)
        return (yield from self._run(self._queue.collect(request)))

    def resume(
        self, documents: Iterable[Document], folders: Mapping[str, bool] = MappingProxyType({})
    ) -> Steps[ImportReport]:
        """Import documents that an earlier run left queued.

        Args:
            documents: the queued ones.
            folders: folders whose listing was interrupted, and whether unchanged files are to be read too.
        """
        # Archives in them may have been left unread: what their patterns exclude is excluded in archives too.
        store = self._library.watched_folders
        self._folders = (*store.folders(), *store.import_folders())
        return (yield from self._run(self._queue.collect_interrupted(documents, folders)))

    def _run(self, collecting: Iterable[Step]) -> Steps[ImportReport]:
        try:
            yield from collecting
            yield from self._import_queued()
        except Cancelled:
            try:
                self._abandon()
            except Exception:
                self._give_back()
                raise
            yield ChangeSet(listing=True, sentences=True)
        except Exception:
            self._give_back()
            yield ChangeSet(listing=True, sentences=True)
            raise
        finally:
            self._reader.close()
            self._stop_embedding()
            if self._maintenance is not None:
                self._maintenance.close()
            self.report.seconds = self._throughput.seconds
        self._forget_folders()
        return self.report

    def _note_folders(self, request: ImportRequest) -> None:
        """Record what the patterns of this import exclude, so that it is excluded too if the import is resumed."""
        store = self._library.watched_folders
        if noted := store.import_folders():
            # Whoever imports a folder as a whole wants all of it.
            asked = {os.path.realpath(path) for path in request.paths}
            whole = [each.path for each in noted if asked & {each.path, *map(str, Path(each.path).parents)}]
            store.forget_import_folders(whole)
        excluding = [each for each in request.folders if each.exclude]
        if excluding and (once := [each for each in excluding if each not in store.folders()]):
            store.note_import_folders(once)

    def _forget_folders(self) -> None:
        """Delete the recorded patterns once no document waits that they may apply to."""
        store = self._library.watched_folders
        if folders := store.import_folders():
            states = self._library.info().states
            if not any(states.get(state) for state in ("queued", "reading", "embedding")):
                store.forget_import_folders([each.path for each in folders])

    # The loop

    def _import_queued(self) -> Steps[None]:
        self._is_large = sum(document.size_bytes for document in self._queue) >= _LARGE_BYTES
        self._throughput = ThroughputMeter((yield from self._expect(self._queue)))
        self._total = len(self._queue)
        while self._queue or self._arrivals or self._queue.has_changed_copies:
            if not self._queue and not self._arrivals:
                yield from self._read_changed_copies()
            self._start_reading()
            yield from self._read_ahead()
            self._advance_maintenance()
            if self._ready_to_embed():
                yield from self._begin_batch()
            if self._batches:
                yield from self._advance(self._batches)
            elif finished := self._finish_documents():
                yield finished
            elif not self._annotated:
                yield WAITING
            while self._annotated:
                yield from refresh_notes(self._library, self._encoder, self._annotated.popleft(), self._split)

    def _read_changed_copies(self) -> Steps[None]:
        yield from self._queue.enter_changed_copies()
        self._total += len(self._queue)
        self._throughput.expect((yield from self._expect(self._queue)))

    def _expect(self, documents: Iterable[Document]) -> Steps[float]:
        """Estimate the sentences of documents that will be read; returns their sum."""
        documents = list(documents)
        amounts = yield from estimate_text_amounts([FileRef.of_document(document) for document in documents])
        found = [self._rates.sentences(amount) for amount in amounts]
        self._expected |= {document.document_id: each for document, each in zip(documents, found, strict=True)}
        return sum(found)

    def _count_under_way(self) -> float:
        """Return how many of the expected sentences of unfinished documents are stored."""
        count = 0.0
        for arrival in self._arrivals:
            expected = self._expected.get(arrival.document.document_id, 0.0)
            known = arrival.stored_count + arrival.in_batches + len(arrival.spans)
            total = float(known)
            if arrival.reading_done is None:
                page = self._page if arrival is self._arrivals[-1] else None
                total = known * page.page_count / page.page if page and page.page_count else max(expected, known * 1.05)
            count += expected * arrival.stored_count / max(total, 1.0)
        return count

    def _advance_maintenance(self) -> None:
        """Maintain the index during the import, so that neither memory nor search time grows with it."""
        if self._maintenance is None and self.report.embedded - self._maintained_at >= _MAINTAIN_EVERY:
            self._maintenance, self._maintained_at = self._library.maintenance.run(), self.report.embedded
        try:
            if self._maintenance is not None:
                next(self._maintenance)
        except StopIteration:
            self._maintenance = None

    def _progress(self, phase: str) -> Progress:
        unfinished = len(self._queue) + len(self._arrivals)
        # The reader is ahead of the encoder: each phase is at a document of its own.
        reading = phase == "reading"
        page = self._page if reading else None
        current_id = self._arrivals[-1 if reading else 0].document.document_id if self._arrivals else None
        return Progress(
            phase,
            self._total - unfinished,
            self._total,
            "documents",
            document_id=current_id,
            page=page.page if page else None,
            page_count=page.page_count if page else None,
            sentences=self.report.sentences,
            sentences_per_s=self._throughput.rate(self.report.sentences),
            remaining_s=self._throughput.remaining_s(self._count_under_way()),
        )

    # Reading

    def _start_reading(self) -> None:
        if self._reader.is_reading or not self._queue or self._buffered >= _BUFFERED_BATCHES * self._batch:
            return
        document = self._queue.take()
        if not self._library.ingest.claim([document.document_id]):
            # Another session imports it, or has done so.
            self._throughput.done += self._expected.pop(document.document_id, 0.0)
            self._total -= 1
            return
        document = self._follow_main_file(document)
        self._arrivals.append(IncomingDocument(document))
        self._page = None
        self._open(document)

    def _follow_main_file(self, document: Document) -> Document:
        """Return a document as it is now if it has another main file than when it was queued.

        A person may have moved the file, or removed it, so that a copy has taken its place.
        """
        with suppress(NotFound):
            stored = self._library.documents.get(document.document_id)
            if stored.path != document.path:
                return replace(stored, ocr=document.ocr)
        return document

    def _open(self, document: Document) -> None:
        known = document.content_hash if document.document_id in self._queue.before and not self._queue.force else None
        if self._queue.ocr:
            known = None  # the same bytes, but OCR may read another text
        if document.type == "email" and self._queue.before.get(document.document_id, _NO_FILE).mtime_ns == 0:
            known = None  # an import was stopped before all of its attached files were read
        hashes = frozenset() if known is None else frozenset({known})
        if document.content_hash is None and not document.sentences:
            hashes = self._library.copies.find_hashes(document.path, document.size_bytes)
        self._reader.open(document, hashes, self._choose_ocr(document))

    def _choose_ocr(self, document: Document) -> str:
        """Return the languages in which OCR reads pages of a document without text."""
        default = self._image_ocr if type_by_name(Path(document.path)) == "image" else self._default_ocr
        return document.ocr or (default if self._queue.ocr is None else "")

    def _read_ahead(self) -> Steps[None]:
        """Handle the events that the reader has ready, until the buffer is full."""
        for turn in range(_POLLS_PER_STEP):
            if (
                not self._reader.is_reading
                or self._buffered >= _BUFFERED_BATCHES * self._batch
                or (turn and self._is_person_waiting())
            ):
                return
            arrival = self._arrivals[-1]
            document = arrival.document
            try:
                event = self._reader.poll()
            except FileFailure as failure:
                yield from self._fail(arrival, failure)
                return
            if event is None:
                return
            if isinstance(event, DocumentHead):
                if self._library.is_shared and (yield from self._join(arrival, event.content_hash)):
                    return  # another session has begun to read a copy meanwhile
                if (now := self._follow_main_file(document)) is not document:
                    arrival.document = now
                    self._reader.close()
                    self._open(now)
                    return
                if set_apart := self._set_apart(arrival, event):
                    yield set_apart
                    document = arrival.document
                if not self._write(arrival, self._library.ingest.begin, event):
                    return
                rules = self._library.corrections.find(document.document_id)
                arrival.corrected = CorrectedSentences(rules) if rules else None
                if event.tags:
                    self._library.collections.tag([document.document_id], event.tags)
                yield ChangeSet(documents=frozenset({document.document_id}), collections=bool(event.tags))
            elif isinstance(event, PageRead):
                self._page = event
                yield self._progress("reading")
            elif isinstance(event, RecognisedPage):
                if not self._write(arrival, self._library.ocr_pages.save, event):
                    return
            elif isinstance(event, SentencesRead):
                self._take_spans(arrival, arrival.corrected.feed(event.spans) if arrival.corrected else event.spans)
            elif isinstance(event, FileUnchanged):
                if document.content_hash == event.content_hash:
                    yield from self._keep_unchanged(arrival)
                elif not (yield from self._join(arrival, event.content_hash)):
                    self._reader.open(document, frozenset(), self._choose_ocr(document))
            elif isinstance(event, ArchiveRead):
                yield from self._open_archive(arrival, event)
            elif isinstance(event, ReadingDone):
                if arrival.corrected:
                    self._take_spans(arrival, arrival.corrected.finish())
                yield from self._queue_attached(arrival, event)
                arrival.reading_done = event

    def _join(self, arrival: IncomingDocument, content_hash: str) -> Generator[Step, None, bool]:
        """Make a new document a copy of another one with the same content; returns False if there is none."""
        document = arrival.document
        try:
            original_id = self._library.copies.join(document.document_id, content_hash)
        except NotFound:  # a person has removed it
            self._drop(arrival)
            return True
        if original_id is None:
            return False
        self._drop(arrival)
        self.report.copies.append(CopiedFile(document.path, original_id))
        if self._queue.ocr:
            original = self._library.documents.get(original_id)
            yield from self._queue.enter([FileRef.of_document(original)])
        yield ChangeSet(documents=frozenset({original_id}), listing=True, collections=True)
        return True

    def _set_apart(self, arrival: IncomingDocument, head: DocumentHead) -> ChangeSet | None:
        """Make a file a document of its own if it has changed and its document has copies that have not.

        Copies that have changed too are read after it, and those that are gone are copies no longer. None if the
        document stays the one that is read.
        """
        document = arrival.document
        with suppress(NotFound):
            stored = self._library.documents.get(document.document_id)
            if not stored.copies or stored.content_hash in (None, head.content_hash):
                return None
            unchanged = ""
            for copy in stored.copies:
                file = find_file(stored.seen_at(copy.path), copy.path)
                if file is None:
                    self._library.copies.remove([copy.path])
                elif file.has_time_of(FileRef.of_document(stored.seen_at(copy.path))):
                    unchanged = unchanged or copy.path
                else:
                    self._queue.note_changed_copy(file)
            if unchanged:
                new = self._library.copies.split(FileRef.of_document(document), unchanged)
                self._library.ingest.claim([new.document_id])
                self._queue.before.pop(document.document_id, None)
                if document.document_id in self._expected:
                    self._expected[new.document_id] = self._expected.pop(document.document_id)
                arrival.document = replace(new, ocr=document.ocr)
                changed = frozenset({document.document_id, new.document_id})
                return ChangeSet(documents=changed, listing=True, collections=True)
        return None

    def _take_spans(self, arrival: IncomingDocument, spans: Sequence[SentenceSpan]) -> None:
        arrival.spans.extend(spans)
        self._buffered += len(spans)
        arrival.sample = _extend_sample(arrival.sample, spans)

    def _open_archive(self, arrival: IncomingDocument, archive: ArchiveRead) -> Steps[None]:
        """Queue an archive's members; the archive itself is removed, because it is no document."""
        paths = [member.path for member in archive.members] + [member.path for member in archive.refused]
        self.report.archives[arrival.document.path] = frozenset(paths)
        self.report.ignored += archive.ignored
        self.report.failed += [FailedFile(each.path, each.reason, each.message) for each in archive.refused]
        self._take_over_displaced(archive)
        before = len(self._queue)
        yield from self._queue.enter(self._leave_out(archive.members))
        self._total += len(self._queue) - before - 1
        self._throughput.expect((yield from self._expect(islice(self._queue, before, None))))
        self._drop(arrival)
        self._library.documents.remove([arrival.document.document_id])
        yield ChangeSet(listing=True)

    def _queue_attached(self, arrival: IncomingDocument, done: ReadingDone) -> Steps[None]:
        """Queue the files in a message: they are documents of their own, and so is the message."""
        if not done.attached and arrival.document.document_id not in self._queue.before:
            return
        self.report.archives[arrival.document.path] = frozenset(file.path for file in done.attached)
        before = len(self._queue)
        yield from self._queue.enter(self._leave_out(done.attached))
        self._total += len(self._queue) - before
        self._throughput.expect((yield from self._expect(islice(self._queue, before, None))))

    def _leave_out(self, members: Sequence[FileRef]) -> list[FileRef]:
        """Return the members of an archive or message that no pattern of the import excludes."""
        taken = []
        for member in members:
            if any(decide_file(folder, member.path).why == "excluded" for folder in self._folders):
                self.report.ignored.append(member.path)
            else:
                taken.append(member)
        return taken

    def _take_over_displaced(self, archive: ArchiveRead) -> None:
        """Give documents whose archive is gone the path of the same file in this archive: it was renamed."""
        for member in archive.members:
            document = self._displaced.pop(describe_member(member), None)
            if document is None:
                continue
            with suppress(NotFound, UsageError):
                self._library.watched_folders.move(document.path, member)
                self.report.taken_over[document.path] = member

    def _fail(self, arrival: IncomingDocument, failure: FileFailure) -> Steps[None]:
        document = arrival.document
        if self._write(arrival, self._library.ingest.fail, failure.reason, failure.message):
            self._drop(arrival)
            self.report.failed.append(FailedFile(document.path, failure.reason, failure.message, document.document_id))
            yield ChangeSet(documents=frozenset({document.document_id}), sentences=True)

    def _keep_unchanged(self, arrival: IncomingDocument) -> Steps[None]:
        """Keep the previous version: the file was touched, but its content is the same."""
        document = arrival.document
        if self._write(arrival, self._library.ingest.keep_previous_version, FileRef.of_document(document)):
            self._drop(arrival)
            self.report.unchanged.append(document.path)
            yield ChangeSet(documents=frozenset({document.document_id}))

    def _write(self, arrival: IncomingDocument, write: Callable[..., None], *values: object) -> bool:
        """Write something of a document; returns False, and drops it, if a person has removed it.

        If the connection to a shared library was lost for a moment, the document is imported anew.
        """
        try:
            write(arrival.document.document_id, *values)
        except TakenOver:
            self._import_anew(arrival)
            return False
        except NotFound:
            self._drop(arrival)
            return False
        return True

    def _import_anew(self, arrival: IncomingDocument) -> None:
        """Let a document be the next one again, unless another session has claimed it by then."""
        document = arrival.document
        expected = self._expected.get(document.document_id, 0.0)
        self._drop(arrival)
        self._expected[document.document_id] = expected
        self._throughput.expect(expected)
        self.report.sentences -= arrival.stored_count
        self._library.ingest.recover()
        self._queue.put_back(document)

    def _drop(self, arrival: IncomingDocument) -> None:
        """Do nothing more with a document."""
        self._library.ingest.release(arrival.document.document_id)
        if arrival is self._arrivals[-1]:
            self._reader.close()
        if self._batches is not None and arrival.in_batches:
            self._batches.drop_document(arrival)
        self._arrivals.remove(arrival)
        self._buffered -= len(arrival.spans)
        self._throughput.done += self._expected.pop(arrival.document.document_id, 0.0)

    # Embedding and storing

    def _ready_to_embed(self) -> bool:
        """Return whether to start a batch: the last one is nearly done, and this one is full or no more is ready."""
        if self._batches and (len(self._batches) > 1 or self._batches.remaining > self._batch // 4):
            return False
        ends = not self._reader.is_reading or self._is_user_active()
        # Idle cores, as at the start, do not wait for a full batch.
        enough = self._batch if self._batches else _FIRST_BATCH
        return self._buffered >= enough or (self._buffered > 0 and ends)

    def _begin_batch(self) -> Steps[None]:
        encoder = self._encoder()
        if self._batches is None:
            self._batches = SentenceBatches(self._library, encoder)
            self._batch = BATCH_SIZE if encoder.device.device == "cpu" else GPU_BATCH_SIZE
            self._library.models.bind(encoder.model)
        if (self._is_large or self._buffered >= embedding.MIN_TEXTS_TO_TUNE) and not self._is_user_active():
            yield from embedding.tune_encoder(encoder)
        for _ in self._batches.add_batch(self._take_batch()):
            yield from self._embed(self._batches)

    def _take_batch(self) -> list[tuple[IncomingDocument, list[SentenceSpan]]]:
        """Take sentences off the buffer, in order, across documents."""
        left = self._batch
        batch: list[tuple[IncomingDocument, list[SentenceSpan]]] = []
        for arrival in self._arrivals:
            spans = [arrival.spans.popleft() for _ in range(min(left, len(arrival.spans)))]
            left -= len(spans)
            if spans:
                batch.append((arrival, spans))
            if left == 0 or arrival.reading_done is None:
                break
        self._buffered -= self._batch - left
        return batch

    def _advance(self, batches: SentenceBatches) -> Steps[None]:
        """Collect embedded sentences and store complete ones: a little of both."""
        yield from self._embed(batches)
        self._follow_model_switch(batches)
        if chunk := batches.next_chunk(SMALL_CHUNK_SIZE if self._is_user_active() else CHUNK_SIZE):
            yield from self._store(batches, chunk)
        if finished := self._finish_documents():
            yield finished

    def _follow_model_switch(self, batches: SentenceBatches) -> None:
        """Embed with the new model from here on, if the library has switched to one since the last step."""
        if (encoder := self._encoder()) is not batches.encoder:
            batches.switch_encoder(encoder)

    def _embed(self, batches: SentenceBatches) -> Steps[None]:
        self._follow_model_switch(batches)
        embedding.reserve_core(batches.encoder, self._is_user_active())
        if refused := batches.advance():
            for arrival in refused.holders:
                yield from self._fail(arrival, refused.failure(arrival))
        yield self._progress("embedding")

    def _store(self, batches: SentenceBatches, chunk: StorageChunk) -> Steps[None]:
        arrival = chunk.arrival
        embedded = (chunk.texts, chunk.vectors, chunk.truncated, batches.encoder.model.fingerprint)
        if self._write(arrival, self._library.ingest.append, chunk.spans, *embedded):
            batches.mark_stored(chunk)
            arrival.stored_count += len(chunk.spans)
            self.report.sentences += len(chunk.spans)
            self.report.embedded += len(chunk.texts)
            yield ChangeSet(documents=frozenset({arrival.document.document_id}), sentences=True)

    def _finish_documents(self) -> ChangeSet | None:
        """Make documents ready whose last sentence is stored; returns None if there was none."""
        finished: set[int] = set()
        while self._arrivals and (done := self._arrivals[0].reading_done) is not None and self._arrivals[0].is_whole:
            arrival = self._arrivals[0]
            document = arrival.document
            model = self._batches.encoder.model if self._batches is not None else None
            done = replace(done, warnings=(*done.warnings, *_warn_unknown_language(arrival.sample, model)))
            ranges = arrival.corrected.corrected_ranges if arrival.corrected else []
            if ranges and not self._write(arrival, self._library.corrections.save_ranges, ranges):
                continue
            if not self._write(arrival, self._library.ingest.finish, done):
                continue
            self._drop(arrival)
            self.report.imported.append(
                ImportedFile(
                    document.path,
                    document.document_id,
                    self._library.documents.get(document.document_id).pages,
                    arrival.stored_count,
                    done.warnings,
                )
            )
            finished.add(document.document_id)
            self._annotated.append(document.document_id)
        return ChangeSet(documents=frozenset(finished), sentences=True) if finished else None

    def _stop_embedding(self) -> None:
        if self._batches is not None:
            self._batches.close()

    def _abandon(self) -> None:
        """Stop the import for a person: finished documents stay, unfinished new ones leave the list again."""
        self._reader.close()
        self.report.stopped = True
        documents = [*(each.document for each in self._arrivals), *self._queue]
        self.report.left_out = len(documents)
        if self._library.is_shared:
            self._leave_to_others()
        else:
            self._take_back(documents)
        self._arrivals.clear()
        self._queue.clear()
        self._buffered = 0
        self.report.sentences = sum(file.sentences for file in self.report.imported)

    def _give_back(self) -> None:
        """Queue what is unfinished after a failure, a full disk for example: the next import reads it."""
        if self._library.is_shared:  # this session goes on, and would keep them to itself
            self._leave_to_others()
            return
        for arrival in self._arrivals:
            self._library.ingest.release(arrival.document.document_id)
        with suppress(AppError):  # the disk is still full: `recover` is called again before the next import
            self._library.ingest.recover()

    def _leave_to_others(self) -> None:
        """Let other sessions import what is unfinished: it may be theirs."""
        for arrival in self._arrivals:
            with suppress(AppError):  # it was removed, or the server is away
                self._library.ingest.queue(arrival.document.document_id, FileRef.of_document(arrival.document))

    def _take_back(self, documents: Sequence[Document]) -> None:
        """Let unfinished new documents leave the list, and others be as they were."""
        before = dict(self._queue.before)
        for document in documents:
            # An earlier run may have left it queued, or it failed, with a version that can be searched.
            if document.sentences or document.content_hash is not None:
                before.setdefault(document.document_id, FileRef(document.path, document.size_bytes, 0))
        ids = [document.document_id for document in documents]
        failed = {key: self._queue.failed[key] for key in ids if key in self._queue.failed and key not in before}
        known = before.keys() | failed.keys()
        left_out = [document for document in documents if document.document_id not in known]
        self._library.ingest.withdraw([document.document_id for document in left_out])
        self._read_mail_again(left_out)
        for document_id in ids:
            if document_id in before:
                self._restore_previous(document_id, before[document_id])
        for document_id, document in failed.items():
            assert document.reason is not None, "a document fails for a reason"
            with suppress(NotFound):  # a person has removed it
                self._library.ingest.fail(document_id, document.reason, document.message)
        if self._queue.ocr is not None:  # otherwise the next request for OCR would find nothing to do
            kept = {key: self._queue.former_ocr[key] for key in ids if key in known and key in self._queue.former_ocr}
            for languages in set(kept.values()):
                self._library.ocr_pages.request([key for key in kept if kept[key] == languages], languages)

    def _read_mail_again(self, left_out: Sequence[Document]) -> None:
        """Have the next import read the messages again whose attached files were left out."""
        above = {parent for document in left_out for parent in map(str, Path(document.path).parents)}
        for file in self.report.imported:
            if file.path in above:
                with suppress(NotFound):  # a person has removed it
                    size_bytes = self._library.documents.get(file.document_id).size_bytes
                    self._restore_previous(file.document_id, FileRef(file.path, size_bytes, 0))

    def _restore_previous(self, document_id: int, file: FileRef) -> None:
        try:
            self._library.ingest.keep_previous_version(document_id, file)
        except ValueError:  # it had no text: nothing of it is left, but its tags and collections are
            self._library.ingest.queue(document_id, replace(file, mtime_ns=0))
        except NotFound:
            return


def _extend_sample(sample: str, spans: Iterable[SentenceSpan]) -> str:
    """Return the beginning of a document's text, extended while it is short."""
    if len(sample) >= _SAMPLE_CHARS:
        return sample
    return sample + " ".join(["", *(span.text for span in spans if span.kind == "body")])[:_SAMPLE_CHARS]


def _warn_unknown_language(sample: str, model: ModelInfo | None) -> tuple[Message, ...]:
    """Return a warning for a document in a language that the model does not know."""
    if model is None or not model.languages or sum(map(str.isalpha, sample)) < _MIN_LETTERS:
        return ()
    from desktop_app.core.language_detection import guess_language, language_name

    language = guess_language(sample)
    if language in model.languages:
        return ()
    warning = Message(
        "Looks like {spoken}. The model {name} was not trained for it, so search by meaning may not work well here",
        spoken=language_name(language),
        name=model.name,
        code="unknown_language",
    )
    return (warning,)


class DocumentReader:
    """Reads one document at a time in the reader's process.

    Args:
        reader: reads one file at a time.

    Attributes:
        passwords: tried on a locked file, after no password.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._reading: ReadingTask | None = None
        self._document: Document | None = None
        self._known_hashes: frozenset[str] = frozenset()
        self._ocr = ""
        self._tries: deque[str | None] = deque()
        self.passwords: tuple[str, ...] = ()

    @property
    def is_reading(self) -> bool:
        """Whether a document is being read."""
        return self._reading is not None

    def open(self, document: Document, known_hashes: frozenset[str], ocr: str) -> None:
        """Start to read a document.

        Args:
            document: to be read.
            known_hashes: of contents that the library has, to stop if it is one of them.
            ocr: languages in which OCR reads pages without text; empty: it does not.
        """
        self._document, self._known_hashes, self._ocr = document, known_hashes, ocr
        # No password first: many files are encrypted only against changes.
        self._tries = deque((None, *self.passwords))
        self._try()

    def _try(self) -> None:
        assert self._document is not None
        self._reading = self._reader.start(
            Path(self._document.path), password=self._tries.popleft(), known_hashes=self._known_hashes, ocr=self._ocr
        )

    def poll(self) -> ReaderEvent | None:
        """Return the next event; None if there is none yet. After the last event no document is open.

        Raises:
            FileFailure: the document cannot be read with any of the passwords; no document is open any more.
        """
        assert self._reading is not None
        try:
            event = self._reading.poll()
        except FileFailure as failure:
            if failure.reason == "encrypted" and self._tries:
                self._try()
                return None
            self._reading = None
            raise
        if isinstance(event, FileUnchanged | ArchiveRead | ReadingDone):
            self._reading = None
        return event

    def close(self) -> None:
        """Stop reading the document."""
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
