"""Compares a library with itself, and mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_app.core.records import Check
    from desktop_app.store.database import Database
    from desktop_app.store.importing import Importing
    from desktop_app.store.segments import Segments


class Doctor:
    """Looks at everything; reads every vector, so it takes its time."""

    def __init__(self, database: Database, segments: Segments, importing: Importing) -> None:
        self._database = database
        self._segments = segments
        self._importing = importing

    def check(self, *, repair: bool = False) -> Iterator[Check]:
        """Yield what was found."""
        raise NotImplementedError
