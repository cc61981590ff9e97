"""EPUB (2 and 3) to events: container, package, spine; each chapter file is a page, read as a web page."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from desktop_app.core.errors import FileFailure
from desktop_app.core.messages import Message
from desktop_app.core.pages import OutlineEntry
from desktop_app.core.reader_events import DocumentHead, PageRead, ReadingDone
from desktop_app.text.cleaning import clean_character
from desktop_app.text.passages import clean_stretch, split_into_sentences
from desktop_app.text.readers import web_page
from desktop_app.text.readers.passage_collector import PassageCollector, character_unit, guess_passage_language
from desktop_app.text.readers.reader_steps import batch_sentences
from desktop_app.text.readers.xml_events import iter_xml_events
from desktop_app.text.readers.zip_package import ZipPackage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_app.text.readers.reader_steps import FileFacts, Step

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_FONT_OBFUSCATION = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Algorithms that obfuscate fonts (EPUB Open Container Format 3.3, 4.4); all others lock the text."""
_CHAPTER_BYTES = 100_000_000
_MAX_CHAPTERS = 5_000
_MAX_TITLE = 500
_PAGES = ("application/xhtml+xml", "text/html")


@dataclass(slots=True)
class _EpubBook:
    """The contents of the package document.

    Attributes:
        chapters: names of the chapter files in reading order.
        contents: names of files with the table of contents: the navigation document, the NCX.
    """

    title: str = ""
    author: str = ""
    chapters: list[str] = field(default_factory=list)
    contents: tuple[str, str] = ("", "")


def read(path: Path, facts: FileFacts) -> Iterator[Step]:
    """Read an EPUB file.

    Raises:
        FileFailure: the file is locked, damaged, a decompression bomb, or has no text.
    """
    with ZipPackage(path) as package:
        _refuse_encrypted(package)
        book = _read_book(package)
        if not book.chapters:
            raise FileFailure("damaged", "The book has no chapters")
        collector = PassageCollector()
        damaged = []
        for number, name in enumerate(book.chapters, 1):
            collector.begin_page(number)
            try:
                data = package.read(name, _CHAPTER_BYTES)
                web_page.collect_page_text(collector, LexborHTMLParser(web_page.decode_page(data).text))
            except FileFailure as failure:
                if failure.reason == "too_large":
                    raise
                damaged.append(number)
            if number == 1:
                outline = _read_outline(package, book)
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
    for batch in batch_sentences(
        split_into_sentences(collector.passages, guess_passage_language(collector.passages), character_unit)
    ):
        found += len(batch.spans)
        yield batch
    if not found:
        raise FileFailure("no_text", "The book has no text")
    missing = Message(
        "Chapters that are damaged and could not be read: {chapters}",
        code="chapters_damaged",
        chapters=", ".join(map(str, damaged)),
    )
    yield ReadingDone((missing,) if damaged else ())


def _refuse_encrypted(package: ZipPackage) -> None:
    if _ENCRYPTION not in package:
        return
    for event in iter_xml_events(package.chunks(_ENCRYPTION)):
        if event.kind == "start" and event.name == "EncryptionMethod":
            algorithm = event.attributes.get("Algorithm", "")
            if algorithm not in _FONT_OBFUSCATION:
                raise FileFailure("locked", "The book is copy-protected (DRM)")


def _read_book(package: ZipPackage) -> _EpubBook:
    opf = ""
    for event in iter_xml_events(package.chunks(_CONTAINER)):
        if event.kind == "start" and event.name == "rootfile":
            opf = opf or event.attributes.get("full-path", "")
    book = _EpubBook()
    files: dict[str, tuple[str, str]] = {}
    spine: list[str] = []
    ncx_id, nav, ncx, meta = "", "", "", ""
    for event in iter_xml_events(package.chunks(opf)):
        attributes = event.attributes
        if event.kind == "start":
            meta = event.name if event.name in ("title", "creator") else ""
            if event.name == "item":
                name = _resolve_reference(opf, attributes.get("href", ""))
                files[attributes.get("id", "")] = (name, attributes.get("media-type", ""))
                if "nav" in attributes.get("properties", "").split():
                    nav = name
            elif event.name == "spine":
                ncx_id = attributes.get("toc", "")
            elif event.name == "itemref":
                spine.append(attributes.get("idref", ""))
        elif event.kind == "text" and meta == "title" and not book.title:
            book.title = _to_line(event.name)
        elif event.kind == "text" and meta == "creator" and _to_line(event.name):
            book.author = f"{book.author}, {_to_line(event.name)}".removeprefix(", ")[:_MAX_TITLE]
    known = [files[each] for each in spine if each in files]
    book.chapters = [name for name, kind in known if kind in _PAGES and name in package][:_MAX_CHAPTERS]
    ncx = files[ncx_id][0] if ncx_id in files else ""
    book.contents = (nav, ncx)
    return book


def _resolve_reference(base: str, href: str) -> str:
    """Return the name of the member that a reference points to; one that leads out of the book matches no member."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), unquote(href.partition("#")[0])))


def _to_line(text: str) -> str:
    return clean_stretch(text, 0, clean_character)[0][:_MAX_TITLE]


def _read_outline(package: ZipPackage, book: _EpubBook) -> tuple[OutlineEntry, ...]:
    """Return the table of contents with chapter numbers; nothing if there is none that can be read."""
    page_of = {name: number for number, name in reversed(list(enumerate(book.chapters, 1)))}
    nav, ncx = book.contents
    for name, read_entries in ((nav, _iter_nav_entries), (ncx, _iter_ncx_entries)):
        if name in package:
            try:
                entries = list(read_entries(package, name))
            except FileFailure:
                continue
            outline = [
                OutlineEntry(title, page_of[_resolve_reference(name, href)], level)
                for title, href, level in entries
                if title and _resolve_reference(name, href) in page_of
            ]
            if outline:
                return tuple(outline)
    return ()


def _iter_nav_entries(package: ZipPackage, name: str) -> Iterator[tuple[str, str, int]]:
    """Yield title, reference and level of each entry of a navigation document (EPUB 3.3, 7)."""
    page = LexborHTMLParser(web_page.decode_page(package.read(name, _CHAPTER_BYTES)).text)
    navs = page.css("nav")
    contents = next((nav for nav in navs if nav.attributes.get("epub:type") == "toc"), navs[0] if navs else None)
    for link in contents.css("li a[href]") if contents is not None else ():
        level, above = -1, link.parent
        while above is not None and above.tag != "nav":
            level += above.tag == "ol"
            above = above.parent
        yield _to_line(link.text()), link.attributes.get("href") or "", max(level, 0)


def _iter_ncx_entries(package: ZipPackage, name: str) -> Iterator[tuple[str, str, int]]:
    """Yield title, reference and level of each entry of an NCX (DAISY, ANSI/NISO Z39.86)."""
    level, title = -1, ""
    in_map = in_text = False
    for event in iter_xml_events(package.chunks(name, _CHAPTER_BYTES)):
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
                yield _to_line(title), event.attributes.get("src", ""), max(level, 0)
