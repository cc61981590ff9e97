"""Retrieval sets: errors name file and line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_app.core.errors import BadData, NotFound
from desktop_app.core.input_files import read_input_file
from desktop_app.encoder.datasets.retrieval_set import read_retrieval_set


@pytest.fixture
def folder(tmp_path) -> Path:
    corpus = [{"_id": "1", "title": "Bees", "text": "Bees make honey."}, {"_id": "2", "text": "Ships cross the sea."}]
    (tmp_path / "corpus.jsonl").write_text("\n\n".join(map(json.dumps, corpus)), "utf-8")
    (tmp_path / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": "honey"}), "utf-8")
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n\nq\t1\t1\n", "utf-8")
    return tmp_path


def test_documents_queries_and_grades_are_read(folder) -> None:
    found = read_retrieval_set(str(folder))
    assert found.documents == ("Bees make honey.", "Ships cross the sea.")
    assert (found.document_ids, found.query_ids, found.relevant) == (("1", "2"), ("q",), {"q": {"1": 1.0}})


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("corpus.jsonl", '\n\n{"title": "x"}', "line 5 has no _id"),
        ("corpus.jsonl", "\n[1]", "line 4 is not a JSON object"),
        ("queries.jsonl", "\n{", "line 2 is not JSON"),
        ("queries.jsonl", '\n{"_id": "r", "text": "' + "x" * 10_000_000 + '"}', "line 2 has 10,000,000 characters"),
        ("qrels.tsv", "\n\nq\t9\t1", "line 6 names the document 9"),
        ("qrels.tsv", "q\t1\tnan", "line 4 is not query-id"),
    ],
)
def test_errors_name_their_line(folder, name, more, message) -> None:
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write(more)
    with pytest.raises(BadData, match=message) as wrong:
        read_retrieval_set(str(folder))
    assert name in str(wrong.value)
    assert len(str(wrong.value)) < 400


def test_a_missing_or_changing_file_is_refused(folder, monkeypatch) -> None:
    def read_and_grow(path: Path) -> bytes:
        raw = read_input_file(path)
        path.write_bytes(raw + b"\n")
        return raw

    with monkeypatch.context() as patched:
        patched.setattr("desktop_app.encoder.datasets.row_files.read_input_file", read_and_grow)
        with pytest.raises(BadData, match="changed while it was read"):
            read_retrieval_set(str(folder))
    (folder / "queries.jsonl").unlink()
    with pytest.raises(NotFound, match=r"queries.jsonl cannot be read") as caught:
        read_retrieval_set(str(folder))
    assert "A retrieval set is a folder" in str(caught.value.hint)
