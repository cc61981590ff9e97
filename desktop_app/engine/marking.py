"""What persons say of pairs of sentences. Every method returns a job of the front lane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.jobs import Lane
from desktop_app.core.pair_files import write_marks
from desktop_app.engine.marked_data import own_marks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.insight import PairMark
    from desktop_app.core.jobs import Job
    from desktop_app.core.library_ports import Library
    from desktop_app.engine.engine import Engine


class Marking:
    """Keeps marks in the library, and reads them.

    Args:
        engine: runs the jobs.
        open_library: returns the library; called on the engine's thread.
    """

    def __init__(self, engine: Engine, open_library: Callable[[], Library]) -> None:
        self._engine = engine
        self._open_library = open_library

    def of(self, a: str, b: str) -> Job[PairMark | None]:
        """Return what was said of two sentences."""
        return self._engine.submit("mark", lambda: self._open_library().marks.of([(a, b)])[0], lane=Lane.FRONT)

    def review(self, pairs: Sequence[tuple[str, str]], reviewed: bool) -> Job[None]:
        """Say of pairs that they were looked at, or take that back."""
        return self._engine.submit(
            "review", lambda: self._open_library().marks.review(pairs, reviewed), lane=Lane.FRONT
        )

    def judge(self, a: str, b: str, same: bool | None) -> Job[None]:
        """Say that two sentences mean the same, that they do not, or take that back."""
        return self._engine.submit("judge", lambda: self._open_library().marks.judge(a, b, same), lane=Lane.FRONT)

    def labelled(self) -> Job[list[PairMark]]:
        """Return all that one can train on: pairs that mean the same or not, queries with what answers them or not."""
        return self._engine.submit("labelled", lambda: own_marks(self._open_library()), lane=Lane.FRONT)

    def export(self, file: str) -> Job[int]:
        """Write all that one can train on to a file, in the form of its ending; returns how many, 0 for no file.

        Raises (the job):
            UsageError: the ending is none of ours.
            StorageFull: the file cannot be written.
        """

        def work() -> int:
            marks = own_marks(self._open_library())
            if marks:
                write_marks(file, marks)
            return len(marks)

        return self._engine.submit("export marks", work, lane=Lane.FRONT)

    def judged(self) -> Job[list[PairMark]]:
        """Return all pairs of which somebody said whether they mean the same, in the order in which that was said."""
        return self._engine.submit("judged", lambda: self._open_library().marks.judged(), lane=Lane.FRONT)
