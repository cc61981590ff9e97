"""Tasks of the reader pane, run in a child process: page sizes, images, boxes and characters.

Each task gives one answer; an image comes in pieces, so that the receiver is never blocked for long.
"""

from __future__ import annotations

import atexit
import os
from array import array
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.errors import FileFailure
from desktop_app.core.pages import Box, PageCharacters, PagedFile, PageImage
from desktop_app.text import archives
from desktop_app.text.cleaning import LINE_END_HYPHENS, SOFT_HYPHEN, clean_character, count_words, should_keep_hyphen
from desktop_app.text.open_pdfs import OpenPdfs
from desktop_app.text.sentence_location import extract_letters, matches_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop_app.core.pages import DarkPageColors, SentenceToLocate
    from desktop_app.core.records import Place
    from desktop_app.text.open_pdfs import OpenPage

MAX_PIXELS = 24_000_000
"""The most pixels of a page image; larger pages are rendered at a lower resolution."""
PIECE_BYTES = 1_000_000


@cache
def _open_files() -> OpenPdfs:
    """Return the open files of this process; they are closed at its end, before PDFium."""
    files = OpenPdfs()
    atexit.register(files.close)
    return files


def look_at_file(path: str) -> Iterator[bool]:
    """Yield whether a file, or the archive that contains it, exists.

    A network share that has gone away blocks only this process.
    """
    yield archives.path_exists(Path(path))


def open_pages(path: str, passwords: Sequence[str]) -> Iterator[PagedFile]:
    """Open a file and yield the sizes and labels of its pages.

    Raises:
        FileFailure: it is encrypted, damaged or unreadable.
    """
    file = _open_files().get(path, passwords)
    yield PagedFile(file.sizes(), file.labels())


def render_page(
    path: str, passwords: Sequence[str], page: int, width_px: int, dark: DarkPageColors | None
) -> Iterator[PageImage | bytes]:
    """Render a page: yield the image without its pixels, then the pixels in pieces.

    Args:
        path: the file.
        passwords: to try.
        page: counted from 1.
        width_px: width of the image.
        dark: colours for dark mode; None renders the page as it is.

    Raises:
        FileFailure: the page cannot be rendered.
    """
    open_page = _open_files().get(path, passwords).page(page).raw
    width, height = open_page.get_size()
    scale = width_px / width
    if width * height * scale * scale > MAX_PIXELS:
        scale = (MAX_PIXELS / (width * height)) ** 0.5
    try:
        bitmap = open_page.render(scale=scale, prefer_bgrx=True)
    except (RuntimeError, ValueError) as error:  # PdfiumError is a RuntimeError
        raise FileFailure("damaged", "Page {page} cannot be drawn", page=page) from error
    try:
        if dark is not None:
            # One thread is enough, and the memory that more would reserve counts against the limit.
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
            from desktop_app.text.dark_pages import darken_page

            darken_page(open_page, bitmap.to_numpy(), dark)
        pixels = memoryview(bitmap.buffer).cast("B")
        yield PageImage(page, bitmap.width, bitmap.height, bitmap.stride, b"")
        for start in range(0, len(pixels), PIECE_BYTES):
            yield bytes(pixels[start : start + PIECE_BYTES])
    finally:
        bitmap.close()


def page_boxes(
    path: str, passwords: Sequence[str], page: int, sentences: Sequence[SentenceToLocate]
) -> Iterator[list[tuple[Box, ...]]]:
    """Find sentences on a page.

    Yields:
        For each sentence its boxes on this page, one per line; none if the page does not contain it (any more).
    """
    open_page = _open_files().get(path, passwords).page(page)
    yield [tuple(_find_sentence_boxes(open_page, page, sentence)) for sentence in sentences]


def _find_sentence_boxes(page: OpenPage, number: int, sentence: SentenceToLocate) -> list[Box]:
    boxes: list[Box] = []
    for nth, place in enumerate(sentence.places):
        if place.page != number:
            continue
        stretch = (place.start, place.stop)
        if place.unit != "pdfium" or not matches_sentence(page.text_between(*stretch), sentence.text):
            found = page.letters.find(_part_at_place(sentence, nth), _expected_position(page, place))
            if found is None:
                continue
            stretch = found
        elif len(sentence.places) == 1 and extract_letters(page.text_between(*stretch)) != extract_letters(
            sentence.text
        ):
            # A part of a sentence that a person split: roughly here, by the lengths of the parts.
            stretch = page.letters.find(sentence.text, _expected_position(page, place)) or stretch
        boxes += page.boxes(*stretch)
    return boxes


def _part_at_place(sentence: SentenceToLocate, nth: int) -> str:
    """Return the part of a sentence at its `nth` place, by the lengths of its places."""
    lengths = [place.stop - place.start for place in sentence.places]
    total = sum(lengths) or 1
    start, stop = sum(lengths[:nth]), sum(lengths[: nth + 1])
    letters = len(sentence.text)
    return sentence.text[round(letters * start / total) : round(letters * stop / total)]


def _expected_position(page: OpenPage, place: Place) -> float:
    return min(1.0, place.start / max(len(page.codes), 1))


def page_characters(path: str, passwords: Sequence[str], page: int) -> Iterator[PageCharacters]:
    """Yield the characters of a page and their boxes."""
    open_page = _open_files().get(path, passwords).page(page)
    chars: list[str] = []
    boxes = array("f")
    all_boxes = open_page.all_boxes()
    raw = _mark_line_ends(open_page)
    for index, char in raw:
        for letter in clean_character(char) if char not in (SOFT_HYPHEN, "\n") else char:
            if letter in " \n" and (not chars or chars[-1] in " \n"):
                if letter == "\n" and chars:
                    chars[-1] = "\n"
                continue
            chars.append(letter)
            boxes.extend(all_boxes[4 * index : 4 * index + 4])
    yield PageCharacters(page, "".join(chars), boxes)


def _mark_line_ends(page: OpenPage) -> list[tuple[int, str]]:
    """Return index and character of a page; a line-end hyphen that only divides a word is a soft hyphen."""
    result: list[tuple[int, str]] = []
    codes = page.codes
    lines = page.text_between(0, len(codes)).replace("\r", "\n").split("\n")
    words = count_words(lines)
    index = -1
    while index + 1 < len(codes):
        index += 1
        code = codes[index]
        start = index
        if 0xD800 <= code < 0xDC00 and index + 1 < len(codes) and 0xDC00 <= codes[index + 1] < 0xE000:
            index += 1
            code = 0x10000 + ((code - 0xD800) << 10) + (codes[index] - 0xDC00)
        if code == 0 or code >= 0x110000:
            continue
        char = chr(code)
        if char in LINE_END_HYPHENS:
            left, right = page.text_between(start - 40, start), page.text_between(start + 1, start + 40).lstrip("\r\n")
            result.append((start, "-" if should_keep_hyphen(left, right, words) else SOFT_HYPHEN))
            result.append((start, "\n"))
        elif char in "\r\n":
            result.append((start, "\n"))
        else:
            result.append((start, char))
    return result
