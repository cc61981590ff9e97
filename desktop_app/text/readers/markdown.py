"""Markdown to events: blocks by markdown-it, without inline markup, each letter with its place in the source."""

from __future__ import annotations

import re
import tomllib
from array import array
from typing import TYPE_CHECKING, Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.common.html_blocks import block_names

from desktop_app.core.bibliography import DOCUMENT, Reference, find_doi, split_authors, to_family_first
from desktop_app.core.document_dates import read_written_date
from desktop_app.core.language_detection import guess_language
from desktop_app.core.reader_events import DocumentHead
from desktop_app.text.cleaning import clean_character
from desktop_app.text.decoding import decode
from desktop_app.text.passages import NOWHERE, Passage, clean_stretch, locate_by_line, split_into_sentences
from desktop_app.text.readers.note_markup import (
    OWN_LINE,
    QUERY_LANGUAGES,
    find_tags,
    hide_note_markup,
    read_page_properties,
)
from desktop_app.text.readers.paragraph_kind import is_reference_heading, looks_like_reference
from desktop_app.text.readers.passage_collector import PassageCollector
from desktop_app.text.readers.plain import text_unit
from desktop_app.text.readers.reader_steps import Heartbeat, read_without_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from markdown_it.token import Token

    from desktop_app.core.records import SpanKind
    from desktop_app.text.readers.reader_steps import Step

_FRONT_START = re.compile(r"(---|\+\+\+)[ \t]*(?:\r\n|\r|\n)(?![ \t]*[\r\n])")
"""A fence with a line of text below it: with a blank line below it, it is a rule."""
_FRONT_ENDS = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*(?:\r\n?|\n|\Z)", re.MULTILINE),
}
_MAX_FRONT_MATTER = 20_000

_MARKUP = re.compile(
    r"""<!---?>|(?P<section><!--|<\?)|<(?P<program>script|style)\b[^<>]*+>|<!\[CDATA\[|\]\]>|<!doctype\b[^<>]*+>"""
    r"""|</?(?P<name>[a-zA-Z][a-zA-Z0-9:-]*+)(?P<attributes>"""
    r"""(?:\s++[^\s"'<>/=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"'=<>`]++))?)*)\s*+/?>""",
    re.IGNORECASE,
)
"""What may be markup in HTML: `_blank_markup` decides."""
_SECTION_ENDS = {
    "<!--": re.compile(r"-->"),
    "<?": re.compile(r"\?>"),
    "script": re.compile(r"</script\b[^<>]*+>", re.IGNORECASE),
    "style": re.compile(r"</style\b[^<>]*+>", re.IGNORECASE),
}
_ATTRIBUTE = re.compile(r"""\s*+([^\s"'<>/=]++)(\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"'=<>`]++))?""")
_TAG_NAMES = frozenset(block_names) | frozenset(
    {"a", "abbr", "acronym", "applet", "area", "audio", "b", "bdi", "bdo", "big", "blink", "br", "button"}
    | {"canvas", "cite", "code", "data", "datalist", "del", "dfn", "em", "embed", "font", "i", "img", "input"}
    | {"ins", "kbd", "label", "map", "mark", "math", "meter", "nobr", "noscript", "object", "output", "path"}
    | {"picture", "pre", "progress", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "script", "select"}
    | {"slot", "small", "span", "strike", "strong", "style", "sub", "sup", "svg", "template", "textarea"}
    | {"time", "tt", "u", "var", "video", "wbr"}
)
_SWITCHES = frozenset(
    {"allowfullscreen", "async", "autofocus", "autoplay", "border", "checked", "compact", "controls", "default"}
    | {"defer", "disabled", "download", "hidden", "inert", "ismap", "itemscope", "loop", "multiple", "muted"}
    | {"noshade", "novalidate", "nowrap", "open", "readonly", "required", "reversed", "selected"}
)
"""The attributes that HTML has without a value."""
_UNCLOSED = (
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<!(?=[a-zA-Z])"), re.compile(r">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(r"<(?=(?:script|style|pre|textarea)\b)", re.I), re.compile(r"</(?:script|style|pre|textarea)>", re.I)),
)
"""Starts and ends of HTML that runs to the end of the file if it is not closed (CommonMark, 4.6, kinds 1 to 5)."""
_LESS = "\ue000"
"""Stands for a `<` that opens nothing; texts do not contain it, `clean_character` drops it."""
_ADDRESS = re.compile(r"[/#:@?]|\w\.\w")
_PIPE = re.compile(r"(?<!\\)\|")
_LIST_NUMBER = re.compile(r"[\s>]*\d{1,9}[.)]\s*")
_MAX_NESTING = 40
_PART_CHARACTERS = 25_000
"""Characters that are parsed at once, about; a text of twice as many is parsed as a whole."""
_SOURCE_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++\Z")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_TABLE_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_LINK_DEFINITION = re.compile(r"^ {0,3}\[[^\[\]\n]{1,200}\]:[ \t]*\S{1,500}[^\n]{0,200}$", re.MULTILINE)
_MAX_ENTITY_LENGTH = 12
"""Most characters of source for one shown character: `&mdash;`, `\\*`."""
_LINE_END = re.compile(r"\r\n|\r|\n")


def read(path: Path, content_hash: str) -> Iterator[Step]:
    """Read a Markdown file.

    Raises:
        FileFailure: the file is binary, or has no text.
    """
    decoded = decode(path.read_bytes())
    text = decoded.text
    collector = PassageCollector()
    collector.omit("metadata", text[: _read_front_matter(text)[0]])
    parts = _iter_parts(text, collector)
    first: list[Passage] = []
    for part in parts:
        yield Heartbeat()
        first = part
        if first:
            break
    title = _find_title(text, first)
    reference = _read_reference(text)
    head = DocumentHead(
        "markdown",
        content_hash,
        title,
        reference.author_line[:500],
        encoding=decoded.encoding,
        dated=reference.date,
        reference=reference,
        tags=find_tags(path, _read_front_matter(text)[1], text),
    )
    language = guess_language("\n".join(passage.text for passage in first[:200] if passage.kind == "body"))
    spans = split_into_sentences(_chain_parts(first, parts), language, lambda _: text_unit())
    yield from read_without_pages(head, locate_by_line(spans, text), decoded.warning, omitted=collector.omitted)


def _chain_parts(first: Sequence[Passage], parts: Iterator[list[Passage]]) -> Iterator[Passage | Heartbeat]:
    yield from first
    for part in parts:
        yield Heartbeat()
        yield from part


def parse_markdown(text: str) -> list[Passage]:
    """Return the passages of a Markdown text, in order; indices are characters of `text`."""
    return [passage for part in _iter_parts(text, PassageCollector()) for passage in part]


def _iter_parts(text: str, collector: PassageCollector) -> Iterator[list[Passage]]:
    """Yield the passages of a text, in parts: the parser needs time and memory for a text as a whole.

    The collector receives what is left out.
    """
    if len(text) <= 2 * _PART_CHARACTERS:
        walker = _MarkdownWalker(text)
        yield walker.passages()
        walker.omit_comments(collector)
        return
    links = _find_link_definitions(text)
    start = 0
    in_references = False
    for stop, before, is_cut in _divide(text):
        walker = _MarkdownWalker(before + text[start:stop], links=links, is_first=start == 0)
        walker.in_references = in_references
        passages = walker.passages()
        walker.omit_comments(collector)
        in_references = walker.in_references
        shift = start - len(before)
        if shift:
            for passage in passages:
                passage.indices = array("i", [at if at == NOWHERE else at + shift for at in passage.indices])
        if is_cut and passages:
            passages[-1].is_cut = True
        yield passages
        start = stop


def _find_link_definitions(text: str) -> dict[str, Any]:
    """Return the link definitions of a text: they hold in all of its parts."""
    environment: dict[str, Any] = {}
    pieces: list[str] = []
    length = 0
    for match in _LINK_DEFINITION.finditer(text):
        length += len(match.group())
        if length > _PART_CHARACTERS:
            break
        pieces.append(match.group().strip() + "\n\n")
    MarkdownIt("commonmark").parse("".join(pieces), environment)
    links: dict[str, Any] = environment.get("references", {})
    return links


def _divide(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the parts of a long text.

    A part ends before a heading or after a blank line, outside of code; in a long block after any line, in a long line
    anywhere.

    Yields:
        where it ends; the lines to parse before it, so that a table that began earlier continues; whether a paragraph
        goes on after it.
    """
    start = position = best = 0
    fence = head = before = ""
    lines_in_block = 0
    for match in _SOURCE_LINE.finditer(text):
        line = match.group()
        stripped = line.strip()
        if not fence and position - start >= _PART_CHARACTERS // 2 and line.startswith("#"):
            best = position
        if mark := _FENCE.match(line):
            if not fence:
                fence = mark.group(1)
            elif stripped.startswith(fence) and not stripped.strip(fence[0]):
                fence = ""
        position = match.end()
        if position - start > _PART_CHARACTERS and best > start:
            yield best, before, False
            start, before = best, ""
        while position - start > 2 * _PART_CHARACTERS:
            is_line = position - len(line) > start
            stop = position - len(line) if is_line else min(start + _PART_CHARACTERS, position)
            yield stop, before, not head
            start, before = stop, head
        if not stripped:
            lines_in_block, head = 0, ""
            if not fence and position - start >= _PART_CHARACTERS // 2 and not text[position : position + 1].isspace():
                best = position
            continue
        lines_in_block += 1
        if lines_in_block == 2 and "|" in stripped and _TABLE_RULE.fullmatch(stripped):
            columns = stripped.strip("|").count("|") + 1
            head = f"|{' |' * columns}\n|{'-|' * columns}\n"
    if start < len(text):
        yield len(text), before, False


def _find_title(text: str, passages: Sequence[Passage]) -> str:
    for passage in passages:
        if passage.kind == "heading":
            return passage.text[:500]
    values = _read_front_matter(text)[1]
    title = next((value for key, value in values.items() if key.lower() == "title"), "")
    return clean_stretch(title)[0][:500] if isinstance(title, str) else ""


def _read_reference(text: str) -> Reference:
    """Return what the front matter says of the publication."""
    values = {key.lower(): value for key, value in _read_front_matter(text)[1].items()}
    named = _as_list(values.get("author") or values.get("authors") or "")
    each = [item.get("name") if isinstance(item, dict) else item for item in named]
    names = [clean_stretch(name)[0][:500] for name in each if isinstance(name, str) and name]
    authors = tuple(map(to_family_first, names)) if len(names) > 1 else split_authors("".join(names))

    def line(*keys: str) -> str:
        found = next((values[key] for key in keys if isinstance(values.get(key), str)), "")
        return clean_stretch(found)[0][:500]

    container = line("journal", "container-title", "publication")
    return Reference(
        kind="article-journal" if container else DOCUMENT,
        authors=authors,
        date=read_written_date(values.get("date") or values.get("year") or ""),
        container=container,
        volume=line("volume"),
        issue=line("issue", "number"),
        pages=line("pages"),
        publisher=line("publisher"),
        doi=find_doi(line("doi")),
        isbn=line("isbn"),
        url=line("url", "source"),
        language=line("lang", "language"),
        key=line("citekey", "citation-key"),
    )


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _read_front_matter(text: str) -> tuple[int, dict[str, Any]]:
    """Return the length of the front matter and its values; (0, {}) if there is none.

    It is a YAML or TOML mapping, or properties of Logseq.
    """
    start = _FRONT_START.match(text)
    if start is None:
        return read_page_properties(text)
    end = _FRONT_ENDS[start.group(1)].search(text, start.end(), _MAX_FRONT_MATTER)
    if end is None:
        return 0, {}
    source = text[start.end() : end.start()].replace("\r\n", "\n").replace("\r", "\n")
    try:
        values = tomllib.loads(source) if start.group(1) == "+++" else yaml.load(source, yaml.BaseLoader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return 0, {}
    if not isinstance(values, dict) or not values or not all(isinstance(key, str) for key in values):
        return 0, {}
    return end.end(), values


def _blank_markup(source: str, comments: list[str] | None = None) -> str:
    """Return HTML with blanks of the same length for tags, comments and scripts.

    A `<` that starts none of these stays, and so does a tag that HTML does not have: `<your name>`, `a <b or c> d`.

    Args:
        source: the HTML.
        comments: receives the texts of the comments.
    """
    pieces: list[str] = []
    position = 0
    missing: set[str] = set()
    while (match := _MARKUP.search(source, position)) is not None:
        end = match.end()
        key = (match["program"] or match["section"] or "").lower()
        is_markup = match["name"] is None or _is_tag(match["name"], match["attributes"])
        if key and not match.group().endswith("/>"):
            close = None if key in missing else _SECTION_ENDS[key].search(source, end)
            if close is not None:
                if key == "<!--" and comments is not None:
                    comments.append(source[end : close.start()])
                end = close.end()
            else:
                missing.add(key)
                is_markup = match["section"] is None
        pieces.append(source[position : match.start()])
        pieces.append(" " * (end - match.start()) if is_markup else source[match.start() : end])
        position = end
    pieces.append(source[position:])
    return "".join(pieces)


def _is_tag(name: str, attributes: str) -> bool:
    """Return whether a tag is HTML, or of a component: its name has a hyphen or colon, or its attributes values."""
    bare = [each.group(1).lower() for each in _ATTRIBUTE.finditer(attributes) if not each.group(2)]
    if any(each not in _SWITCHES and "-" not in each for each in bare):
        return False
    return name.lower() in _TAG_NAMES or "-" in name or ":" in name or "=" in attributes


def _hide_unclosed_html(text: str) -> str:
    """Return a text in which a `<` that would turn all text after it into HTML is replaced by `_LESS`."""
    places: list[int] = []
    for start, end in _UNCLOSED:
        last = max((match.end() for match in end.finditer(text)), default=0)
        places += [match.start() for match in start.finditer(text, last)]
    if not places:
        return text
    pieces: list[str] = []
    position = 0
    for place in sorted(set(places)):
        pieces += (text[position:place], _LESS)
        position = place + 1
    return "".join((*pieces, text[position:]))


def _first_index(passage: Passage) -> int:
    return next((index for index in passage.indices if index != NOWHERE), 0)


class _MarkdownWalker:
    """Walks through the tokens and the source in parallel.

    Attributes:
        in_references: whether a list of references is being read.
        comments: the texts of the comments of notes and of HTML.
    """

    def __init__(self, text: str, *, links: Mapping[str, Any] | None = None, is_first: bool = True) -> None:
        self.in_references = False
        self._links = links or {}
        self._source = text
        self._body = _read_front_matter(text)[0] if is_first else 0
        shown, self.comments = hide_note_markup(text[self._body :])
        shown = text[: self._body] + shown
        self._text = _hide_unclosed_html(shown).replace("\0", "\ufffd")  # as markdown-it does
        """The source as it is parsed, of the same length."""
        # markdown-it counts only "\n": count line ends as it does, in offsets of our text.
        self._line_starts = [self._body]
        self._line_starts += [match.end() for match in _LINE_END.finditer(text, self._body)]
        self._line_starts.append(len(text))
        self._position = self._body
        self._out: list[Passage] = []

    def passages(self) -> list[Passage]:
        markdown = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable("table").enable("strikethrough")
        environment: dict[str, Any] = {"references": dict(self._links)}
        tokens = markdown.parse(self._text[self._body :], environment)
        kinds: list[SpanKind] = []
        row: Passage | None = None
        row_line = cells = 0
        for token in tokens:
            kind = kinds[-1] if kinds else "body"
            match token.type:
                case "heading_open":
                    kinds.append("heading")
                case "list_item_open":
                    kinds.append("list")
                case "tr_open":
                    row, row_line, cells = Passage("table"), (token.map or (0, 0))[0], 0
                    kinds.append("table")
                case "tr_close":
                    if row is not None:
                        self._add_surplus_cells(row, row_line, cells)
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
                    if row is not None:
                        self._add_cell(token, row)
                        cells += 1
                        continue
                    for passage in self._paragraphs(token, kind):
                        if kind == "heading":
                            self.in_references = is_reference_heading(passage.text)
                        elif self.in_references and looks_like_reference(passage.text):
                            passage.kind = "reference"
                        self._out.append(passage)
        self._add_unread_lines(tokens, environment)
        return self._out

    def omit_comments(self, collector: PassageCollector) -> None:
        """Note the comments as left out."""
        for comment in self.comments:
            collector.omit("hidden", comment)

    def _start_of(self, line: int) -> int:
        return self._line_starts[min(line, len(self._line_starts) - 1)]

    def _line(self, line: int) -> str:
        return self._source[self._start_of(line) : self._start_of(line + 1)]

    def _add_surplus_cells(self, row: Passage, line: int, cells: int) -> None:
        """Add the cells of a row that has more of them than the head of its table: they are in no token."""
        text = self._line(line)
        pipes = [match.start() for match in _PIPE.finditer(text)]
        if pipes and not text[: pipes[0]].strip(" \t>"):
            pipes.pop(0)
        if len(pipes) >= cells > 0:
            start = pipes[cells - 1] + 1
            self._add(row, text[start:].replace("|", " "), self._start_of(line) + start)

    def _add_unread_lines(self, tokens: Sequence[Token], environment: dict[str, Any]) -> None:
        """Add the lines with text that are in no token, and put all passages in the order of the source.

        These are link definitions that define no link (`[Note]: tomorrow`), footnotes of one word, and blocks that are
        nested too deeply.
        """
        read = bytearray(len(self._line_starts) + 1)
        for token in tokens:
            if token.map and (token.nesting == 0 or token.type == "heading_open"):
                first, last = token.map
                read[first:last] = b"\1" * (last - first)
        links = [(label, link) for label, link in environment["references"].items() if label not in self._links]
        links += [(each["label"], each) for each in environment.get("duplicate_refs", ())]
        for label, link in links:
            is_address = not link["href"] or _ADDRESS.search(link["href"]) is not None
            if is_address and not label.startswith("^"):
                first, last = link["map"]
                read[first:last] = b"\1" * (last - first)
        passage = Passage("body")
        unread: list[Passage] = []
        for line in range(len(self._line_starts)):
            text = "" if read[line] else self._line(line)
            if any(map(str.isalnum, text)) and not _LIST_NUMBER.fullmatch(text):
                shown = text.lstrip(" \t>")
                self._add(passage, shown, self._start_of(line) + len(text) - len(shown))
            elif passage:
                unread.append(passage)
                passage = Passage("body")
        if passage:
            unread.append(passage)
        if unread:
            self._out = sorted((*self._out, *unread), key=_first_index)

    def _code(self, token: Token) -> None:
        first, last = token.map or (0, 0)
        if token.info.strip().lower() in QUERY_LANGUAGES:
            self.comments.append(token.content)
            self._position = self._start_of(last)
            return
        passage = Passage("code")
        lines = range(first, last)
        if token.type == "fence":
            closed = self._source[self._start_of(last - 1) : self._start_of(last)].strip().lstrip("> ")
            lines = range(first + 1, last - 1 if closed.startswith(token.markup) and last - first > 1 else last)
        for line in lines:
            self._add(passage, self._line(line), self._start_of(line))
        self._position = self._start_of(last)
        if passage:
            self._out.append(passage)

    def _html(self, token: Token) -> None:
        first, last = token.map or (0, 0)
        start, stop = self._start_of(first), self._start_of(last)
        # Blanks of the same length keep the places of the rest.
        shown = _blank_markup(self._source[start:stop], self.comments)
        passage = Passage("body")
        self._add(passage, shown, start)
        self._position = stop
        if passage:
            self._out.append(passage)

    def _add_cell(self, token: Token, row: Passage) -> None:
        if row:
            row.add_blank()
        lines = self._lines(token)
        pieces = [piece for line, _ in lines for piece in line]
        self._add_mapped(row, pieces, [index for _, places in lines for index in places])

    def _paragraphs(self, token: Token, kind: SpanKind) -> Iterator[Passage]:
        """Yield the paragraphs of a block: one, but for lines that stand for themselves."""
        waiting: list[tuple[list[str], list[int]]] = [([], [])]
        for line, places in self._lines(token):
            stands_alone = OWN_LINE in line
            if stands_alone:
                waiting.append(([], []))
            waiting[-1][0].extend(line)
            waiting[-1][1].extend(places)
            if stands_alone:
                waiting.append(([], []))
        for pieces, indices in waiting:
            passage = Passage(kind)
            self._add_mapped(passage, pieces, indices)
            if passage:
                yield passage

    def _lines(self, token: Token) -> list[tuple[list[str], array[int]]]:
        """Return the characters of each line of a block, with their places in the source."""
        first, last = token.map or (0, 0)
        self._position = max(self._position, self._start_of(first))
        end = self._start_of(last)
        pieces: list[str] = []
        indices = array("i")
        lines = [(pieces, indices)]
        for child in token.children or ():
            match child.type:
                case "text" | "code_inline" | "image" | "text_special" | "html_inline":
                    shown = child.content
                    if child.type == "html_inline" and not _blank_markup(shown, self.comments).strip():
                        continue
                    for char, index in zip(shown, self._find(shown, end), strict=True):
                        pieces.append("<" if char == _LESS and self._source[index] == "<" else char)
                        indices.append(index)
                case "softbreak" | "hardbreak":
                    pieces.append(" ")
                    indices.append(min(self._position, len(self._text) - 1))
                    pieces, indices = [], array("i")
                    lines.append((pieces, indices))
                case "link_close" if child.markup != "autolink":
                    self._skip_target(end)
        return lines

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
        text, indices = clean_stretch(source, start)
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
