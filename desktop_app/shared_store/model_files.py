"""The files of the library's models, in pieces: a computer that lacks the model gets it from here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.jobs import Progress
from desktop_app.core.model_files import PIECE_BYTES, ModelFile
from desktop_app.shared_store.connection import END_STORING, TRY_STORING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from desktop_app.core.jobs import Steps
    from desktop_app.shared_store.connection import SharedDatabase

_FILES = (
    "SELECT f.name, f.size_bytes, encode(f.sha256, 'hex') AS sha256, f.is_whole FROM model_file f"
    " JOIN model m ON m.id = f.model_id WHERE m.fingerprint = %(fingerprint)s ORDER BY f.name"
)
_PIECE = (
    "SELECT p.content FROM model_piece p JOIN model m ON m.id = p.model_id"
    " WHERE m.fingerprint = %(fingerprint)s AND p.name = %(name)s AND p.number = %(number)s"
)


class SharedModelFiles:
    """Implements `core.model_files.ModelFileStore`."""

    def __init__(self, database: SharedDatabase) -> None:
        self._database = database

    def find(self, fingerprint: str) -> tuple[ModelFile, ...]:
        """Return the files of a model; none if they are not, or not all, stored."""
        if not self._has_tables():
            return ()
        rows = self._database.rows(_FILES, fingerprint=fingerprint)
        if not all(row.is_whole for row in rows):
            return ()
        return tuple(ModelFile(row.name, row.size_bytes, row.sha256) for row in rows)

    def _has_tables(self) -> bool:
        """Whether the library knows files of models; one that is not upgraded does not."""
        return bool(self._database.value("SELECT to_regclass('model_file') IS NOT NULL"))

    def read_piece(self, fingerprint: str, file: ModelFile, number: int) -> bytes:
        """Return a piece of a file."""
        asked = (_PIECE, {"fingerprint": fingerprint, "name": file.name, "number": number})
        rows = self._database.ask([asked])[0]
        return bytes(rows[0].content) if rows else b""

    def store(self, fingerprint: str, files: Mapping[ModelFile, Path]) -> Steps[None]:
        """Store the files of a model; see `core.model_files.ModelFileStore`."""
        if not self._has_tables() or not self._database.value(TRY_STORING):
            return
        try:
            if not self.find(fingerprint):
                yield from self._store(fingerprint, files)
        finally:
            self._database.value(END_STORING)

    def _store(self, fingerprint: str, files: Mapping[ModelFile, Path]) -> Steps[None]:
        model_id = self._database.value("SELECT id FROM model WHERE fingerprint = %(f)s", f=fingerprint)
        if model_id is None:
            return
        self._enter(model_id, files)
        total, done = sum(file.size_bytes for file in files), 0
        for file, path in files.items():
            last = self._database.value(
                "SELECT coalesce(max(number), -1) FROM model_piece WHERE model_id = %(id)s AND name = %(name)s",
                id=model_id,
                name=file.name,
            )
            done += min((last + 1) * PIECE_BYTES, file.size_bytes)
            with path.open("rb") as content:
                content.seek((last + 1) * PIECE_BYTES)
                for number, piece in enumerate(iter(lambda: content.read(PIECE_BYTES), b""), start=last + 1):
                    with self._database.write_transaction():
                        self._database.run(
                            "INSERT INTO model_piece (model_id, name, number, content)"
                            " VALUES (%(id)s, %(name)s, %(number)s, %(content)s)",
                            id=model_id,
                            name=file.name,
                            number=number,
                            content=piece,
                        )
                    done += len(piece)
                    yield Progress("sharing", done, total, "bytes")
        with self._database.write_transaction():
            self._database.run(
                "UPDATE model_file f SET is_whole = true WHERE model_id = %(id)s AND size_bytes ="
                " (SELECT coalesce(sum(octet_length(content)), 0) FROM model_piece p"
                " WHERE p.model_id = f.model_id AND p.name = f.name)",
                id=model_id,
            )

    def _enter(self, model_id: int, files: Mapping[ModelFile, Path]) -> None:
        """List the files; what an earlier session has stored of others is dropped."""
        with self._database.write_transaction():
            self._database.run(
                "DELETE FROM model_file f WHERE model_id = %(id)s AND NOT EXISTS (SELECT"
                " FROM unnest(%(names)s::text[], %(sums)s::text[]) AS n (name, sum)"
                " WHERE n.name = f.name AND n.sum = encode(f.sha256, 'hex'))",
                id=model_id,
                names=[file.name for file in files],
                sums=[file.sha256 for file in files],
            )
            for file in files:
                self._database.run(
                    "INSERT INTO model_file (model_id, name, size_bytes, sha256)"
                    " VALUES (%(id)s, %(name)s, %(size)s, decode(%(sum)s, 'hex')) ON CONFLICT DO NOTHING",
                    id=model_id,
                    name=file.name,
                    size=file.size_bytes,
                    sum=file.sha256,
                )
