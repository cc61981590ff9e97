"""Keeps what is exported from being written over a document of the library."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from desktop_app.gui.main_window import MainWindow


def refusal(window: MainWindow, file: str) -> str:
    """Return why a file must not be written over: it is a document of the library. Empty where it may be."""
    target = os.path.realpath(file)
    documents = (leaf.document.path for leaf in window.documents.forest.leaves.values())
    if any(target == os.path.realpath(path) for path in documents):
        return translate("tracing", "{name} is a document of this library. Choose another name.").format(name=file)
    return ""
