"""Documents in their folders: which there are, which are shown, in which order. Nothing of Qt's models is in here."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desktop_app.gui import folders, words
from desktop_app.gui.ordering import Filter, Order, name_key, sort_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop_app.core.records import Document


class Leaf:
    """A document in its folder.

    Attributes:
        number: even, above 0; what a model knows it by.
        home: path of the folder that holds its file.
        row: where it stands; -1 while it is not shown.
    """

    __slots__ = ("document", "folder", "home", "is_shown", "key", "number", "row")

    def __init__(self, document: Document) -> None:
        self.document = document
        self.number = 2 * document.document_id
        self.home = os.path.dirname(document.path)
        self.folder: Folder
        self.row = -1
        self.key: tuple[float, str, int] = (0.0, "", 0)
        self.is_shown = True


class Folder:
    """A folder of the tree; counts are of all that is shown below it.

    Attributes:
        path: absolute; empty for the root, which is no folder.
        number: odd; what a model knows it by; 0 for the root.
        rows: folders first, then documents, in the order they are shown in.
    """

    __slots__ = ("documents", "failed", "folders", "leaves", "name", "number", "parent", "path", "row", "rows")

    def __init__(self, path: str, name: str, parent: Folder | None) -> None:
        self.path = path
        self.name = name
        self.number = 0
        self.parent = parent
        self.row = -1
        self.folders: list[Folder] = []
        self.leaves: list[Leaf] = []
        self.rows: list[Folder | Leaf] = []
        self.documents = 0
        self.failed = 0

    def below(self) -> Iterator[Leaf]:
        """Yield the documents shown below it, from top to bottom."""
        for node in self.rows:
            if isinstance(node, Leaf):
                yield node
            else:
                yield from node.below()

    def number_rows(self) -> None:
        """Tell the rows where they stand."""
        for row, node in enumerate(self.rows):
            node.row = row

    def wanted(self) -> list[Folder | Leaf]:
        """Return the rows that it should have."""
        inner = sorted((each for each in self.folders if each.rows), key=lambda each: name_key(each.name))
        return [*inner, *sorted((leaf for leaf in self.leaves if leaf.is_shown), key=lambda leaf: leaf.key)]


class Forest:
    """All documents of a library, by id, and the folders that hold them.

    Attributes:
        leaves: every document, shown or not.
        root: holds the folders at the top.
        folders: every folder by its path, those above before those below them.
        failed: how many documents have failed.
        missing: ids of documents whose files have gone; some of them may have left the library.
        tags: the tags of documents by their ids; of those that have any.
    """

    def __init__(self) -> None:
        self.leaves: dict[int, Leaf] = {}
        self.root = Folder("", "", None)
        self.folders: dict[str, Folder] = {}
        self.failed = 0
        self.missing: frozenset[int] = frozenset()
        self.tags: dict[int, tuple[str, ...]] = {}
        self.order: Order = "title"
        self.filter = Filter()

    def enter(self, document: Document) -> Leaf:
        """Take a document in, or what became of it."""
        leaf = self.leaves.get(document.document_id)
        if leaf is None:
            leaf = self.leaves[document.document_id] = Leaf(document)
        leaf.document = document
        self.judge(leaf)
        return leaf

    def arrange(self, order: Order, filter_: Filter) -> None:
        """Sort by something else, or show others; `build` follows."""
        self.order, self.filter = order, filter_
        for leaf in self.leaves.values():
            self.judge(leaf)

    def judge(self, leaf: Leaf) -> None:
        """Find out whether a document is shown, and where."""
        document = leaf.document
        leaf.key = sort_key(document, name_key(words.document_name(document.title, document.path)), self.order)
        is_missing = document.document_id in self.missing
        tags = self.tags.get(document.document_id, ())
        leaf.is_shown = self.filter.lets_through(document, is_missing=is_missing, tags=tags)

    @property
    def lost(self) -> int:
        """How many documents' files have gone."""
        return len(self.missing & self.leaves.keys())

    def has_shape_of(self, leaves: Iterable[Leaf]) -> bool:
        """Return whether these documents would have the folders that there are."""
        wanted = folders.shape({leaf.home for leaf in leaves})
        return wanted == {path: folder.parent.path or None for path, folder in self.folders.items() if folder.parent}

    def build(self) -> None:
        """Put every document into its folder."""
        parents = folders.shape({leaf.home for leaf in self.leaves.values()})
        names = folders.names(parents)
        self.root = Folder("", "", None)
        self.folders = {}
        for path, parent in parents.items():
            above = self.folders[parent] if parent is not None else self.root
            self.folders[path] = folder = Folder(path, names[path], above)
            above.folders.append(folder)
        for leaf in self.leaves.values():
            leaf.folder, leaf.row = self.folders[leaf.home], -1
            leaf.folder.leaves.append(leaf)
        for folder in [*reversed(self.folders.values()), self.root]:
            folder.rows = folder.wanted()
            folder.number_rows()
        self.count()

    def count(self) -> None:
        """Count documents and failures below each folder, and failures in all."""
        for folder in [*reversed(self.folders.values()), self.root]:
            own = [leaf for leaf in folder.leaves if leaf.is_shown]
            inner = folder.folders
            folder.documents = len(own) + sum(each.documents for each in inner)
            folder.failed = sum(leaf.document.state == "failed" for leaf in own) + sum(each.failed for each in inner)
        self.failed = sum(leaf.document.state == "failed" for leaf in self.leaves.values())
