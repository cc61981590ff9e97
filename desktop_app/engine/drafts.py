"""The sentences of a draft: what the library says of each, from the first one on."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.paraphrases import kind_of
from desktop_app.core.badges import badges
from desktop_app.core.tracing import GrowingTrace, Trace, TracedSentence, TraceProgress
from desktop_app.core.verdicts import CLOSE, RELATED
from desktop_app.engine.embedding import WORTH_TUNING, embed_attentively, tune

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.jobs import Steps
    from desktop_app.core.library_ports import Library
    from desktop_app.core.ports import Encoder
    from desktop_app.core.reading import SentenceSpan
    from desktop_app.core.records import Hit
    from desktop_app.core.scope import Scope
    from desktop_app.core.tracing import Support

_KNOWN_AT_ONCE = 256
_TOLD_AT_ONCE = 2000
_ASKED_AT_ONCE, _ASKED_WHILE_RESTING = 4, 16  # sentences of a draft: while somebody may be typing, and else
_FIRST, _MOST = 32, 1024  # sentences that are embedded before any of them is told, at first and later


def traced(
    library: Library,
    encoder: Encoder,
    spans: Sequence[SentenceSpan],
    sources: int,
    scope: Scope,
    someone_waits: Callable[[], bool],
    began: float,
) -> Steps[Trace]:
    """Look for the sentences of a draft, part by part: the first are told while the others are not yet embedded.

    Args:
        library: where they are looked for.
        encoder: of its vectors.
        spans: the sentences, in reading order.
        sources: how many places are given for a sentence at most.
        scope: where to look.
        someone_waits: whether somebody may be typing: then steps are kept short.
        began: when that was asked for, by `time.perf_counter`.
    """
    growing = GrowingTrace(len(spans), began)
    texts = list(dict.fromkeys(span.text for span in spans))
    found: dict[str, TracedSentence] = {}

    def report(start: int, half_done: int) -> TraceProgress:
        # A sentence is embedded, then looked for.
        return TraceProgress("comparing", start + half_done // 2, len(texts), "sentences", growing=growing)

    for start, stop in _parts(len(texts)):
        part = texts[start:stop]
        if start == _FIRST and len(texts) >= WORTH_TUNING:
            yield from tune(encoder)
        known = yield from known_texts(encoder, part)
        vectors = yield from embed_attentively(encoder, part, someone_waits, partial(report, start))
        at = 0
        while at < len(part):
            rows = np.arange(at, min(at + (_ASKED_AT_ONCE if someone_waits() else _ASKED_WHILE_RESTING), len(part)))
            asked = rows[known[rows]].tolist()
            hits = dict(zip(asked, _nearest(library, vectors[asked], sources, scope), strict=True))
            found |= {part[row]: _told(part[row], hits.get(row, [])) for row in rows.tolist()}
            at += len(rows)
            yield report(start, len(part) + at)
            while some := _next(spans, len(growing), found):
                growing.append(some)
                yield report(start, len(part) + at)
    return growing.so_far()


def known_texts(encoder: Encoder, texts: Sequence[str]) -> Steps[NDArray[np.bool_]]:
    """Say of each text whether the model knows a word of it: bool [n]."""
    parts = [np.empty(0, np.bool_)]
    for start in range(0, len(texts), _KNOWN_AT_ONCE):
        parts.append(encoder.knows(texts[start : start + _KNOWN_AT_ONCE]))
        yield None
    return np.concatenate(parts)


def _parts(count: int) -> Iterator[tuple[int, int]]:
    """Yield (start, stop): a few at first, so that something is there soon; then more, which computes faster."""
    start, many = 0, _FIRST
    while start < count:
        stop = min(start + many, count)
        yield start, stop
        start, many = stop, min(2 * many, _MOST)


def _next(spans: Sequence[SentenceSpan], told: int, found: Mapping[str, TracedSentence]) -> list[TracedSentence]:
    """Return the sentences that come after those which are told, as far as they are found: some at a time."""
    ready: list[TracedSentence] = []
    for span in spans[told : told + _TOLD_AT_ONCE]:
        sentence = found.get(span.text)
        if sentence is None:
            break
        page = span.places[0].page
        ready.append(sentence if page is None else replace(sentence, page=page))
    return ready


def _nearest(library: Library, vectors: NDArray[np.float32], count: int, scope: Scope) -> list[list[Hit]]:
    """Return the nearest sentences of each of some vectors float32 [n, dim].

    Their rows are read together: a query of the database costs more than the rows that it finds.
    """
    found = [library.nearest(vector, count, scope=scope) for vector in vectors]
    distinct = {near.sentence_id: near for each in found for near in each}
    rows = {hit.sentence_id: hit for hit in library.hits(list(distinct.values()), scope=scope)}
    return [
        [
            replace(rows[near.sentence_id], rank=rank, score=near.score)
            for rank, near in enumerate(each, start=1)
            if near.sentence_id in rows
        ]
        for each in found
    ]


def _told(text: str, hits: list[Hit]) -> TracedSentence:
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
