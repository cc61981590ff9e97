"""The two engines that open a PDF: PDFium, and pypdf where PDFium fails.

PDFium also provides the metadata (title, table of contents, page labels): it has opened the
file already, and a file that is made to hang pypdf is read without pypdf.
"""

from __future__ import annotations

import ctypes
import logging
import math
import warnings
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import pypdfium2
import pypdfium2.raw as pdfium

from desktop_app.core.document_dates import read_written_date
from desktop_app.core.errors import FileFailure
from desktop_app.core.pages import OutlineEntry
from desktop_app.text.cleaning import rate_text_quality
from desktop_app.text.passages import clean_stretch
from desktop_app.text.readers.pdf_lines import PageLine, PdfiumCharacters, lay_out_plain_text
from desktop_app.text.readers.pdfium_page import PdfiumPage, WrittenNote, prepare_forms
from desktop_app.text.readers.scanned_pages import render_scale
from desktop_app.text.sentence_location import extract_letters
from desktop_app.text.tesseract import GreyImage, OcrFailed
from desktop_app.text.wrong_letters import has_wrong_letters

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

_MAX_OUTLINE = 5000
_MAX_ATTACHED = 1000
_MAX_WIDE_BYTES = 100_000
_MAX_DEPTH = 12
_MAX_LABELS = 20_000
_COVERED = 0.6
"""Smallest share of a page that the picture of a scan covers."""


_WRONG_LETTERS = 0.2
"""The highest quality of a page whose letters are wrong: too low to be text."""


class EngineRefused(Exception):
    """This engine cannot open the file; another one may."""


@dataclass(frozen=True, slots=True)
class PdfPageText:
    """A page as an engine reads it: its lines, the quality of its text, and the notes on it that it does not show."""

    lines: list[PageLine]
    quality: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PdfMetadata:
    """The metadata of a file; `subject` and `doi` are properties of the same names."""

    title: str = ""
    author: str = ""
    labels: tuple[str, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()
    attached: tuple[str, ...] = ()
    dated: str = ""
    subject: str = ""
    doi: str = ""


class PdfEngine(Protocol):
    """An open PDF."""

    name: str

    @property
    def page_count(self) -> int:
        """Number of pages."""
        ...

    def about(self) -> PdfMetadata:
        """Return the metadata; entries that cannot be read are empty."""
        ...

    def page(self, number: int) -> PdfPageText:
        """Read a page, counted from 1. Raises the exceptions of the library."""
        ...

    def close(self) -> None:
        """Close the file."""
        ...


def encrypted_failure(password: str | None) -> FileFailure:
    """Return the failure of a file that stays locked."""
    return FileFailure("encrypted", "The password does not open the file" if password else "The file needs a password")


class PdfiumEngine:
    """A PDF, opened by PDFium."""

    name = "pdfium"

    def __init__(self, path: Path, password: str | None) -> None:
        """Open a file; try no password first.

        Raises:
            FileFailure: it is encrypted.
            EngineRefused: PDFium cannot open it.
        """
        document = None
        locked = False
        for attempt in (None, password) if password else (None,):
            try:
                document = pypdfium2.PdfDocument(path, password=attempt)
                break
            except pypdfium2.PdfiumError as error:
                locked = getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD
                if not locked:
                    raise EngineRefused(str(error)) from error
        if document is None:
            raise encrypted_failure(password)
        self._document: Any = document
        prepare_forms(document)

    @property
    def page_count(self) -> int:
        """Number of pages."""
        return len(self._document)

    def about(self) -> PdfMetadata:
        """Return title, author, page labels and table of contents."""
        return PdfMetadata(
            self._metadata(b"Title"),
            self._metadata(b"Author"),
            self._labels(),
            self._outline(),
            self._attached(),
            read_written_date(self._metadata(b"CreationDate")),
            self._metadata(b"Subject"),
            self._metadata(b"doi"),
        )

    def _metadata(self, key: bytes) -> str:
        return _read_wide_text(partial(pdfium.FPDF_GetMetaText, self._document.raw, key + b"\0"))

    def page(self, number: int) -> PdfPageText:
        """Read a page, counted from 1."""
        page = PdfiumPage(self._document[number - 1])
        try:
            notes = page.notes()
            page.draw_annotations(self._document, number - 1)
            characters = PdfiumCharacters(page.text, page.codes)
            shown = characters.extract_raw_text()
            lines = characters.lines(number)
            words = "\n".join(line.text for line in lines) if characters.has_accents else shown
            return PdfPageText(lines, _rate_page(shown, words), _list_note_texts(notes, shown))
        finally:
            page.close()

    def picture(self, number: int) -> GreyImage | None:
        """Render a page for OCR; return None for an empty one.

        Raises:
            OcrFailed: it cannot be rendered.
        """
        try:
            page = self._document[number - 1]
        except pypdfium2.PdfiumError as error:
            raise OcrFailed("the page cannot be opened") from error
        try:
            if pdfium.FPDFPage_CountObjects(page.raw) <= 0:
                return None
            width, height = page.get_size()
            if not (0 < width < math.inf and 0 < height < math.inf):
                raise OcrFailed("the page has no size")
            scale = render_scale(width, height)
            bitmap = page.render(scale=scale, grayscale=True)
            try:
                pixels = memoryview(bitmap.buffer).cast("B")
                rows = (pixels[row * bitmap.stride :][: bitmap.width] for row in range(bitmap.height))
                return GreyImage(bitmap.width, bitmap.height, 72 * scale, b"".join(rows))
            finally:
                bitmap.close()
        except (RuntimeError, ValueError) as error:  # PdfiumError is a RuntimeError
            raise OcrFailed("the page cannot be drawn") from error
        finally:
            page.close()

    def is_picture(self, number: int) -> bool:
        """Return whether one picture covers most of a page: its text may be a stamp on a scan."""
        page = self._document[number - 1]
        try:
            return any(
                _covered_share(each.get_bounds(), page.get_mediabox()) > _COVERED
                for each in page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_IMAGE,), max_depth=2)
            )
        except (RuntimeError, ValueError):
            return False
        finally:
            page.close()

    def close(self) -> None:
        """Close the file."""
        self._document.close()

    def _labels(self) -> tuple[str, ...]:
        count = self.page_count
        if count > _MAX_LABELS:
            return ()
        raw = self._document.raw
        labels = tuple(_read_wide_text(partial(pdfium.FPDF_GetPageLabel, raw, index)) for index in range(count))
        return drop_trivial_labels(labels)

    def _attached(self) -> tuple[str, ...]:
        """Return the names of the embedded files."""
        try:
            count = min(self._document.count_attachments(), _MAX_ATTACHED)
            return tuple(to_one_line(self._document.get_attachment(index).get_name()) for index in range(count))
        except (pypdfium2.PdfiumError, ValueError, RuntimeError):
            return ()

    def _outline(self) -> tuple[OutlineEntry, ...]:
        """Yield the bookmarks; a file may link them in a ring."""
        raw = self._document.raw
        entries: list[OutlineEntry] = []
        seen: set[int] = set()
        stack: list[tuple[Any, int]] = [(pdfium.FPDFBookmark_GetFirstChild(raw, None), 0)]
        while stack and len(entries) < _MAX_OUTLINE:
            bookmark, level = stack.pop()
            address = ctypes.cast(bookmark, ctypes.c_void_p).value if bookmark else None
            if address is None or address in seen or level > _MAX_DEPTH:
                continue
            seen.add(address)
            destination = pdfium.FPDFBookmark_GetDest(raw, bookmark)
            index = pdfium.FPDFDest_GetDestPageIndex(raw, destination) if destination else -1
            title = _read_wide_text(partial(pdfium.FPDFBookmark_GetTitle, bookmark))
            if title:
                entries.append(OutlineEntry(title, index + 1 if index >= 0 else None, level))
            stack.append((pdfium.FPDFBookmark_GetNextSibling(raw, bookmark), level))
            stack.append((pdfium.FPDFBookmark_GetFirstChild(raw, bookmark), level + 1))
        return tuple(entries)


def _covered_share(box: Sequence[float], of: Sequence[float]) -> float:
    """Return the share of a rectangle (left, bottom, right, top) that another one covers, from 0 to 1."""
    width = min(box[2], of[2]) - max(box[0], of[0])
    height = min(box[3], of[3]) - max(box[1], of[1])
    area = (of[2] - of[0]) * (of[3] - of[1])
    return max(width, 0.0) * max(height, 0.0) / area if area > 0 else 0.0


def _read_wide_text(read: Callable[[Any, int], int]) -> str:
    """Return a text that PDFium writes as UTF-16 into a buffer of a size; halves of characters are left out.

    pypdfium2 5.15 decodes strictly: one damaged letter of a title would cost the whole document.
    """
    size = min(read(None, 0), _MAX_WIDE_BYTES)
    buffer = ctypes.create_string_buffer(size)
    read(buffer, size)
    return to_one_line(buffer.raw[:size].decode("utf-16-le", "ignore").rstrip("\0"))


class PypdfEngine:
    """A PDF, opened by pypdf: slower, but it repairs files that PDFium refuses, and reads some fonts better."""

    name = "pypdf"

    def __init__(self, path: Path, password: str | None) -> None:
        """Open a file; try no password first.

        Raises:
            FileFailure: it is encrypted.
            EngineRefused: pypdf cannot open it.
        """
        import pypdf  # takes a quarter of a second, and most files do not need it

        logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)
        warnings.simplefilter("ignore")
        try:
            self._reader = pypdf.PdfReader(path, strict=False)
            locked = self._reader.is_encrypted and not self._reader.decrypt("")
            if locked and password:
                locked = not self._reader.decrypt(password)
            self._count = 0 if locked else len(self._reader.pages)
        except MemoryError:
            raise
        except Exception as error:
            raise EngineRefused(f"{type(error).__name__}: {error}") from error
        if locked:
            raise encrypted_failure(password)

    @property
    def page_count(self) -> int:
        """Number of pages."""
        return self._count

    def about(self) -> PdfMetadata:
        """Return title, author and page labels."""
        try:
            metadata = self._reader.metadata
            title = to_one_line(str(metadata.title or "")) if metadata else ""
            author = to_one_line(str(metadata.author or "")) if metadata else ""
            dated = read_written_date(metadata.get("/CreationDate", "")) if metadata else ""
            return PdfMetadata(title, author, dated=dated)
        except Exception:  # noqa: BLE001 - a file this broken may lack its title
            return PdfMetadata()

    def page(self, number: int) -> PdfPageText:
        """Read a page, counted from 1."""
        text = self._reader.pages[number - 1].extract_text()
        return PdfPageText(lay_out_plain_text(text, number), _rate_page(text, text))

    def close(self) -> None:
        """Close the file."""
        self._reader.close()


def _list_note_texts(notes: Sequence[WrittenNote], shown: str) -> tuple[str, ...]:
    """Return marked words, each followed by what is written on the mark, and notes.

    What only repeats words that the page shows is left out: on a highlight, some programs note the words under it.
    """
    if not notes:
        return ()
    letters = extract_letters(shown)
    texts: dict[str, None] = {}
    for note in notes:
        texts |= dict.fromkeys([note.marked] if note.marked else [])
        texts |= dict.fromkeys([note.text] if extract_letters(note.text) not in letters else [])
    return tuple(texts)


def _rate_page(text: str, words: str) -> float:
    """Return the quality of a page's text, from 0 to 1; low but not 0 if fonts do not say which letters they show.

    Args:
        text: as it is in the file.
        words: the same with accents on their letters.
    """
    quality = rate_text_quality(text)
    return min(quality, _WRONG_LETTERS) if has_wrong_letters(words) else quality


def to_one_line(text: str) -> str:
    """Return text without control characters and line ends, at most 500 characters."""
    return clean_stretch(text)[0][:500]


def drop_trivial_labels(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Return the page labels; none if they only count from 1."""
    plain = all(label in ("", str(number)) for number, label in enumerate(labels, 1))
    return () if plain else labels
