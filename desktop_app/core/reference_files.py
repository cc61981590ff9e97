"""Reads files of reference managers: BibTeX, RIS and CSL-JSON, with the documents that they link."""

from __future__ import annotations

import codecs
import contextlib
import json
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from desktop_app.core.bibliography import (
    Reference,
    find_doi,
    reference_from_csl,
    to_family_first,
    to_line,
    to_single_name,
)
from desktop_app.core.document_dates import normalise_date, read_written_date
from desktop_app.core.errors import UsageError
from desktop_app.core.input_files import read_input_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

LIST_SUFFIXES = (".bib", ".ris")
"""Suffixes that only lists of references have."""

_MAX_BYTES = 200_000_000

_KINDS_OF_BIBTEX = {
    "article": "article-journal",
    "book": "book",
    "booklet": "book",
    "collection": "book",
    "mvbook": "book",
    "inbook": "chapter",
    "incollection": "chapter",
    "inproceedings": "paper-conference",
    "conference": "paper-conference",
    "proceedings": "book",
    "phdthesis": "thesis",
    "mastersthesis": "thesis",
    "thesis": "thesis",
    "techreport": "report",
    "report": "report",
    "online": "webpage",
    "electronic": "webpage",
    "www": "webpage",
    "unpublished": "manuscript",
}
_KINDS_OF_RIS = {
    "JOUR": "article-journal",
    "EJOUR": "article-journal",
    "MGZN": "article-magazine",
    "NEWS": "article-newspaper",
    "BOOK": "book",
    "EBOOK": "book",
    "EDBOOK": "book",
    "CHAP": "chapter",
    "ECHAP": "chapter",
    "CONF": "paper-conference",
    "CPAPER": "paper-conference",
    "THES": "thesis",
    "RPRT": "report",
    "ELEC": "webpage",
    "BLOG": "webpage",
    "UNPB": "manuscript",
    "MANSCPT": "manuscript",
    "PCOMM": "personal_communication",
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# A part of BibTeX's field `file`: `description:path:type`, or just a path; a backslash protects colon and semicolon.
_FILE_ENTRY = re.compile(r"((?:[^\\;]|\\.)+)")
_ADDRESS = re.compile(r"\s*[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_FILE_PART = re.compile(r"((?:[^\\:]|\\.)*)(?::|$)")


@dataclass(frozen=True, slots=True)
class ListedReference:
    """An entry of a file: its reference, and the files that it links, as absolute paths that may not exist."""

    reference: Reference
    files: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceFile:
    """What a file contains: its entries, and the lines from which something could not be read."""

    entries: tuple[ListedReference, ...]
    damaged_lines: tuple[int, ...] = ()


def read_reference_file(path: Path) -> ReferenceFile:
    """Read a BibTeX, RIS or CSL-JSON file, by its suffix. A damaged entry does not cost the others.

    Raises:
        UsageError: it has another suffix, cannot be read, or has only damaged entries.
        BadData: it is a device, or too large.
    """
    readers = {".bib": _read_bibtex, ".ris": _read_ris, ".json": _read_csl}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise UsageError(
            "{file} is not a BibTeX, RIS or CSL-JSON file",
            "Export it from your reference manager as BibTeX (.bib), RIS (.ris) or CSL-JSON (.json).",
            file=path.name,
        )
    try:
        data = read_input_file(path, _MAX_BYTES)
    except OSError as error:
        raise UsageError(
            "{file} cannot be read: {why}", "Check the path.", file=path, why=error.strerror or str(error)
        ) from error
    return reader(_decode(data), path)


def _decode(data: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 with a mark, or what programs on Windows wrote before."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", "replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def _damaged(path: Path, where: str) -> UsageError:
    return UsageError(
        "{file} is damaged: {where}",
        "Export it again from your reference manager.",
        file=path.name,
        where=where,
    )


# BibTeX


def _read_bibtex(text: str, path: Path) -> ReferenceFile:
    entries, damaged = _parse_bibtex(text)
    if text.strip() and not entries and (damaged or "@" not in text):
        raise _damaged(path, f"line {damaged[0]}" if damaged else "no entry")
    return ReferenceFile(tuple(_list_bibtex(entries, path)), damaged)


def _list_bibtex(entries: Iterable[Any], path: Path) -> Iterator[ListedReference]:
    for entry in entries:
        fields = {name.lower(): value for name, value in entry.fields.items()}
        kind = _KINDS_OF_BIBTEX.get(entry.type.lower(), "document")
        people = entry.persons.get("author") or entry.persons.get("editor") or []
        reference = Reference(
            kind=kind,
            title=_latex_to_text(fields.get("title", "")),
            authors=tuple(filter(None, map(_name_of_person, people))),
            date=_date_of_bibtex(fields),
            container=_latex_to_text(
                fields.get("journal") or fields.get("journaltitle") or fields.get("booktitle") or ""
            ),
            volume=_latex_to_text(fields.get("volume", "")),
            issue=_latex_to_text(fields.get("number") or fields.get("issue") or ""),
            pages=_latex_to_text(fields.get("pages", "")).replace("\N{EN DASH}", "-"),
            publisher=_latex_to_text(
                fields.get("publisher") or fields.get("school") or fields.get("institution") or ""
            ),
            place=_latex_to_text(fields.get("address") or fields.get("location") or ""),
            doi=find_doi(_latex_to_text(fields.get("doi", ""))),
            isbn=_latex_to_text(fields.get("isbn", "")),
            url=fields.get("url", "").replace("\\_", "_").replace("\\%", "%"),
            language=_latex_to_text(fields.get("langid") or fields.get("language") or ""),
            key=entry.key.partition(_SAME_KEY)[0],
        )
        yield ListedReference(reference, tuple(_resolve(_split_file_field(fields.get("file", "")), path.parent)))


_SAME_KEY = "\N{MULTIPLICATION SIGN}"
_ENTRY_START = re.compile(r"^[ \t]*@[ \t]*\w+[ \t]*[{(]", re.MULTILINE)


def _parse_bibtex(text: str) -> tuple[list[Any], tuple[int, ...]]:
    """Return the entries of a text as pybtex reads them, and the lines of those that are damaged."""
    from pybtex.database.input.bibtex import Parser, UndefinedMacro
    from pybtex.scanner import PybtexSyntaxError

    class LenientParser(Parser):  # type: ignore[misc]
        """Reads on after errors; entries with the same key are all kept."""

        def __init__(self) -> None:
            super().__init__()
            self.first_line = 1
            self.damaged: list[int] = []
            self._seen: dict[str, int] = {}

        def handle_error(self, error: Exception) -> None:
            if isinstance(error, PybtexSyntaxError) and not isinstance(error, UndefinedMacro):
                self.damaged.append(self.first_line + error.lineno - 1)

        def process_entry(self, entry_type: str, key: str | None, fields: Any) -> None:
            if key is not None:
                self._seen[key.lower()] = times = self._seen.get(key.lower(), 0) + 1
                if times > 1:
                    key += f"{_SAME_KEY}{times}"
            super().process_entry(entry_type, key, fields)

    parser = LenientParser()
    parser.parse_string(text)
    if damaged := parser.damaged:  # a brace that is not closed swallows what follows: read each entry on its own
        parser = LenientParser()
        at = 0
        for start, stop in pairwise([*(match.start() for match in _ENTRY_START.finditer(text)), len(text)]):
            parser.first_line += text.count("\n", at, start)
            parser.parse_string(text[start:stop])
            at = start
        damaged = parser.damaged or damaged
    entries = [each for each in parser.data.entries.values() if not damaged or each.fields or each.persons]
    return entries, tuple(dict.fromkeys(damaged))


def _name_of_person(person: Any) -> str:
    family = " ".join([*person.prelast_names, *person.last_names])
    given = " ".join([*person.first_names, *person.middle_names, *person.lineage_names])
    family, given = _latex_to_text(family), _latex_to_text(given)
    return f"{family}, {given}" if family and given else to_single_name(family or given)


_BARE_PERCENT = re.compile(r"(?<!\\)%")
"""Begins a comment in LaTeX, but not in the fields of BibTeX."""

_FORMATTING = re.compile(
    r"\\(?:(?:emph|enquote|mkbib\w+|text(?:it|bf|sc|tt|rm|sf|up|sl|md|normal|superscript|subscript)"
    r"|math(?:it|bf|rm|sf|tt|cal|bb)|uppercase|lowercase|url|path|ensuremath|mbox|hbox|href\s*\{[^{}]*\})\s*(?=\{)"
    r"|(?:it|bf|em|sc|tt|rm|sf|sl)(?:shape|series|family)?(?![A-Za-z])\s*)"
)
"""Commands that say how their text looks; pybtex would show their names."""

_DOTLESS = re.compile(r"(\\['`^\"~=.])\s*(?:\{\s*\\([ij])\s*\}|\\([ij])(?![A-Za-z])\s*)")
_SYMBOLS = {
    "textbackslash": "\\",
    "textbraceleft": "{",
    "textbraceright": "}",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textquoteright": "’",
    "textquoteleft": "‘",
}
_SYMBOL = re.compile(rf"\\({'|'.join(_SYMBOLS)})(?![A-Za-z])(?:\{{\}}|\s*)")
_FIRST_PLACEHOLDER = 0xE000
"""Private characters stand for symbols that pybtex does not know, or would take for commands."""

_ESCAPED_DOLLAR = "\\$"


def _latex_to_text(value: str) -> str:
    from pybtex.richtext import Text

    try:
        plain = _DOTLESS.sub(lambda found: f"{found[1]}{{{found[2] or found[3]}}}", _FORMATTING.sub("", value))
        plain = _SYMBOL.sub(lambda found: chr(_FIRST_PLACEHOLDER + list(_SYMBOLS).index(found[1])), plain)
        shown = str(Text.from_latex(_BARE_PERCENT.sub(r"\\%", plain))).replace(_ESCAPED_DOLLAR, "$")
        shown = shown.translate({_FIRST_PLACEHOLDER + at: sign for at, sign in enumerate(_SYMBOLS.values())})
    except Exception:  # noqa: BLE001 - pybtex raises several kinds for braces that do not match
        shown = value.replace("{", "").replace("}", "")
    return " ".join(shown.replace("--", "\N{EN DASH}").split())


def _date_of_bibtex(fields: Mapping[str, str]) -> str:
    if written := read_written_date(fields.get("date", "")):
        return written
    year = read_written_date(_latex_to_text(fields.get("year", "")))[:4]
    month = fields.get("month", "").strip().lower()
    number = int(month) if month.isdigit() else next((at for at, name in enumerate(_MONTHS, 1) if month[:3] == name), 0)
    day = fields.get("day", "").strip()
    return (day.isdecimal() and normalise_date(f"{year}-{number}-{day}")) or normalise_date(f"{year}-{number}") or year


def _split_file_field(field: str) -> Iterator[str]:
    """Yield the paths in a field `file` as JabRef, Zotero and Mendeley write it."""
    for entry in _FILE_ENTRY.findall(field):
        if _ADDRESS.match(entry):
            yield entry.strip()
            continue
        parts = [re.sub(r"\\(.)", r"\1", part) if part else "" for part in _FILE_PART.findall(entry)]
        parts = [part.strip() for part in parts if part.strip()]
        if len(parts) >= 3 and len(parts[-3]) == 1 and parts[-3].isalpha():
            yield f"{parts[-3]}:{parts[-2]}"  # a drive of Windows: C:\papers\x.pdf
        elif len(parts) >= 2:
            yield parts[-2] if _is_type(parts[-1]) else parts[-1]
        elif parts:
            yield parts[0]


def _is_type(text: str) -> bool:
    return ("/" in text and " " not in text and text.count("/") == 1) or text.isalpha()


# RIS


_RIS_BOOK_TITLE = re.compile(r"^BT  - ", re.MULTILINE)
"""Of older files; rispy does not know it."""

_RIS_START = re.compile(r"^TY  - ?", re.MULTILINE)


def _read_ris(text: str, path: Path) -> ReferenceFile:
    import rispy

    # Without its last line an entry would be lost, or joined to the next one. One line too many does no harm.
    closed = _RIS_START.sub("ER  - \nTY  - ", _RIS_BOOK_TITLE.sub("T2  - ", text)) + "\nER  - \n"
    try:
        entries = rispy.loads(closed, skip_unknown_tags=True)
    except (OSError, ValueError, KeyError) as error:  # rispy raises these for what it cannot read
        raise _damaged(path, str(error)[:80]) from error
    if text.strip() and not entries:
        raise _damaged(path, "no entry")
    return ReferenceFile(tuple(_list_ris(entries, path)))


def _list_ris(entries: Iterable[dict[str, Any]], path: Path) -> Iterator[ListedReference]:
    for entry in entries:
        people = entry.get("authors") or entry.get("first_authors") or entry.get("editors") or []
        pages = "-".join(filter(None, (entry.get("start_page", ""), entry.get("end_page", ""))))
        title = entry.get("title") or entry.get("primary_title")
        if not title and entry.get("type_of_reference") in ("BOOK", "EBOOK"):
            title = entry.pop("secondary_title", None)
        reference = Reference(
            kind=_KINDS_OF_RIS.get(entry.get("type_of_reference", ""), "document"),
            title=to_line(title),
            authors=tuple(to_family_first(to_line(name)) for name in people if to_line(name)),
            date=_date_of_ris(entry),
            container=to_line(
                entry.get("secondary_title") or entry.get("journal_name") or entry.get("alternate_title3")
            ),
            volume=to_line(entry.get("volume")),
            issue=to_line(entry.get("number")),
            pages=pages,
            publisher=to_line(entry.get("publisher")),
            place=to_line(entry.get("place_published")),
            doi=find_doi(to_line(entry.get("doi"))),
            isbn=to_line(entry.get("issn")) if entry.get("type_of_reference") in ("BOOK", "CHAP", "EBOOK") else "",
            url=to_line((entry.get("urls") or [""])[0]),
            language=to_line(entry.get("language")),
            key=to_line(entry.get("id")),
        )
        linked = [each for at in (1, 2, 3, 4) for each in _as_list(entry.get(f"file_attachments{at}"))]
        yield ListedReference(reference, tuple(_resolve(linked, path.parent)))


def _date_of_ris(entry: Mapping[str, Any]) -> str:
    return read_written_date(to_line(entry.get("date")).strip("/")) or read_written_date(
        to_line(entry.get("year") or entry.get("publication_year"))
    )


# CSL-JSON


_LONE_SURROGATES = re.compile("[\ud800-\udfff]")


def _read_csl(text: str, path: Path) -> ReferenceFile:
    try:
        items = json.loads(text, object_pairs_hook=_without_surrogates)
    except (ValueError, RecursionError) as error:
        raise _damaged(path, str(error)[:80]) from error
    if isinstance(items, dict):
        items = items.get("items", [items])
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise _damaged(path, "no list of entries")
    return ReferenceFile(tuple(ListedReference(reference_from_csl(item)) for item in items))


def _without_surrogates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; half a character in a text, which no file can hold, is replaced."""
    return {
        name: _LONE_SURROGATES.sub("\N{REPLACEMENT CHARACTER}", value) if isinstance(value, str) else value
        for name, value in pairs
    }


# Files


def _resolve(names: Iterable[str], folder: Path) -> Iterator[Path]:
    """Yield the absolute paths of linked files; relative ones are relative to the folder of the list."""
    for name in names:
        # A name that can be no path links nothing: of a person without an account here, too long, half an address.
        with contextlib.suppress(ValueError, RuntimeError, OSError):
            if (path := _resolve_name(name, folder)) is not None:
                _check_path(path)
                yield path


def _check_path(path: Path) -> None:
    """Raise OSError or ValueError if no file can have a path."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
        path.lstat()


def _resolve_name(name: str, folder: Path) -> Path | None:
    if name.startswith("file:"):
        name = unquote(urlsplit(name).path)
    elif _ADDRESS.match(name):
        return None  # an address on the web
    path = Path(name.replace("\\", "/") if "\\" in name and not Path(name).is_absolute() else name).expanduser()
    if path.is_absolute():
        return path
    here, root = folder / path, Path("/", path)
    return root if not here.exists() and root.exists() else here  # Mendeley leaves the first slash out


def _as_list(value: Any) -> Sequence[str]:
    return value if isinstance(value, list) else [value] if isinstance(value, str) else []
