"""The command `remove`: takes documents out of the library and erases them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desktop_app.cli.argument_types import as_nonempty
from desktop_app.cli.output import escape_unprintable, print_json, print_line
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.jobs import ChangeSet
from desktop_app.core.records import list_ids

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
    """Remove documents and erase their content."""
    chosen: dict[int, Document] = {}
    for name in session.options.documents:
        found = session.find_documents(name)
        if not found:
            raise NotFound("There is no document {name}", "`documents` lists all documents.", name=name)
        if len(found) > 1 and not os.path.lexists(name) and {os.path.basename(each.path) for each in found} == {name}:
            raise UsageError(
                "{name} matches {count} documents: {ids}",
                "Give each by its path or id.",
                code="ambiguous",
                name=name,
                count=len(found),
                ids=list_ids(found),
            )
        chosen |= {document.document_id: document for document in found}
    removed = session.wait(
        session.workspace.change(
            lambda library: library.documents.remove(list(chosen)), ChangeSet(listing=True, sentences=True)
        )
    )
    session.wait(session.workspace.maintenance.purge())
    if session.options.json:
        rows = [{"document_id": each.document_id, "title": each.title, "path": each.path} for each in chosen.values()]
        print_json({"removed": removed, "documents": rows})
        return 0
    for each in chosen.values():
        print_line(f"{f'#{each.document_id}':>6}  {escape_unprintable(each.title)}  {escape_unprintable(each.path)}")
    print_line(f"{removed} removed")
    return 0
