"""A database of Zotero becomes references, annotations, notes and collections, each value in its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.core.bibliography import Reference
from desktop_app.core.jobs import run_to_completion
from desktop_app.core.pages import PageRect
from desktop_app.core.records import Place
from desktop_app.core.zotero import ZoteroAttachment, ZoteroLibrary, ZoteroLink
from desktop_app.engine import zotero_database
from desktop_app.engine.zotero import format_source, parse_source
from desktop_app.engine.zotero_database import describe_state, find_base_folder, find_data_folder, read_zotero
from tests.zotero_folder import ZoteroFolder


@pytest.fixture
def zotero(tmp_path: Path) -> ZoteroFolder:
    return ZoteroFolder(tmp_path / "Zotero")


def read(made: ZoteroFolder, base: str = "/nowhere") -> ZoteroLibrary:
    return run_to_completion(read_zotero(str(made.folder), base))


def referenced(made: ZoteroFolder, **fields: str) -> Reference:
    """The reference of an article with these fields."""
    made.add_attachment("FILE", made.add_item("journalArticle", "ITEM", **fields), "storage:a.pdf")
    (attachment,) = read(made).attachments
    assert attachment.reference is not None
    return attachment.reference


def test_fields_of_an_item_become_those_of_a_reference(zotero: ZoteroFolder) -> None:
    article = zotero.add_item(
        *("journalArticle", "ART"),
        title=" On  <i>tides</i> &amp; x<y ",
        date="1845-03-00 March 1845",
        publicationTitle="Encyclopaedia",
        volume="5",
        DOI="https://doi.org/10.1000/Tides",
        publisher="Dover",
        citationKey="airy1845",
        authors=("Airy, George", "Royal Society", "Airy, George"),
    )
    zotero.add_attachment("FILE", article, "storage:tides.pdf")
    (attachment,) = read(zotero).attachments
    assert attachment.link == ZoteroLink("library", "ART", "FILE")
    assert attachment.path == zotero.folder / "storage" / "FILE" / "tides.pdf"
    assert attachment.reference == Reference(
        *("article-journal", "On tides & x<y", ("Airy, George", "Royal Society"), "1845-03", "Encyclopaedia", "5"),
        doi="10.1000/Tides",
        publisher="Dover",
        key="airy1845",
    )


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("1845-00-00 1845", "1845"),
        ("1845-03-00 March 1845", "1845-03"),
        ("1845-03-07 7 March 1845", "1845-03-07"),
        ("0000-00-00 1845-03", "1845-03"),
        ("1845", "1845"),
        ("in spring", ""),
    ],
)
def test_dates_are_read_from_the_part_for_machines_else_from_the_rest(
    written: str, date: str, zotero: ZoteroFolder
) -> None:
    assert referenced(zotero, date=written).date == date


@pytest.mark.parametrize(
    ("fields", "doi", "key"),
    [
        ({"extra": "A remark\nDOI: 10.1000/a\ncitation key: mine"}, "10.1000/a", "mine"),
        ({"extra": "doi:10.1000/a"}, "10.1000/a", ""),
        ({"extra": "see DOI: 10.1000/a"}, "", ""),
        ({"extra": "DOI: 10.1000/a", "DOI": "10.1000/b"}, "10.1000/b", ""),
        ({"extra": "Citekey : mine \nbibtex: other", "citationKey": "theirs"}, "", "mine"),
        ({"citationKey": "theirs"}, "", "theirs"),
    ],
)
def test_a_doi_and_a_key_may_be_among_the_remarks(
    fields: dict[str, str], doi: str, key: str, zotero: ZoteroFolder
) -> None:
    found = referenced(zotero, **fields)
    assert (found.doi, found.key) == (doi, key)


def test_annotations_have_their_words_place_and_colour(zotero: ZoteroFolder) -> None:
    file = zotero.add_attachment("FILE", None, "storage:a.pdf")
    over = '{"pageIndex": 4, "rects": [[1, 2, 3, 4]], "nextPageRects": [[5, 6, 7, 8], [9]]}'
    drawn = '{"pageIndex": 2, "paths": [[10, 60, 30, 20], [20, 90]]}'
    zotero.annotate(
        "A1", file, "two <b>words</b>  here", "Why &lt; <i>so</i>?", 5, position=over, label="iv", author="Ida"
    )
    zotero.annotate("A2", file, "", "", 3, kind=4, position=drawn, colour="none", label="")
    zotero.annotate("A3", file, "underlined", kind=5)
    zotero.annotate("A4", file, "in the file itself", external=1)
    zotero.annotate("A5", file, "torn", position="{")
    zotero.annotate("A6", file, "", "", position="{}")
    library = read(zotero)
    under, drawing, words = library.attachments[0].annotations  # in the order of the pages
    assert [str(each) for each in library.remarks] == ["Damaged annotations in Zotero, skipped: 2"]
    assert (words.text, words.comment, words.colour, words.author) == ("two words here", "Why < so?", "#5fb236", "Ida")
    assert (words.kind, words.origin, words.key, words.page_label) == ("highlight", "zotero", "A1", "iv")
    assert words.places == (Place(5, 0, 14, "text"),)
    assert words.rects == (PageRect(5, 1, 2, 3, 4), PageRect(6, 5, 6, 7, 8))
    assert (drawing.kind, drawing.colour, drawing.page_label) == ("note", "#ffd400", None)
    assert drawing.rects == (PageRect(3, 10, 20, 30, 90),)
    assert (under.kind, under.text) == ("underline", "underlined")


def test_collections_have_the_names_of_those_above_them_and_their_items(zotero: ZoteroFolder) -> None:
    group = zotero.add_group(77, "Sea Group")
    own, shared = zotero.add_item("book", "OWN"), zotero.add_item("book", "SHARED", group)
    zotero.add_attachment("F1", own, "storage:a.pdf")
    zotero.add_attachment("F2", shared, "storage:b.pdf", library=group)
    zotero.add_attachment("F3", None, "storage:c.pdf")
    zotero.add_collection(1, "Thesis", "C1")
    zotero.add_collection(2, "Chapter", "C2", own, parent=1)
    zotero.add_collection(3, "Common", "C3", shared, library=group)
    library = read(zotero)
    assert {(each.key, each.name) for each in library.collections} == {
        (("library", "C1"), "Thesis"),
        (("library", "C2"), "Thesis / Chapter"),
        (("groups/77", "C3"), "Sea Group / Common"),
    }
    first, second, third = library.attachments
    assert set(first.collections) == {("library", "C1"), ("library", "C2")}
    assert (second.link, second.collections) == (ZoteroLink("groups/77", "SHARED", "F2"), (("groups/77", "C3"),))
    assert (third.link, third.reference, third.collections) == (ZoteroLink("library", "F3", "F3"), None, ())


def test_notes_have_a_title_and_tags_are_those_of_people(zotero: ZoteroFolder) -> None:
    item = zotero.add_item("book", "BOOK", title="Waves")
    file = zotero.add_attachment("FILE", item, "storage:a.pdf")
    zotero.add_note("N1", item, "<p>Tides &amp; <b>waves</b></p>")
    zotero.add_note("N2", None, "<p>More</p>", " A  title ")
    zotero.add_note("N3", None, "<p> </p>")
    zotero.add_tag(item, "sea")
    zotero.add_tag(item, "downloaded", automatic=True)
    zotero.add_tag(file, "to read")
    library = read(zotero)
    first, second = library.notes
    assert (first.link, first.title, first.tags) == (ZoteroLink("library", "N1"), "Tides & waves", ("sea",))
    assert (first.html, first.reference) == ("<p>Tides &amp; <b>waves</b></p>", library.attachments[0].reference)
    assert (second.title, second.reference, second.tags) == ("A title", None, ())
    assert library.attachments[0].tags == ("sea", "to read")


def names(attachments: tuple[ZoteroAttachment, ...]) -> list[str]:
    return [each.link.attachment for each in attachments]


def test_links_and_what_is_in_the_trash_are_left_out(zotero: ZoteroFolder) -> None:
    kept, gone = zotero.add_item("book", "KEPT"), zotero.add_item("book", "GONE")
    zotero.add_attachment("LINK", kept, "https://example.org", 3)
    zotero.add_attachment("IMAGE", kept, "storage:a.png", 4)
    zotero.add_attachment("NOPATH", kept, "")
    thrown = zotero.add_attachment("THROWN", kept, "storage:b.pdf")
    zotero.add_attachment("OFGONE", gone, "storage:c.pdf")
    zotero.add_attachment("FILE", kept, "storage:d.pdf")
    for item in (gone, thrown):
        zotero.run("INSERT INTO deletedItems (itemID) VALUES (?)", item)
    assert names(read(zotero).attachments) == ["FILE"]


def test_files_lie_in_the_storage_below_the_base_folder_or_anywhere(zotero: ZoteroFolder) -> None:
    zotero.add_attachment("A", None, "storage:..\\../etc/escape.pdf")
    zotero.add_attachment("B", None, "attachments:sub/b.pdf", 2)
    zotero.add_attachment("C", None, "/far/c.pdf", 2)
    paths = [each.path for each in read(zotero, "/base").attachments]
    assert paths == [zotero.folder / "storage" / "A" / "escape.pdf", Path("/base/sub/b.pdf"), Path("/far/c.pdf")]


def test_a_large_database_is_read_a_few_rows_at_a_time(zotero: ZoteroFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    article = zotero.add_item("journalArticle", "ART1", title="On tides")
    pdf = zotero.add_pdf("PDF1", article)
    for number in range(60):
        zotero.annotate(f"ANN{number}", pdf, f"Words {number}")
        zotero.add_note(f"NOTE{number}", article, f"<p>Note {number}</p>")
    made: list[object] = []

    def count(make: Callable[..., object]) -> Callable[..., object]:
        def made_one(*values: object) -> object:
            made.append(values)
            return make(*values)

        return made_one

    monkeypatch.setattr(zotero_database, "_ROWS_PER_STEP", 20)
    monkeypatch.setattr(zotero_database, "_make_annotation", count(zotero_database._make_annotation))
    monkeypatch.setattr(zotero_database, "ZoteroNote", count(zotero_database.ZoteroNote))
    before, most = 0, 0
    for _ in read_zotero(str(zotero.folder)):
        most, before = max(most, len(made) - before), len(made)
    assert len(made) == 120
    assert most == 20


def test_the_data_folder_is_found_from_near_it(zotero: ZoteroFolder, tmp_path: Path) -> None:
    for near in (zotero.folder, zotero.file, tmp_path):
        assert find_data_folder(str(near)) == str(zotero.folder)


def test_the_base_folder_is_that_of_the_profile_with_this_data_folder(zotero: ZoteroFolder, tmp_path: Path) -> None:
    for name, data, base in (("a", "/other", "/wrong"), ("b", zotero.folder, "/right"), ("c", "/third", "/wrong")):
        (tmp_path / "profiles" / name).mkdir(parents=True)
        lines = f'user_pref("extensions.zotero.dataDir", "{data}");\n'
        lines += f'user_pref("extensions.zotero.baseAttachmentPath", "{base}");\n'
        (tmp_path / "profiles" / name / "prefs.js").write_text(lines, "utf-8")
    assert find_base_folder(str(zotero.folder), [tmp_path / "profiles"]) == "/right"
    assert find_base_folder(str(tmp_path), [tmp_path / "profiles"]) == ""


def test_the_state_is_another_one_after_a_change(zotero: ZoteroFolder, tmp_path: Path) -> None:
    before = describe_state(str(zotero.folder))
    assert before == describe_state(str(zotero.folder)) == read(zotero).state != ""
    (zotero.folder / "zotero.sqlite-wal").write_bytes(b"more")
    assert describe_state(str(zotero.folder)) != before
    assert describe_state(str(tmp_path)) == ""


def test_a_place_in_zotero_is_kept_as_text() -> None:
    for link in (ZoteroLink("library", "ITEM", "FILE"), ZoteroLink("groups/77", "NOTE")):
        assert parse_source(format_source(link)) == link
    for other in ("", "zotero", "zotero:library::FILE", "other:library:ITEM:FILE", "zotero:library:ITEM:FILE:more"):
        assert parse_source(other) is None
