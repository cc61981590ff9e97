"""Keeps what is exported from being written over a document of the library."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_app.gui.main_window import MainWindow


def refusal(widget: QWidget, file: str) -> str:
    """Return why a file must not be written over: it is a document of the library. Empty where it may be.

    Links are followed: a document may be reached by another path than its own.

    Args:
        widget: the main window, or a part of it or of its dialogs.
        file: the path.
    """
    target, main = os.path.realpath(file), _main_window(widget)
    documents = (leaf.document.path for leaf in main.documents.forest.leaves.values())
    if any(target == os.path.realpath(path) for path in documents):
        return translate("overwriting", "{name} is a document of this library. Choose another name.").format(name=file)
    return ""


def is_refused(widget: QWidget, file: str) -> bool:
    """Tell the person where a file must not be written over, and return whether that is so. See `refusal`."""
    if reason := refusal(widget, file):
        _main_window(widget).tell(reason)
    return bool(reason)


def _main_window(widget: QWidget) -> MainWindow:
    window = widget.window()
    while (above := window.parentWidget()) is not None:
        window = above.window()
    return cast("MainWindow", window)
