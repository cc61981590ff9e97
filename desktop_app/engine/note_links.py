"""Links between the notes of a vault: which notes of the library link to a note."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.scope import Scope
from desktop_app.core.vaults import NoteLinks, NoteResolver, find_vault, is_note, read_links
from desktop_app.engine.document_pages import iter_document_pages
from desktop_app.engine.relocation import relative_path

if TYPE_CHECKING:
    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.records import Document
    from desktop_app.engine.context import EngineContext

_MAX_NOTE_BYTES = 5_000_000
_NOTES_PER_STEP = 20
_DOCUMENTS_PER_STEP = 500


@dataclass(frozen=True, slots=True)
class _ReadNote:
    """The links of a note, and size and time of the file that they are from."""

    version: tuple[int, int]
    links: NoteLinks


class NoteLinkService:
    """Finds links between notes. What a note links to is read from its file, and kept while the file stays the same.

    Args:
        context: the library that it uses.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._notes: dict[str, _ReadNote] = {}

    def find_linking(self, document_id: int, *, reader: str = "") -> Job[list[Document]]:
        """Return the documents that link to a note, by title; none if it is in no vault. A reader's latest wins."""
        return self._context.engine.submit(
            "linking notes", lambda: self._find_linking(document_id), key=f"linking {reader}"
        )

    def _find_linking(self, document_id: int) -> Steps[list[Document]]:
        library = self._context.open_library()
        path = library.documents.get(document_id).path
        vault = find_vault(path) if is_note(path) else None
        if vault is None:
            return []
        scope = Scope(paths=(str(vault),))
        inside: dict[str, Document] = {}
        for page in iter_document_pages(library, _DOCUMENTS_PER_STEP, scope=scope):
            inside |= {
                _to_relative(path, vault): each.seen_at(path)
                for each in page
                for path in each.paths
                if is_note(path) and relative_path(path, str(vault)) is not None
            }
            yield None
        found: dict[str, NoteLinks] = {}
        for count, (name, document) in enumerate(inside.items()):
            found[name] = self._read_note(document.path)
            if count % _NOTES_PER_STEP == 0:
                yield None
        resolver = NoteResolver((name, links.aliases) for name, links in found.items())
        yield None
        own = _to_relative(path, vault)
        linking = [
            inside[name]
            for name, links in found.items()
            if name != own and any(resolver.find(target, name) == own for target in links.targets)
        ]
        return sorted(linking, key=lambda document: document.title.casefold())

    def _read_note(self, path: str) -> NoteLinks:
        """Return the links of a note; none of a file that cannot be read."""
        try:
            status = os.stat(path)
            version = (status.st_size, status.st_mtime_ns)
            known = self._notes.get(path)
            if known is None or known.version != version:
                with open(path, encoding="utf-8", errors="replace") as file:
                    known = _ReadNote(version, read_links(file.read(_MAX_NOTE_BYTES)))
                self._notes[path] = known
        except (OSError, ValueError):
            return NoteLinks()
        return known.links


def _to_relative(path: str, vault: Path) -> str:
    return Path(path).relative_to(vault).as_posix()
