"""The ports of a library: everything that the engine needs of the store.

`Library` names the parts; each part is a protocol below. `desktop_app.store` implements them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.annotations import Annotation, AnnotationOrigin
    from desktop_app.core.arrays import Ids, Vectors
    from desktop_app.core.bibliography import Reference
    from desktop_app.core.clusters import StoredCluster, StoredDivision
    from desktop_app.core.duplicates import PairLabel
    from desktop_app.core.errors import FailureReason
    from desktop_app.core.jobs import ChangeSet, Step, Steps
    from desktop_app.core.look_ahead import LookAhead
    from desktop_app.core.messages import Message
    from desktop_app.core.model_files import ModelFileStore
    from desktop_app.core.models import AffectedDocument, ModelSwitch
    from desktop_app.core.pages import OutlineEntry, RecognisedPage
    from desktop_app.core.query import KeywordQuery
    from desktop_app.core.reader_events import DocumentHead, FileRef, Omissions, PageNote, ReadingDone, SentenceSpan
    from desktop_app.core.records import (
        BackupInfo,
        CheckResult,
        Document,
        DocumentCollection,
        DocumentCount,
        DocumentState,
        Hit,
        LibraryInfo,
        ModelInfo,
        Occurrence,
        OtherImporter,
        RemovedFiles,
        ScoredSentence,
        SearchMode,
        WatchedFolder,
    )
    from desktop_app.core.scope import Scope
    from desktop_app.core.sentence_corrections import CorrectedRange, Correction
    from desktop_app.core.user_data import Judgement, PastQuery, Quote, SavedSearch

    Floats = NDArray[np.float32]


class Library(Protocol):
    """A library: its parts, each with a protocol of its own in this module. Used from one thread.

    Every method that changes something is one transaction. Only a `writable` library may change; otherwise such methods
    raise LibraryBusy.
    """

    @property
    def writable(self) -> bool:
        """Whether this process holds the writer's lock."""
        ...

    @property
    def is_shared(self) -> bool:
        """Whether other sessions may change it at the same time."""
        ...

    @property
    def models(self) -> LibraryModels:
        """The models that its vectors come from."""
        ...

    @property
    def documents(self) -> DocumentStore:
        """The list of documents."""
        ...

    @property
    def copies(self) -> FileCopyStore:
        """The files of documents that are in several places."""
        ...

    @property
    def ingest(self) -> DocumentIngest:
        """Stores what readers find in documents."""
        ...

    @property
    def sentences(self) -> SentenceStore:
        """The sentences of documents, in reading order."""
        ...

    @property
    def search(self) -> VectorSearch:
        """Search by meaning."""
        ...

    @property
    def keyword_search(self) -> KeywordSearch:
        """Search by words."""
        ...

    @property
    def document_ranking(self) -> DocumentRanking:
        """Search for whole documents."""
        ...

    @property
    def visibility(self) -> VisibilityCache:
        """Which sentences are visible."""
        ...

    @property
    def analysis_reader(self) -> AnalysisReader:
        """The library as arrays, for analyses."""
        ...

    @property
    def clusters(self) -> ClusterStore:
        """The stored clusters and the map."""
        ...

    @property
    def pair_labels(self) -> PairLabelStore:
        """A person's labels of sentence pairs."""
        ...

    @property
    def user_data(self) -> UserDataStore:
        """Past queries, saved searches, quotes and judgements."""
        ...

    @property
    def annotations(self) -> AnnotationStore:
        """Highlights and notes on documents."""
        ...

    @property
    def collections(self) -> CollectionStore:
        """Collections and tags."""
        ...

    @property
    def watched_folders(self) -> WatchedFolderStore:
        """Watched folders, and documents whose files have moved."""
        ...

    @property
    def ocr_pages(self) -> OcrPageStore:
        """The OCR results of pages."""
        ...

    @property
    def corrections(self) -> CorrectionStore:
        """Corrections of sentence boundaries."""
        ...

    @property
    def model_files(self) -> ModelFileStore:
        """The files of its models, where it keeps them."""
        ...

    @property
    def model_switch(self) -> ModelSwitching:
        """The switch to another model."""
        ...

    @property
    def maintenance(self) -> LibraryMaintenance:
        """Upkeep, purge, backup and checks."""
        ...

    def info(self) -> LibraryInfo:
        """Return counts; cheap, though a shared library counts its documents: 0.16 s for 300,000."""
        ...

    def count_searchable(self) -> int:
        """Return how many sentences a search reaches; each search asks for it."""
        ...

    def list_importers(self) -> list[OtherImporter]:
        """Return who else imports into the library at this moment."""
        ...

    def read_transaction(self) -> AbstractContextManager[object]:
        """Hold one committed state for all reads inside; it also saves a transaction for each of them."""
        ...

    def look_ahead(self) -> AbstractContextManager[LookAhead]:
        """Let a search announce what it is about to ask; what was read for it is forgotten at the end."""
        ...

    @property
    def silence_s(self) -> float:
        """How long the server has not answered what it was asked, in seconds; 0 if nothing is pending.

        For any thread.
        """
        ...

    def poll_changes(self) -> ChangeSet:
        """Return what other sessions have changed since the last call, without asking the server.

        The first call begins to listen, and returns nothing. After a lost connection anything may have changed.

        Raises:
            LibraryUnreachable: the connection is lost, and could not be opened again.
        """
        ...

    def close(self) -> None:
        """Write pending changes, and release files and lock."""
        ...


class LibraryModels(Protocol):
    """The models that a library has vectors of: several only around a switch."""

    @property
    def current(self) -> ModelInfo | None:
        """The encoder of this library's vectors; None while it has none."""
        ...

    def bind(self, model: ModelInfo) -> None:
        """Make `model` the library's encoder.

        Raises:
            ModelMismatch: the library has vectors of another one.
        """
        ...

    def count_vectors(self) -> dict[str, int]:
        """Return the number of vectors of each model, by fingerprint."""
        ...


class DocumentStore(Protocol):
    """The list of documents. Removed ones are invisible, and can be restored until they are purged."""

    def count_file_dates(self, scope: Scope) -> tuple[int, int]:
        """Return how many documents in a scope have no date of their own, and how many of them an older program read.

        Reading those again may find one.
        """
        ...

    def add(self, files: Sequence[FileRef]) -> list[Document]:
        """Return a document for each file: a new one in state `queued`, or the existing one with that path, unchanged.

        If the path is that of a copy, the document is returned as the copy shows it (`Document.seen_at`). A removed
        document with that path that is not purged yet is restored, with those of its files that are given.
        """
        ...

    def get(self, document_id: int) -> Document:
        """Return one document.

        Raises:
            NotFound: it is not in the library, or no longer.
        """
        ...

    def fetch(
        self, *, after_id: int = 0, limit: int = 500, state: DocumentState | None = None, scope: Scope = ...
    ) -> list[Document]:
        """Return up to `limit` documents with ids above `after_id`, in order of id."""
        ...

    def find(self, name: str) -> list[Document]:
        """Return the documents that `name` means: `#5` (an id), a path, a folder above them, a file name, or a bare id.

        Raises:
            UsageError: it can mean different documents.
        """
        ...

    def set_title(self, document_id: int, title: str) -> None:
        """Set a document's own title; an empty one restores the file's title."""
        ...

    def references(self, document_ids: Sequence[int]) -> dict[int, Reference]:
        """Return the references of documents by id: as a person gave them, else as their files do."""
        ...

    def set_reference(self, document_id: int, reference: Reference | None) -> None:
        """Set a document's reference, and its title if this is a different one; None restores what the file says.

        Raises:
            NotFound: the document is not in the library, or no longer.
        """
        ...

    def outline(self, document_id: int) -> list[OutlineEntry]:
        """Return the document's table of contents."""
        ...

    def page_notes(self, document_id: int) -> list[PageNote]:
        """Return the result of reading each page; empty for a file without pages."""
        ...

    def omissions(self, document_id: int) -> Omissions:
        """Return what was left out of the document on purpose: running heads, navigation, hidden text."""
        ...

    def remove(self, document_ids: Sequence[int]) -> int:
        """Hide documents; `restore` brings them back until they are purged. Returns how many were visible."""
        ...

    def restore(self, document_ids: Sequence[int]) -> int:
        """Restore removed documents. Returns how many."""
        ...


class FileCopyStore(Protocol):
    """The files of documents: each document has a main file, and may have copies, which have the same bytes.

    A path belongs to one document. Files with different bytes are different documents, even with the same text; so are
    files with different suffixes, because the suffix may decide how a file is read.
    """

    def find_hashes(self, path: str, size_bytes: int) -> frozenset[str]:
        """Return the SHA-256 of the documents that a file with this path and length may be a copy of."""
        ...

    def join(self, document_id: int, content_hash: str) -> int | None:
        """Make the file of a document without contents a copy of the document that has this content.

        The document is gone then; the other one gets its tags and collections, and of a message the attached files
        have copies too.

        Returns:
            the id of the other document; None, without a change, if there is none, or if a person has added something
            to the document that the other one cannot take over.

        Raises:
            NotFound: the document is not in the library, or no longer.
        """
        ...

    def split(self, file: FileRef, main: str = "") -> Document:
        """Make a file, whose content has changed, a queued document of its own, with tags and collections as before.

        Args:
            file: one of the files of a document that has copies.
            main: if it is the main file, the copy that takes its place; empty: the first one.

        Raises:
            NotFound: no document has this file and others.
        """
        ...

    def promote(self, path: str) -> None:
        """Make a copy the main file of its document; the main file becomes a copy.

        Raises:
            NotFound: it is not a copy, or no longer.
        """
        ...

    def remove(self, paths: Sequence[str]) -> RemovedFiles:
        """Remove files; if a main file goes, a copy takes its place, and with its last file a document is removed.

        Paths that no document has are skipped. `restore` brings everything back until it is purged.
        """
        ...

    def restore(self, removed: RemovedFiles) -> int:
        """Restore removed files; returns of how many documents. Paths that others have taken are skipped."""
        ...


class DocumentIngest(Protocol):
    """Stores the contents of documents: `queue`, `begin`, `append` many times, then `finish` or `fail`.

    A first import is searchable as it grows, a repeated one when it is finished.
    """

    def queue(self, document_id: int, file: FileRef) -> None:
        """Set a document (failed, changed, interrupted) back to `queued`; its stored contents stay searchable."""
        ...

    def recover(self) -> int:
        """Queue the documents whose import was interrupted because a process died; returns how many."""
        ...

    def release(self, document_id: int) -> None:
        """Do no more with a document, whatever has become of it: sentences are not kept for its import any longer."""
        ...

    def withdraw(self, document_ids: Sequence[int]) -> None:
        """Let documents whose first import was stopped leave the list; they cannot be restored.

        This takes a moment however much was stored; maintenance erases that later.
        """
        ...

    def claim(self, document_ids: Sequence[int]) -> list[int]:
        """Take queued documents to import them; returns those that no other session works on or has finished."""
        ...

    def begin(self, document_id: int, head: DocumentHead) -> None:
        """Begin to store a document's contents."""
        ...

    def without_vector(self, texts: Sequence[str]) -> list[str]:
        """Return the distinct ones of `texts` that have no vector of the library's model, in order.

        During an import, the vectors of the others are kept until the import has had time to use them.
        """
        ...

    def append(
        self,
        document_id: int,
        spans: Sequence[SentenceSpan],
        texts: Sequence[str],
        vectors: Vectors,
        truncated: Collection[str] = (),
        fingerprint: str = "",
    ) -> None:
        """Store the next sentences of a document that was begun, and vectors for those of `texts` that have none.

        Args:
            document_id: the document.
            spans: in reading order; every text has a vector in the library already or is in `texts`.
            texts: distinct texts, as `without_vector` returned them.
            vectors: float32 [len(texts), dim], rows of length 1.
            truncated: those of `texts` that are longer than the model's input.
            fingerprint: of the model that computed the vectors; empty: the library's own at this moment.

        Raises:
            NotFound: the document was removed in the meantime.
            TakenOver: the connection to a shared library was lost since the document was begun, or another session has
                switched it to another model. The document has to be begun anew, after `recover` and `claim`. The other
                methods that write of a document raise it too.
        """
        ...

    def find_noted(self) -> list[int]:
        """Return the ids of documents that have annotations, or passages of annotations."""
        ...

    def kept_notes(self, document_id: int) -> tuple[list[SentenceSpan], int] | None:
        """Return the passages of a document that come from annotations in the library, and a free paragraph for them.

        They are the last ones of the document. None while it is being read.

        Raises:
            NotFound: the document is not in the library, or no longer.
        """
        ...

    def replace_notes(
        self,
        document_id: int,
        spans: Sequence[SentenceSpan],
        texts: Sequence[str],
        vectors: Vectors,
        truncated: Collection[str] = (),
    ) -> bool:
        """Replace these passages, as `append` stores others; one transaction.

        Returns False, without a change, while the document is being read: the end of that adds them.

        Raises:
            NotFound: the document is not in the library, or no longer.
            ValueError: as for `append`.
        """
        ...

    def finish(self, document_id: int, done: ReadingDone) -> None:
        """Make the document `ready`; an earlier version of it is deleted."""
        ...

    def fail(self, document_id: int, reason: FailureReason, message: Message) -> None:
        """Make the document `failed`; what this attempt stored is deleted, an earlier version stays."""
        ...

    def keep_previous_version(self, document_id: int, file: FileRef) -> None:
        """Abandon a repeated import: the earlier version, which must exist, is `ready` again as `file`."""
        ...


class SentenceStore(Protocol):
    """The sentences of visible documents, in reading order."""

    def occurrences(
        self, *, document_id: int | None = None, batch: int = 1000, scope: Scope = ...
    ) -> Iterator[list[Occurrence]]:
        """Yield every visible occurrence in a scope, `batch` at a time: documents by id, sentences by ordinal.

        Every batch is read in a transaction of its own.
        """
        ...

    def context(self, document_id: int, ordinal: int, before: int, after: int) -> list[Occurrence]:
        """Return a sentence with up to `before` sentences before it and `after` after it, in reading order."""
        ...


class VectorSearch(Protocol):
    """Finds sentences by their vectors."""

    def nearest(
        self,
        vector: NDArray[np.float32],
        top_k: int,
        *,
        scope: Scope = ...,
        min_score: float = -1.0,
        keyword_query: KeywordQuery = ...,
    ) -> list[ScoredSentence]:
        """Return the `top_k` visible sentences nearest to a unit vector float32 [dim], best first.

        Fewer than `top_k` only when there are no more. Ties are ordered by sentence id. Only the required and excluded
        words of `keyword_query` count.
        """
        ...

    def scores(self, vector: NDArray[np.float32], sentence_ids: Sequence[int]) -> dict[int, float]:
        """Return the cosines of sentences with a unit vector float32 [dim]; erased sentences are left out."""
        ...

    def vectors(self, sentence_ids: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        """Return the unit vectors float32 [dim] of sentences; erased sentences are left out."""
        ...

    def sample_vectors(self, count: int) -> Vectors:
        """Return the vectors of up to `count` random sentences: float32 [n, dim]; always the same ones."""
        ...

    def find_visible(self, ids: Ids, scope: Scope) -> NDArray[np.bool_]:
        """Return for each of `ids` whether it is visible in a scope: bool [n]."""
        ...

    def hits(self, found: Sequence[ScoredSentence], *, first_rank: int = 1, scope: Scope = ...) -> list[Hit]:
        """Return the hits of scored sentences, ranked from `first_rank`; sentences erased since are left out."""
        ...

    def hits_at(self, places: Sequence[tuple[int, int, float]]) -> list[Hit | None]:
        """Return the hit at each (document id, ordinal, score); None where nothing is visible any more."""
        ...


class DocumentRanking(Protocol):
    """Finds documents by their vectors.

    A document's score is half its best sentence's cosine and half the cosine of the mean of its sentences (nDCG@10 on
    Cranfield: 0.494 against 0.464 for the best sentence alone).
    """

    def nearest_documents(
        self, vector: NDArray[np.float32], top_k: int, *, scope: Scope = ..., best: int = 3
    ) -> list[tuple[int, float, list[ScoredSentence]]]:
        """Return (document id, score, its `best` nearest sentences) of the best documents, best first."""
        ...

    def score_documents(
        self, vector: NDArray[np.float32], document_ids: Sequence[int], *, scope: Scope = ..., best: int = 3
    ) -> list[tuple[int, float, list[ScoredSentence]]]:
        """Return what `nearest_documents` returns for these documents, in any order.

        Those that are invisible, or have no sentence in the scope, are left out.
        """
        ...

    def mean_vectors(self, document_ids: Sequence[int]) -> Vectors:
        """Return the means of the vectors of documents' sentences: float32 [n, dim], rows of length 1.

        Zeros for a document without sentences, or that is gone.
        """
        ...


class VisibilityCache(Protocol):
    """Caches which sentences are visible, so that searches need not ask the database."""

    @property
    def is_filled(self) -> bool:
        """Whether the cache is up to date, so that `fill` would do nothing."""
        ...

    def fill(self) -> Steps[None]:
        """Fill the cache, step by step; it stays valid until documents change."""
        ...


class LibraryMaintenance(Protocol):
    """Upkeep of a library: due work, purge, backup and checks."""

    def run(self) -> Steps[None]:
        """Run the tasks that are due, step by step; yields `WAITING` while a child process builds.

        It seals the tail of the index into segments, rebuilds bad and thin segments, measures the recall, purges, and
        guesses languages. Documents removed in this session stay restorable for a while.
        """
        ...

    def purge(self) -> Steps[None]:
        """Erase removed documents, and sentences and vectors no longer in use, from every file; step by step.

        What other sessions of a shared library removed a moment ago stays restorable.
        """
        ...

    def tidy_up(self) -> Steps[None]:
        """Run the tasks that are due when the program ends; step by step."""
        ...

    def keep_index_loaded(self) -> None:
        """Keep the whole index in memory from now on, as `run` loads it: for a person who searches often."""
        ...

    def back_up(self, file: Path, *, replace: bool = False) -> Steps[BackupInfo]:
        """Write everything into one file that a library can be restored from, step by step.

        Raises:
            UsageError: the file exists and may not be replaced.
            StorageFull: the disk is full, or the place is not writable.
            LibraryDamaged: the library is damaged; an older backup stays as it is.
        """
        ...

    def check(self, *, repair: bool = False) -> Iterable[CheckResult | Step]:
        """Check the library against itself; with `repair`, repair what is wrong.

        Yields each result as soon as it is known, and progress within the checks that read every text and vector.

        Raises:
            LibraryBusy: `repair` is set, and another process is writing.
        """
        ...


class AnalysisReader(Protocol):
    """Reads a library for analyses: streams of arrays, so that it is never in memory as objects.

    A stream may be abandoned at any point; each piece is read in a transaction of its own.
    """

    def nodes(self, known: Ids = ...) -> Iterator[Ids]:
        """Yield the ids of all sentences with a vector of the library's model, in the order of their texts' hashes.

        That order depends on the texts only, not on the order in which they were imported. `known` is an earlier
        answer: the order of its sentences need not be read again.
        """
        ...

    def vectors(self) -> Iterator[tuple[Ids, Vectors]]:
        """Yield sentence ids int64 [b] and their vectors float32 [b, dim], in any order; damaged ones are left out.

        All are of one model. If the library changes its model meanwhile, some may be missing.
        """
        ...

    def neighbours(self, k: int) -> Iterator[tuple[Ids, Ids, Vectors]]:
        """Yield stored neighbours: sentence ids int64 [b], neighbour ids int64 [b, k] (0: none), cosines [b, k]."""
        ...

    def save_neighbours(self, ids: Ids, near: Ids, scores: Vectors) -> None:
        """Store the neighbours of some sentences, in the form of `neighbours`; one transaction."""
        ...

    def documents_of(
        self, sentence_ids: Sequence[int], scope: Scope = ..., *, with_ids: bool = False
    ) -> list[DocumentCount]:
        """Return the documents that contain any of these sentences, with how many; the most first.

        `with_ids`: and with which, and with the paths of the documents' copies.
        """
        ...

    def count_documents(self, groups: Mapping[int, Sequence[int]]) -> dict[int, int]:
        """Return for each group of sentences, by key, how many documents contain any of them."""
        ...

    def languages(self, documents: Sequence[int] | None = ...) -> dict[int, str]:
        """Return the guessed languages (two letters) of documents, of all or some, by document id.

        A language may have to be found in the document's text first, which takes a millisecond.
        """
        ...

    def occurrences_in_order(self, scope: Scope = ...) -> Iterator[Ids]:
        """Yield int64 [b, 3], (sentence id, document id, ordinal), of every visible occurrence in reading order."""
        ...

    def texts(self, ids: Sequence[int]) -> dict[int, str]:
        """Return the texts of sentences by id; erased sentences are left out."""
        ...

    def ids(self, texts: Sequence[str]) -> dict[str, int]:
        """Return the ids of those of `texts` that are stored, compared letter by letter; visible or not."""
        ...

    def find_copies(self, path: str, content_hash: str) -> dict[int, str]:
        """Return the titles of the documents with this absolute path or this content (SHA-256), by id."""
        ...


class PairLabelStore(Protocol):
    """A person's labels of sentence pairs. A pair is the same in either order.

    A label of a library sentence is deleted when that sentence is erased.
    """

    def find(self, pairs: Sequence[tuple[str, str]]) -> list[PairLabel | None]:
        """Return the label of each pair of texts; None for an unlabelled pair."""
        ...

    def review(self, pairs: Sequence[tuple[str, str]], reviewed: bool) -> None:
        """Mark pairs as reviewed, or not reviewed; one transaction."""
        ...

    def judge(self, a: str, b: str, same: bool | None) -> None:
        """Label two sentences as meaning the same or not, or clear the label (None)."""
        ...

    def labelled_pairs(self, *, with_reviewed: bool = False) -> list[PairLabel]:
        """Return the pairs labelled as the same or not the same, in the order of labelling.

        `with_reviewed`: also those that are only reviewed.
        """
        ...


class WatchedFolderStore(Protocol):
    """The watched folders of a library, and documents whose files have moved."""

    def folders(self) -> list[WatchedFolder]:
        """Return the watched folders in order of path."""
        ...

    def watch(self, folder: WatchedFolder) -> None:
        """Watch a folder, or change the patterns of a watched one."""
        ...

    def unwatch(self, path: str) -> None:
        """Stop watching a folder; its documents stay."""
        ...

    def set_volumes(self, volumes: Mapping[str, str]) -> None:
        """Record the file systems of documents' files, by path; see `Document.volume`."""
        ...

    def set_stamps(self, stamps: Mapping[str, int]) -> None:
        """Record the stamps of files that have not changed, by path; see `FileRef.stamp`."""
        ...

    def begin_listing(self, paths: Sequence[str], *, force: bool = False) -> None:
        """Record folders whose files are about to be added as documents; `force`: read unchanged files too."""
        ...

    def end_listing(self, paths: Sequence[str]) -> None:
        """Record that these folders are listed completely, or are not going to be."""
        ...

    def interrupted_listings(self) -> dict[str, bool]:
        """Return the folders whose listing was interrupted, and the `force` of each."""
        ...

    def note_import_folders(self, folders: Sequence[WatchedFolder]) -> None:
        """Record folders that are imported once with patterns, or their new patterns, until the import is finished.

        A shared library that is not upgraded records none.
        """
        ...

    def forget_import_folders(self, paths: Sequence[str]) -> None:
        """Delete what `note_import_folders` recorded of these folders."""
        ...

    def import_folders(self) -> list[WatchedFolder]:
        """Return the folders of unfinished imports with their patterns, in order of path."""
        ...

    def home(self) -> str:
        """Return the library's folder when it was last recorded; empty if it never was."""
        ...

    def set_home(self, folder: str) -> None:
        """Record the library's folder."""
        ...

    def move_files(self, files: Mapping[str, FileRef]) -> int:
        """Do what `move` does for many files by their old paths, in one transaction; returns how many moved."""
        ...

    def move(self, path: str, file: FileRef) -> None:
        """Record a new path of a document's file; its stored contents stay.

        If a copy of the document has that path already, the old one is given up.

        Raises:
            NotFound: no document in the library has the old path.
            UsageError: another document has the new one.
        """
        ...


class CollectionStore(Protocol):
    """Named groups of documents; a document may be in several.

    A tag is a collection too: of another kind, with names of its own, and deleted with its last document.
    """

    def collections(self) -> list[DocumentCollection]:
        """Return every collection, then every tag, with its visible documents, in order of name."""
        ...

    def tag(self, document_ids: Sequence[int], add: Sequence[str], take: Sequence[str] = ()) -> None:
        """Add tags to documents and remove the tags in `take`; one transaction.

        Raises:
            UsageError: a word to add is not a valid tag.
        """
        ...

    def create(self, name: str) -> int:
        """Create a collection and return its id.

        Raises:
            UsageError: the name is empty or used (ignoring case and accents).
        """
        ...

    def rename(self, collection_id: int, name: str) -> None:
        """Rename a collection; raises like `create`, and NotFound if it is gone."""
        ...

    def delete(self, collection_id: int) -> None:
        """Delete a collection; its documents stay in the library. Raises NotFound if it is gone."""
        ...

    def add(self, collection_id: int, document_ids: Sequence[int]) -> int:
        """Add documents to a collection and return how many were new to it. Raises NotFound if it is gone."""
        ...

    def remove(self, collection_id: int, document_ids: Sequence[int]) -> int:
        """Remove documents from a collection and return how many were in it."""
        ...


class OcrPageStore(Protocol):
    """The OCR results of pages, and which documents a person wants to be read by OCR."""

    def request(self, document_ids: Sequence[int], languages: str) -> None:
        """Set the OCR languages of documents, joined by a plus, for the next time they are read."""
        ...

    def save(self, document_id: int, page: RecognisedPage) -> None:
        """Store the OCR result of a page of a document that was begun.

        Raises:
            NotFound: the document is not in the library, or no longer.
        """
        ...

    def page(self, path: str, page: int) -> RecognisedPage | None:
        """Return the OCR result of a page of the document with that path; None if there is none."""
        ...

    def has_unread(self, document_id: int) -> bool:
        """Return whether a document has pages without text, or with poor text."""
        ...


class CorrectionStore(Protocol):
    """A person's corrections of sentence boundaries, and the document versions that they produce."""

    def find(self, document_id: int) -> list[Correction]:
        """Return the corrections of a document in order."""
        ...

    def on_page(self, document_id: int, page: int) -> list[Occurrence]:
        """Return the visible sentences on a page, in reading order."""
        ...

    def originals(self, document_id: int) -> Iterator[list[SentenceSpan]]:
        """Yield the sentences of a document as they were read, before any correction."""
        ...

    def save_ranges(self, document_id: int, cuts: Sequence[CorrectedRange]) -> None:
        """Store the originals of corrected ranges of a document that is being imported, replacing earlier ones."""
        ...

    def begin(self, document_id: int) -> int:
        """Begin a corrected version of a document and return its id. The old version stays visible until `finish`.

        Raises:
            NotFound: the document is not in the library, or no longer.
            LibraryBusy: it is being read.
        """
        ...

    def append(
        self,
        document_id: int,
        version_id: int,
        spans: Sequence[SentenceSpan],
        texts: Sequence[str],
        vectors: Vectors,
        truncated: Collection[str] = (),
        fingerprint: str = "",
    ) -> None:
        """Store the next sentences of such a version, as `DocumentIngest.append` does; raises like `begin`."""
        ...

    def finish(self, document_id: int, version_id: int, *, made: Correction | None, undone: int | None) -> None:
        """Make such a version visible, and store the correction that `made` it or delete the `undone` one."""
        ...

    def give_up(self, document_id: int, version_id: int) -> None:
        """Delete such a version; does nothing if it is already gone."""
        ...


class KeywordSearch(Protocol):
    """Finds sentences and documents by their words: stemmed, without case and accents.

    Documents are ranked by BM25, sentences by BM25+: a word counts for at least its inverse document frequency,
    however long the sentence is.
    """

    def find_sentences(self, keyword_query: KeywordQuery, top_k: int, *, scope: Scope = ...) -> list[ScoredSentence]:
        """Return the `top_k` visible sentences with the words, best first; `score` is their BM25+, above 0.

        Of many words the commonest may be skipped if rarer ones find enough.
        """
        ...

    def is_common(self, keyword_query: KeywordQuery) -> bool:
        """Return whether even the rarest of the words is in so many sentences that `find_sentences` takes long."""
        ...

    def score_among(self, keyword_query: KeywordQuery, sentence_ids: Sequence[int]) -> dict[int, float]:
        """Return the BM25+ of those of `sentence_ids` that contain the words; fast even for common words."""
        ...

    def word_shares(self, keyword_query: KeywordQuery, sentence_ids: Sequence[int]) -> dict[int, float]:
        """Return the share of the query's words in those of `sentence_ids` that contain any, above 0, at most 1.

        A word counts by its inverse document frequency; the commonest words of a large library count as missing.
        Required and excluded words rule no sentence out.
        """
        ...

    def has_word(self, word: str, *, is_beginning: bool = False) -> bool:
        """Return whether a sentence has the word; with `is_beginning` one that begins with it is enough."""
        ...

    def count_words(self, words: Sequence[str]) -> dict[str, int]:
        """Return in how many sentences each of many words is, in any of its forms, without those that are in none.

        A very common word may have a smaller number.
        """
        ...

    def weight(self, keyword_query: KeywordQuery) -> float:
        """Return the BM25+ of a sentence of average length that contains all of the words; 0 without words.

        A word that occurs nowhere weighs as much as the rarest.
        """
        ...

    def document_rarities(self, words: Sequence[str]) -> dict[str, float]:
        """Return the inverse document frequency of each word that at least two documents (or passages) have."""
        ...

    def rank_documents(self, keyword_query: KeywordQuery, top_k: int, *, scope: Scope = ...) -> list[tuple[int, float]]:
        """Return (document id, BM25) of the `top_k` visible documents with the words, best first.

        A long document is ranked by its best passage; one that is still being imported by its complete passages.
        """
        ...

    def filter_documents(self, keyword_query: KeywordQuery) -> frozenset[int] | None:
        """Return the documents with all required and no excluded words; None if the words do not restrict documents."""
        ...


class UserDataStore(Protocol):
    """Past queries, saved searches, quotes and judgements; those that refer to a document are deleted with it."""

    def past_queries(self, limit: int = 50) -> list[PastQuery]:
        """Return the latest queries, the latest first, each once."""
        ...

    def remember(self, text: str, mode: SearchMode, *, instead_of: str = "") -> None:
        """Record a query; `instead_of` is an unfinished form of it to replace."""
        ...

    def forget_queries(self) -> None:
        """Delete all past queries."""
        ...

    def saved_searches(self) -> list[SavedSearch]:
        """Return the saved searches in order of name."""
        ...

    def save_search(self, search: SavedSearch) -> int:
        """Save a search, replacing one with its id or name; returns its id."""
        ...

    def delete_search(self, search_id: int) -> None:
        """Delete a saved search."""
        ...

    def quotes(self) -> list[Quote]:
        """Return the quotes in the order in which they were added."""
        ...

    def add_quotes(self, hits: Sequence[Hit]) -> int:
        """Add quotes, each place once; returns how many were new."""
        ...

    def delete_quotes(self, quote_ids: Sequence[int]) -> None:
        """Delete quotes."""
        ...

    def judgements(self, query: str | None = None) -> list[Judgement]:
        """Return the judgements of hits, of one query or of all, in the order in which they were made."""
        ...

    def judge(self, query: str, sentence_id: int, is_relevant: bool | None) -> None:
        """Store whether a sentence answers a query; None clears the judgement."""
        ...


class AnnotationStore(Protocol):
    """Highlights and notes on documents: a person's own, and those of Zotero. They are deleted with their document."""

    def fetch(self, document_id: int | None = None, *, scope: Scope = ...) -> list[Annotation]:
        """Return the annotations of a document, or of a part of the library, by document and place."""
        ...

    def file_notes(self, document_id: int | None = None, *, scope: Scope = ...) -> list[Annotation]:
        """Return the notes and highlights that are in the files of documents; they cannot be changed."""
        ...

    def add(self, annotations: Sequence[Annotation]) -> list[int]:
        """Store annotations and return their ids; one with an id was deleted before, and gets it back.

        Raises:
            NotFound: a document is not in the library, or no longer.
        """
        ...

    def change(self, annotation_id: int, *, comment: str | None = None, colour: str | None = None) -> Annotation:
        """Change what is written on an annotation, or its colour; returns it as it was.

        Raises:
            NotFound: there is no such annotation.
        """
        ...

    def move(self, annotation: Annotation) -> None:
        """Store another place of an annotation; does nothing if it is gone."""
        ...

    def delete(self, annotation_ids: Sequence[int]) -> list[Annotation]:
        """Delete annotations and return them; those that are gone already are left out."""
        ...

    def replace(self, document_id: int, origin: AnnotationOrigin, annotations: Sequence[Annotation]) -> bool:
        """Replace the annotations of a document that come from elsewhere; returns whether something changed.

        Raises:
            NotFound: the document is not in the library, or no longer.
        """
        ...


class ModelSwitching(Protocol):
    """The switch of a library from one model to another.

    New vectors are stored next to the old ones, which answer until `complete`. Everything stored survives the end of
    the program, however it ends, and is used by the next `begin` with the same model.
    """

    @property
    def target(self) -> ModelSwitch | None:
        """The switch under way; None if there is none."""
        ...

    @property
    def previous(self) -> ModelInfo | None:
        """The library's previous model; None if there is none. The library has no vectors of it."""
        ...

    def begin(self, model: ModelInfo) -> None:
        """Begin or continue the switch to `model`; a switch to another one is dropped.

        A library without vectors is bound to it at once, and switching to the library's own model ends the switch:
        then there is no `target` afterwards.
        """
        ...

    def stop(self) -> None:
        """Record that a person stopped the switch."""
        ...

    def give_up(self) -> None:
        """Drop the switch; the next purge erases its vectors."""
        ...

    def count_done(self) -> Generator[Step, None, int]:
        """Return how many sentences have a vector of the new model, counted step by step."""
        ...

    def without_new_vector(self, after: int, limit: int) -> tuple[list[tuple[int, str]], int | None]:
        """Look at the next `limit` sentences with ids above `after`.

        Returns:
            (id, text) of those without a vector of the new model, and the last id looked at; None at the end.
        """
        ...

    def append(
        self, sentence_ids: Sequence[int], vectors: NDArray[np.float32], truncated: Collection[int] = ()
    ) -> None:
        """Store vectors of the new model, float32 [len(sentence_ids), dim], rows of length 1.

        `truncated` are those of `sentence_ids` that are longer than the model's input.
        """
        ...

    def flush(self) -> Iterator[Step]:
        """Wait for the disk, beside the engine, if much was stored since the last time; call it after `append`."""
        ...

    def affected_documents(self, sentence_ids: Collection[int]) -> list[AffectedDocument]:
        """Return the documents that contain any of these sentences, each once."""
        ...

    def needed_by_imports(self, sentence_ids: Collection[int]) -> set[int]:
        """Return those of these sentences that an import under way depends on."""
        ...

    def prepare(self, refused: Collection[int] = ()) -> Iterator[Step]:
        """Prepare everything else that the new model needs (index, document means), step by step.

        `refused` are sentences without a usable vector. They do not block the switch, but are erased by it.
        """
        ...

    def complete(self, messages: Mapping[int, Message] | None = None) -> bool:
        """Switch in one transaction; returns False, without a change, if sentences changed since `prepare`.

        Documents with a refused sentence fail in the same transaction.

        Args:
            messages: the message for each of those documents, by id.
        """
        ...


class ClusterStore(Protocol):
    """The stored clusters and map of a library. Words and positions of an erased sentence are deleted with it."""

    def last_division(self) -> StoredDivision | None:
        """Return the last division; None if there is none with the library's model."""
        ...

    def clusters(self) -> list[StoredCluster]:
        """Return every stored cluster, dormant ones too, in order of id."""
        ...

    def clusters_in_steps(self) -> Steps[list[StoredCluster]]:
        """Like `clusters`, in short steps."""
        ...

    def save(self, found: Sequence[StoredCluster], division: StoredDivision) -> list[int]:
        """Replace the stored clusters and division; returns the clusters' ids. One transaction."""
        ...

    def save_in_steps(self, found: Sequence[StoredCluster], division: StoredDivision) -> Steps[list[int]]:
        """Like `save`, prepared step by step: there may be thousands of clusters."""
        ...

    def change(self, cluster_id: int, *, name: str | None = None, pinned: bool | None = None) -> None:
        """Set a cluster's chosen name (empty: none), or pin or unpin it.

        Raises:
            NotFound: there is no such cluster.
        """
        ...

    def count_arrived(self, seen: int) -> int:
        """Return how many visible sentences with a vector have a higher id than `seen`."""
        ...

    def positions(self) -> tuple[Ids, Floats]:
        """Return sentence ids int64 [m] and their positions on the map float32 [m, 2]; empty for another model."""
        ...

    def save_positions(self, ids: Ids, places: Floats) -> Iterator[None]:
        """Replace the stored positions, step by step; the former ones are those of the map until the last is stored."""
        ...
