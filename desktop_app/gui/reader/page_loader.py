"""Loads pages as they come into view: images, marked sentences, characters; bounded in memory."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from desktop_app.gui.base import display_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.jobs import Job
    from desktop_app.core.pages import Box, DarkPageColors, PageCharacters, PageImage, SentenceToLocate
    from desktop_app.engine.pages import PageService
    from desktop_app.gui.base.bridge import Bridge
    from desktop_app.gui.reader.page_text import PageTextIndex

MAX_CACHE_BYTES = 192_000_000
"""Memory for pictures; visible ones are kept even if they need more."""


class PageAppearance(NamedTuple):
    """How pages are drawn: their widths in physical pixels, and the colours of dark pages."""

    width_px: Callable[[int], int]
    dark: DarkPageColors | None


class _RenderedPage(NamedTuple):
    image: QImage
    pixels: bytes  # the image refers to this memory
    width_px: int
    dark: DarkPageColors | None


class PageLoader(QObject):
    """The pages of one file.

    Attributes:
        drawn: the picture of a page has arrived, or it cannot be drawn; carries its number.
        marked: the boxes of the marked sentences on a page are known; carries its number.
        page_text_loaded: the characters of a page are known; carries its number.
    """

    drawn = Signal(object)
    marked = Signal(object)
    page_text_loaded = Signal(object)

    def __init__(self, viewing: PageService, bridge: Bridge, parent: QObject, reader: str = "") -> None:
        super().__init__(parent)
        self._reader = reader
        self._viewing = viewing
        self._bridge = bridge
        self._path = ""
        self._turn = 0
        self._pictures: OrderedDict[int, _RenderedPage] = OrderedDict()
        self._pending: dict[int, tuple[int, DarkPageColors | None, Job[PageImage]]] = {}
        self._failures: dict[int, str] = {}
        self._texts: dict[int, PageTextIndex | None] = {}
        self._sentences: tuple[SentenceToLocate, ...] = ()
        self._boxes: dict[int, dict[int, tuple[Box, ...]] | None] = {}

    def open(self, path: str) -> None:
        """Drop everything and load another file; none if the path is empty."""
        for _, _, job in self._pending.values():
            job.cancel()
        self._turn += 1
        self._path = path
        for cache in (self._pictures, self._pending, self._failures, self._texts, self._boxes):
            cache.clear()
        self._sentences = ()

    # Pictures

    def load_pictures(self, visible: Sequence[int], neighbours: Sequence[int], look: PageAppearance) -> None:
        """Request pages: first the visible ones, then their neighbours; cancel requests for others."""
        wanted = [*visible, *neighbours]
        for page in [page for page in self._pending if page not in wanted]:
            self._pending.pop(page)[2].cancel()
        for page in wanted:
            width_px = look.width_px(page)
            known, pending = self._pictures.get(page), self._pending.get(page)
            if known is not None:
                self._pictures.move_to_end(page)
            if page in self._failures or (known is not None and known[2:] == (width_px, look.dark)):
                continue
            if pending is None or pending[:2] != (width_px, look.dark):
                self._draw(page, width_px, look.dark)
        self._make_room(set(wanted))

    def picture(self, page: int) -> QImage | None:
        """Return the latest picture of a page, perhaps in another size than the current one."""
        known = self._pictures.get(page)
        return known.image if known is not None else None

    def failure(self, page: int) -> str:
        """Return why a page cannot be drawn; empty if it can."""
        return self._failures.get(page, "")

    @property
    def cache_bytes(self) -> int:
        """The memory used by pictures."""
        return sum(len(picture.pixels) for picture in self._pictures.values())

    def _draw(self, page: int, width_px: int, dark: DarkPageColors | None) -> None:
        turn = self._turn

        def take(image: PageImage) -> None:
            if turn != self._turn or self._pending.get(page, (0, None))[:2] != (width_px, dark):
                return
            self._pending.pop(page)
            picture = QImage(
                image.pixels, image.width_px, image.height_px, image.stride_bytes, QImage.Format.Format_RGB32
            )
            self._pictures[page] = _RenderedPage(picture, image.pixels, width_px, dark)
            self._pictures.move_to_end(page)
            self.drawn.emit(page)

        def fail(error: BaseException) -> None:
            if turn == self._turn:
                self._pending.pop(page, None)
                self._failures[page] = display_text.describe_error(error)[0]
                self.drawn.emit(page)

        job = self._viewing.render_page(self._path, page, width_px, dark, reader=self._reader)
        self._pending[page] = (width_px, dark, job)
        self._bridge.call(job, self, take, on_error=fail)

    def _make_room(self, in_use: set[int]) -> None:
        used_bytes = self.cache_bytes
        for page in list(self._pictures):
            if used_bytes <= MAX_CACHE_BYTES:
                return
            if page not in in_use:
                used_bytes -= len(self._pictures.pop(page).pixels)

    # Marked sentences

    def mark(self, sentences: Sequence[SentenceToLocate]) -> None:
        """Replace the marked sentences."""
        if tuple(sentences) != self._sentences:
            self._sentences = tuple(sentences)
            self._boxes.clear()

    def boxes(self, page: int) -> dict[int, tuple[Box, ...]] | None:
        """Return the boxes of the marked sentences on a page, by their numbers; None while they are loading."""
        if page in self._boxes:
            return self._boxes[page]
        numbers = [
            number
            for number, sentence in enumerate(self._sentences)
            if any(place.page == page for place in sentence.places)
        ]
        if not numbers:
            self._boxes[page] = {}
            return {}
        self._boxes[page] = None
        turn, sentences = self._turn, self._sentences

        def take(found: list[tuple[Box, ...]]) -> None:
            if turn == self._turn and sentences is self._sentences:
                self._boxes[page] = dict(zip(numbers, found, strict=True))
                self.marked.emit(page)

        def fail(_error: BaseException | None = None) -> None:
            take([() for _ in numbers])

        asked = [sentences[number] for number in numbers]
        job = self._viewing.find_boxes(self._path, page, asked, reader=self._reader)
        self._bridge.call(job, self, take, on_error=fail)
        return None

    # Characters

    def text(self, page: int) -> PageTextIndex | None:
        """Return the text of a page; None while it is unknown. See `request_text`."""
        return self._texts.get(page)

    def request_text(self, page: int) -> None:
        """Request the text of a page."""
        if page in self._texts or not self._path:
            return
        self._texts[page] = None
        turn = self._turn

        def take(characters: PageCharacters) -> None:
            from desktop_app.gui.reader.page_text import PageTextIndex

            if turn == self._turn:
                self._texts[page] = PageTextIndex(characters)
                self.page_text_loaded.emit(page)

        # A page can be read without its characters.
        self._bridge.call(self._viewing.read_characters(self._path, page), self, take, on_error=lambda _error: None)
