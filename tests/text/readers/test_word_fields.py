"""Fields of Word: signs and formulas that stand only in their instruction."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.text.readers.word_fields import read_field
from tests.text import makers
from tests.text.helpers import read_here


@pytest.mark.parametrize(
    ("instruction", "shown"),
    [
        (r' SYMBOL 97 \f "Symbol" \s 12 ', "α"),
        (r"SYMBOL 0x61 \f Symbol", "α"),
        (r'symbol 61537 \f "Symbol"', "α"),
        (r'SYMBOL 252 \f "Wingdings"', "\u2022"),
        (r"SYMBOL 169", "©"),
        (r"SYMBOL 8364 \u", "€"),
        (r'SYMBOL 9999999 \f "Symbol"', ""),
        ("SYMBOL", ""),
        (r' EQ \* jc2 \* "Font:MS Mincho" \* hps10 \o\ad(\s\up 10(きもん),鬼門)', "鬼門"),
        (r"EQ \o(\s\up 9(たか),高);い", "高 い"),
        (r"EQ \f(1,2)", "1/2"),
        (r"EQ x\s\up8(2) + \r(3,y\,z)", "x 2 + 3 y,z"),
        ("EQUATION 3", ""),
        ("PAGE", ""),
        ("HYPERLINK x", ""),
        ("", ""),
    ],
)
def test_a_field_shows_what_its_instruction_says(instruction: str, shown: str) -> None:
    assert read_field(instruction) == shown


def _field(instruction: str, result: str = "", inner: str = "") -> str:
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    text = f"<w:r><w:t>{result}</w:t></w:r>"
    halves = "".join(f"<w:r><w:instrText>{half}</w:instrText></w:r>" for half in (instruction[:7], instruction[7:]))
    shown = mark.format("separate") + text if result else ""
    return mark.format("begin") + halves + inner + shown + mark.format("end")


def test_fields_of_a_word_document_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    fields = {
        "without": _field(r"SYMBOL 97 \f Symbol"),
        "with": _field(r"SYMBOL 97 \f Symbol", "b"),
        "ruby": _field(r"EQ \o\ad(\s\up 10(reading),base)"),
        "inner": _field("IF 1 = ", "c", inner=_field(r"SYMBOL 97 \f Symbol")),
        "simple": r'<w:fldSimple w:instr=" SYMBOL 98 \f Symbol "/>',
    }
    path.write_bytes(
        makers.docx("".join(f"<w:p><w:r><w:t>{name} </w:t></w:r>{field}</w:p>" for name, field in fields.items()))
    )
    assert read_here(path).texts == ["without α", "with b", "ruby base", "inner c", "simple β"]


@pytest.mark.parametrize("unit", ["\\s\\up 1(", "\\*", "\\f(", "(", "\\a1", '\\*"', "SYMBOL ", "EQ "])
def test_a_long_instruction_is_read_in_no_time(unit: str) -> None:
    for field in ("EQ \\o", "SYMBOL 1"):
        read_field(field + unit * 100_000)
