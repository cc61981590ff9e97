"""Keeps what is exported from being written over a document of the library."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from desktop_app.gui.main_window import MainWindow


def refusal(window: MainWindow, file: str) -> str:
    """Return why a file must not be written over: it is a document of the library. Empty where it may be.

    Links are followed: a document may be reached by another path than its own.
    """
    target = os.path.realpath(file)
    documents = (leaf.document.path for leaf in window.documents.forest.leaves.values())
    if any(target == os.path.realpath(path) for path in documents):
        return translate("overwriting", "{name} is a document of this library. Choose another name.").format(name=file)
    return ""


def is_refused(window: MainWindow, file: str) -> bool:
    """Tell the person where a file must not be written over, and whether that is so."""
    if reason := refusal(window, file):
        window.tell(reason)
    return bool(reason)
