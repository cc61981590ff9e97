"""Books: chapters in the order of the spine are pages, and the table of contents points to them."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from desktop_app.core.bibliography import Reference
from tests.text import makers
from tests.text.helpers import Result, read_here

CHAPTERS = {
    "b.xhtml": "<h1>The Start</h1><p>The sea rises twice. It falls.</p>",
    "a part.xhtml": "<p>Another chapter begins.</p>",
}
NAV = (
    '<html xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="landmarks"><ol><li><a href="b.xhtml">No</a>'
    '</li></ol></nav><nav epub:type="toc"><ol><li><a href="b.xhtml#x">The  Start</a><ol>'
    '<li><a href="a%20part.xhtml">Below</a></li></ol></li><li><a href="gone.xhtml">Gone</a></li></ol></nav>'
    "</body></html>"
)
NCX = (
    '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">'
    '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><docTitle><text>T</text></docTitle><navMap><navPoint><navLabel>'
    '<text>The Start</text></navLabel><content src="b.xhtml"/><navPoint><navLabel><text>Below</text></navLabel>'
    '<content src="a%20part.xhtml#y"/></navPoint></navPoint></navMap></ncx>'
)


def read(tmp_path: Path, data: bytes) -> Result:
    path = tmp_path / "a.epub"
    path.write_bytes(data)
    return read_here(path)


def test_chapters_are_pages_in_reading_order(tmp_path: Path) -> None:
    result = read(tmp_path, makers.epub(CHAPTERS))
    assert result.texts == ["The Start", "The sea rises twice.", "It falls.", "Another chapter begins."]
    places = [(p.page, p.start, p.stop, p.unit) for span in result.spans for p in span.places]
    assert places == [(1, 0, 9, "text"), (1, 10, 30, "text"), (1, 31, 40, "text"), (2, 0, 23, "text")]
    head = result.head
    assert (head.type, head.title, head.author, head.page_count) == ("epub", "The Bay", "A. Writer, B. Other", 2)
    assert head.dated == "2019-05"
    assert head.reference == Reference(kind="book", authors=("Writer, A.", "Other, B."))
    assert result.pages_read == [1, 2]


@pytest.mark.parametrize("contents", [{"nav": NAV}, {"ncx": NCX}, {"nav": "<html/>", "ncx": NCX}])
def test_the_table_of_contents_leads_to_chapters(tmp_path: Path, contents: dict[str, str]) -> None:
    outline = read(tmp_path, makers.epub(CHAPTERS, **contents)).head.outline
    assert [(entry.title, entry.page, entry.level) for entry in outline] == [("The Start", 1, 0), ("Below", 2, 1)]


def test_a_locked_book_is_refused_and_one_with_obfuscated_fonts_is_read(tmp_path: Path) -> None:
    for algorithm, state in (
        ("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "locked"),
        ("http://www.idpf.org/2008/embedding", "ready"),
    ):
        lock = f'<encryption><EncryptionMethod Algorithm="{algorithm}"/></encryption>'
        assert read(tmp_path, makers.epub(CHAPTERS, more={"META-INF/encryption.xml": lock})).state == state


def test_a_chapter_that_leads_out_of_the_book_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.xhtml").write_text("<p>Not part of the book.</p>")
    assert read(tmp_path, makers.epub({"../../secret.xhtml": "", **CHAPTERS})).head.page_count == 2


def test_entities_in_the_package_are_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE p [<!ENTITY a "aaaa">]><package>&a;</package>'
    assert read(tmp_path, makers.epub(CHAPTERS, more={"OEBPS/book.opf": bomb})).state == "unsupported"


def test_a_book_without_text_is_refused(tmp_path: Path) -> None:
    assert read(tmp_path, makers.epub({"a.xhtml": ""})).state == "no_text"
    assert read(tmp_path, makers.epub({})).state == "damaged"


def chapter(body: str) -> str:
    return f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>{body}</body></html>'


def test_chapters_are_read_as_xml(tmp_path: Path) -> None:
    tags = "".join(f"<{tag}/>" for tag in ("script", "style", "iframe", "textarea", "a"))
    book = makers.epub(
        {"a.xhtml": "", "b.xhtml": ""},
        more={
            "OEBPS/a.xhtml": chapter(f"{tags}<p><![CDATA[a < b]]>&nbsp;holds.</p>"),
            "OEBPS/b.xhtml": chapter("<p><ruby>漢字<rt>かんじ</rt></ruby>を読む。</p>"),
        },
    )
    result = read(tmp_path, book)
    assert result.texts == ["a < b holds.", "漢字を読む。"]
    assert [(each.kind, each.text, each.page) for each in result.done.omitted] == [("reading", "かんじ", 2)]


@pytest.mark.parametrize(
    ("member", "href"),
    [
        ("Chapter.XHTML", "chapter.xhtml"),
        ("a%20b.xhtml", "a%20b.xhtml"),
        ("a b.xhtml", "a%20b.xhtml"),
        ("a%20b.xhtml", "a b.xhtml"),
        ("Ka\u0308se.xhtml", "K\u00e4se.xhtml"),
        ("K\u00e4se.xhtml", "Ka%CC%88se.xhtml"),
        ("K\u00e4se.xhtml", "K%E4se.xhtml"),
        ("K\u00c3\u00a4se.xhtml".encode("latin-1").decode("cp437"), "K\u00e4se.xhtml"),
        ("text\\one.xhtml", "text/one.xhtml"),
        ("one.xhtml", " one.xhtml?x=1#part"),
        ("one.xhtml", "/OEBPS/one.xhtml"),
    ],
)
def test_names_that_differ_in_form_lead_to_the_chapter(tmp_path: Path, member: str, href: str) -> None:
    opf = (
        f'<package><manifest><item id="a" href="{href}" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="a"/></spine></package>'
    )
    book = makers.zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/Container.xml": makers.CONTAINER.replace("book.opf", "Book.opf"),
            "OEBPS/book.opf": opf,
            f"OEBPS/{member}": chapter("<p>The chapter.</p>"),
        },
        first="mimetype",
    )
    result = read(tmp_path, book)
    assert result.texts == ["The chapter."]
    assert not result.done.warnings


def test_a_book_without_its_media_type_is_recognised(tmp_path: Path) -> None:
    members = {
        "meta-inf/container.xml": makers.CONTAINER,
        "OEBPS/book.opf": '<package><manifest><item id="a" href="a.xhtml"/></manifest><spine/></package>',
        "OEBPS/a.xhtml": chapter("<p>The chapter.</p>"),
    }
    assert read(tmp_path, makers.zipped(members)).texts == ["The chapter."]


def test_a_damaged_list_of_chapters_costs_no_chapter(tmp_path: Path) -> None:
    chapters = {f"c{at}.xhtml": f"<p>Chapter {at} is here.</p>" for at in range(3)}
    with zipfile.ZipFile(io.BytesIO(makers.epub(chapters))) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    opf = members["OEBPS/book.opf"]
    members["OEBPS/book.opf"] = opf[: opf.index(b"<spine") + 40]
    result = read(tmp_path, makers.zipped(members, first="mimetype"))
    assert result.texts == ["Chapter 0 is here.", "Chapter 1 is here.", "Chapter 2 is here."]
    assert result.head.title == "The Bay"
    assert [each.code for each in result.done.warnings] == ["contents_damaged"]


def test_a_missing_chapter_is_remarked_on(tmp_path: Path) -> None:
    opf = (
        '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="b" href="b%20c.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="c" href="cover.jpg" media-type="image/jpeg"/></manifest>'
        '<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/><itemref idref="gone"/></spine></package>'
    )
    result = read(tmp_path, makers.epub({"a.xhtml": "<p>The text.</p>"}, more={"OEBPS/book.opf": opf}))
    assert result.texts == ["The text."]
    assert [str(warning) for warning in result.done.warnings] == [
        "Chapters that are missing from the file: b%20c.xhtml, gone"
    ]


@pytest.mark.parametrize(
    ("items", "spine", "texts"),
    [
        ('<item id="a" href="a.xhtml" media-type="text/xml"/>', "a", ["A chapter."]),
        ('<item id="a" href="a.xhtml"/>', "a", ["A chapter."]),
        ('<item id="a" href="a.xhtml" media-type="text/x-oeb1-document"/>', "a", ["A chapter."]),
        ('<item id="p" href="p.bin" media-type="x/y" fallback="a"/><item id="a" href="a.xhtml"/>', "p", ["A chapter."]),
        ('<item id="s" href="s.svg" media-type="image/svg+xml"/>', "s", ["A drawing."]),
        ('<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>', "", ["A chapter."]),
        ('<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>', "a a", ["A chapter."]),
        ('<item id="a" href="a.bin" media-type="x/y" fallback="a"/>', "a", []),
    ],
)
def test_a_chapter_is_any_page_of_the_spine(tmp_path: Path, items: str, spine: str, texts: list[str]) -> None:
    refs = "".join(f'<itemref idref="{each}"/>' for each in spine.split())
    more = {
        "OEBPS/book.opf": f"<package><manifest>{items}</manifest><spine>{refs}</spine></package>",
        "OEBPS/s.svg": '<svg xmlns="http://www.w3.org/2000/svg"><text>A drawing.</text></svg>',
    }
    assert read(tmp_path, makers.epub({"a.xhtml": "<p>A chapter.</p>"}, more=more)).texts == texts
