"""Markdown to events: blocks by markdown-it, without inline markup, each letter with its place in the source."""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from desktop_app.core.language_detection import guess_language
from desktop_app.core.reader_events import DocumentHead
from desktop_app.text.cleaning import clean_character
from desktop_app.text.decoding import decode
from desktop_app.text.passages import Passage, clean_stretch, locate_by_line, split_into_sentences
from desktop_app.text.readers.paragraph_kind import is_reference_heading, looks_like_reference
from desktop_app.text.readers.plain import text_unit
from desktop_app.text.readers.reader_steps import read_without_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from markdown_it.token import Token

    from desktop_app.core.records import SpanKind
    from desktop_app.text.readers.reader_steps import FileFacts, Step

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\r?\n.*?^(?:\1|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_FRONT_TITLE = re.compile(r"^title\s*[:=]\s*[\"']?(.+?)[\"']?\s*$", re.MULTILINE | re.IGNORECASE)
_TAG_OR_COMMENT = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?</\1\s*>|</?[a-zA-Z][^<>]*>|<[!?][^<>]*>", re.DOTALL | re.IGNORECASE
)
_MAX_ENTITY_LENGTH = 12
"""Most characters of source for one shown character: `&mdash;`, `\\*`."""
_LINE_END = re.compile(r"\r\n|\r|\n")


def read(path: Path, facts: FileFacts) -> Iterator[Step]:
    """Read a Markdown file.

    Raises:
        FileFailure: the file is binary, or has no text.
    """
    decoded = decode(path.read_bytes())
    passages = parse_markdown(decoded.text)
    title = _find_title(decoded.text, passages)
    head = DocumentHead("markdown", facts.content_hash, facts.size_bytes, title, encoding=decoded.encoding)
    language = guess_language("\n".join(passage.text for passage in passages[:200] if passage.kind == "body"))
    spans = split_into_sentences(passages, language, lambda _: text_unit())
    return read_without_pages(head, locate_by_line(spans, decoded.text), decoded.warning)


def parse_markdown(text: str) -> list[Passage]:
    """Return the passages of a Markdown text, in order; indices are characters of `text`."""
    return _MarkdownWalker(text).passages()


def _find_title(text: str, passages: Sequence[Passage]) -> str:
    for passage in passages:
        if passage.kind == "heading":
            return passage.text[:500]
    front = _FRONT_MATTER.match(text)
    found = _FRONT_TITLE.search(front.group()) if front else None
    return clean_stretch(found.group(1), 0, clean_character)[0][:500] if found else ""


class _MarkdownWalker:
    """Walks through the tokens and the source in parallel."""

    def __init__(self, text: str) -> None:
        self._text = text
        front = _FRONT_MATTER.match(text)
        self._body = front.end() if front else 0
        # markdown-it counts only "\n": count line ends as it does, in offsets of our text.
        self._line_starts = [self._body]
        self._line_starts += [match.end() for match in _LINE_END.finditer(text, self._body)]
        self._line_starts.append(len(text))
        self._position = self._body
        self._out: list[Passage] = []

    def passages(self) -> list[Passage]:
        tokens = MarkdownIt("commonmark").enable("table").enable("strikethrough").parse(self._text[self._body :])
        kinds: list[SpanKind] = []
        row: Passage | None = None
        in_references = False
        for token in tokens:
            kind = kinds[-1] if kinds else "body"
            match token.type:
                case "heading_open":
                    kinds.append("heading")
                case "list_item_open":
                    kinds.append("list")
                case "tr_open":
                    row = Passage("table")
                    kinds.append("table")
                case "tr_close":
                    if row:
                        self._out.append(row)
                    row = None
                    kinds.pop()
                case "heading_close" | "list_item_close":
                    kinds.pop()
                case "fence" | "code_block":
                    self._code(token)
                case "html_block":
                    self._html(token)
                case "inline":
                    passage = row if row is not None else Passage(kind)
                    self._inline(token, passage)
                    if row is not None or not passage:
                        continue
                    if kind == "heading":
                        in_references = is_reference_heading(passage.text)
                    elif in_references and looks_like_reference(passage.text):
                        passage.kind = "reference"
                    self._out.append(passage)
        return self._out

    def _start_of(self, line: int) -> int:
        return self._line_starts[min(line, len(self._line_starts) - 1)]

    def _code(self, token: Token) -> None:
        first, last = token.map or (0, 0)
        passage = Passage("code")
        lines = range(first, last)
        if token.type == "fence":
            closed = self._text[self._start_of(last - 1) : self._start_of(last)].strip().lstrip("> ")
            lines = range(first + 1, last - 1 if closed.startswith(token.markup) and last - first > 1 else last)
        for line in lines:
            self._add(passage, self._text[self._start_of(line) : self._start_of(line + 1)], self._start_of(line))
        self._position = self._start_of(last)
        if passage:
            self._out.append(passage)

    def _html(self, token: Token) -> None:
        first, last = token.map or (0, 0)
        start, stop = self._start_of(first), self._start_of(last)
        # Blanks of the same length keep the places of the rest.
        shown = _TAG_OR_COMMENT.sub(lambda match: " " * len(match.group()), self._text[start:stop])
        passage = Passage("body")
        self._add(passage, shown, start)
        self._position = stop
        if passage:
            self._out.append(passage)

    def _inline(self, token: Token, passage: Passage) -> None:
        first, last = token.map or (0, 0)
        self._position = max(self._position, self._start_of(first))
        end = self._start_of(last)
        if passage:
            passage.add_blank()  # the next cell of a row
        pieces: list[str] = []
        indices = array("i")
        for child in token.children or ():
            match child.type:
                case "text" | "code_inline" | "image" | "text_special":
                    shown = child.content
                    for char, index in zip(shown, self._find(shown, end), strict=True):
                        pieces.append(char)
                        indices.append(index)
                case "softbreak" | "hardbreak":
                    pieces.append(" ")
                    indices.append(self._position)
                case "link_close" if child.markup != "autolink":
                    self._skip_target(end)
        self._add_mapped(passage, pieces, indices)

    def _find(self, shown: str, end: int) -> list[int]:
        """Return the source positions of the characters of a shown text, from the current position on."""
        text = self._text
        exact = text.find(shown, self._position, end)
        if exact >= 0:
            self._position = exact + len(shown)
            return list(range(exact, self._position))
        found = []
        for char in shown:
            near = text.find(char, self._position, min(end, self._position + _MAX_ENTITY_LENGTH))
            if near < 0:
                # An entity: the source does not contain the shown character.
                near = min(self._position, len(text) - 1)
                if text[near] == "&":
                    stop = text.find(";", near, near + 34)
                    self._position = stop + 1 if stop >= 0 else near
                found.append(near)
                continue
            self._position = near + 1
            found.append(near)
        return found

    def _skip_target(self, end: int) -> None:
        """Skip `](target "title")` or `][label]`, whose words are not shown."""
        text, position = self._text, self._position
        while position < end and text[position] != "]":
            position += 1
        opening = text[position + 1 : position + 2]
        if opening == "(":
            depth = 0
            for place in range(position + 1, end):
                depth += (text[place] == "(") - (text[place] == ")")
                if depth == 0:
                    self._position = place + 1
                    return
        elif opening == "[":
            close = text.find("]", position + 2, end)
            if close >= 0:
                self._position = close + 1

    @staticmethod
    def _add(passage: Passage, source: str, start: int) -> None:
        text, indices = clean_stretch(source, start, clean_character)
        if text:
            if passage:
                passage.add_blank()
            passage.add(text, indices, None)

    @staticmethod
    def _add_mapped(passage: Passage, pieces: Sequence[str], positions: Sequence[int]) -> None:
        """Add cleaned characters with their scattered positions in the source."""
        out: list[str] = []
        indices = array("i")
        for char, position in zip(pieces, positions, strict=True):
            for letter in clean_character(char):
                if letter == " " and (not out or out[-1] == " "):
                    continue
                out.append(letter)
                indices.append(position)
        if out and out[-1] == " ":
            out.pop()
            indices.pop()
        passage.add("".join(out), indices, None)
