"""Dates in the metadata of files."""

from __future__ import annotations

import time
from datetime import datetime

import pytest

from desktop_app.core import document_dates
from desktop_app.core.document_dates import date_to_seconds, find_local_year, normalise_date, read_written_date
from desktop_app.core.scope import ScopePart, combine_parts


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("D:20190503120000+02'00'", "2019-05-03"),
        ("D:2019", "2019"),
        ("2019-05-03T10:00:00Z", "2019-05-03"),
        ("2019/05/03", "2019-05-03"),
        ("2019/5/3", "2019-05-03"),
        ("2019-7", "2019-07"),
        ("2019-20", "2019"),
        ("2019-05", "2019-05"),
        (" 2019 ", "2019"),
        ("2019-13-40", "2019"),
        ("1887", "1887"),
        ("", ""),
        ("soon", ""),
        ("0000-01-01", ""),
        ("May 2019", ""),
    ],
)
def test_the_date_that_metadata_begin_with_is_read(written: str, date: str) -> None:
    assert read_written_date(written) == date


@pytest.mark.parametrize(
    ("typed", "date"), [("2019", "2019"), ("2019-5", "2019-05"), ("2019-5-7", "2019-05-07"), ("2019-13", ""), ("x", "")]
)
def test_a_typed_date_is_written_in_full(typed: str, date: str) -> None:
    assert normalise_date(typed) == date


def test_a_date_begins_at_its_first_moment() -> None:
    assert date_to_seconds("2019-05") == datetime(2019, 5, 1).astimezone().timestamp()
    assert date_to_seconds("9999-12-31") == datetime(9999, 12, 31).timestamp()
    assert date_to_seconds("0000") is None


class _WindowsTime(datetime):
    """Converts as Windows does: nothing from before the second day of 1970 (python/cpython#80620)."""

    def timestamp(self) -> float:
        if self < datetime(1970, 1, 2):
            raise OSError(22, "Invalid argument")
        return super().timestamp()


@pytest.fixture
def windows_time(monkeypatch: pytest.MonkeyPatch) -> None:
    convert = time.localtime

    def localtime(seconds: float | None = None) -> time.struct_time:
        if seconds is not None and seconds < 0:
            raise OSError(22, "Invalid argument")
        return convert(seconds)

    monkeypatch.setattr(document_dates, "datetime", _WindowsTime)
    monkeypatch.setattr(document_dates.time, "localtime", localtime)


@pytest.mark.usefixtures("windows_time")
def test_dates_before_1970_are_known_on_windows() -> None:
    day_s = 86_400
    assert date_to_seconds("1965-01-01") == time.timezone - (5 * 365 + 1) * day_s
    assert date_to_seconds("1970") == time.timezone
    assert find_local_year(time.timezone - day_s) == 1969
    assert find_local_year(time.timezone + 200 * day_s) == 1970
    period = combine_parts([ScopePart("date", "year:1965", "1965")])
    assert (period.after, period.before) == (date_to_seconds("1965"), date_to_seconds("1966"))
