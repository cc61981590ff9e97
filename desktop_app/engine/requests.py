"""Requests to the engine and the results it returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.paths import BACKUP_DESCRIPTION, LIBRARY_DATABASE
from desktop_app.core.query import EMPTY_QUERY
from desktop_app.core.scope import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop_app.core.duplicates import PairKind, PairLabel, PairVerdict
    from desktop_app.core.errors import FailureReason
    from desktop_app.core.messages import Message
    from desktop_app.core.pair_tables import PairTable
    from desktop_app.core.query import Query
    from desktop_app.core.reader_events import FileRef
    from desktop_app.core.records import (
        DeviceInfo,
        Document,
        DocumentHit,
        Hit,
        LibraryInfo,
        ModelInfo,
        OtherImporter,
        PairScore,
        ScoredSentence,
        SearchMode,
        WatchedFolder,
        WordComparison,
    )
    from desktop_app.core.scope import Scope
    from desktop_app.core.sentence_differences import Badge
    from desktop_app.engine.file_walk import FileListing, UnreadablePath


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search.

    Attributes:
        query: any text.
        top_k: the maximum number of sentences or documents.
        min_score: lowest similarity in meaning; ignored by a search by words alone.
        scope: where to look.
        page_size: how many rows to read at once; the others are returned as ids and scores.
        mode: by meaning, by words, or by both.
        best: how many sentences to return of each document, when documents are searched.
        fold_copies: whether near copies of a hit are left out.
        use_feedback: whether a person's judgements of this query's hits change the ranking.
        has_operators: whether the query may contain operators (`core.query`); a sentence taken from a text has none.
        references: whether lists of references are searched too.
        is_match_all: whether a result must be good for each of several queries; None: as the query says.
    """

    query: str
    top_k: int = 10
    min_score: float = -1.0
    scope: Scope = EVERYTHING
    page_size: int = 50
    mode: SearchMode = "meaning"
    has_operators: bool = True
    best: int = 3
    fold_copies: bool = False
    use_feedback: bool = False
    references: bool = False
    is_match_all: bool | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search.

    Attributes:
        query: as it was understood: one line, without control characters.
        found: every sentence found, best first, as id and score.
        hits: the rows of the first page of `found`.
        searchable: number of sentences that a search reaches at this moment.
        seconds: from query to rows.
        scope: where it looked, operators included (`SearchService.read_hits` reads further rows with it).
        understood: the parsed query.
        chance: cosine below which similarity may be chance; None if unknown, or if scores are not cosines.
        is_query_known: whether the model knows its words; otherwise nothing is found by meaning, and `mode` is words
            where both were requested.
        foreign_language: the language (two letters) of the query, if that is why; empty if it could not be told.
        request: the request; None if the result was composed in another way.
        has_more: whether there may be more hits than were requested.
        copies: sentences that were left out as near copies, by the one that they copy.
        judged: whether sentences are relevant, where a person judged them and the search used that.
        reranked: how many of the first hits were reranked, and `reranked_by` the model that did so.
        documents: in a search for documents, these, best first; `hits` are their best sentences in that order.
    """

    query: str
    mode: SearchMode
    found: tuple[ScoredSentence, ...]
    hits: tuple[Hit, ...]
    searchable: int
    seconds: float
    scope: Scope = EVERYTHING
    understood: Query = EMPTY_QUERY
    chance: float | None = None
    is_query_known: bool = True
    foreign_language: str = ""
    request: SearchRequest | None = None
    has_more: bool = False
    copies: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    judged: Mapping[int, bool] = field(default_factory=dict)
    reranked: int = 0
    reranked_by: str = ""
    documents: tuple[DocumentHit, ...] = ()

    @property
    def remarks(self) -> tuple[Message, ...]:
        """What the person should know about the query's operators."""
        return self.understood.remarks

    @property
    def is_chance_level(self) -> bool:
        """Whether no hit is better than random sentences."""
        if self.chance is None or not self.found:
            return False
        return all(near.score < self.chance and "words" not in near.matched_by for near in self.found)

    @property
    def answers(self) -> tuple[ScoredSentence, ...]:
        """The sentences found, best first, if any is nearer than random ones; otherwise those with the words."""
        if self.chance is None or any(near.score >= self.chance for near in self.found):
            return self.found
        return tuple(near for near in self.found if "words" in near.matched_by)


@dataclass(frozen=True, slots=True)
class DocumentSearchResult:
    """The result of a search for documents; `is_query_known` and following as in a `SearchResult`."""

    query: str
    mode: SearchMode
    hits: tuple[DocumentHit, ...]
    seconds: float
    is_query_known: bool = True
    foreign_language: str = ""
    remarks: tuple[Message, ...] = ()
    understood: Query = EMPTY_QUERY
    searchable: int = 0
    scope: Scope = EVERYTHING


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What to import.

    Attributes:
        paths: files and folders; folders with everything below them.
        passwords: to try on encrypted files, in this order; never stored.
        force: whether to read unchanged files too.
        ocr: languages, joined by a plus, in which OCR reads pages without text, now and whenever the files are read
            again; empty: no OCR; None: as the person prefers.
        listing: the files that a forecast found in `paths`; None: they are walked when the import starts.
        displaced: documents whose archives are gone: an archive of the import that has the same file takes them over.
        folders: folders of the import with patterns; what a pattern excludes is left out of archives and mail too.
    """

    paths: tuple[str, ...]
    passwords: tuple[str, ...] = ()
    force: bool = False
    ocr: str | None = None
    listing: FileListing | None = None
    displaced: tuple[Document, ...] = ()
    folders: tuple[WatchedFolder, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A file that was imported."""

    path: str
    document_id: int
    pages: int | None
    sentences: int
    warnings: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class FailedFile:
    """A file that was not imported, and why."""

    path: str
    reason: FailureReason
    message: Message
    document_id: int | None = None


@dataclass(frozen=True, slots=True)
class DeletedFile:
    """A document whose file was deleted from a watched folder."""

    path: str
    document_id: int


@dataclass(frozen=True, slots=True)
class MovedFile:
    """A document whose file was renamed or moved from `old_path` to `path`."""

    old_path: str
    path: str
    document_id: int


@dataclass(frozen=True, slots=True)
class CopiedFile:
    """A file with the same bytes as a document of the library, which has it as a copy now."""

    path: str
    document_id: int


@dataclass(slots=True)
class ImportReport:
    """The result of an import.

    Attributes:
        ignored: files of unknown type inside folders, and hidden folders.
        sentences: number of imported occurrences.
        embedded: distinct sentences that had to be embedded for it.
        stopped: whether a person stopped it before its end.
        left_out: documents that were not imported because of that.
        copies: exact copies of documents that were found.
        removed: documents that were removed because their files were deleted from a watched folder.
        removed_copies: likewise files of documents that stay, because they have other files.
        unconfirmed: likewise, but so many at once that a person has to agree before they are removed.
        moved: documents whose files were renamed or moved in watched folders.
        unreadable: paths in watched folders that cannot be seen; their documents stay.
        archives: paths of the members, opened or not, of each archive that was read, by its path.
        taken_over: the new files of displaced documents, by their old paths.
    """

    imported: list[ImportedFile] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    failed: list[FailedFile] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    sentences: int = 0
    embedded: int = 0
    seconds: float = 0.0
    stopped: bool = False
    left_out: int = 0
    copies: list[CopiedFile] = field(default_factory=list)
    removed: list[DeletedFile] = field(default_factory=list)
    removed_copies: list[DeletedFile] = field(default_factory=list)
    unconfirmed: list[DeletedFile] = field(default_factory=list)
    moved: list[MovedFile] = field(default_factory=list)
    unreadable: list[UnreadablePath] = field(default_factory=list)
    archives: dict[str, frozenset[str]] = field(default_factory=dict)
    taken_over: dict[str, FileRef] = field(default_factory=dict)

    def add(self, other: ImportReport) -> None:
        """Add the result of an import that ran after this one."""
        kept = ("imported", "unchanged", "failed", "ignored", "removed", "unconfirmed", "moved", "unreadable")
        for name in (*kept, "copies", "removed_copies"):
            getattr(self, name).extend(getattr(other, name))
        self.sentences += other.sentences
        self.embedded += other.embedded
        self.seconds += other.seconds
        self.left_out += other.left_out
        self.stopped = self.stopped or other.stopped
        self.archives |= other.archives
        self.taken_over |= other.taken_over

    def is_backup(self, path: str) -> bool:
        """Return whether a path that was imported is a backup of a library: what that consists of was ignored.

        A library's own folder holds one of these files too, and several backups in a folder or an archive are not meant
        by a person who imports it.
        """
        if Path(path).suffix.lower() != ".zip":
            return False
        in_it = [Path(each).relative_to(path) for each in self.ignored if Path(each).is_relative_to(path)]
        descriptions, databases = (
            {each.parent for each in in_it if each.name == name} for name in (BACKUP_DESCRIPTION, LIBRARY_DATABASE)
        )
        found = descriptions & databases
        return len(found) == 1 and not any(part.lower().endswith(".zip") for part in found.pop().parts)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sentences compared; `normalised` if the model outputs unit vectors, so that the three measures agree.

    `verdict` is what the model was trained to say of the pair; None if it was not.
    """

    a: str
    b: str
    score: PairScore
    normalised: bool
    verdict: PairVerdict | None
    kind: PairKind


EXPLAINED_CHARACTERS = 5000
"""Of a text that is explained: more than most models read. Looking for differences takes 20 s in 100,000 characters."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known of two sentences apart from their scores.

    Of a longer text than EXPLAINED_CHARACTERS, differences and words are those of its beginning.

    Attributes:
        kind: how they belong together.
        badges: how they differ although they may score high.
        differs_a: (start, stop) of the words of `a` that are not in `b` at that place.
        differs_b: likewise of `b`.
        percentile: share of random pairs of the library below their cosine, 0 to 100; None if unknown.
        known_texts: whether the model knows a word of each.
        label: a person's label of the pair.
        words: their aligned words; None if one of them has none.
        unknown_languages: two letters each, of texts in a language that the model was not trained for.
    """

    a: str
    b: str
    kind: PairKind
    badges: tuple[Badge, ...]
    differs_a: tuple[tuple[int, int], ...]
    differs_b: tuple[tuple[int, int], ...]
    percentile: float | None
    known_texts: tuple[bool, bool]
    label: PairLabel | None
    words: WordComparison | None
    unknown_languages: tuple[str, ...] = ()

    @property
    def is_cut(self) -> bool:
        """Whether only the beginning of a text is explained."""
        return max(len(self.a), len(self.b)) > EXPLAINED_CHARACTERS


@dataclass(frozen=True, slots=True)
class TextPair:
    """Two lines of a file, by their indices from 0, with their cosine similarity, kind and differences.

    `verdict` is what the model was trained to say of the pair; None if it was not.
    """

    a: int
    b: int
    text_a: str
    text_b: str
    score: float
    kind: PairKind
    badges: tuple[Badge, ...]
    verdict: PairVerdict | None = None


@dataclass(frozen=True, slots=True)
class ScoredTable:
    """A table of pairs with the cosine, kind and badges of each, and whether the model knows both sentences.

    `verdicts` are what the model was trained to say of each pair; None if it was not. `unknown_languages` (two letters
    each) are those of some sentences that it was not trained for.
    """

    table: PairTable
    cosines: tuple[float, ...]
    kinds: tuple[PairKind, ...]
    badges: tuple[tuple[Badge, ...], ...]
    known: tuple[bool, ...]
    verdicts: tuple[PairVerdict, ...] | None = None
    unknown_languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkspaceStatus:
    """The library, model and device (None until the encoder is loaded) of a workspace, and who else imports."""

    library: LibraryInfo
    model: ModelInfo | None
    device: DeviceInfo | None
    importers: tuple[OtherImporter, ...] = ()


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """What embedding a file cost; the time runs from the first text to the last row, after a warm-up."""

    rows: int
    dim: int
    seconds: float
    tokens: int
    device: DeviceInfo
