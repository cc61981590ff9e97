"""Goes through the documents of a library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.scope import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_app.core.library import Library
    from desktop_app.core.records import Document, DocumentState
    from desktop_app.core.scope import Scope


def iter_document_pages(
    library: Library, limit: int = 500, *, state: DocumentState | None = None, scope: Scope = EVERYTHING
) -> Iterator[list[Document]]:
    """Yield the documents in order of id, up to `limit` at a time; each page is read when it is asked for."""
    after = 0
    while page := library.documents.fetch(after_id=after, limit=limit, state=state, scope=scope):
        yield page
        after = page[-1].document_id


def iter_documents(library: Library, page: int = 500) -> Iterator[Document]:
    """Yield the documents in order of id; so many are read at a time."""
    for documents in iter_document_pages(library, page):
        yield from documents
