"""Keeps the calibration of cosine similarities up to date as the library grows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.analysis.calibration import SAMPLE_SENTENCES, calibrate_in_steps
from desktop_app.core.jobs import run_to_completion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.analysis.calibration import Calibration
    from desktop_app.core.jobs import Steps
    from desktop_app.core.library import Library
    from desktop_app.core.query import Query
    from desktop_app.core.records import Hit

_REMEASURE_GROWTH = 1.25
_UNUSABLE_GROWTH = 4
"""A calibration is useless for a library that has grown or shrunk by this factor."""


class Calibrator:
    """Calibrates on random pairs when needed, and again when the library has grown or its model changed.

    A sample of a thousand sentences is read and compared within some milliseconds, so nothing is kept on disk.

    Args:
        schedule: called when a new calibration is due; it queues a call of `recalibrate` for when no person waits for
            an answer. Until then the last calibration is used. None: the library is calibrated at once.
    """

    def __init__(self, schedule: Callable[[], object] | None = None) -> None:
        self._measured: tuple[str, int, Calibration | None] | None = None
        self._schedule = schedule

    def calibration_of(self, library: Library, searchable: int) -> Calibration | None:
        """Return the distribution of random pairs of a library with this many sentences; None if there are too few."""
        return run_to_completion(self.calibrate(library, searchable))

    def calibrate(self, library: Library, searchable: int) -> Steps[Calibration | None]:
        """Return what `calibration_of` returns, in short steps if the library must be calibrated."""
        model = library.models.current
        if model is None:
            return None
        if self._measured is not None:
            fingerprint, count, calibration = self._measured
            if (
                fingerprint == model.fingerprint
                and count / _REMEASURE_GROWTH <= searchable <= count * _REMEASURE_GROWTH
            ):
                return calibration
            is_near = (
                fingerprint == model.fingerprint and count / _UNUSABLE_GROWTH <= searchable <= count * _UNUSABLE_GROWTH
            )
            if self._schedule is not None and is_near and calibration is not None:
                self._schedule()
                return calibration
        return (yield from self._measure(library, model.fingerprint, searchable))

    def recalibrate(self, library: Library) -> None:
        """Calibrate again."""
        if library.models.current is not None:
            run_to_completion(self._measure(library, library.models.current.fingerprint, library.info().searchable))

    def _measure(self, library: Library, fingerprint: str, searchable: int) -> Steps[Calibration | None]:
        sample = library.search.sample_vectors(SAMPLE_SENTENCES)
        yield None
        calibration = yield from calibrate_in_steps(sample)
        self._measured = fingerprint, searchable, calibration
        return calibration


def count_chances(query: Query) -> int:
    """Return how many texts a result may be near to by accident: any of a query's parts, or the weakest of all."""
    return 1 if query.is_match_all else max(len(query.parts), 1)


def add_percentiles(hits: Sequence[Hit], calibration: Calibration | None, query: Query) -> list[Hit]:
    """Return hits of a query, whose scores are cosines, with their percentiles."""
    if calibration is None:
        return list(hits)
    of_best = calibration.best_of(count_chances(query))
    return [replace(hit, percentile=of_best.percentile(hit.score)) for hit in hits]
