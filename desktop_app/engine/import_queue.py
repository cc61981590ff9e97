"""The queue of an import: files and folders entered as queued documents, in the order they are read."""

from __future__ import annotations

import os
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.core.errors import Cancelled, NotFound
from desktop_app.core.jobs import ChangeSet, Progress, Steps
from desktop_app.core.reader_events import FileRef
from desktop_app.core.scope import Scope
from desktop_app.engine.file_walk import FoundFile, IgnoredFile, UnreadablePath, walk_files
from desktop_app.engine.relocation import exists_on_disk
from desktop_app.engine.requests import FailedFile, ImportReport, ImportRequest

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from desktop_app.core.library import Library
    from desktop_app.core.records import Document

_FILES_PER_TRANSACTION = 200  # documents entered in one transaction


class ImportQueue:
    """The documents of one import that wait to be read.

    Args:
        library: where they are entered.
        is_supported: whether a file inside a folder is imported.
        report: collects ignored and failed files.
        prioritized: ids of documents to read before the others; other threads may add to it at any time.

    Attributes:
        force: whether unchanged files are read too.
        ocr: languages for OCR of all of them; None: as chosen for each document before.
        before: the previous files of documents that are imported again.
        failed: the documents that had failed before this import, as they were.
        former_ocr: the languages for OCR that documents had before others were requested.
    """

    def __init__(
        self, library: Library, is_supported: Callable[[str], bool], report: ImportReport, prioritized: deque[int]
    ) -> None:
        self._library = library
        self._is_supported = is_supported
        self._report = report
        self._prioritized = prioritized
        self._waiting: OrderedDict[int, Document] = OrderedDict()
        self._changed_copies: dict[str, FileRef] = {}
        self.force = False
        self.ocr: str | None = None
        self.before: dict[int, FileRef] = {}
        self.failed: dict[int, Document] = {}
        self.former_ocr: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[Document]:
        return iter(self._waiting.values())

    def take(self) -> Document:
        """Remove and return the next document: the one that a person opened last, or the first that waits."""
        while self._prioritized:
            wanted = self._prioritized.pop()
            if (document := self._waiting.pop(wanted, None)) is not None:
                return document
        return self._waiting.popitem(last=False)[1]

    def put_back(self, document: Document) -> None:
        """Let a document be the next one again."""
        self._waiting[document.document_id] = document
        self._waiting.move_to_end(document.document_id, last=False)

    def clear(self) -> None:
        """Remove all documents."""
        self._waiting.clear()

    def collect_interrupted(self, documents: Iterable[Document], folders: Mapping[str, bool]) -> Steps[None]:
        """Queue documents that an earlier run left, and walk the folders whose listing was interrupted.

        Args:
            documents: the queued ones.
            folders: whether unchanged files are to be read too, by folder.
        """
        for force in sorted(set(folders.values())):
            self.force = force
            paths = tuple(path for path in folders if folders[path] is force)
            yield from self.collect(ImportRequest(paths, force=force))
        for document in documents:
            self._waiting.setdefault(document.document_id, document)

    def collect(self, request: ImportRequest) -> Steps[None]:
        """Enter every file as a queued document, so that a window shows all of them at once.

        If the program ends before that is done, the next start walks the folders again.
        """
        folders = [os.path.abspath(path) for path in request.paths if _is_folder(path)]
        if folders:
            self._library.watched_folders.begin_listing(folders, force=request.force)
        try:
            yield from self._collect_files(request)
        except Cancelled:
            self._end_listing(request, folders)
            raise
        self._end_listing(request, folders)

    def _end_listing(self, request: ImportRequest, folders: Sequence[str]) -> None:
        # An interrupted listing may be recorded there under the path of a folder that has gone.
        self._library.watched_folders.end_listing([*folders, *(path for path in request.paths if path not in folders)])

    def _collect_files(self, request: ImportRequest) -> Steps[None]:
        if request.listing is not None:
            listing = request.listing
            self._report.ignored += listing.ignored
            self._report.failed += [FailedFile(each.path, "unreadable", each.why) for each in listing.unreadable]
            yield from self.enter(listing.files)
            return
        batch: list[FileRef] = []
        for item in walk_files(request.paths, self._is_supported):
            if isinstance(item, FoundFile) and item.is_online_only and not self._is_unchanged(item.file):
                missing = UnreadablePath.online_only(item.file.path)
                self._report.failed.append(FailedFile(missing.path, "unreadable", missing.why))
            elif isinstance(item, FoundFile):
                batch.append(item.file)
            elif isinstance(item, IgnoredFile):
                self._report.ignored.append(item.path)
            elif isinstance(item, UnreadablePath):
                self._report.failed.append(FailedFile(item.path, "unreadable", item.why))
            if len(batch) >= _FILES_PER_TRANSACTION:
                yield from self.enter(batch)
                batch = []
            else:
                yield Progress("looking", len(self._waiting) + len(batch), None, "documents")
        yield from self.enter(batch)

    def _is_unchanged(self, file: FileRef) -> bool:
        """Return whether the library has a file as it is, so that it need not be read."""
        if self.force:
            return False
        found = self._library.documents.fetch(limit=1, scope=Scope(paths=(file.path,)))
        own = [each.seen_at(file.path) for each in found if each.state == "ready" and file.path in each.paths]
        return any(file.is_same_as(FileRef.of_document(each)) for each in own)

    def enter(self, files: Sequence[FileRef]) -> Iterator[ChangeSet]:
        """Enter files, some at a time; files that the library has unchanged are skipped."""
        for start in range(0, len(files), _FILES_PER_TRANSACTION):
            yield self._enter(files[start : start + _FILES_PER_TRANSACTION])

    def enter_changed_copies(self) -> Iterator[ChangeSet]:
        """Enter the copies of documents whose files have changed: they become documents of their own.

        Documents that are read themselves come before them, because all files of one may have changed in the same way.
        """
        files, self._changed_copies = list(self._changed_copies.values()), {}
        for file in files:
            try:
                document = self._library.copies.split(file)
            except NotFound:  # it is not a copy any more
                yield from self.enter([file])
                continue
            self._waiting[document.document_id] = document
            yield ChangeSet(documents=frozenset({document.document_id}), listing=True, collections=True)

    def note_changed_copy(self, file: FileRef) -> None:
        """Note that a copy of a document has changed."""
        self._changed_copies[file.path] = file

    @property
    def has_changed_copies(self) -> bool:
        """Whether there are copies of documents that have changed."""
        return bool(self._changed_copies)

    def _enter(self, files: Sequence[FileRef]) -> ChangeSet:
        changed: set[int] = set()
        stamps: dict[str, int] = {}
        entered: list[int] = []
        for named, found in zip(files, self._library.documents.add(files), strict=True):
            document = found
            # If a member is named directly, only its archive knows its length and time.
            known = FileRef.of_document(document)
            file = known if named.is_unknown else named
            if document.is_copy and not file.is_same_as(known):
                self.note_changed_copy(file)
                continue
            if document.document_id in self._waiting:
                continue  # a member that was known when its archive was interrupted
            same_file = file.is_same_as(known) and not self._needs_ocr(document)
            if document.state == "ready" and same_file and not self.force:
                self._report.unchanged.append(document.path)
                if file.stamp != known.stamp:
                    stamps[document.path] = file.stamp
                continue
            if document.is_copy:
                document = self._find_main(document)
                known = file = FileRef.of_document(document)
            if document.state == "ready":
                self.before[document.document_id] = known
            elif document.state == "failed":
                self.failed[document.document_id] = document
            if document.state != "queued" or not same_file:
                self._library.ingest.queue(document.document_id, file)
                changed.add(document.document_id)
            self.former_ocr[document.document_id] = document.ocr
            ocr = document.ocr if self.ocr is None else self.ocr
            now = replace(document, size_bytes=file.size_bytes, mtime_ns=file.mtime_ns, stamp=file.stamp, ocr=ocr)
            self._waiting[now.document_id] = now
            entered.append(now.document_id)
        if stamps:
            self._library.watched_folders.set_stamps(stamps)
        if self.ocr is not None:
            self._library.ocr_pages.request(entered, self.ocr)
        return ChangeSet(documents=frozenset(changed), listing=True)

    def _find_main(self, document: Document) -> Document:
        """Return a document that is shown as a copy as its main file shows it, which is one that exists if any does."""
        main = self._library.documents.get(document.document_id)
        if not exists_on_disk(main.path) and exists_on_disk(document.path):
            self._library.copies.promote(document.path)
            main = self._library.documents.get(document.document_id)
        return main

    def _needs_ocr(self, document: Document) -> bool:
        """Return whether OCR is requested and may find text that was not read before."""
        return bool(self.ocr) and document.ocr != self.ocr and self._library.ocr_pages.has_unread(document.document_id)


def _is_folder(path: str) -> bool:
    try:
        return os.path.isdir(path)
    except ValueError:  # a NUL in the name
        return False
