"""Refuses to export over a document of the library."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from desktop_app.gui.base.display_text import translate

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_app.gui.shell.main_window import MainWindow


def overwrite_refusal(widget: QWidget, file: str) -> str:
    """Return why a file must not be written over: it is a document of the library. Empty where it may be.

    Links are followed: a document may be reached by another path than its own.

    Args:
        widget: the main window, or a part of it or of its dialogs.
        file: the path.
    """
    target, main = os.path.realpath(file), _find_main_window(widget)
    documents = (leaf.document.path for leaf in main.documents.forest.leaves.values())
    if any(target == os.path.realpath(path) for path in documents):
        return translate("overwriting", "{name} is a document of this library. Choose another name.").format(name=file)
    return ""


def warn_of_overwrite(widget: QWidget, file: str) -> bool:
    """Tell the person where a file must not be written over, and return whether that is so. See `overwrite_refusal`."""
    if reason := overwrite_refusal(widget, file):
        _find_main_window(widget).tell(reason)
    return bool(reason)


def _find_main_window(widget: QWidget) -> MainWindow:
    window = widget.window()
    while (above := window.parentWidget()) is not None:
        window = above.window()
    return cast("MainWindow", window)
