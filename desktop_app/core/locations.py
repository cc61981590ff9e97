"""Where a sentence stands in its document, in English: a page, chapter, slide, sheet, message, row, line or moment."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from desktop_app.core.formats import find_format

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.records import Hit, Place


def format_location(hit: Hit) -> str:
    """Return where a hit begins, its page as printed: `p. vii`, `chapter 2`, `lines 3-4`; empty if it has no number."""
    return format_extent(hit, hit)


def format_extent(first: Hit, last: Hit) -> str:
    """Return the place of a passage by its first and last sentence: `pp. 7-9`, `lines 3-40`, `rows 2-3`."""
    if not (first.places and last.places):
        return ""
    begin, end = first.places[0], last.places[-1]
    if begin.line is not None:
        return _join("line", begin.line, end.last_line or begin.line)
    if begin.unit == "row":
        rows = _join("row", begin.start, end.start)
        return rows if begin.page is None else f"{first.page_label or format_page(begin.page, first.type)}, {rows}"
    if begin.unit == "ms":
        return _join("", _clock(begin), _clock(last.places[0]))
    if begin.page is None:
        return ""
    # A sentence that runs over two pages is cited by the first.
    return _join(_page_unit(first.type), *(hit.page_label or hit.places[0].page for hit in (first, last)))


def format_page(page: int, kind: str | None) -> str:
    """Return a page of a document of this type: `p. 4`, `chapter 2`, `slide 3`, `message 4`."""
    return _join(_page_unit(kind), page, page)


def format_source(hit: Hit, locate: Callable[[Hit], str] = format_location) -> str:
    """Return the title of a hit's document and where the hit stands in it."""
    return ", ".join(filter(None, (hit.title, locate(hit))))


def _join(unit: str, first: object, last: object) -> str:
    several = {"p.": "pp.", "": ""}.get(unit, f"{unit}s")
    return f"{unit} {first}".strip() if first == last else f"{several} {first}-{last}".strip()


def _page_unit(kind: str | None) -> str:
    unit = find_format(kind).page_unit
    return "p." if unit == "page" else unit


def _clock(place: Place) -> timedelta:
    return timedelta(seconds=place.start // 1000)
