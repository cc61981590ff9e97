"""All that the readers make of some files: heads, sentences with kinds and places, and remarks.

After a change that is meant, copy the file that a failed test names over the expected one, and read the difference.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from tests.text import makers
from tests.text.helpers import DATA, PDFS, Result, read_here
from tests.text.samples import SAMPLES

READINGS = DATA / "readings"
_UNSTABLE = ("content_hash", "size_bytes", "stamp", "mtime_ns")

CELL = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
WORD_TABLE = "<w:tbl>" + "".join(
    f"<w:tr>{''.join(map(CELL.format, row))}</w:tr>" for row in (("depth", "metres"), ("one", "1.8"), ("two", "3.7"))
)
WORD = (
    makers.paragraph("The tide tables", "Heading1")
    + makers.paragraph("The harbour dries out twice a day. Boats rest on the mud.")
    + makers.paragraph("What one needs", "Heading2")
    + makers.paragraph("a chart", properties='<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')
    + WORD_TABLE
    + "</w:tbl>"
    + makers.paragraph("A last sentence.")
)
OPEN = (
    '<text:h text:outline-level="1">The tide tables</text:h><text:p>The harbour<text:s/>dries<text:tab/>out.'
    "<text:line-break/>Twice a day.</text:p><text:list><text:list-item><text:p>a chart</text:p></text:list-item>"
    "<text:list-item><text:p>a table</text:p></text:list-item></text:list>"
    "<table:table><table:table-row><table:table-cell><text:p>depth</text:p></table:table-cell><table:table-cell>"
    "<text:p>metres</text:p></table:table-cell></table:table-row></table:table><text:p>A note<text:note>"
    "<text:note-citation>1</text:note-citation><text:note-body><text:p>It says why.</text:p></text:note-body>"
    "</text:note> follows.</text:p>"
)
FILES = {
    **{name: sample.data for name, sample in SAMPLES.items() if name not in ("packed.zip", "paper.pdf")},
    **{file.name: file.read_bytes() for file in sorted(READINGS.iterdir()) if ".expected" not in file.suffixes},
    **{
        name: (PDFS / name).read_bytes()
        for name in (
            *("annotations.pdf", "arabic_rtl.pdf", "four_pages_english.pdf", "google_docs_zen.pdf", "ligatures.pdf"),
            *("rotated_pages.pdf", "two_column_lorem.pdf", "form_and_table_f1040.pdf"),
        )
    },
    "tables.docx": makers.docx(WORD),
    "tables.odt": makers.odt(OPEN),
}
FILES.pop("README.md")


def describe(value: object) -> str:
    """Return a value in one line, records with the fields that are not empty."""
    if is_dataclass(value):
        named = {each.name: getattr(value, each.name) for each in fields(value) if each.name not in _UNSTABLE}
        inside = ", ".join(f"{name}={describe(each)}" for name, each in named.items() if each not in (None, "", ()))
        return f"{type(value).__name__}({inside})"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(describe, value))}]"
    return str(value) if type(value).__module__.startswith("desktop_app") else repr(value)


def list_lines(result: Result) -> Iterable[str]:
    yield describe(result.head)
    for span in result.spans:
        yield describe(span)
    yield f"pages {result.pages_read}"
    yield describe(result.done)


@pytest.mark.parametrize("name", FILES)
def test_everything_is_read_as_before(name: str, tmp_path: Path) -> None:
    file, expected = tmp_path / name, READINGS / f"{name}.expected.txt"
    file.write_bytes(FILES[name])
    text = "\n".join(list_lines(read_here(file))).replace(f"{tmp_path}{os.sep}", "") + "\n"
    seen = tmp_path / expected.name
    seen.write_text(text, "utf-8")
    assert text == expected.read_text("utf-8"), f"read otherwise: {seen}"
