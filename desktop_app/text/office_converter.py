"""Converts documents of old Office formats (DOC, XLS, PPT) with LibreOffice, where it is installed.

LibreOffice runs without a window, with a profile of its own that is deleted afterwards, as a watched child process.
"""

from __future__ import annotations

import mmap
import os
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from desktop_app.core.errors import FileFailure
from desktop_app.text.child_program import find_program, run_program
from desktop_app.text.readers.reader_steps import Heartbeat

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

PROGRAM_VARIABLE = "KINDRED_SOFFICE"
"""The environment variable with the path of the program if it is in an unusual place; empty: use none."""
CONVERSION_S = 300.0
"""A file that takes longer is given up."""
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The start of a file of an old Office format."""
LegacyKind = Literal["docx", "spreadsheet", "presentation"]

_ELSEWHERE = (
    r"C:\Program Files\LibreOffice\program\soffice.exe",
    r"C:\Program Files (x86)\LibreOffice\program\soffice.exe",
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    "/usr/lib/libreoffice/program/soffice",
    "/opt/libreoffice/program/soffice",
)
_PARTS: tuple[tuple[str, LegacyKind], ...] = (
    ("WordDocument", "docx"),
    ("Workbook", "spreadsheet"),
    ("Book", "spreadsheet"),
    ("PowerPoint Document", "presentation"),
)
"""The streams that tell the formats apart."""
_ENCRYPTED = "EncryptedPackage"
_ENTRY_BYTES = 128
_WITHOUT_SCREEN = {"SAL_USE_VCLPLUGIN": "svp"}
_RESTART = 81
"""The status with which the program asks to be started again, as it does with a new profile."""
_MAX_STARTS = 3
_TARGETS: dict[LegacyKind, str] = {"docx": "docx", "spreadsheet": "xlsx", "presentation": "pptx"}


def detect_legacy_kind(file: Path) -> LegacyKind | None:
    """Return the format of a file that starts with `OLE`; None if it is none of those that can be converted.

    Raises:
        FileFailure: it is a new Office document with a password.
    """
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if _has_stream(data, _ENCRYPTED):
            raise FileFailure("locked", "The file is protected by a password")
        return next((kind for name, kind in _PARTS if _has_stream(data, name)), None)


def _has_stream(data: mmap.mmap, name: str) -> bool:
    """Return whether the directory of a compound file ([MS-CFB], 2.6.1) has a stream of this name."""
    wanted = name.encode("utf-16-le") + b"\0\0"
    at = data.find(wanted)
    while at >= 0:
        # An entry begins with its name, and says how many bytes that has.
        if at % _ENTRY_BYTES == 0 and int.from_bytes(data[at + 64 : at + 66], "little") == len(wanted):
            return True
        at = data.find(wanted, at + 1)
    return False


@contextmanager
def make_profile() -> Iterator[Path]:
    """Give a folder for the profile of the program and for what it writes; it is deleted at the end."""
    folder = Path(tempfile.mkdtemp())
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def convert_document(file: Path, kind: LegacyKind, folder: Path) -> Generator[Heartbeat, None, Path]:
    """Convert a document to the format that followed its own; return the new file.

    Args:
        file: the document.
        kind: its format.
        folder: receives the new file and the profile of the program.

    Raises:
        FileFailure: LibreOffice is not installed, takes too long, or cannot read the document.
    """
    program = _find_program()
    if program is None:
        raise FileFailure("unsupported", "The file is in an old Office format. Install LibreOffice to read it")
    target = _TARGETS[kind]
    # A name with a usual suffix: its own may be anything.
    source = folder / f"document.{target.removesuffix('x')}"
    shutil.copyfile(file, source)
    out = folder / "out"
    command = [
        program,
        f"-env:UserInstallation={(folder / 'profile').as_uri()}",
        *("--headless", "--invisible", "--norestore", "--nologo", "--nolockcheck", "--nodefault"),
        *("--convert-to", target, "--outdir", str(out), str(source)),
    ]
    status = _RESTART
    for _ in range(_MAX_STARTS):
        if status == _RESTART:
            status = yield from run_program(command, Heartbeat(), most_s=CONVERSION_S, environment=_WITHOUT_SCREEN)
    made = out / f"document.{target}"
    if not made.is_file():
        raise FileFailure("damaged", "LibreOffice cannot read the file; it is damaged, or protected by a password")
    return made


def _find_program() -> str | None:
    named = os.environ.get(PROGRAM_VARIABLE)
    if named is not None:
        return shutil.which(named) if named else None
    found = find_program("soffice") or find_program("libreoffice")
    found = found or next((each for each in _ELSEWHERE if Path(each).is_file()), None)
    if found is None or sys.platform != "linux":
        return found
    # The script starts another program, which would outlive it.
    real = Path(found).resolve().with_name("soffice.bin")
    return str(real) if real.is_file() else found
