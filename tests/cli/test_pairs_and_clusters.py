"""`pairs`, `clusters`, `keys` and their exports."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from tests.core.workbook import read_workbook

from .conftest import Kindred


def test_pairs_of_a_library(kindred: Kindred, papers: Path) -> None:
    (papers / "more.txt").write_text("The sea level has risen by thirty centimetres since 1900.", "utf-8")
    kindred("import", papers)
    answer = kindred("pairs", "--min-score", "0.6", "--json")
    assert answer.status == 0
    assert answer.json["seconds"] > 0
    same, near = answer.json["pairs"]
    assert (same["score"], same["kind"], same["badges"], same["folded"]) == (1.0, "exact", [], 0)
    assert same["a"]["text"] == same["b"]["text"] == "Nobody knows how fast the ice will melt."
    assert {Path(same[side]["path"]).name for side in "ab"} == {"sea.txt", "bread.md"}
    assert (near["kind"], near["badges"]) == ("near", ["numbers"])
    assert {near[side]["document_id"] for side in "ab"} == {near["a"]["document_id"], near["b"]["document_id"]}
    only = kindred("pairs", "--kind", "near", "--top-k", "1", "--anywhere", "--json").json["pairs"]
    assert [(pair["a"]["text"], pair["b"]["text"]) for pair in only] == [(near["a"]["text"], near["b"]["text"])]
    out = kindred("pairs", "--min-score", "0.6").out
    assert "1.000  exact" in out
    assert "near  [numbers]" in out
    assert kindred("pairs", "--kind", "paraphrase", "--min-score", "1").out == "No duplicates found.\n"


def test_places_in_files_of_the_same_name_are_told_apart(kindred: Kindred, tmp_path: Path) -> None:
    files = [tmp_path / year / "report.txt" for year in ("2022", "2023")]
    for file in files:
        file.parent.mkdir()
        file.write_text(f"The committee met in May.\n\nThis is the report of {file.parent.name}.", "utf-8")
        kindred("import", file)
    for out in (kindred("pairs", "--kind", "exact").out, kindred("search", "the report of the year").out):
        assert all(f"({file})" in out for file in files)


def test_dissimilar_pairs_are_listed_on_request_only(kindred: Kindred, papers: Path, tmp_path: Path) -> None:
    kindred("import", papers)
    listed = kindred("pairs", "--json").json["pairs"]
    assert listed
    assert all(pair["score"] >= 0.5 for pair in listed)
    everything = kindred("pairs", "--min-score", "-1", "--json").json["pairs"]
    assert {pair["kind"] for pair in everything} > {"unrelated"}
    assert [pair for pair in everything if pair["score"] >= 0.5] == listed
    assert {pair["kind"] for pair in kindred("pairs", "--kind", "unrelated", "--json").json["pairs"]} == {"unrelated"}
    written = kindred("export", "pairs", "--output", tmp_path / "pairs.jsonl", "--json").json["written"]
    assert written == len(listed)


def test_pairs_are_exported(kindred: Kindred, papers: Path, tmp_path: Path) -> None:
    (papers / "more.txt").write_text("The sea level has risen by thirty centimetres since 1900.", "utf-8")
    kindred("import", papers)
    listed = kindred("pairs", "--min-score", "0.6", "--json").json["pairs"]
    out = tmp_path / "pairs.jsonl"
    assert kindred("export", "pairs", "--min-score", "0.6", "--output", out, "--json").json["written"] == 2
    assert [json.loads(line) for line in out.read_text("utf-8").splitlines()] == listed
    assert listed[1]["percentile"] is None
    assert (listed[1]["reviewed"], listed[1]["same"]) == (False, None)
    near = tmp_path / "near.csv"
    assert (
        "top 1; for more, use --top-k"
        in kindred("export", "pairs", "--kind", "near", "--top-k", "1", "--output", near).err
    )
    with near.open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["kind"], row["badges"], row["text_a"]) == ("near", "numbers", listed[1]["a"]["text"])
    page = tmp_path / "pairs.md"
    few = kindred("export", "pairs", "--min-score", "0.6", "--max-score", "0.999", "--output", page)
    assert "--top-k" not in few.err
    assert page.read_text("utf-8").count("\n> ") == 4
    assert "near, differs in numbers" in page.read_text("utf-8")
    assert kindred("export", "pairs", "--output", tmp_path / "pairs.txt").status == 2
    assert kindred("export", "pairs", "query", "--output", page).status == 2
    sea = kindred("pairs", "--document", "more.txt", "--min-score", "0.6", "--json").json["pairs"]
    assert [pair["kind"] for pair in sea] == ["near"]
    assert kindred("pairs", "--document", "nothing.txt").status == 3
    assert len(kindred("pairs", "--unreviewed", "--min-score", "0.6", "--json").json["pairs"]) == 2


def test_a_list_of_pairs_that_may_go_on_says_so(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    file = tmp_path / "sentences.txt"
    file.write_text("It rains.\nIt rains!\nA dog barks.\n", "utf-8")
    for arguments in (("pairs",), ("pairs", "--file", file)):
        assert "These are the top 1; for more, use --top-k." in kindred(*arguments, "--top-k", "1").err
        assert "the top" not in kindred(*arguments).err


def test_no_marks_are_labelled_data_without_rows(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    out = tmp_path / "marks.tsv"
    assert "0 pairs" in kindred("export", "marks", "--output", out).out
    assert out.read_text("utf-8") == "sentence1\tsentence2\tlabel\n"
    assert kindred("export", "marks", "--output", tmp_path / "marks.md").status == 2


def test_the_output_for_an_empty_library(kindred: Kindred, tmp_path: Path) -> None:
    assert kindred("pairs", "--json").json["pairs"] == []
    assert kindred("pairs").out == "No duplicates found.\n"
    found = kindred("clusters", "--json").json
    assert (found["clusters"], found["unclustered"]) == ([], [])
    assert kindred("clusters").out.startswith("0 topics, 0 sentences without a topic, granularity ")
    for what, message in (("clusters", "0 sentences"), ("pairs", "0 pairs"), ("sentences", "0 sentences")):
        out = tmp_path / f"{what}.jsonl"
        answer = kindred("export", what, "--output", out)
        assert (answer.status, message in answer.out, out.read_text("utf-8")) == (0, True, ""), what
    assert kindred("keys", "--query", "ice").out == "There are no sentences here.\n"
    for arguments in (("keys", "a.txt"), ("diff", "a.txt", "b.txt"), ("pairs", "--in", "a.txt")):
        answer = kindred(*arguments)
        assert (answer.status, "a.txt" in answer.err) == (3, True), arguments


def test_pairs_of_a_file_by_kind(kindred: Kindred, tmp_path: Path) -> None:
    file = tmp_path / "sentences.txt"
    file.write_text("It rains.\nIt rains!\nA dog barks.\nIt is raining.\n", "utf-8")
    pairs = kindred("pairs", "--file", file, "--kind", "paraphrase", "--top-k", "1", "--json").json["pairs"]
    assert [(pair["kind"], pair["badges"], pair["b"]["text"]) for pair in pairs] == [
        ("paraphrase", [], "It is raining.")
    ]
    assert kindred("pairs", "--file", file, "--anywhere").status == 2


def test_empty_lines_of_a_file_are_in_no_pair_and_counted(kindred: Kindred, tmp_path: Path) -> None:
    file = tmp_path / "sentences.txt"
    file.write_text("It rains.\n\n  \n\nIt rains!\n", "utf-8")
    answer = kindred("pairs", "--file", file, "--json")
    assert answer.err == ""
    assert [(pair["a"]["line"], pair["b"]["line"]) for pair in answer.json["pairs"]] == [(1, 5)]


def test_pairs_of_a_file_by_another_model_than_the_library_s(
    kindred: Kindred, tmp_path: Path, other_model: Path
) -> None:
    file = tmp_path / "sentences.txt"
    file.write_text("It rains.\nIt rains!\n", "utf-8")
    kindred("import", file)
    assert len(kindred("pairs", "--file", file, "--model", other_model, "--json").json["pairs"]) == 1


def test_clusters_and_keys(kindred: Kindred, tmp_path: Path) -> None:
    file = tmp_path / "talk.txt"
    ice = ["The glacier is melting.", "Ice melts in the warm sea.", "The glacier loses its ice.", "Arctic ice melts."]
    bread = ["Bake the bread in the oven.", "The dough needs yeast.", "Knead the bread dough.", "Bread needs an oven."]
    file.write_text("\n\n".join(ice + bread), "utf-8")
    kindred("import", file)
    found = kindred("clusters", "--min-size", "3", "--json").json
    assert {cluster["size"] for cluster in found["clusters"]} == {4}
    assert found["unclustered"] == []
    assert found["granularity"] > 0
    assert {"ice", "bread"} <= {word for cluster in found["clusters"] for word in cluster["keywords"]}
    assert found["clusters"][0]["key_sentences"][0]["path"] == str(file)
    again = kindred("clusters", "--min-size", "3", "--json", "--in", file).json
    assert [cluster["sentence_ids"] for cluster in again["clusters"]] == [
        cluster["sentence_ids"] for cluster in found["clusters"]
    ]
    assert "2 topics, 0 sentences without a topic" in kindred("clusters", "--min-size", "3").out
    keys = kindred("keys", file.name, "--top-k", "2", "--json").json["sentences"]
    assert len(keys) == 2
    assert keys[0]["start"] < keys[1]["start"]
    said = kindred("keys", file.name, "--top-k", "2").out.splitlines()
    assert said[::2] == [f"{hit['score']:.3f}  {hit['text']}" for hit in keys]
    assert all(file.name in line for line in said[1::2])
    assert "cannot search by meaning" in kindred("keys", "--query", "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ").err
    assert kindred("keys", "nothing.txt").status == 3
    (tmp_path / "late.txt").write_text("Nobody has ever paid that invoice.", "utf-8")
    kindred("import", tmp_path / "late.txt")
    kindred("collections", "add", "Talks", file.name)
    of_talks = kindred("keys", "--collection", "Talks", "--top-k", "2", "--json").json["sentences"]
    assert [hit["text"] for hit in of_talks] == [hit["text"] for hit in keys]
    answering = kindred("keys", "--query", "ice melts in the sea", "--top-k", "8", "--json").json
    assert {hit["text"] for hit in answering["sentences"]} <= set(ice), "not filled up with what does not answer it"
    assert answering["total"] >= len(answering["sentences"]) > 1
    said = kindred("keys", "--query", "ice melts in the sea", "--top-k", "8").out.splitlines()[-1]
    assert said.startswith(f"{answering['total']} sentences found close to the query")
    of_ice = kindred("keys", "--query", '"ice"', "--top-k", "9", "--json").json["sentences"]
    assert of_ice
    assert "Bake the bread in the oven." not in {hit["text"] for hit in of_ice}
    assert kindred("keys", "--query", '"ice"', "late.txt").out == "There are no sentences here.\n"
    assert kindred("keys").status == 2
    assert kindred("keys", "late.txt", "--collection", "Talks").status == 2
    assert kindred("keys", "--collection", "Walks").status == 3
    assert kindred("clusters", "--granularity", "0").status == 2
    assert kindred("clusters", "--in", "nothing.txt").status == 3


def test_export_clusters(kindred: Kindred, tmp_path: Path) -> None:
    file = tmp_path / "talk.txt"
    ice = ["The glacier is melting.", "Ice melts in the warm sea.", "The glacier loses its ice.", "Arctic ice melts."]
    bread = ["Bake the bread in the oven.", "The dough needs yeast.", "Knead the bread dough.", "Bread needs an oven."]
    file.write_text("\n\n".join([*ice, *bread, "Nobody has *ever* paid that invoice."]), "utf-8")
    kindred("import", file)
    found = kindred("clusters", "--min-size", "3", "--json").json
    rows_file = tmp_path / "themes.jsonl"
    result = kindred("export", "clusters", "--output", rows_file, "--min-size", "3", "--json").json
    rows = [json.loads(line) for line in rows_file.read_text("utf-8").splitlines()]
    assert result["written"] == len(rows) == 9
    for cluster in found["clusters"]:
        own = [row for row in rows if row["cluster_id"] == cluster["id"]]
        assert [row["sentence_id"] for row in own] == cluster["sentence_ids"]
        assert {row["cluster"] for row in own} == {cluster["name"]}
        keys = [hit["sentence_id"] for hit in cluster["key_sentences"]]
        assert [row["sentence_id"] for row in own if row["is_key"]] == keys
    assert [row["sentence_id"] for row in rows if row["cluster_id"] is None] == found["unclustered"]
    table = tmp_path / "themes.csv"
    kindred("export", "clusters", "--output", table, "--min-size", "3")
    with table.open(encoding="utf-8", newline="") as lines:
        assert [row["text"] for row in csv.DictReader(lines)] == [row["text"] for row in rows]
    page = tmp_path / "themes.md"
    assert "9 sentences written to" in kindred("export", "clusters", "--output", page, "--min-size", "3").out
    text = page.read_text("utf-8")
    assert text.count("\n## ") + text.startswith("## ") == 2 + bool(found["unclustered"])
    assert "Nobody has \\*ever\\* paid that invoice." in text
    assert kindred("export", "clusters", "--output", tmp_path / "themes.xlsx", "--min-size", "3").status == 0
    assert len(read_workbook(tmp_path / "themes.xlsx")) == 1 + 9
    assert kindred("export", "clusters", "--output", tmp_path / "themes.ods").status == 2


def test_exported_topics_of_a_part_show_the_places_there(kindred: Kindred, tmp_path: Path) -> None:
    text = "\n\n".join(["The glacier is melting.", "Ice melts in the warm sea.", "The glacier loses its ice."])
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"{text}\n\nThis is only in {name}.", "utf-8")
    kindred("import", tmp_path / "a.txt", tmp_path / "b.txt")
    rows = tmp_path / "topics.jsonl"
    kindred("export", "clusters", "--in", tmp_path / "b.txt", "--min-size", "2", "--output", rows)
    assert {Path(json.loads(line)["path"]).name for line in rows.read_text("utf-8").splitlines()} == {"b.txt"}


def test_repeated_passages(kindred: Kindred, papers: Path, tmp_path: Path) -> None:
    (papers / "copy.txt").write_text(
        "This one is new.\n\nThe sea level has risen by twenty centimetres since 1900. Warm water takes more room than "
        "cold water. Something was put in between. Coastal towns will have to adapt their drains and their roads.\n",
        "utf-8",
    )
    kindred("import", papers)
    answer = kindred("pairs", "--passages", "--json").json
    assert answer["total"] == 1
    (passage,) = answer["passages"]
    assert {Path(place["path"]).name for place in passage["places"]} == {"sea.txt", "copy.txt"}
    for place in passage["places"]:
        assert place["sentences"][0]["text"].startswith("The sea level")
        assert place["sentences"][-1]["text"].startswith("Coastal towns")
    assert 0.8 < passage["overlap"] < 1
    out = kindred("pairs", "--passages").out
    assert "sentences in 2 places" in out
    assert "begins: The sea level" in out
    assert "Something was put in between." in out
    assert kindred("pairs", "--passages", "--within-document").out == "No repeated passages found.\n"
    assert kindred("pairs", "--passages", "--min-sentences", "5", "--json").json["passages"] == []
    report = tmp_path / "passages.html"
    assert kindred("export", "passages", "--output", report, "--json").json["written"] == 1
    assert "<mark>" in report.read_text("utf-8")
    for wrong in (
        ("pairs", "--passages", "--kind", "near"),
        ("pairs", "--passages", "--file", report),
        ("pairs", "--min-sentences", "3"),
        ("export", "pairs", "--min-sentences", "3", "--output", tmp_path / "p.csv"),
    ):
        assert kindred(*wrong).status == 2, wrong
