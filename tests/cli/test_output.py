"""The whole text that commands print for a person; scores, which differ from machine to machine, as #."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from desktop_app.cli import output
from desktop_app.cli.output import (
    ProgressLine,
    escape_unprintable,
    format_count,
    format_duration,
    format_progress,
    print_json_rows,
    print_line,
    report_errors,
)
from desktop_app.core.errors import Cancelled, UsageError
from desktop_app.core.jobs import Progress
from tests.cli.conftest import Kindred

DRAFT = """Nobody knows how fast the ice will melt.

Bread wants time and warmth, not hurry.

The parliament of Iceland was founded in 930.
"""


def transcript(kindred: Kindred, *command: str | Path) -> str:
    answer = kindred(*command)
    assert answer.status == 0
    return re.sub(r"-?\b\d\.\d{3,4}\b", "#", answer.out)


def test_results_with_their_places(kindred: Kindred, imported: Path) -> None:
    assert transcript(kindred, "search", "melting ice", "--top-k", "2") == (
        "#  Nobody knows how fast the ice will melt.\n"
        "       On bread, line 5 (bread.md), also in 1 other document\n"
        "#  Warm water takes more room than cold water.\n"
        "       sea.txt, line 1 (sea.txt)\n"
    )
    assert transcript(kindred, "search", "melting ice", "--by", "document") == (
        f"#  On bread  {imported / 'bread.md'}\n"
        "         #  Nobody knows how fast the ice will melt.\n"
        "         #  On bread\n"
        "         #  The crust turns brown in a very hot oven.\n"
        f"#  sea.txt  {imported / 'sea.txt'}\n"
        "         #  Nobody knows how fast the ice will melt.\n"
        "         #  Warm water takes more room than cold water.\n"
        "         #  The sea level has risen by twenty centimetres since 1900.\n"
    )


def test_results_of_two_models(kindred: Kindred, imported: Path, other_model: Path) -> None:
    assert transcript(kindred, "search", "warm", "--against", other_model, "--top-k", "3") == (
        "warm  (67% of the results stay)\n"
        "   1    +1  #  Warm water takes more room than cold water.\n"
        "   2    -1  #  A sourdough needs time and a warm place.\n"
        "   3   new  #  Nobody knows how fast the ice will melt.\n"
        "      gone  #  The crust turns brown in a very hot oven.\n"
        "before: all-MiniLM-L6-v2; after: first-token\n"
    )


def test_a_draft_with_its_sources(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    (tmp_path / "draft.md").write_text(DRAFT, "utf-8")
    assert transcript(kindred, "trace", tmp_path / "draft.md") == (
        "verbatim #: Nobody knows how fast the ice will melt.\n"
        "    #  Nobody knows how fast the ice will melt.\n"
        "           On bread, line 5 (bread.md), also in 1 other document\n"
        "related #, differs in negation: Bread wants time and warmth, not hurry.\n"
        "    #  A sourdough needs time and a warm place.\n"
        "           On bread, line 3 (bread.md)\n"
        "unsupported #: The parliament of Iceland was founded in 930.\n"
        "1 verbatim, 0 paraphrased, 1 related, 1 unsupported\n"
        "related is no support: the library covers the subject, but does not say this\n"
    )


def test_a_draft_as_a_word_document_with_its_sources_in_footnotes(
    kindred: Kindred, imported: Path, tmp_path: Path
) -> None:
    (tmp_path / "draft.md").write_text(DRAFT, "utf-8")
    file = tmp_path / "checked.docx"
    assert kindred("trace", tmp_path / "draft.md", "--output", file, "--style", "iso690").status == 0
    with zipfile.ZipFile(file) as package:
        notes, text = (package.read(f"word/{part}.xml").decode() for part in ("footnotes", "document"))
    assert text.count("footnoteReference w:id") == 2
    assert ", l. 5.<" in notes
    assert "See also " in notes
    assert ", l. 3: “A sourdough needs time and a warm place.” (differs in negation).<" in notes
    refused = kindred("diff", "sea.txt", "bread.md", "--output", tmp_path / "diff.docx")
    assert refused.status == 2
    assert "can be exported to .xlsx, .csv, .jsonl or .md" in refused.err


def test_a_close_hit_says_how_it_differs(kindred: Kindred, imported: Path) -> None:
    def search(query: str) -> str:
        return kindred("search", query, "--mode", "meaning", "--top-k", "1").out

    assert "differs" not in search("Nobody knows how fast the ice will melt")
    assert search("Nobody knows how slowly the ice will melt").endswith("  [differs in opposite words]\n")


def test_two_documents_beside_each_other(kindred: Kindred, imported: Path) -> None:
    assert transcript(kindred, "diff", "sea.txt", "bread.md") == (
        "+        On bread\n"
        "+        A sourdough needs time and a warm place.\n"
        "+        The crust turns brown in a very hot oven.\n"
        "-        The sea level has risen by twenty centimetres since 1900.\n"
        "-        Warm water takes more room than cold water.\n"
        "-        Coastal towns will have to adapt their drains and roads.\n"
        "=        Nobody knows how fast the ice will melt.\n"
        "1 kept, 0 reworded, 0 moved, 3 new, 3 dropped\n"
    )


def test_pairs_of_the_library_and_of_a_list(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    assert transcript(kindred, "pairs", "--top-k", "2", "--min-score", "0") == (
        "#  exact\n"
        "       Nobody knows how fast the ice will melt.\n"
        "         On bread, line 5 (bread.md)\n"
        "       Nobody knows how fast the ice will melt.\n"
        "         sea.txt, line 3 (sea.txt)\n"
        "#  unrelated\n"
        "       A sourdough needs time and a warm place.\n"
        "         On bread, line 3 (bread.md)\n"
        "       Warm water takes more room than cold water.\n"
        "         sea.txt, line 1 (sea.txt)\n"
    )
    (tmp_path / "texts.txt").write_text("The ice melts.\nBread is baked.\nIce is melting.\n", "utf-8")
    assert transcript(kindred, "pairs", "--file", tmp_path / "texts.txt", "--top-k", "1") == (
        "#\tThe ice melts.\tIce is melting.\n"
    )


def test_clusters_with_their_words(kindred: Kindred, imported: Path) -> None:
    assert transcript(kindred, "clusters") == (
        "    1  adapt, centimetres, coastal  (4 sentences in 2 documents)\n"
        "         Warm water takes more room than cold water.\n"
        "         Nobody knows how fast the ice will melt.\n"
        "         The sea level has risen by twenty centimetres since 1900.\n"
        "    2  brown, crust, hot  (3 sentences in 1 document)\n"
        "         A sourdough needs time and a warm place.\n"
        "         The crust turns brown in a very hot oven.\n"
        "2 topics, 0 sentences without a topic, granularity 1\n"
    )


def test_the_library(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    assert transcript(kindred, "documents") == (
        f"    #1  ready                       -         4 sentences  On bread  {imported / 'bread.md'}\n"
        f"    #2  ready                       -         4 sentences  sea.txt  {imported / 'sea.txt'}\n"
    )
    facts, text = kindred("info", "--json").json, kindred("info").out
    lines = dict(line.split(None, 1) for line in text.splitlines())
    for name in ("documents", "sentences", "occurrences", "vectors", "searchable", "model", "device", "library"):
        assert lines[name] == str(facts[name])
    assert (lines["documents"], lines["sentences"], lines["occurrences"]) == ("2", "7", "8")
    assert (lines["states"], lines["recall"]) == ("2 ready", "-")
    file = tmp_path / "b.kindred"
    assert transcript(kindred, "backup", file) == f"Backed up to {file} (2 documents, 8 sentences, 0.0 MB)\n"


def test_a_comparison(kindred: Kindred, imported: Path) -> None:
    assert transcript(kindred, "compare", "Ice melts.", "The ice melted.") == (
        "cosine     #\ndot        #\neuclidean  #\nkind       paraphrase\n"
    )


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "1 s"), (1.6, "2 s"), (89.4, "89 s"), (90, "2 min"), (5399, "90 min"), (5400, "1.5 h"), (36000, "10.0 h")],
)
def test_a_duration_has_a_unit_that_fits(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@pytest.mark.parametrize(("count", "text"), [(0, "0 files"), (1, "1 file"), (2, "2 files"), (1234, "1,234 files")])
def test_a_count_has_its_plural(count: int, text: str) -> None:
    assert format_count(count, "file") == text


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (Progress("polishing"), "Polishing"),
        (Progress("polishing", 3, unit="stones"), "Polishing  3 stones"),
        (
            Progress("polishing", 500, 2000, "stones", page=3, page_count=9, sentences_per_s=1234.5, remaining_s=0),
            "Polishing  [#####...............]  500 of 2,000 stones  page 3 of 9  1,234 sentences/s  about 1 s left",
        ),
    ],
)
def test_progress_is_one_line_with_what_is_known(progress: Progress, text: str) -> None:
    assert format_progress(progress) == text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("plain – Zürich 東京 😀", "plain – Zürich 東京 😀"),
        ("two\nlines\tand\x1b[31mred\x7f\x9f", "two\\nlines\\tand\\x1b[31mred\\x7f\\x9f"),
        ("\u2028\u2029\u202agpj.exe\u202e\u2066\u2069", "\\u2028\\u2029\\u202agpj.exe\\u202e\\u2066\\u2069"),
        ("half \ud83d\udfff \ufffe\uffff", "half \\ud83d\\udfff \\ufffe\\uffff"),
        ("nbsp\xa0 joiner\u200d private\ue000", "nbsp\xa0 joiner\u200d private\ue000"),
    ],
)
def test_names_cannot_break_or_forge_a_line(name: str, shown: str) -> None:
    assert escape_unprintable(name) == shown


def test_rows_are_printed_once_all_are_complete(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "_MAX_SPOOLED_CHARS", 20)  # the rest goes to a file
    rows = [{"text": "half \ud83d of a sign" if number == 1 else f"zwölf {number}\r\n"} for number in range(3)]

    def fails() -> Iterator[dict[str, str]]:
        yield from rows
        raise UsageError("no more")

    with pytest.raises(UsageError):
        print_json_rows("rows", fails())
    assert capsys.readouterr().out == ""
    print_json_rows("rows", rows[::2])
    printed = capsys.readouterr().out
    assert printed == '{"rows": [{"text": "zwölf 0\\r\\n"}, {"text": "zwölf 2\\r\\n"}]}\n'
    print_json_rows("rows", [])
    assert capsys.readouterr().out == '{"rows": []}\n'


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_ten_times_a_second_and_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(output, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(sys, "stderr", terminal := _Terminal())
    line = ProgressLine(quiet=False)
    line.clear()
    assert terminal.getvalue() == ""
    line(Progress("reading", 1000, 2000, "sentences"), "sea.txt")
    long = "Reading  [##########..........]  1,000 of 2,000 sentences  sea.txt"
    now[0] += 0.09
    line(Progress("looking"))
    assert terminal.getvalue() == f"\r{long}"
    now[0] += 0.02
    line(Progress("looking"))
    assert terminal.getvalue() == f"\r{long}\rScanning".ljust(2 + 2 * len(long))
    line.clear()
    line.clear()
    assert terminal.getvalue().endswith("\rScanning".ljust(1 + len(long)) + "\r" + " " * 8 + "\r")
    for quiet, stream in ((True, _Terminal()), (False, io.StringIO())):
        monkeypatch.setattr(sys, "stderr", stream)
        line = ProgressLine(quiet=quiet)
        line(Progress("reading"))
        line.clear()
        assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("error", "status", "kind", "line"),
    [
        (UsageError("Two\nlines.", "Do it.", code="two-lines"), 2, "usage", "kindred: Two lines. Do it."),
        (KeyboardInterrupt(), 130, "stopped", "kindred: Stopped. Two files are kept."),
        (Cancelled(), 130, "stopped", "kindred: Stopped. Two files are kept."),
        (
            ValueError("odd"),
            70,
            "bug",
            "kindred: Kindred ran into a problem (a bug): ValueError: odd. "
            "Run the command again with --debug and report its output.",
        ),
        (SystemExit(4), 4, "", ""),
        (SystemExit(None), 0, "", ""),
    ],
)
def test_each_end_of_a_run_has_its_status_and_one_line(
    error: BaseException, status: int, kind: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for as_json in (False, True):
        with contextlib.ExitStack() as stack:
            end = stack.enter_context(report_errors(as_json=as_json, debug=False))
            end.describe_kept = lambda: "Two files are kept."
            raise error
        printed = capsys.readouterr()
        assert end.status == status
        assert printed.err == (f"{line}\n" if line and not as_json else "")
        told = json.loads(printed.out)["error"] if printed.out else {}
        assert told.get("kind", "") == (kind if as_json else "")
        assert told.get("code", "") == ({"usage": "two-lines"}.get(kind, kind) if as_json else "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_that_cannot_be_written_is_given_up_and_python_does_not_complain(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:  # closing it would write what is left
        monkeypatch.setattr(sys, "stdout", full)
        with report_errors(as_json=False, debug=False) as end:
            print_line("lost")
        monkeypatch.undo()
    assert end.status == 3
    assert capsys.readouterr().err.startswith("kindred: The output cannot be written: No space left on device.")


def test_debugging_shows_where_a_bug_is(capsys: pytest.CaptureFixture[str]) -> None:
    with report_errors(as_json=False, debug=True):
        raise ValueError("odd")
    printed = capsys.readouterr().err
    assert printed.startswith("kindred: Kindred ran into a problem (a bug): ValueError: odd.")
    assert "test_output.py" in printed
    assert "--debug" not in printed
