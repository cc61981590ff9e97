"""EPUB (2 and 3) to events: container, package, spine; each chapter file is a page, read as a web page."""

from __future__ import annotations

import contextlib
import posixpath
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from unicodedata import normalize
from urllib.parse import unquote

from desktop_app.core.bibliography import Reference, find_doi, to_family_first
from desktop_app.core.document_dates import read_written_date
from desktop_app.core.errors import FileFailure
from desktop_app.core.messages import Message
from desktop_app.core.pages import OutlineEntry
from desktop_app.core.reader_events import DocumentHead, PageRead, ReadingDone
from desktop_app.text.passages import clean_stretch
from desktop_app.text.readers import web_page
from desktop_app.text.readers.passage_collector import PassageCollector
from desktop_app.text.readers.reader_steps import MAX_TITLE, SpanBatches
from desktop_app.text.readers.xml_events import iter_xml_events
from desktop_app.text.readers.zip_package import ZipPackage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from desktop_app.text.readers.reader_steps import Step
    from desktop_app.text.readers.xml_events import XmlEvent

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_FONT_OBFUSCATION = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Algorithms that obfuscate fonts (EPUB Open Container Format 3.3, 4.4); all others lock the text."""
_CHAPTER_BYTES = 100_000_000
_MAX_CHAPTERS = 5_000
_METADATA = ("title", "creator", "date", "publisher", "language", "identifier")
_ISBN = re.compile(r"\b97[89][\d-]{10,14}\b")
_PAGES = ("application/xhtml+xml", "text/html", "text/x-oeb1-document", "application/x-dtbook+xml", "image/svg+xml")
_PAGE_SUFFIXES = (".xhtml", ".html", ".htm", ".xml", ".svg")
"""For items whose media type is none of a page: some programs write `text/xml` or nothing."""
_MAX_FALLBACKS = 10
_MAX_NAMES = 5


@dataclass(slots=True)
class _EpubBook:
    """The contents of the package document.

    Attributes:
        chapters: names of the chapter files in reading order.
        missing: names of chapters, as the book gives them, for which there is no file.
        contents: names of files with the table of contents: the navigation document, the NCX.
        is_damaged: whether the package document is damaged, and pages that it does not name are chapters too.
    """

    title: str = ""
    author: str = ""
    dated: str = ""
    publisher: str = ""
    language: str = ""
    authors: list[str] = field(default_factory=list)
    identifiers: list[str] = field(default_factory=list)
    chapters: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    contents: tuple[str, str] = ("", "")
    is_damaged: bool = False


def read(path: Path, content_hash: str) -> Iterator[Step]:
    """Read an EPUB file.

    Raises:
        FileFailure: the file is locked, damaged, a decompression bomb, or has no text.
    """
    with ZipPackage(path) as package:
        names = _MemberNames(package)
        _refuse_encrypted(package, names)
        book = _read_book(package, names)
        if not book.chapters:
            raise FileFailure("damaged", "The book has no chapters")
        if len(book.chapters) > _MAX_CHAPTERS:
            raise FileFailure(
                "too_large",
                "The book has {count:,} chapters; the limit is {most:,}",
                count=len(book.chapters),
                most=_MAX_CHAPTERS,
            )
        collector = PassageCollector()
        damaged = []
        for number, name in enumerate(book.chapters, 1):
            collector.begin_page(number)
            try:
                page, _ = web_page.parse_page(package.read(name, _CHAPTER_BYTES), is_xml=True)
                yield from web_page.collect_page_text(collector, page)
            except FileFailure as failure:
                if failure.reason == "too_large":
                    raise
                damaged.append(number)
            if number == 1:
                outline = _read_outline(package, names, book)
                yield DocumentHead(
                    "epub",
                    content_hash,
                    book.title,
                    book.author,
                    page_count=len(book.chapters),
                    outline=outline,
                    dated=book.dated,
                    reference=_reference(book),
                )
            yield PageRead(number, len(book.chapters))
    batches = SpanBatches()
    yield from batches.batch(collector.spans())
    if not batches.sentences:
        raise FileFailure("no_text", "The book has no text")
    remarks = (*_remarks(damaged, book), *batches.remarks())
    yield ReadingDone(remarks, omitted=tuple(collector.omitted))


def _reference(book: _EpubBook) -> Reference:
    named = " ".join(book.identifiers)
    isbn = _ISBN.search(named)
    return Reference(
        kind="book",
        authors=tuple(map(to_family_first, book.authors)),
        publisher=book.publisher,
        doi=find_doi(named),
        isbn=isbn[0] if isbn is not None else "",
        language=book.language,
    )


def _remarks(damaged: Sequence[int], book: _EpubBook) -> Iterator[Message]:
    missing = book.missing
    if book.is_damaged:
        yield Message(
            "The book's list of chapters is damaged; its pages were read in the order of their names",
            code="contents_damaged",
        )
    if damaged:
        yield Message(
            "Damaged chapters that could not be read: {chapters}",
            code="chapters_damaged",
            chapters=", ".join(map(str, damaged)),
        )
    if missing:
        names = ", ".join(name[:MAX_TITLE] for name in missing[:_MAX_NAMES])
        yield Message(
            "Chapters that are missing from the file: {names}",
            code="chapters_missing",
            names=f"{names}, …" if len(missing) > _MAX_NAMES else names,
        )


class _MemberNames:
    """Finds the members of a package by names that differ in case, Unicode form or percent-encoding."""

    def __init__(self, package: ZipPackage) -> None:
        self._exact = {info.filename for info in package.members()}
        self._similar: dict[str, str] = {}
        for name in self._exact:
            self._similar.setdefault(_fold_name(name), name)
            with contextlib.suppress(UnicodeError):
                # UTF-8 that the ZIP file does not call so.
                self._similar.setdefault(_fold_name(name.encode("cp437").decode("utf-8")), name)

    def find(self, name: str) -> str:
        """Return the name of the member; empty if there is none."""
        if name in self._exact:
            return name
        return self._similar.get(_fold_name(name), "")

    def resolve(self, base: str, href: str) -> str:
        """Return the name of the member that a reference points to; empty if it leads out of the book."""
        path = href.strip().partition("#")[0].partition("?")[0].replace("\\", "/")
        for name in (path, unquote(path), unquote(path, "latin-1")):
            whole = posixpath.normpath(posixpath.join("/", posixpath.dirname(base), name))[1:].lstrip("/")
            found = self.find(whole) if not _leads_out(base, name) else ""
            if found:
                return found
        return ""


def _fold_name(name: str) -> str:
    return normalize("NFC", unquote(name).replace("\\", "/").removeprefix("/")).casefold()


def _leads_out(base: str, name: str) -> bool:
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), name)).startswith("../")


def _refuse_encrypted(package: ZipPackage, names: _MemberNames) -> None:
    part = names.find(_ENCRYPTION)
    if not part:
        return
    for event in iter_xml_events(package.chunks(part)):
        if event.kind == "start" and event.name == "EncryptionMethod":
            algorithm = event.attributes.get("Algorithm", "")
            if algorithm not in _FONT_OBFUSCATION:
                raise FileFailure("locked", "The book is DRM-protected")


@dataclass(slots=True)
class _EpubItem:
    """A file of the manifest: its reference, its member (empty if missing), its media type, the item to use instead."""

    href: str
    name: str
    media_type: str
    fallback: str

    @property
    def is_page(self) -> bool:
        """Whether it can be read."""
        if self.media_type in _PAGES:
            return True
        is_other = self.media_type.startswith(("image/", "audio/", "video/", "font/"))
        return not is_other and self.href.lower().partition("#")[0].endswith(_PAGE_SUFFIXES)


def _read_book(package: ZipPackage, names: _MemberNames) -> _EpubBook:
    opf = _find_package_document(package, names)
    book = _EpubBook()
    items: dict[str, _EpubItem] = {}
    spine: list[str] = []
    ncx_id, nav, meta = "", "", ""
    for event in _iter_intact_events(package, opf, book):
        attributes = event.attributes
        if event.kind == "start":
            meta = event.name.lower() if event.name.lower() in _METADATA else ""
            if event.name == "item":
                href = attributes.get("href", "")
                name = names.resolve(opf, href)
                media_type = attributes.get("media-type", "").strip().lower()
                items[attributes.get("id", "")] = _EpubItem(href, name, media_type, attributes.get("fallback", ""))
                if "nav" in attributes.get("properties", "").split():
                    nav = name
            elif event.name == "spine":
                ncx_id = attributes.get("toc", "")
            elif event.name == "itemref":
                spine.append(attributes.get("idref", ""))
        elif event.kind == "text" and meta == "date" and not book.dated:
            book.dated = read_written_date(_to_line(event.name))
        elif event.kind == "text" and meta == "title" and not book.title:
            book.title = _to_line(event.name)
        elif event.kind == "text" and meta == "creator" and _to_line(event.name):
            book.author = f"{book.author}, {_to_line(event.name)}".removeprefix(", ")[:MAX_TITLE]
            book.authors.append(_to_line(event.name)[:MAX_TITLE])
        elif event.kind == "text" and meta == "publisher":
            book.publisher = book.publisher or _to_line(event.name)[:MAX_TITLE]
        elif event.kind == "text" and meta == "language":
            book.language = book.language or _to_line(event.name)[:MAX_TITLE]
        elif event.kind == "text" and meta == "identifier":
            book.identifiers.append(_to_line(event.name)[:MAX_TITLE])
    chapters: dict[str, None] = {}
    for each in spine or items:
        page = _find_page(items, each)
        if page is not None and page.name:
            chapters[page.name] = None
        elif page is not None or each not in items:
            book.missing.append(page.href if page is not None else each)
    if book.is_damaged:
        pages = sorted(info.filename for info in package.members() if info.filename.lower().endswith(_PAGE_SUFFIXES))
        chapters |= dict.fromkeys(name for name in pages if not name.startswith("META-INF/"))
        book.missing.clear()
    book.chapters = list(chapters)
    ncx = items[ncx_id].name if ncx_id in items else ""
    book.contents = (nav, ncx)
    return book


def _find_package_document(package: ZipPackage, names: _MemberNames) -> str:
    """Return the name of the package document: the one that the container names, or, if it is damaged, the first.

    Raises:
        FileFailure: there is none.
    """
    named = ""
    try:
        for event in iter_xml_events(package.chunks(names.find(_CONTAINER) or _CONTAINER)):
            if event.kind == "start" and event.name == "rootfile":
                named = named or event.attributes.get("full-path", "")
    except FileFailure as failure:
        found = sorted(info.filename for info in package.members() if info.filename.lower().endswith(".opf"))
        if failure.reason != "damaged" or not (named or found):
            raise
        named = named or found[0]
    return names.resolve("", named) or named


def _iter_intact_events(package: ZipPackage, name: str, book: _EpubBook) -> Iterator[XmlEvent]:
    """Yield the events of the package document as far as it is intact, and note whether it is damaged."""
    try:
        yield from iter_xml_events(package.chunks(name))
    except FileFailure as failure:
        if failure.reason != "damaged":
            raise
        book.is_damaged = True


def _find_page(items: Mapping[str, _EpubItem], item_id: str) -> _EpubItem | None:
    """Return an item of the spine, or the page that stands for it in readers that do not know its format."""
    item = items.get(item_id)
    for _ in range(_MAX_FALLBACKS):
        if item is None or item.is_page:
            return item
        item = items.get(item.fallback)
    return None


def _to_line(text: str) -> str:
    return clean_stretch(text)[0][:MAX_TITLE]


def _read_outline(package: ZipPackage, names: _MemberNames, book: _EpubBook) -> tuple[OutlineEntry, ...]:
    """Return the table of contents with chapter numbers; nothing if there is none that can be read."""
    page_of = {name: number for number, name in reversed(list(enumerate(book.chapters, 1)))}
    nav, ncx = book.contents
    for name, read_entries in ((nav, _iter_nav_entries), (ncx, _iter_ncx_entries)):
        if name:
            try:
                entries = list(read_entries(package, name))
            except FileFailure:
                continue
            outline = [
                OutlineEntry(title, page_of[target], level)
                for title, href, level in entries
                if title and (target := names.resolve(name, href)) in page_of
            ]
            if outline:
                return tuple(outline)
    return ()


def _iter_nav_entries(package: ZipPackage, name: str) -> Iterator[tuple[str, str, int]]:
    """Yield title, reference and level of each entry of a navigation document (EPUB 3.3, 7)."""
    page, _ = web_page.parse_page(package.read(name, _CHAPTER_BYTES), is_xml=True)
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
