"""Formats sentences and their sources as citations: plain text, Markdown, reference managers' formats, and styles."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from desktop_app.core.bibliography import Reference, reference_to_csl, split_name
from desktop_app.core.citation_styles import NOTE_STYLES, CitationStyle, format_in_style
from desktop_app.core.escaping import escape_bibtex, escape_markdown, flatten_text
from desktop_app.core.formats import find_format
from desktop_app.core.locations import format_location

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from desktop_app.core.records import Hit

CitationForm = Literal["plain", "markdown", "bibtex", "ris", "csl", CitationStyle]

REFERENCE_SUFFIXES: dict[str, CitationForm] = {".bib": "bibtex", ".ris": "ris", ".json": "csl"}
"""Suffixes of files for reference managers."""


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence to cite.

    Attributes:
        text: the sentence; empty to cite the whole document.
        reference: of its document, with the title to show.
        path: of the document's file.
        place: the place in the document in words, such as `p. 7`; may be empty.
        unit: the kind of place in a style: `page`, `chapter`, `line`; empty if styles have none for it.
        number: of the page, chapter or line; a page of a PDF that has no printed number says so: `7 [PDF]`.
    """

    text: str
    reference: Reference
    path: str
    place: str = ""
    unit: str = ""
    number: str = ""


def cite_hit(hit: Hit, reference: Reference | None, place: str) -> CitedSentence:
    """Return a hit as a sentence to cite.

    Args:
        hit: the hit.
        reference: of its document; None if nothing is known of it.
        place: of the hit, in words; may be empty.
    """
    if reference is None:
        reference = Reference(title=hit.title or PurePath(hit.path).name)
    unit, number = _find_place(hit)
    return CitedSentence(hit.text, reference, hit.path, place, unit, number)


def has_printed_page(hit: Hit) -> bool:
    """Return whether the page of a hit is known as it is printed, and not only counted in the file."""
    return hit.type != "pdf" or hit.page_label is not None


def format_cited_location(hit: Hit) -> str:
    """Return the place of a hit in English; a page that is only counted in the file is `PDF p. 4`."""
    place = format_location(hit)
    return place if has_printed_page(hit) or not place else f"PDF {place}"


def _find_place(hit: Hit) -> tuple[str, str]:
    """Return the kind of place and its number as styles have them."""
    first = hit.places[0] if hit.places else None
    if first is None or first.unit in ("row", "ms"):
        return "", ""
    if first.line is not None:
        last = hit.places[-1].last_line or first.line
        return "line", str(first.line) if last == first.line else f"{first.line}-{last}"
    unit = find_format(hit.type).page_unit
    if first.page is None or unit == "message":
        return "", ""
    number = str(first.page) if has_printed_page(hit) else f"{first.page} [PDF]"
    return unit, hit.page_label or number


def format_citations(
    cited: Sequence[CitedSentence],
    form: CitationForm,
    language: str = "en",
    check: Callable[[], None] = lambda: None,
) -> str:
    """Return sentences with their sources as one text.

    Args:
        cited: the sentences.
        form: what to write.
        language: of the terms in a style, `en` or `de`.
        check: called again and again while a style is applied, which takes long for many; what it raises ends the work.
    """
    if form == "bibtex":
        return "\n\n".join(_to_bibtex(group, key) for key, group in _key_documents(cited))
    if form == "ris":
        return "\n\n".join(_to_ris(group, key) for key, group in _key_documents(cited))
    if form == "csl":
        return json.dumps([_to_csl(group, key) for key, group in _key_documents(cited)], ensure_ascii=False, indent=2)
    if form == "markdown":
        return "\n\n".join(map(_to_markdown, cited))
    if form == "plain":
        return "\n".join(map(_to_plain, cited))
    return _to_style(cited, form, language, check)


def format_reference_list(references: Iterable[Reference], style: CitationStyle, language: str = "en") -> list[str]:
    """Return the entries of a list of references in a style, sorted as the style wants."""
    return format_in_style([(each, "", "") for each in references], style, language)[1]


# For people

_QUOTATION_MARKS = {"en": ("“", "”"), "de": ("„", "“")}


def _to_plain(cited: CitedSentence) -> str:
    source = ", ".join(flatten_text(part) for part in _name_source(cited, cited.reference.title))
    return f"{quote_text(cited.text)} ({source})" if cited.text else source


def _to_markdown(cited: CitedSentence) -> str:
    title = f"*{escape_markdown(cited.reference.title)}*"
    source = ", ".join(part if part == title else escape_markdown(part) for part in _name_source(cited, title))
    return f"> {escape_markdown(cited.text)}\n>\n> \N{EM DASH} {source}" if cited.text else source


def _name_source(cited: CitedSentence, title: str) -> list[str]:
    """Return authors, title, year and place, as far as they are known."""
    reference = cited.reference
    return [part for part in (reference.author_line, title, reference.date[:4], cited.place) if part]


def _to_style(cited: Sequence[CitedSentence], style: CitationStyle, language: str, check: Callable[[], None]) -> str:
    places = [(each.reference, each.unit, each.number) for each in cited]
    in_text, references = format_in_style(places, style, language, check)
    if style in NOTE_STYLES:
        return "\n\n".join(
            f"{quote_text(each.text, language)}\n{note}" if each.text else note
            for each, note in zip(cited, in_text, strict=True)
        )
    quoted = [
        f"{quote_text(each.text, language)} {where}" for each, where in zip(cited, in_text, strict=True) if each.text
    ]
    return "\n\n".join([*quoted, *references])


def quote_text(text: str, language: str = "en") -> str:
    """Return a text in one line and in quotation marks."""
    first, last = _QUOTATION_MARKS.get(language, _QUOTATION_MARKS["en"])
    return f"{first}{flatten_text(text)}{last}"


# For reference managers

_BIBTEX_TYPES = {
    "article-journal": "article",
    "article-magazine": "article",
    "article-newspaper": "article",
    "book": "book",
    "chapter": "incollection",
    "paper-conference": "inproceedings",
    "thesis": "phdthesis",
    "report": "techreport",
    "manuscript": "unpublished",
}
_PUBLISHER_FIELDS = {"thesis": "school", "report": "institution"}
_RIS_TYPES = {
    "article-journal": "JOUR",
    "article-magazine": "MGZN",
    "article-newspaper": "NEWS",
    "book": "BOOK",
    "chapter": "CHAP",
    "paper-conference": "CONF",
    "thesis": "THES",
    "report": "RPRT",
    "webpage": "ELEC",
    "manuscript": "UNPB",
    "personal_communication": "PCOMM",
}


def _key_documents(cited: Sequence[CitedSentence]) -> list[tuple[str, list[CitedSentence]]]:
    """Return the sentences of each document with a key for it; no key occurs twice."""
    groups: dict[tuple[str, Reference], list[CitedSentence]] = {}
    for each in cited:
        groups.setdefault((each.path, each.reference), []).append(each)
    keyed: dict[str, list[CitedSentence]] = {}
    for group in groups.values():
        key = name = make_citation_key(group[0].reference)
        number = 1
        while key in keyed:
            number += 1
            key = f"{name}-{number}"
        keyed[key] = group
    return list(keyed.items())


_KEY = re.compile(r"[\w.:;/+*!?@<>|-]+")
"""A key that BibTeX and text files take as it is."""


def make_citation_key(reference: Reference) -> str:
    """Return the reference's own key, else the first author and year, else the first words of the title."""
    if _KEY.fullmatch(reference.key):
        return reference.key
    names = _plain_words(reference.authors[0].partition(",")[0]) if reference.authors else []
    if names:
        return "".join(names) + reference.date[:4]
    return "-".join(_plain_words(reference.title)[:4]) or "document"


def _plain_words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.findall(r"[a-z0-9]+", plain)


def _note(cited: Sequence[CitedSentence]) -> str:
    notes = [f"{each.place}: {each.text}" if each.place else each.text for each in cited if each.text]
    return "; ".join(flatten_text(note) for note in notes)


def _name_to_bibtex(name: str) -> str:
    """Return a name; an organisation, and what BibTeX would take apart in a name, is in braces."""
    family, given, suffix = split_name(name)
    if not (family and given):
        return f"{{{escape_bibtex(name)}}}"
    parts = [escape_bibtex(part) for part in (family, suffix, given) if part]
    return ", ".join(f"{{{part}}}" if _SEPARATES_NAMES.search(part) else part for part in parts)


_SEPARATES_NAMES = re.compile(r"(?:^|\s)and(?:\s|$)|,", re.IGNORECASE)


def _to_bibtex(cited: Sequence[CitedSentence], key: str) -> str:
    reference = cited[0].reference
    kind = _BIBTEX_TYPES.get(reference.kind, "misc")
    is_part = kind in ("incollection", "inproceedings")
    fields = {
        "author": " and ".join(map(_name_to_bibtex, reference.authors)),
        "title": escape_bibtex(reference.title),
        "booktitle" if is_part else "journal": escape_bibtex(reference.container),
        "year": reference.date[:4],
        "month": reference.date[5:7].lstrip("0"),
        "day": reference.date[8:10].lstrip("0"),  # in no style of BibTeX, but reference managers read it
        "volume": escape_bibtex(reference.volume),
        "number": escape_bibtex(reference.issue),
        "pages": escape_bibtex(re.sub(r"[-\N{EN DASH}]+", "--", reference.pages)),
        _PUBLISHER_FIELDS.get(reference.kind, "publisher"): escape_bibtex(reference.publisher),
        "address": escape_bibtex(reference.place),
        "doi": escape_bibtex(reference.doi),
        "isbn": escape_bibtex(reference.isbn),
        "url": flatten_text(reference.url).replace("{", "%7B").replace("}", "%7D"),
        "howpublished": escape_bibtex(PurePath(cited[0].path).name) if kind == "misc" and not reference.url else "",
        "note": escape_bibtex(_note(cited)),
    }
    lines = ",\n".join(f"  {field} = {{{value}}}" for field, value in fields.items() if value)
    return f"@{kind}{{{key},\n{lines}\n}}"


def _to_ris(cited: Sequence[CitedSentence], key: str) -> str:
    reference = cited[0].reference
    first, _, last = reference.pages.replace("\N{EN DASH}", "-").partition("-")
    date = "/".join([*reference.date.split("-"), "", "", ""][:3]) + "/" if reference.date else ""
    lines = [
        ("TY", _RIS_TYPES.get(reference.kind, "GEN")),
        ("ID", key),
        *(("AU", _name_to_ris(name)) for name in reference.authors),
        ("TI", reference.title),
        ("T2", reference.container),
        ("PY", reference.date[:4]),
        ("DA", date),
        ("VL", reference.volume),
        ("IS", reference.issue),
        ("SP", first),
        ("EP", last),
        ("PB", reference.publisher),
        ("CY", reference.place),
        ("DO", reference.doi),
        ("SN", reference.isbn),
        ("UR", reference.url),
        ("LA", reference.language),
        *(("N1", _note([each])) for each in cited),
    ]
    written = [f"{tag}  - {flatten_text(value)}" for tag, value in lines if value]
    return "\n".join([*written, "ER  - "])


def _name_to_ris(name: str) -> str:
    return ", ".join(filter(None, split_name(name)))


def _to_csl(cited: Sequence[CitedSentence], key: str) -> dict[str, object]:
    item = reference_to_csl(cited[0].reference, key) | {"citation-key": key}
    note = _note(cited)
    return {**item, "note": note} if note else item
