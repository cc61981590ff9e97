"""Tasks of the reader pane, run in a child process: page sizes, images, boxes and characters.

Each task gives one answer; an image comes in pieces, so that the receiver is never blocked for long.
"""

from __future__ import annotations

import atexit
import ctypes
import io
import math
import os
import re
from array import array
from collections import OrderedDict
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pypdfium2
import pypdfium2.raw as pdfium

from desktop_app.core.errors import FileFailure
from desktop_app.core.formats import FORMATS
from desktop_app.core.jobs import run_to_completion
from desktop_app.core.pages import Box, PageCharacters, PagedFile, PageImage, PageSize
from desktop_app.text import archives
from desktop_app.text.cleaning import LINE_END_HYPHENS, SOFT_HYPHEN, clean_character, count_words, should_keep_hyphen
from desktop_app.text.readers.pdf_engines import drop_trivial_labels, encrypted_failure, to_one_line
from desktop_app.text.readers.pdf_lines import ACCENT, join_drawn_accents
from desktop_app.text.readers.pdfium_page import PdfiumPage, prepare_forms
from desktop_app.text.sentence_location import PageLetters, extract_letters, matches_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop_app.core.pages import AnnotationToWrite, DarkPageColors, PageRect, SentenceToLocate
    from desktop_app.core.records import Place

MAX_PIXELS = 24_000_000
"""The most pixels of a page image; larger pages are rendered at a lower resolution."""
PIECE_BYTES = 1_000_000

_MAX_FILES = 3
_MAX_PAGES = 6
_MAX_IN_MEMORY_BYTES = 32_000_000
"""A file up to this length is read into memory, so that it can be replaced or deleted, also on Windows."""
_MAX_LABELS = 20_000
_LETTER_SIZE = PageSize(612.0, 792.0)


@cache
def _open_files() -> OpenPdfs:
    """Return the open files of this process; they are closed at its end, before PDFium."""
    files = OpenPdfs()
    atexit.register(files.close)
    return files


def look_at_file(path: str) -> Iterator[bool]:
    """Yield whether a file, or the archive that contains it, exists.

    A network share that no longer answers blocks only this process.
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
            from desktop_app.text.dark_mode_pages import darken_page

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
    for nth, place in enumerate(sentence.places if sentence.text else ()):
        if place.page != number:
            continue
        if place.unit == "text" and not sentence.is_marked and (noted := page.note_boxes(sentence.text)):
            boxes += noted
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
    return boxes or [page.rect_box(rect) for rect in sentence.rects if rect.page == number]


def _part_at_place(sentence: SentenceToLocate, nth: int) -> str:
    """Return the part of a sentence at its `nth` place, by the lengths of its places."""
    lengths = [place.stop - place.start for place in sentence.places]
    total = sum(lengths) or 1
    start, stop = sum(lengths[:nth]), sum(lengths[: nth + 1])
    letters = len(sentence.text)
    return sentence.text[round(letters * start / total) : round(letters * stop / total)]


def _expected_position(page: OpenPage, place: Place) -> float:
    return min(1.0, place.start / max(len(page.codes), 1))


def write_annotations(path: str, passwords: Sequence[str], annotations: Sequence[AnnotationToWrite]) -> Iterator[bytes]:
    """Yield a copy of a PDF with annotations as any other program shows them, in pieces.

    Raises:
        FileFailure: the file cannot be opened, or not be written with annotations.
    """
    file = _open_files().get(path, passwords)
    copy = file.open_copy()
    try:
        for each in annotations:
            _write_annotation(copy, file.page(each.page), each)
        out = io.BytesIO()
        copy.save(out)  # not incrementally: what PDFium appends to files with cross-reference streams is damaged
    except pypdfium2.PdfiumError as error:
        raise FileFailure("damaged", "The file is damaged, so no copy can be written") from error
    finally:
        copy.close()
    pieces = out.getbuffer()
    for start in range(0, len(pieces), PIECE_BYTES):
        yield bytes(pieces[start : start + PIECE_BYTES])


_ANNOTATION_KINDS = {
    "highlight": pdfium.FPDF_ANNOT_HIGHLIGHT,
    "underline": pdfium.FPDF_ANNOT_UNDERLINE,
    "note": pdfium.FPDF_ANNOT_TEXT,
}
_NOTE_POINTS = 18.0
"""Width and height of the sign of a note."""


def _write_annotation(document: Any, shown: OpenPage, annotation: AnnotationToWrite) -> None:
    page = document[annotation.page - 1]
    try:
        raw = pdfium.FPDFPage_CreateAnnot(page.raw, _ANNOTATION_KINDS[annotation.kind])
        boxes = [shown.to_page_space(box) for box in annotation.boxes]
        if annotation.kind == "note":
            left, _, _, top = boxes[0]
            boxes = [(left, top - _NOTE_POINTS, left + _NOTE_POINTS, top)]
        for left, bottom, right, top in boxes if annotation.kind != "note" else ():
            # Upper left, upper right, lower left, lower right as the page is shown: the order that programs expect.
            corners = shown.turn_corners(((left, top), (right, top), (left, bottom), (right, bottom)))
            points = pdfium.FS_QUADPOINTSF(*(number for corner in corners for number in corner))
            pdfium.FPDFAnnot_AppendAttachmentPoints(raw, points)
        lefts, bottoms, rights, tops = zip(*boxes, strict=True)
        pdfium.FPDFAnnot_SetRect(raw, pdfium.FS_RECTF(min(lefts), max(tops), max(rights), min(bottoms)))
        pdfium.FPDFAnnot_SetColor(raw, pdfium.FPDFANNOT_COLORTYPE_Color, *annotation.colour, 255)
        moment = datetime.fromtimestamp(annotation.changed_at, UTC)
        for key, text in (
            (b"Contents", annotation.text),
            (b"T", annotation.author),
            (b"NM", annotation.name),
            (b"M", f"D:{moment:%Y%m%d%H%M%S}Z"),
        ):
            if text:
                wide = ctypes.create_string_buffer(f"{text}\0".encode("utf-16-le"))
                pdfium.FPDFAnnot_SetStringValue(raw, key, ctypes.cast(wide, pdfium.FPDF_WIDESTRING))
        pdfium.FPDFAnnot_SetFlags(raw, pdfium.FPDF_ANNOT_FLAG_PRINT)
        pdfium.FPDFPage_CloseAnnot(raw)
    finally:
        page.close()


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
    yield PageCharacters(page, *_join_accents("".join(chars), boxes))


def _join_accents(text: str, boxes: array[float]) -> tuple[str, array[float]]:
    """Return the characters of a page with accents that are drawn over a letter as part of it, as sentences have them.

    Otherwise a word with such letters would not be found on its page.
    """
    if not ACCENT.search(text):
        return text, boxes
    lines: list[str] = []
    kept = array("f")
    at = 0
    for line in text.splitlines(keepends=True):
        numbers = [boxes[4 * place : 4 * place + 4] for place in range(at, at + len(line))]
        at += len(line)
        joined = join_drawn_accents(line, [Box(*each) if each[2] > each[0] else None for each in numbers])
        lines.append(line if joined is None else joined[0])
        for place in range(len(line)) if joined is None else joined[1]:
            kept.extend(numbers[place])
    return "".join(lines), kept


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


class OpenPdf:
    """An open PDF.

    Attributes:
        open_copy: opens the file once more.
    """

    def __init__(self, path: str | bytes, passwords: Sequence[str], size_bytes: int) -> None:
        """Open a file, or its bytes; try no password first.

        Raises:
            FileFailure: it is encrypted, damaged or unreadable.
        """
        content: str | bytes = path
        if isinstance(path, str) and size_bytes <= _MAX_IN_MEMORY_BYTES:
            with open(path, "rb") as file:
                content = file.read()
        self._document: Any = None
        self._text_document: Any = None
        for password in (None, *passwords):
            try:
                self._document = pypdfium2.PdfDocument(content, password=password)
                self.open_copy = partial(pypdfium2.PdfDocument, content, password=password)
                break
            except pypdfium2.PdfiumError as error:
                if getattr(error, "err_code", None) != pdfium.FPDF_ERR_PASSWORD:
                    raise FileFailure("damaged", "The file is damaged and its pages cannot be shown") from error
        if self._document is None:
            raise encrypted_failure(None)
        prepare_forms(self._document)  # draws filled-in form fields too
        self._pages: OrderedDict[int, OpenPage] = OrderedDict()

    def __len__(self) -> int:
        return len(self._document)

    def sizes(self) -> tuple[PageSize, ...]:
        """Return the sizes of all pages; US Letter for a page whose size is unknown."""
        sizes = []
        for index in range(len(self)):
            size = _LETTER_SIZE
            with suppress(pypdfium2.PdfiumError):
                width, height = self._document.get_page_size(index)
                if 0 < width < math.inf and 0 < height < math.inf:
                    size = PageSize(width, height)
            sizes.append(size)
        return tuple(sizes)

    def labels(self) -> tuple[str, ...]:
        """Return the page labels; none if they only count from 1."""
        if len(self) > _MAX_LABELS:
            return ()
        return drop_trivial_labels(
            tuple(to_one_line(self._document.get_page_label(index)) for index in range(len(self)))
        )

    def page(self, number: int) -> OpenPage:
        """Return a page, counted from 1.

        Raises:
            FileFailure: there is no such page, or it is damaged.
        """
        if number in self._pages:
            self._pages.move_to_end(number)
            return self._pages[number]
        if not 1 <= number <= len(self):
            raise FileFailure("damaged", "The file has no page {number}", number=number)
        try:
            page = OpenPage(self._document[number - 1], partial(self._open_annotated_page, number - 1))
        except pypdfium2.PdfiumError as error:
            raise FileFailure("damaged", "Page {number} is damaged and cannot be shown", number=number) from error
        self._pages[number] = page
        while len(self._pages) > _MAX_PAGES:
            self._pages.popitem(last=False)[1].close()
        return page

    def close(self) -> None:
        """Close the file."""
        for page in self._pages.values():
            page.close()
        self._pages.clear()
        if self._text_document is not None:
            self._text_document.close()
        self._document.close()

    def _open_annotated_page(self, index: int) -> PdfiumPage:
        """Open a page for its text, in a document of its own: this one draws the annotations."""
        if self._text_document is None:
            self._text_document = self.open_copy()
            prepare_forms(self._text_document)
        page = PdfiumPage(self._text_document[index])
        page.draw_annotations(self._text_document, index)
        return page


class OpenPage:
    """An open page: its characters, and how it is shown."""

    def __init__(self, raw: Any, open_annotated: Callable[[], PdfiumPage]) -> None:
        self.raw = raw
        self._open_annotated = open_annotated
        self._page: PdfiumPage | None = None
        bounds = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(raw.raw, bounds)
        self._bounds = (bounds.left, bounds.bottom, bounds.right, bounds.top)
        self.quarter_turns = int(pdfium.FPDFPage_GetRotation(raw.raw))
        self._letters: PageLetters | None = None
        self._box = pdfium.FS_RECTF()
        self._edges = [pdfium.c_double() for _ in range(4)]

    @property
    def _text_page(self) -> PdfiumPage:
        """The page for its text: another one than is shown if it has annotations with text."""
        if self._page is None:
            page = PdfiumPage(self.raw)
            self._page = self._open_annotated() if page.shows_annotation_text else page
        return self._page

    @property
    def text(self) -> Any:
        """The text page of PDFium."""
        return self._text_page.text

    @property
    def codes(self) -> list[int]:
        """The code point of each character, by PDFium's index."""
        return self._text_page.codes

    @property
    def letters(self) -> PageLetters:
        """The page's letters and digits."""
        if self._letters is None:
            self._letters = PageLetters(self.codes)
        return self._letters

    def note_boxes(self, sentence: str) -> list[Box]:
        """Return where the sticky note or mark stands on which a sentence was written; nothing if there is none."""
        wanted = extract_letters(sentence)
        notes = PdfiumPage(self.raw).notes() if wanted else ()
        left, bottom, right, top = self._bounds
        for note in notes:
            width, height = min(note.right, right) - max(note.left, left), min(note.top, top) - max(note.bottom, bottom)
            if wanted in extract_letters(note.text) and min(width, height) > 0:
                return [self._in_view(note.left, note.bottom, note.right, note.top)]
        return []

    def text_between(self, start: int, stop: int) -> str:
        """Return the characters with PDFium's indices from `start` to `stop`."""
        return "".join(chr(code) for code in self.codes[max(start, 0) : stop] if 0 < code < 0x110000)

    def box(self, index: int) -> Box | None:
        """Return the box of a character as shown: the height of its font, and all of its ink; None without ink."""
        code = self.codes[index]
        if code < 0x110000 and (code == 0 or chr(code).isspace()):
            return None
        box, text = self._box, self.text
        if not pdfium.FPDFText_GetLooseCharBox(text, index, box) or box.right == box.left:
            return None
        left, bottom, right, top = box.left, box.bottom, box.right, box.top
        ink_left, ink_right, ink_bottom, ink_top = self._edges
        if pdfium.FPDFText_GetCharBox(text, index, ink_left, ink_right, ink_bottom, ink_top):
            left, right = min(left, ink_left.value), max(right, ink_right.value)
            bottom, top = min(bottom, ink_bottom.value), max(top, ink_top.value)
        return self._in_view(left, bottom, right, top)

    def is_upright(self, index: int) -> bool:
        """Return whether a character is shown upright or upside down rather than on its side."""
        radians = pdfium.FPDFText_GetCharAngle(self.text, index)
        turns = round(radians / (math.pi / 2)) if radians >= 0 else 0
        return (turns + self.quarter_turns) % 2 == 0

    def boxes(self, start: int, stop: int) -> list[Box]:
        """Return the boxes of a range of characters, merged into one per line."""
        lines: list[Box] = []
        upright = True
        for index in range(max(start, 0), min(stop, len(self.codes))):
            box = self.box(index)
            if box is None:
                continue
            if lines and _continues_line(lines[-1], box, upright=upright):
                lines[-1] = lines[-1].united(box)
            else:
                upright = self.is_upright(index)
                lines.append(box)
        return lines

    def all_boxes(self) -> array[float]:
        """Return left, top, right, bottom of each character: float32 [4 * count], zeros for those without a box."""
        boxes = array("f")
        nothing = Box(0.0, 0.0, 0.0, 0.0)
        for index in range(len(self.codes)):
            boxes.extend(self.box(index) or nothing)
        return boxes

    def close(self) -> None:
        """Close the page."""
        if self._page is not None:
            self._page.close()
        self.raw.close()

    def rect_box(self, rect: PageRect) -> Box:
        """Return a rectangle of the page as shown."""
        return self._in_view(rect.left, rect.bottom, rect.right, rect.top)

    def to_page_space(self, box: Box) -> tuple[float, float, float, float]:
        """Return left, bottom, right and top in page space of a box as shown."""
        page_left, page_bottom, page_right, page_top = self._bounds
        left, top, right, bottom = box
        match self.quarter_turns:
            case 1:
                return page_left + top, page_bottom + left, page_left + bottom, page_bottom + right
            case 2:
                return page_right - right, page_bottom + top, page_right - left, page_bottom + bottom
            case 3:
                return page_right - bottom, page_top - right, page_right - top, page_top - left
            case _:
                return page_left + left, page_top - bottom, page_left + right, page_top - top

    def turn_corners(self, corners: Sequence[tuple[float, float]]) -> Sequence[tuple[float, float]]:
        """Return upper left, upper right, lower left and lower right as shown, from those in page space."""
        order = {1: (2, 0, 3, 1), 2: (3, 2, 1, 0), 3: (1, 3, 0, 2)}.get(self.quarter_turns, (0, 1, 2, 3))
        return [corners[nth] for nth in order]

    def _in_view(self, left: float, bottom: float, right: float, top: float) -> Box:
        """Convert page space (upwards, not rotated) to view space (downwards from the upper left corner)."""
        page_left, page_bottom, page_right, page_top = self._bounds
        match self.quarter_turns:
            case 1:
                return Box(bottom - page_bottom, left - page_left, top - page_bottom, right - page_left)
            case 2:
                return Box(page_right - right, bottom - page_bottom, page_right - left, top - page_bottom)
            case 3:
                return Box(page_top - top, page_right - right, page_top - bottom, page_right - left)
            case _:
                return Box(left - page_left, page_top - top, right - page_left, page_top - bottom)


_SAME_LINE = 0.4
_WIDEST_BLANK = 4.0
"""In line heights: a wider blank separates columns or cells."""


def _continues_line(line: Box, box: Box, *, upright: bool) -> bool:
    """Return whether a character continues a line."""
    if upright:
        overlap = min(line.bottom, box.bottom) - max(line.top, box.top)
        height, other = line.bottom - line.top, box.bottom - box.top
        blank = max(box.left - line.right, line.left - box.right)
    else:
        overlap = min(line.right, box.right) - max(line.left, box.left)
        height, other = line.right - line.left, box.right - box.left
        blank = max(box.top - line.bottom, line.top - box.bottom)
    return overlap > _SAME_LINE * min(height, other) and blank < _WIDEST_BLANK * max(height, other)


class OpenPdfs:
    """The files that were requested last."""

    def __init__(self) -> None:
        self._files: OrderedDict[str, tuple[tuple[int, ...], OpenPdf]] = OrderedDict()

    def get(self, path: str, passwords: Sequence[str]) -> OpenPdf:
        """Return an open file; reopen it if it has changed.

        Raises:
            FileFailure: it is encrypted, damaged or unreadable.
        """
        try:
            found = None if os.path.exists(path) else archives.split_archive_path(Path(path))
            now = os.stat(path if found is None else found[0])
            version = (now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino)
            known = self._files.pop(path, None)
            if known is not None and known[0] != version:
                known[1].close()
                known = None
            if known is None:
                content = path if found is None else _read_member(Path(path), passwords)
                known = (version, OpenPdf(_make_pdf(content), passwords, now.st_size))
        except OSError as error:
            if (stale := self._files.pop(path, None)) is not None:
                stale[1].close()
            raise FileFailure("unreadable", "The file does not exist or cannot be read") from error
        self._files[path] = known
        while len(self._files) > _MAX_FILES:
            self._files.popitem(last=False)[1][1].close()
        return known[1]

    def close(self) -> None:
        """Close all files."""
        while self._files:
            self._files.popitem()[1][1].close()


def _make_pdf(content: str | bytes) -> str | bytes:
    """Return a PDF of an image; the path or the bytes of any other file as they are.

    Raises:
        FileFailure: the image is damaged or too large.
    """
    if isinstance(content, str):
        with open(content, "rb") as file:
            head = file.read(8)
    else:
        head = content[:8]
    if not re.match(FORMATS["image"].pattern, head):
        return content
    from desktop_app.text.readers.picture import write_pdf  # here: most files are no images

    made = io.BytesIO()
    for _ in write_pdf(Path(content) if isinstance(content, str) else io.BytesIO(content), made):
        pass
    return made.getvalue()


def _read_member(path: Path, passwords: Sequence[str]) -> bytes:
    """Return the bytes of a member of an archive.

    Raises:
        FileFailure: the member no longer exists, or is encrypted or damaged.
    """
    for password in (None, *passwords):
        try:
            file = run_to_completion(archives.extract_member(path, password))
        except FileFailure as failure:
            if failure.reason == "encrypted":
                continue
            raise
        content = file.read_bytes()
        file.unlink(missing_ok=True)
        archives.close_cached_archive()
        return content
    raise encrypted_failure(None)
