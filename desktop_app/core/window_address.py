"""Where the window of a library listens: a file in the person's own folder holds the name of its socket."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def window_file(folder: Path, library: Path, suffix: str) -> Path:
    """Return a file of the window of a library: its lock or its address.

    Args:
        folder: the folder of the person's settings.
        library: the folder of the library; need not exist.
        suffix: `.lock` or `.address`.
    """
    name = hashlib.sha256(os.fsencode(os.path.normcase(os.path.realpath(library)))).hexdigest()[:16]
    return folder / f"window-{name}{suffix}"


def read_window_address(folder: Path, library: Path) -> str:
    """Return the name of the socket of the window of a library; empty if none is open."""
    try:
        return window_file(folder, library, ".address").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
