"""Brings vectors that earlier versions of the program stored as float32 into half precision, some at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.stored_rows import have_unit_length
from desktop_app.store.checksums import vector_checksum
from desktop_app.store.counters import read_counter, set_counter, upsert_counter
from desktop_app.store.half_vectors import to_halves

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.store.database import Database

WHOLE_VECTORS = "whole_vectors"
"""The counter of the highest id of a vector that may be float32; later ones are in half precision."""

SPARSE = "sparse"
"""The counter that is 1 while pages of the database are half empty."""

_STEP_ROWS = 200
_NEXT = (
    "SELECT embedding.id, dim, vector, checksum FROM embedding LEFT JOIN model ON model.id = model_id"
    " WHERE embedding.id <= ? ORDER BY embedding.id DESC LIMIT ?"
)
_SET = "UPDATE embedding SET vector = ?, checksum = ? WHERE id = ?"


def convert_vectors(database: Database) -> Iterator[None]:
    """Convert the vectors that are sound; the check of the library finds the others.

    Each step is a transaction, and the next run continues one that was stopped.
    """
    while True:
        with database.read_transaction() as connection:
            last = read_counter(connection, WHOLE_VECTORS)
            rows = connection.exec_driver_sql(_NEXT, (last, _STEP_ROWS)).all() if last else []
        if not last:
            return
        values = _converted(rows)
        with database.write_transaction(is_aside=True) as connection:
            if values:
                connection.exec_driver_sql(_SET, values)
                upsert_counter(connection, SPARSE, 1)
            set_counter(connection, WHOLE_VECTORS, rows[-1].id - 1 if rows else 0)
        yield None


def _converted(rows: Sequence[AnyRow]) -> list[tuple[bytes, int, int]]:
    """Return the new vector and checksum of those of `rows` that are float32, and their ids."""
    found = []
    for dim in {row.dim for row in rows} - {None}:
        own = [row for row in rows if row.dim == dim and len(row.vector) == 4 * dim]
        own = [row for row in own if row.checksum is None or row.checksum == vector_checksum(row.vector)]
        vectors = np.frombuffer(b"".join(row.vector for row in own), "<f4").reshape(len(own), dim)
        sound = have_unit_length(vectors)
        halves = map(bytes, to_halves(vectors[sound]))
        ids = (row.id for row, is_sound in zip(own, sound.tolist(), strict=True) if is_sound)
        found += [(half, vector_checksum(half), number) for half, number in zip(halves, ids, strict=True)]
    return found
