"""Keeps the index in memory and the segment files on disk in step with the database."""

from __future__ import annotations

import hashlib
import logging
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from sqlalchemy import delete, func, insert, or_, select, update

from desktop_app.core.helper_thread import HelperThread
from desktop_app.store.counters import increment_counters, mark_erased_traces, read_counter
from desktop_app.store.database import fetch_plain_rows
from desktop_app.store.graph_file import release_spare_memory
from desktop_app.store.half_vectors import lengths_in_bytes, read_vectors
from desktop_app.store.index_segment_builder import file_checksum
from desktop_app.store.projection import Projection
from desktop_app.store.schema import EmbeddingRow, ModelRow, SegmentRow
from desktop_app.store.sentences import read_sentence_vectors
from desktop_app.store.vector_index import EF_SEARCH, ExactRows, HnswGraph, VectorIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from desktop_app.core.jobs import Steps
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.store.database import Database
    from desktop_app.store.index_segment_builder import BuildRequest, BuiltSegment

T = TypeVar("T")

_log = logging.getLogger(__name__)

_HASH_BYTES = 1_000_000
_STEP_ROWS = 2048
_QUICK_SEARCHES = 2  # after that many searches row by row, graphs are read into memory for more of them
_SPOILT = {"checksum": "", "stamp": 0}  # of a segment whose file is bad, whatever it contains
_VECTORS = "SELECT count(*) FROM embedding"
_DEAD = "SELECT id, dead FROM segment WHERE model_id = ? AND dead > 0"  # plain SQL, because every search runs it


class Segments:
    """The index of the library's current model.

    A segment whose file is missing, changed or unusable is searched exactly, from its vectors in the database, until
    `SegmentSealer.rebuild` has built it again. Files are verified by their checksums, which takes seconds for a large
    library. A file that nobody has written since it was last verified answers before that, row by row; then its graph
    is loaded if all its links lead to rows, and verified afterwards.

    Attributes:
        files: the segment files.
        bad: segments that are searched exactly.
        erasures: how often vectors were erased since this library was opened.
    """

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self.files = SegmentFiles(database, folder)
        self._index: VectorIndex | None = None
        self._model_id: int | None = None
        self._epoch = -1
        self._tail_mark = 0
        self._seen: int | None = None
        self.bad: set[int] = set()
        self._ready: dict[str, HnswGraph] = {}
        self._ready_tail: ExactRows | None = None
        self._ready_for: int | None = None
        self._ready_exact: dict[int, ExactRows] = {}  # by segment
        self._ready_checksums: dict[int, tuple[int, str]] = {}  # of files and when they were written, by segment
        self._retired: list[HnswGraph] = []
        self.erasures = 0
        self._projections: dict[int, Projection] = {}  # by model
        self._is_kept = not database.writable
        self._is_preloaded = False
        self._searches = 0
        self._new_stamps: dict[int, int] = {}  # of files that were verified, by segment
        # The thread starts with the first search.
        self._search_thread = HelperThread("nearest")

    def close(self) -> None:
        """End the search thread."""
        self._search_thread.shutdown()

    # In step with the database

    def index(self, connection: Connection) -> VectorIndex | None:
        """Return the index as of the transaction of `connection`; None while the library has no model."""
        if self._index is None or not self._database.writable:
            self._refresh(connection)
        return self._index

    def searched_index(self, connection: Connection) -> VectorIndex | None:
        """Return the index for a search; where nothing else reads graphs into memory, searches do, one each."""
        index = self.index(connection)
        self._searches += 1
        if index is not None and self._searches > _QUICK_SEARCHES and not self._is_preloaded:
            for segment_id, graph in list(index.segments.items()):
                if isinstance(graph, HnswGraph) and not graph.is_verified:
                    for _ in self._verify(index, segment_id, graph):
                        pass
                    break
        return index

    def ask(self, connection: Connection, index: VectorIndex, question: Callable[[], T]) -> T:
        """Return the answer to a question that asks the index.

        A segment whose file has been damaged or deleted meanwhile is served from the database from then on.
        """
        while True:
            try:
                return question()
            except (OSError, ValueError):
                if not self._replace_failed(connection, index):
                    raise

    def _replace_failed(self, connection: Connection, index: VectorIndex) -> bool:
        is_replaced = False
        for row in self.rows(connection):
            graph = index.segments.get(row.id)
            if isinstance(graph, HnswGraph) and graph.failure is not None:
                self._serve_exactly(connection, index, row, graph.failure)
                is_replaced = True
        return is_replaced

    def verified_index(self, connection: Connection) -> VectorIndex | None:
        """Return the index as of the transaction of `connection`, if it is open and all its files are verified."""
        index = self.index(connection) if self._index is not None else None
        graphs = index.segments.values() if index is not None else ()
        return index if all(graph.is_verified for graph in graphs if isinstance(graph, HnswGraph)) else None

    def sentence_ids(self, connection: Connection) -> NDArray[np.int64] | None:
        """Return the ids of all sentences with a vector of the library's model, ascending: int64 [n].

        None if the index is not in memory, or does not say it: the library has vectors of another model too, or graphs
        have erased ones.
        """
        index = self.index(connection) if self._index is not None else None
        if index is None or fetch_plain_rows(connection, _DEAD, (self._model_id,)):
            return None
        try:
            ids = np.concatenate([np.empty(0, np.int64), *(part.ids for part in index.parts())])
        except (OSError, ValueError) as error:  # the file of a graph that is not in memory is gone
            _log.info("the ids of sentences are read from the database: %s", error)
            return None
        if len(ids) != fetch_plain_rows(connection, _VECTORS)[0][0]:
            return None
        ids.sort(kind="stable")  # of parts that ascend: otherwise 50 times as long, with `np.unique` more
        return ids if (ids[1:] > ids[:-1]).all() else None

    @property
    def loaded_index(self) -> VectorIndex | None:
        """The index if it is in memory, as of its last use."""
        return self._index

    @property
    def model_and_dim(self) -> tuple[int, int]:
        """The model id and vector length of the index, which must be in memory."""
        assert self._index is not None, "the index is loaded before it is built"
        assert self._model_id is not None, "an index has a model"
        return self._model_id, self._index.dim

    def has_model(self, model_id: int) -> bool:
        """Whether the index in memory is that of a model: the library may have switched to another."""
        return self._index is not None and self._model_id == model_id

    @property
    def stay_in_memory(self) -> bool:
        """Whether to load graphs into memory before the first search.

        An import from the command line never searches, and saves 1.2 KB a sentence.
        """
        return self._is_kept or (self._index is not None and self._index.is_searched)

    def is_verified(self, segment_id: int) -> bool:
        """Whether the index has the graph of a segment, and its file was found to be right."""
        part = self._index.segments.get(segment_id) if self._index is not None else None
        return isinstance(part, HnswGraph) and part.is_verified

    def is_legacy(self, segment_id: int) -> bool:
        """Whether the index has the verified graph of a segment, from a file in the format of an earlier version."""
        part = self._index.segments.get(segment_id) if self._index is not None else None
        return isinstance(part, HnswGraph) and part.is_verified and part.is_legacy

    def keep_in_memory(self) -> None:
        """Keep graphs in memory from now on; `preload` loads those that are missing."""
        self._is_kept = self._is_preloaded = True

    def _open_graph(self, file: Path, model_id: int, dim: int, rows: int, *, is_verified: bool) -> HnswGraph:
        projection = self._projections.get(model_id)
        if projection is None or projection.dim != dim:  # the id of a model that was given up is used again
            projection = self._projections[model_id] = Projection(dim)
        return HnswGraph(
            file,
            dim,
            rows,
            is_verified=is_verified,
            is_held=not self._database.writable,
            projection=projection,
            read_stored=lambda ids: self._read_stored(ids, model_id, dim),
        )

    def _read_stored(self, ids: NDArray[np.int64], model_id: int, dim: int) -> NDArray[np.float32]:
        """Return the vectors of sentences from the database, float32 [n, dim]; zeros for erased ones.

        Raises:
            OSError: the library does not keep the model's vectors.
        """
        kept = select(ModelRow.id).where(ModelRow.id == model_id, or_(ModelRow.current, ModelRow.switching != ""))
        with self._database.read_transaction() as connection:
            if connection.execute(kept).first() is None:
                raise OSError("the file of a graph is gone, and its vectors too")
            found = read_sentence_vectors(connection, ids.tolist(), model_id)
        nothing = np.zeros(dim, np.float32)
        return np.stack([found.get(each, nothing) for each in ids.tolist()])

    def _load_next_graph(self, checksum: str, file: Path, model_id: int, dim: int, rows: int) -> Steps[None]:
        """Load a verified graph of the next model."""
        graph = self._open_graph(file, model_id, dim, rows, is_verified=True)
        if self.stay_in_memory:
            yield from graph.load_steps(more_follow=True, makes_room=True)
        self._ready[checksum] = graph
        yield None

    def _refresh(self, connection: Connection) -> None:
        """Take over what another process committed since the last refresh."""
        version = self._database.data_version()
        if version == self._seen and self._index is not None:
            return
        model = connection.execute(select(ModelRow.id, ModelRow.dim).where(ModelRow.current)).one_or_none()
        if model is None:
            self._index = None
            return
        if self._index is None or model.id != self._model_id:
            self._index, self._model_id = VectorIndex(model.dim, self._search_thread), model.id
            self._epoch, self._tail_mark = -1, 0
            if self._ready_tail is not None and len(self._ready_tail) and self._ready_for == model.id:
                self._index.tail, self._ready_tail = self._ready_tail, None
                self._tail_mark = int(self._index.tail.marks[-1])
        epoch = read_counter(connection, "segments")
        if epoch != self._epoch:
            self._take_segments(connection, self._index)
            self._epoch = epoch
        self._tail_mark = self._read_rows(connection, self._index.tail, self._tail_mark + 1, None)
        self._seen = version

    def _take_segments(self, connection: Connection, index: VectorIndex) -> None:
        rows = self.rows(connection)
        index.ef = read_counter(connection, "ef_search") or EF_SEARCH
        for gone in set(index.segments) - {row.id for row in rows}:
            del index.segments[gone]
            self.bad.discard(gone)
        for row in rows:
            if row.id not in index.segments:
                self._load(connection, index, row)
        sealed = max((row.last_id for row in rows), default=0)
        index.tail.keep(index.tail.marks > sealed)
        self._tail_mark = max(self._tail_mark, sealed)

    def rows(self, connection: Connection, model_id: int | None = None) -> Sequence[AnyRow]:
        """Return the segments of a model (by default the index's own) in the order of their embeddings."""
        return connection.execute(
            select(
                SegmentRow.id,
                SegmentRow.first_id,
                SegmentRow.last_id,
                SegmentRow.file,
                SegmentRow.checksum,
                SegmentRow.rows,
                SegmentRow.dead,
                SegmentRow.stamp,
                SegmentRow.zeroed,
            )
            .where(SegmentRow.model_id == (model_id or self._model_id))
            .order_by(SegmentRow.first_id)
        ).all()

    def _load(self, connection: Connection, index: VectorIndex, row: AnyRow) -> None:
        file = self.files.folder / row.file
        try:
            graph = self._ready.pop(row.checksum, None)
            if graph is None:
                assert self._model_id is not None, "an index has a model"
                stamp = _stamp_of(file)
                if stamp != row.stamp:
                    known_stamp, checksum = self._ready_checksums.get(row.id, (0, ""))
                    if (checksum if known_stamp == stamp else file_checksum(file)) != row.checksum:
                        raise ValueError("its checksum is another")
                    self._new_stamps[row.id] = stamp
                is_verified = stamp != row.stamp
                graph = self._open_graph(file, self._model_id, index.dim, row.rows, is_verified=is_verified)
            index.segments[row.id] = graph
        except (OSError, ValueError, RuntimeError) as error:
            self._serve_exactly(connection, index, row, error)

    def _serve_exactly(self, connection: Connection, index: VectorIndex, row: AnyRow, why: Exception) -> None:
        """Serve a segment from the database, once its file is known to be wrong, truncated or missing."""
        _log.warning("segment %d (%s) is served without its graph: %s", row.id, row.file, why)
        exact = self._ready_exact.pop(row.id, None)
        if exact is None:
            exact = ExactRows(index.dim)
            self._read_rows(connection, exact, row.first_id, row.last_id)
        index.segments[row.id] = exact
        self.bad.add(row.id)

    def _verify(self, index: VectorIndex, segment_id: int, graph: HnswGraph) -> Steps[None]:
        """Compare the checksum of a graph's file, a piece at a time; a wrong one is served from the database."""
        with self._database.read_transaction() as connection:
            row = next((row for row in self.rows(connection) if row.id == segment_id), None)
        if row is None:
            return
        try:
            checksum = yield from _hash_in_steps(graph.path)
            failure: Exception | None = None if checksum == row.checksum else ValueError("its checksum is another")
        except (OSError, ValueError) as error:
            failure = error
        if index is not self._index or index.segments.get(segment_id) is not graph:
            return
        if failure is None:
            graph.note_verified()
            return
        assert self._model_id is not None, "an index has a model"
        yield from self._preload_exactly(
            row, self._model_id, index.dim, lambda: index is self._index and index.segments.get(segment_id) is graph
        )
        if index is not self._index or index.segments.get(segment_id) is not graph:
            return
        with self._database.read_transaction() as connection:
            self._serve_exactly(connection, index, row, failure)

    def _read_rows(
        self,
        connection: Connection,
        into: ExactRows,
        first_id: int,
        last_id: int | None,
        *,
        limit: int | None = None,
        model_id: int | None = None,
    ) -> int:
        """Append the vectors of a range of embeddings; returns the last embedding id read."""
        own = EmbeddingRow.model_id == (model_id or self._model_id)
        query = (
            select(EmbeddingRow.id, EmbeddingRow.sentence_id, EmbeddingRow.vector)
            .where(own, EmbeddingRow.id >= first_id)
            .where(func.length(EmbeddingRow.vector).in_(lengths_in_bytes(into.dim)))
            .order_by(EmbeddingRow.id)
            .limit(limit)
        )
        if last_id is not None:
            query = query.where(EmbeddingRow.id <= last_id)
        mark = first_id - 1
        for rows in connection.execute(query).partitions(4096):
            vectors = read_vectors([row.vector for row in rows], into.dim)
            marks = np.fromiter((row.id for row in rows), np.int64, len(rows))
            into.append(marks, np.fromiter((row.sentence_id for row in rows), np.int64, len(rows)), vectors)
            mark = rows[-1].id
        return mark

    def add(self, marks: NDArray[np.int64], ids: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        """Add rows that were just committed."""
        if self._index is not None and len(ids):
            self._index.tail.append(marks, ids, vectors)
            self._tail_mark = int(marks[-1])

    def forget(self) -> None:
        """Drop the index; the next use reads it again."""
        self._ready_tail = None
        self._ready_exact.clear()
        self.release_index()

    def retire_index(self) -> None:
        """Drop the index in use, as `release_index`, but not its graphs' memory.

        To release more than a gigabyte takes longer than a search may wait: `preload` releases one graph after another.
        """
        if self._index is not None:
            self._retired += [part for part in self._index.segments.values() if isinstance(part, HnswGraph)]
        self.release_index()

    def release_index(self) -> None:
        """Drop the index in use, but keep the preloaded parts of the next one."""
        self._index, self._seen, self.bad = None, None, set()

    def searchable(self, connection: Connection) -> int:
        """Return how many vectors a search reaches, without reading any of them."""
        if self._index is not None:
            self.index(connection)
            counted = fetch_plain_rows(connection, _DEAD, (self._model_id,))
            dead: int = sum(gone for segment, gone in counted if segment not in self.bad)
            return len(self._index) - dead
        return read_counter(connection, "vectors")

    # Erasing

    def note_erased(
        self, connection: Connection, marks: Sequence[int], model_ids: Sequence[int], *, sentences_stay: bool = False
    ) -> None:
        """Record, in the transaction that erases them, that these embeddings are gone.

        If their sentences stay, they get other vectors: then no graph may contain them, even without their vectors.
        """
        self.erasures += 1
        mark_erased_traces(connection)
        rows = connection.execute(
            select(SegmentRow.id, SegmentRow.model_id, SegmentRow.first_id, SegmentRow.last_id)
        ).all()
        for row in rows:
            dead = sum(
                row.first_id <= mark <= row.last_id and row.model_id == model
                for mark, model in zip(marks, model_ids, strict=True)
            )
            if dead:
                spoilt = _SPOILT if sentences_stay else {}
                connection.execute(
                    update(SegmentRow).where(SegmentRow.id == row.id).values(dead=SegmentRow.dead + dead, **spoilt)
                )

    def recount(self, connection: Connection) -> None:
        """Mark segments for a rebuild if their graph does not match the database.

        Rows between two segments that belong to neither come into the later one.
        """
        covered: dict[int, int] = {}  # the last row of the segment before, by model
        query = select(SegmentRow).order_by(SegmentRow.model_id, SegmentRow.first_id)
        for row in connection.execute(query).all():
            first_id = covered.get(row.model_id, 0) + 1
            covered[row.model_id] = row.last_id
            stored = connection.execute(
                select(func.count())
                .select_from(EmbeddingRow)
                .where(EmbeddingRow.id.between(first_id, row.last_id), EmbeddingRow.model_id == row.model_id)
            ).scalar_one()
            if stored != row.rows - row.dead:
                values = {"first_id": first_id, "dead": max(1, row.rows - stored), **_SPOILT}
                connection.execute(update(SegmentRow).where(SegmentRow.id == row.id).values(values))

    def forget_rows(self, sentence_ids: Sequence[int]) -> None:
        """Drop erased rows from memory; graphs keep theirs until they are rebuilt."""
        self._ready_tail = None  # it may contain them
        self._ready_exact.clear()
        if self._index is not None:
            self._index.clear_vector_cache()
            gone = np.asarray(sentence_ids, np.int64)
            tail = self._index.tail
            tail.keep(~np.isin(tail.ids, gone))
            for segment_id in self.bad:
                part = self._index.segments[segment_id]
                assert isinstance(part, ExactRows), "a bad segment is served exactly"
                part.keep(~np.isin(part.ids, gone))

    # Preloading, and using built segments

    def preload(self) -> Steps[None]:
        """Load the index into memory, a piece of a file at a time.

        The previous model's graphs are released first.
        """
        while self._retired:
            self._retired.pop()  # not unloaded: another job may still read it
            yield None
        if self._index is None:
            with self._database.read_transaction() as connection:
                model = connection.execute(select(ModelRow.id, ModelRow.dim).where(ModelRow.current)).one_or_none()
                if model is None:
                    return
                self._model_id = model.id
            yield from self._preload_rows(model.id, model.dim, lambda: self._index is None)
            yield from self._preload_segments(model.id, model.dim, lambda: self._index is None)
            self.use_preloaded_index()
            yield None
        if self._index is not None:
            yield from self._preload_graphs(self._index)
        self._store_stamps()

    def _preload_graphs(self, index: VectorIndex) -> Steps[None]:
        """Load graphs, then verify their files: until a graph is in memory, searches compare its rows one by one."""
        graphs = [(key, part) for key, part in index.segments.items() if isinstance(part, HnswGraph)]
        try:
            for _, graph in graphs:
                try:
                    if self.stay_in_memory and graph.can_be_loaded:
                        yield from graph.load_steps(more_follow=True)
                        yield None
                    graph.read_ids()
                except (OSError, ValueError, RuntimeError) as error:
                    _log.warning("a graph cannot be read: %s", error)  # searches compare its rows, or say what is wrong
                yield None
        finally:
            release_spare_memory()
        for segment_id, graph in graphs:
            if not graph.is_verified:
                yield from self._verify(index, segment_id, graph)

    def _store_stamps(self) -> None:
        """Record when the verified files were written: they need not be read before the next start's first search."""
        if self._new_stamps and self._database.writable:
            with self._database.write_transaction(is_aside=True) as connection:
                for segment_id, stamp in self._new_stamps.items():
                    connection.execute(update(SegmentRow).where(SegmentRow.id == segment_id).values(stamp=stamp))
        self._new_stamps.clear()

    def preload_next_model(self, model_id: int, dim: int) -> Steps[None]:
        """Load the index of another model next to the one in use; `use_preloaded_index` puts it to use."""
        yield from self.preload()
        with self._database.read_transaction() as connection:
            rows = self.rows(connection, model_id)
        try:
            for row in rows:
                file = self.files.folder / row.file
                try:
                    if (yield from _hash_in_steps(file)) == row.checksum:
                        yield from self._load_next_graph(row.checksum, file, model_id, dim, row.rows)
                except (OSError, ValueError, RuntimeError):
                    continue  # the code that needs the file reports the problem
        finally:
            release_spare_memory()
        yield from self._preload_rows(model_id, dim, lambda: True)

    def use_preloaded_index(self) -> None:
        """Use the preloaded index of the library's model, and drop the rest."""
        with self._database.read_transaction() as connection:
            self.index(connection)
        self._ready.clear()
        self._ready_exact.clear()
        self._ready_checksums.clear()
        self._ready_tail = self._ready_for = None

    def _preload_rows(self, model_id: int, dim: int, wanted: Callable[[], bool]) -> Steps[None]:
        """Read the rows after the segments; the first use of the index reads later ones."""
        with self._database.read_transaction() as connection:
            rows = self.rows(connection, model_id)
        tail = self._ready_tail = ExactRows(dim)
        self._ready_for = model_id
        mark = max((row.last_id for row in rows), default=0)
        while wanted() and self._ready_tail is tail:
            with self._database.read_transaction() as connection:
                last = self._read_rows(connection, tail, mark + 1, None, limit=_STEP_ROWS, model_id=model_id)
            if last == mark:
                return
            mark = last
            yield None

    def _preload_segments(self, model_id: int, dim: int, wanted: Callable[[], bool]) -> Steps[None]:
        """Compute the checksums of files that somebody may have written, and read the vectors of bad segments."""
        with self._database.read_transaction() as connection:
            rows = self.rows(connection, model_id)
        for row in rows:
            if not wanted():
                return
            file = self.files.folder / row.file
            try:
                stamp = _stamp_of(file)
                is_right = stamp == row.stamp
                if not is_right and row.checksum:
                    checksum = yield from _hash_in_steps(file)
                    self._ready_checksums[row.id] = stamp, checksum
                    is_right = checksum == row.checksum
            except OSError:
                is_right = False
            if not is_right:
                yield from self._preload_exactly(row, model_id, dim, wanted)

    def _preload_exactly(self, row: AnyRow, model_id: int, dim: int, wanted: Callable[[], bool]) -> Steps[None]:
        """Read the vectors of a segment, a piece at a time, unless something is erased meanwhile."""
        exact, mark, erasures = ExactRows(dim), row.first_id - 1, self.erasures
        exact.reserve(row.rows)
        while wanted() and self.erasures == erasures:
            with self._database.read_transaction() as connection:
                last = self._read_rows(connection, exact, mark + 1, row.last_id, limit=_STEP_ROWS, model_id=model_id)
            if last == mark:
                self._ready_exact[row.id] = exact
                return
            mark = last
            yield None

    def open_built(self, built: BuiltSegment, request: BuildRequest) -> HnswGraph:
        """Return a graph that was built for the index, not in memory.

        Raises:
            OSError, ValueError: it cannot be read.
        """
        return self._open_graph(request.file, request.model_id, request.dim, built.rows, is_verified=True)

    def hand_over_memory(self, segment_id: int, graph: HnswGraph) -> None:
        """Let a copy of a segment's graph use what is in memory of that: it has the same links."""
        part = self._index.segments.get(segment_id) if self._index is not None else None
        if isinstance(part, HnswGraph):
            graph.take_memory(part)

    def replace(
        self,
        graph: HnswGraph | None,
        built: BuiltSegment,
        request: BuildRequest,
        replaces: tuple[int, ...],
        *,
        zeroed: int = 0,
    ) -> None:
        """Put a built graph to use in one transaction, replacing segments or the first rows of the tail.

        Args:
            graph: from `open_built`; None if no rows are left.
            built: the graph's file.
            request: what was to be built.
            replaces: the segments that it replaces.
            zeroed: how many of its rows are erased ones that it still has, without their vectors.
        """
        index = self._index
        assert index is not None, "nothing unloads the index while it is built"
        with self._database.write_transaction(is_aside=True) as connection:
            old = connection.execute(select(SegmentRow.file).where(SegmentRow.id.in_(replaces))).scalars().all()
            connection.execute(delete(SegmentRow).where(SegmentRow.id.in_(replaces)))
            segment_id = _add_segment(connection, built, request, zeroed) if graph is not None else 0
            increment_counters(connection, segments=1)
            epoch = read_counter(connection, "segments")
        self._epoch = epoch
        for replaced in replaces:
            index.segments.pop(replaced, None)
            self.bad.discard(replaced)
        index.clear_vector_cache()
        if graph is not None:
            index.segments[segment_id] = graph
        if not replaces:
            index.tail.keep(index.tail.marks > request.last_id)
        for name in old:
            self.files.unlink(name)

    def keep_next(self, built: BuiltSegment, request: BuildRequest) -> None:
        """Store a graph that was built for a model that is not in use yet."""
        if built.rows:
            with self._database.write_transaction(is_aside=True) as connection:
                _add_segment(connection, built, request)


def _add_segment(connection: Connection, built: BuiltSegment, request: BuildRequest, zeroed: int = 0) -> int:
    values = {
        "model_id": request.model_id,
        "first_id": request.first_id,
        "last_id": request.last_id,
        "file": request.file.name,
        "checksum": built.checksum,
        "rows": built.rows,
        "dead": zeroed,
        "zeroed": zeroed,
        "stamp": _stamp_of(request.file),
    }
    made = connection.execute(insert(SegmentRow).values(values).returning(SegmentRow.id))
    return int(made.scalar_one())


def _stamp_of(file: Path) -> int:
    """Return when a file was last written: nanoseconds since 1970."""
    return file.stat().st_mtime_ns


def _hash_in_steps(file: Path) -> Generator[None, None, str]:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while piece := stream.read(_HASH_BYTES):
            digest.update(piece)
            yield None
    return digest.hexdigest()


class SegmentFiles:
    """The files in the segments' folder.

    Attributes:
        folder: the folder.
        unfinished: names of the files of the builds under way.
    """

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self.folder = folder
        self.unfinished: set[str] = set()

    def unlink(self, name: str) -> None:
        """Delete a segment's file."""
        try:
            (self.folder / name).unlink(missing_ok=True)
        except OSError as error:  # Windows: another process reads it; the next start deletes it
            _log.warning("the old segment %s stays for now: %s", name, error)

    def orphans(self, connection: Connection) -> list[Path]:
        """Return files in the segments' folder that belong neither to a segment nor to a build under way."""
        names = set(connection.execute(select(SegmentRow.file)).scalars()) | self.unfinished
        if not self.folder.is_dir():
            return []
        return sorted(file for file in self.folder.iterdir() if file.name not in names)

    def delete_orphans(self) -> None:
        """Delete files left by a killed process."""
        with self._database.read_transaction() as connection:
            orphans = self.orphans(connection)
        for file in orphans:
            self.unlink(file.name)

    def find_bad(self) -> Steps[list[str]]:
        """Return the names of segment files that are missing or changed, reading a piece of a file at a time.

        Files of segments that are already marked for a rebuild do not count.
        """
        query = select(SegmentRow.file, SegmentRow.checksum)
        with self._database.read_transaction() as connection:
            rows = connection.execute(query).all()
        bad = []
        for row in rows:
            if not row.checksum:  # it is known to be due for a rebuild, as in a library that was just restored
                continue
            try:
                is_right = (yield from _hash_in_steps(self.folder / row.file)) == row.checksum
            except OSError:
                is_right = False
            if not is_right:
                bad.append(row.file)
        if not bad:
            return []
        with self._database.read_transaction() as connection:  # a file may have been replaced in the meantime
            current = set(connection.execute(query).scalars())
        return [name for name in bad if name in current]
