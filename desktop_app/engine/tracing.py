"""Two texts beside each other: what of a draft the library holds, and how two of its documents differ."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.errors import UsageError, VectorNotFinite
from desktop_app.core.jobs import WAITING, Progress
from desktop_app.core.reading import ArchiveRead, DocumentHead, PageRead, ReadingDone, Sentences
from desktop_app.core.records import Hit
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.core.tracing import Diff, Trace
from desktop_app.core.tracing_files import ENGLISH, TracingWords, writing_diff, writing_trace
from desktop_app.engine.aligning import Side, aligned_rows
from desktop_app.engine.drafts import is_sentence, known_texts, traced
from desktop_app.engine.embedding import WORTH_TUNING, embed_attentively, tune
from desktop_app.engine.graphs import joined, matrix, of_one_model

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.library_ports import Library
    from desktop_app.core.ports import Encoder, Reader
    from desktop_app.core.reading import SentenceSpan
    from desktop_app.core.tracing import DiffRow
    from desktop_app.engine.engine import Engine


@dataclass(frozen=True, slots=True)
class _File:
    """What was read of a file that is in no library."""

    path: Path
    head: DocumentHead | None
    spans: tuple[SentenceSpan, ...]


class Tracing:
    """What can be asked of a draft, or of two documents. Every method returns a job of the background lane.

    Args:
        engine: runs the jobs.
        open_library: returns the library; called on the engine's thread.
        library_encoder: returns the encoder of its vectors.
        start_reader: makes a reader of the draft's own: an import may be under way.
    """

    def __init__(
        self,
        engine: Engine,
        open_library: Callable[[], Library],
        library_encoder: Callable[[], Encoder],
        start_reader: Callable[[], Reader],
    ) -> None:
        self._engine = engine
        self._open_library = open_library
        self._library_encoder = library_encoder
        self._start_reader = start_reader

    def trace(
        self, file: str, *, password: str | None = None, sources: int = 3, scope: Scope = EVERYTHING
    ) -> Job[Trace]:
        """Look for the sentences of a file in the library; nothing of the file enters it. The latest wins.

        A document of the library that is this file, by its path or its content, is no source of it.

        Its reports are `TraceProgress`: the first sentences are told while the others are looked for.

        Args:
            file: of any kind that can be imported.
            password: of an encrypted one.
            sources: how many places are given for a sentence at most.
            scope: where to look.
        """

        def read() -> Steps[_File]:
            return (yield from self._read(Path(file), password))

        return self._trace(read, sources, scope, file)

    def trace_text(self, text: str, *, sources: int = 3, scope: Scope = EVERYTHING) -> Job[Trace]:
        """Look for the sentences of a text in the library; nothing of it enters it. The latest wins.

        Like every file it is read in a process of its own, from a file that is gone when it has been read.

        Args:
            text: what was pasted or dropped; lone surrogates are read as U+FFFD.
            sources: how many places are given for a sentence at most.
            scope: where to look.
        """

        def read() -> Steps[_File]:
            with _as_file(text) as file:
                if not text.strip():
                    return _File(file, None, ())
                return (yield from self._read(file, None))

        return self._trace(read, sources, scope)

    def _trace(self, read: Callable[[], Steps[_File]], sources: int, scope: Scope, path: str = "") -> Job[Trace]:
        def steps() -> Steps[Trace]:
            started = time.perf_counter()
            file = yield from read()
            spans = [span for span in file.spans if is_sentence(span)]
            skipped = len(file.spans) - len(spans)
            if not spans:
                return Trace((), time.perf_counter() - started, skipped=skipped)
            library, waits = self._open_library(), lambda: self._engine.someone_waits
            content = file.head.content_hash if file.head is not None else ""
            own = library.material.copies(os.path.abspath(path), content) if path else {}
            yield None

            def begin() -> Steps[Trace]:
                encoder = self._library_encoder()
                return traced(library, encoder, spans, sources, scope, waits, started, skipped=skipped, own=own)

            try:
                return (yield from of_one_model(library, begin))
            except VectorNotFinite as error:
                raise _placed(error, spans, file) from error

        return self._engine.submit("trace", steps, key="trace")

    def diff(self, a: int | str, b: int | str, *, password: str | None = None) -> Job[Diff]:
        """Align two documents by meaning; nothing of a file enters the library. The latest wins.

        Args:
            a: the earlier one: id of a document of the library, or path of a file.
            b: the later one, likewise.
            password: of encrypted files.

        Raises:
            NotFound: one of them is not, or no longer, in the library.
            FileFailure: a file cannot be read.
        """

        def steps() -> Steps[Diff]:
            started = time.perf_counter()
            library = self._open_library()
            found: list[int | _File] = []
            for each in (a, b):
                if isinstance(each, int):
                    found.append(library.document(each).document_id)  # before anything is read: it may have gone
            for at, each in enumerate((a, b)):
                if not isinstance(each, int):
                    found.insert(at, (yield from self._read(Path(each), password)))

            def align() -> Steps[list[DiffRow]]:
                sides = []
                for each in found:
                    side = self._stored(library, each) if isinstance(each, int) else self._unstored(each)
                    sides.append((yield from side))
                return (yield from aligned_rows(*sides))

            rows = yield from of_one_model(library, align)
            return Diff(tuple(rows), time.perf_counter() - started)

        return self._engine.submit("diff", steps, key="diff")

    def export(self, found: Trace | Diff, file: str, words: TracingWords = ENGLISH) -> Job[int]:
        """Write a traced draft or aligned documents to a file, in the form of its ending; returns how many rows.

        `words` are asked on the engine's thread.

        Raises (the job):
            UsageError: the ending is none of ours.
            StorageFull: the file cannot be written.
        """

        def steps() -> Steps[int]:
            is_trace = isinstance(found, Trace)
            total = len(found.sentences) if isinstance(found, Trace) else len(found.rows)
            with contextlib.closing(_writing(file, found, words)) as pieces:
                for done in pieces:
                    yield Progress("exporting", done, total, "sentences" if is_trace else "rows")
            return total

        return self._engine.submit("export trace", steps)

    def _read(self, file: Path, password: str | None) -> Steps[_File]:
        """Return the sentences of a file."""
        reader = self._start_reader()
        try:
            reading = reader.start(file, password=password)
            head: DocumentHead | None = None
            spans: list[SentenceSpan] = []
            while True:
                event = reading.poll()
                if event is None:
                    yield WAITING
                elif isinstance(event, ReadingDone):
                    return _File(file, head, tuple(spans))
                elif isinstance(event, ArchiveRead):
                    raise UsageError(f"{file.name} is an archive", "Unpack it, and name one of its files.")
                elif isinstance(event, DocumentHead):
                    head = event
                elif isinstance(event, Sentences):
                    spans += event.spans
                    yield None
                elif isinstance(event, PageRead):
                    yield Progress("reading", event.page, event.page_count, "pages")
        finally:
            reader.close()

    def _embed(self, encoder: Encoder, texts: Sequence[str]) -> Steps[NDArray[np.float32]]:
        if len(texts) >= WORTH_TUNING:
            yield from tune(encoder)
        return (
            yield from embed_attentively(
                encoder,
                texts,
                lambda: self._engine.someone_waits,
                lambda done: Progress("embedding", done, len(texts), "sentences", sentences=done),
            )
        )

    def _stored(self, library: Library, document_id: int) -> Steps[Side]:
        """Return a document of the library."""
        scope = Scope(document_ids=frozenset({document_id}))
        places = yield from joined(library.material.standing(scope), np.empty((0, 3), np.int64))
        ids, at = np.unique(places[:, 0], return_inverse=True)
        vectors = yield from matrix(library, ids)
        told = library.material.texts(ids.tolist())
        texts = [told.get(int(sentence), "") for sentence in ids]
        yield from self._tell_unknown_apart(texts, vectors)

        def hits(rows: Sequence[int]) -> list[Hit | None]:
            return library.material.hits_at([(int(places[row, 1]), int(places[row, 2]), 1.0) for row in rows])

        return Side(vectors[at], [texts[each] for each in at], hits)

    def _unstored(self, file: _File) -> Steps[Side]:
        """Return a file that is in no library."""
        texts = list(dict.fromkeys(span.text for span in file.spans))
        encoder = self._library_encoder()
        vectors = np.zeros((0, encoder.model.dim), np.float32)
        if texts:
            try:
                vectors = yield from self._embed(encoder, texts)
            except VectorNotFinite as error:
                raise _placed(error, file.spans, file) from error
        yield from self._tell_unknown_apart(texts, vectors)
        place = {text: at for at, text in enumerate(texts)}
        at = np.array([place[span.text] for span in file.spans], np.int64)
        return Side(vectors[at], [span.text for span in file.spans], lambda rows: [_hit(file, row) for row in rows])

    def _tell_unknown_apart(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> Steps[None]:
        """Give texts of which the model knows no word, or whose vector is damaged, vectors of their own.

        What the model knows no word of it finds like everything else of that kind. It is like itself alone.
        """
        if texts:
            known = yield from known_texts(self._library_encoder(), texts)
            for row in np.flatnonzero(~known | ~vectors.any(axis=1)).tolist():
                vectors[row] = _own_direction(texts[row], vectors.shape[1])


@contextlib.contextmanager
def _as_file(text: str) -> Iterator[Path]:
    """Yield a file with a text, which nobody else may read; it goes with the block."""
    with tempfile.TemporaryDirectory(prefix="kindred-") as folder:
        file = Path(folder) / "draft.txt"
        file.write_bytes(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode())
        yield file


def _writing(file: str, found: Trace | Diff, words: TracingWords) -> Generator[int, None, None]:
    return writing_trace(file, found, words) if isinstance(found, Trace) else writing_diff(file, found, words)


def _placed(error: VectorNotFinite, spans: Sequence[SentenceSpan], file: _File) -> VectorNotFinite:
    """Return an error with the place of its sentence in the file."""
    number = next((at for at, span in enumerate(spans, start=1) if span.text == error.sentence), 0)
    return error.in_sentence(number, file.path.name) if number else error


def _hit(file: _File, row: int) -> Hit:
    """Return a sentence of a file as the place that it is."""
    span, head = file.spans[row], file.head
    page = span.places[0].page
    labels = head.page_labels if head is not None else ()
    return Hit(
        rank=row + 1,
        score=1.0,
        sentence_id=0,
        text=span.text,
        before="",
        after="",
        document_id=0,
        title=(head.title if head is not None else "") or file.path.name,
        path=str(file.path),
        type=head.type if head is not None else "text",
        ordinal=row,
        kind=span.kind,
        places=span.places,
        page_label=labels[page - 1] if page is not None and page <= len(labels) else None,
    )


def _own_direction(text: str, dim: int) -> NDArray[np.float32]:
    """Return a unit vector float32 [dim] that follows from a text and is nearly at right angles to every other."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    vector = np.random.default_rng(seed).normal(size=dim).astype(np.float32)
    return np.asarray(vector / np.linalg.norm(vector), np.float32)
