"""Documents in their folders: the visible ones and their order. Free of Qt."""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, cast

from desktop_app.core.stored_text import drop_direction_controls, fold_text
from desktop_app.gui.base import display_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from desktop_app.core.records import Document

DocumentOrder = Literal["title", "added", "state", "sentences"]
DOCUMENT_ORDERS: tuple[DocumentOrder, ...] = ("title", "added", "state", "sentences")
_STATE_ORDER = {"reading": 0, "embedding": 0, "failed": 1, "queued": 2, "ready": 3}
_SORT_KEY = attrgetter("key")
_DIGITS = re.compile(r"\d+")
_ZOTERO_ITEM = re.compile(r"(?<=[/\\]storage)[/\\][0-9A-Z]{8}$")


def find_home(path: str) -> str:
    """Return the folder that shows a file: the one that holds it, or above it Zotero's, which has one for each file."""
    folder, separator, _name = path.rpartition(os.sep)
    return _find_home_in(folder + separator)


@lru_cache(1000)
def _find_home_in(folder: str) -> str:
    """Return the folder that shows the files of a folder, whose path ends in a separator.

    `os.path.dirname` of every file took a quarter of the time in which 10,000 documents enter the tree.
    """
    return _ZOTERO_ITEM.sub("", os.path.dirname(folder))


class DocumentNode:
    """A document in the folder of its file; one with copies has a node for each of its files.

    Attributes:
        document: as the file shows it.
        name: of the node in the tree: the document's id for its main file, the path for a copy.
        home: path of the folder that shows the file.
        row: its row; -1 while it is hidden.
        sort_name: the `natural_sort_key` of the document's name.
        text: what a filter looks in, folded: kept, because folding 10,000 names at each key takes too long.
    """

    __slots__ = ("document", "folder", "home", "is_shown", "key", "name", "row", "sort_name", "text")

    def __init__(self, document: Document) -> None:
        self.document = document
        self.name = name_of_node(document)
        self.home = find_home(document.path)
        self.folder: FolderNode
        self.row = -1
        self.key: tuple[float, str, int] = (0.0, "", 0)
        self.sort_name = ""
        self.text = ""
        self.is_shown = True


class FolderNode:
    """A folder of the tree; its counts include everything visible below it.

    Attributes:
        path: absolute; empty for the root.
        rows: folders, then documents, in display order.
    """

    __slots__ = ("documents", "failed", "folders", "leaves", "name", "parent", "path", "row", "rows")

    def __init__(self, path: str, name: str, parent: FolderNode | None) -> None:
        self.path = path
        self.name = name
        self.parent = parent
        self.row = -1
        self.folders: list[FolderNode] = []
        self.leaves: list[DocumentNode] = []
        self.rows: list[FolderNode | DocumentNode] = []
        self.documents = 0
        self.failed = 0

    def list_rows(self) -> list[FolderNode | DocumentNode]:
        """Return the visible folders and documents below it, from top to bottom."""
        found: list[FolderNode | DocumentNode] = []
        for row, node in enumerate(self.rows):
            if isinstance(node, DocumentNode):  # and so are all rows after it
                found += self.rows[row:]
                break
            found.append(node)
            found += node.list_rows()
        return found

    def list_folders(self) -> list[FolderNode]:
        """Return the folders below it."""
        return [below for each in self.folders for below in (each, *each.list_folders())]

    def list_documents(self) -> list[DocumentNode]:
        """Return the visible documents below it, from top to bottom."""
        found: list[DocumentNode] = []
        for row, node in enumerate(self.rows):
            if isinstance(node, DocumentNode):  # and so are all rows after it
                found += cast("list[DocumentNode]", self.rows[row:])
                break
            found += node.list_documents()
        return found

    def assign_row_numbers(self) -> None:
        """Number the rows."""
        for row, node in enumerate(self.rows):
            node.row = row

    def sorted_rows(self) -> list[FolderNode | DocumentNode]:
        """Return the rows in their new order."""
        inner = sorted((each for each in self.folders if each.rows), key=lambda each: natural_sort_key(each.name))
        self.leaves.sort(key=_SORT_KEY)  # they mostly are in order
        return [*inner, *(leaf for leaf in self.leaves if leaf.is_shown)]


class FolderTree:
    """All documents of a library, and the folders that hold their files.

    Attributes:
        leaves: every file of a document, visible or not, by the names of the nodes.
        root: the parent of the top folders.
        folders: every folder by its path, parents first.
        document_count: number of documents, visible or not, at the last `count`.
        failed: number of documents that failed.
        missing: ids of documents whose files are missing; some may no longer be in the library.
        tags: the tags by document id, for documents with tags.
        top_names: names of top folders by their paths, which later imports do not change; see `keep_names`.
    """

    def __init__(self) -> None:
        self.leaves: dict[int | str, DocumentNode] = {}
        self.root = FolderNode("", "", None)
        self.folders: dict[str, FolderNode] = {}
        self.document_count = 0
        self.failed = 0
        self.missing: frozenset[int] = frozenset()
        self.tags: dict[int, tuple[str, ...]] = {}
        self.top_names: dict[str, str] = {}
        self.order: DocumentOrder = "title"
        self.filter = DocumentFilter()

    def update_document(self, document: Document) -> DocumentNode:
        """Add or update a document, as one of its files shows it."""
        name = name_of_node(document)
        leaf = self.leaves.get(name)
        if leaf is None:
            leaf = self.leaves[name] = DocumentNode(document)
        elif leaf.document.path != document.path:
            leaf.home = find_home(document.path)
        leaf.document = document
        shown_name = display_text.document_name(document.title, document.path)
        leaf.sort_name = natural_sort_key(shown_name)
        leaf.key = document_sort_key(document, leaf.sort_name, self.order)
        self._update_visibility(leaf, shown_name)
        return leaf

    def leaves_of(self, document_id: int) -> list[DocumentNode]:
        """Return the nodes of all files of a document; none for an unknown id."""
        main = self.leaves.get(document_id)
        if main is None:
            return []
        copies = (self.leaves.get(copy.path) for copy in main.document.copies)
        return [main, *(leaf for leaf in copies if leaf is not None)]

    def arrange(self, order: DocumentOrder, filter_: DocumentFilter) -> None:
        """Set order and filter, and show the documents that pass, in their folders."""
        if order != self.order:
            self.order = order
            for leaf in self.leaves.values():
                leaf.key = document_sort_key(leaf.document, leaf.sort_name, order)
        self.filter = filter_
        everything = list(self.leaves.values())
        for leaf in everything:
            leaf.is_shown = False
        for leaf in self._find_matches(everything, filter_):
            leaf.is_shown = True
        self._show()

    def _find_matches(self, found: list[DocumentNode], filter_: DocumentFilter) -> list[DocumentNode]:
        """Return those that a filter shows."""
        if filter_.missing_only:
            found = [leaf for leaf in found if leaf.document.document_id in self.missing]
        if filter_.document_ids is not None:
            found = [leaf for leaf in found if leaf.document.document_id in filter_.document_ids]
        if filter_.failed_only:
            found = [leaf for leaf in found if leaf.document.state == "failed"]
        for word in fold_text(filter_.text).split():
            found = [leaf for leaf in found if word in leaf.text]
        return found

    def update_visibility(self, leaf: DocumentNode) -> None:
        """Update what a filter looks in, and whether the document is visible; its tags may have changed."""
        self._update_visibility(leaf, display_text.document_name(leaf.document.title, leaf.document.path))

    def _update_visibility(self, leaf: DocumentNode, name: str) -> None:
        document = leaf.document
        text = f"{name}\n{document.path}"
        if tags := self.tags.get(document.document_id):
            text += "".join(f"\ntag:{tag}" for tag in tags)
        leaf.text = fold_text(text)  # without accents: macOS writes those of a file's name apart from their letters
        leaf.is_shown = self.filter.is_open or bool(self._find_matches([leaf], self.filter))

    @property
    def missing_count(self) -> int:
        """Number of documents whose files are missing."""
        return len(self.missing & self.leaves.keys())

    def has_same_folders(self, leaves: Iterable[DocumentNode]) -> bool:
        """Return whether these documents need exactly the current folders."""
        wanted = find_folder_parents({leaf.home for leaf in leaves}, self.top_names)
        return wanted == {path: folder.parent.path or None for path, folder in self.folders.items() if folder.parent}

    def keep_names(self) -> None:
        """Keep the top folders and their names from now on, as far as they hold documents.

        While an import lists its files, the top folders still change with each of them; a person has read their names
        once it ends.
        """
        self.top_names = {folder.path: folder.name for folder in self.root.folders}

    def build(self) -> None:
        """Put every document into its folder."""
        parents = find_folder_parents({leaf.home for leaf in self.leaves.values()}, self.top_names)
        names = name_folders(parents, self.top_names)
        self.root = FolderNode("", "", None)
        self.folders = {}
        for path, parent in parents.items():
            above = self.folders[parent] if parent is not None else self.root
            self.folders[path] = folder = FolderNode(path, names[path], above)
            above.folders.append(folder)
        for leaf in self.leaves.values():
            leaf.folder = self.folders[leaf.home]
            leaf.folder.leaves.append(leaf)
        self._show()

    def _show(self) -> None:
        """Give every folder its visible rows."""
        for leaf in self.leaves.values():
            leaf.row = -1
        for folder in [*reversed(self.folders.values()), self.root]:
            folder.row = -1
        for folder in [*reversed(self.folders.values()), self.root]:
            folder.rows = folder.sorted_rows()
            folder.assign_row_numbers()
        self.count()

    def count(self) -> None:
        """Count documents and failures of each folder, and all failures."""
        failed = [leaf for leaf in self.leaves.values() if leaf.document.state == "failed"]
        for folder in [*reversed(self.folders.values()), self.root]:
            shown = [each for each in folder.folders if each.rows]
            folder.documents = len(folder.rows) - len(shown) + sum(each.documents for each in shown)
            folder.failed = 0
        for leaf in failed:
            above: FolderNode | None = leaf.folder if leaf.is_shown else None
            while above is not None:
                above.failed += 1
                above = above.parent
        self._count_once()
        self.failed = sum(isinstance(leaf.name, int) for leaf in failed)
        self.document_count = len(self.leaves) - len([name for name in self.leaves if isinstance(name, str)])

    def _count_once(self) -> None:
        """Count a document that has several files in a folder, or below it, only once there."""
        for leaf in [leaf for leaf in self.leaves.values() if leaf.document.copies and not leaf.document.is_copy]:
            times: Counter[str] = Counter()
            for each in self.leaves_of(leaf.document.document_id):
                above: FolderNode | None = each.folder if each.is_shown else None
                while above is not None:
                    times[above.path] += 1
                    above = above.parent
            for path, count in times.items():
                folder = self.folders.get(path, self.root)
                folder.documents -= count - 1
                folder.failed -= (count - 1) * (leaf.document.state == "failed")


def name_of_node(document: Document) -> int | str:
    """Return the name of a document's node: its id, or its path if it is shown as a copy."""
    return document.path if document.is_copy else document.document_id


def show_files(documents: Iterable[Document]) -> Iterator[Document]:
    """Yield documents as each of their files shows them."""
    for document in documents:
        yield document
        for copy in document.copies:
            yield document.seen_at(copy.path)


def find_folder_parents(folders: Collection[str], tops: Collection[str] = ()) -> dict[str, str | None]:
    """Return the visible folders with their visible parents; None for those at the top.

    A folder is visible if it holds documents, or if paths to such folders branch there. Folders in between are left
    out, so that the tree is as shallow as possible, and so is the folder where all paths branch first.

    Args:
        folders: absolute paths of the folders that hold documents.
        tops: folders that stay at the top whatever lies elsewhere, unless a folder above them holds documents.

    Returns:
        parents by path, parents first.
    """
    below: dict[str | None, set[str]] = {None: set()}
    for path in folders:
        below.setdefault(_nearest_folder(path, tops), set()).add(path)
    parents = _find_parents(below.pop(None))
    above = {path for path in folders if path in parents}
    elsewhere = [path for path in parents if parents[path] is None]
    if len(elsewhere) == 1 and elsewhere[0] not in folders:
        del parents[elsewhere[0]]
        parents = {path: None if parent == elsewhere[0] else parent for path, parent in parents.items()}
    for top, inner in below.items():
        assert top is not None
        parents |= _find_parents({top, *inner})
        parents[top] = _nearest_folder(os.path.dirname(top), above)
    return {path: parents[path] for path in sorted(parents, key=lambda path: path.split(os.sep))}


def _find_parents(folders: Collection[str]) -> dict[str, str | None]:
    """Return these folders, and those where paths to them branch, with their nearest parents among them."""
    ordered = sorted(folders, key=lambda path: path.split(os.sep))
    shown = set(ordered)
    for one, other in pairwise(ordered):
        try:
            shown.add(os.path.commonpath((one, other)))
        except ValueError:  # different drives have no common path
            continue
    return {path: _nearest_parent(path, shown) for path in shown}


def _nearest_parent(path: str, among: Collection[str]) -> str | None:
    above = os.path.dirname(path)
    return _nearest_folder(above, among) if above != path else None


def _nearest_folder(path: str, among: Collection[str]) -> str | None:
    """Return the path itself or the nearest folder above it that is `among` some folders; None if there is none."""
    while path not in among:
        if (above := os.path.dirname(path)) == path:
            return None
        path = above
    return path


def name_folders(parents: dict[str, str | None], top_names: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the name of each folder: its path from its parent; at the top, the shortest unique path.

    Args:
        parents: visible folders with their visible parents.
        top_names: names by path of folders at the top; the others avoid them.
    """
    result = {
        path: path[len(parent) :].strip(os.sep) if parent is not None else os.path.basename(path) or path
        for path, parent in parents.items()
    }
    tops = [path for path, parent in parents.items() if parent is None]
    result |= {path: name for path, name in (top_names or {}).items() if path in tops}
    free = [path for path in tops if path not in (top_names or {})]
    for parts in range(2, 40):
        alike = Counter(result[path] for path in tops)
        if max(alike.values(), default=1) == 1:
            break
        for path in free:
            if alike[result[path]] > 1:
                result[path] = os.sep.join(path.split(os.sep)[-parts:])
    return {path: drop_direction_controls(name) for path, name in result.items()}


def natural_sort_key(name: str) -> str:
    """Return a key that sorts names naturally: 2 before 10, upper case and letters with accents among the others."""
    return _DIGITS.sub(lambda digits: digits.group().zfill(12), fold_text(name))


def document_sort_key(document: Document, name: str, order: DocumentOrder) -> tuple[float, str, int]:
    """Return the sort key of a document; `name` is the `natural_sort_key` of its name."""
    first: float = 0.0
    if order == "added":
        first = -document.added_at
    elif order == "state":
        first = _STATE_ORDER[document.state]
    elif order == "sentences":
        first = -document.sentences
    return first, name, document.document_id


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """Decides which documents are visible.

    Attributes:
        text: words that the title, path or tags must contain; `tag:word` looks in tags only.
        failed_only: show failed documents only.
        missing_only: show documents with missing files only.
        document_ids: show these only; None for all.
    """

    text: str = ""
    failed_only: bool = False
    missing_only: bool = False
    document_ids: frozenset[int] | None = None

    @property
    def is_open(self) -> bool:
        """Whether all documents pass."""
        flags = self.failed_only or self.missing_only or self.document_ids is not None
        return not self.text.strip() and not flags
