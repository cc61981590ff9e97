"""The part of the library that a search is limited to."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.core.scope import DAY_S, ScopePart, combine_parts
from desktop_app.gui.base import display_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_app.core.records import Document
    from desktop_app.core.scope import Scope
    from desktop_app.gui.base.window_context import WindowContext

_LASTING_KINDS = ("type", "language", "date", "passage")
"""Kinds of parts that stay when other documents and folders are chosen."""

RECENT_DAYS = (7, 30, 365)
"""Choices of days within which files were changed."""


def document_part(document: Document) -> ScopePart:
    """Return a document as a part of the library."""
    return ScopePart("document", document.path, display_text.document_name(document.title, document.path))


def folder_part(path: str) -> ScopePart:
    """Return a folder with its subfolders as a part of the library."""
    return ScopePart("folder", path, os.path.basename(path) or path)


def collection_part(name: str) -> ScopePart:
    """Return a collection as a part of the library."""
    return ScopePart("collection", name, name)


def tag_part(tag: str) -> ScopePart:
    """Return the documents that have a tag as a part of the library."""
    return ScopePart("tag", tag, tag)


def type_part(kind: str) -> ScopePart:
    """Return all documents of a type as a part of the library."""
    return ScopePart("type", kind, display_text.document_type_name(kind))


def language_part(code: str) -> ScopePart:
    """Return the documents that seem to be in a language as a part of the library."""
    return ScopePart("language", code, display_text.language_name(code))


def notes_part() -> ScopePart:
    """Return all highlights and notes as a part of the library."""
    return ScopePart("passage", "note", display_text.translate("scope", "Highlights and notes"))


def days_part(days: int) -> ScopePart:
    """Return the documents whose files changed within some days."""
    names = {
        7: display_text.translate("scope", "in the last 7 days"),
        30: display_text.translate("scope", "in the last 30 days"),
        365: display_text.translate("scope", "in the last 12 months"),
    }
    return ScopePart("date", f"days:{days}", names[days])


def year_part(year: int) -> ScopePart:
    """Return the documents whose files changed in a year."""
    return ScopePart("date", f"year:{year}", str(year))


def is_within_days(changed_at: float, days: int) -> bool:
    """Return whether a time (seconds since 1970) is within some days."""
    return changed_at >= time.time() - days * DAY_S


class SearchScope(QObject):
    """The parts of the library to search: documents and folders, tags, types, languages, one period.

    Attributes:
        changed: other parts are searched now.
    """

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.parts: tuple[ScopePart, ...] = ()

    @property
    def scope(self) -> Scope:
        """The scope of a search request."""
        return combine_parts(self.parts)

    def follow_library(self, context: WindowContext) -> None:
        """Follow folders that move, and collections and tags that are renamed or removed."""
        context.folder_moved.connect(self.move_folder)
        context.scope_part_replaced.connect(self.replace_part)
        context.scope_part_removed.connect(self.remove_part)

    def limit_to(self, parts: Iterable[ScopePart]) -> None:
        """Search these documents and folders only; types, languages and dates stay as they are."""
        self._set((*parts, *(part for part in self.parts if part.kind in _LASTING_KINDS)))

    def set_parts(self, parts: Iterable[ScopePart]) -> None:
        """Search these parts only."""
        self._set(tuple(parts))

    def toggle(self, part: ScopePart) -> None:
        """Add or remove a part; a date replaces another one."""
        is_other_time = part.kind == "date"
        others = tuple(each for each in self.parts if each != part and not (is_other_time and each.kind == "date"))
        self._set(others if part in self.parts else (*others, part))

    def toggle_type(self, kind: str) -> None:
        """Add or remove the documents of a type."""
        part = type_part(kind)
        self._set((*self.parts, part) if part not in self.parts else tuple(p for p in self.parts if p != part))

    def replace_part(self, old: ScopePart, new: ScopePart) -> None:
        """Replace a part that was renamed."""
        self._set(tuple(new if each == old else each for each in self.parts))

    def move_folder(self, old: str, new: str) -> None:
        """Follow a folder that moved."""

        def moved(part: ScopePart) -> ScopePart:
            is_in = part.key == old or part.key.startswith(old.rstrip(os.sep) + os.sep)
            if part.kind not in ("folder", "document") or not is_in:
                return part
            path = new + part.key[len(old.rstrip(os.sep)) :]
            is_named_after_path = part.name == os.path.basename(part.key)
            return ScopePart(part.kind, path, os.path.basename(path) if is_named_after_path else part.name)

        self._set(tuple(map(moved, self.parts)))

    def remove_part(self, part: ScopePart) -> None:
        """Remove a part."""
        self._set(tuple(each for each in self.parts if each != part))

    def clear(self) -> None:
        """Search everywhere."""
        self._set(())

    def _set(self, parts: tuple[ScopePart, ...]) -> None:
        parts = tuple(dict.fromkeys(parts))
        if parts != self.parts:
            self.parts = parts
            self.changed.emit()
