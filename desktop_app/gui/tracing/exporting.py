"""Writes a traced draft or two aligned documents to a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from desktop_app.gui import words
from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_app.core.tracing import Diff, Trace
    from desktop_app.gui.main_window import MainWindow


def choose_export(window: MainWindow, parent: QWidget, found: Trace | Diff, title: str, draft: str = "") -> None:
    """Let the person choose a file, and write to it.

    Args:
        window: whose library it is; it tells when the file is written.
        parent: above which the question stands.
        found: what is written.
        title: of the question.
        draft: path of a file that must not be overwritten.
    """
    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    names = {
        "md": translate("tracing", "Markdown, with citations"),
        "csv": translate("tracing", "Table"),
        "jsonl": translate("tracing", "JSON lines"),
    }
    dialog.setNameFilters([f"{name} (*.{suffix})" for suffix, name in names.items()])
    dialog.setDefaultSuffix("md")
    # The suffix follows the form that is chosen.
    dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(chosen.rpartition("*.")[2].rstrip(")")))
    dialog.fileSelected.connect(lambda file: export(window, found, file, draft))
    dialog.open()


def export(window: MainWindow, found: Trace | Diff, file: str, draft: str = "") -> None:
    """Write to a file, unless that would overwrite a document of the library or the draft itself."""
    target = os.path.realpath(file)
    documents = (leaf.document.path for leaf in window.documents.forest.leaves.values())
    if draft and target == os.path.realpath(draft):
        window.tell(translate("tracing", "{name} is the draft itself. Choose another name.").format(name=file))
        return
    if any(target == os.path.realpath(path) for path in documents):
        text = translate("tracing", "{name} is a document of this library. Choose another name.")
        window.tell(text.format(name=file))
        return

    def told(count: int) -> None:
        text = translate("tracing", "{count} rows written to {name}.")
        window.tell(text.format(count=words.number(count), name=os.path.basename(file)))

    session = window.session
    session.bridge.call(session.workspace.tracing.export(found, file), window, told, on_error=window.tell_error)
