"""The commands that keep a library safe or take it elsewhere: `backup`, `restore`, `relink`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.cli.output import answer, counted, note, say, shown
from desktop_app.core.errors import NotFound

if TYPE_CHECKING:
    from desktop_app.cli.session import Session
    from desktop_app.core.records import BackupInfo


def backup(session: Session) -> int:
    """Write the library into a file."""
    return _say(session, session.wait(session.workspace.caring.back_up(Path(session.options.file))), "Backed up to")


def restore(session: Session) -> int:
    """Make a library of a backup."""
    options = session.options
    return _say(
        session, session.wait(session.workspace.caring.restore(Path(options.file), Path(options.folder))), "Restored in"
    )


def _say(session: Session, info: BackupInfo, what: str) -> int:
    if session.options.json:
        answer(
            {
                "path": info.path,
                "documents": info.documents,
                "sentences": info.sentences,
                "size_bytes": info.size_bytes,
            }
        )
    else:
        counts = f"{counted(info.documents, 'document')}, {counted(info.sentences, 'sentence')}"
        say(f"{what} {shown(info.path)} ({counts}, {info.size_bytes / 1e6:,.1f} MB)")
    return 0


def relink(session: Session) -> int:
    """Say where documents lie now."""
    options = session.options
    if not os.path.exists(options.new):
        raise NotFound(f"{options.new} is not there", "Name where the folder lies now.")
    old = os.path.abspath(options.old)
    done = session.wait(session.workspace.following.relink_folder(old, options.new))
    if not done.moved and not done.left:
        raise NotFound(f"The library has no document in {options.old}", "`documents` lists what there is.")
    if session.options.json:
        answer({"moved": done.moved, "left": done.left})
    else:
        say(f"{counted(done.moved, 'document')} found in the new place")
        if done.left:
            note(f"{counted(done.left, 'document')} not found there; they stay as they were")
    return 1 if done.left else 0
