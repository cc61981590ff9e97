"""Makes small documents of every format, to read and to damage."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping, Sequence

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
ODF = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)


def zipped(members: Mapping[str, str | bytes], *, first: str = "", method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Pack members; `first` is stored uncompressed and first, as required for `mimetype`."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as package:
        for name in sorted(members, key=lambda name: name != first):
            package.writestr(name, members[name], zipfile.ZIP_STORED if name == first else None)
    return out.getvalue()


def docx(body: str, *, more: Mapping[str, str | bytes] | None = None) -> bytes:
    """A Word document with this inside `w:body`."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/></w:style>'
        for key, name in (("berschrift1", "heading 1"), ("berschrift2", "heading 2"), ("Titel", "Title"))
    )
    members = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "word/document.xml": f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>',
        "word/styles.xml": f'<w:styles xmlns:w="{W}">{styles}</w:styles>',
        "docProps/core.xml": '<p xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>On Tides</dc:title>'
        "<dc:creator>A. Writer</dc:creator><created>2019-05-03T10:00:00Z</created></p>",
    }
    return zipped(members | dict(more or {}))


def paragraph(text: str, style: str = "", properties: str = "") -> str:
    style = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f'<w:p><w:pPr>{style}{properties}</w:pPr><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def odt(body: str, *, manifest: str = "<m/>", content: str | None = None, styles: str = "") -> bytes:
    """An OpenDocument text with this inside `office:text`."""
    whole = f"<office:body><office:text>{body}</office:text></office:body>"
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": content or f"<office:document-content {ODF}>{whole}</office:document-content>",
            "meta.xml": f"<m {ODF}><dc:title>On Tides</dc:title><dc:creator>A. Writer</dc:creator>"
            "<dc:date>2019-05-03T10:00:00</dc:date></m>",
            "META-INF/manifest.xml": manifest,
        }
        | ({"styles.xml": styles} if styles else {}),
        first="mimetype",
    )


PRESENTATION = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


def relations(targets: Mapping[str, str]) -> str:
    """The part with the targets of relations, by their ids."""
    each = "".join(f'<Relationship Id="{key}" Target="{target}"/>' for key, target in targets.items())
    return f'<Relationships xmlns="{_RELATIONS}">{each}</Relationships>'


def shape(*paragraphs: str, placeholder: str = "") -> str:
    """A shape of a slide with these paragraphs."""
    kind = f'<p:nvPr><p:ph type="{placeholder}"/></p:nvPr>' if placeholder else "<p:nvPr/>"
    texts = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in paragraphs)
    return f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/>{kind}</p:nvSpPr><p:txBody>{texts}</p:txBody></p:sp>'


def pptx(
    slides: Mapping[str, str], *, notes: Mapping[str, str] | None = None, more: Mapping[str, str] | None = None
) -> bytes:
    """A presentation: the shapes of slides, by their file names, in the order in which they are shown."""
    listed = "".join(f'<p:sldId id="{256 + at}" r:id="r{at}"/>' for at in range(len(slides)))
    members = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "ppt/presentation.xml": f"<p:presentation {PRESENTATION}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations({f"r{at}": f"slides/{name}" for at, name in enumerate(slides)}),
        "docProps/core.xml": '<p xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>On Tides</dc:title>'
        "<dc:creator>A. Writer</dc:creator><created>2019-05-03T10:00:00Z</created></p>",
    }
    for name, shapes in slides.items():
        members[f"ppt/slides/{name}"] = f"<p:sld {PRESENTATION}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
    for name, shapes in (notes or {}).items():
        members[f"ppt/slides/_rels/{name}.rels"] = relations({"n": f"../notesSlides/{name}"})
        members[f"ppt/notesSlides/{name}"] = f"<p:notes {PRESENTATION}>{shapes}</p:notes>"
    return zipped(members | dict(more or {}))


def odp(pages: str, *, manifest: str = "<m/>") -> bytes:
    """An OpenDocument presentation with these pages."""
    names = (
        ODF + ' xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
        'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" '
        'xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"'
    )
    whole = f"<office:body><office:presentation>{pages}</office:presentation></office:body>"
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.presentation",
            "content.xml": f"<office:document-content {names}>{whole}</office:document-content>",
            "meta.xml": f"<m {ODF}><dc:title>On Tides</dc:title><dc:creator>A. Writer</dc:creator>"
            "<dc:date>2019-05-03T10:00:00</dc:date></m>",
            "META-INF/manifest.xml": manifest,
        },
        first="mimetype",
    )


def frame(*paragraphs: str, kind: str = "") -> str:
    """A frame of an OpenDocument slide with these paragraphs."""
    of = f' presentation:class="{kind}"' if kind else ""
    texts = "".join(f"<text:p>{text}</text:p>" for text in paragraphs)
    return f"<draw:frame{of}><draw:text-box>{texts}</draw:text-box></draw:frame>"


CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)


def epub(chapters: Mapping[str, str], *, nav: str = "", ncx: str = "", more: Mapping[str, str] | None = None) -> bytes:
    """A book with these chapters, by file name."""
    items = "".join(
        f'<item id="c{at}" href="{name.replace(" ", "%20")}" media-type="application/xhtml+xml"/>'
        for at, name in enumerate(chapters)
    )
    if nav:
        items += '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    if ncx:
        items += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    spine = "".join(f'<itemref idref="c{at}"/>' for at in range(len(chapters)))
    opf = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        "<dc:title>The Bay</dc:title><dc:creator>A. Writer</dc:creator><dc:creator>B. Other</dc:creator>"
        "<dc:date>2019-05</dc:date></metadata>"
        f'<manifest>{items}</manifest><spine toc="ncx">{spine}</spine></package>'
    )
    members = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER, "OEBPS/book.opf": opf}
    members |= {f"OEBPS/{name}": f"<html><body>{text}</body></html>" for name, text in chapters.items()}
    members |= {"OEBPS/nav.xhtml": nav} if nav else {}
    members |= {"OEBPS/toc.ncx": ncx} if ncx else {}
    return zipped(members | dict(more or {}), first="mimetype")


RTF = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fnil\fcharset0 Calibri;}{\f1\fnil\fcharset204 Arial;}}"
    r"{\info{\title On Tides}{\author A. Writer}}{\*\generator Some Program;}"
    r"{\pict\pngblip " + "89504e470d0a1a0a" * 40 + "}"
    "\n"
    r"\pard\f0 The sea rises twice a day.\par Caf\'e9s at the coast \u8211? they close early{\footnote In winter"
    r" they never open.}.\par \f1 \'cc\'ee\'f0\'e5 \'f2\'e8\'f5\'ee.\par"
    r' \f0{\field{\*\fldinst{HYPERLINK "https://example.org"}}{\fldrslt{A link}}} is only its text.\par'
    r"\trowd\cellx100\cellx200 Port\cell Height\cell\row \pard Emden\cell 3.2 m\cell\row\pard }"
)

MAIL = """\
Received: from a.example by b.example; Mon, 2 Mar 2026 10:00:00 +0000
From: =?utf-8?q?Ann_M=C3=BCller?= <ann@example.org>
To: Ben <ben@example.org>
Subject: =?utf-8?b?R3LDvMOfZSB2b20gTWVlcg==?=
Date: Mon, 2 Mar 2026 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer"

--outer
Content-Type: multipart/alternative; boundary="inner"

--inner
Content-Type: text/plain; charset="iso-8859-1"
Content-Transfer-Encoding: quoted-printable

The caf=E9 is open again. Come and see it.

> Is it open?
> I would like to know.

--inner
Content-Type: text/html; charset="utf-8"

<html><p>The HTML says the same.</p></html>
--inner--
--outer
Content-Type: application/pdf; name="menu.pdf"
Content-Disposition: attachment; filename="menu.pdf"
Content-Transfer-Encoding: base64

JVBERi0xLjQK
--outer--
"""

BOX = (
    "From ann@example.org Mon Mar  2 10:00:00 2026\nFrom: ann@example.org\nSubject: First\n"
    "Message-ID: <1@example.org>\n\nThe first message speaks of tides.\n>From here the sea is seen.\n\n"
    "From ben@example.org Mon Mar  2 11:00:00 2026\nFrom: ben@example.org\nSubject: Second\n"
    "Content-Type: text/html\n\n<p>The second one answers.</p>\n\n"
)


SPREADSHEET = (
    'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)


def xlsx(
    sheets: Mapping[str, str],
    *,
    strings: Sequence[str] = (),
    formats: Sequence[str] = (),
    more: Mapping[str, str] | None = None,
    settings: str = "",
) -> bytes:
    """A spreadsheet: the rows of its sheets by their names, sheet 1 first.

    Args:
        sheets: their rows; a name that begins with a dot is hidden.
        strings: that cells refer to by number: the parts of each.
        formats: of numbers; a cell's style 1 has the first.
        more: other parts.
        settings: of the workbook.
    """
    hidden = {name: ' state="hidden"' if name.startswith(".") else "" for name in sheets}
    listed = "".join(
        f'<sheet name="{name.lstrip(".")}" sheetId="{at}" r:id="s{at}"{hidden[name]}/>'
        for at, name in enumerate(sheets, 1)
    )
    named = "".join(f'<numFmt numFmtId="{200 + at}" formatCode="{code}"/>' for at, code in enumerate(formats))
    styles = "".join(f'<xf numFmtId="{200 + at}"/>' for at in range(len(formats)))
    members = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "xl/workbook.xml": f"<workbook {SPREADSHEET}>{settings}<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": relations({f"s{at}": f"worksheets/sheet{at}.xml" for at in range(1, 99)}),
        "xl/styles.xml": f'<styleSheet {SPREADSHEET}><numFmts>{named}</numFmts><cellXfs><xf numFmtId="0"/>{styles}'
        "</cellXfs></styleSheet>",
        "xl/sharedStrings.xml": f"<sst {SPREADSHEET}>{''.join(f'<si>{each}</si>' for each in strings)}</sst>",
        "docProps/core.xml": '<p xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>On Tides</dc:title>'
        "<dc:creator>A. Writer</dc:creator><created>2019-05-03T10:00:00Z</created></p>",
    }
    for at, rows in enumerate(sheets.values(), 1):
        members[f"xl/worksheets/sheet{at}.xml"] = f"<worksheet {SPREADSHEET}><sheetData>{rows}</sheetData></worksheet>"
    return zipped(members | dict(more or {}))


def cells(*texts: str | float) -> str:
    """A row of a spreadsheet with these texts and numbers."""
    each = "".join(
        f'<c t="inlineStr"><is><t>{text}</t></is></c>' if isinstance(text, str) else f"<c><v>{text}</v></c>"
        for text in texts
    )
    return f"<row>{each}</row>"


def ods(tables: str, *, styles: str = "", manifest: str = "<m/>") -> bytes:
    """An OpenDocument spreadsheet with these tables."""
    names = (
        ODF + ' xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
        'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'
    )
    body = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
    content = f"<office:document-content {names}><office:automatic-styles>{styles}</office:automatic-styles>{body}"
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": f"{content}</office:document-content>",
            "meta.xml": f"<m {ODF}><dc:title>On Tides</dc:title><dc:creator>A. Writer</dc:creator>"
            "<dc:date>2019-05-03T10:00:00</dc:date></m>",
            "META-INF/manifest.xml": manifest,
        },
        first="mimetype",
    )


def open_row(*texts: str, repeated: int = 1, more: str = "") -> str:
    """A row of an OpenDocument table; `more` stands in its first cell."""
    times = f' table:number-rows-repeated="{repeated}"' if repeated > 1 else ""
    each = "".join(
        f"<table:table-cell>{'' if at else more}<text:p>{text}</text:p></table:table-cell>"
        for at, text in enumerate(texts)
    )
    return f"<table:table-row{times}>{each}</table:table-row>"


def tar(*members: tuple[str, str | bytes] | tarfile.TarInfo) -> bytes:
    """An archive with these texts, links and devices."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as package:
        for each in members:
            if isinstance(each, tarfile.TarInfo):
                package.addfile(each)
                continue
            name, text = each
            data = text if isinstance(text, bytes) else text.encode()
            info = tarfile.TarInfo(name)
            info.size = len(data)
            info.mtime = 1_700_000_000
            package.addfile(info, io.BytesIO(data))
    return out.getvalue()


def mail_with(files: Mapping[str, str], text: str = "See the files.") -> bytes:
    """A message with attached files, by their names."""
    parts = [f"Content-Type: text/plain\n\n{text}"]
    kind = "Content-Type: application/octet-stream"
    parts += [f'{kind}\nContent-Disposition: attachment; filename="{name}"\n\n{each}' for name, each in files.items()]
    body = "".join(f"--b\n{part}\n" for part in parts)
    head = 'Message-ID: <a@b>\nSubject: Files\nContent-Type: multipart/mixed; boundary="b"\n\n'
    return f"{head}{body}--b--\n".encode()


def tmx(*units: tuple[str, ...], languages: Sequence[str] = ("en", "de")) -> str:
    """A translation memory: the texts of its units, in the order of the languages."""

    def side(language: str, text: str) -> str:
        return f'<tuv xml:lang="{language}"><seg>{text}</seg></tuv>'

    body = "".join(f"<tu>{''.join(map(side, languages, unit))}</tu>" for unit in units)
    return f'<?xml version="1.0"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4"><body>{body}</body></tmx>'


def xliff(*units: tuple[str, str], version: str = "1.2") -> str:
    """A file for translators: the original and the translation of its units."""
    pairs = [f"<source>{source}</source><target>{target}</target>" for source, target in units]
    if version == "2.0":
        body = "".join(f'<unit id="u"><segment>{pair}</segment></unit>' for pair in pairs)
        return f'<xliff version="2.0" srcLang="en" trgLang="de"><file id="f">{body}</file></xliff>'
    body = "".join(f'<trans-unit id="u">{pair}</trans-unit>' for pair in pairs)
    return (
        '<xliff version="1.2"><file original="a" source-language="en-GB" target-language="de-DE"><body>'
        f"{body}</body></file></xliff>"
    )


def saved_page(body: str, *, frame: str = "") -> str:
    """A page as a browser saves it with its pictures: quoted-printable, with another page in a frame."""
    parts = [
        f"Content-Type: text/html; charset=utf-8\nContent-ID: <page>\nContent-Transfer-Encoding: 8bit\n\n"
        f"<html><head><title>Saved</title></head><body>{body}</body></html>",
        "Content-Type: image/png\nContent-Transfer-Encoding: base64\nContent-Location: a.png\n\niVBORw0KGgo=",
        *([f"Content-Type: text/html\n\n<p>{frame}</p>"] if frame else []),
    ]
    inside = "".join(f"--b\n{part}\n" for part in parts)
    return (
        "From: <Saved by Blink>\nSnapshot-Content-Location: https://example.org/shore\nSubject: Saved\n"
        f'MIME-Version: 1.0\nContent-Type: multipart/related; type="text/html"; boundary="b"\n\n{inside}--b--\n'
    )


def compound(*streams: str) -> bytes:
    """The start of a compound file, as old Office formats are, with these streams in its directory."""
    entries = b""
    for name in streams:
        raw = name.encode("utf-16-le") + b"\0\0"
        entries += raw.ljust(64, b"\0") + len(raw).to_bytes(2, "little") + bytes(62)
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + entries
