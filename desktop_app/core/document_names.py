"""Which documents a person means by a name (an id, a path, a folder, a file name); tells those of one name apart."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.core.errors import UsageError
from desktop_app.core.records import list_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from desktop_app.core.records import Document, Hit

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


def tell_names_apart(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names of documents, with what tells those of one name apart: "report (2022)".

    Args:
        names: by the absolute path of each document.
    """
    by_name: dict[str, list[str]] = {}
    for path, name in names.items():
        by_name.setdefault(name, []).append(path)
    told = dict(names)
    for name, paths in by_name.items():
        for path, parts in _tell_paths_apart(paths).items():
            told[path] = f"{name} ({parts})" if parts else name
    return told


def tell_hits_apart(hits: Iterable[Hit]) -> list[Hit]:
    """Return hits with titles that tell their documents apart."""
    listed = list(hits)
    titles = tell_names_apart({hit.path: hit.title for hit in listed})
    return [replace(hit, title=titles[hit.path]) for hit in listed]


def _tell_paths_apart(paths: Sequence[str]) -> dict[str, str]:
    """Return the parts of each path in which it differs from the others: "2023", or "work/2023".

    They are names of files, or of the folders or archives they are in; empty for a single path, and for
    one that is the end of the others.
    """
    parts = {path: path.replace("\\", "/").split("/")[::-1] for path in paths}
    found: dict[str, list[str]] = {path: [] for path in parts}
    groups = [list(parts)]
    for level in range(max(map(len, parts.values()), default=0)):
        same_so_far, groups = groups, []
        for group in same_so_far:
            by_part: dict[str, list[str]] = {}
            for path in group:
                by_part.setdefault("".join(parts[path][level : level + 1]), []).append(path)
            for part, same in by_part.items():
                if part and len(by_part) > 1:
                    for path in same:
                        found[path].insert(0, part)
                if len(same) > 1:
                    groups.append(same)
    return {path: "/".join(each) for path, each in found.items()}
