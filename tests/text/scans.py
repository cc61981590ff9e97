"""Makes scans (PDFs whose pages are pictures of real ones) and stand-ins for a misbehaving Tesseract."""

from __future__ import annotations

import random
import stat
from collections.abc import Sequence
from pathlib import Path

import pypdfium2
import pytest

from desktop_app.text import tesseract
from tests.text.helpers import HELVETICA, pdf_bytes, stream

Picture = tuple[int, int, bytes]
"""Width and height in pixels, and a grey byte for each."""

needs_tesseract = pytest.mark.skipif(
    (_found := tesseract.find_tesseract()) is None or "eng" not in _found.languages,
    reason="Tesseract with English is not installed: `apt-get install tesseract-ocr`",
)


def picture(
    path: Path, page: int = 1, *, dpi: float = 150.0, password: str | None = None, turns: int = 0, part: float = 1.0
) -> Picture:
    """Photograph the upper part of a page of a PDF, turned clockwise by quarters: Tesseract takes long for a page."""
    document = pypdfium2.PdfDocument(path, password=password)
    try:
        sheet = document[page - 1]
        below = (1 - part) * sheet.get_height()
        # Sides are counted from the left, against the clock: the lower one turns to the left.
        crop = tuple(below if side == (1 - turns) % 4 else 0 for side in range(4))
        bitmap = sheet.render(scale=dpi / 72, grayscale=True, rotation=90 * turns, crop=crop)
        pixels = bytes(memoryview(bitmap.buffer).cast("B"))
        rows = [pixels[at * bitmap.stride :][: bitmap.width] for at in range(bitmap.height)]
        return bitmap.width, bitmap.height, b"".join(rows)
    finally:
        document.close()


def noise(width: int = 900, height: int = 1200, seed: int = 7) -> Picture:
    """A page of specks."""
    return width, height, random.Random(seed).randbytes(width * height)


def blank(width: int = 900, height: int = 1200) -> Picture:
    return width, height, b"\xff" * (width * height)


def scan(
    pictures: Sequence[Picture | str],
    *,
    stamp: str = "",
    size: tuple[float, float] = (612.0, 792.0),
    rotate: int = 0,
    catalogue: bytes = b"",
    trailer: bytes = b"",
    extra: Sequence[bytes] = (),
) -> bytes:
    """Make a PDF of pictures that fill their pages; a string is a page with that line of text instead.

    Args:
        pictures: one a page.
        stamp: a line of text over each picture.
        size: of a page, in points.
        rotate: degrees by which pages are shown turned.
        catalogue: more for the catalogue.
        trailer: more for the trailer.
        extra: further objects at the end.
    """
    count = len(pictures)
    kids = b" ".join(b"%d 0 R" % (4 + 3 * number) for number in range(count))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R" + catalogue + b">>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count),
        HELVETICA,
    ]
    for number, each in enumerate(pictures):
        at = 4 + 3 * number
        words = each if isinstance(each, str) else stamp
        width, height = size
        content = b"BT /F1 9 Tf 40 30 Td (%s) Tj ET" % words.encode("cp1252") if words else b""
        if not isinstance(each, str):
            content = b"q %g 0 0 %g 0 0 cm /P Do Q " % (width, height) + content
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %g %g]/Rotate %d/Contents %d 0 R"
            b"/Resources<</Font<</F1 3 0 R>>/XObject<</P %d 0 R>>>>>>" % (width, height, rotate, at + 1, at + 2)
        )
        objects.append(stream(content))
        wide, high, pixels = each if not isinstance(each, str) else (1, 1, b"\xff")
        objects.append(
            stream(
                pixels,
                b"/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8/Width %d/Height %d"
                % (wide, high),
            )
        )
    return pdf_bytes([*objects, *extra], trailer)


def pretend_tesseract(folder: Path, work: str) -> Path:
    """Write a program that says it is Tesseract, and does `work` (lines of a shell) when it is to read."""
    file = folder / "tesseract"
    file.write_text(
        "#!/bin/sh\n"
        'case "$1" in\n'
        '--version) echo "tesseract 5.9.9";;\n'
        '--list-langs) echo "List of available languages (2):"; echo deu; echo eng;;\n'
        f"*) {work};;\n"
        "esac\n",
        "utf-8",
    )
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file
