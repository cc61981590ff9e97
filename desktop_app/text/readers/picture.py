"""Images (PNG, JPEG, TIFF) to events: their text is read by OCR, and each picture of a TIFF file is a page.

An image is made a PDF first: the reader of PDFs, its OCR and the pages in the window then do the rest.
"""

from __future__ import annotations

import io
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

import pypdfium2
from PIL import Image, ImageOps, UnidentifiedImageError

from desktop_app.core.bibliography import NO_REFERENCE
from desktop_app.core.errors import FileFailure
from desktop_app.core.reader_events import DocumentHead
from desktop_app.text.readers import pdf
from desktop_app.text.readers.reader_steps import Heartbeat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_app.text.readers.reader_steps import Step

MAX_PIXELS = 200_000_000
"""The most pixels of a picture; a page of A4 at 1,200 dots per inch has 140 million."""
MAX_PICTURES = 1_000
_FORMATS = ("PNG", "JPEG", "TIFF")
_QUALITY = 92
_SANE_DPI = (72.5, 2_400)
"""Most cameras and many programs write 72 whatever the picture."""
_LONG_SIDE_IN, _SCREEN_DPI = 11.7, 96.0
_BROKEN = (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, TypeError, KeyError, OverflowError)
"""What Pillow raises on damaged images."""


def read(
    path: Path,
    content_hash: str,
    *,
    password: str | None = None,
    engine: str = "pdfium",
    ocr: str = "",
    ocr_without: tuple[int, ...] = (),
    pdfium_without: tuple[int, ...] = (),
    pypdf_without: tuple[int, ...] = (),
) -> Iterator[Step]:
    """Read an image; the arguments are those of `pdf.read`.

    Raises:
        FileFailure: the image is damaged, too large, or has no text; or no OCR was requested.
    """
    if not ocr:
        raise FileFailure("no_text", "Images are read by OCR. Run OCR to read this one")
    with tempfile.NamedTemporaryFile(suffix=".pdf", delete=False) as made:
        file = Path(made.name)
        try:
            yield from write_pdf(path, made)
        except BaseException:
            made.close()
            file.unlink(missing_ok=True)
            raise
    try:
        steps = pdf.read(
            file,
            content_hash,
            engine="pdfium",
            ocr=ocr,
            ocr_without=ocr_without,
            pdfium_without=pdfium_without,
            pypdf_without=pypdf_without,
        )
        for step in steps:
            if isinstance(step, DocumentHead):
                step = replace(step, type="image", title="", reference=NO_REFERENCE)
            yield step
    finally:
        file.unlink(missing_ok=True)


def write_pdf(path: Path | IO[bytes], file: IO[bytes]) -> Iterator[Heartbeat]:
    """Write the pictures of an image file as the pages of a PDF.

    Raises:
        FileFailure: the image is damaged or too large.
    """
    document = pypdfium2.PdfDocument.new()
    try:
        with Image.open(path, formats=_FORMATS) as image:
            count = getattr(image, "n_frames", 1) if image.format == "TIFF" else 1
            if count > MAX_PICTURES:
                raise FileFailure(
                    "too_large",
                    "The file has {count:,} images; the limit is {most:,}",
                    count=count,
                    most=MAX_PICTURES,
                )
            for number in range(count):
                image.seek(number)
                _add_page(document, image)
                yield Heartbeat()
        document.save(file)
        file.flush()
    except FileFailure:
        raise
    except Image.DecompressionBombError as error:
        raise FileFailure("too_large", "The image has too many pixels") from error
    except _BROKEN as error:
        raise FileFailure("damaged", "The image is damaged and cannot be opened") from error
    finally:
        document.close()


def _add_page(document: pypdfium2.PdfDocument, image: Image.Image) -> None:
    if image.width * image.height > MAX_PIXELS:
        raise FileFailure("too_large", "The image has too many pixels")
    dpi = _find_dpi(image)
    upright = ImageOps.exif_transpose(image) if image.format == "JPEG" else image
    packed = io.BytesIO()
    _to_plain_colours(upright).save(packed, "JPEG", quality=_QUALITY)
    packed.seek(0)
    width, height = upright.width / dpi * 72, upright.height / dpi * 72
    page = document.new_page(width, height)
    picture = pypdfium2.PdfImage.new(document)
    picture.load_jpeg(packed, inline=True)
    picture.set_matrix(pypdfium2.PdfMatrix().scale(width, height))
    page.insert_obj(picture)
    page.gen_content()
    page.close()


def _find_dpi(image: Image.Image) -> float:
    """Return dots per inch: those that the file names; else a photo is a page, and a small picture a screen."""
    try:
        across, down = (float(each) for each in image.info.get("dpi", (0, 0)))
    except (TypeError, ValueError, ZeroDivisionError):
        across = down = 0.0
    least, most = _SANE_DPI
    if least < across < most and abs(across - down) < 0.1 * across:
        return across
    return max(_SCREEN_DPI, max(image.width, image.height) / _LONG_SIDE_IN)


def _to_plain_colours(image: Image.Image) -> Image.Image:
    """Return a picture as grey or red, green and blue; what can be seen through is white."""
    if image.mode in ("L", "RGB"):
        return image
    if image.mode == "1":
        return image.convert("L")
    if image.mode.startswith("I"):
        return image.point(lambda value: value / 256).convert("L") if image.mode != "I;16B" else image.convert("L")
    if "A" in image.mode or "transparency" in image.info:
        clear = image.convert("RGBA")
        white = Image.new("RGBA", clear.size, "white")
        return Image.alpha_composite(white, clear).convert("RGB")
    return image.convert("RGB")
