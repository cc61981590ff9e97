"""A library of Zotero on the command line: imported with everything that belongs to it, and followed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from desktop_app.cli.commands.import_files import KEPT_FILES
from desktop_app.cli.output import EXIT_STOPPED
from desktop_app.core.jobs import Job
from desktop_app.engine.importing import ImportService
from desktop_app.engine.requests import ImportReport
from tests.cli.conftest import Kindred
from tests.zotero_folder import ZoteroFolder


@pytest.fixture
def zotero(tmp_path: Path) -> ZoteroFolder:
    """A data folder with an article, a book, a group and collections."""
    made = ZoteroFolder(tmp_path / "Zotero")
    article = made.add_item(
        *("journalArticle", "ART1"),
        authors=("Airy, George", "Royal Society"),
        title="On <i>tides</i>",
        date="1845-03-00 March 1845",
        publicationTitle="Encyclopaedia",
        volume="5",
        DOI="10.1000/tides",
        extra="Citation Key: airyTides\nsomething else",
    )
    pdf = made.add_pdf("PDF1", article)
    made.annotate("ANN1", pdf, "very long waves", "Compare with <b>Laplace</b>.", label="245")
    made.annotate("ANN2", pdf, "", "Only a note", page=2, kind=2, colour="#ff6666", author="Mary")
    made.annotate("ANN3", pdf, "external", external=1)
    made.add_note(
        "NOTE1",
        article,
        "<h1>Reading notes</h1><p>Airy explains the <b>canal theory</b> of tides.</p>",
        "Reading notes",
    )
    book = made.add_item("book", "BOOK1", title="Harbours", date="2001", citationKey="harbours2001")
    made.add_attachment("GONE1", book, "storage:gone.pdf")
    group = made.add_group(77, "Sea Group")
    shared = made.add_item("journalArticle", "ART2", group, title="Shared waves")
    made.add_pdf("PDF2", shared, "shared.pdf", group)
    made.add_collection(1, "Thesis", "COL1")
    made.add_collection(2, "Chapter 1", "COL2", article, parent=1)
    made.add_collection(3, "Common", "COL3", shared, library=group)
    return made


def collections(kindred: Kindred) -> dict[str, int]:
    rows = kindred("collections", "--json").json["collections"]
    return {row["name"]: len(row["document_ids"]) for row in rows}


def test_a_library_of_zotero_is_taken_over_with_everything(kindred: Kindred, zotero: ZoteroFolder) -> None:
    before = zotero.file.read_bytes()
    answer = kindred("zotero", zotero.folder, "--json")
    assert answer.status == 0, answer.err
    (report,) = answer.json["folders"]
    known = {name: report[name] for name in ("documents", "imported", "failed", "annotations", "notes", "collections")}
    assert known == {"documents": 2, "imported": 3, "failed": 0, "annotations": 2, "notes": 1, "collections": 3}
    assert [Path(file).name for file in report["missing"]] == ["gone.pdf"]
    assert zotero.file.read_bytes() == before

    rows = {Path(row["path"]).name: row for row in kindred("references", "--json").json["references"]}
    paper = rows["paper.pdf"]
    assert (paper["title"], paper["authors"]) == ("On tides", ["Airy, George", "Royal Society"])
    assert (paper["date"], paper["container"], paper["doi"]) == ("1845-03", "Encyclopaedia", "10.1000/tides")
    assert (paper["key"], paper["source"]) == ("airyTides", "zotero:library:ART1:PDF1")
    assert rows["shared.pdf"]["source"] == "zotero:groups/77:ART2:PDF2"
    assert rows["NOTE1.html"]["container"] == "On tides"

    assert collections(kindred) == {
        "Zotero / Sea Group / Common": 1,
        "Zotero / Thesis": 2,  # with what is below it
        "Zotero / Thesis / Chapter 1": 2,
    }
    marks = kindred("annotations", "--json").json["annotations"]
    assert [(row["text"], row["comment"], row["page"], row["colour_name"], row["page_label"]) for row in marks] == [
        ("very long waves", "Compare with Laplace.", 1, "green", "245"),
        ("", "Only a note", 2, "red", "2"),
    ]
    hits = kindred("search", "kind:note Laplace", "--json").json["hits"]
    assert (hits[0]["text"], hits[0]["page"], hits[0]["colour"]) == ("Compare with Laplace.", 1, "#5fb236")
    assert kindred("search", "the canal theory of tides", "--json").json["hits"][0]["path"].endswith("NOTE1.html")
    assert kindred("doctor").status == 0


def test_a_file_that_two_items_have_is_one_document_with_the_annotations_of_both(
    kindred: Kindred, zotero: ZoteroFolder
) -> None:
    copy = zotero.add_item("book", "BOOK3", title="The same once more")
    pdf = zotero.add_pdf("PDF9", copy, "same.pdf")
    storage = zotero.folder / "storage"
    (storage / "PDF9" / "same.pdf").write_bytes((storage / "PDF1" / "paper.pdf").read_bytes())
    zotero.annotate("ANN9", pdf, "shallow water", "Also here", label="245")
    kindred("zotero", zotero.folder)
    (row,) = (each for each in kindred("documents", "--json").json["documents"] if each["copies"])
    assert {Path(path).name for path in (row["path"], *row["copies"])} == {"paper.pdf", "same.pdf"}
    assert row["title"] == "On tides"
    marks = kindred("annotations", "--json").json["annotations"]
    assert {each["comment"] for each in marks} == {"Compare with Laplace.", "Only a note", "Also here"}


def test_what_changes_in_zotero_is_followed(kindred: Kindred, zotero: ZoteroFolder) -> None:
    kindred("zotero", zotero.folder)
    zotero.run("UPDATE itemAnnotations SET comment = 'Now another' WHERE text = 'very long waves'")
    zotero.run("UPDATE collections SET collectionName = 'Dissertation' WHERE key = 'COL1'")
    zotero.run("INSERT INTO deletedItems (itemID) SELECT itemID FROM items WHERE key = 'NOTE1'")
    extra = zotero.add_item("book", "BOOK2", title="A new one")
    zotero.add_pdf("PDF3", extra, "new.pdf")
    answer = kindred("zotero")
    assert answer.out == "3 documents from Zotero, 1 file imported, 2 annotations, 0 notes, 3 collections\n", answer.err
    assert [row["comment"] for row in kindred("annotations", "--json").json["annotations"]] == [
        "Now another",
        "Only a note",
    ]
    assert set(collections(kindred)) == {
        *("Zotero / Dissertation", "Zotero / Dissertation / Chapter 1", "Zotero / Sea Group / Common")
    }
    names = {Path(row["path"]).name for row in kindred("documents", "--json").json["documents"]}
    assert names == {"paper.pdf", "shared.pdf", "new.pdf"}
    assert kindred("zotero").out.startswith("3 documents from Zotero, 0 files imported")


def tags(kindred: Kindred) -> dict[str, list[str]]:
    names = {row["document_id"]: Path(row["path"]).name for row in kindred("documents", "--json").json["documents"]}
    rows = kindred("tags", "--json").json["tags"]
    return {row["tag"]: sorted(names[each] for each in row["document_ids"]) for row in rows}


def test_tags_follow_those_of_zotero_and_leave_those_of_kindred_alone(kindred: Kindred, zotero: ZoteroFolder) -> None:
    with zotero.open() as connection:
        items = dict(connection.execute("SELECT key, itemID FROM items").fetchall())
    zotero.add_tag(items["ART1"], "Tides, theory of")
    zotero.add_tag(items["ART1"], "Astronomy: ephemerides", automatic=True)
    zotero.add_tag(items["PDF1"], "to read")
    zotero.add_tag(items["NOTE1"], "idea")
    zotero.add_tag(items["ANN1"], "tag of an annotation")
    kindred("zotero", zotero.folder)
    assert tags(kindred) == {
        "idea": ["NOTE1.html"],
        "Tides theory of": ["NOTE1.html", "paper.pdf"],
        "to read": ["paper.pdf"],
    }
    kindred("tags", "add", "mine", "paper.pdf")
    kindred("tags", "remove", "to read", "paper.pdf")
    zotero.run("DELETE FROM itemTags WHERE itemID = ?", items["ART1"])
    zotero.add_tag(items["ART1"], "waves")
    kindred("zotero")
    assert tags(kindred) == {
        "idea": ["NOTE1.html"],
        "mine": ["paper.pdf"],
        "waves": ["NOTE1.html", "paper.pdf"],
    }


def test_zotero_may_be_open_and_not_have_written_its_log_yet(kindred: Kindred, zotero: ZoteroFolder) -> None:
    with closing(sqlite3.connect(zotero.file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("UPDATE itemAnnotations SET comment = 'In the log' WHERE text = 'very long waves'")
        assert kindred("zotero", zotero.folder).status == 0
    assert "In the log" in {row["comment"] for row in kindred("annotations", "--json").json["annotations"]}


@pytest.mark.parametrize("version", [5, 6])
def test_earlier_versions_are_read(kindred: Kindred, tmp_path: Path, version: int) -> None:
    made = ZoteroFolder(tmp_path / "Zotero", version)
    item = made.add_item("book", "B", title="Waves", date="1999")
    pdf = made.add_pdf("P", item)
    if version > 5:
        made.annotate("A", pdf, "very long waves")
    answer = kindred("zotero", made.file)  # the file itself may be named
    expected = "1 document from Zotero, 1 file imported, {} annotation{}, 0 notes, 0 collections\n"
    assert answer.out == expected.format(*((1, "") if version > 5 else (0, "s"))), answer.err


def test_linked_files_and_better_bibtex(kindred: Kindred, tmp_path: Path) -> None:
    made = ZoteroFolder(tmp_path / "Zotero")
    base = tmp_path / "linked"
    (base / "sub").mkdir(parents=True)
    (base / "sub" / "notes.txt").write_text("Somebody wrote down the depth of the harbour.", "utf-8")
    item = made.add_item("book", "B", title="Depths")
    made.add_attachment("L", item, "attachments:sub/notes.txt", 2)
    with closing(sqlite3.connect(made.folder / "better-bibtex.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE citationkey (itemID, itemKey, libraryID, citationKey, pinned)")
        connection.execute("INSERT INTO citationkey VALUES (?, 'B', 1, 'depths', 0)", (item,))
    answer = kindred("zotero", made.folder)
    assert "base folder for them is unknown" in answer.err
    assert kindred("zotero", made.folder, "--base", base).out.startswith("1 document from Zotero, 1 file imported")
    (row,) = kindred("references", "--json").json["references"]
    assert (row["title"], row["key"], row["source"]) == ("Depths", "depths", "zotero:library:B:L")


def test_all_kinds_of_attachments_and_annotations_are_taken_over(kindred: Kindred, tmp_path: Path) -> None:
    made = ZoteroFolder(tmp_path / "Zotero")
    item = made.add_item("journalArticle", "I", title="If x<5 and y>3, <i>then</i> waves")
    pdf = made.add_pdf("PDF", item)
    made.annotate("UNDER", pdf, "two<sub>2</sub> a < b > c", "", kind=5)
    made.annotate("IMAGE", pdf, "", "a figure", kind=3)
    drawing = '{"pageIndex": 2, "width": 2, "paths": [[100, 200, 110, 190.5, 120, 230], [90, 210, 95, 215]]}'
    made.annotate("INK", pdf, "", "", kind=4, page=3, position=drawing)
    for key, name, content in (
        ("SNAP", "page.html", "<title>Saved</title><p>A snapshot remembers the whole page of the newspaper.</p>"),
        ("TEXT", "plain.txt", "A plain text hangs at no item at all."),
    ):
        (made.folder / "storage" / key).mkdir()
        (made.folder / "storage" / key / name).write_text(content, "utf-8")
    made.add_attachment("SNAP", item, "storage:page.html", 1)
    alone = made.add_attachment("TEXT", None, "storage:plain.txt", 0)
    made.run("INSERT INTO itemNotes VALUES (?, NULL, '<p>Written on the attachment itself.</p>', '')", alone)
    book = '{"type": "FragmentSelector", "value": "epubcfi(/6/4!/4/2)"}'
    made.annotate("BOOK", alone, "no item at all", "in a book", position=book, label="")
    made.add_item("webpage", "WEB", title="Only a link")
    made.add_attachment("LINK", item, "", 3)
    answer = kindred("zotero", made.folder)
    assert answer.status == 0, answer.err
    assert answer.out == "3 documents from Zotero, 4 files imported, 4 annotations, 1 note, 0 collections\n"
    rows = {Path(row["path"]).name: row for row in kindred("references", "--json").json["references"]}
    assert rows["paper.pdf"]["title"] == "If x<5 and y>3, then waves"
    assert rows["plain.txt"]["source"] == "zotero:library:TEXT:TEXT"
    marks = kindred("annotations", "--json").json["annotations"]
    assert sorted((row["text"], row["comment"], row["page"]) for row in marks) == [
        *(("", "", 3), ("", "a figure", 1), ("no item at all", "in a book", None), ("two2 a < b > c", "", 1)),
    ]
    found = kindred("search", "written on the attachment itself", "--json").json["hits"]
    assert found[0]["path"].endswith("TEXT.html")


def test_broken_libraries_are_read_as_far_as_possible(kindred: Kindred, zotero: ZoteroFolder) -> None:
    zotero.run("UPDATE collections SET parentCollectionID = 2 WHERE collectionID = 1")  # a circle
    zotero.run("UPDATE itemAnnotations SET position = '{broken' WHERE text = 'very long waves'")
    zotero.run("UPDATE itemNotes SET note = '<p>half <b>open & <table>' WHERE title = 'Reading notes'")
    zotero.run("UPDATE itemAttachments SET path = 'storage:../../escape.pdf' WHERE path LIKE 'storage:gone%'")
    (zotero.folder / "better-bibtex.sqlite").write_bytes(b"not a database at all, but long enough to look like one")
    answer = kindred("zotero", zotero.folder)
    assert answer.status == 0, answer.err
    assert "Damaged annotations in Zotero, skipped: 1" in answer.err
    assert "citation keys of Better BibTeX could not be read" in answer.err
    assert answer.out.startswith("2 documents from Zotero, 3 files imported, 1 annotation, 1 note")


def test_what_is_no_library_of_zotero_is_refused(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "it contains no zotero.sqlite" in kindred("zotero", empty).err
    assert "No Zotero folder was imported" in kindred("zotero").err
    (empty / "zotero.sqlite").write_bytes(b"nonsense " * 200)
    assert "cannot be read" in kindred("zotero", empty).err
    (empty / "zotero.sqlite").unlink()
    with closing(sqlite3.connect(empty / "zotero.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE version (schema, version)")
        connection.execute("INSERT INTO version VALUES ('userdata', 999)")
    answer = kindred("zotero", empty)
    assert (answer.status, "version 999" in answer.err) == (2, True)
    assert len(kindred("documents", "--json").json["documents"]) == 2


def test_who_stops_the_command_is_told_what_remains(
    kindred: Kindred, zotero: ZoteroFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(service: ImportService, _request: object) -> Job[ImportReport]:
        return service._context.engine.submit("import", lambda: ImportReport(stopped=True))

    monkeypatch.setattr(ImportService, "start", stop)
    answer = kindred("zotero", zotero.folder)
    assert (answer.status, answer.out) == (EXIT_STOPPED, "")
    assert answer.err == f"kindred: Stopped. {KEPT_FILES}\n"
    assert kindred("zotero", zotero.folder, "--json").json["error"]["kind"] == "stopped"
