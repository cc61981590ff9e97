"""What is read of all characters and objects at once equals what PDFium says of each."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as raw
import pytest

from desktop_app.text.readers.pdfium_calls import read_codes, read_loose_boxes, read_object_bounds

DATA = Path(__file__).parents[2] / "data" / "pdf"


@pytest.fixture
def page() -> Iterator[pdfium.PdfPage]:
    document = pdfium.PdfDocument(DATA / "form_and_table_f1040.pdf")
    page = document[0]
    yield page
    page.close()
    document.close()


@pytest.fixture
def empty_page() -> Iterator[pdfium.PdfPage]:
    document = pdfium.PdfDocument.new()
    page = document.new_page(100, 200)
    yield page
    page.close()
    document.close()


def test_characters_have_their_codes_and_boxes(page: pdfium.PdfPage) -> None:
    text = page.get_textpage()
    codes = read_codes(text.raw)
    assert len(codes) == text.count_chars() > 1000
    boxes = read_loose_boxes(text.raw, len(codes))
    for at in range(0, len(codes), 37):
        assert codes[at] == raw.FPDFText_GetUnicode(text.raw, at)
        box = raw.FS_RECTF()
        raw.FPDFText_GetLooseCharBox(text.raw, at, box)
        found = boxes.lefts[at], boxes.bottoms[at], boxes.rights[at], boxes.tops[at]
        assert found == (box.left, box.bottom, box.right, box.top)
    assert any(boxes.tops)
    text.close()


def test_objects_have_their_bounds(page: pdfium.PdfPage) -> None:
    bounds = read_object_bounds(page.raw)
    assert len(bounds.lefts) == raw.FPDFPage_CountObjects(page.raw) > 100
    for at in range(0, len(bounds.lefts), 11):
        edges = [ctypes.c_float() for _ in range(4)]
        raw.FPDFPageObj_GetBounds(raw.FPDFPage_GetObject(page.raw, at), *edges)
        found = [bounds.lefts[at], bounds.bottoms[at], bounds.rights[at], bounds.tops[at]]
        assert found == [edge.value for edge in edges]


def test_an_empty_page_has_none(empty_page: pdfium.PdfPage) -> None:
    text = empty_page.get_textpage()
    assert read_codes(text.raw) == []
    assert [list(edges) for edges in read_loose_boxes(text.raw, 0)] == [[], [], [], []]
    assert [list(edges) for edges in read_object_bounds(empty_page.raw)] == [[], [], [], []]
    text.close()


def test_a_character_that_is_not_there_has_no_box(page: pdfium.PdfPage) -> None:
    text = page.get_textpage()
    count = text.count_chars()
    boxes = read_loose_boxes(text.raw, count + 1)
    assert (boxes.lefts[count], boxes.bottoms[count], boxes.rights[count], boxes.tops[count]) == (0, 0, 0, 0)
    text.close()
