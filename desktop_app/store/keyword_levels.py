"""Keeps the full-text indexes below the number of levels that FTS5 can read.

An index is made of pieces on levels. Before SQLite 3.41, each time that all pieces are merged into one, it lies on a
new level, and the levels below stay, empty. From 2,000 levels on FTS5 reads nothing any more, and reports a malformed
database. Here the empty levels are taken out of the record that lists them, which also mends an index that has reached
the limit. FTS5's source describes the record (`fts5_index.c`, "structure record"). SQLite itself offers only to rebuild
the index, which takes minutes in a large library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_app.store.database import Database

MOST_LEVELS = 64
"""SQLite 3.41 and newer makes no more."""

_RECORD = 10  # the row of a data table that lists the levels
_COOKIE_BYTES = 4
_OTHER_FORMAT = b"\xff\x00\x00\x01"  # follows the cookie in records of indexes that keep no deleted texts
_MOST_VARINT_BYTES = 9


def trim_levels(database: Database, indexes: Iterable[str]) -> None:
    """Take the empty levels out of the indexes that have more than `MOST_LEVELS`; the others stay as they are."""
    for index in indexes:
        table = f"{index}_data"
        with database.write_transaction() as connection:
            run = connection.exec_driver_sql
            if not run("SELECT count(*) FROM sqlite_master WHERE name = ?", (table,)).scalar_one():
                continue
            record = run(f"SELECT block FROM {table} WHERE id = {_RECORD}").scalar_one_or_none()
            trimmed = drop_empty_levels(record) if record else None
            if trimmed is None:
                continue
            connection.execute(text(f"UPDATE {table} SET block = :block WHERE id = {_RECORD}"), {"block": trimmed})
        database.reopen()  # FTS5 keeps what it has read until another connection writes


def drop_empty_levels(record: bytes) -> bytes | None:
    """Return a record without its empty levels except the first, where new pieces begin.

    None if there are few levels, or the record is not one that this module knows.
    """
    if record[_COOKIE_BYTES:].startswith(_OTHER_FORMAT):
        return None
    try:
        (levels, pieces, writes), at = _read_numbers(record, _COOKIE_BYTES, 3)
        if levels <= MOST_LEVELS:
            return None
        kept = []
        for level in range(levels):
            start = at
            (_, count), at = _read_numbers(record, at, 2)
            _, at = _read_numbers(record, at, 3 * count)
            if count or level == 0:
                kept.append(record[start:at])
    except IndexError:
        return None
    if at != len(record):
        return None
    head = b"".join(map(_varint, (len(kept), pieces, writes)))
    return record[:_COOKIE_BYTES] + head + b"".join(kept)


def _read_numbers(record: bytes, at: int, count: int) -> tuple[list[int], int]:
    """Return numbers in SQLite's variable length, and the place after them."""
    numbers = []
    for _ in range(count):
        number = 0
        for length in range(1, _MOST_VARINT_BYTES + 1):
            byte = record[at]
            at += 1
            if length == _MOST_VARINT_BYTES:
                number = number << 8 | byte
                break
            number = number << 7 | byte & 0x7F
            if byte < 0x80:
                break
        numbers.append(number)
    return numbers, at


def _varint(number: int) -> bytes:
    """Return a number below 2^56 in SQLite's variable length."""
    digits = [number & 0x7F]
    while number := number >> 7:
        digits.append(number & 0x7F | 0x80)
    return bytes(reversed(digits))
