"""Stores clusters, a person's changes to them, and the sentences' positions on the map."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.sqlite import insert

from desktop_app.core.cluster_words import drop_erased_members
from desktop_app.core.clusters import StoredCluster, StoredDivision
from desktop_app.core.errors import NotFound
from desktop_app.core.jobs import run_to_completion
from desktop_app.core.stored_rows import cluster_from_row, cluster_values
from desktop_app.store.analysis_reader import find_erased
from desktop_app.store.database import execute_plainly, fetch_plain_rows
from desktop_app.store.schema import (
    ClusterRow,
    DocumentRow,
    EmbeddingRow,
    LookRow,
    MapRow,
    ModelRow,
    OccurrenceRow,
    SentenceRow,
)
from desktop_app.store.scope_conditions import is_not_removed, values_subquery

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from desktop_app.core.arrays import Ids
    from desktop_app.store.database import Database

    Floats = NDArray[np.float32]

_CURRENT = select(ModelRow.id).where(ModelRow.current).scalar_subquery()
_TEXTS_PER_STEP = 200
_CLUSTERS_PER_STEP = 100
_IDS_PER_STEP = 4096
_ONLY = 1  # the id of the only row
_SENTENCES_OF_MAP_ROW = 65_536  # a megabyte
_MOST_MAP_ROWS = 1000  # the rows of a map have ids from a multiple of it on
_CLUSTER_COLUMNS = tuple(column.name for column in ClusterRow.__table__.columns if column.name != "id")
_LAST_CLUSTER = (
    "SELECT max(coalesce((SELECT max(id) FROM cluster), 0),"
    " coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'cluster'), 0))"
)
_ADD_CLUSTER = f"INSERT INTO cluster (id, {', '.join(_CLUSTER_COLUMNS)}) VALUES (?{', ?' * len(_CLUSTER_COLUMNS)})"


def _last_cluster_id(connection: Connection) -> int:
    """Return the highest id that a cluster ever had."""
    return int(fetch_plain_rows(connection, _LAST_CLUSTER)[0][0])


def _first_map_row(connection: Connection) -> int:
    """Return the id from which on the rows of the map are: the last one whose first row is stored.

    A program of before stored all in one row, with the id 1.
    """
    is_first = (MapRow.id % _MOST_MAP_ROWS == 0, MapRow.model_id == _CURRENT)
    return int(connection.execute(select(func.max(MapRow.id)).where(*is_first)).scalar_one() or 0)


class LocalClusterStore:
    """Implements `core.library.ClusterStore`, which documents each method."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._changes = 0  # of clusters, in this process

    def last_division(self) -> StoredDivision | None:
        """Return the last division made with the current model."""
        with self._database.read_transaction() as connection:
            row = connection.execute(select(LookRow).where(LookRow.model_id == _CURRENT)).one_or_none()
        if row is None:
            return None
        return StoredDivision(row.granularity, bool(row.is_chosen), row.min_size, row.seen, row.new_after)

    def clusters(self) -> list[StoredCluster]:
        """Return every cluster in order of id."""
        with self._database.read_transaction() as connection:
            rows = connection.execute(select(ClusterRow).order_by(ClusterRow.id)).all()
        return [cluster_from_row(row) for row in rows]

    def clusters_in_steps(self) -> Generator[None, None, list[StoredCluster]]:
        """Like `clusters`, in short steps; it starts again if they change meanwhile."""
        if not self._database.writable:  # another process may change them between two steps
            yield None
            return self.clusters()
        while True:
            found: list[StoredCluster] = []
            changes, after = self._changes, 0
            while changes == self._changes:
                query = (
                    select(ClusterRow).where(ClusterRow.id > after).order_by(ClusterRow.id).limit(_CLUSTERS_PER_STEP)
                )
                with self._database.read_transaction() as connection:
                    rows = connection.execute(query).all()
                if not rows:
                    return found
                found += map(cluster_from_row, rows)
                after = rows[-1].id
                yield None

    def save(self, found: Sequence[StoredCluster], division: StoredDivision) -> list[int]:
        """Replace all stored clusters and the division."""
        return run_to_completion(self.save_in_steps(found, division))

    def save_in_steps(
        self, found: Sequence[StoredCluster], division: StoredDivision
    ) -> Generator[None, None, list[int]]:
        """Like `save`: rows are made step by step, and stored at once."""
        while True:
            erasures = self._database.erasures
            stored = yield from self._without_erased(found)
            rows: list[tuple[object, ...]] = []
            for cluster in stored:
                values = cluster_values(cluster)
                rows.append(tuple(values[name] for name in _CLUSTER_COLUMNS))
                if len(rows) % _CLUSTERS_PER_STEP == 0:
                    yield None
            if self._database.erasures == erasures:
                break
        gone = [len(rest.members) < min(1, len(cluster.members)) for rest, cluster in zip(stored, found, strict=True)]
        with self._database.write_transaction() as connection:
            self._changes += 1
            free = count(_last_cluster_id(connection) + 1)
            ids = [next(free) if cluster.cluster_id is None else cluster.cluster_id for cluster in stored]
            connection.execute(delete(ClusterRow))
            # In plain SQL: of thousands of rows, SQLAlchemy takes longer than SQLite.
            keyed = [(key, *row) for key, row, is_gone in zip(ids, rows, gone, strict=True) if not is_gone]
            execute_plainly(connection, _ADD_CLUSTER, keyed)
            connection.execute(delete(LookRow))
            look = {
                "id": _ONLY,
                "model_id": _CURRENT,
                "granularity": division.granularity,
                "is_chosen": division.is_chosen,
                "min_size": division.min_size,
                "seen": division.seen,
                "new_after": division.new_after,
            }
            if connection.execute(select(_CURRENT)).scalar_one() is not None:
                connection.execute(insert(LookRow).values(look))
        return ids

    def change(self, cluster_id: int, *, name: str | None = None, pinned: bool | None = None) -> None:
        """Change what a person decides about a cluster: its name, or whether it is pinned."""
        values: dict[str, object] = {}
        if name is not None:
            values |= {"name": name, "own_name": bool(name)}
        if pinned is not None:
            values["pinned"] = pinned
        with self._database.write_transaction() as connection:
            self._changes += 1
            changed = connection.execute(update(ClusterRow).where(ClusterRow.id == cluster_id).values(values))
        if not changed.rowcount:
            raise NotFound("That topic no longer exists", "Topics were updated in the meantime. Select one again.")

    def count_arrived(self, seen: int) -> int:
        """Return how many sentences came after the one with the id `seen`."""
        standing = (
            select(OccurrenceRow.sentence_id)
            .join(DocumentRow, DocumentRow.live_id == OccurrenceRow.version_id)
            .where(OccurrenceRow.sentence_id == EmbeddingRow.sentence_id, is_not_removed())
            .exists()
        )
        query = select(func.count()).select_from(EmbeddingRow)
        newer = (EmbeddingRow.sentence_id > seen, EmbeddingRow.model_id == _CURRENT, standing)
        with self._database.read_transaction() as connection:
            return int(connection.execute(query.where(*newer)).scalar_one())

    def positions(self) -> tuple[Ids, Floats]:
        """Return sentence ids and their positions."""
        with self._database.read_transaction() as connection:
            first = _first_map_row(connection)
            own = (MapRow.id >= first, MapRow.id < first + _MOST_MAP_ROWS, MapRow.model_id == _CURRENT)
            rows = connection.execute(select(MapRow).where(*own).order_by(MapRow.id)).all()
        places = np.frombuffer(b"".join(row.places for row in rows), "<f4").astype(np.float32).reshape(-1, 2)
        return np.frombuffer(b"".join(row.members for row in rows), "<i8").astype(np.int64), places

    def save_positions(self, ids: Ids, places: Floats) -> Iterator[None]:
        """Replace the stored positions, a row at a time: the map counts once its first row is stored, which is last."""
        with self._database.read_transaction() as connection:
            model_id = connection.execute(select(_CURRENT)).scalar_one()
            last = connection.execute(select(func.max(MapRow.id))).scalar_one() or 0
        first = (last // _MOST_MAP_ROWS + 1) * _MOST_MAP_ROWS
        rows = range(max(1, -(-len(ids) // _SENTENCES_OF_MAP_ROW)) if model_id is not None else 0)
        for number in reversed(rows):
            some = slice(number * _SENTENCES_OF_MAP_ROW, (number + 1) * _SENTENCES_OF_MAP_ROW)
            values = {"members": ids[some].astype("<i8").tobytes(), "places": places[some].astype("<f4").tobytes()}
            with self._database.write_transaction(is_aside=True) as connection:
                connection.execute(insert(MapRow).values(id=first + number, model_id=model_id, **values))
            yield None
        while True:
            with self._database.write_transaction(is_aside=True) as connection:
                former = select(func.min(MapRow.id)).where(MapRow.id < first).scalar_subquery()
                if not connection.execute(delete(MapRow).where(MapRow.id == former)).rowcount:
                    return
            yield None

    def forget_erased(self) -> Iterator[None]:
        """Delete members and positions of erased sentences, and words of clusters that only they contained."""
        while not (yield from self._forget_members()):
            yield None
        yield from self._forget_positions()

    def _forget_members(self) -> Generator[None, None, bool]:
        """Delete erased members; returns False, without overwriting them, if clusters were changed meanwhile."""
        stored = yield from self.clusters_in_steps()
        changes = self._changes
        for top in range(0, len(stored), _CLUSTERS_PER_STEP):
            some = stored[top : top + _CLUSTERS_PER_STEP]
            erased = yield from self._find_erased(np.concatenate([cluster.members for cluster in some]))
            for cluster in some if len(erased) else ():
                rest = yield from drop_erased_members(cluster, erased, self._read_texts, _TEXTS_PER_STEP)
                if rest is cluster:
                    continue
                if self._changes != changes:
                    return False
                own_row = ClusterRow.id == cluster.cluster_id
                with self._database.write_transaction() as connection:
                    connection.execute(
                        update(ClusterRow).where(own_row).values(cluster_values(rest))
                        if len(rest.members)
                        else delete(ClusterRow).where(own_row)
                    )
                self._changes = changes = changes + 1
                yield None
        return self._changes == changes

    def _without_erased(self, found: Sequence[StoredCluster]) -> Generator[None, None, list[StoredCluster]]:
        """Return clusters without members that were erased since they were found, and without their words.

        They may have been found before a purge, or an undo may bring back those of before it.
        """
        rest = []
        for top in range(0, len(found), _CLUSTERS_PER_STEP):
            some = found[top : top + _CLUSTERS_PER_STEP]
            erased = yield from self._find_erased(np.concatenate([cluster.members for cluster in some]))
            for cluster in some:
                rest.append((yield from drop_erased_members(cluster, erased, self._read_texts, _TEXTS_PER_STEP)))
        return rest

    def _forget_positions(self) -> Iterator[None]:
        with self._database.read_transaction() as connection:
            keys = connection.execute(select(MapRow.id)).scalars().all()
        for key in keys:
            own_row = MapRow.id == key
            with self._database.read_transaction() as connection:
                row = connection.execute(select(MapRow).where(own_row)).one_or_none()
            if row is None:  # the map was stored anew meanwhile
                continue
            ids = np.frombuffer(row.members, "<i8")
            left = ~np.isin(ids, (yield from self._find_erased(ids)))
            if not left.all():
                places = np.frombuffer(row.places, "<f4").reshape(-1, 2)
                values = {"members": ids[left].tobytes(), "places": places[left].tobytes()}
                with self._database.write_transaction() as connection:
                    connection.execute(update(MapRow).where(own_row).values(**values))
                yield None

    def _find_erased(self, ids: Ids) -> Generator[None, None, Ids]:
        """Return those of `ids` int64 [n] whose sentence is gone."""
        found = [np.empty(0, np.int64)]
        for top in range(0, len(ids), _IDS_PER_STEP):
            with self._database.read_transaction() as connection:
                found.append(find_erased(connection, ids[top : top + _IDS_PER_STEP]))
            yield None
        return np.concatenate(found)

    def _read_texts(self, sentence_ids: list[int]) -> Sequence[str]:
        query = select(SentenceRow.text).where(SentenceRow.id.in_(values_subquery(sentence_ids)))
        with self._database.read_transaction() as connection:
            return connection.execute(query).scalars().all()
