"""The contents of a drag or the clipboard."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QDropEvent

_MAX_LISTED_FILES, _MAX_PATH_CHARACTERS = 1000, 4000
DOCUMENTS_MIME = f"application/x-kindred-documents-{os.getpid()}"
"""A JSON list of ids: documents that are dragged within a window. In another process, ids are of another library."""
SENTENCES_MIME = "application/x-kindred-sentences"
"""UTF-8: the sentences of dragged hits, without the quotation marks and citations of the plain text."""


def mime_files(data: QMimeData) -> list[str]:
    """Return the files and folders of a drag or of the clipboard, also those that a text lists, one path a line.

    The files of documents that are dragged within the window are meant for other programs.
    """
    if data.hasFormat(DOCUMENTS_MIME):
        return []
    if data.hasUrls():
        return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    return _listed_files(data.text()) if data.hasText() else []


def _listed_files(text: str) -> list[str]:
    """Return the paths of a text in which every line is the full path of a file or folder; else none."""
    lines = [line.strip().strip("\"'") for line in text.splitlines() if line.strip()]
    if not lines or len(lines) > _MAX_LISTED_FILES:
        return []
    paths = [QUrl(line).toLocalFile() if line.startswith("file://") else line for line in lines]
    is_list = all(len(path) <= _MAX_PATH_CHARACTERS and os.path.isabs(path) and os.path.exists(path) for path in paths)
    return paths if is_list else []


def mime_text(data: QMimeData) -> str:
    """Return the text of a drag or of the clipboard; empty where it only names files or addresses."""
    is_text = data.hasText() and not data.hasUrls() and bool(data.text().strip()) and not _listed_files(data.text())
    return data.text() if is_text else ""


def mime_sentences(data: QMimeData) -> str:
    """Return the text of a drag or of the clipboard, of dragged hits only their sentences."""
    if data.hasFormat(SENTENCES_MIME):
        return bytes(data.data(SENTENCES_MIME).data()).decode()
    return data.text()


def accept_as_copy(event: QDropEvent) -> None:
    """Accept a drop as a copy: after a move, the file manager would delete the files."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


def mime_documents(data: QMimeData) -> list[int]:
    """Return the ids of dragged documents of the library."""
    return [int(each) for each in json.loads(bytes(data.data(DOCUMENTS_MIME).data()) or b"[]")]
