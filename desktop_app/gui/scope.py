"""The part of the library that a search is kept to."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.gui import names, words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_app.core.records import Document

PartKind = Literal["folder", "document", "collection", "tag", "type", "language", "date"]
_BESIDE = ("type", "language", "date")
"""Kinds that stay when other documents and folders are chosen."""

LATELY = (7, 30, 365)
"""Days; whose files were changed since then."""

_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a search is kept to.

    Attributes:
        key: a path, the name of a collection, a tag, a type of documents, a language by two letters, `days:7`, or
            `year:2024`.
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


def of_tag(tag: str) -> Part:
    """Return the documents that have a tag as a part of the library."""
    return Part("tag", tag, tag)


def of_type(kind: str) -> Part:
    """Return all documents of a type as a part of the library."""
    return Part("type", kind, names.document_type(kind))


def of_language(code: str) -> Part:
    """Return all documents that seem to be in a language as a part of the library."""
    return Part("language", code, names.language(code))


def of_path(kind: Literal["folder", "document"], path: str, name: str) -> Part:
    """Return a document or folder by its path."""
    return Part(kind, path, name)


def of_days(days: int) -> Part:
    """Return the documents whose files were changed within some days."""
    spoken = {
        7: words.translate("scope", "in the last 7 days"),
        30: words.translate("scope", "in the last 30 days"),
        365: words.translate("scope", "in the last 12 months"),
    }
    return Part("date", f"days:{days}", spoken[days])


def of_year(year: int) -> Part:
    """Return the documents whose files were changed in a year."""
    return Part("date", f"year:{year}", str(year))


def is_lately(changed_at: float, days: int) -> bool:
    """Say whether a time (seconds since 1970) is within some days."""
    return changed_at >= time.time() - days * _DAY_S


def _period(key: str) -> tuple[float, float | None]:
    kind, _, number = key.partition(":")
    if kind == "days":
        return time.time() - int(number) * _DAY_S, None
    first, next_first = (datetime(year, 1, 1).astimezone().timestamp() for year in (int(number), int(number) + 1))
    return first, next_first


class SearchScope(QObject):
    """Where searches look: in any of some documents and folders, with a tag, of types, languages, one time.

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
        tags = tuple(part.key for part in self.parts if part.kind == "tag")
        types = frozenset(part.key for part in self.parts if part.kind == "type")
        languages = frozenset(part.key for part in self.parts if part.kind == "language") or None
        after, before = next((_period(part.key) for part in self.parts if part.kind == "date"), (None, None))
        if not self.parts:
            return EVERYTHING
        return Scope(
            paths=paths,
            types=types,
            collections=collections,
            tags=tags,
            languages=languages,
            after=after,
            before=before,
        )

    def keep_to(self, parts: Iterable[Part]) -> None:
        """Look in these documents and folders only; types, languages and times stay as they are."""
        self._set((*parts, *(part for part in self.parts if part.kind in _BESIDE)))

    def set_parts(self, parts: Iterable[Part]) -> None:
        """Look in these and nowhere else."""
        self._set(tuple(parts))

    def toggle(self, part: Part) -> None:
        """Look, or no longer look, in a part as well; of times there is one at most."""
        is_other_time = part.kind == "date"
        others = tuple(each for each in self.parts if each != part and not (is_other_time and each.kind == "date"))
        self._set(others if part in self.parts else (*others, part))

    def toggle_type(self, kind: str) -> None:
        """Look, or no longer look, in documents of a type."""
        part = of_type(kind)
        self._set((*self.parts, part) if part not in self.parts else tuple(p for p in self.parts if p != part))

    def exchange(self, old: Part, new: Part) -> None:
        """Keep to the same thing by its new name."""
        self._set(tuple(new if each == old else each for each in self.parts))

    def follow(self, old: str, new: str) -> None:
        """Keep to what lies in a folder that moved where it lies now."""

        def moved(part: Part) -> Part:
            is_in = part.key == old or part.key.startswith(old.rstrip(os.sep) + os.sep)
            if part.kind not in ("folder", "document") or not is_in:
                return part
            path = new + part.key[len(old.rstrip(os.sep)) :]
            is_named_so = part.name == os.path.basename(part.key)
            return Part(part.kind, path, os.path.basename(path) if is_named_so else part.name)

        self._set(tuple(map(moved, self.parts)))

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
