"""Checksums of stored vectors: a changed bit may leave a vector at length 1, and nothing else would show it."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from desktop_app.store.counters import read_counter, upsert_counter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_app.store.database import Database

_COUNTER = "checksums"
"""The highest id of a vector up to which every vector has a checksum."""

_STEP_ROWS = 500
_NEXT = "SELECT id, CASE WHEN checksum IS NULL THEN vector END FROM embedding WHERE id > ? ORDER BY id LIMIT ?"
_SET = "UPDATE embedding SET checksum = ? WHERE id = ?"


def vector_checksum(vector: bytes) -> int:
    """Return the CRC-32 of a vector's bytes."""
    return zlib.crc32(vector)


def fill_checksums(database: Database) -> Iterator[None]:
    """Store the checksums of vectors that an earlier version of the program stored, some at a time."""
    while True:
        with database.read_transaction() as connection:
            after = read_counter(connection, _COUNTER)
            rows = connection.exec_driver_sql(_NEXT, (after, _STEP_ROWS)).all()
        if not rows:
            return
        with database.write_transaction(is_aside=True) as connection:
            values = [(vector_checksum(vector), number) for number, vector in rows if vector is not None]
            if values:
                connection.exec_driver_sql(_SET, values)
            upsert_counter(connection, _COUNTER, rows[-1][0])
        yield None
