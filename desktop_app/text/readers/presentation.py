"""Presentations to events, a page for each slide: PPTX (ECMA-376, PresentationML) and ODP (OASIS OpenDocument).

Titles are headings; speaker's notes follow the text of their slide. Slide numbers, dates and footers are left out, but
not those within a sentence.
"""

from __future__ import annotations

import contextlib
import posixpath
from typing import TYPE_CHECKING

from desktop_app.core.document_dates import read_written_date
from desktop_app.core.errors import FileFailure
from desktop_app.core.messages import Message
from desktop_app.core.reader_events import DocumentHead, PageRead, ReadingDone
from desktop_app.text.readers.office_chart import collect_chart_names, collect_open_chart
from desktop_app.text.readers.office_paragraphs import OfficeParagraphs
from desktop_app.text.readers.open_document import refuse_encrypted
from desktop_app.text.readers.passage_collector import PassageCollector
from desktop_app.text.readers.reader_steps import Heartbeat, SpanBatches
from desktop_app.text.readers.word import read_properties, read_relations
from desktop_app.text.readers.xml_events import EVENTS_PER_HEARTBEAT, iter_xml_events
from desktop_app.text.readers.zip_package import ZipPackage

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from pathlib import Path

    from desktop_app.text.readers.reader_steps import Step
    from desktop_app.text.readers.xml_events import XmlEvent

_MAIN = "ppt/presentation.xml"
_MAX_SLIDES = 10_000
_TITLES = frozenset({"title", "ctrTitle"})
_RUNNING = frozenset({"sldNum", "dt", "ftr", "hdr", "footer", "header", "page-number", "date-time"})
"""Placeholders of slide numbers, dates, headers and footers, by their names in PPTX and ODP."""
_FIELDS = ("slidenum", "datetime")
"""Fields of PPTX whose text is left out if it is all that a paragraph has, by how their types begin."""
_NO_TEXT_OF_NOTES = frozenset({"sldImg"}) | _RUNNING


def read(path: Path, content_hash: str) -> Iterator[Step]:
    """Read a presentation.

    Raises:
        FileFailure: the file is locked, damaged, a decompression bomb, or has no text.
    """
    collector = PassageCollector()
    damaged: list[int] = []
    with ZipPackage(path) as package:
        if _MAIN in package:
            slides = _list_slides(package)
            for number, slide in enumerate(slides, 1):
                collector.begin_page(number)
                try:
                    yield from _collect_slide(collector, package, slide)
                except FileFailure as failure:
                    if failure.reason != "damaged":
                        raise
                    damaged.append(number)
            count = len(slides)
            about = read_properties(package, "docProps/core.xml")
            author, dated = about.get("creator", ""), about.get("created", "")
        else:
            count = yield from _collect_open_document(collector, package)
            about = read_properties(package, "meta.xml")
            author = about.get("creator", "") or about.get("initial-creator", "")
            dated = about.get("creation-date", "") or about.get("date", "")
    if not count:
        raise FileFailure("damaged", "The presentation has no slides")
    yield DocumentHead(
        "presentation",
        content_hash,
        about.get("title", "") or next((entry.title for entry in collector.headings), ""),
        author,
        page_count=count,
        outline=tuple(collector.headings),
        dated=read_written_date(dated),
    )
    yield PageRead(count, count)
    batches = SpanBatches()
    yield from batches.batch(collector.spans())
    if not batches.sentences:
        raise FileFailure("no_text", "The presentation has no text")
    remarks = list(batches.remarks())
    if damaged:
        named = ", ".join(map(str, damaged[:20]))
        remarks.append(Message("Slides that are damaged and could not be read: {slides}", slides=named))
    yield ReadingDone(tuple(remarks), omitted=tuple(collector.omitted))


# PPTX


def _list_slides(package: ZipPackage) -> list[str]:
    """Return the names of the slides in the order in which they are shown.

    Raises:
        FileFailure: the presentation is damaged, or has too many slides.
    """
    relations = read_relations(package, _MAIN)
    slides: list[str] = []
    for event in iter_xml_events(package.chunks(_MAIN)):
        if event.kind == "start" and event.name == "sldId":
            # `id` is the number of the slide, and with the namespace of relations the id of its part; the latter wins.
            name = relations.get(event.attributes.get("id", ""), "")
            if name in package:
                slides.append(name)
    if not slides:
        found = [info.filename for info in package.members() if _is_slide(info.filename)]
        slides = sorted(found, key=lambda name: (len(name), name))
    if len(slides) > _MAX_SLIDES:
        raise FileFailure(
            "too_large",
            "The presentation has {count:,} slides; the limit is {most:,}",
            count=len(slides),
            most=_MAX_SLIDES,
        )
    return slides


def _is_slide(name: str) -> bool:
    return name.startswith("ppt/slides/slide") and name.endswith(".xml")


def _collect_slide(collector: PassageCollector, package: ZipPackage, slide: str) -> Iterator[Heartbeat]:
    """Collect a slide, its diagrams, its notes and comments."""
    yield from _collect_drawing(collector, iter_xml_events(package.chunks(slide)), _RUNNING)
    with contextlib.suppress(FileFailure):
        related = [name for name in read_relations(package, slide).values() if name in package]
        for name in related:
            if is_chart := "/charts/chart" in name:
                yield from collect_chart_names(collector, iter_xml_events(package.chunks(name)))
            if is_chart or "/diagrams/data" in name:
                yield from _collect_drawing(collector, iter_xml_events(package.chunks(name)), _RUNNING)
        for name in related:
            if "/comments/" in name:
                yield from _collect_drawing(collector, iter_xml_events(package.chunks(name)), _RUNNING)
            elif "/notesSlides/" in name:
                yield from _collect_drawing(collector, iter_xml_events(package.chunks(name)), _NO_TEXT_OF_NOTES)


def _collect_drawing(
    collector: PassageCollector, events: Iterable[XmlEvent], left_out: frozenset[str]
) -> Iterator[Heartbeat]:
    """Collect the paragraphs of shapes and tables in DrawingML; those of placeholders `left_out` are omitted."""
    paragraphs = OfficeParagraphs(collector)
    placeholder, is_text, in_field = "", False, False
    fields: list[str] = []
    omitted: list[str] = []
    for number, event in enumerate(events, 1):
        if number % EVENTS_PER_HEARTBEAT == 0:
            yield Heartbeat()
        if event.kind == "text":
            if is_text and placeholder in left_out:
                omitted.append(event.name)
            elif is_text:
                paragraphs.add(event.name)
                if in_field:
                    fields.append(event.name)
            continue
        starts = event.kind == "start"
        match event.name:
            case "sp" | "graphicFrame" | "pic":
                placeholder = ""
            case "ph" if starts:
                placeholder = event.attributes.get("type", "body")
            case "cNvPr" if starts and event.attributes.get("descr", "").strip():
                paragraphs.add_description(event.attributes["descr"])
            case "p" if starts:
                paragraphs.begin_paragraph()
                if placeholder in _TITLES and paragraphs.paragraph is not None:
                    paragraphs.paragraph.kind = "heading"
            case "p":
                paragraph = paragraphs.paragraph
                if fields and paragraph is not None and _letters(paragraph.text) == _letters("".join(fields)):
                    omitted.append(paragraph.text)
                    paragraph.pieces.clear()
                fields.clear()
                paragraphs.end_paragraph()
                if omitted:
                    collector.omit("running", "".join(omitted))
                    omitted.clear()
            case "t":
                is_text = starts
            case "text":  # of a comment
                (paragraphs.begin_paragraph if starts else paragraphs.end_paragraph)()
                is_text = starts
            case "fld":
                in_field = starts and event.attributes.get("type", "").startswith(_FIELDS)
            case "br" | "tab" if starts:
                paragraphs.add("\n" if event.name == "br" else " ")
            case "tr":
                (paragraphs.begin_row if starts else paragraphs.end_row)()
            case "tc" if starts:
                paragraphs.begin_cell()


def _letters(text: str) -> str:
    return "".join(text.split())


# ODP


def _collect_open_document(collector: PassageCollector, package: ZipPackage) -> Generator[Heartbeat, None, int]:
    """Collect the slides of an OpenDocument presentation; returns how many there are."""
    refuse_encrypted(package)
    paragraphs = OfficeParagraphs(collector)
    count = notes = 0
    frames: list[str] = []
    in_slide = False
    omitted: list[str] = []
    for number, event in enumerate(iter_xml_events(package.chunks("content.xml")), 1):
        if number % EVENTS_PER_HEARTBEAT == 0:
            yield Heartbeat()
        what = frames[-1] if frames else ""
        if event.kind == "text":
            if in_slide and what in _RUNNING:
                omitted.append(event.name)
            elif in_slide:
                paragraphs.add(" ".join(event.name.split("\n")))
            continue
        starts = event.kind == "start"
        match event.name:
            case "page" if starts:
                count += 1
                in_slide = True
                collector.begin_page(count)
            case "page":
                in_slide = False
            case "notes":
                notes += 1 if starts else -1
            case "frame" | "custom-shape" if starts:
                frames.append(event.attributes.get("class", ""))
            case "frame" | "custom-shape" if frames:
                frames.pop()
                if omitted:
                    collector.omit("running", " ".join(omitted))
                    omitted.clear()
            case "object" if in_slide and starts:
                name = posixpath.normpath(event.attributes.get("href", "")) + "/content.xml"
                if name in package:
                    with contextlib.suppress(FileFailure):
                        yield from collect_open_chart(collector, iter_xml_events(package.chunks(name)))
            case "title" | "desc" if in_slide and frames:
                (paragraphs.begin_paragraph if starts else paragraphs.end_paragraph)()
            case "p" | "h" if in_slide and starts:
                paragraphs.begin_paragraph()
                if what == "title" and not notes and paragraphs.paragraph is not None:
                    paragraphs.paragraph.kind = "heading"
            case "p" | "h" if in_slide:
                paragraphs.end_paragraph()
            case "table-row" if in_slide:
                (paragraphs.begin_row if starts else paragraphs.end_row)()
            case "table-cell" if in_slide and starts:
                paragraphs.begin_cell()
            case "line-break" | "tab" | "s" if in_slide and starts:
                paragraphs.add("\n" if event.name == "line-break" else " ")
    return count
