"""Collections and tags: kept up to date with the library, and edited by the person."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QCursor

from desktop_app.core.jobs import ChangeSet
from desktop_app.core.scope import Scope
from desktop_app.engine.collection_names import rename_collection
from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.window_context import DuplicatesRequest
from desktop_app.gui.results import scope
from desktop_app.gui.widgets.menus import make_popup_menu
from desktop_app.gui.widgets.text_dialog import ask_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from desktop_app.core.library import CollectionStore, Library
    from desktop_app.core.records import DocumentCollection
    from desktop_app.core.scope import ScopePart
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.library.model import DocumentTreeModel
    from desktop_app.gui.library.pane import LibraryPane

_MAX_NAME_CHARACTERS = 100
_CHANGED = ChangeSet(collections=True)


class CollectionsController(QObject):
    """Shows the collections in the library pane, and edits them.

    Attributes:
        changed: the collections or their documents changed.
        items: all collections, by name, then all tags.
    """

    changed = Signal()

    def __init__(self, context: WindowContext, pane: LibraryPane, model: DocumentTreeModel) -> None:
        super().__init__(context.widget)
        self._context = context
        self._session = context.session
        self._pane = pane
        self.items: list[DocumentCollection] = []
        context.actions.bind(
            {
                "collection.new": lambda: self.create_collection(()),
                "collection.rename": self.rename_current,
                "collection.forget": self.forget_current,
                "collection.search_here": self.search_here,
                "collection.keys": self.show_keys,
                "collection.pairs": self.show_pairs,
                "document.collect": self.offer_collections,
                "document.tag": self.edit_tags,
                "document.uncollect": self.take_out,
            }
        )
        shelf = self._pane.collections
        shelf.dropped.connect(self.add)
        shelf.dropped_on_new.connect(self.create_collection)
        self.changed.connect(lambda: shelf.set_collections(self.items))
        self.changed.connect(lambda: model.show_tags(self._tags()))
        self._session.opened.connect(self._list)
        self._session.bridge.changed.connect(self._on_changed)

    # Following the library

    def _on_changed(self, changes: ChangeSet) -> None:
        if changes.collections or (changes.listing and self.items):
            self._list()

    def _list(self) -> None:
        self._session.bridge.call(
            self._session.workspace.read(
                lambda library: library.collections.collections(), key="collections", by_person=False
            ),
            self,
            self._take,
        )

    def _take(self, items: list[DocumentCollection]) -> None:
        if items != self.items:
            self.items = items
            self._context.collections = items
            self.changed.emit()

    def _tags(self) -> dict[int, tuple[str, ...]]:
        found: dict[int, tuple[str, ...]] = {}
        for each in self.items:
            if each.kind == "tag":
                alone = (each.name,)
                for document_id in each.document_ids:
                    others = found.get(document_id)
                    found[document_id] = alone if others is None else others + alone
        return found

    def _change(self, change: Callable[[CollectionStore], object], then: Callable[[], None] = lambda: None) -> None:
        self._change_library(lambda library: change(library.collections), then)

    def _change_library(
        self,
        change: Callable[[Library], object],
        then: Callable[[], None],
        changes: ChangeSet = _CHANGED,
    ) -> None:
        def change_and_list(library: Library) -> list[DocumentCollection]:
            change(library)
            return library.collections.collections()

        def show_changed(items: list[DocumentCollection]) -> None:
            self._take(items)
            then()

        job = self._session.workspace.change(change_and_list, changes)
        self._session.bridge.call(job, self, show_changed, on_error=self._context.tell_error)

    # Actions

    def _chosen(self) -> list[int]:
        return [document.document_id for document in self._pane.selected_documents()]

    def offer_collections(self) -> None:
        """Offer to put the selected documents into a collection, or a new one."""
        ids = self._chosen()
        if not ids:
            return
        menu = make_popup_menu(self._context.widget, self.tr("Collections"))
        collections = [each for each in self.items if each.kind == "collection"]
        for each in collections:
            action = menu.addAction(make_icon("library"), each.name.replace("&", "&&"))
            action.setEnabled(not each.document_ids.issuperset(ids))
            action.triggered.connect(partial(self.add, each.collection_id, ids))
        if collections:
            menu.addSeparator()
        new = menu.addAction(make_icon("plus"), self.tr("&New Collection…"))
        new.triggered.connect(lambda: self.create_collection(ids))
        menu.popup(QCursor.pos() if self._pane.view.underMouse() else self._pane.current_row_position())

    def edit_tags(self) -> None:
        """Open the dialog for the tags of the selected documents."""
        documents = self._pane.selected_documents()
        if not documents:
            return
        from desktop_app.gui.library.tags_dialog import TagsDialog

        ids = [document.document_id for document in documents]
        name = display_text.count_documents(len(ids))
        if len(ids) == 1:
            name = display_text.document_name(documents[0].title, documents[0].path)
        known = {each.name: each.document_ids for each in self.items if each.kind == "tag"}
        dialog = TagsDialog(name, ids, known, self._context.widget)
        dialog.chosen.connect(lambda add, take: self.tag(ids, add, take))
        dialog.open()

    def tag(self, document_ids: Sequence[int], add: Sequence[str], take: Sequence[str] = ()) -> None:
        """Add tags to documents, and remove others."""
        if add or take:
            self._change(lambda store: store.tag(document_ids, add, take))

    def add(self, collection_id: int, document_ids: Sequence[int]) -> None:
        """Add documents to a collection or tag."""
        before = {each.collection_id: each for each in self.items}.get(collection_id)
        new = len(set(document_ids) - before.document_ids) if before is not None else 0
        name = before.name if before is not None else ""

        def tell() -> None:
            is_tag = before is not None and before.kind == "tag"
            if new:
                text = self.tr("Tagged {documents} with {name}.") if is_tag else self.tr("Added {documents} to {name}.")
            else:
                text = self.tr("Already tagged with {name}.") if is_tag else self.tr("Already in {name}.")
            self._context.tell(text.format(documents=display_text.count_documents(new), name=name))

        self._change(lambda store: store.add(collection_id, list(document_ids)), tell)

    def take_out(self) -> None:
        """Remove the selected documents from the current collection or tag."""
        current = self._pane.collections.current
        if current is not None:
            chosen = self._chosen()
            self._change(lambda store: store.remove(current.collection_id, chosen))

    def create_collection(self, document_ids: Sequence[int]) -> None:
        """Ask for the name of a new collection, and put documents into it."""
        self._ask(
            self.tr("New collection"),
            "",
            lambda name: self._create(name, document_ids),
        )

    def _create(self, name: str, document_ids: Collection[int]) -> None:
        ids = sorted(document_ids)
        self._change(lambda store: store.add(store.create(name), ids))

    def rename_current(self) -> None:
        """Ask for a new name of the current collection or tag."""
        current = self._pane.collections.current
        if current is None:
            return

        def rename(name: str) -> None:
            renamed: list[DocumentCollection] = []
            had_name = {each.collection_id: each.document_ids for each in self.items}

            def change(library: Library) -> None:
                now = rename_collection(library, current.collection_id, name)
                renamed.extend([now] if now is not None else [])

            def follow() -> None:
                now = renamed[0] if renamed else current
                self._context.scope_part_replaced.emit(_collection_part(current), _collection_part(now))
                if now.collection_id != current.collection_id:
                    added = current.document_ids - had_name.get(now.collection_id, frozenset())
                    self._offer_to_undo_merge(current, now.name, added)

            self._change_library(change, follow, ChangeSet(collections=True, searches=True))

        title = self.tr("Rename the tag") if current.kind == "tag" else self.tr("Rename the collection")
        self._ask(title, current.name, rename)

    def _offer_to_undo_merge(self, merged: DocumentCollection, name: str, added: Collection[int]) -> None:
        """Say that a tag was merged into another one, and offer to undo it.

        Args:
            merged: the tag, as it was.
            name: of the other tag.
            added: the documents that had only the merged one.
        """

        def undo(store: CollectionStore) -> None:
            store.tag(sorted(merged.document_ids), [merged.name])
            store.tag(sorted(added), [], [name])

        text = self.tr("Merged tag {name} into {other}.").format(name=merged.name, other=name)
        self._context.offer(text, self.tr("Undo"), lambda: self._change(undo))

    def forget_current(self) -> None:
        """Remove the current collection or tag; its documents stay."""
        current = self._pane.collections.current
        if current is None:
            return

        def tell() -> None:
            self._context.scope_part_removed.emit(_collection_part(current))
            text = self.tr("Deleted collection {name}. Its documents are still in your library.")
            if current.kind == "tag":
                text = self.tr("Deleted tag {name}. Its documents are still in your library.")
            text = text.format(name=current.name)
            self._context.offer(text, self.tr("Undo"), lambda: self._restore(current))

        self._change(lambda store: store.delete(current.collection_id), tell)

    def _restore(self, collection: DocumentCollection) -> None:
        if collection.kind == "tag":
            self.tag(sorted(collection.document_ids), [collection.name])
        else:
            self._create(collection.name, collection.document_ids)

    def search_here(self) -> None:
        """Search only in the current collection or tag."""
        current = self._pane.collections.current
        if current is not None:
            self._context.navigator.limit_search.emit([_collection_part(current)])

    def show_keys(self) -> None:
        """Show the key sentences of the current collection."""
        current = self._pane.collections.current
        if current is not None:
            from desktop_app.gui.results.key_sentences_dialog import KeySentencesDialog

            dialog = KeySentencesDialog(self._context, current.name, scope=_collection_scope(current))
            dialog.opened.connect(self._context.navigator.open_hit)
            dialog.show()

    def show_pairs(self) -> None:
        """Show the duplicates within the current collection."""
        current = self._pane.collections.current
        if current is not None:
            request = DuplicatesRequest(current.name, scope=_collection_scope(current))
            self._context.navigator.show_duplicates.emit(request)

    def _ask(self, title: str, name: str, take: Callable[[str], None]) -> None:
        ask_text(self._context.widget, title, self.tr("Name:"), lambda text: take(text[:_MAX_NAME_CHARACTERS]), name)


def _collection_part(collection: DocumentCollection) -> ScopePart:
    """Return a collection or tag as a part of the library."""
    return scope.tag_part(collection.name) if collection.kind == "tag" else scope.collection_part(collection.name)


def _collection_scope(collection: DocumentCollection) -> Scope:
    """Return the scope of a collection or tag."""
    return Scope(tags=(collection.name,)) if collection.kind == "tag" else Scope(collections=(collection.name,))
