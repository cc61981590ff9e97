"""The path of a file as its file system stores it: macOS also finds it in other letter case, and with other accents."""

from __future__ import annotations

import os
import sys
from unicodedata import normalize


def find_stored_path(path: str, listings: dict[str, list[str]] | None = None) -> str:
    """Return an absolute path without links, each name as it stands in its folder; of what does not exist as it is.

    Qt composes the accents of each name, the Finder takes them apart: one file would be two documents, and a document
    could be overwritten under its other name. Windows resolves names like links; elsewhere such names are different.

    Args:
        path: of a file or folder.
        listings: the names in folders; kept from one call to the next for files of the same folders.

    Raises:
        ValueError: there is a NUL in the path.
    """
    real = os.path.realpath(path)
    if sys.platform != "darwin":
        return real
    listings = {} if listings is None else listings
    at = os.sep
    for name in real.split(os.sep)[1:]:
        at = os.path.join(at, _find_stored_name(at, name, listings))
    return at


def _find_stored_name(folder: str, name: str, listings: dict[str, list[str]]) -> str:
    if folder not in listings:
        try:
            listings[folder] = os.listdir(folder)
        except OSError:  # it does not exist, or only what is named in it may be seen
            listings[folder] = []
    if name in listings[folder]:
        return name
    wanted = _fold_name(name)
    for each in listings[folder]:
        if _fold_name(each) == wanted and _is_same_file(os.path.join(folder, each), os.path.join(folder, name)):
            return each
    return name


def _fold_name(name: str) -> str:
    return normalize("NFC", normalize("NFC", name).casefold())


def _is_same_file(first: str, second: str) -> bool:
    try:
        return os.path.samefile(first, second)
    except OSError:
        return False
