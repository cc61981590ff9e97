"""ODT (OASIS OpenDocument text) to events: paragraphs, tables, notes, comments, headers; no deleted text."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from desktop_app.core.document_dates import read_written_date
from desktop_app.core.errors import FileFailure
from desktop_app.core.reader_events import DocumentHead
from desktop_app.text.readers.office_chart import collect_open_chart
from desktop_app.text.readers.office_paragraphs import OfficeParagraphs
from desktop_app.text.readers.passage_collector import PassageCollector
from desktop_app.text.readers.reader_steps import Heartbeat, read_without_pages
from desktop_app.text.readers.word import read_properties
from desktop_app.text.readers.xml_events import EVENTS_PER_HEARTBEAT, iter_xml_events
from desktop_app.text.readers.zip_package import ZipPackage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from desktop_app.core.reader_events import OmissionKind
    from desktop_app.text.readers.reader_steps import Step
    from desktop_app.text.readers.xml_events import XmlEvent

_SKIPPED = frozenset(
    {"note-citation", "sequence-decls", "variable-decls", "forms", "bibliography-source", "table-of-content-source"}
)
_OMITTED: dict[str, OmissionKind] = {"tracked-changes": "hidden", "ruby-text": "reading"}
"""Elements whose text is left out on purpose: deleted text, the readings of ruby text."""
_AROUND_FIELDS = frozenset({"p", "h", "span", "a"})
"""Elements in which `title` is a field; in all others it says what a picture shows."""
_ABOUT_ANNOTATION = frozenset({"creator", "date", "date-string", "creator-initials", "sender-initials"})
_MAX_EDGE = 500
_MARKS = {"tab": " ", "line-break": "\n"}
_MAX_BLANKS = 100
_EDGES = ("header", "footer", "header-left", "footer-left", "header-first", "footer-first")


def read(path: Path, content_hash: str) -> Iterator[Step]:
    """Read an ODT file.

    Raises:
        FileFailure: the file is locked, damaged, a decompression bomb, or has no text.
    """
    with ZipPackage(path) as package:
        refuse_encrypted(package)
        collector = PassageCollector()
        raised = _find_raised_styles(package)
        yield from _collect_paragraphs(collector, iter_xml_events(package.chunks("content.xml")), ("body",), raised)
        for info in package.members():
            if info.filename.endswith("/content.xml"):
                with contextlib.suppress(FileFailure):
                    yield from collect_open_chart(collector, iter_xml_events(package.chunks(info.filename)))
        if "styles.xml" in package:
            yield from _collect_edges(collector, package)
        about = read_properties(package, "meta.xml")
    title = about.get("title", "") or next((entry.title for entry in collector.headings), "")
    author = about.get("creator", "") or about.get("initial-creator", "")
    dated = read_written_date(about.get("creation-date", "") or about.get("date", ""))
    head = DocumentHead("odt", content_hash, title, author, outline=tuple(collector.headings), dated=dated)
    yield from read_without_pages(head, collector.spans(), omitted=collector.omitted)


def refuse_encrypted(package: ZipPackage) -> None:
    """Check that an OpenDocument file has no password.

    Raises:
        FileFailure: it has one.
    """
    try:
        names = {event.name for event in iter_xml_events(package.chunks("META-INF/manifest.xml"))}
    except FileFailure:
        return  # a missing or damaged list of parts costs no text
    if "encryption-data" in names:
        raise FileFailure("locked", "The file is protected by a password")


class _RaisedStyles:
    """The styles of superscript text, noted as a file defines them: automatic ones follow the ones that they change."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._style = ""

    def note(self, event: XmlEvent) -> None:
        """Note the start of an element."""
        if event.name == "style":
            self._style = event.attributes.get("name", "")
            if event.attributes.get("parent-style-name", "") in self._names:
                self._names.add(self._style)
        elif event.name == "text-properties" and self._style:
            position = event.attributes.get("text-position", "")
            if position.startswith("super") or (position[:1].isdecimal() and not position.startswith("0")):
                self._names.add(self._style)
            elif position:
                self._names.discard(self._style)

    def __contains__(self, style: str) -> bool:
        return style in self._names


def _find_raised_styles(package: ZipPackage) -> _RaisedStyles:
    """Return the named styles of a document's superscript text."""
    raised = _RaisedStyles()
    if "styles.xml" in package:
        with contextlib.suppress(FileFailure):
            for event in iter_xml_events(package.chunks("styles.xml")):
                if event.kind == "start":
                    raised.note(event)
    return raised


def _collect_edges(collector: PassageCollector, package: ZipPackage) -> Iterator[Heartbeat]:
    """Collect the headers and footers, each line once: they are the same on all pages, and on other kinds of pages."""
    edges = PassageCollector()
    try:
        styles = iter_xml_events(package.chunks("styles.xml"))
        yield from _collect_paragraphs(edges, styles, _EDGES, _RaisedStyles())
    except FileFailure:
        return
    known = set(collector.texts)
    for text in edges.texts:
        if text in known or len(text) > _MAX_EDGE or not any(map(str.isalpha, text)):
            collector.omit("running", text)
        else:
            known.add(text)
            collector.add(text)


def _collect_paragraphs(
    collector: PassageCollector, events: Iterable[XmlEvent], tops: Sequence[str], raised: _RaisedStyles
) -> Iterator[Heartbeat]:
    """Collect the paragraphs within the elements `tops`; yield on the way."""
    paragraphs = OfficeParagraphs(collector)
    in_body = False
    skipped = lists = annotations = 0
    above: list[str] = []
    spans: list[list[bool]] = [[]]  # of each open paragraph, whether they are raised: a note may stand in one that is
    omitted_as: OmissionKind | None = None
    omitted: list[str] = []
    for number, event in enumerate(events, 1):
        if number % EVENTS_PER_HEARTBEAT == 0:
            yield Heartbeat()
        if event.kind == "text":
            if omitted_as and above[-1] not in _ABOUT_ANNOTATION:
                omitted.append(event.name)
            elif in_body and not skipped:
                paragraphs.add(" ".join(event.name.split("\n")), is_raised=any(spans[-1]))
            continue
        if event.kind == "start":
            above.append(event.name)
        else:
            above.pop()
        if skipped:
            if event.kind == "end" and len(above) < skipped:
                skipped = 0
                if omitted_as:
                    collector.omit(omitted_as, " ".join(omitted))
                    omitted_as = None
                    omitted.clear()
            continue
        starts = event.kind == "start"
        if starts:
            raised.note(event)
        match event.name:
            case name if name in tops:
                in_body = starts
            case name if starts and in_body and (name in _SKIPPED or name in _OMITTED):
                skipped, omitted_as = len(above), _OMITTED.get(name)
            case name if starts and annotations and name in _ABOUT_ANNOTATION:
                skipped = len(above)
            case "annotation":
                annotations += 1 if starts else -1
            case "span" if starts:
                spans[-1].append(event.attributes.get("style-name", "") in raised)
            case "span" if spans[-1]:
                spans[-1].pop()
            case "list-item":
                lists += 1 if starts else -1
            case "title" | "desc" if in_body and above[-2 if starts else -1] not in _AROUND_FIELDS:
                (paragraphs.begin_paragraph if starts else paragraphs.end_paragraph)()
            case "p" | "h" if starts and in_body:
                paragraphs.begin_paragraph()
                spans.append([])
                _apply_style(paragraphs, event, lists)
            case "p" | "h" if in_body:
                paragraphs.end_paragraph()
                if len(spans) > 1:
                    spans.pop()
            case "table-row":
                (paragraphs.begin_row if starts else paragraphs.end_row)()
            case "table-cell" if starts:
                paragraphs.begin_cell()
            case "s" if starts:
                count = event.attributes.get("c", "1")
                paragraphs.add(" " * min(int(count) if count.isdecimal() else 1, _MAX_BLANKS))
            case name if starts and name in _MARKS:
                paragraphs.add(_MARKS[name])


def _apply_style(paragraphs: OfficeParagraphs, event: XmlEvent, lists: int) -> None:
    paragraph = paragraphs.paragraph
    assert paragraph is not None
    if event.name == "h":
        level = event.attributes.get("outline-level", "1")
        paragraph.kind, paragraph.level = "heading", max(int(level) - 1 if level.isdecimal() else 0, 0)
    elif lists:
        paragraph.kind = "list"
