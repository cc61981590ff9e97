"""Plain text to events: joins hard-wrapped lines into paragraphs, keeps the lines of lists and verse."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from desktop_app.core.language_detection import guess_language
from desktop_app.core.reader_events import DocumentHead
from desktop_app.text.cleaning import (
    SENTENCE_END,
    count_words,
    ends_hyphenated,
    is_suspended_hyphen,
    is_wide,
    should_keep_hyphen,
)
from desktop_app.text.decoding import decode
from desktop_app.text.passages import (
    MAX_PASSAGE,
    Passage,
    clean_stretch,
    find_cut,
    locate_by_line,
    split_into_sentences,
)
from desktop_app.text.readers.paragraph_kind import LIST_ITEM, is_reference_heading, looks_like_reference
from desktop_app.text.readers.reader_steps import PROGRESS_CHARACTERS, Heartbeat, read_without_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from desktop_app.core.records import SpanKind, Unit
    from desktop_app.text.readers.reader_steps import Step

_LINE = re.compile(r"[^\r\n\f\x85\u2028\u2029]*(?:\r\n|[\r\n\f\x85\u2028\u2029]|\Z)")
_RULE = re.compile(r"\s*+(?:[-=*_~#+.]\s*+){3,}")
_UNDERLINES = frozenset("=-~^*#\"'`+_")
_HEADING_WORD = re.compile(
    r"(?:chapter|part|book|section|act|scene|volume|kapitel|teil|chapitre|capítulo|capitolo|глава)\b", re.IGNORECASE
)
_NUMBERED = re.compile(r"\w*\d\w*|\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b")
_WORD = re.compile(r"[^\W\d_]+")
_RECORD_WORDS = 3
"""Words at the start of a line that may be alike in all records: `Nov 23 22:58:57`."""
_RECORD_CHARACTERS = 80
_RECORD_SHARE = 0.8
_MIN_RECORDS = 3
_TIME = re.compile(r"0[-/:.]0[-/:.]0")
"""A date or a time in the description of a record's start."""
_TIMED_SHARE = 0.1
"""Share of records with a time: a log has longer entries, too."""
_RECORD_MARKS = tuple("[{<|$#@")
_INDENT = 2
_MIN_WRAP, _MAX_WRAP = 40, 132
"""Widths of hard-wrapped lines, in characters."""
_WRAPPED_SHARE = 0.6
_MAX_HEADING = 80
_MAX_BLOCK = MAX_PASSAGE // 2
"""Characters of a block of lines that is held in memory; a longer one is read in parts."""
_SURVEYED_CHARACTERS = 1_000_000
"""Characters at the start of a file that show the width of its lines and the words that it uses."""
_GUESSED_CHARACTERS = 20_000

MAX_TITLE = 100
SEARCHED_CHARACTERS = 4000
"""Characters at the start of a text that may name its title and author."""

_GUTENBERG = re.compile(r"project gutenberg", re.IGNORECASE)
_FIELD = re.compile(r"^(Title|Author):[ \t]*(\S[^\r\n]*)", re.MULTILINE)
_BY = re.compile(r"(?:_?by_?|von|par|por|di|door|af)\b\s*", re.IGNORECASE)
_CHAPTER = re.compile(
    r"(?:chapter|part|book|section|act|scene|volume|vol\.|preface|contents|introduction|dedication|prologue|foreword"
    r"|kapitel|teil|vorwort|inhalt|einleitung|chapitre|préface|capítulo|capitolo|глава|[\divxlc]+\b\.?)(?:\W|$)",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:(?:[A-Z]\.\s?)+|[A-Z][^\W\d_]*(?:[-'’][A-Z][^\W\d_]*)*|van|von|de|der|du|la|le)")
# Words that occur in the titles of papers, letters and lists, and in no person's name.
_NO_NAME = re.compile(
    r"\b(?:abstract|agenda|annual|article|diary|draft|essay|final|guide|handbook|index|introduction|journal|lecture|letter"
    r"|list|manual|meeting|memo|minutes|monthly|notes?|novel|overview|paper|plan|poems?|project|proposal|protocol|readme"
    r"|recipes?|report|review|script|story|study|summary|tales?|thesis|thoughts|travel|weekly)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _SourceLine:
    """A line of the file, or a part of a very long one.

    Attributes:
        text: its text without outer white space.
        start: index of the first character of `text` in the file.
        indent: columns before the text.
        length: characters in the file, without white space at the end.
        is_cut: whether the next part of the same line follows.
    """

    text: str
    start: int
    indent: int
    length: int
    is_cut: bool = False

    @classmethod
    def of(cls, source: str, start: int, *, is_cut: bool = False) -> _SourceLine:
        """Return the line with this source, whose first character is at `start`."""
        text = source.strip()
        leading = source[: len(source) - len(source.lstrip())]
        return cls(text, start + len(leading), len(leading.expandtabs(4)), len(leading) + len(text), is_cut)


@dataclass(frozen=True, slots=True)
class _LineBlock:
    """Lines between blank lines and rules; `continues`: the next block holds more lines of the same one."""

    lines: list[_SourceLine]
    continues: bool = False


def read(path: Path, content_hash: str) -> Iterator[Step]:
    """Read a plain text file.

    Raises:
        FileFailure: the file is binary, or has no text.
    """
    decoded = decode(path.read_bytes())
    text = decoded.text
    title, author = find_title_and_author(_find_standalone_lines(text), text[:SEARCHED_CHARACTERS])
    head = DocumentHead("text", content_hash, title, author, encoding=decoded.encoding)
    third = len(text) // 3
    language = guess_language(text[third : third + _GUESSED_CHARACTERS])
    spans = split_into_sentences(_iter_passages(text), language, lambda _: text_unit())
    return read_without_pages(head, locate_by_line(spans, text), decoded.warning)


def text_unit() -> Unit:
    """Return the unit of the places of text files."""
    return "char"


def parse_plain_text(text: str) -> Iterator[Passage]:
    """Yield the passages of a plain text, in order; indices are characters of `text`."""
    return (passage for passage in _iter_passages(text) if isinstance(passage, Passage))


def _iter_passages(text: str) -> Iterator[Passage | Heartbeat]:
    survey = _Survey()
    yield from survey.take(text[:_SURVEYED_CHARACTERS])
    in_references = False
    pending: tuple[Passage, _SourceLine] | None = None
    for paragraph in _iter_file_paragraphs(text, survey.width):
        if isinstance(paragraph, Heartbeat):
            yield paragraph
            continue
        if paragraph.begins_block and pending is not None and _continues_after_blank(*pending, paragraph.lines[0]):
            _join_lines(pending[0], paragraph.lines, survey.words)
            pending[0].is_cut = paragraph.is_cut
            pending = (pending[0], paragraph.lines[-1])
            continue
        passage = Passage()
        _join_lines(passage, paragraph.lines, survey.words)
        if not passage:
            continue
        if pending is not None:
            yield pending[0]
        passage.kind = _classify_paragraph(passage.text, paragraph)
        passage.is_cut = paragraph.is_cut
        if passage.kind == "heading":
            in_references = is_reference_heading(passage.text)
        elif in_references and passage.kind in ("body", "list") and looks_like_reference(passage.text):
            passage.kind = "reference"
        pending = (passage, paragraph.lines[-1])
    if pending is not None:
        yield pending[0]


class _Survey:
    """What the beginning of a text shows.

    Attributes:
        width: the width at which lines are wrapped; 0 if they are not.
        words: how often each word occurs; empty if no line ends in a hyphen.
    """

    def __init__(self) -> None:
        self.width = 0
        self.words: Counter[str] = Counter()

    def take(self, text: str) -> Iterator[Heartbeat]:
        """Read the beginning of a text."""
        lengths: list[int] = []
        lines: list[str] = []
        has_hyphens = False
        for block in _iter_blocks(text):
            if isinstance(block, Heartbeat):
                yield block
                continue
            lengths += (line.length for line in block.lines[:-1])
            lines += (line.text for line in block.lines)
            has_hyphens = has_hyphens or any(ends_hyphenated(line.text) for line in block.lines)
        self.width = _find_wrap_width(lengths)
        if has_hyphens:
            self.words = count_words(lines)


@dataclass(frozen=True, slots=True)
class _LineParagraph:
    """The lines of a paragraph, and where they are.

    Attributes:
        lines: at least one.
        block_lines: the number of lines of its block.
        begins_block: whether its block begins with it.
        is_underlined: whether its block is this line and an underline.
        is_cut: whether it is too long and continues as the next paragraph.
    """

    lines: Sequence[_SourceLine]
    block_lines: int
    begins_block: bool
    is_underlined: bool
    is_cut: bool


def _iter_file_paragraphs(text: str, width: int) -> Iterator[_LineParagraph | Heartbeat]:
    """Yield the paragraphs of a text, in order; hold no more of it than a part of a block."""
    carried: list[_SourceLine] = []
    earlier = 0
    for block in _iter_blocks(text):
        if isinstance(block, Heartbeat):
            yield block
            continue
        lines = carried + block.lines
        count = earlier + len(block.lines)
        is_underlined = count == 2 and len(lines) == 2 and _is_underline(lines[1].text)
        paragraphs = list(_iter_paragraphs(lines, width))
        is_new = earlier == 0
        carried, earlier = [], 0
        is_cut = False
        if block.continues:
            earlier = count
            is_cut = sum(line.length for line in paragraphs[-1]) > _MAX_BLOCK if paragraphs else False
            if paragraphs and not is_cut and not paragraphs[-1][-1].is_cut:
                # Its last paragraph may go on in the next part.
                carried = paragraphs.pop()
        for number, each in enumerate(paragraphs, 1):
            ends_here = each[-1].is_cut or (is_cut and number == len(paragraphs))
            yield _LineParagraph(each, count, is_new and number == 1, is_underlined, ends_here)


def _continues_after_blank(passage: Passage, last: _SourceLine, following: _SourceLine) -> bool:
    """Return whether a paragraph continues after a blank line: some files have one after every line."""
    tail = passage.last_characters()
    return (
        passage.kind == "body"
        and last.length >= _MIN_WRAP
        and following.text[:1].islower()
        and (tail[-1].isalpha() or tail[-1] in ",-")
        and len(passage) + following.length < _MAX_BLOCK
    )


def _find_standalone_lines(text: str) -> list[str]:
    """Return the first lines of a text, at most two, that each stand alone."""
    lines: list[str] = []
    for block in _iter_blocks(text[:SEARCHED_CHARACTERS]):
        if isinstance(block, Heartbeat):
            continue
        if len(lines) == 2 or (len(block.lines) > 1 and not _is_underline(block.lines[1].text)):
            break
        lines.append(clean_stretch(block.lines[0].text)[0])
    return lines


def _iter_blocks(text: str) -> Iterator[_LineBlock | Heartbeat]:
    """Yield the blocks of lines between blank lines and rules; an underline stays with its heading."""
    block: list[_SourceLine] = []
    length = unreported = 0
    continued = False  # the last block that was yielded awaits its end
    for match in _LINE.finditer(text):
        line = match.group()
        content = line.rstrip("\r\n\f\x85\u2028\u2029")
        ends_page = line.endswith("\f")
        unreported += len(line) + 1
        if unreported > PROGRESS_CHARACTERS // 2:
            yield Heartbeat()
            unreported = 0
        is_blank = not content or content.isspace()
        if not is_blank and not (_RULE.fullmatch(content) and not (block and _is_underline(content))):
            for part in _divide_line(content, match.start()):
                block.append(part)
                length += len(part.text) + 1
                if length > _MAX_BLOCK:
                    yield _LineBlock(block, continues=True)
                    block, length, continued = [], 0, True
        elif not (ends_page and is_blank):
            if block or continued:
                yield _LineBlock(block)
            block, length, continued = [], 0, False
        # The end of a page separates paragraphs only after the end of a sentence.
        if ends_page and block and SENTENCE_END.search(block[-1].text):
            yield _LineBlock(block)
            block, length, continued = [], 0, False
    if block or continued:
        yield _LineBlock(block)


def _divide_line(content: str, start: int) -> Iterator[_SourceLine]:
    """Yield a line, in parts if it is too long."""
    if len(content) <= MAX_PASSAGE:
        yield _SourceLine.of(content, start)
        return
    first = 0
    while first < len(content):
        stop = find_cut(content, first) if len(content) - first > MAX_PASSAGE else len(content)
        part = content[first:stop]
        if not part.isspace():
            yield _SourceLine.of(part, start + first, is_cut=stop < len(content))
        first = stop


def _is_underline(text: str) -> bool:
    """Return whether a line underlines the one above: one repeated mark."""
    marks = text.strip()
    return len(marks) >= 3 and marks[0] in _UNDERLINES and not marks.strip(marks[0])


def _find_wrap_width(lengths: list[int]) -> int:
    """Return the width at which the lines of the file are wrapped, from those before other lines; 0 if they are not."""
    if not lengths:
        return 0
    lengths.sort()
    width = lengths[int(0.97 * (len(lengths) - 1))]
    return width if _MIN_WRAP <= width <= _MAX_WRAP else 0


def _is_forced_break(line: _SourceLine, following: _SourceLine, width: int) -> bool:
    """Return whether the line is full: the next word would not have fitted."""
    if line.length + 1 + len(following.text) <= width - 2:
        return False
    words = following.text[:width].split(maxsplit=1)
    return line.length + 1 + len(words[0]) > width - 2


def _iter_paragraphs(block: list[_SourceLine], width: int) -> Iterator[list[_SourceLine]]:
    """Yield the paragraphs of a block of lines without blank lines."""
    first = 0
    while len(block) - first > 1 and _is_underline(block[first + 1].text):
        yield block[first : first + 1]
        first += 2
    block = [line for line in block[first:] if not _is_underline(line.text)]
    if not block:
        return
    own = max(line.length for line in block)
    # A narrow block (a quotation, a letter) has its own width, if it is long enough to show one.
    limit = own if width and len(block) >= 4 and own >= _MIN_WRAP else width
    pairs = list(pairwise(block))
    forced = [bool(limit) and _is_forced_break(line, following, limit) for line, following in pairs]
    wrapped = bool(pairs) and sum(forced) >= _WRAPPED_SHARE * len(pairs)
    usual_indent = min(line.indent for line in block)
    paragraph = [block[0]]
    for (line, following), had_to, is_record in zip(pairs, forced, _find_records(block)[1:], strict=True):
        if is_record or _begins_paragraph(line, following, usual_indent, paragraph[0], had_to=had_to, wrapped=wrapped):
            yield paragraph
            paragraph = []
        paragraph.append(following)
    yield paragraph


def _find_records(block: Sequence[_SourceLine]) -> list[bool]:
    """Return for each line whether it is the first one of a record: of a log, of JSON lines, of measurements.

    The starts of most lines are then alike, but for their letters and digits, and have numbers or marks. In prose that
    is wrapped any word begins a line.
    """
    if len(block) >= _MIN_RECORDS:
        starts = [_describe_start(line.text) for line in block]
        for words in range(1, _RECORD_WORDS + 1):
            shapes = [start[:words] for start in starts]
            shape, count = Counter(shapes).most_common(1)[0]
            is_marked = any("0" in word for word in shape) or shape[0].startswith(_RECORD_MARKS)
            share = _TIMED_SHARE if any(map(_TIME.search, shape)) else _RECORD_SHARE
            if is_marked and count >= max(share * len(block), _MIN_RECORDS):
                return [each == shape for each in shapes]
    return [False] * len(block)


def _describe_start(text: str) -> tuple[str, ...]:
    """Return the first words of a line with `0` for each run of letters and digits that has one, `a` for letters.

    The level of a log entry counts as a number.
    """
    words = text[:_RECORD_CHARACTERS].split(maxsplit=_RECORD_WORDS)[:_RECORD_WORDS]
    return tuple(_WORD.sub("a", _NUMBERED.sub("0", word)) for word in words)


def _begins_paragraph(
    line: _SourceLine, following: _SourceLine, usual_indent: int, first: _SourceLine, *, had_to: bool, wrapped: bool
) -> bool:
    """Return whether `following` starts a paragraph."""
    if line.is_cut:
        return True
    text, before = following.text, line.text
    if LIST_ITEM.match(text):
        in_list = LIST_ITEM.match(first.text) is not None
        return in_list or not had_to or SENTENCE_END.search(before) is not None
    if ends_hyphenated(before) and text[:1].islower():
        return False
    if LIST_ITEM.match(first.text) and following.indent > first.indent:
        return False
    deeper = following.indent - usual_indent
    if deeper >= _INDENT and following.indent > line.indent:
        return True
    if had_to:
        return False
    if wrapped:
        return SENTENCE_END.search(before) is not None and not text[:1].islower()
    # Lines of any length are lines: a list, verse, one sentence each.
    return not text[:1].islower() or SENTENCE_END.search(before) is not None


def _join_lines(passage: Passage, lines: Sequence[_SourceLine], words: Counter[str]) -> None:
    for line in lines:
        text, indices = clean_stretch(line.text, line.start)
        if not text:
            continue
        if passage:
            tail = passage.last_characters()
            if ends_hyphenated(tail):
                if is_suspended_hyphen(tail[:-1], text, words):
                    passage.add_blank()
                elif not should_keep_hyphen(tail[:-1], text, words):
                    passage.drop_last_character()
            elif not (is_wide(tail[-1]) and is_wide(text[0])):
                passage.add_blank()
        passage.add(text, indices, None)


def _classify_paragraph(text: str, paragraph: _LineParagraph) -> SpanKind:
    if LIST_ITEM.match(text) and paragraph.block_lines > 1:
        return "list"
    is_short = len(paragraph.lines) == 1 and len(text) <= _MAX_HEADING and any(map(str.isalpha, text))
    if is_short and paragraph.block_lines <= 2:
        capitals = text.isupper() and len(text) > 3 and not text.endswith(('"', "”"))
        known = capitals or _HEADING_WORD.match(text) or is_reference_heading(text)
        if paragraph.is_underlined or (paragraph.block_lines == 1 and known):
            return "heading"
    tokens = text.split()
    numbers = sum(token[0].isdigit() for token in tokens)
    return "table" if len(tokens) >= 4 and numbers > 0.5 * len(tokens) else "body"


def find_title_and_author(lines: Sequence[str], beginning: str) -> tuple[str, str]:
    """Return title and author of a text; each is empty if unknown.

    Args:
        lines: its first lines that stand alone as titles do; a name before the title is the author's.
        beginning: its first characters: a book of Project Gutenberg lists both there.
    """
    if _GUTENBERG.search(beginning):
        fields = {name: value.strip() for name, value in _FIELD.findall(beginning)}
        if title := fields.get("Title", ""):
            return title[:MAX_TITLE], fields.get("Author", "")
    lines = [line for line in lines if line]
    if not lines or not _can_be_title(lines[0]):
        return "", ""
    first, second = (lines[0], lines[1]) if len(lines) > 1 else (lines[0], "")
    if found := _BY.match(second):
        return first, second[found.end() :]
    if not _is_name(first) or not second or not _can_be_title(second) or _CHAPTER.match(second):
        return first, ""
    # Of two names nobody can tell which is the book: the title contains both.
    return (f"{first}: {second}", "") if _is_name(second) else (second, first)


def _can_be_title(line: str) -> bool:
    return any(map(str.isalnum, line)) and len(line) <= MAX_TITLE and not line.endswith((".", ",", ";", ":"))


def _is_name(line: str) -> bool:
    """Return whether a line may be a person's name: two to five capitalised words, none typical of titles."""
    words = line.split()
    if not 2 <= len(words) <= 5 or line.isupper():
        return False
    return all(map(_NAME.fullmatch, words)) and _NO_NAME.search(line) is None
