"""`evaluate`: any model on any file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.in_process_work import in_process  # noqa: F401 - a fixture

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


def _rows(tmp_path: Path, count: int) -> Path:
    """Pairs with more or less equal words, and labels that say so."""
    things = ["cat", "dog", "river", "lamp", "ship", "horse", "garden"]
    rows = []
    for number in range(count):
        a, b, c = (things[(number * step) % 7] for step in (1, 2, 3))
        other = f"a {a} near the {c} {number}" if number % 2 else f"three words on {b}"
        rows.append(f"the {a} is near a {c} {number}\t{other}\t{number % 2}")
    file = tmp_path / f"rows-{count}.tsv"
    file.write_text("sentence1\tsentence2\tlabel\n" + "\n".join(rows), "utf-8")
    return file


def test_scores_have_intervals_and_models_a_difference(kindred, tmp_path) -> None:
    file = _rows(tmp_path, 40)
    found = kindred("evaluate", file, "--threshold", 0.6, "--beside", "all-MiniLM-L6-v2", "--json").json
    assert set(found["intervals"]) == {"accuracy", "f1", "average_precision"}
    for name, (low, high) in found["intervals"].items():
        assert 0 <= low <= found[name] <= high <= 1
    (other,) = found["beside"]
    same = other["differences"]["f1"]
    assert (same["before"], same["low"], same["high"], same["change"]) == (found["f1"], 0.0, 0.0, "unclear")
    assert found["notes"] == []
    pooled = kindred("evaluate", file, "--pooling", "cls", "--beside", "all-MiniLM-L6-v2").out
    assert re.search(r"^accuracy +\d\.\d+  \(95% interval \d\.\d+ to \d\.\d+\)$", pooled, re.MULTILINE)
    assert "all-MiniLM-L6-v2 against all-MiniLM-L6-v2:\n  accuracy " in pooled
    scores = tmp_path / "scores.json"
    kindred("evaluate", file, "--output", scores)
    assert "results" not in json.loads(scores.read_text("utf-8"))[0], "numbers of every row are for --rows"


def test_few_rows_have_no_interval(kindred, tmp_path) -> None:
    found = kindred("evaluate", _rows(tmp_path, 12), "--json").json
    assert "intervals" not in found
    assert found["remarks"][0]["code"] == "few_rows"
    assert "with fewer than 20 rows or queries, scores have no interval" in found["notes"][0]


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
    assert "largest errors" in kindred("evaluate", file, "--threshold", "1.1").out
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


def test_evaluate_says_why_it_fails(kindred, sts, tmp_path) -> None:
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
    (other,) = both["beside"]
    assert other["model"] == "all-MiniLM-L6-v2"
    assert other["spearman"] == both["spearman"]
    out = kindred("evaluate", sts, "--pooling", "cls", "--beside", "all-MiniLM-L6-v2").out
    printed = {line[:24].strip(): line[24:] for line in out.splitlines()}
    renamed = tmp_path / "renamed.tsv"
    renamed.write_bytes(sts.read_bytes())
    kept = kindred("evaluate", renamed, "--earlier", "--json").json["evaluations"]
    assert [(each["model"], each["pooling"], each["data"]) for each in kept] == [
        ("all-MiniLM-L6-v2", "cls", "sts.tsv"),
        ("all-MiniLM-L6-v2", "", "sts.tsv"),
    ]
    assert kept[1]["measures"]["spearman"] == both["spearman"]
    scores = [f"{each['measures']['spearman']['cosine']:.4f}" for each in kept]
    assert printed["spearman, cosine"].split() == scores
    assert len(printed["spearman, cosine"]) == len(printed[""])
    assert printed[""].split() == [other["model"]] * 2
    said = kindred("evaluate", sts, "--earlier").out.splitlines()
    assert [re.sub(r"^\d{4}-\d\d-\d\d \d\d:\d\d  ", "", line).split(",")[0] for line in said] == [
        f"all-MiniLM-L6-v2 (cls)  Spearman {scores[0]}",
        f"all-MiniLM-L6-v2  Spearman {scores[1]}",
    ]
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
    assert table.read_text("utf-8-sig").splitlines()[0] == "measure,all-MiniLM-L6-v2,all-MiniLM-L6-v2"
    nowhere = kindred("evaluate", file, "--output", tmp_path / "none" / "scores.csv")
    assert (nowhere.status, "does not exist" in nowhere.err) == (3, True)
    assert kindred("evaluate", file, "--output", tmp_path / "scores.txt").status == 2


def test_every_row_is_written_with_its_label_and_score(kindred, sts, tmp_path) -> None:
    file = tmp_path / "dup.tsv"
    file.write_text(
        "question1\tquestion2\tis_duplicate\n" + "\n".join(f"{a}\t{b}\t{int(score > 3.5)}" for a, b, score in SIMILAR),
        "utf-8",
    )
    table, lines = tmp_path / "rows.tsv", tmp_path / "rows.jsonl"
    measured = kindred("evaluate", file, "--threshold", "0.5", "--rows", table, "--json").json
    header, *rows = [line.split("\t") for line in table.read_text("utf-8").splitlines()]
    assert header == ["model", "line", "sentence1", "sentence2", "label", "found", "score"]
    assert [(int(row[1]), row[2], row[3]) for row in rows] == [(n + 2, a, b) for n, (a, b, _) in enumerate(SIMILAR)]
    assert [row[4] for row in rows] == ["same", "different", "same", "different"]
    assert all((float(row[6]) >= 0.5) == (row[5] == "same") for row in rows)
    assert sum(row[4] == row[5] for row in rows) / 4 == measured["accuracy"]
    kindred("evaluate", sts, "--rows", lines, "--beside", "all-MiniLM-L6-v2", "--pooling", "cls")
    found = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    assert [row["label"] for row in found[:4]] == ["0.92", "0.6", "0.84", "0.02"]
    assert [row["line"] for row in found] == [2, 3, 4, 5] * 2
    assert kindred("evaluate", file, "--rows", tmp_path / "rows.txt").status == 2
    assert kindred("evaluate", file, "--rows", file).status != 0, "it is not written over"
    both = tmp_path / "both.csv"
    (tmp_path / "folder").mkdir()
    again = tmp_path / "." / "folder" / ".." / "both.csv"
    assert kindred("evaluate", file, "--rows", both, "--output", again).status == 2
    assert not both.exists()


def test_triplets_are_measured_by_which_sentence_is_nearer(kindred, tmp_path) -> None:
    file, rows = tmp_path / "triplets.tsv", tmp_path / "rows.csv"
    anchors = [
        ("A cat sleeps.", "The cat is asleep.", "The engine needs oil."),
        ("Bees fly.", "It is noon.", "A bee flies."),
    ]
    file.write_text("anchor\tpositive\tnegative\n" + "\n".join(map("\t".join, anchors)), "utf-8")
    found = kindred("evaluate", file, "--worst", 5, "--rows", rows, "--json").json
    assert (found["task"], found["accuracy"], found["rows"]) == ("triplets", 0.5, 2)
    (wrong,) = found["worst"]
    assert (wrong["line"], wrong["a"], wrong["b"], wrong["other"]) == (3, *anchors[1])
    assert wrong["score"] < 0
    assert rows.read_text("utf-8-sig").splitlines()[0] == "model,line,anchor,positive,negative,label,found,score"
    assert "more similar: A bee flies." in kindred("evaluate", file).out


def test_pairs_are_measured_by_the_rank_of_the_partner(kindred, tmp_path) -> None:
    file = tmp_path / "pairs.tsv"
    partners = [
        ("A cat sleeps.", "The cat is asleep."),
        ("Where is the station?", "How do I get to the station?"),
        ("Bees make honey.", "Somebody asks for the way to the railway."),
        ("Honey comes from bees.", "A bee makes honey."),
        ("Who makes honey?", "A bee makes honey."),  # a repeated text counts once
    ]
    file.write_text("anchor\tpositive\n" + "\n".join(map("\t".join, partners)), "utf-8")
    found = kindred("evaluate", file, "--worst", 5, "--json").json
    assert (found["task"], found["rows"], found["accuracy@1"]) == ("pairs", 5, 0.8)
    (wrong,) = found["worst"]
    assert (wrong["line"], wrong["other"]) == (4, "A bee makes honey.")
    rank = int(wrong["found"].removeprefix("rank "))
    assert found["mrr@10"] == pytest.approx((4 + 1 / rank) / 5)
    assert 2 <= rank <= 4


def test_a_note_says_that_max_pooling_does_not_suit_cosines(kindred, sts) -> None:
    measured = kindred("evaluate", sts, "--pooling", "max", "--json")
    note, few = measured.json["notes"]
    assert "fewer than 20 rows" in few
    assert "max pooling performs poorly" in note
    assert f"note: {note}" in measured.err
    assert kindred("evaluate", sts, "--json").json["notes"] == [few]
