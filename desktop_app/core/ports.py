"""The ports of encoder, file reader, page source and child processes that the engine uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from desktop_app.core.models import NO_CHANGES

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.foreground_gate import ForegroundGate
    from desktop_app.core.jobs import Steps
    from desktop_app.core.models import ModelChanges, ModelEntry
    from desktop_app.core.ocr import OcrEngine
    from desktop_app.core.pages import Box, DarkPageColors, PageCharacters, PagedFile, PageImage, SentenceToLocate
    from desktop_app.core.reader_events import ReaderEvent
    from desktop_app.core.records import DeviceInfo, ModelInfo, TokenVectors

    Vectors = NDArray[np.float32]

T_co = TypeVar("T_co", covariant=True)


class Encoder(Protocol):
    """Texts to vectors. Used from one thread."""

    @property
    def model(self) -> ModelInfo:
        """Which model this is."""
        ...

    @property
    def device(self) -> DeviceInfo:
        """Where and how it computes."""
        ...

    def tune(self) -> Iterator[None]:
        """Find out what computes fastest on this machine and still faithfully; no steps when that is known.

        At most 2 s in all, in short steps; other methods may be called in between. `device` says what was found.
        """
        ...

    def encode(
        self, texts: Sequence[str], *, normalize: bool = True, kind: str = "document", exact: bool = False
    ) -> Vectors:
        """Embed `texts`.

        Args:
            texts: any strings; empty ones and lone surrogates are embedded too.
            normalize: rows of length 1; False gives the model's own output.
            kind: `query` or `document`: picks the model's prompt where it has one.
            exact: in full precision, whatever was found to be fast: for scores of which a person reads every digit.

        Returns:
            float32 [n, dim], one row for each text, in order.
        """
        ...

    def count_tokens(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Return how many tokens the model sees of each text, after its cut at the maximum length: int64 [n]."""
        ...

    def knows_words(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Return whether the model knows a word of each text: bool [n]. Those of which it knows none are all alike."""
        ...

    def count_truncated(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Return how many tokens of each text lie beyond the model's length, unseen: int64 [n]; nearly free."""
        ...

    def classify(self, u: NDArray[np.float32], v: NDArray[np.float32]) -> tuple[str, float] | None:
        """Return the class of two vectors float32 [dim] and its probability; None where the model has no head."""
        ...

    def token_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Return the words of each text as the model's last layer sees them; for few and short texts."""
        ...

    def set_threads(self, threads: int) -> None:
        """Compute on so many cores from the next batch on, also of a generator at work; 0 for those of `device`."""
        ...

    def set_foreground_gate(self, foreground_gate: ForegroundGate) -> None:
        """Let what is computed in the background stand still while somebody has the right of way."""
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
        """Embed `texts` a batch at a time, so that the caller can do other things in between, or close it.

        Yields:
            (indices into `texts` int64 [b], their vectors float32 [b, dim]); batches sorted by length, each of
            about `batch_tokens` tokens with padding; every index exactly once. An empty batch when there was none
            after `timeout_s`.
        """
        ...


class ReadingTask(Protocol):
    """One file being read in another process. Used from one thread; nothing here waits."""

    def poll(self) -> ReaderEvent | None:
        """Return the next event, or None when there is none yet.

        Raises:
            FileFailure: the file cannot be read; the reading is over.
        """
        ...

    def cancel(self) -> None:
        """Stop reading. Calling it again, or after the end, does nothing."""
        ...


class Reader(Protocol):
    """Files to sentences, in a process that can be killed. One reading at a time."""

    def start(
        self, path: Path, *, password: str | None = None, known_hash: str | None = None, ocr: str = ""
    ) -> ReadingTask:
        """Begin to read `path`; its events end with Unchanged when its SHA-256 is `known_hash`.

        With languages in `ocr`, joined by a plus, pages without text are read by OCR.
        """
        ...

    def close(self) -> None:
        """End the process."""
        ...


class PendingAnswer(Protocol[T_co]):
    """An answer on its way from another process. Used from one thread; nothing here waits."""

    @property
    def has_partial_answer(self) -> bool:
        """Whether a part of it is here already: the rest follows at once."""
        ...

    def poll(self) -> T_co | None:
        """Return the answer, or None while there is none.

        Raises:
            FileFailure: file or page cannot be shown.
        """
        ...

    def abandon(self) -> None:
        """Want the answer no more. After the end this does nothing."""
        ...


class PageSource(Protocol):
    """Pages of PDF files, from a process that can be killed. One request at a time, from one thread.

    `passwords` are tried one after the other on a file that is locked.
    """

    def look_at_file(self, path: str) -> PendingAnswer[bool]:
        """Ask whether a file is there."""
        ...

    def open_pages(self, path: str, passwords: Sequence[str]) -> PendingAnswer[PagedFile]:
        """Ask for the pages of a file: sizes and labels."""
        ...

    def render_page(
        self, path: str, passwords: Sequence[str], page: int, width_px: int, dark: DarkPageColors | None
    ) -> PendingAnswer[PageImage]:
        """Ask for a picture of a page, `width_px` wide (less where that would be too large)."""
        ...

    def page_boxes(
        self, path: str, passwords: Sequence[str], page: int, sentences: Sequence[SentenceToLocate]
    ) -> PendingAnswer[list[tuple[Box, ...]]]:
        """Ask where sentences stand on a page: for each its boxes there, one a line."""
        ...

    def page_characters(self, path: str, passwords: Sequence[str], page: int) -> PendingAnswer[PageCharacters]:
        """Ask for the characters of a page."""
        ...

    def find_ocr(self) -> PendingAnswer[tuple[OcrEngine | None]]:
        """Ask which Tesseract is installed; a tuple, for None would be no answer."""
        ...

    def close(self) -> None:
        """End the process."""
        ...


class PairScorer(Protocol):
    """Judges pairs of texts, each in a pass of its own: better than two vectors do, and dearer."""

    @property
    def name(self) -> str:
        """Of the model."""
        ...

    def score_batches(
        self, pairs: Sequence[tuple[str, str]]
    ) -> Generator[tuple[list[int], NDArray[np.float64]], None, None]:
        """Yield (places, float64 [n] from 0 to 1), in passes that are short: how much both texts belong together."""
        ...


class ProcessTask(Protocol):
    """Something long under way in another process. Used from one thread; nothing here waits."""

    @property
    def is_finished(self) -> bool:
        """Whether what `poll` returned last is the result."""
        ...

    def poll(self) -> object | None:
        """Return the next report, the result at last, or None when there is nothing new.

        Raises:
            AppError: the work cannot be done.
            Cancelled: it was stopped.
        """
        ...

    def cancel(self) -> None:
        """Ask the work to stop at its next step."""
        ...

    def close(self) -> None:
        """End the process. Calling it again does nothing."""
        ...


class ApproximateProducts(Protocol):
    """Products of the rows of a matrix with one another, near enough to tell which pairs are worth an exact one.

    They are given as keys, numbers of some type that have the order of the products.
    """

    @property
    def margin(self) -> float:
        """How far a product may be off."""
        ...

    @property
    def lowest(self) -> float:
        """A key below those of all products above 0."""
        ...

    def between(self, rows: NDArray[np.int64], left: int, right: int) -> NDArray[Any]:
        """Return the keys of the products of `rows` int64 [b] with the rows from `left` to `right`: [b, c]."""
        ...

    def limits(self, scores: Vectors) -> NDArray[Any]:
        """Return for float32 [n] the keys that no product which is truly as high lies below."""
        ...

    def scores(self, keys: NDArray[Any]) -> Vectors:
        """Return the products float32 [n] that keys [n] stand for."""
        ...


class ModelCatalogue(Protocol):
    """The models that a person has. Used from one thread."""

    def entries(self) -> list[ModelEntry]:
        """Return all of them, the bundled one first."""
        ...

    def find(self, name_or_folder: str) -> Path:
        """Return the folder of a model, by its name or as it is.

        Raises:
            ModelMissing: there is no such model, or it is not what it was.
        """
        ...

    def add(self, name_or_folder: str, changes: ModelChanges = NO_CHANGES) -> Steps[ModelEntry]:
        """Link a folder, or download a name; a model is tried before it is listed.

        With `changes` it is another model, beside the one that it is made of.

        Raises:
            AppError: it cannot be had or is of no use; nothing has changed.
        """
        ...

    def remove(self, name: str) -> ModelEntry:
        """Take a model off the list; what was downloaded is deleted.

        Raises:
            AppError: there is none of that name, or it is the bundled one.
        """
        ...
