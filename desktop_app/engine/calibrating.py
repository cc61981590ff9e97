"""Keeps what a cosine means in the library up to date."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.analysis.calibration import SAMPLE, calibrate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.analysis.calibration import Calibration
    from desktop_app.core.library_ports import Library
    from desktop_app.core.records import Hit

_GROWTH = 1.25


class Calibrating:
    """Measures random pairs when that is first wanted, and again when the library has become another.

    A sample of a thousand sentences is read and compared within some milliseconds, so nothing is kept on the disk.
    """

    def __init__(self) -> None:
        self._measured: tuple[str, int, Calibration | None] | None = None

    def of(self, library: Library, searchable: int) -> Calibration | None:
        """Return the distribution of random pairs of a library of so many sentences; None when they are few."""
        model = library.model
        if model is None:
            return None
        if self._measured is not None:
            fingerprint, count, calibration = self._measured
            if fingerprint == model.fingerprint and count / _GROWTH <= searchable <= count * _GROWTH:
                return calibration
        calibration = calibrate(library.sample_vectors(SAMPLE))
        self._measured = model.fingerprint, searchable, calibration
        return calibration


def placed(hits: Sequence[Hit], calibration: Calibration | None) -> list[Hit]:
    """Return hits whose scores are cosines with their percentiles."""
    if calibration is None:
        return list(hits)
    return [replace(hit, percentile=calibration.percentile(hit.score)) for hit in hits]
