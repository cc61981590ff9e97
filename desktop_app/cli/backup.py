"""The commands `backup`, `restore` and `relink`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.cli.output import escape_unprintable, format_count, print_json, print_line, print_note
from desktop_app.core.errors import NotFound

if TYPE_CHECKING:
    from desktop_app.cli.session import CommandSession
    from desktop_app.core.records import BackupInfo


def run_backup(session: CommandSession) -> int:
    """Write the library into a file."""
    return _print_backup(
        session, session.wait(session.workspace.maintenance.back_up(Path(session.options.file))), "Backed up to"
    )


def run_restore(session: CommandSession) -> int:
    """Make a library of a backup."""
    options = session.options
    return _print_backup(
        session,
        session.wait(session.workspace.maintenance.restore(Path(options.file), Path(options.folder))),
        "Restored in",
    )


def _print_backup(session: CommandSession, info: BackupInfo, what: str) -> int:
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


def run_relink(session: CommandSession) -> int:
    """Say where documents lie now."""
    options = session.options
    if not os.path.exists(options.new):
        raise NotFound(f"{options.new} is not there", "Name where the folder lies now.")
    old = os.path.abspath(options.old)
    done = session.wait(session.workspace.watched_folders.relink_folder(old, options.new))
    if not done.moved and not done.left:
        raise NotFound(f"The library has no document in {options.old}", "`documents` lists what there is.")
    if session.options.json:
        print_json({"moved": done.moved, "left": done.left})
    else:
        print_line(f"{format_count(done.moved, 'document')} found in the new place")
        if done.left:
            print_note(f"{format_count(done.left, 'document')} not found there; they stay as they were")
    return 1 if done.left else 0
