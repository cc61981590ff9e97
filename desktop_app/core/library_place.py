"""Where a library is: in a folder of this computer, or at an address of a server."""

from __future__ import annotations

from pathlib import Path

from desktop_app.core.errors import UsageError
from desktop_app.core.shared_address import SharedAddress, is_shared_address, parse_shared_address

LibraryPlace = Path | SharedAddress


def parse_library_place(text: str) -> LibraryPlace | None:
    """Return the place that a stored text means; None if it is a damaged address."""
    if not is_shared_address(text):
        return Path(text)
    try:
        return parse_shared_address(text)
    except UsageError:
        return None


def is_same_place(first: LibraryPlace, second: LibraryPlace) -> bool:
    """Return whether two places are the same library; folders are compared without links."""
    if isinstance(first, Path) and isinstance(second, Path):
        return first.resolve() == second.resolve()
    return first == second
