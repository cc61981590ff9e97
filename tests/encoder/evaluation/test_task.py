"""An evaluation from its request: which data fits which task, and what is measured."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.core.errors import AppError, UsageError
from desktop_app.core.evaluation import Evaluation, EvaluationRequest
from desktop_app.core.jobs import Progress
from desktop_app.core.labelled_data import DataFile
from desktop_app.encoder import bundled_model_folder
from desktop_app.encoder.evaluation.task import choose_threshold, evaluate

PAIRS = [
    ("The ice melts in spring.", "In spring the ice melts.", 1),
    ("Bread needs time.", "A loaf takes a while.", 1),
    ("The ship left the harbour.", "The vessel sailed from port.", 1),
    ("The ice melts in spring.", "The parliament met at noon.", 0),
    ("Bread needs time.", "The engine stopped.", 0),
    ("The ship left the harbour.", "Bees make honey.", 0),
]


def run(request: EvaluationRequest) -> tuple[Evaluation, list[Progress]]:
    steps: Iterator[object] = evaluate(request)
    reports = []
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            return end.value, reports
        if isinstance(step, Progress):
            reports.append(step)


def table(folder: Path, header: str, rows: list[tuple[object, ...]]) -> DataFile:
    file = folder / "data.tsv"
    file.write_text("\n".join([header, *("\t".join(map(str, row)) for row in rows)]), "utf-8")
    return DataFile(str(file))


@pytest.fixture
def collection(tmp_path: Path) -> DataFile:
    """Three documents and two queries; the second query is answered by two documents."""
    corpus = ["Bees make honey.", "Ships cross the sea.", "The sea is crossed by boats."]
    queries = ["Where does honey come from?", "crossing the ocean"]
    for name, texts in (("corpus", corpus), ("queries", queries)):
        lines = [json.dumps({"_id": str(at), "text": text}) for at, text in enumerate(texts)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), "utf-8")
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n0\t0\t1\n1\t1\t1\n1\t2\t1\n", "utf-8")
    return DataFile(str(tmp_path))


def test_labelled_pairs_are_judged(tmp_path: Path) -> None:
    data = table(tmp_path, "sentence1\tsentence2\tlabel", PAIRS)
    found, reports = run(EvaluationRequest(data, worst=1, every_row=True))
    assert found.task == "duplicates"
    assert Path(found.folder) == bundled_model_folder()
    assert found.model == "all-MiniLM-L6-v2"
    assert found.measures["accuracy"] == 1.0
    assert (found.measures["rows"], len(found.rows), len(found.worst)) == (6, 6, 0)
    assert [row.expected for row in found.rows] == [row.found for row in found.rows]
    assert [row.line for row in found.rows] == [2, 3, 4, 5, 6, 7]
    assert [row.texts for row in found.rows] == [pair[:2] for pair in PAIRS]
    assert {note.code for note in found.notes} == {"few_rows"}
    assert reports
    assert reports[-1].done == reports[-1].total
    high, _ = run(EvaluationRequest(data, threshold="0.99", worst=5))
    assert (high.measures["accuracy"], len(high.worst)) == (0.5, 3)
    assert {(each.line, each.expected) for each in high.worst} == {(2, "same"), (3, "same"), (4, "same")}


def test_graded_pairs_are_correlated(tmp_path: Path) -> None:
    rows = [(a, b, 5 * label) for a, b, label in PAIRS]
    data = table(tmp_path, "sentence1\tsentence2\tscore", [*rows, ("Ice.", "Snow.", 2.5)])
    found, _ = run(EvaluationRequest(data))
    assert found.task == "similarity"
    spearman = found.measures["spearman"]
    assert isinstance(spearman, dict)
    assert spearman["cosine"] > 0.8


def test_a_retrieval_set_is_ranked(collection: DataFile) -> None:
    found, reports = run(EvaluationRequest(collection))
    assert found.task == "retrieval"
    assert (found.measures["queries"], found.measures["documents"]) == (2, 3)
    assert found.measures["ndcg@10"] == found.measures["recall@100"] == found.measures["mrr@10"] == 1.0
    assert [each.done for each in reports if each.phase == "judging"] == [2]


def test_the_scores_of_another_model_are_compared(tmp_path: Path) -> None:
    data = table(tmp_path, "sentence1\tsentence2\tlabel", PAIRS * 5)
    first, _ = run(EvaluationRequest(data))
    again, _ = run(EvaluationRequest(data, compared_with=first.results))
    assert first.differences == {}
    assert again.differences
    assert {(each.before, each.after) for each in again.differences.values() if each.before == 1.0} == {(1.0, 1.0)}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"task": "retrieval"}, "Retrieval needs|is a file"),
        ({"task": "nli"}, "does not fit the task nli"),
        ({"reranker": "any"}, "only a retrieval set can be re-ranked"),
        ({"architecture": "cross"}, "is a siamese encoder, not cross"),
        ({"threshold": "high"}, "is not a threshold"),
        ({"threshold": "stored"}, "no threshold of its own"),
    ],
)
def test_a_request_that_does_not_fit_a_file_is_explained(tmp_path: Path, more: dict[str, str], message: str) -> None:
    data = table(tmp_path, "sentence1\tsentence2\tlabel", PAIRS)
    with pytest.raises(AppError, match=message):
        run(EvaluationRequest(data, **more))


@pytest.mark.parametrize(
    ("more", "message"), [({"task": "nli"}, "nli needs a file"), ({"every_row": True}, "no rows to write")]
)
def test_a_request_that_does_not_fit_a_folder_is_explained(
    collection: DataFile, more: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        run(EvaluationRequest(collection, **more))


def test_the_threshold_is_the_requested_one_the_models_own_or_the_best() -> None:
    assert choose_threshold("", None) is None
    assert choose_threshold("best", 0.4) is None
    for requested in ("", "stored"):
        stored = choose_threshold(requested, 0.4)
        assert stored is not None
        assert (stored.value, stored.source) == (0.4, "stored")
    given = choose_threshold("0.7", 0.4)
    assert given is not None
    assert (given.value, given.source) == (0.7, "given")
