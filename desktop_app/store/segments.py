"""Keeps the index in memory in step with the database, and the segments on the disk in step with both."""

from __future__ import annotations

import hashlib
import logging
import secrets
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import delete, func, insert, select, update

from desktop_app.core.jobs import WAITING
from desktop_app.store.counters import add_to, counter
from desktop_app.store.schema import AnyRow, EmbeddingRow, ModelRow, SegmentRow
from desktop_app.store.segment_builder import Build, BuildRequest, Built, checksum_of
from desktop_app.store.vector_index import Graph, Rows, VectorIndex

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from desktop_app.core.jobs import Steps
    from desktop_app.store.database import Database

_log = logging.getLogger(__name__)

_HASH_BYTES = 8_000_000
_ATTEMPTS = 2
"""How often a build may fail before this session leaves its rows to exact search."""


class Segments:
    """The index of the library's current model.

    A segment whose file is missing, changed or of no use is served exactly, from its vectors in the database, until
    `rebuild` has made it anew.
    """

    def __init__(self, database: Database, folder: Path, tail_rows: int) -> None:
        self._database = database
        self.folder = folder
        self.tail_rows = tail_rows
        self._index: VectorIndex | None = None
        self._model_id: int | None = None
        self._epoch = -1
        self._tail_mark = 0
        self._seen: int | None = None
        self._bad: set[int] = set()
        self._ready: dict[str, Graph] = {}
        self._build: Build | None = None
        self._failures = 0
        self._erasures = 0

    # In step with the database

    def index(self, connection: Connection) -> VectorIndex | None:
        """Return the index as of the transaction of `connection`; None while the library has no model."""
        if self._index is None or not self._database.writable:
            self._refresh(connection)
        return self._index

    @property
    def is_loaded(self) -> bool:
        """Whether the index is in memory."""
        return self._index is not None

    def _refresh(self, connection: Connection) -> None:
        """Take over what another process has committed since the last time."""
        version = self._database.data_version()
        if version == self._seen and self._index is not None:
            return
        model = connection.execute(select(ModelRow.id, ModelRow.dim).where(ModelRow.current)).one_or_none()
        if model is None:
            self._index = None
            return
        if self._index is None or model.id != self._model_id:
            self._index, self._model_id = VectorIndex(model.dim), model.id
            self._epoch, self._tail_mark = -1, 0
        epoch = counter(connection, "segments")
        if epoch != self._epoch:
            self._take_segments(connection, self._index)
            self._epoch = epoch
        self._tail_mark = self._read_rows(connection, self._index.tail, self._tail_mark + 1, None)
        self._seen = version

    def _take_segments(self, connection: Connection, index: VectorIndex) -> None:
        rows = self._rows(connection)
        for gone in set(index.segments) - {row.id for row in rows}:
            del index.segments[gone]
            self._bad.discard(gone)
        for row in rows:
            if row.id not in index.segments:
                self._load(connection, index, row)
        sealed = max((row.last_id for row in rows), default=0)
        index.tail.keep(index.tail.marks > sealed)
        self._tail_mark = max(self._tail_mark, sealed)

    def _rows(self, connection: Connection, model_id: int | None = None) -> Sequence[AnyRow]:
        return connection.execute(
            select(
                SegmentRow.id,
                SegmentRow.first_id,
                SegmentRow.last_id,
                SegmentRow.file,
                SegmentRow.checksum,
                SegmentRow.rows,
                SegmentRow.dead,
            )
            .where(SegmentRow.model_id == (model_id or self._model_id))
            .order_by(SegmentRow.first_id)
        ).all()

    def _load(self, connection: Connection, index: VectorIndex, row: AnyRow) -> None:
        file = self.folder / row.file
        try:
            graph = self._ready.pop(row.checksum, None)
            if graph is None:
                if checksum_of(file) != row.checksum:
                    raise ValueError("its checksum is another")
                graph = Graph.load(file, index.dim, row.rows)
            index.segments[row.id] = graph
        except (OSError, ValueError, RuntimeError) as error:
            # Somebody's file, half a file, or none: never handed on; the vectors are in the database.
            _log.warning("segment %d (%s) is served without its graph: %s", row.id, row.file, error)
            exact = Rows(index.dim)
            self._read_rows(connection, exact, row.first_id, row.last_id)
            index.segments[row.id] = exact
            self._bad.add(row.id)

    def _read_rows(self, connection: Connection, into: Rows, first_id: int, last_id: int | None) -> int:
        """Append the vectors of a range of embeddings; return the last id looked at."""
        query = (
            select(EmbeddingRow.id, EmbeddingRow.sentence_id, EmbeddingRow.vector)
            .where(EmbeddingRow.model_id == self._model_id, EmbeddingRow.id >= first_id)
            .where(func.length(EmbeddingRow.vector) == into.dim * 4)
            .order_by(EmbeddingRow.id)
        )
        if last_id is not None:
            query = query.where(EmbeddingRow.id <= last_id)
        mark = first_id - 1
        for rows in connection.execute(query).partitions(4096):
            vectors = np.frombuffer(b"".join(row.vector for row in rows), "<f4").reshape(len(rows), into.dim)
            marks = np.fromiter((row.id for row in rows), np.int64, len(rows))
            into.append(marks, np.fromiter((row.sentence_id for row in rows), np.int64, len(rows)), vectors)
            mark = rows[-1].id
        return mark

    def add(self, marks: NDArray[np.int64], ids: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        """Take in rows that were just committed."""
        if self._index is not None and len(ids):
            self._index.tail.append(marks, ids, vectors)
            self._tail_mark = int(marks[-1])

    def forget(self) -> None:
        """Read everything anew at the next use."""
        self._index, self._seen, self._bad, self._failures = None, None, set(), 0

    def searchable(self, connection: Connection) -> int:
        """Return how many vectors a search reaches, without reading any of them."""
        if self._index is not None:
            self.index(connection)
            dead: int = sum(row.dead for row in self._rows(connection) if row.id not in self._bad)
            return len(self._index) - dead
        return counter(connection, "vectors")

    # Erasing

    def erased(self, connection: Connection, marks: Sequence[int], model_ids: Sequence[int]) -> None:
        """Note, in the transaction that erases them, that embeddings with these ids go."""
        self._erasures += 1
        rows = connection.execute(
            select(SegmentRow.id, SegmentRow.model_id, SegmentRow.first_id, SegmentRow.last_id)
        ).all()
        for row in rows:
            dead = sum(
                row.first_id <= mark <= row.last_id and row.model_id == model
                for mark, model in zip(marks, model_ids, strict=True)
            )
            if dead:
                connection.execute(
                    update(SegmentRow).where(SegmentRow.id == row.id).values(dead=SegmentRow.dead + dead)
                )

    def forget_rows(self, sentence_ids: Sequence[int]) -> None:
        """Drop erased rows from memory; graphs keep theirs until they are rebuilt."""
        if self._index is not None:
            gone = np.asarray(sentence_ids, np.int64)
            tail = self._index.tail
            tail.keep(~np.isin(tail.ids, gone))
            for segment_id in self._bad:
                part = self._index.segments[segment_id]
                assert isinstance(part, Rows), "a bad segment is served exactly"
                part.keep(~np.isin(part.ids, gone))

    # Sealing and rebuilding

    def preload(self) -> Steps[None]:
        """Bring the index into memory, a piece of a file at a time."""
        if self._index is not None:
            return
        with self._database.reading() as connection:
            model = connection.execute(select(ModelRow.id, ModelRow.dim).where(ModelRow.current)).one_or_none()
            if model is None:
                return
            rows = self._rows(connection, model.id)
        for row in rows:
            file = self.folder / row.file
            try:
                if (yield from _checksum_steps(file)) == row.checksum and self._index is None:
                    self._ready[row.checksum] = Graph.load(file, model.dim, row.rows)
            except (OSError, ValueError, RuntimeError):
                continue  # whoever needs it will say so
            yield None
        with self._database.reading() as connection:
            self.index(connection)
        self._ready.clear()
        yield None

    def seal(self) -> Steps[None]:
        """Build segments from the tail while it has rows enough for one."""
        while (span := self._due_tail()) is not None and self._failures < _ATTEMPTS:
            yield from self._make(*span, replaces=())

    def _due_tail(self) -> tuple[int, int] | None:
        tail = None if self._index is None else self._index.tail
        if tail is None or len(tail) < self.tail_rows:
            return None
        return int(tail.marks[0]), int(tail.marks[self.tail_rows - 1])

    def rebuild(self) -> Steps[None]:
        """Build anew the segments whose file is bad and those that hold erased vectors."""
        while (due := self._due_segments()) is not None and self._failures < _ATTEMPTS:
            yield from self._make(*due)

    def _due_segments(self) -> tuple[int, int, tuple[int, ...]] | None:
        """Return the range and ids of segments to make one new one of; None when all are well.

        A segment that has to be rebuilt takes its neighbours with it as long as all fit into one: else every
        removal would leave the library with more and thinner segments.
        """
        with self._database.reading() as connection:
            if self.index(connection) is None:
                return None
            rows = self._rows(connection)
        at = next((i for i, row in enumerate(rows) if row.dead or row.id in self._bad), None)
        if at is None:
            return None
        first = last = at
        live = rows[at].rows - rows[at].dead
        while last + 1 < len(rows) and live + rows[last + 1].rows - rows[last + 1].dead <= self.tail_rows:
            last += 1
            live += rows[last].rows - rows[last].dead
        while first > 0 and live + rows[first - 1].rows - rows[first - 1].dead <= self.tail_rows:
            first -= 1
            live += rows[first].rows - rows[first].dead
        return rows[first].first_id, rows[last].last_id, tuple(row.id for row in rows[first : last + 1])

    def _make(self, first_id: int, last_id: int, replaces: tuple[int, ...]) -> Steps[None]:
        """Build the graph of a range in a child process and make it current in one transaction.

        A build that somebody else began is ended: two at once would be about the same rows.
        """
        index, model_id = self._index, self._model_id
        assert index is not None, "the index is loaded before it is built"
        assert model_id is not None, "an index has a model"
        self.stop()
        erasures = self._erasures
        file = self.folder / f"{secrets.token_hex(8)}.hnsw"
        request = BuildRequest(self._database.file, model_id, index.dim, first_id, last_id, file)
        build = self._build = Build(request)
        try:
            while (result := build.poll()) is None:
                yield WAITING
                if self._build is not build:
                    file.unlink(missing_ok=True)
                    return  # overtaken; what is due is looked up anew
        except BaseException:
            file.unlink(missing_ok=True)
            raise
        finally:
            build.close()
            if self._build is build:
                self._build = None
        if isinstance(result, str):
            self._failures += 1
            _log.warning("a segment could not be built: %s", result)
            file.unlink(missing_ok=True)
        elif self._erasures != erasures or not self._take(result, request, replaces):
            file.unlink(missing_ok=True)  # it may hold what was erased meanwhile
        yield None

    def _take(self, built: Built, request: BuildRequest, replaces: tuple[int, ...]) -> bool:
        """Make a built graph current; False when it cannot be read."""
        index = self._index
        assert index is not None, "nothing unloads the index while it is built"
        graph = None
        if built.rows:
            try:
                graph = Graph.load(request.file, index.dim, built.rows)
            except (OSError, ValueError, RuntimeError) as error:
                self._failures += 1
                _log.warning("a new segment cannot be read: %s", error)
                return False
        with self._database.writing() as connection:
            old = connection.execute(select(SegmentRow.file).where(SegmentRow.id.in_(replaces))).scalars().all()
            connection.execute(delete(SegmentRow).where(SegmentRow.id.in_(replaces)))
            segment_id = 0
            if graph is not None:
                values = {
                    "model_id": request.model_id,
                    "first_id": request.first_id,
                    "last_id": request.last_id,
                    "file": request.file.name,
                    "checksum": built.checksum,
                    "rows": built.rows,
                    "dead": 0,
                }
                segment_id = int(
                    connection.execute(insert(SegmentRow).values(values).returning(SegmentRow.id)).scalar_one()
                )
            add_to(connection, segments=1)
            self._epoch = counter(connection, "segments")
        for replaced in replaces:
            index.segments.pop(replaced, None)
            self._bad.discard(replaced)
        if graph is not None:
            index.segments[segment_id] = graph
        if not replaces:
            index.tail.keep(index.tail.marks > request.last_id)
        for name in old:
            self._unlink(name)
        return True

    def stop(self) -> None:
        """End a build that is under way."""
        if self._build is not None:
            self._build.close()
            self._build = None

    # Files

    def _unlink(self, name: str) -> None:
        try:
            (self.folder / name).unlink(missing_ok=True)
        except OSError as error:  # Windows: somebody reads it; the next start deletes it
            _log.warning("the old segment %s stays for now: %s", name, error)

    def orphans(self, connection: Connection) -> list[Path]:
        """Return files in the segments' folder that are of no segment."""
        names = set(connection.execute(select(SegmentRow.file)).scalars())
        if self._build is not None:
            names.add(self._build.request.file.name)
            names.add(self._build.request.file.with_suffix(".building").name)
        if not self.folder.is_dir():
            return []
        return sorted(file for file in self.folder.iterdir() if file.name not in names)

    def delete_orphans(self) -> None:
        """Delete files that a process left when it was killed."""
        with self._database.reading() as connection:
            orphans = self.orphans(connection)
        for file in orphans:
            self._unlink(file.name)

    def bad_files(self, connection: Connection) -> list[str]:
        """Return the names of segment files that are missing or changed."""
        bad = []
        for row in connection.execute(select(SegmentRow.file, SegmentRow.checksum)):
            try:
                right = checksum_of(self.folder / row.file) == row.checksum
            except OSError:
                right = False
            if not right:
                bad.append(row.file)
        return bad

    def wait(self, seconds: float) -> None:
        """Rest until the build under way has something to say, at most `seconds`."""
        if self._build is not None:
            self._build.rest(seconds)


def _checksum_steps(file: Path) -> Generator[None, None, str]:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while piece := stream.read(_HASH_BYTES):
            digest.update(piece)
            yield None
    return digest.hexdigest()
