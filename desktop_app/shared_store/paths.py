"""Paths of files that several machines reach, each by a folder of its own.

A root is a name for a folder that every machine may have elsewhere: "archive" is /mnt/archive here and Z: there. A
file below the folder of a root is stored by root and relative path, any other by its absolute path.

The stamp of a file and its file system (`Document.volume`) are those of the machine that sees it: on another one, the
same file has another stamp, and another file system may have the same name. So the column `volume` holds both for each
machine. The column `stamp` is only for earlier versions of the program.
"""

from __future__ import annotations

import json
import os
import platform
from typing import TYPE_CHECKING

from desktop_app.core.shared_address import find_unmapped_root
from desktop_app.core.stored_rows import copy_from_row
from desktop_app.core.stored_text import decode_path, encode_path
from desktop_app.shared_store.stored_values import clean_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from desktop_app.core.records import FileCopy
    from desktop_app.core.stored_rows import AnyRow

_MARK = b"root:"
_SEEN = b"\0"
"""Begins what machines have seen of a file; earlier versions of the program stored the file system alone."""


class PathCodec:
    """Translates paths of this machine into stored ones and back.

    Args:
        roots: folders of this machine by the names of roots.
        has_copies: whether the library knows copies of files; one that is not upgraded does not.
        rules: of paths: `posixpath` or `ntpath`, which compares without case.
        machine: name of this machine; empty: the system's.
    """

    def __init__(
        self,
        roots: Mapping[str, str] | None = None,
        rules: ModuleType = os.path,
        *,
        has_copies: bool = True,
        machine: str = "",
    ) -> None:
        self.has_copies = has_copies
        self.machine = clean_text(machine or platform.node())
        self._rules = rules
        self._separator: str = rules.sep
        self._roots: dict[str, str] = {name: rules.normpath(folder) for name, folder in (roots or {}).items()}

    def encode(self, path: str) -> bytes:
        """Return the stored form of a path."""
        for name, folder in self._roots.items():
            if self._is_same(path, folder):
                return _MARK + encode_path(name)
            below = self._below(folder)
            if self._is_same(path[: len(below)], below):
                return _MARK + encode_path(f"{name}/{path[len(below) :].replace(self._separator, '/')}")
        if root := find_unmapped_root(path):
            return _MARK + encode_path(root + path[len(root) + 1 :])
        return encode_path(path)

    def decode(self, stored: bytes) -> str:
        """Return the path of a stored form; where this machine has no folder for its root, one that names the root."""
        stored = bytes(stored)
        if not stored.startswith(_MARK):
            return decode_path(stored)
        name, _, rest = decode_path(stored[len(_MARK) :]).partition("/")
        folder = self._roots.get(name)
        if folder is None:
            return f"{name}:/{rest}" if rest else f"{name}:"
        return self._below(folder) + rest.replace("/", self._separator) if rest else folder

    def decode_copy(self, row: AnyRow) -> FileCopy:
        """Return a copy of a document's file from its row."""
        stamp, volume = self.decode_seen(row.volume)
        return copy_from_row(row._replace(path=self.decode(row.path), stamp=stamp, volume=volume))

    def decode_seen(self, stored: bytes) -> tuple[int, str]:
        """Return the stamp and the file system of a file as this machine has seen it; 0 and empty if it has not."""
        stamp, volume = _machines_of(stored).get(self.machine, (0, ""))
        return stamp, volume

    def encode_seen(self, stamp: int, volume: str = "") -> bytes:
        """Return the stored form of what this machine has seen of a file, and no other machine."""
        return _pack_machines({self.machine: (stamp, volume)})

    def add_seen(self, stored: bytes, *, stamp: int | None = None, volume: str | None = None) -> bytes:
        """Return the stored form with another stamp, or file system, on this machine.

        If the file system is empty, a person wants the document kept without its file, or nobody knows: then no machine
        takes the file for deleted.
        """
        own, known = self.decode_seen(stored), _machines_of(stored)
        if volume == "":
            known = {machine: (each, "") for machine, (each, _) in known.items()}
        new = (own[0] if stamp is None else stamp, own[1] if volume is None else volume)
        return _pack_machines(known | {self.machine: new})

    def read_again(self, stored: bytes, stamp: int) -> bytes:
        """Return the stored form after this machine has read a file, which other machines then need not do."""
        known = {machine: (0, volume) for machine, (_, volume) in _machines_of(stored).items()}
        return self.add_seen(_pack_machines(known), stamp=stamp)

    def encode_below(self, path: str) -> list[tuple[bytes, bytes, bytes]]:
        """Return (the path itself, the first and the end of everything below it) as stored, for every form it may have.

        A folder above that of a root contains the root's files too, and some of its files may be stored without a root.
        """
        path = path if find_unmapped_root(path) else self._rules.normpath(path)
        forms = list(dict.fromkeys([self.encode(path), encode_path(path)]))
        below = self._below(path)
        forms += [
            _MARK + encode_path(name)
            for name, folder in self._roots.items()
            if self._is_same(folder[: len(below)], below)
        ]
        found = []
        for form in forms:
            separator = b"/" if form.startswith(_MARK) else self._separator.encode()
            first = form if form.endswith(separator) else form + separator
            found.append((form, first, first[:-1] + bytes([separator[0] + 1])))
        return found

    def _below(self, folder: str) -> str:
        return folder if folder.endswith(self._separator) else folder + self._separator

    def _is_same(self, first: str, second: str) -> bool:
        return bool(self._rules.normcase(first) == self._rules.normcase(second))


def _machines_of(stored: bytes) -> dict[str, tuple[int, str]]:
    """Return stamp and file system of a file by the machines that have seen it."""
    stored = bytes(stored)
    if not stored.startswith(_SEEN):
        return {}
    return {machine: (stamp, volume) for machine, (stamp, volume) in json.loads(stored[len(_SEEN) :]).items()}


def _pack_machines(seen: Mapping[str, tuple[int, str]]) -> bytes:
    known = {machine: own for machine, own in sorted(seen.items()) if any(own)}
    return _SEEN + json.dumps(known).encode() if known else b""


def root_of(stored: bytes) -> str:
    """Return the name of the root that a stored path is below; empty for an absolute path."""
    stored = bytes(stored)
    return decode_path(stored[len(_MARK) :]).partition("/")[0] if stored.startswith(_MARK) else ""
