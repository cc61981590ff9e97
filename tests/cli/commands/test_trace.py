"""`trace` and `diff`: a draft and the library, a document and another one."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Kindred
from tests.text.scans import picture, scan
from tests.two_versions import NEW, OLD, write_versions

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture
def library(kindred: Kindred, tmp_path: Path) -> Path:
    folder = write_versions(tmp_path / "texts")
    kindred("import", folder)
    return folder


def test_two_documents_are_aligned_by_meaning(kindred: Kindred, library: Path, tmp_path: Path) -> None:
    found = kindred("diff", "old.txt", "new.txt", "--json").json
    changes = [(row["change"], (row["b"] or row["a"])["text"]) for row in found["rows"]]
    old, new = OLD.split("\n"), NEW.split("\n")
    assert changes == [
        ("moved", new[0]),
        ("kept", new[1]),
        ("reworded", new[2]),
        ("reworded", new[3]),
        ("new", new[4]),
        ("dropped", old[3]),
        ("dropped", old[5]),
    ] or changes == [
        ("moved", new[0]),
        ("kept", new[1]),
        ("reworded", new[2]),
        ("reworded", new[3]),
        ("dropped", old[3]),
        ("dropped", old[5]),
        ("new", new[4]),
    ]
    assert found["counts"] == {"kept": 1, "reworded": 2, "moved": 1, "new": 1, "dropped": 2}
    assert found["rows"][3]["badges"] == ["negation"]
    assert found["rows"][2]["a"]["text"] == old[1]
    assert found["rows"][0]["a"]["path"].endswith("old.txt")
    text = kindred("diff", "old.txt", "new.txt").out
    assert "1 kept, 2 reworded, 1 moved, 1 new, 2 dropped" in text
    table = tmp_path / "diff.csv"
    assert kindred("diff", "old.txt", "new.txt", "--output", table).status == 0
    with table.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["change"] for row in rows] == [change for change, _ in changes]
    page = tmp_path / "diff.md"
    kindred("diff", "old.txt", "new.txt", "--output", page)
    assert "**reworded**" in page.read_text("utf-8")


def test_a_document_and_its_copy_are_completely_kept(kindred: Kindred, library: Path) -> None:
    (library / "copy.txt").write_text(OLD.replace("\n", "\n\n") + "\n\nOne more, and \u5b8c\u5168 other.", "utf-8")
    kindred("import", library)
    counts = kindred("diff", "old.txt", "copy.txt", "--json").json["counts"]
    assert counts == {"kept": 6, "reworded": 0, "moved": 0, "new": 1, "dropped": 0}


def test_a_file_outside_the_library_is_aligned_and_not_imported(
    kindred: Kindred, library: Path, tmp_path: Path
) -> None:
    later = tmp_path / "later.txt"
    later.write_text(OLD.replace("\n", "\n\n") + "\n\nOne more.", "utf-8")
    found = kindred("diff", "old.txt", later, "--json").json
    assert found["counts"] == {"kept": 6, "reworded": 0, "moved": 0, "new": 1, "dropped": 0}
    assert found["rows"][-1]["b"]["path"] == str(later)
    assert kindred("info", "--json").json["documents"] == 2
    locked = DATA / "pdf" / "encrypted_openpassword.pdf"
    assert kindred("diff", locked, "old.txt").status == 3
    assert kindred("diff", locked, "old.txt", "--password", "openpassword").status == 0


def test_a_draft_is_traced_to_its_sources_and_not_imported(kindred: Kindred, library: Path, tmp_path: Path) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text(
        "the sea rises, because warm water takes more room!\n\n"
        "Coastal towns must adapt their drains before the storms in winter.\n\n"
        "The parliament of Iceland was founded in the year 930.\n",
        "utf-8",
    )
    before = kindred("info", "--json").json
    found = kindred("trace", draft, "--json").json
    assert [sentence["support"] for sentence in found["sentences"]] == ["verbatim", "paraphrased", "unsupported"]
    assert found["coverage"] == {"verbatim": 1, "paraphrased": 1, "related": 0, "unsupported": 1}
    best = found["sentences"][0]["source"]
    assert best["text"] == OLD.split("\n")[0]
    assert found["sentences"][2]["source"] is None
    assert kindred("info", "--json").json == before
    out = tmp_path / "draft.traced.md"
    assert "3 sentences written to" in kindred("trace", draft, "--output", out).out
    assert "[^1]: " in out.read_text("utf-8")
    lines = tmp_path / "draft.jsonl"
    kindred("trace", draft, "--output", lines)
    assert [json.loads(line)["support"] for line in lines.read_text("utf-8").splitlines()] == [
        sentence["support"] for sentence in found["sentences"]
    ]
    own = kindred("trace", library / "old.txt", "--json").json
    assert own["own"] == ["old.txt"]
    assert {hit["title"] for row in own["sentences"] for hit in row["sources"]} == {"new.txt"}
    assert "as a source (same file): old.txt" in kindred("trace", library / "old.txt").out
    listed = tmp_path / "list.md"
    listed.write_text(
        "# Plan\n\n- Bread is mostly waiting.\n- Salt is salt.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", "utf-8"
    )
    result = kindred("trace", listed, "--json").json
    assert [sentence["text"] for sentence in result["sentences"]] == ["Bread is mostly waiting.", "Salt is salt."]
    assert result["sentences"][0]["support"] == "verbatim"
    assert result["skipped"] == 3
    assert "skipped 3 lines: headings, fragments" in kindred("trace", listed).out
    only = kindred("trace", draft, "--in", "new.txt", "--json").json
    assert {hit["title"] for row in only["sentences"] for hit in row["sources"]} == {
        best["title"].replace("old", "new")
    }


def test_trace_and_diff_report_errors(kindred: Kindred, library: Path, tmp_path: Path) -> None:
    assert kindred("trace", tmp_path / "nowhere.txt").status == 3
    empty = tmp_path / "empty.txt"
    empty.write_text("", "utf-8")
    answer = kindred("trace", empty, "--json")
    assert answer.status == 3
    assert answer.json["error"]["message"] == f"{empty}: The file is empty"
    assert kindred("trace", library / "old.txt", "--output", tmp_path / "x.pdf").status == 2
    assert kindred("diff", "old.txt", "old.txt").status == 2
    assert kindred("diff", library / "old.txt", "old.txt").status == 2, "the path of a document is that document"
    assert kindred("diff", empty, "old.txt", "--json").json["error"]["message"] == f"{empty}: The file is empty"
    assert kindred("diff", "old.txt", "gone.txt").status == 3


LEASE = """Der Mieter zahlt die Miete am ersten Tag jedes Monats. Der Vermieter hält das Gebäude in gutem Zustand.
Der Mieter darf die Wohnung nicht ohne schriftliche Zustimmung untervermieten."""


def test_a_language_that_the_model_does_not_know_is_named(kindred: Kindred, library: Path, tmp_path: Path) -> None:
    file = tmp_path / "mietvertrag.txt"
    file.write_text(LEASE, "utf-8")
    assert "some sentences look like German, which the model is not trained for" in kindred("trace", file).out
    assert kindred("trace", file, "--json").json["unknown_languages"] == ["de"]
    short = tmp_path / "short.txt"
    short.write_text("Haustiere sind nicht erlaubt.", "utf-8")
    assert kindred("trace", short, "--json").json["unknown_languages"] == ["de"]
    assert kindred("trace", library / "old.txt", "--json").json["unknown_languages"] == []
    notes = tmp_path / "notes.md"
    kindred("trace", file, "--output", notes)
    assert "look like German" in notes.read_text("utf-8")
    assert "look like German" in kindred("diff", "old.txt", file).out
    assert kindred("diff", file, "old.txt", "--json").json["unknown_languages"] == ["de"]
    note = "The model is not trained for German"
    assert note in kindred("compare", "The tenant pays the rent.", "Der Mieter zahlt die Miete.").err
    assert note not in kindred("compare", "The tenant pays the rent.", "The rent is paid by the tenant.").err


def test_errors_name_the_file(kindred: Kindred, library: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    assert kindred("diff", library / "old.txt", empty).err == (
        f"kindred: {empty}: The file is empty. Add text to it, then try again.\n"
    )
    answer = kindred("trace", empty, "--json").json["error"]
    assert (answer["code"], str(empty) in answer["message"]) == ("no_text", True)
    assert kindred("trace", library).err == f"kindred: {library} is a folder. Give a file.\n"


@pytest.mark.parametrize("command", ["trace", "diff"])
def test_what_helps_with_a_scan_names_no_option_that_the_command_lacks(
    kindred: Kindred, library: Path, tmp_path: Path, command: str
) -> None:
    file = tmp_path / "scan.pdf"
    file.write_bytes(scan([picture(DATA / "pdf" / "pdfa_one_page.pdf", dpi=50)]))
    refused = kindred(command, file, *([library / "old.txt"] if command == "diff" else []))
    assert refused.err == (
        f"kindred: {file}: No page has text (scanned or empty pages). Its pages are scanned or empty. Use a copy that "
        "contains text.\n"
    )
