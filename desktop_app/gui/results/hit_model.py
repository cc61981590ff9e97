"""The hits of a search as a list model that reads rows when they come into view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, Qt, Signal

from desktop_app.gui.base import display_text
from desktop_app.gui.base.mime_data import SENTENCES_MIME
from desktop_app.gui.results.strength import rate_score, strength_name
from desktop_app.gui.widgets.item_views import NO_INDEX, AnyIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.records import DocumentHit, Hit
    from desktop_app.engine.requests import SearchResult

HIT_ROLE = Qt.ItemDataRole.UserRole
DOCUMENT_ROLE = Qt.ItemDataRole.UserRole + 1
"""For the first hit of a ranked document: that document."""
NAME_ROLE = Qt.ItemDataRole.UserRole + 2
"""The name of a hit's document, with what tells it apart from others in the list."""

PAGE_SIZE = 50


class HitModel(QAbstractListModel):
    """Hits of one search. Ids and scores are complete from the start; rows are read in pages.

    Attributes:
        more_results_wanted: the view reached the last result, and there may be more.
        more_wanted: the view reached the last row that is read; carries the first index to read and the count.
    """

    more_wanted = Signal(object, object)
    more_results_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._result: SearchResult | None = None
        self._hits: list[Hit] = []
        self._asked = 0
        self._pending = False
        self._can_deepen = False
        self._heads: dict[int, DocumentHit] = {}
        self._names: dict[str, str] = {}  # of the documents, by path
        self.rate_score = rate_score

    @property
    def result(self) -> SearchResult | None:
        """The search result of these hits."""
        return self._result

    def rowCount(self, parent: AnyIndex = NO_INDEX) -> int:
        """Return the number of rows that are read."""
        return 0 if parent.isValid() else len(self._hits)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the sentence, the text for screen readers, or the hit."""
        if not index.isValid() or index.row() >= len(self._hits):
            return None
        hit = self._hits[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return hit.text
        if role == HIT_ROLE:
            return hit
        if role == NAME_ROLE:
            return self._names[hit.path]
        if role == DOCUMENT_ROLE:
            return self._heads.get(index.row())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            head = self._heads.get(index.row())
            is_cosine = self._result is None or self._result.mode != "words"
            parts = [
                self.tr("document {rank}").format(rank=head.rank) if head is not None else "",
                hit.text,
                self.tr("score {score}").format(score=display_text.format_score(hit.score)) if is_cosine else "",
                strength_name(self.rate_score(hit.score, self._result.chance))
                if self._result is not None and is_cosine
                else "",
                self._names[hit.path],
                display_text.format_location(hit),
                display_text.ocr_badge_tooltip() if hit.is_recognised else "",
                display_text.passage_kind_name("note") if hit.kind == "note" else "",
                display_text.describe_hit_differences(hit),
                display_text.describe_lifting_words(hit),
                *self._part_scores(hit),
                display_text.describe_judgement(self._result.judged.get(hit.sentence_id))
                if self._result is not None
                else "",
            ]
            return ", ".join(part for part in [*parts, display_text.describe_other_documents(hit)] if part)
        return None

    def _part_scores(self, hit: Hit) -> list[str]:
        """Return a hit's score for each of several queries."""
        if self._result is None or not hit.part_scores:
            return []
        is_cosine = self._result.mode != "words"
        return [
            f"{part.plain_text}: {display_text.describe_part_score(score, is_cosine=is_cosine)}"
            for part, score in zip(self._result.understood.parts, hit.part_scores, strict=True)
        ]

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Return that hits can be selected and dragged out."""
        flag = Qt.ItemFlag
        return flag.ItemIsSelectable | flag.ItemIsEnabled | flag.ItemIsDragEnabled | flag.ItemNeverHasChildren

    def mimeTypes(self) -> list[str]:
        """Return the formats of a dragged hit."""
        return ["text/plain", SENTENCES_MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return hits as text with citation, and their bare sentences for fields of this program."""
        hits = [self.hit(index) for index in indexes]
        data = QMimeData()
        data.setText("\n".join(map(display_text.cite_hit, hits)))
        data.setData(SENTENCES_MIME, " ".join(hit.text for hit in hits).encode())
        return data

    def hit(self, index: AnyIndex) -> Hit:
        """Return the hit at `index`."""
        return self._hits[index.row()]

    def row_of(self, sentence_id: int) -> int | None:
        """Return the row of a sentence; None if it is not read (yet)."""
        return next((row for row, hit in enumerate(self._hits) if hit.sentence_id == sentence_id), None)

    def show(self, result: SearchResult, *, can_deepen: bool = False) -> bool:
        """Show the hits of a search; return whether rows were added or removed, not only updated.

        `can_deepen`: a deeper search may find more.
        """
        self._can_deepen = can_deepen
        same = [hit.sentence_id for hit in result.hits] == [hit.sentence_id for hit in self._hits]
        heads = _document_header_rows(result)
        same = same and {row: each.document_id for row, each in heads.items()} == {
            row: each.document_id for row, each in self._heads.items()
        }
        self._result = result
        read = result.request.page_size if result.request is not None else PAGE_SIZE
        self._asked = min(max(len(result.hits), read), len(result.found))
        self._pending = False
        names = display_text.name_documents(result.hits)
        if same:
            self._hits, self._heads, self._names = list(result.hits), heads, names
            if self._hits:
                self.dataChanged.emit(self.index(0), self.index(len(self._hits) - 1))
            return False
        self.beginResetModel()
        self._hits, self._heads, self._names = list(result.hits), heads, names
        self.endResetModel()
        return True

    def clear(self) -> None:
        """Show nothing."""
        self.beginResetModel()
        self._result, self._hits, self._asked, self._pending, self._can_deepen = None, [], 0, False, False
        self._heads = {}
        self.endResetModel()

    def canFetchMore(self, parent: AnyIndex) -> bool:
        """Return whether some rows are not requested yet."""
        if self._result is None or self._pending:
            return False
        return self._can_deepen or self._asked < len(self._result.found)

    def fetchMore(self, parent: AnyIndex) -> None:
        """Request the next page of rows; `add` appends them."""
        if not self.canFetchMore(parent) or self._result is None:
            return
        self._pending = True
        if self._asked >= len(self._result.found):
            self._can_deepen = False
            self.more_results_wanted.emit()
            return
        first = self._asked
        self._asked = min(first + PAGE_SIZE, len(self._result.found))
        self.more_wanted.emit(first, self._asked - first)

    def add(self, result: SearchResult, hits: list[Hit]) -> None:
        """Append requested rows, unless another search is shown meanwhile."""
        if result is not self._result:
            return
        self._pending = False
        if hits:
            self.beginInsertRows(NO_INDEX, len(self._hits), len(self._hits) + len(hits) - 1)
            self._hits += hits
            before, self._names = self._names, display_text.name_documents(self._hits)
            self.endInsertRows()
            if any(self._names[path] != name for path, name in before.items()):
                self.dataChanged.emit(self.index(0), self.index(len(self._hits) - len(hits) - 1), [NAME_ROLE])

    def give_up(self, result: SearchResult, first: int) -> None:
        """Note that the rows from an index on could not be read: scrolling to the end requests them again."""
        if result is self._result:
            self._asked, self._pending = first, False


def _document_header_rows(result: SearchResult) -> dict[int, DocumentHit]:
    """Return, by row, the documents whose first hit is there."""
    heads: dict[int, DocumentHit] = {}
    row = 0
    for document in result.documents:
        if document.best:
            heads[row] = document
        row += len(document.best)
    return heads
