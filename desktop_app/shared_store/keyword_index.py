"""The word index of a shared library: sentences and passages of documents, ranked by BM25.

BM25 as in the local library's index (k1 = 1.2 and b = 0.75), so that both rank alike. The commonest words are left out
unless little else is found: they say little, and a word in a tenth of all sentences takes half a second.
"""

from __future__ import annotations

import math
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.word_conditions import WordGroup, WordStart, fold_words, has_words, iter_words_of
from desktop_app.shared_store.sentences import read_tally
from desktop_app.shared_store.words import any_of, condition_query, phrase_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop_app.core.query import KeywordQuery
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.core.word_conditions import WordCondition
    from desktop_app.shared_store.connection import SharedDatabase

    Ids = NDArray[np.int64]
    Scores = NDArray[np.float32]

SENTENCES = "sentence"
PASSAGES = "passage"

PASSAGE_SENTENCES = 500
"""Sentences whose words are indexed together: their positions fit into a `tsvector`."""

MAX_RANKED_ROWS = 8000
"""Words are looked up from the rarest on, until so many rows match; a word that is everywhere says little."""
MAX_SCANNED_ROWS = 40_000
"""Up to so many rows are scanned, unranked, for those that are ranked; a word in more rows says nothing."""

_LEAST_RARITY = 1e-6
_K1, _B = 1.2, 0.75
_KNOWN_COUNTS = 4096
_EVERY_ROW = -1

# A phrase occurs once where it occurs; a single word as often as the index says.
_SCORE = (
    "(SELECT sum(CASE WHEN t.words @@ w.query THEN w.rarity * f.times * (%(k1)s + 1)"
    " / (f.times + %(k1)s * (1 - %(b)s + %(b)s * t.size / %(mean)s)) ELSE 0 END) FROM"
    " unnest(%(queries)s::text[]::tsquery[], %(stems)s::text[], %(rarities)s::float8[]) AS w (query, stem, rarity)"
    " CROSS JOIN LATERAL (SELECT coalesce((SELECT cardinality(u.positions) FROM unnest(t.words) AS u"
    " WHERE u.lexeme = w.stem), 1) AS times) f)"
)


class SharedKeywordIndex:
    """Looks up words."""

    def __init__(self, database: SharedDatabase) -> None:
        self._database = database
        self._common: dict[tuple[str, str], int] = {}

    def ranked(
        self, index: str, keyword_query: KeywordQuery, most: int, *, all_words: bool = False, is_restricted: bool = True
    ) -> tuple[Ids, Scores]:
        """Return up to `most` rows with the words, best first: ids int64 [n], BM25 float32 [n], higher is better.

        Args:
            index: SENTENCES or PASSAGES.
            keyword_query: the words to find and to exclude.
            most: the maximum number of rows.
            all_words: include the commonest words.
            is_restricted: leave out rows without the required words, and rows with excluded ones.
        """
        words = [query for query in dict.fromkeys(map(phrase_query, keyword_query.any)) if query]
        if not all_words:
            words = self._rarest(index, words)
        words += [
            query for part in keyword_query.must for word in iter_words_of(part) if (query := condition_query(word))
        ]
        if not words:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        is_limited = is_restricted and keyword_query.is_restrictive
        limit = None if is_limited or most == _EVERY_ROW else most
        ids, scores = self._rank(index, list(dict.fromkeys(words)), "", limit)
        if is_limited:
            kept = self.are_allowed(index, keyword_query, ids)
            ids, scores = ids[kept], scores[kept]
            if most != _EVERY_ROW:
                ids, scores = ids[:most], scores[:most]
        return ids, scores

    def _rank(
        self, index: str, words: list[str], condition: str, limit: int | None, **values: object
    ) -> tuple[Ids, Scores]:
        total, terms = self._size(index)
        counts = self._count_all(index, words)
        rows = self._database.rows(
            f"SELECT t.id, {_SCORE} AS score FROM {index} t WHERE t.words @@ %(every)s::tsquery{condition}"
            " ORDER BY score DESC, t.id LIMIT %(limit)s",
            every=any_of(words),
            limit=limit,
            k1=_K1,
            b=_B,
            mean=max(terms / max(total, 1), 1.0),
            queries=words,
            stems=[_only_stem(word) for word in words],
            rarities=[_rarity(counts[word], total) for word in words],
            **values,
        )
        ids = np.fromiter((row.id for row in rows), np.int64, len(rows))
        return ids, np.fromiter((row.score for row in rows), np.float32, len(rows))

    def are_allowed(self, index: str, keyword_query: KeywordQuery, ids: Ids) -> NDArray[np.bool_]:
        """Return for each of `ids` whether it has the required words and none of the excluded: bool [n]."""
        allowed = np.ones(len(ids), np.bool_)
        for part in keyword_query.must:
            allowed &= np.isin(ids, self.rows_with(index, part))
        for part in keyword_query.without:
            allowed &= ~np.isin(ids, self.rows_with(index, part))
        return allowed

    def is_common(self, index: str, keyword_query: KeywordQuery) -> bool:
        """Return whether even the rarest of the words occurs in so many rows that ranking them all takes long."""
        if keyword_query.must:
            return False
        counts = self._count_all(index, [query for word in keyword_query.any if (query := phrase_query(word))])
        return min(filter(None, counts.values()), default=0) > MAX_RANKED_ROWS

    def ranked_among(self, index: str, keyword_query: KeywordQuery, ids: Sequence[int]) -> dict[int, float]:
        """Return the BM25 of those of `ids` with any of the words but the commonest; empty if all are common."""
        asked = [query for query in dict.fromkeys(map(phrase_query, keyword_query.any)) if query]
        words = [query for query, count in self._count_all(index, asked).items() if 0 < count <= MAX_SCANNED_ROWS]
        if not words:
            return {}
        found, scores = self._rank(
            index, self._rarest(index, words), " AND t.id = ANY(%(ids)s::bigint[])", None, ids=list(ids)
        )
        if len(found) and keyword_query.is_restrictive:
            allowed = self.are_allowed(index, keyword_query, found)
            found, scores = found[allowed], scores[allowed]
        return dict(zip(found.tolist(), scores.tolist(), strict=True))

    def rows_with(self, index: str, condition: WordCondition) -> Ids:
        """Return the ids of the rows that satisfy a condition, ascending."""
        if isinstance(condition, WordGroup):
            join = np.union1d if condition.is_any else np.intersect1d
            return reduce(join, (self.rows_with(index, part) for part in condition.parts))
        query = condition_query(condition)
        if not query:
            return np.empty(0, np.int64)
        if isinstance(condition, str):
            ids = self._database.column(f"SELECT id FROM {index} WHERE words @@ %(query)s::tsquery", query=query)
        else:
            folded = fold_words(condition.text)
            if isinstance(condition, WordStart):
                folded = folded[:-1]
            ids = [row.id for row in self._texts_with(index, query) if has_words(row.text, folded)]
        return np.sort(np.array(ids, np.int64))

    def _texts_with(self, index: str, query: str) -> list[AnyRow]:
        """Return id and text of the rows with the stems: the letters are compared here."""
        if index == SENTENCES:
            return self._database.rows("SELECT id, text FROM sentence WHERE words @@ %(query)s::tsquery", query=query)
        return self._database.rows(
            "SELECT p.id, s.text FROM passage p JOIN occurrence o ON o.version_id = p.version_id"
            " AND o.ordinal >= p.first AND o.ordinal < p.first + %(size)s JOIN sentence s ON s.id = o.sentence_id"
            " WHERE p.words @@ %(query)s::tsquery AND s.words @@ %(query)s::tsquery",
            query=query,
            size=PASSAGE_SENTENCES,
        )

    def has_word(self, index: str, word: str, *, is_beginning: bool = False) -> bool:
        """Return whether a row has a word, or with `is_beginning` one that begins with it."""
        query = phrase_query(word)
        if not query:
            return False
        return bool(
            self._database.rows(
                f"SELECT FROM {index} WHERE words @@ %(query)s::tsquery LIMIT 1",
                query=f"{query}:*" if is_beginning else query,
            )
        )

    def weight(self, index: str, keyword_query: KeywordQuery) -> float:
        """Return the BM25 of a row of average length that contains every word once."""
        required = (condition_query(word) for part in keyword_query.must for word in iter_words_of(part))
        queries = [query for query in dict.fromkeys([*map(phrase_query, keyword_query.any), *required]) if query]
        total, _ = self._size(index)
        return sum(_rarity(count, total) for count in self._count_all(index, queries).values())

    def rarities(self, index: str, words: Sequence[str]) -> dict[str, float]:
        """Return the inverse frequency of each word that at least two rows have."""
        total, _ = self._size(index)
        queries = {word: query for word in words if (query := phrase_query(word))}
        counts = self._count_all(index, list(queries.values()))
        return {word: _rarity(counts[query], total) for word, query in queries.items() if counts[query] > 1}

    def _rarest(self, index: str, words: list[str]) -> list[str]:
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
            counted = read_tally(self._database)
            return counted.get("sentences", 0), counted.get("terms", 0)
        row = self._database.row("SELECT count(*) AS total, coalesce(sum(size), 0) AS terms FROM passage")
        assert row is not None, "an aggregate has a row"
        return row.total, int(row.terms)

    def _count_all(self, index: str, queries: Sequence[str]) -> dict[str, int]:
        """Return in how many rows each query matches, all of them in one statement."""
        known = {query: self._common[index, query] for query in queries if (index, query) in self._common}
        unknown = sorted(set(queries) - known.keys())
        if unknown:
            known |= self._database.remember((index, *unknown), lambda: self._read_counts(index, unknown))
        return known

    def _read_counts(self, index: str, queries: Sequence[str]) -> dict[str, int]:
        # Counting stops where the word is known to be common.
        rows = self._database.rows(
            "SELECT w.query, (SELECT count(*) FROM"
            f" (SELECT FROM {index} t WHERE t.words @@ w.query::tsquery LIMIT %(most)s) c) AS found"
            " FROM unnest(%(queries)s::text[]) AS w (query)",
            queries=list(queries),
            most=MAX_SCANNED_ROWS + 1,
        )
        counts = {row.query: int(row.found) for row in rows}
        if len(self._common) >= _KNOWN_COUNTS:
            self._common.clear()
        self._common |= {(index, query): count for query, count in counts.items() if count > MAX_RANKED_ROWS // 8}
        return counts


def _only_stem(query: str) -> str:
    """Return the stem of a query for one word; empty for phrases and beginnings."""
    if " <-> " in query or query.endswith(":*"):
        return ""
    return query[1:-1].replace("''", "'").replace("\\\\", "\\")


def _rarity(count: int, rows: int) -> float:
    """Return the inverse document frequency of a word, never below a small positive number."""
    return max(math.log(max(rows - count + 0.5, 0.5) / (count + 0.5)), _LEAST_RARITY)
