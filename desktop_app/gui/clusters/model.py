"""Clusters as a list model: sorted and filtered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor

from desktop_app.core.clusters import Cluster
from desktop_app.gui.base import display_text

if TYPE_CHECKING:
    from desktop_app.core.clusters import Clusters

AnyIndex = QModelIndex | QPersistentModelIndex
ClusterOrder = Literal["size", "name", "documents", "new"]
CLUSTER_ORDERS: tuple[ClusterOrder, ...] = ("size", "name", "documents", "new")
CLUSTER_ROLE = Qt.ItemDataRole.UserRole
UNCLUSTERED = -1
"""The id of the row with the sentences that belong to no cluster."""

_NO_INDEX = QModelIndex()
_GOLDEN_RATIO = 0.61803398875


class ClusterModel(QAbstractListModel):
    """The clusters of one result.

    Attributes:
        renamed: the person renamed a cluster; carries (its id, the name).
    """

    renamed = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._found: Clusters | None = None
        self._rows: list[Cluster] = []
        self.order: ClusterOrder = "size"
        self.filter = ""

    def show(self, found: Clusters | None) -> None:
        """Show the clusters of a result."""
        if found is not self._found:
            self._found = found
            self._lay_out()

    def set_order(self, order: ClusterOrder) -> None:
        """Change the order."""
        self.order = order
        self._lay_out()

    def set_filter(self, text: str) -> None:
        """Show only clusters whose name, keywords or key sentences have all words of `text`."""
        self.filter = text
        self._lay_out()

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the name of a cluster, its text for screen readers, or the cluster itself."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        cluster = self._rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return cluster_name(cluster)
        if role == CLUSTER_ROLE:
            return cluster
        if role == Qt.ItemDataRole.AccessibleTextRole:
            keys = [hit.text for hit in cluster.key_sentences[:1]]
            return ", ".join([cluster_name(cluster), describe_cluster_size(cluster), *keys])
        return None

    def setData(self, index: AnyIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Pass a new name on; the row changes when the library has stored it."""
        cluster = self.cluster(index)
        if role == Qt.ItemDataRole.EditRole and str(value).strip() != cluster.name:
            self.renamed.emit(cluster.cluster_id, str(value))
        return False

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Return that clusters can be selected, and renamed in their row."""
        flag = Qt.ItemFlag
        flags = flag.ItemIsSelectable | flag.ItemIsEnabled | flag.ItemNeverHasChildren
        return flags if self.cluster(index).cluster_id == UNCLUSTERED else flags | flag.ItemIsEditable

    def cluster(self, index: AnyIndex) -> Cluster:
        """Return the cluster at `index`."""
        return self._rows[index.row()]

    def find_index(self, cluster_id: int) -> QModelIndex:
        """Return the index of a cluster; an invalid one if it is not shown."""
        row = self.row_of(cluster_id)
        return QModelIndex() if row is None else self.index(row)

    def row_of(self, cluster_id: int) -> int | None:
        """Return the row of a cluster; None if it is not shown."""
        return next((row for row, cluster in enumerate(self._rows) if cluster.cluster_id == cluster_id), None)

    def _lay_out(self) -> None:
        wanted = self.filter.casefold().split()
        found = self._found
        rows = [
            cluster for cluster in (found.clusters if found is not None else ()) if _contains_words(cluster, wanted)
        ]
        keys: dict[ClusterOrder, Any] = {
            "size": lambda cluster: -cluster.size,
            "name": lambda cluster: cluster_name(cluster).casefold(),
            "documents": lambda cluster: -cluster.documents,
            "new": lambda cluster: (-cluster.new, -cluster.size),
        }
        rows.sort(key=keys[self.order])
        if found is not None and found.unclustered and not wanted:
            rows.append(unclustered_row(found))
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()


def unclustered_row(found: Clusters) -> Cluster:
    """Return the sentences that belong to no cluster as if they were one."""
    ids = found.unclustered
    new = sum(key > found.new_after for key in ids) if found.new_after else 0
    return Cluster(UNCLUSTERED, "", (), (), ids, 0, closeness=(0.0,) * len(ids), new=new)


def cluster_name(cluster: Cluster) -> str:
    """Return the displayed name of a cluster."""
    if cluster.cluster_id == UNCLUSTERED:
        return display_text.translate("clusters", "Unassigned")
    return cluster.name or display_text.translate("clusters", "Untitled")


def describe_cluster_size(cluster: Cluster) -> str:
    """Return "128 sentences · 14 documents · 3 new"."""
    parts = [display_text.count_sentences(cluster.size)]
    if cluster.documents:
        parts.append(display_text.count_documents(cluster.documents))
    if cluster.new:
        parts.append(
            display_text.translate("clusters", "{count} new").format(count=display_text.format_number(cluster.new))
        )
    if cluster.pinned:
        parts.append(display_text.translate("clusters", "pinned"))
    return " · ".join(parts)


def cluster_colour(cluster_id: int, dark: bool) -> QColor:
    """Return the colour of a cluster, which depends on its id alone; grey for sentences without a cluster."""
    if cluster_id == UNCLUSTERED:
        return QColor("#6c7080" if dark else "#b4b7c3")
    hue = (cluster_id * _GOLDEN_RATIO) % 1.0
    return QColor.fromHslF(hue, 0.55 if dark else 0.6, 0.66 if dark else 0.46)


def _contains_words(cluster: Cluster, wanted: list[str]) -> bool:
    if not wanted:
        return True
    text = " ".join([cluster.name, *cluster.keywords, *(hit.text for hit in cluster.key_sentences)]).casefold()
    return all(word in text for word in wanted)
