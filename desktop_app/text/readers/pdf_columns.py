"""Separates columns whose rows were extracted across the page: left before right.

Most programs write one column after the other, and PDFium keeps that order. Some write row by row: then a line has
a piece of each column, and sentences would be mixed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.text.cleaning import ends_hyphenated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.text.readers.pdf_lines import LineGap, PageLine

_MIN_ROWS = 4
_MIN_LETTERS = 18
"""Characters that pieces of columns have on average; shorter ones are cells of a table."""
_ALIGNED = 3.0
"""Points within which the pieces of a column start."""

LineRow = list["PageLine"]


def separate_columns(lines: Sequence[PageLine]) -> list[PageLine]:
    """Return the lines of a page with interleaved columns separated; other lines stay unchanged."""
    rows = _group_rows(lines)
    if len(rows) < _MIN_ROWS or not any(len(row) > 1 or row[0].gaps for row in rows):
        return list(lines)
    out: list[PageLine] = []
    number = 0
    while number < len(rows):
        for gutter in _find_gap_starts(rows[number]):
            run = _count_column_rows(rows[number:], gutter)
            if run:
                break
        else:
            out += rows[number]
            number += 1
            continue
        pieces = [_split_row(row, gutter) for row in rows[number : number + run]]
        out += [line for left, _ in pieces for line in left]
        out += [line for _, right in pieces for line in right]
        number += run
    return out


def _group_rows(lines: Sequence[PageLine]) -> list[LineRow]:
    rows: list[LineRow] = []
    for line in lines:
        before = rows[-1][-1] if rows else None
        if (
            before is not None
            and line.angle == before.angle
            and abs(line.baseline - before.baseline) < 0.3 * before.size
            and line.left > before.right
        ):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _find_gap_starts(row: LineRow) -> list[float]:
    """Return the left edges of the pieces of a row, without the first."""
    return [line.left for line in row[1:]] + [gap.right for line in row for gap in line.gaps]


def _count_column_rows(rows: Sequence[LineRow], gutter: float) -> int:
    """Return how many rows, from the first, have a column that starts at `gutter`; 0 if they are not columns."""
    length = parted = 0
    for row in rows:
        if any(abs(start - gutter) < _ALIGNED for start in _find_gap_starts(row)):
            parted += 1
            length += 1
            continue
        alone = row[-1].right < gutter or row[0].left > gutter - _ALIGNED
        near = length and rows[length - 1][0].baseline - row[0].baseline < 3 * row[0].size
        if not (alone and near and row[0].angle == rows[0][0].angle):
            break
        length += 1
    cells = sum(sum(line.cells for line in row) > 2 for row in rows[:length])
    if parted < _MIN_ROWS or cells > 0.3 * parted:
        return 0
    sides: tuple[list[str], list[str]] = ([], [])
    for row in rows[:length]:
        for line in row:
            for side, text in zip(sides, _split_line_text(line, gutter), strict=True):
                if text:
                    side.append(text)
    for side in sides:
        letters = sum(char.isalpha() for text in side for char in text)
        if not side or letters < _MIN_LETTERS * len(side):
            return 0
    return length


def _find_gap_at(line: PageLine, gutter: float) -> LineGap | None:
    return next((gap for gap in line.gaps if abs(gap.right - gutter) < _ALIGNED), None)


def _split_line_text(line: PageLine, gutter: float) -> tuple[str, str]:
    """Return the parts of a line left and right of the gutter."""
    if line.left > gutter - _ALIGNED:
        return "", line.text
    gap = _find_gap_at(line, gutter)
    return (line.text, "") if gap is None else (line.text[: gap.position], line.text[gap.position :])


def _split_row(row: LineRow, gutter: float) -> tuple[list[PageLine], list[PageLine]]:
    left: list[PageLine] = []
    right: list[PageLine] = []
    for line in row:
        if line.left > gutter - _ALIGNED:
            right.append(line)
            continue
        gap = _find_gap_at(line, gutter)
        if gap is None:
            left.append(line)
            continue
        first, second = _split_line(line, gap.position)
        left.append(replace(first, right=gap.left, gaps=[g for g in line.gaps if g.position < gap.position]))
        moved = [replace(g, position=g.position - gap.position) for g in line.gaps if g.position > gap.position]
        right.append(replace(second, left=gap.right, gaps=moved))
    return left, right


def _split_line(line: PageLine, position: int) -> tuple[PageLine, PageLine]:
    end = len(line.text[:position].rstrip())
    first = replace(line, text=line.text[:end], indices=line.indices[:end], hyphenated=False)
    first.hyphenated = ends_hyphenated(first.text)
    return first, replace(line, text=line.text[position:], indices=line.indices[position:])
