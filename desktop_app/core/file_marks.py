"""What Windows and macOS record of a file besides its name: that it is hidden, or that its content is in a cloud."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os

_RECALL_ON_OPEN, _RECALL_ON_DATA_ACCESS = 0x0004_0000, 0x0040_0000
_ONLINE_ON_WINDOWS = stat.FILE_ATTRIBUTE_OFFLINE | _RECALL_ON_OPEN | _RECALL_ON_DATA_ACCESS
_DATALESS_ON_MACOS = 0x4000_0000  # SF_DATALESS of <sys/stat.h>


def is_marked_hidden(status: os.stat_result) -> bool:
    """Return whether a file or folder is hidden, such as `AppData` on Windows and `Library` on macOS."""
    attributes, flags = _read_marks(status)
    return bool(attributes & stat.FILE_ATTRIBUTE_HIDDEN or flags & stat.UF_HIDDEN)


def is_online_only(status: os.stat_result) -> bool:
    """Return whether only OneDrive, iCloud or their like have the content of a file: to read it would download it."""
    attributes, flags = _read_marks(status)
    return bool(attributes & _ONLINE_ON_WINDOWS or flags & _DATALESS_ON_MACOS)


def _read_marks(status: os.stat_result) -> tuple[int, int]:
    """Return the attributes that Windows gives a file, and the flags that macOS gives it; 0 on other systems."""
    return getattr(status, "st_file_attributes", 0), getattr(status, "st_flags", 0)
