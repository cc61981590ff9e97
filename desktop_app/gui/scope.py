"""The part of the library that a search is kept to."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from desktop_app.core.scope import DAY_S, SearchPart, scope_of
from desktop_app.gui import names, words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_app.core.records import Document
    from desktop_app.core.scope import Scope

_BESIDE = ("type", "language", "date")
"""Kinds that stay when other documents and folders are chosen."""

LATELY = (7, 30, 365)
"""Days; whose files were changed since then."""


def of_document(document: Document) -> SearchPart:
    """Return a document as a part of the library."""
    return SearchPart("document", document.path, words.document_name(document.title, document.path))


def of_folder(path: str) -> SearchPart:
    """Return a folder, with all below it, as a part of the library."""
    return SearchPart("folder", path, os.path.basename(path) or path)


def of_collection(name: str) -> SearchPart:
    """Return a collection as a part of the library."""
    return SearchPart("collection", name, name)


def of_tag(tag: str) -> SearchPart:
    """Return the documents that have a tag as a part of the library."""
    return SearchPart("tag", tag, tag)


def of_type(kind: str) -> SearchPart:
    """Return all documents of a type as a part of the library."""
    return SearchPart("type", kind, names.document_type(kind))


def of_language(code: str) -> SearchPart:
    """Return all documents that seem to be in a language as a part of the library."""
    return SearchPart("language", code, names.language(code))


def of_path(kind: Literal["folder", "document"], path: str, name: str) -> SearchPart:
    """Return a document or folder by its path."""
    return SearchPart(kind, path, name)


def of_days(days: int) -> SearchPart:
    """Return the documents whose files were changed within some days."""
    spoken = {
        7: words.translate("scope", "in the last 7 days"),
        30: words.translate("scope", "in the last 30 days"),
        365: words.translate("scope", "in the last 12 months"),
    }
    return SearchPart("date", f"days:{days}", spoken[days])


def of_year(year: int) -> SearchPart:
    """Return the documents whose files were changed in a year."""
    return SearchPart("date", f"year:{year}", str(year))


def is_lately(changed_at: float, days: int) -> bool:
    """Say whether a time (seconds since 1970) is within some days."""
    return changed_at >= time.time() - days * DAY_S


class SearchScope(QObject):
    """Where searches look: in any of some documents and folders, with a tag, of types, languages, one time.

    Attributes:
        changed: it is another part of the library now.
    """

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.parts: tuple[SearchPart, ...] = ()

    @property
    def scope(self) -> Scope:
        """It, as a search is asked."""
        return scope_of(self.parts)

    def keep_to(self, parts: Iterable[SearchPart]) -> None:
        """Look in these documents and folders only; types, languages and times stay as they are."""
        self._set((*parts, *(part for part in self.parts if part.kind in _BESIDE)))

    def set_parts(self, parts: Iterable[SearchPart]) -> None:
        """Look in these and nowhere else."""
        self._set(tuple(parts))

    def toggle(self, part: SearchPart) -> None:
        """Look, or no longer look, in a part as well; of times there is one at most."""
        is_other_time = part.kind == "date"
        others = tuple(each for each in self.parts if each != part and not (is_other_time and each.kind == "date"))
        self._set(others if part in self.parts else (*others, part))

    def toggle_type(self, kind: str) -> None:
        """Look, or no longer look, in documents of a type."""
        part = of_type(kind)
        self._set((*self.parts, part) if part not in self.parts else tuple(p for p in self.parts if p != part))

    def exchange(self, old: SearchPart, new: SearchPart) -> None:
        """Keep to the same thing by its new name."""
        self._set(tuple(new if each == old else each for each in self.parts))

    def follow(self, old: str, new: str) -> None:
        """Keep to what lies in a folder that moved where it lies now."""

        def moved(part: SearchPart) -> SearchPart:
            is_in = part.key == old or part.key.startswith(old.rstrip(os.sep) + os.sep)
            if part.kind not in ("folder", "document") or not is_in:
                return part
            path = new + part.key[len(old.rstrip(os.sep)) :]
            is_named_so = part.name == os.path.basename(part.key)
            return SearchPart(part.kind, path, os.path.basename(path) if is_named_so else part.name)

        self._set(tuple(map(moved, self.parts)))

    def leave_out(self, part: SearchPart) -> None:
        """Keep to the others."""
        self._set(tuple(each for each in self.parts if each != part))

    def clear(self) -> None:
        """Look everywhere."""
        self._set(())

    def _set(self, parts: tuple[SearchPart, ...]) -> None:
        parts = tuple(dict.fromkeys(parts))
        if parts != self.parts:
            self.parts = parts
            self.changed.emit()
