r"""Fields of Word whose text stands only in their instruction: signs (`SYMBOL`), and ruby and formulas (`EQ`).

Word calculates what they show and does not store it. See ECMA-376-1, 17.16.5.
"""

from __future__ import annotations

import re

from desktop_app.text.readers.symbol_fonts import DINGBAT_FONTS, read_symbol

_SYMBOL = re.compile(r"\s*+SYMBOL\s++(0x[0-9a-fA-F]{1,6}|\d{1,7})\b(.*)", re.DOTALL | re.IGNORECASE)
_FONT = re.compile(r'\\f\s*+"?([^"\\]{1,60})', re.IGNORECASE)
_FORMULA = re.compile(r"\s*+EQ\b(.*)", re.DOTALL | re.IGNORECASE)
_FORMAT = re.compile(r'\\\*\s*+(?:"[^"]*+"?|[^\s\\]++)')
_READING = re.compile(r"\\s\s*+\\up\s*+[\d.]*+\s*+\([^()]*+\)\s*+[,;]")
_FRACTION = re.compile(r"\\f\s*+\(([^(),;]*+)[,;]([^(),;]*+)\)", re.IGNORECASE)
_PART = re.compile(r"\\([\\(),;])|\\[a-z]++[ \d.]*+|[(),;]", re.IGNORECASE)
_MAX_INSTRUCTION = 10_000
_BYTES = 0x100
_PRIVATE_USE = 0xF000


def read_field(instruction: str) -> str:
    """Return the text that a field shows if its result is not stored; empty if it has none.

    Of ruby text only the base is returned, not the reading.
    """
    instruction = instruction[:_MAX_INSTRUCTION]
    if (found := _SYMBOL.match(instruction)) is not None:
        font = _FONT.search(found[2])
        return _read_sign(int(found[1], 0), font[1].strip() if font is not None else "")
    if (found := _FORMULA.match(instruction)) is not None:
        formula = _FRACTION.sub(r"\1/\2", _FORMAT.sub(" ", found[1]))
        if "\\o" in formula:
            formula = _READING.sub("", formula)
        return " ".join(_PART.sub(lambda part: part[1] or " ", formula).split())
    return ""


def _read_sign(code: int, font: str) -> str:
    if font.lower().startswith((*DINGBAT_FONTS, "symbol")) and code < _BYTES:
        code += _PRIVATE_USE
    if code < _BYTES:
        return bytes((code,)).decode("cp1252", "ignore")
    return read_symbol(font, code)
