"""What the engine needs of the parts of a library; see `library_ports` for the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.corrections import Correction, KeptCut
    from desktop_app.core.insight import PairMark
    from desktop_app.core.reading import FileRef, SentenceSpan
    from desktop_app.core.recognition import RecognisedPage
    from desktop_app.core.records import DocumentCollection, DocumentCount, Hit, Occurrence, WatchedFolder
    from desktop_app.core.scope import Scope

    Vectors = NDArray[np.float32]


class Material(Protocol):
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

    def keep_neighbours(self, ids: NDArray[np.int64], near: NDArray[np.int64], scores: Vectors) -> None:
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


class Marks(Protocol):
    """What persons said of pairs of sentences. A pair is the same in either order.

    A mark on a sentence of the library goes when that sentence is erased.
    """

    def of(self, pairs: Sequence[tuple[str, str]]) -> list[PairMark | None]:
        """Return the mark of each pair of texts; None where there is none."""
        ...

    def review(self, pairs: Sequence[tuple[str, str]], reviewed: bool) -> None:
        """Say of pairs that they were looked at, or take that back; one transaction."""
        ...

    def judge(self, a: str, b: str, same: bool | None) -> None:
        """Say that two sentences mean the same, that they do not, or take that back (None)."""
        ...

    def judged(self) -> list[PairMark]:
        """Return the pairs of which somebody said whether they mean the same, in the order in which that was said."""
        ...


class Watching(Protocol):
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

    def unlisted(self) -> dict[str, bool]:
        """Return the folders whose listing was interrupted, and of each whether it was `anew`."""
        ...

    def home(self) -> str:
        """Return the folder in which the library lay when that was last noted; empty: it never was."""
        ...

    def settle(self, folder: str) -> None:
        """Note the folder in which the library lies."""
        ...

    def move_all(self, files: Mapping[int, FileRef]) -> int:
        """Do the same for many documents; those that cannot be moved are left as they are. Returns how many were."""
        ...

    def move(self, document_id: int, file: FileRef) -> None:
        """Note that a document's file lies elsewhere now; what is stored of it stays.

        Raises:
            NotFound: the document is not, or no longer, in the library.
            UsageError: another document has that path.
        """
        ...


class Collecting(Protocol):
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


class Scans(Protocol):
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


class Corrections(Protocol):
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

    def keep(self, document_id: int, cuts: Sequence[KeptCut]) -> None:
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
