"""The file formats that can be read, one row each.

To add a format:

1. add a row to `FORMATS`, and its name to `DocumentType`;
2. write `text/readers/MODULE.py` with `read(path, facts)`, and name the module in the row;
3. add a sample to `tests/text/samples.py`: the tests that hold for every format read it;
4. run `packaging/translate.py` and translate the row's texts in `resources/translations/kindred_de.ts`.

The import, the window, the command line and the packages read this table. Nothing is imported or compiled here: the
window loads it at start.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast, get_args

if TYPE_CHECKING:
    from pathlib import PurePath

DocumentType = Literal[
    "pdf",
    "text",
    "markdown",
    "html",
    "docx",
    "odt",
    "rtf",
    "epub",
    "presentation",
    "spreadsheet",
    "csv",
    "email",
    "subtitles",
    "latex",
    "translation",
    "image",
]
PageUnit = Literal["page", "chapter", "slide", "sheet", "message"]


def _tr(text: str) -> str:
    """Mark a text of the window for translation."""
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A file format.

    Attributes:
        suffixes: endings of file names, in lower case and with their dot, the usual one first.
        media_types: the names that desktop systems use for it.
        reader: the module in `text/readers` whose `read` reads it; empty for archives.
        magic: bytes near the start of every such file; empty if there are none.
        magic_within: the bytes within which `magic` ends; 0: the file starts with it.
        pattern: a regular expression that the start of every such file matches, after a byte-order mark; empty if there
            is none.
        zip_type: how the member `mimetype` of such a ZIP file starts; empty if it has none.
        zip_members: members of every such ZIP file; a name that ends in a slash is a folder.
        page_unit: what its pages are, for formats that have them.
        shows_pages: whether the window shows its pages as they look.
        is_named: whether a file is read only if a person or a pattern names it: pictures in a folder are mostly no
            texts.
        name: for people (English, marked for translation).
        icon: in `resources/icons`.
        search_action: the text of the window's action that searches this format only.
        search_tip: its explanation.
    """

    suffixes: tuple[str, ...]
    media_types: tuple[str, ...]
    reader: str = ""
    magic: bytes = b""
    magic_within: int = 0
    pattern: bytes = b""
    zip_type: bytes = b""
    zip_members: tuple[str, ...] = ()
    page_unit: PageUnit = "page"
    shows_pages: bool = False
    is_named: bool = False
    name: str = ""
    icon: str = "file-text"
    search_action: str = ""
    search_tip: str = ""

    @property
    def has_signature(self) -> bool:
        """Whether a file of another content is damaged if it has one of the suffixes."""
        return bool(self.magic or self.zip_type or self.zip_members)


FORMATS: dict[DocumentType, Format] = {
    "pdf": Format(
        suffixes=(".pdf",),
        media_types=("application/pdf",),
        reader="pdf",
        magic=b"%PDF-",
        magic_within=1024,  # ISO 32000-1, annex H.3
        shows_pages=True,
        name=_tr("PDF"),
        search_action=_tr("Search PDF &Documents"),
        search_tip=_tr("Turn the filter for PDF documents on or off"),
    ),
    "text": Format(
        suffixes=(".txt", ".text", ".rst"),
        media_types=("text/plain",),
        reader="plain",
        name=_tr("Text"),
        search_action=_tr("Search &Text Documents"),
        search_tip=_tr("Turn the filter for text documents on or off"),
    ),
    "markdown": Format(
        suffixes=(".md", ".markdown"),
        media_types=("text/markdown",),
        reader="markdown",
        name=_tr("Markdown"),
        icon="file-code",
        search_action=_tr("Search &Markdown Documents"),
        search_tip=_tr("Turn the filter for Markdown documents on or off"),
    ),
    "html": Format(
        suffixes=(".html", ".htm", ".xhtml", ".mhtml", ".mht"),
        media_types=("text/html", "application/xhtml+xml", "application/x-mimearchive"),
        reader="web_page",
        # A text about HTML may start with a tag; only a page starts with its declaration.
        pattern=rb"(?is)\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--[^-]*+(?:-(?!->)[^-]*+)*-->\s*+)*<!doctype\s++html\b",
        name=_tr("Web page"),
        icon="globe",
        search_action=_tr("Search &Web Pages"),
        search_tip=_tr("Turn the filter for web pages on or off"),
    ),
    "docx": Format(
        suffixes=(".docx", ".docm", ".doc"),
        media_types=("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/msword"),
        reader="word",
        zip_members=("[Content_Types].xml", "word/"),
        name=_tr("Word document"),
        search_action=_tr("Search W&ord Documents"),
        search_tip=_tr("Turn the filter for Word documents (DOCX) on or off"),
    ),
    "odt": Format(
        suffixes=(".odt", ".ott"),
        media_types=("application/vnd.oasis.opendocument.text",),
        reader="open_document",
        zip_type=b"application/vnd.oasis.opendocument.text",
        name=_tr("OpenDocument"),
        search_action=_tr("Search Open&Documents"),
        search_tip=_tr("Turn the filter for OpenDocument texts (ODT) on or off"),
    ),
    "rtf": Format(
        suffixes=(".rtf",),
        media_types=("application/rtf", "text/rtf"),
        reader="rich_text",
        magic=b"{\\rtf",
        name=_tr("RTF"),
        search_action=_tr("Search &RTF Documents"),
        search_tip=_tr("Turn the filter for rich text (RTF) on or off"),
    ),
    "epub": Format(
        suffixes=(".epub",),
        media_types=("application/epub+zip",),
        reader="epub",
        zip_type=b"application/epub+zip",
        zip_members=("META-INF/container.xml",),
        page_unit="chapter",
        name=_tr("Book (EPUB)"),
        icon="book",
        search_action=_tr("Search &EPUB Books"),
        search_tip=_tr("Turn the filter for books (EPUB) on or off"),
    ),
    "presentation": Format(
        suffixes=(".pptx", ".ppsx", ".pptm", ".odp", ".ppt", ".pps"),
        media_types=(
            "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            "application/vnd.oasis.opendocument.presentation",
            "application/vnd.ms-powerpoint",
        ),
        reader="presentation",
        zip_type=b"application/vnd.oasis.opendocument.presentation",
        zip_members=("[Content_Types].xml", "ppt/"),
        page_unit="slide",
        name=_tr("Presentation"),
        icon="monitor",
        search_action=_tr("Search &Presentations"),
        search_tip=_tr("Turn the filter for presentations (PPTX, ODP) on or off"),
    ),
    "spreadsheet": Format(
        suffixes=(".xlsx", ".xlsm", ".xltx", ".ods", ".ots", ".xls"),
        media_types=(
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "application/vnd.oasis.opendocument.spreadsheet",
            "application/vnd.ms-excel",
        ),
        reader="spreadsheet",
        zip_type=b"application/vnd.oasis.opendocument.spreadsheet",
        zip_members=("[Content_Types].xml", "xl/"),
        page_unit="sheet",
        name=_tr("Spreadsheet"),
        icon="table",
        search_action=_tr("Search Spreads&heets"),
        search_tip=_tr("Turn the filter for spreadsheets (XLSX, ODS) on or off"),
    ),
    "csv": Format(
        suffixes=(".csv", ".tsv"),
        media_types=("text/csv", "text/tab-separated-values"),
        reader="table",
        name=_tr("Table (CSV, TSV)"),
        icon="table",
        search_action=_tr("Search Ta&bles"),
        search_tip=_tr("Turn the filter for tables (CSV, TSV) on or off"),
    ),
    "email": Format(
        suffixes=(".eml", ".mbox"),
        media_types=("message/rfc822", "application/mbox"),
        reader="mail",
        # A box of messages. A single message is recognised by its headers (`text/readers/file_type.py`).
        pattern=rb"From \S[^\r\n]{0,300}\d{4}[^\r\n]{0,20}\r?\n[!-9;-~]{1,70}:",
        page_unit="message",
        name=_tr("Mail"),
        icon="mail",
        search_action=_tr("Search Ma&il"),
        search_tip=_tr("Turn the filter for mail on or off"),
    ),
    "subtitles": Format(
        suffixes=(".srt", ".vtt"),
        media_types=("application/x-subrip", "text/vtt"),
        reader="subtitles",
        pattern=rb"WEBVTT[ \t\r\n]|\s*+(?:\d++[ \t]*+\r?\n\s*+)?\d++:\d\d:\d\d[.,]\d{1,3}[ \t]*+-->",
        name=_tr("Subtitles"),
        icon="captions",
        search_action=_tr("Search S&ubtitles"),
        search_tip=_tr("Turn the filter for subtitles on or off"),
    ),
    "latex": Format(
        suffixes=(".tex", ".ltx"),
        media_types=("text/x-tex", "application/x-tex"),
        reader="latex",
        pattern=rb"(?:[ \t\r\n]*+%[^\n]*+\n)*\s*+\\documentclass\s*+[\[{]",
        name=_tr("LaTeX"),
        icon="sigma",
        search_action=_tr("Search &LaTeX Documents"),
        search_tip=_tr("Turn the filter for LaTeX documents on or off"),
    ),
    "translation": Format(
        suffixes=(".tmx", ".xlf", ".xliff", ".sdlxliff", ".mqxliff"),
        media_types=("application/x-tmx+xml", "application/xliff+xml", "application/x-xliff+xml"),
        reader="translation",
        pattern=rb"(?is)\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--[^-]*+(?:-(?!->)[^-]*+)*-->\s*+)*(?:<!doctype\s++tmx\b|<(?:tmx|xliff)\b)",
        name=_tr("Translation memory"),
        icon="languages",
        search_action=_tr("Search Tra&nslation Memories"),
        search_tip=_tr("Turn the filter for translation memories (TMX, XLIFF) on or off"),
    ),
    "image": Format(
        suffixes=(".png", ".jpg", ".jpeg", ".tif", ".tiff"),
        media_types=("image/png", "image/jpeg", "image/tiff"),
        reader="picture",
        pattern=rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|II\*\0|MM\0\*",
        shows_pages=True,
        is_named=True,
        name=_tr("Image"),
        icon="image",
        search_action=_tr("Search &Images"),
        search_tip=_tr("Turn the filter for images (PNG, JPEG, TIFF) on or off"),
    ),
}
TYPES: tuple[DocumentType, ...] = get_args(DocumentType)
ARCHIVES = Format(
    suffixes=(".zip", ".7z", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz"),
    media_types=("application/zip", "application/x-tar", "application/x-compressed-tar", "application/x-7z-compressed"),
)
"""Archives are opened: each of their members is a document."""
_UNKNOWN = Format(suffixes=(), media_types=())
SUFFIXES = frozenset(suffix for each in (*FORMATS.values(), ARCHIVES) if not each.is_named for suffix in each.suffixes)
"""The suffixes that the import of a folder takes. A file that a person names is read whatever its suffix."""


_SPELLINGS = (("jpg", "jpeg"), ("tif", "tiff"), ("xlf", "xliff"))


def spell_suffix(suffix: str) -> tuple[str, ...]:
    """Return the spellings of a suffix without its dot: who looks for `jpeg` means files named `.jpg` too."""
    return next((each for each in _SPELLINGS if suffix in each), (suffix,))


def find_format(kind: str | None) -> Format:
    """Return the row of a type; an empty one for a type that only a newer version knows."""
    return FORMATS.get(cast("DocumentType", kind), _UNKNOWN)


def type_by_name(path: PurePath) -> DocumentType | None:
    """Return the format that the suffix of a file belongs to; None if there is none."""
    suffix = path.suffix.lower()
    return next((kind for kind, each in FORMATS.items() if suffix in each.suffixes), None)


def is_supported(path: PurePath) -> bool:
    """Return whether the import of a folder takes a file, judged by its name only."""
    name = path.name.lower()
    return (path.suffix.lower() in SUFFIXES or name.endswith(ARCHIVES.suffixes)) and not name.startswith((".", "~$"))


def name_patterns() -> str:
    """Return the filter of file dialogs: `*.pdf *.txt …`."""
    return " ".join(f"*{suffix}" for each in (*FORMATS.values(), ARCHIVES) for suffix in each.suffixes)
