"""Where a sentence stands in its document, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.core.locations import format_extent, format_location, format_page, format_source
from desktop_app.core.records import Hit, Place

PAGE = Hit(1, 0.9, 1, "One.", "", "", 1, "On the sea", "/sea.pdf", "pdf", 0, "body", (Place(7, 0, 9, "pdfium"),))


def at(place: Place, kind: str = "text") -> Hit:
    return replace(PAGE, places=(place,), type=kind)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hit", "words"),
    [
        (PAGE, "p. 7"),
        (replace(PAGE, page_label="vii"), "p. vii"),
        (replace(PAGE, places=(*PAGE.places, Place(8, 0, 3, "pdfium"))), "p. 7"),
        (at(Place(2, 0, 9, "text"), "epub"), "chapter 2"),
        (at(Place(3, 0, 9, "text"), "presentation"), "slide 3"),
        (at(Place(4, 0, 9, "text"), "email"), "message 4"),
        (at(Place(None, 12, 13, "row"), "csv"), "row 12"),
        (at(Place(None, 3_723_400, 3_725_000, "ms"), "subtitles"), "1:02:03"),
        (at(Place(None, 0, 9, "char", 3, 3)), "line 3"),
        (at(Place(None, 0, 9, "char", 3, 4)), "lines 3-4"),
        (at(Place(None, 0, 9, "char"), "html"), ""),
        (replace(PAGE, places=()), ""),
    ],
)
def test_a_location_is_in_the_units_of_its_format(hit: Hit, words: str) -> None:
    assert format_location(hit) == words
    assert format_source(hit) == (f"On the sea, {words}" if words else "On the sea")


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (PAGE, at(Place(9, 0, 3, "pdfium"), "pdf"), "pp. 7-9"),
        (replace(PAGE, page_label="vii"), replace(PAGE, page_label="ix"), "pp. vii-ix"),
        (PAGE, PAGE, "p. 7"),
        (at(Place(1, 0, 9, "text"), "epub"), at(Place(2, 0, 9, "text"), "epub"), "chapters 1-2"),
        (at(Place(None, 2, 3, "row")), at(Place(None, 5, 6, "row")), "rows 2-5"),
        (at(Place(None, 0, 9, "char", 3, 4)), at(Place(None, 90, 99, "char", 40, 41)), "lines 3-41"),
        (at(Place(None, 0, 900, "ms")), at(Place(None, 65_000, 66_000, "ms")), "0:00:00-0:01:05"),
    ],
)
def test_an_extent_goes_from_the_first_sentence_to_the_last(first: Hit, last: Hit, words: str) -> None:
    assert format_extent(first, last) == words


def test_a_page_is_named_by_its_format() -> None:
    assert (format_page(2, "odt"), format_page(2, "epub"), format_page(2, None)) == ("p. 2", "chapter 2", "p. 2")
