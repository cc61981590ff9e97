"""The command `relink`: changes the folder of moved documents."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desktop_app.cli.argument_types import as_nonempty
from desktop_app.cli.output import format_count, print_json, print_line, print_note
from desktop_app.core.errors import NotFound

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.command_table import LibraryAccess
    from desktop_app.cli.session import CommandSession


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("old", type=as_nonempty, metavar="OLD", help="the old folder or file, as in the library")
    parser.add_argument(
        "new", type=as_nonempty, metavar="NEW", help="its new path; of a file also the folder it is in now"
    )


def choose_access(options: argparse.Namespace) -> LibraryAccess:
    """Return how the command opens the library."""
    return "write"


def run(session: CommandSession) -> int:
    """Change the folder of moved documents."""
    options = session.options
    if not os.path.exists(options.new):
        raise NotFound("{new} does not exist", "Give the folder's new path.", new=options.new)
    old = os.path.abspath(options.old)
    done = session.wait(session.workspace.watched_folders.relink_folder(old, options.new))
    if not done.moved and not done.left:
        raise NotFound("The library has no documents in {old}", "`documents` lists all documents.", old=options.old)
    if session.options.json:
        print_json({"moved": done.moved, "left": done.left})
    else:
        print_line(f"{format_count(done.moved, 'document')} found at the new path")
    if done.left:
        print_note(f"{format_count(done.left, 'document')} not found there; left unchanged")
    return 1 if done.left else 0
