"""Files of topics, compared whole."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.core.cluster_files import cluster_writer
from desktop_app.core.clusters import BroadCluster
from desktop_app.core.errors import UsageError
from tests.core.examples import CLUSTER, FIRST, SECOND


def test_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "topics.jsonl"
    with cluster_writer(str(file)) as write:
        write(CLUSTER, [FIRST, SECOND])
        write(None, [SECOND])
    key, other, none = (json.loads(line) for line in file.read_text("utf-8").splitlines())
    own = {
        "cluster_id": 21,
        "cluster": "Sea",
        "broad_id": None,
        "broad": None,
        "keywords": ["sea", "tide"],
        "size": 3,
        "documents": 2,
        "new": 1,
        "pinned": True,
    }
    assert {name: key[name] for name in own} == own
    assert (key["is_key"], key["closeness"], key["sentence_id"], key["text"]) == (True, 0.75, 11, "The sea rises.")
    assert (key["page"], key["start"], key["percentile"]) == (7, 20, 99.5)
    assert not {"rank", "score", "matched_by"} & key.keys()
    assert {name: other[name] for name in own} == own
    assert (other["is_key"], other["closeness"], other["sentence_id"]) == (False, 0.5, 12)
    assert {name: none[name] for name in own} == {**dict.fromkeys(own), "keywords": []}
    assert (none["is_key"], none["closeness"], none["sentence_id"]) == (False, None, 12)


def test_a_table(tmp_path: Path) -> None:
    file = tmp_path / "topics.csv"
    with cluster_writer(str(file)) as write:
        write(CLUSTER, [FIRST, SECOND])
        write(None, [SECOND])
    with file.open(encoding="utf-8-sig", newline="") as lines:
        found = list(csv.reader(lines))
    own = ["21", "Sea", "", "", "sea, tide", "3", "2", "1", "1"]
    second = ["'=SUM(A1) *bold*", "Notes", "/papers/notes.txt", "", "40", "55", "char"]
    assert found == [
        [
            "cluster_id",
            "cluster",
            "broad_id",
            "broad",
            "keywords",
            "size",
            "documents",
            "new",
            "pinned",
            "is_key",
            "closeness",
            "sentence_id",
            "text",
            "title",
            "path",
            "page",
            "start",
            "stop",
            "unit",
        ],
        [*own, "1", "0.75", "11", "The sea rises.", "On the sea", "/papers/sea.pdf", "7", "20", "34", "pdfium"],
        [*own, "0", "0.5", "12", *second],
        [*([""] * 9), "0", "", "12", *second],
    ]


def test_markdown_has_a_heading_for_each_topic(tmp_path: Path) -> None:
    file = tmp_path / "topics.md"
    with cluster_writer(str(file)) as write:
        write(CLUSTER, [FIRST])
        write(CLUSTER, [SECOND])  # the next part of the same topic
        write(replace(CLUSTER, cluster_id=22, name="", new=0, pinned=False), [FIRST])
        write(None, [SECOND])
    first, nameless, none = file.read_text("utf-8").split("## ")[1:]
    assert first == (
        "Sea\n\n3 sentences in 2 documents, 1 new, pinned. sea, tide\n\n"
        "- **The sea rises.** (On the sea, p. vii)\n- =SUM(A1) \\*bold\\* (Notes, lines 4-6)\n\n"
    )
    assert "\n\n3 sentences in 2 documents. sea, tide\n\n- **The sea rises.** (On the sea, p. vii)\n\n" in nameless
    assert none.endswith("\n\n- =SUM(A1) \\*bold\\* (Notes, lines 4-6)\n")


BROAD = (BroadCluster(4, "=Nature", (21, 22), 6, 2), BroadCluster(5, "", (23,), 3, 1))


def _write_broad(file: Path) -> None:
    with cluster_writer(str(file), BROAD) as write:
        write(replace(CLUSTER, cluster_id=20, name="Alone"), [FIRST])
        write(replace(CLUSTER, broad=4), [FIRST])
        write(replace(CLUSTER, cluster_id=22, name="Tides", broad=4), [FIRST])
        write(replace(CLUSTER, cluster_id=23, name="Bread", broad=5, sentence_ids=(11,), documents=1), [FIRST])
        write(None, [SECOND])


def test_rows_name_the_broad_topic(tmp_path: Path) -> None:
    _write_broad(tmp_path / "topics.csv")
    with (tmp_path / "topics.csv").open(encoding="utf-8-sig", newline="") as lines:
        found = [(row["cluster"], row["broad_id"], row["broad"]) for row in csv.DictReader(lines)]
    nature, nameless = ("4", "'=Nature"), ("5", "")
    assert found == [
        ("Alone", "", ""),
        ("Sea", *nature),
        ("Tides", *nature),
        ("Bread", *nameless),
        ("", "", ""),
    ]
    _write_broad(tmp_path / "topics.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "topics.jsonl").read_text("utf-8").splitlines()]
    assert [row["broad"] for row in rows] == [None, "=Nature", "=Nature", "", None]


def test_markdown_has_a_heading_for_each_broad_topic(tmp_path: Path) -> None:
    _write_broad(tmp_path / "topics.md")
    lines = (tmp_path / "topics.md").read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith("#")] == [
        "## Alone",
        "# =Nature",
        "## Sea",
        "## Tides",
        "# Untitled",
        "## Bread",
        "# Unassigned",
    ]
    assert any(line.startswith("1 sentence in 1 document, 1 new, pinned.") for line in lines)


def test_an_unknown_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError), cluster_writer(str(tmp_path / "topics.html")):
        pass
    assert list(tmp_path.iterdir()) == []
