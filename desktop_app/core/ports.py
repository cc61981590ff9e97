"""The ports of everything that the engine uses besides the library: models, files, pages and child processes.

A port is a protocol; `compose.py` passes the implementations to the engine. The ports of the library are in
`core.library`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from desktop_app.core.models import NO_CHANGES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.arrays import Vectors
    from desktop_app.core.duplicates import PairVerdict
    from desktop_app.core.foreground_gate import ForegroundGate
    from desktop_app.core.jobs import Steps
    from desktop_app.core.model_files import ModelFile
    from desktop_app.core.models import ModelChanges, ModelEntry
    from desktop_app.core.ocr import OcrEngine
    from desktop_app.core.pages import (
        AnnotationToWrite,
        Box,
        DarkPageColors,
        PageCharacters,
        PagedFile,
        PageImage,
        SentenceToLocate,
    )
    from desktop_app.core.reader_events import ReaderEvent
    from desktop_app.core.records import DeviceInfo, ModelInfo, TokenVectors
    from desktop_app.core.shared_address import LibraryRight, SharedStatus


T_co = TypeVar("T_co", covariant=True)


class PairReader(Protocol):
    """Embeds sentences and judges pairs by their words, in one pass for each sentence: in fp32, on the processor.

    It keeps the words of the latest sentences, up to 256 MB; older ones are embedded again when a pair needs them.
    """

    def embed(self, texts: Sequence[str]) -> Generator[int, None, Vectors]:
        """Return the model's own output for distinct texts, at least one: float32 [n, dim].

        Yields:
            the number of texts so far.

        Raises:
            VectorNotFinite: the vector of a text is not finite.
        """
        ...

    def judge(
        self, first: Sequence[str], second: Sequence[str]
    ) -> Generator[int, None, tuple[Vectors, Vectors, list[PairVerdict]]]:
        """Return the model's own output for both sides of pairs, at least one, and what it says of each.

        Yields:
            the number of pairs so far.

        Raises:
            VectorNotFinite: the vector of a text is not finite; the texts of both sides count as one list.
        """
        ...


class Encoder(Protocol):
    """Maps texts to vectors. Used from one thread."""

    @property
    def model(self) -> ModelInfo:
        """The model."""
        ...

    @property
    def device(self) -> DeviceInfo:
        """The device, precision and number of threads in use."""
        ...

    def tune(self) -> Iterator[None]:
        """Find the fastest precision that is accurate on this machine, in short steps; no steps when it is known.

        Takes at most 2 s in all. Other methods may be called between two steps. Afterwards `device` has the result.
        """
        ...

    def encode(
        self, texts: Sequence[str], *, normalize: bool = True, kind: str = "document", exact: bool = False
    ) -> Vectors:
        """Embed `texts`.

        Args:
            texts: any strings; empty ones and lone surrogates are embedded too.
            normalize: scale rows to length 1; otherwise they are the model's own output.
            kind: `query` or `document`: selects the model's prompt, if it has one.
            exact: compute in fp32 whatever `tune` found, for scores that a person reads digit by digit.

        Returns:
            float32 [n, dim], a row for each text, in order.

        Raises:
            VectorNotFinite: the vector of a text is not finite, or zero although its length should be 1.
            DeviceUnavailable: there is not enough memory for one text.
        """
        ...

    def count_tokens(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Return how many tokens of each text the model sees, at most its maximum length: int64 [n]."""
        ...

    def knows_words(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Return for each text whether the model knows a word of it: bool [n]. Others have nearly the same vector."""
        ...

    def count_truncated(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Return how many tokens of each text are beyond the model's maximum length, and ignored: int64 [n]. Fast."""
        ...

    @property
    def judges_pairs(self) -> bool:
        """Whether the model was trained to say something of two sentences."""
        ...

    def judge_pairs(
        self, u: NDArray[np.float32], v: NDArray[np.float32], first: Sequence[str], second: Sequence[str]
    ) -> Generator[int, None, list[PairVerdict]]:
        """Return what the model was trained to say of each pair of sentences. Only for one that `judges_pairs`.

        Args:
            u: float32 [n, dim], the model's own output (`normalize=False`) for `first`.
            v: likewise for `second`.
            first: texts.
            second: the other text of each pair.

        Yields:
            the number of pairs so far.
        """
        ...

    def read_pairs(self) -> PairReader | None:
        """Return what embeds sentences and judges pairs of them in one pass.

        None for a model that judges by vectors alone, or not at all, or in a named precision: use `encode_batches` and
        `judge_pairs`.
        """
        ...

    def token_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Return the vectors of the words of each text from the model's last layer; for few and short texts."""
        ...

    def set_threads(self, threads: int) -> None:
        """Compute on `threads` cores from the next batch on, in running generators too; 0: the number in `device`."""
        ...

    def set_foreground_gate(self, foreground_gate: ForegroundGate) -> None:
        """Pause background computation while the gate is closed."""
        ...

    def encode_batches(
        self,
        texts: Sequence[str],
        *,
        normalize: bool = True,
        kind: str = "document",
        exact: bool = False,
        batch_tokens: int | None = None,
        timeout_s: float | None = None,
    ) -> Generator[tuple[NDArray[np.int64], Vectors], None, None]:
        """Embed `texts` one batch at a time, so that the caller can do other things in between, or stop.

        Args:
            texts: as in `encode`.
            normalize: as in `encode`.
            kind: as in `encode`.
            exact: as in `encode`.
            batch_tokens: tokens per batch, padding included; None: what suits the device.
            timeout_s: yield an empty batch when none is complete after so many seconds; None: wait.

        Yields:
            (indices into `texts` int64 [b], their vectors float32 [b, dim]); texts of similar length are in one batch,
            and every index occurs exactly once.

        Raises:
            VectorNotFinite, DeviceUnavailable: as in `encode`.
        """
        ...


class ReadingTask(Protocol):
    """A file that is being read in another process. Used from one thread; no method blocks."""

    def poll(self) -> ReaderEvent | None:
        """Return the next event, or None when there is none yet.

        Raises:
            FileFailure: the file cannot be read, and the task has ended.
        """
        ...

    def cancel(self) -> None:
        """Stop reading. Calling it again or after the end does nothing."""
        ...


class Reader(Protocol):
    """Splits files into sentences, in a process that can be killed. Reads one file at a time."""

    def start(
        self, path: Path, *, password: str | None = None, known_hashes: Collection[str] = (), ocr: str = ""
    ) -> ReadingTask:
        """Begin to read a file.

        Args:
            path: the file.
            password: its password, if it has one.
            known_hashes: SHA-256 of contents that need not be read again: then `FileUnchanged` is the only event.
            ocr: languages in which to read pages without text by OCR, joined by a plus; empty: no OCR.
        """
        ...

    def close(self) -> None:
        """End the process."""
        ...


class PendingAnswer(Protocol[T_co]):
    """A request to another process. Used from one thread; no method blocks."""

    @property
    def has_partial_answer(self) -> bool:
        """Whether the answer has begun to arrive: the rest follows at once."""
        ...

    def poll(self) -> T_co | None:
        """Return the answer, or None while there is none.

        Raises:
            FileFailure: the file or page cannot be shown.
        """
        ...

    def abandon(self) -> None:
        """Cancel the request. After the answer this does nothing."""
        ...


class PageSource(Protocol):
    """Renders pages of PDF files, in a process that can be killed. One request at a time, from one thread.

    `passwords` are tried in order on an encrypted file. Page numbers begin at 1.
    """

    def look_at_file(self, path: str) -> PendingAnswer[bool]:
        """Request whether a file exists."""
        ...

    def open_pages(self, path: str, passwords: Sequence[str]) -> PendingAnswer[PagedFile]:
        """Request the sizes and labels of a file's pages."""
        ...

    def render_page(
        self, path: str, passwords: Sequence[str], page: int, width_px: int, dark: DarkPageColors | None
    ) -> PendingAnswer[PageImage]:
        """Request an image of a page, `width_px` wide, or less if that would be too large."""
        ...

    def page_boxes(
        self, path: str, passwords: Sequence[str], page: int, sentences: Sequence[SentenceToLocate]
    ) -> PendingAnswer[list[tuple[Box, ...]]]:
        """Request the boxes of sentences on a page: for each sentence one box per line, none if it is not found."""
        ...

    def page_characters(self, path: str, passwords: Sequence[str], page: int) -> PendingAnswer[PageCharacters]:
        """Request the characters of a page."""
        ...

    def write_annotations(
        self, path: str, passwords: Sequence[str], annotations: Sequence[AnnotationToWrite]
    ) -> PendingAnswer[bytes]:
        """Request the bytes of a copy of a file with annotations, as any other program shows them."""
        ...

    def find_ocr(self) -> PendingAnswer[tuple[OcrEngine | None]]:
        """Request the installed Tesseract, None if there is none; in a tuple, because a plain None means no answer."""
        ...

    def close(self) -> None:
        """End the process."""
        ...


class PairScorer(Protocol):
    """Scores pairs of texts, reading both texts together: more accurate than comparing vectors, and slower."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    def score_batches(
        self, pairs: Sequence[tuple[str, str]]
    ) -> Generator[tuple[list[int], NDArray[np.float64]], None, None]:
        """Yield (indices into `pairs`, scores float64 [n] from 0 to 1, higher for a better match), in short steps."""
        ...


class ProcessTask(Protocol):
    """A long computation in another process. Used from one thread; no method blocks."""

    @property
    def is_finished(self) -> bool:
        """Whether the last value of `poll` is the result."""
        ...

    def poll(self) -> object | None:
        """Return the next progress report, finally the result; None when there is nothing new.

        Raises:
            AppError: the computation failed.
            Cancelled: it was stopped.
        """
        ...

    def cancel(self) -> None:
        """Request that the computation stops at its next step."""
        ...

    def close(self) -> None:
        """End the process. Calling it again does nothing."""
        ...


class ApproximateProducts(Protocol):
    """Approximate products of the rows of a matrix with each other; they decide which pairs are computed exactly.

    Products are returned as keys: numbers of any type in the order of the products.
    """

    @property
    def margin(self) -> float:
        """The maximum error of a product."""
        ...

    @property
    def lowest(self) -> float:
        """A key below the keys of all positive products."""
        ...

    def between(self, rows: NDArray[np.int64], left: int, right: int) -> NDArray[Any]:
        """Return the keys of the products of `rows` int64 [b] with the rows from `left` on: [b, right - left]."""
        ...

    def limits(self, scores: Vectors) -> NDArray[Any]:
        """Return for limits float32 [n] keys [n]: no product that really reaches the limit has a lower key."""
        ...

    def scores(self, keys: NDArray[Any]) -> Vectors:
        """Return the approximate products float32 [n] of keys [n]."""
        ...


class BoundedProducts(Protocol):
    """Products of own rows with those of a piece, whose errors are known: they decide which pairs are computed exactly.

    Products are returned as keys: numbers of any type in the order of the products.
    """

    @property
    def lowest(self) -> float:
        """A key below the keys of all pairs."""
        ...

    def between(self, left: int, right: int) -> NDArray[Any]:
        """Return the keys of the own rows from `left` to `right` with the piece: [right - left, b]."""
        ...

    def row_limits(self, left: int, right: int, cosines: Vectors) -> NDArray[Any]:
        """Return keys [right - left], one of each row: no pair that reaches the row's cosine has a lower key."""
        ...

    def column_limits(self, cosines: Vectors) -> NDArray[Any]:
        """Return keys [b], one of each row of the piece, like `row_limits`; an infinite cosine is never reached."""
        ...

    def least_cosines(self, left: int, right: int, keys: NDArray[Any]) -> Vectors:
        """Return for a key of each row [right - left] the least cosine that its pair may have."""
        ...


class RowsToCompare(Protocol):
    """Own rows that are compared with others, piece by piece; on any thread."""

    def take(self, vectors: Vectors) -> BoundedProducts:
        """Return the products with a piece of other rows, float32 [b, dim]."""
        ...


class ModelCatalogue(Protocol):
    """The installed models. Used from one thread."""

    def entries(self) -> list[ModelEntry]:
        """Return all models, the bundled one first."""
        ...

    def find(self, name_or_folder: str) -> Path:
        """Return the folder of a model, given its name or the folder itself.

        Raises:
            ModelMissing: there is no such model, or its files have changed.
        """
        ...

    def add(self, name_or_folder: str, changes: ModelChanges = NO_CHANGES) -> Steps[ModelEntry]:
        """Link a model's folder, or download a model by name, step by step; a model is tested before it is listed.

        With `changes` it is listed as a model of its own, next to the one it is derived from.

        Raises:
            AppError: it cannot be downloaded or used; nothing has changed.
        """
        ...

    def with_fingerprint(self, fingerprint: str, known_folder: str = "") -> Path | None:
        """Return the folder of the model with these vectors; None if it is not on this computer.

        `known_folder` is where it was once, for a model that is not listed.
        """
        ...

    def list_files(self, folder: Path) -> dict[ModelFile, Path]:
        """Return the files that the program loads of the model in a folder."""
        ...

    def receive(
        self, name: str, fingerprint: str, files: Sequence[ModelFile], read_piece: Callable[[ModelFile, int], bytes]
    ) -> Steps[ModelEntry]:
        """Add a model whose files come from a shared library, step by step; it is tested before it is listed.

        What an interrupted call has written is kept.

        Args:
            name: of the model.
            fingerprint: that it must have.
            files: of the model.
            read_piece: returns a piece of a file, by its number; empty after the last one.

        Raises:
            AppError: it is damaged, another model, or cannot be used; nothing has changed.
        """
        ...

    def remove(self, name: str) -> ModelEntry:
        """Remove a model from the list, and delete it if it was downloaded; returns its former entry.

        Raises:
            AppError: there is no model of that name, or it is the bundled one.
        """
        ...


class SharedAdministration(Protocol):
    """A shared library as its owner sees it; nothing stays open."""

    def create(self) -> None:
        """Create the library and its roles.

        Raises:
            UsageError: there is one of this name.
            RightMissing: the user may not create schemas or roles.
            LibraryUnreachable: the server does not answer, or cannot hold a library.
        """
        ...

    def upgrade(self) -> bool:
        """Bring the library to this program's version; returns whether there was something to do."""
        ...

    def grant(self, user: str, right: LibraryRight) -> None:
        """Give a user of the server a right, instead of the one that the user has.

        Raises:
            NotFound: the server has no such user.
        """
        ...

    def use_password(self, password: str, *, store: bool) -> None:
        """Try a password, and use it from now on.

        Args:
            password: of the user.
            store: store it in the system's keyring too.

        Raises:
            LibraryUnreachable: the server refuses it, or does not answer.
            StorageFull: the system has no keyring; the password is used until the program ends.
        """
        ...

    def status(self) -> SharedStatus:
        """Describe server and library."""
        ...

    def find_roots(self) -> list[str]:
        """Return the names of the roots that documents of the library are below."""
        ...

    def use_root(self, name: str, folder: str) -> int:
        """Store the paths of documents in a folder of this computer below a root; returns how many changed.

        Does nothing for somebody who may only read.
        """
        ...
