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

    from desktop_app.core.jobs import Step, Steps
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.store.database import Database
    from desktop_app.store.index_segment_builder import BuiltSegment
    from desktop_app.store.index_segments import Segments

    Build = SegmentBuild | SegmentErasure

_log = logging.getLogger(__name__)

_MOST_ERASED = 0.2
"""The share of a graph's rows that may be erased before it is built anew: more of them are in the way of searches."""

_ATTEMPTS = 2
"""How often builds may fail before this session leaves the rows to exact search."""

_BUILDS_AT_ONCE = min(3, os.cpu_count() or 1)
"""Each takes a core at low priority, and some 280 MB."""


_COMPARED = "its sentences are compared one by one"
"""What happens if a graph cannot be built, for the log."""


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
        self._builds: dict[Build, int] = {}
        """Those under way, the oldest first, and how often vectors had been erased when each began."""
        self._failures = 0

    def seal(self) -> Steps[None]:
        """Build segments from the tail while it has enough rows for one; gives up if another job builds."""

        def put_to_use(build: Build, result: BuiltSegment) -> Generator[Step, None, bool]:
            return self._replace(build, result, ())

        yield from self._build_in_order(self._request_tail, put_to_use, _COMPARED)

    def seal_next(self, model_id: int, dim: int, spans: Sequence[tuple[int, int]]) -> Steps[None]:
        """Build segments for a model that is not in use yet; waits for other builds to end.

        If builds fail, the rest is left to exact search.
        """
        due = deque(spans)

        def request(ahead: int) -> BuildRequest | None:
            return self._make_request(model_id, dim, *due[ahead]) if ahead < len(due) else None

        def store(build: Build, result: BuiltSegment) -> Generator[Step, None, bool]:
            yield None
            if not self._is_current(build):
                return False
            self._segments.keep_next(result, build.request)
            due.popleft()
            return True

        yield from self._build_in_order(request, store, _COMPARED, waits=True)

    def _build_in_order(
        self,
        request: Callable[[int], BuildRequest | None],
        put_to_use: Callable[[Build, BuiltSegment], Generator[Step, None, bool]],
        way_out: str,
        *,
        waits: bool = False,
        urgent: bool = False,
    ) -> Steps[None]:
        """Build the graphs of ranges of rows, several at once; gives up if another job builds, or takes over.

        They are put to use in order, as the rows after the last segment are the tail: none may be left out.

        Args:
            request: takes the number of ranges that are being built, and returns the one after them; None at the end.
            put_to_use: see `_finish`.
            way_out: see `_finish`.
            waits: wait for the builds of another job to end.
            urgent: cancel them, if anything is to be built.
        """
        ahead: deque[Build] = deque()
        try:
            while True:
                while waits and self._builds and not ahead:
                    yield WAITING
                while len(ahead) < _BUILDS_AT_ONCE and (wanted := request(len(ahead))) is not None:
                    if self._builds and not ahead:  # of another job
                        if not urgent:
                            return
                        self.stop()
                    build = self._start(wanted)
                    if build is None:
                        return
                    ahead.append(build)
                if not ahead:
                    return
                ended = yield from self._finish(ahead.popleft(), put_to_use, way_out)
                if ended is _Ended.TAKEN_OVER or any(build not in self._builds for build in ahead):
                    return
                if ended is _Ended.FAILED:  # the later ones may contain erased rows too, and must not be stored first
                    self._discard(ahead)
                    ahead.clear()
        finally:
            self._discard(ahead)

    @property
    def tail_rows(self) -> int:
        """How many vectors make a segment."""
        return self._tail_rows

    def _request_tail(self, ahead: int) -> BuildRequest | None:
        """Return a request for the rows of the tail that make a segment, after `ahead` others; None for too few."""
        index = self._segments.loaded_index
        first, last = ahead * self._tail_rows, (ahead + 1) * self._tail_rows
        if index is None or len(index.tail) < last:
            return None
        marks = int(index.tail.marks[first]), int(index.tail.marks[last - 1])
        return self._make_request(*self._segments.model_and_dim, *marks)

    def _make_request(self, model_id: int, dim: int, first_id: int, last_id: int) -> BuildRequest:
        file = self._segments.files.folder / f"{secrets.token_hex(8)}.hnsw"
        return BuildRequest(self._database.file, model_id, dim, first_id, last_id, file)

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
        yield from self._replace_groups(self._due_groups, urgent=urgent)

    def convert(self) -> Steps[None]:
        """Bring graphs' files of earlier versions of the program into the current format, as copies."""
        yield from self._replace_groups(self._legacy_groups, urgent=False)

    def _legacy_groups(self) -> list[Sequence[AnyRow]]:
        return [[row] for row in self._rows() if self._segments.is_legacy(row.id)]

    def _rows(self) -> Sequence[AnyRow]:
        with self._database.read_transaction() as connection:
            return [] if self._segments.index(connection) is None else self._segments.rows(connection)

    def _due_groups(self) -> list[Sequence[AnyRow]]:
        """Return segments to rebuild, in groups that merge into one.

        A segment to be rebuilt takes its neighbours along as long as all fit into one: otherwise every removal would
        leave the library with more and smaller segments.
        """
        rows, bad = self._rows(), self._segments.bad
        lives = [row.rows - row.dead for row in rows]
        groups: list[Sequence[AnyRow]] = []
        end = 0
        for at, row in enumerate(rows):
            if at < end or not (row.dead > row.zeroed or row.id in bad):
                continue
            first, last = at, at + 1
            while last < len(rows) and sum(lives[first : last + 1]) <= self._tail_rows:
                last += 1
            while first > end and sum(lives[first - 1 : last]) <= self._tail_rows:
                first -= 1
            groups.append(rows[first:last])
            end = last
        return groups

    def _only_erased(self, replaces: Sequence[AnyRow]) -> AnyRow | None:
        """Return the one segment to be replaced, if only some of its rows were erased.

        Its file must be verified: a copy of a wrong one would be taken for right.
        """
        row = replaces[0] if len(replaces) == 1 else None
        few = row is not None and row.dead <= row.rows * _MOST_ERASED and self._segments.is_verified(row.id)
        return row if few else None

    def _replace_groups(self, find_groups: Callable[[], list[Sequence[AnyRow]]], *, urgent: bool) -> Steps[None]:
        """Build a segment in place of each group of segments, until no group is found."""
        groups: deque[Sequence[AnyRow]] = deque()

        def request(ahead: int) -> BuildRequest | None:
            if not ahead:  # at the beginning, at the end, and when a build had to be given up: rows may be erased
                groups.clear()
                groups.extend(find_groups())
            return self._request_in_place_of(groups[ahead]) if ahead < len(groups) else None

        def put_to_use(build: Build, result: BuiltSegment) -> Generator[Step, None, bool]:
            is_used = yield from self._replace(build, result, groups[0])
            if is_used:
                groups.popleft()
            return is_used

        yield from self._build_in_order(request, put_to_use, "the one that it was to replace stays", urgent=urgent)

    def _request_in_place_of(self, replaces: Sequence[AnyRow]) -> BuildRequest:
        segments = self._segments
        request = self._make_request(*segments.model_and_dim, replaces[0].first_id, replaces[-1].last_id)
        if (erased := self._only_erased(replaces)) is None:
            return request
        return replace(request, source=segments.files.folder / erased.file, source_rows=erased.rows)

    def _replace(self, build: Build, result: BuiltSegment, replaces: Sequence[AnyRow]) -> Generator[Step, None, bool]:
        """Put a graph to use in place of segments, or of the first rows of the tail; see `_finish`."""
        segments = self._segments
        erased = replaces[0] if build.request.source is not None else None  # it is a copy without erased rows
        graph = segments.open_built(result, build.request) if result.rows else None
        if graph is not None:
            if erased is not None and erased.dead == erased.zeroed:
                segments.hand_over_memory(erased.id, graph)
            elif segments.stay_in_memory:
                yield from graph.load_steps(makes_room=True)
                yield None
        if not self._is_current(build) or not segments.has_model(build.request.model_id):
            return False
        gone = tuple(row.id for row in replaces)
        segments.replace(graph, result, build.request, gone, zeroed=erased.dead if erased is not None else 0)
        return True

    def _is_current(self, build: Build) -> bool:
        """Whether a graph has none of the rows that were erased since its build began, and no other job took over."""
        return self._builds.get(build) == self._segments.erasures

    def _start(self, request: BuildRequest) -> Build | None:
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
        build: Build,
        put_to_use: Callable[[Build, BuiltSegment], Generator[Step, None, bool]],
        way_out: str,
    ) -> Generator[Step, None, _Ended]:
        """Wait for a build, and put its graph to use.

        Args:
            build: from `_start`.
            put_to_use: does it in steps; returns False if the graph has rows that were erased in the meantime.
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
            is_used = yield from put_to_use(build, result)
            if build not in self._builds:
                return _Ended.TAKEN_OVER
        except (OSError, ValueError, RuntimeError) as error:
            self._failures += 1
            _log.warning("a segment could not be built; %s: %s", way_out, error)
        finally:
            self._end(build, is_file_kept=is_used)
        yield None
        return _Ended.STORED if is_used else _Ended.FAILED

    def _discard(self, builds: Iterable[Build]) -> None:
        """End builds, and delete their files."""
        for build in builds:
            self._end(build, is_file_kept=False)

    def _end(self, build: Build, *, is_file_kept: bool) -> None:
        self._builds.pop(build, None)
        self._note_files()
        build.close()
        if not is_file_kept:
            self._segments.files.unlink(build.request.file.name)

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
