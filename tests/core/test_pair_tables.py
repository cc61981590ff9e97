"""A person's tables of pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_app.core.errors import BadData, NotFound, UsageError
from desktop_app.core.pair_tables import read_pair_table, unique_column_names, write_pair_table


def table(folder: Path, name: str, text: str, encoding: str = "utf-8") -> str:
    file = folder / name
    file.write_bytes(text.encode(encoding))
    return str(file)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tsv", 'id\tsentence2\tsentence1\r\n7\tB "q\tA\r\n\r\n8\tD\tC\r\n'),
        ("a.csv", 'id,sentence2,Sentence1\n7,"B ""q",A\n8,D,C\n'),
        (
            "a.jsonl",
            '{"id": 7, "sentence2": "B \\"q", "sentence1": "A"}\n{"id": 8, "sentence2": "D", "sentence1": "C"}\n',
        ),
    ],
)
def test_columns_are_found_by_their_names(tmp_path: Path, name: str, text: str) -> None:
    found = read_pair_table(table(tmp_path, name, text, "utf-8-sig"))
    assert (found.texts(found.left), found.texts(found.right)) == (["A", "C"], ['B "q', "D"])
    assert [row[0] for row in found.rows] == ["7", "8"]


def test_without_known_names_the_first_two_columns_are_used(tmp_path: Path) -> None:
    found = read_pair_table(table(tmp_path, "x.tsv", "left\tright\tnote\n1\t2\t3\n"))
    assert (found.left, found.right, len(found.rows)) == (0, 1, 1)


@pytest.mark.parametrize(
    ("name", "text"), [("x.tsv", "A dog.\tA cat sits.\n1 2\t3\n"), ("x.csv", "A dog.,B\n1,3\n,\n")]
)
def test_a_first_row_without_column_names_is_a_pair(tmp_path: Path, name: str, text: str) -> None:
    found = read_pair_table(table(tmp_path, name, text))
    assert (found.has_header, found.header, len(found.rows)) == (False, ("sentence1", "sentence2"), 2)
    assert found.texts(found.left)[0] == "A dog."


@pytest.mark.parametrize("names", ["First sentence\tThe other one", "x\ty", "my note here\tlabel", "id\tSentence 1"])
def test_names_of_columns_are_recognised(tmp_path: Path, names: str) -> None:
    found = read_pair_table(table(tmp_path, "x.tsv", f"{names}\nA dog barks.\tA cat sits.\n"))
    assert (found.has_header, len(found.rows)) == (True, 1)


def test_added_columns_get_unused_names() -> None:
    assert unique_column_names(("sentence1", "kind", "kind_2"), ("cosine", "kind")) == ("cosine", "kind_3")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.tsv", "", "fewer than two columns"),
        ("a.tsv", "sentence1\nx\n", "fewer than two columns"),
        ("a.tsv", "a\tb\n1\t2\n1\n", "line 3 has 1"),
        ("a.csv", 'a,b\n1,"2\n', "not a valid CSV"),
        ("a.csv", 'a,b\n"one\ntwo",2\n\n,\n1\n', "line 6 has 1"),
        ("a.jsonl", '{"a": 1, "b": 2}\n{"a"', "line 2 is not JSON"),
        ("a.jsonl", "[1]\n", "line 1 is not an object"),
        ("a.jsonl", '{"a": "x", "b": "y"}\n{"a": "x"}\n', "line 2 has 1"),
    ],
)
def test_a_file_without_pairs_is_reported(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(BadData, match=message):
        read_pair_table(table(tmp_path, name, text))


def test_a_missing_file_and_one_that_is_not_utf8_are_reported(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_pair_table(str(tmp_path / "no.tsv"))
    for text, line in (("a\tb\nä\tö\n", 2), ("ä\tb\n", 1), ("a\tb\nc\td\ne\tö\ng\th\n", 3)):
        with pytest.raises(BadData, match=rf"line {line} is not UTF-8"):
            read_pair_table(table(tmp_path, "l.tsv", text, "latin-1"))


@pytest.mark.parametrize("name", ["out.tsv", "out.csv", "out.jsonl"])
def test_a_written_table_can_be_read_again(tmp_path: Path, name: str) -> None:
    rows = [("A, b", 'say "x"', "0.5"), ("Ä", "two\nlines" if name != "out.tsv" else "two lines", "1")]
    write_pair_table(str(tmp_path / name), ("sentence1", "sentence2", "cosine"), rows)
    assert list(read_pair_table(str(tmp_path / name)).rows) == rows
    if name.endswith("jsonl"):
        assert json.loads((tmp_path / name).read_text("utf-8").splitlines()[0])["cosine"] == "0.5"
    with pytest.raises(UsageError):
        write_pair_table(str(tmp_path / "out.md"), (), [])


def test_csv_with_semicolons_as_german_spreadsheets_write_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text("sentence1;sentence2\nIce melts, slowly.;Ice melts.\n", "utf-8-sig")
    assert read_pair_table(str(file)).rows == (("Ice melts, slowly.", "Ice melts."),)
