"""Finds documents that moved, with their library or with their folder, and updates saved searches.

Paths are absolute, because most documents are not stored near their library. Documents in the library's folder or its
parent are also found relative to the library, so that they are found again when the parent folder is moved.
"""

from __future__ import annotations

import hashlib
import logging
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.formats import ARCHIVES
from desktop_app.core.jobs import ChangeSet, Steps
from desktop_app.core.query import relocate_query_paths
from desktop_app.core.reader_events import FileRef
from desktop_app.core.scope import Scope
from desktop_app.engine.document_pages import iter_document_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterable, Mapping

    from desktop_app.core.library import Library
    from desktop_app.core.records import Document
    from desktop_app.core.scope import ScopePart

    Moved = Callable[[str], str | None]

log = logging.getLogger(__name__)

_DOCUMENTS_PER_STEP = 100
_BYTES_PER_STEP = 1_000_000  # of a file whose content is compared: about 2 ms


def exists_on_disk(path: str) -> bool:
    """Return whether a file, folder or archive (for a path inside it) exists."""
    return os.path.lexists(path) or any(above.is_file() for above in Path(path).parents)


def find_file(document: Document, path: str) -> FileRef | None:
    """Return a document's file at another path; None if neither it nor its archive exists there."""
    try:
        status = os.stat(path)
    except OSError:
        return replace(FileRef.of_document(document), path=path) if exists_on_disk(path) else None
    return FileRef.on_disk(path, status)


def find_moved_file(document: Document, path: str) -> FileRef | None:
    """Return a document's file at its new path, with the time 0 unless length and time are those of the old file.

    Without a time the next import reads the file to see whether it has changed. None if neither the file nor its
    archive exists there.
    """
    file = find_file(document, path)
    if file is None or file.has_time_of(FileRef.of_document(document)):
        return file
    return replace(file, mtime_ns=0)


def find_same_file(document: Document, path: str) -> Generator[None, None, FileRef | None]:
    """Do what `find_moved_file` does, and keep the time of a file with another time than before but the same content.

    Its content is read for that.
    """
    file = find_moved_file(document, path)
    if file is not None and not file.mtime_ns and file.size_bytes == document.size_bytes:
        content_hash = yield from _hash_file(path)
        if content_hash and content_hash == document.content_hash:
            return replace(file, mtime_ns=os.stat(path).st_mtime_ns)
    return file


def match_moved_files(
    documents: Iterable[Document], files: Iterable[FileRef]
) -> Generator[None, None, list[tuple[Document, FileRef]]]:
    """Return the new files that have the content of documents whose files were deleted: they were renamed or moved.

    Contents are compared by their SHA-256; only files with the length of one of the documents are read. Of several
    equal files, a document gets the one that its old path links to, else one with the same name.
    """
    by_size: dict[int, list[FileRef]] = {}
    for file in sorted(files, key=lambda file: file.path):
        by_size.setdefault(file.size_bytes, []).append(file)
    by_hash: dict[str, list[FileRef]] = {}
    waiting = [each for each in documents if each.content_hash is not None and each.size_bytes in by_size]
    waiting.sort(key=lambda document: document.path)
    for size in {document.size_bytes for document in waiting}:
        for file in by_size[size]:
            if content_hash := (yield from _hash_file(file.path)):
                by_hash.setdefault(content_hash, []).append(file)
    matches: list[tuple[Document, FileRef]] = []
    for is_match in (_is_link_target, _has_same_name, lambda _document, _file: True):
        for document in list(waiting):
            equal = by_hash.get(document.content_hash or "", [])
            if (found := next((file for file in equal if is_match(document, file)), None)) is not None:
                equal.remove(found)
                waiting.remove(document)
                matches.append((document, found))
        yield None
    return matches


def find_replaced_files(gone: Iterable[Document], present: Iterable[Document]) -> Generator[None, None, list[Document]]:
    """Return the documents whose files were replaced by another one with the same length and time.

    That happens when a file is renamed over another; only files that share length and time with a document in `gone`
    are read.

    Args:
        gone: documents whose files are no longer there.
        present: documents whose files have the same length and time as before.
    """
    stamps = {(document.size_bytes, document.mtime_ns) for document in gone}
    replaced = []
    for document in present if stamps else ():
        if (document.size_bytes, document.mtime_ns) in stamps and document.content_hash is not None:
            content_hash = yield from _hash_file(document.path)
            if content_hash and content_hash != document.content_hash:
                replaced.append(document)
    return replaced


def path_in_archive(path: str) -> str:
    """Return the rest of a path after its first part with the suffix of an archive; empty if there is none."""
    parts = path.split(os.sep)
    archive = next((at for at, part in enumerate(parts) if part.lower().endswith(ARCHIVES.suffixes)), len(parts))
    return os.sep.join(parts[archive + 1 :])


def describe_member(file: FileRef) -> tuple[str, int, int]:
    """Return what tells a file in an archive, whatever the name of the archive: its path in it, length and checksum."""
    return path_in_archive(file.path), file.size_bytes, file.mtime_ns % 1_000_000_000


def _is_link_target(document: Document, file: FileRef) -> bool:
    return os.path.realpath(document.path) == file.path


def _has_same_name(document: Document, file: FileRef) -> bool:
    return os.path.basename(document.path) == os.path.basename(file.path)


def _hash_file(path: str) -> Generator[None, None, str]:
    """Return the SHA-256 of a file, hexadecimal; empty if it cannot be read."""
    digest = hashlib.sha256()
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return ""
        with open(path, "rb") as file:
            while data := file.read(_BYTES_PER_STEP):
                digest.update(data)
                yield None
    except OSError:
        return ""
    return digest.hexdigest()


def relative_path(path: str, folder: str) -> str | None:
    """Return the relative path from a folder to a path inside it, empty for the folder itself; None for others."""
    folder = folder.rstrip(os.sep)
    if path == folder:
        return ""
    return path[len(folder) + 1 :] if path.startswith(folder + os.sep) else None


def map_folder_move(old: str, new: str) -> Moved:
    """Return a function that maps paths in a moved folder to their new paths."""

    def moved(path: str) -> str | None:
        inside = relative_path(path, old)
        if inside is None:
            return None
        found = os.path.join(new, inside) if inside else new
        return found if exists_on_disk(found) else None

    return moved


def map_file_moves(files: Mapping[str, str]) -> Moved:
    """Return a function that maps old paths to new ones, from files that moved (new paths by old ones).

    A folder has moved if it no longer exists (a link to its new place may) and all of the moved files that it held are
    in one other folder, in the same order.
    """

    def moved(path: str) -> str | None:
        if path in files or not os.path.isabs(path) or (os.path.lexists(path) and not os.path.islink(path)):
            return files.get(path)
        folders: set[str] = set()
        for old, new in files.items():
            if inside := relative_path(old, path):
                folders.add(new.removesuffix(os.sep + inside) if new.endswith(os.sep + inside) else "")
        return folders.pop() or None if len(folders) == 1 else None

    return moved


def find_renamed_place(name: str, moved: Moved, old_paths: Collection[str]) -> str | None:
    """Return the new name of a folder or file that is referred to by name (`papers`, `My Papers/2024`).

    Args:
        name: one or more consecutive parts of a path.
        moved: returns the new path of a path.
        old_paths: paths of documents before they moved.

    Returns:
        as many parts of the new path; None if these paths do not tell, or disagree.
    """
    named = name.casefold()
    wanted = named.split(os.sep)
    found: set[str] = set()
    for old in (each for each in old_paths if named in each.casefold()):
        parts = old.split(os.sep)
        lowered = old.casefold().split(os.sep)
        for at in range(len(lowered) - len(wanted) + 1):
            if lowered[at : at + len(wanted)] == wanted:
                new = moved(os.sep.join(parts[: at + len(wanted)]))
                found.add(os.sep.join(new.split(os.sep)[-len(wanted) :]) if new is not None else "")
    return found.pop() or None if len(found) == 1 else None


def relink_searches(library: Library, moved: Moved, old_paths: Collection[str] = ()) -> Steps[None]:
    """Update the folders and files that saved searches are limited to.

    A name stands for any path that has it, as long as one exists: only names that no document has any more are updated.

    Args:
        library: contains the searches.
        moved: returns the new path of a path; None if it did not move.
        old_paths: paths of documents before they moved.
    """

    def place(path: str) -> str | None:
        if os.path.isabs(path):
            return moved(path)
        is_there = not old_paths or library.documents.fetch(limit=1, scope=Scope(folders=(path,)))
        return None if is_there else find_renamed_place(path, moved, old_paths)

    for search in library.user_data.saved_searches():
        parts = tuple(_relink_part(part, moved) for part in search.parts)
        updated = replace(search, text=relocate_query_paths(search.text, place), parts=parts)
        if updated != search:
            library.user_data.save_search(updated)
            yield ChangeSet(searches=True)


def _relink_part(part: ScopePart, moved: Moved) -> ScopePart:
    path = moved(part.key) if part.kind in ("folder", "document") else None
    if path is None:
        return part
    is_named_so = part.name == os.path.basename(part.key)
    return replace(part, key=path, name=os.path.basename(path) if is_named_so else part.name)


def relocate_library(library: Library) -> Steps[int]:
    """Give documents and folders that moved with the library their new paths; returns how many documents.

    Watched folders and the folders in saved searches follow if they exist at the new place. A document follows if a
    file of the same length, or its archive, lies at the same place relative to the library; all others stay as they
    are. If interrupted, it starts again the next time.
    """
    if not library.writable or library.is_shared:
        return 0
    new_folder, old_folder = os.path.realpath(library.info().folder), library.watched_folders.home()
    if old_folder == new_folder:
        return 0
    moved = 0
    for page in iter_document_pages(library, _DOCUMENTS_PER_STEP) if old_folder else ():
        files = {}
        for document in (each.seen_at(path) for each in page for path in each.paths):
            path = find_new_path(document.path, old_folder, new_folder)
            file = find_moved_file(document, path) if path is not None else None
            if file is not None and file.size_bytes == document.size_bytes:
                files[document.path] = file
        moved += library.watched_folders.move_files(files) if files else 0
        yield ChangeSet(listing=True) if files else None
    for folder in library.watched_folders.folders() if old_folder else ():
        path = find_new_path(folder.path, old_folder, new_folder)
        if path is not None and os.path.isdir(path):
            library.watched_folders.watch(replace(folder, path=path))
            library.watched_folders.unwatch(folder.path)
    if old_folder:

        def moved_along(path: str) -> str | None:
            found = find_new_path(path, old_folder, new_folder)
            return found if found is not None and exists_on_disk(found) else None

        yield from relink_searches(library, moved_along)
    library.watched_folders.set_home(new_folder)
    if old_folder:
        log.info("the library is in another folder than before; documents that moved with it: %d", moved)
    return moved


def find_new_path(path: str, old_folder: str, new_folder: str) -> str | None:
    """Return where a path lies now that its library moved from `old_folder` to `new_folder`; None if that is unknown.

    Files in the library's folder or its parent are assumed to have moved along. The paths may be those of another
    system.
    """
    separator = "\\" if "\\" in old_folder and "/" not in old_folder else "/"
    for old, new in ((old_folder, new_folder), (_parent_folder(old_folder, separator), os.path.dirname(new_folder))):
        old = old.rstrip(separator)
        if old and path.startswith(old + separator):
            found = os.path.join(new, *path[len(old) + 1 :].split(separator))
            return found if found != path else None
    return None


def _parent_folder(folder: str, separator: str) -> str:
    return folder.rstrip(separator).rpartition(separator)[0]
