"""A scope: the part of the library that a search is limited to."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from desktop_app.core.document_dates import date_to_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Scope:
    """A part of the library. All given conditions must hold; an empty scope is the whole library.

    Attributes:
        document_ids: only these documents.
        paths: only documents that are one of these files or below one of these folders (absolute).
        types: only documents of these types.
        kinds: only documents of these types, or whose file has one of these suffixes.
        titles: only documents whose title contains all of these, ignoring case and accents.
        folders: only documents inside all of these, each a path or the name of a folder or file.
        collections: only documents in all of these collections, by name, ignoring case.
        tags: only documents with all of these tags, ignoring case.
        after: only files changed then or later, seconds since 1970.
        before: only files changed earlier, seconds since 1970.
        authors: only documents whose author's name contains all of these, ignoring case and accents.
        dated_after: only documents of this date or later, as `core.document_dates` writes it; empty for any. A document
            without a date of its own has that of its file.
        dated_before: only documents of an earlier date; empty for any.
        languages: only documents whose guessed language is one of these, by two letters; None: any.
        not_document_ids: none of these documents.
        without: no sentences that only occur as passages of these kinds (`PassageKind`), in any document.
        all_passages: whether features that rest on sentences (drafts, duplicates, key sentences) use all passages.
    """

    document_ids: frozenset[int] | None = None
    paths: tuple[str, ...] = ()
    types: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    titles: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    after: float | None = None
    before: float | None = None
    collections: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    languages: frozenset[str] | None = None
    without: frozenset[str] = frozenset()
    not_document_ids: frozenset[int] = frozenset()
    authors: tuple[str, ...] = ()
    dated_after: str = ""
    dated_before: str = ""
    all_passages: bool = False

    @property
    def has_every_document(self) -> bool:
        """Whether no document is excluded."""
        return replace(self, without=frozenset(), all_passages=False) == EVERYTHING

    @property
    def is_everything(self) -> bool:
        """Whether nothing is excluded."""
        return replace(self, all_passages=False) == EVERYTHING

    @property
    def of_sentences(self) -> Scope:
        """This scope without headings, fragments, rows of tables and so on, unless it has `all_passages`."""
        from desktop_app.core.records import NOT_SENTENCES  # the window starts without the records

        return self if self.all_passages else replace(self, without=self.without | NOT_SENTENCES)


EVERYTHING = Scope()


def kinds_other_than(name: str) -> frozenset[str]:
    """Return the kinds of passages to leave out for only notes (`note`), or for only sentences (`sentence`)."""
    from desktop_app.core.records import NOT_NOTES, NOT_SENTENCES  # the window starts without the records

    return NOT_NOTES if name == "note" else NOT_SENTENCES


ScopePartKind = Literal["folder", "document", "collection", "tag", "type", "language", "date", "passage"]

DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class ScopePart:
    """One element of a scope as the window shows it.

    Attributes:
        kind: what it is.
        key: a path, the name of a collection, a tag, a document type, a language by two letters, `days:7`,
            `year:2024`, or `note` for highlights and notes.
        name: for people.
    """

    kind: ScopePartKind
    key: str
    name: str


def combine_parts(parts: Iterable[ScopePart]) -> Scope:
    """Return the scope of some parts, as of now."""
    keys: dict[str, list[str]] = {}
    for part in parts:
        keys.setdefault(part.kind, []).append(part.key)
    if not keys:
        return EVERYTHING
    after, before = _parse_period(keys["date"][0]) if "date" in keys else (None, None)
    return Scope(
        # Documents are selected by path too: ids and paths together would mean only documents that match both.
        paths=(*keys.get("folder", ()), *keys.get("document", ())),
        types=frozenset(keys.get("type", ())),
        collections=tuple(keys.get("collection", ())),
        tags=tuple(keys.get("tag", ())),
        languages=frozenset(keys.get("language", ())) or None,
        after=after,
        before=before,
        without=frozenset().union(*map(kinds_other_than, keys.get("passage", ()))),
    )


def _parse_period(key: str) -> tuple[float, float | None]:
    """Return the beginning and end of a period, seconds since 1970."""
    kind, _, number = key.partition(":")
    if kind == "days":
        return time.time() - int(number) * DAY_S, None
    first, next_first = (date_to_seconds(f"{year:04}-01-01") for year in (int(number), int(number) + 1))
    return first or 0.0, next_first
