"""Writes a Word document: headings, paragraphs and footnotes, by ECMA-376 (Office Open XML, transitional)."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Literal

from desktop_app.core.escaping import escape_html

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

ParagraphStyle = Literal["Normal", "Heading1", "ListParagraph", "Code", "Bibliography"]

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_PARTS = ("document", "styles", "settings", "footnotes")

_CONTENT_TYPES = (
    f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    + "".join(
        f'<Override PartName="/word/{part}.xml" '
        f'ContentType="{_WORD}.{"document.main" if part == "document" else part}+xml"/>'
        for part in _PARTS
    )
    + '<Override PartName="/docProps/core.xml" '
    'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>'
)
_ROOT_RELATIONS = (
    f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/relationships/officeDocument" Target="word/document.xml"/>'
    f'<Relationship Id="rId2" Type="{_PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>'
    "</Relationships>"
)
_DOCUMENT_RELATIONS = (
    f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
    + "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/relationships/{part}" Target="{part}.xml"/>'
        for number, part in enumerate(_PARTS[1:], start=1)
    )
    + "</Relationships>"
)
_SETTINGS = (
    f"{_XML}<w:settings {_W}><w:footnotePr>"
    '<w:footnote w:id="-1"/><w:footnote w:id="0"/></w:footnotePr><w:compat>'
    '<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/>'
    "</w:compat></w:settings>"
)
_SEPARATORS = "".join(
    f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/>'
    f"</w:pPr><w:r><w:{kind}/></w:r></w:p></w:footnote>"
    for kind, number in (("separator", -1), ("continuationSeparator", 0))
)


def _style(kind: str, name: str, title: str, properties: str, base: str = "Normal") -> str:
    based = f'<w:basedOn w:val="{base}"/>' if base else ""
    head = f'<w:style w:type="{kind}" w:styleId="{name}"><w:name w:val="{title}"/>'
    return f"{head}{based}<w:qFormat/>{properties}</w:style>"


# The names are Word's own, so that the styles of a person's template fit.
_STYLES = (
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>'
    '<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont">'
    '<w:name w:val="Default Paragraph Font"/></w:style>'
    + _style(
        "paragraph",
        "Heading1",
        "heading 1",
        '<w:pPr><w:keepNext/><w:spacing w:before="360" w:after="120"/><w:outlineLvl w:val="0"/></w:pPr>'
        '<w:rPr><w:b/><w:sz w:val="28"/></w:rPr>',
    )
    + _style("paragraph", "ListParagraph", "List Paragraph", '<w:pPr><w:ind w:left="720"/></w:pPr>')
    + _style(
        "paragraph",
        "Code",
        "Code",
        '<w:pPr><w:spacing w:after="0"/></w:pPr>'
        '<w:rPr><w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/><w:sz w:val="20"/></w:rPr>',
    )
    + _style("paragraph", "Bibliography", "Bibliography", '<w:pPr><w:ind w:left="720" w:hanging="720"/></w:pPr>')
    + _style(
        "paragraph",
        "FootnoteText",
        "footnote text",
        '<w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr><w:rPr><w:sz w:val="20"/></w:rPr>',
    )
    + _style(
        "character",
        "FootnoteReference",
        "footnote reference",
        '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>',
        "DefaultParagraphFont",
    )
)
_SECTION = (
    '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/>'
    '<w:pgMar w:top="1417" w:right="1417" w:bottom="1417" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/>'
    "</w:sectPr>"
)


class DocxWriter:
    """Writes one document, when its block ends: a package that is written in steps would be broken by a full disk.

    Args:
        file: an open file, which stays open.
        title: of the document, in its properties.
        language: of the text, such as `en` or `de`, for spelling checkers.
    """

    def __init__(self, file: IO[bytes], title: str, language: str) -> None:
        self._file = file
        self._title = title
        self._language = language
        self._paragraphs: list[str] = []
        self._notes: list[str] = []

    def __enter__(self) -> DocxWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if kind is None:
            package = io.BytesIO()
            with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as parts:
                for name, text in self._list_parts():
                    parts.writestr(name, text)
            self._file.write(package.getvalue())

    def write_paragraph(self, pieces: Sequence[tuple[str, str]], style: ParagraphStyle = "Normal") -> None:
        """Write a paragraph.

        Args:
            pieces: stretches of text, each with the footnote that follows it; empty for none.
            style: of the paragraph.
        """
        runs = "".join(_format_run(text) + (self._add_note(note) if note else "") for text, note in pieces)
        properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style != "Normal" else ""
        self._paragraphs.append(f"<w:p>{properties}{runs}</w:p>")

    def _add_note(self, text: str) -> str:
        """Keep a footnote, and return the run that refers to it."""
        number = len(self._notes) + 1
        self._notes.append(
            f'<w:footnote w:id="{number}"><w:p><w:pPr><w:pStyle w:val="FootnoteText"/></w:pPr>'
            '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>'
            f"{_format_run(' ' + text)}</w:p></w:footnote>"
        )
        return f'<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="{number}"/></w:r>'

    def _list_parts(self) -> list[tuple[str, str]]:
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        core = (
            f'{_XML}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
            'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
            'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
            f"<dc:title>{escape_html(self._title)}</dc:title>"
            f'<dcterms:created xsi:type="dcterms:W3CDTF">{now}</dcterms:created></cp:coreProperties>'
        )
        styles = (
            f"{_XML}<w:styles {_W}><w:docDefaults><w:rPrDefault><w:rPr>"
            '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/>'
            f'<w:sz w:val="22"/><w:lang w:val="{escape_html(self._language)}"/></w:rPr></w:rPrDefault>'
            '<w:pPrDefault><w:pPr><w:spacing w:after="160" w:line="259" w:lineRule="auto"/></w:pPr></w:pPrDefault>'
            "</w:docDefaults>"
            f"{_STYLES}</w:styles>"
        )
        notes = f"{_XML}<w:footnotes {_W}>{_SEPARATORS}{''.join(self._notes)}</w:footnotes>"
        body = f"{_XML}<w:document {_W}><w:body>{''.join(self._paragraphs)}{_SECTION}</w:body></w:document>"
        return [
            ("[Content_Types].xml", _CONTENT_TYPES),  # by the standard it comes first
            ("_rels/.rels", _ROOT_RELATIONS),
            ("word/document.xml", body),
            ("word/_rels/document.xml.rels", _DOCUMENT_RELATIONS),
            ("word/styles.xml", styles),
            ("word/settings.xml", _SETTINGS),
            ("word/footnotes.xml", notes),
            ("docProps/core.xml", core),
        ]


def _format_run(text: str) -> str:
    lead = " " if text.startswith(" ") else ""
    return f'<w:r><w:t xml:space="preserve">{lead}{escape_html(text)}</w:t></w:r>'
