"""The pairs as a list model that loads more at its end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, Qt, Signal

from desktop_app.core.result_files import PairTexts
from desktop_app.core.same_names import tell_hits_apart
from desktop_app.gui.base import display_text
from desktop_app.gui.results.pair_text import badge_name, judgement_name, pair_kind_name
from desktop_app.gui.widgets.item_views import NO_INDEX, AnyIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.duplicates import MorePairs, Pair, PairList
    from desktop_app.core.records import Hit

PAIR_ROLE = Qt.ItemDataRole.UserRole
PAGE_SIZE = 50


class DuplicatesModel(QAbstractListModel):
    """Pairs of one request, best first.

    Attributes:
        more_wanted: the view has reached the end of the loaded pairs.
    """

    more_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pairs: list[Pair] = []
        # The index of each row in the list as it was found, as rows may be removed; -1 for unfolded pairs.
        self._places: list[int] = []
        self._unfolded: dict[int, int] = {}  # by place, the number of its folded pairs that are in the list
        self._found = 0
        self._is_complete = True
        self._pending = False

    @property
    def is_complete(self) -> bool:
        """Whether all pairs are loaded."""
        return self._is_complete

    def rowCount(self, parent: AnyIndex = NO_INDEX) -> int:
        """Return the number of loaded pairs."""
        return 0 if parent.isValid() else len(self._pairs)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the first sentence of a pair, its text for screen readers, or the pair itself."""
        if not index.isValid() or index.row() >= len(self._pairs):
            return None
        pair = self._pairs[index.row()]
        if role == PAIR_ROLE:
            return pair
        if role == Qt.ItemDataRole.DisplayRole:
            return pair.a.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return describe_pair(pair)
        return None

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Return that a pair can be selected and dragged out."""
        flag = Qt.ItemFlag
        return flag.ItemIsSelectable | flag.ItemIsEnabled | flag.ItemIsDragEnabled | flag.ItemNeverHasChildren

    def mimeTypes(self) -> list[str]:
        """Return the format of dragged pairs."""
        return ["text/plain"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return pairs as text with citations."""
        data = QMimeData()
        data.setText("\n\n".join(cite_pair(self.pair(index)) for index in indexes))
        return data

    def pair(self, index: AnyIndex) -> Pair:
        """Return the pair at `index`."""
        return self._pairs[index.row()]

    def row_of(self, pair: Pair) -> int | None:
        """Return the row of a pair with the same sentences, or None."""
        wanted = _pair_key(pair)
        return next((row for row, other in enumerate(self._pairs) if _pair_key(other) == wanted), None)

    def rows_with(self, first: str, second: str) -> list[int]:
        """Return the rows with these two sentences, in either order."""
        wanted = {first, second}
        return [row for row, pair in enumerate(self._pairs) if {pair.a.text, pair.b.text} == wanted]

    def show(self, found: PairList) -> None:
        """Show the pairs of another list."""
        self.beginResetModel()
        self._pairs = list(found.pairs)
        self._found = len(found.pairs)
        self._places = list(range(self._found))
        self._unfolded = {}
        self._is_complete, self._pending = found.is_complete, False
        self.endResetModel()

    def clear(self) -> None:
        """Show nothing."""
        self.beginResetModel()
        self._pairs, self._places, self._found, self._is_complete, self._pending = [], [], 0, True, False
        self.endResetModel()

    def canFetchMore(self, parent: AnyIndex) -> bool:
        """Return whether there are pairs that are neither loaded nor requested."""
        return not self._is_complete and not self._pending

    def fetchMore(self, parent: AnyIndex) -> None:
        """Ask for more pairs, which `add` receives."""
        if self.canFetchMore(parent):
            self._pending = True
            self.more_wanted.emit()

    def add(self, more: MorePairs) -> None:
        """Append loaded pairs, and update the counts of folded pairs."""
        self._pending, self._is_complete = False, more.is_complete
        for row, place in enumerate(self._places):
            folded = max(0, more.folded[place] - self._unfolded.get(place, 0)) if place >= 0 else 0
            if self._pairs[row].folded != folded:
                self._put(row, replace(self._pairs[row], folded=folded))
        if more.pairs:
            first = len(self._pairs)
            self.beginInsertRows(NO_INDEX, first, first + len(more.pairs) - 1)
            self._pairs += more.pairs
            self._places += range(self._found, self._found + len(more.pairs))
            self._found += len(more.pairs)
            self.endInsertRows()

    def folded_position(self, pair: Pair) -> int | None:
        """Return the index of a pair, in the list as it was found, that has folded pairs; None once they are shown.

        Of very many folded pairs only the best are shown, and asking again would return the same.
        """
        row = self.row_of(pair)
        if row is None or not self._pairs[row].folded or self._places[row] in self._unfolded:
            return None
        return self._places[row] if self._places[row] >= 0 else None

    def unfold(self, pair: Pair, folded: Sequence[Pair]) -> None:
        """Insert the pairs that are folded into one below it; once, however often they arrive."""
        row = self.row_of(pair)
        if row is None or not folded or self._places[row] in self._unfolded:
            return
        self._unfolded[self._places[row]] = len(folded)
        self._put(row, replace(self._pairs[row], folded=max(0, self._pairs[row].folded - len(folded))))
        self.beginInsertRows(NO_INDEX, row + 1, row + len(folded))
        self._pairs[row + 1 : row + 1] = folded
        self._places[row + 1 : row + 1] = [-1] * len(folded)
        self.endInsertRows()

    def replace_place(self, pair: Pair, side: int, hit: Hit) -> Pair | None:
        """Show another place of a sentence of a pair, the first (0) or the second, and return the changed pair."""
        row = self.row_of(pair)
        if row is None:
            return None
        known = self._pairs[row]
        hit = replace(hit, score=known.score, also_in=(known.b if side else known.a).also_in)
        self._put(row, replace(known, b=hit) if side else replace(known, a=hit))
        return self._pairs[row]

    def stop(self) -> None:
        """Give up a request for more pairs; it may be repeated."""
        self._pending = False

    def change(self, row: int, **marks: bool | None) -> None:
        """Change the marks of a pair."""
        self._put(row, replace(self._pairs[row], **marks))  # type: ignore[arg-type]

    def remove(self, row: int) -> None:
        """Remove a pair."""
        self.beginRemoveRows(NO_INDEX, row, row)
        del self._pairs[row], self._places[row]
        self.endRemoveRows()

    def _put(self, row: int, pair: Pair) -> None:
        self._pairs[row] = pair
        index = self.index(row)
        self.dataChanged.emit(index, index)


def _pair_key(pair: Pair) -> tuple[int, int]:
    return pair.a.sentence_id, pair.b.sentence_id


def describe_pair(pair: Pair) -> str:
    """Return the text of a pair for screen readers."""
    parts = [
        display_text.translate("pairs", "similarity {score}").format(score=display_text.format_score(pair.score)),
        pair_kind_name(pair.kind),
        *map(badge_name, pair.badges),
        *([display_text.translate("pairs", "reviewed")] if pair.reviewed else []),
        *([judgement_name(pair.same)] if pair.same is not None else []),
    ]
    for hit, name in zip((pair.a, pair.b), name_documents(pair), strict=True):
        parts += [
            hit.text,
            name,
            display_text.format_location(hit),
            display_text.describe_other_documents(hit),
        ]
    return ", ".join(part for part in parts if part)


def name_documents(pair: Pair) -> tuple[str, str]:
    """Return the names of both documents; if two have the same, with a file or folder that tells them apart."""
    names = display_text.name_documents((pair.a, pair.b))
    return names[pair.a.path], names[pair.b.path]


def describe_folded_pairs(pair: Pair) -> str:
    """Return how many similar pairs are folded into a pair because they differ in numbers only."""
    if not pair.folded:
        return ""
    return display_text.translate("pairs", "+{count} that differ only in numbers").format(
        count=display_text.format_number(pair.folded)
    )


def make_pair_texts() -> PairTexts:
    """Return the texts of pairs in an exported file, in the language of the window."""

    def describe(pair: Pair) -> str:
        score = display_text.format_decimal(pair.score, 3)
        parts = (score, pair_kind_name(pair.kind), *map(badge_name, pair.badges), describe_folded_pairs(pair))
        return ", ".join(filter(None, parts))

    return PairTexts(describe, display_text.format_location)


def cite_pair(pair: Pair) -> str:
    """Return both sentences with their documents and pages."""
    return "\n".join(map(display_text.cite_hit, tell_hits_apart((pair.a, pair.b))))
