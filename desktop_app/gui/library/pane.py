"""The library pane: folders and documents, and the state of each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QPoint, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QMenu, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from desktop_app.core.formats import find_format
from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import Role, make_icon
from desktop_app.gui.base.theme import ThemeManager, scale_font
from desktop_app.gui.library.collection_list import CollectionListView
from desktop_app.gui.library.folder_tree import DOCUMENT_ORDERS, DocumentFilter, DocumentNode
from desktop_app.gui.library.model import DOCUMENT_ROLE
from desktop_app.gui.library.tree_view import DocumentTreeView
from desktop_app.gui.widgets.fields import FilterField
from desktop_app.gui.widgets.item_views import edit_row_in_place
from desktop_app.gui.widgets.labels import ElidedLabel, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row
from desktop_app.gui.widgets.menus import make_popup_menu

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.records import Document, DocumentCollection
    from desktop_app.gui.base.actions import ActionTable
    from desktop_app.gui.library.model import DocumentTreeModel

_MAX_PLACES = 20  # of a document, in a menu
ROW_ACTIONS = (
    "document.search_here",
    "document.keys",
    "document.pairs",
    "document.cite",
    "document.open",
    "document.show_in_folder",
    "document.copy_path",
    "document.copy_link",
    "document.collect",
    "document.tag",
    "document.retry",
    "document.remove",
)
_ONE_DOCUMENT_ACTIONS = ("document.rename", "document.details", "document.reference")
_MENU_ACTIONS = (
    "document.open",
    "document.search_here",
    "",
    "document.details",
    "document.keys",
    "document.pairs",
    "document.compare",
    "document.rename",
    "document.cite",
    "document.reference",
    "document.show_in_folder",
    "document.copy_path",
    "document.copy_link",
    "",
    "document.collect",
    "document.tag",
    "document.uncollect",
    "",
    "document.relink",
    "document.password",
    "document.recognise",
    "document.retry",
    "document.remove",
)
_IMPORT_ACTIONS = ("library.import", "library.import_folder", "library.paste", "library.samples")
_OCR_CODES = frozenset(
    (
        "pages_without_text",
        "pages_with_wrong_letters",
        "pages_poor",
        "pages_by_ocr",  # perhaps in the wrong language
        "pages_doubtful",
        "ocr_failed",
    )
)
"""Codes of the warnings about pages that OCR may read; those of older versions have none."""


class LibraryPane(QWidget):
    """Shows folders and documents with their state, progress and failures.

    Attributes:
        activated: Enter was pressed on a document; carries the Document.
        clicked: a document was clicked once; carries the Document.
        kept: a document was double-clicked; carries the Document.
        wanted: the focus moves into this pane, which may be hidden.
        model: the documents.
    """

    activated = Signal(object)
    clicked = Signal(object)
    kept = Signal(object)
    wanted = Signal()

    def __init__(
        self,
        model: DocumentTreeModel,
        actions: ActionTable,
        themes: ThemeManager,
        cards: Sequence[QWidget],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.model = self._model = model
        self._actions = actions
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Library"))
        self.setMinimumWidth(200)
        heading = make_label(self.tr("Library"), weight=QFont.Weight.DemiBold, name=self.tr("Heading"))
        self.count = ElidedLabel(self.tr("Number of documents"), "muted")
        self.count.setFont(scale_font(self.count.font(), 0.9))
        self.filter = FilterField(self.tr("Filter documents"))
        self.filter.setPlaceholderText(self.tr("Filter"))
        self.filter.setMinimumWidth(64)  # in the narrowest library, the number of failures next to it shows whole
        self.filter.setToolTip(
            self.tr("Show only documents with these words in title, path or tags (tag:word for tags only)")
        )
        self.failed = QToolButton()
        self.failed.setProperty("tone", "bad")
        self.failed.setDefaultAction(actions["library.failed_only"])
        self.failed.setIcon(make_icon("circle-alert", Role.BrightText))
        self.failed.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.missing = QToolButton()
        self.missing.setProperty("tone", "bad")
        self.missing.setDefaultAction(actions["library.missing_only"])
        self.missing.setIcon(make_icon("triangle-alert", Role.BrightText))
        self.missing.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.collections = CollectionListView(actions)
        self.view = DocumentTreeView(model, themes)
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.view.activated.connect(self._on_activated)
        self.view.document_clicked.connect(self.clicked)
        self.view.document_double_clicked.connect(self.kept)
        self.view.selectionModel().selectionChanged.connect(self._enable)
        self.nothing = make_label(tone="muted", wrap=True, name=self.tr("No documents shown"))
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.nothing.setContentsMargins(16, 24, 16, 0)
        self._stack = QStackedWidget()
        self._stack.setAccessibleName(self.tr("Documents"))
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.nothing)

        head = make_row(
            heading,
            4,
            (self.count, 1),
            self._menu_button("arrow-up-down", self.tr("Sort documents"), self._orders()),
            self._menu_button("plus", self.tr("Add documents"), _IMPORT_ACTIONS),
            margins=(16, 10, 8, 6),
            spacing=4,
        )
        self._filters = QWidget()
        self._filters.setAccessibleName(self.tr("Filter"))
        make_row((self.filter, 1), self.failed, parent=self._filters, margins=(10, 0, 10, 6), spacing=6)
        foot = self._foot = QVBoxLayout()
        foot.setContentsMargins(10, 6, 10, 10)
        foot.setSpacing(8)
        for card in cards:
            foot.addWidget(card)
        self._missing_button = QWidget()
        self._missing_button.setAccessibleName(self.tr("Missing files"))
        make_row(self.missing, "stretch", parent=self._missing_button, margins=(10, 0, 10, 6))
        shelf = make_row(self.collections, margins=(8, 0, 8, 0))
        make_column(head, self._filters, self._missing_button, shelf, (self._stack, 1), foot, parent=self, spacing=0)
        actions.add_to_pane("library", self.view)
        self._typing = QTimer(self, singleShot=True, interval=0)  # once for all letters that wait
        self._typing.timeout.connect(self._arrange)
        self.filter.textChanged.connect(lambda _text: self._typing.start())
        self.filter.left.connect(self.focus_list)
        actions["library.failed_only"].toggled.connect(self._arrange)
        actions["library.missing_only"].toggled.connect(self._arrange)
        self.collections.picked.connect(self._on_picked)
        for order in DOCUMENT_ORDERS:
            actions[f"library.sort.{order}"].toggled.connect(self._arrange)
        actions["library.sort.title"].setChecked(True)
        model.counted.connect(self._on_counted)
        self._on_counted()

    def add_card(self, card: QWidget) -> None:
        """Add a card below the documents, above the other cards."""
        self._foot.insertWidget(0, card)

    def _orders(self) -> tuple[str, ...]:
        return tuple(f"library.sort.{order}" for order in DOCUMENT_ORDERS)

    def _menu_button(self, picture: str, name: str, actions: tuple[str, ...]) -> QToolButton:
        menu = QMenu(self)
        menu.setAccessibleName(name)
        for action in actions:
            menu.addAction(self._actions[action])
        button = QToolButton()
        button.setIcon(make_icon(picture))
        button.setIconSize(QSize(18, 18))
        button.setToolTip(name)
        button.setAccessibleName(name)
        # Not setMenu, which opens the menu in an event loop of its own.
        button.clicked.connect(lambda: menu.popup(button.mapToGlobal(button.rect().bottomLeft())))
        return button

    # Selection

    def selected_documents(self) -> list[Document]:
        """Return the selected documents and the visible ones in selected folders, from top to bottom."""
        return list({leaf.document.document_id: leaf.document for leaf in self.view.selected_files()}.values())

    def selected_paths(self) -> list[str]:
        """Return the paths of the selected files and of the visible ones in selected folders, from top to bottom."""
        return list(dict.fromkeys(leaf.document.path for leaf in self.view.selected_files()))

    def focus_list(self) -> None:
        """Focus the list."""
        self.wanted.emit()
        self._typing.stop()
        self._arrange()
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not self.view.currentIndex().isValid() and self._model.rowCount():
            self.view.setCurrentIndex(self._model.index(0, 0))

    def show_collection(self, collection: DocumentCollection) -> None:
        """List the documents of a collection, and focus the list."""
        self.collections.select(collection.collection_id)
        self.focus_list()

    def focus_filter(self) -> None:
        """Focus the filter."""
        self.wanted.emit()
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    def rename(self) -> None:
        """Edit the title of the selected document."""
        nodes = self.view.selected_nodes()
        if len(nodes) == 1 and isinstance(nodes[0], DocumentNode):
            index = self._model.index_of_node(nodes[0])
            # Ctrl and a click may have left another row the current one, without selecting it.
            self.view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.view.scrollTo(index)
            edit_row_in_place(self.view, index)

    # What is shown

    def _arrange(self) -> None:
        order = next(order for order in DOCUMENT_ORDERS if self._actions[f"library.sort.{order}"].isChecked())
        failed_only = self._actions["library.failed_only"].isChecked()
        missing_only = self._actions["library.missing_only"].isChecked()
        collection = self.collections.current
        ids = collection.document_ids if collection is not None else None
        self._model.arrange(order, DocumentFilter(self.filter.text().strip(), failed_only, missing_only, ids))

    def _on_picked(self) -> None:
        self._arrange()
        self._enable()

    def current_row_position(self) -> QPoint:
        """Return the point of the screen below the current row, for a menu opened by keyboard."""
        at = self.view.visualRect(self.view.currentIndex()).bottomLeft()
        return self.view.viewport().mapToGlobal(at)

    def _on_counted(self) -> None:
        forest = self._model.forest
        shown, every = forest.root.documents, forest.document_count
        if shown == every:
            self.count.setText(display_text.format_number(every) if every else "")
        else:
            self.count.setText(
                self.tr("{shown} of {all}").format(
                    shown=display_text.format_number(shown), all=display_text.format_number(every)
                )
            )
        failed_only = self._actions["library.failed_only"]
        failed_only.setEnabled(bool(forest.failed) or failed_only.isChecked())
        if not forest.failed and failed_only.isChecked():
            failed_only.setChecked(False)  # the last failure is gone
        self.failed.setText(self.tr("{count} failed").format(count=display_text.format_number(forest.failed)))
        self.failed.setAccessibleName(self.tr("Show only failed documents"))
        self.failed.setVisible(bool(forest.failed))
        missing_only = self._actions["library.missing_only"]
        missing_count = forest.missing_count
        missing_only.setEnabled(bool(missing_count) or missing_only.isChecked())
        if not missing_count and missing_only.isChecked():
            missing_only.setChecked(False)  # the last missing file is found
        self.missing.setText(self.tr("{count} not found").format(count=display_text.format_number(missing_count)))
        self.missing.setAccessibleName(self.tr("Show only documents with missing files"))
        self.missing.setVisible(bool(missing_count))
        self._missing_button.setVisible(bool(missing_count))
        self._filters.setVisible(every > 0)
        self.nothing.setText(self.tr("No documents match the filter.") if every else "")
        self._stack.setCurrentIndex(1 if every and not shown else 0)
        self._enable()

    def _enable(self) -> None:
        selection = self.view.selectionModel().selection()
        ranges = [selection.at(nth) for nth in range(selection.size())]
        rows = sum(part.bottom() - part.top() + 1 for part in ranges)
        document = None
        if rows == 1:
            document = selection.indexes()[0].data(DOCUMENT_ROLE)
        self._actions.enable(ROW_ACTIONS, rows > 0)
        self._actions.enable(_ONE_DOCUMENT_ACTIONS, document is not None)
        self._actions.enable(("document.relink",), rows == 1)
        self._actions.enable(("document.uncollect",), rows > 0 and self.collections.current is not None)
        self._actions.enable(("document.password",), document is not None and document.reason == "encrypted")
        self._actions.enable(("document.recognise",), rows > 1 or (document is not None and _is_maybe_scan(document)))

    def _on_activated(self, index: object) -> None:
        node = self._model.node(index)  # type: ignore[arg-type]
        if isinstance(node, DocumentNode):
            self.activated.emit(node.document)
        elif node is not None:
            at = self._model.index_of_folder(node.path)
            self.view.setExpanded(at, not self.view.isExpanded(at))

    def _show_menu(self, at: QPoint) -> None:
        if not self.view.indexAt(at).isValid():
            return
        menu = make_popup_menu(self, self.tr("Document"))
        for name in _MENU_ACTIONS:
            if not name:
                menu.addSeparator()
            elif (action := self._actions[name]).isEnabled():
                menu.addAction(action)
        nodes = self.view.selected_nodes()
        if len(nodes) == 1 and isinstance(nodes[0], DocumentNode) and nodes[0].document.copies:
            menu.addSeparator()
            menu.addMenu(self._make_places_menu(menu, nodes[0].document))
        menu.popup(self.view.viewport().mapToGlobal(at))

    def _make_places_menu(self, parent: QMenu, document: Document) -> QMenu:
        """Return a menu of the other places of a document, each of which selects its row."""
        menu = QMenu(self.tr("Also At"), parent)
        for copy in document.copies[:_MAX_PLACES]:
            action = menu.addAction(copy.path.replace("&", "&&"))
            action.triggered.connect(partial(self.show_file, document.document_id, copy.path))
        return menu

    def show_file(self, document_id: int, path: str) -> None:
        """Select the row of a file of a document."""
        name = path if path in self._model.forest.leaves else document_id
        index = self._model.index_of(name)
        if index.isValid():
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)

    # Window state

    def save(self, state: QSettings) -> None:
        """Save the closed folders and the order."""
        state.setValue("library/closed", sorted(self.view.closed))
        state.setValue("library/order", self._model.forest.order)

    def restore(self, state: QSettings) -> None:
        """Restore the closed folders and the order."""
        closed = state.value("library/closed")
        # A single path comes back as a string.
        paths = [closed] if isinstance(closed, str) else closed if isinstance(closed, list) else []
        self.view.closed = {str(path) for path in paths if path}
        order = state.value("library/order")
        if order in DOCUMENT_ORDERS:
            self._actions[f"library.sort.{order}"].setChecked(True)


def _is_maybe_scan(document: Document) -> bool:
    """Return whether pages of a document were left out, or read badly, so that OCR may read more."""
    if document.state == "failed":
        return display_text.is_maybe_scan(document.reason, document.path)
    return find_format(document.type).shows_pages and any(
        each.code in _OCR_CODES or not each.code for each in document.warnings
    )
