"""Finds the new paths of files and folders that moved, also in saved searches."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.jobs import ChangeSet, Steps
from desktop_app.core.query import relocate_query_paths
from desktop_app.core.reader_events import FileRef
from desktop_app.core.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from desktop_app.core.library import Library
    from desktop_app.core.records import Document
    from desktop_app.core.scope import ScopePart

    Moved = Callable[[str], str | None]


def exists_on_disk(path: str) -> bool:
    """Return whether a file, folder or archive (for a path inside it) exists."""
    return os.path.lexists(path) or any(above.is_file() for above in Path(path).parents)


def find_moved_file(document: Document, path: str) -> FileRef | None:
    """Return a document's file at its new path; None if neither it nor its archive exists there."""
    try:
        status = os.stat(path)
    except OSError:
        return FileRef(path, document.size_bytes, document.mtime_ns) if exists_on_disk(path) else None
    # A copy on another machine usually keeps length and time; with another length, the content differs too.
    is_same = status.st_size == document.size_bytes
    return FileRef(path, status.st_size, status.st_mtime_ns if is_same else 0)


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

    A folder has moved if it no longer exists and all of the moved files that it held are in one other folder, in the
    same order.
    """

    def moved(path: str) -> str | None:
        if path in files or not os.path.isabs(path) or os.path.lexists(path):
            return files.get(path)
        folders: set[str] = set()
        for old, new in files.items():
            if inside := relative_path(old, path):
                folders.add(new.removesuffix(os.sep + inside) if new.endswith(os.sep + inside) else "")
        return folders.pop() or None if len(folders) == 1 else None

    return moved


def find_renamed_place(name: str, moved: Moved, olds: Collection[str]) -> str | None:
    """Return the new name of a folder or file that is referred to by name (`papers`, `My Papers/2024`).

    Args:
        name: one or more consecutive parts of a path.
        moved: returns the new path of a path.
        olds: paths of documents before they moved.

    Returns:
        as many parts of the new path; None if these paths do not tell, or disagree.
    """
    named = name.casefold()
    wanted = named.split(os.sep)
    found: set[str] = set()
    for old in (each for each in olds if named in each.casefold()):
        parts = old.split(os.sep)
        small = old.casefold().split(os.sep)
        for at in range(len(small) - len(wanted) + 1):
            if small[at : at + len(wanted)] == wanted:
                new = moved(os.sep.join(parts[: at + len(wanted)]))
                found.add(os.sep.join(new.split(os.sep)[-len(wanted) :]) if new is not None else "")
    return found.pop() or None if len(found) == 1 else None


def relink_searches(library: Library, moved: Moved, olds: Collection[str] = ()) -> Steps[None]:
    """Update the folders and files that saved searches are limited to.

    A name stands for any path that has it, as long as one exists: only names that no document has any more are updated.

    Args:
        library: contains the searches.
        moved: returns the new path of a path; None if it did not move.
        olds: paths of documents before they moved.
    """

    def place(path: str) -> str | None:
        if os.path.isabs(path):
            return moved(path)
        is_there = not olds or library.documents.fetch(limit=1, scope=Scope(folders=(path,)))
        return None if is_there else find_renamed_place(path, moved, olds)

    for search in library.user_data.saved_searches():
        parts = tuple(_relink_part(part, moved) for part in search.parts)
        again = replace(search, text=relocate_query_paths(search.text, place), parts=parts)
        if again != search:
            library.user_data.save_search(again)
            yield ChangeSet(searches=True)


def _relink_part(part: ScopePart, moved: Moved) -> ScopePart:
    path = moved(part.key) if part.kind in ("folder", "document") else None
    if path is None:
        return part
    is_named_so = part.name == os.path.basename(part.key)
    return replace(part, key=path, name=os.path.basename(path) if is_named_so else part.name)
