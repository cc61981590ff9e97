"""Lines of pages to passages: finds paragraphs by geometry, across columns and pages.

Leading, indents, short last lines and changes of font size separate paragraphs; lines that repeat at the edges of
pages are dropped; a paragraph that a footnote, a figure or the end of a page interrupts continues after it.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from desktop_app.core.jobs import run_to_completion
from desktop_app.text.cleaning import (
    MIN_RISE,
    SENTENCE_END,
    count_words,
    is_suspended_hyphen,
    is_wide,
    raise_numbers,
    should_keep_hyphen,
)
from desktop_app.text.passages import Passage
from desktop_app.text.readers.paragraph_kind import classify_passage, is_reference_heading, looks_like_reference
from desktop_app.text.readers.pdf_columns import separate_columns
from desktop_app.text.readers.pdf_running_lines import find_running_lines, is_page_number
from desktop_app.text.readers.reader_steps import Heartbeat

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from desktop_app.text.readers.pdf_lines import PageLine

BULLET_MARK = re.compile(
    r"(?:[•▪‣◦●■□○➢✓–*‒∙·⁃-]|\(?\d{1,3}[.)]|\(?[a-zA-Z]\)|[ivx]{1,5}[.)]|\(?\d+(?:\.\d+)+\.?|\[\d{1,3}\])\s"
)
CAPTION_START = re.compile(
    r"(?:table|tab\.|figure|fig\.|tabelle|abbildung|abb\.|tableau|tabla|figura|tabella|таблица|рис\.)\s+\d",
    re.IGNORECASE,
)
_EDGE_LINES = 3
_PARAGRAPH_LEADING = 1.5
"""In font sizes: the largest step from one line of a paragraph to the next."""
_MAX_ALIKE = 0.5
"""Share of the pages that may consist mostly of running heads, as those of a scanned book without OCR do."""
_SAME_SIZE = 0.05
"""In sizes of the text: largest difference between two of its lines. A caption is a tenth smaller."""
_MIN_LINES_FOR_COLUMN = 3
_LONG_WORD = 12
"""Letters of the word that might have come next, if it is unknown."""
_LINE_END = 8
"""Most indices of blanks and line ends between two adjacent lines."""
_MIN_INTERRUPTED = 30
"""Characters of a passage that can be interrupted: a shorter one is a label."""
_RESUME_WITHIN = 60
"""Most passages between the halves of an interrupted one: labels of figures, footnotes, captions."""


_PAGES_PER_HEARTBEAT = 100
_LINES_PER_HEARTBEAT = 5000
_PASSAGES_PER_HEARTBEAT = 1000


def build_passages(pages: Sequence[Sequence[PageLine]]) -> list[tuple[Passage, list[PageLine]]]:
    """Return the passages of a document, in reading order, each with its lines.

    Args:
        pages: the lines of each page, without running heads; two that belong to one row are joined in place.
    """
    return run_to_completion(build_passages_in_steps(pages))


def build_passages_in_steps(
    pages: Sequence[Sequence[PageLine]],
) -> Generator[Heartbeat, None, list[tuple[Passage, list[PageLine]]]]:
    """Do what `build_passages` does, with heartbeats on the way."""
    lines = [line for page in pages for line in page]
    if not lines:
        return []
    words: Counter[str] = Counter()
    for start in range(0, len(lines), _LINES_PER_HEARTBEAT):
        words.update(count_words(line.text for line in lines[start : start + _LINES_PER_HEARTBEAT]))
        yield Heartbeat()
    builder = _PassageBuilder(words, _find_body_size(lines))
    for number, page in enumerate(pages):
        builder.add_page(_merge_row_pieces(separate_columns(page)))
        if number % _PAGES_PER_HEARTBEAT == 0:
            yield Heartbeat()
    return (yield from builder.finish())


def _find_body_size(lines: Sequence[PageLine]) -> float:
    """Return the font size of most characters."""
    sizes: dict[float, int] = {}
    for line in lines:
        size = round(line.size * 2) / 2
        sizes[size] = sizes.get(size, 0) + len(line.text)
    return max(sizes, key=lambda size: sizes[size]) or 10.0


def separate_running_lines(
    pages: Sequence[Sequence[PageLine]],
) -> Generator[Heartbeat, None, tuple[list[list[PageLine]], list[list[PageLine]]]]:
    """Return the lines of each page without running heads, feet and page numbers, and these lines of each page.

    There are heartbeats on the way.
    """
    kept = [list(page) for page in pages]
    if len(pages) == 1:
        return kept, [[]]
    dropped = yield from _find_running_line_ids(pages)
    alike = [_is_mostly(page, dropped) for page in pages]
    if sum(alike) > _MAX_ALIKE * sum(map(bool, pages)):
        # Slides or forms: what repeats on them is their text.
        dropped -= {id(line) for page, keeps_all in zip(pages, alike, strict=True) if keeps_all for line in page}
    return (
        [[line for line in page if id(line) not in dropped] for page in pages],
        [[line for line in page if id(line) in dropped] for page in pages],
    )


def _is_mostly(page: Sequence[PageLine], dropped: set[int]) -> bool:
    """Return whether at least half of the text of a page is in the given lines."""
    letters = sum(len(line.text) for line in page)
    return 0 < letters <= 2 * sum(len(line.text) for line in page if id(line) in dropped)


def _find_running_line_ids(pages: Sequence[Sequence[PageLine]]) -> Generator[Heartbeat, None, set[int]]:
    by_height = [sorted(page, key=lambda line: -line.baseline) for page in pages]
    edges = [page[:_EDGE_LINES] + page[-_EDGE_LINES:] if len(page) > 2 * _EDGE_LINES else page for page in by_height]
    # Estimated geometry counts from the top: the height of a foot means nothing there, so any height matches.
    tolerance = 12.0 if any(line.unit == "pdfium" for page in pages for line in page) else float("inf")
    running = yield from find_running_lines(
        [[(line.text, line.baseline) for line in page] for page in edges], tolerance
    )
    dropped: set[int] = set()
    for number, (page, edge) in enumerate(zip(by_height, edges, strict=True)):
        found = [(number, at) in running for at in range(len(edge))]
        # From the edge of the page inwards: everything inside a line of text is text.
        for lines, are_running in ((page, found), (page[::-1], found[::-1])):
            count = len(list(takewhile(bool, are_running)))
            while 0 < count < len(lines) and _belong_together(lines[count - 1], lines[count]):
                count -= 1
            dropped.update(map(id, lines[:count]))
    return dropped


def _belong_together(line: PageLine, inner: PageLine) -> bool:
    """Return whether a line at the edge of a page is part of the same paragraph as the line next to it."""
    return (
        line.unit == "pdfium"
        and not is_page_number(line.text)
        and line.angle == inner.angle
        and abs(line.size - inner.size) <= _SAME_SIZE * inner.size
        and abs(line.baseline - inner.baseline) < _PARAGRAPH_LEADING * inner.size
        and line.left < inner.right
        and inner.left < line.right
    )


def _merge_row_pieces(lines: Sequence[PageLine]) -> list[PageLine]:
    """Join parts of one row that PDFium separates: superscripts, spaced words."""
    merged: list[PageLine] = []
    for line in lines:
        before = merged[-1] if merged else None
        if (
            before is not None
            and not before.hyphenated
            and line.unit == "pdfium"
            and line.angle == before.angle
            and abs(line.baseline - before.baseline) < 0.6 * max(before.size, line.size)
            and -2 <= line.left - before.right < 1.5 * before.size
        ):
            if len(line.text) > len(before.text):
                before.size, before.baseline = line.size, line.baseline
                before.bold, before.fixed_pitch = line.bold, line.fixed_pitch
            is_glued = line.left - before.right < 0.1 * before.size
            if is_glued and line.baseline > before.baseline + MIN_RISE * before.size:
                before.text += raise_numbers(before.text, line.text)
            else:
                before.text += line.text if is_glued else f" {line.text}"
            if len(before.text) > len(before.indices) + len(line.indices):
                before.indices.append(-1)
            before.indices.extend(line.indices)
            before.right = line.right
            before.hyphenated = line.hyphenated
            continue
        merged.append(line)
    return merged


class _PassageBuilder:
    """Builds passages line by line."""

    def __init__(self, words: Counter[str], body_size: float) -> None:
        self._words = words
        self._body = body_size
        self._out: list[Passage] = []
        self._lines: list[list[PageLine]] = []  # of each passage
        self._interrupted: int | None = None
        self._leading = 1.2 * body_size

    def add_page(self, lines: Sequence[PageLine]) -> None:
        """Add the lines of the next page."""
        steps = [
            before.baseline - line.baseline
            for before, line in pairwise(lines)
            if 0.3 * self._body < before.baseline - line.baseline < 3 * self._body
        ]
        self._leading = statistics.median(steps) if steps else 1.2 * self._body
        edges = _ColumnEdges(lines, self._body)
        for line in lines:
            line.limit, line.reaches_margin = edges.right_of(line)
            self._add(line, edges.left_of(line))

    def finish(self) -> Generator[Heartbeat, None, list[tuple[Passage, list[PageLine]]]]:
        """Return the passages with their kinds, and their lines, with heartbeats on the way."""
        in_references = False
        for number, (passage, lines) in enumerate(zip(self._out, self._lines, strict=True)):
            if number % _PASSAGES_PER_HEARTBEAT == 0:
                yield Heartbeat()
            passage.kind = classify_passage(passage.text, lines, self._body)
            if passage.kind == "heading":
                in_references = is_reference_heading(passage.text)
            elif in_references and passage.kind in ("body", "list") and looks_like_reference(passage.text):
                passage.kind = "reference"
        return list(zip(self._out, self._lines, strict=True))

    def _add(self, line: PageLine, left: float) -> None:
        if self._lines:
            before = self._lines[-1][-1]
            jumps = self._jumps(before, line)
            # Below a figure or table at the top of a column the text continues in its own size, without a jump.
            if (jumps or line.size - before.size > _SAME_SIZE * self._body) and self._resumes_interrupted(line):
                return
            if not self._breaks(before, line, left, jumps=jumps):
                self._join(len(self._out) - 1, line)
                return
            # A passage that ends without a full stop at the foot of a column may continue after the passages between.
            if not before.hyphenated and SENTENCE_END.search(self._out[-1].last_characters()):
                if line.size >= self._body * 0.92 and not jumps:
                    self._interrupted = None
            elif len(self._out[-1]) >= _MIN_INTERRUPTED and self._is_full(before, None) and self._is_text(before):
                self._interrupted = len(self._out) - 1
        passage = Passage()
        passage.add(line.text, line.indices, line.page)
        self._out.append(passage)
        self._lines.append([line])

    def _jumps(self, before: PageLine, line: PageLine) -> bool:
        """Return whether the line is in another column or on another page than the one before."""
        return (
            line.page != before.page
            or line.angle != before.angle
            or line.baseline > before.baseline + 1
            or before.baseline - line.baseline > 4 * self._leading
        )

    def _resumes_interrupted(self, line: PageLine) -> bool:
        """Add the line to the interrupted passage if it continues it."""
        target = self._interrupted
        if target is None or target == len(self._out) - 1:
            return False
        last = self._lines[target][-1]
        goes_on = line.text[:1].islower() or (last.hyphenated and not CAPTION_START.match(line.text))
        alike = abs(line.size - last.size) <= _SAME_SIZE * self._body and line.angle == last.angle
        if not (goes_on and alike and len(self._out) - target <= _RESUME_WITHIN and line.page - last.page <= 1):
            return False
        self._interrupted = None
        # The passage moves to its continuation: its text stays whole, and the passages between come before it.
        self._out.append(self._out.pop(target))
        self._lines.append(self._lines.pop(target))
        self._join(len(self._out) - 1, line)
        return True

    def _is_full(self, line: PageLine, following: PageLine | None) -> bool:
        """Return whether a line is full: the next word would not have fitted."""
        if line.reaches_margin:
            return line.right >= line.limit - 1.5 * self._body
        word = len(following.text.split(maxsplit=1)[0]) + 1 if following is not None else _LONG_WORD
        width = (line.right - line.left) / max(1, len(line.text))
        return line.right + word * width > line.limit - 0.3 * self._body

    def _breaks(self, before: PageLine, line: PageLine, left: float, *, jumps: bool) -> bool:
        """Return whether the line starts a paragraph."""
        if line.angle != before.angle or line.fixed_pitch != before.fixed_pitch:
            return True
        if (
            abs(line.size - before.size) > 0.09 * self._body
            and abs(line.sizes[0] - before.sizes[1]) > 0.09 * self._body
        ):
            return True
        if before.hyphenated:
            return jumps and not line.text[:1].isalpha()
        ended = SENTENCE_END.search(self._out[-1].last_characters()) is not None
        if (
            line.cells > 1
            and before.cells > 1
            and not jumps
            and not (line.text[:1].islower() and not before.is_table_row)
        ):
            line.is_table_row = before.is_table_row = True
            return True
        if before.is_table_row:
            return True
        short = not self._is_full(before, line)
        indented = 0.7 * self._body < line.left - left < 4 * self._body
        if line.bold != before.bold and (short or ended) and len(before.text) < 200:
            return True
        if jumps:
            if ended:
                return indented or short
            return not line.text[:1].islower() and short
        gap = before.baseline - line.baseline
        if gap > 1.35 * self._leading:
            return True
        bullet = BULLET_MARK.match(line.text) is not None
        if bullet and (ended or short or line.left < left + 0.5 * self._body or self._in_list()):
            return True
        if before.fixed_pitch:
            return False
        if indented and (ended or short):
            return not (self._in_list() and line.left > self._lines[-1][0].left)
        if ended and short:
            return True
        # Neither full nor ended: a table row, a heading, verse.
        return short and before.right - before.left < 0.6 * (before.limit - left) and not line.text[:1].islower()

    def _is_text(self, line: PageLine) -> bool:
        """Return whether a line looks like the document's text, not like a footnote, label or listing."""
        return abs(line.size - self._body) < 0.09 * self._body and not line.fixed_pitch

    def _in_list(self) -> bool:
        return BULLET_MARK.match(self._lines[-1][0].text) is not None

    def _join(self, target: int, line: PageLine) -> None:
        passage, lines = self._out[target], self._lines[target]
        # If other text lies between two lines, one highlight over both would cover it too.
        broken = not 0 < line.indices[0] - lines[-1].indices[-1] <= _LINE_END
        if lines[-1].hyphenated:
            before = passage.last_characters()[:-1]
            if is_suspended_hyphen(before, line.text, self._words):
                passage.add_blank()
            elif not should_keep_hyphen(before, line.text, self._words):
                passage.drop_last_character()
        elif not (is_wide(passage.last_characters(1)[-1:]) and is_wide(line.text[0])):
            passage.add_blank()
        passage.add(line.text, line.indices, line.page, broken=broken)
        lines.append(line)


class _ColumnEdges:
    """The edges of the columns of a page: those of most lines nearby."""

    def __init__(self, lines: Sequence[PageLine], body: float) -> None:
        self._lines = lines
        self._body = body
        self._known: dict[tuple[int, int], tuple[float, float, bool]] = {}

    def left_of(self, line: PageLine) -> float:
        """Return where the lines of this line's column start."""
        return self._edges(line)[0]

    def right_of(self, line: PageLine) -> tuple[float, bool]:
        """Return where the lines of this line's column end, and whether most end there."""
        return self._edges(line)[1:]

    def _edges(self, line: PageLine) -> tuple[float, float, bool]:
        key = (round(line.left), line.angle)
        if key not in self._known:
            near = [
                other
                for other in self._lines
                if other.angle == line.angle and abs(other.left - line.left) < 4 * self._body
            ]
            lefts = statistics.multimode(
                round(other.left) for other in near if abs(other.left - line.left) < 3 * self._body
            )
            rights = sorted(other.right for other in near)
            right, flush = rights[-1], False
            if len(rights) > 2 * _MIN_LINES_FOR_COLUMN:
                # One heading over both columns does not make them wide; in justified text most lines end alike.
                common, times = Counter(round(right / 3) for right in rights).most_common(1)[0]
                flush = times >= 0.25 * len(rights)
                right = common * 3.0 if flush else rights[int(0.95 * (len(rights) - 1))]
            self._known[key] = (float(min(lefts)), right, flush)
        return self._known[key]
