"""Tables of results: texts to the left, numbers to the right, as high as their rows."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView
from pytestqt.qtbot import QtBot

from desktop_app.gui.widgets.item_views import ResultTable

ROWS = [["sea", "1", "2"], ["ice", "3", "4"], ["x" * 61, "5", "6"]]


@pytest.fixture
def table(qtbot: QtBot) -> ResultTable:
    made = ResultTable("Scores", most_rows=2)
    qtbot.addWidget(made)
    return made


def is_right(table: ResultTable) -> list[bool]:
    """Whether each column is aligned to the right, names and texts alike."""
    found = []
    for column in range(table.columnCount()):
        title = table.horizontalHeaderItem(column)
        items = [title, *(table.item(row, column) for row in range(table.rowCount()))]
        sides = {bool(item.textAlignment() & Qt.AlignmentFlag.AlignRight) for item in items if item is not None}
        assert len(sides) == 1
        found.append(sides.pop())
    return found


@pytest.mark.parametrize(("right", "expected"), [({}, [False] * 3), ({"right": 1}, [False, True, True])])
def test_numbers_stand_to_the_right(table: ResultTable, right: dict[str, int], expected: list[bool]) -> None:
    table.show_rows(["Word", "One", "Two"], ROWS, **right)
    assert is_right(table) == expected


def test_a_text_takes_the_width_that_numbers_leave_and_a_long_one_is_shown_whole_on_request(table: ResultTable) -> None:
    table.show_rows(["Word", "One", "Two"], ROWS)
    modes = [table.horizontalHeader().sectionResizeMode(column) for column in range(3)]
    assert modes == [QHeaderView.ResizeMode.Stretch, *[QHeaderView.ResizeMode.ResizeToContents] * 2]
    tips = [bool(item.toolTip()) for row in range(3) if (item := table.item(row, 0)) is not None]
    assert tips == [False, False, True]


def test_a_table_is_as_high_as_its_rows_up_to_a_number_of_them(table: ResultTable) -> None:
    heights = []
    for count in (1, 2, 3):
        table.show_rows(["Word", "One", "Two"], [ROWS[0]] * count)
        heights.append(table.height())
    assert heights[0] < heights[1] == heights[2]
