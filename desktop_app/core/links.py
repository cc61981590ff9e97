"""Links to a place in a library, `kindred://LIBRARY/...`, which other programs keep and the system opens.

    kindred://LIBRARY/document/5                          a document
    kindred://LIBRARY/document/5?page=3                   a page of it
    kindred://LIBRARY/document/5?sentence=17&text=HASH    a sentence of it
    kindred://LIBRARY/search?q=WORDS&mode=words           a query

A link comes from anywhere: a web page, a mail. It can only show something of the library; it names no file and no
folder, and changes nothing.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from desktop_app.core.errors import UsageError

if TYPE_CHECKING:
    from desktop_app.core.records import Hit, SearchMode

SCHEME = "kindred"
_MODES: tuple[SearchMode, ...] = ("both", "meaning", "words")
_MAX_LENGTH = 8000  # characters of a link; the query of one that we make is shorter
_MAX_QUERY = 2000  # characters
_MAX_NUMBER = 2**31 - 1
_IDENTITY = re.compile(r"[0-9a-f]{16}")
_HASH = re.compile(r"[0-9a-f]{16}")
_DOCUMENT = re.compile(r"/document/([0-9]{1,10})/?", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


@dataclass(frozen=True, slots=True)
class LibraryLink:
    """A place in a library.

    Attributes:
        library: `LibraryInfo.identity`.
        document_id: the document; None for a query.
        page: the page of the document, from 1; None for its beginning or a sentence.
        sentence: the number of a sentence in the document, from 0; None for none.
        text_hash: `hash_sentence` of that sentence: its number changes when the document is read again.
        query: what to search for; empty for a document.
        mode: how to search; None: as the window does now.
    """

    library: str
    document_id: int | None = None
    page: int | None = None
    sentence: int | None = None
    text_hash: str = ""
    query: str = ""
    mode: SearchMode | None = None


def is_link(word: str) -> bool:
    """Return whether an argument of the program is meant as a link, well formed or not."""
    return word[: len(SCHEME) + 1].lower() == f"{SCHEME}:"


def hash_sentence(text: str) -> str:
    """Return 16 hexadecimal digits that stand for a sentence in a link: the link tells nobody what it says."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def link_hit(library: str, hit: Hit) -> LibraryLink:
    """Return a link to a sentence."""
    return LibraryLink(library, hit.document_id, sentence=hit.ordinal, text_hash=hash_sentence(hit.text))


def format_link(link: LibraryLink) -> str:
    """Return a link as text. It contains only letters, digits and marks that no program cuts or changes."""
    if link.document_id is None:
        path = "search"
        fields = {"q": link.query[:_MAX_QUERY], **({"mode": link.mode} if link.mode else {})}
    else:
        path = f"document/{link.document_id}"
        fields = {}
        if link.sentence is not None:
            fields = {"sentence": str(link.sentence), "text": link.text_hash}
        elif link.page is not None:
            fields = {"page": str(link.page)}
    query = urlencode(fields, quote_via=quote, safe="", errors="replace")
    return f"{SCHEME}://{link.library}/{path}" + (f"?{query}" if query else "")


def parse_link(text: str) -> LibraryLink:
    """Return the place that a link names. Unknown fields are ignored.

    Raises:
        UsageError: it is no link to a library.
    """
    try:
        if len(text) > _MAX_LENGTH:
            raise ValueError
        parts = urlsplit(text.strip())
        identity = parts.netloc.lower()
        if parts.scheme.lower() != SCHEME or not _IDENTITY.fullmatch(identity):
            raise ValueError
        fields = {name: values[-1] for name, values in parse_qs(parts.query, max_num_fields=20).items()}
        if parts.path.rstrip("/") == "/search":
            query = _CONTROL.sub(" ", fields.get("q", ""))[:_MAX_QUERY].strip()
            if not query:
                raise ValueError
            mode = next((each for each in _MODES if each == fields.get("mode")), None)
            return LibraryLink(identity, query=query, mode=mode)
        found = _DOCUMENT.fullmatch(parts.path)
        if found is None:
            raise ValueError
        text_hash = fields.get("text", "")
        return LibraryLink(
            identity,
            _as_number(found[1], least=1),
            page=_as_number(fields["page"], least=1) if "page" in fields else None,
            sentence=_as_number(fields["sentence"]) if "sentence" in fields else None,
            text_hash=text_hash if _HASH.fullmatch(text_hash) else "",
        )
    except ValueError as error:
        raise UsageError(
            "This is not a link to a Kindred library", "Copy the link again in Kindred, for example from a result."
        ) from error


def _as_number(text: str, *, least: int = 0) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > len(str(_MAX_NUMBER)):
        raise ValueError
    number = int(text)
    if not least <= number <= _MAX_NUMBER:
        raise ValueError
    return number
