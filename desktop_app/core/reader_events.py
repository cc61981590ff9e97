"""The events of reading a file: header, pages, sentences, archives, and the reader's limits."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from desktop_app.core.bibliography import NO_REFERENCE, Reference
from desktop_app.core.pages import RecognisedPage
from desktop_app.core.records import SENTENCE_KINDS

if TYPE_CHECKING:
    from desktop_app.core.errors import FailureReason
    from desktop_app.core.formats import DocumentType
    from desktop_app.core.messages import Message
    from desktop_app.core.pages import OutlineEntry
    from desktop_app.core.records import Document, KindReason, PassageKind, Place, SpanKind

_MAX_STAMP = 2**63 - 1
"""The database has 64 bits for a number, one of them for its sign."""
_TIME_STEP_NS = 100

PageState = Literal["text", "poor", "none", "ocr"]
OmissionKind = Literal["running", "navigation", "hidden", "reading", "alternative", "metadata"]
"""Why a reader leaves text out:

`running`: running heads, feet and page numbers. `navigation`: links to other pages. `hidden`: text that programs do not
show, or that was deleted while changes were tracked. `reading`: how ruby text is pronounced. `alternative`: what stands
for sound, film or a formula where a program cannot show it. `metadata`: the front matter of Markdown.
"""


@dataclass(frozen=True, slots=True)
class SentenceSpan:
    """A sentence as a reader found it.

    Attributes:
        text: cleaned, one line, never empty, no lone surrogates.
        places: in reading order, at least one; two when it crosses a page.
        paragraph: ordinal of its paragraph in the document, from 0, never decreasing.
        kind: the kind of its paragraph.
        passage: what it is itself (`core.passage_kinds`); None: undecided, so the same as `kind`.
        reason: why.
    """

    text: str
    places: tuple[Place, ...]
    paragraph: int
    kind: SpanKind = "body"
    passage: PassageKind | None = None
    reason: KindReason = ""

    @property
    def is_sentence(self) -> bool:
        """Whether it is a sentence, and not a heading, stub, row of a table and so on."""
        return (self.passage or self.kind) in SENTENCE_KINDS


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """What is known of a file before its text.

    Attributes:
        type: the format, determined by content.
        content_hash: SHA-256 of the bytes, hexadecimal.
        title: from metadata or the first heading; empty if there is none (the file's name is shown then).
        author: from metadata; empty if there is none.
        page_count: None for a file without pages.
        page_labels: one for each page if the file has labels ("iv", "A-3"), else empty.
        outline: the table of contents; empty if there is none.
        encoding: of a text file; None otherwise.
        dated: when it was written, as `core.document_dates` writes it; empty if the file does not say so.
        reference: what else the file says of its publication.
        tags: words that the file itself is tagged with.
    """

    type: DocumentType
    content_hash: str
    title: str = ""
    author: str = ""
    page_count: int | None = None
    page_labels: tuple[str, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()
    encoding: str | None = None
    dated: str = ""
    reference: Reference = NO_REFERENCE
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageNote:
    """The result for one page: its text's state, the engine that read it, its quality from 0 to 1.

    The state is `ocr` if the text was read from the page's image; the quality is then the confidence of OCR. It is
    `none` with a quality above 0 if the page has characters, but not the letters that it shows.
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
    """The file's content is one that the library has."""

    content_hash: str


@dataclass(frozen=True, slots=True)
class OmittedText:
    """A text of the file that a reader leaves out on purpose; `page` counts from 1, None without pages."""

    kind: OmissionKind
    text: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Omissions:
    """What was left out of a stored document on purpose.

    Attributes:
        words: how many words, all in all.
        texts: the first texts, in reading order.
    """

    words: int = 0
    texts: tuple[OmittedText, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadingDone:
    """The file has been read completely.

    Attributes:
        warnings: remarks for the person.
        pages: a note on each page of a file with pages.
        omitted: what was left out on purpose, in reading order.
        attached: files in it that are documents of their own; their paths continue its path.
    """

    warnings: tuple[Message, ...] = ()
    pages: tuple[PageNote, ...] = ()
    omitted: tuple[OmittedText, ...] = ()
    attached: tuple[FileRef, ...] = ()


@dataclass(frozen=True, slots=True)
class FileRef:
    """A file as the file system, or its archive, knows it.

    Attributes:
        path: absolute.
        size_bytes: its length.
        mtime_ns: when its content was changed, in nanoseconds since 1970; of a file in an archive its checksum stands
            below the seconds.
        stamp: a number that is another one once another file is put in its place, with any time: when the file system
            changed its entry, in nanoseconds; on Windows the number of the file. Of a file in an archive that of the
            archive, negative. 0: unknown.
    """

    path: str
    size_bytes: int
    mtime_ns: int
    stamp: int = 0

    @classmethod
    def on_disk(cls, path: str, status: os.stat_result) -> FileRef:
        """Return the file at a path with this status."""
        # On Windows `st_ctime` is the time of creation, which a file inherits from the one that it replaces.
        stamp = status.st_ino & _MAX_STAMP if os.name == "nt" else status.st_ctime_ns
        return cls(path, status.st_size, status.st_mtime_ns, stamp)

    @classmethod
    def of_document(cls, document: Document) -> FileRef:
        """Return the file of a document as it was when it was read."""
        return cls(document.path, document.size_bytes, document.mtime_ns, document.stamp)

    def has_time_of(self, other: FileRef) -> bool:
        """Return whether both have the same length and time.

        Windows, and servers of files, count in steps of 100 nanoseconds: another computer shows the same file so.
        """
        return self.size_bytes == other.size_bytes and self.mtime_ns // _TIME_STEP_NS == other.mtime_ns // _TIME_STEP_NS

    def is_same_as(self, other: FileRef) -> bool:
        """Return whether both, at the same path, have the same content as far as the file system tells."""
        return self.has_time_of(other) and (self.stamp == other.stamp or min(self.stamp, other.stamp) <= 0)

    @property
    def is_unknown(self) -> bool:
        """Whether length and time are unknown: a member of an archive that was named directly."""
        return self.size_bytes == 0 and self.mtime_ns == 0


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A member of an archive that is not opened, and the reason."""

    path: str
    reason: FailureReason
    message: Message


@dataclass(frozen=True, slots=True)
class ArchiveRead:
    """The file is an archive: not a document, but a container of documents.

    Attributes:
        members: the documents in it; their paths continue the archive's path.
        refused: members that are not opened.
        ignored: members of other types.
    """

    members: tuple[FileRef, ...]
    refused: tuple[RefusedFile, ...] = ()
    ignored: tuple[str, ...] = ()


ReaderEvent = DocumentHead | PageRead | RecognisedPage | SentencesRead | FileUnchanged | ArchiveRead | ReadingDone
"""A reading is: FileUnchanged; or ArchiveRead; or DocumentHead, then PageRead, RecognisedPage and SentencesRead, then
ReadingDone."""


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """The limits at which a reader is stopped.

    Attributes:
        silence_s: seconds of computing without any progress; the time of other programs does not count.
        stalled_s: seconds without any progress, whether it computes or waits (for a drive that is gone, say).
        memory_bytes: resident memory of the reader's process.
        file_bytes: size of the largest file that is opened at all.
    """

    silence_s: float = 20.0
    stalled_s: float = 600.0
    memory_bytes: int = 2_000_000_000
    file_bytes: int = 2_000_000_000
