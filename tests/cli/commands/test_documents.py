"""The list of documents as a person reads it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Kindred


def test_each_document_has_a_line_with_its_state_and_those_of_its_copies(kindred: Kindred, tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    files = {name: papers / f"{name}.txt" for name in ("copy", "empty", "gone", "one", "two")}
    files["two"].write_text("Tides are very long waves. The moon pulls at the sea.")
    files["copy"].write_bytes(files["two"].read_bytes())
    files["one"].write_text("A single sentence stands here.")
    files["gone"].write_text("Nobody finds this one again.")
    files["empty"].touch()
    kindred("import", papers)
    files["gone"].unlink()
    listed = {line.split("  ")[-1]: line for line in kindred("documents").out.splitlines()}
    assert len(listed) == 5
    numbers = {row["path"]: row["document_id"] for row in kindred("documents", "--json").json["documents"]}

    def line(name: str, state: str, sentences: str) -> str:
        return f"{f'#{numbers[str(files[name])]}':>6}  {state:<20}        -  {sentences}  {name}.txt  {files[name]}"

    assert listed[str(files["one"])] == line("one", "ready", "       1 sentence ")
    assert listed[str(files["gone"])] == line("gone", "ready (missing)", "       1 sentence ")
    assert listed[str(files["empty"])] == line("empty", "failed (no_text)", "       0 sentences")
    assert listed[str(files["copy"])] == line("copy", "ready", "       2 sentences")
    assert listed[f"also at {files['two']}"] == f"        also at {files['two']}"
