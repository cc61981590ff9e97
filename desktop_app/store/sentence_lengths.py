"""How many words each sentence has, read once for all searches.

BM25 needs the length of every sentence that has a word of the query, and FTS5 looks up each of them: that takes four
times as long as finding them. Sentences never change, and their ids are not used again, so a length that was read stays
right; 2 bytes of memory hold it. They are read when the program is idle; until then FTS5 ranks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop_app.store.database import fetch_plain_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from desktop_app.core.arrays import Ids
    from desktop_app.core.jobs import Steps
    from desktop_app.store.database import Database


_STEP_ROWS = 8192
_MOST_NEW = 16_384
"""New sentences whose lengths a search reads itself, in some 6 ms."""

_LONGEST = 0xFFFF
_ROWS = "SELECT id, sz FROM {index}_docsize WHERE id > ? ORDER BY id LIMIT ?"
_LAST = "SELECT max(id) FROM {index}_docsize"
_TOTALS = "SELECT block FROM {index}_data WHERE id = 1"  # FTS5's own sums: how many rows, and how many words in them


class SentenceLengths:
    """The numbers of words of the rows of a full-text index with one column.

    Args:
        database: of the library.
        index: the name of the index.
    """

    def __init__(self, database: Database, index: str) -> None:
        self._database = database
        self._rows_after = _ROWS.format(index=index)
        self._last_row = _LAST.format(index=index)
        self._totals = _TOTALS.format(index=index)
        self._lengths: NDArray[np.uint16] = np.zeros(0, np.uint16)
        self._known = 0
        """The last id that was read; 0 before `fill`."""

    @property
    def is_filled(self) -> bool:
        """Whether lengths were read, though not those of the newest sentences, perhaps."""
        return self._known > 0

    def fill(self) -> Steps[None]:
        """Read the lengths that are not known yet, some at a time."""
        while True:
            with self._database.read_transaction() as connection:
                if self._read(connection, _STEP_ROWS) < _STEP_ROWS:
                    return
            yield None

    def of(self, connection: Connection, ids: Ids) -> NDArray[np.uint16] | None:
        """Return the number of words of each sentence, uint16 [n]; None until they are filled in.

        Args:
            connection: of the transaction.
            ids: of sentences in the index, ascending.
        """
        if not self.is_filled or not len(ids):
            return None
        last = int(ids[-1])
        while last > self._known:
            if last - self._known > _MOST_NEW or not self._read(connection, _MOST_NEW):
                return None
        return self._lengths[ids]

    def average(self, connection: Connection) -> tuple[int, float]:
        """Return how many rows the index has, and how many words they have on average."""
        ((block,),) = fetch_plain_rows(connection, self._totals, ())
        rows, words = _read_numbers(block)
        return rows, words / max(rows, 1)

    def forget(self) -> None:
        """Forget all lengths: the index was built again."""
        self._lengths, self._known = np.zeros(0, np.uint16), 0

    def _read(self, connection: Connection, most: int) -> int:
        """Read the lengths of the next rows; returns of how many."""
        rows = fetch_plain_rows(connection, self._rows_after, (self._known, most))
        if not rows:
            return 0
        last = int(rows[-1][0])
        if last >= len(self._lengths):
            ((end,),) = fetch_plain_rows(connection, self._last_row, ())
            grown = np.zeros(int(end) * 9 // 8 + 1, np.uint16)
            grown[: len(self._lengths)] = self._lengths
            self._lengths = grown
        ids = np.fromiter((row[0] for row in rows), np.int64, len(rows))
        sizes = [row[1] for row in rows]
        if len(joined := b"".join(sizes)) == len(sizes):
            self._lengths[ids] = np.frombuffer(joined, np.uint8)
        else:  # some have 128 words or more
            self._lengths[ids] = [min(_read_numbers(each)[0], _LONGEST) for each in sizes]
        self._known = last
        return len(rows)


def _read_numbers(block: bytes) -> list[int]:
    """Return numbers in SQLite's encoding: seven bits in a byte, the highest first, 128 added to all but the last.

    The ninth byte of a number would have eight bits; no number here is as large.
    """
    numbers, number = [], 0
    for byte in block:
        number = number << 7 | (byte & 0x7F)
        if byte < 0x80:
            numbers.append(number)
            number = 0
    return numbers
