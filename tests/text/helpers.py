"""Helpers of these tests: small PDFs made on the fly, complete readings, waiting with a deadline."""

from __future__ import annotations

import re
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

from desktop_app.core.errors import FileFailure
from desktop_app.core.pages import RecognisedPage
from desktop_app.core.ports import ReadingTask
from desktop_app.core.reader_events import (
    ArchiveRead,
    DocumentHead,
    FileUnchanged,
    PageRead,
    ReaderEvent,
    ReadingDone,
    SentenceSpan,
    SentencesRead,
)
from desktop_app.core.records import Place
from desktop_app.text.cleaning import LIGATURES
from desktop_app.text.readers import read_document
from desktop_app.text.readers.reader_steps import Heartbeat, RetryWith

DATA = Path(__file__).parent.parent / "data"
PDFS = DATA / "pdf"
SENTENCES = DATA / "sentences"

T = TypeVar("T")

_DEADLINE_S = 60.0
_nothing = threading.Event()


@dataclass
class Result:
    """All that a reading gave."""

    events: list[ReaderEvent] = field(default_factory=list)
    failure: FileFailure | None = None

    @property
    def head(self) -> DocumentHead:
        return next(event for event in self.events if isinstance(event, DocumentHead))

    @property
    def done(self) -> ReadingDone:
        return next(event for event in self.events if isinstance(event, ReadingDone))

    @property
    def recognised(self) -> list[RecognisedPage]:
        return [event for event in self.events if isinstance(event, RecognisedPage)]

    @property
    def spans(self) -> list[SentenceSpan]:
        return [span for event in self.events if isinstance(event, SentencesRead) for span in event.spans]

    @property
    def texts(self) -> list[str]:
        return [span.text for span in self.spans]

    @property
    def pages_read(self) -> list[int]:
        return [event.page for event in self.events if isinstance(event, PageRead)]

    @property
    def state(self) -> str:
        if self.failure is not None:
            return self.failure.reason
        if self.events and isinstance(self.events[-1], ArchiveRead):
            return "archive"
        return "ready" if self.events and isinstance(self.events[-1], ReadingDone) else "unfinished"

    def of_kind(self, kind: str) -> list[str]:
        return [span.text for span in self.spans if span.kind == kind]

    def paragraph_texts(self) -> list[str]:
        paragraphs: dict[int, list[str]] = {}
        for span in self.spans:
            paragraphs.setdefault(span.paragraph, []).append(span.text)
        return [" ".join(texts) for texts in paragraphs.values()]


def read_here(path: Path, *, password: str | None = None, engine: str = "both", ocr: str = "") -> Result:
    """Read a file in this process, to its end."""
    result = Result()
    try:
        for step in read_document(path, password=password, engine=engine, ocr=ocr):
            if not isinstance(step, RetryWith | Heartbeat):
                result.events.append(step)
    except FileFailure as failure:
        result.failure = failure
    return result


@cache
def reading(name: str, password: str | None = None) -> Result:
    """Read a file of the test data once for all tests."""
    return read_here(PDFS / name, password=password)


def until(answer: Callable[[], T], deadline_s: float = _DEADLINE_S) -> T:
    """Ask until the answer is true; fail when the deadline passes."""
    end = time.monotonic() + deadline_s
    while not (value := answer()):
        assert time.monotonic() < end, "waited too long"
        _nothing.wait(0.002)
    return value


def finish(reading: ReadingTask, deadline_s: float = _DEADLINE_S) -> Result:
    """Poll a reading to its end."""
    result = Result()

    def over() -> bool:
        try:
            event = reading.poll()
        except FileFailure as failure:
            result.failure = failure
            return True
        if event is not None:
            result.events.append(event)
        return isinstance(event, ReadingDone | FileUnchanged | ArchiveRead)

    until(over, deadline_s)
    return result


def letters(text: str) -> str:
    """Return only letters and digits, plain ones: a place and its sentence must have the same."""
    for ligature, plain in LIGATURES.items():
        text = text.replace(ligature, plain)
    text = text.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))  # readers raise numbers that are set raised
    return re.sub(r"[\W_]+", "", text)


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def text_at(places: Iterable[Place], page_text: Callable[[Place], str]) -> str:
    return " ".join(page_text(place) for place in places)


# --- PDFs made on the fly ------------------------------------------------------------------------------------


def pdf_bytes(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """Put objects (numbered from 1, the first the catalogue) into a file."""
    out = bytearray(b"%PDF-1.7\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer <</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, trailer, start)
    return bytes(out)


def stream(data: bytes, extra: bytes = b"") -> bytes:
    packed = zlib.compress(data, 1)
    return b"<</Length %d/Filter/FlateDecode%s>>stream\n" % (len(packed), extra) + packed + b"\nendstream"


HELVETICA = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"


@dataclass(frozen=True)
class At:
    """A line of text on a made page: points from the lower left corner."""

    x: float
    y: float
    text: str
    size: float = 10.0


def made_pdf(
    pages: Sequence[Sequence[At]], *, catalogue: bytes = b"", trailer: bytes = b"", extra: Sequence[bytes] = ()
) -> bytes:
    """Make a PDF of lines in Helvetica. Pages are objects 4, 6, 8...; `extra` objects follow the last one."""
    kids = b" ".join(b"%d 0 R" % (4 + 2 * number) for number in range(len(pages)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R" + catalogue + b">>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(pages)),
        HELVETICA,
    ]
    for number, lines in enumerate(pages):
        content = b"".join(
            b"BT /F1 %g Tf 1 0 0 1 %g %g Tm (%s) Tj ET\n" % (at.size, at.x, at.y, _escaped(at.text)) for at in lines
        )
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
            % (5 + 2 * number)
        )
        objects.append(stream(content))
    return pdf_bytes([*objects, *extra], trailer)


def annotated_pdf(text: str, annotations: Sequence[bytes], *, form: bytes = b"", shown: str = "") -> bytes:
    """Make a one-page PDF of one line and annotations, which may use object 6 as their appearance: it shows `shown`.

    Args:
        text: the line on the page.
        annotations: dictionaries without their brackets, subtype and rectangle included.
        form: more entries of the form's dictionary.
        shown: the text of the appearance.
    """
    first = 7
    kids = b" ".join(b"%d 0 R" % (first + number) for number in range(len(annotations)))
    return pdf_bytes(
        [
            b"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[%s]/DR<</Font<</Helv 3 0 R>>>>/DA(/Helv 10 Tf 0 g)%s>>>>"
            % (kids, form),
            b"<</Type/Pages/Kids[4 0 R]/Count 1>>",
            HELVETICA,
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Annots[%s]"
            b"/Resources<</Font<</F1 3 0 R>>>>>>" % kids,
            stream(b"BT /F1 10 Tf 1 0 0 1 72 700 Tm (%s) Tj ET" % _escaped(text)),
            stream(
                b"BT /F1 10 Tf 1 0 0 1 2 5 Tm (%s) Tj ET" % _escaped(shown),
                b"/Type/XObject/Subtype/Form/BBox[0 0 400 20]/Resources<</Font<</F1 3 0 R>>>>",
            ),
            *(b"<</Type/Annot%s>>" % annotation for annotation in annotations),
        ]
    )


def _escaped(text: str) -> bytes:
    raw = text.encode("cp1252")
    return raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def paragraph(x: float, y: float, text: str, *, width: int = 60, size: float = 10.0, indent: float = 0.0) -> list[At]:
    """Set a text in lines of about `width` characters."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return [
        At(x + (indent if number == 0 else 0), y - number * 1.2 * size, line, size) for number, line in enumerate(lines)
    ]


def unicode_pdf(
    lines: Sequence[str],
    *,
    unseen_blanks: bool = False,
    right: float | None = None,
    columns: bool = False,
    step: int = 1,
) -> bytes:
    """Make a one-page PDF of any letters: a font without shapes and a table of its codes.

    Args:
        lines: its text.
        unseen_blanks: move back after each blank, so that it takes no room.
        right: where lines end, in points from the left; None: they begin at the left margin.
        columns: set the lines as columns, the first one at the left.
        step: -1 writes the last line first.
    """
    chars = sorted({char for line in lines for char in line})
    codes = {char: number for number, char in enumerate(chars, 1)}
    table = b"".join(b"<%04X> <%s>\n" % (code, char.encode("utf-16-be").hex().encode()) for char, code in codes.items())
    cmap = (
        b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange "
        b"%d beginbfchar\n%sendbfchar endcmap" % (len(codes), table)
    )
    content = b"".join(
        b"BT /F1 10 Tf 1 0 0 1 %g %d Tm [%s] TJ ET\n"
        % (
            50 + 14 * number if columns else 50 if right is None else right - 10 * len(line),
            740 if columns else 740 - 14 * number,
            b"".join(b"<%04X>%s" % (codes[char], b" 1000 " if unseen_blanks and char == " " else b"") for char in line),
        )
        for number, line in list(enumerate(lines))[::step]
    )
    return pdf_bytes(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
            stream(content),
            b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-%s/DescendantFonts[7 0 R]/ToUnicode 6 0 R>>"
            % (b"V" if columns else b"H"),
            stream(cmap),
            b"<</Type/Font/Subtype/CIDFontType2/BaseFont/A/DW 1000"
            b"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>",
        ]
    )
