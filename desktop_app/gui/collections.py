"""The library's collections, kept in step with it, and what a person does with them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QInputDialog, QMenu

from desktop_app.gui import scope, words
from desktop_app.gui.icons import icon

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.jobs import ChangeSet, Job
    from desktop_app.core.records import DocumentCollection
    from desktop_app.gui.main_window import MainWindow

_LONGEST_NAME = 100


class Collections(QObject):
    """Asks for names, changes the collections, and shows them in the library's pane.

    Attributes:
        changed: there are others, or other documents in them.
        items: all of them, by name.
    """

    changed = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._pane = window.library_pane
        self._offer: tuple[str, str, frozenset[int]] | None = None  # notice, and the collection it would bring back
        self.items: list[DocumentCollection] = []
        window.actions_table.bind(
            {
                "collection.new": lambda: self.ask_new(()),
                "collection.rename": self.rename_current,
                "collection.forget": self.forget_current,
                "collection.search_here": self.search_here,
                "document.collect": self.offer_collections,
                "document.uncollect": self.take_out,
            }
        )
        shelf = self._pane.collections
        shelf.dropped.connect(self.add)
        shelf.dropped_new.connect(self.ask_new)
        self.changed.connect(lambda: shelf.show_items(self.items))
        self._session.opened.connect(self._list)
        self._session.bridge.changed.connect(self._on_changed)
        window.notice.pressed.connect(self._on_notice_pressed)

    # In step with the library

    def _on_changed(self, changes: ChangeSet) -> None:
        if changes.collections or (changes.listing and self.items):
            self._list()

    def _list(self) -> None:
        self._session.bridge.call(self._session.workspace.collecting.collections(), self, self._take)

    def _take(self, items: list[DocumentCollection]) -> None:
        if items != self.items:
            self.items = items
            self.changed.emit()

    def _change(self, job: Job[list[DocumentCollection]], then: Callable[[], None] = lambda: None) -> None:
        def taken(items: list[DocumentCollection]) -> None:
            self._take(items)
            then()

        self._session.bridge.call(job, self, taken, on_error=self._window.tell_error)

    # What a person does

    def _chosen(self) -> list[int]:
        return [document.document_id for document in self._pane.selected()]

    def offer_collections(self) -> None:
        """Let the chosen documents be put into a collection, or a new one."""
        ids = self._chosen()
        if not ids:
            return
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(self.tr("Collections"))
        for each in self.items:
            action = menu.addAction(icon("library"), each.name.replace("&", "&&"))
            action.setEnabled(not each.document_ids.issuperset(ids))
            action.triggered.connect(partial(self.add, each.collection_id, ids))
        if self.items:
            menu.addSeparator()
        new = menu.addAction(icon("plus"), self.tr("&New Collection…"))
        new.triggered.connect(lambda: self.ask_new(ids))
        menu.popup(QCursor.pos() if self._pane.view.underMouse() else self._pane.place_of_current())

    def add(self, collection_id: int, document_ids: Sequence[int]) -> None:
        """Put documents into a collection."""
        before = {each.collection_id: each for each in self.items}.get(collection_id)
        new = len(set(document_ids) - before.document_ids) if before is not None else 0
        name = before.name if before is not None else ""

        def tell() -> None:
            text = self.tr("{documents} put into {name}.")
            self._window.tell(text.format(documents=words.documents(new), name=name))

        self._change(self._session.workspace.collecting.add(collection_id, list(document_ids)), tell)

    def take_out(self) -> None:
        """Take the chosen documents out of the collection that is shown."""
        current = self._pane.collections.current
        if current is not None:
            self._change(self._session.workspace.collecting.take_out(current.collection_id, self._chosen()))

    def ask_new(self, document_ids: Sequence[int]) -> None:
        """Ask for the name of a new collection, and put documents into it."""
        self._ask(
            self.tr("New collection"),
            "",
            lambda name: self._change(self._session.workspace.collecting.make(name, list(document_ids))),
        )

    def rename_current(self) -> None:
        """Ask for another name of the collection that is shown."""
        current = self._pane.collections.current
        if current is None:
            return

        def rename(name: str) -> None:
            def follow() -> None:
                parts = self._window.scope.parts
                old, new = scope.of_collection(current.name), scope.of_collection(" ".join(name.split()))
                if old in parts:
                    self._window.scope.exchange(old, new)

            self._change(self._session.workspace.collecting.rename(current.collection_id, name), follow)

        self._ask(self.tr("Rename the collection"), current.name, rename)

    def forget_current(self) -> None:
        """Take the collection away that is shown; its documents stay."""
        current = self._pane.collections.current
        if current is None:
            return

        def tell() -> None:
            self._window.scope.leave_out(scope.of_collection(current.name))
            text = self.tr("The collection {name} is gone. Its documents stay in the library.").format(
                name=current.name
            )
            self._offer = text, current.name, current.document_ids
            self._window.notice.say(text, self.tr("Undo"))

        self._change(self._session.workspace.collecting.forget(current.collection_id), tell)

    def _on_notice_pressed(self) -> None:
        if self._offer is not None and self._window.notice.text == self._offer[0]:
            _, name, ids = self._offer
            self._offer = None
            self._window.notice.hide()
            self._change(self._session.workspace.collecting.make(name, sorted(ids)))

    def search_here(self) -> None:
        """Keep the search to the collection that is shown."""
        current = self._pane.collections.current
        if current is not None:
            self._window.scope.keep_to([scope.of_collection(current.name)])
            self._window.commands.focus_search()

    def _ask(self, title: str, name: str, take: Callable[[str], None]) -> None:
        dialog = QInputDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(title)
        dialog.setLabelText(self.tr("Name:"))
        dialog.setTextValue(name)
        dialog.textValueSelected.connect(lambda text: take(text[:_LONGEST_NAME]))
        dialog.open()
