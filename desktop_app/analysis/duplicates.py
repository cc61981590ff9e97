"""Duplicates in a library: pairs of neighbours, their places, and how similar their words are."""

from __future__ import annotations

import itertools
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import Indel

from desktop_app.analysis.neighbour_graph import RowIndex
from desktop_app.analysis.word_comparison import LETTER, SIGN
from desktop_app.core.duplicates import CLOSE, RELATED

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from numpy.typing import NDArray

    from desktop_app.analysis.neighbour_graph import NeighbourGraph
    from desktop_app.core.arrays import Ids
    from desktop_app.core.duplicates import PairKind, PairsPlace, PairVerdict, WordOverlap


MIN_OVERLAP = 0.75
"""Share of common words, in order, from which two sentences are copies of each other."""

_SAME_VECTOR = 0.999
"""Cosine from which two vectors are the same, computed twice: no two wordings are so near."""
_FEW_WORDS = 4
_COMPARED_WORDS = 5000  # of a text; the time grows with their square
_STEP_IDS = 25_000
_FIRST_SORTED, _MAX_SORTED = 4096, 16_384
_KEPT_EDGES = 200_000  # the best neighbours that are kept at first
_WORD = re.compile(rf"{LETTER}+")
_WORD_OR_SIGN = re.compile(rf"{LETTER}+|{SIGN}")
_DIGITS = re.compile(r"\d+")


def classify_pair(a: str, b: str, cosine: float, verdict: PairVerdict | None = None) -> PairKind:
    """Return how two texts belong together: by their words if these are the same or nearly so, else by their cosine.

    If the model was trained to say whether two texts mean the same, its verdict decides what a paraphrase is.
    """
    overlap = classify_word_overlap(a, b)
    if overlap != "other":
        return overlap
    says_same = verdict.says_same if verdict is not None else None
    is_paraphrase = cosine >= CLOSE if says_same is None else says_same
    if is_paraphrase:
        return "paraphrase"
    return "related" if cosine >= RELATED else "unrelated"


def classify_word_overlap(a: str, b: str) -> WordOverlap:
    """Return the overlap of the words of two texts; of their letters if words are few or not separated."""
    words_a, words_b = _find_words(a), _find_words(b)
    if (words_a == words_b and words_a) or a == b:
        return "exact"
    if min(len(words_a), len(words_b)) < _FEW_WORDS:
        words_a, words_b = tuple("".join(words_a)), tuple("".join(words_b))
    if not words_a or not words_b:
        return "other"
    # At most as many words are common as the shorter text has.
    if 2 * min(len(words_a), len(words_b)) < MIN_OVERLAP * (len(words_a) + len(words_b)):
        return "other"
    overlap = Indel.normalized_similarity(words_a[:_COMPARED_WORDS], words_b[:_COMPARED_WORDS])
    return "near" if overlap >= MIN_OVERLAP else "other"


@lru_cache(maxsize=1024)
def _find_words(text: str) -> tuple[str, ...]:
    """Return the words of a text; cached, because each of the best hits is compared with many others."""
    folded = text.casefold()
    # The same letter with its accent may be one character or two.
    return tuple(_WORD_OR_SIGN.findall(folded if folded.isascii() else unicodedata.normalize("NFC", folded)))


def is_unknown_words_pair(kind: PairKind | WordOverlap, score: float) -> bool:
    """Return whether two texts have other words and the same vector: the model knows no word of either."""
    return kind not in ("exact", "near") and score >= _SAME_VECTOR


def mask_numbers(text: str) -> str:
    """Return the words of a text with all numbers equal: "Page 3 of 17" and "Page 4 of 17" have the same."""
    return " ".join(_WORD.findall(_DIGITS.sub("0", text.casefold())))


class SentencePlaces:
    """The places of sentences: int64 [m, 3], (sentence id, document id, ordinal), in reading order."""

    def __init__(self, places: Ids) -> None:
        # The rank after the id keeps equal ids in reading order: distinct numbers sort in a third of the time.
        order = places[:, 0] * len(places) + np.arange(len(places))
        order.sort(kind="stable")  # most of it ascends, which other kinds make no use of
        order %= max(len(places), 1)
        ascending = places[order, 0]
        starts = np.flatnonzero(np.diff(ascending, prepend=-1))  # no id is below 1
        self.ids = ascending[starts]
        # Half of the memory of int64: panes keep them as long as they show their lists.
        self._documents = places[order, 1].astype(np.int32)
        self._ordinals = places[order, 2].astype(np.int32)
        self._ends = np.append(starts, len(places)).astype(np.int32)

    @property
    def _starts(self) -> NDArray[np.int32]:
        return self._ends[:-1]

    @property
    def _stops(self) -> NDArray[np.int32]:
        return self._ends[1:]

    def find_rows(self, ids: Ids) -> Ids:
        """Return the row of `self.ids` for each of `ids`; -1 for those without a place."""
        if not len(self.ids):
            return np.full(len(ids), -1, np.int64)
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where(self.ids[at] == ids, at, -1)

    def rows_in_steps(self, ids: Ids) -> Generator[None, None, Ids]:
        """Like `find_rows`, in short steps."""
        finder = RowIndex(self.ids)
        found = [np.empty(0, np.int64)]
        for top in range(0, len(ids), _STEP_IDS):
            found.append(finder.find_rows(ids[top : top + _STEP_IDS]))
            yield
        return np.concatenate(found)

    def only_document(self) -> NDArray[np.int32]:
        """Return the document of each of `self.ids`, 0 if there are several: int32 [n]."""
        # In reading order documents ascend.
        first, last = self._documents[self._starts], self._documents[self._stops - 1]
        only: NDArray[np.int32] = np.where(first == last, first, np.int32(0))
        return only

    def first_documents_in_steps(self, ids: Ids) -> Generator[None, None, Ids]:
        """Return the first document of each of `ids`, 0 for those without a place, in short steps: int64 [m]."""
        rows = yield from self.rows_in_steps(ids)
        first = np.append(self._documents[self._starts], 0)  # the last for -1
        found: Ids = first[rows].astype(np.int64)
        return found

    def repeated_rows(self, *, across_documents: bool) -> Ids:
        """Return the rows of sentences that occur in two documents, or in two places."""
        if across_documents:
            return np.flatnonzero(self.only_document() == 0)
        return np.flatnonzero(self._stops - self._starts > 1)

    def in_documents(self, documents: frozenset[int]) -> NDArray[np.bool_]:
        """Return which of `self.ids` occur in one of these documents: bool [n]."""
        there = np.isin(self._documents, np.fromiter(documents, np.int64, len(documents)))
        found: NDArray[np.bool_] = np.diff(np.append(0, np.cumsum(there))[self._ends]) > 0
        return found

    def documents(self, ids: Ids) -> int:
        """Return in how many documents any of `ids` occurs."""
        rows = self.find_rows(ids)
        rows = rows[rows >= 0]
        starts, lengths = self._starts[rows].astype(np.int64), (self._stops[rows] - self._starts[rows]).astype(np.int64)
        first = np.cumsum(lengths) - lengths
        at = np.repeat(starts - first, lengths) + np.arange(int(lengths.sum()))
        return len(np.unique(self._documents[at]))

    def documents_of(self, sentence_id: int) -> int:
        """Return in how many documents a sentence occurs."""
        return len({document for document, _ in self.places(sentence_id)})

    def places(self, sentence_id: int) -> list[tuple[int, int]]:
        """Return (document id, ordinal) of every place of a sentence, in reading order."""
        row = int(np.searchsorted(self.ids, sentence_id))
        if row == len(self.ids) or self.ids[row] != sentence_id:
            return []
        here = slice(self._ends[row], self._ends[row + 1])
        return list(zip(self._documents[here].tolist(), self._ordinals[here].tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class DuplicateCandidate:
    """Two sentences by id, their places (document id, ordinal), and their cosine similarity; `a` = `b` for one text."""

    a: int
    b: int
    place_a: tuple[int, int]
    place_b: tuple[int, int]
    score: float


def iter_duplicates(
    graph: NeighbourGraph,
    sentence_places: SentencePlaces,
    *,
    where: PairsPlace,
    min_score: float = 0.0,
    max_score: float = 1.0,
    touching: frozenset[int] | None = None,
) -> Generator[DuplicateCandidate | None, None, None]:
    """Yield pairs with places, best first: repeated texts, then neighbours by their cosine.

    Equal scores are in the order of the texts' hashes, so that the list depends only on the texts and their places.
    `where`: they are in two documents, in one, or either. With `touching`, the first sentence or the second occurs in
    one of these documents. None is not a pair, but a point to pause: a large library has to check a million neighbours
    before the best one is known.
    """
    touches = None if touching is None else sentence_places.in_documents(touching)
    yield None
    if min_score <= 1.0 <= max_score:
        at = sentence_places.repeated_rows(across_documents=where == "across")
        repeated = sentence_places.ids[at if touches is None else at[touches[at]]]
        yield None
        rows = graph.find_rows(repeated)
        yield None
        for sentence_id in repeated[np.argsort(rows, kind="stable")].tolist():
            places = _choose_places_of_one(sentence_places.places(sentence_id), where=where, touching=touching)
            if places is not None:
                yield DuplicateCandidate(sentence_id, sentence_id, *places, 1.0)
        yield None
    place_row = (yield from sentence_places.rows_in_steps(graph.ids)).astype(np.int32)  # kept as long as the list
    only = sentence_places.only_document()[place_row] if len(sentence_places.ids) else None
    yield None
    below, many = np.float32(np.inf), _KEPT_EDGES
    while True:
        best = _BestEdges(many, min_score)
        for a, b, scores in graph.edge_blocks(best.current_floor):
            wanted = (scores >= min_score) & (scores <= max_score) & (scores < below)
            wanted &= (place_row[a] >= 0) & (place_row[b] >= 0)
            if touches is not None and len(sentence_places.ids):
                wanted &= touches[place_row[a]] | touches[place_row[b]]
            if only is not None and where == "across":
                wanted &= (only[a] != only[b]) | (only[a] == 0)
            elif only is not None and where == "within":
                wanted &= (only[a] == only[b]) | (only[a] == 0) | (only[b] == 0)
            best.add(a[wanted], b[wanted], scores[wanted])
            yield None
        first, second, cosines = best.edges()
        yield None
        for edges in _iter_best_first(cosines, first, second):
            yield None
            for edge in edges.tolist():
                id_a, id_b = int(graph.ids[first[edge]]), int(graph.ids[second[edge]])
                places = _choose_places(
                    sentence_places.places(id_a),
                    sentence_places.places(id_b),
                    where=where,
                    touching=touching,
                )
                if places is not None:
                    yield DuplicateCandidate(id_a, id_b, *places, float(cosines[edge]))
        if not best.has_dropped:
            return
        # Few people come here: the graph is looked through again, for the next best.
        below, many = best.floor, 2 * many


class _BestEdges:
    """The best edges of a graph, and all others that are as good as the last of them.

    All edges of a million sentences would take 300 MB as long as their list is shown.

    Args:
        most: how many.
        min_score: the lowest score of an edge.

    Attributes:
        floor: edges with lower scores are not among the best, and need not be added.
        has_dropped: whether there may be such edges.
    """

    def __init__(self, most: int, min_score: float) -> None:
        self.floor = np.float32(min_score)
        self.has_dropped = False
        self._most = most
        self._parts: list[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]] = []
        self._limit = 2 * most  # edges from which on the worse ones are dropped
        self._count = 0

    def current_floor(self) -> float:
        """Return `floor`, which rises while edges are added."""
        return float(self.floor)

    def add(self, a: Ids, b: Ids, scores: NDArray[np.float32]) -> None:
        """Add edges: rows int64 [e], int64 [e], scores float32 [e]."""
        good = scores >= self.floor
        self._parts.append((a[good].astype(np.int32), b[good].astype(np.int32), scores[good]))
        self._count += len(self._parts[-1][0])
        if self._count > self._limit:
            self._thin()

    def edges(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
        """Return the best edges: rows int32 [e], int32 [e], scores float32 [e]."""
        if self._count > self._most:
            self._thin()
        a, b, scores = (np.concatenate(each) for each in zip(*self._parts, strict=True))
        self._parts.clear()
        return a, b, scores

    def _thin(self) -> None:
        a, b, scores = (np.concatenate(each) for each in zip(*self._parts, strict=True))
        self.floor = max(self.floor, np.partition(scores, -self._most)[-self._most])
        self.has_dropped = True
        good = scores >= self.floor
        self._parts = [(a[good], b[good], scores[good])]
        self._count = len(self._parts[0][0])
        self._limit = max(2 * self._most, 2 * self._count)  # very many may be equal


def _iter_best_first(scores: NDArray[np.float32], a: NDArray[np.int32], b: NDArray[np.int32]) -> Iterator[Ids]:
    """Yield the indices of edges by score, then by (a, b), some at a time: few people look at all of them."""
    left, many = np.arange(len(scores)), _FIRST_SORTED
    while len(left):
        best = np.ones(len(left), np.bool_)
        if many < len(left):
            best = scores[left] >= np.partition(scores[left], -many)[-many]
        some = left[best]
        yield some[np.lexsort((b[some], a[some], -scores[some]))]
        left, many = left[~best], min(2 * many, _MAX_SORTED)


SentencePlace = tuple[int, int]


def _choose_places(
    of_a: list[SentencePlace], of_b: list[SentencePlace], *, where: PairsPlace, touching: frozenset[int] | None
) -> tuple[SentencePlace, SentencePlace] | None:
    """Return the first places of two sentences that meet the conditions: in two documents or one, and in `touching`.

    For the choice of the other place the first one in each document is enough.
    """
    for place_a in _first_place_per_document(of_a):
        for place_b in _first_place_per_document(of_b):
            if (where == "anywhere" or (place_a[0] == place_b[0]) == (where == "within")) and (
                touching is None or place_a[0] in touching or place_b[0] in touching
            ):
                return place_a, place_b
    return None


def _choose_places_of_one(
    places: list[SentencePlace], *, where: PairsPlace, touching: frozenset[int] | None
) -> tuple[SentencePlace, SentencePlace] | None:
    """Return two places of one text that meet the same conditions."""
    if where == "across":
        return _choose_places(places, places, where=where, touching=touching)
    for first, other in itertools.pairwise(places):
        if where == "within" and first[0] != other[0]:
            continue
        if touching is None or first[0] in touching or other[0] in touching:
            return first, other
    return None


def _first_place_per_document(places: list[SentencePlace]) -> list[SentencePlace]:
    """Return the first place in each document."""
    return list({place[0]: place for place in reversed(places)}.values())[::-1]
