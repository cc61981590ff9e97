"""HTML to events: the text that a browser shows, without navigation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from desktop_app.core.reader_events import DocumentHead
from desktop_app.text.cleaning import clean_character
from desktop_app.text.decoding import DecodedText, decode
from desktop_app.text.passages import clean_stretch
from desktop_app.text.readers.passage_collector import PassageCollector
from desktop_app.text.readers.reader_steps import read_without_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selectolax.lexbor import LexborNode

    from desktop_app.text.readers.reader_steps import FileFacts, Step

_DROPPED = frozenset(
    {"script", "style", "nav", "noscript", "template", "head", "svg", "math", "iframe", "object", "embed", "audio"}
    | {"video", "canvas", "map", "button", "select", "input", "textarea", "rt", "rp"}
)
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir", "div"}
    | {"dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header"}
    | {"hgroup", "hr", "html", "legend", "li", "main", "menu", "ol", "p", "pre", "search", "section", "summary"}
    | {"table", "tbody", "tfoot", "thead", "tr", "ul"}
)
_CELLS = frozenset({"td", "th"})
_HEADINGS = {f"h{level}": level - 1 for level in range(1, 7)}
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CHARSET = re.compile(
    rb"""(?:<meta[^>]{0,200}?charset\s*=|<\?xml[^>]{0,100}?encoding\s*=)\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE
)
_BODY = re.compile(rb"<body\b", re.IGNORECASE)
_HEAD_BYTES = 1_000_000
"""Pages may have long scripts before they declare their encoding."""
_BLANK_LINE = re.compile(r"\n\s*\n")
_WHITE_SPACE = re.compile(r"\s+")
_CELL_END = "\x1f"
"""Stands between two cells of a row; texts do not contain it, `clean_character` drops it."""
_MAX_TITLE = 500


def read(path: Path, facts: FileFacts) -> Iterator[Step]:
    """Read a web page.

    Raises:
        FileFailure: the file is binary, or has no text.
    """
    decoded = decode_page(path.read_bytes())
    page = LexborHTMLParser(decoded.text)
    collector = PassageCollector()
    collect_page_text(collector, page)
    title = read_title(page) or next((entry.title for entry in collector.headings), "")
    head = DocumentHead(
        "html",
        facts.content_hash,
        facts.size_bytes,
        title,
        _read_author(page),
        outline=tuple(collector.headings),
        encoding=decoded.encoding,
    )
    return read_without_pages(head, collector.spans(), decoded.warning)


def decode_page(data: bytes) -> DecodedText:
    """Decode a page in the encoding that it declares, if that is correct; else like any text.

    Raises:
        FileFailure: `unsupported`: these bytes are not text.
    """
    body = _BODY.search(data, 0, _HEAD_BYTES)
    named = _CHARSET.search(data, 0, body.start() if body is not None else _HEAD_BYTES)
    return decode(data, named.group(1).decode("ascii", "replace") if named is not None else "")


def read_title(page: LexborHTMLParser) -> str:
    """Return the title of the page as one line; empty if it has none."""
    node = page.css_first("head title")
    return clean_stretch(node.text(), 0, clean_character)[0][:_MAX_TITLE] if node is not None else ""


def _read_author(page: LexborHTMLParser) -> str:
    node = page.css_first('meta[name="author" i]')
    content = node.attributes.get("content") if node is not None else None
    return clean_stretch(content or "", 0, clean_character)[0][:_MAX_TITLE]


def collect_page_text(collector: PassageCollector, page: LexborHTMLParser) -> None:
    """Add a page's text to a collector."""
    if page.body is not None:
        _HtmlWalker(collector).through(page.body)


class _HtmlWalker:
    """Walks through the tree without recursion: pages may be nested to any depth."""

    def __init__(self, collector: PassageCollector) -> None:
        self._flow = collector
        self._pieces: list[str] = []
        self._level: int | None = None
        self._lists = self._rows = self._verbatim = 0

    def through(self, top: LexborNode) -> None:
        node: LexborNode | None = top
        depth = 0
        while node is not None:
            below = node.child if self._enter(node) else None
            if below is not None:
                node, depth = below, depth + 1
                continue
            while node is not None:
                self._leave(node)
                following = node.next if depth else None
                if following is not None:
                    node = following
                    break
                node, depth = (node.parent if depth else None), depth - 1
        self._flush()

    def _enter(self, node: LexborNode) -> bool:
        """Process a node; return whether its children are shown."""
        tag = node.tag or ""
        if tag == "-text":
            self._add_text(node.text_content or "")
            return False
        if tag in _DROPPED or tag.startswith("-") or _is_hidden(node):
            return False
        if tag in _BLOCKS:
            self._flush()
            self._level = _HEADINGS.get(tag, self._level)
            self._count(tag, 1)
        elif tag in _CELLS:
            self._pieces.append(_CELL_END)
        elif tag == "br":
            self._pieces.append("\n")
        return True

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag in _BLOCKS and not _is_hidden(node):
            self._flush()
            if tag in _HEADINGS:
                self._level = None
            self._count(tag, -1)

    def _count(self, tag: str, by: int) -> None:
        if tag == "li":
            self._lists += by
        elif tag == "tr":
            self._rows += by
        elif tag == "pre":
            self._verbatim += by

    def _add_text(self, text: str) -> None:
        text = text.replace(_CELL_END, "")
        self._pieces.append(text if self._verbatim else _WHITE_SPACE.sub(" ", text))

    def _flush(self) -> None:
        text = "".join(self._pieces)
        self._pieces.clear()
        if not text.strip():
            return
        if self._verbatim:
            self._flow.add_lines(text.replace(_CELL_END, " "), "code")
        elif self._level is not None:
            self._flow.add(text, "heading", self._level)
        elif self._rows and _CELL_END in text:
            self._flow.add_row(text.split(_CELL_END))
        else:
            for paragraph in _BLANK_LINE.split(text):
                self._flow.add(paragraph, "list" if self._lists else "body")


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    return bool(attributes) and ("hidden" in attributes or bool(_HIDDEN.search(attributes.get("style") or "")))
