"""A popup that limits a search to parts of the library, with the number of hits of each."""

from __future__ import annotations

import os
from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QTreeWidget, QTreeWidgetItem, QWidget

from desktop_app.core.document_dates import find_local_year
from desktop_app.core.scope import ScopePart
from desktop_app.gui.base import display_text
from desktop_app.gui.results import scope
from desktop_app.gui.widgets.buttons import PushButton
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from PySide6.QtGui import QKeyEvent

    from desktop_app.core.records import Document, DocumentCollection, DocumentCount
    from desktop_app.gui.base.window_context import WindowContext

_K = TypeVar("_K")
_PART_ROLE = Qt.ItemDataRole.UserRole
_MAX_FOLDERS, _MAX_DOCUMENTS, _MAX_YEARS, _MAX_COLLECTIONS = 12, 30, 12, 20
FilterChoice = tuple["ScopePart", int]
_Groups: TypeAlias = "dict[_K, list[DocumentCount]]"


def count_choices(
    found: Sequence[DocumentCount], collections: Sequence[DocumentCollection] = ()
) -> dict[ScopePart, int]:
    """Return the number of hits of each part of the library: a sentence in several documents of a part is one hit."""
    by_document = {each.document_id: each for each in found}
    types: _Groups[str] = defaultdict(list)
    languages: _Groups[str] = defaultdict(list)
    years: _Groups[int] = defaultdict(list)
    days: _Groups[int] = defaultdict(list)
    documents: _Groups[ScopePart] = defaultdict(list)
    folders: _Groups[str] = {os.path.dirname(path): [] for each in found for path in (each.path, *each.copies)}
    for each in found:  # 10,000 documents: parts are made once, not for each of them
        types[each.type].append(each)
        languages[each.language].append(each)
        years[find_local_year(each.changed_at)].append(each)
        for recent in scope.RECENT_DAYS:
            days[recent] += [each] if scope.is_within_days(each.changed_at, recent) else []
        for folder in _list_folders_above(each.path, *each.copies):
            if folder in folders:  # a folder is searched with its subfolders
                folders[folder].append(each)
        documents[ScopePart("document", each.path, display_text.document_name(each.title, each.path))].append(each)
    counts = {part: _count_hits(own) for part, own in documents.items()}
    for collection in collections:
        part = scope.tag_part(collection.name) if collection.kind == "tag" else scope.collection_part(collection.name)
        counts[part] = _count_hits([by_document[each] for each in collection.document_ids & by_document.keys()])
    counts |= {scope.type_part(kind): _count_hits(own) for kind, own in types.items()}
    counts |= {scope.language_part(code): _count_hits(own) for code, own in languages.items() if code}
    counts |= {scope.year_part(year): _count_hits(own) for year, own in years.items()}
    counts |= {scope.days_part(recent): _count_hits(own) for recent, own in days.items()}
    counts |= {scope.folder_part(folder): _count_hits(own) for folder, own in folders.items()}
    return counts


def _count_hits(documents: Sequence[DocumentCount]) -> int:
    """Return how many sentences some documents contain together; if it is unknown which, the sum of all counts."""
    if len(documents) > 1 and documents[0].sentence_ids:
        return len(set().union(*(each.sentence_ids for each in documents)))
    return sum(each.count for each in documents)


def _list_folders_above(*paths: str) -> set[str]:
    """Return the folders of files, and those above them."""
    found = set[str]()
    for path in paths:
        while (above := os.path.dirname(path)) != path and above not in found:
            found.add(above)
            path = above
    return found


class FilterPopup(QFrame):
    """Lists types, languages, dates, collections, tags, folders and documents; ticking one limits the search to it.

    Attributes:
        toggled: something was ticked or unticked; carries the ScopePart.
        cleared: every filter was removed.
    """

    toggled = Signal(object)
    cleared = Signal()

    def __init__(self, parent: QWidget, chosen: Iterable[ScopePart]) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._chosen = set(chosen)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("surface", "card")
        self.setAccessibleName(self.tr("Filters"))
        self.tree = QTreeWidget()
        self.tree.setObjectName("filters")
        self.tree.setAccessibleName(self.tr("Filters"))
        self.tree.setHeaderHidden(True)
        self.tree.setRootIsDecorated(False)
        self.tree.setItemsExpandable(False)
        self.tree.setIndentation(10)
        self.tree.setColumnCount(2)
        self.tree.setUniformRowHeights(True)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(0, self.tree.header().ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, self.tree.header().ResizeMode.ResizeToContents)
        self.tree.itemChanged.connect(self._on_changed)
        self.note = make_label(
            self.tr("Counting…"), tone="muted", factor=0.9, wrap=True, name=self.tr("About these counts")
        )
        self.clear_button = PushButton(self.tr("Clear All"))
        self.clear_button.setAccessibleName(self.tr("Clear all filters"))
        self.clear_button.clicked.connect(self._clear)
        foot = make_row((self.note, 1), self.clear_button, margins=(6, 0, 0, 0))
        make_column((self.tree, 1), foot, parent=self, margins=8, spacing=8)
        self.show_counts({}, is_search=True, is_counted=False)

    def pop_up(self, at: QPoint) -> None:
        """Open the popup with its upper right corner at a point of the screen."""
        self.move(at - QPoint(self.width(), 0))
        self.show()
        self.tree.setFocus()

    def show_counts(self, counts: dict[ScopePart, int], *, is_search: bool, is_counted: bool = True) -> None:
        """List the parts that have hits or are chosen."""
        self.tree.blockSignals(True)
        self.tree.clear()
        known = counts | {part: counts.get(part, 0) for part in self._chosen}
        sections = (
            (self.tr("Type"), "type", 99, False),
            (self.tr("Language"), "language", 99, False),
            (self.tr("Content"), "passage", 9, False),
            (self.tr("Changed"), "date", _MAX_YEARS + len(scope.RECENT_DAYS), True),
            (self.tr("Collection"), "collection", _MAX_COLLECTIONS, False),
            (self.tr("Tag"), "tag", _MAX_COLLECTIONS, False),
            (self.tr("Folder"), "folder", _MAX_FOLDERS, False),
            (self.tr("Document"), "document", _MAX_DOCUMENTS, False),
        )
        rows = 0
        for title, kind, most, by_key in sections:
            choices = [(part, count) for part, count in known.items() if part.kind == kind]
            choices = [each for each in choices if each[1] or each[0] in self._chosen]
            choices.sort(
                key=(lambda each: _date_sort_key(each[0])) if by_key else lambda each: (-each[1], each[0].name)
            )
            if choices:
                is_shown = is_search and is_counted and kind != "passage"
                rows += 1 + self._section(title, choices[:most], is_counted=is_shown)
        self.tree.expandAll()
        if (first := next(self._choices(), None)) is not None:
            self.tree.setCurrentItem(first)
        self.tree.blockSignals(False)
        if not is_counted:
            note = self.tr("Counting…")
        elif not rows:
            note = self.tr("No filters available: the search has no results.")
        elif is_search:
            note = self.tr("Counts are for the unfiltered search (first 1,000 results).")
        else:
            note = ""
        self.note.setText(note)
        self.clear_button.setEnabled(bool(self._chosen))
        self.resize(QSize(340, min(480, 78 + 26 * max(rows, 4))))

    def _section(self, title: str, choices: Sequence[FilterChoice], *, is_counted: bool) -> int:
        top = QTreeWidgetItem([title])
        top.setFlags(Qt.ItemFlag.ItemIsEnabled)
        top.setForeground(0, self.palette().placeholderText())
        self.tree.addTopLevelItem(top)
        for part, count in choices:
            item = QTreeWidgetItem([part.name, display_text.format_number(count) if is_counted else ""])
            item.setData(0, _PART_ROLE, part)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable)
            item.setCheckState(0, Qt.CheckState.Checked if part in self._chosen else Qt.CheckState.Unchecked)
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setForeground(1, self.palette().placeholderText())
            if part.kind in ("folder", "document"):
                item.setToolTip(0, display_text.make_tooltip(part.key))
            accessible_text = (
                f"{title}, {part.name}, {display_text.format_number(count)}" if is_counted else f"{title}, {part.name}"
            )
            item.setData(0, Qt.ItemDataRole.AccessibleTextRole, accessible_text)
            top.addChild(item)
        return len(choices)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close with Escape and Enter."""
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close()
        else:
            super().keyPressEvent(event)

    def _on_changed(self, item: QTreeWidgetItem, _column: int) -> None:
        part = item.data(0, _PART_ROLE)
        if part is None or (item.checkState(0) == Qt.CheckState.Checked) == (part in self._chosen):
            return
        self._chosen ^= {part}
        if part.kind == "date" and part in self._chosen:
            self._untick_other_dates(part)
        self.clear_button.setEnabled(bool(self._chosen))
        self.toggled.emit(part)

    def _untick_other_dates(self, ticked: ScopePart) -> None:
        """Keep one date only: no document has two."""
        self._chosen = {part for part in self._chosen if part.kind != "date" or part == ticked}
        self.tree.blockSignals(True)
        for item in self._choices():
            part = item.data(0, _PART_ROLE)
            if part.kind == "date" and part != ticked:
                item.setCheckState(0, Qt.CheckState.Unchecked)
        self.tree.blockSignals(False)

    def _choices(self) -> Iterator[QTreeWidgetItem]:
        """Yield the items that can be ticked."""
        for top in range(self.tree.topLevelItemCount()):
            section = self.tree.topLevelItem(top)
            for nth in range(section.childCount() if section is not None else 0):
                if section is not None and (item := section.child(nth)) is not None:
                    yield item

    def _clear(self) -> None:
        self.close()
        self.cleared.emit()


def list_all_choices(context: WindowContext, popup: FilterPopup) -> None:
    """Offer all parts of the library in a popup, without counts."""

    def show(languages: dict[int, str]) -> None:
        found = [_make_document_count(each, languages) for each in context.documents.all_documents()]
        popup.show_counts(count_choices(found, context.collections), is_search=False)

    job = context.session.workspace.read(
        lambda library: library.analysis_reader.languages(), key="languages", by_person=False
    )
    context.session.bridge.call(job, popup, show, on_error=context.tell_error)


def _make_document_count(document: Document, languages: dict[int, str]) -> DocumentCount:
    from desktop_app.core.records import DocumentCount

    return DocumentCount(
        document.document_id,
        document.path,
        document.title,
        document.type or "",
        document.mtime_ns / 1e9,
        document.sentences,
        languages.get(document.document_id, ""),
        copies=tuple(copy.path for copy in document.copies),
    )


def _date_sort_key(part: ScopePart) -> tuple[bool, int]:
    """Sort recent days first, then years from the latest on."""
    days, year = part.key.startswith("days:"), part.key.rpartition(":")[2]
    return (not days, int(year) if days else -int(year))
