"""Combines the searches of several queries at once: results good for any of them, or for each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.records import ScoredSentence
from desktop_app.core.score_fusion import WORDS_WEIGHT, fuse_document_scores, fuse_sentence_scores
from desktop_app.core.word_conditions import WordGroup
from desktop_app.engine.part_search import CANDIDATES_WITH_WORDS, DOCUMENT_CANDIDATES, methods_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.jobs import Steps
    from desktop_app.core.library import Library
    from desktop_app.core.records import SearchMode
    from desktop_app.core.scope import Scope
    from desktop_app.core.word_conditions import WordCondition
    from desktop_app.engine.part_search import PartSearch
    from desktop_app.engine.requests import SearchRequest

    PartScores = tuple[float | None, ...]

_CANDIDATES_FOR_ALL = 500
"""At least so many nearest sentences of each query, and of their mean, are compared with every query: on 12,000
sentences of novels they hold the ten best of all 12 pairs of queries, and 91% of the 200 best."""


@dataclass(frozen=True, slots=True)
class CombinedDocument:
    """A document found: its score, its score for each query, and its best sentences."""

    document_id: int
    score: float
    part_scores: PartScores
    best: Sequence[ScoredSentence]


class CombinedSearch:
    """Searches with several queries and makes one ranking.

    For `any` the best score of a result counts, for `all` the weakest. The words in a search by words count as their
    share of the query's words: BM25 of different words is not comparable.

    Args:
        library: where to look.
        parts: a search for each query.
        request: the search.
        scope: the part of the library.
        is_match_all: whether a result must be good for every query.
    """

    def __init__(
        self, library: Library, parts: Sequence[PartSearch], request: SearchRequest, scope: Scope, *, is_match_all: bool
    ) -> None:
        self._library = library
        self._parts = parts
        self._request = request
        self._scope = scope
        self._is_match_all = is_match_all
        self._with_vector = [part for part in parts if part.has_vector]
        self.mode: SearchMode = "words" if all(part.mode == "words" for part in parts) else request.mode
        if is_match_all:
            self._require_every_part()

    def _require_every_part(self) -> None:
        """Make the conditions of each part those of all; of a part searched by words alone a word is required."""
        must: dict[WordCondition, None] = {}
        without: dict[WordCondition, None] = {}
        for part in self._parts:
            own = part.query.keyword_query
            must.update(dict.fromkeys(own.must))
            without.update(dict.fromkeys(own.without))
            if part.mode == "words" and own.any:
                must[WordGroup(own.any, is_any=True)] = None
        for part in self._parts:
            part.require(tuple(must), tuple(without))

    def find_sentences(self) -> Steps[list[ScoredSentence]]:
        """Return the best sentences, best first, step by step."""
        if self._is_match_all:
            if self._request.mode == "meaning" and len(self._with_vector) < len(self._parts):
                return []  # nothing is good for a query that the model does not know
            ranked = yield from self._find_for_all()
        else:
            ranked = yield from self._find_for_any()
        least = self._request.min_score if self.mode != "words" else -1.0
        kept = [(key, near) for key, near in ranked if near.score >= least]
        kept.sort(key=lambda each: (-each[0], each[1].sentence_id))
        return [near for _, near in kept[: self._request.top_k]]

    def _find_for_any(self) -> Steps[list[tuple[float, ScoredSentence]]]:
        """Return what any part finds, with the highest score that ranks it in one of them."""
        keys: dict[int, float] = {}
        methods: dict[int, set[str]] = {}
        found_by: list[set[int]] = []
        for part in self._parts:
            with self._library.read_transaction():
                found, ranking = part.rank_sentences()
                if part.mode == "words":
                    weight = WORDS_WEIGHT if self.mode == "both" else 1.0
                    ranking = (weight * self._share_of_bm25(part, ranking)).tolist()
            yield None
            for near, key in zip(found, ranking, strict=True):
                keys[near.sentence_id] = max(key, keys.get(near.sentence_id, key))
                methods.setdefault(near.sentence_id, set()).update(near.matched_by)
            found_by.append({near.sentence_id for near in found})
        scores = self._score_parts(list(keys))
        # A part with conditions of its own says nothing about sentences that do not satisfy them.
        limited = [
            own if part.query.keyword_query.is_restrictive else None
            for part, own in zip(self._parts, found_by, strict=True)
        ]
        ranked = []
        for sentence_id, own in scores.items():
            counting = [
                score
                for score, among in zip(own, limited, strict=True)
                if score is not None and (among is None or sentence_id in among)
            ] or [score for score in own if score is not None]
            methods_found = methods_of("meaning" in methods[sentence_id], "words" in methods[sentence_id])
            ranked.append((keys[sentence_id], ScoredSentence(sentence_id, max(counting), methods_found, own)))
        return ranked

    def _find_for_all(self) -> Steps[list[tuple[float, ScoredSentence]]]:
        """Return candidates for every part, with the lowest of the scores that rank them."""
        wanted = max(_CANDIDATES_FOR_ALL, 2 * self._request.top_k)
        nearest: set[int] = set()
        others: set[int] = set()
        for part in self._with_vector:
            with self._library.read_transaction():
                nearest.update(near.sentence_id for near in part.nearest(wanted)[0])
            yield None
        if len(self._with_vector) > 1:
            mean = np.mean([part.ranking_vector for part in self._with_vector], axis=0)
            if (length := float(np.linalg.norm(mean))) > 1e-3:
                with self._library.read_transaction():
                    found = self._library.search.nearest(
                        np.asarray(mean / length, np.float32),
                        wanted,
                        scope=self._scope,
                        keyword_query=self._with_vector[0].keyword_query,
                    )
                    nearest.update(near.sentence_id for near in found)
                yield None
        words = self._library.keyword_search
        if self.mode != "meaning":
            limit = self._request.top_k if self.mode == "words" else CANDIDATES_WITH_WORDS
            for part in self._parts:
                with self._library.read_transaction():
                    matching = words.find_sentences(part.keyword_query, limit, scope=self._scope)
                    others.update(near.sentence_id for near in matching)
                yield None
        ids = sorted(nearest | others)
        with self._library.read_transaction():
            scores = self._score_parts(ids)
            ids = list(scores)
            keys, shares = np.full(len(ids), np.inf), np.zeros(len(ids))
            has_words = np.full(len(ids), self.mode != "meaning")
            for part in self._parts:
                with_words: Mapping[int, float] = {}
                if self.mode != "meaning":
                    ask = words.score_among if self.mode == "words" else words.word_shares
                    with_words = ask(part.keyword_query, ids)
                    has_words &= np.array([each in with_words for each in ids], np.bool_)
                of_words = [with_words.get(each, 0.0) for each in ids]
                if part.has_vector:
                    cosines = part.cosines(ids, is_ranking=True)
                    own = fuse_sentence_scores([cosines.get(each, -1.0) for each in ids], of_words)
                elif self.mode == "words":
                    own = self._share_of_bm25(part, of_words)
                else:  # it has its words, as required: how many is no measure of how well it fits
                    shares += WORDS_WEIGHT * np.asarray(of_words)
                    continue
                keys = np.minimum(keys, own)
            keys += shares
        return [
            (
                float(keys[at]),
                ScoredSentence(
                    each,
                    min(score for score in scores[each] if score is not None),
                    methods_of(each in nearest, bool(has_words[at])),
                    scores[each],
                ),
            )
            for at, each in enumerate(ids)
        ]

    def _score_parts(self, sentence_ids: Sequence[int]) -> dict[int, PartScores]:
        """Return the score of sentences for each part: cosines, None for unknown queries; or BM25 of all."""
        if self.mode == "words":
            words = self._library.keyword_search
            tables = [words.score_among(part.query.keyword_query, sentence_ids) for part in self._parts]
            return {each: tuple(table.get(each, 0.0) for table in tables) for each in sentence_ids}
        cosines = [part.cosines(sentence_ids) if part.has_vector else None for part in self._parts]
        known = next(table for table in cosines if table is not None)
        return {
            each: tuple(table[each] if table is not None else None for table in cosines)
            for each in sentence_ids
            if each in known
        }

    @staticmethod
    def _share_of_bm25(part: PartSearch, bm25: Sequence[float]) -> NDArray[np.float64]:
        """Return BM25 as a share of that of all words of a query, at most 1: BM25 itself differs between queries."""
        return np.minimum(np.asarray(bm25, np.float64) / max(part.weight, 1e-9), 1.0)

    # Documents

    def find_documents(self) -> Steps[list[CombinedDocument]]:
        """Return the best documents, best first, step by step.

        Different sentences of a document may be good for different queries.
        """
        if self._is_match_all and self._request.mode == "meaning" and len(self._with_vector) < len(self._parts):
            return []
        candidates: list[dict[int, None]] = []
        for part in self._parts:
            own: dict[int, None] = {}
            if part.has_vector:
                own.update(dict.fromkeys(each[0] for each in part.nearest_documents(self._wanted_documents)))
            if part.mode != "meaning":
                own.update(dict.fromkeys(list(part.document_words)[: self._wanted_documents]))
            candidates.append(own)
            yield None
        ids = list(dict.fromkeys(each for own in candidates for each in own))
        keys, scores, nearness, best = yield from self._score_documents(ids)
        combine, combine_scores = (np.min, np.nanmin) if self._is_match_all else (np.max, np.nanmax)
        joint = combine(keys, axis=0)
        kept = np.isfinite(joint) & ~np.isnan(scores).all(axis=0)
        if self.mode == "words":
            kept &= joint > 0
        else:
            kept &= combine(nearness, axis=0) >= self._request.min_score
        order = sorted(np.flatnonzero(kept).tolist(), key=lambda at: (-joint[at], ids[at]))
        found: list[CombinedDocument] = []
        for at in order:
            if len(found) == self._request.top_k:
                break
            if self.mode == "words" and self._has_words_only_outside(ids[at], keys[:, at]):
                continue
            own_scores = tuple(None if np.isnan(each) else float(each) for each in scores[:, at])
            rows: list[Sequence[ScoredSentence]]
            rows = [part.best_by_words(ids[at]) for part in self._parts] if self.mode == "words" else best[ids[at]]
            score = float(combine_scores(scores[:, at]))
            found.append(CombinedDocument(ids[at], score, own_scores, self._best_sentences(rows)))
            yield None
        return found

    def _has_words_only_outside(self, document_id: int, keys: NDArray[np.float64]) -> bool:
        """Return whether a document is found only by words in passages that are not searched.

        Args:
            document_id: the document.
            keys: its score for each part, float64 [parts].
        """
        outside = [
            part.has_words_only_outside(document_id) for part, key in zip(self._parts, keys, strict=True) if key > 0
        ]
        return any(outside) if self._is_match_all else all(outside)

    def _score_documents(
        self, ids: Sequence[int]
    ) -> Steps[
        tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], dict[int, list[Sequence[ScoredSentence]]]]
    ]:
        """Return the scores of documents for each part, each float64 [parts, n], and their best sentences.

        First those that rank them (-inf for one that does not satisfy the part's conditions), then those to show (NaN
        if there is none), then those by meaning.
        """
        keys = np.full((len(self._parts), len(ids)), -np.inf)
        scores, nearness = np.full_like(keys, np.nan), np.full_like(keys, 1.0 if self._is_match_all else -1.0)
        best: dict[int, list[Sequence[ScoredSentence]]] = {each: [] for each in ids}
        place = {each: at for at, each in enumerate(ids)}
        for nth, part in enumerate(self._parts):
            allowed = part.document_scope.document_ids
            asked = [each for each in ids if allowed is None or each in allowed]
            if part.has_vector:
                rows = part.score_documents(asked)
                columns = [place[each] for each, _, _ in rows]
                nearness[nth, columns] = [score for _, score, _ in rows]
                scores[nth, columns] = part.fuse_documents(rows) if part.mode == "both" else nearness[nth, columns]
                keys[nth, columns] = scores[nth, columns]
                for document_id, _, own_best in rows:
                    best[document_id].append(own_best)
            elif part.mode == "words":
                columns = [place[each] for each in asked]
                bm25 = np.array([part.document_words.get(each, 0.0) for each in asked])
                if self.mode == "words":
                    scores[nth, columns], keys[nth, columns] = bm25, bm25 / max(float(bm25.max(initial=0.0)), 1e-9)
                else:
                    keys[nth, columns] = fuse_document_scores(np.zeros(len(asked)), bm25)
            yield None
        return keys, scores, nearness, best

    @property
    def _wanted_documents(self) -> int:
        return max(self._request.top_k, DOCUMENT_CANDIDATES)

    def _best_sentences(self, rows: Iterable[Sequence[ScoredSentence]]) -> list[ScoredSentence]:
        """Return the best sentences of a document, each with its scores for all parts.

        If it must be good for each part, those for each part in turn.
        """
        turns = [near for turn in zip_longest(*rows) for near in turn if near is not None]
        if not self._is_match_all:
            turns.sort(key=lambda near: -near.score)
        chosen: dict[int, ScoredSentence] = {}
        for near in turns:
            chosen.setdefault(near.sentence_id, near)
        first = list(chosen.values())[: max(self._request.best, len(self._parts)) if self._request.best else 0]
        scores = self._score_parts([near.sentence_id for near in first])
        return [replace(near, part_scores=scores.get(near.sentence_id, ())) for near in first]
