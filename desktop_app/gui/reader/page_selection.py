"""The text that is selected on pages, by characters, words or lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPointF

    from desktop_app.core.pages import Box
    from desktop_app.gui.reader.page_text import PageTextIndex

SelectionUnit = Literal["character", "word", "line"]


class _SelectionEnd(NamedTuple):
    page: int
    position: int


class PageSelection:
    """A range of text, over several pages if need be.

    Args:
        text_of: returns the text of a page; None while it is unknown.
    """

    def __init__(self, text_of: Callable[[int], PageTextIndex | None]) -> None:
        self._text_of = text_of
        self._grain: SelectionUnit = "character"
        self._anchor: tuple[_SelectionEnd, _SelectionEnd] | None = None
        self._first = self._last = _SelectionEnd(0, 0)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is selected."""
        return self._anchor is None or self._first == self._last

    @property
    def is_in_progress(self) -> bool:
        """Whether a selection was started that can be extended."""
        return self._anchor is not None

    def clear(self) -> None:
        """Select nothing."""
        self._anchor = None

    def begin(self, page: int, point: QPointF, grain: SelectionUnit) -> None:
        """Start at a point of a page: with nothing, or with the word or line there."""
        self._grain = grain
        found = self._selected_range(page, point)
        if found is None:
            self.clear()
            return
        self._anchor = found
        self._first, self._last = found

    def extend(self, page: int, point: QPointF) -> None:
        """Extend the selection to a point."""
        found = self._selected_range(page, point)
        if found is not None and self._anchor is not None:
            self._first = min(self._anchor[0], found[0])
            self._last = max(self._anchor[1], found[1])

    def choose_page(self, page: int) -> None:
        """Select all text of a page."""
        text = self._text_of(page)
        if text is not None:
            self._first, self._last = self._anchor = _SelectionEnd(page, 0), _SelectionEnd(page, len(text.text))

    def contains(self, page: int, point: QPointF) -> bool:
        """Return whether a point is on the selection."""
        return any(
            box.left <= point.x() <= box.right and box.top <= point.y() <= box.bottom for box in self.boxes(page)
        )

    def boxes(self, page: int) -> list[Box]:
        """Return the boxes of the selection on a page."""
        text = self._text_of(page)
        if text is None or self.is_empty or not self._first.page <= page <= self._last.page:
            return []
        return text.boxes(*self._on(page, text))

    def plain(self) -> str:
        """Return the selection as one line; pages whose text is not known yet are left out."""
        if self.is_empty:
            return ""
        parts = []
        for page in range(self._first.page, self._last.page + 1):
            if (text := self._text_of(page)) is not None:
                parts.append(text.plain(*self._on(page, text)))
        return " ".join(part for part in parts if part)

    def parts(self) -> list[tuple[int, int, str]]:
        """Return for each page of the selection its number, the first position, and the text as one line."""
        found = []
        for page in self.pages:
            if (text := self._text_of(page)) is not None:
                start, stop = self._on(page, text)
                if plain := text.plain(start, stop):
                    found.append((page, start, plain))
        return found

    @property
    def pages(self) -> range:
        """The pages of the selection."""
        return range(0) if self.is_empty else range(self._first.page, self._last.page + 1)

    def _on(self, page: int, text: PageTextIndex) -> tuple[int, int]:
        start = self._first.position if page == self._first.page else 0
        stop = self._last.position if page == self._last.page else len(text.text)
        return start, stop

    def _selected_range(self, page: int, point: QPointF) -> tuple[_SelectionEnd, _SelectionEnd] | None:
        text = self._text_of(page)
        if text is None:
            return None
        index = None if self._grain == "character" else text.index_at(point.x(), point.y())
        if index is None:
            position = text.position_at(point.x(), point.y())
            start, stop = position, position
        else:
            start, stop = text.word_at(index) if self._grain == "word" else text.line_at(index)
        return _SelectionEnd(page, start), _SelectionEnd(page, stop)
