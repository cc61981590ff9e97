"""Finds the documents of a library that moved together with it.

Paths are absolute, because most documents lie nowhere near their library. Those in the library's folder and its parent
are nevertheless found relative to it: a person who moves the parent folder need not say so.
"""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.core.jobs import ChangeSet, Steps
from desktop_app.engine.moved_paths import exists_on_disk, find_moved_file, relink_searches

if TYPE_CHECKING:
    from desktop_app.core.library import Library

log = logging.getLogger(__name__)

_DOCUMENTS_PER_STEP = 100


def relocate_library(library: Library) -> Steps[int]:
    """Give documents and folders that moved with the library their new paths; returns how many documents.

    Watched folders and the folders in saved searches follow if they exist at the new place. A document follows if a
    file of the same length, or its archive, lies at the same place relative to the library; all others stay as they
    are. If interrupted, it starts again the next time.
    """
    if not library.writable:
        return 0
    here, before = os.path.realpath(library.info().folder), library.watched_folders.home()
    if before == here:
        return 0
    moved = 0
    after = 0
    while before and (page := library.documents.fetch(after_id=after, limit=_DOCUMENTS_PER_STEP)):
        after = page[-1].document_id
        files = {}
        for document in page:
            path = find_new_path(document.path, before, here)
            file = find_moved_file(document, path) if path is not None else None
            if file is not None and file.size_bytes == document.size_bytes:
                # If the time differs too, the next import checks the file, and usually finds it unchanged.
                same = file.mtime_ns == document.mtime_ns
                files[document.document_id] = file if same else replace(file, mtime_ns=0)
        moved += library.watched_folders.move_documents(files) if files else 0
        yield ChangeSet(documents=frozenset(files), listing=bool(files)) if files else None
    for folder in library.watched_folders.folders() if before else ():
        path = find_new_path(folder.path, before, here)
        if path is not None and os.path.isdir(path):
            library.watched_folders.watch(replace(folder, path=path))
            library.watched_folders.unwatch(folder.path)
    if before:

        def moved_along(path: str) -> str | None:
            found = find_new_path(path, before, here)
            return found if found is not None and exists_on_disk(found) else None

        yield from relink_searches(library, moved_along)
    library.watched_folders.set_home(here)
    if before:
        log.info("the library lies in another folder than before; documents that moved with it: %d", moved)
    return moved


def find_new_path(path: str, before: str, here: str) -> str | None:
    """Return where a path lies now that a library moved from the folder `before` to `here`; None if that is unknown.

    Files in the library's folder or its parent are assumed to have moved along. The paths may be those of another
    system.
    """
    separator = "\\" if "\\" in before and "/" not in before else "/"
    for old, new in ((before, here), (_parent_folder(before, separator), os.path.dirname(here))):
        old = old.rstrip(separator)
        if old and path.startswith(old + separator):
            found = os.path.join(new, *path[len(old) + 1 :].split(separator))
            return found if found != path else None
    return None


def _parent_folder(folder: str, separator: str) -> str:
    return folder.rstrip(separator).rpartition(separator)[0]
