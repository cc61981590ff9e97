"""Numbers and dates of cells as spreadsheet programs show them."""

from __future__ import annotations

import math

import pytest

from desktop_app.text.readers.number_formats import BUILT_IN_FORMATS, format_number

NOON = 45356.520833333336  # 5 March 2024, 12:30


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (3.0, "General", "3"),
        (0.1 + 0.2, "General", "0.3"),
        (-1234.5, "General", "-1234.5"),
        (1e20, "General", "1e+20"),
        (1234.567, "0", "1235"),
        (1234567.5, "#,##0.00", "1,234,567.50"),
        (0.125, "0.0%", "12.5%"),
        (7, "000", "007"),
        (2.5, "0.##", "2.5"),
        (2.0, "0.##", "2"),
        (-5, "0.00", "-5.00"),
        (-5, "0.00;[Red](0.00)", "(5.00)"),
        (0, '0;-0;"none"', "none"),
        (5, "0;;", "5"),
        (-5, "0;;", ""),
        (12.5, '#,##0.00 "€"', "12.50 €"),
        (12.5, "[$£-809]#,##0.00", "£12.50"),
        (1234567, "0.0,,", "1.2"),
        (12345, "0.00E+00", "1.23E+04"),
        (0.75, "# ?/?", "0.75"),
        (12, "@", "12"),
        (12, '0" kg"', "12 kg"),
        (-0.001, "0.0", "0.0"),
        (NOON, "yyyy-mm-dd", "2024-03-05"),
        (NOON, "d. mmmm yyyy", "5. March 2024"),
        (NOON, "dddd, mmm d, yy", "Tuesday, Mar 5, 24"),
        (NOON, "m/d/yy h:mm AM/PM", "3/5/24 12:30 PM"),
        (NOON, "hh:mm:ss", "12:30:00"),
        (NOON, "[$-407]dd.mm.yyyy", "05.03.2024"),
        (1.5, "[h]:mm", "36:00"),
        (0.0000115741, "mm:ss.00", "00:01.00"),
        (59, "yyyy-mm-dd", "1900-02-28"),
        (61, "yyyy-mm-dd", "1900-03-01"),
        (-1, "yyyy-mm-dd", "-1"),
        (1e12, "yyyy-mm-dd", "1000000000000"),
        (math.inf, "0", ""),
    ],
)
def test_a_number_is_written_as_its_format_shows_it(value: float, code: str, shown: str) -> None:
    assert format_number(value, code) == shown


def test_formats_are_known_by_their_numbers() -> None:
    shown = {number: format_number(NOON, code) for number, code in BUILT_IN_FORMATS.items()}
    assert shown[4] == "45,356.52"
    assert shown[14] == "2024-03-05"
    assert shown[15] == "5-Mar-24"
    assert shown[18] == "12:30 PM"
    assert shown[22] == "2024-03-05 12:30"
    assert shown[46] == "1088556:30:00"


@pytest.mark.parametrize(
    "code", ["", ";", "[", "\\", '"', "[h", "0.0.0", "_", "*", "%%%", ",,,", "E+", "[$-]", "yyyyyyyyyy"]
)
def test_odd_formats_fail_on_nothing(code: str) -> None:
    for value in (0.0, -1.5, NOON, 1e300):
        assert isinstance(format_number(value, code), str)
