"""Documents for the reader: page images, positions of sentences on them, and the stored text.

Every method returns a job of the front lane. Answers from another process are polled: while it is busy, the engine does
other things. If there are several readers at a time, each has a name, so that the latest request of one does not
replace that of another.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.jobs import Job, Lane, Steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop_app.core.ocr import OcrEngine
    from desktop_app.core.pages import (
        Box,
        DarkPageColors,
        PageCharacters,
        PagedFile,
        PageImage,
        RecognisedPage,
        SentenceToLocate,
        TextSlice,
    )
    from desktop_app.core.ports import PageSource, PendingAnswer
    from desktop_app.core.records import Occurrence
    from desktop_app.engine.context import EngineContext

T = TypeVar("T")

_SCAN_TOLERANCE_CHARS = 30
"""Characters by which a place on a scanned page may be off."""

SLICE_SENTENCES = 500
"""Sentences in a slice of stored text: few enough for a window to show between two frames."""


class PageService:
    """Reads documents for display.

    Args:
        context: the library and the source of pages.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._slices: dict[str, tuple[int, int, Iterator[Sequence[Occurrence]]]] = {}  # by reader
        context.engine.at_exit(self._slices.clear)  # before the library is closed

    def check_file_exists(self, path: str) -> Job[bool]:
        """Return whether a file is where it was."""
        return self._submit("look at file", lambda: self._ask(lambda source, _: source.look_at_file(path)))

    def open_pages(self, document_id: int, path: str, *, reader: str = "") -> Job[PagedFile]:
        """Open a PDF: sizes and labels of its pages, and its table of contents. The latest wins."""

        def steps() -> Steps[PagedFile]:
            pages: PagedFile = yield from self._ask(lambda source, passwords: source.open_pages(path, passwords))
            return replace(pages, outline=tuple(self._context.open_library().documents.outline(document_id)))

        return self._submit("open pages", steps, key=f"open pages {reader}")

    def render_page(
        self, path: str, page: int, width_px: int, dark: DarkPageColors | None = None, *, reader: str = ""
    ) -> Job[PageImage]:
        """Draw a page. The latest request for the same page wins."""
        return self._submit(
            "page image",
            lambda: self._ask(lambda source, passwords: source.render_page(path, passwords, page, width_px, dark)),
            key=f"page image {reader} {page} {path}",
        )

    def find_boxes(
        self, path: str, page: int, sentences: Sequence[SentenceToLocate], *, purpose: str = "", reader: str = ""
    ) -> Job[list[tuple[Box, ...]]]:
        """Find sentences on a page: for each its boxes there. The latest request for page and purpose wins."""

        def steps() -> Steps[list[tuple[Box, ...]]]:
            return (yield from self.locate(path, page, sentences))

        return self._submit("boxes", steps, key=f"boxes{purpose} {reader} {page} {path}")

    def locate(self, path: str, page: int, sentences: Sequence[SentenceToLocate]) -> Steps[list[tuple[Box, ...]]]:
        """Do what `find_boxes` does, as a part of another job."""
        may_be_scan = any(place.unit == "text" for sentence in sentences for place in sentence.places)
        if may_be_scan and (scan := self._scan(path, page)) is not None:
            found = [_find_boxes(scan, sentence) if sentence.text else () for sentence in sentences]
            if all(found) or not any(sentence.rects for sentence in sentences):
                return found
        return (yield from self._ask(lambda source, passwords: source.page_boxes(path, passwords, page, sentences)))

    def read_characters(self, path: str, page: int) -> Job[PageCharacters]:
        """Return the characters of a page, for selecting text with the mouse."""

        def steps() -> Steps[PageCharacters]:
            if (scan := self._scan(path, page)) is not None:
                from desktop_app.core.pages import PageCharacters

                return PageCharacters(page, scan.text, scan.character_boxes())
            return (yield from self._ask(lambda source, passwords: source.page_characters(path, passwords, page)))

        return self._submit("characters", steps)

    def read_text(
        self, document_id: int, first: int = 0, count: int = SLICE_SENTENCES, *, reader: str = ""
    ) -> Job[TextSlice]:
        """Read the stored text of a document, from the sentence with the ordinal `first`.

        Raises (the job):
            NotFound: the document is not, or no longer, in the library.
        """
        return self._submit(
            "stored text", lambda: self._slice(document_id, first, count, reader), key=f"stored text {reader}"
        )

    def find_ocr_engine(self) -> Job[OcrEngine | None]:
        """Find the Tesseract that is installed; None if there is none."""
        return self._submit("find ocr", self._context.page_source.find_ocr)

    # On the engine's thread

    def _scan(self, path: str, page: int) -> RecognisedPage | None:
        """Return what OCR read on a page when it was imported."""
        return self._context.open_library().ocr_pages.page(path, page)

    def _ask(self, ask: Callable[[PageSource, tuple[str, ...]], PendingAnswer[T]]) -> Steps[T]:
        shared = self._context.page_source
        return shared.ask(lambda source: ask(source, shared.passwords))

    def _submit(self, name: str, begin: Callable[[], Steps[T]], *, key: str | None = None) -> Job[T]:
        return self._context.engine.submit(name, begin, lane=Lane.FRONT, key=key)

    def _slice(self, document_id: int, first: int, count: int, reader: str) -> Steps[TextSlice]:
        """Continue where the last slice ended, or read from the start and skip to `first`."""
        library = self._context.open_library()
        document = library.documents.get(document_id)
        previous = self._slices.pop(reader, None)
        if previous is not None and previous[:2] == (document_id, first):
            batches = previous[2]
        else:
            batches = iter(library.sentences.occurrences(document_id=document_id, batch=count))
        sentences: list[Occurrence] = []
        is_last = False
        while len(sentences) < count and not is_last:
            batch = next(batches, None)
            is_last = batch is None
            sentences += [each for each in batch or () if each.ordinal >= first]
            yield None
        if not is_last:
            self._slices[reader] = (document_id, sentences[-1].ordinal + 1, batches)
        from desktop_app.core.pages import TextSlice

        return TextSlice(document, first, tuple(sentences), is_last)


def _find_boxes(scan: RecognisedPage, sentence: SentenceToLocate) -> tuple[Box, ...]:
    places = [(place.start, place.stop) for place in sentence.places if place.page == scan.page]
    if len(sentence.places) == 1 and places:
        # A part of a sentence that a person split is near the recorded place.
        start, stop = places[0]
        near = scan.text.replace("\n", " ").find(
            sentence.text, max(0, start - _SCAN_TOLERANCE_CHARS), stop + _SCAN_TOLERANCE_CHARS
        )
        places = [(near, near + len(sentence.text))] if near >= 0 else places
    return tuple(box for place in places for box in scan.boxes(*place))
