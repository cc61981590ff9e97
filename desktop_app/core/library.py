"""The ports of a library: everything that the engine needs of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.clusters import StoredCluster, StoredDivision
    from desktop_app.core.corrections import CorrectedRange, Correction
    from desktop_app.core.duplicates import PairLabel
    from desktop_app.core.errors import FailureReason
    from desktop_app.core.jobs import Step, Steps
    from desktop_app.core.messages import Message
    from desktop_app.core.models import AffectedDocument, ModelSwitch
    from desktop_app.core.pages import OutlineEntry, RecognisedPage
    from desktop_app.core.query import KeywordQuery
    from desktop_app.core.reader_events import DocumentHead, FileRef, PageNote, ReadingDone, SentenceSpan
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
        ScoredSentence,
        SearchMode,
        WatchedFolder,
    )
    from desktop_app.core.scope import Scope
    from desktop_app.core.user_data import Judgement, PastQuery, Quote, SavedSearch

    Vectors = NDArray[np.float32]
    Ids = NDArray[np.int64]
    Floats = NDArray[np.float32]


class Library(Protocol):
    """Documents, distinct sentences, where they stand, and their vectors. Used from one thread.

    Every method that changes something is one transaction. Only `writable` libraries may change.
    """

    @property
    def writable(self) -> bool:
        """Whether this process holds the writer's lock."""
        ...

    @property
    def model(self) -> ModelInfo | None:
        """The encoder that this library's vectors come from; None while it has none."""
        ...

    def bind_model(self, model: ModelInfo) -> None:
        """Make `model` the library's encoder.

        Raises:
            ModelMismatch: the library has vectors of another one.
        """
        ...

    def vectors_by_model(self) -> dict[str, int]:
        """Return by fingerprint how many vectors of each model are here: of several only around a switch."""
        ...

    @property
    def watching(self) -> WatchedFolderStore:
        """The folders that are followed."""
        ...

    @property
    def collecting(self) -> CollectionStore:
        """Documents that belong together."""
        ...

    @property
    def scans(self) -> OcrPageStore:
        """Pages that were read by OCR."""
        ...

    @property
    def user_data(self) -> UserDataStore:
        """What a person keeps beside the documents."""
        ...

    @property
    def corrections(self) -> CorrectionStore:
        """Of how documents are cut into sentences."""
        ...

    @property
    def switching(self) -> ModelSwitching:
        """From one model to another."""
        ...

    @property
    def marks(self) -> PairLabelStore:
        """What persons said of pairs of sentences."""
        ...

    @property
    def analysis_reader(self) -> AnalysisReader:
        """What analyses read of it."""
        ...

    @property
    def themes(self) -> ClusterStore:
        """What it keeps of its themes."""
        ...

    def info(self) -> LibraryInfo:
        """Return counts; cheap, no table is scanned."""
        ...

    # Documents

    def add_files(self, files: Sequence[FileRef]) -> list[Document]:
        """Return a document for each file: a new one in state `queued`, or the one with that path as it is.

        A document with that path that was removed and not yet purged comes back.
        """
        ...

    def document(self, document_id: int) -> Document:
        """Return one document.

        Raises:
            NotFound: it is not, or no longer, in the library.
        """
        ...

    def documents(
        self, *, after_id: int = 0, limit: int = 500, state: DocumentState | None = None, scope: Scope = ...
    ) -> list[Document]:
        """Return up to `limit` documents with ids above `after_id`, in the order of their ids."""
        ...

    def find_documents(self, name: str) -> list[Document]:
        """Return the documents that `name` means: an id, an absolute path, a folder above them, or a file name."""
        ...

    def queue_document(self, document_id: int, file: FileRef) -> None:
        """Put a document (failed, changed, interrupted) back to `queued`; what is stored of it stays searchable."""
        ...

    def begin_document(self, document_id: int, head: DocumentHead) -> None:
        """Start to take in a document's content: searchable as it grows, or, when it was there before, at its end."""
        ...

    def append(
        self,
        document_id: int,
        spans: Sequence[SentenceSpan],
        texts: Sequence[str],
        vectors: Vectors,
        truncated: Collection[str] = (),
    ) -> None:
        """Store the next sentences of a document that was begun, and vectors for those of `texts` that have none.

        Args:
            document_id: the document.
            spans: in reading order; every text has a vector in the library already or is in `texts`.
            texts: distinct texts, none of which had a vector when it was asked.
            vectors: float32 [len(texts), dim], rows of length 1.
            truncated: those of `texts` of which the model does not see the end.
        """
        ...

    def finish_document(self, document_id: int, done: ReadingDone) -> None:
        """Make the document `ready`; what an earlier version of it left behind goes."""
        ...

    def fail_document(self, document_id: int, reason: FailureReason, message: Message) -> None:
        """Make the document `failed`; what was stored of this attempt goes, an earlier version stays."""
        ...

    def keep_previous_version(self, document_id: int, file: FileRef) -> None:
        """Give up taking a document in anew: its earlier version, which it must have, is `ready` again as `file`."""
        ...

    def set_title(self, document_id: int, title: str) -> None:
        """Give a document the person's own title; an empty one gives it back its file's."""
        ...

    def outline(self, document_id: int) -> list[OutlineEntry]:
        """Return the document's table of contents."""
        ...

    def page_notes(self, document_id: int) -> list[PageNote]:
        """Return what became of each page when the document was read; nothing for a file without pages."""
        ...

    def remove_documents(self, document_ids: Sequence[int]) -> int:
        """Take documents out of sight; `restore_documents` brings them back until they are purged. Returns how many."""
        ...

    def restore_documents(self, document_ids: Sequence[int]) -> int:
        """Bring removed documents back. Returns how many."""
        ...

    def purge(self) -> Iterator[Step]:
        """Erase removed documents, and sentences and vectors that stand nowhere, from every file; step by step."""
        ...

    # Sentences and vectors

    def without_vector(self, texts: Sequence[str]) -> list[str]:
        """Return the distinct ones of `texts` that have no vector of the library's model, in order."""
        ...

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

        Fewer than `top_k` only when there are no more. Equal scores are ordered by sentence id. Of `wording` counts
        what must be there and what must not.
        """
        ...

    def scores(self, vector: NDArray[np.float32], sentence_ids: Sequence[int]) -> dict[int, float]:
        """Return the cosines of sentences with a unit vector float32 [dim]; those that have gone are left out."""
        ...

    def vectors(self, sentence_ids: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        """Return the unit vectors float32 [dim] of sentences; those that have gone are left out."""
        ...

    def sample_vectors(self, count: int) -> Vectors:
        """Return the vectors of up to `count` sentences drawn at random: float32 [n, dim]; always the same ones."""
        ...

    @property
    def words(self) -> KeywordSearch:
        """The full-text index."""
        ...

    def read_transaction(self) -> AbstractContextManager[object]:
        """Hold one committed state for all that is asked inside; it also spares a transaction for each of it."""
        ...

    @property
    def is_visibility_cached(self) -> bool:
        """Whether it is known of every sentence whether it is in sight, and `survey` would do nothing."""
        ...

    def cache_visibility(self) -> Steps[None]:
        """Note of every sentence whether it is in sight, so that searches need not ask; until that changes."""
        ...

    def hits(self, found: Sequence[ScoredSentence], *, first_rank: int = 1, scope: Scope = ...) -> list[Hit]:
        """Return the rows of sentences found; those that have gone meanwhile are left out."""
        ...

    def nearest_documents(
        self, vector: NDArray[np.float32], top_k: int, *, scope: Scope = ..., best: int = 3
    ) -> list[tuple[int, float, list[ScoredSentence]]]:
        """Return (document id, score, its `best` nearest sentences) of the best documents, best first.

        A document's score is half its best sentence's cosine and half the cosine of the mean of its sentences
        (nDCG@10 on Cranfield: 0.494 against 0.464 for the best sentence alone).
        """
        ...

    def document_scores(
        self, vector: NDArray[np.float32], document_ids: Sequence[int], *, best: int = 3
    ) -> list[tuple[int, float, list[ScoredSentence]]]:
        """Return what `nearest_documents` says of these documents, in any order; those that have gone are left out."""
        ...

    def document_means(self, document_ids: Sequence[int]) -> Vectors:
        """Return the means of the vectors of documents' sentences: float32 [n, dim], rows of length 1.

        Zeros for a document that has none, or that has gone.
        """
        ...

    def occurrences(
        self, *, document_id: int | None = None, batch: int = 1000, scope: Scope = ...
    ) -> Iterator[list[Occurrence]]:
        """Yield every visible occurrence in reading order, `batch` at a time: documents by id, sentences by ordinal.

        With `scope`, only those of its documents.
        """
        ...

    def context(self, document_id: int, ordinal: int, before: int, after: int) -> list[Occurrence]:
        """Return a sentence with up to `before` sentences before it and `after` after it, in reading order."""
        ...

    # Care

    def keep_index_loaded(self) -> None:
        """Have the whole index in memory from now on, as `maintain` brings it in: somebody is going to search often."""
        ...

    def maintain(self) -> Steps[None]:
        """Do what is due, step by step: seal the tail into a segment, rebuild bad or thin segments, purge."""
        ...

    def back_up(self, file: Path, *, replace: bool = False) -> Steps[BackupInfo]:
        """Write everything into one file that a library can be made from elsewhere, step by step.

        Raises:
            UsageError: the file is there and may not be replaced.
            StorageFull: there is no room, or no right to write.
            LibraryDamaged: the library is not sound; an older backup stays as it is.
        """
        ...

    def check(self, *, repair: bool = False) -> Iterable[CheckResult]:
        """Compare the library with itself; with `repair`, mend what is wrong."""
        ...

    def close(self) -> None:
        """Write what is left and let go of files and lock."""
        ...


class AnalysisReader(Protocol):
    """What analyses read of a library: arrays in streams, so that nothing holds all of it as objects.

    Streams may be left at any point; each piece is read in a transaction of its own.
    """

    def nodes(self) -> Iterator[NDArray[np.int64]]:
        """Yield the ids of all sentences with a vector of the library's model, in the order of their texts' hashes.

        That order follows from the texts alone, however and in whatever order they came in.
        """
        ...

    def vectors(self) -> Iterator[tuple[NDArray[np.int64], Vectors]]:
        """Yield sentence ids int64 [b] and their vectors float32 [b, dim], in any order; damaged ones are left out."""
        ...

    def neighbours(self, k: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], Vectors]]:
        """Yield what was kept: sentence ids int64 [b], their neighbours' ids int64 [b, k] (0: none), cosines [b, k]."""
        ...

    def save_neighbours(self, ids: NDArray[np.int64], near: NDArray[np.int64], scores: Vectors) -> None:
        """Keep the neighbours of some sentences, in the form of `neighbours`; one transaction."""
        ...

    def documents_of(self, sentence_ids: Sequence[int], scope: Scope = ...) -> list[DocumentCount]:
        """Return the documents in which any of some sentences stands, with how many; most first."""
        ...

    def count_documents(self, groups: Mapping[int, Sequence[int]]) -> dict[int, int]:
        """Return of each group of sentences, by its key, in how many documents any of them stands."""
        ...

    def languages(self) -> dict[int, str]:
        """Return which languages documents seem to be in, by their ids; by two letters."""
        ...

    def standing(self, scope: Scope = ...) -> Iterator[NDArray[np.int64]]:
        """Yield int64 [b, 3], (sentence id, document id, ordinal), of every visible occurrence in reading order."""
        ...

    def texts(self, ids: Sequence[int]) -> dict[int, str]:
        """Return the texts of sentences by their ids; those that have gone are left out."""
        ...

    def ids(self, texts: Sequence[str]) -> dict[str, int]:
        """Return the ids of those of some texts that are stored, letter by letter the same; in sight or not."""
        ...

    def copies(self, path: str, content_hash: str) -> dict[int, str]:
        """Return the documents that are a file, by its absolute path or its content (SHA-256): their titles by id."""
        ...

    def hits_at(self, places: Sequence[tuple[int, int, float]]) -> list[Hit | None]:
        """Return the row at each (document id, ordinal, score); None where nothing visible stands any more."""
        ...


class PairLabelStore(Protocol):
    """What persons said of pairs of sentences. A pair is the same in either order.

    A mark on a sentence of the library goes when that sentence is erased.
    """

    def of(self, pairs: Sequence[tuple[str, str]]) -> list[PairLabel | None]:
        """Return the mark of each pair of texts; None where there is none."""
        ...

    def review(self, pairs: Sequence[tuple[str, str]], reviewed: bool) -> None:
        """Say of pairs that they were looked at, or take that back; one transaction."""
        ...

    def judge(self, a: str, b: str, same: bool | None) -> None:
        """Say that two sentences mean the same, that they do not, or take that back (None)."""
        ...

    def judged(self) -> list[PairLabel]:
        """Return the pairs of which somebody said whether they mean the same, in the order in which that was said."""
        ...


class WatchedFolderStore(Protocol):
    """The folders that a library follows, and documents whose files have gone elsewhere."""

    def folders(self) -> list[WatchedFolder]:
        """Return the folders that are followed, by their paths."""
        ...

    def watch(self, folder: WatchedFolder) -> None:
        """Follow a folder, or follow it with other patterns."""
        ...

    def leave(self, path: str) -> None:
        """Follow a folder no longer; its documents stay."""
        ...

    def begin_listing(self, paths: Sequence[str], *, anew: bool = False) -> None:
        """Note folders whose files are going to be entered as documents, `anew` also those that have not changed."""
        ...

    def end_listing(self, paths: Sequence[str]) -> None:
        """Note that all files of these folders are entered, or are not to be."""
        ...

    def interrupted_listings(self) -> dict[str, bool]:
        """Return the folders whose listing was interrupted, and of each whether it was `anew`."""
        ...

    def home(self) -> str:
        """Return the folder in which the library lay when that was last noted; empty: it never was."""
        ...

    def settle(self, folder: str) -> None:
        """Note the folder in which the library lies."""
        ...

    def move_documents(self, files: Mapping[int, FileRef]) -> int:
        """Do the same for many documents; those that cannot be moved are left as they are. Returns how many were."""
        ...

    def move(self, document_id: int, file: FileRef) -> None:
        """Note that a document's file lies elsewhere now; what is stored of it stays.

        Raises:
            NotFound: the document is not, or no longer, in the library.
            UsageError: another document has that path.
        """
        ...


class CollectionStore(Protocol):
    """Documents that a person put together under names; a document may be in several collections.

    A tag is a collection too: of another kind, with names of its own, and gone with its last document.
    """

    def collections(self) -> list[DocumentCollection]:
        """Return every collection, then every tag, with the documents in it that are in sight, by their names."""
        ...

    def tag(self, document_ids: Sequence[int], add: Sequence[str], take: Sequence[str] = ()) -> None:
        """Put tags on documents, and take others off; one transaction.

        Raises:
            UsageError: one of the words to add is no tag.
        """
        ...

    def make(self, name: str) -> int:
        """Begin a collection; returns its id.

        Raises:
            UsageError: it has no name, or another one has it (case and accents make no difference).
        """
        ...

    def rename(self, collection_id: int, name: str) -> None:
        """Give a collection another name; raises like `make`, and NotFound when it has gone."""
        ...

    def forget(self, collection_id: int) -> None:
        """Take a collection away; its documents stay in the library. Raises NotFound when it has gone."""
        ...

    def add(self, collection_id: int, document_ids: Sequence[int]) -> int:
        """Put documents into a collection; returns how many were not in it. Raises NotFound when it has gone."""
        ...

    def take_out(self, collection_id: int, document_ids: Sequence[int]) -> int:
        """Take documents out of a collection; returns how many were in it."""
        ...


class OcrPageStore(Protocol):
    """Pages that were read by OCR: their words, and which documents a person wants read so."""

    def want(self, document_ids: Sequence[int], languages: str) -> None:
        """Note the languages, joined by a plus, in which documents are read by OCR from now on."""
        ...

    def keep(self, document_id: int, page: RecognisedPage) -> None:
        """Keep what OCR made of a page of a document that was begun.

        Raises:
            NotFound: the document is not, or no longer, in the library.
        """
        ...

    def page(self, path: str, page: int) -> RecognisedPage | None:
        """Return what OCR made of a page of the document with that path; None where it was not read so."""
        ...

    def has_unread(self, document_id: int) -> bool:
        """Return whether a document has pages without text, or with text that can be read only in part."""
        ...


class CorrectionStore(Protocol):
    """What a person corrected of how documents are cut into sentences, and the versions that it makes of them."""

    def of(self, document_id: int) -> list[Correction]:
        """Return the corrections of a document, in their order."""
        ...

    def on_page(self, document_id: int, page: int) -> list[Occurrence]:
        """Return the sentences in sight that stand on a page, in reading order."""
        ...

    def originals(self, document_id: int) -> Iterator[list[SentenceSpan]]:
        """Yield the sentences of a document as they were read, before any correction."""
        ...

    def keep(self, document_id: int, cuts: Sequence[CorrectedRange]) -> None:
        """Keep what was read where a document on its way in was corrected; what was kept of it before goes."""
        ...

    def begin(self, document_id: int) -> int:
        """Begin a version that a correction makes of a document; returns its id. What is seen stays until `finish`.

        Raises:
            NotFound: the document is not, or no longer, in the library.
            LibraryBusy: it is being read just now.
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
    ) -> None:
        """Store the next sentences of such a version, as `Library.append` does; raises like `begin`."""
        ...

    def finish(self, document_id: int, version_id: int, *, made: Correction | None, undone: int | None) -> None:
        """Let such a version be seen, and keep the correction that made it or forget the one that was undone."""
        ...

    def give_up(self, document_id: int, version_id: int) -> None:
        """Forget such a version; does nothing when it is no longer there."""
        ...


class KeywordSearch(Protocol):
    """Finds sentences and documents by their words: stemmed, without case and accents, ranked by BM25."""

    def matching(self, keyword_query: KeywordQuery, top_k: int, *, scope: Scope = ...) -> list[ScoredSentence]:
        """Return the `top_k` visible sentences with the words, best first; `score` is their BM25, above 0.

        Of many words the commonest may be passed over where rarer ones find enough.
        """
        ...

    def is_common(self, keyword_query: KeywordQuery) -> bool:
        """Say whether even the rarest of the words stands in so many sentences that `matching` takes long."""
        ...

    def score_among(self, keyword_query: KeywordQuery, sentence_ids: Sequence[int]) -> dict[int, float]:
        """Return the BM25 of those of some sentences that have the words; quick also where these are common."""
        ...

    def weight(self, keyword_query: KeywordQuery) -> float:
        """Return the BM25 of a sentence of usual length that has all of the words; 0 without words.

        A word that stands nowhere weighs as much as the rarest.
        """
        ...

    def rank_documents(self, keyword_query: KeywordQuery, top_k: int, *, scope: Scope = ...) -> list[tuple[int, float]]:
        """Return (document id, BM25) of the `top_k` visible documents with the words, best first.

        A long document counts by its best passage. One that is still being taken in is found by what is complete.
        """
        ...

    def filter_documents(self, keyword_query: KeywordQuery) -> frozenset[int] | None:
        """Return the documents that have all words they must and none they must not; None: any document will do."""
        ...


class UserDataStore(Protocol):
    """Where it is kept. What tells of a document goes when that document is erased. Used from one thread."""

    def asked(self, limit: int = 50) -> list[PastQuery]:
        """Return the latest queries, the latest first, each once."""
        ...

    def remember(self, text: str, mode: SearchMode, *, instead_of: str = "") -> None:
        """Note that a query was asked; `instead_of`: it is that one, typed to its end."""
        ...

    def forget_queries(self, text: str | None = None) -> None:
        """Forget one query, or all."""
        ...

    def searches(self) -> list[SavedSearch]:
        """Return the saved searches, by their names."""
        ...

    def save_search(self, search: SavedSearch) -> int:
        """Keep a search, in the place of one with its id or name; returns its id."""
        ...

    def delete_search(self, search_id: int) -> None:
        """Keep a search no longer."""
        ...

    def quotes(self) -> list[Quote]:
        """Return the quotes, in the order in which they were put aside."""
        ...

    def add_quotes(self, hits: Sequence[Hit]) -> int:
        """Put sentences aside, each place once; returns how many were new."""
        ...

    def delete_quotes(self, quote_ids: Sequence[int]) -> None:
        """Keep quotes no longer."""
        ...

    def judgements(self, query: str | None = None) -> list[Judgement]:
        """Return what was said of hits, of one query or of all, in the order in which it was said."""
        ...

    def judge(self, query: str, sentence_id: int, is_relevant: bool | None) -> None:
        """Note whether a sentence answers a query; None takes back what was said."""
        ...


class ModelSwitching(Protocol):
    """A library's way from one model to another.

    New vectors are stored beside the old ones, which answer until `complete`. All that was stored stays when the
    program ends, however it does, and is taken up by the next `begin` with the same model.
    """

    @property
    def target(self) -> ModelSwitch | None:
        """The switch that was begun and is neither complete nor given up."""
        ...

    @property
    def previous(self) -> ModelInfo | None:
        """The model that the library answered to before its own; None where there was none. It has no vectors of it."""
        ...

    def begin(self, model: ModelInfo) -> None:
        """Begin to switch to `model`, or go on; a switch to another one is given up.

        A library without vectors is bound to it at once, and one whose own model it is stays so: then there is no
        `target` afterwards.
        """
        ...

    def stop(self) -> None:
        """Note that a person stopped the switch."""
        ...

    def give_up(self) -> None:
        """Have no switch any more; the next purge erases what was stored for it."""
        ...

    def done(self) -> int:
        """Return how many sentences have a vector of the new model."""
        ...

    def bare(self, after: int, limit: int) -> tuple[list[tuple[int, str]], int | None]:
        """Look at the next `limit` sentences with ids above `after`.

        Returns:
            (id, text) of those without a vector of the new model, and the last id looked at; None at the end.
        """
        ...

    def append(
        self, sentence_ids: Sequence[int], vectors: NDArray[np.float32], truncated: Collection[int] = ()
    ) -> None:
        """Store vectors of the new model, float32 [len(sentence_ids), dim], rows of length 1.

        `truncated` are those of `sentence_ids` of which the model does not see the end.
        """
        ...

    def holders(self, sentence_ids: Collection[int]) -> list[AffectedDocument]:
        """Return the documents in which any of these sentences stands, each once."""
        ...

    def needed_by_imports(self, sentence_ids: Collection[int]) -> set[int]:
        """Return those of these sentences that an import under way counts on."""
        ...

    def prepare(self, refused: Collection[int] = ()) -> Iterator[Step]:
        """Make ready what the new model needs beside its vectors, step by step.

        `refused` are sentences that it gives no vector for. They do not hold the switch up, but go with it.
        """
        ...

    def complete(self, told: Mapping[int, Message] | None = None) -> bool:
        """Switch in one transaction; False when sentences came in, or went, since `prepare`: nothing was done.

        In the same transaction the documents fail that hold a refused sentence.

        Args:
            told: what to note of each of those documents, by its id.
        """
        ...


class ClusterStore(Protocol):
    """Keeps themes and map of a library. What names or shows an erased sentence goes with it."""

    def look(self) -> StoredDivision | None:
        """Return the last look; None while there was none with the library's model."""
        ...

    def clusters(self) -> list[StoredCluster]:
        """Return every cluster that was kept, by id, dormant ones too."""
        ...

    def keep(self, found: Sequence[StoredCluster], look: StoredDivision) -> list[int]:
        """Keep clusters and look in the place of those before; returns the clusters' ids. One transaction."""
        ...

    def change(self, cluster_id: int, *, name: str | None = None, pinned: bool | None = None) -> None:
        """Give a cluster a person's own name (an empty one: none), or pin it, or let it go.

        Raises:
            NotFound: there is no such cluster.
        """
        ...

    def arrived(self, seen: int) -> int:
        """Return how many sentences in sight with a vector have a higher id than `seen`."""
        ...

    def positions(self) -> tuple[Ids, Floats]:
        """Return sentence ids int64 [m] and their places on the map float32 [m, 2]; none of another model."""
        ...

    def save_positions(self, ids: Ids, places: Floats) -> None:
        """Keep places on the map in the place of those before; one transaction."""
        ...

    def forget_erased(self) -> Iterator[None]:
        """Forget what tells of sentences that have been erased."""
        ...
