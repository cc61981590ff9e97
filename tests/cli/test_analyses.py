"""What commands say of a library as a whole."""

from __future__ import annotations

from pathlib import Path

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
    told = kindred("pairs", "--min-score", "0.6").out
    assert "1.000  exact" in told
    assert "near  [numbers]" in told
    assert kindred("pairs", "--kind", "paraphrase", "--min-score", "1").out == "Nothing is said twice.\n"


def test_pairs_of_an_empty_library(kindred: Kindred) -> None:
    assert kindred("pairs", "--json").json["pairs"] == []


def test_pairs_of_a_file_by_kind(kindred: Kindred, tmp_path: Path) -> None:
    file = tmp_path / "sentences.txt"
    file.write_text("It rains.\nIt rains!\nA dog barks.\nIt is raining.\n", "utf-8")
    pairs = kindred("pairs", "--file", file, "--kind", "paraphrase", "--top-k", "1", "--json").json["pairs"]
    assert [(pair["kind"], pair["badges"], pair["b"]["text"]) for pair in pairs] == [
        ("paraphrase", [], "It is raining.")
    ]
    assert kindred("pairs", "--file", file, "--anywhere").status == 2
