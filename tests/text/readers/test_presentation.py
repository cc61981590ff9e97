"""Presentations: slides as pages, titles, tables, notes, and what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.text import makers
from tests.text.helpers import Result, read_here

FIRST = makers.shape("Tides of the bay", placeholder="title") + makers.shape(
    "The sea rises twice.", "It falls as often."
)
TABLE = (
    "<p:graphicFrame><a:tbl><a:tr><a:tc><a:p><a:r><a:t>Port</a:t></a:r></a:p></a:tc>"
    "<a:tc><a:p><a:r><a:t>Height</a:t></a:r></a:p></a:tc></a:tr></a:tbl></p:graphicFrame>"
)


def read(tmp_path: Path, data: bytes, name: str = "a.pptx") -> Result:
    file = tmp_path / name
    file.write_bytes(data)
    return read_here(file)


def pages(result: Result) -> list[tuple[int | None, str]]:
    return [(span.places[0].page, span.text) for span in result.spans]


def test_slides_are_pages_in_the_order_in_which_they_are_shown(tmp_path: Path) -> None:
    slides = {"slide2.xml": FIRST, "slide1.xml": makers.shape("The last slide is short.") + TABLE}
    notes = {
        "slide2.xml": makers.shape("Tell the story of the harbour.", placeholder="body")
        + makers.shape("2", placeholder="sldNum")
    }
    result = read(tmp_path, makers.pptx(slides, notes=notes))
    assert pages(result) == [
        (1, "Tides of the bay"),
        (1, "The sea rises twice."),
        (1, "It falls as often."),
        (1, "Tell the story of the harbour."),
        (2, "The last slide is short."),
        (2, "Port Height"),
    ]
    assert result.of_kind("heading") == ["Tides of the bay"]
    assert result.of_kind("table") == ["Port Height"]
    head = result.head
    assert (head.type, head.title, head.author, head.dated) == ("presentation", "On Tides", "A. Writer", "2019-05-03")
    assert head.page_count == 2
    assert [(entry.title, entry.page) for entry in head.outline] == [("Tides of the bay", 1)]
    assert [each.text for each in result.done.omitted] == ["2"]


def test_an_open_document_presentation_has_the_same(tmp_path: Path) -> None:
    slides = (
        f"<draw:page>{makers.frame('Tides of the bay', kind='title')}"
        f"{makers.frame('The sea rises twice.', 'It falls as often.', kind='outline')}"
        f"{makers.frame('7', kind='page-number')}<presentation:notes>"
        f"{makers.frame('Tell the story of the harbour.', kind='notes')}</presentation:notes></draw:page>"
        "<draw:page><draw:frame><svg:desc>The map shows two harbours.</svg:desc></draw:frame></draw:page>"
    )
    result = read(tmp_path, makers.odp(slides), "a.odp")
    assert pages(result) == [
        (1, "Tides of the bay"),
        (1, "The sea rises twice."),
        (1, "It falls as often."),
        (1, "Tell the story of the harbour."),
        (2, "The map shows two harbours."),
    ]
    assert result.of_kind("heading") == ["Tides of the bay"]
    head = result.head
    assert (head.type, head.title, head.author, head.page_count) == ("presentation", "On Tides", "A. Writer", 2)
    assert [each.text for each in result.done.omitted] == ["7"]


def test_diagrams_comments_and_pictures_are_read(tmp_path: Path) -> None:
    picture = '<p:pic><p:nvPicPr><p:cNvPr id="4" descr="The chart shows a flood."/></p:nvPicPr></p:pic>'
    more = {
        "ppt/slides/_rels/slide1.xml.rels": makers.relations(
            {"d": "../diagrams/data1.xml", "c": "../comments/comment1.xml"}
        ),
        "ppt/diagrams/data1.xml": f"<d {makers.PRESENTATION}><a:p><a:r><a:t>First the dyke.</a:t></a:r></a:p></d>",
        "ppt/comments/comment1.xml": f"<p:c {makers.PRESENTATION}><p:text>Is this still true?</p:text></p:c>",
    }
    result = read(tmp_path, makers.pptx({"slide1.xml": FIRST + picture}, more=more))
    assert result.texts[3:] == ["The chart shows a flood.", "First the dyke.", "Is this still true?"]


def test_numbers_and_dates_are_left_out_unless_they_stand_in_a_sentence(tmp_path: Path) -> None:
    def field(kind: str, text: str) -> str:
        return f'<a:fld id="{{1}}" type="{kind}"><a:t>{text}</a:t></a:fld>'

    def paragraph(*runs: str) -> str:
        return f"<p:sp><p:txBody><a:p>{''.join(runs)}</a:p></p:txBody></p:sp>"

    before = "<a:r><a:t>The gauge was read on </a:t></a:r>"
    slide = (
        paragraph(field("slidenum", "12"), "<a:r><a:t> </a:t></a:r>", field("datetime1", "2 May"))
        + paragraph(field("datetime1", "3 May 2019"), "<a:r><a:t> </a:t></a:r>")
        + paragraph(before, field("datetime2", "4 May 2019"), "<a:r><a:t>.</a:t></a:r>")
        + paragraph(field("TxLink", "Forty ships came in."))
    )
    result = read(tmp_path, makers.pptx({"slide1.xml": slide}))
    assert result.texts == ["The gauge was read on 4 May 2019.", "Forty ships came in."]
    assert [(each.kind, each.text.strip()) for each in result.done.omitted] == [
        ("running", "12 2 May"),
        ("running", "3 May 2019"),
    ]


def test_a_damaged_slide_costs_only_itself(tmp_path: Path) -> None:
    result = read(tmp_path, makers.pptx({"slide1.xml": "<p:sp>", "slide2.xml": FIRST}))
    assert pages(result)[0] == (2, "Tides of the bay")
    assert [str(each) for each in result.done.warnings] == ["Slides that are damaged and could not be read: 1"]


def test_slides_that_no_list_names_are_read_in_order_of_their_numbers(tmp_path: Path) -> None:
    slides = {f"slide{at}.xml": makers.shape(f"Slide number {at} speaks.") for at in (10, 2, 1)}
    data = makers.pptx(slides, more={"ppt/_rels/presentation.xml.rels": makers.relations({})})
    assert read(tmp_path, data).texts == [f"Slide number {at} speaks." for at in (1, 2, 10)]


@pytest.mark.parametrize(
    ("data", "name", "state"),
    [
        (makers.pptx({"slide1.xml": ""}), "a.pptx", "no_text"),
        (makers.pptx({}), "a.pptx", "damaged"),
        (makers.odp(""), "a.odp", "damaged"),
        (makers.odp("<draw:page/>", manifest="<m><encryption-data/></m>"), "a.odp", "locked"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path: Path, data: bytes, name: str, state: str) -> None:
    assert read(tmp_path, data, name).state == state
