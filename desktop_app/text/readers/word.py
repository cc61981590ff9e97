"""DOCX (ECMA-376, WordprocessingML) to events: paragraphs, tables, notes; without deleted text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop_app.core.errors import FileFailure
from desktop_app.core.reader_events import DocumentHead
from desktop_app.text.cleaning import clean_character
from desktop_app.text.passages import clean_stretch
from desktop_app.text.readers.office_paragraphs import OfficeParagraphs
from desktop_app.text.readers.passage_collector import PassageCollector
from desktop_app.text.readers.reader_steps import read_without_pages
from desktop_app.text.readers.xml_events import iter_xml_events
from desktop_app.text.readers.zip_package import ZipPackage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from desktop_app.text.readers.reader_steps import FileFacts, Step
    from desktop_app.text.readers.xml_events import XmlEvent

_MAIN = "word/document.xml"
_NOTES = ("footnotes.xml", "endnotes.xml")
_SKIPPED = frozenset({"Fallback", "moveFrom", "rPr", "sectPr", "pict", "instrText", "delInstrText"})
_MARKS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": "\u00ad"}
_HEADING = re.compile(r"heading (\d)")
_BODY_LEVEL = 9
"""The outline level of body text (ECMA-376, 17.3.1.20)."""
_MAX_TITLE = 500


def read(path: Path, facts: FileFacts) -> Iterator[Step]:
    """Read a DOCX file.

    Raises:
        FileFailure: the file is damaged, a decompression bomb, or has no text.
    """
    with ZipPackage(path) as package:
        main = _find_main_part(package)
        folder = main.rpartition("/")[0] + "/"
        levels = _read_heading_levels(package, f"{folder}styles.xml")
        collector = PassageCollector()
        _collect_paragraphs(collector, iter_xml_events(package.chunks(main)), levels)
        for notes in _NOTES:
            if folder + notes in package:
                _collect_paragraphs(collector, iter_xml_events(package.chunks(folder + notes)), levels)
        about = read_properties(package, "docProps/core.xml")
    title = about.get("title", "") or next((entry.title for entry in collector.headings), "")
    head = DocumentHead(
        "docx", facts.content_hash, facts.size_bytes, title, about.get("creator", ""), outline=tuple(collector.headings)
    )
    return read_without_pages(head, collector.spans())


def read_properties(package: ZipPackage, part: str) -> dict[str, str]:
    """Return the texts of a metadata part by element name; nothing if it cannot be read."""
    found: dict[str, str] = {}
    if part not in package:
        return found
    name = ""
    try:
        for event in iter_xml_events(package.chunks(part)):
            if event.kind == "start":
                name = event.name
            elif event.kind == "text" and name:
                found[name] = clean_stretch(found.get(name, "") + event.name, 0, clean_character)[0][:_MAX_TITLE]
            else:
                name = ""
    except FileFailure:
        return {}
    return found


def _find_main_part(package: ZipPackage) -> str:
    """Return the name of the part with the text of the document."""
    if "_rels/.rels" in package:
        for event in iter_xml_events(package.chunks("_rels/.rels")):
            attributes = event.attributes
            if event.kind == "start" and attributes.get("Type", "").endswith("/officeDocument"):
                target = attributes.get("Target", "").removeprefix("/")
                if target in package:
                    return target
    return _MAIN


def _read_heading_levels(package: ZipPackage, part: str) -> dict[str, int]:
    """Return the outline level, from 0, of each heading style; that of the title is 0."""
    levels: dict[str, int] = {}
    if part not in package:
        return levels
    style = ""
    for event in iter_xml_events(package.chunks(part)):
        if event.kind != "start":
            continue
        value = event.attributes.get("val", "")
        if event.name == "style":
            style = event.attributes.get("styleId", "")
        elif event.name == "name" and style:
            heading = _HEADING.match(value.lower())
            if heading is not None:
                levels[style] = max(int(heading.group(1)) - 1, 0)
            elif value.lower() == "title":
                levels[style] = 0
        elif event.name == "outlineLvl" and style and value.isdecimal() and int(value) < _BODY_LEVEL:
            levels.setdefault(style, int(value))
    return levels


def _collect_paragraphs(collector: PassageCollector, events: Iterable[XmlEvent], levels: dict[str, int]) -> None:
    paragraphs = OfficeParagraphs(collector)
    skipped = depth = 0
    is_text = False
    for event in events:
        if event.kind == "text":
            if is_text and not skipped:
                paragraphs.add(event.name)
            continue
        depth += 1 if event.kind == "start" else -1
        if skipped:
            if event.kind == "end" and depth < skipped:
                skipped = 0
            continue
        if event.kind == "end":
            match event.name:
                case "t":
                    is_text = False
                case "p":
                    paragraphs.end_paragraph()
                case "tr":
                    paragraphs.end_row()
            continue
        if event.name in _SKIPPED:
            skipped = depth
            continue
        match event.name:
            case "t":
                is_text = True
            case "p":
                paragraphs.begin_paragraph()
            case "tr":
                paragraphs.begin_row()
            case "tc":
                paragraphs.begin_cell()
            case "pStyle" | "numPr" | "outlineLvl":
                _apply_style(paragraphs, event, levels)
            case name if name in _MARKS and not _is_tab_stop(event):
                paragraphs.add(_MARKS[name])


def _is_tab_stop(event: XmlEvent) -> bool:
    """Return whether a `tab` defines a tab stop and is not a tab character: only those have a position."""
    return "pos" in event.attributes


def _apply_style(paragraphs: OfficeParagraphs, event: XmlEvent, levels: dict[str, int]) -> None:
    """Set kind and level of the open paragraph from a property."""
    paragraph = paragraphs.paragraph
    if paragraph is None:
        return
    value = event.attributes.get("val", "")
    if event.name == "pStyle" and value in levels:
        paragraph.kind, paragraph.level = "heading", levels[value]
    elif event.name == "outlineLvl" and value.isdecimal() and int(value) < _BODY_LEVEL:
        paragraph.kind, paragraph.level = "heading", int(value)
    elif event.name == "numPr" and paragraph.kind == "body":
        paragraph.kind = "list"
