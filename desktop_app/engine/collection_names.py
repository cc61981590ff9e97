"""Renames collections and tags together with what refers to them by name."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.core.query import rename_in_query
from desktop_app.core.stored_text import fold_text

if TYPE_CHECKING:
    from desktop_app.core.library import Library
    from desktop_app.core.scope import ScopePart


def rename_collection(library: Library, collection_id: int, name: str) -> None:
    """Rename a collection or tag; the person's searches that name it or are limited to it follow, saved and recent."""
    from desktop_app.core.user_data import MAX_REMEMBERED_QUERIES  # not at the start of the window

    before = next((each for each in library.collections.collections() if each.collection_id == collection_id), None)
    library.collections.rename(collection_id, name)
    now = next((each for each in library.collections.collections() if each.collection_id == collection_id), None)
    if before is None or now is None:  # a tag whose documents are all removed is not listed
        return

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
