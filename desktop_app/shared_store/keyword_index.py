"""The word index of a shared library: sentences and passages of documents, ranked by BM25.

BM25 as in the local library's index (k1 = 1.2 and b = 0.75; of sentences BM25+ with delta = 1), so that both rank
alike. The commonest words are left out unless little else is found: they say little, and a word in a tenth of all
sentences takes half a second.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.query import NO_KEYWORDS
from desktop_app.core.word_conditions import WordGroup, WordStart, fold_words, has_words, iter_words_of
from desktop_app.shared_store.connection import Question
from desktop_app.shared_store.schema import PASSAGE_SENTENCES
from desktop_app.shared_store.scope_conditions import VISIBLE, ScopeCondition
from desktop_app.shared_store.sentences import TALLY
from desktop_app.shared_store.words import any_of, condition_query, join_queries, phrase_query

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.arrays import Ids, Scores
    from desktop_app.core.query import KeywordQuery
    from desktop_app.core.scope import Scope
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.core.word_conditions import ExactPhrase, WordCondition
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.paths import PathCodec


SENTENCES = "sentence"
PASSAGES = "passage"

MAX_RANKED_ROWS = 8000
"""Words are looked up from the rarest on, until so many rows match; a word that is everywhere says little."""
MAX_SCANNED_ROWS = 40_000
"""Up to so many rows are scanned, unranked, for those that are ranked; a word in more rows says nothing."""

_LEAST_RARITY = 1e-6
_K1, _B = 1.2, 0.75
DELTA = 1.0
"""What a word adds to the score of a sentence, however long that is, in parts of its inverse document frequency."""
_KNOWN_COUNTS = 4096

_PLACE = (
    f"SELECT FROM occurrence o JOIN document d ON d.live_id = o.version_id WHERE o.sentence_id = t.id AND {VISIBLE}"
)
# `ts_rank` of one word that occurs n times, all positions weighing the same, is 1 + 1/4 + ... + 1/n^2, over its limit.
_RANK_LIMIT = math.pi**2 / 6
_MOST_TIMES = 64
_SUMS = list(accumulate(1 / times**2 for times in range(1, _MOST_TIMES + 1)))
_BOUNDS = [0.5, *((a + b) / 2 for a, b in pairwise(_SUMS))]


@dataclass(frozen=True, eq=False)
class AllowedSentences:
    """The sentences that required and excluded words allow.

    Attributes:
        having: the only ones, ascending; None: all but `without`.
        without: those that are not allowed, ascending.
    """

    having: Ids | None
    without: Ids

    def allow(self, ids: Ids) -> NDArray[np.bool_]:
        """Return for each of `ids` whether it is allowed: bool [n]."""
        return ~np.isin(ids, self.without) if self.having is None else np.isin(ids, self.having)

    @cached_property
    def values(self) -> dict[str, object]:
        """The parameters of `condition`."""
        if self.having is not None:
            return {"having": self.having.tolist()}
        return {"without": self.without.tolist()} if len(self.without) else {}

    def condition(self, column: str) -> str:
        """Return the condition that the sentence in a column is allowed: empty, or beginning with AND."""
        # The rows of a list are looked up by their hashes, also if they are very many.
        if self.having is not None:
            return f" AND {column} IN (SELECT unnest(%(having)s::bigint[]))"
        return f" AND {column} NOT IN (SELECT unnest(%(without)s::bigint[]))" if len(self.without) else ""


_EVERY_SENTENCE = AllowedSentences(None, np.empty(0, np.int64))


def _allow(ids: Ids, *, has_must: bool) -> AllowedSentences:
    """Return the sentences that words allow: these, or all but these."""
    return AllowedSentences(ids, _EVERY_SENTENCE.without) if has_must else AllowedSentences(None, ids)


class SharedKeywordIndex:
    """Looks up words."""

    def __init__(self, database: SharedDatabase, paths: PathCodec) -> None:
        self._database = database
        self._paths = paths
        self._common: dict[tuple[str, str], int] = {}

    def ranked(
        self,
        index: str,
        keyword_query: KeywordQuery,
        most: int,
        *,
        all_words: bool = False,
        within: Scope | None = None,
    ) -> tuple[Ids, Scores]:
        """Return up to `most` rows with the words, best first: ids int64 [n], scores float32 [n], higher is better.

        Scores are BM25+ of sentences, BM25 of passages.

        Args:
            index: SENTENCES or PASSAGES.
            keyword_query: the words to find and to exclude.
            most: the maximum number of rows.
            all_words: include the commonest words.
            within: only sentences that are visible in a scope.
        """
        words = self.chosen_words(index, keyword_query, all_words=all_words)
        if not words:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        return self._database.answer(self.ranking(index, words, most, within, keyword_query))

    def ranking(
        self,
        index: str,
        words: Sequence[str],
        limit: int | None,
        within: Scope | None = None,
        limited_by: KeywordQuery = NO_KEYWORDS,
    ) -> Question[tuple[Ids, Scores]]:
        """Return the question for the rows with any of some words, best first: columns `id` and `score`.

        Args:
            index: SENTENCES or PASSAGES.
            words: as `tsquery`; their counts are read now if they are not known.
            limit: the maximum number of rows; None: all.
            within: only sentences that are visible in a scope.
            limited_by: only sentences that its required and excluded words allow; these are read now.
        """
        allowed = self.allowed(limited_by)
        condition, values = allowed.condition("t.id"), {**allowed.values}
        key = ("rank", index, tuple(words), limit, within, limited_by.must, limited_by.without)
        if within is not None:
            where = ScopeCondition(within, self._paths)
            condition += f" AND EXISTS ({_PLACE} AND {where.of_occurrence})"
            values |= where.values
        statement, own = self._ranking_statement(index, words, condition)
        order = f" ORDER BY score DESC, id{'' if limit is None else f' LIMIT {int(limit)}'}"
        return Question(key, statement + order, {**own, **values}, ranked_rows)

    def weight_expression(self, index: str, words: Sequence[str]) -> tuple[str, dict[str, object]]:
        """Return the expression for how much the words weigh that a row, called t, has; and its values.

        Args:
            index: SENTENCES or PASSAGES.
            words: from `weighed_words`.
        """
        total, _ = self._size(index)
        counts = self._count_all(index, words)
        values: dict[str, object] = {}
        for at, word in enumerate(words):
            values |= {f"weighed_{at}": word, f"weight_{at}": _rarity(counts[word], total)}
        parts = [f"(t.words @@ %(weighed_{at})s::tsquery)::int * %(weight_{at})s::float8" for at in range(len(words))]
        return " + ".join(parts) or "0.0::float8", values

    def _ranking_statement(self, index: str, words: Sequence[str], condition: str) -> tuple[str, dict[str, object]]:
        """Return the statement for id and score of the rows, called t, with any of some words; and its values."""
        total, terms = self._size(index)
        counts = self._count_all(index, words)
        each = "".join(f", {_times(word, at)} AS times_{at}" for at, word in enumerate(words))
        delta = DELTA if index == SENTENCES else 0.0
        parts = [
            f"%(rarity_{at})s::float8 * (times_{at} * {_K1 + 1}::float8 / (times_{at} + length_norm)"
            f" + {delta}::float8 * (times_{at} > 0)::int)"
            for at in range(len(words))
        ]
        statement = (
            f"SELECT id, {' + '.join(parts) or '0.0'} AS score FROM (SELECT t.id,"
            f" {_K1 * (1 - _B)}::float8 + {_K1 * _B}::float8 * t.size / %(mean)s::float8 AS length_norm{each}"
            f" FROM {index} t WHERE t.words @@ %(every)s::tsquery{condition} OFFSET 0) counted"
        )
        values: dict[str, object] = {
            "every": any_of(words),
            "mean": max(terms / max(total, 1), 1.0),
            "bounds": _BOUNDS,
        }
        for at, word in enumerate(words):
            values |= {f"word_{at}": word, f"rarity_{at}": _rarity(counts[word], total)}
        return statement, values

    def chosen_words(self, index: str, keyword_query: KeywordQuery, *, all_words: bool = False) -> list[str]:
        """Return the words that rank rows, as `tsquery`: without the commonest unless `all_words`."""
        words = phrase_queries(keyword_query)
        if not all_words:
            words = self._rarest(index, words)
        return list(dict.fromkeys([*words, *required_queries(keyword_query)]))

    def words_among(self, index: str, keyword_query: KeywordQuery) -> list[str]:
        """Return the words that `ranked_among` counts, as `tsquery`: all but the commonest."""
        return self._rarest(index, self._scanned(index, phrase_queries(keyword_query)))

    def weighed_words(self, index: str, keyword_query: KeywordQuery) -> list[str]:
        """Return the words that `shares` counts, as `tsquery`: those of `words_among`, and the required ones."""
        required = self._scanned(index, required_queries(keyword_query))
        return list(dict.fromkeys([*self.words_among(index, keyword_query), *required]))

    def _scanned(self, index: str, queries: Sequence[str]) -> list[str]:
        counts = self._count_all(index, queries)
        return [query for query, count in counts.items() if 0 < count <= MAX_SCANNED_ROWS]

    def allowed(self, keyword_query: KeywordQuery) -> AllowedSentences:
        """Return the sentences that the required and excluded words allow."""
        if not keyword_query.is_restrictive:
            return _EVERY_SENTENCE
        return self._database.answer(self.allowed_question(keyword_query))

    def allowed_question(self, keyword_query: KeywordQuery) -> Question[AllowedSentences]:
        """Return the question for the sentences that the required and excluded words allow.

        The server knows stems alone: of what must have certain letters, it sends the texts.
        """
        must, without = WordGroup(keyword_query.must, is_any=False), WordGroup(keyword_query.without, is_any=True)
        words = list(dict.fromkeys(iter_words_of(WordGroup((*must.parts, *without.parts), is_any=True))))
        key = ("allowed", must.parts, without.parts)
        if all(isinstance(word, str) for word in words):
            excluded = _may_satisfy(without)
            every = _may_satisfy(must) if must.parts else excluded
            if must.parts and every and excluded:
                every = f"({every}) & !({excluded})"
            return Question(
                key,
                "SELECT array_agg(t.id ORDER BY t.id) AS ids FROM sentence t WHERE t.words @@ %(every)s::tsquery",
                {"every": every},
                lambda rows: _allow(np.array(rows[0].ids or [], np.int64), has_must=bool(must.parts)),
            )
        folded = [None if isinstance(word, str) else _letters_of(word) for word in words]
        each = "".join(f", t.words @@ %(word_{at})s::tsquery AS has_{at}" for at in range(len(words)))

        def read(rows: list[AnyRow]) -> AllowedSentences:
            ids = np.fromiter((row.id for row in rows), np.int64, len(rows))
            having: dict[WordCondition, NDArray[np.bool_]] = {
                word: np.fromiter(
                    (row[at] and (letters is None or has_words(row.text, letters)) for row in rows), np.bool_, len(rows)
                )
                for at, (word, letters) in enumerate(zip(words, folded, strict=True), start=2)
            }
            excluded = _evaluate(without, having) if without.parts else np.zeros(len(rows), np.bool_)
            kept = _evaluate(must, having) & ~excluded if must.parts else excluded
            return _allow(np.sort(ids[kept]), has_must=bool(must.parts))

        return Question(
            key,
            f"SELECT t.id, t.text{each} FROM sentence t WHERE t.words @@ %(every)s::tsquery",
            {
                "every": _may_satisfy(must if must.parts else without),
                **{f"word_{at}": condition_query(word) for at, word in enumerate(words)},
            },
            read,
        )

    def is_common(self, index: str, keyword_query: KeywordQuery) -> bool:
        """Return whether even the rarest of the words occurs in so many rows that ranking them all takes long."""
        if keyword_query.must:
            return False
        counts = self._count_all(index, phrase_queries(keyword_query))
        return min(filter(None, counts.values()), default=0) > MAX_RANKED_ROWS

    def ranked_among(self, index: str, keyword_query: KeywordQuery, ids: Sequence[int]) -> dict[int, float]:
        """Return the score of those of `ids` with any of the words but the commonest; empty if all are common."""
        words = self.words_among(index, keyword_query)
        if not words:
            return {}

        def rank(unknown: list[int]) -> dict[int, float]:
            statement, values = self._ranking_statement(index, words, " AND t.id = ANY(%(ids)s::bigint[])")
            found, scores = ranked_rows(self._database.rows(statement, **values, ids=unknown))
            return dict(zip(found.tolist(), scores.tolist(), strict=True))

        ranked = self._database.answer_each(("among", index, tuple(words)), list(ids), rank)
        if ranked and keyword_query.is_restrictive:
            found = np.fromiter(ranked, np.int64, len(ranked))
            allowed = set(found[self.allowed(keyword_query).allow(found)].tolist())
            ranked = {number: score for number, score in ranked.items() if number in allowed}
        return ranked

    def shares(self, index: str, keyword_query: KeywordQuery, ids: Sequence[int]) -> dict[int, float]:
        """Return the share of the words in those of `ids` with any but the commonest; see `weight`."""
        words = self.weighed_words(index, keyword_query)
        if not words:
            return {}

        def weigh(unknown: list[int]) -> dict[int, float]:
            expression, values = self.weight_expression(index, words)
            statement = f"SELECT t.id, {expression} AS weight FROM {index} t WHERE t.id = ANY(%(ids)s::bigint[])"
            return {row.id: row.weight for row in self._database.rows(statement, **values, ids=unknown)}

        found = self._database.answer_each(weights_key(words), list(ids), weigh)
        whole = max(self.weight(index, keyword_query), _LEAST_RARITY)
        return {number: min(weight / whole, 1.0) for number, weight in found.items() if weight > 0}

    def documents_question(self, keyword_query: KeywordQuery) -> Question[frozenset[int]]:
        """Return the question for the documents that the required and excluded words allow, wherever they occur."""
        must, without = WordGroup(keyword_query.must, is_any=False), WordGroup(keyword_query.without, is_any=True)
        words = list(dict.fromkeys(iter_words_of(WordGroup((*must.parts, *without.parts), is_any=True))))
        parts = [] if must.parts else [f"SELECT -1 AS word, d.id, NULL AS text FROM document d WHERE {VISIBLE}"]
        for at, word in enumerate(words):
            has, is_any_form = f"words @@ %(word_{at})s::tsquery", isinstance(word, str)
            texts = (
                " JOIN occurrence o ON o.version_id = p.version_id AND o.ordinal >= p.first"
                f" AND o.ordinal < p.first + {PASSAGE_SENTENCES} JOIN sentence s ON s.id = o.sentence_id AND s.{has}"
            )
            parts.append(
                f"SELECT DISTINCT {at} AS word, d.id, {'NULL' if is_any_form else 's.text'} AS text FROM passage p"
                f" JOIN document d ON d.live_id = p.version_id{'' if is_any_form else texts} WHERE p.{has}"
            )

        def read(rows: list[AnyRow]) -> frozenset[int]:
            having: dict[WordCondition, set[int]] = {word: set() for word in words}
            every = set()
            for row in rows:
                if row.word < 0:
                    every.add(row.id)
                elif isinstance(word := words[row.word], str) or has_words(row.text, _letters_of(word)):
                    having[word].add(row.id)
            left = _find_documents(must, having) if must.parts else every
            return frozenset(left.difference(*(_find_documents(part, having) for part in without.parts)))

        return Question(
            ("documents", must.parts, without.parts),
            " UNION ALL ".join(parts),
            {f"word_{at}": condition_query(word) for at, word in enumerate(words)},
            read,
        )

    def has_word(self, index: str, word: str, *, is_beginning: bool = False) -> bool:
        """Return whether a row has a word, or with `is_beginning` one that begins with it."""
        query = phrase_query(word)
        if not query:
            return False
        if is_beginning:
            query += ":*"

        def look(_: list[str]) -> dict[str, int]:
            found = self._database.rows(f"SELECT FROM {index} WHERE words @@ %(query)s::tsquery LIMIT 1", query=query)
            return {query: len(found)}

        if (index, query) in self._common:
            return True
        return self._database.answer_each(("count", index), [query], look)[query] > 0

    def count_words(self, index: str, words: Sequence[str]) -> dict[str, int]:
        """Return in how many rows each of many words is, without those that are in none."""
        queries = {word: query for word in words if (query := phrase_query(word))}
        counts = self._count_all(index, queries.values())
        return {word: count for word, query in queries.items() if (count := counts[query])}

    def weight(self, index: str, keyword_query: KeywordQuery) -> float:
        """Return the BM25 of a row of average length that contains every word once."""
        total, _ = self._size(index)
        return sum(_rarity(count, total) for count in self._count_all(index, _weighed(keyword_query)).values())

    def rarities(self, index: str, words: Sequence[str]) -> dict[str, float]:
        """Return the inverse frequency of each word that at least two rows have."""
        total, _ = self._size(index)
        queries = {word: query for word in words if (query := phrase_query(word))}
        counts = self._count_all(index, list(queries.values()))
        return {word: _rarity(counts[query], total) for word, query in queries.items() if counts[query] > 1}

    def _rarest(self, index: str, words: list[str]) -> list[str]:
        """Return the rarest of some words, as long as few enough rows match; at least one that is anywhere."""
        counted = sorted((count, word) for word, count in self._count_all(index, words).items())
        chosen: list[str] = []
        total = 0
        for count, word in counted:
            total += count
            if chosen and total > MAX_RANKED_ROWS:
                break
            if count:
                chosen.append(word)
        return chosen

    def _size(self, index: str) -> tuple[int, int]:
        """Return how many rows an index has, and how many words."""
        if index == SENTENCES:
            counted = self._database.answer(TALLY)
            return counted.get("sentences", 0), counted.get("terms", 0)
        return self._database.answer(PASSAGE_SIZE)

    def _count_all(self, index: str, queries: Iterable[str]) -> dict[str, int]:
        """Return in how many rows each query matches, all of them in one statement."""
        asked = list(dict.fromkeys(queries))
        common = {query: self._common[index, query] for query in asked if (index, query) in self._common}

        def count(unknown: list[str]) -> dict[str, int]:
            question = _counts_question(index, unknown)
            return self._kept(index, question.read(self._database.rows(question.statement, **question.values)))

        rare = [query for query in asked if query not in common]
        return common | self._database.answer_each(("count", index), rare, count)

    def documents_ranking_question(self, words: Sequence[str], scope: Scope) -> Question[dict[int, float]]:
        """Return the question for the visible documents with any of some words, by the BM25 of their best passages."""
        where = ScopeCondition(scope, self._paths)
        statement, values = self._ranking_statement(PASSAGES, words, "")
        return Question(
            ("ranked documents", tuple(words), scope),
            f"SELECT d.id, max(r.score)::real AS score FROM ({statement}) r JOIN passage p ON p.id = r.id"
            f" JOIN document d ON d.live_id = p.version_id AND {VISIBLE} AND {where.of_document}"
            " GROUP BY d.id ORDER BY score DESC, d.id",
            {**values, **where.values},
            lambda rows: {row.id: row.score for row in rows},
        )

    def counts_question(self, index: str, keyword_queries: Iterable[KeywordQuery]) -> Question[dict[str, int]]:
        """Return the question for the counts of words that no search has shown to be common; see `learn_counts`."""
        words = dict.fromkeys(query for each in keyword_queries for query in _weighed(each))
        return _counts_question(index, [query for query in words if (index, query) not in self._common])

    def learn_counts(self, index: str, counts: dict[str, int]) -> None:
        """Keep the answer to `counts_question` until the end of the search."""
        self._database.learn_each(("count", index), self._kept(index, counts))

    def _kept(self, index: str, counts: dict[str, int]) -> dict[str, int]:
        """Return counts; those of common words, which take longest and change least, are kept for good."""
        if len(self._common) >= _KNOWN_COUNTS:
            self._common.clear()
        self._common |= {(index, query): count for query, count in counts.items() if count > MAX_RANKED_ROWS // 8}
        return counts


PASSAGE_SIZE: Question[tuple[int, int]] = Question(
    "passages",
    "SELECT count(*) AS total, coalesce(sum(size), 0)::bigint AS terms FROM passage",
    {},
    lambda rows: (int(rows[0].total), int(rows[0].terms)),
)
"""How many passages there are, and how many words."""


def weights_key(words: Sequence[str]) -> tuple[object, ...]:
    """Return the key of answers to how much the words weigh that a sentence has."""
    return ("weights", *words)


def ranked_rows(rows: list[AnyRow]) -> tuple[Ids, Scores]:
    """Return the ids and scores of a ranking's rows."""
    ids = np.fromiter((row.id for row in rows), np.int64, len(rows))
    return ids, np.fromiter((row.score for row in rows), np.float32, len(rows))


def phrase_queries(keyword_query: KeywordQuery) -> list[str]:
    """Return the words and phrases that a text should have, as `tsquery`."""
    return [query for query in dict.fromkeys(map(phrase_query, keyword_query.any)) if query]


def required_queries(keyword_query: KeywordQuery) -> list[str]:
    """Return the required words, phrases and beginnings, as `tsquery`."""
    required = (condition_query(word) for part in keyword_query.must for word in iter_words_of(part))
    return [query for query in dict.fromkeys(required) if query]


def _weighed(keyword_query: KeywordQuery) -> list[str]:
    """Return what counts for the rank of a text, as `tsquery`."""
    return list(dict.fromkeys([*phrase_queries(keyword_query), *required_queries(keyword_query)]))


def _letters_of(condition: ExactPhrase | WordStart) -> str:
    """Return what `has_words` looks for."""
    folded = fold_words(condition.text)
    return folded[:-1] if isinstance(condition, WordStart) else folded


def _may_satisfy(condition: WordCondition) -> str:
    """Return a `tsquery` for all texts that may satisfy a condition; empty if none can."""
    if isinstance(condition, WordGroup):
        return join_queries(map(_may_satisfy, condition.parts), is_any=condition.is_any)
    return condition_query(condition)


def _find_documents(condition: WordCondition, having: Mapping[WordCondition, set[int]]) -> set[int]:
    """Return the documents that satisfy a condition, by those that have each word."""
    if isinstance(condition, WordGroup):
        parts = [_find_documents(part, having) for part in condition.parts]
        return set.union(*parts) if condition.is_any else set.intersection(*parts)
    return having[condition]


def _evaluate(condition: WordCondition, having: Mapping[WordCondition, NDArray[np.bool_]]) -> NDArray[np.bool_]:
    """Return which texts satisfy a condition: bool [n], by which of them have each word."""
    if isinstance(condition, WordGroup):
        join = np.logical_or if condition.is_any else np.logical_and
        return reduce(join, (_evaluate(part, having) for part in condition.parts))
    return having[condition]


def _counts_question(index: str, queries: Sequence[str]) -> Question[dict[str, int]]:
    # Counting stops where the word is known to be common.
    return Question(
        ("counts", index, *queries),
        "SELECT w.query, (SELECT count(*) FROM"
        f" (SELECT FROM {index} t WHERE t.words @@ w.query::tsquery LIMIT {MAX_SCANNED_ROWS + 1}) c) AS found"
        " FROM unnest(%(queries)s::text[]) AS w (query)",
        {"queries": list(queries)},
        lambda rows: {row.query: int(row.found) for row in rows},
    )


def _times(query: str, at: int) -> str:
    """Return the expression for how often a row has the word with a number; a phrase occurs once where it occurs.

    The rank tells it in a sixth of the time that unpacking the `tsvector` takes.
    """
    asked = f"%(word_{at})s::tsquery"
    if " <-> " in query or query.endswith(":*"):
        return f"(t.words @@ {asked})::int"
    rank = f"ts_rank('{{1,1,1,1}}', t.words, {asked})"
    return f"width_bucket({rank}::float8 * {_RANK_LIMIT}::float8, %(bounds)s::float8[])"


def _rarity(count: int, rows: int) -> float:
    """Return the inverse document frequency of a word, never below a small positive number."""
    return max(math.log(max(rows - count + 0.5, 0.5) / (count + 0.5)), _LEAST_RARITY)
