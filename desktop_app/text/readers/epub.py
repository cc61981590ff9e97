"""EPUB (2 and 3) -> events: container -> package -> spine; each chapter's file is a page, read as a web page."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from desktop_app.core.errors import FileFailure
from desktop_app.core.reading import DocumentHead, OutlineEntry, PageRead, ReadingDone
from desktop_app.text.cleaning import kept
from desktop_app.text.passages import clean, sentences
from desktop_app.text.readers import web_page
from desktop_app.text.readers.events import batched
from desktop_app.text.readers.flow import Flow, language_of, unit
from desktop_app.text.readers.package import Package
from desktop_app.text.readers.xml_events import events_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_app.text.readers.events import FileFacts, Step

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_FONT_HIDING = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Ways to veil fonts (EPUB Open Container Format 3.3, 4.4); all others keep the text under lock."""
_CHAPTER_BYTES = 100_000_000
_MOST_CHAPTERS = 5_000
_MAX_TITLE = 500
_PAGES = ("application/xhtml+xml", "text/html")


@dataclass(slots=True)
class _Book:
    """What the package document tells.

    Attributes:
        chapters: names of the chapters' files in reading order.
        contents: names of files with the table of contents: the navigation document, the NCX.
    """

    title: str = ""
    author: str = ""
    chapters: list[str] = field(default_factory=list)
    contents: tuple[str, str] = ("", "")


def read(path: Path, facts: FileFacts) -> Iterator[Step]:
    """Read an EPUB file.

    Raises:
        FileFailure: it is locked, damaged, refused as a bomb, or has no text.
    """
    with Package(path) as package:
        _refuse_locked(package)
        book = _book(package)
        if not book.chapters:
            raise FileFailure("damaged", "The book has no chapters")
        flow = Flow()
        damaged = []
        for number, name in enumerate(book.chapters, 1):
            flow.begin_page(number)
            try:
                data = package.read(name, _CHAPTER_BYTES)
                web_page.fill(flow, LexborHTMLParser(web_page.decode_page(data).text))
            except FileFailure as failure:
                if failure.reason == "too_large":
                    raise
                damaged.append(number)
            if number == 1:
                outline = _outline(package, book)
                yield DocumentHead(
                    "epub",
                    facts.content_hash,
                    facts.size_bytes,
                    book.title,
                    book.author,
                    page_count=len(book.chapters),
                    outline=outline,
                )
            yield PageRead(number, len(book.chapters))
    found = 0
    for batch in batched(sentences(flow.passages, language_of(flow.passages), unit)):
        found += len(batch.spans)
        yield batch
    if not found:
        raise FileFailure("no_text", "The book has no text")
    missing = ", ".join(map(str, damaged))
    yield ReadingDone((f"Chapters that are damaged and could not be read: {missing}",) if damaged else ())


def _refuse_locked(package: Package) -> None:
    if _ENCRYPTION not in package:
        return
    for event in events_of(package.chunks(_ENCRYPTION)):
        if event.kind == "start" and event.name == "EncryptionMethod":
            algorithm = event.attributes.get("Algorithm", "")
            if algorithm not in _FONT_HIDING:
                raise FileFailure("locked", "The book is under the lock of its shop (DRM)")


def _book(package: Package) -> _Book:
    opf = ""
    for event in events_of(package.chunks(_CONTAINER)):
        if event.kind == "start" and event.name == "rootfile":
            opf = opf or event.attributes.get("full-path", "")
    book = _Book()
    files: dict[str, tuple[str, str]] = {}
    spine: list[str] = []
    ncx_id, nav, ncx, meta = "", "", "", ""
    for event in events_of(package.chunks(opf)):
        attributes = event.attributes
        if event.kind == "start":
            meta = event.name if event.name in ("title", "creator") else ""
            if event.name == "item":
                name = _below(opf, attributes.get("href", ""))
                files[attributes.get("id", "")] = (name, attributes.get("media-type", ""))
                if "nav" in attributes.get("properties", "").split():
                    nav = name
            elif event.name == "spine":
                ncx_id = attributes.get("toc", "")
            elif event.name == "itemref":
                spine.append(attributes.get("idref", ""))
        elif event.kind == "text" and meta == "title" and not book.title:
            book.title = _line(event.name)
        elif event.kind == "text" and meta == "creator" and _line(event.name):
            book.author = f"{book.author}, {_line(event.name)}".removeprefix(", ")[:_MAX_TITLE]
    known = [files[each] for each in spine if each in files]
    book.chapters = [name for name, kind in known if kind in _PAGES and name in package][:_MOST_CHAPTERS]
    ncx = files[ncx_id][0] if ncx_id in files else ""
    book.contents = (nav, ncx)
    return book


def _below(base: str, href: str) -> str:
    """Return the name of a member that a reference means; one that leads out of the book is no member's."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), unquote(href.partition("#")[0])))


def _line(text: str) -> str:
    return clean(text, 0, kept)[0][:_MAX_TITLE]


def _outline(package: Package, book: _Book) -> tuple[OutlineEntry, ...]:
    """Return the table of contents with the numbers of chapters; nothing where there is none that can be read."""
    page_of = {name: number for number, name in reversed(list(enumerate(book.chapters, 1)))}
    nav, ncx = book.contents
    for name, read_entries in ((nav, _nav_entries), (ncx, _ncx_entries)):
        if name in package:
            try:
                entries = list(read_entries(package, name))
            except FileFailure:
                continue
            outline = [
                OutlineEntry(title, page_of[_below(name, href)], level)
                for title, href, level in entries
                if title and _below(name, href) in page_of
            ]
            if outline:
                return tuple(outline)
    return ()


def _nav_entries(package: Package, name: str) -> Iterator[tuple[str, str, int]]:
    """Yield title, reference and level of the entries of a navigation document (EPUB 3.3, 7)."""
    page = LexborHTMLParser(web_page.decode_page(package.read(name, _CHAPTER_BYTES)).text)
    navs = page.css("nav")
    contents = next((nav for nav in navs if nav.attributes.get("epub:type") == "toc"), navs[0] if navs else None)
    for link in contents.css("li a[href]") if contents is not None else ():
        level, above = -1, link.parent
        while above is not None and above.tag != "nav":
            level += above.tag == "ol"
            above = above.parent
        yield _line(link.text()), link.attributes.get("href") or "", max(level, 0)


def _ncx_entries(package: Package, name: str) -> Iterator[tuple[str, str, int]]:
    """Yield title, reference and level of the entries of an NCX (DAISY, ANSI/NISO Z39.86)."""
    level, title = -1, ""
    in_map = in_text = False
    for event in events_of(package.chunks(name, _CHAPTER_BYTES)):
        starts = event.kind == "start"
        if event.kind == "text":
            title += event.name if in_map and in_text else ""
            continue
        match event.name:
            case "navMap":
                in_map = starts
            case "navPoint":
                level += 1 if starts else -1
                title = ""
            case "text":
                in_text = starts
            case "content" if starts and in_map:
                yield _line(title), event.attributes.get("src", ""), max(level, 0)
