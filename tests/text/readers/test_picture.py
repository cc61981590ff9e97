"""Images: their text is read by OCR, and the window shows them as pages."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from desktop_app.core.formats import is_supported
from desktop_app.core.records import WatchedFolder
from desktop_app.core.watch_patterns import decide_file
from desktop_app.text.page_tasks import open_pages, render_page
from desktop_app.text.readers import picture as reader
from tests.text.helpers import At, made_pdf, read_here
from tests.text.makers import zipped
from tests.text.scans import needs_tesseract, picture

FIRST, SECOND = "The harbour dries out twice a day.", "Boats rest on the mud at night."


def draw(folder: Path, text: str = FIRST) -> Image.Image:
    """A picture of the upper part of a page, with a line of text."""
    (folder / "page.pdf").write_bytes(made_pdf([[At(72, 700, text, 14)]]))
    width, height, pixels = picture(folder / "page.pdf", dpi=100, part=0.25)
    return Image.frombytes("L", (width, height), pixels)


@needs_tesseract
def test_a_picture_of_a_page_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.png"
    draw(tmp_path).save(file)
    result = read_here(file, ocr="eng")
    assert result.texts == [FIRST]
    assert (result.head.type, result.head.page_count, result.head.title) == ("image", 1, "")
    assert result.recognised[0].text == FIRST


@needs_tesseract
def test_the_pictures_of_a_tiff_are_pages(tmp_path: Path) -> None:
    file = tmp_path / "a.tif"
    pages = [draw(tmp_path, text).convert("1") for text in (FIRST, SECOND)]
    pages[0].save(file, save_all=True, append_images=pages[1:], compression="group4", dpi=(100, 100))
    result = read_here(file, ocr="eng")
    assert [(span.places[0].page, span.text) for span in result.spans] == [(1, FIRST), (2, SECOND)]


@needs_tesseract
def test_a_photo_is_turned_as_its_camera_says(tmp_path: Path) -> None:
    file, exif = tmp_path / "a.jpg", Image.Exif()
    exif[274] = 3
    draw(tmp_path).rotate(180).save(file, exif=exif, quality=90)
    assert read_here(file, ocr="eng").texts == [FIRST]


def test_an_image_without_ocr_says_how_to_read_it(tmp_path: Path) -> None:
    draw(tmp_path).save(tmp_path / "a.png")
    result = read_here(tmp_path / "a.png")
    assert result.state == "no_text"
    assert "Run OCR" in str(result.failure)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_pages_of_images_can_be_shown_whatever_their_colours(mode: str, tmp_path: Path) -> None:
    file = tmp_path / ("a.tif" if mode in ("CMYK", "I;16") else "a.png")
    image = Image.new("L", (960, 480), 255)
    (Image.new("I;16", image.size, 65535) if mode == "I;16" else image.convert(mode)).save(file)
    (pages,) = open_pages(str(file), ())
    assert [(round(size.width), round(size.height)) for size in pages.sizes] == [(720, 360)]
    _, *pixels = render_page(str(file), (), 1, 100, None)
    colours = {bytes(pixels[0][at : at + 3]) for at in range(0, len(pixels[0]), 4)}  # type: ignore[index]
    assert all(min(colour) > 250 for colour in colours)


def test_pages_of_an_image_in_an_archive_can_be_shown(tmp_path: Path) -> None:
    packed = io.BytesIO()
    draw(tmp_path).save(packed, "PNG")
    (tmp_path / "a.zip").write_bytes(zipped({"a.png": packed.getvalue()}))
    (pages,) = open_pages(str(tmp_path / "a.zip" / "a.png"), ())
    assert len(pages.sizes) == 1


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.tif"])
@pytest.mark.parametrize("share", [0.02, 0.5])
def test_a_cut_off_image_fails_or_is_read_in_part(name: str, share: float, tmp_path: Path) -> None:
    file = tmp_path / name
    draw(tmp_path).save(file)
    file.write_bytes(file.read_bytes()[: int(file.stat().st_size * share)])
    assert read_here(file, ocr="none").state in ("damaged", "no_text")


def test_a_picture_of_too_many_pixels_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw(tmp_path).save(tmp_path / "a.png")
    monkeypatch.setattr(reader, "MAX_PIXELS", 1000)
    assert read_here(tmp_path / "a.png", ocr="eng").state == "too_large"


def test_images_of_folders_are_read_only_if_a_pattern_names_them() -> None:
    assert not is_supported(Path("photo.jpg"))
    assert not decide_file(WatchedFolder("/in"), "/in/photo.jpg").is_taken
    assert decide_file(WatchedFolder("/in", include=("*.jpg",)), "/in/photo.jpg").is_taken
    assert not decide_file(WatchedFolder("/in", include=("*.pdf",)), "/in/photo.jpg").is_taken
