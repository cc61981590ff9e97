"""Clusters as a model: sorted and filtered, within broad clusters if there are many."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QColor

from desktop_app.core.cluster_files import ClusterTexts
from desktop_app.core.clusters import Cluster, compact_ids
from desktop_app.core.stored_text import fold_text
from desktop_app.gui.base import display_text
from desktop_app.gui.widgets.item_views import NO_INDEX, AnyIndex

if TYPE_CHECKING:
    from desktop_app.core.clusters import BroadCluster, Clusters

ClusterOrder = Literal["size", "name", "documents", "new"]
CLUSTER_ORDERS: tuple[ClusterOrder, ...] = ("size", "name", "documents", "new")
CLUSTER_ROLE = Qt.ItemDataRole.UserRole
UNCLUSTERED = -1
"""The id of the row with the sentences that belong to no cluster."""

_GOLDEN_RATIO = 0.61803398875


class ClusterModel(QAbstractItemModel):
    """The clusters of one result: a list, or the broad clusters with their clusters below them.

    Attributes:
        renamed: the person renamed a row; carries (the id of its cluster, the name).
    """

    renamed = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._found: Clusters | None = None
        self._rows: list[Cluster] = []
        self._parts: list[list[Cluster]] = []  # the clusters of each row
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

    def rowCount(self, parent: AnyIndex = NO_INDEX) -> int:
        """Return the number of rows."""
        if not parent.isValid():
            return len(self._rows)
        return 0 if parent.internalId() else len(self._parts[parent.row()])

    def columnCount(self, parent: AnyIndex = NO_INDEX) -> int:
        """Return the number of columns: one."""
        return 1

    def index(self, row: int, column: int = 0, parent: AnyIndex = NO_INDEX) -> QModelIndex:
        """Return the index of a row; its internal id is 0, or the row of its broad cluster plus 1."""
        if column or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        return self.createIndex(row, 0, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: AnyIndex = NO_INDEX) -> QModelIndex:  # type: ignore[override]
        """Return the index of the broad cluster of a cluster."""
        if not index.isValid() or not index.internalId():
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, 0)

    @property
    def has_broad(self) -> bool:
        """Whether there are broad clusters."""
        return any(self._parts)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the name of a cluster, its text for screen readers, or the cluster itself."""
        if not index.isValid():
            return None
        cluster = self.cluster(index)
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
        flags = flag.ItemIsSelectable | flag.ItemIsEnabled
        cluster = self.cluster(index)
        if not is_broad(cluster):
            flags |= flag.ItemNeverHasChildren
        return flags | flag.ItemIsEditable if cluster.cluster_id != UNCLUSTERED else flags

    def cluster(self, index: AnyIndex) -> Cluster:
        """Return the cluster at `index`."""
        parent = index.internalId()
        return self._parts[parent - 1][index.row()] if parent else self._rows[index.row()]

    def cluster_ids(self, cluster: Cluster) -> tuple[int, ...]:
        """Return the ids of the clusters that a broad cluster consists of; of another one, its own."""
        if not is_broad(cluster):
            return (cluster.cluster_id,)
        return tuple(part.cluster_id for part in self._parts[self._rows.index(cluster)])

    def find_index(self, cluster_id: int) -> QModelIndex:
        """Return the index of a cluster; an invalid one if it is not shown."""
        for top, cluster in enumerate(self._rows):
            if cluster.cluster_id == cluster_id:
                return self.index(top)
            for row, part in enumerate(self._parts[top]):
                if part.cluster_id == cluster_id:
                    return self.index(row, 0, self.index(top))
        return QModelIndex()

    def _lay_out(self) -> None:
        wanted = fold_text(self.filter).split()
        found = self._found
        clusters = found.clusters if found is not None else ()
        groups = found.broad if found is not None else ()
        broad_names = {group.broad_id: fold_text(group.name) for group in groups}
        shown = [
            cluster
            for cluster in clusters
            if _contains_words(cluster, wanted)
            or (cluster.broad in broad_names and all(word in broad_names[cluster.broad] for word in wanted))
        ]
        keys: dict[ClusterOrder, Any] = {
            "size": lambda cluster: -cluster.size,
            "name": lambda cluster: fold_text(cluster_name(cluster)),
            "documents": lambda cluster: -cluster.documents,
            "new": lambda cluster: (-cluster.new, -cluster.size),
        }
        shown.sort(key=keys[self.order])
        rows = [cluster for cluster in shown if cluster.broad not in broad_names]
        parts: dict[int, list[Cluster]] = {}
        for group in groups:
            own = [cluster for cluster in shown if cluster.broad == group.broad_id]
            if own:
                rows.append(_broad_row(group, own))
                parts[rows[-1].cluster_id] = own
        rows.sort(key=keys[self.order])
        if found is not None and found.unclustered and not wanted:
            rows.append(unclustered_row(found))
        self.beginResetModel()
        self._rows, self._parts = rows, [parts.get(row.cluster_id, []) for row in rows]
        self.endResetModel()


def unclustered_row(found: Clusters) -> Cluster:
    """Return the sentences that belong to no cluster as if they were one."""
    ids = found.unclustered
    new = sum(key > found.new_after for key in ids) if found.new_after else 0
    return Cluster(UNCLUSTERED, "", (), (), ids, 0, closeness=(0.0,) * len(ids), new=new)


def _broad_row(group: BroadCluster, parts: list[Cluster]) -> Cluster:
    """Return a broad cluster as if it were a cluster of the shown parts; its keywords are their names."""
    # Together they may have a million sentences, which as objects would take 70 MB.
    ids = np.concatenate([np.array(part.sentence_ids, np.int64) for part in parts])
    closeness = np.concatenate([np.array(part.closeness) for part in parts])
    order = np.lexsort((ids, -closeness))
    return Cluster(
        UNCLUSTERED - group.broad_id,
        group.name,
        tuple(cluster_name(part) for part in parts),
        parts[0].key_sentences,
        compact_ids(ids[order]),
        group.documents,
        array(closeness.dtype.char, closeness[order].tobytes()),
        own_name=group.own_name,
        new=sum(part.new for part in parts),
    )


def is_broad(cluster: Cluster) -> bool:
    """Whether a row is a broad cluster."""
    return cluster.cluster_id < UNCLUSTERED


def broad_id_of_row(cluster_id: int) -> int | None:
    """Return the broad cluster of the row with this id; None if it is the row of a cluster."""
    return UNCLUSTERED - cluster_id if cluster_id < UNCLUSTERED else None


def cluster_name(cluster: Cluster) -> str:
    """Return the displayed name of a cluster."""
    if cluster.cluster_id == UNCLUSTERED:
        return display_text.translate("clusters", "Unassigned")
    return cluster.name or display_text.translate("clusters", "Untitled")


def describe_cluster_size(cluster: Cluster) -> str:
    """Return "128 sentences · 14 documents · 3 new", of a broad cluster with its number of topics first."""
    parts = [display_text.count_topics(len(cluster.keywords))] if is_broad(cluster) else []
    parts.append(display_text.count_sentences(cluster.size))
    if cluster.documents:
        parts.append(display_text.count_documents(cluster.documents))
    if cluster.new:
        parts.append(
            display_text.translate("clusters", "{count} new").format(count=display_text.format_number(cluster.new))
        )
    if cluster.pinned:
        parts.append(display_text.translate("clusters", "pinned"))
    return " · ".join(parts)


def make_cluster_texts() -> ClusterTexts:
    """Return the texts of clusters in an exported file, in the language of the window."""
    return ClusterTexts(
        describe_cluster_size,
        display_text.format_location,
        unassigned=display_text.translate("clusters", "Unassigned"),
        untitled=display_text.translate("clusters", "Untitled"),
    )


def cluster_colour(cluster_id: int, dark: bool) -> QColor:
    """Return the colour of a cluster, which depends on its id alone; grey for sentences without a cluster."""
    if cluster_id == UNCLUSTERED:
        return QColor("#6c7080" if dark else "#b4b7c3")
    hue = (cluster_id * _GOLDEN_RATIO) % 1.0
    return QColor.fromHslF(hue, 0.55 if dark else 0.6, 0.66 if dark else 0.46)


def _contains_words(cluster: Cluster, wanted: list[str]) -> bool:
    if not wanted:
        return True
    text = fold_text(" ".join([cluster.name, *cluster.keywords, *(hit.text for hit in cluster.key_sentences)]))
    return all(word in text for word in wanted)
