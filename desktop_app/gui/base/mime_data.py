"""The contents of a drag or the clipboard."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData

DOCUMENTS_MIME = "application/x-kindred-documents"
"""A JSON list of ids: documents that are dragged within a window."""


def mime_files(data: QMimeData) -> list[str]:
    """Return the files and folders of a drag or of the clipboard."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


def mime_text(data: QMimeData) -> str:
    """Return the text of a drag or of the clipboard; empty where it only names files or addresses."""
    return data.text() if data.hasText() and not data.hasUrls() and data.text().strip() else ""


def mime_documents(data: QMimeData) -> list[int]:
    """Return the ids of dragged documents of the library."""
    return [int(each) for each in json.loads(bytes(data.data(DOCUMENTS_MIME).data()) or b"[]")]
