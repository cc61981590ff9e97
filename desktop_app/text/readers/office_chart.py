"""The texts of charts in documents and presentations: of DrawingML (ECMA-376), and of OpenDocument.

A chart stores the names of its series and categories as copies of the cells that it was made from. Its numbers are left
out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.text.readers.reader_steps import Heartbeat
from desktop_app.text.readers.xml_events import EVENTS_PER_HEARTBEAT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop_app.text.readers.passage_collector import PassageCollector
    from desktop_app.text.readers.xml_events import XmlEvent

_CATEGORIES = frozenset({"cat", "xVal", "strDim"})
_NUMBERS = frozenset({"numCache", "numLit", "numDim"})


def collect_chart_names(collector: PassageCollector, events: Iterable[XmlEvent]) -> Iterator[Heartbeat]:
    """Collect the series of a DrawingML chart as a row of a table, and each list of categories as another.

    Title and labels are paragraphs like those of other drawings, and are not collected here.
    """
    series: list[str] = []
    rows: dict[tuple[str, ...], None] = {}  # each once: series repeat the categories
    cells: list[str] | None = None
    is_value = False
    numbers = 0
    for number, event in enumerate(events, 1):
        if number % EVENTS_PER_HEARTBEAT == 0:
            yield Heartbeat()
        starts = event.kind == "start"
        if event.kind == "text":
            if is_value and cells is not None and not numbers:
                cells[-1] += event.name
            continue
        match event.name:
            case "tx" if starts:
                cells = series
            case name if starts and name in _CATEGORIES:
                cells = []
            case name if name in _CATEGORIES:
                rows[tuple(cells or ())] = None
                cells = None
            case "tx":
                cells = None
            case name if name in _NUMBERS:
                numbers += 1 if starts else -1
            case "v" | "pt":  # newer charts have the text in the point itself
                is_value = starts
                if starts and cells is not None:
                    cells.append("")
    for row in (tuple(series), *rows):
        _add_row(collector, row)
        yield from collector.heartbeats()


def collect_open_chart(collector: PassageCollector, events: Iterable[XmlEvent]) -> Iterator[Heartbeat]:
    """Collect titles, series and categories of an OpenDocument chart; collect nothing of another object."""
    inside: list[str] = []
    pieces: list[str] = []
    row: list[str] = []
    categories: list[str] = []
    is_number = False
    for number, event in enumerate(events, 1):
        if number % EVENTS_PER_HEARTBEAT == 0:
            yield Heartbeat()
        if event.kind == "text":
            if "chart" in inside and "p" in inside:
                pieces.append(event.name)
            continue
        if event.kind == "start":
            inside.append(event.name)
            if event.name == "table-cell":
                is_number = event.attributes.get("value-type", "string") != "string"
            continue
        inside.pop()
        match event.name:
            case "p" if "table-cell" in inside:
                row += [] if is_number else ["".join(pieces)]
                pieces.clear()
            case "p":
                collector.add("".join(pieces))
                pieces.clear()
            case "table-row" if sum(map(bool, row)) == 1:
                categories += row
                row.clear()
            case "table-row":
                _add_row(collector, row)
                row.clear()
    _add_row(collector, categories)


def _add_row(collector: PassageCollector, cells: Iterable[str]) -> None:
    filled = [cell for cell in cells if cell.strip()]
    if len(filled) == 1:
        collector.add(filled[0], "table")
    else:
        collector.add_row(filled)
