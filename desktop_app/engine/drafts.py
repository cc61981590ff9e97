"""The sentences of a draft: what the library says of each, from the first one on."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.paraphrases import kind_of
from desktop_app.core.badges import badges
from desktop_app.core.records import Nearest
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

    Own = Mapping[int, str]

_KNOWN_AT_ONCE = 256
_TOLD_AT_ONCE = 2000
_ASKED_AT_ONCE, _ASKED_WHILE_RESTING = 4, 16  # sentences of a draft: while somebody may be typing, and else
_BESIDE_OWN = 8  # sources that are asked for beyond those that are wanted, where some may be the draft's own
_ROW_WORDS = 4
_WORD = re.compile(r"[^\W\d_]+")
_ENDED = re.compile(
    r"(?:[.!?\u2026][\"'\u2019\u201c\u201d\u00bb\u203a)\]]*|[\u3002\uff01\uff1f][\u300d\u300f\uff09]*)$"
)
_FIRST, _MOST = 32, 1024  # sentences that are embedded before any of them is told, at first and later


def traced(
    library: Library,
    encoder: Encoder,
    spans: Sequence[SentenceSpan],
    sources: int,
    scope: Scope,
    someone_waits: Callable[[], bool],
    began: float,
    *,
    skipped: int = 0,
    own: Own | None = None,
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
        skipped: lines of the draft that are no sentences.
        own: documents of the library that are the draft itself, with their names: they are no sources of it.
    """
    own = own or {}
    growing = GrowingTrace(len(spans), began, Trace((), 0.0, skipped=skipped, own=tuple(own.values())))
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
            asked = [part[row] for row in rows.tolist()]
            queries = [vectors[row] if known[row] else None for row in rows.tolist()]
            hits = _sources(library, asked, queries, sources, scope, own)
            found |= {text: _told(text, each) for text, each in zip(asked, hits, strict=True)}
            at += len(rows)
            yield report(start, len(part) + at)
            while some := _next(spans, len(growing), found):
                growing.append(some)
                yield report(start, len(part) + at)
    return growing.so_far()


def is_sentence(span: SentenceSpan) -> bool:
    """Say whether something of a draft is looked for: what runs on, items of lists, and sentences in tables."""
    if span.kind == "table":
        ending = _ENDED.search(span.text)
        return ending is not None and (ending[0][0] > "\u3000" or len(_WORD.findall(span.text)) >= _ROW_WORDS)
    return span.kind in ("body", "list")


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


def _sources(
    library: Library,
    texts: Sequence[str],
    queries: Sequence[NDArray[np.float32] | None],
    count: int,
    scope: Scope,
    own: Own,
) -> list[list[Hit]]:
    """Return what the library has of each of some texts: the same letters first, then what is nearest.

    Their rows are read together: a query of the database costs more than the rows that it finds.

    Args:
        library: where they are looked for.
        texts: distinct.
        queries: their vectors float32 [dim]; None for a text of which the model knows no word.
        count: how many sources are wanted of each.
        scope: where to look.
        own: documents that are no sources.
    """
    stored = library.material.ids(texts)
    # Without these documents the index would be asked sentence by sentence: a few more hits are had sooner.
    kept = replace(scope, not_document_ids=frozenset(own)) if own else scope
    more = _BESIDE_OWN if own else 0
    found = []
    for text, query in zip(texts, queries, strict=True):
        near = library.nearest(query, count + more, scope=scope) if query is not None else []
        if text in stored and all(each.sentence_id != stored[text] for each in near):
            near.append(Nearest(stored[text], 1.0))
        found.append(near)
    rows = _rows(library, found, kept)
    again: list[list[Nearest]] = []
    if own:
        for at, query in enumerate(queries):
            left = sum(near.sentence_id in rows for near in found[at])
            if query is not None and left < count and len(found[at]) >= count + more:
                again.append(library.nearest(query, count, scope=kept))
                there = {near.sentence_id for near in again[-1]}
                stays = [near for near in found[at][count + more :] if near.sentence_id not in there]
                found[at] = [*again[-1], *stays]
    if again:
        rows |= _rows(library, again, kept)
    told = []
    for text, near in zip(texts, found, strict=True):
        best = sorted(
            (each for each in near if each.sentence_id in rows), key=lambda each: each.sentence_id != stored.get(text)
        )
        hits = [replace(rows[each.sentence_id], score=each.score) for each in best[:count]]
        told.append([replace(hit, rank=rank) for rank, hit in enumerate(hits, start=1)])
    return told


def _rows(library: Library, found: Sequence[Sequence[Nearest]], scope: Scope) -> dict[int, Hit]:
    distinct = {near.sentence_id: near for each in found for near in each}
    return {hit.sentence_id: hit for hit in library.hits(list(distinct.values()), scope=scope)}


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
