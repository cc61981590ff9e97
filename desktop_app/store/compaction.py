"""Gives unused space inside a library's database back to the disk, while the library is in use.

SQLite's own `VACUUM` keeps writers waiting until the whole file is written anew. Here a second connection writes a
compact copy next to the database, and then puts its pages in the place of the database's in one transaction, as
SQLite's backup does: a search reads the old state until that transaction ends. Whatever this process writes in the
meantime comes first: then the copy is outdated, and the next upkeep tries again. A kill at any time leaves the database
as it was, and a draft that the next start deletes.
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
import threading
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from desktop_app.core.jobs import WAITING
from desktop_app.core.private_files import open_private
from desktop_app.core.unfinished_files import record_unfinished
from desktop_app.store.counters import read_counter
from desktop_app.store.half_conversion import SPARSE, WHOLE_VECTORS
from desktop_app.store.library_lock import COMPACT_DRAFT

if TYPE_CHECKING:
    from desktop_app.core.jobs import Steps
    from desktop_app.store.database import Database

_log = logging.getLogger(__name__)

_ATTEMPTS = 2
"""How often a session tries it: a copy of a large library takes a while."""

_PAGES = 200  # put in place between two looks whether somebody wants to write
_MOMENT_S = 0.02
_POLL_S = 0.002  # the engine's thread waits so long for this one at each step
_CHECKPOINTS = 250  # tries, while other processes read
_SPARE_BYTES = 50_000_000
_CACHE_KB = 8_000  # changed pages that are held in memory


class _Outdated(Exception):
    """Somebody wants to write, or has written since the copy began."""


class Compactor:
    """Runs when a conversion has left the database's pages half empty."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._attempts = 0

    def run(self) -> Steps[None]:
        """Compact the database if it is due and there is room for it; yields `WAITING` while a thread works.

        The job of a purge that wants to change the file waits until the thread has ended, soon after its first write.
        """
        if self._attempts >= _ATTEMPTS or not self._is_due():
            return
        file = self._database.file
        # The copy lies beside the database, and the log beside the file that it may be a link to.
        free = min(shutil.disk_usage(place).free for place in (file.parent, file.resolve().parent))
        if free < 2 * file.stat().st_size + _SPARE_BYTES:
            return
        if not self._database.take_file():
            return
        self._attempts += 1
        try:
            work = _CompactionThread(self._database)
            yield from work.steps()
            if work.is_moved:
                for _ in range(_CHECKPOINTS):
                    if self._database.checkpoint():
                        break
                    yield WAITING
        finally:
            self._database.release_file()

    def _is_due(self) -> bool:
        with self._database.read_transaction() as connection:
            return bool(read_counter(connection, SPARSE)) and not read_counter(connection, WHOLE_VECTORS)


class _CompactionThread:
    """Makes the copy and puts it in place; ends soon after it is no longer wanted, without a change."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._file = database.file
        self._draft = database.file.with_name(COMPACT_DRAFT)
        self._writes = database.writes
        self._is_stopped = False
        self._copying: sqlite3.Connection | None = None
        self._thread = threading.Thread(target=self._run, name="compaction")
        self.is_moved = False

    def steps(self) -> Steps[None]:
        """Run the thread to its end."""
        with record_unfinished(self._draft):
            self._thread.start()
            try:
                while self._thread.is_alive():
                    yield WAITING
                    if self._database.writes != self._writes:
                        self._interrupt_copy()
                    self._thread.join(_POLL_S)
            finally:
                self._is_stopped = True
                self._interrupt_copy()
                self._thread.join()

    def _interrupt_copy(self) -> None:
        """Stop the statement that makes the copy, which would go on for as long as a large library takes."""
        if (copying := self._copying) is not None:
            with suppress(sqlite3.ProgrammingError):  # it is closed
                copying.interrupt()

    def _run(self) -> None:
        try:
            self._draft.unlink(missing_ok=True)
            self._write_copy()
            self._put_in_place()
        except _Outdated:
            pass
        except (sqlite3.Error, OSError) as error:
            if not self._is_stopped and self._database.writes == self._writes:
                _log.warning("the database could not be compacted: %s", error)
        finally:
            with suppress(OSError):
                self._draft.unlink(missing_ok=True)

    def _check_wanted(self) -> None:
        if self._is_stopped or self._database.writes != self._writes:
            raise _Outdated

    def _write_copy(self) -> None:
        with open_private(self._draft):
            pass
        uri = f"{self._file.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
            self._copying = connection
            self._check_wanted()
            # As an address, which has all bytes that a file's name can have.
            connection.execute("VACUUM INTO ?", (self._draft.absolute().as_uri(),))
        self._copying = None
        with closing(sqlite3.connect(self._draft)) as copy:
            copy.execute("UPDATE counter SET value = 0 WHERE name = ?", (SPARSE,))
            copy.commit()

    def _put_in_place(self) -> None:
        uri = f"{self._file.absolute().as_uri()}?mode=rw"
        with (
            closing(sqlite3.connect(self._draft)) as copy,
            closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as database,
        ):
            database.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
            database.execute("PRAGMA wal_autocheckpoint = 0")
            database.execute("PRAGMA busy_timeout = 0")
            (pages,) = copy.execute("PRAGMA page_count").fetchone()
            # From the first piece to the last, nobody else can write: whoever has written did so before the first look,
            # which comes before the last piece.
            step = max(1, min(_PAGES, pages // 2))
            copy.backup(database, pages=step, progress=lambda *_: self._check_wanted(), sleep=_MOMENT_S)
            # The log is as large as the database; nobody waits for this thread to empty it.
            for _ in range(_CHECKPOINTS):
                busy, logged, moved = database.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                self.is_moved = not busy and logged == moved
                if self.is_moved or self._is_stopped:
                    break
                time.sleep(_MOMENT_S)
            if self.is_moved:
                # To cut off a log as large as the database takes the system longer than a search may wait.
                with suppress(sqlite3.OperationalError):  # somebody reads or writes: `Compactor` tries it again
                    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
