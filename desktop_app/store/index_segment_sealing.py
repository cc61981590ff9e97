"""Seals the tail of the index into segments, and rebuilds bad ones and those with many erased rows."""

from __future__ import annotations

import logging
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import select

from desktop_app.core.jobs import WAITING
from desktop_app.store.index_segment_builder import TEMPORARY_SUFFIX, BuildRequest, SegmentBuild, SegmentErasure
from desktop_app.store.schema import ModelRow, SegmentRow

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from desktop_app.core.jobs import Step, Steps
    from desktop_app.store.database import Database
    from desktop_app.store.index_segments import Segments
    from desktop_app.store.schema import AnyRow

_log = logging.getLogger(__name__)

_MOST_ERASED = 0.2
"""The share of a graph's rows that may be erased before it is built anew: more of them are in the way of searches."""

_ATTEMPTS = 2
"""How often builds may fail before this session leaves the rows to exact search."""


class SegmentSealer:
    """Runs one build at a time.

    Two jobs may use it, step by step: an urgent one (a purge) cancels the other's build; one that is not urgent gives
    up at once. The job that continues does everything that is due.
    """

    def __init__(self, database: Database, segments: Segments, tail_rows: int) -> None:
        self._database = database
        self._segments = segments
        self._tail_rows = tail_rows
        self._build: SegmentBuild | SegmentErasure | None = None
        self._failures = 0

    def seal(self) -> Steps[None]:
        """Build segments from the tail while it has enough rows for one."""
        while (span := self._due_tail()) is not None:
            if not (yield from self._make(*span, replaces=(), urgent=False)):
                return

    def seal_next(self, model_id: int, dim: int, spans: Sequence[tuple[int, int]]) -> Steps[None]:
        """Build segments for a model that is not in use yet; waits for other builds to end.

        If a build fails, its rows are left to exact search.
        """
        for first_id, last_id in spans:
            while self._build is not None:
                yield WAITING
            if not (yield from self._make(first_id, last_id, replaces=(), urgent=False, other=(model_id, dim))):
                return

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
        self,
        first_id: int,
        last_id: int,
        replaces: Sequence[AnyRow],
        *,
        urgent: bool,
        other: tuple[int, int] | None = None,
    ) -> Generator[Step, None, bool]:
        """Build the graph of a range and put it to use; returns False when there is no point in continuing.

        `other` is the id and dimension of a model that is not the library's yet: its graph is only stored.
        """
        if self._failures >= _ATTEMPTS or (self._build is not None and not urgent):
            return False
        self.stop()
        segments = self._segments
        model_id, dim = other or segments.model_and_dim
        erasures = segments.erasures
        file = segments.files.folder / f"{secrets.token_hex(8)}.hnsw"
        request = BuildRequest(self._database.file, model_id, dim, first_id, last_id, file)
        erased = self._only_erased(replaces)
        if erased is not None:
            source = segments.files.folder / erased.file
            request = replace(request, source=source, source_rows=erased.rows)
        try:
            build = self._build = SegmentErasure(request) if erased is not None else SegmentBuild(request)
        except OSError as error:
            self._failures += 1
            _log.warning("no process can be started to build a segment: %s", error)
            return False
        segments.files.unfinished = {file.name, file.with_suffix(TEMPORARY_SUFFIX).name}
        current = False
        try:
            while (result := build.poll()) is None:
                yield WAITING
                if self._build is not build:
                    return False
            if isinstance(result, str):
                raise OSError(result)
            graph = None
            if other is None and result.rows:
                graph = segments.open_built(result, request)
                if erased is not None and erased.dead == erased.zeroed:
                    segments.hand_over_memory(erased.id, graph)
                elif segments.stay_in_memory:
                    yield from graph.load_steps(makes_room=True)
                    yield None
                if self._build is not build:
                    return False
            # Otherwise the graph may contain rows erased in the meantime, and is built again.
            if segments.erasures == erasures:
                if other is None:
                    gone = tuple(row.id for row in replaces)
                    segments.replace(graph, result, request, gone, zeroed=erased.dead if erased is not None else 0)
                else:
                    segments.keep_next(result, request)
                current = True
        except (OSError, ValueError, RuntimeError) as error:
            self._failures += 1
            way_out = "the one that it was to replace stays" if replaces else "its sentences are compared one by one"
            _log.warning("a segment could not be built; %s: %s", way_out, error)
        finally:
            build.close()
            if self._build is build:
                self._build = None
                segments.files.unfinished = set()
            if not current:
                file.unlink(missing_ok=True)
        yield None
        return True

    def retry(self) -> None:
        """Reset the count of failed builds."""
        self._failures = 0

    def stop(self) -> None:
        """Cancel the build under way."""
        if self._build is not None:
            self._build.close()
            self._build = None

    def rest(self, seconds: float) -> None:
        """Wait until the build under way has something to say, at most `seconds`."""
        if self._build is not None:
            self._build.rest(seconds)
