"""Watched folders: follows what was added, changed, renamed or deleted since the last scan (`folder_scan.py`)."""

from __future__ import annotations

import logging
import os
import stat
import threading
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.formats import ARCHIVES
from desktop_app.core.jobs import ChangeSet, Job, Lane, Steps
from desktop_app.core.reader_events import FileRef
from desktop_app.core.scope import Scope
from desktop_app.core.stored_path import find_stored_path
from desktop_app.engine.document_pages import iter_document_pages
from desktop_app.engine.file_walk import FileListing
from desktop_app.engine.folder_scan import FolderScan, is_still_deleted
from desktop_app.engine.importing import requeue_unfinished, run_import
from desktop_app.engine.mounts import read_mounts
from desktop_app.engine.relocation import (
    exists_on_disk,
    find_file,
    find_replaced_files,
    find_same_file,
    map_file_moves,
    map_folder_move,
    match_moved_files,
    path_in_archive,
    relative_path,
    relink_searches,
)
from desktop_app.engine.requests import DeletedFile, ImportReport, ImportRequest, MovedFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from desktop_app.core.records import Document, WatchedFolder
    from desktop_app.engine.context import EngineContext

log = logging.getLogger(__name__)

_DOCUMENTS_PER_STEP = 500
_REMOVALS_PER_STEP = 200
_RELINKS_PER_STEP = 50
_FILE_CHECKS_PER_STEP = 100
_WATCH_INTERVAL_MS = 500
_MANY = 20  # deleted documents; more are removed only if a person agrees
_SOME = 3  # likewise if they are most of their watched folder


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
        self._listened: list[str] = []
        self._identities: list[tuple[int, int] | None] = []  # of the folders, when listening started
        self._empty_archives: dict[str, FileRef] = {}  # as they were when no document was found in them
        self._volumes: frozenset[str] = frozenset()  # of the folders, when listening started

    def watch_folder(self, folder: WatchedFolder) -> Job[list[WatchedFolder]]:
        """Watch a folder, or watch it with other patterns; returns all folders."""

        def change() -> list[WatchedFolder]:
            watching = self._context.open_library().watched_folders
            watching.watch(replace(folder, path=find_stored_path(folder.path)))
            self._empty_archives.clear()  # the patterns may be others
            return watching.folders()

        return self._context.engine.submit("watch folder", change, lane=Lane.FRONT)

    def relink(self, document_id: int, path: str) -> Job[None]:
        """Record that a document's file has moved; the next import reads it again.

        Raises (the job):
            NotFound: the document is not, or no longer, in the library.
            UsageError: the file is a document of its own already.
        """

        def steps() -> Steps[None]:
            library, new = self._context.open_library(), find_stored_path(path)
            old = library.documents.get(document_id).path
            # Without a time the next import checks the file, and finds whether it has changed.
            library.watched_folders.move(old, FileRef(new, os.stat(path).st_size, 0))
            yield ChangeSet(documents=frozenset({document_id}), listing=True)
            inside = library.documents.fetch(scope=Scope(paths=(old,)))  # the files in a message
            files = {
                each.path: replace(FileRef.of_document(each), path=new + each.path[len(old) :])
                for each in _show_files(inside, old)
            }
            if files:
                library.watched_folders.move_files(files)
                yield ChangeSet(documents=frozenset(each.document_id for each in inside), listing=True)
            yield from relink_searches(library, {old: new}.get, (old,))

        return self._context.engine.submit("relink", steps, lane=Lane.FRONT)

    def find_missing_files(self) -> Job[frozenset[int]]:
        """Return the ids of the documents whose files are not on disk now."""
        return self._context.engine.submit("missing files", self._missing, key="missing files")

    def relink_folder(self, old: str, new: str) -> Job[RelinkReport]:
        """Record that a folder has moved, with all its documents and watched folders, and update saved searches.

        Documents whose files are not in the new folder stay as they are. Files with another content than before are
        read again by the next import.
        """
        return self._context.engine.submit("relink folder", lambda: self._relink_folder(old, find_stored_path(new)))

    def sync_folders(self, *, confirmed: frozenset[int] = frozenset(), remove_many: bool = False) -> Job[ImportReport]:
        """Scan the watched folders, follow renamed and deleted files, and import new and changed ones.

        `folder_scan.py` says when a file counts as deleted. If many are, their documents stay until a person agrees
        (`ImportReport.unconfirmed`).

        Args:
            confirmed: ids of documents that a person agreed to remove if their files are still deleted.
            remove_many: whether to remove the documents of deleted files however many they are.
        """
        return self._context.engine.submit("sync folders", lambda: self._sync(confirmed, remove_many), chain="import")

    def keep_deleted(self, document_ids: Iterable[int]) -> Job[None]:
        """Keep documents whose files were deleted: they stay as missing until their files are seen again."""
        scope = Scope(document_ids=frozenset(document_ids))

        def keep() -> None:
            library = self._context.open_library()
            documents = library.documents.fetch(limit=max(len(scope.document_ids or ()), 1), scope=scope)
            library.watched_folders.set_volumes({path: "" for document in documents for path in document.paths})

        return self._context.engine.submit("keep documents", keep)

    # Events of the system

    def start_listening(self, folders: Iterable[WatchedFolder], changed: Callable[[], None]) -> None:
        """Call `changed` from another thread whenever something happens in one of the existing folders.

        It is called once when listening has started, because earlier changes were not reported.
        """
        if self._watchers:
            self._watchers[-1].stop()
        known = [folder.path for folder in folders]
        paths = [path for path in known if os.path.isdir(path)]
        self._listened, self._identities = known, list(map(_identify_folder, known))
        self._volumes = read_mounts().find_relevant(known) if known else frozenset()
        if paths:
            self._watchers.append(_FolderWatcher(paths, changed))

    def has_volume_changed(self) -> bool:
        """Return whether a folder is another one than at `start_listening`, or a drive was plugged in or taken out.

        The system reports neither, and what happens in a folder that was deleted and made again neither.
        """
        if not self._listened:
            return False
        if self._identities != list(map(_identify_folder, self._listened)):
            return True
        if self._watchers and any(map(os.path.isdir, self._watchers[-1].deleted)):  # its number may be used again
            return True
        return self._volumes != read_mounts().find_relevant(self._listened)

    def stop_listening(self) -> None:
        """Stop listening."""
        while self._watchers:
            self._watchers.pop().join()

    # On the engine's thread

    def _missing(self) -> Steps[frozenset[int]]:
        """Return the ids of documents without any file; a copy that is there takes the place of a missing main file.

        In a shared library files are in other places on other computers: those in folders that this one does not have
        are not missing, and the main file stays the one of who imported it.
        """
        library = self._context.open_library()
        missing: set[int] = set()
        for page in iter_document_pages(library, _FILE_CHECKS_PER_STEP):
            replaced: set[int] = set()
            for document in page:
                there = next(filter(exists_on_disk, document.paths), None)
                if there is None:
                    if not library.is_shared or any(os.path.isdir(os.path.dirname(path)) for path in document.paths):
                        missing.add(document.document_id)
                elif there != document.path and library.writable and not library.is_shared:
                    with suppress(NotFound):
                        library.copies.promote(there)
                        replaced.add(document.document_id)
            yield ChangeSet(documents=frozenset(replaced), listing=True) if replaced else None
        return frozenset(missing)

    def _relink_folder(self, old: str, new: str) -> Steps[RelinkReport]:
        library = self._context.open_library()
        scope = Scope(paths=(old,))
        documents: list[Document] = []
        for page in iter_document_pages(library, scope=scope):
            documents += _show_files(page, old)
            yield None
        if os.path.isdir(new) and any(document.path == old for document in documents):
            new = os.path.join(new, os.path.basename(old))  # a file that was moved into this folder
        moved = 0
        for start in range(0, len(documents), _RELINKS_PER_STEP):
            files = {}
            some = documents[start : start + _RELINKS_PER_STEP]
            for document in some:
                path = os.path.join(new, os.path.relpath(document.path, old)) if document.path != old else new
                if (file := (yield from find_same_file(document, path))) is not None:
                    files[document.path] = file
            moved += library.watched_folders.move_files(files)
            yield ChangeSet(documents=frozenset(each.document_id for each in some), listing=True)
        watched = library.watched_folders.folders()
        for folder in watched:
            if folder.path == old or folder.path.startswith(old.rstrip(os.sep) + os.sep):
                path = os.path.normpath(os.path.join(new, os.path.relpath(folder.path, old)))
                if os.path.isdir(path):
                    if all(path != each.path for each in watched):
                        library.watched_folders.watch(replace(folder, path=path))
                    library.watched_folders.unwatch(folder.path)
        yield from relink_searches(library, map_folder_move(old, new), [each.path for each in documents])
        return RelinkReport(moved, len(documents) - moved)

    def _sync(self, confirmed: frozenset[int], remove_many: bool) -> Steps[ImportReport]:
        library = self._context.open_library()
        requeue_unfinished(library)
        yield from self._follow_linked_folders()
        scan = FolderScan(read_mounts(), self._empty_archives)
        folders = tuple(library.watched_folders.folders())
        for folder in folders:
            yield from scan.add_folder(folder)
        scan.check_mounts(read_mounts())
        yield from scan.read_documents(library)
        deleted, moved = yield from self._follow_moves(scan)

        def may_remove(document_id: int) -> bool:
            return remove_many or document_id in confirmed

        wanted = {path: scan.files[path] for path in scan.find_changed_files()}
        wanted |= scan.find_queued_members(wanted)
        has_archives = any(path.lower().endswith(ARCHIVES.suffixes) for path in wanted)
        displaced = [each for each in deleted if path_in_archive(each.path)] if has_archives else []
        if displaced:
            deleted = [each for each in deleted if not path_in_archive(each.path)]
        report = ImportReport()
        removed, unconfirmed, copies = yield from self._remove_deleted(scan, deleted, may_remove)
        if wanted:
            listing = FileListing(tuple(wanted.values()))
            request = ImportRequest(tuple(wanted), listing=listing, displaced=tuple(displaced), folders=folders)
            report = yield from run_import(self._context, request)
            yield from self._note_empty_archives(scan, report)
            moves = {
                each.path: report.taken_over[each.path].path for each in displaced if each.path in report.taken_over
            }
            if moves:
                yield from relink_searches(library, map_file_moves(moves), moves)
            moved += [
                MovedFile(each.path, moves[each.path], each.document_id) for each in displaced if each.path in moves
            ]
        yield from self._save_stamps(scan)
        yield from self._save_volumes(scan, report)
        deleted = [each for each in displaced if each.path not in report.taken_over]
        deleted += scan.find_deleted_members(report.archives)
        members, unconfirmed_members, member_copies = yield from self._remove_deleted(scan, deleted, may_remove)
        report.moved = moved
        report.removed_copies = copies + member_copies
        report.removed = removed + members
        report.unconfirmed = unconfirmed + unconfirmed_members
        report.unreadable = scan.unreadable + scan.find_files_online()
        return report

    def _follow_linked_folders(self) -> Steps[None]:
        """Watch a folder where it lies now if there is a link in its old place."""
        for folder in self._context.open_library().watched_folders.folders():
            path = os.path.realpath(folder.path)
            if path != folder.path and os.path.isdir(path):
                yield from self._relink_folder(folder.path, path)

    def _follow_moves(self, scan: FolderScan) -> Steps[tuple[list[Document], list[MovedFile]]]:
        """Give the documents of moved files their new paths; returns those whose files were deleted, and the moves."""
        gone: dict[str, Document] = {}
        linked: set[str] = set()
        for count, document in enumerate(scan.documents.values(), start=1):
            state = scan.find_state(document)
            if state in ("deleted", "linked"):
                gone[document.path] = document
            if state == "linked":
                linked.add(document.path)
            if count % _FILE_CHECKS_PER_STEP == 0:
                yield None
        present = [
            each
            for path, each in scan.documents.items()
            if path in scan.files and path not in gone and not scan.is_online_only(path)
        ]
        for document in (yield from find_replaced_files(gone.values(), present)):
            self._move(scan, document, scan.files[document.path], has_other_content=True)
        moved: list[MovedFile] = []
        for document, file in (yield from match_moved_files(gone.values(), scan.find_new_files())):
            if self._move(scan, document, file):
                moved.append(MovedFile(document.path, file.path, document.document_id))
                del gone[document.path]
                yield ChangeSet(documents=frozenset({document.document_id}), listing=True)
        for document in [gone[path] for path in sorted(linked & gone.keys())]:
            path = os.path.realpath(document.path)
            target = None if path in scan.documents else scan.files.get(path) or find_file(document, path)
            if target is None:
                continue
            if self._move(
                scan, document, target, has_other_content=not target.has_time_of(FileRef.of_document(document))
            ):
                moved.append(MovedFile(document.path, path, document.document_id))
                del gone[document.path]
                yield ChangeSet(documents=frozenset({document.document_id}), listing=True)
        moved += yield from self._move_attached(scan, gone, moved)
        if renamed := {each.old_path: each.path for each in moved}:
            yield from relink_searches(self._context.open_library(), map_file_moves(renamed), renamed)
        # One of the files that cannot be read may be theirs: they stay until it is on this computer.
        lengths = scan.find_lengths_online()
        return [each for each in gone.values() if each.size_bytes not in lengths], moved

    def _move_attached(
        self, scan: FolderScan, gone: dict[str, Document], moved: Sequence[MovedFile]
    ) -> Steps[list[MovedFile]]:
        """Let the files in moved messages follow; they leave `gone`."""
        places = {each.old_path: each.path for each in moved}
        followed: list[MovedFile] = []
        for document in list(gone.values()) if places else ():
            mail = next((above for above in map(str, Path(document.path).parents) if above in places), None)
            if mail is None:
                continue
            path = places[mail] + document.path[len(mail) :]
            file = FileRef(path, document.size_bytes, document.mtime_ns, -scan.files[places[mail]].stamp)
            if self._move(scan, document, file):
                followed.append(MovedFile(document.path, path, document.document_id))
                del gone[document.path]
                yield ChangeSet(documents=frozenset({document.document_id}), listing=True)
        return followed

    def _move(self, scan: FolderScan, document: Document, file: FileRef, *, has_other_content: bool = False) -> bool:
        """Give a document a new path; returns False if another document has it.

        If the file has, or may have, another content than the library knows, the next import reads it.
        """
        library = self._context.open_library()
        stored = replace(file, mtime_ns=0) if has_other_content else file
        moved = replace(
            document,
            path=file.path,
            size_bytes=stored.size_bytes,
            mtime_ns=stored.mtime_ns,
            stamp=stored.stamp,
            volume="",
        )
        try:
            library.watched_folders.move(document.path, stored)
            if document.copies and _suffix(document.path) != _suffix(file.path):
                moved = library.copies.split(stored)  # it may be read in another way than the other files
            elif not document.copies and (document.state != "ready" or _suffix(document.path) != _suffix(file.path)):
                library.ingest.queue(document.document_id, stored)  # to be read, though the library knows its content
                moved = replace(moved, state="queued")
        except (NotFound, UsageError):
            return False
        scan.move_document(document, moved, file)
        return True

    def _remove_deleted(
        self, scan: FolderScan, deleted: Sequence[Document], may_remove: Callable[[int], bool]
    ) -> Steps[tuple[list[DeletedFile], list[DeletedFile], list[DeletedFile]]]:
        """Remove files that are still deleted, and documents with the last of their files.

        Args:
            scan: the scan that found them.
            deleted: the documents, as the deleted files show them.
            may_remove: returns whether a document, by its id, may be removed although they are many.

        Returns:
            the documents that were removed, those that a person has to confirm, and removed files of other documents.
        """
        paths = {each.path for each in deleted}
        last = {each.document_id: each for each in deleted if paths.issuperset(each.paths)}
        by_id = {each.document_id: each for each in deleted}
        many = {number for number in _find_many(scan, list(last.values())) if not may_remove(number)}
        documents = [each for each in deleted if each.document_id not in many]
        removed: list[DeletedFile] = []
        copies: list[DeletedFile] = []
        for start in range(0, len(documents), _REMOVALS_PER_STEP):
            mounts = read_mounts()  # a disk may have been taken out since the scan began
            some = [each for each in documents[start : start + _REMOVALS_PER_STEP] if is_still_deleted(each, mounts)]
            done = self._context.open_library().copies.remove([each.path for each in some])
            copies += [DeletedFile(copy.path, document_id) for document_id, copy in done.copies]
            removed += [_deleted_file(by_id[number]) for number in done.document_ids]
            yield ChangeSet(listing=True, sentences=True)
        gone = {each.document_id for each in removed}
        copies = [each for each in copies if each.document_id not in gone]
        return removed, [_deleted_file(each) for number, each in last.items() if number in many], copies

    def _note_empty_archives(self, scan: FolderScan, report: ImportReport) -> Steps[None]:
        """Remember archives in which no document was found: no row of the library says that they were read."""
        for path in report.archives if not report.stopped else ():
            inside = self._context.open_library().documents.fetch(limit=1, scope=Scope(paths=(path,)))
            if path in scan.files and not inside:
                self._empty_archives[path] = scan.files[path]
            yield None

    def _save_stamps(self, scan: FolderScan) -> Steps[None]:
        """Record the stamps of files that were read before the library knew stamps."""
        stamps = scan.find_new_stamps()
        paths = list(stamps)
        for start in range(0, len(paths), _DOCUMENTS_PER_STEP):
            some = paths[start : start + _DOCUMENTS_PER_STEP]
            self._context.open_library().watched_folders.set_stamps({path: stamps[path] for path in some})
            yield None

    def _save_volumes(self, scan: FolderScan, report: ImportReport) -> Steps[None]:
        """Record on which volumes the files of documents were seen."""
        volumes = {
            path: volume
            for path, document in scan.documents.items()
            if (volume := scan.find_volume(path)) != document.volume and scan.find_state(document) == "present"
        }
        read = [file.path for file in report.imported]
        read += [file.path for file in report.copies]
        read += [file.path for file in report.taken_over.values()]
        read += [file.path for file in report.failed if file.document_id is not None]
        volumes |= {path: scan.find_volume(path) for path in read}
        paths = list(volumes)
        for start in range(0, len(paths), _DOCUMENTS_PER_STEP):
            some = paths[start : start + _DOCUMENTS_PER_STEP]
            self._context.open_library().watched_folders.set_volumes({path: volumes[path] for path in some})
            yield None


def _show_files(documents: Iterable[Document], path: str) -> list[Document]:
    """Return documents as their files at and below a path show them: one with copies there several times."""
    return [
        document.seen_at(each)
        for document in documents
        for each in document.paths
        if relative_path(each, path) is not None
    ]


def _deleted_file(document: Document) -> DeletedFile:
    return DeletedFile(document.path, document.document_id)


def _find_many(scan: FolderScan, deleted: Sequence[Document]) -> frozenset[int]:
    """Return the ids of the deleted documents that are many at once, so that a person should agree.

    These are more than 20 in all, or more than half of the documents of a watched folder if that is at least three.
    """
    if len(deleted) > _MANY:
        return frozenset(document.document_id for document in deleted)
    folders = Counter(map(scan.find_watched_folder, scan.documents))
    losses = Counter(scan.find_watched_folder(document.path) for document in deleted)
    many = {folder for folder, loss in losses.items() if loss >= _SOME and loss * 2 > folders[folder]}
    return frozenset(each.document_id for each in deleted if scan.find_watched_folder(each.path) in many)


def _identify_folder(path: str) -> tuple[int, int] | None:
    """Return what tells a folder from another one at the same path; None if there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


class _FolderWatcher:
    """A thread that waits for changes in some folders.

    Attributes:
        deleted: those of the folders that were deleted meanwhile.
    """

    def __init__(self, paths: list[str], changed: Callable[[], None]) -> None:
        self.deleted: frozenset[str] = frozenset()
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
        from watchfiles import Change, watch

        try:
            is_report_due = True  # for changes before listening started
            for changes in watch(
                *self._paths,
                stop_event=self._stop,
                ignore_permission_denied=True,
                yield_on_timeout=True,
                rust_timeout=_WATCH_INTERVAL_MS,
            ):
                self.deleted |= {path for change, path in changes if change is Change.deleted and path in self._paths}
                if changes or is_report_due:
                    self._changed()
                is_report_due = False
        except (OSError, RuntimeError) as error:
            # More folders than the system can watch, or one was deleted: the scan at the next start finds the changes.
            log.warning("folders can no longer be watched: %s", error)
