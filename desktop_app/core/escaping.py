"""Text of documents in files of other formats: Markdown, BibTeX, HTML, XML, tables and JSON lines.

A sentence can contain anything, also what a format takes for its own: a brace ends a BibTeX field, a cell that begins
with `=` is a formula in a spreadsheet. Every writer of files passes text through here, so that it is shown as it is.
"""

from __future__ import annotations

import csv
import html
import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import IO

BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
_BLANKS = re.compile(r"[^\S\u00A0\u2007\u202F]+")  # no-break spaces are kept
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x84\x86-\x9F\uFFFE\uFFFF]")

_MARKDOWN = re.compile(
    r"[\\`*_{}\[\]<>#|~]"
    r"|&(?=#?\w+;)"  # a character reference
    r"|^[-=:](?=[-=:\s]*$)"  # an underline, a rule, the second row of a table
)
_LIST_ITEM = re.compile(r"^(\d{0,9})([-+.)])(?=\s|$)")

_BIBTEX = {
    "\\": r"\textbackslash{}",
    # BibTeX counts an escaped brace like any other, so \{ would leave the entry open.
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
} | {letter: "\\" + letter for letter in "%&#_$"}

# As spreadsheets recognise a formula; with the wide signs of East Asian keyboards. A number or a lone sign is none.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20].", re.DOTALL)
_NUMBER = re.compile(r"[+-]?\d[\d.,]*(?:[eE][+-]?\d+)?\s?%?")
_LINE_BREAKS = re.compile("[\x85\u2028\u2029]")


def flatten_text(text: str) -> str:
    """Return text in one line that any text file can hold.

    Control characters become U+FFFD. Bytes of a path that are no text (lone surrogates) become escapes.
    """
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", _BLANKS.sub(" ", text).strip())


def escape_markdown(text: str) -> str:
    """Return text in one line that Markdown shows unchanged, also at the beginning of a line."""
    return _LIST_ITEM.sub(r"\1\\\2", _MARKDOWN.sub(lambda found: "\\" + found[0], flatten_text(text)))


def escape_bibtex(text: str) -> str:
    """Return text in one line for a BibTeX field in braces."""
    return "".join(_BIBTEX.get(letter, letter) for letter in flatten_text(text))


def escape_html(text: str) -> str:
    """Return text in one line for HTML or XML: for elements, and for attributes in quotes."""
    return html.escape(flatten_text(text))


def to_json_line(value: object) -> str:
    r"""Return a value as JSON in one line, with its line feed.

    U+0085, U+2028 and U+2029 are escaped: JSON allows them, but some readers of lines take them for line breaks.
    """
    text = json.dumps(value, ensure_ascii=False)
    return _LINE_BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def protect_cell(cell: object) -> object:
    """Return the cell of a table with an apostrophe before what a spreadsheet would execute as a formula."""
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return "'" + cell
    return cell


def restore_cell(cell: str) -> str:
    """Return the cell of a table without the apostrophe of `protect_cell`."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def flatten_cell(cell: str) -> str:
    """Return a cell without tabs and line breaks, which would be read as another cell or row."""
    return " ".join(cell.split()) if any(sign in cell for sign in "\t\r\n") else cell


def to_tsv_line(cells: Iterable[object]) -> str:
    """Return cells as a line separated by tabs, with its line feed; tabs and line breaks in cells become blanks."""
    return "\t".join(str(protect_cell(flatten_cell(str(cell)))) for cell in cells) + "\n"


def split_tsv_line(line: str) -> list[str]:
    """Return the cells of a line without its line feed."""
    return list(map(restore_cell, line.split("\t")))


def find_csv_delimiter(text: str) -> str:
    """Return the delimiter of a CSV file: a comma, or a semicolon if only that is in its first line.

    Excel writes semicolons in languages whose decimal sign is a comma.
    """
    first = text[: text.find("\n")] if "\n" in text else text
    return ";" if ";" in first and "," not in first else ","


class CsvWriter:
    """Writes rows as CSV; no cell becomes a formula when the file is opened in a spreadsheet.

    A file begins with a byte order mark: without it, Excel takes UTF-8 for the system's own encoding. A pipe gets
    none, since the next program may take it for a part of the first column's name.
    """

    def __init__(self, out: IO[str]) -> None:
        if out.seekable():
            out.write(BYTE_ORDER_MARK)
        self._writer = csv.writer(out)

    def write_row(self, cells: Iterable[object]) -> None:
        """Write one row."""
        self._writer.writerow(map(protect_cell, cells))

    def write_rows(self, rows: Iterable[Iterable[object]]) -> None:
        """Write several rows."""
        for cells in rows:
            self.write_row(cells)
