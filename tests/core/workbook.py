"""Reads the first sheet of an Excel workbook by its XML, without a library."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_ESCAPE = re.compile("_x([0-9A-F]{4})_")


def read_workbook(file: Path) -> list[list[str | float | None]]:
    """Return the cells of each row; None for an empty one."""
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        sheet = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
    found = []
    for row in sheet.iter(f"{_MAIN}row"):
        cells: dict[int, str | float | None] = {}
        for cell in row.iter(f"{_MAIN}c"):
            assert cell.find(f"{_MAIN}f") is None, "a formula"
            cells[_column(cell.attrib["r"])] = _value(cell)
        found.append([cells.get(column) for column in range(max(cells, default=-1) + 1)])
    width = max(map(len, found), default=0)
    return [row + [None] * (width - len(row)) for row in found]


def _value(cell: ElementTree.Element) -> str | float | None:
    if cell.attrib.get("t") == "inlineStr":
        text = "".join(part.text or "" for part in cell.iter(f"{_MAIN}t"))
        return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    number = cell.find(f"{_MAIN}v")
    return None if number is None or number.text is None else float(number.text)


def _column(reference: str) -> int:
    number = 0
    for letter in reference.rstrip("0123456789"):
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1
