"""HTML to events: the text that a browser without scripts shows, without navigation.

Left out on purpose: scripts, styles, navigation (`nav` that has more links than other text), content that is hidden,
the fallbacks of sound and film, the readings of ruby text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from desktop_app.core.bibliography import Reference, find_doi, to_family_first
from desktop_app.core.document_dates import read_written_date
from desktop_app.core.reader_events import DocumentHead
from desktop_app.text.cleaning import raise_numbers
from desktop_app.text.decoding import DecodedText, decode, decode_strictly
from desktop_app.text.passages import clean_stretch
from desktop_app.text.readers.passage_collector import PassageCollector
from desktop_app.text.readers.reader_steps import MAX_TITLE, Heartbeat, read_without_pages
from desktop_app.text.readers.saved_page import unpack_saved_page
from desktop_app.text.readers.xhtml import convert_xhtml, is_xhtml, limit_depth, repair_html

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from selectolax.lexbor import LexborNode

    from desktop_app.core.reader_events import OmissionKind
    from desktop_app.text.readers.passage_collector import CollectorMark
    from desktop_app.text.readers.reader_steps import Step

_DROPPED = frozenset(
    {"script", "style", "head", "title", "audio", "video", "canvas", "embed", "datalist", "rt", "rp", "rtc"}
    | {"annotation", "annotation-xml", "defs", "desc", "metadata"}
)
_OMITTED: dict[str, OmissionKind] = {
    "audio": "alternative",
    "video": "alternative",
    "canvas": "alternative",
    "datalist": "alternative",
    "annotation": "alternative",
    "desc": "alternative",
    "rt": "reading",
    "rtc": "reading",
}
_DOCUMENTS = frozenset({"iframe", "noframes", "template"})
"""Elements that may contain a document of their own."""
_MAX_DOCUMENTS = 8
_CONTROLS = frozenset({"button", "select", "a"})
_VERBATIM = frozenset({"pre", "xmp", "listing", "plaintext"})
_INPUTS_WITHOUT_TEXT = frozenset({"hidden", "password", "checkbox", "radio", "file", "color", "range", "image"})
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir", "div"}
    | {"dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header"}
    | {"frameset", "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "object", "ol", "optgroup", "option"}
    | {"p", "search", "section", "select", "summary", "table", "tbody", "text", "textarea", "tfoot"}
    | {"thead", "tr", "ul"}
    | _VERBATIM
)
_BLOCK_DISPLAYS = ("block", "flex", "grid", "table", "list-item", "flow-root", "table-row")
_CELLS = frozenset({"td", "th"})
_HEADINGS = {f"h{level}": level - 1 for level in range(1, 7)}
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
_SAVED = re.compile(rb"(?:from|mime-version|content-type|subject|date|snapshot-content-location):", re.IGNORECASE)
"""The start of a page that was saved with its pictures."""
_PIECES_BEFORE = 4
"""Pieces of text in which the word before a raised number is looked for."""
_MIN_PROSE = 40
"""Letters outside of links from which a `nav` may wrap an article."""
_NODES_PER_HEARTBEAT = 1000
_CITED_KINDS = (("conference_title", "paper-conference"), ("inbook_title", "chapter"))
_DATE_NAMES = (
    *("article:published_time", "datepublished", "citation_publication_date", "citation_date"),
    *("dcterms.created", "dcterms.date", "dc.date", "dc.date.created", "date"),
)
"""Names of `meta` elements with the date of publication, the most specific first."""


def read(path: Path, content_hash: str) -> Iterator[Step]:
    """Read a web page, or one that a browser saved with its pictures (MHTML).

    Raises:
        FileFailure: the file is binary, damaged, or has no text.
    """
    data, charset, address = path.read_bytes(), "", ""
    if _SAVED.match(data):
        data, charset, address = yield from unpack_saved_page(data)
    page, decoded = parse_page(data, charset=charset)
    collector = PassageCollector()
    yield from collect_page_text(collector, page)
    reference = _read_reference(page)
    title = read_title(page) or next((entry.title for entry in collector.headings), "")
    head = DocumentHead(
        "html",
        content_hash,
        title,
        _read_author(page),
        outline=tuple(collector.headings),
        encoding=decoded.encoding,
        dated=_read_date(page),
        reference=reference if reference.url else replace(reference, url=address),
    )
    yield from read_without_pages(head, collector.spans(), decoded.warning, omitted=collector.omitted)


def parse_page(data: bytes, *, charset: str = "", is_xml: bool = False) -> tuple[LexborHTMLParser, DecodedText]:
    """Parse a page; as XML first if it says so, or if it is known to be XML.

    Args:
        data: the page.
        charset: the encoding that came with the page (in the header of a mail); empty if none did.
        is_xml: whether it is known to be XML.

    Raises:
        FileFailure: `unsupported`: these bytes are not text.
    """
    decoded = (decode_strictly(data, charset) if charset else None) or _decode_page(data)
    convert = convert_xhtml if is_xml or is_xhtml(decoded.text) else repair_html
    return LexborHTMLParser(limit_depth(convert(decoded.text))), decoded


def _decode_page(data: bytes) -> DecodedText:
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
    return clean_stretch(node.text())[0][:MAX_TITLE] if node is not None else ""


def _read_reference(page: LexborHTMLParser) -> Reference:
    """Return what the page says of a publication, as papers on the web do for search engines (`citation_*`)."""
    found: dict[str, list[str]] = {}
    for node in page.css('meta[name^="citation_" i]'):
        value = clean_stretch(node.attributes.get("content") or "")[0][:MAX_TITLE]
        if value:
            found.setdefault((node.attributes.get("name") or "").lower().removeprefix("citation_"), []).append(value)

    def first(*names: str) -> str:
        return next((found[name][0] for name in names if name in found), "")

    container = first("journal_title", "conference_title", "inbook_title")
    kind = "webpage"
    if container:
        kind = next((kind for name, kind in _CITED_KINDS if name in found), "article-journal")
    address = page.css_first('link[rel="canonical" i]')
    return Reference(
        kind=kind,
        authors=tuple(map(to_family_first, found.get("author", []))),
        date=read_written_date(first("publication_date", "date", "year")),
        container=container,
        volume=first("volume"),
        issue=first("issue"),
        pages="-".join(filter(None, (first("firstpage"), first("lastpage")))),
        publisher=first("publisher"),
        doi=find_doi(first("doi")),
        isbn=first("isbn"),
        url=((address.attributes.get("href") or "") if address is not None else "")[:MAX_TITLE],
        language=first("language"),
    )


def _read_author(page: LexborHTMLParser) -> str:
    node = page.css_first('meta[name="author" i]')
    content = node.attributes.get("content") if node is not None else None
    return clean_stretch(content or "")[0][:MAX_TITLE]


def _read_date(page: LexborHTMLParser) -> str:
    """Return the date of publication that a page states; empty without one."""
    stated: dict[str, str] = {}
    for node in page.css("meta[content]"):
        for key in ("property", "name", "itemprop"):
            stated.setdefault((node.attributes.get(key) or "").lower(), node.attributes.get("content") or "")
    return next(filter(None, (read_written_date(stated[name]) for name in _DATE_NAMES if name in stated)), "")


def collect_page_text(collector: PassageCollector, page: LexborHTMLParser) -> Iterator[Heartbeat]:
    """Add a page's text to a collector; yield on the way."""
    top = page.body or page.root
    if top is not None:
        yield from _HtmlWalker(collector).through(top)


@dataclass(slots=True)
class _Navigation:
    """A `nav` that is being read: the state before it, and the letters in it, in links and elsewhere."""

    before: CollectorMark
    linked: int = 0
    other: int = 0


class _HtmlWalker:
    """Walks through the tree without recursion: pages may be nested to any depth."""

    def __init__(self, collector: PassageCollector, documents: int = 0, *, shows_hidden: bool = False) -> None:
        self._flow = collector
        self._documents = documents
        self._shows_hidden = shows_hidden
        self._pieces: list[str] = []
        self._raised = -1  # the first piece of an open superscript
        self._level: int | None = None
        self._lists = self._rows = self._verbatim = self._controls = self._drawings = self._labels = 0
        self._unseen = self._fields = 0
        self._styled: list[int] = []
        self._visibility: list[tuple[int, bool]] = [(-1, True)]
        self._navigation: list[_Navigation] = []

    def through(self, top: LexborNode) -> Iterator[Heartbeat]:
        node: LexborNode | None = top
        depth = nodes = 0
        while node is not None:
            nodes += 1
            if nodes % _NODES_PER_HEARTBEAT == 0:
                yield Heartbeat()
            shown = self._enter(node, depth)
            below = node.child if shown else None
            if below is not None:
                node, depth = below, depth + 1
                continue
            if shown:
                self._leave(node, depth)
            while depth and node is not None and node.next is None:
                node, depth = node.parent, depth - 1
                if node is not None:
                    self._leave(node, depth)
            node = node.next if depth and node is not None else None
        self._flush()

    def _enter(self, node: LexborNode, depth: int) -> bool:
        """Process a node; return whether its children are shown."""
        tag = node.tag or ""
        if tag == "-text":
            self._add_text(node.text_content or "")
            return False
        if tag in _DROPPED or tag.startswith("-"):
            if tag in _OMITTED:
                self._flow.omit(_OMITTED[tag], node.text(separator=" "))
            return False
        attributes = node.attributes
        style = _read_style(attributes)
        if not self._shows_hidden and _is_hidden(attributes, style):
            self._omit_hidden(node)
            return False
        if tag in _DOCUMENTS:
            self._enter_document(tag, node)
            return False
        if "visibility" in style:
            self._visibility.append((depth, style["visibility"] not in ("hidden", "collapse")))
        if style.get("display") in _BLOCK_DISPLAYS:
            self._styled.append(depth)
            self._flush()
        if tag in _BLOCKS:
            self._flush()
            self._level = _HEADINGS.get(tag, self._level)
        elif tag in _CELLS:
            self._pieces.append(_CELL_END)
        elif tag == "br":
            self._pieces.append("\n")
        elif tag == "sup":
            self._raised = len(self._pieces)
        elif tag in ("button", "tspan"):
            self._pieces.append(" ")
        elif tag in ("img", "input"):
            self._add_value(tag, attributes)
        if tag == "nav":
            self._navigation.append(_Navigation(self._flow.mark()))
        self._count(tag, 1)
        return True

    def _leave(self, node: LexborNode, depth: int) -> None:
        tag = node.tag or ""
        if self._styled and self._styled[-1] == depth:
            self._styled.pop()
            self._flush()
        if tag in _BLOCKS:
            self._flush()
            if tag in _HEADINGS:
                self._level = None
        elif tag == "button":
            self._pieces.append(" ")
        elif tag == "sup" and 0 <= self._raised <= len(self._pieces):
            before = "".join(self._pieces[max(self._raised - _PIECES_BEFORE, 0) : self._raised])
            self._pieces[self._raised :] = [raise_numbers(before, "".join(self._pieces[self._raised :]))]
            self._raised = -1
        self._count(tag, -1)
        if tag == "nav":
            self._leave_navigation()
        if self._visibility[-1][0] == depth:
            self._visibility.pop()

    def _leave_navigation(self) -> None:
        """Drop the text of a `nav` that leads elsewhere; keep the text of one that wraps an article."""
        nav = self._navigation.pop()
        if nav.other <= nav.linked or (nav.linked and nav.other < _MIN_PROSE):
            self._flow.rewind(nav.before, "navigation")
        elif self._navigation:
            self._navigation[-1].linked += nav.linked
            self._navigation[-1].other += nav.other

    def _omit_hidden(self, node: LexborNode) -> None:
        hidden = PassageCollector()
        for _ in _HtmlWalker(hidden, _MAX_DOCUMENTS, shows_hidden=True).through(node):
            pass
        for text in hidden.texts:
            self._flow.omit("hidden", text)

    def _enter_document(self, tag: str, node: LexborNode) -> None:
        """Read a document inside the page: old frames, `srcdoc`, the shadow tree of a saved page."""
        source = ""
        if tag == "iframe":
            source = node.attributes.get("srcdoc") or ""
        elif tag == "noframes":
            source = node.text()
        else:
            source = (node.html or "").partition(">")[2]
            if "shadowrootmode" not in node.attributes:
                # Scripts make something of it, or nothing.
                unused = LexborHTMLParser(limit_depth(source)).body
                self._flow.omit("hidden", unused.text(separator=" ") if unused is not None else "")
                return
        if source and self._documents < _MAX_DOCUMENTS:
            self._flush()
            top = LexborHTMLParser(limit_depth(source)).body
            if top is not None:
                for _ in _HtmlWalker(self._flow, self._documents + 1).through(top):
                    pass  # it is as long as an attribute

    def _count(self, tag: str, by: int) -> None:
        if tag == "li":
            self._lists += by
        elif tag == "tr":
            self._rows += by
        elif tag in _VERBATIM:
            self._verbatim += by
        elif tag == "textarea":
            self._fields += by
        elif tag in _CONTROLS:
            self._controls += by
        elif tag == "svg":
            self._drawings += by
        elif tag in ("text", "foreignObject"):
            self._labels += by
        elif tag == "noscript":
            self._unseen += by

    def _add_text(self, text: str) -> None:
        if self._drawings and not self._labels:
            return
        if not self._visibility[-1][1] and not self._shows_hidden:
            self._flow.omit("hidden", text)
            return
        text = text.replace(_CELL_END, "")
        self._pieces.append(text if self._verbatim or self._fields else _WHITE_SPACE.sub(" ", text))
        if self._navigation:
            nav = self._navigation[-1]
            length = len(text.strip())
            if self._controls:
                nav.linked += length
            else:
                nav.other += length

    def _add_value(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        """Add the description of a picture, or what stands in a field of a form."""
        if tag == "input" and (attributes.get("type") or "").lower() in _INPUTS_WITHOUT_TEXT:
            return
        # What `noscript` shows of a picture is the same picture without a script.
        text = (attributes.get("value" if tag == "input" else "alt") or "") if not self._unseen else ""
        if text.strip():
            self._add_text(f" {text} ")

    def _flush(self) -> None:
        text = "".join(self._pieces)
        self._pieces.clear()
        self._raised = -1
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


def _read_style(attributes: Mapping[str, str | None]) -> dict[str, str]:
    """Return `display` and `visibility` of an element's own style, where it sets them."""
    style = (attributes.get("style") or "").lower()
    if "display" not in style and "visibility" not in style:
        return {}
    found: dict[str, str] = {}
    for declaration in style.split(";"):
        name, _, value = declaration.partition(":")
        if name.strip() in ("display", "visibility"):
            found[name.strip()] = value.partition("!")[0].strip()
    return found


def _is_hidden(attributes: Mapping[str, str | None], style: Mapping[str, str]) -> bool:
    """Return whether an element and all that is in it is hidden."""
    display = style.get("display", "")
    if display or "hidden" not in attributes:
        return display == "none"
    return (attributes["hidden"] or "").lower() != "until-found"
