"""The searches that are kept under a name: to run, rename and remove."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from desktop_app.gui.dialogs.buttons import close_button, push_button
from desktop_app.gui.icons import icon
from desktop_app.gui.sizing import give_size
from desktop_app.gui.widgets import label

if TYPE_CHECKING:
    from desktop_app.core.keeping import SavedSearch
    from desktop_app.gui.search_memory import SearchMemory

_SEARCH = Qt.ItemDataRole.UserRole


class SavedSearchesDialog(QDialog):
    """Lists the saved searches; a name is changed in the list."""

    def __init__(self, memory: SearchMemory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Saved searches"))
        self.setAccessibleName(self.windowTitle())
        title = label(self.tr("Saved searches"), factor=1.2, weight=QFont.Weight.DemiBold)
        title.setAccessibleName(title.text())
        self.about = label(tone="muted", wrap=True)
        self.about.setAccessibleName(self.tr("About saved searches"))
        self.list = QListWidget()
        self.list.setObjectName("quotes")
        self.list.setAccessibleName(self.tr("Saved searches"))
        self.run = push_button(self.tr("&Search"), self.tr("Run the chosen search"), "play")
        self.rename = push_button(self.tr("Re&name"), picture="pencil")
        self.remove = push_button(self.tr("Re&move"), picture="trash-2")
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        for button in (self.run, self.rename, self.remove):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(close_button(self))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        column.addWidget(title)
        column.addWidget(self.about)
        column.addWidget(self.list, 1)
        column.addLayout(buttons)
        give_size(self, 520, 400)
        self.run.clicked.connect(self._run)
        self.rename.clicked.connect(lambda: self.list.editItem(self.list.currentItem()))
        self.remove.clicked.connect(self._remove)
        self.list.itemActivated.connect(lambda _item: self._run())
        self.list.itemChanged.connect(self._on_renamed)
        memory.changed.connect(self._show)
        self._show()

    @property
    def current(self) -> SavedSearch | None:
        """The search that is chosen."""
        item = self.list.currentItem()
        search: SavedSearch | None = item.data(_SEARCH) if item is not None else None
        return search

    def _show(self) -> None:
        row = max(self.list.currentRow(), 0)
        self.list.blockSignals(True)
        self.list.clear()
        for search in self._memory.searches:
            item = QListWidgetItem(icon("search"), search.name)
            item.setData(_SEARCH, search)
            item.setToolTip(self._memory.in_words(search))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            self.list.addItem(item)
        self.list.blockSignals(False)
        count = self.list.count()
        self.list.setCurrentRow(min(row, count - 1))
        for button in (self.run, self.rename, self.remove):
            button.setEnabled(count > 0)
        self.about.setText(
            self.tr("Each keeps its query, how it looks for it, its filters and its least score.")
            if count
            else self.tr("There are none yet. Search for something, then Search > Save Search.")
        )

    def _run(self) -> None:
        if (search := self.current) is not None:
            self.close()
            self._memory.run(search)

    def _remove(self) -> None:
        if (search := self.current) is not None:
            self._memory.drop(search)

    def _on_renamed(self, item: QListWidgetItem) -> None:
        search, name = item.data(_SEARCH), " ".join(item.text().split())
        if name and name != search.name:
            self._memory.keep(replace(search, name=name))
        else:
            self._show()
