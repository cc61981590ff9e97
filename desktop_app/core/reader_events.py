"""The events of reading a file: head, pages, sentences, archives, and the reader's limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from desktop_app.core.pages import RecognisedPage

if TYPE_CHECKING:
    from desktop_app.core.errors import FailureReason
    from desktop_app.core.formats import DocumentType
    from desktop_app.core.pages import OutlineEntry
    from desktop_app.core.records import Place, SpanKind

PageState = Literal["text", "poor", "none", "ocr"]


@dataclass(frozen=True, slots=True)
class SentenceSpan:
    """A sentence as a reader found it.

    Attributes:
        text: cleaned, one line, never empty, no lone surrogates.
        places: in reading order, at least one; two when it crosses a page.
        paragraph: ordinal of its paragraph in the document, from 0, never falling.
        kind: what sort of paragraph it stands in.
    """

    text: str
    places: tuple[Place, ...]
    paragraph: int
    kind: SpanKind = "body"


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """What is known of a file before its text.

    Attributes:
        type: the format by content.
        content_hash: SHA-256 of the bytes, hexadecimal.
        size_bytes: length of the file.
        title: from metadata or the first heading; empty when there is none (then the file's name serves).
        author: from metadata; empty when there is none.
        page_count: None for a file without pages.
        page_labels: one for each page where the file has its own ("iv", "A-3"), else empty.
        outline: the table of contents; empty when there is none.
        encoding: of a text file; None otherwise.
    """

    type: DocumentType
    content_hash: str
    size_bytes: int
    title: str = ""
    author: str = ""
    page_count: int | None = None
    page_labels: tuple[str, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()
    encoding: str | None = None


@dataclass(frozen=True, slots=True)
class PageNote:
    """What became of one page: its text's state, the engine it came from, its quality from 0 to 1.

    The state is `ocr` where the text was read off the page's picture; its quality is how sure that was.
    """

    page: int
    state: PageState
    engine: str
    quality: float


@dataclass(frozen=True, slots=True)
class PageRead:
    """Progress of a reader: `page` of `page_count` is read."""

    page: int
    page_count: int


@dataclass(frozen=True, slots=True)
class SentencesRead:
    """A batch of sentences in reading order."""

    spans: tuple[SentenceSpan, ...]


@dataclass(frozen=True, slots=True)
class FileUnchanged:
    """The file's content is the one already in the library."""

    content_hash: str


@dataclass(frozen=True, slots=True)
class ReadingDone:
    """A file is read to its end."""

    warnings: tuple[str, ...] = ()
    pages: tuple[PageNote, ...] = ()


@dataclass(frozen=True, slots=True)
class FileRef:
    """A file as the file system (or its archive) knows it: absolute path, length, time of change in nanoseconds."""

    path: str
    size_bytes: int
    mtime_ns: int

    @property
    def is_unknown(self) -> bool:
        """Whether length and time are not known: a member of an archive that was named by itself."""
        return self.size_bytes == 0 and self.mtime_ns == 0


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A member of an archive that is not opened, and why."""

    path: str
    reason: FailureReason
    message: str


@dataclass(frozen=True, slots=True)
class ArchiveRead:
    """The file is an archive: no document, but the place of others.

    Attributes:
        members: the documents in it; their paths go on behind the archive's.
        refused: what is not opened.
        ignored: members of other types.
    """

    members: tuple[FileRef, ...]
    refused: tuple[RefusedFile, ...] = ()
    ignored: tuple[str, ...] = ()


ReaderEvent = DocumentHead | PageRead | RecognisedPage | SentencesRead | FileUnchanged | ArchiveRead | ReadingDone
"""A reading is: Unchanged; or ArchiveRead; or DocumentHead, then PageRead, RecognisedPage and Sentences, then
ReadingDone."""


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """When a reader is stopped.

    Attributes:
        silence_s: seconds without any progress.
        memory_bytes: resident memory of the reader's process.
        file_bytes: largest file that is opened at all.
    """

    silence_s: float = 20.0
    memory_bytes: int = 2_000_000_000
    file_bytes: int = 2_000_000_000
