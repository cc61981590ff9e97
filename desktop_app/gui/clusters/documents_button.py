"""Which documents sentences stand in: a button that lists them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QToolButton

from desktop_app.gui import words
from desktop_app.gui.icons import icon

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.records import Document, DocumentCount
    from desktop_app.core.scope import Scope
    from desktop_app.gui.main_window import MainWindow

_MOST = 30


class DocumentsButton(QToolButton):
    """Lists the documents of some sentences with how many stand in each; one that is chosen is read.

    Args:
        window: whose library it is.
        sentences: returns the ids of the sentences, and the part of the library that they are looked for in.
    """

    def __init__(self, window: MainWindow, sentences: Callable[[], tuple[Sequence[int], Scope]]) -> None:
        super().__init__()
        self._window = window
        self._sentences = sentences
        self.setIcon(icon("file-text"))
        self.setToolTip(self.tr("In which documents these sentences stand"))
        self.setAccessibleName(self.tr("Documents of these sentences"))
        self.clicked.connect(self.ask)

    def ask(self) -> None:
        """Ask for the documents, and list them when they are there."""
        ids, scope = self._sentences()
        if ids:
            session = self._window.session
            job = session.workspace.analysing.themes.documents(ids, scope)
            session.bridge.call(job, self, self._show, on_error=self._window.tell_error)

    def _show(self, found: list[DocumentCount]) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(self.accessibleName())
        menu.setToolTipsVisible(True)
        leaves = self._window.documents.forest.leaves
        for each in found[:_MOST]:
            name = words.document_name(each.title, each.path).replace("&", "&&")
            action = menu.addAction(icon("file-text"), f"{name} \u00b7 {words.sentences(each.count)}")
            action.setToolTip(words.tooltip(each.path))
            leaf = leaves.get(each.document_id)
            action.setEnabled(leaf is not None)
            if leaf is not None:
                action.triggered.connect(partial(self._read, leaf.document))
        if len(found) > _MOST:
            rest = self.tr("and {documents} more").format(documents=words.documents(len(found) - _MOST))
            menu.addAction(rest).setEnabled(False)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _read(self, document: Document, _on: bool = False) -> None:
        self._window.commands.read_document(document)
