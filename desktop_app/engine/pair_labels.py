"""Labels that a person gives to pairs of sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.jobs import Lane
from desktop_app.core.pair_files import write_pair_labels
from desktop_app.engine.labelled_pairs import collect_labelled_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.duplicates import PairLabel
    from desktop_app.core.jobs import Job
    from desktop_app.core.library import Library
    from desktop_app.engine.engine import Engine


class PairLabelService:
    """Keeps marks in the library, and reads them.

    Args:
        engine: runs the jobs.
        open_library: returns the library; called on the engine's thread.
    """

    def __init__(self, engine: Engine, open_library: Callable[[], Library]) -> None:
        self._engine = engine
        self._open_library = open_library

    def of(self, a: str, b: str) -> Job[PairLabel | None]:
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

    def labelled(self) -> Job[list[PairLabel]]:
        """Return all that one can train on: pairs that mean the same or not, queries with what answers them or not."""
        return self._engine.submit("labelled", lambda: collect_labelled_pairs(self._open_library()), lane=Lane.FRONT)

    def export(self, file: str) -> Job[int]:
        """Write all that one can train on to a file, in the form of its ending; returns how many, 0 for no file.

        Raises (the job):
            UsageError: the ending is none of ours.
            StorageFull: the file cannot be written.
        """

        def work() -> int:
            marks = collect_labelled_pairs(self._open_library())
            if marks:
                write_pair_labels(file, marks)
            return len(marks)

        return self._engine.submit("export marks", work, lane=Lane.FRONT)

    def judged(self) -> Job[list[PairLabel]]:
        """Return all pairs of which somebody said whether they mean the same, in the order in which that was said."""
        return self._engine.submit("judged", lambda: self._open_library().marks.judged(), lane=Lane.FRONT)
