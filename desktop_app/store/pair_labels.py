"""Stores a person's labels of sentence pairs: reviewed, the same, or not the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.sqlite import insert

from desktop_app.core.stored_rows import label_from_row, pair_key
from desktop_app.store.counters import mark_erased_traces
from desktop_app.store.schema import PairMarkRow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from desktop_app.core.duplicates import PairLabel
    from desktop_app.store.database import Database

_LOOKED_UP = 500


class LocalPairLabelStore:
    """Implements `core.library.PairLabelStore`."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock

    def find(self, pairs: Sequence[tuple[str, str]]) -> list[PairLabel | None]:
        """Return the label of each pair of texts."""
        keys = [pair_key(a, b) for a, b in pairs]
        found: dict[tuple[bytes, bytes], PairLabel] = {}
        firsts = sorted({first for first, _ in keys})
        with self._database.read_transaction() as connection:
            for top in range(0, len(firsts), _LOOKED_UP):
                some = PairMarkRow.hash_a.in_(firsts[top : top + _LOOKED_UP])
                for row in connection.execute(select(PairMarkRow.__table__).where(some)):
                    found[row.hash_a, row.hash_b] = label_from_row(row)
        return [found.get(key) for key in keys]

    def review(self, pairs: Sequence[tuple[str, str]], reviewed: bool) -> None:
        """Mark pairs as reviewed, or not reviewed."""
        with self._database.write_transaction() as connection:
            for a, b in pairs:
                self._set(connection, a, b, reviewed=reviewed)

    def judge(self, a: str, b: str, same: bool | None) -> None:
        """Label two sentences as meaning the same or not, or clear the label (None)."""
        with self._database.write_transaction() as connection:
            self._set(connection, a, b, same=same)

    def labelled_pairs(self, *, with_reviewed: bool = False) -> list[PairLabel]:
        """Return the pairs labelled as the same or not the same; also those only reviewed if wanted."""
        query = select(PairMarkRow.__table__)
        if not with_reviewed:
            query = query.where(PairMarkRow.same.is_not(None))
        with self._database.read_transaction() as connection:
            return [
                label_from_row(row)
                for row in connection.execute(query.order_by(PairMarkRow.marked_at, PairMarkRow.hash_a))
            ]

    def _set(self, connection: Connection, a: str, b: str, **changes: bool | None) -> None:
        """Change a pair's row; an empty one is deleted."""
        key = pair_key(a, b)
        of_pair = (PairMarkRow.hash_a == key[0], PairMarkRow.hash_b == key[1])
        known = connection.execute(select(PairMarkRow.reviewed, PairMarkRow.same).where(*of_pair)).one_or_none()
        values = {"reviewed": known.reviewed, "same": known.same} if known else {"reviewed": False, "same": None}
        values |= changes
        if known and not values["reviewed"] and values["same"] is None:
            mark_erased_traces(connection)
            connection.execute(delete(PairMarkRow).where(*of_pair))
        elif known or values["reviewed"] or values["same"] is not None:
            row = {"hash_a": key[0], "hash_b": key[1], "text_a": _drop_surrogates(a), "text_b": _drop_surrogates(b)}
            changed = values | {"marked_at": self._clock()}
            statement = insert(PairMarkRow).values(row | changed)
            connection.execute(statement.on_conflict_do_update(["hash_a", "hash_b"], set_=changed))


def _drop_surrogates(text: str) -> str:
    """Return typed text without lone surrogates, which SQLite rejects."""
    return text.encode("utf-8", "replace").decode("utf-8")
