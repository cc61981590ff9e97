"""Where the window of a library listens: a file in the person's own folder holds the name of its socket."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from desktop_app.core.shared_address import SharedAddress

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_app.core.library_place import LibraryPlace


def window_file(folder: Path, library: LibraryPlace, suffix: str) -> Path:
    """Return a file of the window of a library: its lock or its address.

    Args:
        folder: the folder of the person's settings.
        library: where the library is; need not exist.
        suffix: `.lock` or `.address`.
    """
    if isinstance(library, SharedAddress):
        key = str(library).encode()
    else:
        key = os.fsencode(os.path.normcase(os.path.realpath(library)))
    name = hashlib.sha256(key).hexdigest()[:16]
    return folder / f"window-{name}{suffix}"


def read_window_address(folder: Path, library: LibraryPlace) -> str:
    """Return the name of the socket of the window of a library; empty if none is open."""
    try:
        return window_file(folder, library, ".address").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
