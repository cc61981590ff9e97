"""Reads documents by their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Collection

    from desktop_app.core.library import Library
    from desktop_app.core.records import Document


def read_documents(library: Library, document_ids: Collection[int]) -> list[Document]:
    """Return the documents with these ids, in the order of the ids; those that have gone are left out."""
    wanted = frozenset(document_ids)
    return library.documents.fetch(limit=max(len(wanted), 1), scope=Scope(document_ids=wanted))
