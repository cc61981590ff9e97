"""Tables: a row is a sentence with the column names, its place is the row."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.text.helpers import Result, read_here


def read(tmp_path: Path, text: str, name: str = "a.csv", encoding: str = "utf-8") -> Result:
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return read_here(path)


def test_a_row_is_one_sentence_with_its_columns_names(tmp_path: Path) -> None:
    result = read(tmp_path, 'port,height,remark\nEmden,3.2,"High, and rising."\nHusum,,quiet\n')
    assert result.head.type == "csv"
    assert result.texts == ["port: Emden · height: 3.2 · remark: High, and rising.", "port: Husum · remark: quiet"]
    assert {span.kind for span in result.spans} == {"table"}
    assert [span.paragraph for span in result.spans] == [0, 1]


def test_places_are_rows_as_a_spreadsheet_counts_them(tmp_path: Path) -> None:
    result = read(tmp_path, 'name,text\nA,"two\nlines"\n\nB,after a blank row\n')
    places = [(p.page, p.start, p.stop, p.unit) for span in result.spans for p in span.places]
    assert places == [(None, 2, 3, "row"), (None, 4, 5, "row")]
    assert result.texts[0] == "name: A · text: two lines"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_detected(tmp_path: Path, delimiter: str) -> None:
    rows = [["who", "what"], ["Ann", "sails, often"], ["Ben", "rows; rarely"], ["Cem", "swims"]]
    text = "\n".join(delimiter.join(f'"{c}"' if delimiter in c else c for c in row) for row in rows)
    assert read(tmp_path, text).texts[0] == "who: Ann · what: sails, often"


def test_in_a_tsv_file_quotation_marks_are_ordinary_characters(tmp_path: Path) -> None:
    result = read(tmp_path, 'a\tb\nthe "sea" is\t5" deep\nnext\trow\n', "a.tsv")
    assert result.texts == ['a: the "sea" is · b: 5" deep', "a: next · b: row"]


def test_without_a_header_cells_stand_alone(tmp_path: Path) -> None:
    assert read(tmp_path, "I sail every day.,5\nI row.,4\n").texts == ["I sail every day. · 5", "I row. · 4"]


def test_one_column_needs_no_name(tmp_path: Path) -> None:
    assert read(tmp_path, "sentence\nThe sea is calm.\n").texts == ["The sea is calm."]


def test_a_long_row_is_cut_where_its_cells_sentences_end(tmp_path: Path) -> None:
    text = "The harbour was built a long time ago by people who knew the sea. " * 12
    result = read(tmp_path, f"id,text\n7,{text}\n")
    assert len(result.texts) == 13
    assert result.texts[1] == "text: The harbour was built a long time ago by people who knew the sea."
    assert {(p.start, p.stop) for span in result.spans for p in span.places} == {(2, 3)}
    assert {span.paragraph for span in result.spans} == {0}


def test_encodings_are_those_of_text(tmp_path: Path) -> None:
    assert read(tmp_path, "a,b\nGrüße,vom Meer\n", encoding="utf-16").texts == ["a: Grüße · b: vom Meer"]


@pytest.mark.parametrize(("text", "state"), [("a,b\n", "no_text"), (",,\n,,\n", "no_text"), ("\n\n", "no_text")])
def test_a_table_without_rows_is_refused(tmp_path: Path, text: str, state: str) -> None:
    assert read(tmp_path, text).state == state


def test_an_open_quotation_mark_loses_nothing(tmp_path: Path) -> None:
    result = read(tmp_path, 'a,b\n1,"never closed\n2,x\n3,y\n')
    assert "never closed" in " ".join(result.texts)
    assert "3,y" in " ".join(result.texts)
