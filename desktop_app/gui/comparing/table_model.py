"""A table of pairs that were scored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_app.gui import words
from desktop_app.gui.pairing.model import badge_name, kind_name

if TYPE_CHECKING:
    from desktop_app.engine.requests import ScoredTable

    AnyIndex = QModelIndex | QPersistentModelIndex

SORT_ROLE = Qt.ItemDataRole.UserRole
FIRST, SECOND, COSINE, KIND, DIFFERS = range(5)
_KINDS = ("exact", "near", "paraphrase")
_NO_INDEX = QModelIndex()


class PairTableModel(QAbstractTableModel):
    """Sentences, cosine, kind and what differs of each pair."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.scored: ScoredTable | None = None

    def show(self, scored: ScoredTable | None) -> None:
        """Show a table."""
        self.beginResetModel()
        self.scored = scored
        self.endResetModel()

    def pair(self, row: int) -> tuple[str, str]:
        """Return the sentences of a row."""
        assert self.scored is not None
        table = self.scored.table
        return table.rows[row][table.left], table.rows[row][table.right]

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """Return the number of pairs."""
        return 0 if parent.isValid() or self.scored is None else len(self.scored.cosines)

    def columnCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else 5

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the names of the columns."""
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return (
            self.tr("First sentence"),
            self.tr("Second sentence"),
            self.tr("Cosine"),
            self.tr("Kind"),
            self.tr("Differs in"),
        )[section]

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell in words, for sorting, or the whole of a sentence."""
        if not index.isValid() or self.scored is None:
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole and column == COSINE:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.ToolTipRole and column in (FIRST, SECOND):
            return words.tooltip(self.pair(row)[column])
        if role == SORT_ROLE:
            return self._key(row, column)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cell(row, column)
        return None

    def _cell(self, row: int, column: int) -> str:
        assert self.scored is not None
        if column in (FIRST, SECOND):
            return " ".join(self.pair(row)[column].split())
        if column == COSINE:
            return words.decimal(self.scored.cosines[row], 4) if self.scored.known[row] else "–"
        if column == KIND:
            return kind_name(self.scored.kinds[row])
        return ", ".join(badge_name(badge) for badge in self.scored.badges[row])

    def _key(self, row: int, column: int) -> Any:
        assert self.scored is not None
        if column == COSINE:
            return self.scored.cosines[row] if self.scored.known[row] else -2.0
        if column == KIND:
            return _KINDS.index(self.scored.kinds[row])
        return self._cell(row, column).casefold()
