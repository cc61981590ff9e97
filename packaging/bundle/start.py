"""Entry point of a bundle: runs the work of a worker process, or else the program."""

from __future__ import annotations

import multiprocessing
import os
import sys


def _give_back_library_path() -> None:
    """Undo the starter's change of the library path: programs that open files for Kindred need their own."""
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        original = os.environ.pop(f"{name}_ORIG", None)
        if original is not None:
            os.environ[name] = original
        else:
            os.environ.pop(name, None)


def _choose_index() -> None:
    """Select the index library that suits the processor: compiled for AVX2, or for all processors.

    `KINDRED_INDEX=anywhere` selects the one for all.
    """
    folder = os.path.join(getattr(sys, "_MEIPASS", ""), "fast_index")
    if os.environ.get("KINDRED_INDEX") != "anywhere" and os.path.isdir(folder) and has_avx2():
        sys.path.insert(0, folder)


def has_avx2(cpuinfo: str = "/proc/cpuinfo") -> bool:
    """Return whether processor and system support everything that `-march=x86-64-v3` assumes.

    Linux lists what it supports; Windows answers for AVX2, which no processor has without the rest.
    """
    if sys.platform == "win32":
        import ctypes

        return bool(ctypes.windll.kernel32.IsProcessorFeaturePresent(40))  # PF_AVX2_INSTRUCTIONS_AVAILABLE
    try:
        with open(cpuinfo, encoding="ascii", errors="replace") as file:
            flags = next((line.split() for line in file if line.startswith("flags")), [])
    except OSError:
        return False
    return {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"} <= set(flags)


if __name__ == "__main__":
    _choose_index()  # also in worker processes, which never return from the next line
    multiprocessing.freeze_support()
    _give_back_library_path()
    from desktop_app.__main__ import main

    sys.exit(main())
