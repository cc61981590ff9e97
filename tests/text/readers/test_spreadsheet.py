"""Spreadsheets: sheets as pages, rows as units, cells as they are shown, and what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.text.readers import spreadsheet
from tests.text import makers
from tests.text.helpers import Result, read_here

HEADER = makers.cells("port", "opened", "share")


def read(tmp_path: Path, data: bytes, name: str = "a.xlsx") -> Result:
    file = tmp_path / name
    file.write_bytes(data)
    return read_here(file)


def rows(result: Result) -> list[tuple[int | None, int, str]]:
    return [(span.places[0].page, span.places[0].start, span.text) for span in result.spans]


def table(name: str, *rows: str, style: str = "") -> str:
    return f'<table:table table:name="{name}" table:style-name="{style}">{"".join(rows)}</table:table>'


def test_rows_of_all_sheets_are_read_with_the_names_of_their_columns(tmp_path: Path) -> None:
    sheets = {
        "Ports": makers.cells("Ports of the bay") + "<row/>" + HEADER + makers.cells("Emden", 1901, 0.5),
        "Notes": makers.cells("The quay is dry at noon."),
    }
    result = read(tmp_path, makers.xlsx(sheets))
    assert rows(result) == [
        (1, 1, "Ports"),
        (1, 1, "Ports of the bay"),
        (1, 4, "port: Emden · opened: 1901 · share: 0.5"),
        (2, 1, "Notes"),
        (2, 1, "The quay is dry at noon."),
    ]
    assert [span.passage for span in result.spans] == ["heading", "table", "table", "heading", "body"]
    assert [span.paragraph for span in result.spans] == [0, 1, 2, 3, 4]
    head = result.head
    assert (head.type, head.title, head.author, head.dated) == ("spreadsheet", "On Tides", "A. Writer", "2019-05-03")
    assert head.page_labels == ("Ports", "Notes")
    assert [entry.title for entry in head.outline] == ["Ports", "Notes"]
    assert result.pages_read == [1, 2]


def test_cells_are_read_as_they_are_shown(tmp_path: Path) -> None:
    row = (
        '<row r="7"><c r="A7" t="s"><v>0</v></c><c r="C7" s="1"><v>45356</v></c><c r="D7" s="2"><f>A1/B1</f>'
        '<v>0.125</v></c><c r="E7" t="b"><v>1</v></c><c r="F7" t="e"><v>#N/A</v></c>'
        '<c r="G7" t="str"><f>A7</f><v>so</v></c></row>'
    )
    strings = ["<r><t>two </t></r><r><t>parts</t></r><rPh><t>sound</t></rPh>"]
    result = read(tmp_path, makers.xlsx({"A": row}, strings=strings, formats=["dd.mm.yyyy", "0.0%"]))
    assert rows(result) == [(1, 7, "two parts · 05.03.2024 · 12.5% · TRUE · so")]


def test_days_may_be_counted_from_1904(tmp_path: Path) -> None:
    row = '<row><c s="1"><v>1</v></c><c t="str"><v>was a Saturday</v></c></row>'
    data = makers.xlsx({"A": row}, formats=["yyyy-mm-dd"], settings='<workbookPr date1904="1"/>')
    assert read(tmp_path, data).texts == ["1904-01-02 · was a Saturday"]


def test_hidden_sheets_are_left_out_and_said_so(tmp_path: Path) -> None:
    result = read(tmp_path, makers.xlsx({".Lists": makers.cells("a secret"), "A": makers.cells("Seen by all.")}))
    assert rows(result) == [(2, 1, "Seen by all.")]
    assert [(each.kind, each.text, each.page) for each in result.done.omitted] == [("hidden", "a secret", 1)]


def test_comments_and_text_boxes_follow_the_rows(tmp_path: Path) -> None:
    more = {
        "xl/worksheets/_rels/sheet1.xml.rels": makers.relations(
            {"a": "../comments1.xml", "b": "../drawings/drawing1.xml", "c": "../threadedComments/threadedComment1.xml"}
        ),
        "xl/comments1.xml": f"<comments {makers.SPREADSHEET}><authors><author>Me</author></authors><commentList>"
        '<comment ref="B3"><text><r><t>Ask the </t></r><r><t>harbour master.</t></r></text></comment>'
        '<comment ref="B4"><text><t>[Threaded comment] Your program is too old.</t></text></comment>'
        "</commentList></comments>",
        "xl/threadedComments/threadedComment1.xml": '<ThreadedComments><threadedComment ref="B4">'
        "<text>We asked him.</text></threadedComment></ThreadedComments>",
        "xl/drawings/drawing1.xml": '<d xmlns:a="http://a" xmlns:x="http://x"><x:from><x:col>0</x:col><x:row>8</x:row>'
        "</x:from><x:sp><a:p><a:r><a:t>Fill in only the yellow cells.</a:t></a:r></a:p></x:sp></d>",
    }
    result = read(tmp_path, makers.xlsx({"A": makers.cells("one")}, more=more))
    assert rows(result) == [
        (1, 1, "one"),
        (1, 3, "Ask the harbour master."),
        (1, 9, "Fill in only the yellow cells."),
        (1, 4, "We asked him."),
    ]


def test_a_damaged_sheet_does_not_cost_the_others(tmp_path: Path) -> None:
    result = read(tmp_path, makers.xlsx({"A": "<row", "B": makers.cells("The other sheet is whole.")}))
    assert result.texts == ["B", "The other sheet is whole."]
    assert [str(each) for each in result.done.warnings] == ["Damaged sheets that could not be read: A"]
    assert read(tmp_path, makers.xlsx({"A": "<row"})).state == "damaged"


def test_an_open_document_is_read_likewise(tmp_path: Path) -> None:
    style = '<style:style style:name="h"><style:table-properties table:display="false"/></style:style>'
    note = "<office:annotation><dc:creator>Me</dc:creator><text:p>Ask the harbour master.</text:p></office:annotation>"
    tables = (
        table("Lists", makers.open_row("a secret"), style="h")
        + table(
            "Ports",
            '<table:table-row table:number-rows-repeated="3"><table:table-cell/></table:table-row>',
            makers.open_row("port", "opened"),
            makers.open_row("Emden", "1901", more=note),
            makers.open_row("Husum<text:s/>West", "1910", repeated=2),
        )
        + table("Empty")
        + table("Notes", makers.open_row("The quay is dry at noon."))
    )
    result = read(tmp_path, makers.ods(tables, styles=style), "a.ods")
    assert rows(result) == [
        (2, 1, "Ports"),
        (2, 5, "port: Emden · opened: 1901"),
        (2, 6, "port: Husum West · opened: 1910"),
        (2, 7, "port: Husum West · opened: 1910"),
        (2, 5, "Ask the harbour master."),
        (4, 1, "Notes"),
        (4, 1, "The quay is dry at noon."),
    ]
    assert result.head.page_labels == ("Lists", "Ports", "Empty", "Notes")
    assert [each.text for each in result.done.omitted] == ["a secret"]


def test_a_password_of_an_open_document_is_noticed(tmp_path: Path) -> None:
    data = makers.ods(table("A", makers.open_row("x")), manifest="<m><encryption-data/></m>")
    assert read(tmp_path, data, "a.ods").state == "locked"


def test_a_table_of_one_row_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, makers.xlsx({"A": HEADER})).texts == ["port · opened · share"]


def test_long_cells_become_sentences(tmp_path: Path) -> None:
    answer = "The harbour dries out twice a day. " * 60
    result = read(tmp_path, makers.xlsx({"A": makers.cells("id", "answer") + makers.cells(1, answer)}))
    assert result.texts[:3] == ["id: 1", *["answer: The harbour dries out twice a day."] * 2]


def test_endless_repetition_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = makers.open_row("The same line.", repeated=1_000_000) + makers.open_row("The last line.")
    result = read(tmp_path, makers.ods(table("A", many)), "a.ods")
    assert (len(result.texts), rows(result)[-1]) == (1001, (1, 1_000_001, "The last line."))
    monkeypatch.setattr(spreadsheet, "_MAX_CHARACTERS", 100)
    result = read(tmp_path, makers.xlsx({"A": makers.cells("A line of a table.") * 9}))
    assert len(result.texts) == 5
    assert [str(each) for each in result.done.warnings] == ["The sheets are too long: reading stopped at row 6 of A"]


@pytest.mark.parametrize(
    "data",
    [
        makers.xlsx({}),
        makers.xlsx({"A": ""}),
        makers.ods(""),
        makers.zipped({"[Content_Types].xml": "<T/>", "xl/a": ""}),
    ],
)
def test_a_file_without_text_fails(data: bytes, tmp_path: Path) -> None:
    assert read(tmp_path, data).state in ("damaged", "no_text")


def test_cells_stand_below_the_heading_of_their_column(tmp_path: Path) -> None:
    def named(row: int, **texts: str) -> str:
        each = "".join(f'<c r="{column}{row}" t="str"><v>{text}</v></c>' for column, text in texts.items())
        return f'<row r="{row}">{each}</row>'

    heads = named(1, A="port", B="opened", Z="share", AA="depth", AB="pilot", BA="flag", AAB="chart")
    many = named(2, B="1901", AB="yes", BA="no", AAB="87") + named(3, A="Emden", Z="half", AA="nine")
    assert rows(read(tmp_path, makers.xlsx({"A": heads + many}))) == [
        (1, 2, "opened: 1901 · pilot: yes · flag: no · chart: 87"),
        (1, 3, "port: Emden · share: half · depth: nine"),
    ]


@pytest.mark.parametrize("number", ["", "x", "2", "-1", "1.0"])
def test_a_cell_that_refers_to_no_text_is_empty(tmp_path: Path, number: str) -> None:
    row = f'<row><c t="s"><v>{number}</v></c><c t="s"><v>1</v></c></row>'
    data = makers.xlsx({"A": row}, strings=["<t>first</t>", "<t>the second text</t>"])
    assert read(tmp_path, data).texts == ["the second text"]
