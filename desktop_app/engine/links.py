"""Finds the place that a link names in the open library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.core.errors import NotFound
from desktop_app.core.links import hash_sentence

if TYPE_CHECKING:
    from desktop_app.core.library import Library
    from desktop_app.core.links import LibraryLink
    from desktop_app.core.records import Document, Hit

_AROUND = 2000  # sentences before and after the number in a link, among which a moved sentence is found


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """The place that a link leads to.

    Attributes:
        document: the document.
        hit: its sentence; None for the document alone.
        is_exact: whether that is the very place that the link names; else the nearest that is left of it.
    """

    document: Document
    hit: Hit | None = None
    is_exact: bool = True


def find_link_target(library: Library, link: LibraryLink) -> LinkTarget:
    """Return the place of a link to a document.

    A sentence that has moved in its document is found by its text. One that is gone leads to its document.

    Raises:
        NotFound: the document is not, or no longer, in the library.
    """
    assert link.document_id is not None
    try:
        document = library.documents.get(link.document_id)
    except NotFound as error:
        raise NotFound(
            "The document that this link leads to is no longer in the library",
            "If you still have the file, import it again and copy a new link.",
        ) from error
    if link.sentence is not None:
        ordinal = _find_sentence(library, link, link.sentence)
    elif link.page is not None:
        ordinal = _find_page(library, link.document_id, link.page)
    else:
        return LinkTarget(document)
    hit = library.search.hits_at([(link.document_id, ordinal, 1.0)])[0] if ordinal is not None else None
    return LinkTarget(document, hit, is_exact=hit is not None)


def _find_sentence(library: Library, link: LibraryLink, sentence: int) -> int | None:
    assert link.document_id is not None
    around = library.sentences.context(link.document_id, sentence, _AROUND, _AROUND)
    if not link.text_hash:
        return next((each.ordinal for each in around if each.ordinal == sentence), None)
    same = [each.ordinal for each in around if hash_sentence(each.text) == link.text_hash]
    return min(same, key=lambda ordinal: abs(ordinal - sentence), default=None)


def _find_page(library: Library, document_id: int, page: int) -> int | None:
    """Return the first sentence that begins on a page, else the first one of which a part is there."""
    found = library.corrections.on_page(document_id, page)
    begins = [each.ordinal for each in found if each.places[0].page == page]
    return next(iter(begins or [each.ordinal for each in found]), None)
