"""New libraries as copies of one that was made before: the same bytes, without all the migrations each time."""

from __future__ import annotations

import functools
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from desktop_app.core.private_files import open_private


@functools.cache
def _read_new_database(application_id: int) -> bytes:
    from desktop_app.store.database import Database, create_database
    from desktop_app.store.migrations import migrate

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "library.db"
        create_database(file, file.with_suffix(".draft"), application_id)
        database = Database(file, writable=True)
        migrate(database)
        database.close()
        return file.read_bytes()


def copy_new_database(file: Path, draft: Path, application_id: int) -> None:
    """In place of `create_database`: the database is migrated already."""
    content = _read_new_database(application_id)
    with open_private(draft, "wb") as target:
        target.write(content)
    os.replace(draft, file)


def choose_creation(*, copies: bool) -> None:
    """Make new libraries by copying, or step by step; does nothing until the store is loaded."""
    library: Any = sys.modules.get("desktop_app.store.library")
    if library is not None:
        library.create_database = (
            copy_new_database if copies else sys.modules["desktop_app.store.database"].create_database
        )
