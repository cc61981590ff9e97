"""The command `remove`: takes documents out of the library and erases them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desktop_app.cli.argument_types import as_nonempty
from desktop_app.cli.output import escape_unprintable, print_json, print_line
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.jobs import ChangeSet
from desktop_app.core.records import list_ids
from desktop_app.engine.relocation import relative_path

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.command_table import LibraryAccess
    from desktop_app.cli.session import CommandSession
    from desktop_app.core.records import Document


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "documents", nargs="+", type=as_nonempty, metavar="DOCUMENT", help="id ('#5'), path, folder or file name"
    )


def choose_access(options: argparse.Namespace) -> LibraryAccess:
    """Return how the command opens the library."""
    return "write"


def run(session: CommandSession) -> int:
    """Remove documents and erase their content; of a document with copies, a path removes the files there alone."""
    chosen: dict[int, Document] = {}
    paths: dict[str, None] = {}
    for name in session.options.documents:
        found = session.find_documents(name)
        if not found:
            raise NotFound("There is no document {name}", "`documents` lists all documents.", name=name)
        if len(found) > 1 and not os.path.lexists(name) and all(_has_name(each, name) for each in found):
            raise UsageError(
                "{name} matches {count} documents: {ids}",
                "Give each by its path or id.",
                code="ambiguous",
                name=name,
                count=len(found),
                ids=list_ids(found),
            )
        chosen |= {document.document_id: document for document in found}
        files = [
            path for each in found for path in each.paths if relative_path(path, os.path.abspath(name)) is not None
        ]
        paths |= dict.fromkeys(files or [path for each in found for path in each.paths])
    removed = session.wait(
        session.workspace.change(
            lambda library: library.copies.remove(list(paths)), ChangeSet(listing=True, sentences=True)
        )
    )
    session.wait(session.workspace.maintenance.purge())
    documents = [chosen[number] for number in removed.document_ids]
    copies = [(number, copy.path) for number, copy in removed.copies if number not in removed.document_ids]
    if session.options.json:
        rows = [{"document_id": each.document_id, "title": each.title, "path": each.path} for each in documents]
        files_json = [{"document_id": number, "path": path} for number, path in copies]
        print_json({"removed": len(documents), "documents": rows, "copies": files_json})
        return 0
    for each in documents:
        print_line(f"{f'#{each.document_id}':>6}  {escape_unprintable(each.title)}  {escape_unprintable(each.path)}")
    for number, path in copies:
        print_line(f"{f'#{number}':>6}  only its copy {escape_unprintable(path)}; the document stays")
    print_line(f"{len(documents)} removed")
    return 0


def _has_name(document: Document, name: str) -> bool:
    return name in map(os.path.basename, document.paths)
