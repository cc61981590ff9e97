"""Watched folders: finds what was added, changed, renamed or deleted since the last scan."""

from __future__ import annotations

import logging
import os
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.jobs import ChangeSet, Job, Lane, Progress, Steps
from desktop_app.core.reader_events import FileRef
from desktop_app.core.scope import Scope
from desktop_app.core.watch_patterns import decide_file
from desktop_app.engine.file_walk import FileListing, FoundFile, walk_files
from desktop_app.engine.importing import run_import
from desktop_app.engine.relocation import (
    exists_on_disk,
    find_moved_file,
    map_file_moves,
    map_folder_move,
    relink_searches,
)
from desktop_app.engine.requests import ImportReport, ImportRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop_app.core.records import Document, WatchedFolder
    from desktop_app.engine.context import EngineContext

log = logging.getLogger(__name__)

_DOCUMENTS_PER_STEP = 500
_REMOVALS_PER_STEP = 200
_RELINKS_PER_STEP = 50
_FILE_CHECKS_PER_STEP = 100
_WATCH_INTERVAL_MS = 500


@dataclass(slots=True)
class _FolderScan:
    """The result of a scan of a folder: files as they are now, documents as they were."""

    files: dict[str, FileRef] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RelinkReport:
    """How many documents of a moved folder were found in its new place, and how many were not."""

    moved: int
    left: int


class WatchedFolderService:
    """Keeps a library in step with its watched folders.

    Args:
        context: the library and whatever else the jobs use.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._watchers: list[_FolderWatcher] = []  # the last one is active, those before are ending
        self._absent: list[str] = []  # folders that did not exist when listening started

    def watch_folder(self, folder: WatchedFolder) -> Job[list[WatchedFolder]]:
        """Watch a folder, or watch it with other patterns; returns all folders."""

        def change() -> list[WatchedFolder]:
            watching = self._context.open_library().watched_folders
            watching.watch(replace(folder, path=os.path.realpath(folder.path)))
            return watching.folders()

        return self._context.engine.submit("watch folder", change, lane=Lane.FRONT)

    def relink(self, document_id: int, path: str) -> Job[None]:
        """Record that a document's file has moved; the next import reads it again.

        Raises (the job):
            NotFound: the document is not, or no longer, in the library.
            UsageError: the file is a document of its own already.
        """

        def steps() -> Steps[None]:
            library, new = self._context.open_library(), os.path.realpath(path)
            old = library.documents.get(document_id).path
            # Without a time the next import checks the file, and finds whether it has changed.
            library.watched_folders.move(document_id, FileRef(new, os.stat(path).st_size, 0))
            yield ChangeSet(documents=frozenset({document_id}), listing=True)
            yield from relink_searches(library, {old: new}.get, (old,))

        return self._context.engine.submit("relink", steps, lane=Lane.FRONT)

    def find_missing_files(self) -> Job[frozenset[int]]:
        """Return the ids of the documents whose files are not on disk now."""
        return self._context.engine.submit("missing files", self._missing, key="missing files")

    def relink_folder(self, old: str, new: str) -> Job[RelinkReport]:
        """Record that a folder has moved, with all its documents and watched folders, and update saved searches.

        Documents whose files are not in the new folder stay as they are. Files with another length or time than before
        are read again by the next import.
        """
        return self._context.engine.submit("relink folder", lambda: self._relink_folder(old, os.path.realpath(new)))

    def sync_folders(self) -> Job[ImportReport]:
        """Scan the watched folders, follow renamed and deleted files, and import new and changed ones."""
        return self._context.engine.submit("sync folders", self._sync, chain="import")

    # Events of the system

    def start_listening(self, folders: Iterable[WatchedFolder], changed: Callable[[], None]) -> None:
        """Call `changed` from another thread whenever something happens in one of the existing folders.

        It is called once when listening has started, because earlier changes were not reported.
        """
        if self._watchers:
            self._watchers[-1].stop()
        known = [folder.path for folder in folders]
        paths = [path for path in known if os.path.isdir(path)]
        self._absent = [path for path in known if path not in paths]
        if paths:
            self._watchers.append(_FolderWatcher(paths, changed))

    def has_folder_returned(self) -> bool:
        """Return whether a folder exists now that did not when `start_listening` was called: a drive was plugged in."""
        return any(map(os.path.isdir, self._absent))

    def stop_listening(self) -> None:
        """Stop listening."""
        while self._watchers:
            self._watchers.pop().join()

    # On the engine's thread

    def _missing(self) -> Steps[frozenset[int]]:
        missing: set[int] = set()
        after = 0
        while page := self._context.open_library().documents.fetch(after_id=after, limit=_FILE_CHECKS_PER_STEP):
            after = page[-1].document_id
            missing |= {document.document_id for document in page if not exists_on_disk(document.path)}
            yield None
        return frozenset(missing)

    def _relink_folder(self, old: str, new: str) -> Steps[RelinkReport]:
        library = self._context.open_library()
        scope = Scope(paths=(old,))
        documents: list[Document] = []
        while page := library.documents.fetch(after_id=documents[-1].document_id if documents else 0, scope=scope):
            documents += page
            yield None
        moved = 0
        for start in range(0, len(documents), _RELINKS_PER_STEP):
            files = {}
            for document in documents[start : start + _RELINKS_PER_STEP]:
                path = os.path.join(new, os.path.relpath(document.path, old)) if document.path != old else new
                if (file := find_moved_file(document, path)) is not None:
                    files[document.document_id] = file
            moved += library.watched_folders.move_documents(files)
            yield ChangeSet(documents=frozenset(files), listing=True)
        for folder in library.watched_folders.folders():
            if folder.path == old or folder.path.startswith(old.rstrip(os.sep) + os.sep):
                path = os.path.normpath(os.path.join(new, os.path.relpath(folder.path, old)))
                if os.path.isdir(path):
                    library.watched_folders.watch(replace(folder, path=path))
                    library.watched_folders.unwatch(folder.path)
        yield from relink_searches(library, map_folder_move(old, new), [each.path for each in documents])
        return RelinkReport(moved, len(documents) - moved)

    def _sync(self) -> Steps[ImportReport]:
        wanted: dict[str, FileRef] = {}
        for folder in self._context.open_library().watched_folders.folders():
            if not os.path.isdir(folder.path):
                continue  # a drive that is not plugged in: its documents stay
            scan = yield from self._scan_folder(folder)
            yield from self._apply_moves(folder, scan)
            wanted |= {path: scan.files[path] for path in _find_changed_files(scan)}
        if not wanted:
            return ImportReport()
        return (
            yield from run_import(
                self._context, ImportRequest(tuple(wanted), listing=FileListing(tuple(wanted.values())))
            )
        )

    def _scan_folder(self, folder: WatchedFolder) -> Steps[_FolderScan]:
        scan = _FolderScan()
        for item in walk_files([folder.path], lambda path: decide_file(folder, path).is_taken):
            if isinstance(item, FoundFile):
                scan.files[item.file.path] = item.file
            elif item is None:
                yield Progress("looking", len(scan.files), None, "documents")
        scope = Scope(paths=(os.path.realpath(folder.path),))
        after = 0
        while page := self._context.open_library().documents.fetch(
            after_id=after, limit=_DOCUMENTS_PER_STEP, scope=scope
        ):
            after = page[-1].document_id
            scan.documents |= {document.path: document for document in page}
            yield None
        return scan

    def _apply_moves(self, folder: WatchedFolder, scan: _FolderScan) -> Steps[None]:
        """Give the documents of renamed files their new paths, and remove those whose files were deleted."""
        missing = []
        for path, document in scan.documents.items():
            if path not in scan.files and not _file_or_archive_exists(path, scan.files):
                missing.append(document)
            yield None
        by_stamp: dict[tuple[int, int, str], list[FileRef]] = {}
        for file in scan.files.values():
            if file.path not in scan.documents:
                by_stamp.setdefault(_file_signature(file), []).append(file)
        deleted = []
        renamed: dict[str, str] = {}
        for document in missing:
            new = by_stamp.get(_file_signature(FileRef(document.path, document.size_bytes, document.mtime_ns)), [])
            if len(new) == 1 and document.state == "ready":
                file = new.pop()
                self._context.open_library().watched_folders.move(document.document_id, file)
                scan.documents[file.path] = document
                renamed[document.path] = file.path
                yield ChangeSet(documents=frozenset({document.document_id}), listing=True)
            else:
                deleted.append(document.document_id)
        if renamed:
            yield from relink_searches(self._context.open_library(), map_file_moves(renamed), renamed)
        for start in range(0, len(deleted) if os.path.isdir(folder.path) else 0, _REMOVALS_PER_STEP):
            self._context.open_library().documents.remove(deleted[start : start + _REMOVALS_PER_STEP])
            yield ChangeSet(listing=True, sentences=True)


def _file_signature(file: FileRef) -> tuple[int, int, str]:
    """Return the properties that a file keeps when it is renamed."""
    return file.size_bytes, file.mtime_ns, os.path.splitext(file.path)[1].lower()


def _file_or_archive_exists(path: str, files: dict[str, FileRef]) -> bool:
    """Return whether a document's file, or the archive that contains it, exists."""
    if os.path.exists(path):
        return True
    return any(str(above) in files for above in Path(path).parents)


def _find_changed_files(scan: _FolderScan) -> Iterable[str]:
    """Yield the files to read: new and changed ones, and archives that changed after their members were imported."""
    newest: dict[str, float] = {}
    for path, known in scan.documents.items():
        above = next((str(each) for each in Path(path).parents if str(each) in scan.files), None)
        if above is not None:
            newest[above] = max(newest.get(above, 0.0), known.added_at)
    for path, file in scan.files.items():
        document = scan.documents.get(path)
        if path in newest:
            if file.mtime_ns / 1e9 > newest[path]:
                yield path
        elif document is None or document.state == "queued" or not _is_unchanged(document, file):
            yield path


def _is_unchanged(document: Document, file: FileRef) -> bool:
    return (document.size_bytes, document.mtime_ns) == (file.size_bytes, file.mtime_ns)


class _FolderWatcher:
    """A thread that waits for changes in some folders."""

    def __init__(self, paths: list[str], changed: Callable[[], None]) -> None:
        self._paths = paths
        self._changed = changed
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="folder-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()

    def join(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        from watchfiles import watch

        try:
            is_report_due = True  # for changes before listening started
            for changes in watch(
                *self._paths,
                stop_event=self._stop,
                ignore_permission_denied=True,
                yield_on_timeout=True,
                rust_timeout=_WATCH_INTERVAL_MS,
            ):
                if changes or is_report_due:
                    self._changed()
                is_report_due = False
        except (OSError, RuntimeError) as error:
            # More folders than the system can watch, or one was deleted: the scan at the next start finds the changes.
            log.warning("folders can no longer be watched: %s", error)
