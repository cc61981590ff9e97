"""The folders that the library follows, what is taken from each, and a field to try a path."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.patterns import judge
from desktop_app.core.records import WatchedFolder
from desktop_app.gui.dialogs.buttons import push_button
from desktop_app.gui.icons import icon
from desktop_app.gui.widgets import label
from desktop_app.gui.words import tooltip

if TYPE_CHECKING:
    from desktop_app.gui.following import FolderWatch

_BETWEEN = "; "


class WatchedFoldersPage(QWidget):
    """Shows the folders; every change counts at once."""

    def __init__(self, following: FolderWatch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._following = following
        self.setAccessibleName(self.tr("Watched folders"))
        title = label(self.tr("Folders that the library follows"), factor=1.2, weight=QFont.Weight.DemiBold)
        title.setAccessibleName(title.text())
        about = self.tr(
            "What is added, changed, renamed or deleted in them is followed, also while Kindred was closed."
            " A folder that is not there for a while loses nothing."
        )
        text = label(about, tone="muted", wrap=True)
        text.setAccessibleName(self.tr("About watched folders"))
        self.list = QListWidget()
        self.list.setObjectName("kinds")
        self.list.setAccessibleName(self.tr("Watched folders"))
        self.add = push_button(self.tr("&Add Folder…"), picture="folder-plus")
        self.remove = push_button(self.tr("&Stop Following"), picture="x")
        self.include = self._field(self.tr("Only"), self.tr("everything that can be read; or: *.pdf; 2024/*"))
        self.exclude = self._field(self.tr("Except"), self.tr("nothing; or: drafts; *.txt; archive/old"))
        self.probe = self._field(self.tr("Try a path"), self.tr("a path in the folder: is it taken?"))
        self.verdict = label(tone="muted", wrap=True)
        self.verdict.setAccessibleName(self.tr("What becomes of the path"))
        form = QFormLayout()
        form.setHorizontalSpacing(14)
        for field in (self.include, self.exclude, self.probe):
            heading = label(field.accessibleName(), tone="muted")
            heading.setAccessibleName(field.accessibleName())
            form.addRow(heading, field)
        form.addRow("", self.verdict)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        for button in (self.add, self.remove):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(title)
        column.addWidget(text)
        column.addWidget(self.list, 1)
        column.addLayout(form)
        column.addSpacing(4)
        column.addLayout(buttons)
        self.add.clicked.connect(self._choose)
        self.remove.clicked.connect(self._on_remove)
        self.list.currentRowChanged.connect(self._show_patterns)
        self.include.editingFinished.connect(self._keep)
        self.exclude.editingFinished.connect(self._keep)
        for field in (self.include, self.exclude, self.probe):
            field.textChanged.connect(self._judge)
        following.changed.connect(self._refresh)
        self._refresh()

    def _field(self, name: str, hint: str) -> QLineEdit:
        field = QLineEdit()
        field.setAccessibleName(name)
        field.setPlaceholderText(hint)
        return field

    @property
    def current(self) -> WatchedFolder | None:
        """The folder that is chosen."""
        row = self.list.currentRow()
        return self._following.folders[row] if 0 <= row < len(self._following.folders) else None

    def follow(self, path: str) -> None:
        """Follow another folder."""
        self._following.watch(WatchedFolder(os.path.realpath(path)))

    def _choose(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose a folder to follow"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self.follow)
        dialog.open()

    def _on_remove(self) -> None:
        if (folder := self.current) is not None:
            self._following.leave(folder.path)

    def _refresh(self) -> None:
        chosen = self.list.currentItem()
        path = chosen.data(Qt.ItemDataRole.UserRole) if chosen is not None else ""
        self.list.blockSignals(True)
        self.list.clear()
        for folder in self._following.folders:
            item = QListWidgetItem(icon("folder"), folder.path)
            item.setData(Qt.ItemDataRole.UserRole, folder.path)
            item.setToolTip(tooltip(folder.path))
            self.list.addItem(item)
        paths = [folder.path for folder in self._following.folders]
        self.list.setCurrentRow(paths.index(path) if path in paths else len(paths) - 1)
        self.list.blockSignals(False)
        self._show_patterns()

    def _show_patterns(self) -> None:
        folder = self.current
        for field in (self.include, self.exclude, self.probe, self.remove):
            field.setEnabled(folder is not None)
        self.include.setText(_BETWEEN.join(folder.include) if folder is not None else "")
        self.exclude.setText(_BETWEEN.join(folder.exclude) if folder is not None else "")
        self._judge()

    def _written(self) -> WatchedFolder | None:
        """Return the chosen folder with the patterns as they stand in the fields."""
        folder = self.current
        if folder is None:
            return None
        return replace(folder, include=_patterns(self.include.text()), exclude=_patterns(self.exclude.text()))

    def _keep(self) -> None:
        folder = self._written()
        if folder is not None and folder != self.current:
            self._following.watch(folder)

    def _judge(self) -> None:
        folder, path = self._written(), self.probe.text().strip()
        if folder is None or not path:
            self.verdict.setText("")
            return
        verdict = judge(folder, os.path.normpath(os.path.join(folder.path, path)))
        text = {
            "taken": self.tr("It is taken."),
            "outside": self.tr("It does not lie in this folder."),
            "excluded": self.tr("It is left out: {pattern} matches."),
            "not_included": self.tr("It is left out: nothing under “Only” matches."),
            "unsupported": self.tr("It is left out: hidden, or no kind of file that is read."),
        }[verdict.why]
        self.verdict.setText(text.format(pattern=verdict.pattern))


def _patterns(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.replace("\n", ";").split(";") if part.strip())
