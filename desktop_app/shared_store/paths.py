"""Paths of files that several machines reach, each by a folder of its own.

A root is a name for a folder that every machine may have elsewhere: "archive" is /mnt/archive here and Z: there. A
file below the folder of a root is stored by root and relative path, any other by its absolute path.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desktop_app.core.stored_rows import copy_from_row
from desktop_app.core.stored_text import decode_path, encode_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop_app.core.records import FileCopy
    from desktop_app.core.stored_rows import AnyRow

_MARK = b"root:"


class PathCodec:
    """Translates paths of this machine into stored ones and back.

    Args:
        roots: folders of this machine by the names of roots.
        has_copies: whether the library knows copies of files; one that is not upgraded does not.
    """

    def __init__(self, roots: Mapping[str, str] | None = None, *, has_copies: bool = True) -> None:
        self.has_copies = has_copies
        self._roots = {name: os.path.normpath(folder) for name, folder in (roots or {}).items()}

    def encode(self, path: str) -> bytes:
        """Return the stored form of a path."""
        for name, folder in self._roots.items():
            below = folder if folder.endswith(os.sep) else folder + os.sep
            if path == folder:
                return _MARK + encode_path(name)
            if path.startswith(below):
                return _MARK + encode_path(f"{name}/{path[len(below) :].replace(os.sep, '/')}")
        for name in self._roots:
            if path == _shown_root(name) or path.startswith(_shown_root(name) + "/"):
                return _MARK + encode_path(name + path[len(_shown_root(name)) :])
        return encode_path(path)

    def decode(self, stored: bytes) -> str:
        """Return the path of a stored form; where this machine has no folder for its root, one that names the root."""
        stored = bytes(stored)
        if not stored.startswith(_MARK):
            return decode_path(stored)
        name, _, rest = decode_path(stored[len(_MARK) :]).partition("/")
        folder = self._roots.get(name)
        if folder is None:
            return f"{_shown_root(name)}/{rest}" if rest else _shown_root(name)
        return os.path.join(folder, *rest.split("/")) if rest else folder

    def decode_copy(self, row: AnyRow) -> FileCopy:
        """Return a copy of a document's file from its row."""
        return copy_from_row(row._replace(path=self.decode(row.path), volume=self.decode(row.volume)))

    def encode_below(self, path: str) -> list[tuple[bytes, bytes, bytes]]:
        """Return (the path itself, the first and the end of everything below it) as stored, for every form it may have.

        A folder above that of a root contains the root's files too.
        """
        path = os.path.normpath(path)
        forms = [self.encode(path)]
        below = path if path.endswith(os.sep) else path + os.sep
        forms += [_MARK + encode_path(name) for name, folder in self._roots.items() if folder.startswith(below)]
        found = []
        for form in forms:
            separator = b"/" if form.startswith(_MARK) else os.sep.encode()
            first = form if form.endswith(separator) else form + separator
            found.append((form, first, first[:-1] + bytes([separator[0] + 1])))
        return found


def _shown_root(name: str) -> str:
    return f"{name}:"
