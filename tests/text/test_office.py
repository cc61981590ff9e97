"""Word, OpenDocument and RTF: paragraphs, tables and notes, without deleted text."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from tests.text import makers
from tests.text.helpers import Result, read_here
from tests.text.makers import paragraph

CELL = "<w:tc>{}</w:tc>"
BOMB = '<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE b [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


def read(tmp_path: Path, data: bytes, name: str) -> Result:
    path = tmp_path / name
    path.write_bytes(data)
    return read_here(path)


def assert_places_count_the_text(result: Result) -> None:
    text = "".join(f"{each}\n" for each in result.paragraph_texts())
    for span in result.spans:
        (place,) = span.places
        assert (place.page, place.unit) == (None, "text")
        assert text[place.start : place.stop] == span.text


# --- Word ---


def test_a_word_document_is_read_paragraph_by_paragraph(tmp_path: Path) -> None:
    body = (
        paragraph("On Tides", "Titel")
        + paragraph("Rising", "berschrift2")
        + '<w:p><w:r><w:t>The sea </w:t></w:r><w:del><w:r><w:delText>sinks</w:delText></w:r></w:del><w:ins><w:r>'
        "<w:t>rises</w:t></w:r></w:ins><w:r><w:tab/><w:t>twice.</w:t><w:br/><w:t>It falls too.</w:t></w:r></w:p>"
        + paragraph("First thing", properties="<w:numPr/>")
        + "<w:tbl><w:tr>" + CELL.format(paragraph("Port")) + CELL.format(paragraph("Height")) + "</w:tr></w:tbl>"
        + "<w:p><w:r><w:instrText>PAGE</w:instrText><w:t>5 pages</w:t></w:r></w:p>"
    )  # fmt: skip
    result = read(tmp_path, makers.docx(body), "a.docx")
    assert result.texts == [
        "On Tides", "Rising", "The sea rises twice.", "It falls too.", "First thing", "Port Height", "5 pages",
    ]  # fmt: skip
    assert result.of_kind("list") == ["First thing"]
    assert result.of_kind("table") == ["Port Height"]
    head = result.head
    assert (head.type, head.title, head.author, head.dated) == ("docx", "On Tides", "A. Writer", "2019-05-03")
    assert [(entry.title, entry.level) for entry in head.outline] == [("On Tides", 0), ("Rising", 1)]
    assert_places_count_the_text(result)


def test_notes_and_text_boxes_are_read_after_their_paragraph(tmp_path: Path) -> None:
    box = f"<w:r><w:txbxContent>{paragraph('In the box.')}</w:txbxContent></w:r>"
    body = f"<w:p><w:r><w:t>Around </w:t></w:r>{box}<w:r><w:t>the box.</w:t></w:r></w:p>"
    notes = f'<w:footnotes xmlns:w="{makers.W}"><w:footnote>{paragraph("A note.")}</w:footnote></w:footnotes>'
    result = read(tmp_path, makers.docx(body, more={"word/footnotes.xml": notes}), "a.docx")
    assert result.texts == ["Around the box.", "In the box.", "A note."]


def test_prose_in_cells_and_tables_in_tables_are_read(tmp_path: Path) -> None:
    inner = "<w:tbl><w:tr>" + CELL.format(paragraph("Deep inside.")) + "</w:tr></w:tbl>"
    rows = CELL.format(paragraph("One.") + paragraph("Two.")) + CELL.format(inner)
    result = read(tmp_path, makers.docx(f"<w:tbl><w:tr>{rows}</w:tr></w:tbl>"), "a.docx")
    assert result.texts == ["One.", "Two.", "Deep inside."]


def test_the_main_part_may_have_another_name(tmp_path: Path) -> None:
    rels = '<R><R Type="http://x/relationships/officeDocument" Target="/word/other.xml"/></R>'
    other = f'<w:document xmlns:w="{makers.W}">{paragraph("From the other part.")}</w:document>'
    data = makers.docx(paragraph("Unused."), more={"_rels/.rels": rels, "word/other.xml": other})
    assert read(tmp_path, data, "a.docx").texts == ["From the other part."]


def word_part(name: str, text: str) -> dict[str, str]:
    return {f"word/{name}": f'<w:x xmlns:w="{makers.W}">{text}</w:x>'}


def test_headers_and_footers_are_read_once(tmp_path: Path) -> None:
    more = (
        word_part("header1.xml", paragraph("Report on the harbour of the island"))
        | word_part("header2.xml", paragraph("Report on the harbour of the island") + paragraph("For all pilots"))
        | word_part("footer1.xml", paragraph("Page 3 of 9") + paragraph("- 4 -"))
    )
    result = read(tmp_path, makers.docx(paragraph("The harbour is deep."), more=more), "a.docx")
    assert result.texts == ["The harbour is deep.", "Report on the harbour of the island", "For all pilots"]


def test_comments_diagrams_and_charts_are_read(tmp_path: Path) -> None:
    more = (
        word_part("comments.xml", f"<w:comment>{paragraph('Who measured it?')}</w:comment>")
        | word_part("diagrams/data1.xml", "<a:p><a:r><a:t>First the tide</a:t></a:r></a:p>".replace("a:", "w:"))
        | word_part("charts/chart1.xml", "<w:p><w:r><w:t>Depth in metres</w:t></w:r></w:p>")
        | {"word/embeddings/old.doc": "x", "word/embeddings/sheet1.xlsx": "x"}
    )
    result = read(tmp_path, makers.docx(paragraph("The harbour is deep."), more=more), "a.docx")
    assert result.texts == ["The harbour is deep.", "Who measured it?", "First the tide", "Depth in metres"]
    assert [str(each) for each in result.done.warnings] == ["1 attachment was not read: old.doc"]


@pytest.mark.parametrize(
    ("choice", "fallback", "texts"),
    [
        ("<w:txbxContent>{new}</w:txbxContent>", "<w:pict>{old}</w:pict>", ["In it.", "New."]),
        ("<w:drawing/>", "<w:pict><w:textbox><w:txbxContent>{old}</w:txbxContent></w:textbox></w:pict>",
         ["In it.", "Old."]),
        ("", '<w:pict><w:textpath string="Draft of March"/></w:pict>', ["In it.", "Draft of March"]),
    ],
)  # fmt: skip
def test_text_boxes_have_two_forms_and_are_read_once(
    tmp_path: Path, choice: str, fallback: str, texts: list[str]
) -> None:
    inside = {"new": paragraph("New."), "old": paragraph("Old.")}
    body = (
        "<w:p><w:r><w:t>In it.</w:t></w:r><w:AlternateContent><w:Choice>"
        f"{choice.format(**inside)}</w:Choice><w:Fallback>{fallback.format(**inside)}</w:Fallback>"
        "</w:AlternateContent></w:p>"
    )
    assert read(tmp_path, makers.docx(body), "a.docx").texts == texts


def test_signs_and_ruby_are_read_as_they_are_meant(tmp_path: Path) -> None:
    body = (
        '<w:p><w:r><w:t>An angle </w:t><w:sym w:font="Symbol" w:char="F061"/><w:t> and a mark </w:t>'
        '<w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Arial" w:char="00E9"/><w:sym w:char="?"/></w:r></w:p>'
        "<w:p><w:ruby><w:rt><w:r><w:t>READING</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>Base</w:t></w:r></w:rubyBase>"
        "</w:ruby></w:p>"
    )
    assert read(tmp_path, makers.docx(body), "a.docx").texts == ["An angle α and a mark •é", "Base"]


MHTML = 'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n--x\nContent-Type: text/html\n\n'


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("chunk.html", b"<html><body><p>The chunk speaks.</p></body></html>"),
        ("chunk.txt", b"The chunk speaks."),
        ("chunk.mht", f"{MHTML}<p>The chunk speaks.</p>\n--x--\n".encode()),
        ("chunk.docx", makers.docx(paragraph("The chunk speaks."))),
    ],
)
def test_files_in_a_document_are_read_where_they_stand(tmp_path: Path, name: str, data: bytes) -> None:
    more: dict[str, str | bytes] = {
        "word/_rels/document.xml.rels": f'<R><R Id="r7" Target="/word/{name}"/></R>',
        f"word/{name}": data,
    }
    body = paragraph("Before it.") + '<w:altChunk w:id="r7"/>' + paragraph("After it.")
    result = read(tmp_path, makers.docx(body, more=more), "a.docx")
    assert result.texts == ["Before it.", "The chunk speaks.", "After it."]


def test_documents_within_documents_are_read_three_levels_down(tmp_path: Path) -> None:
    data = makers.docx(paragraph("Level 9."))
    for level in range(8, -1, -1):
        more: dict[str, str | bytes] = {
            "word/_rels/document.xml.rels": '<R><R Id="r7" Target="/word/inner.docx"/></R>',
            "word/inner.docx": data,
        }
        data = makers.docx(paragraph(f"Level {level}.") + '<w:altChunk w:id="r7"/>', more=more)
    result = read(tmp_path, data, "a.docx")
    assert result.texts == [f"Level {level}." for level in range(4)]
    assert [str(each) for each in result.done.warnings] == ["1 attachment was not read: inner.docx"]


def test_a_missing_or_strange_file_in_a_document_is_told(tmp_path: Path) -> None:
    more = {"word/_rels/document.xml.rels": '<R><R Id="r7" Target="a.rtf"/></R>', "word/a.rtf": "{\\rtf1 Lost.}"}
    body = paragraph("Before it.") + '<w:altChunk w:id="r7"/><w:altChunk w:id="r8"/>'
    result = read(tmp_path, makers.docx(body, more=more), "a.docx")
    assert [str(each) for each in result.done.warnings] == ["1 attachment was not read: a.rtf"]


def test_deleted_and_repeated_text_of_word_is_left_out_and_reported(tmp_path: Path) -> None:
    body = (
        paragraph("The harbour is deep.")
        + "<w:p><w:r><w:t>The sea </w:t></w:r><w:del><w:r><w:delText>si</w:delText></w:r><w:r><w:delText>nks"
        "</w:delText></w:r></w:del><w:r><w:t>rises.</w:t></w:r><w:moveFrom><w:r><w:t>Gone.</w:t></w:r></w:moveFrom></w:p>"
        + "<w:p><w:ruby><w:rt><w:r><w:t>READING</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>Base</w:t></w:r></w:rubyBase>"
        "</w:ruby></w:p>"
    )
    more = word_part("footer1.xml", paragraph("Page 3 of 9"))
    result = read(tmp_path, makers.docx(body, more=more), "a.docx")
    assert result.texts == ["The harbour is deep.", "The sea rises.", "Base"]
    assert [(each.kind, each.text) for each in result.done.omitted] == [
        ("hidden", "sinks"),
        ("hidden", "Gone."),
        ("reading", "READING"),
        ("running", "Page 3 of 9"),
    ]


def test_a_damaged_part_leaves_the_text_readable(tmp_path: Path) -> None:
    more = {name: "<w:p>" for name in ("word/header1.xml", "word/footnotes.xml", "word/styles.xml")} | word_part(
        "header2.xml", paragraph("For all pilots")
    )
    result = read(tmp_path, makers.docx(paragraph("The harbour is deep."), more=more), "a.docx")
    assert result.texts == ["The harbour is deep.", "For all pilots"]
    assert [str(each) for each in result.done.warnings] == [
        "Parts that are damaged and could not be read: styles.xml, footnotes.xml, header1.xml"
    ]


def test_the_description_of_a_table_is_no_text(tmp_path: Path) -> None:
    body = (
        '<w:tbl><w:tblPr><w:tblCaption w:val="Harbours"/><w:tblDescription w:val="Depths by port"/></w:tblPr><w:tr>'
        + CELL.format(paragraph("Port"))
        + CELL.format(paragraph("Height"))
        + "</w:tr></w:tbl>"
    )
    result = read(tmp_path, makers.docx(body), "a.docx")
    assert result.texts == ["Port Height"]
    assert [each.text for each in result.done.omitted] == ["Harbours", "Depths by port"]


def test_what_a_picture_shows_is_read_after_its_paragraph(tmp_path: Path) -> None:
    body = (
        "<w:p><w:r><w:t>See </w:t></w:r><w:AlternateContent><w:Choice><w:drawing>"
        '<w:docPr w:name="Picture 1" w:descr="A map of the harbour"/></w:drawing></w:Choice><w:Fallback><w:pict>'
        '<w:shape w:alt="A map of the harbour"/></w:pict></w:Fallback></w:AlternateContent>'
        '<w:r><w:t>below.</w:t><w:drawing><w:docPr w:descr="C:\\My Pictures\\tide 1.png"/></w:drawing></w:r></w:p>'
    )
    result = read(tmp_path, makers.docx(body), "a.docx")
    assert result.texts == ["See below.", "A map of the harbour"]
    assert [(each.kind, each.text) for each in result.done.omitted] == [("alternative", "C:\\My Pictures\\tide 1.png")]


# --- OpenDocument ---


def test_deleted_and_repeated_text_of_odt_is_left_out_and_reported(tmp_path: Path) -> None:
    body = (
        "<text:tracked-changes><text:changed-region><dc:creator>Ann</dc:creator><text:p>It was shallow.</text:p>"
        "</text:changed-region></text:tracked-changes><text:p>The harbour is <text:ruby><text:ruby-base>deep"
        "</text:ruby-base><text:ruby-text>diip</text:ruby-text></text:ruby>.</text:p>"
    )
    styles = (
        f'<office:document-styles {makers.ODF} xmlns:style="urn:x"><style:master-page><style:footer><text:p>12</text:p>'
        "</style:footer></style:master-page></office:document-styles>"
    )
    result = read(tmp_path, makers.odt(body, styles=styles), "a.odt")
    assert result.texts == ["The harbour is deep."]
    assert [(each.kind, each.text) for each in result.done.omitted] == [
        ("hidden", "It was shallow."),
        ("reading", "diip"),
        ("running", "12"),
    ]


def test_titles_and_descriptions_of_pictures_are_read_and_so_are_fields(tmp_path: Path) -> None:
    frame = (
        '<draw:frame xmlns:draw="urn:d" xmlns:svg="urn:s"><svg:title>A map</svg:title><svg:desc>It shows the quay.'
        "</svg:desc></draw:frame>"
    )
    body = f"{frame}<text:p>As <text:title>On Tides</text:title> says{frame}, it is deep.</text:p>"
    assert read(tmp_path, makers.odt(body), "a.odt").texts == [
        "A map",
        "It shows the quay.",
        "As On Tides says, it is deep.",
        "A map",
        "It shows the quay.",
    ]


def test_headers_of_odt_are_read_once(tmp_path: Path) -> None:
    header = "<text:p>Pilots only, please</text:p>"
    styles = (
        f'<office:document-styles {makers.ODF} xmlns:style="urn:x"><style:master-page><style:header>{header}'
        f"</style:header><style:header-left>{header}</style:header-left><style:footer><text:p>12</text:p>"
        "</style:footer></style:master-page></office:document-styles>"
    )
    data = makers.odt("<text:p>The harbour is deep.</text:p>", styles=styles)
    assert read(tmp_path, data, "a.odt").texts == ["The harbour is deep.", "Pilots only, please"]


def test_an_odt_document_is_read_paragraph_by_paragraph(tmp_path: Path) -> None:
    body = (
        '<text:tracked-changes><text:p>Deleted.</text:p></text:tracked-changes>'
        '<text:h text:outline-level="2">Rising</text:h>'
        '<text:p>The  sea\n<text:span>rises</text:span><text:s text:c="3"/>twice.<text:note><text:note-citation>1'
        "</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note>"
        "<text:line-break/>It falls.<office:annotation><dc:creator>Ann</dc:creator><text:p>A remark.</text:p>"
        "</office:annotation></text:p>"
        "<text:list><text:list-item><text:p>First thing</text:p></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>Port</text:p></table:table-cell>"
        '<table:table-cell table:number-columns-repeated="9"/><table:table-cell><text:p>Height</text:p>'
        "</table:table-cell></table:table-row></table:table>"
    )  # fmt: skip
    result = read(tmp_path, makers.odt(body), "a.odt")
    assert result.texts == [
        "Rising",
        "The sea rises twice.",
        "It falls.",
        "A note.",
        "A remark.",
        "First thing",
        "Port Height",
    ]
    assert (result.of_kind("list"), result.of_kind("table")) == (["First thing"], ["Port Height"])
    head = result.head
    assert (head.type, head.title, head.author, head.dated) == ("odt", "On Tides", "A. Writer", "2019-05-03")
    assert [(entry.title, entry.level) for entry in head.outline] == [("Rising", 1)]
    assert_places_count_the_text(result)


def test_a_locked_odt_document_is_refused(tmp_path: Path) -> None:
    manifest = "<m><file-entry><encryption-data/></file-entry></m>"
    assert read(tmp_path, makers.odt("", manifest=manifest, content="\x00\x01"), "a.odt").state == "locked"


def test_a_word_document_with_locked_parts_is_refused(tmp_path: Path) -> None:
    data = bytearray(makers.docx(paragraph("Nobody may know this.")))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + offset] |= 1
            at = data.find(mark, at + 1)
    assert read(tmp_path, bytes(data), "a.docx").state == "locked"


# --- RTF ---


def test_rtf_is_read_with_its_code_pages_notes_and_rows(tmp_path: Path) -> None:
    result = read(tmp_path, makers.RTF.encode("ascii"), "a.rtf")
    assert result.texts == [
        "The sea rises twice a day.",
        "Cafés at the coast – they close early.",
        "Море тихо.",
        "A link is only its text.",
        "Port Height",
        "Emden 3.2 m",
        "In winter they never open.",
    ]
    assert (result.head.type, result.head.title, result.head.author) == ("rtf", "On Tides", "A. Writer")
    assert result.of_kind("table") == ["Port Height", "Emden 3.2 m"]


def test_binary_parts_of_rtf_are_left_out(tmp_path: Path) -> None:
    data = rb"{\rtf1 Before.{\pict\bin8 " + b"}{\\par }" + rb"}\par After.\par}"
    assert read(tmp_path, data, "a.rtf").texts == ["Before.", "After."]


# --- Content before the name, and refused files ---


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (makers.docx(paragraph("Words.")), "docx"),
        (makers.odt("<text:p>Words.</text:p>"), "odt"),
        (makers.RTF.encode(), "rtf"),
    ],
)
def test_content_decides_before_the_name(tmp_path: Path, data: bytes, kind: str) -> None:
    assert read(tmp_path, data, "named.txt").head.type == kind


def repacked(data: bytes, **parts: str) -> bytes:
    """A ZIP file with other contents of these parts; an empty one is left out."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        whole = {name: packed.read(name).decode() for name in packed.namelist()} | parts
    return makers.zipped({name: text for name, text in whole.items() if text}, first="mimetype")


@pytest.mark.parametrize("media_type", ["", "application/zip"])
def test_an_odt_document_needs_no_media_type(tmp_path: Path, media_type: str) -> None:
    data = repacked(makers.odt("<text:p>Words.</text:p>"), mimetype=media_type)
    result = read(tmp_path, data, "a.odt")
    assert (result.head.type, result.texts) == ("odt", ["Words."])


def test_a_damaged_media_type_costs_no_text(tmp_path: Path) -> None:
    data = makers.odt("<text:p>Words.</text:p>").replace(b"application/vnd.oasis", b"application/vnd.o@sis")
    assert read(tmp_path, data, "a.odt").texts == ["Words."]


@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.epub"])
def test_an_archive_named_as_a_document_is_a_damaged_document(tmp_path: Path, name: str) -> None:
    result = read(tmp_path, makers.zipped({"other.bin": "Words."}), name)
    assert result.state == "damaged"
    assert result.failure is not None
    assert "missing" in str(result.failure.message)


def test_a_word_document_without_its_list_of_types_is_read(tmp_path: Path) -> None:
    data = repacked(makers.docx(paragraph("Words.")), **{"[Content_Types].xml": ""})
    assert read(tmp_path, data, "a.docx").texts == ["Words."]


@pytest.mark.parametrize(
    ("name", "data", "part"),
    [
        ("a.docx", makers.docx(paragraph("Words.")), "_rels/.rels"),
        ("a.odt", makers.odt("<text:p>Words.</text:p>"), "META-INF/manifest.xml"),
        ("a.epub", makers.epub({"a.xhtml": "<p>Words.</p>"}), "META-INF/container.xml"),
    ],
)
@pytest.mark.parametrize("damage", ["", "<broken"])
def test_a_damaged_list_of_parts_costs_no_text(tmp_path: Path, name: str, data: bytes, part: str, damage: str) -> None:
    assert read(tmp_path, repacked(data, **{part: damage}), name).texts == ["Words."]


def test_a_drawing_named_as_a_text_is_refused(tmp_path: Path) -> None:
    data = repacked(makers.odt(""), mimetype="application/vnd.oasis.opendocument.graphics")
    assert read(tmp_path, data, "a.odt").state == "unsupported"


@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.epub", "a.rtf"])
def test_a_name_alone_makes_no_document(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, b"Only words that were never packed.", name).state == "damaged"


def test_other_office_files_are_named(tmp_path: Path) -> None:
    result = read(tmp_path, makers.zipped({"[Content_Types].xml": "<T/>", "visio/document.xml": "<w/>"}), "a.vsdx")
    assert result.state == "unsupported"
    assert result.failure is not None
    assert "drawing" in str(result.failure.message)


@pytest.mark.parametrize("doctype", [BOMB, OUTSIDE])
def test_entities_are_refused(tmp_path: Path, doctype: str) -> None:
    body = f'{doctype}<w:document xmlns:w="{makers.W}"><w:p><w:r><w:t>&a;</w:t></w:r></w:p></w:document>'
    assert read(tmp_path, makers.docx("", more={"word/document.xml": body}), "a.docx").state == "unsupported"
    odt = f"{doctype}<office:document-content {makers.ODF}>&a;</office:document-content>"
    assert read(tmp_path, makers.odt("", content=odt), "a.odt").state == "unsupported"


def test_a_part_that_grows_beyond_measure_is_refused(tmp_path: Path) -> None:
    bomb = f'<w:document xmlns:w="{makers.W}">{" " * 30_000_000}</w:document>'
    assert read(tmp_path, makers.docx("", more={"word/document.xml": bomb}), "a.docx").state == "too_large"


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    deep = f'<w:document xmlns:w="{makers.W}">{"<w:p>" * 50_000}'
    assert read(tmp_path, makers.docx("", more={"word/document.xml": deep}), "a.docx").state == "damaged"


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_a_cut_off_document_is_damaged(tmp_path: Path, share: float) -> None:
    data = makers.docx(paragraph("Words that are lost."))
    assert read(tmp_path, data[: int(len(data) * share)], "a.docx").state == "damaged"


def test_raised_numbers_are_set_apart_from_words(tmp_path: Path) -> None:
    def run(text: str, *, is_raised: bool = False) -> str:
        raised = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>' if is_raised else ""
        return f'<w:r>{raised}<w:t xml:space="preserve">{text}</w:t></w:r>'

    pieces = ("It was never copyrighted.", "4", " It holds in eleven states", "12,13", " now, on the 1", "st", " day.")
    body = "".join(run(text, is_raised=bool(at % 2)) for at, text in enumerate(pieces))
    assert read(tmp_path, makers.docx(f"<w:p>{body}</w:p>"), "a.docx").texts == [
        "It was never copyrighted.⁴",
        "It holds in eleven states ¹²,¹³ now, on the 1st day.",
    ]


def test_raised_numbers_of_an_opendocument_text_are_set_apart_from_words(tmp_path: Path) -> None:
    def style(name: str, position: str, parent: str = "") -> str:
        above = f' style:parent-style-name="{parent}"' if parent else ""
        shape = f'<style:text-properties style:text-position="{position}"/>' if position else ""
        return f'<style:style style:name="{name}" style:family="text"{above}>{shape}</style:style>'

    namespace = 'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'
    styles = f"<office:document-styles {makers.ODF} {namespace}>{style('Raised', 'super 58%')}</office:document-styles>"
    automatic = style("T1", "", "Raised") + style("T2", "33% 58%") + style("T3", "sub 58%") + style("T4", "0% 100%")
    body = (
        '<text:p>It was never copyrighted.<text:span text:style-name="T1">4</text:span> It holds in eleven states'
        '<text:span text:style-name="T2">12,13</text:span> now, where H<text:span text:style-name="T3">2</text:span>O'
        ' and rule<text:span text:style-name="T4">5</text:span> count.<text:span text:style-name="T1"><text:note>'
        "<text:note-citation>1</text:note-citation><text:note-body><text:p>1984</text:p></text:note-body></text:note>"
        "</text:span></text:p>"
    )
    content = (
        f"<office:document-content {makers.ODF} {namespace}>"
        f"<office:automatic-styles>{automatic}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    assert read(tmp_path, makers.odt("", content=content, styles=styles), "a.odt").texts == [
        "It was never copyrighted.⁴",
        "It holds in eleven states ¹²,¹³ now, where H2O and rule5 count.",
        "1984",
    ]
