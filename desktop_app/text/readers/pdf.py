"""PDF -> events: two engines, the better text of each page, passages, sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop_app.core.errors import FileFailure
from desktop_app.core.records import DocumentHead, PageNote, PageRead, PageState, ReadingDone, Unit
from desktop_app.text.passages import sentences
from desktop_app.text.readers.events import Fallback, batched
from desktop_app.text.readers.layout import laid_out
from desktop_app.text.readers.pdf_file import EngineRefused, PageText, PdfiumEngine, PypdfEngine
from desktop_app.text.splitter import guess_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from desktop_app.text.passages import Passage
    from desktop_app.text.readers.events import FileFacts, Step
    from desktop_app.text.readers.pdf_file import Engine

GOOD = 0.9
"""Quality below which the other engine is asked for a page."""
_GARBAGE = 0.5
"""Quality below which a page's text is no text at all."""
_MIN_TITLE_LETTERS = 4
_MADE_BY_PROGRAM = re.compile(r"^(?:Microsoft (?:Word|PowerPoint|Excel) - )")
_NO_TITLE = re.compile(
    r"(?:untitled|document|unknown|title|slide|presentation)[\s\d]*|.*\.(?:docx?|dvi|tex|indd|pptx?|pdf|rtf|odt|txt|qxd|ps)"
    r"|(?:document|unbenannt|dokument)\d*|\W*|.",
    re.IGNORECASE,
)
_EMPTY_IN_A_ROW = 5
"""Empty pages after which the second engine is no longer asked: it is a scan."""


@dataclass(slots=True)
class _Page:
    text: PageText
    engine: str

    @property
    def state(self) -> PageState:
        if not self.text.lines or self.text.quality < _GARBAGE:
            return "none"
        return "text" if self.text.quality >= GOOD else "poor"


def read(path: Path, facts: FileFacts, *, password: str | None = None, engine: str = "both") -> Iterator[Step]:
    """Read a PDF.

    Args:
        path: the file.
        facts: its hash and length.
        password: tried after the empty one.
        engine: `both`: PDFium, with pypdf for what it cannot read; or only `pdfium` or `pypdf`.

    Yields:
        Events, and before each step that may crash what to do then.

    Raises:
        FileFailure: it is encrypted, damaged or has no text.
    """
    reader = _Reader(path, password, engine)
    try:
        yield from reader.read(facts)
    finally:
        reader.close()


class _Reader:
    def __init__(self, path: Path, password: str | None, engine: str) -> None:
        self._path = path
        self._password = password
        self._engine = engine
        self._open: Engine | None = None
        self._second: Engine | None = None
        self._second_refused = engine != "both"
        self._empty_in_a_row = 0

    def close(self) -> None:
        for engine in (self._open, self._second):
            if engine is not None:
                engine.close()

    def read(self, facts: FileFacts) -> Iterator[Step]:
        if self._engine == "both":
            yield Fallback({"engine": "pypdf"})
        self._open = opened = self._first_engine()
        if opened.name == "pypdf":
            # It is the last resort: no other engine is left to ask or to fall back to.
            self._second_refused = True
            yield Fallback(None)
        count = opened.page_count
        if count <= 0:
            raise FileFailure("damaged", "The file has no pages")
        about = opened.about()
        pages: list[_Page] = []
        for number in range(1, count + 1):
            page = _Page(self._text_of(opened, number), opened.name)
            if page.text.quality < GOOD and not self._second_refused:
                # From here on pypdf is the one to hang.
                yield Fallback({"engine": "pdfium"})
                page = self._better(page, number)
                yield Fallback({"engine": "pypdf"})
            pages.append(page)
            if number == 1:
                yield DocumentHead(
                    "pdf",
                    facts.content_hash,
                    facts.size_bytes,
                    real_title(about.title) or _first_heading(page),
                    about.author,
                    count,
                    about.labels,
                    about.outline,
                )
            yield PageRead(number, count)
        yield Fallback(None)
        yield from self._sentences(pages)

    def _first_engine(self) -> Engine:
        if self._engine != "pypdf":
            try:
                return PdfiumEngine(self._path, self._password)
            except EngineRefused as error:
                if self._engine == "pdfium":
                    raise FileFailure("damaged", "The file is damaged and cannot be opened") from error
        try:
            return PypdfEngine(self._path, self._password)
        except EngineRefused as error:
            raise FileFailure("damaged", "The file is damaged and cannot be opened") from error

    @staticmethod
    def _text_of(engine: Engine, number: int) -> PageText:
        try:
            return engine.page(number)
        except MemoryError:
            return PageText([], 0.0)
        except Exception:  # noqa: BLE001 - one bad page must not cost the others; its note says so
            return PageText([], 0.0)

    def _better(self, page: _Page, number: int) -> _Page:
        """Return pypdf's reading of a page where it is better."""
        empty = not page.text.lines
        if empty and self._empty_in_a_row >= _EMPTY_IN_A_ROW:
            return page
        if self._second is None:
            try:
                self._second = PypdfEngine(self._path, self._password)
            except (EngineRefused, FileFailure):
                self._second_refused = True
                return page
        if number > self._second.page_count:
            return page
        other = _Page(self._text_of(self._second, number), self._second.name)
        if other.text.lines and other.text.quality > page.text.quality:
            self._empty_in_a_row = 0
            return other
        self._empty_in_a_row = self._empty_in_a_row + 1 if empty else 0
        return page

    def _sentences(self, pages: Sequence[_Page]) -> Iterator[Step]:
        notes = tuple(
            PageNote(number, page.state, page.engine, round(page.text.quality, 3))
            for number, page in enumerate(pages, 1)
        )
        missing = [note.page for note in notes if note.state == "none"]
        if len(missing) == len(notes):
            raise FileFailure("no_text", "No page has text (scans, or empty pages)")
        units: dict[int | None, Unit] = {
            number: "pdfium" if page.engine == "pdfium" else "text" for number, page in enumerate(pages, 1)
        }
        lines = [[] if page.state == "none" else page.text.lines for page in pages]
        passages = [passage for passage, _ in laid_out(lines)]
        language = guess_language(_sample(passages))
        found = 0
        for batch in batched(sentences(passages, language, units.__getitem__)):
            found += len(batch.spans)
            yield batch
        if not found:
            raise FileFailure("no_text", "No page has text (scans, or empty pages)")
        yield ReadingDone(_warnings(missing, [n.page for n in notes if n.state == "poor"]), notes)


def real_title(title: str) -> str:
    """Return a title from a file's metadata, or nothing where a program wrote its own words there."""
    title = _MADE_BY_PROGRAM.sub("", title).strip()
    return "" if _NO_TITLE.fullmatch(title) else title


def _first_heading(page: _Page) -> str:
    """Return the largest heading in the upper half of the first page."""
    if page.state == "none":
        return ""
    lines = [replace(line) for line in page.text.lines]  # the layout changes what it is given
    headings = [
        (max(line.size for line in passage_lines), -order, passage.text)
        for order, (passage, passage_lines) in enumerate(laid_out([lines]))
        if passage.kind == "heading" and sum(map(str.isalpha, passage.text)) >= _MIN_TITLE_LETTERS
    ]
    return max(headings)[2][:500] if headings else ""


def _sample(passages: Sequence[Passage]) -> str:
    """Return the middle of a document: its beginning is names and contents."""
    texts: list[str] = []
    length = 0
    for passage in passages[len(passages) // 3 :]:
        texts.append(passage.text)
        length += len(passage)
        if length > 20_000:
            break
    return "\n".join(texts)


def _warnings(missing: Sequence[int], poor: Sequence[int]) -> tuple[str, ...]:
    warnings = []
    if missing:
        verb = "has" if len(missing) == 1 else "have"
        warnings.append(f"{_numbers(missing)} {verb} no text (scans?)")
    if poor:
        verb = "has" if len(poor) == 1 else "have"
        warnings.append(f"{_numbers(poor)} {verb} text that can be read only in part")
    return tuple(warnings)


def _numbers(pages: Sequence[int]) -> str:
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
    return ("Page " if len(pages) == 1 else "Pages ") + ", ".join(parts)
