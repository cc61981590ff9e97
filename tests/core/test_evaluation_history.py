"""Stored scores: the latest of each model on each data set, in a file that may be damaged."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.core import evaluation_history
from desktop_app.core.evaluation_history import (
    PastEvaluation,
    add_to_history,
    forget_data,
    hash_data_in_steps,
    read_history,
)

FIRST = PastEvaluation(1.0, "mine", "/models/mine", "pairs.tsv", "ab", "duplicates", "", "", {"accuracy": 0.5})


def digest(path: Path) -> str:
    *_, last = hash_data_in_steps(str(path))
    return last


def test_a_later_evaluation_replaces_the_earlier_one_of_the_same_data(tmp_path: Path) -> None:
    file = tmp_path / "models" / "scores.jsonl"
    assert read_history(file) == []
    other = replace(FIRST, folder="/models/other", at=2.0)
    again = replace(FIRST, at=3.0, measures={"accuracy": 0.75})
    for each in (FIRST, other, again):
        add_to_history(file, each)
    assert read_history(file) == [again, other]
    add_to_history(file, replace(FIRST, digest="cd", at=4.0))
    forget_data(file, "ab")
    assert [each.digest for each in read_history(file)] == ["cd"]
    assert [each.name for each in file.parent.iterdir()] == ["scores.jsonl"]


def test_damaged_lines_are_skipped(tmp_path: Path) -> None:
    file = tmp_path / "scores.jsonl"
    add_to_history(file, FIRST)
    whole = file.read_text("utf-8")
    for broken in ("{", "[]", "7", "{}", json.dumps({**json.loads(whole), "measures": None}), '{"at": 1}'):
        file.write_text(broken + "\n" + whole, "utf-8")
        assert read_history(file) == [FIRST]
    file.write_bytes(b"\xff\xfe" + whole.encode())
    assert read_history(file) == []


def test_evaluations_that_end_together_in_several_processes_are_all_kept(tmp_path: Path) -> None:
    file = tmp_path / "scores.jsonl"
    add_to_history(file, FIRST)
    program = (
        "import sys; from dataclasses import replace; from pathlib import Path\n"
        "from desktop_app.core.evaluation_history import add_to_history, read_history\n"
        "[first] = read_history(Path(sys.argv[1])); print(flush=True); input()\n"
        "for n in range(100): add_to_history(Path(sys.argv[1]), replace(first, digest=f'{sys.argv[2]}{n}', at=2.0))"
    )
    children = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(file), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for name in "xyz"
    ]
    for child in children:
        assert child.stdout is not None
        child.stdout.readline()
    for child in children:  # all begin before the first has ended
        assert child.stdin is not None
        child.stdin.write(b"\n")
        child.stdin.flush()
    for child in children:
        child.communicate()
    assert {each.digest for each in read_history(file)} == {"ab", *(f"{name}{n}" for name in "xyz" for n in range(100))}


def test_an_evaluation_after_a_line_that_was_written_by_half_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "scores.jsonl"
    add_to_history(file, FIRST)
    with file.open("a") as out:
        out.write('{"at": 2.0, "mod')
    other = replace(FIRST, digest="cd", at=3.0)
    add_to_history(file, other)
    assert read_history(file) == [other, FIRST]


def test_a_long_history_is_cut_to_what_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "scores.jsonl"
    monkeypatch.setattr(evaluation_history, "_MAX_BYTES", 1000)
    for at in range(20):
        add_to_history(file, replace(FIRST, at=float(at)))
    assert file.stat().st_size < 1000
    assert [each.at for each in read_history(file)] == [19.0]


def test_data_is_identified_by_its_contents(tmp_path: Path) -> None:
    one, two = tmp_path / "one.tsv", tmp_path / "two.tsv"
    one.write_text("a\tb", "utf-8")
    two.write_text("a\tb", "utf-8")
    assert digest(one) == digest(two)
    two.write_text("a\tc", "utf-8")
    assert digest(one) != digest(two)
    folder = tmp_path / "set"
    folder.mkdir()
    for name in ("corpus.jsonl", "queries.jsonl", "qrels.tsv"):
        (folder / name).write_text(name, "utf-8")
    before = digest(folder)
    (folder / "qrels.tsv").write_text("other", "utf-8")
    assert digest(folder) != before
    with pytest.raises(OSError):
        digest(tmp_path / "none")
