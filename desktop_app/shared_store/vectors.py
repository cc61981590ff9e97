"""The tables of vectors: one for each model, with a tail that is searched exactly and partitions with a graph each.

New vectors enter the tail. When it has grown enough, its rows move into the partitions: those with `id % modulus =
remainder`. A partition that has grown too large is split in two. A new partition is filled and indexed before anybody
sees it, and takes its place in a short transaction. Many small graphs, and rows that are spread evenly over them,
because a graph over many near copies traps the search.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from psycopg import errors

from desktop_app.core.errors import LibraryUnreachable
from desktop_app.shared_store.connection import HOLD_SEALING, MOVE_VECTORS, Question
from desktop_app.shared_store.schema import own_new_table

if TYPE_CHECKING:
    from desktop_app.core.jobs import Steps
    from desktop_app.shared_store.connection import SharedDatabase

_log = logging.getLogger(__name__)

PART_ROWS = 250_000
_MOST_ROWS = 1.5
"""A partition that has grown to so many times its rows is split."""
GRAPH_LINKS, GRAPH_CANDIDATES = 16, 100
_INSERT_BATCH = 100
_REBUILD_SHARE = 0.2
"""A partition that grows by less is added to; otherwise building it anew is faster."""
_MAX_INDEXED_DIM = 4000
_SHORT_WAIT = "SET LOCAL lock_timeout = '2s'"
_PAUSE_S = 5
"""Whoever reads or stores vectors waits for a partition that waits to be replaced."""
# A graph is built several times as fast if it fits into memory: 500,000 vectors of 384 numbers take 600 MB. One process
# builds it, so that searches keep the others.
_BUILDING = (
    "SET LOCAL maintenance_work_mem = '1GB'",
    "SET LOCAL max_parallel_maintenance_workers = 0",
    "SET LOCAL statement_timeout = 0",
)


@dataclass(frozen=True, slots=True)
class VectorPart:
    """A partition: its number, and the sentences that belong to it."""

    number: int
    modulus: int
    remainder: int


def parent_table(model_id: int) -> str:
    """Return the name of the table of all vectors of a model."""
    return f"vector_{int(model_id)}"


def part_table(model_id: int, number: int) -> str:
    """Return the name of a partition."""
    return f"vector_{int(model_id)}_{int(number)}"


def total_table(model_id: int) -> str:
    """Return the name of the table of the sums of documents' vectors."""
    return f"total_{int(model_id)}"


def create_vector_tables(database: SharedDatabase, model_id: int, dim: int) -> None:
    """Create the tables of a model, in the transaction that stores the model."""
    parent, tail, total = parent_table(model_id), part_table(model_id, 0), total_table(model_id)
    database.run(
        f"CREATE TABLE {parent} (part int NOT NULL, sentence_id bigint NOT NULL, vector vector({int(dim)}) NOT NULL,"
        " checksum bigint NOT NULL) PARTITION BY LIST (part)"
    )
    database.run(f"CREATE TABLE {tail} PARTITION OF {parent} FOR VALUES IN (0)")
    database.run(f"ALTER TABLE {tail} ADD PRIMARY KEY (sentence_id)")
    database.run(
        f"CREATE TABLE {total} (version_id bigint PRIMARY KEY REFERENCES version ON DELETE CASCADE,"
        f" sentences bigint NOT NULL, vector vector({int(dim)}) NOT NULL)"
    )
    for table in (tail, parent, total):
        own_new_table(database, table)


def drop_vector_tables(database: SharedDatabase, model_id: int) -> None:
    """Delete the tables of a model, and with them every byte of its vectors that the server can reach."""
    database.run(f"DROP TABLE IF EXISTS {parent_table(model_id)}, {total_table(model_id)}")


def read_parts(database: SharedDatabase, model_id: int) -> list[VectorPart]:
    """Return the partitions with a graph."""
    return database.answer(parts_question(model_id))


def parts_question(model_id: int) -> Question[list[VectorPart]]:
    """Return the question for the partitions with a graph."""
    return Question(
        ("parts", model_id),
        "SELECT number, modulus, remainder FROM part WHERE model_id = %(model)s ORDER BY number",
        {"model": model_id},
        lambda rows: [VectorPart(row.number, row.modulus, row.remainder) for row in rows],
    )


class VectorSealer:
    """Moves the tail into partitions with graphs, and rebuilds partitions, while the library is searched."""

    def __init__(self, database: SharedDatabase, tail_rows: int, part_rows: int = PART_ROWS) -> None:
        self._database = database
        self._most_rows = _MOST_ROWS * part_rows
        self.tail_rows = tail_rows

    def seal(self, model_id: int, dim: int, *, force: bool = False) -> Steps[None]:
        """Move the tail if it has grown enough (`force`: whatever it holds).

        If the server takes no other connection, the tail stays until the next time.
        """
        rows = count_rows(self._database, part_table(model_id, 0))
        if dim > _MAX_INDEXED_DIM or not rows or (rows < self.tail_rows and not force):
            return
        try:
            yield from self._database.run_beside(lambda other: _PartBuilder(other, self._most_rows).seal(model_id, dim))
        except LibraryUnreachable as error:
            self._database.value("SELECT 1")  # raises if this connection is lost as well
            _log.warning("the tail stays unsealed: %s", error)

    def rebuild(self, model_id: int, dim: int, number: int) -> Steps[None]:
        """Build a partition anew: nothing of erased vectors is left in it.

        Raises:
            LibraryUnreachable: the server takes no other connection, or it was lost.
        """
        yield from self._database.run_beside(
            lambda other: _PartBuilder(other, self._most_rows).rebuild(model_id, dim, number)
        )


class _PartBuilder:
    """Builds partitions on a connection of its own; one session of all at a time."""

    def __init__(self, database: SharedDatabase, most_rows: float) -> None:
        self._database = database
        self._most_rows = most_rows
        database.rows(HOLD_SEALING)  # until the connection ends
        self._drop_unfinished()

    def _drop_unfinished(self) -> None:
        """Delete partitions that a session has built and not put in place: it ended before, and their vectors stay."""
        for table in self._database.column(
            "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
            " AND NOT relispartition AND relname ~ '^vector_[0-9]+_[0-9]+$'"
        ):
            with self._database.write_transaction():
                self._database.run(f"DROP TABLE IF EXISTS {table}")

    def seal(self, model_id: int, dim: int) -> None:
        """Move the tail."""
        parts = read_parts(self._database, model_id) or [VectorPart(0, 1, 0)]
        for part in parts:
            self._grow(model_id, dim, part)
        # Every search reads the whole table, with the room of what has left it.
        self._database.run(f"VACUUM {part_table(model_id, 0)}")

    def rebuild(self, model_id: int, dim: int, number: int) -> None:
        """Build a partition anew, if it is still there."""
        part = next((each for each in read_parts(self._database, model_id) if each.number == number), None)
        if part is not None:
            self._replace(model_id, dim, part, [part], with_tail=False)

    def _grow(self, model_id: int, dim: int, part: VectorPart) -> None:
        held = count_rows(self._database, part_table(model_id, part.number)) if part.number else 0
        new = self._database.value(
            f"SELECT count(*) FROM {part_table(model_id, 0)} WHERE {_belongs(part)}",
            modulus=part.modulus,
            remainder=part.remainder,
        )
        if not new:
            return
        if held and held + new <= self._most_rows and new < _REBUILD_SHARE * held:
            self._insert(model_id, part)
            return
        pieces = [part]
        while held + new > self._most_rows * len(pieces):
            pieces = [
                VectorPart(0, 2 * each.modulus, each.remainder + more) for each in pieces for more in (0, each.modulus)
            ]
        self._replace(model_id, dim, part, pieces, with_tail=True)

    def _insert(self, model_id: int, part: VectorPart) -> None:
        """Move rows from the tail into a partition, through its graph."""
        tail, table = part_table(model_id, 0), part_table(model_id, part.number)
        while True:
            with self._database.write_transaction():
                self._database.rows(MOVE_VECTORS)
                moved = self._database.run(
                    f"WITH moved AS (DELETE FROM {tail} WHERE sentence_id IN (SELECT sentence_id FROM {tail}"
                    f" WHERE {_belongs(part)} LIMIT {_INSERT_BATCH}) RETURNING sentence_id, vector, checksum)"
                    f" INSERT INTO {table} (part, sentence_id, vector, checksum)"
                    " SELECT %(number)s, sentence_id, vector, checksum FROM moved",
                    modulus=part.modulus,
                    remainder=part.remainder,
                    number=part.number,
                )
            if not moved:
                return

    def _replace(self, model_id: int, dim: int, old: VectorPart, pieces: list[VectorPart], *, with_tail: bool) -> None:
        """Build new partitions from an old one and its share of the tail, then let them take its place."""
        database, parent, tail = self._database, parent_table(model_id), part_table(model_id, 0)
        sources = [part_table(model_id, old.number)] if old.number else []
        sources += [tail] if with_tail else []
        first = 1 + int(database.value(
            "SELECT coalesce(max(split_part(relname, '_', 3)::int), 0) FROM pg_class"
            " WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname ~ %(name)s",
            name=f"^{parent}_[0-9]+$",
        ))  # fmt: skip
        made = [VectorPart(first + at, piece.modulus, piece.remainder) for at, piece in enumerate(pieces)]
        for piece in made:
            table = part_table(model_id, piece.number)
            with database.write_transaction():
                for setting in _BUILDING:
                    database.run(setting)
                database.run(f"CREATE TABLE {table} (LIKE {parent}, CHECK (part = {piece.number}))")
                for source in sources:
                    database.run(
                        f"INSERT INTO {table} (part, sentence_id, vector, checksum)"
                        f" SELECT {piece.number}, sentence_id, vector, checksum FROM {source} WHERE {_belongs(piece)}",
                        modulus=piece.modulus,
                        remainder=piece.remainder,
                    )
                database.run(f"ALTER TABLE {table} ADD PRIMARY KEY (sentence_id)")
                database.run(graph_statement(model_id, piece.number, dim))
                own_new_table(database, table)
        while not self._swap(model_id, old, made, sources, with_tail=with_tail):
            database.rows("SELECT pg_sleep(%(pause)s)", pause=_PAUSE_S)
        for piece in made:
            database.run(f"ANALYZE {part_table(model_id, piece.number)}")

    def _swap(
        self, model_id: int, old: VectorPart, made: list[VectorPart], sources: list[str], *, with_tail: bool
    ) -> bool:
        """Let new partitions take the place of an old one and its share of the tail.

        Returns False if a long transaction of another session reads them: everybody else would have to wait for it,
        too.
        """
        database, parent, tail = self._database, parent_table(model_id), part_table(model_id, 0)
        try:
            with database.write_transaction():
                database.run(_SHORT_WAIT)
                database.rows(MOVE_VECTORS)
                for piece in made:
                    table = part_table(model_id, piece.number)
                    # What was erased while the graph was built is gone from the sources.
                    standing = " AND ".join(
                        f"NOT EXISTS (SELECT FROM {source} s WHERE s.sentence_id = n.sentence_id)" for source in sources
                    )
                    gone = database.run(f"DELETE FROM {table} n WHERE {standing}")
                    if with_tail:
                        database.run(f"DELETE FROM {tail} t USING {table} n WHERE n.sentence_id = t.sentence_id")
                    database.run(f"ALTER TABLE {parent} ATTACH PARTITION {table} FOR VALUES IN ({piece.number})")
                    database.run(f"ALTER TABLE {table} DROP CONSTRAINT {table}_part_check")
                    database.run(
                        "INSERT INTO part (model_id, number, modulus, remainder) VALUES (%(model)s, %(number)s,"
                        " %(modulus)s, %(remainder)s)",
                        model=model_id,
                        number=piece.number,
                        modulus=piece.modulus,
                        remainder=piece.remainder,
                    )
                    if gone:
                        database.run(
                            "INSERT INTO tally (name, change) VALUES (%(name)s, %(gone)s)",
                            name=f"dead.{table}",
                            gone=gone,
                        )
                if old.number:
                    table = part_table(model_id, old.number)
                    database.run(
                        "DELETE FROM part WHERE model_id = %(model)s AND number = %(number)s",
                        model=model_id,
                        number=old.number,
                    )
                    database.run("DELETE FROM tally WHERE name = %(name)s", name=f"dead.{table}")
                    database.run(f"DROP TABLE {table}")
        except LibraryUnreachable as error:
            if not isinstance(error.__cause__, errors.LockNotAvailable):
                raise
            return False
        return True


def count_rows(database: SharedDatabase, table: str) -> int:
    """Return how many rows a table holds."""
    return int(database.value(f"SELECT count(*) FROM {table}"))


def graph_statement(model_id: int, number: int, dim: int) -> str:
    """Return the statement that builds the graph of a partition, from numbers of half the length."""
    return (
        f"CREATE INDEX ON {part_table(model_id, number)} USING hnsw ((vector::halfvec({int(dim)})) halfvec_ip_ops)"
        f" WITH (m = {GRAPH_LINKS}, ef_construction = {GRAPH_CANDIDATES})"
    )


def _belongs(part: VectorPart) -> str:
    return "sentence_id %% %(modulus)s = %(remainder)s"
