"""Traces the sentences of a draft in the library, and compares two documents."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.duplicates import classify_word_overlap
from desktop_app.core.duplicates import CLOSE, RELATED
from desktop_app.core.errors import FileFailure, UsageError, VectorNotFinite
from desktop_app.core.jobs import WAITING, Progress
from desktop_app.core.reader_events import ArchiveRead, DocumentHead, PageRead, ReadingDone, SentencesRead
from desktop_app.core.records import Hit, ScoredSentence
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.core.sentence_differences import find_badges
from desktop_app.core.trace import Diff, GrowingTrace, SkippedLine, Trace, TracedSentence, TraceProgress
from desktop_app.core.trace_files import write_diff_in_steps, write_trace_in_steps
from desktop_app.core.trace_texts import ENGLISH_TEXTS, TraceTexts
from desktop_app.engine.child_task import write_temporary_file
from desktop_app.engine.document_diff import DiffSide, align_documents
from desktop_app.engine.embedding import MIN_TEXTS_TO_TUNE, embed_distinct, find_known_texts, tune_encoder
from desktop_app.engine.neighbour_graph import join_pieces, read_vectors, restart_on_model_change
from desktop_app.engine.unknown_languages import find_unknown_languages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.library import Library
    from desktop_app.core.ports import Encoder
    from desktop_app.core.reader_events import SentenceSpan
    from desktop_app.core.trace import SupportKind
    from desktop_app.core.trace_files import Pieces
    from desktop_app.engine.context import EngineContext

    Own = Mapping[int, str]

_REPORTED_PER_STEP = 2000
_SEARCHES_PER_STEP, _SEARCHES_PER_IDLE_STEP = 4, 16  # sentences of a draft: while a person is typing, and otherwise
_EXTRA_FOR_OWN = 8  # further sources to find where some may be the draft's own
_FIRST_PART, _LARGEST_PART = 32, 1024  # sentences that are embedded before any of them is reported, at first and later


@dataclass(frozen=True, slots=True)
class _ExternalFile:
    """The sentences of a file that is in no library."""

    path: Path
    head: DocumentHead | None
    spans: tuple[SentenceSpan, ...]


class TraceService:
    """Traces drafts and compares documents. Every method returns a job of the background lane.

    Args:
        context: the library, encoder and reader that the jobs use.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def trace_file(
        self, file: str, *, password: str | None = None, sources: int = 3, scope: Scope = EVERYTHING
    ) -> Job[Trace]:
        """Look for the sentences of a file in the library; nothing of the file enters it. The latest wins.

        A document of the library that is this file, by its path or its content, is no source of it.

        Progress reports are `TraceProgress`: the first sentences are reported while the others are looked for.

        Args:
            file: of any type that can be imported.
            password: of an encrypted file.
            sources: the maximum number of occurrences for a sentence.
            scope: where to look; only sentences are sources, and only those of the draft are looked for, unless it
                includes all passages.
        """

        def read() -> Steps[_ExternalFile]:
            return (yield from self._read(Path(file), password))

        return self._trace(read, sources, scope, file)

    def trace_text(
        self, text: str, *, sources: int = 3, scope: Scope = EVERYTHING, key: str | None = "trace"
    ) -> Job[Trace]:
        """Look for the sentences of a text in the library; nothing of it enters it. With a key, the latest wins.

        Like every file it is read in a process of its own, from a file that is deleted afterwards.

        Args:
            text: pasted or dropped; lone surrogates are read as U+FFFD.
            sources: the maximum number of occurrences for a sentence.
            scope: where to look, as for `trace_file`.
            key: of the window's draft; None for one that leaves that alone.
        """

        def read() -> Steps[_ExternalFile]:
            with _temporary_draft_file(text) as file:
                if not text.strip():
                    return _ExternalFile(file, None, ())
                return (yield from self._read(file, None))

        return self._trace(read, sources, scope, key=key)

    def _trace(
        self,
        read: Callable[[], Steps[_ExternalFile]],
        sources: int,
        scope: Scope,
        path: str = "",
        *,
        key: str | None = "trace",
    ) -> Job[Trace]:
        def steps() -> Steps[Trace]:
            started = time.perf_counter()
            file = yield from read()
            spans, skipped = _separate_sentences(file.spans, all_passages=scope.all_passages)
            if not spans:
                about = _describe_draft(skipped)
                return replace(about, seconds=time.perf_counter() - started)
            library, is_user_active = self._context.open_library(), self._context.engine.is_user_active
            content = file.head.content_hash if file.head is not None else ""
            own = library.analysis_reader.find_copies(os.path.abspath(path), content) if path else {}
            yield None

            def begin() -> Steps[Trace]:
                encoder = self._context.library_encoder()
                texts = [span.text for span in spans]
                unknown_languages = yield from find_unknown_languages(texts, encoder, library.keyword_search)
                return (
                    yield from trace_sentences(
                        library,
                        encoder,
                        spans,
                        sources,
                        scope.of_sentences,
                        is_user_active,
                        started,
                        about=replace(_describe_draft(skipped, own), unknown_languages=unknown_languages),
                        own=own,
                    )
                )

            try:
                return (yield from restart_on_model_change(library, begin))
            except VectorNotFinite as error:
                raise _locate_error(error, spans, file) from error

        return self._context.engine.submit("trace", steps, key=key)

    def diff(self, a: int | str, b: int | str, *, password: str | None = None, asker: str = "") -> Job[Diff]:
        """Align two documents by meaning; nothing of a file enters the library. The latest request of an asker wins.

        Args:
            a: the earlier one: id of a document of the library, or path of a file.
            b: the later one, likewise.
            password: of encrypted files.
            asker: of several windows that compare documents at the same time, which one asks.

        Raises (the job):
            NotFound: one of them is not, or no longer, in the library.
            FileFailure: a file cannot be read.
        """

        def steps() -> Steps[Diff]:
            started = time.perf_counter()
            library = self._context.open_library_for_vectors()
            found: list[int | _ExternalFile] = []
            for each in (a, b):
                if isinstance(each, int):
                    found.append(library.documents.get(each).document_id)  # before any file is read: it may have gone
            for at, each in enumerate((a, b)):
                if not isinstance(each, int):
                    found.insert(at, (yield from self._read(Path(each), password)))

            def align() -> Steps[Diff]:
                sides: list[DiffSide] = []
                for each in found:
                    side = self._stored(library, each) if isinstance(each, int) else self._read_file_side(each)
                    sides.append((yield from side))
                rows = yield from align_documents(*sides)
                languages: list[str] = []
                encoder, words = self._context.library_encoder(), library.keyword_search
                for one in sides:  # each alone: the few sentences of one language must not drown in those of the other
                    languages += yield from find_unknown_languages(one.texts, encoder, words)
                seconds = time.perf_counter() - started
                return Diff(tuple(rows), seconds, tuple(dict.fromkeys(languages)))

            return (yield from restart_on_model_change(library, align))

        return self._context.engine.submit("diff", steps, key=f"diff {asker}")

    def export(self, found: Trace | Diff, file: str, words: TraceTexts = ENGLISH_TEXTS) -> Job[int]:
        """Write a traced draft or aligned documents to a file, in the format of its ending; returns how many rows.

        `words` is called on the engine's thread.

        Raises (the job):
            UsageError: no format has this ending.
            StorageFull: the file cannot be written.
        """

        def steps() -> Steps[int]:
            is_trace = isinstance(found, Trace)
            total = len(found.sentences) if isinstance(found, Trace) else len(found.rows)
            references = self._context.open_library().documents.references(_list_sources(found))
            with contextlib.closing(_write_pieces(file, found, replace(words, references=references))) as pieces:
                for done in pieces:
                    unit = "sentences" if is_trace else "rows"
                    yield Progress("exporting", done, total, unit) if isinstance(done, int) else done
            return total

        return self._context.engine.submit("export trace", steps)

    def _read(self, file: Path, password: str | None) -> Steps[_ExternalFile]:
        """Return the sentences of a file."""
        reader = self._context.setup.start_reader()
        try:
            reading = reader.start(file, password=password)
            head: DocumentHead | None = None
            spans: list[SentenceSpan] = []
            while True:
                try:
                    event = reading.poll()
                except FileFailure as error:  # of two files, a person must know which
                    raise error.in_file(str(file)) from error
                if event is None:
                    yield WAITING
                elif isinstance(event, ReadingDone):
                    return _ExternalFile(file, head, tuple(spans))
                elif isinstance(event, ArchiveRead):
                    raise UsageError("{name} is an archive", "Unpack it, and use one of its files.", name=file.name)
                elif isinstance(event, DocumentHead):
                    head = event
                elif isinstance(event, SentencesRead):
                    spans += event.spans
                    yield None
                elif isinstance(event, PageRead):
                    yield Progress("reading", event.page, event.page_count, "pages")
        finally:
            reader.close()

    def _embed(self, encoder: Encoder, texts: Sequence[str]) -> Steps[NDArray[np.float32]]:
        if len(texts) >= MIN_TEXTS_TO_TUNE:
            yield from tune_encoder(encoder)
        return (
            yield from embed_distinct(
                encoder,
                texts,
                self._context.engine.is_user_active,
                lambda done: Progress("embedding", done, len(texts), "sentences", sentences=done),
            )
        )

    def _stored(self, library: Library, document_id: int) -> Steps[DiffSide]:
        """Return a document of the library as a side of the comparison."""
        scope = Scope(document_ids=frozenset({document_id}))
        places = yield from join_pieces(library.analysis_reader.occurrences_in_order(scope), np.empty((0, 3), np.int64))
        ids, at = np.unique(places[:, 0], return_inverse=True)
        vectors = yield from read_vectors(library, ids)
        stored = library.analysis_reader.texts(ids.tolist())
        texts = [stored.get(int(sentence), "") for sentence in ids]
        yield from self._separate_unknown_texts(texts, vectors)

        def hits(rows: Sequence[int]) -> list[Hit | None]:
            return library.search.hits_at([(int(places[row, 1]), int(places[row, 2]), 1.0) for row in rows])

        return DiffSide(vectors[at], [texts[each] for each in at], hits)

    def _read_file_side(self, file: _ExternalFile) -> Steps[DiffSide]:
        """Return a file that is in no library as a side of the comparison."""
        texts = list(dict.fromkeys(span.text for span in file.spans))
        encoder = self._context.library_encoder()
        vectors = np.zeros((0, encoder.model.dim), np.float32)
        if texts:
            try:
                vectors = yield from self._embed(encoder, texts)
            except VectorNotFinite as error:
                raise _locate_error(error, file.spans, file) from error
        yield from self._separate_unknown_texts(texts, vectors)
        place = {text: at for at, text in enumerate(texts)}
        at = np.array([place[span.text] for span in file.spans], np.int64)
        return DiffSide(
            vectors[at], [span.text for span in file.spans], lambda rows: [_make_hit(file, row) for row in rows]
        )

    def _separate_unknown_texts(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> Steps[None]:
        """Give texts without known words, or with a damaged vector, vectors of their own.

        The model finds all texts without known words similar to each other. With its own vector, each is similar only
        to itself.
        """
        if texts:
            known = yield from find_known_texts(self._context.library_encoder(), texts)
            for row in np.flatnonzero(~known | ~vectors.any(axis=1)).tolist():
                vectors[row] = _hash_to_vector(texts[row], vectors.shape[1])


@contextlib.contextmanager
def _temporary_draft_file(text: str) -> Iterator[Path]:
    """Yield a temporary file with a text, which no other user may read; it is deleted afterwards."""
    content = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
    with write_temporary_file("draft.txt", lambda file: file.write_bytes(content)) as file:
        yield file


def _list_sources(found: Trace | Diff) -> list[int]:
    """Return the ids of the documents that a result cites."""
    if isinstance(found, Diff):
        return sorted({hit.document_id for row in found.rows for hit in (row.a, row.b) if hit is not None})
    return sorted({hit.document_id for sentence in found.sentences for hit in sentence.sources})


def _write_pieces(file: str, found: Trace | Diff, words: TraceTexts) -> Pieces:
    return (
        write_trace_in_steps(file, found, words)
        if isinstance(found, Trace)
        else write_diff_in_steps(file, found, words)
    )


def _locate_error(error: VectorNotFinite, spans: Sequence[SentenceSpan], file: _ExternalFile) -> VectorNotFinite:
    """Return an error with the place of its sentence in the file."""
    number = next((at for at, span in enumerate(spans, start=1) if span.text == error.sentence), 0)
    return error.in_sentence(number, file.path.name) if number else error


def _make_hit(file: _ExternalFile, row: int) -> Hit:
    """Return a sentence of a file as a hit."""
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


def _hash_to_vector(text: str, dim: int) -> NDArray[np.float32]:
    """Return a unit vector float32 [dim] that depends on the text and is nearly orthogonal to every other."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    vector = np.random.default_rng(seed).normal(size=dim).astype(np.float32)
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


def trace_sentences(
    library: Library,
    encoder: Encoder,
    spans: Sequence[SentenceSpan],
    sources: int,
    scope: Scope,
    is_user_active: Callable[[], bool],
    began: float,
    *,
    about: Trace | None = None,
    own: Own | None = None,
) -> Steps[Trace]:
    """Look for the sentences of a draft, part by part: the first are reported before the others are embedded.

    Args:
        library: where to look.
        encoder: of its vectors.
        spans: the sentences, in reading order.
        sources: the maximum number of occurrences for a sentence.
        scope: where to look.
        is_user_active: whether a person may be typing: then steps are kept short.
        began: when the trace was requested, by `time.perf_counter`.
        about: what else is known of the draft.
        own: documents of the library that are the draft itself, with their names: they are no sources of it.
    """
    own = own or {}
    growing = GrowingTrace(len(spans), began, about)
    texts = list(dict.fromkeys(span.text for span in spans))
    found: dict[str, TracedSentence] = {}

    def report(start: int, half_done: int) -> TraceProgress:
        # Each sentence is embedded, then looked for.
        return TraceProgress("comparing", start + half_done // 2, len(texts), "sentences", growing=growing)

    for start, stop in _split_into_parts(len(texts)):
        part = texts[start:stop]
        if start == _FIRST_PART and len(texts) >= MIN_TEXTS_TO_TUNE:
            yield from tune_encoder(encoder)
        known = yield from find_known_texts(encoder, part)
        vectors = yield from embed_distinct(encoder, part, is_user_active, partial(report, start))
        at = 0
        while at < len(part):
            rows = np.arange(
                at, min(at + (_SEARCHES_PER_STEP if is_user_active() else _SEARCHES_PER_IDLE_STEP), len(part))
            )
            asked = [part[row] for row in rows.tolist()]
            queries = [vectors[row] if known[row] else None for row in rows.tolist()]
            hits = _find_sources(library, asked, queries, sources, scope, own)
            found |= {text: _make_traced_sentence(text, each) for text, each in zip(asked, hits, strict=True)}
            at += len(rows)
            yield report(start, len(part) + at)
            while some := _next_found(spans, len(growing), found):
                growing.append(some)
                yield report(start, len(part) + at)
    return growing.so_far()


def _separate_sentences(
    spans: Sequence[SentenceSpan], *, all_passages: bool
) -> tuple[list[SentenceSpan], list[SkippedLine]]:
    """Return what is traced of a draft, and what is not."""
    sentences: list[SentenceSpan] = []
    skipped: list[SkippedLine] = []
    for span in spans:
        if span.is_sentence or all_passages:
            sentences.append(span)
        else:
            skipped.append(SkippedLine(span.text, span.kind, span.paragraph, len(sentences)))
    return sentences, skipped


def _describe_draft(skipped: Sequence[SkippedLine], own: Own | None = None) -> Trace:
    """Return what is known of a draft before any of its sentences is traced."""
    return Trace((), 0.0, skipped=len(skipped), own=tuple((own or {}).values()), skipped_lines=tuple(skipped))


def _split_into_parts(count: int) -> Iterator[tuple[int, int]]:
    """Yield (start, stop): few sentences at first, so that results appear soon; then more, which is faster."""
    start, many = 0, _FIRST_PART
    while start < count:
        stop = min(start + many, count)
        yield start, stop
        start, many = stop, min(2 * many, _LARGEST_PART)


def _next_found(
    spans: Sequence[SentenceSpan], reported: int, found: Mapping[str, TracedSentence]
) -> list[TracedSentence]:
    """Return the sentences after the reported ones, as far as they are found, some at a time."""
    ready: list[TracedSentence] = []
    for span in spans[reported : reported + _REPORTED_PER_STEP]:
        sentence = found.get(span.text)
        if sentence is None:
            break
        ready.append(replace(sentence, page=span.places[0].page, paragraph=span.paragraph, kind=span.kind))
    return ready


def _find_sources(
    library: Library,
    texts: Sequence[str],
    queries: Sequence[NDArray[np.float32] | None],
    count: int,
    scope: Scope,
    own: Own,
) -> list[list[Hit]]:
    """Return the sources of each text: the identical sentence first, then the nearest ones.

    Their rows are read together: a query of the database costs more than the rows that it finds.

    Args:
        library: where to look.
        texts: distinct.
        queries: their vectors float32 [dim]; None for a text without known words.
        count: the maximum number of sources of each.
        scope: where to look.
        own: documents that are no sources.
    """
    stored = library.analysis_reader.ids(texts)
    # Excluding these documents, the index must be asked sentence by sentence; a few more hits are faster.
    narrowed = replace(scope, not_document_ids=frozenset(own)) if own else scope
    more = _EXTRA_FOR_OWN if own else 0
    found = []
    for text, query in zip(texts, queries, strict=True):
        near = library.search.nearest(query, count + more, scope=scope) if query is not None else []
        if text in stored and all(each.sentence_id != stored[text] for each in near):
            near.append(ScoredSentence(stored[text], 1.0))
        found.append(near)
    rows = _read_rows(library, found, narrowed)
    repeated: list[list[ScoredSentence]] = []
    if own:
        for at, query in enumerate(queries):
            left = sum(near.sentence_id in rows for near in found[at])
            if query is not None and left < count and len(found[at]) >= count + more:
                repeated.append(library.search.nearest(query, count, scope=narrowed))
                found_ids = {near.sentence_id for near in repeated[-1]}
                extra = [near for near in found[at][count + more :] if near.sentence_id not in found_ids]
                found[at] = [*repeated[-1], *extra]
    if repeated:
        rows |= _read_rows(library, repeated, narrowed)
    sources = []
    for text, near in zip(texts, found, strict=True):
        best = sorted(
            (each for each in near if each.sentence_id in rows), key=lambda each: each.sentence_id != stored.get(text)
        )
        hits = [replace(rows[each.sentence_id], score=each.score) for each in best[:count]]
        sources.append([replace(hit, rank=rank) for rank, hit in enumerate(hits, start=1)])
    return sources


def _read_rows(library: Library, found: Sequence[Sequence[ScoredSentence]], scope: Scope) -> dict[int, Hit]:
    distinct = {near.sentence_id: near for each in found for near in each}
    return {hit.sentence_id: hit for hit in library.search.hits(list(distinct.values()), scope=scope)}


def _make_traced_sentence(text: str, hits: list[Hit]) -> TracedSentence:
    if not hits:
        return TracedSentence(text, None, "unsupported", None)
    kinds = {hit.rank: classify_word_overlap(text, hit.text) for hit in hits}
    hits = [replace(hit, badges=find_badges(text, hit.text)) if hit.score >= CLOSE else hit for hit in hits]
    supporting = {hit.rank for hit in hits if hit.score >= CLOSE and not hit.badges}
    # The same words are the best source, even if rounding puts others first. A source with another number or date may
    # be nearer than one that says the same.
    hits.sort(key=lambda hit: (kinds[hit.rank] != "exact", hit.rank not in supporting, -hit.score))
    best = hits[0]
    support: SupportKind
    if kinds[best.rank] == "exact":
        support = "verbatim"
    elif best.score >= CLOSE:
        support = "paraphrased"
    elif best.score >= RELATED:
        support = "related"
    else:
        return TracedSentence(text, None, "unsupported", best.score)
    sources = tuple(hit for hit in hits if hit.score >= RELATED)
    return TracedSentence(text, None, support, best.score, sources, find_badges(text, best.text))
