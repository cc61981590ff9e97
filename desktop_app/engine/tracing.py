"""Two texts beside each other: what of a draft the library holds, and how two of its documents differ."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.alignment import aligned, moved
from desktop_app.analysis.paraphrases import is_unknown, kind_of
from desktop_app.core.badges import badges
from desktop_app.core.errors import UsageError
from desktop_app.core.jobs import WAITING, Progress
from desktop_app.core.reading import ArchiveRead, PageRead, ReadingDone, Sentences
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.core.tracing import Diff, DiffRow, Trace, TracedSentence
from desktop_app.core.verdicts import CLOSE, RELATED
from desktop_app.engine.embedding import embed_attentively
from desktop_app.engine.graphs import joined, matrix

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.library_ports import Library
    from desktop_app.core.ports import Encoder, Reader
    from desktop_app.core.reading import SentenceSpan
    from desktop_app.core.records import Hit
    from desktop_app.core.tracing import Support
    from desktop_app.engine.engine import Engine

_KNOWN_AT_ONCE = 256


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

        Args:
            file: of any kind that can be imported.
            password: of an encrypted one.
            sources: how many places are given for a sentence at most.
            scope: where to look.
        """

        def steps() -> Steps[Trace]:
            started = time.perf_counter()
            spans = yield from self._read(Path(file), password)
            texts = list(dict.fromkeys(span.text for span, _ in spans))
            found: dict[str, TracedSentence] = {}
            if texts:
                library, encoder = self._open_library(), self._library_encoder()
                known = yield from _known(encoder, texts)
                vectors = yield from embed_attentively(
                    encoder,
                    texts,
                    lambda: self._engine.someone_waits,
                    lambda done: Progress("embedding", done, len(texts), "sentences", sentences=done),
                )
                for at, text in enumerate(texts):
                    hits = _nearest(library, vectors[at], sources, scope) if known[at] else []
                    found[text] = _traced(text, hits)
                    yield Progress("comparing", at + 1, len(texts), "sentences")
            sentences = [
                TracedSentence(each.text, page, each.support, each.score, each.sources, each.badges)
                for each, page in ((found[span.text], page) for span, page in spans)
            ]
            return Trace(tuple(sentences), time.perf_counter() - started)

        return self._engine.submit("trace", steps, key="trace")

    def diff(self, a: int, b: int) -> Job[Diff]:
        """Align two documents of the library by meaning. The latest wins.

        Args:
            a: id of the earlier one.
            b: id of the later one.

        Raises:
            NotFound: one of them is not, or no longer, in the library.
        """

        def steps() -> Steps[Diff]:
            started = time.perf_counter()
            library = self._open_library()
            sides = []
            for document in (library.document(a), library.document(b)):
                sides.append((yield from self._side(library, document.document_id)))
            rows = yield from _rows(library, *sides)
            return Diff(tuple(rows), time.perf_counter() - started)

        return self._engine.submit("diff", steps, key="diff")

    def _read(self, file: Path, password: str | None) -> Steps[list[tuple[SentenceSpan, int | None]]]:
        """Return the sentences of a file's running text, each with its page."""
        reader = self._start_reader()
        try:
            reading = reader.start(file, password=password)
            spans: list[SentenceSpan] = []
            while True:
                event = reading.poll()
                if event is None:
                    yield WAITING
                elif isinstance(event, ReadingDone):
                    return [(span, span.places[0].page) for span in spans if span.kind == "body"]
                elif isinstance(event, ArchiveRead):
                    raise UsageError(f"{file.name} is an archive", "Unpack it, and name one of its files.")
                elif isinstance(event, Sentences):
                    spans += event.spans
                elif isinstance(event, PageRead):
                    yield Progress("reading", event.page, event.page_count, "pages")
        finally:
            reader.close()

    def _side(self, library: Library, document_id: int) -> Steps[_Side]:
        scope = Scope(document_ids=frozenset({document_id}))
        places = yield from joined(library.material.standing(scope), np.empty((0, 3), np.int64))
        ids, at = np.unique(places[:, 0], return_inverse=True)
        vectors = yield from matrix(library, ids)
        told = library.material.texts(ids.tolist())
        texts = [told.get(int(sentence), "") for sentence in ids]
        known = (yield from _known(self._library_encoder(), texts)) if texts else np.empty(0, np.bool_)
        for row in np.flatnonzero(~known):
            # What the model knows no word of it finds like everything else of that kind. It is like itself alone.
            vectors[row] = _own_direction(texts[row], vectors.shape[1])
        return _Side(places, vectors[at], [texts[each] for each in at])


class _Side:
    """A document: where its sentences stand, their vectors and texts."""

    def __init__(self, places: NDArray[np.int64], vectors: NDArray[np.float32], texts: list[str]) -> None:
        self.places = places
        self.vectors = vectors
        self.texts = texts


def _own_direction(text: str, dim: int) -> NDArray[np.float32]:
    """Return a unit vector float32 [dim] that follows from a text and is nearly at right angles to every other."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    vector = np.random.default_rng(seed).normal(size=dim).astype(np.float32)
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


def _known(encoder: Encoder, texts: Sequence[str]) -> Steps[NDArray[np.bool_]]:
    parts = [np.empty(0, np.bool_)]
    for start in range(0, len(texts), _KNOWN_AT_ONCE):
        parts.append(encoder.knows(texts[start : start + _KNOWN_AT_ONCE]))
        yield None
    return np.concatenate(parts)


def _nearest(library: Library, vector: NDArray[np.float32], count: int, scope: Scope) -> list[Hit]:
    return library.hits(library.nearest(vector, count, scope=scope), scope=scope)


def _traced(text: str, hits: list[Hit]) -> TracedSentence:
    if not hits:
        return TracedSentence(text, None, "unsupported", None)
    kinds = {hit.rank: kind_of(text, hit.text) for hit in hits}
    # The same words are the best source, whatever rounding has put before them.
    hits.sort(key=lambda hit: (kinds[hit.rank] != "exact", -hit.score))
    best = hits[0]
    support: Support
    if kinds[best.rank] == "exact":
        support = "verbatim"
    elif best.score >= CLOSE:
        support = "close"
    elif best.score >= RELATED:
        support = "related"
    else:
        return TracedSentence(text, None, "unsupported", best.score)
    sources = tuple(hit for hit in hits if hit.score >= RELATED)
    return TracedSentence(text, None, support, best.score, sources, badges(text, best.text))


def _rows(library: Library, a: _Side, b: _Side) -> Steps[list[DiffRow]]:
    """Return what became of each sentence, in the order of `b`; what was dropped stands where it stood in `a`."""
    in_order: list[tuple[int, int, float]] = []
    for found in aligned(a.vectors, b.vectors, CLOSE):
        if found is not None:
            in_order = found
        yield Progress("comparing")
    left = np.setdiff1d(np.arange(len(a.texts)), [row for row, _, _ in in_order])
    right = np.setdiff1d(np.arange(len(b.texts)), [row for _, row, _ in in_order])
    elsewhere: list[tuple[int, int, float]] = []
    for found in moved(a.vectors, b.vectors, left, right, CLOSE):
        elsewhere += found or []
        yield Progress("comparing")
    partners = {row: (partner, score) for partner, row, score in (*in_order, *elsewhere)}
    anchors = {row for _, row, _ in in_order}
    gone = sorted(set(range(len(a.texts))) - {partner for partner, _ in partners.values()})
    order: list[tuple[int | None, int | None, float | None, bool]] = []
    dropped = iter([*gone, len(a.texts)])
    next_gone = next(dropped)
    for row in range(len(b.texts)):
        partner, score = partners.get(row, (None, None))
        if row in anchors and partner is not None:
            while next_gone < partner:
                order.append((next_gone, None, None, False))
                next_gone = next(dropped)
        order.append((partner, row, score, row in anchors))
    while next_gone < len(a.texts):
        order.append((next_gone, None, None, False))
        next_gone = next(dropped)
    rows: list[DiffRow] = []
    for start in range(0, len(order), _KNOWN_AT_ONCE):
        rows += _told(library, a, b, order[start : start + _KNOWN_AT_ONCE])
        yield None
    return rows


def _told(
    library: Library, a: _Side, b: _Side, order: Sequence[tuple[int | None, int | None, float | None, bool]]
) -> list[DiffRow]:
    def hits(side: _Side, rows: list[int | None]) -> dict[int, Hit]:
        asked = [row for row in rows if row is not None]
        places = [(int(side.places[row, 1]), int(side.places[row, 2]), 1.0) for row in asked]
        found = zip(asked, library.material.hits_at(places), strict=True)
        return {row: hit for row, hit in found if hit is not None}

    hits_a, hits_b = hits(a, [each[0] for each in order]), hits(b, [each[1] for each in order])
    rows = []
    for in_a, in_b, score, is_anchor in order:
        one = hits_a.get(in_a) if in_a is not None else None
        other = hits_b.get(in_b) if in_b is not None else None
        if one is not None and other is not None:
            kind = kind_of(one.text, other.text)
            differ = badges(one.text, other.text)
            if is_anchor and score is not None and not is_unknown(kind, score):
                rows.append(DiffRow("kept" if kind == "exact" else "reworded", score, one, other, differ))
            else:
                rows.append(DiffRow("moved", score, one, other, differ))
        elif one is not None:
            rows.append(DiffRow("dropped", None, one, None))
        elif other is not None:
            rows.append(DiffRow("new", None, None, other))
    return rows
