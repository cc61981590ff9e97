"""Books: chapters in the order of the spine are pages, and the table of contents points to them."""

from __future__ import annotations

from pathlib import Path

import pytest

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
