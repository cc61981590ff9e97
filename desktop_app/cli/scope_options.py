"""Options that choose a part of the library, and lookup of documents, collections and tags by name."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from desktop_app.cli.argument_types import as_language_code, as_nonempty
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.records import list_ids
from desktop_app.core.scope import Scope
from desktop_app.core.stored_path import find_stored_path
from desktop_app.core.stored_text import fold_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from desktop_app.cli.session import CommandSession
    from desktop_app.core.records import CollectionKind, DocumentCollection


def add_scope_options(
    parser: argparse._ActionsContainer,
    where: str = "only in this document or folder (path, or id such as '#5'); repeatable",
) -> None:
    """Add `--in`, with `where` as its help, and the options that narrow the library to some documents."""
    parser.add_argument(
        "--in",
        dest="within",
        action="append",
        type=as_nonempty,
        default=[],
        metavar="PATH_OR_ID",
        help=where,
    )
    parser.add_argument(
        "--collection",
        dest="collections",
        action="append",
        type=as_nonempty,
        default=[],
        metavar="NAME",
        help="only documents in this collection; repeated: in all of them",
    )
    parser.add_argument(
        "--tag",
        dest="tags",
        action="append",
        type=as_nonempty,
        default=[],
        metavar="WORD",
        help="only documents with this tag; repeated: with all of them",
    )
    parser.add_argument(
        "--language",
        dest="languages",
        action="append",
        type=as_language_code,
        default=[],
        metavar="DE",
        help="only documents in this language; repeated: in any of them",
    )


def add_passage_option(parser: argparse._ActionsContainer) -> None:
    """Add the option for passages that are no sentences."""
    parser.add_argument(
        "--all-passages",
        action="store_true",
        help="also headings, fragments, table rows, form fields and repeated text, not only sentences",
    )


def build_scope(session: CommandSession) -> Scope:
    """Return the documents that `--in`, `--collection`, `--tag` and `--language` choose; without them all."""
    names = session.options.within
    collections, tags = (getattr(session.options, each, []) for each in ("collections", "tags"))
    if collections or tags:
        there = list_collections(session)
        for name in collections:
            if find_by_name(filter_by_kind(there, "collection"), name) is None:
                raise NotFound("There is no collection {name}", "`collections` lists all collections.", name=name)
        for tag in tags:
            if find_by_name(filter_by_kind(there, "tag"), tag) is None:
                raise NotFound("There is no tag {tag}", "`tags` lists all tags.", tag=tag)
    ids = find_document_ids(session, names) if names else None
    languages = frozenset(getattr(session.options, "languages", ())) or None
    return Scope(
        document_ids=ids,
        collections=tuple(collections),
        tags=tuple(tags),
        languages=languages,
        all_passages=getattr(session.options, "all_passages", False),
    )


def find_document_ids(session: CommandSession, names: Sequence[str]) -> frozenset[int]:
    """Return the ids of the documents that names, paths or ids mean.

    Raises:
        NotFound: one of them matches no document.
    """
    ids: set[int] = set()
    for name in names:
        found = session.find_documents(name)
        if not found:
            raise NotFound(
                "The library has no document or folder {name}", "`documents` lists all documents.", name=name
            )
        ids.update(document.document_id for document in found)
    return frozenset(ids)


def find_one_document(session: CommandSession, name: str) -> int:
    """Return the id of the one document that `name` means.

    Raises:
        NotFound: there is none.
        UsageError: there are several.
    """
    found = session.find_documents(name)
    if not found:
        raise NotFound("There is no document {name}", "`documents` lists all documents.", name=name)
    if len(found) > 1:
        raise UsageError(
            "{name} matches {count} documents: {ids}",
            "Give it by its path or id.",
            code="ambiguous",
            name=name,
            count=len(found),
            ids=list_ids(found),
        )
    return found[0].document_id


def refuse_to_overwrite_documents(session: CommandSession, output: str) -> None:
    """Refuse to overwrite a file of a document, at any of its places and by any path that leads there.

    Raises:
        UsageError: `output` is such a file.
    """
    if not os.path.exists(output):
        return
    stored = find_stored_path(output)
    file_name = os.path.basename(stored)
    names = [os.path.abspath(output), stored]
    if not file_name.isdigit() and not file_name.startswith("#"):
        names.append(file_name)
    for document in (each for name in dict.fromkeys(names) for each in session.find_documents(name)):
        for path in document.paths:
            with contextlib.suppress(OSError, ValueError):
                if os.path.samefile(path, output):
                    raise UsageError("{output} is a document of the library", "Give another --output.", output=output)


def filter_by_kind(there: list[DocumentCollection], kind: CollectionKind) -> list[DocumentCollection]:
    """Return only the collections, or only the tags."""
    return [each for each in there if each.kind == kind]


def find_by_name(there: Sequence[DocumentCollection], name: str) -> DocumentCollection | None:
    """Return the collection with a name, ignoring case and accents as the library does."""
    wanted = fold_text(" ".join(name.split()))
    return next((each for each in there if fold_text(each.name) == wanted), None)


def list_collections(session: CommandSession) -> list[DocumentCollection]:
    """Return every collection by name, then the tags."""
    return session.wait(session.workspace.read(lambda library: library.collections.collections()))
