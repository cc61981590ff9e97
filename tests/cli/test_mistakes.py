"""Mistyped commands, empty names, files in danger, failing output streams, misleading names."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from desktop_app.core.jobs import Job
from tests.cli.conftest import Kindred
from tests.patience import PATIENCE_S
from tests.text.helpers import until

FULL = Path("/dev/full")


def _started(base: Path, *arguments: str, **streams: object) -> subprocess.Popen[bytes]:
    """Start the program in a process of its own."""
    command = [sys.executable, "-m", "desktop_app", "--basedir", str(base), *arguments]
    return subprocess.Popen(command, **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams)


@pytest.mark.parametrize(
    "arguments", [["documents"], ["search", "ice"], ["doctor"], ["info"], ["export", "sentences", "--output", "x.csv"]]
)
def test_every_error_is_one_json_document(kindred: Kindred, tmp_path: Path, arguments: list[str]) -> None:
    file = tmp_path / "a file"
    file.write_text("no library")
    for library in (tmp_path / "none", file):
        answer = kindred(*arguments, "--library", library, "--json")
        assert answer.status == 3
        assert answer.json.keys() == {"error"}


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["serch", "the sea"], "search"),
        (["--json", "documentz"], "documents"),
        (["Import", "x.pdf"], "import"),
        (["serch", "--top-k", "3", "the sea"], "search"),
        (["what is the sea"], "--help"),
    ],
)
def test_a_mistyped_command_opens_no_window(
    kindred: Kindred, monkeypatch: pytest.MonkeyPatch, arguments: list[str], meant: str
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    answer = kindred(*arguments)
    assert answer.status == 2
    assert f"`{meant}`" in answer.out + answer.err or meant in answer.err
    assert "display" not in answer.out + answer.err


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["search", "ice", "--limit", "5"], "--top-k"),
        (["search", "--limit=5", "ice"], "--top-k"),
        (["search", "-n", "5", "ice"], "--top-k"),
        (["search", "ice", "--topk", "5"], "--top-k"),
        (["import", "notes", "--exlude", "*.md"], "--except"),
        (["import", "papers", "--exclude", "*.txt"], "--except"),
        (["trace", "draft.md", "--out", "a.csv"], "--output"),
        (["trace", "draft.md", "-o", "a.csv"], "--output"),
        (["documents", "--jsom"], "--json"),
    ],
)
def test_an_unknown_option_names_the_one_that_is_meant(kindred: Kindred, arguments: list[str], meant: str) -> None:
    answer = kindred(*arguments)
    assert answer.status == 2
    assert "Unrecognized arguments" in answer.err
    assert f"Did you mean `{meant}`?" in answer.err


@pytest.mark.parametrize(
    "arguments",
    [["documents", "--limit", "5"], ["search", "ice", "-z"], ["search", "ice", "cold"], ["search", "--top-k", "0"]],
)
def test_nothing_is_guessed_where_no_option_is_near(kindred: Kindred, arguments: list[str]) -> None:
    answer = kindred(*arguments)
    assert answer.status == 2
    assert f"See `kindred {arguments[0]} --help`." in answer.err
    assert "Did you mean" not in answer.err


def test_paths_open_the_window(kindred: Kindred, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[str, ...]] = []
    monkeypatch.setattr("desktop_app.__main__._open_window", lambda command: opened.append(command.words) or 0)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "papers").mkdir()
    for word in ("papers", "gone.pdf", "./gone", str(tmp_path / "gone")):
        assert kindred(word).status == 0
        assert opened.pop() == (word,)


def test_links_and_files_that_a_desktop_passes_as_links_open_the_window(
    kindred: Kindred, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[str, ...]] = []
    monkeypatch.setattr("desktop_app.__main__._open_window", lambda command: opened.append(command.words) or 0)
    passed = {
        "kindred://0123456789abcdef/document/5?page=3": "kindred://0123456789abcdef/document/5?page=3",
        "kindred:nonsense": "kindred:nonsense",
        "file:///my%20papers/%C3%9Cbung%23.txt": "/my papers/Übung#.txt",
        "file://localhost/tea.txt": "/tea.txt",
        "file://elsewhere/tea.txt": "file://elsewhere/tea.txt",
    }
    assert kindred(*passed).status == 0
    assert kindred("--", *passed).status == 0
    assert opened == [tuple(passed.values())] * 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["import", ""],
        [""],
        ["--library", "", "info"],
        ["info", "--model", ""],
        ["remove", ""],
        ["search", "ice", "--in", ""],
        ["export", "sentences", "--output", ""],
    ],
)
def test_an_empty_name_is_refused(kindred: Kindred, arguments: list[str]) -> None:
    answer = kindred(*arguments)
    assert answer.status == 2
    assert "empty" in answer.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["search", "a", "--top-k", "x"], "'x' is not a whole number above 0"),
        (["search", "a", "--min-score", "abc"], "'abc' is not a number from -1 to 1"),
        (["search", "a", "--min-score", "nan"], "from -1 to 1"),
        (["search", "a", "--min-score", "2"], "from -1 to 1"),
        (["pairs", "--file", "x", "--min-score", "-1.5"], "from -1 to 1"),
        (["import", "a", "--timeout", "soon"], "'soon' is not a number above 0"),
    ],
)
def test_a_wrong_number_is_reported_in_plain_words(kindred: Kindred, arguments: list[str], words: str) -> None:
    answer = kindred(*arguments)
    assert answer.status == 2
    assert words in answer.err
    assert "invalid" not in answer.err


def test_a_query_without_quotes_is_told_to_have_them(kindred: Kindred) -> None:
    for arguments in (("search", "rising", "sea"), ("export", "hits", "rising", "sea", "--output", "x.csv")):
        answer = kindred(*arguments)
        assert (answer.status, "Put the query in quotes" in answer.err) == (2, True), answer.err
    assert "in quotes" not in kindred("documents", "extra").err


def test_a_score_below_zero_is_accepted(kindred: Kindred) -> None:
    assert kindred("search", "ice", "--min-score", "-0.5", "--json").status == 0


def test_no_command_overwrites_its_input(kindred: Kindred, papers: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    lines = tmp_path / "lines.npy"
    lines.write_text("One line.\n")
    linked = tmp_path / "linked.npy"
    linked.hardlink_to(lines)
    for output in (lines, linked, f"{tmp_path}/folder/../lines.npy"):
        assert kindred("embed", lines, "--output", output).status == 2
    assert kindred("embed", lines, "--output", tmp_path / "lines.txt").status == 2
    assert lines.read_text() == "One line.\n"
    kindred("import", papers)
    bread = papers / "bread.md"
    before = bread.read_bytes()
    assert kindred("export", "sentences", "--output", bread).status == 2
    assert bread.read_bytes() == before
    copy = tmp_path / "copy.md"
    copy.write_bytes(before)
    kindred("import", copy)
    draft = tmp_path / "draft.md"
    draft.write_text("Nobody knows how fast the ice will melt.\n")
    for arguments in (
        ("trace", draft, "--output", draft),
        ("diff", bread, draft, "--output", draft),
        ("annotations", "--output", copy),
        ("export", "sentences", "--output", copy),
        ("trace", draft, "--output", copy),
        ("diff", bread, draft, "--output", copy),
    ):
        assert kindred(*arguments).status == 2, arguments
    assert draft.read_text() == "Nobody knows how fast the ice will melt.\n"
    assert copy.read_bytes() == before
    part = tmp_path / "v.npy.part"
    part.write_text("mine")
    assert kindred("embed", lines, "--output", tmp_path / "v.npy").status == 0
    assert np.load(tmp_path / "v.npy").shape == (1, 384)
    assert part.read_text() == "mine"


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_a_full_output_device_is_reported_in_one_line_with_status_3(tmp_path: Path) -> None:
    for command, status in (
        (["documents"], 3),
        (["documents", "--json"], 3),
        (["--help"], 3),
        (["search", "--json"], 2),
    ):
        with FULL.open("wb") as full:
            process = _started(tmp_path / "base", *command, stdout=full)
            _out, err = process.communicate()
        assert process.returncode == status, (command, err)
        assert len(err.decode().splitlines()) == 1, (command, err)
        assert err.startswith(b"kindred: ")
    with FULL.open("wb") as full:
        assert _started(tmp_path / "base", "search", stdout=full, stderr=full).wait() == 2


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe of POSIX")
def test_a_closed_pipe_is_not_an_error(tmp_path: Path) -> None:
    for command in (["documents"], ["documents", "--json"]):
        reading, writing = os.pipe()
        os.close(reading)
        process = _started(tmp_path / "base", *command, stdout=writing)
        os.close(writing)
        _out, err = process.communicate()
        assert (process.returncode, err) == (0, b"")


def test_the_version_is_one_json_document_on_request(kindred: Kindred) -> None:
    found = kindred("--version", "--json").json
    assert found["kindred"]
    assert {"python", "qt", "torch", "device", "precision", "threads"} <= found.keys()


def test_info_reports_a_missing_model_too(kindred: Kindred, imported: Path) -> None:
    answer = kindred("info", "--model", "no-such-model", "--json")
    assert (answer.status, answer.json["error"]["kind"]) == (3, "model_missing")


def test_an_import_in_which_every_file_failed_ends_with_3(kindred: Kindred, papers: Path, tmp_path: Path) -> None:
    answer = kindred("import", tmp_path / "gone.txt", "--json")
    assert answer.status == 3
    assert [failure["reason"] for failure in answer.json["failed"]] == ["unreadable"]
    assert answer.json["error"]["hint"]
    assert kindred("import", papers, tmp_path / "gone.txt", "--json").status == 1
    assert kindred("import", papers, tmp_path / "gone.txt").status == 1, "the others are unchanged now"


def test_a_locked_file_is_reported_with_a_hint(kindred: Kindred) -> None:
    answer = kindred("import", Path(__file__).parents[1] / "data" / "pdf" / "encrypted_openpassword.pdf")
    assert "--password" in answer.err
    assert "KINDRED_PDF_PASSWORD" in answer.err


def test_a_file_name_cannot_forge_a_line(kindred: Kindred, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    name = "a\nimported   b.txt\x1b[2J\u202e.txt"
    (folder / name).write_text("A name may hold anything.", "utf-8")
    (folder / "gone\n.pdf").write_bytes(b"%PDF-")
    (folder / os.fsdecode(b"\xff.txt")).write_text("Also bytes that are no text.", "utf-8")
    for command in (["import", folder], ["import", folder], ["documents"], ["search", "anything"]):
        answer = kindred(*command)
        assert "\\nimported   b.txt\\x1b[2J\\u202e" in answer.out
        assert "\\udcff.txt" in answer.out
        assert not any(line.startswith("imported   b.txt") for line in answer.out.splitlines())
        assert not {"\x1b", "\u202e"} & set(answer.out + answer.err)
    kindred("export", "sentences", "--output", tmp_path / "all.md")
    headings = [line for line in (tmp_path / "all.md").read_text("utf-8").splitlines() if line.startswith("## ")]
    assert any("imported b" in line for line in headings), headings


def test_a_base_folder_that_is_a_file_is_reported_in_one_line(kindred: Kindred, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    for base in (file, file / "below"):
        answer = kindred("documents", base=base)
        assert answer.status == 3
        assert len(answer.err.splitlines()) == 1
        assert f"{file} is a file" in answer.err


def test_an_empty_library_and_a_single_sentence_are_worded_correctly(kindred: Kindred, tmp_path: Path) -> None:
    assert "empty" in kindred("documents").out
    file = tmp_path / "one.txt"
    file.write_text("A single sentence stands here.")
    kindred("import", file)
    assert "1 sentence " in kindred("documents").out
    assert "1 sentence written to" in kindred("export", "sentences", "--output", tmp_path / "one.csv").out


def test_the_query_is_returned_unchanged(kindred: Kindred, imported: Path) -> None:
    for by in ("sentence", "document"):
        assert kindred("search", " the\x1b  ice\n", "--by", by, "--json").json["query"] == " the\x1b  ice\n"


def test_ctrl_c_says_what_remains_if_anything_does(
    kindred: Kindred, papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("desktop_app.core.jobs.Job.wait", interrupted)
    answer = kindred("search", "ice", "--json")
    assert answer.status == 130
    assert answer.json["error"] == {"kind": "stopped", "code": "stopped", "message": "Stopped", "hint": ""}
    assert kindred("doctor").err == "kindred: Stopped.\n"
    assert "kept" in kindred("import", papers).err


def test_texts_without_known_words_are_reported(kindred: Kindred, tmp_path: Path) -> None:
    for a, b, unknown in (
        ("   ", "  ", 2),
        ("😀", "🔥", 2),
        ("✓", "✗", 2),
        ("✓", "a tick", 1),
        ("a tick", "a cross", 0),
    ):
        assert len(kindred("compare", a, b, "--json").json["notes"]) == unknown
        assert kindred("compare", a, b).err.count("knows no word") == unknown
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("sentence1\tsentence2\n✓\t✗\nyes\tno\n", "utf-8")
    assert "2 sentences" in kindred("compare", "--pairs", pairs).err


def test_texts_without_known_words_are_paired_with_nothing_else(kindred: Kindred, tmp_path: Path) -> None:
    lines = ["✓", "✗", "x" * 300, "The sea is high.", "The sea stands high."]
    file = tmp_path / "lines.txt"
    file.write_text("\n".join(lines), "utf-8")
    (tmp_path / "marks.txt").write_text("\n\n".join(lines), "utf-8")
    kindred("import", tmp_path / "marks.txt")
    for asked in (["--file", file], ["--anywhere"]):
        best = kindred("pairs", *asked, "--min-score", "0.5", "--json").json["pairs"]
        assert [{pair["a"]["text"], pair["b"]["text"]} for pair in best] == [set(lines[3:])]
    assert kindred("documents", "--json").json["documents"][0]["title"] == "marks.txt"


def test_a_query_without_known_words_finds_nothing_by_meaning(kindred: Kindred, tmp_path: Path) -> None:
    file = tmp_path / "marks.txt"
    file.write_text("✓\n\nThe harbour was quiet in the morning.\n", "utf-8")
    kindred("import", file)
    for by in ("sentence", "document"):
        found = kindred("search", "x" * 10_000, "--mode", "meaning", "--by", by, "--json").json
        assert found["hits"] == []
        assert "does not recognize these words" in found["notes"][0]
        assert "does not recognize these words" in kindred("search", "🔥", "--by", by).err
        assert kindred("search", "a quiet harbour", "--by", by, "--json").json["notes"] == []
    queries = tmp_path / "queries.tsv"
    queries.write_text("q1\t🔥\nq2\tharbour\n", "utf-8")
    assert kindred("search", "--queries", queries).err.startswith("q1: The model does not recognize")


def test_a_library_that_cannot_be_repaired_is_reported(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    file = tmp_path / "base" / "data" / "library" / "library.db"
    whole = file.read_bytes()
    pages = whole.index(b"Nobody knows how fast") // 8192
    file.write_bytes(whole[: pages * 8192] + b"\xff" * 8192 + whole[(pages + 1) * 8192 :])
    answer = kindred("doctor", "--repair")
    assert answer.status == 3
    assert "doctor --repair" not in answer.out + answer.err
    assert "backup" in answer.err


def test_an_empty_database_and_an_old_one_are_told_apart(kindred: Kindred, papers: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    (library / "library.db").touch()
    for command in ("doctor", "info", "documents"):
        answer = kindred(command, "--library", library, "--json")
        assert (answer.status, answer.json["error"]["kind"]) == (3, "library_damaged")
        assert "empty" in answer.json["error"]["message"]
    answer = kindred("import", papers, "--library", library)
    assert answer.status == 3, "an import does not start a new library in its place without a word"
    assert "delete the file" in answer.err
    (library / "library.db").unlink()
    assert kindred("import", papers, "--library", library).status == 0
    assert kindred("doctor", "--library", library).status == 0


def test_a_request_to_end_is_taken_like_ctrl_c(kindred: Kindred, papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGTERM)
    wait = Job.wait
    waited: list[Job[object]] = []

    def terminated(job: Job[object], timeout_s: float | None = None) -> object:
        if job not in waited:
            waited.append(job)
            if job.name == "import":
                until(lambda: job.progress is not None or job.is_finished)
                signal.raise_signal(signal.SIGTERM)
        return wait(job, timeout_s)

    monkeypatch.setattr(Job, "wait", terminated)
    answer = kindred("import", papers, "--json")
    assert answer.status == 130
    assert answer.json["stopped"] is True
    assert len(answer.json["imported"]) < len(list(papers.iterdir()))
    assert signal.getsignal(signal.SIGTERM) is before


def _interrupt_during(name: str, monkeypatch: pytest.MonkeyPatch) -> list[Job[object]]:
    """Press Ctrl+C during the first job with this name, which finishes all the same; returns the jobs waited for."""
    wait, seen = Job.wait, []

    def interrupt(job: Job[object], timeout_s: float | None = None) -> object:
        is_first = job not in seen
        seen.append(job)
        if job.name == name and is_first:
            wait(job, PATIENCE_S)
            raise KeyboardInterrupt
        return wait(job, timeout_s)

    monkeypatch.setattr(Job, "wait", interrupt)
    return seen


@pytest.mark.parametrize("name", ["import", "resume"])
def test_after_ctrl_c_no_further_job_begins_and_an_import_tells_what_it_did(
    kindred: Kindred, papers: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The job during which it came may finish all the same; `import` then goes on with what an earlier run left."""
    seen = _interrupt_during(name, monkeypatch)
    answer = kindred("import", papers, "--json")
    assert answer.status == 130
    assert [job.name for job in seen][-2:] == [name, name], "interrupted, and waited for until it ended"
    assert len(answer.json["imported"]) == 2
    assert {each["state"] for each in kindred("documents", "--json").json["documents"]} == {"ready"}


def test_a_removal_that_finishes_after_ctrl_c_is_told(
    kindred: Kindred, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kindred("import", papers).status == 0
    with monkeypatch.context() as patched:
        _interrupt_during("change", patched)
        answer = kindred("remove", "#2", "--json")
    assert answer.status == 0
    assert answer.json["removed"] == 1
    assert [each["document_id"] for each in kindred("documents", "--json").json["documents"]] == [1]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_a_device_is_no_input(kindred: Kindred, tmp_path: Path) -> None:
    for arguments in (
        ("embed", "/dev/zero", "--output", tmp_path / "v.npy"),
        ("pairs", "--file", "/dev/zero"),
        ("compare", "--pairs", "/dev/zero"),
        ("search", "--queries", "/dev/zero"),
        ("evaluate", "/dev/zero"),
        ("trace", "/dev/zero"),
        ("import", "/dev/zero"),
    ):
        answer = kindred(*arguments)
        assert answer.status == 3, arguments
        assert "device" in answer.err or "regular file" in answer.err, arguments


def test_the_quick_search_needs_a_running_window(kindred: Kindred) -> None:
    answer = kindred("quick")
    assert answer.status == 3
    assert "Kindred is not running" in answer.err


def test_a_folder_in_place_of_a_document_names_the_first_of_those_in_it(kindred: Kindred, tmp_path: Path) -> None:
    folder = tmp_path / "letters"
    folder.mkdir()
    for name in "abcdef":
        (folder / f"{name}.txt").write_text(f"This is letter {name}.", "utf-8")
    kindred("import", folder)
    err = kindred("keys", folder).err
    assert "matches 6 documents: #1, #2, #3, #4, #5, …" in err
    assert ", ." not in err
