"""`remove`, and the other commands, with a document that is in several places."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Kindred


def test_a_path_removes_only_the_file_there(kindred: Kindred, papers: Path) -> None:
    copies = papers / "copies"
    copies.mkdir()
    (copies / "sea.txt").write_bytes((papers / "sea.txt").read_bytes())
    report = kindred("import", papers, "--json").json
    main = papers / "sea.txt"
    (number,) = (each["document_id"] for each in report["imported"] if each["path"] == str(main))
    assert report["copies"] == [{"path": str(copies / "sea.txt"), "document_id": number}]
    assert f"also at {copies / 'sea.txt'}" in kindred("documents").out
    assert kindred("search", "the sea", "--in", copies, "--json").json["hits"]
    answer = kindred("remove", copies)
    assert f"only its copy {copies / 'sea.txt'}; the document stays" in answer.out
    assert "0 removed" in answer.out
    kindred("import", copies)
    assert kindred("remove", main, "--json").json["copies"] == [{"document_id": number, "path": str(main)}]
    kindred("import", main)
    gone = kindred("remove", "sea.txt", "--json").json
    assert ([each["document_id"] for each in gone["documents"]], gone["copies"]) == ([number], [])
    assert [Path(each["path"]).name for each in kindred("documents", "--json").json["documents"]] == ["bread.md"]
