"""Stores clusters, a person's changes to them, and the sentences' positions on the map."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.sqlite import insert

from desktop_app.core.cluster_words import drop_words, find_words, list_derived_words
from desktop_app.core.clusters import StoredCluster, StoredDivision
from desktop_app.core.errors import NotFound
from desktop_app.core.stored_rows import cluster_from_row, cluster_values
from desktop_app.store.analysis_reader import find_erased
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

    from desktop_app.store.database import Database

    Ids = NDArray[np.int64]
    Floats = NDArray[np.float32]

_CURRENT = select(ModelRow.id).where(ModelRow.current).scalar_subquery()
_TEXTS_PER_STEP = 200
_ONLY = 1  # the id of the only row


class LocalClusterStore:
    """Implements `core.library.ClusterStore`, which documents each method."""

    def __init__(self, database: Database) -> None:
        self._database = database

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

    def save(self, found: Sequence[StoredCluster], division: StoredDivision) -> list[int]:
        """Replace all stored clusters and the division."""
        known = [
            cluster_values(cluster) | {"id": cluster.cluster_id} for cluster in found if cluster.cluster_id is not None
        ]
        unknown = [cluster_values(cluster) for cluster in found if cluster.cluster_id is None]
        made: list[int] = []
        with self._database.write_transaction() as connection:
            connection.execute(delete(ClusterRow))
            # There are hundreds of rows: one statement each would take ten times as long.
            if known:
                connection.execute(insert(ClusterRow), known)
            if unknown:
                adding = insert(ClusterRow).returning(ClusterRow.id, sort_by_parameter_order=True)
                made = [int(each) for each in connection.execute(adding, unknown).scalars()]
            connection.execute(delete(LookRow))
            values = {
                "id": _ONLY,
                "model_id": _CURRENT,
                "granularity": division.granularity,
                "is_chosen": division.is_chosen,
                "min_size": division.min_size,
                "seen": division.seen,
                "new_after": division.new_after,
            }
            if connection.execute(select(_CURRENT)).scalar_one() is not None:
                connection.execute(insert(LookRow).values(values))
        new = iter(made)
        return [next(new) if cluster.cluster_id is None else cluster.cluster_id for cluster in found]

    def change(self, cluster_id: int, *, name: str | None = None, pinned: bool | None = None) -> None:
        """Change what a person decides about a cluster: its name, or whether it is pinned."""
        values: dict[str, object] = {}
        if name is not None:
            values |= {"name": name, "own_name": bool(name)}
        if pinned is not None:
            values["pinned"] = pinned
        with self._database.write_transaction() as connection:
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
            row = connection.execute(select(MapRow).where(MapRow.model_id == _CURRENT)).one_or_none()
        if row is None:
            return np.empty(0, np.int64), np.empty((0, 2), np.float32)
        places = np.frombuffer(row.places, "<f4").astype(np.float32).reshape(-1, 2)
        return np.frombuffer(row.members, "<i8").astype(np.int64), places

    def save_positions(self, ids: Ids, places: Floats) -> None:
        """Replace the stored positions."""
        with self._database.write_transaction() as connection:
            connection.execute(delete(MapRow))
            if connection.execute(select(_CURRENT)).scalar_one() is not None:
                members, packed = ids.astype("<i8").tobytes(), places.astype("<f4").tobytes()
                connection.execute(insert(MapRow).values(id=_ONLY, model_id=_CURRENT, members=members, places=packed))

    def forget_erased(self) -> Iterator[None]:
        """Delete members and positions of erased sentences, and words of clusters that only they contained."""
        for cluster in self.clusters():
            with self._database.read_transaction() as connection:
                gone = np.isin(cluster.members, find_erased(connection, cluster.members))
            yield None
            if gone.any():
                rest = replace(
                    cluster,
                    members=cluster.members[~gone],
                    closeness=cluster.closeness[~gone],
                    keys=cluster.keys - int(gone[: cluster.keys].sum()),
                )
                lost = yield from self._find_lost_words(rest)
                rest = drop_words(rest, lost)
                own_row = ClusterRow.id == cluster.cluster_id
                with self._database.write_transaction() as connection:
                    connection.execute(
                        update(ClusterRow).where(own_row).values(cluster_values(rest))
                        if len(rest.members)
                        else delete(ClusterRow).where(own_row)
                    )
                yield None
        with self._database.write_transaction() as connection:
            row = connection.execute(select(MapRow)).one_or_none()
            if row is None:
                return
            ids = np.frombuffer(row.members, "<i8")
            gone = np.isin(ids, find_erased(connection, ids))
            if gone.any():
                places = np.frombuffer(row.places, "<f4").reshape(-1, 2)
                left = {"members": ids[~gone].tobytes(), "places": places[~gone].tobytes()}
                connection.execute(update(MapRow).values(**left))
        yield None

    def _find_lost_words(self, cluster: StoredCluster) -> Generator[None, None, set[str]]:
        """Return the words of a cluster that none of its sentences contains."""
        lost, members = list_derived_words(cluster), cluster.members.tolist()
        for top in range(0, len(members), _TEXTS_PER_STEP):
            if not lost:
                break
            query = select(SentenceRow.text).where(
                SentenceRow.id.in_(values_subquery(members[top : top + _TEXTS_PER_STEP]))
            )
            with self._database.read_transaction() as connection:
                for text in connection.execute(query).scalars():
                    lost -= find_words(text)
            yield None
        return lost
