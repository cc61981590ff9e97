"""DOCX (ECMA-376, WordprocessingML) to events: paragraphs, tables, text boxes, notes, comments; no deleted text."""

from __future__ import annotations

import contextlib
import io
import posixpath
import re
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, NamedTuple

from desktop_app.core.document_dates import read_written_date
from desktop_app.core.errors import FileFailure
from desktop_app.core.messages import Message
from desktop_app.core.reader_events import DocumentHead
from desktop_app.text.decoding import decode
from desktop_app.text.passages import clean_stretch
from desktop_app.text.readers import mail, web_page
from desktop_app.text.readers.office_chart import collect_chart_names
from desktop_app.text.readers.office_paragraphs import OfficeParagraphs
from desktop_app.text.readers.passage_collector import PassageCollector
from desktop_app.text.readers.plain import parse_plain_text
from desktop_app.text.readers.reader_steps import MAX_TITLE, Heartbeat, read_without_pages, remark_on_attachments
from desktop_app.text.readers.symbol_fonts import read_symbol
from desktop_app.text.readers.word_fields import read_field
from desktop_app.text.readers.xml_events import EVENTS_PER_HEARTBEAT, iter_xml_events
from desktop_app.text.readers.zip_package import ZipPackage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from desktop_app.core.reader_events import OmissionKind
    from desktop_app.text.readers.reader_steps import Step
    from desktop_app.text.readers.xml_events import XmlEvent

_MAIN = "word/document.xml"
_AFTER_TEXT = (
    ("footnotes", re.compile(r"footnotes\.xml")),
    ("endnotes", re.compile(r"endnotes\.xml")),
    ("comments", re.compile(r"comments\.xml")),
    ("diagrams", re.compile(r"diagrams/data\d*\.xml")),
    ("charts", re.compile(r"charts/chart(?:Ex)?\d*\.xml")),
    ("edges", re.compile(r"(?:header|footer)\d*\.xml")),
)
"""The parts with text besides the main one, in the order in which they are read."""
_SKIPPED = frozenset({"rPr", "sectPr", "delInstrText"})
_OMITTED: dict[str, OmissionKind] = {"del": "hidden", "moveFrom": "hidden", "rt": "reading"}
"""Elements whose text is left out on purpose: deleted or moved from here, the readings of ruby text."""
_ONLY_NUMBERS = re.compile(r"[\W\d_]*(?:page|seite|p\.|s\.)?[\W\d_]*(?:of|von|de)?[\W\d_]*", re.IGNORECASE)
_MAX_EDGE = 500
_MAX_EMBEDDED = 3
"""How deep documents within documents are read."""
_MARKS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": "\u00ad"}
_HEADING = re.compile(r"heading (\d)")
_BODY_LEVEL = 9
"""The outline level of body text (ECMA-376, 17.3.1.20)."""
_MAX_DAMAGED = 5
"""Damaged parts that are named."""
_MIME = re.compile(rb"\s*(?:MIME-Version|From|Content-Type):", re.IGNORECASE)


def read(path: Path, content_hash: str) -> Iterator[Step]:
    """Read a DOCX file.

    Raises:
        FileFailure: the file is damaged, a decompression bomb, or has no text.
    """
    collector = PassageCollector()
    with ZipPackage(path) as package:
        document = _WordPackage(package, collector)
        yield from document.collect()
        about = read_properties(package, "docProps/core.xml")
    title = about.get("title", "") or next((entry.title for entry in collector.headings), "")
    head = DocumentHead(
        "docx",
        content_hash,
        title,
        about.get("creator", ""),
        outline=tuple(collector.headings),
        dated=read_written_date(about.get("created", "")),
    )
    remarks = [*remark_on_attachments(document.unread)]
    if document.damaged:
        names = ", ".join(document.damaged[:_MAX_DAMAGED])
        remarks.append(
            Message("Parts that are damaged and could not be read: {names}", code="parts_damaged", names=names)
        )
    yield from read_without_pages(head, collector.spans(), *remarks, omitted=collector.omitted)


class _WordPackage:
    """The parts of a document, and those that its text refers to.

    Attributes:
        unread: names of embedded files that are not read.
        damaged: names of parts that are damaged; the main one is not damaged.
    """

    def __init__(self, package: ZipPackage, collector: PassageCollector, depth: int = 0) -> None:
        self.unread: list[str] = []
        self.damaged: list[str] = []
        self._package = package
        self._collector = collector
        self._depth = depth
        self._main = find_main_part(package, _MAIN)
        self._folder = self._main.rpartition("/")[0] + "/"

    def collect(self) -> Iterator[Heartbeat]:
        """Collect the text of all parts."""
        levels: dict[str, int] = {}
        with self._note_damage("styles.xml"):
            levels = _read_heading_levels(self._package, f"{self._folder}styles.xml")
        yield from self._collect_part(self._main, levels)
        names = sorted(info.filename for info in self._package.members() if info.filename.startswith(self._folder))
        for kind, pattern in _AFTER_TEXT:
            for name in names:
                if pattern.fullmatch(name.removeprefix(self._folder)):
                    with self._note_damage(name.rpartition("/")[2]):
                        yield from self._collect_edge(name) if kind == "edges" else self._collect_part(name, levels)
                        if kind == "charts":
                            yield from collect_chart_names(self._collector, iter_xml_events(self._package.chunks(name)))
        self.unread += (
            name.rpartition("/")[2]
            for name in names
            if name.startswith(f"{self._folder}embeddings/") and not name.lower().endswith((".xlsx", ".xls"))
        )

    @contextlib.contextmanager
    def _note_damage(self, name: str) -> Iterator[None]:
        """Go on without the rest of a part if it is damaged."""
        try:
            yield
        except FileFailure as failure:
            if failure.reason != "damaged":
                raise
            self.damaged.append(name)

    def _collect_part(self, name: str, levels: dict[str, int]) -> Iterator[Heartbeat]:
        events = iter_xml_events(self._package.chunks(name))
        for step in _collect_paragraphs(self._collector, events, levels):
            if isinstance(step, Heartbeat):
                yield step
            else:
                yield from self._collect_embedded(name, step.id)

    def _collect_edge(self, name: str) -> Iterator[Heartbeat]:
        """Collect a header or footer, each line once: it is the same on all pages, and on other kinds of pages."""
        edge = PassageCollector()
        for step in _collect_paragraphs(edge, iter_xml_events(self._package.chunks(name)), {}):
            if isinstance(step, Heartbeat):
                yield step
        known = set(self._collector.texts)
        for text in edge.texts:
            if text in known or len(text) > _MAX_EDGE or _ONLY_NUMBERS.fullmatch(text):
                self._collector.omit("running", text)
            else:
                known.add(text)
                self._collector.add(text)

    def _collect_embedded(self, part: str, relation: str) -> Iterator[Heartbeat]:
        """Collect a file that the document takes in whole (`altChunk`)."""
        name = read_relations(self._package, part).get(relation, "")
        if name not in self._package:
            return
        data = self._package.read(name)
        try:
            if data.startswith(b"PK") and self._depth < _MAX_EMBEDDED:
                with ZipPackage(io.BytesIO(data)) as package:
                    inner = _WordPackage(package, self._collector, self._depth + 1)
                    yield from inner.collect()
                    self.unread += inner.unread
                    self.damaged += inner.damaged
            elif data.lstrip()[:5] == b"{\\rtf" or data.startswith(b"PK"):
                self.unread.append(name.rpartition("/")[2])
            elif _MIME.match(data):
                yield from mail.collect_saved_page(data, self._collector)
            elif name.lower().endswith(".txt"):
                for passage in parse_plain_text(decode(data).text):
                    self._collector.add(passage.text, passage.kind, is_cut=passage.is_cut)
                    yield from self._collector.heartbeats()
            else:
                page, _ = web_page.parse_page(data)
                yield from web_page.collect_page_text(self._collector, page)
        except FileFailure:
            self.unread.append(name.rpartition("/")[2])


def read_relations(package: ZipPackage, part: str) -> dict[str, str]:
    """Return the names of the members that a part refers to, by the ids of the references."""
    folder, _, name = part.rpartition("/")
    relations = f"{folder}/_rels/{name}.rels"
    found: dict[str, str] = {}
    if relations in package:
        for event in iter_xml_events(package.chunks(relations)):
            target = event.attributes.get("Target", "")
            if event.kind == "start" and target:
                whole = target.removeprefix("/") if target.startswith("/") else f"{folder}/{target}"
                found[event.attributes.get("Id", "")] = posixpath.normpath(whole)
    return found


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
                found[name] = clean_stretch(found.get(name, "") + event.name)[0][:MAX_TITLE]
            else:
                name = ""
    except FileFailure:
        return {}
    return found


def find_main_part(package: ZipPackage, usual: str) -> str:
    """Return the name of the part with the text of a document: the usual one if that which names it is damaged."""
    with contextlib.suppress(FileFailure):
        for event in iter_xml_events(package.chunks("_rels/.rels")):
            attributes = event.attributes
            if event.kind == "start" and attributes.get("Type", "").endswith("/officeDocument"):
                target = attributes.get("Target", "").removeprefix("/")
                if target in package:
                    return target
    return usual


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


class _EmbeddedFile(NamedTuple):
    """A reference to a file whose text belongs here."""

    id: str


@dataclass(slots=True)
class _Alternative:
    """Forms of the same content (`AlternateContent`): the first one that has text is read."""

    depth: int
    has_text: bool = False


@dataclass(slots=True)
class _Field:
    """A field: its instruction so far, whether it has ended, and whether the result has text."""

    instruction: list[str] = dataclass_field(default_factory=list)
    in_result: bool = False
    has_result: bool = False


def _collect_paragraphs(
    collector: PassageCollector, events: Iterable[XmlEvent], levels: dict[str, int]
) -> Iterator[Heartbeat | _EmbeddedFile]:
    """Collect the paragraphs of a part; yield on the way, and where a file is embedded."""
    paragraphs = OfficeParagraphs(collector)
    alternatives: list[_Alternative] = []
    fields: list[_Field] = []
    skipped = depth = 0
    is_text = is_raised = is_instruction = False
    omitted_as: OmissionKind | None = None
    omitted: list[str] = []
    for number, event in enumerate(events, 1):
        if number % EVENTS_PER_HEARTBEAT == 0:
            yield Heartbeat()
        if event.kind == "text":
            if is_text and not skipped:
                paragraphs.add(event.name, is_raised=is_raised)
                _note_text(alternatives, event.name)
                if fields and event.name.strip():
                    fields[-1].has_result = True
            elif is_instruction and fields and not skipped:
                fields[-1].instruction.append(event.name)
            elif is_text and omitted_as:
                omitted.append(event.name)
            continue
        depth += 1 if event.kind == "start" else -1
        if skipped:
            is_text = event.kind == "start" and event.name in ("t", "delText")
            if event.kind == "start" and event.name == "vertAlign":
                is_raised = event.attributes.get("val") == "superscript"
            if event.kind == "end" and depth < skipped:
                skipped = 0
                if omitted_as:
                    collector.omit(omitted_as, "".join(omitted))
                    omitted_as = None
                    omitted.clear()
            continue
        if event.kind == "end":
            match event.name:
                case "t":
                    is_text = False
                case "instrText":
                    is_instruction = False
                case "fldSimple" if fields:
                    _end_field(paragraphs, fields)
                case "p":
                    paragraphs.end_paragraph()
                case "tr":
                    paragraphs.end_row()
                case "AlternateContent" if alternatives:
                    alternatives.pop()
            continue
        if event.name in _SKIPPED or (event.name in ("Choice", "Fallback") and _was_read(alternatives, depth)):
            skipped = depth
            continue
        if event.name in _OMITTED:
            skipped, omitted_as = depth, _OMITTED[event.name]
            continue
        match event.name:
            case "r":
                is_raised = False
            case "t":
                is_text = True
            case "instrText":
                is_instruction = True
            case "fldSimple":
                fields.append(_Field([event.attributes.get("instr", "")], in_result=True))
            case "fldChar" if event.attributes.get("fldCharType") == "begin":
                fields.append(_Field())
            case "fldChar" if event.attributes.get("fldCharType") == "separate" and fields:
                fields[-1].in_result = True
            case "fldChar" if event.attributes.get("fldCharType") == "end" and fields:
                _end_field(paragraphs, fields)
            case "p":
                paragraphs.begin_paragraph()
            case "tr":
                paragraphs.begin_row()
            case "tc":
                paragraphs.begin_cell()
            case "AlternateContent":
                alternatives.append(_Alternative(depth))
            case "altChunk":
                yield _EmbeddedFile(event.attributes.get("id", ""))
            case "sym":
                paragraphs.add(_read_sign(event))
            case "docPr" | "shape":
                description = event.attributes.get("descr" if event.name == "docPr" else "alt", "")
                paragraphs.add_description(description)
                _note_text(alternatives, description)
            case "tblCaption" | "tblDescription":
                # For those who do not see the table, whose text is read.
                collector.omit("alternative", event.attributes.get("val", ""))
            case "textpath":
                # WordArt: its text is an attribute.
                paragraphs.add_paragraph(event.attributes.get("string", ""))
            case "pStyle" | "numPr" | "outlineLvl":
                _apply_style(paragraphs, event, levels)
            case name if name in _MARKS and not _is_tab_stop(event):
                paragraphs.add(_MARKS[name])


def _end_field(paragraphs: OfficeParagraphs, fields: list[_Field]) -> None:
    """End the innermost field; without a result it shows what its instruction says."""
    ended = fields.pop()
    text = "" if ended.has_result else read_field("".join(ended.instruction))
    if fields and not fields[-1].in_result:
        fields[-1].instruction.append(text)
        return
    paragraphs.add(text)
    if fields:
        fields[-1].has_result = fields[-1].has_result or ended.has_result or bool(text)


def _note_text(alternatives: list[_Alternative], text: str) -> None:
    if text and not text.isspace():
        for each in alternatives:
            each.has_text = True


def _was_read(alternatives: list[_Alternative], depth: int) -> bool:
    """Return whether an earlier form of the content that begins at this depth had text."""
    return bool(alternatives) and alternatives[-1].depth == depth - 1 and alternatives[-1].has_text


def _read_sign(event: XmlEvent) -> str:
    try:
        return read_symbol(event.attributes.get("font", ""), int(event.attributes.get("char", ""), 16))
    except ValueError:
        return ""


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
