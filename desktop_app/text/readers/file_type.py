"""Detects the format of a file from its first bytes, else from its name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from desktop_app.core.errors import FileFailure
from desktop_app.core.formats import type_by_name
from desktop_app.text.readers.zip_package import ZipPackage

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_app.core.formats import DocumentType

HEAD_BYTES = 4096
_PACKED = ("docx", "odt", "epub", "rtf")
"""Formats that are seen by their first bytes, or are damaged."""
_PDF_WITHIN = 1024
"""Bytes within which `%PDF-` must stand (ISO 32000-1, annex H.3)."""
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"RIFF", "a picture, sound or film"),
    (_OLE, "an old office document"),
    (b"\x1f\x8b", "a compressed file"),
    (b"7z\xbc\xaf\x27\x1c", "a compressed file"),
    (b"\xfd7zXZ\0", "a compressed file"),
    (b"Rar!\x1a\x07", "a compressed file"),
    (b"BZh", "a compressed file"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\0", "a program"),
    (b"SQLite format 3\0", "a database"),
    (b"%!PS", "a PostScript document"),
)
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_RTF = b"{\\rtf"
_MAILED = re.compile(rb"(?:received|message-id|mime-version|return-path|delivered-to):", re.IGNORECASE)
_HEADER_LINE = re.compile(rb"[!-9;-~]{1,70}:|[ \t]")
_BOX_LINE = re.compile(rb"From \S[^\r\n]{0,300}\d{4}[^\r\n]{0,20}\r?\n[!-9;-~]{1,70}:")
_BOM = b"\xef\xbb\xbf"
_LEAD = rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*"
_DOCTYPE = re.compile(_LEAD + rb"<!doctype\s+html\b", re.IGNORECASE | re.DOTALL)
_HTML = re.compile(_LEAD + rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_SUBTITLES = re.compile(rb"WEBVTT[ \t\r\n]|\s*\d+[ \t]*\r?\n[ \t]*\d+:\d\d:\d\d[.,]\d{1,3}[ \t]*-->")


def detect_file_type(path: Path, head: bytes) -> DocumentType | Literal["archive"]:
    """Return the format of a file.

    Args:
        path: its name.
        head: its first bytes, `HEAD_BYTES` where there are as many.

    Raises:
        FileFailure: `unsupported`: it is of a kind that is not read.
    """
    if head.startswith(_OLE) and type_by_name(path) == "docx":
        # A Word document under a password is packed as those of old were.
        raise FileFailure("locked", "The file is protected by a password")
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            raise FileFailure("unsupported", f"The file is {kind}")
    if head.startswith(_ZIP):
        return _detect_packed_type(path)
    if head.startswith(_RTF):
        return "rtf"
    if b"%PDF-" in head[:_PDF_WITHIN]:
        return "pdf"
    head = head.removeprefix(_BOM)
    named = type_by_name(path)
    if named == "pdf":
        if _HTML.match(head):
            raise FileFailure("unsupported", "The file is named PDF and is a web page")
        return "pdf"
    # A text about HTML may begin with a tag; only a text that is HTML begins with its declaration.
    if _DOCTYPE.match(head) or (named not in ("text", "markdown") and _HTML.match(head)):
        return "html"
    if _SUBTITLES.match(head):
        return "subtitles"
    if _BOX_LINE.match(head) or _looks_like_mail(head):
        return "email"
    if named in _PACKED:
        raise FileFailure("damaged", "The file is damaged: it is not what its name says")
    return named or "text"


def _looks_like_mail(head: bytes) -> bool:
    """Say whether a file begins as mail does: lines of headers, one of them written by a mail program."""
    lines = head.partition(b"\n\n")[0].partition(b"\r\n\r\n")[0].splitlines()[:40]
    whole = lines[:-1] if len(lines) > 1 else lines
    return all(map(_HEADER_LINE.match, whole)) and any(map(_MAILED.match, whole))


def _detect_packed_type(path: Path) -> DocumentType | Literal["archive"]:
    """Return the format of a ZIP file by what is in it.

    Raises:
        FileFailure: it is damaged, or an office document that is not read.
    """
    with ZipPackage(path) as package:
        kind = package.read("mimetype", 200).strip() if "mimetype" in package else b""
        if kind == b"application/epub+zip" or "META-INF/container.xml" in package:
            return "epub"
        if kind.startswith(b"application/vnd.oasis.opendocument.text"):
            return "odt"
        if kind.startswith(b"application/vnd.oasis.opendocument"):
            raise FileFailure("unsupported", "The file is a spreadsheet, a presentation or a drawing")
        names = {info.filename.partition("/")[0] for info in package.members()}
    if "[Content_Types].xml" in names:
        if "word" in names:
            return "docx"
        raise FileFailure("unsupported", "The file is a spreadsheet, a presentation or a drawing")
    return "archive"
