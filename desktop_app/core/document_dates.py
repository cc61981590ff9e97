"""Dates of documents as text: a year, a month or a day, such as `2019-05`; they compare as texts."""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta

_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
# ISO 8601 with any separators, also what PDF files have (D:20190503120000Z).
_WRITTEN = re.compile(r"\s*(?:D:)?(\d{4})(?:[-/.]?(\d{2})(?:[-/.]?(\d{2}))?)?(?!\d{1}(?!\d))")
_SEPARATED = re.compile(r"\s*(\d{4})([-/.])(\d{1,2})(?:\2(\d{1,2}))?(?!\d)")
"""With single digits too: 2019/5/3."""

_FIRST_YEAR, _LAST_YEAR = 1000, 2999
_LAST_NS = 2**63 - 1
_EPOCH = datetime(1970, 1, 1)


def normalise_date(value: str) -> str:
    """Return a year, a month or a day (`2019`, `2019-5`, `2019-05-03`) in full; empty if it is none."""
    match = _DATE.fullmatch(value.strip())
    return _join(*match.groups()) if match is not None else ""


def read_written_date(value: object) -> str:
    """Return the date that a file's metadata begin with; empty if they begin with none."""
    match = _WRITTEN.match(str(value))
    if match is None or not _FIRST_YEAR <= int(match[1]) <= _LAST_YEAR:
        return ""
    if (apart := _SEPARATED.match(str(value))) is not None and (date := _join(apart[1], apart[3], apart[4])):
        return date
    return _join(*match.groups()) or _join(match[1], None, None)


def date_to_seconds(date: str) -> float | None:
    """Return the first moment of a date in local time, as seconds since 1970; None if it has none."""
    year, month, day = [*map(int, date.split("-")), 1, 1][:3]
    try:
        moment = datetime(year, month, day)
    except ValueError:
        return None
    try:
        # Not by way of `astimezone`, which from Python 3.12 on fails on the last day of the calendar.
        return moment.timestamp()
    except (ValueError, OverflowError, OSError):  # Windows converts no time before 1970 or after 3000
        return (moment - _EPOCH).total_seconds() + time.timezone


def find_local_year(seconds: float) -> int:
    """Return the year of a time in local time, given as seconds since 1970."""
    try:
        return time.localtime(seconds).tm_year
    except (ValueError, OverflowError, OSError):  # as above
        return (_EPOCH + timedelta(seconds=seconds - time.timezone)).year


def _join(year: str, month: str | None, day: str | None) -> str:
    try:
        datetime(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return ""
    return "-".join((year, *(f"{int(part):02}" for part in (month, day) if part)))


def to_nanoseconds(seconds: float) -> int:
    """Return a time in nanoseconds, limited to the last one that a database stores (in 2262)."""
    return min(max(int(seconds * 1e9), -_LAST_NS), _LAST_NS)
