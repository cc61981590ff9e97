"""Every command on real files with the real model."""

from __future__ import annotations

import csv
import json
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Kindred
from tests.disks import fill, needs_mount, read_only, small_disk

SENTENCES = [
    "The cat sits outside",
    "A man is playing guitar",
    "I love pasta",
    "The new movie is awesome",
    "The cat plays in the garden",
    "A woman watches TV",
    "The new movie is so great",
    "Do you like pizza?",
]


def test_import_reports_the_result_of_each_file(kindred: Kindred, papers: Path) -> None:
    (papers / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    (papers / "empty.txt").write_bytes(b"")
    answer = kindred("import", papers, "--json")
    assert answer.status == 1
    report = answer.json
    assert [Path(file["path"]).name for file in report["imported"]] == ["bread.md", "sea.txt"]
    assert [file["sentences"] for file in report["imported"]] == [4, 4]
    assert [(Path(f["path"]).name, f["reason"]) for f in report["failed"]] == [("empty.txt", "no_text")]
    assert [Path(path).name for path in report["ignored"]] == ["photo.jpg"]
    assert report["unchanged"] == []
    assert report["sentences"] == 8
    assert report["seconds"] > 0
    assert report["sentences_per_s"] * report["seconds"] == pytest.approx(8, rel=0.1)


def test_a_second_import_finds_everything_unchanged(kindred: Kindred, imported: Path) -> None:
    answer = kindred("import", imported, "--json")
    assert answer.status == 0
    assert (len(answer.json["unchanged"]), answer.json["imported"], answer.json["sentences"]) == (2, [], 0)


def test_a_touched_file_is_unchanged_and_an_edited_one_is_imported_again(kindred: Kindred, imported: Path) -> None:
    (imported / "sea.txt").touch()
    bread = imported / "bread.md"
    bread.write_text("# On bread\n\nRye flour makes a dark loaf that keeps for a week.\n", "utf-8")
    report = kindred("import", imported, "--json").json
    assert [Path(path).name for path in report["unchanged"]] == ["sea.txt"]
    assert [Path(file["path"]).name for file in report["imported"]] == ["bread.md"]
    texts = [hit["text"] for hit in kindred("search", "bread", "--in", bread, "--json").json["hits"]]
    assert "Rye flour makes a dark loaf that keeps for a week." in texts
    assert not any("sourdough" in text for text in texts)


def test_a_file_put_over_another_with_its_length_and_time_is_imported_again(
    kindred: Kindred, imported: Path, tmp_path: Path
) -> None:
    bread, other = imported / "bread.md", tmp_path / "other.md"
    text = "# On bread\n\nRye flour makes a dark loaf that keeps for a week."
    other.write_text(text.ljust(bread.stat().st_size), "utf-8")
    os.utime(other, ns=(bread.stat().st_mtime_ns,) * 2)
    other.replace(bread)
    report = kindred("import", imported, "--json").json
    assert [Path(file["path"]).name for file in report["imported"]] == ["bread.md"]
    assert kindred("import", imported, "--json").json["imported"] == []


def test_search_finds_by_meaning_with_context_document_and_place(kindred: Kindred, imported: Path) -> None:
    answer = kindred("search", "the oceans are getting higher", "--json", "--top-k", "3")
    assert answer.status == 0
    assert answer.json["mode"] == "both"
    best, *others = answer.json["hits"]
    assert best["text"] == "The sea level has risen by twenty centimetres since 1900."
    assert best["before"] == ""
    assert best["after"] == "Warm water takes more room than cold water."
    assert best["rank"] == 1
    assert best["score"] > 0.5
    assert [best["score"], *(hit["score"] for hit in others)] == sorted(
        (hit["score"] for hit in answer.json["hits"]), reverse=True
    )
    source = (imported / "sea.txt").read_text("utf-8")
    (place,) = best["places"]
    assert place["unit"] == "char"
    assert source[place["start"] : place["stop"]] == best["text"]
    assert (best["page"], best["start"], best["stop"]) == (place["page"], place["start"], place["stop"])
    assert best["lines"] == [1, 1]
    assert Path(best["path"]) == (imported / "sea.txt").resolve()
    assert best["percentile"] is None


def test_another_spelling_is_suggested(kindred: Kindred, imported: Path) -> None:
    answer = kindred("search", "a sourdugh needs time", "--json").json
    assert "Did you mean `a sourdough needs time`?" in answer["notes"]
    assert "Did you mean `a sourdough needs time`?" in kindred("search", "a sourdugh needs time").err
    by_document = kindred("search", "a sourdugh needs time", "--by", "document", "--json").json
    assert "Did you mean `a sourdough needs time`?" in by_document["notes"]
    unknown = kindred("search", "nobdy knosw", "--json").json
    assert unknown["mode"] == "words", "the model does not know it"
    assert "Did you mean `nobody knows`?" in unknown["notes"]
    for right in (("a sourdough needs time",), ("a sourdugh needs time", "--mode", "words")):
        assert not any("Did you mean" in note for note in kindred("search", *right, "--json").json["notes"])


def test_a_sentence_in_two_documents_is_listed_once_with_a_note(kindred: Kindred, imported: Path) -> None:
    hits = kindred("search", "how quickly does the ice melt", "--json").json["hits"]
    assert hits[0]["text"] == "Nobody knows how fast the ice will melt."
    assert hits[0]["also_in"] == 1
    assert len([hit for hit in hits if hit["text"] == hits[0]["text"]]) == 1


def test_search_can_be_limited(kindred: Kindred, imported: Path) -> None:
    only = kindred("search", "ice", "--in", imported / "bread.md", "--json").json["hits"]
    assert {Path(hit["path"]).name for hit in only} == {"bread.md"}
    assert len(only) == 4
    typed = kindred("search", "ice", "--type", "text", "--json").json["hits"]
    assert {Path(hit["path"]).name for hit in typed} == {"sea.txt"}
    for both in (["--type", "text, epub"], ["--type", "text", "--type", "epub"]):
        assert kindred("search", "ice", *both, "--json").json["hits"] == typed
    scored = kindred("search", "ice", "--min-score", "0.3", "--json").json["hits"]
    assert scored
    assert min(hit["score"] for hit in scored) >= 0.3
    assert len(kindred("search", "ice", "--top-k", "2", "--json").json["hits"]) == 2


def test_several_queries_at_once(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    answer = kindred("search", "rising oceans | baking a loaf", "--top-k", "4", "--json").json
    for hit in answer["hits"]:
        assert [part["query"] for part in hit["parts"]] == ["rising oceans", "baking a loaf"]
        assert hit["score"] == max(part["score"] for part in hit["parts"])
    assert {Path(hit["path"]).name for hit in answer["hits"][:2]} == {"sea.txt", "bread.md"}
    for asked in (("rising oceans | baking a loaf", "--match", "all"), ("rising oceans | baking a loaf match:all",)):
        weakest = kindred("search", *asked, "--json").json["hits"]
        assert all(hit["score"] == min(part["score"] for part in hit["parts"]) for hit in weakest)
    documents = kindred("search", "rising oceans | baking a loaf", "--by", "document", "--json").json["hits"]
    assert all(len(hit["parts"]) == len(hit["best"][0]["parts"]) == 2 for hit in documents)
    out = kindred("search", "rising oceans | baking a loaf", "--top-k", "1").out
    assert "  [rising oceans 0." in out
    assert ", baking a loaf " in out
    table = tmp_path / "hits.csv"
    kindred("export", "hits", "rising oceans | baking a loaf", "--output", table)
    assert table.read_text("utf-8-sig").splitlines()[0].endswith("score: rising oceans,score: baking a loaf")
    assert kindred("search", "--queries", table, "--match", "all").status == 2


def test_search_by_document(kindred: Kindred, imported: Path) -> None:
    hits = kindred("search", "baking a loaf", "--by", "document", "--json").json["hits"]
    assert [Path(hit["path"]).name for hit in hits] == ["bread.md", "sea.txt"]
    assert hits[0]["title"] == "On bread"
    assert {Path(best["path"]).name for best in hits[0]["best"]} == {"bread.md"}


def test_many_queries_give_a_run_file(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    queries = tmp_path / "queries.tsv"
    queries.write_text('q1\trising oceans\nq2\tbaking "bread"\n', "utf-8")
    answer = kindred("search", "--queries", queries, "--by", "document", "--top-k", "100", "--format", "trec")
    lines = [line.split() for line in answer.out.splitlines()]
    assert [(line[0], line[1], line[2], line[3], line[5]) for line in lines] == [
        ("q1", "Q0", "sea", "1", "kindred"),
        ("q1", "Q0", "bread", "2", "kindred"),
        ("q2", "Q0", "bread", "1", "kindred"),
        ("q2", "Q0", "sea", "2", "kindred"),
    ]
    assert float(lines[0][4]) > float(lines[1][4])


def test_words_meaning_and_both(kindred: Kindred, imported: Path) -> None:
    both = kindred("search", "sourdough", "--json").json
    assert both["mode"] == "both"
    assert both["hits"][0]["text"] == "A sourdough needs time and a warm place."
    assert both["hits"][0]["matched_by"] == ["meaning", "words"]
    assert -1 <= both["hits"][0]["score"] <= 1
    words = kindred("search", "town OR ice", "--mode", "words", "--json").json["hits"]
    assert {hit["text"].split()[0] for hit in words} == {"Coastal", "Nobody"}
    assert all(hit["matched_by"] == ["words"] and hit["score"] > 0 for hit in words)
    meaning = kindred("search", "warmth", "--mode", "meaning", "--json").json["hits"]
    assert all(hit["matched_by"] == ["meaning"] for hit in meaning)
    documents = kindred("search", "a loaf of bread", "--by", "document", "--mode", "words", "--json").json["hits"]
    assert [Path(hit["path"]).name for hit in documents] == ["bread.md"]


def test_operators_in_a_query(kindred: Kindred, imported: Path) -> None:
    assert all("cold" not in hit["text"] for hit in kindred("search", "water -cold", "--json").json["hits"])
    (hit,) = kindred("search", '"warm place"', "--json").json["hits"]
    assert hit["title"] == "On bread"
    titles = {hit["title"] for hit in kindred("search", "water type:txt", "--json").json["hits"]}
    assert titles == {"sea.txt"}
    assert "part of the library" in kindred("search", "water before:1971").out
    assert "only conditions" in kindred("search", "in:papers").out
    assert '"exact phrase"' in kindred("search", "--help").out


def test_documents_remove_and_info(kindred: Kindred, imported: Path) -> None:
    documents = kindred("documents", "--json").json["documents"]
    assert [(d["title"], d["type"], d["sentences"], d["state"]) for d in documents] == [
        ("On bread", "markdown", 4, "ready"),
        ("sea.txt", "text", 4, "ready"),
    ]
    info = kindred("info", "--json").json
    assert (info["documents"], info["sentences"], info["occurrences"]) == (2, 7, 8)
    assert info["vectors"] == info["searchable"] == 7
    assert info["model"] == "all-MiniLM-L6-v2"
    assert info["device"] in ("cpu", "cuda", "mps")
    assert kindred("info", "--precision", "bf16", "--json").json["why"] == "bf16: set by you"
    gone = [{key: documents[1][key] for key in ("document_id", "title", "path")}]
    assert kindred("remove", "sea.txt", "--json").json == {"removed": 1, "documents": gone, "copies": []}
    info = kindred("info", "--json").json
    assert (info["documents"], info["sentences"], info["searchable"]) == (1, 4, 4)
    assert not any("sea level" in hit["text"] for hit in kindred("search", "sea level", "--json").json["hits"])


def test_a_number_beside_a_folder_of_that_name_removes_nothing(
    kindred: Kindred, imported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "2").mkdir()
    monkeypatch.chdir(tmp_path)
    for command in (
        ("remove", "2"),
        ("keys", "2"),
        ("diff", "1", "2"),
        ("tags", "add", "x", "2"),
        ("collections", "add", "x", "2"),
        ("search", "ice", "--in", "2"),
        ("pairs", "--document", "2"),
    ):
        answer = kindred(*command, "--json")
        assert (answer.status, answer.json["error"]["code"]) == (2, "ambiguous"), command
        assert "#2" in answer.json["error"]["hint"]
    (imported / "copy").mkdir()
    (imported / "copy" / "sea.txt").write_text("Another sea.", "utf-8")
    kindred("import", imported)
    answer = kindred("remove", "sea.txt")
    assert (answer.status, "#2, #3" in answer.err) == (2, True), answer.err
    assert len(kindred("documents", "--json").json["documents"]) == 3
    assert "#2" in kindred("documents").out
    answer = kindred("remove", "#2", "1")
    assert answer.status == 0
    assert [line.split()[0] for line in answer.out.splitlines()] == ["#2", "#1", "2"]
    assert str(imported / "sea.txt") in answer.out


def test_after_remove_no_file_of_the_program_contains_the_text(
    kindred: Kindred, imported: Path, tmp_path: Path
) -> None:
    kindred("remove", imported / "sea.txt")
    for file in (tmp_path / "base").rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            assert b"twenty centimetres" not in content, file
            assert b"sea.txt" not in content, file


def test_compare_gives_the_published_figure(kindred: Kindred) -> None:
    answer = kindred("compare", "The new movie is awesome", "The new movie is so great", "--json").json
    assert round(answer["cosine"], 4) == 0.8939
    assert answer["dot"] == pytest.approx(answer["cosine"], abs=1e-5)
    assert answer["euclidean"] == pytest.approx((2 - 2 * answer["cosine"]) ** 0.5, abs=1e-4)
    assert (answer["percentile"], answer["label"], answer["probability"]) == (None, None, None)
    tokens = answer["tokens"]
    assert (tokens["a"], tokens["b"]) == (
        ["The", "new", "movie", "is", "awesome"],
        ["The", "new", "movie", "is", "so", "great"],
    )
    assert [len(row) for row in tokens["similarity"]] == [6] * 5
    assert tokens["alignment"] == [[0, 0], [1, 1], [2, 2], [3, 3], [4, 5]]
    assert tokens["is_cut"] is False


def test_compare_needs_no_library_and_makes_none(kindred: Kindred, tmp_path: Path) -> None:
    table = tmp_path / "pairs.tsv"
    pair = "The tenant pays the rent.\tDer Mieter zahlt die Miete am ersten Tag."
    table.write_text("\n".join(["sentence1\tsentence2", *[pair] * 4]), "utf-8")
    assert "not trained for German" in kindred("compare", *pair.split("\t")).err
    assert "not trained for German" in kindred("compare", "--pairs", table).err
    assert not list(tmp_path.rglob("library.db"))


def test_compare_many_pairs_keeps_all_columns(kindred: Kindred, tmp_path: Path) -> None:
    table = tmp_path / "pairs.tsv"
    table.write_text(
        'id\tsentence2\tsentence1\n7\tThe cat plays in the garden\tThe cat sits outside\n8\t"quoted\tI love pasta\n',
        "utf-8",
    )
    answer = kindred("compare", "--pairs", table)
    assert answer.status == 0
    header, first, second = (line.split("\t") for line in answer.out.splitlines())
    assert header == ["id", "sentence2", "sentence1", "cosine"]
    assert first == ["7", "The cat plays in the garden", "The cat sits outside", first[3]]
    assert len(first[3].partition(".")[2]) == 6
    assert float(first[3]) == pytest.approx(0.6788, abs=5e-5)
    assert second[1] == '"quoted'


def test_compare_reads_every_kind_of_table_and_keeps_columns_with_equal_names(kindred: Kindred, tmp_path: Path) -> None:
    cat, dog = "The cat is not here.", "The cat is here."
    lines = tmp_path / "pairs.jsonl"
    lines.write_text(json.dumps({"sentence1": cat, "sentence2": dog, "kind": "mine"}) + "\n", "utf-8")
    (row,) = kindred("compare", "--pairs", lines, "--json").json["rows"]
    assert (row["kind"], row["kind_2"], row["badges"]) == ("mine", "near", ["negation"])
    bare = tmp_path / "bare.csv"
    bare.write_text(f'{cat},{dog}\n"{dog}",{dog}\n', "utf-8")
    answer = kindred("compare", "--pairs", bare, "--kinds")
    header, first, second = (line.split("\t") for line in answer.out.splitlines())
    assert header == ["sentence1", "sentence2", "cosine", "kind", "badges"]
    assert (first[:2], first[3:]) == ([cat, dog], ["near", "negation"])
    assert second[2:] == ["1.000000", "exact", ""]
    assert "first row has no column names" in answer.err
    assert kindred("compare", cat, dog, "--kinds").status == 2


def test_the_message_about_a_bad_row_has_its_line(kindred: Kindred, tmp_path: Path) -> None:
    table = tmp_path / "pairs.tsv"
    table.write_text("sentence1\tsentence2\na\tb\nonly one\n", "utf-8")
    answer = kindred("compare", "--pairs", table, "--json")
    assert answer.status == 3
    assert answer.json["error"]["kind"] == "bad_data"
    assert "line 3" in answer.json["error"]["message"]


def test_pairs_of_a_file_best_first_as_published(kindred: Kindred, tmp_path: Path) -> None:
    file = tmp_path / "sentences.txt"
    file.write_text("\n".join(SENTENCES), "utf-8")
    pairs = kindred("pairs", "--file", file, "--top-k", "10", "--json").json["pairs"]
    assert [
        (SENTENCES.index(p["a"]["text"]), SENTENCES.index(p["b"]["text"]), round(p["score"], 4)) for p in pairs
    ] == [
        (3, 6, 0.8939),
        (0, 4, 0.6788),
        (2, 7, 0.5096),
        (2, 6, 0.2560),
        (2, 3, 0.2440),
        (1, 4, 0.2105),
        (3, 7, 0.1969),
        (6, 7, 0.1692),
        (0, 5, 0.1310),
        (4, 7, 0.0900),
    ]


def test_embed_gives_a_row_for_each_line_also_when_lines_repeat(kindred: Kindred, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_bytes(b"\xef\xbb\xbfone line\r\nanother\n\none line\n")
    output = tmp_path / "v.npy"
    answer = kindred("embed", file, "--output", output, "--json").json
    vectors = np.load(output)
    assert vectors.shape == (answer["rows"], answer["dim"]) == (4, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(vectors[0], vectors[3])
    assert {"device", "precision"} <= answer.keys()
    assert answer["sentences_per_s"] * answer["seconds"] == pytest.approx(4, rel=0.1)
    assert answer["tokens_per_s"] * answer["seconds"] == pytest.approx(4 + 3 + 2 + 4, rel=0.1), (
        "with the two around each"
    )
    said = kindred("embed", file, "--output", output).out
    assert re.fullmatch(rf"4 rows of 384 numbers written to {re.escape(str(output))}, [1-9][\d,.]* sentences/s\n", said)


def test_export_sentences_in_reading_order_with_places(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    assert kindred("export", "sentences", "--output", output).status == 0
    rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert [row["text"] for row in rows][-2:] == [
        "Coastal towns will have to adapt their drains and roads.",
        "Nobody knows how fast the ice will melt.",
    ]
    assert len(rows) == 8
    source = (imported / "sea.txt").read_text("utf-8")
    for row in rows:
        if row["path"].endswith("sea.txt"):
            assert source[row["start"] : row["stop"]] == row["text"]
            assert row["places"] == [{"page": None, "start": row["start"], "stop": row["stop"], "unit": "char"}]
    table = tmp_path / "out.csv"
    kindred("export", "sentences", "--output", table)
    with table.open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 8
    page = tmp_path / "out.md"
    kindred("export", "sentences", "--output", page)
    assert "## bread.md" in page.read_text("utf-8")


def test_export_hits_of_a_query(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    lines = tmp_path / "hits.jsonl"
    assert kindred("export", "hits", '"warm place"', "--output", lines).out.startswith("1 result written to ")
    (row,) = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    assert (row["query"], row["text"]) == ('"warm place"', "A sourdough needs time and a warm place.")
    for name in ("hits.csv", "hits.md", "hits.html"):
        assert kindred("export", "hits", "<b>ice", "--top-k", "3", "--output", tmp_path / name).status == 0
        text = (tmp_path / name).read_text("utf-8")
        assert "Nobody knows how fast the ice will melt." in text
        assert "<b>" not in text
    assert kindred("export", "hits", "--output", lines).status == 2
    assert kindred("export", "sentences", "ice", "--output", lines).status == 2
    assert kindred("export", "hits", "ice", "--output", tmp_path / "hits.docx").status == 2


def test_an_export_is_limited_to_the_chosen_part_of_the_library(
    kindred: Kindred, imported: Path, tmp_path: Path
) -> None:
    kindred("collections", "add", "Kitchen", "bread.md")
    out = tmp_path / "out.jsonl"

    def written(*arguments: str) -> set[str]:
        assert kindred("export", *arguments, "--output", out).status == 0
        rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
        return {Path(hit["path"]).name for row in rows for hit in ([row["a"], row["b"]] if "a" in row else [row])}

    assert written("hits", "ice") == {"sea.txt", "bread.md"}
    for part in (["--in", "bread.md"], ["--collection", "Kitchen"]):
        assert written("hits", "ice", *part) == {"bread.md"}
        assert written("sentences", *part) == {"bread.md"}
        assert written("pairs", "--anywhere", *part) <= {"bread.md"}
    assert written("pairs") == {"sea.txt", "bread.md"}
    assert written("pairs", "--in", "bread.md") == set(), "both sentences are in the part"
    assert kindred("pairs", "--collection", "Kitchen").out == "No duplicates found.\n"
    assert written("sentences", "--language", "de") == set()
    assert kindred("export", "hits", "how fast does ice melt", "--min-score", "0.6", "--output", out).out[:2] == "1 "
    vectors = tmp_path / "v.npy"
    assert kindred("export", "vectors", "--in", "bread.md", "--output", vectors, "--json").json["written"] == 4
    for arguments in (
        ["sentences", "--min-score", "0.5"],
        ["sentences", "--top-k", "3"],
        ["hits", "ice", "--kind", "near"],
        ["hits", "ice", "--granularity", "2"],
        ["pairs", "--mode", "words"],
        ["marks", "--in", "bread.md"],
        ["clusters", "--unreviewed"],
        ["vectors", "--document", "bread.md"],
    ):
        answer = kindred("export", *arguments, "--output", out)
        assert (answer.status, "does not take" in answer.err) == (2, True), arguments
    assert kindred("export", "hits", "ice", "--collection", "Garden", "--output", out).status == 3
    lines = tmp_path / "lines.txt"
    lines.write_text("One.\nTwo.\n", "utf-8")
    assert kindred("pairs", "--file", lines, "--in", "bread.md").status == 2


def test_an_export_that_cannot_be_written_leaves_nothing_behind(
    kindred: Kindred, imported: Path, tmp_path: Path
) -> None:
    assert kindred("export", "sentences", "--output", tmp_path / "nowhere" / "out.jsonl").status == 3
    assert kindred("export", "sentences", "--output", tmp_path / "out.docx").status == 2
    assert not (tmp_path / "out.docx").exists()


def test_doctor_accepts_a_sound_library_and_repairs_a_broken_one(kindred: Kindred, imported: Path) -> None:
    answer = kindred("doctor", "--json")
    assert answer.status == 0
    assert answer.json["ok"] is True
    assert all(check["ok"] for check in answer.json["checks"])
    assert kindred("doctor", "--repair").status == 0


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM embedding WHERE id = 1",
        "UPDATE embedding SET vector = (SELECT vector FROM embedding WHERE id = 2) WHERE id = 1",
        "UPDATE sentence SET text = cast(x'ff' || text AS TEXT) WHERE id = 1",
    ],
)
def test_documents_that_doctor_cannot_repair_are_read_again(
    kindred: Kindred, imported: Path, tmp_path: Path, harm: str
) -> None:
    file = tmp_path / "base" / "data" / "library" / "library.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(harm)
    assert kindred("doctor").status == 3
    assert kindred("doctor", "--repair").status == 0
    assert {row["state"] for row in kindred("documents", "--json").json["documents"]} == {"ready"}
    assert kindred("doctor").status == 0


def test_a_damaged_text_is_reported_until_its_file_is_read_again(
    kindred: Kindred, imported: Path, tmp_path: Path
) -> None:
    file = tmp_path / "base" / "data" / "library" / "library.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("UPDATE sentence SET text = cast(x'6963ff65' AS TEXT) WHERE id = 1")
    assert kindred("export", "sentences", "--output", tmp_path / "all.csv").status == 3
    imported.rename(tmp_path / "away")
    answer = kindred("doctor", "--repair", "--json")
    assert (answer.status, answer.json["unread"]) == (3, [str(imported / "bread.md")])
    assert kindred("doctor").status == 3
    assert kindred("export", "sentences", "--output", tmp_path / "all.csv").status == 0
    (tmp_path / "away").rename(imported)
    assert kindred("doctor", "--repair").status == 0
    assert kindred("doctor").status == 0


def test_sentences_longer_than_the_models_limit_are_counted(kindred: Kindred, tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    file.write_text("A short one. Letters: " + "b c d e f g " * 48 + "end.\n", "utf-8")
    kindred("import", file)
    assert [row["truncated"] for row in kindred("documents", "--json").json["documents"]] == [1]


def test_export_vectors_has_a_row_for_each_line_of_export_sentences(kindred: Kindred, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "b.txt").write_text("Bread is mostly waiting.\n\nThe sea rises.\n\nThe sea rises.", "utf-8")
    (folder / "a.txt").write_text("The sea rises.\n\nSalt marshes break the waves.", "utf-8")
    kindred("import", folder)
    lines, matrix, alone = tmp_path / "all.jsonl", tmp_path / "all.npy", tmp_path / "alone.npy"
    kindred("export", "sentences", "--output", lines)
    assert kindred("export", "vectors", "--output", matrix, "--json").json["written"] == 5
    texts = [json.loads(line)["text"] for line in lines.read_text("utf-8").splitlines()]
    (tmp_path / "texts.txt").write_text("\n".join(texts), "utf-8")
    kindred("embed", tmp_path / "texts.txt", "--output", alone)
    vectors = np.load(matrix)
    assert (vectors.dtype, vectors.shape) == (np.float32, (5, 384))
    assert (vectors * np.load(alone)).sum(axis=1).min() > 0.999
    assert kindred("export", "vectors", "--output", tmp_path / "all.csv").status == 2


@needs_mount
@pytest.mark.parametrize(
    "command",
    [
        ("export", "sentences", "--output", "out.csv"),
        ("export", "hits", "bread", "--output", "out.html"),
        ("export", "vectors", "--output", "out.npy"),
    ],
)
def test_a_full_or_read_only_disk_ends_an_export_with_the_reason(
    kindred: Kindred, imported: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    with small_disk(tmp_path / "disk") as disk:
        file = disk / command[-1]
        arguments = (*command[:-1], file)
        assert kindred(*arguments).status == 0
        before = file.read_bytes()
        fill(disk, 0)
        full = kindred(*arguments)
        (disk / "filler").unlink()
        with read_only(disk):
            forbidden = kindred(*arguments)
        assert (full.status, forbidden.status) == (3, 3)
        assert "space" in full.err
        assert "Read-only file system" in forbidden.err
        assert file.read_bytes() == before
        assert list(disk.iterdir()) == [file]


@needs_mount
def test_a_library_on_a_read_only_disk_is_searched_and_backed_up_but_not_changed(
    kindred: Kindred, papers: Path, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "disk") as disk:
        library = disk / "library"
        assert kindred("import", papers, "--library", library).status == 0
        with read_only(disk):
            found = kindred("search", "bread", "--library", library, "--json")
            backup = kindred("backup", tmp_path / "backup.zip", "--library", library)
            refused = kindred("remove", "bread.md", "--library", library)
        assert found.json["hits"]
        assert backup.status == 0
        assert "Read-only file system. Check that you have permission" in refused.err
