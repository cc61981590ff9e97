"""Opens files, shows folders and copies texts with the programs of the desktop."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from desktop_app.core.vaults import make_obsidian_link
from desktop_app.gui.base.display_text import translate

_MAX_COPIED_CHARACTERS = 120


def file_on_disk(path: str) -> Path:
    """Return the file of a path; for a member of an archive, the archive."""
    file = Path(path)
    return next((above for above in file.parents if above.is_file()), file) if not file.exists() else file


def open_file(path: str) -> bool:
    """Open a file in the system's program for it; returns whether the request was sent."""
    file = file_on_disk(path)
    return file.exists() and QDesktopServices.openUrl(QUrl.fromLocalFile(str(file)))


def open_in_obsidian(path: str) -> bool:
    """Open a note in Obsidian; returns whether the request was sent."""
    link = make_obsidian_link(path)
    return bool(link) and QDesktopServices.openUrl(QUrl(link))


def show_in_folder(path: str) -> bool:
    """Show a file in the system's file manager; returns whether the request was sent."""
    file = file_on_disk(path)
    if file.exists():
        if sys.platform == "win32":
            # Qt quotes only arguments with blanks, and a comma in a name would end the argument for the Explorer.
            explorer = Path(os.environ.get("SYSTEMROOT", r"C:\Windows"), "explorer.exe")
            return _start_program(f'"{explorer}" /select,"{file}"')
        if sys.platform == "darwin":
            return bool(QProcess.startDetached("open", ["-R", str(file)])[0])
    return file.parent.is_dir() and QDesktopServices.openUrl(QUrl.fromLocalFile(str(file.parent)))


def _start_program(command: str) -> bool:
    try:
        subprocess.Popen(command)
    except OSError:
        return False
    return True


def open_link(address: str) -> bool:
    """Open a link of another program, such as `zotero://`; returns whether the request was sent."""
    return QDesktopServices.openUrl(QUrl(address))


def copy_text(text: str) -> str:
    """Copy a text to the clipboard; return a line that says so."""
    QGuiApplication.clipboard().setText(text)
    line = " ".join(text.split())
    if len(line) > _MAX_COPIED_CHARACTERS:
        line = f"{line[: _MAX_COPIED_CHARACTERS - 1].rstrip()}…"
    return translate("desktop", "Copied: {text}").format(text=line)
