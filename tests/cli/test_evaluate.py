"""`evaluate`: any model on any file, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.in_process import in_process  # noqa: F401 - a fixture

pytestmark = pytest.mark.usefixtures("in_process")
SIMILAR = [
    ("A cat sleeps on the mat.", "The cat is asleep on its mat.", 4.6),
    ("A man plays the flute.", "Somebody is making music.", 3.0),
    ("The river froze last night.", "Ice covered the river overnight.", 4.2),
    ("She sells bread.", "The engine needs oil.", 0.1),
]


@pytest.fixture
def sts(tmp_path) -> Path:
    file = tmp_path / "sts.tsv"
    rows = "\n".join(f"{a}\t{b}\t{score}" for a, b, score in SIMILAR)
    file.write_text("sentence1\tsentence2\tscore\n" + rows, "utf-8")
    return file


def test_similarity_has_the_agreed_keys(kindred, sts) -> None:
    found = kindred("evaluate", sts, "--json").json
    assert set(found["spearman"]) == set(found["pearson"]) == {"cosine", "dot", "euclidean", "manhattan"}
    assert found["spearman"]["cosine"] > 0.7
    assert (found["rows"], found["task"]) == (4, "similarity")


def test_duplicates_take_a_threshold_and_list_the_worst(kindred, tmp_path) -> None:
    file = tmp_path / "dup.jsonl"
    rows = [{"question1": a, "question2": b, "is_duplicate": int(score > 4)} for a, b, score in SIMILAR]
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    best = kindred("evaluate", file, "--json").json
    assert {"accuracy", "f1", "precision", "recall", "average_precision", "threshold", "rows"} <= set(best)
    assert (best["threshold_from"], best["accuracy"], best["f1"]) == ("best", 1.0, 1.0)
    given = kindred("evaluate", file, "--threshold", "1.1", "--worst", "9", "--json").json
    assert (given["threshold_from"], given["accuracy"], given["recall"]) == ("given", 0.5, 0.0)
    assert {pair["line"] for pair in given["worst"]} == {1, 3}
    assert "judged most wrongly" in kindred("evaluate", file, "--threshold", "1.1").out
    none = kindred("evaluate", file, "--threshold", "stored")
    assert (none.status, "has no threshold of its own" in none.err.replace("This", "this")) == (3, True)


def test_retrieval_ranks_a_folder(kindred, tmp_path) -> None:
    folder = tmp_path / "collection"
    folder.mkdir()
    texts = {"1": "Bees make honey.", "2": "Ships cross the sea.", "3": "The court gave its verdict."}
    corpus = "\n".join(json.dumps({"_id": name, "title": "", "text": text}) for name, text in texts.items())
    (folder / "corpus.jsonl").write_text(corpus, "utf-8")
    (folder / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": "Where does honey come from?"}), "utf-8")
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq\t1\t1\n", "utf-8")
    found = kindred("evaluate", folder, "--json").json
    assert (found["ndcg@10"], found["recall@100"], found["mrr@10"], found["queries"]) == (1.0, 1.0, 1.0, 1)
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq\t9\t1\n", "utf-8")
    assert "line 2 names the document 9" in kindred("evaluate", folder).err


def test_what_cannot_be_evaluated_says_why(kindred, sts, tmp_path) -> None:
    wrong = kindred("evaluate", sts, "--task", "nli", "--json")
    assert (wrong.status, wrong.json["error"]["kind"]) == (2, "usage")
    (tmp_path / "nli.tsv").write_text("label\tpremise\thypothesis\nneutral\ta\tb\nentailment\tc\td\n", "utf-8")
    headless = kindred("evaluate", tmp_path / "nli.tsv")
    assert (headless.status, "no head" in headless.err) == (3, True)
    sts.write_text(sts.read_text("utf-8") + "\nA\tB\n", "utf-8")
    bad = kindred("evaluate", sts)
    assert (bad.status, "line 6 has 2 columns" in bad.err) == (3, True)


def test_models_stand_side_by_side_and_their_scores_are_kept(kindred, sts, tmp_path) -> None:
    both = kindred("evaluate", sts, "--beside", "all-MiniLM-L6-v2", "--json").json
    (beside,) = both["beside"]
    assert beside["model"] == "all-MiniLM-L6-v2"
    assert beside["spearman"] == both["spearman"]
    told = kindred("evaluate", sts, "--pooling", "cls", "--beside", "all-MiniLM-L6-v2").out
    assert "spearman, cosine" in told
    renamed = tmp_path / "renamed.tsv"
    renamed.write_bytes(sts.read_bytes())
    kept = kindred("evaluate", renamed, "--earlier", "--json").json["evaluations"]
    assert [(each["model"], each["pooling"], each["data"]) for each in kept] == [
        ("all-MiniLM-L6-v2", "cls", "sts.tsv"),
        ("all-MiniLM-L6-v2", "", "sts.tsv"),
    ]
    assert kept[1]["measures"]["spearman"] == both["spearman"]
    assert "Spearman" in kindred("evaluate", sts, "--earlier").out
    sts.write_text(sts.read_text("utf-8") + "\nA\tB\t1.0\n", "utf-8")
    assert kindred("evaluate", sts, "--earlier", "--json").json["evaluations"] == []
    assert kindred("evaluate", tmp_path / "none.tsv", "--earlier").status == 3
    assert kindred("evaluate", sts, "--beside", "nobody").status == 3


def test_scores_curves_and_worst_pairs_are_written(kindred, tmp_path) -> None:
    file = tmp_path / "dup.tsv"
    rows = "\n".join(f"{a}\t{b}\t{int(score > 3.5)}" for a, b, score in SIMILAR)
    file.write_text("question1\tquestion2\tis_duplicate\n" + rows, "utf-8")
    whole, table = tmp_path / "scores.json", tmp_path / "scores.csv"
    shown = kindred("evaluate", file, "--threshold", "1.1", "--output", whole, "--json").json
    (found,) = json.loads(whole.read_text("utf-8"))
    assert found["model"] == "all-MiniLM-L6-v2"
    assert found["measures"]["accuracy"] == shown["accuracy"]
    assert set(found["curves"]) == {"roc", "precision-recall"}
    assert len(found["curves"]["roc"]["x"]) == len(found["curves"]["roc"]["y"]) > 1
    kindred("evaluate", file, "--beside", "all-MiniLM-L6-v2", "--output", table)
    assert table.read_text("utf-8").splitlines()[0] == "measure,all-MiniLM-L6-v2,all-MiniLM-L6-v2"
    nowhere = kindred("evaluate", file, "--output", tmp_path / "none" / "scores.csv")
    assert (nowhere.status, "cannot be written" in nowhere.err) == (3, True)
    assert kindred("evaluate", file, "--output", tmp_path / "scores.txt").status == 2
