"""The command `backup`: writes the library into a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.cli.argument_types import as_nonempty
from desktop_app.cli.output import escape_unprintable, format_count, print_json, print_line

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.session import CommandSession
    from desktop_app.core.records import BackupInfo


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "file", type=as_nonempty, metavar="FILE", help="the backup to write, a ZIP archive; it must not exist yet"
    )


def run(session: CommandSession) -> int:
    """Write the library into a file."""
    return print_backup(
        session, session.wait(session.workspace.maintenance.back_up(Path(session.options.file))), "Backed up to"
    )


def print_backup(session: CommandSession, info: BackupInfo, what: str) -> int:
    """Print where a backup or the library of one is; `what` are the words before the path."""
    if session.options.json:
        print_json(
            {
                "path": info.path,
                "documents": info.documents,
                "sentences": info.sentences,
                "size_bytes": info.size_bytes,
            }
        )
    else:
        counts = f"{format_count(info.documents, 'document')}, {format_count(info.sentences, 'sentence')}"
        print_line(f"{what} {escape_unprintable(info.path)} ({counts}, {info.size_bytes / 1e6:,.1f} MB)")
    return 0
