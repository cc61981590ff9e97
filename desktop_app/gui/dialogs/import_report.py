"""What became of an import, file by file, and what can be done about those that failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.gui import words
from desktop_app.gui.widgets import label

if TYPE_CHECKING:
    from desktop_app.engine.requests import FailedFile, ImportReport

_MOST_LISTED = 1000  # of each kind; a folder of a million ignored files is not listed in full
_ROW = QSize(0, 28)
_FAILED_ROLE = Qt.ItemDataRole.UserRole


class ImportReportDialog(QDialog):
    """Lists failed, ignored and unchanged files and files with warnings.

    Attributes:
        retry: paths to import again; carries a list of str.
        password: a protected file is to be opened; carries its path.
    """

    retry = Signal(object)
    password = Signal(object)

    def __init__(self, report: ImportReport, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Import"))
        self.setAccessibleName(self.tr("Import report"))
        self.resize(860, 460)
        title = label(words.import_summary(report), factor=1.2, weight=QFont.Weight.DemiBold)
        title.setAccessibleName(self.tr("Summary"))
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(self.tr("Files"))
        self.tree.setHeaderLabels([self.tr("File"), self.tr("What happened"), self.tr("More")])
        self.tree.setRootIsDecorated(True)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        header = self.tree.header()
        header.setAccessibleName(self.tr("Columns"))
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.resizeSection(0, 250)
        header.resizeSection(1, 200)
        header.setStretchLastSection(True)
        self._fill(report)

        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.setAccessibleName(self.tr("Buttons"))
        self._retry = buttons.addButton(self.tr("Retry"), QDialogButtonBox.ButtonRole.ActionRole)
        self._password = buttons.addButton(self.tr("Enter password…"), QDialogButtonBox.ButtonRole.ActionRole)
        for button in buttons.buttons():
            button.setAccessibleName(button.text().replace("&", ""))
        self._retry.setToolTip(self.tr("Import the chosen files again, or all that failed"))
        self._retry.clicked.connect(self._on_retry)
        self._password.clicked.connect(self._on_password)
        self.tree.itemSelectionChanged.connect(self._on_selection_changed)
        buttons.rejected.connect(self.reject)
        self._retry.setEnabled(bool(report.failed))
        self._on_selection_changed()
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(title)
        column.addWidget(self.tree, 1)
        column.addWidget(buttons)

    def _fill(self, report: ImportReport) -> None:
        failed = [
            (file.path, words.failure(file.reason), f"{file.message}. {words.failure_hint(file.reason)}", file)
            for file in report.failed
        ]
        warned = [(file.path, "; ".join(file.warnings), "", None) for file in report.imported if file.warnings]
        ignored = [(path, self.tr("Not a kind of file that is read"), "", None) for path in report.ignored]
        unchanged = [(path, self.tr("Already in the library"), "", None) for path in report.unchanged]
        for name, rows in (
            (self.tr("Failed"), failed),
            (self.tr("Imported with a remark"), warned),
            (self.tr("Ignored"), ignored),
            (self.tr("Unchanged"), unchanged),
        ):
            if not rows:
                continue
            top = QTreeWidgetItem(self.tree, [f"{name} ({words.number(len(rows))})"])
            top.setSizeHint(0, _ROW)
            top.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for path, happened, hint, file in rows[:_MOST_LISTED]:
                item = QTreeWidgetItem(top, [words.document_name("", path), happened, hint])
                item.setSizeHint(0, _ROW)
                item.setToolTip(0, words.tooltip(path))
                item.setToolTip(1, words.tooltip(happened))
                item.setToolTip(2, words.tooltip(hint))
                item.setData(0, _FAILED_ROLE, file)
            if len(rows) > _MOST_LISTED:
                rest = words.number(len(rows) - _MOST_LISTED)
                QTreeWidgetItem(top, [self.tr("and {count} more").format(count=rest)])
            top.setExpanded(top.childCount() <= 50 or name == self.tr("Failed"))

    def _chosen(self) -> list[FailedFile]:
        found = [item.data(0, _FAILED_ROLE) for item in self.tree.selectedItems()]
        return [file for file in found if file is not None]

    def _all_failed(self) -> list[FailedFile]:
        top = self.tree.topLevelItem(0)
        if top is None:
            return []
        children = [top.child(row) for row in range(top.childCount())]
        found = [child.data(0, _FAILED_ROLE) for child in children if child is not None]
        return [file for file in found if file is not None]

    def _on_selection_changed(self) -> None:
        chosen = self._chosen()
        self._password.setEnabled(len(chosen) == 1 and chosen[0].reason == "encrypted")

    def _on_retry(self) -> None:
        self.retry.emit([file.path for file in self._chosen() or self._all_failed()])
        self.accept()

    def _on_password(self) -> None:
        self.password.emit(self._chosen()[0].path)
        self.accept()
