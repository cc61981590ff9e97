"""References of documents on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import rispy
from pybtex.database import parse_file

from tests.cli.conftest import Kindred

SET = ("authors=Woolf, Virginia; Bell, Clive", "date=1931", "kind=book", "publisher=Hogarth", "title=The Waves")


def test_references_are_corrected_listed_and_searched(kindred: Kindred, imported: Path) -> None:
    assert kindred("references").out.splitlines() == ["On bread. (n.d.).", "sea. (n.d.)."]
    answer = kindred("references", "set", imported / "sea.txt", *SET)
    assert answer.out.splitlines() == ["Woolf, V., & Bell, C. (1931). The Waves. Hogarth."]
    assert kindred("references", "bread.md").out.splitlines() == ["On bread. (n.d.)."]
    assert kindred("references", "sea.txt", "--style", "mla").out.splitlines() == [
        "Woolf, Virginia, and Clive Bell. The Waves. Hogarth, 1931."
    ]
    (row,) = [each for each in kindred("documents", "--json").json["documents"] if each["path"].endswith("sea.txt")]
    assert (row["title"], row["author"], row["date"]) == ("The Waves", "Virginia Woolf, Clive Bell", "1931")
    hits = kindred("search", "ice that melts author:woolf", "--json").json["hits"]
    assert {Path(hit["path"]).name for hit in hits} == {"sea.txt"}
    assert kindred("references", "reset", "sea.txt").out.splitlines() == ["sea. (n.d.)."]


def test_references_are_written_for_other_programs(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    kindred("references", "set", "sea.txt", *SET)
    files = {suffix: tmp_path / f"refs{suffix}" for suffix in (".bib", ".ris", ".json", ".txt")}
    for file in files.values():
        assert kindred("references", "--output", file).out == f"2 references written to {file}\n"
        answer = kindred("references", "--output", file, "--json")
        assert answer.json == {"written": 2, "output": str(file)}
    entries = parse_file(str(files[".bib"])).entries
    assert {key: entry.type for key, entry in entries.items()} == {"on-bread": "misc", "woolf1931": "book"}
    assert [entry["title"] for entry in rispy.loads(files[".ris"].read_text("utf-8"))] == ["On bread", "The Waves"]
    assert [item["type"] for item in json.loads(files[".json"].read_text("utf-8"))] == ["document", "book"]
    assert files[".txt"].read_text("utf-8").splitlines()[-1] == "Woolf, V., & Bell, C. (1931). The Waves. Hogarth."
    rows = kindred("references", "sea.txt", "--json").json["references"]
    assert (rows[0]["authors"], rows[0]["publisher"]) == (["Woolf, Virginia", "Bell, Clive"], "Hogarth")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("set", "sea.txt"), 2, "needs a document"),
        (("reset",), 2, "needs a document"),
        (("set", "sea.txt", "colour=blue"), 2, "The fields are: kind, title"),
        (("set", "sea.txt", "date=soon"), 2, "soon is not a date"),
        (("set", "sea.txt", "doi=none"), 2, "none is not a doi"),
        (("set", "sea.txt", "kind=novel"), 2, "novel is not a kind. The kinds are: document, article-journal"),
        (("set", "nothing.pdf", "date=1931"), 3, "nothing.pdf"),
        (("nothing.pdf",), 3, "nothing.pdf"),
        (("--output", "refs.doc"), 2, ".bib, .ris, .json or .txt"),
        (("sea.txt", "--in", "bread.md"), 2, "cannot be used together"),
    ],
)
def test_mistakes_are_reported(
    kindred: Kindred, imported: Path, arguments: tuple[str, ...], status: int, message: str
) -> None:
    answer = kindred("references", *arguments)
    assert (answer.status, message in answer.err) == (status, True), answer


def test_a_document_is_not_overwritten(kindred: Kindred, imported: Path) -> None:
    (imported / "bread.md").rename(imported / "bread.txt")
    kindred("import", imported / "bread.txt")
    before = (imported / "bread.txt").read_text("utf-8")
    assert kindred("references", "--output", imported / "bread.txt").status == 2
    assert (imported / "bread.txt").read_text("utf-8") == before


def test_a_list_of_references_brings_its_documents(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    new = tmp_path / "papers" / "tides.txt"
    new.parent.mkdir()
    new.write_text("The tide rises twice a day in this bay.\n")
    (tmp_path / "refs.bib").write_text(
        "@article{darwin, title={On the tides}, author={Darwin, George}, year={1898}, file={papers/tides.txt}}\n"
        "@book{woolf, title={The Waves}, author={Woolf, Virginia}, year={1931}, "
        f"file={{{imported / 'sea.txt'}}}}}\n"
        "@misc{nobody, title={Not in the library}}\n"
    )
    answer = kindred("references", "import", tmp_path / "refs.bib")
    assert answer.out.splitlines() == [
        "3 references read, 2 documents with a reference from it, 1 document imported",
        "no document: Not in the library",
    ]
    assert kindred("references").out.splitlines()[0] == "Darwin, G. (1898). On the tides."
    again = kindred("references", "import", tmp_path / "refs.bib", "--json").json
    assert (again["entries"], again["imported"], len(again["documents"])) == (3, 0, 2)
    assert kindred("references", "import", tmp_path / "none.bib").status == 2
    assert kindred("references", "import").status == 2


def test_a_title_of_several_documents_is_said_to_be_so(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    for name in ("sea.txt", "bread.md"):
        kindred("references", "set", name, "title=The level of the sea")
    (tmp_path / "refs.bib").write_text("@book{level, title={The level of the sea}}\n@misc{none, title={Not there}}\n")
    assert kindred("references", "import", tmp_path / "refs.bib").out.splitlines()[1:] == [
        "several documents: The level of the sea",
        "no document: Not there",
    ]
    answer = kindred("references", "import", tmp_path / "refs.bib", "--json").json
    assert (answer["unmatched"], answer["ambiguous"]) == (
        ["The level of the sea", "Not there"],
        ["The level of the sea"],
    )


def test_a_document_is_found_by_its_doi_or_title(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    kindred("references", "set", "sea.txt", "doi=10.1000/ABC", "title=The level of the sea")
    listed = [
        {"type": "book", "title": "Another title", "DOI": "10.1000/abc", "publisher": "By the DOI"},
        {"type": "book", "title": "On bread", "publisher": "Too short a title"},
    ]
    (tmp_path / "refs.json").write_text(json.dumps(listed))
    kindred("references", "import", tmp_path / "refs.json")
    rows = {row["title"]: row["publisher"] for row in kindred("references", "--json").json["references"]}
    assert rows == {"Another title": "By the DOI", "On bread": ""}
    listed = [{"type": "book", "title": "ANOTHER, title!", "publisher": "By the title"}]
    (tmp_path / "refs.json").write_text(json.dumps(listed))
    kindred("references", "import", tmp_path / "refs.json")
    rows = {row["title"]: row["publisher"] for row in kindred("references", "--json").json["references"]}
    assert rows == {"ANOTHER, title!": "By the title", "On bread": ""}


@pytest.mark.parametrize("suffix", [".bib", ".ris", ".json"])
def test_an_exported_list_finds_its_documents_also_by_a_short_title(
    kindred: Kindred, imported: Path, tmp_path: Path, suffix: str
) -> None:
    kindred("references", "set", "sea.txt", *SET)
    (imported / "more.txt").write_text("More of the waves.\n")
    kindred("import", imported)
    kindred("references", "set", "more.txt", *SET[:-1], "title=More")
    file = tmp_path / f"refs{suffix}"
    kindred("references", "--output", file)
    file.write_text(file.read_text("utf-8").replace("Hogarth", "Penguin"), "utf-8")
    assert kindred("references", "import", file, "--json").json["unmatched"] == []
    rows = {row["title"]: row["publisher"] for row in kindred("references", "--json").json["references"]}
    assert rows == {"More": "Penguin", "On bread": "", "The Waves": "Penguin"}
    other = "@book{woolf1931, title={Waves}}\n@book{king2001, title={The Waves}}\n@book{x, title={}}\n"
    (tmp_path / "other.bib").write_text(other)
    assert kindred("references", "import", tmp_path / "other.bib", "--json").json["documents"] == []
