"""The part of the library that a search is kept to."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from desktop_app.core.records import EVERYTHING, Scope
from desktop_app.gui import words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_app.core.records import Document

PartKind = Literal["folder", "document", "collection", "type"]


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a search is kept to.

    Attributes:
        key: a path, the name of a collection, or a type of documents.
        name: what people call it.
    """

    kind: PartKind
    key: str
    name: str


def of_document(document: Document) -> Part:
    """Return a document as a part of the library."""
    return Part("document", document.path, words.document_name(document.title, document.path))


def of_folder(path: str) -> Part:
    """Return a folder, with all below it, as a part of the library."""
    return Part("folder", path, os.path.basename(path) or path)


def of_collection(name: str) -> Part:
    """Return a collection as a part of the library."""
    return Part("collection", name, name)


def of_type(kind: str) -> Part:
    """Return all documents of a type as a part of the library."""
    return Part("type", kind, words.document_type(kind))


class SearchScope(QObject):
    """Where searches look: in any of some documents and folders, there only in documents of a collection and of types.

    Attributes:
        changed: it is another part of the library now.
    """

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.parts: tuple[Part, ...] = ()

    @property
    def scope(self) -> Scope:
        """It, as a search is asked."""
        # Documents go by their paths too: ids and paths together would mean those alone that are both.
        paths = tuple(part.key for part in self.parts if part.kind in ("folder", "document"))
        collections = tuple(part.key for part in self.parts if part.kind == "collection")
        types = frozenset(part.key for part in self.parts if part.kind == "type")
        return Scope(paths=paths, types=types, collections=collections) if self.parts else EVERYTHING

    def keep_to(self, parts: Iterable[Part]) -> None:
        """Look in these documents and folders only; types stay as they are."""
        self._set((*parts, *(part for part in self.parts if part.kind == "type")))

    def toggle_type(self, kind: str) -> None:
        """Look, or no longer look, in documents of a type."""
        part = of_type(kind)
        self._set((*self.parts, part) if part not in self.parts else tuple(p for p in self.parts if p != part))

    def exchange(self, old: Part, new: Part) -> None:
        """Keep to the same thing by its new name."""
        self._set(tuple(new if each == old else each for each in self.parts))

    def leave_out(self, part: Part) -> None:
        """Keep to the others."""
        self._set(tuple(each for each in self.parts if each != part))

    def clear(self) -> None:
        """Look everywhere."""
        self._set(())

    def _set(self, parts: tuple[Part, ...]) -> None:
        parts = tuple(dict.fromkeys(parts))
        if parts != self.parts:
            self.parts = parts
            self.changed.emit()
