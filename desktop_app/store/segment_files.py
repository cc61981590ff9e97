"""The files of an index's segments: which are needed, which are whole, which are left over."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy import select

from desktop_app.store.schema import SegmentRow
from desktop_app.store.segment_builder import checksum_of

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from desktop_app.store.database import Database

_log = logging.getLogger(__name__)


class SegmentFiles:
    """What lies in the segments' folder.

    Attributes:
        folder: where they lie.
        unfinished: names of the files of a build that is under way.
    """

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self.folder = folder
        self.unfinished: set[str] = set()

    def unlink(self, name: str) -> None:
        """Delete a segment's file that is no longer of use."""
        try:
            (self.folder / name).unlink(missing_ok=True)
        except OSError as error:  # Windows: somebody reads it; the next start deletes it
            _log.warning("the old segment %s stays for now: %s", name, error)

    def orphans(self, connection: Connection) -> list[Path]:
        """Return files in the segments' folder that are of no segment, nor of one that is being built."""
        names = set(connection.execute(select(SegmentRow.file)).scalars()) | self.unfinished
        if not self.folder.is_dir():
            return []
        return sorted(file for file in self.folder.iterdir() if file.name not in names)

    def delete_orphans(self) -> None:
        """Delete files that a process left when it was killed."""
        with self._database.reading() as connection:
            orphans = self.orphans(connection)
        for file in orphans:
            self.unlink(file.name)

    def bad(self, connection: Connection) -> list[str]:
        """Return the names of segment files that are missing or changed."""
        bad = []
        for row in connection.execute(select(SegmentRow.file, SegmentRow.checksum)):
            try:
                right = checksum_of(self.folder / row.file) == row.checksum
            except OSError:
                right = False
            if not right:
                bad.append(row.file)
        return bad
