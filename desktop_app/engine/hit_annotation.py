"""Folds near copies of hits, and annotates hits with their copies and differences from the query."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.duplicates import classify_word_overlap
from desktop_app.core.index_terms import iter_terms
from desktop_app.core.query import split_words
from desktop_app.core.sentence_differences import (
    differ_in_negation,
    find_badges,
    find_contradictions,
    find_facts,
    have_opposites,
    is_negated,
)
from desktop_app.core.swapped_words import have_swapped_words
from desktop_app.core.word_conditions import iter_words_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.arrays import Vector
    from desktop_app.core.library import Library
    from desktop_app.core.query import KeywordQuery, Query
    from desktop_app.core.records import Hit, ScoredSentence
    from desktop_app.core.sentence_differences import Badge

    Copies = Mapping[int, tuple[int, ...]]

_MAX_FOLDED_HITS = 200
"""The first hits among which near copies are folded; readers rarely go further."""

_COPY_COSINE = 0.85
"""Cosine from which two hits may be copies; their words decide."""

_SINGLE_THREAD_PRODUCT = 1 << 18
"""Multiplications in a product that OpenBLAS computes in one thread."""

_MAX_LIFTING_WORDS = 4

_DIFFERENCE_COSINE = 0.6
_MIN_SENTENCE_WORDS = 4
"""Differences are shown from this cosine and from this many words in the query: a few words always differ."""


def fold_near_copies(
    library: Library, found: Sequence[ScoredSentence]
) -> tuple[list[ScoredSentence], dict[int, tuple[int, ...]]]:
    """Return a ranking without near copies of higher hits, and the removed copies by the hit that they copy.

    Two sentences are no copies if only one has a negation, or if their numbers or dates differ.
    """
    head = found[:_MAX_FOLDED_HITS]
    rows = library.search.vectors([near.sentence_id for near in head]) if len(head) > 1 else {}
    ids = [near.sentence_id for near in head if near.sentence_id in rows]
    if len(ids) < 2:
        return list(found), {}
    matrix = np.stack([rows[each] for each in ids])
    near_pairs = _find_near_pairs(matrix)
    texts = library.analysis_reader.texts([ids[at] for at in np.unique(near_pairs).tolist()]) if len(near_pairs) else {}
    copy_of: dict[int, int] = {}
    for a, b in near_pairs.tolist():  # in order of rows: the higher hit comes first
        first, second = ids[a], ids[b]
        if first in copy_of or second in copy_of or first not in texts or second not in texts:
            continue
        # Usually the words differ; that is faster to find out than that no difference matters.
        if classify_word_overlap(texts[first], texts[second]) != "other" and not find_badges(
            texts[first], texts[second]
        ):
            copy_of[second] = first
    copies: dict[int, tuple[int, ...]] = {}
    for copy, first in copy_of.items():
        copies[first] = (*copies.get(first, ()), copy)
    return [near for near in found if near.sentence_id not in copy_of], copies


def _find_near_pairs(matrix: Vector) -> NDArray[np.int64]:
    """Return the pairs of unit rows that are near each other, in order of rows: int64 [n, 2].

    The blocks are so small that numpy's library multiplies each in this thread: two cores that share a small product
    wait for each other longer than one core needs for it, and far longer if another program uses one of them.
    """
    near = np.zeros((len(matrix), len(matrix)), np.bool_)
    step = max(1, math.isqrt(_SINGLE_THREAD_PRODUCT // matrix.shape[1]))
    for first in range(0, len(matrix), step):
        for second in range(first, len(matrix), step):
            product = matrix[first : first + step] @ matrix[second : second + step].T
            near[first : first + step, second : second + step] = product >= _COPY_COSINE
    return np.argwhere(np.triu(near, 1))


def explain_order(hits: Sequence[Hit], found: Sequence[ScoredSentence], words: KeywordQuery) -> list[Hit]:
    """Return hits with the words that put some of them above sentences that are nearer in meaning.

    Args:
        hits: rows of `found`.
        found: the whole ranking by meaning and words.
        words: those of the query.
    """
    lifted: set[int] = set()
    highest = -math.inf
    for near in reversed(found):
        if near.score < highest and "words" in near.matched_by:
            lifted.add(near.sentence_id)
        highest = max(highest, near.score)
    if not lifted:
        return list(hits)
    required = [word for part in words.must for word in iter_words_of(part)]
    texts = (*words.any, *(word if isinstance(word, str) else word.text for word in required))
    wanted = {term.term for text in texts for term in iter_terms(text)}
    initials = frozenset(term[0] for term in wanted)

    def matched(text: str) -> tuple[str, ...]:
        words = (text[term.start : term.stop] for term in iter_terms(text, initials) if term.term in wanted)
        return tuple({word.casefold(): word for word in words}.values())[:_MAX_LIFTING_WORDS]

    return [replace(hit, lifted_by=matched(hit.text)) if hit.sentence_id in lifted else hit for hit in hits]


def annotate_hits(
    library: Library, hits: Sequence[Hit], query: Query, copies: Copies, *, by_meaning: bool
) -> list[Hit]:
    """Return hits with their copies, and with their differences from the query if it is a sentence.

    Of several queries at once, from the one that a hit is nearest to.
    """
    differences = {
        part: _QueryDifferences(text)
        for part in query.parts or (query,)
        if by_meaning and len(split_words(text := " ".join(part.like) or part.text)) >= _MIN_SENTENCE_WORDS
    }
    copied = {hit.sentence_id: (hit.sentence_id, *copies[hit.sentence_id]) for hit in hits if hit.sentence_id in copies}
    documents = library.analysis_reader.count_documents(copied) if copied else {}
    knowing: list[Hit] = []
    for hit in hits:
        score = max((each for each in hit.part_scores if each is not None), default=hit.score)
        of_part = differences.get(query.part_of(hit.part_scores)) if score >= _DIFFERENCE_COSINE else None
        found = of_part.find_badges(hit.text) if of_part is not None else ()
        if found or hit.sentence_id in copies:
            also_in = documents[hit.sentence_id] - 1 if hit.sentence_id in documents else hit.also_in
            hit = replace(hit, copies=len(copies.get(hit.sentence_id, ())), also_in=also_in, badges=found)
        knowing.append(hit)
    return knowing


class _QueryDifferences:
    """Finds the differences of sentences from a query.

    A sentence differs in numbers, dates or opposites if it has another one in the same role, and in swapped words if
    the query becomes it by a swap.

    A negation is one only if the query has it: a query without it asks for what there is, denied or not. Questions deny
    nothing.

    The query is analysed once. Sentences are searched for these only if the query has some.
    """

    def __init__(self, query: str) -> None:
        self._is_negated = is_negated(query)
        self._query = query
        self._facts = find_facts(query)

    def find_badges(self, text: str) -> tuple[Badge, ...]:
        """Return the badges of a sentence."""
        found: list[Badge] = []
        if self._is_negated and differ_in_negation(self._query, text):
            found.append("negation")
        if have_opposites(self._query, text):
            found.append("opposites")
        if have_swapped_words(self._query, text):
            found.append("swapped")
        if self._facts.numbers or self._facts.dates:
            found += find_contradictions(self._facts, find_facts(text))
        return tuple(found)
