"""PDF to events: two engines, the better text of each page, passages, sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop_app.core import ocr as ocr_words
from desktop_app.core.errors import FileFailure
from desktop_app.core.language_detection import guess_language
from desktop_app.core.messages import NOTHING, Message
from desktop_app.core.reader_events import DocumentHead, OmittedText, PageNote, PageRead, PageState, ReadingDone
from desktop_app.text import tesseract
from desktop_app.text.passages import Passage, clean_stretch, split_into_sentences, split_long_text
from desktop_app.text.readers import scanned_pages
from desktop_app.text.readers.pdf_engines import EngineRefused, PdfiumEngine, PdfPageText, PypdfEngine
from desktop_app.text.readers.pdf_layout import build_passages, build_passages_in_steps, separate_running_lines
from desktop_app.text.readers.pdf_reference import read_pdf_reference
from desktop_app.text.readers.reader_steps import Heartbeat, RetryWith, SpanBatches, remark_on_attachments

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
    from pathlib import Path

    from desktop_app.core.ocr import OcrEngine
    from desktop_app.core.pages import RecognisedPage
    from desktop_app.core.records import Unit
    from desktop_app.text.readers.pdf_engines import PdfEngine
    from desktop_app.text.readers.reader_steps import Step

GOOD_QUALITY = 0.9
"""Quality below which the other engine reads a page too."""
_GARBAGE_QUALITY = 0.5
"""Quality below which the text of a page is not text."""
_MIN_TITLE_LETTERS = 4
_MADE_BY_PROGRAM = re.compile(r"^(?:Microsoft (?:Word|PowerPoint|Excel) - )")
_MEANINGLESS_TITLE = re.compile(
    r"(?:untitled|document|unknown|title|slide|presentation)[\s\d]*|.*\.(?:docx?|dvi|tex|indd|pptx?|pdf|rtf|odt|txt|qxd|ps)"
    r"|(?:document|unbenannt|dokument)\d*|\W*|.",
    re.IGNORECASE,
)
_EMPTY_IN_A_ROW = 5
"""Empty pages after which the second engine is no longer tried: the file is a scan."""
_STAMP_LETTERS = 200
"""Letters that a library or a scanner may stamp on a scanned page."""
_DOUBTFUL_CONFIDENCE = 0.7
"""Quality below which a remark says that OCR was unsure."""


@dataclass(slots=True)
class _PdfPage:
    text: PdfPageText
    engine: str
    recognised: RecognisedPage | None = None

    @property
    def state(self) -> PageState:
        if self.recognised is not None:
            return "ocr"
        if not self.text.lines or self.text.quality < _GARBAGE_QUALITY:
            return "none"
        return "text" if self.text.quality >= GOOD_QUALITY else "poor"


def read(
    path: Path,
    content_hash: str,
    *,
    password: str | None = None,
    engine: str = "both",
    ocr: str = "",
    ocr_without: tuple[int, ...] = (),
    pdfium_without: tuple[int, ...] = (),
    pypdf_without: tuple[int, ...] = (),
) -> Iterator[Step]:
    """Read a PDF.

    Args:
        path: the file.
        content_hash: SHA-256 of the file, hexadecimal.
        password: tried after the empty one.
        engine: `both`: PDFium, and pypdf for pages that it cannot read; or only `pdfium` or `pypdf`.
        ocr: languages, joined by a plus, in which OCR reads pages without text; empty: no OCR.
        ocr_without: pages that OCR skips because a reader died on them.
        pdfium_without: pages that PDFium skips because a reader died on them.
        pypdf_without: pages that pypdf skips because a reader died on them.

    Yields:
        Events, and before each step that may crash how to retry.

    Raises:
        FileFailure: the file is encrypted, damaged or has no text.
    """
    without = {"pdfium": pdfium_without, "pypdf": pypdf_without}
    reader = _PdfReader(path, password, engine, without, _OcrReader(ocr, ocr_without))
    try:
        yield from reader.read(content_hash)
    finally:
        reader.close()


class _OcrReader:
    """Reads pages by OCR, and records why some could not be read.

    Attributes:
        failed: the reasons, by page.
    """

    def __init__(self, languages: str, without: tuple[int, ...]) -> None:
        self._languages = languages
        self._without = without
        self._engine: OcrEngine | None = None
        self._has_searched = False
        self.failed: dict[int, Message] = dict.fromkeys(
            without, Message("its image crashed the reader", code="ocr_crash")
        )

    def should_read(self, page: _PdfPage, number: int, engine: PdfEngine) -> bool:
        """Return whether OCR should read a page: it has no text, poor text, or is a picture with a stamp."""
        if not self._languages or number in self._without or not isinstance(engine, PdfiumEngine):
            return False
        if page.state != "text":
            return True
        letters = sum(len(line.text) for line in page.text.lines)
        return letters <= _STAMP_LETTERS and engine.is_picture(number)

    def read(self, page: _PdfPage, number: int, engine: PdfiumEngine) -> Generator[Step, None, _PdfPage]:
        """Return the text of OCR if it is better; yield how to retry before a step that may crash."""
        if (found := self._find_engine()) is None:
            if page.state != "text":
                self.failed[number] = Message("Tesseract is not installed", code="ocr_missing")
            return page
        yield RetryWith({"ocr_without": (*self._without, number)})
        scan = None
        try:
            languages = found.choose_languages(self._languages)
            picture = engine.picture(number)
            if picture is not None:
                scan = yield from scanned_pages.read_scanned_page(found.file, picture, languages, number)
        except ocr_words.OcrMissing as error:
            self.failed[number] = error.message
        except tesseract.OcrFailed as error:
            self.failed[number] = error.message
        except MemoryError:
            self.failed[number] = Message("its image needs more memory than the reader may use", code="ocr_memory")
        if scan is None or (page.state == "poor" and scan.recognised.quality <= page.text.quality):
            return page
        if page.state == "text" and len(scan.recognised.text) <= sum(len(line.text) for line in page.text.lines):
            return page
        text = PdfPageText(scan.lines, scan.recognised.quality, page.text.notes)
        return _PdfPage(text, ocr_words.OCR_ENGINE_NAME, scan.recognised)

    def _find_engine(self) -> OcrEngine | None:
        if not self._has_searched:
            self._engine, self._has_searched = tesseract.find_tesseract(), True
        return self._engine


class _PdfReader:
    def __init__(
        self, path: Path, password: str | None, engine: str, without: Mapping[str, tuple[int, ...]], ocr: _OcrReader
    ) -> None:
        self._path = path
        self._without = without
        self._password = password
        self._engine = engine
        self._ocr = ocr
        self._open: PdfEngine | None = None
        self._second: PdfEngine | None = None
        self._second_refused = engine != "both"
        self._empty_in_a_row = 0
        self._attached: tuple[str, ...] = ()

    def close(self) -> None:
        for engine in (self._open, self._second):
            if engine is not None:
                engine.close()

    def read(self, content_hash: str) -> Iterator[Step]:
        if self._engine == "both":
            yield RetryWith({"engine": "pypdf"})
        self._open = opened = self._first_engine()
        if opened.name == "pypdf":
            # The last resort: there is no other engine to try or to fall back to.
            self._second_refused = True
        count = opened.page_count
        if count <= 0:
            raise FileFailure("damaged", "The file has no pages")
        about = opened.about()
        self._attached = about.attached
        pages: list[_PdfPage] = []
        for number in range(1, count + 1):
            page = _PdfPage((yield from self._read_page_text(opened, number)), opened.name)
            if page.text.quality < GOOD_QUALITY and not self._second_refused:
                page = yield from self._choose_better_text(page, number)
            if self._ocr.should_read(page, number, opened) and isinstance(opened, PdfiumEngine):
                page = yield from self._ocr.read(page, number, opened)
            pages.append(page)
            if number == 1:
                title = clean_metadata_title(about.title) or _find_first_heading(page)
                yield DocumentHead(
                    "pdf",
                    content_hash,
                    title,
                    about.author,
                    count,
                    about.labels,
                    about.outline,
                    dated=about.dated,
                    reference=read_pdf_reference(self._path, about, page.text.lines, title),
                )
            if page.recognised is not None:
                yield page.recognised
            yield PageRead(number, count)
        yield RetryWith(None)
        yield from self._sentences(pages)

    def _first_engine(self) -> PdfEngine:
        locked: FileFailure | None = None
        if self._engine != "pypdf":
            try:
                return PdfiumEngine(self._path, self._password)
            except EngineRefused as error:
                if self._engine == "pdfium":
                    raise FileFailure("damaged", "The file is damaged and cannot be opened") from error
            except FileFailure as error:
                locked = error  # pypdf also tries the empty password as the owner's
        try:
            return PypdfEngine(self._path, self._password)
        except EngineRefused as error:
            raise locked or FileFailure("damaged", "The file is damaged and cannot be opened") from error

    def _read_page_text(self, engine: PdfEngine, number: int) -> Generator[Step, None, PdfPageText]:
        """Return the text of a page; yield how to retry: without this page, if the library hangs or dies on it."""
        without = self._without[engine.name]
        if number in without:
            return PdfPageText([], 0.0)
        yield RetryWith({f"{engine.name}_without": (*without, number)})
        try:
            return engine.page(number)
        except MemoryError:
            return PdfPageText([], 0.0)
        except Exception:  # noqa: BLE001 - one bad page must not cost the others; its note says so
            return PdfPageText([], 0.0)

    def _choose_better_text(self, page: _PdfPage, number: int) -> Generator[Step, None, _PdfPage]:
        """Return pypdf's text of a page if it is better."""
        empty = not page.text.lines
        if empty and self._empty_in_a_row >= _EMPTY_IN_A_ROW and number not in self._without["pdfium"]:
            return page
        if self._second is None:
            yield RetryWith({"engine": "pdfium"})
            try:
                self._second = PypdfEngine(self._path, self._password)
            except (EngineRefused, FileFailure):
                self._second_refused = True
                return page
        if number > self._second.page_count:
            return page
        other = _PdfPage((yield from self._read_page_text(self._second, number)), self._second.name)
        if other.text.lines and other.text.quality > page.text.quality:
            self._empty_in_a_row = 0
            other.text = replace(other.text, notes=page.text.notes)
            return other
        self._empty_in_a_row = self._empty_in_a_row + 1 if empty else 0
        return page

    def _sentences(self, pages: Sequence[_PdfPage]) -> Iterator[Step]:
        notes = tuple(
            PageNote(number, page.state, page.engine, round(page.text.quality, 3))
            for number, page in enumerate(pages, 1)
        )
        if all(page.state == "none" and not page.text.notes for page in pages):
            raise self._without_text(notes)
        scanned_pages.equalise_sizes(line for page in pages if page.recognised is not None for line in page.text.lines)
        units: dict[int | None, Unit] = {
            number: "pdfium" if page.engine == "pdfium" else "text" for number, page in enumerate(pages, 1)
        }
        own_lines = [[] if page.state == "none" else page.text.lines for page in pages]
        lines, running = yield from separate_running_lines(own_lines)
        omitted = tuple(OmittedText("running", line.text, line.page) for page_lines in running for line in page_lines)
        yield Heartbeat()
        built = yield from build_passages_in_steps(lines)
        passages = _insert_notes([passage for passage, _ in built], pages)
        del built, lines, own_lines
        yield Heartbeat()
        language = guess_language(_middle_sample(passages))
        batches = SpanBatches()
        yield from batches.batch(split_into_sentences(passages, language, units.__getitem__))
        if not batches.sentences:
            raise self._without_text(notes)
        died = self._without[self._open.name] if self._open is not None else ()
        warnings = (*_list_warnings(notes, self._ocr.failed, died), *remark_on_attachments(self._attached))
        yield ReadingDone((*warnings, *batches.remarks()), notes, omitted)

    def _without_text(self, notes: Sequence[PageNote]) -> FileFailure:
        if not self._ocr.failed and any(map(_has_wrong_letters, notes)):
            return FileFailure("no_text", "Its fonts do not say which letters they show. Run OCR to read its pages")
        why = next(iter(self._ocr.failed.values()), NOTHING)
        return FileFailure(
            "no_text",
            "No page has text (scanned or empty pages); OCR failed: {why}"
            if why
            else "No page has text (scanned or empty pages)",
            why=why,
        )


def _insert_notes(passages: Sequence[Passage], pages: Sequence[_PdfPage]) -> list[Passage]:
    """Return passages in their order, with the notes on each page after those that begin on it."""
    notes: list[Passage] = []
    for number, page in enumerate(pages, 1):
        start = sum(len(line.text) + 1 for line in page.text.lines)
        for note in page.text.notes:
            for part in split_long_text(note):
                text, indices = clean_stretch(part, start)
                passage = Passage("note", unit="text")  # they stand in no line of the page
                passage.add(text, indices, number)
                if passage:
                    notes.append(passage)
                start += len(part) + 1
    if not notes:
        return list(passages)
    return sorted((*passages, *notes), key=lambda passage: passage.segments[0][1] or 0)


def clean_metadata_title(title: str) -> str:
    """Return the title in the metadata, or nothing if a program filled it in."""
    title = _MADE_BY_PROGRAM.sub("", title).strip()
    return "" if _MEANINGLESS_TITLE.fullmatch(title) else title


def _find_first_heading(page: _PdfPage) -> str:
    """Return the largest heading in the upper half of the first page."""
    if page.state == "none":
        return ""
    lines = [replace(line) for line in page.text.lines]  # the layout changes the lines
    headings = [
        (max(line.size for line in passage_lines), -order, passage.text)
        for order, (passage, passage_lines) in enumerate(build_passages([lines]))
        if passage.kind == "heading" and sum(map(str.isalpha, passage.text)) >= _MIN_TITLE_LETTERS
    ]
    return max(headings)[2][:500] if headings else ""


def _middle_sample(passages: Sequence[Passage]) -> str:
    """Return the middle of a document: its start is names and a table of contents."""
    texts: list[str] = []
    length = 0
    for passage in passages[len(passages) // 3 :]:
        texts.append(passage.text)
        length += len(passage)
        if length > 20_000:
            break
    return "\n".join(texts)


def _list_warnings(
    notes: Sequence[PageNote], failed: Mapping[int, Message], died: Collection[int]
) -> tuple[Message, ...]:
    """Return the remarks on pages.

    Args:
        notes: one for each page.
        failed: why OCR could not read pages.
        died: pages on which every engine hung or crashed.
    """

    def of(state: PageState, below: float = 2.0) -> list[int]:
        return [note.page for note in notes if note.state == state and note.quality < below]

    warnings = []
    if stopped := [page for page in of("none") if page in died]:
        warnings.append(
            Message(
                "{pages} was skipped: it could not be read to the end"
                if len(stopped) == 1
                else "{pages} were skipped: they could not be read to the end",
                code="pages_skipped",
                pages=_format_page_numbers(stopped),
            )
        )
    wrong = [note.page for note in notes if _has_wrong_letters(note) and note.page not in failed]
    if wrong:
        warnings.append(
            Message(
                "{pages} was left out: its fonts do not say which letters they show; OCR can read it"
                if len(wrong) == 1
                else "{pages} were left out: their fonts do not say which letters they show; OCR can read them",
                code="pages_with_wrong_letters",
                pages=_format_page_numbers(wrong),
            )
        )
    if missing := [page for page in of("none") if page not in failed and page not in died and page not in wrong]:
        warnings.append(
            Message(
                "{pages} has no text (scanned?)" if len(missing) == 1 else "{pages} have no text (scanned?)",
                code="pages_without_text",
                pages=_format_page_numbers(missing),
            )
        )
    for why in dict.fromkeys(failed.values()):
        pages = [page for page, reason in failed.items() if reason == why]
        warnings.append(
            Message(
                "{pages} could not be read by OCR: {why}", code="ocr_failed", pages=_format_page_numbers(pages), why=why
            )
        )
    if poor := of("poor"):
        warnings.append(
            Message(
                "{pages} has text that is only partly readable"
                if len(poor) == 1
                else "{pages} have text that is only partly readable",
                code="pages_poor",
                pages=_format_page_numbers(poor),
            )
        )
    if recognised := of("ocr"):
        warnings.append(
            Message(
                "{pages} was read by OCR" if len(recognised) == 1 else "{pages} were read by OCR",
                code="pages_by_ocr",
                pages=_format_page_numbers(recognised),
            )
        )
    if doubtful := of("ocr", _DOUBTFUL_CONFIDENCE):
        warnings.append(
            Message(
                "{pages} was hard to read for OCR: words may be wrong"
                if len(doubtful) == 1
                else "{pages} were hard to read for OCR: words may be wrong",
                code="pages_doubtful",
                pages=_format_page_numbers(doubtful),
            )
        )
    return tuple(warnings)


def _has_wrong_letters(note: PageNote) -> bool:
    """Return whether a page has characters that are not its letters, rather than none."""
    return note.state == "none" and note.quality > 0


def _format_page_numbers(pages: Sequence[int]) -> Message:
    """Return `Page 3` or `Pages 3-5, 9`."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    parts = [str(first) if first == last else f"{first}-{last}" for first, last in runs]
    if len(parts) > 20:
        parts = [*parts[:20], "..."]
    numbers = ", ".join(parts)
    return Message("Page {numbers}" if len(pages) == 1 else "Pages {numbers}", numbers=numbers)
