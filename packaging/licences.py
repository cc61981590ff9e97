"""Collect the licences of bundled files that are not Python packages, which include their own.

These are Python itself, the program that starts a bundle, and libraries of the system on which it was built. The window
lists them with all others.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_NAMED = re.compile(r"^License: *(\S[^\n]*)$", re.MULTILINE)
_MOST_NAMES = 4


def write(files: Iterable[str], target: Path, own: Iterable[Path] = ()) -> list[str]:
    """Write name, version, licence and licence text of each component of `files`, for the window to read.

    Args:
        files: the original paths of the bundled libraries.
        target: the file to write.
        own: folders of the program itself; their files need no licence of their own.

    Returns:
        the files whose licence is unknown.
    """
    skipped = [Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")] + list(own)
    parts = {"PyInstaller": _starter()}
    unknown = []
    for file in sorted({Path(os.path.realpath(each)) for each in files}):
        if any(file.is_relative_to(os.path.realpath(folder)) for folder in skipped):
            continue
        part = _of_system(file) or _of_python(file)
        if part is None:
            unknown.append(str(file))
        else:
            _add(parts, part)
    if not any("python" in name.lower() for name in parts):
        _add(parts, _python())
    target.write_text(json.dumps([parts[name] for name in sorted(parts, key=str.lower)], indent=1), "utf-8")
    return unknown


def _add(parts: dict[str, dict[str, str]], part: dict[str, str]) -> None:
    known = parts.setdefault(part["name"], part)
    if part["text"] not in known["text"]:
        known["text"] += "\n\n" + part["text"]


def _starter() -> dict[str, str]:
    found = importlib.metadata.distribution("pyinstaller")
    texts = [file.read_text("utf-8") for file in found.files or () if file.name == "COPYING.txt"]
    licence = "GPL-2.0-or-later WITH Bootloader-exception"
    return {"name": "PyInstaller", "version": found.version, "licence": licence, "text": "\n\n".join(texts)}


def _python() -> dict[str, str]:
    folders = (Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix), Path(sys.base_prefix, "share", "doc"))
    files = [folder / name for folder in folders for name in ("LICENSE.txt", "LICENSE")]
    text = next((file.read_text("utf-8") for file in files if file.is_file()), "")
    version = ".".join(map(str, sys.version_info[:3]))
    return {"name": "Python", "version": version, "licence": "PSF-2.0", "text": text}


def _of_python(file: Path) -> dict[str, str] | None:
    return _python() if file.is_relative_to(os.path.realpath(sys.base_prefix)) else None


def _of_system(file: Path) -> dict[str, str] | None:
    """Return the component of a file from a Debian package, named after its source package."""
    if shutil.which("dpkg") is None:
        return None
    # Query by file name: the package may list a folder that is now a link.
    listing = subprocess.run(["dpkg", "-S", f"*/{file.name}"], capture_output=True, text=True, check=False).stdout
    for line in listing.splitlines():
        package, _, path = line.partition(": ")
        if os.path.realpath(path) == str(file):
            about = ["dpkg-query", "--show", "--showformat=${source:Package} ${source:Version}", package]
            name, version = subprocess.run(about, capture_output=True, text=True, check=True).stdout.split()
            copyright_ = Path("/usr/share/doc", package.partition(":")[0], "copyright")
            if not copyright_.is_file():
                return None
            text = copyright_.read_text("utf-8", "replace").strip()
            names = list(dict.fromkeys(_NAMED.findall(text)))
            licence = ", ".join(names[:_MOST_NAMES]) + (", …" if len(names) > _MOST_NAMES else "")
            return {"name": name, "version": version, "licence": licence, "text": text}
    return None
