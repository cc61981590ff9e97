"""Stores a person's labels of sentence pairs in a shared library; nobody else sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.stored_rows import label_from_row, pair_key
from desktop_app.shared_store.connection import TELL_LABELS
from desktop_app.shared_store.stored_values import clean_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.duplicates import PairLabel
    from desktop_app.shared_store.connection import SharedDatabase

_SET = (
    "INSERT INTO pair_mark AS p (hash_a, hash_b, text_a, text_b, reviewed, same, marked_at) VALUES (%(first)s,"
    " %(second)s, %(text_a)s, %(text_b)s, coalesce(%(reviewed)s, false), %(same)s, %(at)s)"
    " ON CONFLICT (owner, hash_a, hash_b) DO UPDATE SET reviewed = coalesce(%(reviewed)s, p.reviewed),"
    " same = CASE WHEN %(keeps)s THEN p.same ELSE excluded.same END, marked_at = excluded.marked_at"
)


class SharedPairLabelStore:
    """Implements `core.library.PairLabelStore`."""

    def __init__(self, database: SharedDatabase, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock

    def find(self, pairs: Sequence[tuple[str, str]]) -> list[PairLabel | None]:
        """Return the label of each pair of texts."""
        keys = [pair_key(a, b) for a, b in pairs]
        rows = self._database.rows(
            "SELECT * FROM pair_mark WHERE hash_a = ANY(%(firsts)s::bytea[])", firsts=sorted({key[0] for key in keys})
        )
        found = {(bytes(row.hash_a), bytes(row.hash_b)): label_from_row(row) for row in rows}
        return [found.get(key) for key in keys]

    def review(self, pairs: Sequence[tuple[str, str]], reviewed: bool) -> None:
        """Mark pairs as reviewed, or not reviewed."""
        with self._database.write_transaction():
            for a, b in pairs:
                self._set(a, b, reviewed=reviewed, same=None, keeps=True)
            self._database.value(TELL_LABELS)

    def judge(self, a: str, b: str, same: bool | None) -> None:
        """Label two sentences as meaning the same or not, or clear the label (None)."""
        with self._database.write_transaction():
            self._set(a, b, reviewed=None, same=same, keeps=False)
            self._database.value(TELL_LABELS)

    def labelled_pairs(self, *, with_reviewed: bool = False) -> list[PairLabel]:
        """Return the pairs labelled as the same or not the same; also those only reviewed if wanted."""
        rows = self._database.rows(
            "SELECT * FROM pair_mark WHERE same IS NOT NULL OR (reviewed AND %(with_reviewed)s)"
            " ORDER BY marked_at, hash_a",
            with_reviewed=with_reviewed,
        )
        return [label_from_row(row) for row in rows]

    def _set(self, a: str, b: str, *, reviewed: bool | None, same: bool | None, keeps: bool) -> None:
        """Change a pair's row; an empty one is deleted."""
        first, second = pair_key(a, b)
        self._database.run(
            _SET,
            first=first,
            second=second,
            text_a=_to_text(a),
            text_b=_to_text(b),
            reviewed=reviewed,
            same=same,
            at=self._clock(),
            keeps=keeps,
        )
        self._database.run(
            "DELETE FROM pair_mark WHERE hash_a = %(first)s AND hash_b = %(second)s AND NOT reviewed AND same IS NULL",
            first=first,
            second=second,
        )


def _to_text(typed: str) -> str:
    """Return typed text as the server accepts it."""
    return clean_text(typed.encode("utf-8", "replace").decode("utf-8"))
