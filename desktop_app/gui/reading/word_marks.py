"""Where the words that were looked for stand on pages, within the sentences that are marked there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui.marking import NOTHING_SOUGHT, matches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.pages import Box
    from desktop_app.gui.marking import Sought
    from desktop_app.gui.reading.page_feed import PageFeed
    from desktop_app.gui.reading.page_text import PageText

_SOFT_HYPHEN = "\u00ad"


class WordMarks:
    """Looks words up once a page: it is painted at every turn of the wheel.

    Args:
        feed: knows the characters of pages, and where sentences stand on them.
    """

    def __init__(self, feed: PageFeed) -> None:
        self._feed = feed
        self._sought = NOTHING_SOUGHT
        self._found: dict[int, list[Box]] = {}
        for signal in (feed.lettered, feed.marked):
            signal.connect(lambda page: self._found.pop(page, None))

    def seek(self, wanted: Sought) -> None:
        """Look for these words from now on, in other sentences."""
        self._sought = wanted
        self._found.clear()

    def boxes(self, page: int) -> Sequence[Box]:
        """Return the boxes of the words on a page; none while its characters are not known."""
        text, sentences = self._feed.text(page), self._feed.boxes(page)
        if self._sought == NOTHING_SOUGHT or text is None or not sentences:
            return ()
        if page not in self._found:
            self._found[page] = [box for found in sentences.values() for box in word_boxes(text, found, self._sought)]
        return self._found[page]


def word_boxes(text: PageText, sentence: Sequence[Box], wanted: Sought) -> list[Box]:
    """Return the boxes of the words that are wanted in a sentence, whose boxes, one a line, are given."""
    if not sentence:
        return []
    first, last = sentence[0], sentence[-1]
    start = text.position_at(first.left + 0.5, (first.top + first.bottom) / 2)
    stop = text.position_at(last.right - 0.5, (last.top + last.bottom) / 2)
    places = _places_of_words(text.text, start, stop)
    whole = "".join(text.text[place] for place in places)
    return [
        box
        for begin, length in matches(whole, wanted)
        for box in text.boxes(places[begin], places[begin + length - 1] + 1)
    ]


def _places_of_words(text: str, start: int, stop: int) -> list[int]:
    """Return the places of the characters of a stretch, without what parts a word at the end of a line."""
    return [
        place
        for place in range(start, stop)
        if text[place] != _SOFT_HYPHEN and not (text[place] == "\n" and text[place - 1 : place] == _SOFT_HYPHEN)
    ]
