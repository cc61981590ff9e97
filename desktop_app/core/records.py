"""The shared records of the domain, as frozen dataclasses: documents, places, hits, models, word vectors."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, get_args

from desktop_app.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.errors import FailureReason
    from desktop_app.core.formats import DocumentType
    from desktop_app.core.sentence_differences import Badge
    from desktop_app.core.shared_address import LibraryRight

Unit = Literal["char", "pdfium", "row", "ms", "text"]
DocumentState = Literal["queued", "reading", "embedding", "ready", "failed"]
SpanKind = Literal["body", "heading", "list", "code", "table", "reference", "note"]
"""The kind of a paragraph by its layout; a `note` is what somebody marked on the document or wrote on it."""
PassageKind = Literal[
    "body", "heading", "list", "code", "table", "reference", "stub", "form", "garbled", "boilerplate", "note"
]
"""What a passage is: its `SpanKind`, or what `passage_kinds` decided otherwise.

`body`, `list`: a sentence. `stub`: too short for a sentence, or without a verb. `form`: a field to fill in, or a label
with its value. `garbled`: its letters are no language: badly recognised, or a cipher. `boilerplate`: repeated over many
pages or documents.
"""
KindReason = Literal[
    "", "layout", "short", "letters", "unmarked", "title", "field", "words", "repeated", "person", "library"
]
"""Why a passage is of its kind.

`layout` of the page; too `short`; too few `letters`; `unmarked`: no end mark and no verb; a `title` in the form of a
question; a `field`; `words` that are none of a language; `repeated`; a `person` decided; kept in the `library` and not
read from the file; empty for a sentence.
"""
SENTENCE_KINDS: frozenset[str] = frozenset({"body", "list"})
NOT_SENTENCES: frozenset[str] = frozenset(get_args(PassageKind)) - SENTENCE_KINDS
"""The kinds left out (`Scope.without`) wherever sentences are evidence, are paired or represent others."""
NOT_NOTES: frozenset[str] = frozenset(get_args(PassageKind)) - {"note"}
"""The kinds left out where only highlights and notes are wanted."""
Pooling = Literal["mean", "cls", "max", "pooler"]
SearchMode = Literal["meaning", "words", "both"]
CollectionKind = Literal["collection", "tag"]


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a piece of text in its file: half-open, without surrounding white space.

    Attributes:
        page: counted from 1; None for a file without pages.
        start: first index, in `unit`.
        stop: one past the last index, in `unit`.
        unit: `char`: characters of the decoded file; `pdfium`: PDFium's character indices of the page;
            `row`: rows of a table, counted from 1 with its header; `ms`: milliseconds; `text`: to be found by its
            words (the numbers count characters of the text, of the page or document, as it was read).
        line: the first line, in a text file, counted from 1; None elsewhere.
        last_line: the last line.
    """

    page: int | None
    start: int
    stop: int
    unit: Unit
    line: int | None = None
    last_line: int | None = None


@dataclass(frozen=True, slots=True)
class WatchedFolder:
    """A watched folder (absolute path), and the patterns of files to include and exclude below it."""

    path: str
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileCopy:
    """A further file of a document, with the same bytes as its main file; the attributes are those of `Document`."""

    path: str
    size_bytes: int = 0
    mtime_ns: int = 0
    stamp: int = 0
    volume: str = ""
    added_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Document:
    """A document of the library.

    Attributes:
        document_id: stable for as long as the document is in the library.
        path: absolute path of the file (linked, never copied); of its main file if there are copies.
        title: the person's own, else the file's, else the file's name.
        pages: None for a file without pages, or before it is read.
        sentences: occurrences that are stored and searchable.
        truncated: those longer than the model's input: the rest of such a sentence is not searched.
        ocr: OCR languages that a person chose for it, joined by a plus; empty: no choice.
        state: the state of its import.
        reason: why it failed; None otherwise.
        message: the failure in words; empty otherwise.
        added_at: seconds since 1970, UTC.
        author: names of its authors as one text; empty if unknown.
        dated: when it was written, as `core.document_dates` writes it; empty if unknown.
        stamp: `FileRef.stamp` of its file when it was read.
        volume: the file system that held the file when a scan of a watched folder last saw it; empty if none did.
        copies: its other files, which have the same bytes, in the order in which they were added.
        is_copy: whether one of these is shown in place of the main file, which is among them then (`seen_at`).
    """

    document_id: int
    path: str
    title: str
    type: DocumentType | None
    pages: int | None
    sentences: int
    state: DocumentState
    reason: FailureReason | None = None
    message: Message = NOTHING
    warnings: tuple[Message, ...] = ()
    author: str = ""
    dated: str = ""
    encoding: str | None = None
    size_bytes: int = 0
    mtime_ns: int = 0
    content_hash: str | None = None
    added_at: float = 0.0
    truncated: int = 0
    ocr: str = ""
    volume: str = ""
    stamp: int = 0
    copies: tuple[FileCopy, ...] = ()
    is_copy: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of all its files, that of the one shown first."""
        return (self.path, *(copy.path for copy in self.copies))

    def seen_at(self, path: str) -> Document:
        """Return the document as one of its files shows it: with that file's path, length, times and volume.

        A title that is only the name of the file shown first becomes that file's name, too.
        """
        shown = next((copy for copy in self.copies if copy.path == path), None)
        if shown is None:
            return self
        main = FileCopy(self.path, self.size_bytes, self.mtime_ns, self.stamp, self.volume, self.added_at)
        return replace(
            self,
            title=PurePath(path).name if self.title == PurePath(self.path).name else self.title,
            path=shown.path,
            size_bytes=shown.size_bytes,
            mtime_ns=shown.mtime_ns,
            stamp=shown.stamp,
            volume=shown.volume,
            added_at=shown.added_at,
            copies=tuple(main if copy is shown else copy for copy in self.copies),
            is_copy=True,
        )


@dataclass(frozen=True, slots=True)
class RemovedFiles:
    """Files that were removed from a library.

    Attributes:
        document_ids: documents that were removed, because no file of theirs was left.
        copies: files of documents that stay, with the ids of those.
        contents: the content (`Document.content_hash`) of each of those that was not just being read again.
    """

    document_ids: tuple[int, ...] = ()
    copies: tuple[tuple[int, FileCopy], ...] = ()
    contents: tuple[tuple[int, str], ...] = ()

    def to_check(self, contents: Mapping[int, str]) -> Iterator[tuple[int, FileCopy]]:
        """Yield the copies as they are restored, with the ids of their documents.

        If a document has been read again since, it may have another content than the copy: then the copy has no time,
        and the next import reads it and sets it apart.

        Args:
            contents: what the documents have now, as `contents` was found.
        """
        before = dict(self.contents)
        for document_id, copy in self.copies:
            is_same = document_id in before and contents.get(document_id) == before[document_id]
            yield document_id, copy if is_same else replace(copy, mtime_ns=0, stamp=0)


def list_ids(documents: Sequence[Document]) -> str:
    """Return the ids of the first documents in the form that commands take: `#3, #7`."""
    return ", ".join(f"#{each.document_id}" for each in documents[:5]) + (", …" if len(documents) > 5 else "")


@dataclass(frozen=True, slots=True)
class BackupInfo:
    """A written backup, or a library restored from one: its path and contents."""

    path: str
    documents: int
    sentences: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class DocumentCollection:
    """A named group of documents; a document may be in several.

    Attributes:
        kind: a `tag` is a short word on its documents, and is deleted with the last of them; a `collection` stays.
    """

    collection_id: int
    name: str
    document_ids: frozenset[int] = frozenset()
    kind: CollectionKind = "collection"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place where a sentence occurs; `ordinal` counts the document's sentences in reading order from 0.

    Attributes:
        kind: of its paragraph.
        passage: what it is itself; None: undecided, so the same as `kind`.
        reason: why.
    """

    sentence_id: int
    text: str
    document_id: int
    path: str
    ordinal: int
    paragraph: int
    kind: SpanKind
    places: tuple[Place, ...]
    passage: PassageKind | None = None
    reason: KindReason = ""

    @property
    def passage_kind(self) -> PassageKind:
        """What it is."""
        return self.passage or self.kind


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence found by a search.

    Attributes:
        score: cosine similarity; BM25+ for a search by words only. Higher is nearer.
        matched_by: the searches that found it.
        part_scores: of several queries at once (`Query.parts`), its score for each; None where the model does not know
            the query.
    """

    sentence_id: int
    score: float
    matched_by: tuple[str, ...] = ("meaning",)
    part_scores: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A sentence found, with its first place in the scope of the search.

    Attributes:
        rank: counted from 1.
        score: cosine similarity of query and sentence, whatever found it; BM25+ for a search by words only. Of several
            queries the best or, if it must be good for each, the weakest.
        part_scores: as in `ScoredSentence`.
        percentile: share of random pairs of this library below the score, 0 to 100; None until measured.
        copies: number of further sentences, not listed, that say nearly the same in the same words.
        badges: easily overlooked differences from a query that it is close to.
        lifted_by: the query's words in it, if they put it above a sentence with a higher score; else empty.
        is_recognised: whether its page was read by OCR, so that its words may be wrong.
        colour: `#rrggbb` of the highlight that it is, or that it is written on; empty if it is no note, or unknown.
        matched_by: the searches that found it.
        before: the sentence before it in its document; empty at the start.
        after: the sentence after it; empty at the end.
        page_label: the page's own label if the file has labels, else None.
        also_in: number of further documents that contain the same sentence.
    """

    rank: int
    score: float
    sentence_id: int
    text: str
    before: str
    after: str
    document_id: int
    title: str
    path: str
    type: DocumentType
    ordinal: int
    kind: SpanKind
    places: tuple[Place, ...]
    page_label: str | None = None
    also_in: int = 0
    matched_by: tuple[str, ...] = ("meaning",)
    percentile: float | None = None
    copies: int = 0
    badges: tuple[Badge, ...] = ()
    lifted_by: tuple[str, ...] = ()
    is_recognised: bool = False
    colour: str = ""
    part_scores: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentHit:
    """A document found, with its best sentences, best first; `part_scores` as in `ScoredSentence`."""

    rank: int
    score: float
    document_id: int
    title: str
    path: str
    best: tuple[Hit, ...]
    part_scores: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentCount:
    """How many of some sentences a document contains.

    `changed_at` is its file's modification time, seconds since 1970; `language` its guessed language by two letters, or
    empty. `sentence_ids` says which sentences, if that was asked for: several documents may contain the same; then
    `copies` are the paths of its other files.
    """

    document_id: int
    path: str
    title: str
    type: str
    changed_at: float
    count: int
    language: str = ""
    sentence_ids: tuple[int, ...] = ()
    copies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PairScore:
    """The similarity of two sentences: cosine, dot product and Euclidean distance of the model's own output."""

    cosine: float
    dot: float
    euclidean: float


@dataclass(frozen=True, slots=True)
class IndexPair:
    """Two rows of one matrix and their cosine similarity; `a` < `b`."""

    a: int
    b: int
    score: float


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """An encoder's identity.

    Attributes:
        name: for people.
        fingerprint: hash of weights, tokenizer, pooling, length and normalisation; equal means equal vectors.
        dim: length of a vector.
        max_length: tokens beyond which a text is cut.
        normalised: whether the model itself ends in unit vectors.
        folder: where it was loaded from.
        languages: named by its model card, by two letters; empty if it names none, or all.
        is_cross: whether it is a cross-encoder, which scores pairs and makes no vectors.
        query_prompt: put before a query; empty for none, or if unknown.
        passage_prompt: put before any other text; likewise.
    """

    name: str
    fingerprint: str
    dim: int
    max_length: int
    pooling: str
    normalised: bool
    folder: str = ""
    languages: tuple[str, ...] = field(default=(), compare=False)
    is_cross: bool = field(default=False, compare=False)
    query_prompt: str = field(default="", compare=False)
    passage_prompt: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """What the encoder computes on: `device` cpu/cuda/mps, `precision` fp32/bf16/fp16, torch threads.

    Attributes:
        note: the reason for this choice.
        failure: message for the person if a graphics processor has failed since the start; else empty.
    """

    device: str
    precision: str
    threads: int
    note: Message = NOTHING
    failure: Message = NOTHING


@dataclass(frozen=True, slots=True)
class Recall:
    """How many of the ten nearest vectors a search finds, measured on a sample of the library.

    Attributes:
        recall: 0 to 1.
        ef: how many candidates a search has kept since.
        queries: of the sample.
        vectors: the number in graphs when it was measured.
    """

    recall: float
    ef: int
    queries: int
    vectors: int


@dataclass(frozen=True, slots=True)
class LibraryInfo:
    """Counts of a library.

    Attributes:
        documents: in any state.
        sentences: distinct texts.
        occurrences: places where they occur.
        vectors: sentences with a vector of the library's model.
        searchable: vectors that a search reaches.
        model: the library's encoder; None while the library is new.
        states: number of documents in each state.
        recall: the result of the recall meter; None while every search is exact, or nothing was measured.
        identity: 16 hexadecimal digits that tell this library from others, also after it has moved; empty until it was
            opened for writing.
        right: what the user of a shared library may do; the person who opens a local one owns it.
        is_writable: whether this session may change the library.
        is_shared: whether it is on a server.
        hidden: sentences that occur only in removed documents. Until these are erased, which is when their removal can
            no longer be undone, `sentences` and `searchable` count them. After a large removal it is a lower bound.
    """

    documents: int
    sentences: int
    occurrences: int
    vectors: int
    searchable: int
    model: ModelInfo | None
    folder: str
    states: dict[str, int] = field(default_factory=dict)
    recall: Recall | None = None
    identity: str = ""
    right: LibraryRight = "owner"
    is_writable: bool = True
    is_shared: bool = False
    hidden: int = 0

    @property
    def visible_sentences(self) -> int:
        """Distinct texts of the documents that are listed."""
        return max(self.sentences - self.hidden, 0)

    @property
    def visible_searchable(self) -> int:
        """The sentences of the documents that are listed that a search reaches."""
        return max(self.searchable - self.hidden, 0)


@dataclass(frozen=True, slots=True)
class OtherImporter:
    """A person on another computer, or in another program, who imports into a shared library at this moment.

    Attributes:
        machine: name of the computer.
        user: of the library.
        documents: how many are being imported.
    """

    machine: str
    user: str
    documents: int


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one of the doctor's checks."""

    name: str
    ok: bool
    detail: Message

    @property
    def code(self) -> str:
        """The name as a stable word for scripts."""
        return self.name.replace(" ", "_")


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """Words and punctuation of a text, in reading order, up to the model's maximum length.

    Attributes:
        tokens: as they are in the text; the pieces of a word are joined.
        vectors: float32 [n, hidden], rows of length 1: the last layer, averaged over a word's pieces.
    """

    tokens: tuple[str, ...]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WordComparison:
    """How the words of two texts correspond.

    Attributes:
        a: the words of the first text.
        b: the words of the second.
        similarity: float32 [len(a), len(b)], cosines.
        alignment: (row, column) of corresponding words: each word once, with the highest possible sum of cosines.
        is_cut: whether a text has more words than are compared.
    """

    a: tuple[str, ...]
    b: tuple[str, ...]
    similarity: NDArray[np.float32]
    alignment: tuple[tuple[int, int], ...]
    is_cut: bool = False
