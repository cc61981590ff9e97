"""Gives documents the references of a person's reference manager."""

from __future__ import annotations

import os
import re
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.errors import Cancelled, NotFound
from desktop_app.core.formats import type_by_name
from desktop_app.core.jobs import ChangeSet, Job, Lane, Progress, Steps
from desktop_app.core.reference_files import read_reference_file
from desktop_app.engine.document_pages import iter_document_pages, iter_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop_app.core.bibliography import Reference
    from desktop_app.core.citation import CitationForm, CitedSentence
    from desktop_app.core.library import Library
    from desktop_app.core.reference_files import ListedReference
    from desktop_app.engine.context import EngineContext

_MIN_TITLE_LETTERS = 12
"""Letters below which a title alone does not identify a document."""
_KEY_NUMBER = re.compile(r"-\d{1,2}\Z")
"""What `core.citation` adds to the key of a second document with the same one."""
_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class ReferenceList:
    """A file of references that was read.

    Attributes:
        entries: its references.
        new_files: linked files that are there, that Kindred can read and that are not in the library.
        damaged_lines: lines of the file from which something could not be read.
    """

    entries: tuple[ListedReference, ...]
    new_files: tuple[str, ...]
    damaged_lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceMatches:
    """What became of a list of references.

    Attributes:
        documents: ids of the documents that have a reference of it now.
        unmatched: titles of entries without a document.
        ambiguous: those of them that several documents have.
    """

    documents: tuple[int, ...]
    unmatched: tuple[str, ...]
    ambiguous: tuple[str, ...] = ()


class ReferenceService:
    """Reads lists of references and finds their documents.

    Args:
        context: the library that it uses.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def read(self, file: str) -> Job[ReferenceList]:
        """Read a BibTeX, RIS or CSL-JSON file.

        Raises (the job):
            UsageError: it is no such file, cannot be read, or has only damaged entries.
        """

        def steps() -> Steps[ReferenceList]:
            # Of 5,000 references, this takes some seconds.
            found = yield from run_in_thread(lambda: read_reference_file(Path(file)), may_outlast_job=True)
            known: set[str] = set()
            for document in iter_documents(self._context.open_library()):
                known.update(map(_real, document.paths))
                yield None
            linked = dict.fromkeys(path for entry in found.entries for path in entry.files)
            new = [str(path) for path in linked if type_by_name(path) and path.is_file() and _real(path) not in known]
            return ReferenceList(found.entries, tuple(new), found.damaged_lines)

        return self._context.engine.submit("read references", steps)

    def format_citations(self, cited: Sequence[CitedSentence], form: CitationForm, language: str) -> Job[str]:
        """Write citations in a form, in a thread of its own: a style takes some hundredths of a second for each."""

        def steps() -> Steps[str]:
            stop_requested = threading.Event()

            def check() -> None:
                if stop_requested.is_set():
                    raise Cancelled

            def write() -> str:
                from desktop_app.core.citation import format_citations

                return format_citations(cited, form, language, check)

            return (yield from run_in_thread(write, stop_requested.set))

        return self._context.engine.submit("format citations", steps, lane=Lane.FRONT, by_person=False)

    def apply(self, entries: Sequence[ListedReference]) -> Job[ReferenceMatches]:
        """Give each document of the library that an entry means its reference.

        An entry means the documents that it links; without them those with its DOI; else the one with its title. It
        replaces what the file says and what was given before. An import that is under way ends first.
        """

        def steps() -> Steps[ReferenceMatches]:
            library = self._context.open_library()
            finder = _DocumentFinder()
            yield from finder.read_documents(library)
            matched: dict[int, None] = {}
            unmatched: list[str] = []
            ambiguous: list[str] = []
            for done, entry in enumerate(entries, 1):
                documents = finder.find(entry)
                for document_id in documents:
                    with suppress(NotFound):  # removed in the meantime
                        library.documents.set_reference(document_id, entry.reference)
                        matched[document_id] = None
                if not documents:
                    unmatched.append(entry.reference.title or entry.reference.key)
                    ambiguous += unmatched[-1:] if finder.is_ambiguous(entry) else []
                yield Progress("reading", done, len(entries), "references")
            yield ChangeSet(documents=frozenset(matched))
            return ReferenceMatches(tuple(matched), tuple(unmatched), tuple(ambiguous))

        return self._context.engine.submit("apply references", steps, chain="import")


class _DocumentFinder:
    """Finds the documents that entries mean."""

    def __init__(self) -> None:
        self._by_path: dict[str, list[int]] = {}
        self._by_doi: dict[str, list[int]] = {}
        self._by_title: dict[str, list[int]] = {}

    def read_documents(self, library: Library) -> Steps[None]:
        """Read what identifies the documents of a library."""
        from desktop_app.core.citation import make_citation_key

        for batch in iter_document_pages(library, _AT_ONCE):
            references = library.documents.references([document.document_id for document in batch])
            for document in batch:
                reference = references.get(document.document_id)
                if reference is None:
                    continue
                for path in document.paths:
                    self._by_path.setdefault(_real(path), []).append(document.document_id)
                if reference.doi:
                    self._by_doi.setdefault(reference.doi.casefold(), []).append(document.document_id)
                if key := _title_key(reference, make_citation_key(reference)):
                    self._by_title.setdefault(key, []).append(document.document_id)
            yield None

    def find(self, entry: ListedReference) -> list[int]:
        """Return the ids of the documents that an entry means."""
        linked = [each for path in entry.files for each in self._by_path.get(_real(path), ())]
        if linked:
            return linked
        if found := self._by_doi.get(entry.reference.doi.casefold()):
            return found
        titled = self._by_title.get(_title_key(entry.reference, entry.reference.key), [])
        return titled if len(titled) == 1 else []

    def is_ambiguous(self, entry: ListedReference) -> bool:
        """Return whether several documents have the title of an entry."""
        return len(self._by_title.get(_title_key(entry.reference, entry.reference.key), [])) > 1


def _real(path: str | Path) -> str:
    return os.path.realpath(path)


def _title_key(reference: Reference, citation_key: str) -> str:
    """Return the letters of a title, of a short one with the citation key; empty if they identify no document.

    The citation key is that of the list, or made of author and year as in an exported list: a short title comes back
    from the person's own list, and does not match another work of that name.
    """
    letters = "".join(_letters(reference.title))
    if len(letters) >= _MIN_TITLE_LETTERS or not letters:
        return letters
    return f"{letters} {_KEY_NUMBER.sub('', citation_key)}" if citation_key else ""


def _letters(text: str) -> Iterable[str]:
    return filter(str.isalnum, text.casefold())
