"""Files of results and pairs, compared whole: every value stands in its own column."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.core.errors import UsageError
from desktop_app.core.result_files import pair_writer, write_hits
from tests.core.examples import FIRST, PAIR, SECOND

FIRST_JSON = {
    "rank": 1,
    "score": 0.75,
    "percentile": 99.5,
    "matched_by": ["meaning", "words"],
    "sentence_id": 11,
    "text": "The sea rises.",
    "before": "Ice melts.",
    "after": "Towns adapt.",
    "document_id": 5,
    "title": "On the sea",
    "path": "/papers/sea.pdf",
    "page": 7,
    "start": 20,
    "stop": 34,
    "lines": None,
    "places": [
        {"page": 7, "start": 20, "stop": 34, "unit": "pdfium"},
        {"page": 8, "start": 0, "stop": 6, "unit": "pdfium"},
    ],
    "also_in": 2,
    "page_label": "vii",
    "kind": "text",
    "colour": None,
    "badges": ["negation"],
    "lifted_by": ["tide"],
    "ocr": True,
    "parts": [],
}
SECOND_JSON = {
    "rank": 2,
    "score": 0.5,
    "percentile": None,
    "matched_by": ["meaning"],
    "sentence_id": 12,
    "text": "=SUM(A1) *bold*",
    "before": "",
    "after": "",
    "document_id": 6,
    "title": "Notes",
    "path": "/papers/notes.txt",
    "page": None,
    "start": 40,
    "stop": 55,
    "lines": [4, 6],
    "places": [
        {"page": None, "start": 40, "stop": 55, "unit": "char"},
        {"page": None, "start": 56, "stop": 60, "unit": "char"},
    ],
    "also_in": 0,
    "page_label": None,
    "kind": "text",
    "colour": None,
    "badges": [],
    "lifted_by": [],
    "ocr": False,
    "parts": [],
}


def rows(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.reader(lines))


def test_results_as_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    write_hits(str(file), "high water", (FIRST, SECOND))
    assert [json.loads(line) for line in file.read_text("utf-8").splitlines()] == [
        {"query": "high water", **FIRST_JSON},
        {"query": "high water", **SECOND_JSON},
    ]


def test_results_as_a_table(tmp_path: Path) -> None:
    file = tmp_path / "results.CSV"
    write_hits(str(file), "high water", (FIRST, SECOND))
    names = ["rank", "score", "percentile", "matched_by", "text", "title", "path", "page", "start", "stop", "unit"]
    assert rows(file) == [
        names,
        [
            "1",
            "0.75",
            "99.5",
            "meaning words",
            "The sea rises.",
            "On the sea",
            "/papers/sea.pdf",
            "7",
            "20",
            "34",
            "pdfium",
        ],
        ["2", "0.5", "", "meaning", "'=SUM(A1) *bold*", "Notes", "/papers/notes.txt", "", "40", "55", "char"],
    ]


@pytest.mark.parametrize("name", ["results.md", "results.markdown"])
def test_results_as_markdown(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    write_hits(str(file), "high *water*", (FIRST, SECOND))
    assert file.read_text("utf-8") == (
        "# high \\*water\\*\n"
        "\n> The sea rises.\n>\n> On the sea, p. vii (0.750)\n"
        "\n> =SUM(A1) \\*bold\\*\n>\n> Notes, lines 4-6 (0.500)\n"
    )


@pytest.mark.parametrize("name", ["results.html", "results.htm"])
def test_results_as_a_web_page(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    write_hits(str(file), "<b>", (FIRST,))
    assert file.read_text("utf-8") == (
        '<!doctype html>\n<meta charset="utf-8">\n<title>&lt;b&gt;</title>\n<h1>&lt;b&gt;</h1>\n'
        "<blockquote><p>The sea rises.</p><footer>On the sea, p. vii (0.750)</footer></blockquote>\n"
    )


def test_pairs_as_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    with pair_writer(str(file)) as write:
        write([PAIR])
        write([replace(PAIR, same=None, reviewed=False)])
    first, second = (json.loads(line) for line in file.read_text("utf-8").splitlines())
    assert first == {
        "score": 0.875,
        "percentile": 98.5,
        "kind": "near",
        "badges": ["negation", "numbers"],
        "a": FIRST_JSON | {"rank": 1},
        "b": SECOND_JSON | {"rank": 1},
        "folded": 3,
        "reviewed": True,
        "same": False,
    }
    assert (second["a"]["rank"], second["b"]["rank"], second["reviewed"], second["same"]) == (2, 2, False, None)


def test_pairs_as_a_table(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    with pair_writer(str(file)) as write:
        write([PAIR, replace(PAIR, same=True), replace(PAIR, same=None, reviewed=False, badges=())])
    columns, *found = rows(file)
    places = ("text", "title", "path", "page", "start", "stop", "unit")
    assert columns == [
        *("score", "percentile", "kind", "badges", "folded", "reviewed", "same"),
        *(f"{name}_a" for name in places),
        *(f"{name}_b" for name in places),
    ]
    a = ["The sea rises.", "On the sea", "/papers/sea.pdf", "7", "20", "34", "pdfium"]
    b = ["'=SUM(A1) *bold*", "Notes", "/papers/notes.txt", "", "40", "55", "char"]
    assert found == [
        ["0.875", "98.5", "near", "negation numbers", "3", "1", "0", *a, *b],
        ["0.875", "98.5", "near", "negation numbers", "3", "1", "1", *a, *b],
        ["0.875", "98.5", "near", "", "3", "0", "", *a, *b],
    ]


def test_pairs_as_markdown(tmp_path: Path) -> None:
    file = tmp_path / "pairs.md"
    with pair_writer(str(file)) as write:
        write([PAIR])
        write([replace(PAIR, badges=(), folded=0)])
    head, *rest = file.read_text("utf-8").split("## ")[1:]
    assert head.startswith("1. 0.875, near, ")
    assert "negation" in head
    assert "numbers" in head
    assert "+3 that differ only in numbers" in head
    quotes = "\n\n> The sea rises.\n>\n> On the sea, p. vii\n\n> =SUM(A1) \\*bold\\*\n>\n> Notes, lines 4-6\n"
    assert head.partition("\n\n>")[2] == (quotes + "\n").partition("\n\n>")[2]
    assert rest == ["2. 0.875, near" + quotes]


def test_places_in_documents_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "pairs.md"
    other = replace(PAIR.a, document_id=PAIR.a.document_id + 100, path="/archive/sea.pdf")
    with pair_writer(str(file)) as write:
        write([replace(PAIR, b=other)])
    text = file.read_text("utf-8")
    assert "> On the sea (papers), p. vii\n" in text
    assert "> On the sea (archive), p. vii\n" in text


def test_an_unknown_suffix_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        write_hits(str(tmp_path / "results.txt"), "q", (FIRST,))
    with pytest.raises(UsageError), pair_writer(str(tmp_path / "pairs.html")):
        pass
    assert list(tmp_path.iterdir()) == []
