"""Puts a finished file or folder in the place of another one."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_PATIENCE_S = 2.0
_PAUSE_S = 0.02


def replace_file(source: Path, target: Path) -> None:
    """Give a file or folder the name of another, as `os.replace` does.

    Windows refuses it while anyone has either of them open, or a file in that folder: a virus scanner and the system's
    search look at each new file for a moment, another process of this program at the one to be replaced.

    Raises:
        OSError: it is not possible, on Windows for more than a moment.
    """
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            os.replace(source, target)
        except PermissionError:
            if sys.platform != "win32" or time.monotonic() >= deadline:
                raise
            time.sleep(_PAUSE_S)
        else:
            return
