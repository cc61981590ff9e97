"""Dates in the metadata of files."""

from __future__ import annotations

from datetime import datetime

import pytest

from desktop_app.core.document_dates import date_to_seconds, normalise_date, read_written_date


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
