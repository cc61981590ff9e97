"""The command `restore`: makes a library of a backup."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.cli.argument_types import as_nonempty
from desktop_app.cli.commands.backup import print_backup

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.session import CommandSession


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("file", type=as_nonempty, metavar="FILE", help="a backup")
    parser.add_argument(
        "folder", type=as_nonempty, metavar="DIR", help="folder of the new library: empty, or not created yet"
    )


def run(session: CommandSession) -> int:
    """Make a library from a backup."""
    options = session.options
    return print_backup(
        session,
        session.wait(session.workspace.maintenance.restore(Path(options.file), Path(options.folder))),
        "Restored in",
    )
