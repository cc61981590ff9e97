"""A traced draft and two aligned documents in files, with all their sources."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.core.bibliography import Reference
from desktop_app.core.errors import UsageError
from desktop_app.core.jobs import run_to_completion
from desktop_app.core.records import Hit, Place
from desktop_app.core.trace import Diff, DiffRow, Trace, TracedSentence
from desktop_app.core.trace_files import write_diff_in_steps, write_trace_in_steps
from desktop_app.core.trace_texts import TraceTexts


def hit(number: int, text: str, score: float = 0.9) -> Hit:
    place = (Place(number, 0, 9, "pdfium"),)
    return Hit(1, score, number, text, "", "", 1, "Ice & sea", "/papers/ice.pdf", "pdf", number, "body", place)


ONE, OTHER = hit(3, "The ice melts."), hit(4, "Ice is melting.", 0.81)
TRACE = Trace(
    (
        TracedSentence("The ice will melt.", None, "paraphrased", 0.9, (ONE, OTHER), ("numbers",)),
        TracedSentence("Salt is salt.", None, "unsupported", 0.1),
        TracedSentence("The ice melts!", None, "verbatim", 1.0, (ONE,)),
    ),
    0.1,
    left=2,
    skipped=4,
    own=("draft.md",),
)


def written(folder: Path, ending: str, words: TraceTexts | None = None) -> str:
    file = folder / f"traced{ending}"
    run_to_completion(write_trace_in_steps(str(file), TRACE, *((words,) if words else ())))
    return file.read_text("utf-8")


def test_markdown_cites_every_source_and_names_what_was_left_out(tmp_path: Path) -> None:
    text = written(tmp_path, ".md")
    assert text.startswith("1 verbatim, 1 paraphrased, 0 related, 1 unsupported\n")
    for phrase in ("2 sentences of the draft not checked", "Skipped 4 ", "as a source (same file): draft.md."):
        assert phrase in text
    assert "The ice will melt. [^1]\nSalt is salt.\nThe ice melts! [^2]\n" in text
    note = text[text.index("[^1]: ") : text.index("[^2]: ")]
    assert note.startswith("[^1]: paraphrased, 0.900, differs in numbers\n")
    assert "    > The ice melts.\n    >\n    > \N{EM DASH} *Ice & sea*, PDF p. 3\n" in note
    assert "    > Ice is melting.\n    >\n    > \N{EM DASH} *Ice & sea*, PDF p. 4\n" in note


def test_a_table_has_a_group_of_columns_for_each_source(tmp_path: Path) -> None:
    rows = list(csv.DictReader(written(tmp_path, ".csv").splitlines()))
    assert [row["source_text"] for row in rows] == ["The ice melts.", "", "The ice melts."]
    assert [row["source_2_text"] for row in rows] == ["Ice is melting.", "", ""]
    assert [row["source_2_score"] for row in rows] == ["0.81", "", ""]
    assert (
        rows[0]["source_2_citation"]
        == "\N{LEFT DOUBLE QUOTATION MARK}Ice is melting.\N{RIGHT DOUBLE QUOTATION MARK} (Ice & sea, PDF p. 4)"
    )
    lines = [json.loads(line) for line in written(tmp_path, ".jsonl").splitlines()]
    assert [len(line["sources"]) for line in lines] == [2, 0, 1]


def test_each_document_is_one_bibtex_entry(tmp_path: Path) -> None:
    text = written(tmp_path, ".bib")
    assert [line for line in text.splitlines() if line.startswith("@")] == ["@misc{ice-sea,"]
    assert r"title = {Ice \& sea}" in text
    assert "note = {PDF p. 3: The ice melts.; PDF p. 4: Ice is melting.}" in text
    with pytest.raises(UsageError, match=r"has the extension \.bib"):
        run_to_completion(write_diff_in_steps(str(tmp_path / "diff.bib"), Diff((), 0.1)))


def test_files_use_the_given_words(tmp_path: Path) -> None:
    words = TraceTexts(
        kind=str.upper,
        differs=lambda badges: "~" + "".join(badges),
        locate=lambda each: f"~{each.ordinal}",
        references={1: Reference(title="Ice", authors=("Li, Ann",), date="1999")},
    )
    text = written(tmp_path, ".md", words)
    assert text.startswith("1 VERBATIM, 1 PARAPHRASED")
    assert (
        "[^1]: PARAPHRASED, 0.900, ~numbers\n\n"
        "    > The ice melts.\n    >\n    > \N{EM DASH} Ann Li, *Ice*, 1999, \\~3\n" in text
    )
    file = tmp_path / "diff.md"
    row = DiffRow("moved", 0.81, ONE, OTHER, ("numbers",))
    run_to_completion(write_diff_in_steps(str(file), Diff((row,), 0.1), words))
    assert (
        "**MOVED**, REWORDED 0.810, ~numbers\n\n> The ice melts.\n>\n> \N{EM DASH} Ann Li, *Ice*, 1999, \\~3\n"
        in file.read_text("utf-8")
    )


ABROAD = replace(ONE, title="B", path="/b.pdf")
DIFF = Diff(
    (
        DiffRow("kept", 1.0, ONE, ABROAD),
        DiffRow("reworded", 0.81, ONE, replace(OTHER, title="B", path="/b.pdf"), ("numbers",)),
        DiffRow("moved", 1.0, ONE, ABROAD),
        DiffRow("new", None, None, ABROAD),
        DiffRow("dropped", None, ONE, None),
    ),
    0.1,
)
QUOTED = "> The ice melts.\n>\n> \N{EM DASH} *Ice & sea*, PDF p. 3\n"


def test_two_documents_as_markdown_quote_equal_sentences_once(tmp_path: Path) -> None:
    run_to_completion(write_diff_in_steps(str(tmp_path / "diff.md"), DIFF))
    assert (tmp_path / "diff.md").read_text("utf-8") == (
        "1 kept, 1 reworded, 1 moved, 1 new, 1 dropped\n"
        f"\n**kept** 1.000\n\n{QUOTED}"
        f"\n**reworded** 0.810, differs in numbers\n\n{QUOTED}"
        "\n> Ice is melting.\n>\n> \N{EM DASH} *B*, PDF p. 4\n"
        f"\n**moved** 1.000\n\n{QUOTED}"
        f"\n**new**\n\n{QUOTED.replace('Ice & sea', 'B')}"
        f"\n**dropped**\n\n{QUOTED}"
    )


def test_two_documents_of_the_same_title_are_told_apart(tmp_path: Path) -> None:
    later = replace(OTHER, document_id=2, path="/papers/ice-2.pdf")
    diff = Diff((DiffRow("reworded", 0.81, ONE, later), DiffRow("new", None, None, later)), 0.1)
    references = {key: Reference(title="Ice & sea", date=f"202{key}") for key in (1, 2)}
    run_to_completion(write_diff_in_steps(str(tmp_path / "diff.md"), diff, TraceTexts(references=references)))
    text = (tmp_path / "diff.md").read_text("utf-8")
    assert text.count("*Ice & sea (ice.pdf)*, 2021, PDF p. 3") == 1
    assert text.count("*Ice & sea (ice-2.pdf)*, 2022, PDF p. 4") == 2


def test_two_documents_as_a_table_have_a_group_of_columns_each(tmp_path: Path) -> None:
    run_to_completion(write_diff_in_steps(str(tmp_path / "diff.csv"), DIFF))
    with (tmp_path / "diff.csv").open(encoding="utf-8-sig", newline="") as lines:
        header, *rows = csv.reader(lines)
    sides = ["text", "title", "path", "page", "start", "stop", "unit"]
    assert header == ["change", "score", "badges", *(f"{name}_{side}" for side in "ab" for name in sides)]
    one = ["The ice melts.", "Ice & sea", "/papers/ice.pdf", "3", "0", "9", "pdfium"]
    other, nothing = ["The ice melts.", "B", "/b.pdf", *one[3:]], [""] * 7
    assert rows == [
        ["kept", "1.0", "", *one, *other],
        ["reworded", "0.81", "numbers", *one, "Ice is melting.", "B", "/b.pdf", "4", "0", "9", "pdfium"],
        ["moved", "1.0", "", *one, *other],
        ["new", "", "", *nothing, *other],
        ["dropped", "", "", *one, *nothing],
    ]


def test_two_documents_as_json_lines(tmp_path: Path) -> None:
    run_to_completion(write_diff_in_steps(str(tmp_path / "diff.jsonl"), DIFF))
    lines = [json.loads(line) for line in (tmp_path / "diff.jsonl").read_text("utf-8").splitlines()]
    assert [(line["change"], line["reworded"], line["score"], line["badges"]) for line in lines] == [
        ("kept", False, 1.0, []),
        ("reworded", True, 0.81, ["numbers"]),
        ("moved", False, 1.0, []),
        ("new", False, None, []),
        ("dropped", False, None, []),
    ]
    assert [[line[side] and line[side]["path"] for side in "ab"] for line in lines] == [
        ["/papers/ice.pdf", "/b.pdf"],
        ["/papers/ice.pdf", "/b.pdf"],
        ["/papers/ice.pdf", "/b.pdf"],
        [None, "/b.pdf"],
        ["/papers/ice.pdf", None],
    ]


def list_counts(pieces: Iterable[object]) -> list[int]:
    return [done for done in pieces if isinstance(done, int)]


@pytest.mark.parametrize(
    ("ending", "steps"), [(".md", [200, 400, 450, 450]), (".csv", [200, 400]), (".jsonl", [200, 400])]
)
def test_a_long_file_is_written_in_steps_so_that_other_work_goes_on(
    ending: str, steps: list[int], tmp_path: Path
) -> None:
    cited = TracedSentence("The ice melts!", None, "verbatim", 1.0, (ONE,))
    file = tmp_path / f"traced{ending}"
    assert list_counts(write_trace_in_steps(str(file), Trace((cited,) * 450, 0.1))) == steps
    rows = Diff((DiffRow("kept", 1.0, ONE, OTHER),) * 450, 0.1)
    assert list_counts(write_diff_in_steps(str(file), rows)) == [200, 400]
