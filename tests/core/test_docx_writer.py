"""Word documents: what is in the package, and that its parts fit together."""

from __future__ import annotations

import contextlib
import io
import zipfile
from posixpath import dirname, join, normpath

import pytest
from lxml import etree

from desktop_app.core.docx_writer import DocxWriter

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def read_parts(content: bytes) -> dict[str, etree._Element]:
    """Return the parts of a package, each parsed."""
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        assert package.testzip() is None
        return {name: etree.fromstring(package.read(name)) for name in package.namelist()}


def read_text(element: etree._Element) -> str:
    return "".join(element.itertext(f"{W}t"))


def write(*paragraphs: list[tuple[str, str]], title: str = "Notes") -> dict[str, etree._Element]:
    out = io.BytesIO()
    with DocxWriter(out, title, "de") as document:
        for pieces in paragraphs:
            document.write_paragraph(pieces)
    return read_parts(out.getvalue())


def test_every_part_is_declared_and_every_relation_leads_to_one() -> None:
    parts = write([("Tea.", "A cup.")])
    types = parts["[Content_Types].xml"]
    declared = {each.get("PartName", "").lstrip("/") for each in types if each.tag.endswith("}Override")}
    assert declared == {name for name in parts if name.endswith(".xml")} - {"[Content_Types].xml"}
    for name in ("_rels/.rels", "word/_rels/document.xml.rels"):
        targets = [each.get("Target", "") for each in parts[name]]
        assert targets
        assert all(normpath(join(dirname(dirname(name)), target)) in parts for target in targets)


def test_each_footnote_is_where_its_mark_is() -> None:
    parts = write([("One.", "first"), (" Two.", ""), (" Three.", "second")], [("Four.", "third")])
    notes = {each.get(f"{W}id"): read_text(each) for each in parts["word/footnotes.xml"]}
    marked = []
    for paragraph in parts["word/document.xml"].iter(f"{W}p"):
        for run in paragraph.iter(f"{W}r"):
            reference = run.find(f"{W}footnoteReference")
            marked.append(read_text(run) if reference is None else notes[reference.get(f"{W}id")])
    assert marked == ["One.", " first", " Two.", " Three.", " second", "Four.", " third"]
    ids = [each.get(f"{W}id") for each in parts["word/footnotes.xml"]]
    assert len(set(ids)) == len(ids) == 5, "the lines above footnotes have numbers too"


def test_styles_that_are_used_exist_and_the_language_is_named() -> None:
    out = io.BytesIO()
    with DocxWriter(out, "Notes", "de") as document:
        for style in ("Normal", "Heading1", "ListParagraph", "Code", "Bibliography"):
            document.write_paragraph([("Tea.", "A cup.")], style)
    parts = read_parts(out.getvalue())
    known = {each.get(f"{W}styleId") for each in parts["word/styles.xml"].iter(f"{W}style")}
    used = {
        each.get(f"{W}val")
        for part in ("word/document.xml", "word/footnotes.xml")
        for tag in ("pStyle", "rStyle")
        for each in parts[part].iter(f"{W}{tag}")
    }
    assert used <= known
    assert {"Heading1", "Code", "FootnoteText", "FootnoteReference"} <= used
    assert [each.get(f"{W}val") for each in parts["word/styles.xml"].iter(f"{W}lang")] == ["de"]


@pytest.mark.parametrize("text", ["<w:p> & ]]>", "\x00\x0b\ufffe", "\ud800 lone", "𝔗 \u0301", "שלום"])
def test_text_that_xml_cannot_hold_is_replaced_and_the_rest_stays(text: str) -> None:
    parts = write([(text, text)], title=text)
    shown = read_text(parts["word/document.xml"])
    assert read_text(parts["word/footnotes.xml"]) == " " + shown
    assert parts["docProps/core.xml"][0].text == shown
    assert "\x00" not in shown
    assert all(letter in shown for letter in text if letter.isalpha())


def test_nothing_is_written_of_a_document_that_fails_midway() -> None:
    out = io.BytesIO()
    document = DocxWriter(out, "Notes", "en")
    with contextlib.suppress(ZeroDivisionError), document:
        document.write_paragraph([("Tea.", "")])
        raise ZeroDivisionError
    assert not out.getvalue()
