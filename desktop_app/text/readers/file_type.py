"""Detects the format of a file from its first bytes, else from its name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from desktop_app.core.errors import FileFailure
from desktop_app.core.formats import ARCHIVES, FORMATS, type_by_name
from desktop_app.core.messages import Message
from desktop_app.text import office_converter, tar_archive
from desktop_app.text.readers.zip_package import ZipPackage

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_app.core.formats import DocumentType

HEAD_BYTES = 4096
_MAGIC = (
    (b"\x1f\x8b", Message("a compressed file")),
    (b"\xfd7zXZ\0", Message("a compressed file")),
    (b"Rar!\x1a\x07", Message("a compressed file")),
    (b"\x7fELF", Message("a program")),
    (b"MZ\x90\0", Message("a program")),
    (b"SQLite format 3\0", Message("a database")),
    (b"%!PS-Adobe-", Message("a PostScript document")),
)
_MAGIC_PATTERNS = (
    # A text may begin with these letters: RIFF and the length of the file are followed by the kind of its content.
    (
        re.compile(rb"RIFF....(?:WAVE|AVI |WEBP|RMID|ACON|CDXA|sfbk|CDR|PAL )", re.DOTALL),
        Message("an image, a sound or a video"),
    ),
    # Its size and colours follow; at least one of these bytes does not occur in text.
    (re.compile(rb"GIF8[79]a[\s\S]{0,6}[\x00-\x08\x0e-\x1f\x80-\xff]"), Message("a GIF image")),
    (re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), Message("a compressed file")),
)
_PDF_VERSION = re.compile(rb"%PDF-\d\.\d")
_PDF_OBJECT = re.compile(rb"\d\s+obj\b|[\r\n]%[\x80-\xff]|\x00")
"""What a PDF has near its start: an object, or the bytes that mark it as binary."""
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_MAILED = re.compile(rb"(?:received|message-id|mime-version|return-path|delivered-to):", re.IGNORECASE)
_SAVED_PAGE = re.compile(rb"^(?:snapshot-content-location:|from:[ \t]*\"?<?saved by )", re.IGNORECASE | re.MULTILINE)
_HEADER_LINE = re.compile(rb"[!-9;-~]{1,70}:|[ \t]")
_BOM = b"\xef\xbb\xbf"
_LOOSE_HTML = re.compile(
    rb"\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--[^-]*+(?:-(?!->)[^-]*+)*-->\s*+)*<(?:!doctype\s++html|html|head|body)\b",
    re.IGNORECASE,
)
"""The start of a web page, or of a text about HTML."""
_RTF = re.compile(
    rb"(?:\xef\xbb\xbf)?[\s\0]*\{\\u?rtf|\xff\xfe(?:\s\0)*\{\0\\\0r\0t\0f\0|\xfe\xff(?:\0\s)*\0\{\0\\\0r\0t\0f"
)
"""The start of an RTF file that a text editor has saved."""
_RTF_FRAGMENT = re.compile(rb"\s*\{\s*\\[a-z*]")
_BY_MAGIC = sorted(((kind, each) for kind, each in FORMATS.items() if each.magic), key=lambda row: row[1].magic_within)
"""The formats with magic bytes, those at the very start first: other files may contain the bytes of a PDF."""


def detect_file_type(path: Path, head: bytes) -> DocumentType | Literal["archive"]:
    """Return the format of a file.

    Args:
        path: its name.
        head: its first `HEAD_BYTES` bytes, or all if it has fewer.

    Raises:
        FileFailure: `unsupported`: files of this kind are not read.
    """
    if head.startswith(office_converter.OLE):
        return _detect_legacy_type(path)
    if (
        tar_archive.is_seven_zip(head)
        or tar_archive.is_tar(path, head)
        or (tar_archive.is_packed(head) and path.name.lower().endswith(ARCHIVES.suffixes))
    ):
        return "archive"
    if re.match(FORMATS["image"].pattern, head):
        return "image"
    for magic, content in _MAGIC:
        if head.startswith(magic):
            raise FileFailure("unsupported", "The file is {kind}", kind=content)
    for pattern, content in _MAGIC_PATTERNS:
        if pattern.match(head):
            raise FileFailure("unsupported", "The file is {kind}", kind=content)
    if head.startswith(_ZIP):
        return _detect_packed_type(path)
    for kind, each in _BY_MAGIC:
        if each.magic in head[: each.magic_within or len(each.magic)] and not (
            kind == "pdf" and _only_mentions_pdf(path, head)
        ):
            return kind
    named = type_by_name(path)
    if _RTF.match(head) or (named == "rtf" and _RTF_FRAGMENT.match(head)):
        return "rtf"
    head = head.removeprefix(_BOM)
    if named == "pdf":
        if _LOOSE_HTML.match(head):
            raise FileFailure("unsupported", "The file is named as a PDF, but is a web page")
        return "pdf"
    if named not in ("text", "markdown") and _LOOSE_HTML.match(head):
        return "html"
    for kind, each in FORMATS.items():
        if each.pattern and re.match(each.pattern, head):
            return kind
    if _looks_like_mail(head):
        return "html" if named == "html" or _SAVED_PAGE.search(head) else "email"
    if named is not None and FORMATS[named].has_signature:
        raise FileFailure("damaged", "The file is damaged, or its name has the wrong extension")
    return named or "text"


def _detect_legacy_type(path: Path) -> DocumentType:
    """Return the format of a file with the container of the old Office formats.

    Raises:
        FileFailure: it has a password, or is of an unsupported kind.
    """
    if (kind := office_converter.detect_legacy_kind(path)) is not None:
        return kind
    raise FileFailure("unsupported", "The file is {kind}", kind=Message("a document in an old Office format"))


def _only_mentions_pdf(path: Path, head: bytes) -> bool:
    """Return whether a file with the first bytes of a PDF is a text about PDF."""
    named = type_by_name(path)
    if named == "pdf":
        return False
    start = _PDF_VERSION.search(head)
    # A real one is binary, or has its first object here; a text that quotes one has both before it, or neither.
    is_quoted = start is not None and start.start() > 0 and named is not None
    return start is None or is_quoted or not _PDF_OBJECT.search(head, start.end())


def _looks_like_mail(head: bytes) -> bool:
    """Return whether a file starts like mail: header lines, one of them of a mail program."""
    lines = head.partition(b"\n\n")[0].partition(b"\r\n\r\n")[0].splitlines()[:40]
    whole = lines[:-1] if len(lines) > 1 else lines
    return all(map(_HEADER_LINE.match, whole)) and any(map(_MAILED.match, whole))


def _detect_packed_type(path: Path) -> DocumentType | Literal["archive"]:
    """Return the format of a ZIP file, judged by its members.

    Raises:
        FileFailure: it is damaged, or an office document of an unsupported kind.
    """
    with ZipPackage(path) as package:
        zip_type = _read_zip_type(package)
        names = {info.filename.replace("\\", "/").casefold() for info in package.members()}
    names |= {f"{name.partition('/')[0]}/" for name in names}
    for kind, each in FORMATS.items():
        if (each.zip_type and zip_type.startswith(each.zip_type)) or (
            each.zip_members and names >= {name.casefold() for name in each.zip_members}
        ):
            return kind
    if zip_type.startswith(b"application/vnd.oasis.opendocument") or "[content_types].xml" in names:
        raise FileFailure("unsupported", "The file is a drawing, a formula or a database")
    named = type_by_name(path)
    if named is not None and (FORMATS[named].zip_type or FORMATS[named].zip_members):
        return named  # some tools pack a document without its type; a part that is missing is named by the reader
    return "archive"


def _read_zip_type(package: ZipPackage) -> bytes:
    """Return the media type that a document has in the member `mimetype`; empty if there is none, or it is damaged."""
    try:
        return package.read("mimetype", 200).strip() if "mimetype" in package else b""
    except FileFailure:
        return b""
