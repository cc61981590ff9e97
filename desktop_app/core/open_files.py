"""How many files the program may have open."""

from __future__ import annotations

import sys
from contextlib import suppress

_WANTED = 4096


def allow_many_open_files() -> None:
    """Raise the limit of open files where the system lets a program do so.

    macOS allows 256 unless a program asks for more. A library keeps the file of each graph open: forty of a million
    sentences.
    """
    if sys.platform != "win32":
        import resource

        allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _WANTED if most == resource.RLIM_INFINITY else min(_WANTED, most)
        if allowed != resource.RLIM_INFINITY and allowed < wanted:
            with suppress(OSError, ValueError):  # the system may have a lower limit of its own
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
