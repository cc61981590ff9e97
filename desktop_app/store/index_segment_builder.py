"""Builds the graph of a range of embeddings in a child process, which may be killed.

The child reads the vectors from the database itself, so that no other file contains them, writes the graph under a
temporary name, and renames it once it is flushed to disk. Where few of a graph's rows were erased, a copy of its file
without their vectors takes a hundredth of the time: the rows are still on the way to others. The same copy brings a
file of an earlier version of the program into the current format.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import sqlite3
import threading
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import hnswlib
import numpy as np

from desktop_app.core.child_process import ChildDied, ChildProcess
from desktop_app.core.file_replacement import replace_file
from desktop_app.core.private_files import open_private
from desktop_app.store.graph_file import graph_pieces
from desktop_app.store.half_vectors import lengths_in_bytes, read_vectors
from desktop_app.store.legacy_graph_file import open_graph_file
from desktop_app.store.vector_index import EF_CONSTRUCTION, M

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from multiprocessing.connection import Connection
    from pathlib import Path

    from numpy.typing import NDArray

_log = logging.getLogger(__name__)

_STEP_ROWS = 2048
TEMPORARY_SUFFIX = ".building"
_MOMENT_S = 0.002
_IDS = "SELECT sentence_id FROM embedding WHERE id BETWEEN ? AND ? AND model_id = ?"


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """Which embeddings to build into which file; `source` is the graph of just these, if it only has erased rows."""

    database: Path
    model_id: int
    dim: int
    first_id: int
    last_id: int
    file: Path
    source: Path | None = None
    source_rows: int = 0


@dataclass(frozen=True, slots=True)
class BuiltSegment:
    """A finished graph: its number of rows and the SHA-256 of its file. Without rows there is no file."""

    rows: int
    checksum: str


def file_checksum(file: Path) -> str:
    """Return the SHA-256 of a file, hexadecimal."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def build_segment(request: BuildRequest) -> BuiltSegment:
    """Read, build and write in this process.

    Raises:
        sqlite3.Error, OSError, RuntimeError: the build failed; a temporary file may be left.
    """
    # What was read is gone before the file is written: both together would take half as much memory again.
    index = _build_graph(*_read_rows(request))
    rows = index.element_count
    return BuiltSegment(rows, _write_file(request.file, graph_pieces(index), lambda: False) if rows else "")


def _read_rows(request: BuildRequest) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the embeddings of a range: sentence ids int64 [n], vectors float32 [n, dim]."""
    uri = f"{request.database.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        rows = connection.execute(
            "SELECT sentence_id, vector FROM embedding"
            " WHERE id BETWEEN ? AND ? AND model_id = ? AND length(vector) IN (?, ?) ORDER BY id",
            (request.first_id, request.last_id, request.model_id, *lengths_in_bytes(request.dim)),
        ).fetchall()
    ids = np.fromiter((row[0] for row in rows), np.int64, len(rows))
    return ids, read_vectors([row[1] for row in rows], request.dim)


def _build_graph(ids: NDArray[np.int64], vectors: NDArray[np.float32]) -> hnswlib.Index:
    index = hnswlib.Index(space="ip", dim=vectors.shape[1])
    index.init_index(max_elements=len(ids), M=M, ef_construction=EF_CONSTRUCTION, random_seed=100)
    # One thread: the same rows give the same graph, and the encoder keeps the other cores.
    for at in range(0, len(ids), _STEP_ROWS):
        index.add_items(vectors[at : at + _STEP_ROWS], ids[at : at + _STEP_ROWS], num_threads=1)
    return index


def copy_without_erased(request: BuildRequest, is_abandoned: Callable[[], bool]) -> BuiltSegment:
    """Copy the graph `request.source` with zeros in place of the vectors that the database no longer has.

    Raises:
        sqlite3.Error, OSError, ValueError: it failed, or was abandoned; a temporary file may be left.
    """
    assert request.source is not None, "there is a graph to copy"
    uri = f"{request.database.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        rows = connection.execute(_IDS, (request.first_id, request.last_id, request.model_id)).fetchall()
    kept = np.sort(np.fromiter((row[0] for row in rows), np.int64, len(rows)))
    source = open_graph_file(request.source, request.dim, request.source_rows)
    checksum = _write_file(request.file, source.pieces_with(kept), is_abandoned)
    return BuiltSegment(request.source_rows, checksum)


def _write_file(file: Path, pieces: Iterable[memoryview], is_abandoned: Callable[[], bool]) -> str:
    """Write a file under a temporary name, flush it to disk, and give it its own name; returns its checksum."""
    temporary, digest = file.with_suffix(TEMPORARY_SUFFIX), hashlib.sha256()
    with open_private(temporary) as stream:
        for piece in pieces:
            if is_abandoned():
                raise OSError(errno.ECANCELED, os.strerror(errno.ECANCELED), str(temporary))
            stream.write(piece)
            digest.update(piece)
        stream.flush()
        os.fsync(stream.fileno())
    replace_file(temporary, file)
    _sync_folder(file.parent)
    return digest.hexdigest()


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # Windows has no such call, and NTFS journals names itself
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _delete_unfinished(file: Path) -> None:
    try:
        file.with_suffix(TEMPORARY_SUFFIX).unlink(missing_ok=True)
    except OSError as error:  # Windows: another process reads it; the next start deletes it
        _log.warning("an unfinished segment stays for now: %s", error)


def _run_child(answer: Connection, request: BuildRequest) -> None:
    try:
        answer.send(build_segment(request))
    except (sqlite3.Error, OSError, RuntimeError, ValueError, MemoryError) as error:
        answer.send(f"{type(error).__name__}: {error}")


class SegmentBuild:
    """A build under way in a spawned process; only `close` waits, for a killed process to end."""

    def __init__(self, request: BuildRequest) -> None:
        self.request = request
        # Low priority gives it a third of a core's weight: it lets those go first who wait for something, and an import
        # does not outrun it.
        self._child = ChildProcess(_run_child, (request,), name="kindred-segment", low_priority=True)
        self._is_closed = False

    def rest(self, seconds: float) -> None:
        """Wait until there is something to `poll`, at most `seconds`."""
        self._child.wait(seconds)

    def poll(self) -> BuiltSegment | str | None:
        """Return the finished graph, or the reason it failed; None while it is not done."""
        # A short wait, so that a caller polling in a loop leaves the processor to the child.
        try:
            result: BuiltSegment | str | None = self._child.receive(_MOMENT_S)
        except ChildDied as error:
            result = f"the process ended with status {error.exit_status}"
        return result

    def close(self) -> None:
        """Kill the process and delete its unfinished file. Calling it again does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        self._child.close()
        _delete_unfinished(self.request.file)


class SegmentErasure:
    """A copy without erased rows under way, in a thread; used as a `SegmentBuild` is."""

    def __init__(self, request: BuildRequest) -> None:
        self.request = request
        self._is_closed = False
        self._result: BuiltSegment | str | None = None
        self._thread = threading.Thread(target=self._run, name="erasure")
        self._thread.start()

    def _run(self) -> None:
        try:
            self._result = copy_without_erased(self.request, lambda: self._is_closed)
        except (sqlite3.Error, OSError, ValueError, MemoryError) as error:
            self._result = f"{type(error).__name__}: {error}"

    def rest(self, seconds: float) -> None:
        """Wait until there is something to `poll`, at most `seconds`."""
        self._thread.join(seconds)

    def poll(self) -> BuiltSegment | str | None:
        """Return the finished copy, or the reason it failed; None while it is not done."""
        self.rest(_MOMENT_S)
        return self._result

    def close(self) -> None:
        """End the thread and delete its unfinished file. Calling it again does nothing."""
        self._is_closed = True
        self._thread.join()
        _delete_unfinished(self.request.file)
