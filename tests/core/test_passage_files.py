"""Files of repeated passages: every value in its place, and the differences marked."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.core.duplicates import AlignedSentences, PassagePlace, RepeatedPassage
from desktop_app.core.errors import UsageError
from desktop_app.core.passage_files import describe_overlap, format_passage_sources, write_passages
from tests.core.examples import FIRST, SECOND

LAST = replace(FIRST, sentence_id=13, ordinal=4, text="Towns <adapt>.")
COPY = replace(SECOND, text="The sea *really* rises.")
ADDED = replace(SECOND, sentence_id=14, ordinal=1, text="It is new.")
PASSAGE = RepeatedPassage(
    (
        PassagePlace((FIRST, LAST)),
        PassagePlace(
            (COPY, ADDED),
            0.876,
            (
                AlignedSentences(FIRST, COPY, (), ((9, 15),)),
                AlignedSentences(None, ADDED),
                AlignedSentences(LAST, None),
            ),
        ),
    )
)


def written(folder: Path, name: str) -> str:
    write_passages(str(folder / name), [PASSAGE])
    return (folder / name).read_text("utf-8-sig")


def test_passages_as_json_lines(tmp_path: Path) -> None:
    (passage,) = map(json.loads, written(tmp_path, "p.jsonl").splitlines())
    assert (passage["rank"], passage["sentences"], passage["overlap"]) == (1, 2, 0.876)
    first, second = passage["places"]
    assert (first["document_id"], first["title"], first["overlap"], first["differences"]) == (5, "On the sea", 1.0, [])
    assert [each["text"] for each in second["sentences"]] == [COPY.text, ADDED.text]
    assert first["sentences"][0]["page"] == 7
    changed = second["differences"]
    assert [(each["first"] and each["first"]["text"], each["here"] and each["here"]["text"]) for each in changed] == [
        (FIRST.text, COPY.text),
        (None, ADDED.text),
        (LAST.text, None),
    ]
    assert changed[0]["differs_here"] == [[9, 15]]


def test_passages_as_a_table(tmp_path: Path) -> None:
    first, second = csv.DictReader(written(tmp_path, "p.csv").splitlines())
    assert (first["passage"], first["place"], first["sentences"], first["title"]) == ("1", "1", "2", "On the sea")
    assert (first["first_page"], first["last_page"], first["start"], first["stop"]) == ("7", "8", "20", "6")
    assert (second["overlap"], second["begins"], second["ends"]) == ("0.876", COPY.text, ADDED.text)
    assert first["text"] == f"{FIRST.text} {LAST.text}"


@pytest.mark.parametrize(
    ("name", "marked", "own"),
    [
        ("p.md", "> The sea \\***really**\\* rises. **It is new.**\n", "> The sea rises. **Towns \\<adapt\\>.**\n"),
        (
            "p.html",
            "<p>The sea *<mark>really</mark>* rises. <mark>It is new.</mark></p>",
            "<p>The sea rises. <mark>Towns &lt;adapt&gt;.</mark></p>",
        ),
    ],
)
def test_differences_are_marked(tmp_path: Path, name: str, marked: str, own: str) -> None:
    text = written(tmp_path, name)
    assert "1. 2 sentences in 2 places" in text
    assert marked in text
    assert own in text, "the first copy shows what the second lacks"
    assert "Notes, lines 4-6 (notes.txt), 87% of the words identical" in text


def test_a_source_names_where_a_passage_begins_and_ends() -> None:
    place = PASSAGE.places[0]
    assert format_passage_sources(PASSAGE)[0] == "On the sea, p. vii (sea.pdf)"
    later = RepeatedPassage((PassagePlace((FIRST, replace(LAST, page_label="ix"))),))
    assert format_passage_sources(later) == ["On the sea, pp. vii-ix (sea.pdf)"]
    assert describe_overlap(place) == ""
    assert describe_overlap(replace(PASSAGE.places[1], overlap=0.999)) == "99% of the words identical"


def test_two_versions_of_a_file_are_told_apart() -> None:
    versions = [replace(FIRST, document_id=at, path=f"/papers/{year}/sea.pdf") for at, year in enumerate((2022, 2023))]
    assert format_passage_sources(RepeatedPassage(tuple(PassagePlace((each,)) for each in versions))) == [
        "On the sea (2022), p. vii (sea.pdf)",
        "On the sea (2023), p. vii (sea.pdf)",
    ]


def test_other_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        write_passages(str(tmp_path / "p.pdf"), [PASSAGE])
    assert ".html" in f"{refused.value.message} {refused.value.hint}"
