"""Which documents a person means by a name (an id, a path, a folder, the name of a file)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desktop_app.core.errors import UsageError
from desktop_app.core.records import list_ids

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.records import Document

    Find = Callable[[str], list[Document]]


def parse_id(text: str) -> int | None:
    """Return a text as an id; None if it is none, or a number too large for a database."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def find_named_documents(
    name: str, find_by_id: Callable[[int], list[Document]], find_by_path: Find, find_by_file_name: Find
) -> list[Document]:
    """Return the documents that `name` means; see `core.library.DocumentStore.find`.

    Args:
        name: that a person gave.
        find_by_id: returns the document with an id.
        find_by_path: returns the documents at or below an absolute path.
        find_by_file_name: returns the documents whose file has a name.

    Raises:
        UsageError: a bare id is also a file, a folder or a document's name; or a file name is that of another file
            here, which is not in the library.
    """
    if name.startswith("#") and (number := parse_id(name[1:])) is not None:
        return find_by_id(number)
    if not name:
        return []
    by_path = find_by_path(os.path.abspath(name))
    found = by_path or find_by_file_name(name)
    number = parse_id(name)
    by_id = find_by_id(number) if number is not None else []
    is_here = os.path.lexists(name)
    if by_id and (is_here or found) and found != by_id:
        raise UsageError(
            "{name} is the id of a document, and also the name of a file or folder",
            "Write '#{name}' for the id, or a path such as ./{name} for the file or folder.",
            code="ambiguous",
            name=name,
        )
    if found and not by_path and is_here:
        raise UsageError(
            "{name} is here, but not in the library; a document elsewhere has the same name: {ids}",
            "Give the document's path or id.",
            code="ambiguous",
            name=name,
            ids=list_ids(found),
        )
    return found or by_id
