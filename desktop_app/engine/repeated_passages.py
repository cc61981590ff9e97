"""Finds the passages of a library that occur in several places, and reads them."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.repeated_passages import (
    COPY_COSINE,
    PassageRange,
    align_passages,
    are_copies,
    count_continued,
    find_repeated_passages,
    measure_overlap,
)
from desktop_app.analysis.word_comparison import find_word_differences
from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.duplicates import (
    AlignedSentences,
    PassageList,
    PassagePlace,
    PassagesRequest,
    RepeatedPassage,
)
from desktop_app.core.jobs import Progress
from desktop_app.core.passage_files import ENGLISH_PASSAGE_TEXTS, write_passages
from desktop_app.core.records import NOT_SENTENCES, SENTENCE_KINDS
from desktop_app.core.stored_rows import MIN_PAGES
from desktop_app.engine.neighbour_graph import join_pieces, restart_on_model_change

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.library import Library
    from desktop_app.core.passage_files import PassageTexts
    from desktop_app.core.records import Hit
    from desktop_app.core.scope import Scope
    from desktop_app.engine.context import EngineContext

_PAIRS_PER_STEP = 200
_TEXTS_PER_STEP = 500
_HITS_PER_STEP = 100
_CONTINUED_SENTENCES = 3
"""Sentences next to a passage that may belong to it, divided in another way."""


class RepeatedPassageService:
    """Finds repeated passages.

    Args:
        context: the library and its graph of neighbours, whose nearest pairs the passages are made of.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def find_passages(self, request: PassagesRequest) -> Job[PassageList]:
        """Find the longest repeated passages. The latest wins."""
        return self._context.engine.submit("passages", lambda: self._find_current(request), key="pairs")

    def export_passages(
        self, request: PassagesRequest, file: str, words: PassageTexts = ENGLISH_PASSAGE_TEXTS
    ) -> Job[int]:
        """Write repeated passages to a file, in the format of its ending; returns how many.

        Raises (the job):
            UsageError: no format has this ending.
            StorageFull: the file cannot be written.
        """

        def steps() -> Steps[int]:
            found = yield from self._find_current(request)
            yield from run_in_thread(lambda: write_passages(file, found.passages, words))
            return len(found.passages)

        return self._context.engine.submit("export passages", steps)

    def _find_current(self, request: PassagesRequest) -> Steps[PassageList]:
        library = self._context.open_library_for_vectors()
        return (yield from restart_on_model_change(library, lambda: self._find(library, request)))

    def _find(self, library: Library, request: PassagesRequest) -> Steps[PassageList]:
        started = time.perf_counter()
        graph = yield from self._context.neighbour_graphs.graph(library)
        places = yield from _read_places(library, request.scope)
        pairs: list[NDArray[np.int64]] = []
        for a, b, _ in graph.edge_blocks(lambda: COPY_COSINE):
            pairs.append(np.stack([graph.ids[a], graph.ids[b]], axis=1))
            yield None
        edges = np.concatenate(pairs)
        edges = edges[np.isin(edges, places[:, 0]).all(axis=1)]
        copies = yield from _filter_copies(library, edges)
        passages = yield from find_repeated_passages(
            places, copies, where=request.where, min_sentences=request.min_sentences, touching=request.touching
        )
        rows = [each.first + row for passage in passages for each in passage[:1] for row in range(len(each))]
        lengths = yield from _read_lengths(library, places[rows, 0])
        characters = [sum(lengths.get(int(each), 0) for each in _ids(places, passage[0])) for passage in passages]
        order = sorted(
            (at for at, length in enumerate(characters) if length >= request.min_length), key=lambda at: -characters[at]
        )
        found: list[RepeatedPassage] = []
        for at in order[: request.top_k]:
            ranges = yield from _extend_ends(library, places, passages[at])
            passage = yield from _read_passage(library, places, ranges)
            if passage is not None:
                found.append(passage)
            yield Progress("looking", len(found), min(len(order), request.top_k), "passages")
        return PassageList(tuple(found), len(order), time.perf_counter() - started)


def _read_places(library: Library, scope: Scope) -> Steps[NDArray[np.int64]]:
    """Return int64 [n, 3], (sentence id, document id, ordinal), of all sentences in reading order.

    What many documents have in common counts too: a text that was copied often is a passage like any other. What the
    pages of one document repeat does not, as it would interrupt the text around it.
    """
    reader, none = library.analysis_reader, np.empty((0, 3), np.int64)
    places = yield from join_pieces(reader.occurrences_in_order(scope.of_sentences), none)
    if scope.all_passages or "boilerplate" in scope.without:
        return places
    only_repeated = replace(scope, without=scope.without | (NOT_SENTENCES - {"boilerplate"}) | SENTENCE_KINDS)
    repeated = yield from join_pieces(reader.occurrences_in_order(only_repeated), none)
    _, row, count = np.unique(repeated[:, :2], axis=0, return_inverse=True, return_counts=True)
    repeated = repeated[count[row.reshape(-1)] < MIN_PAGES]
    yield None
    at = np.searchsorted(_reading_order(places), _reading_order(repeated))
    return np.insert(places, at, repeated, axis=0)


def _reading_order(places: NDArray[np.int64]) -> NDArray[np.int64]:
    return (places[:, 1] << 32) | places[:, 2]


def _ids(places: NDArray[np.int64], each: PassageRange) -> NDArray[np.int64]:
    return places[each.first : each.last + 1, 0]


def _filter_copies(library: Library, edges: NDArray[np.int64]) -> Steps[NDArray[np.int64]]:
    """Return those of the pairs of sentence ids int64 [n, 2] that have mostly the same words."""
    kept = np.zeros(len(edges), np.bool_)
    for top in range(0, len(edges), _PAIRS_PER_STEP):
        some = edges[top : top + _PAIRS_PER_STEP]
        texts = library.analysis_reader.texts(np.unique(some).tolist())
        for row, (a, b) in enumerate(some.tolist(), top):
            kept[row] = a in texts and b in texts and are_copies(texts[a], texts[b])
        yield Progress("looking", top, len(edges), "pairs")
    return edges[kept]


def _read_lengths(library: Library, sentence_ids: NDArray[np.int64]) -> Steps[dict[int, int]]:
    """Return the number of characters of sentences."""
    lengths: dict[int, int] = {}
    distinct = np.unique(sentence_ids).tolist()
    for top in range(0, len(distinct), _TEXTS_PER_STEP):
        texts = library.analysis_reader.texts(distinct[top : top + _TEXTS_PER_STEP])
        lengths.update((sentence_id, len(text)) for sentence_id, text in texts.items())
        yield None
    return lengths


def _extend_ends(
    library: Library, places: NDArray[np.int64], ranges: Sequence[PassageRange]
) -> Steps[list[PassageRange]]:
    """Return the places of a passage with the sentences next to them that go on alike, divided in another way."""
    taken = {row for each in ranges for row in range(each.first, each.last + 1)}
    before = [_list_next_rows(places, taken, each.first, -1) for each in ranges]
    after = [_list_next_rows(places, taken, each.last, 1) for each in ranges]
    yield None
    earlier = count_continued((yield from _read_texts(library, places, before)), backwards=True)
    later = count_continued((yield from _read_texts(library, places, after)))
    return [
        PassageRange(each.first - back, each.last + on) for each, back, on in zip(ranges, earlier, later, strict=True)
    ]


def _list_next_rows(places: NDArray[np.int64], taken: set[int], row: int, step: int) -> list[int]:
    """Return the rows next to a row, the nearest first: without a gap, in the same document.

    Args:
        places: of all sentences.
        taken: rows that a place of the passage has: the list ends before them.
        row: the first or last one of a place.
        step: 1 for the rows after it, -1 for those before it.
    """
    found: list[int] = []
    document_id, ordinal = places[row, 1:].tolist()
    for ahead in range(step, step * (_CONTINUED_SENTENCES + 1), step):
        at = row + ahead
        if not 0 <= at < len(places) or at in taken or places[at, 1:].tolist() != [document_id, ordinal + ahead]:
            break
        found.append(at)
    return found


def _read_texts(library: Library, places: NDArray[np.int64], rows: list[list[int]]) -> Steps[list[list[str]]]:
    """Return the texts of lists of rows; none at all if one of them is empty."""
    if not all(rows):
        return [[] for _ in rows]
    distinct = np.unique(places[[row for each in rows for row in each], 0]).tolist()
    texts: dict[int, str] = {}
    for top in range(0, len(distinct), _TEXTS_PER_STEP):
        texts.update(library.analysis_reader.texts(distinct[top : top + _TEXTS_PER_STEP]))
        yield None
    return [[texts.get(int(places[row, 0]), "") for row in each] for each in rows]


def _read_passage(
    library: Library, places: NDArray[np.int64], ranges: Sequence[PassageRange]
) -> Steps[RepeatedPassage | None]:
    """Return a passage with its sentences; None if fewer than two of its places are left."""
    read: list[list[Hit]] = []
    for each in ranges:
        (document_id, first), last = places[each.first, 1:].tolist(), int(places[each.last, 2])
        sentence_ids = dict(places[each.first : each.last + 1, [2, 0]].tolist())
        hits: list[Hit] = []
        # Headings, exclamations and so on that stand between the sentences are part of the passage.
        for top in range(first, last + 1, _HITS_PER_STEP):
            ordinals = range(top, min(top + _HITS_PER_STEP, last + 1))
            # A document may have been removed, or read again, since its sentences were listed.
            hits += [
                hit
                for hit in library.search.hits_at([(document_id, ordinal, 1.0) for ordinal in ordinals])
                if hit is not None
                and hit.kind != "note"
                and sentence_ids.get(hit.ordinal, hit.sentence_id) == hit.sentence_id
            ]
            yield None
        if any(hit.ordinal in sentence_ids for hit in hits):
            read.append(hits)
    if len(read) < 2:
        return None
    found = [PassagePlace(tuple(read[0]))]
    first = [hit.text for hit in read[0]]
    for hits in read[1:]:
        texts = [hit.text for hit in hits]
        rows = tuple(
            _align(read[0][a] if a is not None else None, hits[b] if b is not None else None)
            for a, b in align_passages(first, texts)
        )
        found.append(PassagePlace(tuple(hits), measure_overlap(first, texts), rows))
        yield None
    return RepeatedPassage(tuple(found))


def _align(a: Hit | None, b: Hit | None) -> AlignedSentences:
    if a is None or b is None:
        return AlignedSentences(a, b)
    return AlignedSentences(a, b, *find_word_differences(a.text, b.text))
