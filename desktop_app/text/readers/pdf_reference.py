"""Finds what a PDF says of its own publication: in its XMP metadata, its properties, and on its first page.

XMP: ISO 16684-1; the properties of journals: PRISM 3.0 (https://www.w3.org/submissions/prism/).
"""

from __future__ import annotations

import mmap
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from desktop_app.core.bibliography import Reference, find_doi, split_authors, to_family_first
from desktop_app.core.document_dates import read_written_date

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from desktop_app.text.readers.pdf_engines import PdfMetadata
    from desktop_app.text.readers.pdf_lines import PageLine

_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_PRISM = re.compile(r"\{http://prismstandard\.org/namespaces/(?:basic|prism)[^}]*\}")
_MAX_XMP = 1_000_000  # bytes
_MAX_PACKETS = 50

_TOP_LINES = 40
_MAX_AUTHOR_LINES = 6
_NAME_WORD = r"(?:[^\W\d_a-z][\w'’.-]*\.?|[^\W\d_]\.)"
_NAME = re.compile(rf"{_NAME_WORD}(?: (?:van|von|de|der|den|del|della|di|da|du|la|le|ten|ter|zu|{_NAME_WORD})){{1,4}}")
_MARKS = re.compile(r"(?<=[^\W\d_.])[\d,]*\d\b|[*∗†‡§¶⋆✉#\u00b9\u00b2\u00b3\u2070-\u209f]+")
_NO_NAME = re.compile(
    r"universit|institut|department|school|college|laborator|centre|center|faculty|academy|hospital|inc\.|ltd|gmbh|"
    r"research|corporation|abstract|introduction|zusammenfassung|journal|proceedings|conference|volume|received|"
    r"fakultät|hochschule|street|avenue|report|draft|version|chapter|contents|january|february|march|april|may \d|june|"
    r"july|august|september|october|november|december",
    re.IGNORECASE,
)
_ABSTRACT = re.compile(r"abstract|summary|zusammenfassung|introduction|einleitung|keywords|1\b", re.IGNORECASE)


def read_pdf_reference(path: Path, about: PdfMetadata, lines: Sequence[PageLine], title: str) -> Reference:
    """Return what a file says of its publication; its title, author and date in the properties are read elsewhere.

    Args:
        path: the file.
        about: its properties.
        lines: of its first page.
        title: of the document, as it stands on the first page.
    """
    found = _read_xmp(path)
    top = "\n".join(line.text for line in lines)
    doi = found.doi or find_doi(about.doi) or find_doi(about.subject) or find_doi(top)
    authors = found.authors
    if not authors and not _NAME.search(about.author):
        authors = find_authors(lines, title)
    kind = "article-journal" if found.container else found.kind
    return Reference(
        kind=kind,
        authors=authors,
        date=found.date,
        container=found.container,
        volume=found.volume,
        issue=found.issue,
        pages=found.pages,
        publisher=found.publisher,
        doi=doi,
        isbn=found.isbn,
        language=found.language,
    )


# The first page


def find_authors(lines: Sequence[PageLine], title: str) -> tuple[str, ...]:
    """Return the names that stand below the title of a paper, as `Family, Given`; nothing unless all look like names.

    Args:
        lines: of the first page, in reading order.
        title: of the document; without it nothing is found.
    """
    wanted = _letters(title)
    start = _skip_title([line.text for line in lines[:_TOP_LINES]], wanted) if wanted else None
    if start is None:
        return ()
    names: list[str] = []
    for line in lines[start : start + _MAX_AUTHOR_LINES]:
        if _ABSTRACT.match(line.text):
            break
        here = list(_split_names(line))
        if not here and names:
            break
        names += here
    return tuple(dict.fromkeys(map(to_family_first, names)))


def _skip_title(texts: Sequence[str], title: str) -> int | None:
    """Return the index of the first line after the title, which may run over several lines; None if it is not there."""
    for first, text in enumerate(texts):
        letters = _letters(text)
        if not letters or not title.startswith(letters):
            continue
        after = first + 1
        while after < len(texts) and title.startswith(letters + (_letters(texts[after]) or "-")):
            letters += _letters(texts[after])
            after += 1
        if len(letters) >= len(title) * 0.8:
            return after
    return None


def _split_names(line: PageLine) -> Iterator[str]:
    """Yield the names in a line; none if anything in it is not a name."""
    text, pieces, at = line.text, [], 0
    for stop in (*(gap.position for gap in line.gaps), len(text)):
        pieces.append(text[at:stop])
        at = stop
    names: list[str] = []
    for piece in pieces:
        plain = " ".join(_MARKS.sub(" ", piece).split()).strip(" ,;.")
        if _NO_NAME.search(plain) or "@" in plain:
            return
        names += [name.strip(" ,") for name in re.split(r",|;|\band\b|\bund\b|&|·|•", plain) if name.strip(" ,")]
    if names and all(_NAME.fullmatch(name) and len(name) <= 60 for name in names):
        yield from names


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


# XMP


def _read_xmp(path: Path) -> Reference:
    """Return the publication in the document's XMP packet, the one that says most: pictures have packets as well."""
    best = Reference()
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            for packet in _find_packets(data):
                found = _parse_packet(packet)
                if len(found.to_json()) > len(best.to_json()):
                    best = found
    except (OSError, ValueError):
        return best
    return best


def _find_packets(data: mmap.mmap) -> Iterator[bytes]:
    at = 0
    for _ in range(_MAX_PACKETS):
        start = data.find(b"<rdf:RDF", at)
        if start < 0:
            return
        stop = data.find(b"</rdf:RDF>", start, start + _MAX_XMP)
        at = stop if stop >= 0 else start + 1
        if stop >= 0:
            yield data[start : stop + len(b"</rdf:RDF>")]


def _parse_packet(packet: bytes) -> Reference:
    try:
        root = ElementTree.fromstring(packet)
    except (ElementTree.ParseError, ValueError, LookupError):
        return Reference()
    texts: dict[str, list[str]] = {}
    for about in root.iterfind(f"{_RDF}Description"):  # not those in others: a packet may nest them without end
        for name, value in about.attrib.items():
            texts.setdefault(_PRISM.sub("prism:", name).replace(_DC, "dc:"), []).append(value)
        for node in about:
            items = [item.text or "" for item in node.iter(f"{_RDF}li")] or [node.text or ""]
            texts.setdefault(_PRISM.sub("prism:", node.tag).replace(_DC, "dc:"), []).extend(items)
    plain = {
        name: [" ".join(value.split())[:500] for value in values if value.strip()] for name, values in texts.items()
    }

    def first(*names: str) -> str:
        return next((plain[name][0] for name in names if plain.get(name)), "")

    creators = [to_family_first(name) for each in plain.get("dc:creator", []) for name in split_authors(each)]
    container = first("prism:publicationName")
    pages = "-".join(filter(None, (first("prism:startingPage"), first("prism:endingPage"))))
    return Reference(
        # A single creator in one word is the name of an account.
        authors=tuple(dict.fromkeys(creators)) if any("," in name for name in creators) else (),
        date=read_written_date(first("prism:coverDate", "prism:publicationDate")) if container else "",
        container=container,
        volume=first("prism:volume"),
        issue=first("prism:number", "prism:issueIdentifier"),
        pages=first("prism:pageRange") or pages,
        publisher=first("dc:publisher"),
        doi=find_doi(first("prism:doi", "dc:identifier", "prism:url")),
        isbn=first("prism:isbn"),
    )
