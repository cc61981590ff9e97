"""The models that a shared library has vectors of; each has tables of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.errors import ModelMismatch
from desktop_app.core.stored_rows import model_info_from_row
from desktop_app.shared_store.connection import MOVE_VECTORS, Question
from desktop_app.shared_store.sentences import TALLY
from desktop_app.shared_store.vectors import create_vector_tables, drop_vector_tables

if TYPE_CHECKING:
    from desktop_app.core.records import ModelInfo
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.shared_store.connection import SharedDatabase

CURRENT: Question[AnyRow | None] = Question(
    "model", "SELECT * FROM model WHERE current", {}, lambda rows: rows[0] if rows else None
)
"""The row of the library's own model."""

_UPSERT = (
    "INSERT INTO model AS m (fingerprint, name, dim, max_length, pooling, normalised, folder)"
    " VALUES (%(fingerprint)s, %(name)s, %(dim)s, %(max_length)s, %(pooling)s, %(normalised)s, %(folder)s)"
    " ON CONFLICT (fingerprint) DO UPDATE SET name = excluded.name, max_length = excluded.max_length,"
    " pooling = excluded.pooling, normalised = excluded.normalised, folder = excluded.folder"
    " RETURNING m.id"
)


class SharedLibraryModels:
    """Implements `core.library.LibraryModels` on the rows of `model`."""

    def __init__(self, database: SharedDatabase) -> None:
        self._database = database

    @property
    def current(self) -> ModelInfo | None:
        """The encoder of this library's vectors; None while it has none."""
        row = self.current_row()
        return None if row is None else model_info_from_row(row)

    @property
    def current_id(self) -> int | None:
        """The id of the library's own model."""
        row = self.current_row()
        return None if row is None else row.id

    def current_row(self) -> AnyRow | None:
        """Return the row of the library's own model: another session may have switched it."""
        return self._database.answer(CURRENT)

    def bind(self, model: ModelInfo) -> None:
        """Make `model` the library's encoder.

        Raises:
            ModelMismatch: the library has vectors of another one.
        """
        own = self.current_row()
        if own is not None and model_info_from_row(own) == model:
            return
        if own is not None and own.fingerprint != model.fingerprint and self.count_own_vectors(own.id):
            raise ModelMismatch(
                "This library's vectors come from {name}, not from {model_name}",
                "Use {name}, or switch the library with `models use`.",
                name=own.name,
                model_name=model.name,
            )
        if not self._database.writable:
            return
        with self._database.write_transaction():
            self._database.rows(MOVE_VECTORS)
            model_id = self.upsert(model)
            self._database.run(
                "UPDATE model SET current = (id = %(id)s),"
                " switching = CASE WHEN id = %(id)s THEN '' ELSE switching END",
                id=model_id,
            )

    def upsert(self, model: ModelInfo) -> int:
        """Insert or update the row of a model, with its tables, in a transaction; returns its id."""
        row = self._database.row(
            _UPSERT,
            fingerprint=model.fingerprint,
            name=model.name,
            dim=model.dim,
            max_length=model.max_length,
            pooling=model.pooling,
            normalised=model.normalised,
            folder=model.folder,
        )
        assert row is not None, "an upsert has a row"
        if not self._database.value("SELECT to_regclass(%(name)s) IS NOT NULL", name=f"vector_{row.id}"):
            create_vector_tables(self._database, row.id, model.dim)
        return int(row.id)

    def count_own_vectors(self, model_id: int) -> int:
        """Return how many vectors of a model there are."""
        return self._database.answer(TALLY).get(f"vectors.{model_id}", 0)

    def count_vectors(self) -> dict[str, int]:
        """Return the number of vectors of each model, by fingerprint; those due to be erased do not count."""
        counted = self._database.answer(TALLY)
        rows = self._database.rows("SELECT id, fingerprint FROM model WHERE current OR switching <> ''")
        return {row.fingerprint: counted.get(f"vectors.{row.id}", 0) for row in rows}

    def erase_others(self) -> None:
        """Erase the vectors of models that are neither current nor being switched to.

        The library's previous model stays known.
        """
        useless = "NOT current AND switching = ''"
        for model_id in self._database.column(f"SELECT id FROM model WHERE {useless} ORDER BY id"):
            with self._database.write_transaction():
                self._database.rows(MOVE_VECTORS)
                still = self._database.row(f"SELECT previous FROM model WHERE id = %(id)s AND {useless}", id=model_id)
                if still is None:
                    continue
                drop_vector_tables(self._database, model_id)
                for table in ("part", "truncated", "neighbour", "look", "map"):
                    self._database.run(f"DELETE FROM {table} WHERE model_id = %(id)s", id=model_id)
                self._database.run("DELETE FROM tally WHERE name = %(name)s", name=f"vectors.{model_id}")
                if not still.previous:
                    self._database.run("DELETE FROM model WHERE id = %(id)s", id=model_id)
