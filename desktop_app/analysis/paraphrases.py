"""What a library says twice: pairs of neighbours, where they stand, and how alike their words are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import Indel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from desktop_app.analysis.neighbours import NeighbourGraph
    from desktop_app.core.insight import PairKind

    Ids = NDArray[np.int64]

NEAR = 0.75
"""Share of words in common, in order, from which two sentences are copies of each other."""

_SAME_VECTOR = 0.999
"""Cosine from which two vectors are one that was computed twice: no two wordings come so near."""
_FEW = 4
_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")


def kind_of(a: str, b: str) -> PairKind:
    """Return how alike two texts are in their words; in their letters where words are few or not divided."""
    words_a, words_b = _WORD.findall(a.casefold()), _WORD.findall(b.casefold())
    if (words_a == words_b and words_a) or a == b:
        return "exact"
    if min(len(words_a), len(words_b)) < _FEW:
        words_a, words_b = list("".join(words_a)), list("".join(words_b))
    alike = Indel.normalized_similarity(words_a, words_b) if words_a and words_b else 0.0
    return "near" if alike >= NEAR else "paraphrase"


def is_unknown(kind: PairKind, score: float) -> bool:
    """Say whether two texts are alike only because the model knows no word of either: other words, the same vector."""
    return kind == "paraphrase" and score >= _SAME_VECTOR


def skeleton(text: str) -> str:
    """Return a text's words with every number alike: "Page 3 of 17" and "Page 4 of 17" have the same."""
    return " ".join(_WORD.findall(_DIGITS.sub("0", text.casefold())))


class Standing:
    """Where sentences stand: int64 [m, 3], (sentence id, document id, ordinal), in reading order."""

    def __init__(self, places: Ids) -> None:
        order = np.argsort(places[:, 0], kind="stable")
        self._places = places[order]
        self.ids, self._starts = np.unique(self._places[:, 0], return_index=True)
        self._stops = np.append(self._starts, len(places))[1:]

    def rows_of(self, ids: Ids) -> Ids:
        """Return the row of `self.ids` for each of `ids`; -1 for those that stand nowhere."""
        if not len(self.ids):
            return np.full(len(ids), -1, np.int64)
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where(self.ids[at] == ids, at, -1)

    def only_document(self) -> Ids:
        """Return for each of `self.ids` the document that it stands in, 0 where there are several: int64 [n]."""
        documents = self._places[:, 1]
        first, last = documents[self._starts], documents[self._stops - 1]  # in reading order: ascending documents
        only: Ids = np.where(first == last, first, 0)
        return only

    def repeated(self, *, across_documents: bool) -> Ids:
        """Return the rows of sentences that stand in two documents, or in two places."""
        if across_documents:
            return np.flatnonzero(self.only_document() == 0)
        return np.flatnonzero(self._stops - self._starts > 1)

    def documents(self, ids: Ids) -> int:
        """Return in how many documents any of `ids` stands."""
        rows = self.rows_of(ids)
        rows = rows[rows >= 0]
        starts, lengths = self._starts[rows], self._stops[rows] - self._starts[rows]
        first = np.cumsum(lengths) - lengths
        at = np.repeat(starts - first, lengths) + np.arange(int(lengths.sum()))
        return len(np.unique(self._places[at, 1]))

    def places(self, sentence_id: int) -> list[tuple[int, int]]:
        """Return (document id, ordinal) of every place of a sentence, in reading order."""
        row = int(np.searchsorted(self.ids, sentence_id))
        return [(int(d), int(o)) for _, d, o in self._places[self._starts[row] : self._stops[row]]]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Two sentences by id, at (document id, ordinal) each, and their cosine similarity; `a` = `b` for one text."""

    a: int
    b: int
    place_a: tuple[int, int]
    place_b: tuple[int, int]
    score: float


def candidates(
    graph: NeighbourGraph, standing: Standing, *, across_documents: bool, min_score: float = 0.0
) -> Iterator[Candidate]:
    """Yield pairs that stand in sight, best first: texts that stand twice, then neighbours by their cosine.

    Equal scores are in the order of the texts' hashes, so that the list follows from the texts and their places.
    """
    if min_score <= 1.0:
        repeated = standing.ids[standing.repeated(across_documents=across_documents)]
        rows = graph.rows_of(repeated)
        for sentence_id in repeated[np.argsort(rows, kind="stable")].tolist():
            first, *others = standing.places(sentence_id)
            other = next(place for place in others if not across_documents or place[0] != first[0])
            yield Candidate(sentence_id, sentence_id, first, other, 1.0)
    a, b, scores = graph.edges()
    standing_row = standing.rows_of(graph.ids)
    wanted = (scores >= min_score) & (standing_row[a] >= 0) & (standing_row[b] >= 0)
    if across_documents and len(standing.ids):
        only = standing.only_document()[standing_row]
        wanted &= (only[a] != only[b]) | (only[a] == 0)
    a, b, scores = a[wanted], b[wanted], scores[wanted]
    for edge in np.lexsort((b, a, -scores)):
        id_a, id_b = int(graph.ids[a[edge]]), int(graph.ids[b[edge]])
        places = _places(standing.places(id_a), standing.places(id_b), across_documents=across_documents)
        if places is None:
            continue
        yield Candidate(id_a, id_b, *places, float(scores[edge]))


def _places(
    of_a: list[tuple[int, int]], of_b: list[tuple[int, int]], *, across_documents: bool
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the first places of two sentences, in two documents where that is asked for."""
    if not across_documents:
        return of_a[0], of_b[0]
    for place_a in (of_a[0], of_a[-1]):
        for place_b in (of_b[0], of_b[-1]):
            if place_a[0] != place_b[0]:
                return place_a, place_b
    return None
