"""References: who wrote a document, when and where it was published, as citations need it.

The fields and types are those of CSL-JSON (https://citeproc-js.readthedocs.io/en/latest/csl-json/markup.html), the
exchange format of reference managers.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from desktop_app.core.document_dates import normalise_date, read_written_date

DOCUMENT = "document"
REFERENCE_KINDS = (
    DOCUMENT,
    "article-journal",
    "article-magazine",
    "article-newspaper",
    "book",
    "chapter",
    "paper-conference",
    "thesis",
    "report",
    "webpage",
    "manuscript",
    "personal_communication",
)
"""The types of CSL that a person can select; references from elsewhere may have others."""

_KINDS_BY_TYPE = {"epub": "book", "html": "webpage", "email": "personal_communication"}
_MAX_AUTHORS = 500
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}|\\^\[\]`]+", re.IGNORECASE)
_ARXIV = re.compile(r"\barXiv:\s?(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7})", re.IGNORECASE)
_SEPARATORS = re.compile(r"\s*(?:;|\n|\s&\s|\band\b|\bund\b)\s*")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_ADDRESS = re.compile(r"<[^>]*>")
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[ -]?){1,4}")
_FAMILY_AND_INITIALS = re.compile(r"[^\W\d_][\w'’-]*[^\W\d_A-Z]( [A-Z]{1,3})")
_SUFFIX_AFTER_COMMA = re.compile(r",\s*((?:jr|sr)\b\.?|iii?\b|iv\b)(?=\s*(?:[,;&\n]|$|and\b|und\b))", re.IGNORECASE)
_ET_AL = re.compile(r",?\s+et al\.?\s*$", re.IGNORECASE)
OTHERS = "others"
"""Stands for further authors, as in BibTeX."""
_PARTICLES = {"van", "von", "de", "der", "den", "del", "della", "di", "da", "du", "la", "le", "ten", "ter", "zu", "zur"}
_NAMES_OF_ORGANISATIONS = """
    university universität université institute institut organization organisation association ministry ministerium
    committee commission foundation stiftung society gesellschaft council agency department consortium collaboration
    group team center centre academy akademie museum nations union network laboratory bundesamt bundesministerium
    verband verein inc ltd llc corp corporation gmbh
"""
_ORGANISATIONS = frozenset(_NAMES_OF_ORGANISATIONS.split())
"""Words of which one is in the name of an organisation, which has no family name."""

_ACADEMIC_TITLES = frozenset(
    ("prof", "prof.", "dr", "dr.", "dr.-ing.", "dipl.-ing.", "ing.", "med.", "phil.", "rer.", "nat.", "jur.", "h.c.")
)
"""Before a name; they would be cited as given names."""

_COMPANIES = frozenset(("AG", "KG", "SE"))
_SUFFIXES = {"jr", "jr.", "sr", "sr.", "ii", "iii", "iv", "phd", "ph.d.", "md", "m.d."}


@dataclass(frozen=True, slots=True)
class Reference:
    """What is known of a document's publication; what is unknown is empty.

    Attributes:
        kind: a type of CSL.
        title: of the document.
        authors: names as `Family, Given`, or just a name (of an organisation).
        date: as `core.document_dates` writes it.
        container: the journal or book in which it was published.
        place: of the publisher.
        pages: in the journal or book, as `12-34`.
        doi: without an address before it.
        key: of the entry in the person's own references; empty to make one.
        source: where a reference manager has it, such as `zotero:library:ITEM:ATTACHMENT`.
        tags: those that the reference manager gives it; those of the document may be others.
    """

    kind: str = DOCUMENT
    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""
    container: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    publisher: str = ""
    place: str = ""
    doi: str = ""
    isbn: str = ""
    url: str = ""
    language: str = ""
    key: str = ""
    source: str = ""
    tags: tuple[str, ...] = ()

    @property
    def author_line(self) -> str:
        """The authors as one text, for lists and searches: `Given Family, Given Family`."""
        names = (split_name(name) for name in self.authors)
        return ", ".join(" ".join(filter(None, (given, family, suffix))) for family, given, suffix in names)

    def merge_with(self, other: Reference) -> Reference:
        """Return this reference with what it lacks taken from another one."""
        lacking = {each.name: getattr(other, each.name) for each in fields(self) if not getattr(self, each.name)}
        if self.kind == DOCUMENT:
            lacking["kind"] = other.kind
        return replace(self, **lacking)

    def to_json(self) -> str:
        """Return the fields that are known as JSON; empty if none is."""
        known = {name: value for name, value in asdict(self).items() if value and (name, value) != ("kind", DOCUMENT)}
        return json.dumps(known, ensure_ascii=False) if known else ""

    @classmethod
    def from_json(cls, text: str | None) -> Reference:
        """Return the reference of a text by `to_json`; unknown fields, written by a newer program, are left out."""
        values = json.loads(text) if text else {}
        known = {each.name: values[each.name] for each in fields(cls) if each.name in values}
        return cls(**known | {name: tuple(known[name]) for name in ("authors", "tags") if name in known})


NO_REFERENCE = Reference()


def kind_of_type(document_type: str | None) -> str:
    """Return the type of CSL that a file of a type usually is."""
    return _KINDS_BY_TYPE.get(document_type or "", DOCUMENT)


# Names, identifiers


def split_authors(text: str) -> tuple[str, ...]:
    """Return the names of a text as `Family, Given`.

    Names are separated by semicolons, lines, `and` or `&`; without semicolons also by commas, unless these stand
    between family and given names (`Ada Lovelace, Charles Babbage`, not `Lovelace, Ada`).
    """
    names: list[str] = []
    text = _SUFFIX_AFTER_COMMA.sub(r" \1", _ET_AL.sub(f"; {OTHERS}" if ";" in text else f" and {OTHERS}", text))
    for name in _SEPARATORS.split(_ADDRESS.sub("", text)):
        parts = [part.strip() for part in name.split(",") if part.strip()]
        if len(parts) > 1 and ";" not in text:
            if all(map(_FAMILY_AND_INITIALS.fullmatch, parts)):
                parts = [", ".join(part.rsplit(" ", 1)) for part in parts]
            elif len(parts) % 2 == 0 and (
                all(map(_are_initials, parts[1::2])) or (len(parts) > 2 and not any(" " in part for part in parts))
            ):
                parts = [", ".join(pair) for pair in zip(parts[::2], parts[1::2], strict=True)]
            elif not all(" " in part for part in parts) and len(parts) < 4:
                parts = [", ".join(parts)]
        else:
            parts = [", ".join(parts)]
        names += filter(None, parts)
    return tuple(dict.fromkeys(map(to_family_first, names)))[:_MAX_AUTHORS]


def _are_initials(text: str) -> bool:
    """Return whether a text is initials, and not a short name such as `Bo Li`."""
    return text.isupper() and _INITIALS.fullmatch(text) is not None


def to_family_first(name: str) -> str:
    """Return a name as `Family, Given`: `Ludwig van Beethoven` is `van Beethoven, Ludwig`.

    `Jr.` and the like follow the given name; the name of an organisation stays in its order.
    """
    words = name.split()
    if any(word.strip(".,()").lower() in _ORGANISATIONS or word in _COMPANIES for word in words):
        return to_single_name(name)
    parts = [" ".join(part.split()) for part in name.split(",")]
    if len(parts) > 1 and parts[-1].lower() in _SUFFIXES and len(parts[0].split()) + len(parts) > 3:
        words = f"{', '.join(parts[:-1])} {parts[-1]}".split()  # Martin Luther King, Jr.; King, Martin Luther, Jr.
    elif len(parts) == 3 and parts[1].lower() in _SUFFIXES:
        words = f"{parts[0]}, {parts[2]} {parts[1]}".split()  # King, Jr., Martin Luther
    if any("," in word for word in words) or len(words) < 2:
        return " ".join(words)
    while len(words) > 2 and words[0].lower() in _ACADEMIC_TITLES:
        del words[0]
    end = [words.pop()] if words[-1].lower() in _SUFFIXES and len(words) > 2 else []
    first = len(words) - 1
    while first > 1 and words[first - 1].lower() in _PARTICLES:
        first -= 1
    return f"{' '.join(words[first:])}, {' '.join(words[:first] + end)}"


def to_single_name(name: str) -> str:
    """Return the name of an organisation without commas, which separate the names of a person."""
    return " ".join(name.replace(",", " ").split())


def split_name(name: str) -> tuple[str, str, str]:
    """Return family name, given names and `Jr.` or the like of a name as `Family, Given Jr.`; empty without one."""
    family, _, given = (part.strip() for part in name.partition(","))
    words = given.replace(",", " ").split()
    if len(words) > 1 and words[-1].lower() in _SUFFIXES:
        return family, " ".join(words[:-1]), words[-1]
    return family, given, ""


def find_doi(text: str) -> str:
    """Return the first DOI in a text; that of arXiv if only its number there is given; empty if there is none."""
    if (match := _DOI.search(text)) is not None:
        doi = match[0].rstrip(".,;:'’”)")
        # Only a bracket that is closed belongs to it: (doi:10.1000/x) does not.
        return doi + ")" if doi.count("(") > doi.count(")") and match[0].startswith(doi + ")") else doi
    match = _ARXIV.search(text)
    return f"10.48550/arXiv.{match[1].split('v')[0]}" if match is not None else ""


# CSL-JSON

_TEXT_FIELDS = {
    "title": "title",
    "container": "container-title",
    "volume": "volume",
    "issue": "issue",
    "pages": "page",
    "publisher": "publisher",
    "place": "publisher-place",
    "doi": "DOI",
    "isbn": "ISBN",
    "url": "URL",
    "language": "language",
    "key": "citation-key",
}


def reference_to_csl(reference: Reference, item_id: str) -> dict[str, Any]:
    """Return a reference as an item of CSL-JSON."""
    item: dict[str, Any] = {"id": item_id, "type": reference.kind}
    if reference.authors:
        item["author"] = [_name_to_csl(name) for name in reference.authors]
    if reference.date:
        item["issued"] = {"date-parts": [[int(part) for part in reference.date.split("-")]]}
    for field, variable in _TEXT_FIELDS.items():
        if value := getattr(reference, field):
            item[variable] = value
    return item


def reference_from_csl(item: dict[str, Any]) -> Reference:
    """Return the reference of an item of CSL-JSON; what is not as it should be is left out."""
    texts: dict[str, Any] = {field: to_line(item.get(variable)) for field, variable in _TEXT_FIELDS.items()}
    people = item.get("author") or item.get("editor") or []
    names = [_name_from_csl(each) for each in people if isinstance(each, dict)] if isinstance(people, list) else []
    texts["doi"] = find_doi(texts["doi"])
    return Reference(
        kind=to_line(item.get("type")) or DOCUMENT,
        authors=tuple(filter(None, names)),
        date=_date_from_csl(item.get("issued")),
        **texts,
    )


def _name_to_csl(name: str) -> dict[str, str]:
    if "," not in name:
        return {"literal": name}
    family, given, suffix = split_name(name)
    return {"family": family, "given": given} | ({"suffix": suffix} if suffix else {})


def _name_from_csl(name: dict[str, Any]) -> str:
    if literal := to_line(name.get("literal")):
        return to_single_name(literal)
    particles = [to_line(name.get("non-dropping-particle")), to_line(name.get("family"))]
    given = [to_line(name.get(part)) for part in ("given", "dropping-particle", "suffix")]
    parts = list(filter(None, (" ".join(filter(None, each)) for each in (particles, given))))
    return ", ".join(parts) if len(parts) > 1 else to_single_name("".join(parts))


def _date_from_csl(issued: Any) -> str:
    if not isinstance(issued, dict):
        return ""
    parts = issued.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
        return normalise_date("-".join(to_line(part) for part in parts[0][:3]))
    text = to_line(issued.get("raw") or issued.get("literal"))
    year = _YEAR.search(text)
    return read_written_date(text) or (year[0] if year is not None else "")


def to_line(value: Any) -> str:
    """Return a text or number of a reference file on one line; empty for anything else."""
    return " ".join(str(value).split()) if isinstance(value, (str, int)) else ""
