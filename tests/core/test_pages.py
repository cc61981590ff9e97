"""Places on a page that was read by OCR."""

from __future__ import annotations

from array import array

import pytest

from desktop_app.core.pages import Box, RecognisedPage

PAGE = RecognisedPage(
    1,
    "The sea\nrises",
    array(
        "f",
        [
            *(0, 3, 10, 100, 40, 110, 90),  # The
            *(4, 7, 50, 100, 80, 110, 60),  # sea
            *(8, 13, 10, 120, 60, 130, 30),  # rises, on the next line
        ],
    ),
)


def test_a_stretch_has_one_box_per_line() -> None:
    assert PAGE.boxes(0, 13) == [Box(10, 100, 80, 110), Box(10, 120, 60, 130)]
    assert PAGE.boxes(0, 7) == [Box(10, 100, 80, 110)]
    assert PAGE.boxes(4, 7) == [Box(50, 100, 80, 110)]


def test_a_stretch_that_ends_where_a_word_begins_leaves_it_out() -> None:
    assert PAGE.boxes(0, 4) == [Box(10, 100, 40, 110)]
    assert PAGE.boxes(3, 4) == []


def test_a_word_that_is_cut_is_cut_by_its_letters() -> None:
    assert PAGE.boxes(9, 11) == [Box(20, 120, 40, 130)]
    assert PAGE.boxes(1, 6) == [Box(20, 100, 70, 110)]


def test_columns_are_not_joined() -> None:
    words = array("f", [*(0, 3, 10, 100, 40, 110, 90), *(4, 7, 81, 100, 120, 110, 90)])
    assert RecognisedPage(1, "The sea", words).boxes(0, 7) == [Box(10, 100, 40, 110), Box(81, 100, 120, 110)]


def test_letters_share_the_box_of_their_word() -> None:
    boxes = PAGE.character_boxes()
    assert len(boxes) == 4 * len(PAGE.text)
    assert [tuple(boxes[at : at + 4]) for at in (0, 4, 8, 12)] == [
        *((10, 100, 20, 110), (20, 100, 30, 110), (30, 100, 40, 110)),
        (0, 0, 0, 0),  # the blank
    ]
    assert tuple(boxes[48:52]) == (50, 120, 60, 130)


def test_the_quality_weighs_words_by_their_length() -> None:
    assert len(PAGE) == 3
    assert PAGE.quality == pytest.approx((3 * 90 + 3 * 60 + 5 * 30) / 11 / 100)
    assert RecognisedPage(1, "", array("f")).quality == 0
