"""The pairs that were compared before, newest first; they are forgotten when the program ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_app.gui import words

if TYPE_CHECKING:
    AnyIndex = QModelIndex | QPersistentModelIndex

_MOST = 50
_NO_INDEX = QModelIndex()


class Compared(NamedTuple):
    """A pair and its cosine."""

    a: str
    b: str
    cosine: float


class PairHistory(QAbstractListModel):
    """Each pair once, where it was compared last."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pairs: list[Compared] = []

    def add(self, pair: Compared) -> None:
        """Put a pair on top."""
        kept = [other for other in self._pairs if other[:2] != pair[:2]]
        if self._pairs[:1] == [pair]:
            return
        self.beginResetModel()
        self._pairs = [pair, *kept][:_MOST]
        self.endResetModel()

    def pair(self, index: AnyIndex) -> Compared:
        """Return the pair at `index`."""
        return self._pairs[index.row()]

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """Return how many there are."""
        return 0 if parent.isValid() else len(self._pairs)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a pair in one line."""
        if not index.isValid() or index.row() >= len(self._pairs):
            return None
        pair = self._pairs[index.row()]
        line = f"{words.score(pair.cosine)}   {pair.a}  –  {pair.b}"
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return line
        if role == Qt.ItemDataRole.ToolTipRole:
            return words.tooltip(f"{pair.a}\n{pair.b}")
        return None
