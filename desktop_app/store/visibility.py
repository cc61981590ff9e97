"""Which sentences are visible, cached for all searches until that changes.

A search asks about some seven hundred sentences, and SQLite looks up four rows for each of them. So all occurrences are
read once, when the program is idle, into two bytes per sentence and six per occurrence; while the cache is missing or
outdated, SQLite answers. The sentences of a part of the library are found from the documents in it, and kept for the
next searches there.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, get_args

import numpy as np
from sqlalchemy import func, select

from desktop_app.core.records import PassageKind
from desktop_app.store.database import fetch_plain_rows
from desktop_app.store.schema import DocumentRow, SentenceRow
from desktop_app.store.scope_conditions import is_document_in_scope, is_not_removed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from desktop_app.core.arrays import Ids
    from desktop_app.core.jobs import Steps
    from desktop_app.core.scope import Scope
    from desktop_app.store.database import Database


_BITS = {kind: 1 << at for at, kind in enumerate(get_args(PassageKind))}
_ANOTHER = 1 << 15  # a kind unknown to this version
_EVERY = 0xFFFF
_STEP_OCCURRENCES = 4096
_END = 1 << 62
_MOST_SENTENCES = 1 << 27
_MOST_HIDDEN = 20_000  # occurrences in removed documents that are looked up at once: about 30 ms
_KEPT_SCOPES = 4

_LIVE_IDS = select(DocumentRow.live_id).where(is_not_removed(), DocumentRow.live_id.is_not(None))
_LIVE = select(DocumentRow.live_id, DocumentRow.sentences).where(is_not_removed(), DocumentRow.live_id.is_not(None))
_PIECE = (
    "SELECT occurrence.version_id, occurrence.sentence_id, coalesce(occurrence.passage, occurrence.kind)"
    " FROM json_each(?) AS asked JOIN occurrence"
    " ON occurrence.version_id = asked.value AND occurrence.ordinal >= ? AND occurrence.ordinal < ?"
)
_REMOVED = "SELECT live_id, sentences FROM document WHERE removed_at IS NOT NULL AND live_id IS NOT NULL"
_HIDDEN = (
    "WITH removed AS MATERIALIZED (SELECT value FROM json_each(?)) SELECT count(*) FROM"
    " (SELECT DISTINCT sentence_id FROM removed JOIN occurrence ON version_id = removed.value) AS own"
    " WHERE NOT EXISTS (SELECT 1 FROM occurrence AS other"
    " WHERE other.sentence_id = own.sentence_id AND other.version_id NOT IN (SELECT value FROM removed))"
)


@dataclass(frozen=True, slots=True, eq=False)
class _Occurrences:
    """All visible occurrences, document by document.

    Attributes:
        versions: the version of each document, int64 [d].
        counts: how many occurrences it has, int64 [d].
        sentence_ids: of the occurrences, int32 [n].
        bits: of their kinds, uint16 [n].
    """

    versions: Ids
    counts: Ids
    sentence_ids: NDArray[np.int32]
    bits: NDArray[np.uint16]

    def kinds(self, last: int, versions: Ids | None = None) -> NDArray[np.uint16]:
        """Return the bits of the kinds as which each sentence occurs: uint16 [last + 1], by sentence id.

        Args:
            last: the highest sentence id.
            versions: only their occurrences count, int64 [v]; None: all.
        """
        sentence_ids, bits = self.sentence_ids, self.bits
        if versions is not None:
            here = np.repeat(np.isin(self.versions, versions), self.counts)
            sentence_ids, bits = sentence_ids[here], bits[here]
        kinds = np.zeros(last + 1, np.uint16)
        for bit in np.unique(bits):
            kinds[sentence_ids[bits == bit]] |= bit
        return kinds


@dataclass(frozen=True, slots=True, eq=False)
class _ScopeKinds:
    """The kinds by sentence id uint16 [last + 1] in a scope, whose documents had these versions in a database state."""

    state: tuple[int, int]
    versions: Ids
    kinds: NDArray[np.uint16]


class LocalVisibilityCache:
    """Implements `core.library.VisibilityCache`: the kinds of passages as which each sentence is visible."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kinds: NDArray[np.uint16] | None = None  # by sentence id
        self._occurrences: _Occurrences | None = None
        self._of_scopes: OrderedDict[Scope, _ScopeKinds] = OrderedDict()
        self._last_ids: tuple[NDArray[np.uint16], frozenset[str], Ids] | None = None
        self._state = (-1, -1)
        self._hidden: tuple[tuple[int, int], int] = (-1, -1), 0

    @property
    def is_filled(self) -> bool:
        """Whether the cache is filled and up to date."""
        if self._kinds is not None and self._state != self._database.documents_state():
            self._kinds = self._occurrences = self._last_ids = None
            self._of_scopes.clear()
        return self._kinds is not None

    def of(self, connection: Connection, ids: Ids, scope: Scope) -> NDArray[np.bool_] | None:
        """Return for each of `ids` whether it is visible in a scope; None if the cache cannot tell."""
        if (kinds := self._kinds_in(connection, scope)) is None:
            return None
        if len(ids) and (int(ids.min()) < 0 or int(ids.max()) >= len(kinds)):
            return None
        seen: NDArray[np.bool_] = (kinds[ids] & _kind_bits(scope.without)) != 0
        return seen

    def ids(self, connection: Connection, scope: Scope) -> Ids | None:
        """Return all sentences that are visible in a scope, ascending; None if the cache cannot tell."""
        if (kinds := self._kinds_in(connection, scope)) is None:
            return None
        # The same array of kinds means the same sentences.
        if self._last_ids is None or self._last_ids[0] is not kinds or self._last_ids[1] != scope.without:
            self._last_ids = kinds, scope.without, np.flatnonzero(kinds & _kind_bits(scope.without))
        return self._last_ids[2]

    def count_hidden(self, connection: Connection, at_least: int) -> int:
        """Return how many sentences occur only in removed documents, or `at_least` if too many would be looked up."""
        state = self._database.documents_state()
        if self._hidden[0] != state:
            removed = fetch_plain_rows(connection, _REMOVED, ())
            found = max(at_least, 0) if removed else 0
            if 0 < sum(row[1] for row in removed) <= _MOST_HIDDEN:
                found = fetch_plain_rows(connection, _HIDDEN, (json.dumps([row[0] for row in removed]),))[0][0]
            self._hidden = state, found
        return self._hidden[1]

    def _kinds_in(self, connection: Connection, scope: Scope) -> NDArray[np.uint16] | None:
        if not self.is_filled or self._kinds is None or self._occurrences is None:
            return None
        if scope.has_every_document:
            return self._kinds
        documents = replace(scope, without=frozenset(), all_passages=False)
        known, state = self._of_scopes.get(documents), self._database.state()
        if known is None or known.state != state:  # a change of a collection, say, leaves the occurrences as they are
            found = connection.execute(_LIVE_IDS.where(is_document_in_scope(documents))).scalars()
            versions = np.fromiter(found, np.int64)
            is_same = known is not None and np.array_equal(known.versions, versions)
            kinds = known.kinds if known and is_same else self._occurrences.kinds(len(self._kinds) - 1, versions)
            known = self._of_scopes[documents] = _ScopeKinds(state, versions, kinds)
        self._of_scopes.move_to_end(documents)
        if len(self._of_scopes) > _KEPT_SCOPES:
            self._of_scopes.popitem(last=False)
        return known.kinds

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
        pieces = [np.empty((0, 3), np.int64)]
        for asked, first, stop in _iter_pieces(versions):
            yield None
            with self._database.read_transaction() as connection:
                if self._database.documents_state() != began:
                    return
                rows = fetch_plain_rows(connection, _PIECE, (json.dumps(asked), first, stop))
            bits = [(version, sentence_id, _BITS.get(kind, _ANOTHER)) for version, sentence_id, kind in rows]
            if bits:
                pieces.append(np.array(bits, np.int64))
        yield None
        every = np.concatenate(pieces)
        starts = np.flatnonzero(np.diff(every[:, 0], prepend=-1))
        occurrences = _Occurrences(
            every[starts, 0],
            np.diff(starts, append=len(every)),
            every[:, 1].astype(np.int32),
            every[:, 2].astype(np.uint16),
        )
        yield None
        self._kinds = occurrences.kinds(last)
        self._occurrences, self._state = occurrences, began


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
