"""Stores the clusters of a shared library, people's changes to them, and the sentences' positions on the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.cluster_words import drop_erased_members
from desktop_app.core.clusters import StoredDivision
from desktop_app.core.errors import NotFound
from desktop_app.core.jobs import run_to_completion
from desktop_app.core.stored_rows import cluster_from_row, cluster_values
from desktop_app.shared_store.analysis_reader import find_erased
from desktop_app.shared_store.scope_conditions import VISIBLE
from desktop_app.shared_store.stored_values import clean_text
from desktop_app.shared_store.vectors import parent_table

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.arrays import Ids
    from desktop_app.core.clusters import StoredCluster
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.models import SharedLibraryModels

    Floats = NDArray[np.float32]

_TEXTS_PER_STEP = 1000
_COLUMNS = ("name", "members", "own_name", "pinned", "dormant", "keywords", "closeness", "keys", "broad")
_VALUES = ", ".join(f"%({name})s" for name in _COLUMNS)
_ADD = f"INSERT INTO cluster ({', '.join(_COLUMNS)}) VALUES ({_VALUES}) RETURNING id"
_NEXT_ID = "SELECT nextval(pg_get_serial_sequence('cluster', 'id'))"
_ADD_KNOWN = f"INSERT INTO cluster (id, {', '.join(_COLUMNS)}) VALUES (%(id)s, {_VALUES})"


class SharedClusterStore:
    """Implements `core.library.ClusterStore`, which documents each method."""

    def __init__(self, database: SharedDatabase, models: SharedLibraryModels) -> None:
        self._database = database
        self._models = models

    def last_division(self) -> StoredDivision | None:
        """Return the last division made with the current model."""
        row = self._database.row("SELECT l.* FROM look l JOIN model m ON m.id = l.model_id AND m.current")
        if row is None:
            return None
        return StoredDivision(row.granularity, row.is_chosen, row.min_size, row.seen, row.new_after)

    def clusters(self) -> list[StoredCluster]:
        """Return every cluster in order of id."""
        return [cluster_from_row(row) for row in self._database.rows("SELECT * FROM cluster ORDER BY id")]

    def save(self, found: Sequence[StoredCluster], division: StoredDivision) -> list[int]:
        """Replace all stored clusters and the division."""
        ids: list[int] = []
        with self._database.write_transaction():
            # Two sessions may save at the same time: the later one counts, as a whole.
            self._database.run("LOCK TABLE cluster IN SHARE ROW EXCLUSIVE MODE")
            self._database.run("DELETE FROM cluster")
            for before, cluster in zip(found, self._without_erased(found), strict=True):
                values = _values(cluster)
                if len(cluster.members) < min(1, len(before.members)):
                    ids.append(cluster.cluster_id or int(self._database.value(_NEXT_ID)))
                elif cluster.cluster_id is None:
                    ids.append(int(self._database.value(_ADD, **values)))
                else:
                    self._database.run(_ADD_KNOWN, id=cluster.cluster_id, **values)
                    ids.append(cluster.cluster_id)
            self._database.run("DELETE FROM look")
            self._database.run(
                "INSERT INTO look (model_id, granularity, is_chosen, min_size, seen, new_after)"
                " SELECT id, %(granularity)s, %(is_chosen)s, %(min_size)s, %(seen)s, %(new_after)s FROM model"
                " WHERE current",
                granularity=division.granularity,
                is_chosen=division.is_chosen,
                min_size=division.min_size,
                seen=division.seen,
                new_after=division.new_after,
            )
        return ids

    def clusters_in_steps(self) -> Generator[None, None, list[StoredCluster]]:
        """Like `clusters`: one answer of the server."""
        yield None
        return self.clusters()

    def save_in_steps(
        self, found: Sequence[StoredCluster], division: StoredDivision
    ) -> Generator[None, None, list[int]]:
        """Like `save`: the server does the work."""
        yield None
        return self.save(found, division)

    def change(self, cluster_id: int, *, name: str | None = None, pinned: bool | None = None) -> None:
        """Change what a person decides about a cluster: its name, or whether it is pinned."""
        with self._database.write_transaction():
            changed = self._database.run(
                "UPDATE cluster SET name = coalesce(%(name)s::text, name), own_name = coalesce(%(own)s, own_name),"
                " pinned = coalesce(%(pinned)s, pinned) WHERE id = %(id)s",
                name=None if name is None else clean_text(name),
                own=None if name is None else bool(name),
                pinned=pinned,
                id=cluster_id,
            )
        if not changed:
            raise NotFound("That topic no longer exists", "Topics were updated in the meantime. Select one again.")

    def count_arrived(self, seen: int) -> int:
        """Return how many sentences came after the one with the id `seen`."""
        model_id = self._models.current_id
        if model_id is None:
            return 0
        return int(
            self._database.value(
                f"SELECT count(*) FROM {parent_table(model_id)} e WHERE e.sentence_id > %(seen)s AND EXISTS"
                " (SELECT FROM occurrence o JOIN document d ON d.live_id = o.version_id"
                f" WHERE o.sentence_id = e.sentence_id AND {VISIBLE})",
                seen=seen,
            )
        )

    def positions(self) -> tuple[Ids, Floats]:
        """Return sentence ids and their positions."""
        row = self._database.row("SELECT p.* FROM map p JOIN model m ON m.id = p.model_id AND m.current")
        if row is None:
            return np.empty(0, np.int64), np.empty((0, 2), np.float32)
        places = np.frombuffer(row.places, "<f4").astype(np.float32).reshape(-1, 2)
        return np.frombuffer(row.members, "<i8").astype(np.int64), places

    def save_positions(self, ids: Ids, places: Floats) -> Iterator[None]:
        """Replace the stored positions."""
        yield None
        with self._database.write_transaction():
            self._database.run("DELETE FROM map")
            self._database.run(
                "INSERT INTO map (model_id, members, places) SELECT id, %(members)s, %(places)s FROM model"
                " WHERE current ON CONFLICT (model_id) DO UPDATE SET members = excluded.members,"
                " places = excluded.places",
                members=ids.astype("<i8").tobytes(),
                places=places.astype("<f4").tobytes(),
            )

    def forget_erased(self) -> Iterator[None]:
        """Delete members and positions of erased sentences, and words of clusters that only they contained."""
        for row in self._database.rows("SELECT * FROM cluster ORDER BY id"):
            known: AnyRow | None = row
            while known is not None and not (yield from self._forget_members(known)):
                known = self._database.row("SELECT * FROM cluster WHERE id = %(id)s", id=row.id)
        with self._database.write_transaction():
            for row in self._database.rows("SELECT * FROM map FOR UPDATE"):
                ids = np.frombuffer(row.members, "<i8")
                gone = np.isin(ids, find_erased(self._database, ids))
                places = np.frombuffer(row.places, "<f4").reshape(-1, 2)
                if gone.any():
                    self._database.run(
                        "UPDATE map SET members = %(members)s, places = %(places)s WHERE model_id = %(model)s",
                        members=ids[~gone].tobytes(),
                        places=places[~gone].tobytes(),
                        model=row.model_id,
                    )
        yield None

    def _forget_members(self, row: AnyRow) -> Generator[None, None, bool]:
        """Delete a cluster's erased members; returns False, without overwriting it, if it was changed meanwhile."""
        cluster = cluster_from_row(row)
        erased = find_erased(self._database, cluster.members)
        yield None
        rest = yield from drop_erased_members(cluster, erased, self._read_texts, _TEXTS_PER_STEP)
        if rest is cluster:
            return True
        with self._database.write_transaction():
            if self._database.row("SELECT * FROM cluster WHERE id = %(id)s FOR UPDATE", id=row.id) != row:
                return False
            if len(rest.members):
                changes = ", ".join(f"{name} = %({name})s" for name in _COLUMNS)
                self._database.run(f"UPDATE cluster SET {changes} WHERE id = %(id)s", id=row.id, **_values(rest))
            else:
                self._database.run("DELETE FROM cluster WHERE id = %(id)s", id=row.id)
        yield None
        return True

    def _without_erased(self, found: Sequence[StoredCluster]) -> Iterator[StoredCluster]:
        """Yield clusters without members that were erased since they were found, and without their words.

        They may have been found before a purge, or an undo may bring back those of before it.
        """
        members = [np.empty(0, np.int64), *(cluster.members for cluster in found)]
        erased = find_erased(self._database, np.unique(np.concatenate(members)))
        for cluster in found:
            yield run_to_completion(drop_erased_members(cluster, erased, self._read_texts, _TEXTS_PER_STEP))

    def _read_texts(self, sentence_ids: list[int]) -> list[str]:
        return self._database.column("SELECT text FROM sentence WHERE id = ANY(%(ids)s::bigint[])", ids=sentence_ids)


def _values(cluster: StoredCluster) -> dict[str, object]:
    values = cluster_values(cluster)
    return values | {"name": clean_text(str(values["name"])), "keywords": clean_text(str(values["keywords"]))}
