"""Loads a DLL of torch before Qt on Windows."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
from pathlib import Path


def load_before_qt() -> None:
    """Load a first DLL of torch, and with it the C++ runtime that torch was built for.

    PySide6 brings an older one; if that is loaded first, torch cannot be initialised. On other systems this does
    nothing, and if it fails, torch itself reports the reason when it is needed.
    """
    if sys.platform == "win32":
        spec = importlib.util.find_spec("torch")
        for place in (spec.submodule_search_locations or ()) if spec is not None else ():
            import ctypes

            folder = Path(place) / "lib"
            with contextlib.suppress(OSError), os.add_dll_directory(str(folder)):
                ctypes.WinDLL(str(folder / "c10.dll"))
