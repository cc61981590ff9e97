"""Highlights and notes on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pypdf
import pytest

from desktop_app.core.annotations import COLOURS, Annotation
from desktop_app.core.records import Place
from desktop_app.store.library import LocalLibrary
from tests.cli.conftest import Kindred
from tests.text.helpers import At, made_pdf


@pytest.fixture
def annotated(kindred: Kindred, imported: Path, tmp_path: Path) -> Path:
    """The papers and a PDF, with two highlights."""
    pdf = tmp_path / "waves.pdf"
    pdf.write_bytes(
        made_pdf([[At(72, 700, "Waves carry energy and no water.")], [At(72, 700, "Tides are slow waves.")]])
    )
    assert kindred("import", pdf).status == 0
    (folder,) = (tmp_path / "base").rglob("library.db")
    with LocalLibrary.open(folder.parent) as library:
        by_name = {Path(each.path).name: each.document_id for each in library.documents.fetch()}
        page = (Place(2, 0, 21, "text"),)
        own = Annotation(
            0,
            by_name["waves.pdf"],
            "slow waves",
            "Why *slow*?\nSee chapter two.",
            COLOURS["green"],
            places=page,
            page_label="ii",
        )
        line = (Place(None, 0, 55, "char", 1, 1),)
        theirs = Annotation(0, by_name["sea.txt"], "risen", origin="zotero", author="Ida", places=line, ordinal=0)
        library.annotations.add([own, theirs])
    return pdf


def test_highlights_are_listed_and_filtered(kindred: Kindred, annotated: Path) -> None:
    assert kindred("annotations").out.splitlines() == [
        "sea.txt, line 1, yellow, Zotero",
        "    “risen”",
        "waves.pdf, p. ii, green",
        "    “slow waves”",
        "    Why *slow*?",
        "    See chapter two.",
    ]
    for arguments in (
        ["--find", "SLOW ch"],
        ["--colour", "green"],
        ["--origin", "own"],
        [annotated],
        ["--in", annotated],
    ):
        (row,) = kindred("annotations", *arguments, "--json").json["annotations"]
        assert (row["text"], row["page"], row["page_label"], row["colour_name"]) == ("slow waves", 2, "ii", "green")
        assert row["created"].startswith("20")
    assert kindred("annotations", "--find", "nowhere").out == "No highlights or notes found.\n"


def test_highlights_are_exported(kindred: Kindred, annotated: Path, tmp_path: Path) -> None:
    files = {suffix: tmp_path / f"marks{suffix}" for suffix in (".md", ".csv", ".jsonl")}
    for file in files.values():
        assert kindred("annotations", "--output", file).out == f"2 highlights written to {file}\n"
    answer = kindred("annotations", "--output", files[".md"], "--json")
    assert answer.json == {"written": 2, "output": str(files[".md"])}
    text = files[".md"].read_text("utf-8")
    assert "## waves\n\n> slow waves (p. ii)\n\nWhy \\*slow\\*?\nSee chapter two.\n" in text
    assert [row["text"] for row in csv.DictReader(files[".csv"].read_text("utf-8-sig").splitlines())] == [
        "risen",
        "slow waves",
    ]
    assert [json.loads(row)["author"] for row in files[".jsonl"].read_text("utf-8").splitlines()] == ["Ida", ""]
    kindred("references", "set", "waves.pdf", "authors=Airy, George", "date=1845", "title=Tides and Waves")
    assert kindred("annotations", annotated, "--output", files[".md"], "--style", "apa").status == 0
    text = files[".md"].read_text("utf-8")
    assert "> slow waves (Airy, 1845, p. ii)\n" in text
    assert text.endswith("## References\n\n- Airy, G. (1845). Tides and Waves.\n")


def test_a_copy_of_a_pdf_contains_the_highlights(kindred: Kindred, annotated: Path, tmp_path: Path) -> None:
    copy, before = tmp_path / "copy.pdf", annotated.read_bytes()
    answer = kindred("annotations", "copy", "waves.pdf", "--output", copy, "--author", "Mary")
    assert answer.out == f"1 highlight written to {copy}\n"
    assert annotated.read_bytes() == before
    first, second = pypdf.PdfReader(copy).pages
    assert first.annotations is None
    (mark,) = (each.get_object() for each in second.annotations or ())
    assert (mark["/Subtype"], mark["/T"], mark["/Contents"]) == ("/Highlight", "Mary", "Why *slow*?\nSee chapter two.")
    # Read back, they are notes of the file.
    assert kindred("import", copy).status == 0
    rows = kindred("annotations", copy, "--json").json["annotations"]
    assert [(row["origin"], row["comment"], row["page"]) for row in rows] == [
        ("file", "slow waves", 2),
        ("file", "Why *slow*? See chapter two.", 2),
    ]
    hits = kindred("search", "kind:note slow waves", "--json").json["hits"]
    # The import has found the other highlight, too: it was only stored.
    assert {hit["text"] for hit in hits} == {"slow waves", "Why *slow*?", "See chapter two.", "risen"}


def test_a_copy_is_written_for_a_person_without_a_name_too(
    kindred: Kindred, annotated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> str:
        raise KeyError("getpwuid(): uid not found: 4711")

    monkeypatch.setattr("getpass.getuser", refuse)
    copy = tmp_path / "copy.pdf"
    assert kindred("annotations", "copy", "waves.pdf", "--output", copy).status == 0
    marks = pypdf.PdfReader(copy).pages[1].annotations
    assert [each.get_object().get("/T", "") for each in marks or ()] == [""]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("copy", "waves.pdf"), 2, "needs a document and --output"),
        (("copy", "sea.txt", "--output", "copy.pdf"), 2, "Only copies of PDF files"),
        (("copy", "waves.pdf", "--output", "copy.txt"), 2, "The copy is a PDF"),
        (("--output", "marks.doc"), 2, ".md, .xlsx, .csv or .jsonl"),
        (("--style", "apa"), 2, "--output FILE.md"),
        (("nothing.pdf",), 3, "nothing.pdf"),
        (("sea.txt", "--in", "bread.md"), 2, "cannot be used together"),
    ],
)
def test_mistakes_are_reported(
    kindred: Kindred,
    annotated: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    status: int,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = kindred("annotations", *arguments)
    assert (answer.status, message in answer.err) == (status, True), answer.err


def test_the_original_is_never_overwritten(kindred: Kindred, annotated: Path) -> None:
    before = annotated.read_bytes()
    assert kindred("annotations", "copy", "waves.pdf", "--output", annotated).status == 2
    assert annotated.read_bytes() == before
