"""Plain text to events: joins hard-wrapped lines into paragraphs, keeps the lines of lists and verse."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from desktop_app.core.language_detection import guess_language
from desktop_app.core.reader_events import DocumentHead
from desktop_app.text.cleaning import (
    SENTENCE_END,
    clean_character,
    count_words,
    ends_hyphenated,
    is_wide,
    should_keep_hyphen,
)
from desktop_app.text.decoding import decode
from desktop_app.text.passages import Passage, clean_stretch, locate_by_line, split_into_sentences
from desktop_app.text.readers.paragraph_kind import LIST_ITEM, is_reference_heading, looks_like_reference
from desktop_app.text.readers.reader_steps import read_without_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from desktop_app.core.records import SpanKind, Unit
    from desktop_app.text.readers.reader_steps import FileFacts, Step

_LINE = re.compile(r"[^\r\n\f\x85\u2028\u2029]*(?:\r\n|[\r\n\f\x85\u2028\u2029]|\Z)")
_RULE = re.compile(r"\s*(?:[-=*_~#+.]\s*){3,}\s*")
_HEADING_WORD = re.compile(
    r"(?:chapter|part|book|section|act|scene|volume|kapitel|teil|chapitre|capítulo|capitolo|глава)\b", re.IGNORECASE
)
_INDENT = 2
_MIN_WRAP, _MAX_WRAP = 40, 132
"""Widths of hard-wrapped lines, in characters."""
_WRAPPED_SHARE = 0.6
_MAX_HEADING = 80

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
    text: str
    """Its text in the file, without the line end."""
    start: int
    """Index of its first character in the file."""

    @property
    def stripped(self) -> str:
        return self.text.strip()

    @property
    def indent(self) -> int:
        expanded = self.text.expandtabs(4)
        return len(expanded) - len(expanded.lstrip())

    @property
    def length(self) -> int:
        return len(self.text.rstrip())


def read(path: Path, facts: FileFacts) -> Iterator[Step]:
    """Read a plain text file.

    Raises:
        FileFailure: the file is binary, or has no text.
    """
    decoded = decode(path.read_bytes())
    text = decoded.text
    title, author = find_title_and_author(_find_standalone_lines(text), text[:SEARCHED_CHARACTERS])
    head = DocumentHead("text", facts.content_hash, facts.size_bytes, title, author, encoding=decoded.encoding)
    language = guess_language(text[len(text) // 3 :])
    spans = split_into_sentences(parse_plain_text(text), language, lambda _: text_unit())
    return read_without_pages(head, locate_by_line(spans, text), decoded.warning)


def text_unit() -> Unit:
    """Return the unit of the places of text files."""
    return "char"


def parse_plain_text(text: str) -> Iterator[Passage]:
    """Yield the passages of a plain text, in order; indices are characters of `text`."""
    blocks = list(_iter_blocks(text))
    width = _find_wrap_width(blocks)
    words: Counter[str] = Counter()
    if any(ends_hyphenated(line.stripped) for block in blocks for line in block):
        words = count_words(line.stripped for block in blocks for line in block)
    in_references = False
    pending: tuple[Passage, _SourceLine] | None = None
    for block in blocks:
        for lines in _iter_paragraphs(block, width):
            if pending is not None and _continues_after_blank(*pending, lines[0]):
                _join_lines(pending[0], lines, words)
                pending = (pending[0], lines[-1])
                continue
            passage = Passage()
            _join_lines(passage, lines, words)
            if not passage:
                continue
            if pending is not None:
                yield pending[0]
            passage.kind = _classify_block(passage.text, lines, block)
            if passage.kind == "heading":
                in_references = is_reference_heading(passage.text)
            elif in_references and passage.kind in ("body", "list") and looks_like_reference(passage.text):
                passage.kind = "reference"
            pending = (passage, lines[-1])
    if pending is not None:
        yield pending[0]


def _continues_after_blank(passage: Passage, last: _SourceLine, following: _SourceLine) -> bool:
    """Return whether a paragraph continues after a blank line: some files have one after every line."""
    tail = passage.last_characters()
    return (
        passage.kind == "body"
        and last.length >= _MIN_WRAP
        and following.stripped[:1].islower()
        and (tail[-1].isalpha() or tail[-1] in ",-")
    )


def _find_standalone_lines(text: str) -> list[str]:
    """Return the first lines of a text, at most two, that each stand alone."""
    lines: list[str] = []
    for block in islice(_iter_blocks(text[:SEARCHED_CHARACTERS]), 2):
        if len(block) > 1 and not _is_underline(block[1].text):
            break
        lines.append(clean_stretch(block[0].text, 0, clean_character)[0])
    return lines


def _iter_blocks(text: str) -> Iterator[list[_SourceLine]]:
    """Yield the blocks of lines between blank lines and rules; an underline stays with its heading."""
    block: list[_SourceLine] = []
    for match in _LINE.finditer(text):
        content = match.group().rstrip("\r\n\f\x85\u2028\u2029")
        ends_page = match.group().endswith("\f")
        if content.strip() and not (_RULE.fullmatch(content) and not (block and _is_underline(content))):
            block.append(_SourceLine(content, match.start()))
        elif not (ends_page and not content.strip()):
            if block:
                yield block
            block = []
        # The end of a page separates paragraphs only after the end of a sentence.
        if ends_page and block and SENTENCE_END.search(block[-1].stripped):
            yield block
            block = []
    if block:
        yield block


def _is_underline(text: str) -> bool:
    """Return whether a line underlines the one above: one repeated mark."""
    marks = set(text.strip())
    return len(marks) == 1 and len(text.strip()) >= 3 and marks <= set("=-~^*#\"'`+_")


def _find_wrap_width(blocks: Sequence[list[_SourceLine]]) -> int:
    """Return the width at which the lines of the file are wrapped; 0 if they are not."""
    lengths = sorted(line.length for block in blocks if len(block) > 1 for line in block[:-1])
    if not lengths:
        return 0
    width = lengths[int(0.97 * (len(lengths) - 1))]
    return width if _MIN_WRAP <= width <= _MAX_WRAP else 0


def _is_forced_break(line: _SourceLine, following: _SourceLine, width: int) -> bool:
    """Return whether the line is full: the next word would not have fitted."""
    words = following.text.split(maxsplit=1)
    return line.length + 1 + len(words[0]) > width - 2


def _iter_paragraphs(block: list[_SourceLine], width: int) -> Iterator[list[_SourceLine]]:
    """Yield the paragraphs of a block of lines without blank lines."""
    if len(block) > 1 and _is_underline(block[1].text):
        yield block[:1]
        yield from _iter_paragraphs(block[2:], width) if len(block) > 2 else ()
        return
    block = [line for line in block if not _is_underline(line.text)]
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
    for (line, following), had_to in zip(pairs, forced, strict=True):
        if _begins_paragraph(line, following, usual_indent, paragraph[0], had_to=had_to, wrapped=wrapped):
            yield paragraph
            paragraph = []
        paragraph.append(following)
    yield paragraph


def _begins_paragraph(
    line: _SourceLine, following: _SourceLine, usual_indent: int, first: _SourceLine, *, had_to: bool, wrapped: bool
) -> bool:
    """Return whether `following` starts a paragraph."""
    text, before = following.stripped, line.stripped
    if LIST_ITEM.match(text):
        in_list = LIST_ITEM.match(first.stripped) is not None
        return in_list or not had_to or SENTENCE_END.search(before) is not None
    if ends_hyphenated(before) and text[:1].islower():
        return False
    if LIST_ITEM.match(first.stripped) and following.indent > first.indent:
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
        text, indices = clean_stretch(line.text, line.start, clean_character)
        if not text:
            continue
        if passage:
            tail = passage.last_characters()
            if ends_hyphenated(tail):
                if not should_keep_hyphen(tail[:-1], text, words):
                    passage.drop_last_character()
            elif not (is_wide(tail[-1]) and is_wide(text[0])):
                passage.add_blank()
        passage.add(text, indices, None)


def _classify_block(text: str, lines: Sequence[_SourceLine], block: Sequence[_SourceLine]) -> SpanKind:
    if LIST_ITEM.match(text) and len(block) > 1:
        return "list"
    if len(block) <= 2 and len(lines) == 1 and len(text) <= _MAX_HEADING and any(map(str.isalpha, text)):
        underlined = len(block) == 2 and _is_underline(block[1].text)
        capitals = text.isupper() and len(text) > 3 and not text.endswith(('"', "”"))
        if underlined or (len(block) == 1 and (capitals or _HEADING_WORD.match(text) or is_reference_heading(text))):
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
