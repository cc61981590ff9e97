"""A copy of the database made before a migration, kept until the library opens once more."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from desktop_app.core.errors import StorageFull

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_app.store.database import Database

_SUFFIX = ".backup"
_SPARE_BYTES = 50_000_000
"""What a migration itself may need beside the copy."""


def copy_before_migration(database: Database, version: int) -> Path:
    """Copy the database of a library to beside it; returns the copy.

    Args:
        database: open for writing, outside of a transaction.
        version: of the form that it has.

    Raises:
        StorageFull: there is no room for a copy; nothing was changed.
    """
    file = database.file
    needed, free = file.stat().st_size + _SPARE_BYTES, shutil.disk_usage(file.parent).free
    if free < needed:
        raise StorageFull(
            f"The library in {file.parent} has to be brought up to date, and there is no room for a copy of it: "
            f"{needed // 1_000_000} MB are needed, {free // 1_000_000} MB are free",
            "Make room on the disk and start again; nothing was changed.",
        )
    copy = file.with_name(f"{file.stem}-{version}{_SUFFIX}")
    draft = copy.with_suffix(".copying")
    draft.unlink(missing_ok=True)
    database.copy_to(draft)
    os.replace(draft, copy)
    return copy


def delete_copies(folder: Path) -> None:
    """Delete the copies of a library: it works in its new form, or what was removed from it must be nowhere."""
    for copy in folder.glob(f"*{_SUFFIX}"):
        copy.unlink(missing_ok=True)
