"""Numbers of spreadsheet cells as a program shows them: number formats of ECMA-376, part 1, section 18.8.30.

Dates in the form of the system (formats 14 and 22) depend on the computer that shows them; they are written
`2024-03-05`. The names of months and days are English.
"""

from __future__ import annotations

import math
import re
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

_SYSTEM_DATE, _SYSTEM_TIME = "yyyy-mm-dd", "yyyy-mm-dd hh:mm"
BUILT_IN_FORMATS: dict[int, str] = {
    **dict(enumerate(("General", "0", "0.00", "#,##0", "#,##0.00"))),
    **{9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??"},
    **dict(
        enumerate((_SYSTEM_DATE, "d-mmm-yy", "d-mmm", "mmm-yy", "h:mm AM/PM", "h:mm:ss AM/PM", "h:mm", "h:mm:ss"), 14)
    ),
    **{22: _SYSTEM_TIME, 37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00"},
    **{45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@"},
    # Dates of East Asian systems.
    **dict.fromkeys((*range(27, 32), 36, *range(50, 59)), _SYSTEM_DATE),
    **dict.fromkeys(range(32, 36), "h:mm:ss"),
}
"""The formats that a file names by number only."""

_TOKEN = re.compile(
    r'"([^"]*)"?|\\(.?)|_.?|\*.?|\[\$([^\]\-]*)[^\]]*\]|\[([hms]+)\]|\[[^\]]*\]'
    r"|(AM/PM|A/P|General|y+|m+|d+|h+|s+|E[+-]|\.0+(?=[^0#?,.]|$)|[0#?.,%/@])|(.)",
    re.IGNORECASE | re.DOTALL,
)
_MAX_FORMAT = 255
_DATE_LETTERS = frozenset("ymdhs")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LEAP_DAY = 60
"""The serial number of 29 February 1900, a day that only spreadsheets know."""


class _Token(NamedTuple):
    """A part of a format: `kind` is `text`, `elapsed` (hours above 24, say) or `code`."""

    kind: str
    text: str


def format_number(value: float, code: str, *, from_1904: bool = False) -> str:
    """Return a number as its format shows it.

    Args:
        value: the number; of a date the days since the end of 1899.
        code: the format.
        from_1904: whether days are counted from 1904.
    """
    if not math.isfinite(value):
        return ""
    sections = _parse_format(code[:_MAX_FORMAT])
    negative = value < 0 and len(sections) > 1
    tokens = sections[1 if negative else 2 if value == 0 and len(sections) > 2 else 0]
    if any(token.kind == "elapsed" or (token.kind == "code" and token.text[0] in _DATE_LETTERS) for token in tokens):
        return _format_date(value, tokens, from_1904=from_1904)
    return _format_plain_number(abs(value) if negative else value, tokens)


@lru_cache(maxsize=1000)
def _parse_format(code: str) -> tuple[tuple[_Token, ...], ...]:
    """Return the sections of a format: for positive numbers, negative ones, zero, text."""
    sections: list[list[_Token]] = [[]]
    for match in _TOKEN.finditer(code):
        quoted, escaped, currency, elapsed, known, other = match.groups()
        if other == ";":
            sections.append([])
        elif elapsed:
            sections[-1].append(_Token("elapsed", elapsed.lower()))
        elif known:
            sections[-1].append(_Token("code", known.upper() if known[0] in "eE" else known.lower()))
        elif match.group()[0] == "_":
            sections[-1].append(_Token("text", " "))
        elif text := next((each for each in (quoted, escaped, currency, other) if each), ""):
            sections[-1].append(_Token("text", text))
    return tuple(map(tuple, sections))


# Numbers


def _format_plain_number(value: float, tokens: tuple[_Token, ...]) -> str:
    codes = "".join(token.text for token in tokens if token.kind == "code")
    if not any(char in codes for char in "0#?"):
        # The number as it is, or a section of words only: an empty one hides the number.
        return "".join(
            _format_general(value) if token.text in ("general", "@") else _show_literal(token) for token in tokens
        ).strip()
    if "/" in codes:  # a fraction
        return _format_general(value)
    value *= 100 ** codes.count("%")
    digits = [at for at, token in enumerate(tokens) if token.kind == "code" and token.text[0] in "0#?."]
    first, last = digits[0], digits[-1]
    body = "".join(token.text for token in tokens[first : last + 1] if token.kind == "code")
    mantissa, exponent = re.split(r"E[+-]", body, maxsplit=1) if re.search(r"E[+-]", body) else (body, "")
    whole, _, decimals = mantissa.partition(".")
    # A comma after the last digit divides by a thousand.
    scale = 0
    while last + 1 < len(tokens) and tokens[last + 1] == _Token("code", ","):
        last, scale = last + 1, scale + 1
    value /= 1000**scale
    places, needed = sum(char in "0#?" for char in decimals), decimals.rstrip("#?").count("0")
    if exponent or abs(value) >= 1e21:
        shown = f"{abs(value):.{places}E}"
    else:
        shown = f"{abs(value):{',' if ',' in whole else ''}.{places}f}"
        if places > needed:
            head, _, tail = shown.partition(".")
            tail = tail[:needed] + tail[needed:].rstrip("0")
            shown = f"{head}.{tail}" if tail else head
        head, point, tail = shown.partition(".")
        shown = head.zfill(whole.count("0")) + point + tail
    sign = "-" if value < 0 and any(char in "123456789" for char in shown) else ""
    before = "".join(_show_literal(token) for token in tokens[:first])
    after = "".join(_show_literal(token) for token in tokens[last + 1 :])
    return f"{sign}{before}{shown}{after}".strip()


def _show_literal(token: _Token) -> str:
    return token.text if token.kind == "text" or token.text == "%" else ""


def _format_general(value: float) -> str:
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.10g}"


# Dates


def _format_date(value: float, tokens: tuple[_Token, ...], *, from_1904: bool) -> str:
    moment = _to_moment(value, tokens, from_1904=from_1904)
    if moment is None:
        return _format_general(value)
    seconds = round(value * 86_400)
    is_short_clock = any(token.text in ("am/pm", "a/p") for token in tokens)
    codes = [at for at, token in enumerate(tokens) if token.kind != "text" and token.text[0] in _DATE_LETTERS]
    out: list[str] = []
    for at, (kind, text) in enumerate(tokens):
        if kind == "text":
            out.append(text)
        elif kind == "elapsed":
            out.append(str(seconds // {"h": 3600, "m": 60, "s": 1}[text[0]]).zfill(len(text)))
        elif text[0] == "m":
            before = next((tokens[code].text[0] for code in reversed(codes) if code < at), "")
            after = next((tokens[code].text[0] for code in codes if code > at), "")
            out.append(_show_minute(moment, text) if before == "h" or after == "s" else _show_month(moment, text))
        elif text in ("am/pm", "a/p"):
            out.append(("AM" if moment.hour < 12 else "PM")[: 2 if len(text) > 3 else 1])
        elif text[0] in _DATE_LETTERS:
            out.append(_show_part(moment, text, is_short_clock=is_short_clock))
        elif text.startswith(".0"):
            out.append(f"{moment.microsecond / 1e6:.{len(text) - 1}f}"[1:])
        elif text in ("/", ".", ","):
            out.append(text)
    return "".join(out).strip()


def _to_moment(value: float, tokens: tuple[_Token, ...], *, from_1904: bool) -> datetime | None:
    """Return the moment of a serial number; None if there is none. Programs round to the parts that they show."""
    if value < 0:
        return None
    start = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 31 if value < _LEAP_DAY else 30)
    shows_fractions = any(token.text.startswith(".0") for token in tokens)
    try:
        moment = start + timedelta(days=value)
        if not shows_fractions:
            moment = (moment + timedelta(microseconds=500_000)).replace(microsecond=0)
    except OverflowError:
        return None
    return moment


def _show_minute(moment: datetime, text: str) -> str:
    return str(moment.minute).zfill(min(len(text), 2))


def _show_month(moment: datetime, text: str) -> str:
    name = _MONTHS[moment.month - 1]
    return {1: str(moment.month), 2: f"{moment.month:02}", 3: name[:3], 5: name[0]}.get(len(text), name)


def _show_part(moment: datetime, text: str, *, is_short_clock: bool) -> str:
    match text[0]:
        case "y":
            return f"{moment.year % 100:02}" if len(text) < 3 else f"{moment.year:04}"
        case "d":
            name = _DAYS[moment.weekday()]
            return {1: str(moment.day), 2: f"{moment.day:02}", 3: name[:3]}.get(len(text), name)
        case "h":
            hour = (moment.hour - 1) % 12 + 1 if is_short_clock else moment.hour
            return str(hour).zfill(min(len(text), 2))
        case _:
            return str(moment.second).zfill(min(len(text), 2))
