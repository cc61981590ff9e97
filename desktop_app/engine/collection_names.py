"""Renames collections and tags together with what refers to them by name."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.core.query import rename_in_query
from desktop_app.core.stored_text import fold_text
from desktop_app.core.tags import clean_tag

if TYPE_CHECKING:
    from desktop_app.core.library import Library
    from desktop_app.core.records import DocumentCollection
    from desktop_app.core.scope import ScopePart


def rename_collection(library: Library, collection_id: int, name: str) -> DocumentCollection | None:
    """Rename a collection or tag; the person's searches that name it or are limited to it follow, saved and recent.

    A tag that gets the name of another one is merged into it.

    Returns:
        What it is now; None if it is not listed: a tag whose documents are all removed.

    Raises:
        UsageError: the name is empty, or another collection has it (ignoring case and accents).
        NotFound: it is gone.
    """
    from desktop_app.core.user_data import MAX_REMEMBERED_QUERIES  # not at the start of the window

    before, twin = _find(library, collection_id), None
    if before is not None and before.kind == "tag":
        twin = _find_other_tag(library, before, clean_tag(name))
    if before is not None and twin is not None:
        library.collections.tag(sorted(before.document_ids), [twin.name], [before.name])
        now = _find(library, twin.collection_id)
    else:
        library.collections.rename(collection_id, name)
        now = _find(library, collection_id)
    if before is None or now is None:
        return None

    def follow(part: ScopePart) -> ScopePart:
        is_it = part.kind == before.kind and fold_text(part.key) == fold_text(before.name)
        return replace(part, key=now.name, name=now.name) if is_it else part

    for search in library.user_data.saved_searches():
        text = rename_in_query(search.text, before.kind, before.name, now.name)
        renamed = replace(search, text=text, parts=tuple(map(follow, search.parts)))
        if renamed != search:
            library.user_data.save_search(renamed)
    queries = [
        (query, rename_in_query(query.text, before.kind, before.name, now.name))
        for query in reversed(library.user_data.past_queries(MAX_REMEMBERED_QUERIES))
    ]
    # The later ones are remembered again as well, which keeps the order.
    for query, text in itertools.dropwhile(lambda each: each[0].text == each[1], queries):
        library.user_data.remember(text, query.mode, instead_of=query.text)
    return now


def _find(library: Library, collection_id: int) -> DocumentCollection | None:
    return next((each for each in library.collections.collections() if each.collection_id == collection_id), None)


def _find_other_tag(library: Library, tag: DocumentCollection, name: str) -> DocumentCollection | None:
    """Return the other tag that has this name, ignoring case and accents."""
    return next(
        (
            each
            for each in library.collections.collections()
            if each.kind == "tag"
            and each.collection_id != tag.collection_id
            and fold_text(each.name) == fold_text(name)
        ),
        None,
    )
