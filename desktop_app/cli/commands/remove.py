"""The command `remove`: takes documents out of the library and erases them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.cli.argument_types import as_nonempty
from desktop_app.cli.output import (
    print_json,
    print_line,
)
from desktop_app.core.errors import NotFound
from desktop_app.core.jobs import ChangeSet

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.command_table import LibraryAccess
    from desktop_app.cli.session import CommandSession


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "documents", nargs="+", type=as_nonempty, metavar="DOCUMENT", help="id, path, folder or file name"
    )


def choose_access(options: argparse.Namespace) -> LibraryAccess:
    """Return how the command opens the library."""
    return "write"


def run(session: CommandSession) -> int:
    """Remove documents and erase their content."""
    ids: dict[int, None] = {}
    for name in session.options.documents:
        found = session.find_documents(name)
        if not found:
            raise NotFound("No document is named {name}", "`documents` lists what there is.", name=name)
        ids.update(dict.fromkeys(document.document_id for document in found))
    removed = session.wait(
        session.workspace.change(
            lambda library: library.documents.remove(list(ids)), ChangeSet(listing=True, sentences=True)
        )
    )
    session.wait(session.workspace.maintenance.purge())
    if session.options.json:
        print_json({"removed": removed})
    else:
        print_line(f"{removed} removed")
    return 0
