"""`train`: trained models on the command line."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop_app.core.objectives import OBJECTIVES
from desktop_app.core.query import parse_query
from desktop_app.core.training import StepReport
from desktop_app.core.training_settings import PRESETS
from desktop_app.encoder import training_process
from desktop_app.encoder.training import loop
from desktop_app.encoder.word_alignment import ALIGNMENT_FEATURES, PairWords
from desktop_app.encoder.word_judge import WordJudge
from desktop_app.encoder.word_rarity import WordRarity
from desktop_app.store.library import LocalLibrary
from tests.encoder.conftest import make_model  # noqa: F401 - a fixture
from tests.in_process_work import InProcessWork, in_process  # noqa: F401 - a fixture
from tests.steps import run_steps

QUICK = ("--epochs", 1, "--batch-size", 5, "--max-length", 16, "--validation", 0.4, "--seed", 3)
PAIRS = [
    ("A cat sleeps.", "The cat is asleep.", 1),
    ("Bees make honey.", "Honey comes from bees.", 1),
    ("The river froze.", "Ice covered the river.", 1),
    ("She sells bread.", "Bread is sold by her.", 1),
    ("A ship left the harbour.", "The engine needs oil.", 0),
    ("The court gave its verdict.", "Nobody likes rain.", 0),
    ("Snow fell in May.", "He plays the flute.", 0),
    ("A lamp burns.", "The garden is closed.", 0),
    ("The old wall fell.", "The train was late.", 0),
    ("It is noon.", "Wolves howl at night.", 0),
]


@pytest.fixture
def pairs(tmp_path) -> Path:
    file = tmp_path / "pairs.tsv"
    file.write_text("sentence1\tsentence2\tlabel\n" + "\n".join(f"{a}\t{b}\t{c}" for a, b, c in PAIRS), "utf-8")
    return file


@pytest.fixture(scope="module")
def tiny(make_model) -> Path:  # noqa: F811
    """A tiny model, which learns nothing but is quick."""
    return make_model()


def test_a_trained_model_is_reported_and_can_be_used(kindred, pairs, tiny, tmp_path, request) -> None:
    output = tmp_path / "mine"
    # In a process of its own, as always but in the other tests.
    answer = kindred("train", pairs, "--output", output, "--model", tiny, *QUICK, "--json")
    request.getfixturevalue("in_process")
    assert answer.status == 0, answer.out
    found = answer.json
    assert {"output", "epochs", "before", "after", "seconds", "steps_per_s"} <= set(found)
    assert found["output"] == str(output)
    assert [set(epoch) for epoch in found["epochs"]] == [{"epoch", "loss", "validation"}]
    measured = kindred("evaluate", pairs, "--model", output, "--json").json
    assert measured["threshold_from"] == "stored"
    assert measured["threshold"] == found["threshold"]
    compared = kindred("compare", "Bees make honey.", "Honey comes from bees.", "--model", output, "--json").json
    assert compared["label"] in ("same", "different")
    assert 0 < compared["probability"] < 1
    assert (compared["label"] == "same") == (compared["cosine"] >= found["threshold"])
    assert compared["margin"] == pytest.approx(compared["cosine"] - found["threshold"], abs=1e-6)
    kindred("evaluate", pairs, "--model", output, "--rows", tmp_path / "judged.jsonl")
    judged = [json.loads(line) for line in (tmp_path / "judged.jsonl").read_text("utf-8").splitlines()]
    assert all(row["probability_same"] + row["probability_different"] == pytest.approx(1, abs=1e-5) for row in judged)
    rows = kindred("compare", "--pairs", pairs, "--model", output).out.splitlines()
    assert rows[0].split("\t") == [
        "sentence1",
        "sentence2",
        "label",
        "cosine",
        "model_label",
        "model_probability",
        "model_margin",
    ]
    assert {row.split("\t")[4] for row in rows[1:]} <= {"same", "different"}
    again = kindred("train", pairs, "--output", output, "--model", tiny)
    assert (again.status, "already exists" in again.err) == (3, True)
    assert kindred("info", "--json").json["model"] != "mine"


def test_a_model_that_learnt_scores_from_words_says_the_score_that_it_expects(kindred, pairs, tiny, tmp_path) -> None:
    folder = tmp_path / "judging"
    shutil.copytree(tiny, folder)
    texts = [f"the lamp has {number} stones" for number in range(100)]
    scores, labels = np.linspace(0, 1, 100), np.linspace(0.2, 0.9, 100)
    words = PairWords(texts, texts, np.zeros((100, len(ALIGNMENT_FEATURES)), np.float32))
    judge, _ = run_steps(WordJudge.fit(scores, words, labels, WordRarity.count(texts, texts), "similarity"))
    judge.save(folder)
    compared = kindred("compare", "Bees make honey.", "Honey comes from bees.", "--model", folder, "--json").json
    assert (compared["label"], compared["probability"], compared["margin"]) == (None, None, None)
    assert 0.1 < compared["expected_score"] < 1
    said = kindred("compare", "Bees make honey.", "Honey comes from bees.", "--model", folder).out
    assert f"expected   {compared['expected_score']:.4f}" in said
    (header, *rows) = kindred("compare", "--pairs", pairs, "--model", folder).out.splitlines()
    assert header.split("\t")[3:] == ["cosine", "model_expected_score"]
    assert float(rows[1].split("\t")[4]) == pytest.approx(compared["expected_score"], abs=1e-4)
    lines = tmp_path / "lines.txt"
    lines.write_text("Bees make honey.\nHoney comes from bees.\n", "utf-8")
    (line,) = kindred("pairs", "--file", lines, "--model", folder).out.splitlines()
    assert line.split("\t")[3] == f"{compared['expected_score']:.4f}"


@pytest.mark.usefixtures("in_process")
def test_a_training_that_made_its_model_worse_says_so_first_and_keeps_the_start(
    kindred, pairs, tiny, tmp_path, monkeypatch
) -> None:
    # Nothing is as good as the start: its merit is that of another number of rows.
    merits = iter([0.1, 0.2] * 2)
    monkeypatch.setattr(loop, "figure_of_merit", lambda *_: next(merits))
    usual = loop.compare_results

    def worse(before: Any, after: Any) -> Any:
        return {name: replace(each, after=each.before - 0.1) for name, each in usual(before, after).items()}

    monkeypatch.setattr(loop, "compare_results", worse)
    rate = ("--learning-rate", 1e-3)
    told = kindred("train", pairs, "--output", tmp_path / "one", "--model", tiny, *QUICK, *rate)
    assert told.status == 0
    lines = told.out.splitlines()
    assert lines[0].startswith("The model scores lower than before, but 4 validation rows are too few to be sure")
    assert lines[0].endswith("The original weights are kept.")
    assert re.match(r"average precision \d\.\d+ → \d\.\d+, difference -0\.1000 \(95% interval", lines[1])
    assert lines[2] == "check:"
    assert "  validation: very few rows (4); use more, or a separate validation file" in lines
    assert "  learning rate: 0.001 is high; 6e-05 is usual for this objective" in lines
    assert any(line.startswith("after") and line.endswith("(not kept)") for line in lines)
    found = kindred("train", pairs, "--output", tmp_path / "two", "--model", tiny, *QUICK, *rate, "--json").json
    assert (found["kept"], found["best_epoch"], found["verdict_code"]) == ("initial", 0, "training_worse_unclear")
    assert found["verdict"] == lines[0]
    assert [f"  {each}" for each in found["reasons"]] == lines[3 : 3 + len(found["reasons"])]
    assert found["differences"]["average_precision"]["change"] == "unclear"
    assert any("with 4 validation rows, only a large difference shows" in each for each in found["warnings"])


@pytest.mark.usefixtures("in_process")
def test_a_model_with_free_vectors_is_searched_by_cosine_and_compared_by_its_own_numbers(
    kindred,
    pairs,
    papers,
    make_model,  # noqa: F811
    tmp_path,
) -> None:
    output, library = tmp_path / "free", ("--library", tmp_path / "library")
    normalised = make_model()
    options = ("--model", normalised, "--projection", 8, "--no-normalize", "--objective", "contrastive", *QUICK)
    assert kindred("train", pairs, "--output", output, *options).status == 0
    assert kindred("import", papers, *library, "--model", output).status == 0
    hits = kindred("search", "Bees make honey.", *library, "--mode", "meaning", "--json").json["hits"]
    assert hits
    assert all(-1.001 <= hit["score"] <= 1.001 for hit in hits)
    texts = tmp_path / "texts.txt"
    texts.write_text("Bees make honey.\nA ship left the harbour.\n", "utf-8")
    for name, raw in (("free", ("--raw",)), ("unit", ())):
        assert kindred("embed", texts, "--output", tmp_path / f"{name}.npy", "--model", output, *raw).status == 0
    u, v = np.load(tmp_path / "free.npy").astype(float)
    np.testing.assert_allclose(np.linalg.norm(np.load(tmp_path / "unit.npy"), axis=1), 1.0, atol=1e-5)
    assert abs(np.linalg.norm(u) - 1) > 0.01
    found = kindred("compare", *texts.read_text("utf-8").splitlines(), "--model", output, "--json").json
    assert found["dot"] == pytest.approx(u @ v, rel=1e-3, abs=1e-3)
    assert found["euclidean"] == pytest.approx(np.linalg.norm(u - v), rel=1e-3, abs=1e-3)
    assert found["cosine"] == pytest.approx(u @ v / np.linalg.norm(u) / np.linalg.norm(v), abs=1e-3)
    unused = ("--architecture", "cross", "--no-normalize", "--model", make_model(with_pooler=True))
    answer = kindred("train", pairs, "--output", tmp_path / "cross", *unused, *QUICK)
    assert "note: --no-normalize has no effect on this training (a cross-encoder)" in answer.err


@pytest.mark.usefixtures("in_process")
def test_train_says_why_it_fails(kindred, pairs, tiny, tmp_path) -> None:
    output = ("--output", tmp_path / "mine", "--model", tiny)
    wrong = kindred("train", pairs, *output, "--objective", "cosine", "--preset", "nli")
    assert (wrong.status, "is for softmax, not cosine" in wrong.err) == (2, True)
    fits_not = kindred("train", pairs, *output, "--preset", "nli", "--epochs", 1, "--columns", "sentence1,sentence2")
    assert (fits_not.status, "needs nli" in fits_not.err) == (3, True)
    assert kindred("train", pairs, *output, "--validation", "2").status == 2
    missing = kindred("train", tmp_path / "none.tsv", *output)
    assert (missing.status, "cannot be read" in missing.err) == (3, True)
    assert not (tmp_path / "mine").exists()


def _bytes_of(folder: Path) -> dict[str, object]:
    """Return the contents of every table of a library, and its active model."""
    with closing(sqlite3.connect(folder / "library.db")) as connection:
        names = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
        ).fetchall()
        return {name: connection.execute(f'SELECT * FROM "{name}"').fetchall() for name, _ in names}


@pytest.mark.usefixtures("in_process")
def test_a_failed_training_or_evaluation_leaves_the_library_as_it_was(kindred, papers, pairs, tiny, tmp_path) -> None:
    library = tmp_path / "library"
    in_library = ("--library", library)
    assert kindred("import", papers, *in_library, "--model", tiny).status == 0
    before = _bytes_of(library)
    equal, alike = tmp_path / "equal.tsv", tmp_path / "alike.tsv"
    equal.write_text("sentence1\tsentence2\tscore\n" + "\n".join(f"{a}\t{b}\t3" for a, b, _ in PAIRS), "utf-8")
    alike.write_text("sentence1\tsentence2\tlabel\n" + "\n".join(f"{a}\t{b}\t1" for a, b, _ in PAIRS), "utf-8")
    output = ("--output", tmp_path / "mine", "--model", tiny, *in_library)
    for command, why in [
        (("train", pairs, *output, *QUICK, "--learning-rate", "1e30"), "nothing was saved"),
        (("train", equal, *output, *QUICK), "scores of"),
        (("train", alike, *output, *QUICK), "At least two classes"),
        (("evaluate", alike, "--model", tiny, *in_library), "are 'same'"),
        (("evaluate", equal, "--model", tiny, *in_library), "are equal"),
    ]:
        failed = kindred(*command)
        assert (failed.status, why in failed.err) == (3, True), failed.err
    assert _bytes_of(library) == before
    assert not list(tmp_path.glob("mine*"))


@pytest.mark.usefixtures("in_process")
def test_an_exploding_loss_is_reported_with_a_hint_and_leaves_nothing(kindred, pairs, tiny, tmp_path) -> None:
    output = tmp_path / "mine"
    answer = kindred("train", pairs, "--output", output, "--model", tiny, *QUICK, "--learning-rate", "1e30")
    assert (answer.status, "nothing was saved" in answer.err, "smaller --learning-rate" in answer.err) == (
        3,
        True,
        True,
    )
    assert not list(tmp_path.glob("mine*"))


@pytest.mark.usefixtures("in_process")
def test_options_without_effect_are_reported(kindred, pairs, tiny, tmp_path) -> None:
    asked = ("--objective", "contrastive", "--class-weight", 2, "--margin", 0.4, "--pooling", "mean", "--patience", 0)
    ignored = ("--order", 0.5, "--runs", 2, "--validation", 0)
    answer = kindred("train", pairs, "--output", tmp_path / "mine", "--model", tiny, *QUICK, *asked, *ignored)
    assert answer.status == 0
    assert "note: --class-weight has no effect on this training (contrastive)" in answer.err
    assert "note: --order has no effect on this training (contrastive)" in answer.err
    assert answer.err.count("has no effect") == 2
    assert "averaged: the weights of 2 of 2 runs" in answer.out
    cross = ("--architecture", "cross", "--mining", "hard", "--projection", 8)
    answer = kindred("train", pairs, "--output", tmp_path / "other", "--model", tiny, *QUICK, *cross)
    assert "--mining has no effect on this training (a cross-encoder)" in answer.err
    assert "--projection has no effect" in answer.err
    for wrong, why in [
        (("--objective", "contrastive", "--mining", "semi-hard"), "contrastive does not support --mining semi-hard"),
        (("--objective", "ranking", "--mining", "hard"), "It supports none or library."),
        (("--seed", -1), "'-1' is not a whole number"),
    ]:
        refused = kindred("train", pairs, "--output", tmp_path / "third", "--model", tiny, *wrong)
        assert (refused.status, why in refused.err) == (2, True), refused.err


@pytest.mark.usefixtures("in_process")
def test_a_cross_encoder_is_trained_measured_and_orders_hits(kindred, pairs, papers, tiny, tmp_path) -> None:
    judge = tmp_path / "judge"
    answer = kindred("train", pairs, "--output", judge, "--architecture", "cross", "--model", tiny, *QUICK, "--json")
    assert answer.status == 0, answer.err
    measured = kindred("evaluate", pairs, "--model", judge, "--architecture", "cross", "--json").json
    assert {"accuracy", "average_precision", "pairs_per_s", "all_pairs_10000_s"} <= set(measured)
    assert kindred("import", papers, "--model", tiny).status == 0
    plain = kindred("search", "how fast does the ice melt", "--top-k", 3, "--json").json["hits"]
    found = kindred("search", "how fast does the ice melt", "--top-k", 3, "--rerank", judge, "--json").json["hits"]
    scores = [hit["rerank_score"] for hit in found]
    assert scores == sorted(scores, reverse=True)
    assert [hit["rank"] for hit in found] == [1, 2, 3]
    by_id = {hit["sentence_id"]: hit["score"] for hit in plain}
    assert all(hit["score"] == by_id.get(hit["sentence_id"], hit["score"]) for hit in found)
    # In the list of models it has a name, and the library cannot be switched to it.
    added = kindred("models", "add", judge, "--json").json["added"]
    assert (added["name"], added["architecture"]) == ("judge", "cross")
    assert "cross-encoder" in kindred("models").out
    named = kindred("search", "how fast does the ice melt", "--top-k", 3, "--rerank", "judge", "--json").json["hits"]
    assert [hit["sentence_id"] for hit in named] == [hit["sentence_id"] for hit in found]
    # The gain is measured on a retrieval set.
    (tmp_path / "set").mkdir()
    corpus = [{"_id": str(at), "title": "", "text": hit["text"]} for at, hit in enumerate(found)]
    (tmp_path / "set" / "corpus.jsonl").write_text("\n".join(map(json.dumps, corpus)), "utf-8")
    (tmp_path / "set" / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": "how fast does the ice melt"}))
    (tmp_path / "set" / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq\t2\t1\n")
    gain = kindred("evaluate", tmp_path / "set", "--rerank", "judge", "--model", tiny, "--json").json
    place = sorted((hit["score"] for hit in found), reverse=True).index(found[2]["score"])
    assert gain["mrr@10"] == pytest.approx(1 / (place + 1))
    assert gain["reranked"] == {"ndcg@10": pytest.approx(0.5), "recall@100": 1.0, "mrr@10": pytest.approx(1 / 3)}
    assert (
        "reranked           ndcg@10 0.5000"
        in kindred("evaluate", tmp_path / "set", "--rerank", "judge", "--model", tiny).out
    )
    assert kindred("evaluate", pairs, "--rerank", "judge").status == 2
    refused = kindred("models", "use", "judge")
    assert (refused.status, "gives no vectors" in refused.err) == (3, True)
    wrong = kindred("search", "ice", "--rerank", tmp_path / "none")
    assert wrong.status == 3


@pytest.mark.usefixtures("in_process")
def test_one_training_follows_another_and_is_compared_with_it_alone(kindred, pairs, tiny, tmp_path) -> None:
    output, scores = tmp_path / "both", tmp_path / "scores.tsv"
    rows = "\n".join(
        f"{a}\t{b}\t{5 * label - number * 0.1 * (2 * label - 1):.1f}" for number, (a, b, label) in enumerate(PAIRS)
    )
    scores.write_text("sentence1\tsentence2\tscore\n" + rows, "utf-8")
    options = ("--model", tiny, *QUICK)
    answer = kindred("train", pairs, "--then", scores, "--alone", "--output", output, *options, "--json")
    assert answer.status == 0, answer.err
    found = answer.json
    assert [stage["after"].get("rows") for stage in found["stages"]] == [4, 4]
    assert "accuracy" in found["stages"][0]["after"]
    assert found["after"] == found["stages"][1]["after"]
    assert set(found["compared"]) == {"untrained", "last stage alone", "first stages alone", "all stages"}
    assert found["compared"]["all stages"]["spearman"]["cosine"] == found["after"]["spearman"]["cosine"]
    # The second stage began where the first one ended.
    assert found["compared"]["first stages alone"] != found["compared"]["untrained"]
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("both")) == ["both"]
    assert kindred("train", pairs, "--alone", "--output", tmp_path / "x").status == 2


@pytest.mark.usefixtures("in_process")
def test_negatives_are_taken_out_of_the_library(kindred, papers, tiny, tmp_path) -> None:
    rows = tmp_path / "rows.tsv"
    partners = [(a, b) for a, b, same in PAIRS if same] + [("How fast does ice melt?", "The speed at which ice melts.")]
    rows.write_text("anchor\tpositive\n" + "\n".join(f"{a}\t{b}" for a, b in partners), "utf-8")
    output = tmp_path / "mined"
    options = ("--mining", "library", *QUICK, "--validation", 0, "--model", tiny)
    assert kindred("train", rows, "--output", output, *options).status == 3  # there is no library
    assert kindred("import", papers, "--model", tiny).status == 0
    answer = kindred("train", rows, "--output", output, *options, "--json")
    assert answer.status == 0, answer.err
    assert 4 <= answer.json["rows"] <= len(partners)  # to a model that knows nothing all may be equally near
    refused = kindred("train", rows, "--output", tmp_path / "x", *options, "--objective", "contrastive")
    assert (refused.status, "work with triplet and ranking" in refused.err) == (2, True)


@pytest.mark.usefixtures("in_process")
def test_judged_hits_are_exported_and_can_be_trained_on(kindred, tiny, tmp_path) -> None:
    texts = [text for pair in PAIRS for text in pair[:2]]
    (tmp_path / "texts.txt").write_text("\n\n".join(texts), "utf-8")
    library = tmp_path / "library"
    kindred("import", tmp_path / "texts.txt", "--library", library, "--model", tiny)
    with LocalLibrary.open(library) as opened:
        for query, text, label in PAIRS:
            (near,) = opened.keyword_search.find_sentences(parse_query(f'"{text.rstrip(".")}"').keyword_query, 1)
            opened.user_data.judge(f"{query} type:text", near.sentence_id, is_relevant=bool(label))
    file = tmp_path / "mine.tsv"
    assert "10 pairs" in kindred("export", "marks", "--output", file, "--library", library).out
    header, *rows = file.read_text("utf-8").splitlines()
    assert header.split("\t") == ["sentence1", "sentence2", "label"]
    assert rows == [f"{query}\t{text}\t{label}" for query, text, label in PAIRS], "without the header and labels"
    output = tmp_path / "mine"
    trained = kindred("train", "marks:", "--output", output, "--model", tiny, *QUICK, "--library", library, "--json")
    assert trained.status == 0, trained.err
    # As their preset says, which a file of the same rows has not by itself.
    used = {**asdict(PRESETS["marks"]), "epochs": 1, "batch_size": 5, "max_length": 16, "validation": 0.4, "seed": 3}
    kept = json.loads((output / "kindred.json").read_text("utf-8"))["settings"]
    assert {name: kept[name] for name in used} == used
    by_file = kindred("evaluate", file, "--model", output, "--json").json
    by_marks = kindred("evaluate", "marks:", "--model", output, "--library", library, "--json").json
    timed = ("pairs_per_s", "all_pairs_10000_s")
    assert {k: v for k, v in by_marks.items() if k not in timed} == {k: v for k, v in by_file.items() if k not in timed}
    assert by_file["rows"] == len(PAIRS)


@pytest.mark.usefixtures("in_process")
def test_the_preview_describes_the_data_without_training(kindred, pairs, tmp_path) -> None:
    found = kindred("train", pairs, "--preview", "--json").json["files"][0]
    assert (found["kind"], found["rows"], found["labels"]) == ("duplicates", 10, {"different": 6, "same": 4})
    assert (found["repeated"], found["contradicting"]) == (0, 0)
    out = kindred("train", pairs, "--preview").out
    assert "different 6, same 4" in out
    assert "binary" in out
    bad = tmp_path / "bad.tsv"
    bad.write_text("sentence1\tsentence2\tlabel\na\t\t1\n", "utf-8")
    assert "line 2 has no text" in kindred("train", bad, "--preview").err
    missing = kindred("train", pairs)
    assert (missing.status, "--output is missing" in missing.err) == (2, True)


def test_the_help_says_what_each_preset_and_objective_is(kindred, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    objectives = kindred("train", "--help").out.partition("objectives (")[2].partition("presets:")[0]
    told_of = [line.split() for line in objectives.splitlines()[1:] if line.strip()]
    assert [words[0] for words in told_of] == list(OBJECTIVES)
    assert all(len(words) > 8 for words in told_of)
    presets = kindred("train", "--help").out.partition("presets:")[2].partition("\nFor the options")[0]
    assert [line.split()[0] for line in presets.splitlines() if line.strip()] == list(PRESETS)
    rows = {line.split()[0]: line for line in presets.splitlines() if line.strip()}
    assert rows["triplet"].endswith("mining semi-hard, batch-size 64, learning-rate 5e-05, averaging 0.5, epochs 2")
    assert "pooling cls, class-weight 2" in rows["binary-2"]


@pytest.mark.usefixtures("in_process")
def test_a_checkpoint_that_cannot_be_written_is_reported_once_during_the_run(
    kindred, pairs, tiny, tmp_path, monkeypatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("desktop_app.encoder.training.loop.save_checkpoint", full)
    answer = kindred("train", pairs, "--output", tmp_path / "mine", "--model", tiny, *QUICK, "--epochs", 2)
    assert answer.status == 0
    lines = answer.err.splitlines()
    (place,) = [number for number, line in enumerate(lines) if "free some disk space before it ends" in line]
    assert lines[place].startswith("note: a checkpoint could not be written (No space left on device)")
    assert any(line.startswith("epoch 2") for line in lines[place:])
    assert (tmp_path / "mine" / "model.safetensors").is_file()


@pytest.fixture
def stop_after(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Press Ctrl-C when so many steps of a training have been reported, of all its stages; 0: never."""

    def prepare(steps: int) -> None:
        seen = 0

        class Stopped(InProcessWork):
            is_pressed = False

            def poll(self) -> Any:
                nonlocal seen
                if self.is_pressed and not self._is_cancelled:
                    return None  # until the command has seen it
                report = super().poll()
                self.is_pressed = False
                if isinstance(report, StepReport):
                    seen += 1
                    if seen == steps:
                        self.is_pressed = True
                        os.kill(os.getpid(), signal.SIGINT)
                return report

        monkeypatch.setattr(training_process, "WorkProcess", Stopped)

    return prepare


def test_ctrl_c_keeps_a_checkpoint_and_resume_goes_on_to_the_same_end(
    kindred, pairs, tiny, tmp_path, stop_after
) -> None:
    options = ("--model", tiny, *QUICK, "--epochs", 3)
    stop_after(0)
    whole = kindred("train", pairs, "--output", tmp_path / "whole", *options, "--json").json
    output = tmp_path / "mine"
    train = ("train", pairs, "--output", output, *options)
    stop_after(3)
    stopped = kindred(*train)
    assert (stopped.status, stopped.out) == (130, "")
    hint = f"The checkpoint next to {output} is kept; run the same command with --resume to continue."
    assert stopped.err.splitlines()[-1] == f"kindred: Stopped. {hint}"
    assert not output.exists()
    stop_after(1)
    again = kindred(*train, "--resume", "--json")
    error = {"kind": "stopped", "code": "stopped", "message": "Stopped", "hint": hint}
    assert (again.status, again.json["error"]) == (130, error)
    assert "note: resumed at step 3" in again.err
    stop_after(0)
    done = kindred(*train, "--resume", "--json")
    assert "note: resumed at step 4" in done.err
    assert done.json["resumed_at"] == 4
    same = ("epochs", "before", "after", "best_epoch", "threshold")
    assert {name: done.json[name] for name in same} == {name: whole[name] for name in same}
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("mine")] == ["mine"]


def test_the_use_of_a_checkpoint_is_reported_before_the_first_step(kindred, pairs, tiny, tmp_path, stop_after) -> None:
    train = ("train", pairs, "--output", tmp_path / "mine", "--model", tiny, *QUICK, "--batch-size", 64)
    stop_after(1)
    assert kindred(*train).status == 130
    stop_after(0)
    again = kindred(*train)
    lines = again.err.splitlines()
    (replaced,) = [at for at, line in enumerate(lines) if "replaces the checkpoint of an earlier run" in line]
    (batch,) = [at for at, line in enumerate(lines) if "larger than the" in line]
    (epoch,) = [at for at, line in enumerate(lines) if line.startswith("epoch 1")]
    assert max(replaced, batch) < epoch
    fresh = kindred("train", pairs, "--output", tmp_path / "fresh", "--model", tiny, *QUICK, "--resume")
    assert fresh.status == 0
    assert fresh.err.count("there is no checkpoint to resume from") == 1


def test_before_the_first_step_nothing_remains(kindred, pairs, tiny, tmp_path, monkeypatch) -> None:
    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("desktop_app.core.jobs.Job.wait", interrupted)
    answer = kindred("train", pairs, "--output", tmp_path / "mine", "--model", tiny, "--preset", "duplicates")
    assert answer.status == 130
    assert answer.err == "kindred: Stopped. No step was completed, so there is no checkpoint to resume from.\n"


def test_resumed_stages_are_compared_like_uninterrupted_ones(kindred, pairs, tiny, tmp_path, stop_after) -> None:
    options = ("--then", pairs, "--alone", "--model", tiny, *QUICK)
    stop_after(0)
    whole = kindred("train", pairs, *options, "--output", tmp_path / "whole", "--json").json
    steps = sum(2 for _ in ("alone", "first", "second"))  # six rows in batches of five, one epoch each
    train = ("train", pairs, *options, "--output", tmp_path / "mine")
    stop_after(steps - 1)  # in the second stage: the first one and the last alone are done
    assert kindred(*train).status == 130
    stop_after(0)
    refused = kindred(*train)
    assert (refused.status, "was trained by an earlier run" in refused.err) == (3, True)
    done = kindred(*train, "--resume", "--json")
    assert done.status == 0, done.err
    assert "no checkpoint" not in done.err
    assert done.json["compared"] == whole["compared"]
    assert [stage["after"] for stage in done.json["stages"]] == [stage["after"] for stage in whole["stages"]]
    assert done.json["alone"]["epochs"] == whole["alone"]["epochs"]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("mine")] == ["mine"]


class Terminal(io.StringIO):
    """Standard error, as of a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.usefixtures("in_process")
def test_a_terminal_shows_steps_loss_and_time_left(kindred, pairs, tiny, tmp_path, monkeypatch) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("desktop_app.cli.output._SHOW_EVERY_S", 0.0)
    assert kindred("train", pairs, "--output", tmp_path / "mine", "--model", tiny, *QUICK).status == 0
    shown = screen.getvalue().split("\r")
    (last,) = [line for line in shown if "2 of 2 steps" in line]
    assert re.search(r"Training  \[#{20}\]  2 of 2 steps .* epoch 1  loss \d\.\d{4}  [\d.]+ steps/s", last)
    assert any("about" in line and "1 of 2 steps" in line for line in shown)
    # Other messages in between have their own line.
    assert any(line.startswith("epoch 1: loss") for line in shown)
    screen.truncate(0)
    kindred("train", pairs, "--output", tmp_path / "quiet", "--model", tiny, *QUICK, "--quiet")
    assert "steps" not in screen.getvalue()
