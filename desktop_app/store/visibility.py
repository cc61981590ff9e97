"""Which sentences are visible, cached for all searches until that changes.

A search asks about some seven hundred sentences, and SQLite looks up four rows for each of them. So all occurrences are
read once, when the program is idle, into two bytes per sentence; while the cache is missing or outdated, SQLite
answers.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, get_args

import numpy as np
from sqlalchemy import func, select

from desktop_app.core.records import PassageKind
from desktop_app.store.database import fetch_plain_rows
from desktop_app.store.schema import DocumentRow, SentenceRow
from desktop_app.store.scope_conditions import is_not_removed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.jobs import Steps
    from desktop_app.core.scope import Scope
    from desktop_app.store.database import Database

    Ids = NDArray[np.int64]

_BITS = {kind: 1 << at for at, kind in enumerate(get_args(PassageKind))}
_ANOTHER = 1 << 15  # a kind unknown to this version
_EVERY = 0xFFFF
_STEP_OCCURRENCES = 4096
_END = 1 << 62
_MOST_SENTENCES = 1 << 27

_LIVE = select(DocumentRow.live_id, DocumentRow.sentences).where(is_not_removed(), DocumentRow.live_id.is_not(None))
_PIECE = (
    "SELECT occurrence.sentence_id, coalesce(occurrence.passage, occurrence.kind) FROM json_each(?) AS asked"
    " JOIN occurrence ON occurrence.version_id = asked.value AND occurrence.ordinal >= ? AND occurrence.ordinal < ?"
)


class LocalVisibilityCache:
    """Implements `core.library.VisibilityCache`: the kinds of passages as which each sentence is visible."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kinds: NDArray[np.uint16] | None = None  # by sentence id
        self._state = (-1, -1)

    @property
    def is_filled(self) -> bool:
        """Whether the cache is filled and up to date."""
        if self._kinds is not None and self._state != self._database.documents_state():
            self._kinds = None
        return self._kinds is not None

    def of(self, ids: Ids, scope: Scope) -> NDArray[np.bool_] | None:
        """Return for each of `ids` whether it is visible in a scope; None if the cache cannot tell.

        The cache covers scopes that contain every document.
        """
        if not self.is_filled or self._kinds is None or not scope.has_every_document:
            return None
        if len(ids) and int(ids.max()) >= len(self._kinds):
            return None
        seen: NDArray[np.bool_] = (self._kinds[ids] & _kind_bits(scope.without)) != 0
        return seen

    def fill(self) -> Steps[None]:
        """Fill the cache, a piece of the library at a time; stops when documents change."""
        if self.is_filled:
            return
        with self._database.read_transaction() as connection:
            began = self._database.documents_state()
            versions = [(int(row[0] or 0), int(row[1])) for row in connection.execute(_LIVE).all()]
            last = connection.execute(select(func.coalesce(func.max(SentenceRow.id), 0))).scalar_one()
        if last >= _MOST_SENTENCES:
            return
        kinds = np.zeros(last + 1, np.uint16)
        for asked, first, stop in _iter_pieces(versions):
            yield None
            with self._database.read_transaction() as connection:
                if self._database.documents_state() != began:
                    return
                rows = fetch_plain_rows(connection, _PIECE, (json.dumps(asked), first, stop))
            for kind in {kind for _, kind in rows}:
                ids = np.fromiter((sentence_id for sentence_id, of in rows if of == kind), np.int64)
                kinds[ids] |= _BITS.get(kind, _ANOTHER)
        self._kinds, self._state = kinds, began


def _kind_bits(without: frozenset[str]) -> np.uint16:
    return np.uint16(_EVERY - sum(_BITS.get(kind, 0) for kind in without))


def _iter_pieces(versions: Sequence[tuple[int, int]]) -> Iterator[tuple[list[int], int, int]]:
    """Yield (versions, first ordinal, one past the last): pieces of long versions, several short ones together."""
    short: list[int] = []
    total = 0
    for version, sentences in versions:
        if sentences > _STEP_OCCURRENCES:
            starts = range(0, sentences, _STEP_OCCURRENCES)
            for first in starts:
                yield [version], first, _END if first == starts[-1] else first + _STEP_OCCURRENCES
            continue
        short.append(version)
        total += sentences + 1
        if total >= _STEP_OCCURRENCES:
            yield short, 0, _END
            short, total = [], 0
    if short:
        yield short, 0, _END
