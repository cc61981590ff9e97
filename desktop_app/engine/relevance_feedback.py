"""Relevance feedback: a person's judgements of hits, or the best documents themselves, move the query.

J. Rocchio, "Relevance feedback in information retrieval", 1971; the weights are the usual ones of C. Manning et al.,
"Introduction to Information Retrieval", 2008, section 9.1.1. The words that the best documents add to a query follow
V. Lavrenko and W. B. Croft, "Relevance-based language models", 2001.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.index_terms import iter_terms
from desktop_app.core.score_fusion import score_document
from desktop_app.core.stop_words import content_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.arrays import Vector
    from desktop_app.core.records import ScoredSentence


_RELEVANT_WEIGHT, _IRRELEVANT_WEIGHT = 0.75, 0.25

_FEEDBACK_DOCUMENTS = 3
_FEEDBACK_WEIGHT = 0.75
EXPANSION_DOCUMENTS, EXPANSION_SENTENCES, EXPANSION_WORDS = 5, 20, 20
"""How many of the best documents add words to a query, how many of their best sentences are read, how many words."""

_WEIGHED_WORDS = 60
_MIN_WORD_LETTERS = 3
_MOST_EXPANSION, _HALF_EXPANSION_WORDS = 0.6, 200
"""Share of the added words in a document's score by words, and the length of text at which it is half of that: the
words of a few short texts are hardly more than those of the query. Chosen on every second query of Cranfield and of
Quora's duplicate questions."""

MIN_DOCUMENTS_FOR_FEEDBACK = 30
"""The number of candidates from which feedback pays off: with fewer, three are not a real choice."""


def apply_judgements(vector: Vector, judged: Mapping[int, bool], rows: Mapping[int, Vector]) -> Vector:
    """Return a query's vector moved towards relevant sentences and away from irrelevant ones.

    Args:
        vector: float32 [dim], of length 1.
        judged: whether sentences are relevant.
        rows: their unit vectors; sentences without one are skipped.
    """
    total = vector.astype(np.float64)
    for is_relevant, weight in ((True, _RELEVANT_WEIGHT), (False, -_IRRELEVANT_WEIGHT)):
        kept = [rows[each] for each, verdict in judged.items() if verdict == is_relevant and each in rows]
        if kept:
            total += weight * np.mean(kept, axis=0)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length, np.float32) if length > 1e-3 else vector


def demote_rejected(found: Sequence[ScoredSentence], judged: Mapping[int, bool]) -> list[ScoredSentence]:
    """Return a ranking with the irrelevant sentences at its end."""
    if False not in judged.values():
        return list(found)
    return sorted(found, key=lambda near: judged.get(near.sentence_id) is False)


def apply_pseudo_feedback(
    query: Vector, means: Vector, meaning: Sequence[float], joint: NDArray[np.float64]
) -> Sequence[float]:
    """Return the documents' similarities to a query moved towards the best of them.

    Pseudo relevance feedback: the documents best by meaning and words together mostly answer the query, and contain the
    words of further answers. Only the means of the documents are compared again: that costs one product, and ranks
    Cranfield as well as a complete second search.

    Args:
        query: unit vector float32 [dim].
        means: of each candidate's sentences: float32 [n, dim], rows of length 1, zeros if it has none.
        meaning: similarity of each candidate to the query (`score_document`).
        joint: of each, as `fuse_document_scores` returns them.
    """
    best = means[np.argsort(-joint, kind="stable")[:_FEEDBACK_DOCUMENTS]].mean(axis=0)
    length = float(np.linalg.norm(best))
    if length < 1e-9:
        return meaning
    moved = query + _FEEDBACK_WEIGHT / length * best
    nearer = means @ (moved / np.linalg.norm(moved) - query)
    return [score + score_document(0.0, float(more)) for score, more in zip(meaning, nearer, strict=True)]


@dataclass(frozen=True, slots=True)
class ExpansionWords:
    """Words that the best documents add to a query.

    Attributes:
        weights: of the most frequent content words, by one of their forms; higher is more frequent in the best ones.
        share: of these words in a document's score by words.
    """

    weights: dict[str, float]
    share: float


def weigh_expansion_words(texts: Sequence[str], joint: Sequence[float]) -> ExpansionWords:
    """Return the frequent content words of the best documents (step 1 of relevance model RM1).

    Args:
        texts: of each document.
        joint: score of each, as `fuse_document_scores` returns them: a better document counts for more.
    """
    likelihoods = np.exp(np.asarray(joint) - max(joint))
    terms = [list(iter_terms(text)) for text in texts]
    forms: dict[str, str] = {}
    for text, found in zip(texts, terms, strict=True):
        for term in found:
            forms.setdefault(term.term, text[term.start : term.stop].lower())
    content = set(content_words([form for form in forms.values() if len(form) >= _MIN_WORD_LETTERS]))
    weights: Counter[str] = Counter()
    for likelihood, found in zip(likelihoods.tolist(), terms, strict=True):
        for term in found:
            form = forms[term.term]
            if form in content and not form.isdigit():
                weights[form] += likelihood / len(found)
    total = sum(map(len, terms))
    share = _MOST_EXPANSION * total / (total + _HALF_EXPANSION_WORDS)
    return ExpansionWords(dict(weights.most_common(_WEIGHED_WORDS)), share)


def choose_expansion_words(weights: Mapping[str, float], rarities: Mapping[str, float]) -> tuple[str, ...]:
    """Return the words that tell the best documents from others.

    Args:
        weights: see `ExpansionWords`.
        rarities: inverse document frequency of each word; one that occurs only once is left out.
    """
    wanted = [word for word in weights if word in rarities]
    return tuple(sorted(wanted, key=lambda word: (-weights[word] * rarities[word], word))[:EXPANSION_WORDS])
