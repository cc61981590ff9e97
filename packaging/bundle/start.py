"""Where a bundle begins: a process that was started to work goes to its work, all others become the program."""

from __future__ import annotations

import multiprocessing
import os
import sys


def _give_back_library_path() -> None:
    """Undo what the bundle's starter did to the search path: programs that we open files with have their own."""
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        original = os.environ.pop(f"{name}_ORIG", None)
        if original is not None:
            os.environ[name] = original
        else:
            os.environ.pop(name, None)


if __name__ == "__main__":
    multiprocessing.freeze_support()
    _give_back_library_path()
    from desktop_app.__main__ import main

    sys.exit(main())
