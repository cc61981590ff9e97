"""The file formats that can be read: their types, suffixes and media types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from pathlib import PurePath

DocumentType = Literal["pdf", "text", "markdown", "html", "docx", "odt", "rtf", "epub", "csv", "email", "subtitles"]


@dataclass(frozen=True, slots=True)
class Format:
    """A format.

    Attributes:
        suffixes: endings of file names, in lower case and with their dot, the usual one first.
        media_types: as the system's desktop calls them.
    """

    suffixes: tuple[str, ...]
    media_types: tuple[str, ...]


FORMATS: dict[DocumentType, Format] = {
    "pdf": Format((".pdf",), ("application/pdf",)),
    "text": Format((".txt", ".text", ".rst"), ("text/plain",)),
    "markdown": Format((".md", ".markdown"), ("text/markdown",)),
    "html": Format((".html", ".htm", ".xhtml"), ("text/html", "application/xhtml+xml")),
    "docx": Format((".docx", ".docm"), ("application/vnd.openxmlformats-officedocument.wordprocessingml.document",)),
    "odt": Format((".odt", ".ott"), ("application/vnd.oasis.opendocument.text",)),
    "rtf": Format((".rtf",), ("application/rtf", "text/rtf")),
    "epub": Format((".epub",), ("application/epub+zip",)),
    "csv": Format((".csv", ".tsv"), ("text/csv", "text/tab-separated-values")),
    "email": Format((".eml", ".mbox"), ("message/rfc822", "application/mbox")),
    "subtitles": Format((".srt", ".vtt"), ("application/x-subrip", "text/vtt")),
}
TYPES: tuple[DocumentType, ...] = get_args(DocumentType)
ARCHIVES = Format((".zip",), ("application/zip",))
"""No documents, but opened: each of their members is one."""
SUFFIXES = frozenset(suffix for each in (*FORMATS.values(), ARCHIVES) for suffix in each.suffixes)
"""Names that are taken when a folder is imported. A file named by itself is read whatever its name."""


def type_by_name(path: PurePath) -> DocumentType | None:
    """Return the format that a file's name speaks of; None where it speaks of none that is read."""
    suffix = path.suffix.lower()
    return next((kind for kind, each in FORMATS.items() if suffix in each.suffixes), None)


def is_supported(path: PurePath) -> bool:
    """Say whether a file inside an imported folder is taken, by its name alone."""
    return path.suffix.lower() in SUFFIXES and not path.name.startswith((".", "~$"))


def name_patterns() -> str:
    """Return what file dialogs filter by: `*.pdf *.txt …`."""
    return " ".join(f"*{suffix}" for each in (*FORMATS.values(), ARCHIVES) for suffix in each.suffixes)
