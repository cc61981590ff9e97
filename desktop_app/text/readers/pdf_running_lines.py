"""Finds running heads, feet and page numbers: lines at the edges of pages that repeat, but for a number that counts.

Digits alone do not make two lines alike: `Total 310.50` and `Total 87.20` at the foot of two pages are text.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from desktop_app.text.readers.reader_steps import Heartbeat

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

_WHITE_SPACE = re.compile(r"\s+")
_NUMERAL = re.compile(r"\d+|\b[ivxlc]+\b")
_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:page|p\.|seite|s\.|стр\.?|第)?[\W_]*(?:\d{1,4}|[ivxlc]{1,6})(?:[\W_]*(?:of|von|de|/)?[\W_]*\d{1,4})?[\W_页]*"
)
_CERTAIN_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:page|p\.|seite|s\.|стр\.?|第)\s?(?:\d{1,4}|[ivxlc]{1,6})(?:\s?(?:of|von|de|/)\s?\d{1,4})?[\W_页]*"
    r"|[-–—]\s?(?:\d{1,4}|[ivxlc]{1,6})\s?[-–—]"
)
"""With a word or with dashes: a page number even if no other page has one."""
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_MAX_DIGITS = 9
_MAX_NUMERALS = 8
_MIN_PAGES = 3
_MIN_SHARE = 0.2
"""Of the pages: those on which a running line stands at least."""
_MIN_COUNTING = 2
"""Pages on which a number grows with the pages: fewer show nothing."""
_PAGES_PER_HEARTBEAT = 500

Numerals = tuple[int | str, ...]


def running_line_key(line: str) -> str:
    """Return a line without numbers, case and spacing: what the running heads of different pages have in common."""
    return _NUMERAL.sub("#", _normalise(line))


def is_page_number(line: str) -> bool:
    """Return whether a line may be a page number: `12`, `- xiv -`, `Page 3 of 9`."""
    return _PAGE_NUMBER.fullmatch(_normalise(line)) is not None


def find_running_lines(
    pages: Sequence[Sequence[tuple[str, float]]], tolerance: float
) -> Generator[Heartbeat, None, set[tuple[int, int]]]:
    """Find running heads and feet, with heartbeats on the way.

    Args:
        pages: for each page the candidates at its edges: (text, height on the page).
        tolerance: the largest difference in height of the same head: what repeats elsewhere is text.

    Returns:
        (page, candidate) of each line that repeats on a fifth of the pages and at least three, its numbers being the
        same or counting the pages; and of each lone page number.
    """
    seen: dict[str, list[tuple[float, int, int]]] = defaultdict(list)
    patterns: Counter[tuple[str, Numerals]] = Counter()
    for number, candidates in enumerate(pages):
        own: set[tuple[str, Numerals]] = set()
        for position, (text, height) in enumerate(candidates):
            key = running_line_key(text)
            seen[key].append((height, number, position))
            own.update((key, pattern) for pattern in _list_patterns(text, number))
        patterns.update(own)
        if number % _PAGES_PER_HEARTBEAT == 0:
            yield Heartbeat()
    needed = max(_MIN_PAGES, _MIN_SHARE * len(pages))
    found: set[tuple[int, int]] = set()
    for at, (key, lines) in enumerate(seen.items()):
        for number, position, pages_nearby in _count_pages_nearby(lines, tolerance):
            text = pages[number][position][0]
            same, *counting = (patterns[key, pattern] for pattern in _list_patterns(text, number))
            counts_pages = max(counting, default=0) >= _MIN_COUNTING
            if is_page_number(text):
                if counts_pages or _CERTAIN_PAGE_NUMBER.fullmatch(_normalise(text)) or _numerals(text)[0] == number + 1:
                    found.add((number, position))
            elif (counts_pages or same >= _MIN_PAGES) and pages_nearby >= needed:
                found.add((number, position))
        if at % _PAGES_PER_HEARTBEAT == 0 or len(lines) > _PAGES_PER_HEARTBEAT:
            yield Heartbeat()
    return found


def _count_pages_nearby(lines: list[tuple[float, int, int]], tolerance: float) -> Iterable[tuple[int, int, int]]:
    """Yield for each of `lines` (height, page, position) its page, its position, and on how many pages one is near."""
    lines.sort()
    nearby: Counter[int] = Counter()
    first = last = 0
    for height, page, position in lines:
        while last < len(lines) and lines[last][0] <= height + tolerance:
            nearby[lines[last][1]] += 1
            last += 1
        while lines[first][0] < height - tolerance:
            gone = lines[first][1]
            nearby[gone] -= 1
            if not nearby[gone]:
                del nearby[gone]
            first += 1
        yield page, position, len(nearby)


def _list_patterns(line: str, page: int) -> Iterable[Numerals]:
    """Yield what stays the same if all numbers of a line do, and if one of them counts the pages."""
    numerals = _numerals(line)
    yield numerals
    if len(numerals) > _MAX_NUMERALS:
        return
    for at, value in enumerate(numerals):
        if isinstance(value, int):
            yield (*numerals[:at], f"page{value - page:+}", *numerals[at + 1 :])


def _numerals(line: str) -> Numerals:
    return tuple(map(_parse_numeral, _NUMERAL.findall(_normalise(line))))


def _parse_numeral(text: str) -> int | str:
    """Return the value of a number; a very long one stays text."""
    if text[0] in _ROMAN_DIGITS:
        values = [_ROMAN_DIGITS[letter] for letter in text]
        return sum(
            -value if value < following else value for value, following in zip(values, [*values[1:], 0], strict=True)
        )
    return int(text) if len(text) <= _MAX_DIGITS else text


def _normalise(line: str) -> str:
    return _WHITE_SPACE.sub(" ", line).strip().lower()
