"""The library at the left: its documents and how each of them is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListView, QMenu, QToolButton, QVBoxLayout, QWidget

from desktop_app.gui import words
from desktop_app.gui.documents import DOCUMENT_ROLE, SortedDocuments
from desktop_app.gui.icons import icon
from desktop_app.gui.rows import DocumentDelegate
from desktop_app.gui.theme import ThemeManager, scaled
from desktop_app.gui.widgets import ElidedLabel, label

if TYPE_CHECKING:
    from desktop_app.core.records import Document
    from desktop_app.gui.actions import Actions
    from desktop_app.gui.documents import DocumentModel

_SELECTION_ACTIONS = ("document.open", "document.show_in_folder", "document.retry", "document.remove")


class LibraryPane(QWidget):
    """Documents with state, progress and reason of failure.

    Attributes:
        activated: a document was double-clicked or Enter pressed on it; carries the Document.
    """

    activated = Signal(object)

    def __init__(self, model: DocumentModel, actions: Actions, themes: ThemeManager, job_card: QWidget) -> None:
        super().__init__()
        self._model = model
        self._sorted = SortedDocuments(model, self)
        self._actions = actions
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Library"))
        self.setMinimumWidth(200)
        heading = label(self.tr("Library"), weight=QFont.Weight.DemiBold)
        heading.setAccessibleName(self.tr("Heading"))
        self.count = ElidedLabel(self.tr("Number of documents"), "muted")
        self.count.setFont(scaled(self.count.font(), 0.9))
        self.view = QListView()
        self.view.setObjectName("documents")
        self.view.setAccessibleName(self.tr("Documents"))
        self.view.setModel(self._sorted)
        self.view.setItemDelegate(DocumentDelegate(self.view, themes))
        self.view.setUniformItemSizes(True)
        self.view.setMouseTracking(True)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.view.activated.connect(lambda index: self.activated.emit(index.data(DOCUMENT_ROLE)))
        self.view.selectionModel().selectionChanged.connect(self._enable)

        head = QHBoxLayout()
        head.setContentsMargins(16, 10, 8, 6)
        head.setSpacing(8)
        head.addWidget(heading)
        head.addWidget(self.count, 1)
        head.addWidget(self._adding())
        foot = QVBoxLayout()
        foot.setContentsMargins(10, 6, 10, 10)
        foot.addWidget(job_card)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.view, 1)
        column.addLayout(foot)
        actions.add_to_pane("library", self.view)
        for signal in (model.rowsInserted, model.rowsRemoved, model.modelReset, model.dataChanged):
            signal.connect(self._on_rows_changed)
        self._on_rows_changed()

    def _adding(self) -> QToolButton:
        """Return the button that offers the ways in which documents come in."""
        menu = QMenu(self)
        menu.setAccessibleName(self.tr("Add documents"))
        for action in ("library.import", "library.import_folder", "library.samples"):
            menu.addAction(self._actions[action])
        button = QToolButton()
        button.setIcon(icon("plus"))
        button.setIconSize(QSize(18, 18))
        button.setToolTip(self.tr("Add documents"))
        button.setAccessibleName(self.tr("Add documents"))
        # Not setMenu: the button would open it in an event loop of its own.
        button.clicked.connect(lambda: menu.popup(button.mapToGlobal(button.rect().bottomLeft())))
        return button

    def selected(self) -> list[Document]:
        """Return the chosen documents, from top to bottom."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedIndexes())
        return [self._sorted.index(row, 0).data(DOCUMENT_ROLE) for row in rows]

    def focus_list(self) -> None:
        """Put the focus into the list."""
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not self.view.currentIndex().isValid() and self._model.rowCount():
            self.view.setCurrentIndex(self._sorted.index(0, 0))

    def _on_rows_changed(self) -> None:
        self.count.setText(words.number(self._model.rowCount()) if self._model.rowCount() else "")
        self._enable()

    def _enable(self) -> None:
        chosen = self.selected()
        self._actions.enable(_SELECTION_ACTIONS, bool(chosen))
        self._actions.enable(("document.password",), len(chosen) == 1 and chosen[0].reason == "encrypted")

    def _show_menu(self, at: QPoint) -> None:
        if not self.view.indexAt(at).isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(self.tr("Document"))
        for spec, action in self._actions.of_menu("library"):
            if spec.id in _SELECTION_ACTIONS or (spec.id == "document.password" and action.isEnabled()):
                if spec.separated:
                    menu.addSeparator()
                menu.addAction(action)
        menu.popup(self.view.viewport().mapToGlobal(at))
