"""Seals the tail of the index into segments, and rebuilds bad ones and those with many erased rows."""

from __future__ import annotations

import logging
import os
import secrets
from collections import deque
from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from sqlalchemy import select

from desktop_app.core.jobs import WAITING
from desktop_app.store.index_segment_builder import TEMPORARY_SUFFIX, BuildRequest, SegmentBuild, SegmentErasure
from desktop_app.store.schema import ModelRow, SegmentRow

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence
    from pathlib import Path

    from desktop_app.core.jobs import Step, Steps
    from desktop_app.store.database import Database
    from desktop_app.store.index_segment_builder import BuiltSegment
    from desktop_app.store.index_segments import Segments
    from desktop_app.store.schema import AnyRow

_log = logging.getLogger(__name__)

_MOST_ERASED = 0.2
"""The share of a graph's rows that may be erased before it is built anew: more of them are in the way of searches."""

_ATTEMPTS = 2
"""How often builds may fail before this session leaves the rows to exact search."""

_BUILDS_AT_ONCE = min(4, os.cpu_count() or 1)
"""Each takes a core at low priority, and some 160 MB."""


class _Ended(Enum):
    """What became of a build: its graph is in use; its rows have to be built again; or another job took over."""

    STORED = auto()
    FAILED = auto()
    TAKEN_OVER = auto()


class SegmentSealer:
    """Runs the builds of one job at a time.

    Two jobs may use it, step by step: an urgent one (a purge) cancels the other's builds; one that is not urgent gives
    up at once. The job that continues does everything that is due.
    """

    def __init__(self, database: Database, segments: Segments, tail_rows: int) -> None:
        self._database = database
        self._segments = segments
        self._tail_rows = tail_rows
        self._builds: dict[SegmentBuild | SegmentErasure, int] = {}
        """Those under way, the oldest first, and how often vectors had been erased when each began."""
        self._failures = 0

    def seal(self) -> Steps[None]:
        """Build segments from the tail while it has enough rows for one."""
        while (span := self._due_tail()) is not None:
            if not (yield from self._make(*span, replaces=(), urgent=False)):
                return

    def seal_next(self, model_id: int, dim: int, spans: Sequence[tuple[int, int]]) -> Steps[None]:
        """Build segments for a model that is not in use yet, several at once; waits for other builds to end.

        They are stored in the order of `spans`, as the rows after the last segment are the tail: none may be left out.
        If builds fail, the rest is left to exact search.
        """
        due = deque(spans)
        ahead: deque[SegmentBuild | SegmentErasure] = deque()
        try:
            while due or ahead:
                while self._builds and not ahead:
                    yield WAITING
                while due and len(ahead) < _BUILDS_AT_ONCE:
                    build = self._start(BuildRequest(self._database.file, model_id, dim, *due[0], self._new_file()))
                    if build is None:
                        return
                    ahead.append(build)
                    due.popleft()
                build = ahead.popleft()
                ended = yield from self._finish(build, self._store_next, "its sentences are compared one by one")
                if ended is _Ended.TAKEN_OVER:
                    return
                if ended is _Ended.FAILED:  # the later ones may contain erased rows too, and must not be stored first
                    again = [(each.request.first_id, each.request.last_id) for each in (build, *ahead)]
                    due.extendleft(reversed(again))
                    self._discard(ahead)
                    ahead.clear()
        finally:
            self._discard(ahead)

    @property
    def tail_rows(self) -> int:
        """How many vectors make a segment."""
        return self._tail_rows

    def _due_tail(self) -> tuple[int, int] | None:
        index = self._segments.loaded_index
        if index is None or len(index.tail) < self._tail_rows:
            return None
        return int(index.tail.marks[0]), int(index.tail.marks[self._tail_rows - 1])

    def is_rebuild_due(self) -> bool:
        """Whether graphs of the library's model have rows that were erased, or are known to be bad."""
        erased = (
            select(SegmentRow.id)
            .join(ModelRow, ModelRow.id == SegmentRow.model_id)
            .where(ModelRow.current, SegmentRow.dead > SegmentRow.zeroed)
            .limit(1)
        )
        with self._database.read_transaction() as connection:
            return bool(self._segments.bad) or connection.execute(erased).first() is not None

    def rebuild(self, *, urgent: bool) -> Steps[None]:
        """Rebuild segments whose file is bad, and remove erased vectors from the files of the others."""
        while (due := self._due_segments()) is not None:
            if not (yield from self._make(due[0].first_id, due[-1].last_id, due, urgent=urgent)):
                return

    def convert(self) -> Steps[None]:
        """Bring graphs' files of earlier versions of the program into the current format, as copies."""
        while (row := self._next_legacy()) is not None:
            if not (yield from self._make(row.first_id, row.last_id, [row], urgent=False)):
                return

    def _next_legacy(self) -> AnyRow | None:
        with self._database.read_transaction() as connection:
            if self._segments.index(connection) is None:
                return None
            return next((row for row in self._segments.rows(connection) if self._segments.is_legacy(row.id)), None)

    def _due_segments(self) -> Sequence[AnyRow] | None:
        """Return segments to merge into a new one; None when nothing is due.

        A segment to be rebuilt takes its neighbours along as long as all fit into one: otherwise every removal would
        leave the library with more and smaller segments.
        """
        with self._database.read_transaction() as connection:
            if self._segments.index(connection) is None:
                return None
            rows = self._segments.rows(connection)
        bad = self._segments.bad
        at = next((i for i, row in enumerate(rows) if row.dead > row.zeroed or row.id in bad), None)
        if at is None:
            return None
        lives = [row.rows - row.dead for row in rows]
        first, last = at, at + 1
        while last < len(rows) and sum(lives[first : last + 1]) <= self._tail_rows:
            last += 1
        while first > 0 and sum(lives[first - 1 : last]) <= self._tail_rows:
            first -= 1
        return rows[first:last]

    def _only_erased(self, replaces: Sequence[AnyRow]) -> AnyRow | None:
        """Return the one segment to be replaced, if only some of its rows were erased.

        Its file must be verified: a copy of a wrong one would be taken for right.
        """
        row = replaces[0] if len(replaces) == 1 else None
        few = row is not None and row.dead <= row.rows * _MOST_ERASED and self._segments.is_verified(row.id)
        return row if few else None

    def _make(
        self, first_id: int, last_id: int, replaces: Sequence[AnyRow], *, urgent: bool
    ) -> Generator[Step, None, bool]:
        """Build the graph of a range and put it to use; returns False when there is no point in continuing."""
        if self._failures >= _ATTEMPTS or (self._builds and not urgent):
            return False
        self.stop()
        segments = self._segments
        request = BuildRequest(self._database.file, *segments.model_and_dim, first_id, last_id, self._new_file())
        erased = self._only_erased(replaces)
        if erased is not None:
            source = segments.files.folder / erased.file
            request = replace(request, source=source, source_rows=erased.rows)
        build = self._start(request)
        if build is None:
            return False

        def use(build: SegmentBuild | SegmentErasure, result: BuiltSegment) -> Generator[Step, None, bool]:
            graph = segments.open_built(result, request) if result.rows else None
            if graph is not None:
                if erased is not None and erased.dead == erased.zeroed:
                    segments.hand_over_memory(erased.id, graph)
                elif segments.stay_in_memory:
                    yield from graph.load_steps(makes_room=True)
                    yield None
            if not self._is_current(build):
                return False
            gone = tuple(row.id for row in replaces)
            segments.replace(graph, result, request, gone, zeroed=erased.dead if erased is not None else 0)
            return True

        way_out = "the one that it was to replace stays" if replaces else "its sentences are compared one by one"
        return (yield from self._finish(build, use, way_out)) is not _Ended.TAKEN_OVER

    def _store_next(self, build: SegmentBuild | SegmentErasure, result: BuiltSegment) -> Generator[Step, None, bool]:
        """Store a graph of a model that is not the library's yet; returns whether it was stored."""
        yield None
        if not self._is_current(build):
            return False
        self._segments.keep_next(result, build.request)
        return True

    def _new_file(self) -> Path:
        return self._segments.files.folder / f"{secrets.token_hex(8)}.hnsw"

    def _is_current(self, build: SegmentBuild | SegmentErasure) -> bool:
        """Whether a graph has none of the rows that were erased since its build began, and no other job took over."""
        return self._builds.get(build) == self._segments.erasures

    def _start(self, request: BuildRequest) -> SegmentBuild | SegmentErasure | None:
        """Begin a build; None if too many failed, or it cannot begin."""
        if self._failures >= _ATTEMPTS:
            return None
        try:
            build = SegmentErasure(request) if request.source is not None else SegmentBuild(request)
        except OSError as error:
            self._failures += 1
            _log.warning("no process can be started to build a segment: %s", error)
            return None
        self._builds[build] = self._segments.erasures
        self._note_files()
        return build

    def _finish(
        self,
        build: SegmentBuild | SegmentErasure,
        use: Callable[[SegmentBuild | SegmentErasure, BuiltSegment], Generator[Step, None, bool]],
        way_out: str,
    ) -> Generator[Step, None, _Ended]:
        """Wait for a build, and put its graph to use.

        Args:
            build: from `_start`.
            use: puts a graph to use; returns False if it contains rows that were erased in the meantime.
            way_out: what happens if the build fails, for the log.
        """
        is_used = False
        try:
            while (result := build.poll()) is None:
                yield WAITING
                if build not in self._builds:
                    return _Ended.TAKEN_OVER
            if isinstance(result, str):
                raise OSError(result)
            is_used = yield from use(build, result)
            if build not in self._builds:
                return _Ended.TAKEN_OVER
        except (OSError, ValueError, RuntimeError) as error:
            self._failures += 1
            _log.warning("a segment could not be built; %s: %s", way_out, error)
        finally:
            self._end(build, is_file_kept=is_used)
        yield None
        return _Ended.STORED if is_used else _Ended.FAILED

    def _discard(self, builds: Iterable[SegmentBuild | SegmentErasure]) -> None:
        """End builds, and delete their files."""
        for build in builds:
            self._end(build, is_file_kept=False)

    def _end(self, build: SegmentBuild | SegmentErasure, *, is_file_kept: bool) -> None:
        self._builds.pop(build, None)
        build.close()
        if not is_file_kept:
            build.request.file.unlink(missing_ok=True)
        self._note_files()

    def _note_files(self) -> None:
        files = [build.request.file for build in self._builds]
        self._segments.files.unfinished = {
            name for file in files for name in (file.name, file.with_suffix(TEMPORARY_SUFFIX).name)
        }

    def retry(self) -> None:
        """Reset the count of failed builds."""
        self._failures = 0

    def stop(self) -> None:
        """Cancel the builds under way."""
        self._discard(list(self._builds))

    def rest(self, seconds: float) -> None:
        """Wait until the oldest build under way has something to say, at most `seconds`."""
        for build in self._builds:
            build.rest(seconds)
            return
