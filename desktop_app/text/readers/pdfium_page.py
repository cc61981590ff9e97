"""A page of PDFium and its text, with the text of form fields, annotations and vertical columns.

The import and the reader pane use the same class, so that they number the characters of a page alike.
"""

from __future__ import annotations

import ctypes
import logging
from contextlib import suppress
from operator import sub
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from desktop_app.text.readers.pdfium_calls import read_codes, read_object_bounds

_ANNOTATIONS_WITH_TEXT = frozenset(
    (
        pdfium.FPDF_ANNOT_FREETEXT,
        pdfium.FPDF_ANNOT_LINE,
        pdfium.FPDF_ANNOT_STAMP,
        pdfium.FPDF_ANNOT_WIDGET,
        pdfium.FPDF_ANNOT_WATERMARK,
    )
)
"""Annotations that may show text on the page; form fields are widgets."""
_WITHOUT_NOTES = frozenset(
    (
        pdfium.FPDF_ANNOT_LINK,
        pdfium.FPDF_ANNOT_MOVIE,
        pdfium.FPDF_ANNOT_POPUP,
        pdfium.FPDF_ANNOT_PRINTERMARK,
        pdfium.FPDF_ANNOT_SCREEN,
        pdfium.FPDF_ANNOT_SOUND,
        pdfium.FPDF_ANNOT_TRAPNET,
        pdfium.FPDF_ANNOT_WIDGET,
    )
)
"""Annotations whose contents nobody wrote as a note: a pop-up shows the contents of another annotation."""
_MARKUPS = frozenset((pdfium.FPDF_ANNOT_HIGHLIGHT, pdfium.FPDF_ANNOT_UNDERLINE, pdfium.FPDF_ANNOT_SQUIGGLY))
"""Annotations that mark words of the page."""
_LINE_OVERLAP = 0.25
"""Share of the height of a marked line that neighbouring lines may reach into."""
_MAX_NOTE_BYTES = 200_000
_MAX_NOTES = 10_000
_NO_WIDTH = 0.01
"""Points: PDFium leaves out the text of objects that are narrower."""
_WIDENED = 0.1


def prepare_forms(document: Any) -> None:
    """Prepare a document's form fields to be shown: those without an appearance get one from their value."""
    logging.getLogger("pypdfium2").setLevel(logging.ERROR)
    with suppress(pypdfium2.PdfiumError):
        document.init_forms()


class WrittenNote(NamedTuple):
    """What somebody wrote on a sticky note or on a mark, and where that stands, in the page's own units.

    `marked` are the words of the page that they marked.
    """

    text: str
    marked: str
    left: float
    bottom: float
    right: float
    top: float


class PdfiumPage:
    """An open page and its text.

    Attributes:
        raw: the page of pypdfium2.
    """

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self._text: Any = None
        self._codes: list[int] | None = None

    @property
    def shows_annotation_text(self) -> bool:
        """Whether the page has form fields or annotations that may show text."""
        page = self.raw.raw
        for index in range(pdfium.FPDFPage_GetAnnotCount(page)):
            annotation = pdfium.FPDFPage_GetAnnot(page, index)
            if not annotation:
                continue
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            pdfium.FPDFPage_CloseAnnot(annotation)
            if kind in _ANNOTATIONS_WITH_TEXT:
                return True
        return False

    def notes(self) -> list[WrittenNote]:
        """Return what people marked, and wrote on sticky notes, highlights and other marks, in the order of the file.

        This is to be read before the annotations are drawn.
        """
        page = self.raw.raw
        found: list[WrittenNote] = []
        box = pdfium.FS_RECTF()
        for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MAX_NOTES)):
            annotation = pdfium.FPDFPage_GetAnnot(page, index)
            if not annotation:
                continue
            is_hidden = pdfium.FPDFAnnot_GetFlags(annotation) & pdfium.FPDF_ANNOT_FLAG_HIDDEN
            # An entry with a state says that somebody accepted a note, or the like.
            if (
                not is_hidden
                and pdfium.FPDFAnnot_GetSubtype(annotation) not in _WITHOUT_NOTES
                and not pdfium.FPDFAnnot_HasKey(annotation, b"StateModel")
            ):
                text = _read_contents(annotation)
                marked = ""
                if pdfium.FPDFAnnot_GetSubtype(annotation) in _MARKUPS:
                    marked = self._read_marked_words(annotation)
                if (text.strip() or marked) and pdfium.FPDFAnnot_GetRect(annotation, box):
                    low, high = sorted((box.bottom, box.top))
                    found.append(WrittenNote(text, marked, box.left, low, box.right, high))
            pdfium.FPDFPage_CloseAnnot(annotation)
        return found

    def _read_marked_words(self, annotation: Any) -> str:
        """Return the words of the page under a mark, one line."""
        parts = []
        corners = pdfium.FS_QUADPOINTSF()
        for nth in range(min(pdfium.FPDFAnnot_CountAttachmentPoints(annotation), _MAX_NOTES)):
            if not pdfium.FPDFAnnot_GetAttachmentPoints(annotation, nth, corners):
                continue
            across = (corners.x1, corners.x2, corners.x3, corners.x4)
            up = (corners.y1, corners.y2, corners.y3, corners.y4)
            low, high = min(up), max(up)
            inset = (high - low) * _LINE_OVERLAP
            area = (min(across), high - inset, max(across), low + inset)
            size = pdfium.FPDFText_GetBoundedText(self.text, *area, None, 0)
            buffer = (ctypes.c_ushort * (size + 1))()
            pdfium.FPDFText_GetBoundedText(self.text, *area, buffer, size)
            parts.append(bytes(buffer)[: 2 * size].decode("utf-16-le", "replace").rstrip("\0"))
        return " ".join(" ".join(parts).split())

    def draw_annotations(self, document: Any, index: int) -> None:
        """Make the text of form fields and annotations part of the page's text, after its own.

        PDFium draws them into the page's content and takes them off the page: the document serves only to read text
        from then on.
        """
        if not self.shows_annotation_text:
            return
        if pdfium.FPDFPage_Flatten(self.raw.raw, pdfium.FLAT_NORMALDISPLAY) == pdfium.FLATTEN_SUCCESS:
            self.close()
            self.raw = document[index]

    @property
    def text(self) -> Any:
        """The raw text page."""
        if self._text is None:
            _widen_columns(self.raw.raw)
            self._text = self.raw.get_textpage()
        return self._text.raw

    @property
    def codes(self) -> list[int]:
        """The code point of each character, by PDFium's index."""
        if self._codes is None:
            self._codes = read_codes(self.text)
        return self._codes

    def close(self) -> None:
        """Close the page."""
        if self._text is not None:
            self._text.close()
            self._text = None
        self.raw.close()


def _read_contents(annotation: Any) -> str:
    size = min(pdfium.FPDFAnnot_GetStringValue(annotation, b"Contents", None, 0), _MAX_NOTE_BYTES)
    buffer = (pdfium.FPDF_WCHAR * (size // 2 + 1))()
    if pdfium.FPDFAnnot_GetStringValue(annotation, b"Contents", buffer, size) > size:
        return ""
    return bytes(buffer)[:size].decode("utf-16-le", "replace").rstrip("\0")


def _widen_columns(page: Any) -> None:
    """Widen vertical columns without width, invisibly: a font that is not embedded may give none."""
    bounds = read_object_bounds(page)
    if min(map(sub, bounds.rights, bounds.lefts), default=_NO_WIDTH) >= _NO_WIDTH:
        return
    for index, (left, bottom, right, top) in enumerate(zip(*bounds, strict=True)):
        height = top - bottom
        if right - left < _NO_WIDTH < height:
            each = pdfium.FPDFPage_GetObject(page, index)
            if pdfium.FPDFPageObj_GetType(each) == pdfium.FPDF_PAGEOBJ_TEXT:
                slant = _WIDENED / height
                pdfium.FPDFPageObj_Transform(each, 1, 0, slant, 1, -slant * (top + bottom) / 2, 0)
