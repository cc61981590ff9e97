"""A scan of the watched folders: their files as they are now, the documents as they were, and the result for each.

This is the one place that decides whether a document's file was deleted. Each row applies if those above do not:

======== ======================================================== ===================================================
state    what the scan saw at the document's path                 what the synchronization does
======== ======================================================== ===================================================
present  its file, or the archive that contains it; also a file   reads it again if its length or time changed
         that patterns leave out, or in a hidden folder
missing  an error; or the nearest folder above that exists was    nothing: the document stays for as long as it takes,
         not listed completely, or lies on another volume than    and is present again when its file is seen there
         the file when a scan last saw it; or no scan ever saw
         the file; or a link into a folder that was not listed
linked   a link to a file, or one in place of a folder above it   the document follows to that file; if that is a
                                                                  document of its own: as for deleted
deleted  nothing, a folder, or a link that leads to either; also  looks for the content among the new files: the
         nothing in an archive that was read again                document moves there, otherwise it is removed; many
                                                                  at once only if a person agrees
======== ======================================================== ===================================================

So nothing is removed because a folder cannot be seen. A folder is seen if it was listed to its end without an error. A
volume is a file system at a mount point (`mounts.py`): an empty mount point, another disk at the same place and a disk
that covers the folder all differ from the volume that held the file.
"""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from desktop_app.core.jobs import Progress, Steps
from desktop_app.core.reader_events import FileRef
from desktop_app.core.scope import Scope
from desktop_app.core.watch_patterns import decide_file
from desktop_app.engine.document_pages import iter_document_pages
from desktop_app.engine.file_walk import FoundFile, IgnoredFile, UnreadablePath, walk_files
from desktop_app.engine.relocation import exists_on_disk

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from desktop_app.core.library import Library
    from desktop_app.core.records import Document, WatchedFolder
    from desktop_app.engine.mounts import MountTable

FileState = Literal["present", "missing", "linked", "deleted"]

_DOCUMENTS_PER_STEP = 500
_PATHS_PER_QUERY = 100


class FolderScan:
    """What a scan of the watched folders saw.

    Args:
        mounts: the mounted file systems.
        empty_archives: archives by path, as they were when no document was found in them: they are read again when
            they have changed.

    Attributes:
        files: the files to import, by path; outside of the folders where a link leads there.
        documents: the documents in the folders and of `files`, by path; one with copies by each of its paths, as the
            file there shows it.
        unreadable: paths that could not be seen.
    """

    def __init__(self, mounts: MountTable, empty_archives: Mapping[str, FileRef] = MappingProxyType({})) -> None:
        self._empty_archives = empty_archives
        self._mounts = self._mounts_afterwards = mounts
        self.files: dict[str, FileRef] = {}
        self.documents: dict[str, Document] = {}
        self.unreadable: list[UnreadablePath] = []
        self._folders: list[str] = []
        self._other_files: set[str] = set()  # seen, but not to be imported
        self._online_only: set[str] = set()  # of `files`: not to be read
        self._volumes: dict[str, str] = {}  # of the folders that were listed completely

    def add_folder(self, folder: WatchedFolder) -> Steps[None]:
        """List a watched folder."""
        self._folders.append(folder.path)
        for item in walk_files([folder.path], lambda path: decide_file(folder, path).is_taken):
            if isinstance(item, FoundFile):
                self.files[item.file.path] = item.file
                if item.is_online_only:
                    self._online_only.add(item.file.path)
            elif isinstance(item, IgnoredFile):
                # Outside is where a link to a folder leads.
                is_inside = _is_inside(item.path, folder.path)
                if is_inside and not item.is_folder and not os.path.basename(item.path).startswith("."):
                    self._other_files.add(item.path)
            elif isinstance(item, UnreadablePath):
                self.unreadable.append(item)
            else:
                self._volumes[item.path] = self._mounts.find_volume(item.path)
                yield Progress("looking", len(self.files), None, "documents")

    def check_mounts(self, mounts: MountTable) -> None:
        """Forget the volumes of folders on which something was mounted or unmounted since the scan began.

        Args:
            mounts: the mounted file systems now that all folders are listed.
        """
        self._mounts_afterwards = mounts
        for folder, volume in self._volumes.items():
            if mounts.find_volume(folder) != volume:
                self._volumes[folder] = ""

    def read_documents(self, library: Library) -> Steps[None]:
        """Read the documents of the folders that were added."""
        yield from self._read_documents(library, self._folders)
        # A link may lead to a file outside.
        outside = [path for path in self.files if path not in self.documents]
        outside = [path for path in outside if not any(_is_inside(path, folder) for folder in self._folders)]
        for start in range(0, len(outside), _PATHS_PER_QUERY):
            yield from self._read_documents(library, outside[start : start + _PATHS_PER_QUERY])

    def _read_documents(self, library: Library, paths: Iterable[str]) -> Steps[None]:
        scope = Scope(paths=tuple(paths))
        for page in iter_document_pages(library, _DOCUMENTS_PER_STEP, scope=scope) if scope.paths else ():
            self.documents |= {
                path: document.seen_at(path)
                for document in page
                for path in document.paths
                if any(_is_inside(path, above) for above in scope.paths)
            }
            yield None

    def move_document(self, document: Document, moved: Document, file: FileRef) -> None:
        """Note that a document has a new path, and its file there."""
        del self.documents[document.path]
        self.documents[moved.path] = moved
        self.files[moved.path] = file

    def find_new_files(self) -> list[FileRef]:
        """Return the files that are no documents, and contain none."""
        return [file for file in self._list_new_files() if file.path not in self._online_only]

    def _list_new_files(self) -> list[FileRef]:
        archives = {self._find_archive(path) for path in self.documents}
        return [file for path, file in self.files.items() if path not in self.documents and path not in archives]

    def is_online_only(self, path: str) -> bool:
        """Return whether the content of a file is not on this computer."""
        return path in self._online_only

    def find_lengths_online(self) -> frozenset[int]:
        """Return the lengths of the new files that cannot be read: documents whose files moved may be among them."""
        files = self._list_new_files() if self._online_only else ()
        return frozenset(file.size_bytes for file in files if file.path in self._online_only)

    def find_files_online(self) -> list[UnreadablePath]:
        """Return the new and changed files whose content is not on this computer."""
        changed = self._find_all_changed_files() if self._online_only else ()
        return [UnreadablePath.online_only(path) for path in changed if path in self._online_only]

    def find_state(self, document: Document) -> FileState:
        """Return the state of a document's file; see the table at the top of this file."""
        path = document.path
        if self._has_file(path) or self._find_archive(path):
            return "present"
        real = os.path.realpath(path)
        volume = self._find_volume_above(path if real == path else _find_link(path))
        if not document.volume or volume != document.volume:
            return "present" if volume is None and real == path and os.path.lexists(path) else "missing"
        if real == path:
            return "missing" if any(path == each.path for each in self.unreadable) else "deleted"
        if os.path.isdir(real):
            return "deleted"
        if exists_on_disk(real):
            return "linked"
        return "deleted" if self._find_volume_above(real) == document.volume else "missing"

    def _find_volume_above(self, path: str) -> str | None:
        """Return the volume of the nearest folder above that exists; None if it was not listed."""
        above = os.path.dirname(path)
        while above not in self._volumes and (self._has_file(above) or not os.path.lexists(above)):
            if above == os.path.dirname(above):
                return None
            above = os.path.dirname(above)
        return self._volumes.get(above)

    def find_deleted_members(self, archives: Mapping[str, frozenset[str]]) -> list[Document]:
        """Return the documents of members that archives no longer have.

        Args:
            archives: the members of archives that were read since the scan, by the paths of the archives.
        """
        deleted = []
        for path, document in self.documents.items() if archives else ():
            inside, above = {path}, os.path.dirname(path)  # `inside`: the member, and archives in the archive around it
            while above != os.path.dirname(above):
                if above in archives and not inside & archives[above]:
                    deleted.append(document)
                    break
                inside.add(above)
                above = os.path.dirname(above)
        return [each for each in deleted if each.volume and each.volume == self.find_volume(each.path)]

    def find_volume(self, path: str) -> str:
        """Return the volume of a file that was seen, or of its archive; empty if it is unknown."""
        folder = os.path.dirname(self._find_archive(path) or path)
        if (volume := self._volumes.get(folder)) is not None:
            return volume
        volume = self._mounts.find_volume(folder)  # a link leads there
        return volume if volume == self._mounts_afterwards.find_volume(folder) else ""

    def find_watched_folder(self, path: str) -> str:
        """Return the innermost watched folder of a path; empty if there is none."""
        return max((folder for folder in self._folders if _is_inside(path, folder)), key=len, default="")

    def _has_file(self, path: str) -> bool:
        return path in self.files or (path in self._other_files and not os.path.islink(path))

    def _find_archive(self, path: str) -> str:
        """Return the archive that a path leads into; empty if there is none."""
        above = os.path.dirname(path)
        while above not in self._volumes and above != os.path.dirname(above):
            if self._has_file(above):
                document = self.documents.get(above)  # an archive is none, unless it could not be read; mail is one
                return above if document is None or document.state != "ready" or document.type == "email" else ""
            above = os.path.dirname(above)
        return ""

    def find_changed_files(self) -> Iterable[str]:
        """Yield the files to read: new and changed ones, and archives that changed after their members were read."""
        return (path for path in self._find_all_changed_files() if path not in self._online_only)

    def _find_all_changed_files(self) -> Iterable[str]:
        newest: dict[str, float] = {}
        stamps: dict[str, set[int]] = {}
        for path, known in self.documents.items():
            if archive := self._find_archive(path):
                newest[archive] = max(newest.get(archive, 0.0), known.added_at)
                stamps.setdefault(archive, set()).add(known.stamp)
        for path, file in self.files.items():
            document = self.documents.get(path)
            if document is not None and document.state == "queued":
                yield path
            elif path in newest and (document is None or document.type != "email"):
                is_known = stamps[path] == {-file.stamp}
                if not is_known and (any(stamps[path]) or file.mtime_ns / 1e9 > newest[path]):
                    yield path
            elif document is None:
                if self._empty_archives.get(path) != file:
                    yield path
            elif not file.is_same_as(FileRef.of_document(document)):
                yield path

    def find_queued_members(self, changed: Collection[str]) -> dict[str, FileRef]:
        """Return the files in archives and messages that an import has left unread, unless these have `changed`."""
        queued = [each for each in self.documents.values() if each.state == "queued"]
        archives = {each.path: self._find_archive(each.path) for each in queued}
        return {
            each.path: FileRef.of_document(each)
            for each in queued
            if archives[each.path] and archives[each.path] not in changed
        }

    def find_new_stamps(self) -> dict[str, int]:
        """Return the stamps of unchanged files whose stamps the library does not know, by path."""
        changed = set(self._find_all_changed_files())
        stamps: dict[str, int] = {}
        for path, document in self.documents.items():
            archive = self._find_archive(path)
            file = self.files.get(archive or path)
            if file is not None and not document.stamp and file.path not in changed:
                stamps[path] = -file.stamp if archive else file.stamp
        return stamps


def _find_link(path: str) -> str:
    """Return the first part of a path that is a link."""
    while os.path.realpath(above := os.path.dirname(path)) != above:
        path = above
    return path


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def is_still_deleted(document: Document, mounts: MountTable) -> bool:
    """Return whether a deleted file does not exist now either, and its volume is still mounted."""
    path = document.path
    if os.path.lexists(path) and os.path.realpath(path) == path and not os.path.isdir(path):
        return False
    above = os.path.dirname(path)
    while not os.path.isdir(above) or os.path.realpath(above) != above:
        if above == os.path.dirname(above):
            return False
        above = os.path.dirname(above)
    return mounts.find_volume(above) == document.volume
