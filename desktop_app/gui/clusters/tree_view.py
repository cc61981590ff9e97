"""The view of clusters: a list, or a tree of broad clusters that open into clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractItemView, QTreeView

from desktop_app.gui.base.icons import paint_icon
from desktop_app.gui.clusters.delegate import ClusterDelegate
from desktop_app.gui.clusters.model import is_broad

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.clusters.model import ClusterModel
    from desktop_app.gui.widgets.item_views import AnyIndex


_CHEVRON_PX = 14
_INDENT_PX = 20


class ClusterTreeView(QTreeView):
    """Shows a ClusterModel. Broad clusters stay open or closed when the model is reset; a filter opens all of them."""

    def __init__(self, model: ClusterModel, themes: ThemeManager) -> None:
        super().__init__()
        self._model = model
        self._themes = themes
        self._opened: set[int] = set()  # ids of broad rows
        self._is_restoring = False
        self.setObjectName("clusters")
        self.setAccessibleName(self.tr("Topics"))
        self.header().setAccessibleName(self.tr("Columns"))
        self.setHeaderHidden(True)
        colours = QPalette()
        colours.setColor(QPalette.ColorRole.Highlight, Qt.GlobalColor.transparent)  # the delegate paints selected rows
        self.setPalette(colours)
        self.setModel(model)
        self.setItemDelegate(ClusterDelegate(self, themes))
        self.setUniformRowHeights(True)
        self.setIndentation(_INDENT_PX)
        self.setRootIsDecorated(False)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.expanded.connect(self._on_expanded)
        self.collapsed.connect(self._on_collapsed)

    def open_rows(self) -> None:
        """Open the broad clusters that the person opened; call it after a reset of the model."""
        self._is_restoring = True
        self.setRootIsDecorated(self._model.has_broad)
        for row in range(self._model.rowCount()):
            index = self._model.index(row)
            self.setExpanded(index, bool(self._model.filter) or self._model.cluster(index).cluster_id in self._opened)
        self._is_restoring = False

    def _on_expanded(self, index: QModelIndex) -> None:
        if not self._is_restoring and not self._model.filter:
            self._opened.add(self._model.cluster(index).cluster_id)

    def _on_collapsed(self, index: QModelIndex) -> None:
        if not self._is_restoring and not self._model.filter:
            self._opened.discard(self._model.cluster(index).cluster_id)

    def drawBranches(self, painter: QPainter, rect: QRect, index: AnyIndex) -> None:
        """Paint the arrow of a broad cluster."""
        if is_broad(self._model.cluster(index)):
            at = QRect(rect.right() - _CHEVRON_PX + 2, rect.center().y() - _CHEVRON_PX // 2, _CHEVRON_PX, _CHEVRON_PX)
            name = "chevron-down" if self.isExpanded(index) else "chevron-right"
            paint_icon(painter, at, name, self._themes.theme.color("muted"))
